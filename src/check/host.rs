//! What the host's functions take and give, as far as their names and types don't say: which argument names what.
//!
//! A test compares this table with what the host registers, so that none is missing.

use super::names::Sort;

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// The name of something.
    Name(Sort),
    /// A space of the map or a box.
    Place,
    /// A seat, seats, or `"all"`.
    Seats,
    /// One of these words.
    Word(&'static [&'static str]),
    Piece,
    Pieces,
    /// A piece or a list of pieces.
    PieceOrPieces,
    /// A space or a list of spaces.
    SpaceOrSpaces,
    /// What `area_of` takes: spaces, pieces, areas.
    Spaces,
    Area,
    List,
    Map,
    Function,
    Int,
    Text,
    /// The terms of ways, or a function.
    How,
    /// Dice as `2d6`.
    Dice,
    /// The label of a throw.
    Label,
    /// A value of the property that the argument before names.
    ValueOf,
    Any,
}

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    Unit,
    Bool,
    Int,
    /// A whole number that is the same in all of a phase.
    Turn,
    Piece,
    Pieces,
    /// A list of lists of pieces.
    Stacks,
    /// A piece or `()`.
    MaybePiece,
    Name(Sort),
    Names(Sort),
    /// A list of names or `()`.
    MaybeNames(Sort),
    /// A name or `""`.
    NameOrNothing(Sort),
    /// Spaces and boxes.
    Places,
    Area,
    Field,
    /// `#{space, name}`.
    Space,
    /// The same kind of list as the first argument.
    First,
    /// A list of whole numbers.
    Ints,
    /// Whole numbers that not everybody sees.
    Secrets,
    /// Said where calls are evaluated: it depends on what is named.
    Special,
}

/// A function of the host.
pub(super) struct HostFunction {
    pub name: &'static str,
    pub takes: &'static [Takes],
    pub gives: Gives,
}

const fn f(name: &'static str, takes: &'static [Takes], gives: Gives) -> HostFunction {
    HostFunction { name, takes, gives }
}

const SIDE: Takes = Takes::Name(Sort::Side);
const SEAT: Takes = Takes::Name(Sort::Seat);
const SPACE: Takes = Takes::Name(Sort::Space);
const REGION: Takes = Takes::Name(Sort::Region);
const PROPERTY: Takes = Takes::Name(Sort::Property);
const ATTRIBUTE: Takes = Takes::Name(Sort::Attribute);
const DEGREES: Takes = Takes::Word(&["printed", "whole"]);

use Takes::{
    Any, Dice, Function, How, Int, Label, List, Map, Name, Piece, PieceOrPieces, Pieces, Place,
    Seats, SpaceOrSpaces, Spaces, Text, ValueOf,
};

