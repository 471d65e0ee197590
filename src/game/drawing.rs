//! How a map of areas is drawn: outlines that fit together, water, forts and works, roads.
//!
//! Nothing of it has an effect on play; what a game's own data mean to a reader is named here.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Translations, atlas::Atlas};
use crate::ids::PlaceId;

/// The `drawing:` of a map of points whose spaces are areas. Coordinates are `[lat, lon]` in
/// degrees times 1000 times `fine`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// The number of parts of a thousandth of a degree in the coordinates below, 1 to 100.
    pub fine: i64,
    /// The edges of the sheet.
    pub frame: SheetEdges,
    /// A part of it that is drawn again, larger, below the sheet.
    #[serde(default)]
    pub inset: Option<Inset>,
    /// Fills by terrain, or by space if it has its own: `#rrggbb`.
    #[serde(default)]
    pub colours: IndexMap<String, String>,
    /// The terrains that differ in height, from the lowest to the highest: where two of them meet,
    /// short strokes on the higher side say which it is.
    #[serde(default)]
    pub heights: Vec<String>,
    /// The terrains that are water.
    #[serde(default)]
    pub water: Vec<String>,
    /// The terrains whose spaces are stretches of road: they are drawn as signs with their first
    /// alias.
    #[serde(default)]
    pub stretches: Vec<String>,
    /// The roads that are drawn as such: the data of a road that tells, and its values. The others
    /// only say which spaces adjoin.
    #[serde(default)]
    pub roads: Option<DrawnRoads>,
    /// The data of a space that is true for a town.
    #[serde(default)]
    pub town: Option<String>,
    /// Forts.
    #[serde(default)]
    pub fort: Option<FortSign>,
    /// Field works.
    #[serde(default)]
    pub works: Option<StateSign>,
    /// Victory points.
    #[serde(default)]
    pub points: Option<StateSign>,
    /// The data of a space that is printed as a number after its name.
    #[serde(default)]
    pub value: Option<String>,
    /// Draws the map as a page of an atlas, on which each space has at most one piece; then of the
    /// keys above only `fine`, `frame`, `colours` and `water` count.
    #[serde(default)]
    pub atlas: Option<Atlas>,
    /// Borders with a line of their own.
    #[serde(default)]
    pub borders: Vec<Border>,
    /// The outlines of areas and waters. Neighbours share the points of their border.
    pub outlines: IndexMap<PlaceId, Vec<[i64; 2]>>,
}

impl Drawing {
    /// The data of spaces that it names, with their paths.
    pub fn space_data(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let atlas = self.atlas.as_ref();
        let stands = atlas.and_then(|atlas| atlas.stands.as_ref());
        let fort = self.fort.as_ref().map(|fort| &fort.data);
        let works = self.works.as_ref().map(|works| &works.data);
        let points = self.points.as_ref().map(|points| &points.data);
        let named = [
            ("town", self.town.as_ref()),
            ("fort.data", fort),
            ("works.data", works),
            ("points.data", points),
            ("value", self.value.as_ref()),
            (
                "atlas.centre",
                atlas.and_then(|atlas| atlas.centre.as_ref()),
            ),
            ("atlas.city", atlas.and_then(|atlas| atlas.city.as_ref())),
            ("atlas.stands.data", stands.map(|stands| &stands.data)),
        ];
        named
            .into_iter()
            .filter_map(|(path, name)| Some((path, name?.as_str())))
    }

    /// The states of spaces that it names, with their paths.
    pub fn space_states(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fort = self.fort.as_ref().and_then(|fort| fort.state.as_ref());
        let works = self.works.as_ref();
        let points = self.points.as_ref();
        let named = [
            ("fort.state", fort),
            ("works.state", works.and_then(|sign| sign.state.as_ref())),
            ("works.holder", works.and_then(|sign| sign.holder.as_ref())),
            ("points.state", points.and_then(|sign| sign.state.as_ref())),
            (
                "points.holder",
                points.and_then(|sign| sign.holder.as_ref()),
            ),
        ];
        named
            .into_iter()
            .filter_map(|(path, name)| Some((path, name?.as_str())))
    }
}

/// The edges of a sheet.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetEdges {
    /// Its upper edge, a latitude.
    pub north: i64,
    /// Its lower edge, a latitude.
    pub south: i64,
    /// Its left edge, a longitude.
    pub west: i64,
    /// Its right edge, a longitude.
    pub east: i64,
}

impl SheetEdges {
    /// Returns true if a point lies in it.
    #[must_use]
    pub fn holds(&self, [lat, lon]: [i64; 2]) -> bool {
        (self.south..=self.north).contains(&lat) && (self.west..=self.east).contains(&lon)
    }
}

/// A part of the sheet that is drawn larger.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inset {
    /// Its edges.
    pub frame: SheetEdges,
    /// Its name: "the roadsteads".
    pub name: Translations,
}

/// The roads that are drawn.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawnRoads {
    /// The data of a road.
    pub data: String,
    /// Its values on roads that are drawn.
    pub are: Vec<String>,
}

/// The data by which forts are found.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FortSign {
    /// The data of a space that describes its fort: a map.
    pub data: String,
    /// The key in it that is its strength, a number.
    pub level: String,
    /// The key in it that names who holds it at first: a side or a party.
    #[serde(default)]
    pub holder: Option<String>,
    /// The state of the space that names who holds it now.
    #[serde(default)]
    pub state: Option<String>,
}

/// Something that is drawn where the data of a space, or its state, have it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateSign {
    /// The data of a space.
    pub data: String,
    /// The state that replaces it once it is set.
    #[serde(default)]
    pub state: Option<String>,
    /// The state that names its holder: a side or a party.
    #[serde(default)]
    pub holder: Option<String>,
    /// The value that means that it is gone.
    #[serde(default)]
    pub gone: Option<String>,
    /// The value that means that it is a strong one.
    #[serde(default)]
    pub strong: Option<String>,
}

/// A border between two outlines that is drawn with a line of its own.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Border {
    /// The first space.
    pub a: PlaceId,
    /// The other one.
    pub b: PlaceId,
    /// The kind of border.
    pub kind: BorderKind,
}

/// A kind of border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BorderKind {
    /// Closed, though the areas touch.
    Ridge,
    /// A coast that is no shore.
    Cliff,
}
