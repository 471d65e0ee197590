//! The arguments and results of the host's functions, as far as their names and types don't say:
//! which argument names what.
//!
//! A test compares this table with the functions that the host registers, so that none is missing.

use super::names::Sort;

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterType {
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
    /// Anything that `area_of` takes: spaces, pieces, areas.
    Spaces,
    Area,
    List,
    Map,
    Function,
    Int,
    Text,
    /// The terms of ways, or a function.
    How,
    /// The terms of sight.
    Sight,
    /// Dice written as `2d6`.
    Dice,
    /// The label of a throw.
    Label,
    /// A value of the property that the argument before names.
    ValueOf,
    Any,
}

/// The type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReturnType {
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
    /// A map `#{space, name}`.
    Space,
    /// A list of the same kind as the first argument.
    First,
    /// A list of whole numbers.
    Ints,
    /// Whole numbers that not everybody sees.
    Secrets,
    /// Judged where calls are evaluated, since it depends on what is named.
    Special,
}

/// A function of the host.
pub(super) struct HostFunction {
    pub name: &'static str,
    pub takes: &'static [ParameterType],
    pub gives: ReturnType,
}

const fn f(name: &'static str, takes: &'static [ParameterType], gives: ReturnType) -> HostFunction {
    HostFunction { name, takes, gives }
}

const SIDE: ParameterType = ParameterType::Name(Sort::Side);
const OWNER: ParameterType = ParameterType::Name(Sort::Owner);
const SEAT: ParameterType = ParameterType::Name(Sort::Seat);
const SPACE: ParameterType = ParameterType::Name(Sort::Space);
const REGION: ParameterType = ParameterType::Name(Sort::Region);
const PROPERTY: ParameterType = ParameterType::Name(Sort::Property);
const ATTRIBUTE: ParameterType = ParameterType::Name(Sort::Attribute);
const DEGREES: ParameterType = ParameterType::Word(&["printed", "whole"]);

use ParameterType::{
    Any, Dice, Function, How, Int, Label, List, Map, Name, Piece, PieceOrPieces, Pieces, Place,
    Seats, Sight, SpaceOrSpaces, Spaces, Text, ValueOf,
};

