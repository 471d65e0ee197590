//! Pictures of hex maps: the part where something happens in detail, the whole map below it.
//!
//! Hexes are given by their spots (line, half hexes along it), which need no labels and no grid to
//! be drawn.

mod arrows;
mod build;
mod counters;
mod curves;
mod detail;
mod edges;
mod features;
mod ground;
mod heights;
mod legend;
mod limits;
mod names;
mod news;
mod overview;
mod sheet;
mod stacks;
mod window;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::MapSection;
use crate::{
    game::{
        ArrowStyle, Relief,
        hex::{RoadStyle, Stroke},
    },
    mail::Screen,
};

pub(super) use build::build;
pub(in crate::dispatch) use build::show;
pub(super) use sheet::{framed, letter, overview_drawn, sheet_drawn, sheet_name, sheet_width, svg};
pub(super) use window::{Interest, best};

/// The place of a hex: its line, and half hexes along it.
pub type At = [i64; 2];

/// The part of a hex map beside what every map has. Everything that a seat knows of the map itself
/// is public.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexSection {
    /// True if hexes have flat tops, so that lines are columns.
    pub flat: bool,
    /// Number of lines, and of half hexes in the longest.
    pub size: At,
    /// Hexes that are not open country, by their relief.
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
    /// Hexes outside the part in which the scenario is played.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub outside: BTreeSet<At>,
    /// Bridges that are pieces, with the number of the side that owns them.
    #[serde(default)]
    pub spans: Vec<(usize, [At; 2])>,
    /// Events, as far as the reader heard of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrows: Vec<HexArrow>,
    /// True if counters have fronts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub faces: bool,
    /// The direction of north, in degrees clockwise from the top of the sheet.
    #[serde(default)]
    pub north: i64,
    /// The reach of commanders over open ground.
    pub radii: Vec<HexRadius>,
    /// The places of the section's spaces, in their order.
    pub spots: Vec<At>,
    /// The parts that are drawn in detail, the weightiest first: of each its first line and half
    /// hex, and its size in the same measures.
    pub windows: Vec<[At; 2]>,
    /// The same parts, in their order, with no more ground than their subjects need: for a letter
    /// that has no room for all of them at their full size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub narrow: Vec<[At; 2]>,
    /// Narrow sheets again, of groups that share none: where they stand far apart, several small
    /// sheets have less ground than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<[At; 2]>,
    /// These with a line of ground round each group, and no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub close: Vec<[At; 2]>,
    /// Hexes along the edges that help readers find their way in the overview.
    pub ticks: Vec<(At, String)>,
    /// What stands along the edges of a map to print, in the middle of a hex at the edge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<EdgeLabel>,
    /// True if only the windows are drawn, without the overview: for a map to print.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// Metres from the middle of a hex to the next, if the map says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metres: Option<i64>,
    /// Labels of the hexes in the windows.
    pub labels: Vec<(At, String)>,
    /// Entries of the legend that only hex maps have: the thing drawn, and its name.
    pub legend: Vec<(String, String)>,
}

/// The weight of an overview in bytes, as a picture.
const OVERVIEW_WEIGHS: i64 = 45_000;
/// The weight of a hex of a sheet, and of a counter on it, as pictures of woods, rivers and roads
/// have it.
const HEX_WEIGHS: i64 = 300;
const COUNTER_WEIGHS: i64 = 300;

/// The weight of the head and the frame of a sheet.
const fn sheet_weighs(screen: Screen) -> i64 {
    match screen {
        Screen::Wide => 700,
        Screen::Phone => 2500,
    }
}

/// The sheets that a letter shows of a map whose pictures may weigh `room` bytes: those that show
/// the most stacks and, if there is room left, at their full size. The groups beyond are in the
/// overview with their strength, and in the tables.
pub(super) fn sheets_in_letter(map: &MapSection, hexes: &HexSection, room: i64) -> Vec<[At; 2]> {
    let stacks = map.ghosts.iter().chain(&map.stacks);
    let spots: Vec<&At> = stacks
        .filter_map(|stack| hexes.spots.get(stack.space))
        .collect();
    let weigh = |window: &[At; 2]| {
        let [_, [lines, halves]] = window;
        let counters = spots.iter().filter(|spot| shows(window, ***spot));
        let counters: i64 = counters.map(|_| COUNTER_WEIGHS).sum();
        // Hexes at the edges are there in part.
        let seen = (3 * lines + 1) * (halves + 1) / 6;
        HEX_WEIGHS * seen + counters + sheet_weighs(map.screen)
    };
    let room = room - OVERVIEW_WEIGHS;
    let inner = |[from, size]: &[At; 2]| {
        let at = [from[0] + 1, from[1] + 2];
        [at, [size[0] - 2, size[1] - 4]]
    };
    // The weightiest sheets that fit when they are narrow, and of these as many as can be at their
    // full size.
    let chosen = |narrow: &[[At; 2]], full: &[[At; 2]]| -> Vec<[At; 2]> {
        let mut left = room;
        let mut shown: Vec<([At; 2], [At; 2])> = Vec::new();
        for (narrow, full) in narrow.iter().zip(full) {
            let heavy = weigh(narrow);
            let on_others = |spot: &&&At| shown.iter().any(|(it, _)| shows(&inner(it), ***spot));
            let here = || spots.iter().filter(|spot| shows(narrow, ***spot));
            // Who stands on others well within them needs no sheet more. One goes with every
            // letter.
            let is_shown = here().next().is_some() && here().all(|spot| on_others(&spot));
            if !shown.is_empty() && (is_shown || heavy > left) {
                continue;
            }
            left -= heavy;
            shown.push((*narrow, *full));
        }
        for (narrow, full) in &mut shown {
            let more = weigh(full) - weigh(narrow);
            if more <= left {
                left -= more;
                *narrow = *full;
            }
        }
        shown.into_iter().map(|(sheet, _)| sheet).collect()
    };
    let seen = |sheets: &[[At; 2]]| {
        let is_seen = |spot: &&&At| sheets.iter().any(|sheet| shows(sheet, ***spot));
        spots.iter().filter(is_seen).count()
    };
    let narrow = match hexes.narrow.len() == hexes.windows.len() {
        true => &hexes.narrow,
        false => &hexes.windows,
    };
    let mut best = chosen(narrow, &hexes.windows);
    for (narrow, full) in [(&hexes.apart, &hexes.apart), (&hexes.close, &hexes.apart)] {
        let other = chosen(narrow, full);
        if seen(&other) > seen(&best) {
            best = other;
        }
    }
    best
}

