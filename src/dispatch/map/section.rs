//! The sections of a drawing, in points of the picture.

use serde::{Deserialize, Serialize};

use super::{areas::AreaSection, atlas::AtlasSection, hexes::HexSection};
use crate::{game::Relief, mail::Screen};

/// Everything that is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapSection {
    /// Width of the picture in points.
    pub width: i64,
    /// Height of the picture in points.
    pub height: i64,
    /// Points of the picture for ten kilometres.
    pub ten_km: i64,
    /// The screen on which it is read.
    #[serde(default, skip_serializing_if = "Screen::is_wide")]
    pub screen: Screen,
    /// The campaign's title.
    pub title: String,
    /// Turn and date.
    pub subtitle: String,
    /// Whose knowledge it is.
    pub viewer: String,
    /// Sides with their colours.
    pub sides: Vec<MapSide>,
    /// Spaces in the order of the map file.
    pub spaces: Vec<MapSpace>,
    /// Roads.
    pub roads: Vec<MapRoad>,
    /// Rivers and lakes.
    pub waters: Vec<MapWater>,
    /// Pieces that are seen now.
    pub stacks: Vec<MapStack>,
    /// Pieces that were seen before.
    pub ghosts: Vec<MapStack>,
    /// The additions of a map of hexes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hexes: Option<HexSection>,
    /// The additions of a map of areas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areas: Option<AreaSection>,
    /// The additions of a page of an atlas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atlas: Option<AtlasSection>,
    /// Signs of marks with their words.
    pub signs: Vec<(String, String)>,
    /// Words of the legend.
    pub legend: Legend,
}

impl MapSection {
    /// Removes all pieces, and everything drawn for them.
    pub(in crate::dispatch) fn clear_pieces(&mut self) {
        self.stacks.clear();
        self.ghosts.clear();
        if let Some(hexes) = &mut self.hexes {
            hexes.radii.clear();
            hexes.spans.clear();
            hexes.arrows.clear();
        }
        for sheet in self.areas.iter_mut().flat_map(|areas| &mut areas.sheets) {
            sheet.dots.clear();
            sheet.map.clear_pieces();
        }
    }
}

/// A side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapSide {
    /// Its name.
    pub name: String,
    /// Its colour, `#rrggbb`.
    pub colour: String,
    /// Letters on its plates; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sign: String,
}

/// A space.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapSpace {
    /// Its name.
    pub name: String,
    /// Points from the left.
    pub x: i64,
    /// Points from the top.
    pub y: i64,
    /// How its terrain is drawn.
    pub relief: Relief,
    /// The side in control, a position in the list of sides.
    pub control: Option<usize>,
    /// The side whose supply comes from here.
    pub supply: Option<usize>,
    /// True if it is besieged.
    pub siege: bool,
    /// The value for moving and fighting in it; none if it has no such number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
}

/// A road between two spaces, by their positions in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapRoad {
    /// The first end.
    pub a: usize,
    /// The other end.
    pub b: usize,
    /// True if there is a bridge.
    pub bridge: bool,
    /// True if it is broken.
    pub broken: bool,
    /// Where it crosses its river.
    pub crossing: Option<[i64; 2]>,
}

/// A river or a lake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapWater {
    /// Its name.
    pub name: String,
    /// True if it is a lake.
    pub lake: bool,
    /// Its points.
    pub points: Vec<[i64; 2]>,
}

/// Pieces of one side in one space.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapStack {
    /// The space, a position in the list.
    pub space: usize,
    /// The side, a position in the list.
    pub side: usize,
    /// Leaders, the first one on top.
    pub leaders: Vec<Counter>,
    /// Units.
    pub units: Vec<Counter>,
    /// True if more lies below.
    pub more: bool,
    /// How many counters lie there face down.
    pub hidden: i64,
    /// For a ghost, the turn of the last sighting.
    pub turn: Option<i64>,
    /// For a ghost whose parts were seen in different turns, the first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<i64>,
}

impl MapStack {
    /// When a ghost was seen: "T4", "T2-4".
    pub(super) fn seen_in(&self) -> Option<String> {
        let turn = self.turn?;
        Some(match self.since.filter(|since| *since < turn) {
            Some(since) => format!("T{since}-{turn}"),
            None => format!("T{turn}"),
        })
    }
}

/// A counter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// The picture: `infantry`, `cavalry`, `artillery`, `headquarters`, `fort`.
    pub symbol: String,
    /// Present strength, if known.
    pub strength: Option<i64>,
    /// Hits, if known.
    pub hits: i64,
    /// Signs of its marks.
    pub signs: Vec<String>,
    /// How far it moves, if counters show that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<i64>,
    /// Where its front is: a direction, 0 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facing: Option<usize>,
    /// The bar of its formation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bar: Option<CounterBar>,
}

/// The bar of a formation on a counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterBar {
    /// Its colour, `#rrggbb`.
    pub colour: String,
    /// The text in it.
    pub sign: String,
}

/// Words of the legend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Legend {
    /// The heading of the legend.
    pub heading: String,
    /// Open country.
    pub plain: String,
    /// Mountains.
    pub mountain: String,
    /// A town.
    pub city: String,
    /// A source of supply.
    pub supply: String,
    /// A siege.
    pub siege: String,
    /// A bridge.
    pub bridge: String,
    /// A broken bridge.
    pub broken: String,
    /// Strength, hits and total.
    pub counter: String,
    /// A leader.
    pub leader: String,
    /// More below.
    pub more: String,
    /// The word for counters face down; empty without any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hidden: String,
    /// An old sighting.
    pub ghost: String,
    /// The strength of all that stands together, where a map is drawn from afar.
    #[serde(default)]
    pub group: String,
    /// The word for an unknown strength.
    #[serde(default)]
    pub unknown: String,
    /// Leaders alone.
    #[serde(default)]
    pub star: String,
    /// A ridge that nobody crosses.
    #[serde(default)]
    pub ridge: String,
    /// Strokes on the higher side of a border.
    #[serde(default)]
    pub uphill: String,
    /// The meaning of a number after a space's name.
    #[serde(default)]
    pub value: String,
    /// A cliff by the sea.
    #[serde(default)]
    pub cliff: String,
    /// Symbols with their words, those that the game has.
    pub symbols: Vec<(String, String)>,
    /// "km".
    pub km: String,
}
