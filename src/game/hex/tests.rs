//! The geometry against an independent library and against the neighbour tables of maps; a small
//! map from file to look-ups.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeSet;

use hexx::{Hex, HexLayout, HexOrientation, OffsetHexMode};
use proptest::prelude::*;

use super::*;
use crate::game::{Area, MapIndex};

mod sight;

fn grid(offset: Offset, columns: usize, rows: usize, labels: &str) -> Grid {
    Grid::new(Shape {
        offset,
        columns,
        rows,
        labels: labels.to_owned().try_into().unwrap(),
        prefix: String::new(),
        north: 0,
        metres: None,
    })
}

const OFFSETS: [Offset; 8] = [
    Offset::EvenRowsRight,
    Offset::EvenRowsLeft,
    Offset::OddRowsRight,
    Offset::OddRowsLeft,
    Offset::EvenColumnsDown,
    Offset::EvenColumnsUp,
    Offset::OddColumnsDown,
    Offset::OddColumnsUp,
];

/// The other library's name for an offset. It counts lines from 0, and knows shifts to the right
/// and down only.
fn named(offset: Offset) -> (OffsetHexMode, HexOrientation) {
    use Offset::*;
    let mode = match offset {
        EvenRowsRight | OddRowsLeft | EvenColumnsDown | OddColumnsUp => OffsetHexMode::Odd,
        _ => OffsetHexMode::Even,
    };
    let orientation = match offset {
        EvenRowsRight | EvenRowsLeft | OddRowsRight | OddRowsLeft => HexOrientation::Pointy,
        _ => HexOrientation::Flat,
    };
    (mode, orientation)
}

fn hex(grid: &Grid, number: usize) -> Hex {
    let (mode, orientation) = named(grid.shape().offset);
    let (column, row) = grid.column_and_row(number);
    let at = [column, row].map(|it| i32::try_from(it).unwrap());
    Hex::from_offset_coordinates(at, mode, orientation)
}

fn grids() -> impl Strategy<Value = Grid> {
    let labels = prop_oneof![Just("CCRR"), Just("RRCC"), Just("RR.CC")];
    (0_usize..8, 1_usize..20, 1_usize..20, labels)
        .prop_map(|(offset, columns, rows, labels)| grid(OFFSETS[offset], columns, rows, labels))
}

fn grid_and_two() -> impl Strategy<Value = (Grid, usize, usize)> {
    grids().prop_flat_map(|grid| {
        let all = 0..grid.len();
        (Just(grid), all.clone(), all)
    })
}

