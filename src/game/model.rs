//! The types of a game's map, forces, tables and scenarios, and the game as a whole.

use std::{collections::BTreeMap, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{decl::GameDecl, drawing::Drawing, earth};
use crate::{
    digest::Digest,
    ids::{PieceId, PlaceId, SideId},
    ordered::IndexMap,
    value::{Fields, Value},
};

/// The origin of a figure of a table, a force list or a map.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// Printed in the rulebook.
    Stated,
    /// It follows from what is printed.
    Deduced,
    /// Rebuilt from history and geography.
    Reconstructed,
}

/// A language of players: `en`, `fr`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
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
pub type Translations = BTreeMap<Lang, String>;

/// A short text in a language; in one that it has, where it lacks this one; empty if it has none.
#[must_use]
pub fn said(words: &Translations, lang: Lang) -> &str {
    let any = || words.values().next();
    words.get(&lang).or_else(any).map_or("", String::as_str)
}

/// A space of the map.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// Its id.
    pub id: PlaceId,
    /// Its name on the map.
    pub name: String,
    /// Its name in other languages, where it differs.
    #[serde(default)]
    pub names: Translations,
    /// Other spellings that players may write.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Terrain, one of the map's `terrains`.
    pub terrain: String,
    /// Latitude in degrees times 1000, for the drawing.
    #[serde(deserialize_with = "earth::lat")]
    pub lat: i64,
    /// Longitude in degrees times 1000.
    #[serde(deserialize_with = "earth::lon")]
    pub lon: i64,
    /// Other data that scripts read (`supply: red`).
    #[serde(default)]
    pub data: Fields,
    /// Its origin.
    pub source: Provenance,
}

impl Space {
    /// Its name in a language.
    #[must_use]
    pub fn name_in(&self, lang: Lang) -> &str {
        self.names.get(&lang).unwrap_or(&self.name)
    }

    /// All its names and other spellings, but not its id.
    pub fn spellings(&self) -> impl Iterator<Item = &str> {
        [&self.name]
            .into_iter()
            .chain(self.names.values())
            .chain(&self.aliases)
            .map(String::as_str)
    }
}

/// A road between two spaces.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Road {
    /// The first end.
    pub a: PlaceId,
    /// The other end.
    pub b: PlaceId,
    /// The river that it crosses, if any.
    #[serde(default)]
    pub river: Option<String>,
    /// Other data that scripts read (`bridge: normal`).
    #[serde(default)]
    pub data: Fields,
    /// Its origin.
    pub source: Provenance,
}

/// A named set of spaces.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Its spaces.
    pub spaces: Vec<PlaceId>,
    /// Its origin.
    pub source: Provenance,
}

/// A line or outline that is drawn and has no effect: a river, a lake. Points are `[lat, lon]`
/// times 1000.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// Its name on the map.
    pub name: String,
    /// Its name in other languages, where it differs.
    #[serde(default)]
    pub names: Translations,
    /// A lake is closed and filled.
    #[serde(default)]
    pub lake: bool,
    /// The points.
    #[serde(deserialize_with = "earth::points")]
    pub points: Vec<[i64; 2]>,
    /// Its origin.
    pub source: Provenance,
}

impl Water {
    /// Its name in a language.
    #[must_use]
    pub fn name_in(&self, lang: Lang) -> &str {
        self.names.get(&lang).unwrap_or(&self.name)
    }
}

/// The map.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// The terrains that spaces may have.
    pub terrains: Vec<String>,
    /// All spaces, in the order that breaks ties in the rules.
    pub spaces: Vec<Space>,
    /// All roads.
    #[serde(default)]
    pub roads: Vec<Road>,
    /// Named sets of spaces.
    #[serde(default)]
    pub regions: IndexMap<String, Region>,
    /// Rivers and lakes by id, for the drawing.
    #[serde(default)]
    pub waters: IndexMap<String, Water>,
    /// The drawing of its spaces as areas; without it they are points.
    #[serde(default)]
    pub drawing: Option<Drawing>,
}

/// A formation: who commands it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Formation {
    /// Its id.
    pub id: String,
    /// Its side.
    pub side: SideId,
    /// Other spellings that players of its side may write for it, beside its id and its name.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Its leader, a piece.
    #[serde(default)]
    pub leader: Option<PieceId>,
    /// Its origin, and that of its leader.
    pub source: Provenance,
}

