//! How terrain, hexsides and stacks of a hex map look, in detail and from afar.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    super::{
        MapSection, MapStack,
        plate::{TILE, Tile, flag, units_as_one},
        svg::{INK, Style, Svg, colour, line_colour},
    },
    At, centre, corners, side,
};
use crate::{
    game::{Relief, hex::Stroke},
    mail::Screen,
};

/// Water, shallow water, roads.
pub(super) const WATER: &str = "#6d9fc4";
pub(super) const ROAD: &str = "#a8703c";

/// The fill of a counter that may have gone.
const THEN: &str = "#fffdf6";

/// The colour of a terrain.
pub(super) fn tint(relief: Relief) -> &'static str {
    match relief {
        Relief::Plain => "#f3ecd6",
        Relief::Wood => "#b5cb95",
        Relief::Wet => "#cfe0d6",
        Relief::Mountain => "#d8c299",
        Relief::Village => "#e6cfa6",
        Relief::City => "#d7ab78",
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

/// What stands on a hex of this terrain.
pub(super) fn ground(svg: &mut Svg, flat: bool, relief: Relief, at: At) {
    let [x, y] = centre(flat, at);
    match relief {
        Relief::Plain => {}
        Relief::Wood => {
            for [dx, dy] in [[-14, 8], [2, -8], [12, 12]] {
                let (x, y) = (x + dx, y + dy);
                svg.path(
                    &format!("M{x} {}l-8 14h16z", y - 8),
                    r##"fill="#6f9350" stroke="#4f7038" stroke-width="1""##,
                );
            }
        }
        Relief::Wet => {
            let rows = [[-18, -8], [-4, 4], [-16, 16]];
            let rows = rows.map(|[dx, dy]| format!("M{} {}h18", x + dx, y + dy));
            svg.path(
                &rows.concat(),
                r##"fill="none" stroke="#7fa9b8" stroke-width="2" stroke-dasharray="5 3""##,
            );
        }
        Relief::Mountain => svg.path(
            &format!("M{} {}l12 -20l12 20", x - 12, y + 10),
            r##"fill="none" stroke="#8a6d3b" stroke-width="2.5""##,
        ),
        Relief::Village => {
            for [dx, dy] in [[-14, -4], [2, 4], [6, -12]] {
                let paint = r##"fill="#9c4a32" stroke="#5c2a1c" stroke-width="1""##;
                svg.rect([x + dx, y + dy], [9, 8], 0, paint);
            }
        }
        Relief::City => {
            let paint = format!(r##"fill="#c98a5a" stroke="{INK}" stroke-width="3""##);
            svg.path(
                &format!("M{} {}l22 -12l22 12v24l-22 12l-22 -12z", x - 22, y - 12),
                &paint,
            );
        }
    }
}

/// The paint of a kind of hexside.
pub(super) fn pen(stroke: Stroke) -> Option<String> {
    let (colour, width, more) = match stroke {
        Stroke::River => (WATER, 11, ""),
        Stroke::Stream => (WATER, 5, ""),
        Stroke::Slope => ("#8a6d3b", 5, r#" stroke-dasharray="3 4""#),
        Stroke::Nothing | Stroke::Bridge | Stroke::Ford => return None,
    };
    let cap = if more.is_empty() { "round" } else { "butt" };
    Some(format!(
        r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="{cap}"{more}"#
    ))
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
    if stroke == Stroke::Ford {
        svg.path(
            &d,
            r##"fill="none" stroke="#ffffff" stroke-width="12" stroke-dasharray="4 3""##,
        );
    } else {
        planks(svg, &d, ROAD);
    }
}

/// A bridge that a piece is, in its side's colour.
pub(super) fn bridge(svg: &mut Svg, flat: bool, pair: [At; 2], colour: &str) {
    if let Some(d) = across(flat, pair) {
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

/// A stack in the middle of its hex: one tile for all units, a flag if somebody commands there.
pub(super) fn stack(svg: &mut Svg, map: &MapSection, stack: &MapStack, [x, y]: [i64; 2]) {
    let side = map
        .sides
        .get(stack.side)
        .map_or("", |side| colour(&side.colour));
    let edge = line_colour(side);
    // Below the number of the hex.
    let scale = match map.screen {
        Screen::Wide => "1.2",
        Screen::Phone => "1.38",
    };
    svg.open(&format!(
        r#"transform="translate({x} {}) scale({scale})""#,
        y + 6
    ));
    if let Some(tile) = tile(stack) {
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
        svg.text([26, -11], &format!("T{turn}"), style);
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

/// A name beside a hex.
pub(super) fn name_style(relief: Relief) -> Style<'static> {
    let town = relief == Relief::City;
    Style {
        size: if town { 24 } else { 18 },
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
    if let Some(pen) = stroke.and_then(pen) {
        return svg.path(&format!("M{} {y}h32", x - 16), &pen);
    }
    let line = format!("M{} {y}h32", x - 16);
    if let Some(relief) = Relief::ALL.iter().find(|relief| relief.name() == kind) {
        let paint = format!(
            r##"fill="{}" stroke="#b9a981" stroke-width="1""##,
            tint(*relief)
        );
        svg.rect([x - 16, y - 11], [32, 22], 0, &paint);
        svg.open(&format!(r#"transform="translate({x} {y}) scale(0.42)""#));
        let [cx, cy] = centre(false, [0, 0]);
        svg.open(&format!(r#"transform="translate({} {})""#, -cx, -cy));
        ground(svg, false, *relief, [0, 0]);
        svg.close();
        svg.close();
        return;
    }
    match kind.split_once(' ') {
        Some(("unit", "hidden")) => small(svg, [x, y], |svg| {
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
            "road" => svg.path(
                &line,
                &format!(r#"fill="none" stroke="{ROAD}" stroke-width="5""#),
            ),
            "bridge" => planks(svg, &line, ROAD),
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
