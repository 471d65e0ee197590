//! Spaces with their symbols, title, edges.

use super::{
    MapSection, MapSpace, metrics,
    place::Rect,
    svg::{INK, PAPER, Style, Svg, colour},
};
use crate::{dispatch::Relief, game::BorderKind};

/// The fill of what no side holds: no side is of this colour.
pub(super) const NOBODYS: &str = "#cfc6b0";

/// Half the size of a space's symbol.
pub(super) fn radius(space: &MapSpace) -> i64 {
    match space.relief {
        Relief::City => 14,
        _ => 10,
    }
}

/// Draws a space.
pub(super) fn space(svg: &mut Svg, map: &MapSection, space: &MapSpace) {
    let at = [space.x, space.y];
    svg.note(&format!("space {}", space.relief.name()));
    if let Some(side) = space.control {
        svg.note_side(side);
    }
    if space.siege {
        svg.note("siege");
        siege(svg, at);
    }
    let side = |number: Option<usize>| number.and_then(|number| map.sides.get(number));
    let fill = side(space.control).map_or(NOBODYS, |side| colour(&side.colour));
    match space.relief {
        Relief::City => town(svg, at, fill),
        relief => disc(
            svg,
            at,
            if relief == Relief::Mountain && space.control.is_none() {
                "#c9ac74"
            } else {
                fill
            },
        ),
    }
    if space.supply.is_some() {
        svg.note("supply");
        star(svg, at);
    }
}

fn disc(svg: &mut Svg, at: [i64; 2], fill: &str) {
    svg.circle(
        at,
        10,
        &format!(r#"fill="{fill}" stroke="{INK}" stroke-width="2""#),
    );
}

/// A town: walls with four bastions.
fn town(svg: &mut Svg, [x, y]: [i64; 2], fill: &str) {
    svg.path(
        &format!(
            "M{} {}l7 3h14l7 -3l-3 7v14l3 7l-7 -3h-14l-7 3l3 -7v-14z",
            x - 14,
            y - 14
        ),
        &format!(r#"fill="{fill}" stroke="{INK}" stroke-width="2" stroke-linejoin="round""#),
    );
}

/// A star for a source of supply.
fn star(svg: &mut Svg, at: [i64; 2]) {
    star_in(svg, at, "#ffd84d");
}

/// A star in a colour.
pub(super) fn star_in(svg: &mut Svg, [x, y]: [i64; 2], fill: &str) {
    svg.path(
        &format!(
            "M{x} {}l3 6l6 1l-5 4l2 7l-6 -4l-6 4l2 -7l-5 -4l6 -1z",
            y - 10
        ),
        &format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1""#),
    );
}

/// A ring of works round a besieged place.
fn siege(svg: &mut Svg, at: [i64; 2]) {
    svg.circle(at, 25, r##"fill="#c01818" fill-opacity="0.12" stroke="#a01414" stroke-width="4" stroke-dasharray="9 5""##);
}

/// Draws the edge of the picture.
pub(super) fn border(svg: &mut Svg, [width, height]: [i64; 2]) {
    svg.rect(
        [0, 0],
        [width, height],
        0,
        &format!(r#"fill="none" stroke="{PAPER}" stroke-width="10""#),
    );
    for (edge, line) in [(7, 4), (14, 1)] {
        let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="{line}""#);
        svg.rect(
            [edge, edge],
            [width - 2 * edge, height - 2 * edge],
            0,
            &paint,
        );
    }
}

/// Covers the margins beside the map with paper, and ends the map in a line: no river flows on
/// among the words.
pub(super) fn strip(svg: &mut Svg, [left, right]: [i64; 2], height: i64) {
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([left, 0], [right - left, height], 0, &paper);
    let paint = format!(r#"stroke="{INK}" stroke-width="2""#);
    svg.line([left, 14], [left, height - 14], &paint);
}

/// The box of the title: its size.
pub(super) fn title_size(map: &MapSection) -> [i64; 2] {
    let wide = [
        metrics::width(&map.title, 32, true),
        metrics::width(&map.subtitle, 22, false),
        metrics::width(&map.viewer, 16, false),
    ];
    [wide.into_iter().max().unwrap_or(0) + 48, 122]
}

/// Draws the title.
pub(super) fn title(svg: &mut Svg, map: &MapSection, place: Rect) {
    cartouche(svg, place);
    let middle = place.x + place.w / 2;
    let set = |size, bold, italic| Style {
        size,
        bold,
        italic,
        anchor: "middle",
        ..Style::default()
    };
    svg.text([middle, place.y + 44], &map.title, set(32, true, false));
    svg.text([middle, place.y + 75], &map.subtitle, set(22, false, false));
    svg.text([middle, place.y + 101], &map.viewer, set(16, false, true));
}

pub(super) fn cartouche(svg: &mut Svg, place: Rect) {
    let (corner, size) = ([place.x, place.y], [place.w, place.h]);
    svg.rect(
        corner,
        size,
        3,
        &format!(r#"fill="{PAPER}" fill-opacity="0.94" stroke="{INK}" stroke-width="2""#),
    );
    let inner = place.grown(-5);
    svg.rect(
        [inner.x, inner.y],
        [inner.w, inner.h],
        2,
        &format!(r#"fill="none" stroke="{INK}" stroke-width="1""#),
    );
}

/// A border that is more than one: a ridge, a cliff.
pub(super) fn border_line(svg: &mut Svg, d: &str, kind: BorderKind) {
    let pens: [&str; 2] = match kind {
        BorderKind::Ridge => [
            r##"stroke="#7a2a1a" stroke-width="7""##,
            r##"stroke="#ffffff" stroke-width="3" stroke-linecap="round" stroke-dasharray="1 8""##,
        ],
        BorderKind::Cliff => [
            r##"stroke="#4a3a28" stroke-width="2""##,
            r##"stroke="#4a3a28" stroke-width="8" stroke-dasharray="2 5""##,
        ],
    };
    for pen in pens {
        svg.path(d, &format!(r#"fill="none" {pen}"#));
    }
}

/// A style for a text that must fit a width: in this size, or smaller.
pub(super) fn fitted(text: &str, [size, room]: [i64; 2], bold: bool) -> Style<'static> {
    let wide = metrics::width(text, size, bold).max(1);
    Style {
        size: (size * room / wide).clamp(11, size),
        bold,
        ..Style::default()
    }
}

/// The numbers above a scale bar of two steps: how many points one is, and how many of a unit.
pub(super) fn lengths(svg: &mut Svg, [x, y]: [i64; 2], [long, one]: [i64; 2], unit: &str) {
    // Where there is no room for the number in the middle, the ends are enough.
    let parts: &[i64] = if long < 44 { &[0, 2] } else { &[0, 1, 2] };
    for part in parts.iter().copied() {
        let style = Style {
            size: 14,
            anchor: "middle",
            ..Style::default()
        };
        let unit = if part == 2 { unit } else { "" };
        let words = format!("{} {unit}", part * one);
        svg.text([x + part * long, y - 7], words.trim_end(), style);
    }
}
