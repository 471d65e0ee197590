//! The names of a game that scripts may write, sort by sort.

use std::collections::{BTreeMap, BTreeSet};

use crate::{game::Game, value::Value};

/// A sort of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Side,
    /// A side or a party: whose pieces.
    Owner,
    Seat,
    Space,
    Box,
    /// A space or a hex of a named place: whatever `space_of` takes.
    Spot,
    Piece,
    Kind,
    Formation,
    Terrain,
    /// A kind of hexside.
    Hexside,
    /// A class of roads.
    RoadClass,
    /// A line of a map of hexes.
    Line,
    Region,
    Scenario,
    Fact,
    /// An attribute of pieces.
    Attribute,
    /// An attribute, or one of the texts that every piece has.
    Property,
    SpaceState,
    RoadState,
    SpaceData,
    RoadData,
    ScenarioData,
    Option,
    Table,
    Event,
    Topic,
    Verb,
    Group,
    Condition,
    /// The id of a phase.
    Phase,
    /// A phase with its argument.
    PhaseName,
    Remark,
    Modifier,
    Level,
    DiceText,
}

/// Properties that every piece has beside its attributes.
pub(super) const TEXT_PROPERTIES: [&str; 6] = ["id", "name", "side", "kind", "formation", "at"];

impl Sort {
    /// All sorts.
    const ALL: [Self; 36] = [
        Self::Side,
        Self::Owner,
        Self::Seat,
        Self::Space,
        Self::Box,
        Self::Spot,
        Self::Piece,
        Self::Kind,
        Self::Formation,
        Self::Terrain,
        Self::Hexside,
        Self::RoadClass,
        Self::Line,
        Self::Region,
        Self::Scenario,
        Self::Fact,
        Self::Attribute,
        Self::Property,
        Self::SpaceState,
        Self::RoadState,
        Self::SpaceData,
        Self::RoadData,
        Self::ScenarioData,
        Self::Option,
        Self::Table,
        Self::Event,
        Self::Topic,
        Self::Verb,
        Self::Group,
        Self::Condition,
        Self::Phase,
        Self::PhaseName,
        Self::Remark,
        Self::Modifier,
        Self::Level,
        Self::DiceText,
    ];

    /// Returns true if all names of another sort are of this one.
    pub fn takes(self, other: Self) -> bool {
        self == other || self == Self::Owner && other == Self::Side
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Side => "side",
            Self::Owner => "side or party",
            Self::Seat => "seat",
            Self::Space => "space",
            Self::Box => "box",
            Self::Spot => "place or space",
            Self::Piece => "piece",
            Self::Kind => "kind of piece",
            Self::Formation => "formation",
            Self::Terrain => "terrain",
            Self::Hexside => "kind of hexside",
            Self::RoadClass => "class of roads",
            Self::Line => "line",
            Self::Region => "region",
            Self::Scenario => "scenario",
            Self::Fact => "fact",
            Self::Attribute => "attribute",
            Self::Property => "property of pieces",
            Self::SpaceState => "state of spaces",
            Self::RoadState => "state of roads",
            Self::SpaceData => "data of spaces",
            Self::RoadData => "data of roads",
            Self::ScenarioData => "data of scenarios",
            Self::Option => "option",
            Self::Table => "table",
            Self::Event => "event",
            Self::Topic => "topic",
            Self::Verb => "verb",
            Self::Group => "group of standing orders",
            Self::Condition => "condition",
            Self::Phase | Self::PhaseName => "phase",
            Self::Remark => "remark",
            Self::Modifier => "text for the modifier",
            Self::Level => "level of victory",
            Self::DiceText => "text for dice",
        }
    }

    /// The place where such names are declared, for hints.
    pub fn declared(self) -> &'static str {
        match self {
            Self::Space
            | Self::Spot
            | Self::Terrain
            | Self::Hexside
            | Self::RoadClass
            | Self::Line
            | Self::Region
            | Self::SpaceData
            | Self::RoadData => "map.yaml",
            Self::Piece | Self::Formation => "forces.yaml",
            Self::Table => "tables.yaml",
            Self::Scenario | Self::ScenarioData => "scenarios/",
            Self::Remark | Self::Modifier | Self::Level | Self::DiceText => "text/",
            _ => "game.yaml",
        }
    }
}