/// A piece as the force list gives it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PieceDecl {
    /// Its id.
    pub id: PieceId,
    /// Its name.
    pub name: String,
    /// Its name in other languages, where it differs.
    #[serde(default)]
    pub names: Translations,
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
    /// The origin of its values.
    pub source: Provenance,
    /// Values that come from elsewhere than `source` says (`sp: stated`; `name`, `kind` and
    /// `formation` too).
    #[serde(default)]
    pub sources: BTreeMap<String, Provenance>,
}

/// All pieces of the game, in the order that breaks ties in the rules.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Forces {
    /// Formations.
    #[serde(default)]
    pub formations: Vec<Formation>,
    /// Pieces.
    #[serde(default)]
    pub pieces: Vec<PieceDecl>,
}

/// A starting position.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its id, the file's name.
    pub id: String,
    /// Its title.
    pub title: Translations,
    /// The theatre whose map and forces it has, a folder of `theatres/`, where the game has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theatre: Option<String>,
    /// The rosters that it is for; all if none is named.
    #[serde(default)]
    pub rosters: Vec<String>,
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
    /// The pieces in each space or box. A piece that is not named is not in play.
    #[serde(default)]
    pub positions: IndexMap<PlaceId, Vec<PieceId>>,
    /// Attributes that differ from the force list: piece, attribute, value.
    #[serde(default)]
    pub pieces: BTreeMap<PieceId, Fields>,
    /// Other data that scripts read of it (`turns: [5, 9]`).
    #[serde(default)]
    pub data: Fields,
    /// The origin of the position.
    pub source: Provenance,
}

impl Scenario {
    /// Returns true if the seats of a roster can play it.
    #[must_use]
    pub fn is_for(&self, roster: &str) -> bool {
        self.rosters.is_empty() || self.rosters.iter().any(|known| known == roster)
    }
}

/// A modifier of a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    /// Its id; its words stand in text/*.yaml under `modifiers`.
    pub id: String,
    /// The number that it adds, or a name where the value comes from a piece (`leader_tr`).
    pub add: Value,
    /// Its origin.
    pub source: Provenance,
}

/// A row of a table that is read with a total: `min` and `max` are inclusive, a missing one is
/// open.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Lowest total.
    #[serde(default)]
    pub min: Option<i64>,
    /// Highest total.
    #[serde(default)]
    pub max: Option<i64>,
    /// A result for each column, or a single one.
    pub result: Vec<Value>,
    /// Its origin, if it differs from the table's.
    #[serde(default)]
    pub source: Option<Provenance>,
}

/// A column of a table: the values that it holds for, inclusive.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The rule that it belongs to.
    pub rule: String,
    /// Its origin.
    pub source: Provenance,
    /// The dice that are read with it.
    #[serde(default)]
    pub dice: Option<String>,
    /// Numbers and lists by name.
    #[serde(default)]
    pub values: Fields,
    /// The least and the most that numbers of `values` may be, by their names: an owner's own
    /// numbers are held to them too.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub ranges: IndexMap<String, [i64; 2]>,
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

/// A game: everything that its YAML files say, checked.
#[derive(Clone, Debug)]
pub struct Game {
    /// `game.yaml`.
    pub decl: GameDecl,
    /// `map.yaml` with its look-ups; in a game of theatres, that of one of them.
    pub map: super::MapIndex,
    /// `forces.yaml`, of the same theatre.
    pub forces: Forces,
    /// `tables.yaml`, as the same theatre has them.
    pub tables: Tables,
    /// The theatre whose map, forces and tables these are.
    pub theatre: Option<String>,
    /// `theatres/*/`, where scenarios have maps and forces of their own.
    pub theatres: IndexMap<String, super::Theatre>,
    /// `scenarios/*.yaml`.
    pub scenarios: IndexMap<String, Scenario>,
    /// `text/*.yaml`: the languages of the game, one at least.
    pub text: BTreeMap<Lang, Arc<super::Text>>,
    /// The scripts: file name (`game/combat.rhai`) and text, `lib/` first, each by name.
    pub scripts: Vec<(String, String)>,
    /// The rule checklist beside the scripts (`rules/<game>/checklist.yaml`), for coverage.
    pub checklist: Vec<super::ChecklistEntry>,
    /// SHA-256 over all files, lower-case hexadecimal: what a campaign pins.
    pub digest: Digest,
}
