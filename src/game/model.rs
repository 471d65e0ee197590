//! The types of a game, as its YAML files declare them.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::{
    ids::{PieceId, PlaceId, SeatId, SideId},
    value::{Fields, Value},
};

/// Where a figure of a table, a force list or a map comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Printed in the rulebook.
    Stated,
    /// Follows from what is printed.
    Deduced,
    /// Rebuilt from history and geography.
    #[default]
    Reconstructed,
}

/// A language of players: `en`, `fr`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    En,
    /// French.
    Fr,
}

impl Lang {
    /// All languages that dispatches are written in.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Fr];

    /// The two-letter code, as in `--seat red=ada@example.org,lang=fr`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Fr => "fr",
        }
    }
}

/// A short text in each language.
pub type Words = BTreeMap<Lang, String>;

/// A side and how it is drawn.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Its id.
    pub id: SideId,
    /// "French", "Français".
    pub name: Words,
    /// Colour of its counters and areas, `#rrggbb`.
    pub colour: String,
}

/// A seat that a campaign fills with a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatDecl {
    /// Its id.
    pub id: SeatId,
    /// The side whose pieces it commands.
    pub side: SideId,
}

/// Who learns a piece's attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// Whoever knows that the piece is there.
    Printed,
    /// Whoever sees the piece whole.
    Whole,
    /// Its owner.
    Owner,
    /// The umpire only.
    Umpire,
}

/// An attribute that every piece has.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeDecl {
    /// Its value where the force list gives none. Its type is the attribute's type.
    pub default: Value,
    /// Who learns it.
    pub shown: Shown,
}

/// Who learns a fact, a box's contents, a space's or a road's state. Secret is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audience {
    /// All seats.
    Public,
    /// The umpire only.
    #[default]
    Umpire,
}

/// A fact, or an attribute of spaces or roads, with its value at the start.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactDecl {
    /// The value at the start where the scenario gives none.
    pub default: Value,
    /// Who learns it.
    #[serde(default)]
    pub shown: Audience,
}

/// A box beside the map.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxDecl {
    /// Who sees what lies in it.
    #[serde(default)]
    pub shown: Audience,
}

/// An option of a campaign (`--set fog=on`).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionDecl {
    /// The legal values; `on` and `off` for a switch; empty for a whole number.
    #[serde(default)]
    pub values: Vec<String>,
    /// The value when nothing is set.
    pub default: String,
    /// Why it can't be changed yet, when the rules for it are not written.
    #[serde(default)]
    pub closed: Option<String>,
}

/// One kind of piece.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindDecl {
    /// The picture on the map: `infantry`, `cavalry`, `artillery`, `headquarters`, `fort`.
    pub symbol: String,
    /// Whether it counts as strength on the map (leaders don't).
    #[serde(default)]
    pub unit: bool,
}

/// A phase of the sequence. `movement.red` runs `movement("red")`, `supply` runs `supply()`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseDecl {
    /// The name before the dot; the script function's name too.
    pub id: String,
    /// What stands after the dot: `side`, `space`, or nothing.
    #[serde(default)]
    pub of: Option<String>,
}

/// A space of the map.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// Its id.
    pub id: PlaceId,
    /// Its name on the map.
    pub name: String,
    /// Other spellings that players may write.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Terrain, one of the map's `terrains`.
    pub terrain: String,
    /// Latitude in degrees times 1000, for the drawing.
    pub lat: i64,
    /// Longitude in degrees times 1000.
    pub lon: i64,
    /// Other data that scripts read (`supply: red`).
    #[serde(default)]
    pub data: Fields,
    /// Where it comes from.
    pub source: Source,
}

/// A road between two spaces.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Road {
    /// One end.
    pub a: PlaceId,
    /// The other end.
    pub b: PlaceId,
    /// The river that it crosses, if any.
    #[serde(default)]
    pub river: Option<String>,
    /// Other data that scripts read (`bridge: normal`).
    #[serde(default)]
    pub data: Fields,
    /// Where it comes from.
    pub source: Source,
}

/// A named set of spaces.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Its spaces.
    pub spaces: Vec<PlaceId>,
    /// Where it comes from.
    pub source: Source,
}

/// A line or outline that is drawn and has no effect: a river, a lake. Points are `[lat, lon]` times 1000.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// Its name on the map.
    pub name: String,
    /// A lake is closed and filled.
    #[serde(default)]
    pub lake: bool,
    /// The points.
    pub points: Vec<[i64; 2]>,
    /// Where it comes from; waters are real ones, so geography unless it says more.
    #[serde(default)]
    pub source: Source,
}