/// The names of one game.
pub(super) struct Names<'a> {
    pub game: &'a Game,
    all: BTreeMap<Sort, BTreeSet<&'a str>>,
    /// Facts that game.yaml says are the umpire's.
    secret_facts: BTreeSet<String>,
}

impl<'a> Names<'a> {
    pub fn of(game: &'a Game) -> Self {
        let all = Sort::ALL.into_iter().map(|sort| (sort, names(game, sort)));
        Self {
            game,
            all: all.collect(),
            secret_facts: BTreeSet::new(),
        }
    }

    /// With facts that game.yaml says are the umpire's.
    pub fn with_secret_facts(self, secret_facts: BTreeSet<String>) -> Self {
        Self {
            secret_facts,
            ..self
        }
    }

    /// Returns true if a fact is shown to each his own, or said to be the umpire's: one of which
    /// nothing is said may just as well be bookkeeping.
    pub fn is_kept_secret(&self, fact: &str) -> bool {
        let declared = self.game.decl.facts.get(fact);
        declared.is_some_and(|fact| fact.shown.is_shared_out()) || self.secret_facts.contains(fact)
    }

    /// All names of a sort. Of phases the ids.
    pub fn all(&self, sort: Sort) -> &BTreeSet<&'a str> {
        static NONE: BTreeSet<&str> = BTreeSet::new();
        self.all.get(&sort).unwrap_or(&NONE)
    }

    /// Returns true if a word is a name of any sort.
    pub fn is_name(&self, word: &str) -> bool {
        Sort::ALL.iter().any(|sort| self.holds(*sort, word))
    }

    /// Returns true if a name is one of a sort.
    pub fn holds(&self, sort: Sort, name: &str) -> bool {
        let game = self.game;
        match sort {
            Sort::Space => game.maps().any(|map| map.number(name).is_some()),
            Sort::Spot => game.maps().any(|map| {
                let hexes = map.hexes().and_then(|hexes| hexes.number(name));
                hexes.or_else(|| map.number(name)).is_some()
            }),
            Sort::PhaseName => game.check_phase(name).is_ok(),
            _ => self.all(sort).contains(name),
        }
    }
}

/// The texts in a value of a file, at any depth.
pub(super) fn texts_in<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    match value {
        Value::Text(text) => {
            found.insert(text);
        }
        Value::List(list) => list.iter().for_each(|item| texts_in(item, found)),
        Value::Map(fields) => fields.values().for_each(|item| texts_in(item, found)),
        _ => {}
    }
}

