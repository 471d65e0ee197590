//! Pictures of hex maps: the part where something happens in detail, the whole map below it.
//!
//! Hexes are given by their spots (line, half hexes along it), which need no labels and no grid to
//! be drawn.

mod arrows;
mod build;
mod counters;
mod curves;
mod detail;
mod features;
mod ground;
mod heights;
mod legend;
mod names;
mod news;
mod overview;
mod sheet;
mod stacks;
mod window;

use serde::{Deserialize, Serialize};

use super::MapSection;
use crate::game::{
    ArrowStyle, Relief,
    hex::{RoadStyle, Stroke},
};

pub(super) use build::build;
pub(in crate::dispatch) use build::show;
pub(super) use sheet::{framed, letter, overview_drawn, sheet_drawn, sheet_name, sheet_width, svg};
pub(super) use window::{Interest, best};

/// Where a hex stands: its line, and half hexes along it.
pub type At = [i64; 2];

/// What is drawn of a hex map besides what every map has. Everything that a seat knows of the map
/// itself is public.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexSection {
    /// True if hexes have flat tops, so that lines are columns.
    pub flat: bool,
    /// Number of lines, and of half hexes in the longest.
    pub size: At,
    /// Hexes that are no open country, by what they are.
    pub terrain: Vec<(Relief, Vec<At>)>,
    /// The hexes of each level, the lowest first; nothing if all are level.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heights: Vec<(i64, Vec<At>)>,
    /// Rivers and crests.
    pub lines: Vec<HexLine>,
    /// Bridges and fords.
    pub crossings: Vec<HexCrossing>,
    /// Roads.
    pub roads: Vec<HexRoad>,
    /// Named hexes.
    pub places: Vec<HexPlace>,
    /// Bridges that pieces are, with the number of the side whose they are.
    #[serde(default)]
    pub spans: Vec<(usize, [At; 2])>,
    /// What happened, as far as the reader heard of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<HexArrow>,
    /// True if counters have fronts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub faces: bool,
    /// Where north is, in degrees clockwise from the top of the sheet.
    #[serde(default)]
    pub north: i64,
    /// The reach of commanders over open ground.
    pub radii: Vec<HexRadius>,
    /// Where the spaces of the section stand, in their order.
    pub spots: Vec<At>,
    /// The parts that are drawn in detail, the weightiest first: of each its first line and half
    /// hex, and its size in the same measures.
    pub windows: Vec<[At; 2]>,
    /// Hexes along the edges that help readers find their way in the overview.
    pub ticks: Vec<(At, String)>,
    /// True if only the windows are drawn, without the overview: for a map to print.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// How many metres it is from the middle of a hex to the next, if the map says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metres: Option<i64>,
    /// Labels of the hexes in the windows.
    pub labels: Vec<(At, String)>,
    /// Words of the legend that only hex maps have: what is drawn, and its name.
    pub legend: Vec<(String, String)>,
}

/// What the sheets of one letter weigh together, in bytes, so that a mail stays below 250 KB. The
/// groups beyond stand in the overview with their strength, and in the tables.
const IN_LETTER: i64 = 88_000;
/// What a hex of a sheet weighs, and a counter on it, as pictures of woods, rivers and roads do.
const HEX_WEIGHS: i64 = 300;
const COUNTER_WEIGHS: i64 = 700;

/// How many sheets a letter shows of a map: the weightiest for which it has room.
pub(super) fn sheets_in_letter(map: &MapSection, hexes: &HexSection) -> usize {
    let stacks = map.ghosts.iter().chain(&map.stacks);
    let spots: Vec<&At> = stacks
        .filter_map(|stack| hexes.spots.get(stack.space))
        .collect();
    let mut left = IN_LETTER;
    let room = hexes.windows.iter().take_while(|window| {
        let [_, [lines, halves]] = window;
        left -= HEX_WEIGHS * lines * halves / 2;
        for _ in spots.iter().filter(|spot| shows(window, ***spot)) {
            left -= COUNTER_WEIGHS;
        }
        left >= 0
    });
    room.count().max(1)
}

impl HexSection {
    /// How many points of a sheet are ten kilometres; 0 if the map says nothing of it.
    pub(super) fn ten_km(&self) -> i64 {
        self.metres
            .map_or(0, |metres| 10_000 * 2 * HALF / metres.max(1))
    }

    /// Returns true if the windows are parts of the map, which the overview shows whole.
    pub(super) fn is_part(&self) -> bool {
        !self.alone && self.windows.iter().all(|window| window[1] != self.size)
    }
}

/// A river or a crest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexLine {
    /// Its name.
    pub name: String,
    /// How it is drawn.
    pub stroke: Stroke,
    /// Its hexsides, as the two hexes of each.
    pub sides: Vec<[At; 2]>,
}

/// A road, hex by hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexRoad {
    /// How it is drawn.
    pub style: RoadStyle,
    /// Its hexes.
    pub hexes: Vec<At>,
}

