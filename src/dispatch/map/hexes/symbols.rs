//! How terrain, hexsides and stacks of a hex map look, in detail and from afar.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    super::{
        MapSection, MapStack,
        plate::{THEN, TILE, Tile, flag, units_as_one},
        svg::{INK, Style, Svg, colour, line_colour},
    },
    AROUND, At, centre, corners, side,
};
use crate::{
    game::{Relief, hex::Stroke},
    mail::Screen,
};

/// Roads from afar, and the edge and the middle of a road.
pub(super) const ROAD: &str = "#a8703c";
const ROAD_EDGE: &str = "#6b3d20";
const ROAD_CORE: &str = "#f7dfa5";
/// The edge and the middle of water.
pub(super) const WATER: &str = "#2f6d96";
const WATER_CORE: &str = "#a9d2e8";
/// Crests and slopes.
const SLOPE: &str = "#6b4a1e";
/// Trees, the edge of woods, houses.
const TREE: &str = "#6f9853";
const WOOD_EDGE: &str = "#4c7236";
const HOUSE: &str = "#9c3f2a";

/// The colour of a terrain.
pub(super) fn tint(relief: Relief) -> &'static str {
    match relief {
        Relief::Plain => "#f6f0dd",
        Relief::Wood => "#b3cd9c",
        Relief::Wet => "#cfe3d8",
        Relief::Mountain => "#dcc68d",
        Relief::Village => "#e9c39a",
        Relief::City => "#dfae78",
    }
}

/// The outline of a hex as a path.
pub(super) fn outline(flat: bool, at: At) -> String {
    let [first, rest @ ..] = corners(flat, at);
    let mut d = format!("M{} {}", first[0], first[1]);
    for [x, y] in rest {
        d.push_str(&format!("L{x} {y}"));
    }
    d.push('Z');
    d
}

/// The sides of hexes as a path, each side once.
pub(super) fn grid<'a>(flat: bool, all: impl Iterator<Item = &'a At>) -> String {
    let mut drawn = BTreeSet::new();
    let mut d = String::new();
    for at in all {
        let corners = corners(flat, *at);
        let mut pen = None;
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            if !drawn.insert([*from.min(to), *from.max(to)]) {
                continue;
            }
            if pen != Some(from) {
                d.push_str(&format!("M{} {}", from[0], from[1]));
            }
            d.push_str(&format!("L{} {}", to[0], to[1]));
            pen = Some(to);
        }
    }
    d
}

/// Hexes of a terrain that lie together, with the line round them.
pub(super) fn region(svg: &mut Svg, flat: bool, relief: Relief, all: &[At]) {
    let edge = match relief {
        Relief::Plain => return,
        Relief::Wood => (WOOD_EDGE, "1.4"),
        Relief::Wet => ("#86b3a6", "1.2"),
        Relief::Mountain => ("#a8895a", "1.2"),
        Relief::Village => (HOUSE, "1.6"),
        Relief::City => (INK, "2.6"),
    };
    let (colour, width) = edge;
    let d = if matches!(relief, Relief::Village | Relief::City) {
        all.iter().map(|at| outline(flat, *at)).collect()
    } else {
        round(flat, all)
    };
    let fill = tint(relief);
    svg.path(
        &d,
        &format!(
            r#"fill="{fill}" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round""#
        ),
    );
}