/// All names of a sort that a game has.
fn names(game: &Game, sort: Sort) -> BTreeSet<&str> {
    let decl = &game.decl;
    let maps = game.maps().map(|map| map.map());
    let files = game.maps().filter_map(|map| map.hexes());
    let files = files.map(|hexes| hexes.file());
    let text = game.text.values();
    match sort {
        Sort::Side => decl.sides.iter().map(|side| side.id.as_str()).collect(),
        Sort::Owner => {
            let parties = decl.parties.iter().map(|party| party.id.as_str());
            let sides = decl.sides.iter().map(|side| side.id.as_str());
            sides.chain(parties).collect()
        }
        Sort::Seat => decl.seats.iter().map(|seat| seat.id.as_str()).collect(),
        Sort::Space => {
            let spaces = maps.flat_map(|map| &map.spaces);
            spaces.map(|space| space.id.as_str()).collect()
        }
        Sort::Spot => {
            let places = files.flat_map(|file| &file.places);
            let spaces = maps.flat_map(|map| &map.spaces);
            let spaces = spaces.map(|space| space.id.as_str());
            spaces
                .chain(places.map(|place| place.id.as_str()))
                .collect()
        }
        Sort::Box => decl.boxes.keys().map(|id| id.as_str()).collect(),
        Sort::Piece => {
            let pieces = game.force_lists().flat_map(|forces| &forces.pieces);
            pieces.map(|piece| piece.id.as_str()).collect()
        }
        Sort::Kind => decl.kinds.keys().map(String::as_str).collect(),
        Sort::Formation => {
            let formations = game.force_lists().flat_map(|forces| &forces.formations);
            formations.map(|one| one.id.as_str()).collect()
        }
        Sort::Terrain => {
            let terrains = maps.flat_map(|map| &map.terrains);
            terrains.map(String::as_str).collect()
        }
        Sort::Hexside => {
            let kinds = files.flat_map(|file| &file.features);
            kinds.map(|kind| kind.id.as_str()).collect()
        }
        Sort::RoadClass => {
            let classes = files.flat_map(|file| &file.road_classes);
            classes.map(|class| class.id.as_str()).collect()
        }
        Sort::Line => {
            let lines = files.flat_map(|file| &file.lines);
            lines.map(|line| line.id.as_str()).collect()
        }
        Sort::Region => {
            let regions = maps.flat_map(|map| map.regions.keys());
            regions.map(String::as_str).collect()
        }
        Sort::Scenario => game.scenarios.keys().map(String::as_str).collect(),
        Sort::Fact => decl.facts.keys().map(String::as_str).collect(),
        Sort::Attribute => decl.attributes.keys().map(String::as_str).collect(),
        Sort::Property => {
            let attributes = decl.attributes.keys().map(String::as_str);
            attributes.chain(TEXT_PROPERTIES).collect()
        }
        Sort::SpaceState => decl.space_attributes.keys().map(String::as_str).collect(),
        Sort::RoadState => decl.road_attributes.keys().map(String::as_str).collect(),
        Sort::SpaceData => {
            let spaces = maps.flat_map(|map| &map.spaces);
            let keys = spaces.flat_map(|space| space.data.keys());
            keys.map(String::as_str).collect()
        }
        Sort::RoadData => {
            let roads = maps.flat_map(|map| &map.roads);
            let keys = roads.flat_map(|road| road.data.keys());
            keys.map(String::as_str).collect()
        }
        Sort::ScenarioData => {
            let data = game
                .scenarios
                .values()
                .flat_map(|scenario| scenario.data.keys());
            data.map(String::as_str).collect()
        }
        Sort::Option => decl.options.keys().map(String::as_str).collect(),
        Sort::Table => game.tables.keys().map(String::as_str).collect(),
        Sort::Event => decl.events.iter().map(String::as_str).collect(),
        Sort::Topic => decl.orders.topics.keys().map(String::as_str).collect(),
        Sort::Verb => decl.orders.verbs.keys().map(String::as_str).collect(),
        Sort::Group => {
            let standing = decl.orders.verbs.iter().filter(|(_, verb)| verb.standing);
            standing
                .map(|(name, verb)| verb.group.as_deref().unwrap_or(name))
                .collect()
        }
        Sort::Condition => decl.orders.conditions.keys().map(String::as_str).collect(),
        Sort::Phase | Sort::PhaseName => {
            decl.phases.iter().map(|phase| phase.id.as_str()).collect()
        }
        Sort::Remark => text
            .flat_map(|text| text.remarks.keys())
            .map(String::as_str)
            .collect(),
        Sort::Modifier => text
            .flat_map(|text| text.modifiers.keys())
            .map(String::as_str)
            .collect(),
        Sort::Level => text
            .flat_map(|text| text.levels.keys())
            .map(String::as_str)
            .collect(),
        Sort::DiceText => text
            .flat_map(|text| text.dice.keys())
            .map(String::as_str)
            .collect(),
    }
}