/// The map.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// The terrains that spaces may have.
    pub terrains: Vec<String>,
    /// All spaces, in the order that breaks ties in the rules.
    pub spaces: Vec<Space>,
    /// All roads.
    pub roads: Vec<Road>,
    /// Named sets of spaces.
    pub regions: IndexMap<String, Region>,
    /// Rivers and lakes by id, for the drawing.
    #[serde(default)]
    pub waters: IndexMap<String, Water>,
}

/// A formation: who commands it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formation {
    /// Its id.
    pub id: String,
    /// Its side.
    pub side: SideId,
    /// Its leader, a piece.
    #[serde(default)]
    pub leader: Option<PieceId>,
}

/// A piece as the force list gives it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceDecl {
    /// Its id.
    pub id: PieceId,
    /// Its name.
    pub name: String,
    /// Its name in other languages, where it differs.
    #[serde(default)]
    pub names: Words,
    /// Other spellings that players may write.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Its side.
    pub side: SideId,
    /// Its formation.
    #[serde(default)]
    pub formation: Option<String>,
    /// Its kind.
    pub kind: String,
    /// Attributes that differ from their defaults (`sp: 4`).
    #[serde(default)]
    pub attributes: Fields,
    /// Where its values come from.
    pub source: Source,
    /// Values that come from elsewhere than `source` says (`sp: stated`; `name`, `kind` and `formation` too).
    #[serde(default)]
    pub sources: BTreeMap<String, Source>,
}

/// All pieces of the game, in the order that breaks ties in the rules.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forces {
    /// Formations.
    pub formations: Vec<Formation>,
    /// Pieces.
    pub pieces: Vec<PieceDecl>,
}

/// A starting position.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its id, the file's name.
    pub id: String,
    /// Its title.
    pub title: Words,
    /// The phase that is run first.
    pub first_phase: String,
    /// Facts that differ from their defaults.
    #[serde(default)]
    pub facts: Fields,
    /// Spaces' states that differ from their defaults: space, attribute, value.
    #[serde(default)]
    pub spaces: BTreeMap<PlaceId, Fields>,
    /// Roads' states that differ from their defaults, as `a-b`: attribute, value.
    #[serde(default)]
    pub roads: BTreeMap<String, Fields>,
    /// Which pieces stand where; spaces and boxes. A piece not named is not in play.
    pub positions: IndexMap<PlaceId, Vec<PieceId>>,
    /// Attributes that differ from the force list: piece, attribute, value.
    #[serde(default)]
    pub pieces: BTreeMap<PieceId, Fields>,
    /// Where the position comes from.
    pub source: Source,
}

/// One modifier of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    /// Its id; its words stand in text/*.yaml under `modifiers`.
    pub id: String,
    /// What it adds; a name where the value comes from a piece (`leader_tr`).
    pub add: Value,
    /// Where it comes from.
    pub source: Source,
}

/// A row of a table that is read with a total: `min` and `max` are inclusive, a missing one is open.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Lowest total.
    #[serde(default)]
    pub min: Option<i64>,
    /// Highest total.
    #[serde(default)]
    pub max: Option<i64>,
    /// One result for each column, or a single one.
    pub result: Vec<Value>,
    /// Where it comes from, if not from where the table does.
    #[serde(default)]
    pub source: Option<Source>,
}

/// A column of a table: the values that it holds for, inclusive.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its heading.
    pub id: String,
    /// Lowest value.
    #[serde(default)]
    pub min: Option<i64>,
    /// Highest value.
    #[serde(default)]
    pub max: Option<i64>,
}

/// A table: numbers by name, or rows and columns, with the modifiers of its roll.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The rule that it belongs to.
    pub rule: String,
    /// Where it comes from.
    pub source: Source,
    /// The dice that are read with it.
    #[serde(default)]
    pub dice: Option<String>,
    /// Numbers and lists by name.
    #[serde(default)]
    pub values: Fields,
    /// Columns.
    #[serde(default)]
    pub columns: Vec<Column>,
    /// Rows.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// Modifiers.
    #[serde(default)]
    pub modifiers: Vec<Modifier>,
}

/// All tables by name.
pub type Tables = IndexMap<String, Table>;