/// The functions of the host. Operators, and what Rhai's own lists, maps and texts have, are not among them.
pub(super) const FUNCTIONS: &[HostFunction] = &[
    // seats and sides
    f("seats", &[], Gives::Names(Sort::Seat)),
    f("sides", &[], Gives::Names(Sort::Side)),
    f("seat_of", &[SIDE], Gives::Special),
    f("side_of", &[SEAT], Gives::Special),
    f("enemy_of", &[SIDE], Gives::Special),
    // what is seen
    f("spot", &[SEAT, PieceOrPieces, DEGREES], Gives::Unit),
    f("sees", &[SEAT, Piece], Gives::Bool),
    f("forget", &[SEAT, Piece], Gives::Unit),
    f("look_again", &[SEAT], Gives::Unit),
    f("on_view", &[SEAT, Function], Gives::Special),
    f(
        "note",
        &[SEAT, SpaceOrSpaces, Name(Sort::SpaceState), Any],
        Gives::Special,
    ),
    // pieces
    f("piece", &[Name(Sort::Piece)], Gives::Piece),
    f("pieces", &[], Gives::Pieces),
    f("pieces", &[SIDE], Gives::Pieces),
    f("all_pieces", &[SIDE], Gives::Pieces),
    f("at", &[Place], Gives::Pieces),
    f("at", &[Place, SIDE], Gives::Pieces),
    f("units_at", &[Place], Gives::Pieces),
    f("units_at", &[Place, SIDE], Gives::Pieces),
    f("any_units", &[Place, SIDE], Gives::Bool),
    f("units", &[SIDE], Gives::Pieces),
    f("units", &[SIDE, PROPERTY, ValueOf], Gives::Pieces),
    f("is_on_map", &[Piece], Gives::Bool),
    f("is_unit", &[Piece], Gives::Bool),
    f("is_piece", &[Any], Gives::Bool),
    f("formation_leader", &[Piece], Gives::MaybePiece),
    f("total", &[Pieces, ATTRIBUTE], Gives::Int),
    f("move_to", &[Piece, Place], Gives::Unit),
    f("expand", &[Map, SIDE], Gives::Pieces),
    // lists
    f("among", &[List, Any], Gives::First),
    f("without", &[List, Any], Gives::First),
    f("unique", &[List], Gives::First),
    f("having", &[Pieces, PROPERTY, ValueOf], Gives::First),
    f("lacking", &[Pieces, PROPERTY, ValueOf], Gives::First),
    f("units_in", &[Pieces], Gives::First),
    f("others_in", &[Pieces], Gives::First),
    f("in_map_order", &[Pieces], Gives::First),
    f("count_from", &[Pieces, ATTRIBUTE, Int], Gives::Int),
    f("lowest", &[Pieces, ATTRIBUTE], Gives::MaybePiece),
    f("highest", &[Pieces, ATTRIBUTE], Gives::MaybePiece),
    f("each", &[Pieces, PROPERTY], Gives::Special),
    f("places", &[Pieces], Gives::Places),
    f("stacks", &[Pieces], Gives::Stacks),
    f("set_all", &[Pieces, ATTRIBUTE, Any], Gives::Special),
    // the map
    f("spaces", &[], Gives::Names(Sort::Space)),
    f(
        "spaces_of",
        &[Name(Sort::Terrain)],
        Gives::Names(Sort::Space),
    ),
    f(
        "spaces_with",
        &[Name(Sort::SpaceData)],
        Gives::Names(Sort::Space),
    ),
    f(
        "spaces_with",
        &[Name(Sort::SpaceData), Any],
        Gives::Names(Sort::Space),
    ),
    f("spaces_where", &[Name(Sort::SpaceState), Any], Gives::Area),
    f("neighbours", &[SPACE], Gives::Names(Sort::Space)),
    f("terrain", &[SPACE], Gives::Name(Sort::Terrain)),
    f("index_of", &[SPACE], Gives::Int),
    f(
        "space_data",
        &[SPACE, Name(Sort::SpaceData)],
        Gives::Special,
    ),
    f("is_road", &[SPACE, SPACE], Gives::Bool),
    f(
        "road_data",
        &[SPACE, SPACE, Name(Sort::RoadData)],
        Gives::Special,
    ),
    f("region", &[REGION], Gives::Area),
    f("in_region", &[Place, REGION], Gives::Bool),
    f(
        "get_space",
        &[SPACE, Name(Sort::SpaceState)],
        Gives::Special,
    ),
    f(
        "set_space",
        &[SPACE, Name(Sort::SpaceState), Any],
        Gives::Special,
    ),
    f(
        "get_road",
        &[SPACE, SPACE, Name(Sort::RoadState)],
        Gives::Special,
    ),
    f(
        "set_road",
        &[SPACE, SPACE, Name(Sort::RoadState), Any],
        Gives::Special,
    ),
    f("region_round", &[REGION], Gives::Special),
    f("adjacent", &[SPACE, SPACE], Gives::Bool),
    f("within", &[SPACE, Int], Gives::Area),
    f("ring", &[SPACE, Int], Gives::Area),
    f("between", &[SPACE, SPACE], Gives::Names(Sort::Space)),
    f("direction", &[SPACE, SPACE], Gives::Int),
    f(
        "neighbour",
        &[SPACE, Int],
        Gives::NameOrNothing(Sort::Space),
    ),
    f(
        "opposite",
        &[SPACE, SPACE],
        Gives::NameOrNothing(Sort::Space),
    ),
    f("sides", &[SPACE, SPACE], Gives::Names(Sort::Hexside)),
    f("along", &[Name(Sort::Line)], Gives::Area),
    f("space_of", &[Name(Sort::Spot)], Gives::Name(Sort::Space)),
    f("place_of", &[SPACE], Gives::NameOrNothing(Sort::Spot)),
    f("space", &[SPACE], Gives::Space),
    // areas, fields and ways
    f("area_of", &[Spaces], Gives::Area),
    f("around", &[Takes::Area], Gives::Area),
    f("distance", &[SPACE, SPACE], Gives::Int),
    f("flood", &[Spaces, How], Gives::Area),
    f("steps", &[SPACE, SPACE, How], Gives::Int),
    f("steps_from", &[Spaces, How], Gives::Field),
    f("costs_from", &[Spaces, How], Gives::Field),
    f("reach", &[Spaces, Int, How], Gives::Field),
    f("step_cost", &[SPACE, SPACE, How], Gives::Int),
    f(
        "cheapest",
        &[SPACE, SPACE, How],
        Gives::MaybeNames(Sort::Space),
    ),
    f("path_cost", &[SPACE, SPACE, How], Gives::Int),
    // facts, options, the course of play
    f("fact", &[Name(Sort::Fact)], Gives::Special),
    f("set_fact", &[Name(Sort::Fact), Any], Gives::Special),
    f("turn", &[], Gives::Turn),
    f("phase", &[], Gives::Name(Sort::PhaseName)),
    f("scenario", &[], Gives::NameOrNothing(Sort::Scenario)),
    f("scenario_data", &[Name(Sort::ScenarioData)], Gives::Special),
    f("option", &[Name(Sort::Option)], Gives::Special),
    f("victory", &[Any, Name(Sort::Level)], Gives::Special),
    f("ended", &[], Gives::Bool),
    // words
    f("tell", &[Seats, Name(Sort::Event)], Gives::Special),
    f("tell", &[Seats, Name(Sort::Event), Map], Gives::Special),
    f("refuse", &[Map, Name(Sort::Event), Map], Gives::Special),
    // choices
    f("orders", &[SEAT, Name(Sort::Phase)], Gives::Special),
    f("orders_each", &[Seats, Name(Sort::Phase)], Gives::Special),
    f("told", &[SEAT, Name(Sort::Verb)], Gives::Special),
    f("told_group", &[SEAT, Name(Sort::Group)], Gives::Special),
    f("spend", &[Map], Gives::Unit),
    f("holds", &[Map], Gives::Bool),
    f("alternatives", &[Map], Gives::Special),
    f("ask", &[SEAT, Name(Sort::Topic), Map], Gives::Special),
    f("ask_each", &[List], Gives::Special),
    // dice
    f("roll", &[Dice, Label], Gives::Ints),
    f("d6", &[Label], Gives::Int),
    f("secret", &[SEAT, Dice, Label], Gives::Secrets),
    f("disclose", &[Any], Gives::Special),
    f("shut", &[Dice, Label], Gives::Secrets),
    f("shuffle", &[List, Label], Gives::First),
    f("draw", &[List, Int, Label], Gives::First),
    f("draw_shut", &[List, Int, Label], Gives::First),
    f("chance", &[Int], Gives::Int),
    // for authors
    f("print", &[Any], Gives::Unit),
    f("debug", &[Any], Gives::Unit),
    // tables
    f("value", &[Name(Sort::Table), Text], Gives::Special),
    f("lookup", &[Name(Sort::Table), Int], Gives::Special),
    f("lookup", &[Name(Sort::Table), Int, Int], Gives::Special),
    f("column", &[Name(Sort::Table), Int], Gives::Special),
    f("reason", &[Name(Sort::Table), Text], Gives::Special),
];

/// The function of the host that takes so many arguments.
pub(super) fn function(name: &str, arguments: usize) -> Option<&'static HostFunction> {
    FUNCTIONS
        .iter()
        .find(|function| function.name == name && function.takes.len() == arguments)
}

/// The terms of ways (`how`), with what each takes.
pub(super) const TERMS: &[(&str, Takes)] = &[
    ("not_into", Spaces),
    ("not_from", Spaces),
    ("not_over", Name(Sort::RoadState)),
    ("not_across", List),
    ("bridged", List),
    ("roads", Any),
    ("table", Name(Sort::Table)),
    ("class", Text),
    ("dear", Spaces),
    ("surcharge", Int),
];

/// What a question may say.
pub(super) const QUESTION: &[&str] = &["seat", "topic", "about", "options", "otherwise"];