impl HexSection {
    /// Points of a sheet for ten kilometres; 0 if the map doesn't say.
    pub(super) fn ten_km(&self) -> i64 {
        self.metres
            .map_or(0, |metres| 10_000 * 2 * HALF / metres.max(1))
    }

    /// Returns true if the map is so small that its one sheet shows all of it.
    pub(super) fn is_small(&self) -> bool {
        !self.alone && !self.is_part() && self.windows.len() == 1
    }

    /// Returns true if the windows are parts of the map, which the overview shows whole.
    pub(super) fn is_part(&self) -> bool {
        !self.alone && self.windows.iter().all(|window| window[1] != self.size)
    }
}

/// A number of columns or rows at an edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeLabel {
    /// The hex at the edge.
    pub at: At,
    /// True if the number is that of its line, and stands at one of the ends of the line.
    pub of_line: bool,
    /// True if the edge is the one where lines, or the hexes along them, end; else they begin
    /// there.
    pub end: bool,
    /// The number.
    pub label: String,
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
    /// Its owner, a position in the list of sides.
    pub side: usize,
    /// Where it begins, by what it goes, where it ends.
    pub path: Vec<At>,
    /// The number of pieces that it stands for.
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
    /// The hex where it is.
    pub at: At,
    /// The relief.
    pub relief: Relief,
    /// The side in control, a position in the list of sides.
    pub control: Option<usize>,
    /// The side whose supply comes from here.
    pub supply: Option<usize>,
}

/// The reach of a commander.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HexRadius {
    /// The commander's hex.
    pub at: At,
    /// The commander's side, a position in the list of sides.
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

/// The number of hexes from one to another.
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

/// The hexsides round all hexes within `radius` steps of one.
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
    fn a_letter_narrows_its_sheets_before_it_leaves_one_out() {
        let wide = [0, 20, 40].map(|line| [[line, 0], [7, 15]]);
        let narrow = [1, 21, 41].map(|line| [[line, 2], [5, 9]]);
        let hexes = HexSection {
            windows: wide.to_vec(),
            narrow: narrow.to_vec(),
            ..HexSection::default()
        };
        let weighs = |[_, [lines, halves]]: [At; 2]| {
            HEX_WEIGHS * ((3 * lines + 1) * (halves + 1) / 6) + sheet_weighs(Screen::Wide)
        };
        let (large, small) = (weighs(wide[0]), weighs(narrow[0]));
        let shown =
            |room: i64| sheets_in_letter(&MapSection::default(), &hexes, OVERVIEW_WEIGHS + room);
        assert_eq!(shown(3 * large), wide);
        // The weightiest keeps its ground.
        assert_eq!(shown(large + 2 * small), [wide[0], narrow[1], narrow[2]]);
        assert_eq!(shown(3 * small), narrow);
        assert_eq!(shown(2 * small), narrow[..2]);
        assert_eq!(shown(0), narrow[..1], "one sheet goes with every letter");
    }

    #[test]
    fn a_letter_parts_groups_that_stand_far_from_each_other() {
        // Two stacks share a large sheet, and have a small one each.
        let hexes = HexSection {
            spots: vec![[3, 5], [12, 25]],
            windows: vec![[[0, 0], [15, 31]], [[40, 0], [7, 15]]],
            narrow: vec![[[0, 0], [15, 31]], [[41, 2], [5, 9]]],
            apart: vec![[[1, 1], [5, 9]], [[10, 21], [5, 9]]],
            close: vec![[[2, 2], [3, 7]], [[11, 22], [3, 7]]],
            ..HexSection::default()
        };
        let map = MapSection {
            stacks: (0..2)
                .map(|space| super::super::MapStack {
                    space,
                    ..super::super::MapStack::default()
                })
                .collect(),
            ..MapSection::default()
        };
        let shown = |room: i64| sheets_in_letter(&map, &hexes, OVERVIEW_WEIGHS + room);
        assert_eq!(shown(100_000), hexes.windows);
        // Where one sheet alone has room it is that which shows both.
        assert_eq!(shown(20_000), hexes.windows[..1]);
        let far = HexSection {
            windows: vec![[[0, 0], [7, 15]], [[8, 17], [7, 15]], hexes.windows[1]],
            narrow: vec![[[0, 0], [7, 14]], [[8, 17], [7, 14]], hexes.narrow[1]],
            ..hexes.clone()
        };
        let shown = |room: i64| sheets_in_letter(&map, &far, OVERVIEW_WEIGHS + room);
        assert_eq!(shown(20_500), far.apart);
        assert_eq!(shown(15_000), [far.apart[0], far.close[1]]);
        assert_eq!(shown(10_200), far.close);
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