/// An order, standing order or command of the order language.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerbDecl {
    /// The phases (names before the dot) whose wait takes it; empty for a standing order, which is taken always.
    #[serde(default)]
    pub phases: Vec<String>,
    /// A standing order stays in force until its group is written anew or cancelled.
    #[serde(default)]
    pub standing: bool,
    /// Standing orders of one group replace each other together; the verb's own name if not given.
    #[serde(default)]
    pub group: Option<String>,
    /// Its forms, in the pattern language of ARCHITECTURE.md. The first is the one that is printed.
    pub forms: Vec<String>,
    /// Script function that judges the order on the seat's view for the receipt.
    #[serde(default)]
    pub check: Option<String>,
    /// Script function that prints lines of this verb for the template of the dispatch, on the seat's view.
    #[serde(default)]
    pub template: Option<String>,
    /// Options that must be on for the verb to exist.
    #[serde(default)]
    pub option: Option<String>,
}

/// A kind of question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopicDecl {
    /// The keyword that puts it on ASK, if a player may.
    #[serde(default)]
    pub keyword: Option<String>,
    /// The forms of an answer.
    pub forms: Vec<String>,
}

/// A condition of a guard.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionDecl {
    /// Its forms.
    pub forms: Vec<String>,
    /// The script function that judges it on the seat's view.
    pub call: String,
}

/// The order language of the game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// Keywords by id with their spellings in each language, the first of them printed.
    pub keywords: IndexMap<String, BTreeMap<Lang, Vec<String>>>,
    /// Verbs in the order in which help and templates list them.
    pub verbs: IndexMap<String, VerbDecl>,
    /// Kinds of questions.
    #[serde(default)]
    pub topics: IndexMap<String, TopicDecl>,
    /// Conditions of guards.
    #[serde(default)]
    pub conditions: IndexMap<String, ConditionDecl>,
}

/// The file `game.yaml`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameDecl {
    /// Its id, the folder's name.
    pub id: String,
    /// Its title.
    pub title: Words,
    /// A paragraph about it.
    pub about: Words,
    /// Sides.
    pub sides: Vec<Side>,
    /// Seats.
    pub seats: Vec<SeatDecl>,
    /// The scenario that `new` takes when none is named.
    pub default_scenario: String,
    /// Kinds of pieces.
    pub kinds: IndexMap<String, KindDecl>,
    /// Attributes of pieces.
    pub attributes: IndexMap<String, AttributeDecl>,
    /// State of spaces.
    #[serde(default)]
    pub space_attributes: IndexMap<String, FactDecl>,
    /// State of roads.
    #[serde(default)]
    pub road_attributes: IndexMap<String, FactDecl>,
    /// Boxes beside the map.
    #[serde(default)]
    pub boxes: IndexMap<PlaceId, BoxDecl>,
    /// Facts. `turn` is one of them.
    pub facts: IndexMap<String, FactDecl>,
    /// Date of each turn, for dispatches.
    #[serde(default)]
    pub dates: Vec<String>,
    /// Options.
    #[serde(default)]
    pub options: IndexMap<String, OptionDecl>,
    /// How many question mails a seat gets in a turn unless the campaign says otherwise.
    #[serde(default)]
    pub questions_per_turn: u32,
    /// Phases in their order.
    pub phases: Vec<PhaseDecl>,
    /// Keys of events that scripts tell; each has a text in each language.
    pub events: Vec<String>,
    /// The order language.
    pub orders: Language,
}

/// A game: everything that its YAML files say, checked.
#[derive(Clone, Debug)]
pub struct Game {
    /// `game.yaml`.
    pub decl: GameDecl,
    /// `map.yaml` with its look-ups.
    pub map: super::MapIndex,
    /// `forces.yaml`.
    pub forces: Forces,
    /// `tables.yaml`.
    pub tables: Tables,
    /// `scenarios/*.yaml`.
    pub scenarios: IndexMap<String, Scenario>,
    /// `text/*.yaml`.
    pub text: BTreeMap<Lang, super::Text>,
    /// The scripts: file name (`game/combat.rhai`) and text, `lib/` first, each by name.
    pub scripts: Vec<(String, String)>,
    /// The rule checklist beside the scripts (`rules/<game>/checklist.yaml`), for coverage.
    pub checklist: Vec<super::ChecklistEntry>,
    /// SHA-256 over all files, lower-case hexadecimal: what a campaign pins.
    pub digest: String,
}