proptest! {
    #[test]
    fn labels_number_hexes_in_ascending_order((grid, a, b) in grid_and_two()) {
        let (first, second) = (grid.label(a), grid.label(b));
        prop_assert_eq!(grid.number(&first), Some(a));
        prop_assert_eq!(a.cmp(&b), first.cmp(&second));
    }

    #[test]
    fn distance_is_that_of_the_other_library((grid, a, b) in grid_and_two()) {
        let theirs = hex(&grid, a).distance_to(hex(&grid, b));
        prop_assert_eq!(grid.distance(a, b), i64::from(theirs));
    }

    #[test]
    fn neighbours_are_those_of_the_other_library((grid, a, _) in grid_and_two()) {
        let ours: BTreeSet<_> = (0..6).filter_map(|direction| grid.neighbour(a, direction)).collect();
        let near: Vec<Hex> = hex(&grid, a).all_neighbors().to_vec();
        let theirs: BTreeSet<_> = (0..grid.len()).filter(|it| near.contains(&hex(&grid, *it))).collect();
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn what_is_within_is_the_range_of_the_other_library((grid, a, _) in grid_and_two(), steps in 0_u32..6) {
        let range: Vec<Hex> = hex(&grid, a).range(steps).collect();
        let theirs: Vec<_> = (0..grid.len()).filter(|it| range.contains(&hex(&grid, *it))).collect();
        prop_assert_eq!(grid.within(a, i64::from(steps)), theirs);
    }

    #[test]
    fn what_is_within_is_what_is_near_enough((grid, a, _) in grid_and_two(), steps in -2_i64..60) {
        let near: Vec<_> = (0..grid.len()).filter(|it| grid.distance(a, *it) <= steps).collect();
        prop_assert_eq!(grid.within(a, steps), near);
    }

    #[test]
    fn directions_lead_there_and_back((grid, a, b) in grid_and_two()) {
        let there = grid.direction(a, b);
        prop_assert_eq!(there.is_some(), grid.distance(a, b) == 1);
        if let Some(there) = there {
            prop_assert_eq!(grid.neighbour(a, there), Some(b));
            prop_assert_eq!(grid.direction(b, a), Some((there + 3) % 6));
        }
    }

    #[test]
    fn directions_agree_with_the_other_library((grid, a, _) in grid_and_two(), direction in 0_usize..6) {
        let Some(next) = grid.neighbour(a, direction) else { return Ok(()) };
        let layout = HexLayout::new(named(grid.shape().offset).1);
        let [from, to] = [a, next].map(|it| layout.hex_to_world_pos(hex(&grid, it)));
        // Rows are counted downwards, whichever way the other library points its axis.
        let down = layout.hex_to_world_pos(Hex::Y).y.signum();
        let from_top = (to.x - from.x).atan2((from.y - to.y) * down).to_degrees().rem_euclid(360.0);
        let first = if named(grid.shape().offset).1 == HexOrientation::Pointy { 30.0 } else { 0.0 };
        let turns = ((from_top - first) / 60.0).round().rem_euclid(6.0);
        prop_assert!((turns - f32::from(u8::try_from(direction).unwrap())).abs() < 0.5, "{direction}: {from_top}");
    }

    #[test]
    fn directions_go_round((grid, a, _) in grid_and_two()) {
        for direction in 0..6 {
            let pair = (grid.neighbour(a, direction), grid.neighbour(a, (direction + 1) % 6));
            if let (Some(one), Some(next)) = pair {
                prop_assert_eq!(grid.distance(one, next), 1);
            }
        }
    }
}

/// On a map of one long row there are few hexes within any number of steps, however many rows the
/// steps could cross.
#[test]
fn steps_without_end_are_no_more_work_than_the_map_has_hexes() {
    for offset in OFFSETS {
        for (columns, rows) in [(40_000, 1), (1, 40_000)] {
            let grid = grid(offset, columns, rows, "CCCCCRRRRR");
            for steps in [100_000, i64::MAX] {
                assert_eq!(grid.within(7, steps).len(), 40_000);
            }
            assert_eq!(grid.within(7, i64::MIN), [0_usize; 0]);
        }
    }
}

/// Neighbours of a hex clockwise from the top, as labels; `-` beyond the edge.
fn round(grid: &Grid, label: &str) -> Vec<String> {
    let here = grid.number(label).unwrap();
    let near = (0..6).map(|direction| grid.neighbour(here, direction));
    near.map(|hex| hex.map_or_else(|| "-".to_owned(), |hex| grid.label(hex)))
        .collect()
}

#[test]
fn pointy_topped_hexes_have_their_neighbours() {
    let rows = grid(Offset::EvenRowsRight, 63, 55, "CCRR");
    assert_eq!(
        round(&rows, "1003"),
        ["1002", "1103", "1004", "0904", "0903", "0902"]
    );
    assert_eq!(
        round(&rows, "1004"),
        ["1103", "1104", "1105", "1005", "0904", "1003"]
    );
    assert_eq!(round(&rows, "0101"), ["-", "0201", "0102", "-", "-", "-"]);
    assert_eq!(
        round(&rows, "6355"),
        ["6354", "-", "-", "-", "6255", "6254"]
    );
}

#[test]
fn flat_topped_hexes_have_their_neighbours() {
    let mut columns = grid(Offset::EvenColumnsUp, 57, 42, "CCRR");
    assert_eq!(
        round(&columns, "2403"),
        ["2402", "2502", "2503", "2404", "2303", "2302"]
    );
    assert_eq!(
        round(&columns, "2503"),
        ["2502", "2603", "2604", "2504", "2404", "2403"]
    );
    let shape = Shape {
        prefix: "M".to_owned(),
        ..columns.shape().clone()
    };
    columns = Grid::new(shape);
    assert_eq!(columns.label(columns.number("m2403").unwrap()), "M2403");
    assert_eq!(columns.number("2403"), None);
    assert_eq!(columns.number("M5843"), None);
}

/// Four columns, three rows, even rows right:
/// a river between the second and the third column, a bridge in the first row, a crest elsewhere.
pub(crate) const SMALL: &str = r#"
grid: {offset: even-rows-right, columns: 4, rows: 3, labels: CCRR}
terrains: {c: clear, w: wood}
source: reconstructed
rows: ["ccwc", "cccc", "wccc"]
levels: ["1230", "0000", "0001"]
features:
  - {id: river}
  - {id: crest}
  - {id: bridge, over: river}
lines:
  - {id: flow, name: The Flow, kind: river, sides: [0201-0301, 0202-0301, 0202-0302, 0202-0303, 0203-0303], source: stated}
  - {id: ridge, name: The Ridge, kind: crest, level: 4, sides: [0101-0201, 0202-0302], source: reconstructed}
crossings:
  - {name: Old Bridge, side: 0301-0201, kind: bridge, line: flow, source: stated}
road_classes: [{id: high}, {id: track}]
roads:
  - {name: High Road, class: high, hexes: [0101, 0201, 0301, 0302], source: stated}
  - {name: Branch, class: track, hexes: [0301, 0201, 0202], source: deduced}
places:
  - {id: ford_end, name: Ford End, aliases: [Gué], hex: 0301, data: {points: 3}, source: stated}
data:
  "0403": {edge: true}
regions:
  all: {source: stated}
  west: {from: 0101, without_crossing: [flow], source: stated}
  near: {within: 1, of: [ford_end, 0103], source: stated}
  near_west: {within: 1, of: [ford_end], in: west, source: stated}
  frame: {columns: [2, 3], rows: [1, 2], source: stated}
  two: {spaces: [0403, ford_end], source: stated}
"#;

fn small() -> MapIndex {
    MapIndex::of_hexes(serde_yaml::from_str(SMALL).unwrap())
}

fn labels(map: &MapIndex, area: &Area) -> Vec<String> {
    area.iter()
        .map(|hex| map.space_at(hex).unwrap().id.to_string())
        .collect()
}

#[test]
fn hexes_become_spaces_in_the_order_of_their_labels() {
    let map = small();
    let ids: Vec<_> = map.map().spaces.iter().map(|it| it.id.as_str()).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    assert_eq!((ids.len(), &ids), (12, &sorted));
    let place = map.space("0301").unwrap();
    assert_eq!(
        (place.name.as_str(), place.terrain.as_str()),
        ("Ford End", "wood")
    );
    assert_eq!(place.data.get("points"), Some(&3.into()));
    assert_eq!(map.space("0103").unwrap().terrain, "wood");
    assert_eq!(
        map.space("0403").unwrap().data.get("edge"),
        Some(&true.into())
    );
    assert_eq!(map.number("0501"), None);
    assert_eq!(map.hexes().unwrap().number("ford_end"), map.number("0301"));
    assert!(map.adjoin(map.number("0202").unwrap(), map.number("0303").unwrap()));
}

#[test]
fn a_bridge_hides_its_river_on_both_faces() {
    let map = small();
    let hexes = map.hexes().unwrap();
    let kinds = |a: &str, b: &str| -> Vec<String> {
        let side = hexes.side_between(map.number(a).unwrap(), map.number(b).unwrap());
        let kinds = hexes.kinds(side.unwrap());
        kinds.map(str::to_owned).collect()
    };
    assert_eq!(kinds("0202", "0302"), ["river", "crest"]);
    assert_eq!(kinds("0302", "0202"), ["river", "crest"]);
    assert_eq!(kinds("0201", "0301"), ["bridge"]);
    assert_eq!(kinds("0301", "0201"), ["bridge"]);
    assert_eq!(kinds("0101", "0102"), [""; 0]);
}

#[test]
fn routes_that_share_a_step_make_one_road() {
    let map = small();
    let roads: Vec<_> = map.map().roads.iter().collect();
    let ends: Vec<_> = roads
        .iter()
        .map(|road| format!("{}-{}", road.a, road.b))
        .collect();
    assert_eq!(ends, ["0101-0201", "0201-0301", "0301-0302", "0201-0202"]);
    assert!(map.road("0301", "0201").is_some() && map.road("0101", "0102").is_none());
}

#[test]
fn regions_are_found_from_what_they_say() {
    let map = small();
    let region = |name: &str| labels(&map, map.region(name).unwrap());
    assert_eq!(region("all").len(), 12);
    assert_eq!(
        region("west"),
        ["0101", "0102", "0103", "0201", "0202", "0203"]
    );
    assert_eq!(
        region("near"),
        [
            "0102", "0103", "0201", "0202", "0203", "0301", "0302", "0401"
        ]
    );
    assert_eq!(region("near_west"), ["0201", "0202"]);
    assert_eq!(region("frame"), ["0201", "0202", "0301", "0302"]);
    assert_eq!(region("two"), ["0301", "0403"]);
}
