//! Attempts drawn as arrows and rings. Their points are those of a picture, so any map can use
//! them.

use crate::dispatch::map::{
    geometry,
    svg::{INK, Svg},
};
use crate::game::TriedStroke;

const CASING: &str = "#fffdf6";
const BURST: &str = "#ffd84d";
const RED: &str = "#b4231a";
/// Distance from the middle of a piece at which an arrow begins and ends.
const GAP: i64 = 25;
/// Length of an arrow's head, and its width to each side.
const HEAD: [i64; 2] = [20, 11];

/// The point so far from one on the way to another.
pub(super) fn towards(from: [i64; 2], to: [i64; 2], far: i64) -> [i64; 2] {
    let long = geometry::root(geometry::square(from, to)).max(1);
    [0, 1].map(|axis: usize| from[axis] + (to[axis] - from[axis]) * far / long)
}

/// The middle between two points.
pub(super) fn middle(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}

/// An arrow from one place to another, bent where it is carried `over` something.
pub(super) fn arrow(
    svg: &mut Svg,
    (stroke, colour): (TriedStroke, &str),
    [from, to]: [[i64; 2]; 2],
    over: Option<[i64; 2]>,
) {
    let bend = over.unwrap_or_else(|| middle(from, to));
    let start = towards(from, bend, GAP.min(length(from, to) / 4));
    let failed = stroke == TriedStroke::Failed;
    // A move that failed ends before the place that it did not reach.
    let tip = if failed {
        towards(to, bend, (length(from, to) / 3).max(GAP + 8))
    } else {
        towards(to, bend, GAP)
    };
    let neck = towards(tip, bend, HEAD[0] - 3);
    let d = match over {
        Some([x, y]) => format!("M{} {}Q{x} {y} {} {}", start[0], start[1], neck[0], neck[1]),
        None => format!("M{} {}L{} {}", start[0], start[1], neck[0], neck[1]),
    };
    let dashes = match (failed, over.is_some()) {
        (true, _) => r#" stroke-dasharray="9 5""#,
        (false, true) => r#" stroke-dasharray="4 5""#,
        (false, false) => "",
    };
    let hollow = stroke == TriedStroke::Retreat;
    let core = if hollow { CASING } else { colour };
    let pens = [
        (CASING, "13", ""),
        (if hollow { colour } else { INK }, "9", ""),
        (if dashes.is_empty() { core } else { CASING }, "6.5", ""),
        (core, "6.5", dashes),
    ];
    for (pen, width, dashes) in pens {
        let paint = format!(r#"fill="none" stroke="{pen}" stroke-width="{width}"{dashes}"#);
        svg.path(&d, &paint);
    }
    let back = towards(tip, bend, HEAD[0]);
    let way = [back[0] - tip[0], back[1] - tip[1]];
    let aside = [-way[1] * HEAD[1] / HEAD[0], way[0] * HEAD[1] / HEAD[0]];
    let head = format!(
        "M{} {}L{} {}L{} {}Z",
        tip[0],
        tip[1],
        back[0] + aside[0],
        back[1] + aside[1],
        back[0] - aside[0],
        back[1] - aside[1]
    );
    let edge = if hollow { colour } else { INK };
    svg.path(
        &head,
        &format!(r#"fill="{core}" stroke="{edge}" stroke-width="1.5" stroke-linejoin="round""#),
    );
    if failed {
        burst(svg, towards(tip, to, 6));
    }
}

/// Dots from a supporter to what it supports, and a disc there.
pub(super) fn support(
    svg: &mut Svg,
    (stroke, colour): (TriedStroke, &str),
    from: [i64; 2],
    [helped, aim]: [[i64; 2]; 2],
) {
    let end = if helped == aim {
        towards(helped, from, GAP)
    } else {
        middle(helped, aim)
    };
    let start = towards(from, end, GAP);
    let d = format!("M{} {}L{} {}", start[0], start[1], end[0], end[1]);
    for (pen, width, dashes) in [
        (CASING, "7", ""),
        (INK, "4.6", r#" stroke-dasharray="2 6""#),
    ] {
        let paint = format!(r#"fill="none" stroke="{pen}" stroke-width="{width}"{dashes}"#);
        svg.path(&d, &paint);
    }
    let paint = format!(r#"fill="{colour}" stroke="{INK}" stroke-width="1.5""#);
    svg.circle(end, 8, &paint);
    if stroke == TriedStroke::Cut {
        cross(svg, end, 11);
    }
}

/// A ring round a piece that carries another.
pub(super) fn ring(svg: &mut Svg, stroke: TriedStroke, at: [i64; 2]) {
    let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="2.5" stroke-dasharray="5 4""#);
    svg.circle(at, 30, &paint);
    if stroke == TriedStroke::Broken {
        burst(svg, [at[0] + 21, at[1] - 21]);
    }
}

/// A bar below a piece that stays.
pub(super) fn bar(svg: &mut Svg, [x, y]: [i64; 2]) {
    svg.rect([x - 18, y + 22], [36, 5], 1, &format!(r#"fill="{INK}""#));
}

/// A cross, for what is gone or does not count.
pub(super) fn cross(svg: &mut Svg, [x, y]: [i64; 2], arm: i64) {
    let d = format!(
        "M{} {}l{} {}M{} {}l{} -{}",
        x - arm,
        y - arm,
        2 * arm,
        2 * arm,
        x - arm,
        y + arm,
        2 * arm,
        2 * arm
    );
    for (pen, width) in [(CASING, 6), (RED, 3)] {
        svg.path(
            &d,
            &format!(r#"fill="none" stroke="{pen}" stroke-width="{width}""#),
        );
    }
}

/// A burst of eight points.
pub(super) fn burst(svg: &mut Svg, [x, y]: [i64; 2]) {
    let d = format!(
        "M{x} {}l4 7l7 -3l-3 7l7 4l-7 4l3 7l-7 -3l-4 7l-4 -7l-7 3l3 -7l-7 -4l7 -4l-3 -7l7 3z",
        y - 15
    );
    svg.path(
        &d,
        &format!(r#"fill="{BURST}" stroke="{RED}" stroke-width="2" stroke-linejoin="round""#),
    );
}

fn length(a: [i64; 2], b: [i64; 2]) -> i64 {
    geometry::root(geometry::square(a, b))
}
