//! The types of a `map.yaml` with a hex grid.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::grid::Shape;
use crate::{
    game::{Provenance, Translations},
    ids::PlaceId,
    ordered::IndexMap,
    value::Fields,
};

/// A hexside, written as its two hexes: `3308-3309`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct HexSide {
    /// The first hex.
    pub a: String,
    /// The hex across.
    pub b: String,
}

impl TryFrom<String> for HexSide {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.split_once('-') {
            Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok(Self {
                a: a.to_owned(),
                b: b.to_owned(),
            }),
            _ => Err(format!(
                "a hexside is written as its two hexes, `A-B`, not `{text}`"
            )),
        }
    }
}

impl From<HexSide> for String {
    fn from(side: HexSide) -> Self {
        side.to_string()
    }
}

impl fmt::Display for HexSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.a, self.b)
    }
}

/// A kind of thing that lies on hexsides.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// Its id, as tables and scripts have it.
    pub id: String,
    /// A crossing: the kind that it lies over and takes the place of (a bridge over a river).
    #[serde(default)]
    pub over: Option<String>,
    /// The drawing of its lines.
    #[serde(default)]
    pub drawn: Stroke,
}

/// The drawing of a kind of hexside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stroke {
    /// Nothing is drawn.
    #[default]
    Nothing,
    /// A broad river.
    River,
    /// A canal.
    Canal,
    /// A stream.
    Stream,
    /// A slope.
    Slope,
    /// A crest: a ridge that hides what is behind it.
    Crest,
    /// A bridge.
    Bridge,
    /// A ford.
    Ford,
}

impl Stroke {
    /// What a legend knows it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::River => "river",
            Self::Canal => "canal",
            Self::Stream => "stream",
            Self::Slope => "slope",
            Self::Crest => "crest",
            Self::Bridge => "bridge",
            Self::Ford => "ford",
        }
    }
}

/// A river, a crest: hexsides of one kind that belong together.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Its id.
    pub id: String,
    /// Its name on the map.
    pub name: String,
    /// Its kind, one of the `features`.
    pub kind: String,
    /// The hexsides.
    pub sides: Vec<HexSide>,
    /// The level of a crest: a ridge that stands on these sides.
    #[serde(default)]
    pub level: Option<u8>,
    /// Its origin.
    pub source: Provenance,
    /// The origin of its course, if the line itself is better founded than that.
    #[serde(default)]
    pub course: Option<Provenance>,
}

/// A bridge or a ford.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Crossing {
    /// Its name, if it has one.
    #[serde(default)]
    pub name: Option<String>,
    /// The hexside.
    pub side: HexSide,
    /// Its kind, one of the `features` with `over`.
    pub kind: String,
    /// The id of the line that it crosses.
    pub line: String,
    /// Its origin.
    pub source: Provenance,
}

/// A class of roads: highways, tracks, railways.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoadClass {
    /// Its id, as tables and scripts have it.
    pub id: String,
    /// True if such roads may meet water without a crossing: they end on its banks, and the water
    /// is waded.
    #[serde(default)]
    pub wades: bool,
    /// The drawing of such roads.
    #[serde(default)]
    pub drawn: RoadStyle,
}

/// The drawing of a class of roads. Later ones are drawn above earlier ones.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum RoadStyle {
    /// A track.
    Track,
    /// A road.
    #[default]
    Road,
    /// A great road.
    Main,
    /// A railway.
    Rail,
}

/// A road: hexes, each next to the one before.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// The places that it leads to.
    pub name: String,
    /// Its class, where the map has classes of roads.
    #[serde(default)]
    pub class: Option<String>,
    /// Its hexes.
    pub hexes: Vec<String>,
    /// Its origin.
    pub source: Provenance,
}

/// A hex with a name.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedHex {
    /// Its id, as regions and scripts have it.
    pub id: String,
    /// Its name on the map.
    pub name: String,
    /// Its name in other languages, where it differs.
    #[serde(default)]
    pub names: Translations,
    /// Other spellings that players may write.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The hex where it is.
    pub hex: String,
    /// Other data that scripts read (`objective: 6`).
    #[serde(default)]
    pub data: Fields,
    /// Its origin.
    pub source: Provenance,
}

/// A named set of hexes: those listed, or all; of these those within a distance, in a range of
/// columns and rows, and in another region; of these those that are connected with a hex without
/// crossing certain lines.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// Its hexes, by label or place; all of the map if not given.
    #[serde(default)]
    pub spaces: Option<Vec<String>>,
    /// Only hexes at most this many steps from one of `of`.
    #[serde(default)]
    pub within: Option<i64>,
    /// The places or labels that `within` is counted from.
    #[serde(default)]
    pub of: Vec<String>,
    /// Only columns from this number to that.
    #[serde(default)]
    pub columns: Option<[usize; 2]>,
    /// Only rows from this number to that.
    #[serde(default)]
    pub rows: Option<[usize; 2]>,
    /// Only hexes of another region, which comes before this one in the file.
    #[serde(default, rename = "in")]
    pub inside: Option<String>,
    /// Only the part that is connected with this hex.
    #[serde(default)]
    pub from: Option<String>,
    /// Lines that the connection may not cross.
    #[serde(default)]
    pub without_crossing: Vec<String>,
    /// Its origin.
    pub source: Option<Provenance>,
}

/// The heights of a row of hexes, a digit for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct LevelRow(String);

impl LevelRow {
    /// The height in a column, counted from 0.
    #[must_use]
    pub fn level(&self, column: usize) -> Option<i64> {
        let digit = self.0.as_bytes().get(column)?;
        Some(i64::from(digit - b'0'))
    }

    /// The number of its hexes.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.0.len()
    }
}

impl TryFrom<String> for LevelRow {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.chars().find(|letter| !letter.is_ascii_digit()) {
            Some(letter) => Err(format!(
                "a row of levels has a digit for each hex, not `{letter}`"
            )),
            None => Ok(Self(text)),
        }
    }
}

impl From<LevelRow> for String {
    fn from(row: LevelRow) -> Self {
        row.0
    }
}

/// The file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HexFile {
    /// The grid.
    pub grid: Shape,
    /// Terrains by the letters that mean them.
    pub terrains: IndexMap<char, String>,
    /// A letter for each hex, a line for each row, column 1 first.
    pub rows: Vec<String>,
    /// The origin of the terrain.
    pub source: Provenance,
    /// Heights: a digit for each hex, a line for each row, column 1 first. All are level without
    /// it.
    #[serde(default)]
    pub levels: Vec<LevelRow>,
    /// Kinds of things that lie on hexsides.
    #[serde(default)]
    pub features: Vec<Feature>,
    /// Rivers and crests.
    #[serde(default)]
    pub lines: Vec<Line>,
    /// Bridges and fords.
    #[serde(default)]
    pub crossings: Vec<Crossing>,
    /// Classes of roads; without it all are alike.
    #[serde(default)]
    pub road_classes: Vec<RoadClass>,
    /// Roads.
    #[serde(default)]
    pub roads: Vec<Route>,
    /// Named hexes.
    #[serde(default)]
    pub places: Vec<NamedHex>,
    /// Data of hexes without a name, by label.
    #[serde(default)]
    pub data: IndexMap<PlaceId, Fields>,
    /// Named sets of hexes.
    #[serde(default)]
    pub regions: IndexMap<String, Zone>,
}