/// What stands on hexes of a terrain: most of it outside the middle, where a counter leaves it to
/// be seen, and none on the number. One path for all of them.
pub(super) fn ground(svg: &mut Svg, flat: bool, relief: Relief, all: &[At]) {
    let on_each = |draw: &dyn Fn([i64; 2]) -> String| -> String {
        all.iter().map(|at| draw(centre(flat, *at))).collect()
    };
    let at_spots = |spots: &[[i64; 2]], draw: &dyn Fn([i64; 2]) -> String| {
        on_each(&|[x, y]| {
            let spots = spots.iter().map(|[dx, dy]| draw([x + dx, y + dy]));
            spots.collect()
        })
    };
    match relief {
        Relief::Plain => {}
        Relief::Wood => {
            // Round caps make a crown of the shortest line.
            let spots = [[-23, -4], [23, -4], [-19, 15], [19, 15], [0, 25]];
            let trunks = at_spots(&spots, &|[x, y]| format!("M{x} {y}v9"));
            let crowns = at_spots(&spots, &|[x, y]| format!("M{x} {y}v1"));
            for (d, colour, width) in [(&trunks, ROAD_EDGE, 2), (&crowns, TREE, 11)] {
                let paint = format!(
                    r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round""#
                );
                svg.path(d, &paint);
            }
        }
        Relief::Wet => {
            let rows = [[-21, -6], [4, -6], [-16, 12], [0, 24]];
            svg.path(
                &at_spots(&rows, &|[x, y]| format!("M{x} {y}h16")),
                r##"fill="none" stroke="#4f8f86" stroke-width="1.5" stroke-dasharray="5 3""##,
            );
        }
        Relief::Mountain => svg.path(
            &on_each(&|[x, y]| format!("M{} {}l12 -20l12 20", x - 12, y + 10)),
            r##"fill="none" stroke="#8a6d3b" stroke-width="2.5""##,
        ),
        Relief::Village | Relief::City => {
            let ring = [
                [-25, -6],
                [25, -6],
                [-24, 10],
                [24, 10],
                [-12, 21],
                [12, 21],
                [0, 28],
            ];
            let middle = [[-6, -2], [7, 5]];
            let more = [[-13, -14], [13, -14], [-14, 4], [15, -3], [0, 13]];
            let more = if relief == Relief::City {
                &more[..]
            } else {
                &[]
            };
            let spots = [&ring[..], &middle, more].concat();
            let paint = format!(r#"fill="{HOUSE}""#);
            svg.path(
                &at_spots(&spots, &|[x, y]| format!("M{} {}h7v6h-7z", x - 3, y - 3)),
                &paint,
            );
        }
    }
}

/// The lines round hexes that lie together, closed, as a path: they pass the middles of the sides
/// and bend at the corners.
fn round(flat: bool, all: &[At]) -> String {
    let inside: BTreeSet<At> = all.iter().copied().collect();
    // From each corner of the rim to the next, with the hexes on the same hand.
    let mut next: BTreeMap<[i64; 2], [i64; 2]> = BTreeMap::new();
    for at in &inside {
        let around = AROUND.map(|[line, half]| [at[0] + line, at[1] + half]);
        for beside in around.into_iter().filter(|it| !inside.contains(it)) {
            let Some([a, b]) = side(flat, [*at, beside]) else {
                continue;
            };
            let [x, y] = centre(flat, *at);
            let turn = (a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x);
            let [from, to] = if turn > 0 { [a, b] } else { [b, a] };
            next.insert(from, to);
        }
    }
    let mut d = String::new();
    while let Some((from, mut here)) = next.pop_first() {
        let start = middle(from, here);
        d.push_str(&format!("M{} {}", start[0], start[1]));
        while let Some(to) = next.remove(&here) {
            let [x, y] = middle(here, to);
            d.push_str(&format!("Q{} {} {x} {y}", here[0], here[1]));
            here = to;
        }
        let [x, y] = start;
        d.push_str(&format!("Q{} {} {x} {y}Z", from[0], from[1]));
    }
    d
}

/// The paints of a kind of hexside, one above the other.
pub(super) fn pens(stroke: Stroke) -> Vec<String> {
    let line = |colour: &str, width: &str| {
        format!(r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round""#)
    };
    match stroke {
        Stroke::River => vec![line(WATER, "10"), line(WATER_CORE, "7")],
        Stroke::Stream => vec![line(WATER, "4.6"), line(WATER_CORE, "2.2")],
        Stroke::Slope => vec![
            line(SLOPE, "1.6"),
            format!(r#"fill="none" stroke="{SLOPE}" stroke-width="9" stroke-dasharray="1.6 6""#),
        ],
        Stroke::Nothing | Stroke::Bridge | Stroke::Ford => Vec::new(),
    }
}

/// The paint of a kind of hexside from afar.
pub(super) fn far_pen(stroke: Stroke) -> Option<String> {
    let (colour, width, more) = match stroke {
        Stroke::River => ("#5d97bf", 11, ""),
        Stroke::Stream => ("#5d97bf", 5, ""),
        Stroke::Slope => (SLOPE, 6, r#" stroke-dasharray="4 6""#),
        Stroke::Nothing | Stroke::Bridge | Stroke::Ford => return None,
    };
    Some(format!(
        r#"fill="none" stroke="{colour}" stroke-width="{width}"{more}"#
    ))
}

/// What a legend knows a kind of hexside by.
pub(super) fn stroke_name(stroke: Stroke) -> &'static str {
    match stroke {
        Stroke::Nothing => "",
        Stroke::River => "river",
        Stroke::Stream => "stream",
        Stroke::Slope => "slope",
        Stroke::Bridge => "bridge",
        Stroke::Ford => "ford",
    }
}

/// A road along a path, edge and middle.
pub(super) fn way(svg: &mut Svg, d: &str) {
    for (colour, width) in [(ROAD_EDGE, "6"), (ROAD_CORE, "3.4")] {
        let paint = format!(
            r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round""#
        );
        svg.path(d, &paint);
    }
}

/// The hexsides of a line as a path. It passes the middles of the sides and bends at their corners:
/// a river, no battlement.
pub(super) fn sides<'a>(flat: bool, all: impl Iterator<Item = &'a [At; 2]>) -> String {
    let mut corners: BTreeMap<[i64; 2], BTreeSet<[i64; 2]>> = BTreeMap::new();
    for [a, b] in all.filter_map(|pair| side(flat, *pair)) {
        for corner in [a, b] {
            corners.entry(corner).or_default().insert(middle(a, b));
        }
    }
    let bends = corners.into_iter().map(|(corner, middles)| {
        let middles: Vec<_> = middles.into_iter().collect();
        bend(corner, &middles)
    });
    bends.collect()
}

/// A road through hexes as a path, as far as `inside` has it: it passes the middles of the sides
/// and bends in the hexes.
pub(super) fn road(flat: bool, hexes: &[At], inside: &impl Fn(&At) -> bool) -> String {
    let points: Vec<_> = hexes.iter().map(|at| centre(flat, *at)).collect();
    let mut d = String::new();
    for (number, at) in hexes.iter().enumerate() {
        let before = number.checked_sub(1);
        let beside = [before, Some(number + 1)];
        let near = |beside: &Option<usize>| beside.and_then(|it| hexes.get(it)).is_some_and(inside);
        let Some(here) = points.get(number) else {
            continue;
        };
        if inside(at) || beside.iter().any(near) {
            let others = beside.iter().filter_map(|it| points.get((*it)?));
            let middles: Vec<_> = others.map(|other| middle(*here, *other)).collect();
            d.push_str(&bend(*here, &middles));
        }
    }
    d
}

fn middle(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [0, 1].map(|axis: usize| (a[axis] + b[axis]) / 2)
}

/// From one point to the other, drawn towards a third; of one or of many points, straight lines
/// that meet there.
fn bend([x, y]: [i64; 2], ends: &[[i64; 2]]) -> String {
    if let [from, to] = ends {
        return format!("M{} {}Q{x} {y} {} {}", from[0], from[1], to[0], to[1]);
    }
    ends.iter()
        .map(|end| format!("M{} {}L{x} {y}", end[0], end[1]))
        .collect()
}

/// A bridge or a ford across a side.
pub(super) fn crossing(svg: &mut Svg, flat: bool, stroke: Stroke, pair: [At; 2]) {
    let Some(d) = across(flat, pair) else {
        return;
    };
    svg.note(stroke_name(stroke));
    if stroke == Stroke::Ford {
        svg.path(
            &d,
            r##"fill="none" stroke="#ffffff" stroke-width="12" stroke-dasharray="4 3""##,
        );
    } else {
        planks(svg, &d, ROAD_CORE);
    }
}

/// A bridge that a piece is, in its side's colour.
pub(super) fn bridge(svg: &mut Svg, flat: bool, pair: [At; 2], colour: &str) {
    if let Some(d) = across(flat, pair) {
        svg.note("bridge");
        planks(svg, &d, colour);
    }
}

/// A roadway between two rails along a path.
fn planks(svg: &mut Svg, d: &str, roadway: &str) {
    svg.path(
        d,
        &format!(r#"fill="none" stroke="{INK}" stroke-width="16""#),
    );
    svg.path(d, r##"fill="none" stroke="#ffffff" stroke-width="11""##);
    svg.path(
        d,
        &format!(r#"fill="none" stroke="{roadway}" stroke-width="5""#),
    );
}

/// A short way across the side of two hexes.
fn across(flat: bool, pair: [At; 2]) -> Option<String> {
    let [a, b] = side(flat, pair)?;
    let [from, to] = pair.map(|at| centre(flat, at));
    let middle = [0, 1].map(|axis: usize| (a[axis] + b[axis]) / 2);
    let part = [0, 1].map(|axis: usize| (to[axis] - from[axis]) / 4);
    Some(format!(
        "M{} {}L{} {}",
        middle[0] - part[0],
        middle[1] - part[1],
        middle[0] + part[0],
        middle[1] + part[1]
    ))
}

/// A stack in the middle of its hex: one tile for all units, a flag if somebody commands there. On
/// a sheet of large numbers it stands between those of two rows.
pub(super) fn stack(
    svg: &mut Svg,
    map: &MapSection,
    stack: &MapStack,
    ([x, y], large): ([i64; 2], bool),
) {
    svg.note_side(stack.side);
    if stack.turn.is_some() {
        svg.note("ghost");
    }
    if !stack.leaders.is_empty() {
        svg.note("leader");
    }
    let side = map
        .sides
        .get(stack.side)
        .map_or("", |side| colour(&side.colour));
    let edge = line_colour(side);
    // Below the number of the hex.
    let (scale, down) = match map.screen {
        _ if large => ("0.97", 5),
        Screen::Wide => ("1.2", 6),
        Screen::Phone => ("1.38", 6),
    };
    svg.open(&format!(
        r#"transform="translate({x} {}) scale({scale})""#,
        y + down
    ));
    if let Some(mut tile) = tile(stack) {
        tile.low = large || !map.screen.is_wide();
        tile.beside = large;
        let corner = [-tile.width() / 2, -TILE[1] / 2];
        if stack.more || tile.count > 1 {
            let paint = format!(r##"fill="#e6dcc4" stroke="{edge}" stroke-width="1.5""##);
            svg.rect(
                [corner[0] + 3, corner[1] + 3],
                [tile.width(), TILE[1]],
                3,
                &paint,
            );
        }
        // What is told as last seen is white, in a dashed line.
        let seen_now = stack.turn.is_none();
        tile.draw(svg, corner, if seen_now { side } else { THEN });
        if !seen_now {
            let paint = r##"fill="none" stroke="#ffffff" stroke-width="3""##;
            svg.rect(corner, [tile.width(), TILE[1]], 3, paint);
            let paint =
                format!(r#"fill="none" stroke="{edge}" stroke-width="2.5" stroke-dasharray="5 3""#);
            svg.rect(corner, [tile.width(), TILE[1]], 3, &paint);
        }
    }
    if !stack.leaders.is_empty() {
        svg.open(if stack.units.is_empty() && stack.hidden == 0 {
            r#"transform="translate(-14 -14) scale(0.8)""#
        } else if large {
            r#"transform="translate(-35 -20) scale(0.6)""#
        } else {
            r#"transform="translate(-30 -2) scale(0.6)""#
        });
        flag(svg, [0, 0], side);
        svg.close();
    }
    if let Some(turn) = stack.turn {
        let style = Style {
            size: 11,
            bold: true,
            halo: true,
            anchor: "end",
            ..Style::default()
        };
        let line = if large { -7 } else { -11 };
        svg.text([26, line], &format!("T{turn}"), style);
    }
    svg.close();
}

/// The tile that stands for the units of a stack, or for counters of which only the number is
/// known.
fn tile(stack: &MapStack) -> Option<Tile> {
    if stack.hidden > 0 && stack.units.is_empty() {
        return Some(Tile {
            symbol: "hidden".to_owned(),
            count: stack.hidden,
            narrow: true,
            ..Tile::default()
        });
    }
    let units = units_as_one(&stack.units)?;
    Some(Tile {
        strength: units.strength.filter(|_| stack.hidden == 0),
        count: units.count + stack.hidden,
        narrow: true,
        ..units
    })
}

/// A name beside a hex: larger than the numbers of hexes, where they are large too.
pub(super) fn name_style(relief: Relief, number: i64) -> Style<'static> {
    let town = relief == Relief::City;
    Style {
        size: if town {
            (number + 8).max(24)
        } else {
            (number + 2).max(18)
        },
        bold: town,
        italic: false,
        anchor: "middle",
        halo: true,
        ..Style::default()
    }
}

/// A sample of the legend round a point.
pub(super) fn sample(svg: &mut Svg, [x, y]: [i64; 2], kind: &str) {
    let stroke = match kind {
        "river" => Some(Stroke::River),
        "stream" => Some(Stroke::Stream),
        "slope" => Some(Stroke::Slope),
        _ => None,
    };
    let line = format!("M{} {y}h32", x - 16);
    if let Some(stroke) = stroke {
        pens(stroke).iter().for_each(|pen| svg.path(&line, pen));
        return;
    }
    if let Some(relief) = Relief::ALL.iter().find(|relief| relief.name() == kind) {
        let paint = format!(
            r##"fill="{}" stroke="#b9a981" stroke-width="1""##,
            tint(*relief)
        );
        svg.rect([x - 16, y - 11], [32, 22], 0, &paint);
        svg.open(&format!(
            r#"transform="translate({x} {}) scale(0.36)""#,
            y - 3
        ));
        let [cx, cy] = centre(false, [0, 0]);
        svg.open(&format!(r#"transform="translate({} {})""#, -cx, -cy));
        ground(svg, false, *relief, &[[0, 0]]);
        svg.close();
        svg.close();
        return;
    }
    match kind.split_once(' ') {
        None if kind == "hidden" => small(svg, [x, y], |svg| {
            let tile = Tile {
                symbol: "hidden".to_owned(),
                count: 1,
                ..Tile::default()
            };
            tile.draw(svg, [-18, -19], "#777777");
        }),
        Some(("unit", symbol)) => super::super::plate::symbol(svg, [x - 12, y - 8], symbol),
        Some(("sign", sign)) => super::super::plate::sign_box(svg, [x - 6, y - 7], sign),
        _ => match kind {
            "road" => way(svg, &line),
            "bridge" => planks(svg, &line, ROAD_CORE),
            "ford" => {
                svg.path(
                    &line,
                    &format!(r#"fill="none" stroke="{WATER}" stroke-width="16""#),
                );
                svg.path(
                    &line,
                    r##"fill="none" stroke="#ffffff" stroke-width="12" stroke-dasharray="4 3""##,
                );
            }
            "radius" => svg.path(
                &format!("M{} {y}l6 -10h14l6 10l-6 10h-14z", x - 13),
                &format!(r#"fill="none" stroke="{INK}" stroke-width="3" stroke-dasharray="6 3""#),
            ),
            "group" | "unknown" | "star" => {
                let paint = format!(r##"fill="#777777" stroke="{INK}" stroke-width="2""##);
                svg.rect([x - 15, y - 10], [30, 20], 3, &paint);
                let style = Style {
                    size: 15,
                    bold: true,
                    fill: "#ffffff",
                    anchor: "middle",
                    ..Style::default()
                };
                match kind {
                    "group" => svg.text([x, y + 6], "9", style),
                    "unknown" => svg.text([x, y + 6], "?", style),
                    _ => super::super::groups::star(svg, [x, y], 14, "#ffffff"),
                }
            }
            "supply" => super::super::frame::star_in(svg, [x, y], "#777777"),
            "leader" => small(svg, [x, y], |svg| flag(svg, [-18, -19], "#777777")),
            _ => small(svg, [x, y], |svg| {
                let paint = format!(
                    r#"fill="{THEN}" stroke="{INK}" stroke-width="2.5" stroke-dasharray="5 3""#
                );
                svg.rect([-18, -19], TILE, 3, &paint);
            }),
        },
    }
}

/// Draws round a point at the size of a sample.
fn small(svg: &mut Svg, [x, y]: [i64; 2], draw: impl FnOnce(&mut Svg)) {
    svg.open(&format!(r#"transform="translate({x} {y}) scale(0.65)""#));
    draw(svg);
    svg.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexes_that_lie_together_have_one_line_round_them() {
        for flat in [false, true] {
            let bends = |all: &[At]| {
                let d = round(flat, all);
                [d.matches('Q').count(), d.matches('Z').count()]
            };
            assert_eq!(bends(&[[4, 4]]), [6, 1]);
            assert_eq!(bends(&[[4, 4], [4, 6]]), [10, 1]);
            assert_eq!(bends(&[[4, 4], [8, 8]]), [12, 2]);
            // A clearing has a line of its own.
            let ring: Vec<At> = AROUND.iter().map(|[a, b]| [4 + a, 8 + b]).collect();
            assert_eq!(bends(&ring), [18 + 6, 2]);
            assert_eq!(bends(&[]), [0, 0]);
        }
    }

    #[test]
    fn each_side_is_drawn_once() {
        assert_eq!(grid(false, [[4, 4]].iter()).matches('L').count(), 6);
        assert_eq!(
            grid(false, [[4, 4], [4, 6], [5, 5]].iter())
                .matches('L')
                .count(),
            15
        );
    }

    #[test]
    fn what_matters_more_is_drawn_heavier() {
        let mut svg = Svg::default();
        way(&mut svg, "M0 0h9");
        region(&mut svg, false, Relief::Wood, &[[2, 2]]);
        let svg = svg.finish();
        // A road is light between dark edges, and no wood or slope is of its colours.
        assert!(svg.contains(ROAD_EDGE) && svg.contains(ROAD_CORE));
        let others = pens(Stroke::Slope).concat() + tint(Relief::Wood) + tint(Relief::Village);
        assert!(!others.contains(ROAD_EDGE) && !others.contains(ROAD_CORE));
        for stroke in [Stroke::River, Stroke::Stream] {
            assert_eq!(pens(stroke).len(), 2, "a bank and the water");
        }
    }
}