/// The functions of the host. Operators, and what Rhai's own lists, maps and texts have, are not
/// among them.
pub(super) const FUNCTIONS: &[HostFunction] = &[
    // seats and sides
    f("seats", &[], ReturnType::Names(Sort::Seat)),
    f("sides", &[], ReturnType::Names(Sort::Side)),
    f("seat_of", &[SIDE], ReturnType::Special),
    f("side_of", &[SEAT], ReturnType::Special),
    f("sides_of", &[SEAT], ReturnType::Names(Sort::Side)),
    f("party_of", &[SIDE], ReturnType::Special),
    f("are_allies", &[SIDE, SIDE], ReturnType::Bool),
    f("enemy_of", &[SIDE], ReturnType::Special),
    // what is seen
    f("spot", &[SEAT, PieceOrPieces, DEGREES], ReturnType::Unit),
    f("sees", &[SEAT, Piece], ReturnType::Bool),
    f("forget", &[SEAT, Piece], ReturnType::Unit),
    f("look_again", &[SEAT], ReturnType::Unit),
    f("on_view", &[SEAT, Function], ReturnType::Special),
    f("once", &[Text, Function], ReturnType::Special),
    f("remembered", &[Text, Text, Function], ReturnType::Special),
    f(
        "note",
        &[SEAT, SpaceOrSpaces, Name(Sort::SpaceState), Any],
        ReturnType::Special,
    ),
    // pieces
    f("piece", &[Name(Sort::Piece)], ReturnType::Piece),
    f("pieces", &[], ReturnType::Pieces),
    f("pieces", &[OWNER], ReturnType::Pieces),
    f("all_pieces", &[OWNER], ReturnType::Pieces),
    f(
        "all_pieces",
        &[OWNER, PROPERTY, ValueOf],
        ReturnType::Pieces,
    ),
    f("at", &[Place], ReturnType::Pieces),
    f("at", &[Place, OWNER], ReturnType::Pieces),
    f("units_at", &[Place], ReturnType::Pieces),
    f("units_at", &[Place, OWNER], ReturnType::Pieces),
    f("any_units", &[Place, OWNER], ReturnType::Bool),
    f("units", &[OWNER], ReturnType::Pieces),
    f("units", &[OWNER, PROPERTY, ValueOf], ReturnType::Pieces),
    f("is_on_map", &[Piece], ReturnType::Bool),
    f("is_unit", &[Piece], ReturnType::Bool),
    f("is_piece", &[Any], ReturnType::Bool),
    f("formation_leader", &[Piece], ReturnType::MaybePiece),
    f("total", &[Pieces, ATTRIBUTE], ReturnType::Int),
    f("move_to", &[Piece, Place], ReturnType::Unit),
    f("expand", &[Map, SIDE], ReturnType::Pieces),
    // lists
    f("among", &[List, Any], ReturnType::First),
    f("without", &[List, Any], ReturnType::First),
    f("unique", &[List], ReturnType::First),
    f("order_of", &[List], ReturnType::Ints),
    f("saying", &[List, Text], ReturnType::First),
    f("last_with", &[List, Text, List], ReturnType::Special),
    f("keyed", &[List, List], ReturnType::Special),
    f("having", &[Pieces, PROPERTY, ValueOf], ReturnType::First),
    f("lacking", &[Pieces, PROPERTY, ValueOf], ReturnType::First),
    f("units_in", &[Pieces], ReturnType::First),
    f("others_in", &[Pieces], ReturnType::First),
    f("in_map_order", &[Pieces], ReturnType::First),
    f("count_from", &[Pieces, ATTRIBUTE, Int], ReturnType::Int),
    f("lowest", &[Pieces, ATTRIBUTE], ReturnType::MaybePiece),
    f("highest", &[Pieces, ATTRIBUTE], ReturnType::MaybePiece),
    f("each", &[Pieces, PROPERTY], ReturnType::Special),
    f("places", &[Pieces], ReturnType::Places),
    f("stacks", &[Pieces], ReturnType::Stacks),
    f("set_all", &[Pieces, ATTRIBUTE, Any], ReturnType::Special),
    // the map
    f("spaces", &[], ReturnType::Names(Sort::Space)),
    f(
        "spaces_of",
        &[Name(Sort::Terrain)],
        ReturnType::Names(Sort::Space),
    ),
    f(
        "spaces_with",
        &[Name(Sort::SpaceData)],
        ReturnType::Names(Sort::Space),
    ),
    f(
        "spaces_with",
        &[Name(Sort::SpaceData), Any],
        ReturnType::Names(Sort::Space),
    ),
    f(
        "spaces_where",
        &[Name(Sort::SpaceState), Any],
        ReturnType::Area,
    ),
    f("neighbours", &[SPACE], ReturnType::Names(Sort::Space)),
    f(
        "neighbours_ahead",
        &[SPACE, Int, Int],
        ReturnType::Names(Sort::Space),
    ),
    f("terrain", &[SPACE], ReturnType::Name(Sort::Terrain)),
    f("index_of", &[SPACE], ReturnType::Int),
    f(
        "space_data",
        &[SPACE, Name(Sort::SpaceData)],
        ReturnType::Special,
    ),
    f("is_road", &[SPACE, SPACE], ReturnType::Bool),
    f(
        "road_data",
        &[SPACE, SPACE, Name(Sort::RoadData)],
        ReturnType::Special,
    ),
    f("region", &[REGION], ReturnType::Area),
    f("in_region", &[Place, REGION], ReturnType::Bool),
    f(
        "get_space",
        &[SPACE, Name(Sort::SpaceState)],
        ReturnType::Special,
    ),
    f(
        "set_space",
        &[SPACE, Name(Sort::SpaceState), Any],
        ReturnType::Special,
    ),
    f(
        "get_road",
        &[SPACE, SPACE, Name(Sort::RoadState)],
        ReturnType::Special,
    ),
    f(
        "set_road",
        &[SPACE, SPACE, Name(Sort::RoadState), Any],
        ReturnType::Special,
    ),
    f("region_round", &[REGION], ReturnType::Special),
    f("adjacent", &[SPACE, SPACE], ReturnType::Bool),
    f("within", &[SPACE, Int], ReturnType::Area),
    f("ring", &[SPACE, Int], ReturnType::Area),
    f("between", &[SPACE, SPACE], ReturnType::Names(Sort::Space)),
    f("direction", &[SPACE, SPACE], ReturnType::Int),
    f(
        "neighbour",
        &[SPACE, Int],
        ReturnType::NameOrNothing(Sort::Space),
    ),
    f(
        "opposite",
        &[SPACE, SPACE],
        ReturnType::NameOrNothing(Sort::Space),
    ),
    f("sides", &[SPACE, SPACE], ReturnType::Names(Sort::Hexside)),
    f(
        "roads_between",
        &[SPACE, SPACE],
        ReturnType::Names(Sort::RoadClass),
    ),
    f("along", &[Name(Sort::Line)], ReturnType::Area),
    f(
        "space_of",
        &[Name(Sort::Spot)],
        ReturnType::Name(Sort::Space),
    ),
    f("place_of", &[SPACE], ReturnType::NameOrNothing(Sort::Spot)),
    f("space", &[SPACE], ReturnType::Space),
    // heights and sight
    f("level", &[SPACE], ReturnType::Int),
    f("climb", &[SPACE, SPACE], ReturnType::Int),
    f("line", &[SPACE, SPACE], ReturnType::Names(Sort::Space)),
    f("in_sight", &[SPACE, SPACE, Sight], ReturnType::Bool),
    f("visible", &[Spaces, Int, Sight], ReturnType::Area),
    // areas, fields and ways
    f("area_of", &[Spaces], ReturnType::Area),
    f("around", &[ParameterType::Area], ReturnType::Area),
    f("distance", &[SPACE, SPACE], ReturnType::Int),
    f("flood", &[Spaces, How], ReturnType::Area),
    f("steps", &[SPACE, SPACE, How], ReturnType::Int),
    f("steps_from", &[Spaces, How], ReturnType::Field),
    f("costs_from", &[Spaces, How], ReturnType::Field),
    f("reach", &[Spaces, Int, How], ReturnType::Field),
    f("step_cost", &[SPACE, SPACE, How], ReturnType::Int),
    f(
        "cheapest",
        &[SPACE, SPACE, How],
        ReturnType::MaybeNames(Sort::Space),
    ),
    f("path_cost", &[SPACE, SPACE, How], ReturnType::Int),
    f("way_cost", &[SPACE, List, How], ReturnType::Int),
    // decisions that hang on each other
    f("settle", &[List, Map], ReturnType::Special),
    f("class_of", &[Any, Text], ReturnType::Special),
    f("said", &[Any, Text, Text], ReturnType::Special),
    f("term", &[Any, Text, Text], ReturnType::Special),
    f("members", &[Any, Text, Text], ReturnType::Special),
    f("members", &[Any, Text, Text, Any], ReturnType::Special),
    f("strongest", &[Any, Text, Text, Text], ReturnType::Special),
    f("things_for", &[Pieces, List, Map], ReturnType::Special),
    f("decided", &[Any, Text, Any], ReturnType::Special),
    f("open", &[Any], ReturnType::Special),
    f("core", &[Any], ReturnType::Special),
    f("solutions", &[Any, List], ReturnType::Special),
    f("decide", &[Any, List, Any], ReturnType::Unit),
    // facts, options, the course of play
    f("fact", &[Name(Sort::Fact)], ReturnType::Special),
    f("set_fact", &[Name(Sort::Fact), Any], ReturnType::Special),
    f("turn", &[], ReturnType::Turn),
    f("phase", &[], ReturnType::Name(Sort::PhaseName)),
    f("scenario", &[], ReturnType::NameOrNothing(Sort::Scenario)),
    f(
        "scenario_data",
        &[Name(Sort::ScenarioData)],
        ReturnType::Special,
    ),
    f(
        "scenario_data",
        &[Name(Sort::ScenarioData), Text],
        ReturnType::Special,
    ),
    f("option", &[Name(Sort::Option)], ReturnType::Special),
    f("victory", &[Any, Name(Sort::Level)], ReturnType::Special),
    f("ended", &[], ReturnType::Bool),
    // words
    f("tell", &[Seats, Name(Sort::Event)], ReturnType::Special),
    f(
        "tell",
        &[Seats, Name(Sort::Event), Map],
        ReturnType::Special,
    ),
    f(
        "tell_of",
        &[Map, Seats, Name(Sort::Event), List],
        ReturnType::Special,
    ),
    f(
        "refuse",
        &[Map, Name(Sort::Event), Map],
        ReturnType::Special,
    ),
    // choices
    f("orders", &[SEAT, Name(Sort::Phase)], ReturnType::Special),
    f(
        "orders_each",
        &[Seats, Name(Sort::Phase)],
        ReturnType::Special,
    ),
    f(
        "orders_each",
        &[Seats, Name(Sort::Phase), Seats],
        ReturnType::Special,
    ),
    f(
        "orders_all",
        &[Seats, Name(Sort::Phase)],
        ReturnType::Special,
    ),
    f(
        "orders_all",
        &[Seats, Name(Sort::Phase), Seats],
        ReturnType::Special,
    ),
    f("is_silent", &[SEAT], ReturnType::Bool),
    f("told", &[Seats, Name(Sort::Verb)], ReturnType::Special),
    f(
        "told_group",
        &[Seats, Name(Sort::Group)],
        ReturnType::Special,
    ),
    f("spend", &[Map], ReturnType::Unit),
    f("holds", &[Map], ReturnType::Bool),
    f("alternatives", &[Map], ReturnType::Special),
    f("ask", &[SEAT, Name(Sort::Topic), Map], ReturnType::Special),
    f("ask_each", &[List], ReturnType::Special),
    // dice
    f("roll", &[Dice, Label], ReturnType::Ints),
    f("d6", &[Label], ReturnType::Int),
    f("secret", &[SEAT, Dice, Label], ReturnType::Secrets),
    f("disclose", &[Any], ReturnType::Special),
    f("shut", &[Dice, Label], ReturnType::Secrets),
    f("shuffle", &[List, Label], ReturnType::First),
    f("draw", &[List, Int, Label], ReturnType::First),
    f("draw_shut", &[List, Int, Label], ReturnType::First),
    f("chance", &[Int], ReturnType::Int),
    // for authors
    f("print", &[Any], ReturnType::Unit),
    f("debug", &[Any], ReturnType::Unit),
    // tables
    f("value", &[Name(Sort::Table), Text], ReturnType::Special),
    f("lookup", &[Name(Sort::Table), Int], ReturnType::Special),
    f(
        "lookup",
        &[Name(Sort::Table), Int, Int],
        ReturnType::Special,
    ),
    f("column", &[Name(Sort::Table), Int], ReturnType::Special),
    f("reason", &[Name(Sort::Table), Text], ReturnType::Special),
];

/// The host's function with this name and number of arguments.
pub(super) fn function(name: &str, arguments: usize) -> Option<&'static HostFunction> {
    FUNCTIONS
        .iter()
        .find(|function| function.name == name && function.takes.len() == arguments)
}

/// The terms of ways (`how`), with their types.
pub(super) const TERMS: &[(&str, ParameterType)] = &[
    ("not_into", Spaces),
    ("not_from", Spaces),
    ("not_over", Name(Sort::RoadState)),
    ("not_across", List),
    ("bridged", List),
    ("unbridged", List),
    ("roads", Any),
    ("table", Name(Sort::Table)),
    ("class", Text),
    ("slopes", List),
    ("eased", List),
    ("rough", Spaces),
    ("roadless", Spaces),
    ("dear", Any),
    ("surcharge", Int),
    ("stops", Spaces),
    ("leaving", Int),
];

/// The terms of sight, with their types.
pub(super) const SIGHT_TERMS: &[(&str, ParameterType)] = &[
    ("table", Name(Sort::Table)),
    ("bodies", Spaces),
    ("limit", Text),
];

/// The keys of a question.
pub(super) const QUESTION: &[&str] = &["seat", "topic", "about", "options", "otherwise"];