/// Something that happened, from one hex to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexArrow {
    /// How it is drawn.
    pub style: ArrowStyle,
    /// Whose it is, a position in the list of sides.
    pub side: usize,
    /// Where it begins, by what it goes, where it ends.
    pub path: Vec<At>,
    /// How many pieces it stands for.
    pub count: i64,
}

/// A bridge or a ford.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexCrossing {
    /// How it is drawn.
    pub stroke: Stroke,
    /// Its hexside.
    pub side: [At; 2],
}

/// A named hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexPlace {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: At,
    /// What it is.
    pub relief: Relief,
    /// The side in control, a position in the list of sides.
    pub control: Option<usize>,
    /// The side whose supply comes from here.
    pub supply: Option<usize>,
}

/// How far a commander reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexRadius {
    /// Where the commander is.
    pub at: At,
    /// His side, a position in the list of sides.
    pub side: usize,
    /// Hexes.
    pub hexes: i64,
}

/// Returns true if a hex lies in a window.
pub(super) fn shows([from, size]: &[At; 2], at: At) -> bool {
    (0..2).all(|axis: usize| (from[axis]..from[axis] + size[axis]).contains(&at[axis]))
}

/// Half the width of a hex in points, and the distance between lines: a regular hexagon in whole
/// numbers.
pub(super) const HALF: i64 = 33;
pub(super) const STEP: i64 = 57;

/// The middle of a hex, with the corner of the map at the origin.
pub(super) fn centre(flat: bool, [line, half]: At) -> [i64; 2] {
    let (across, along) = (line * STEP + 2 * STEP / 3, half * HALF + HALF);
    if flat {
        [across, along]
    } else {
        [along, across]
    }
}

/// The corners of a hex, clockwise: those of the side in direction d are d and d + 1, counted from
/// the top of the sheet.
pub(super) fn corners(flat: bool, at: At) -> [[i64; 2]; 6] {
    let [x, y] = centre(flat, at);
    let third = STEP / 3;
    let from_middle = if flat {
        [
            [-third, -HALF],
            [third, -HALF],
            [2 * third, 0],
            [third, HALF],
            [-third, HALF],
            [-2 * third, 0],
        ]
    } else {
        [
            [0, -2 * third],
            [HALF, -third],
            [HALF, third],
            [0, 2 * third],
            [-HALF, third],
            [-HALF, -third],
        ]
    };
    from_middle.map(|[dx, dy]| [x + dx, y + dy])
}

/// Steps to the six neighbours of a hex, in turn round it.
const AROUND: [At; 6] = [[0, 2], [1, 1], [1, -1], [0, -2], [-1, -1], [-1, 1]];

/// How many hexes it is from one to another.
fn steps(a: At, b: At) -> i64 {
    let (lines, halves) = ((a[0] - b[0]).abs(), (a[1] - b[1]).abs());
    lines + (halves - lines).max(0) / 2
}

/// The hexes at a distance from one, in turn round it.
fn ring(middle: At, radius: i64) -> Vec<At> {
    if radius == 0 {
        return vec![middle];
    }
    let [line, half] = AROUND[4];
    let mut here = [middle[0] + radius * line, middle[1] + radius * half];
    let mut ring = Vec::new();
    for [line, half] in AROUND {
        for _ in 0..radius {
            ring.push(here);
            here = [here[0] + line, here[1] + half];
        }
    }
    ring
}

/// The hexsides round all hexes that are so many steps or fewer from one.
pub(super) fn rim(middle: At, radius: i64) -> Vec<[At; 2]> {
    let ring = ring(middle, radius);
    let sides = ring.iter().flat_map(|at| {
        let next = AROUND.map(|[line, half]| [at[0] + line, at[1] + half]);
        next.map(|next| [*at, next])
    });
    sides
        .filter(|[_, next]| steps(middle, *next) > radius)
        .collect()
}

/// The two ends of the side that parts two neighbours; nothing if they are none.
pub(super) fn side(flat: bool, [a, b]: [At; 2]) -> Option<[[i64; 2]; 2]> {
    let (ours, theirs) = (corners(flat, a), corners(flat, b));
    let mut shared = ours.into_iter().filter(|corner| theirs.contains(corner));
    Some([shared.next()?, shared.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_radius_has_the_hexes_it_covers_inside() {
        for radius in [0, 1, 2, 3, 4, 2000] {
            let rim = rim([10, 20], radius);
            assert_eq!(rim.len() as i64, 12 * radius + 6, "{radius}");
            for pair in &rim {
                assert_eq!(steps([10, 20], pair[0]), radius);
                assert_eq!(steps([10, 20], pair[1]), radius + 1);
                assert!(side(false, *pair).is_some(), "{pair:?}");
            }
        }
    }

    #[test]
    fn neighbours_share_a_side_and_others_none() {
        for flat in [false, true] {
            let here = [4, 6];
            for near in [[4, 8], [4, 4], [3, 5], [3, 7], [5, 5], [5, 7]] {
                assert!(side(flat, [here, near]).is_some(), "{flat} {near:?}");
            }
            for far in [[4, 10], [6, 6], [5, 9]] {
                assert_eq!(side(flat, [here, far]), None, "{flat} {far:?}");
            }
        }
    }
}
