//! A sheet of a map of areas: its ground, and what stands on it.

use std::fmt::Write as _;

use super::{AreaSheet, signs};
use crate::{
    dispatch::map::{
        frame::Spacing,
        layout::{self, Boxes, Layout, gap, is_whole},
        place::Rect,
        svg::{INK, PAPER, Style, Svg, colour},
    },
    game::BorderKind,
};

const COAST: &str = "#2f6690";
const BORDER: &str = "#7a6546";
const LARGER: &str = "#a32020";

/// Land, water, borders and roads.
pub(super) fn ground(svg: &mut Svg, sheet: &AreaSheet) {
    open(svg, sheet);
    for outline in &sheet.outlines {
        let fill = colour(&outline.fill);
        let (line, width) = if outline.water {
            (COAST, 3)
        } else {
            (BORDER, 2)
        };
        let paint = format!(
            r#"fill="{fill}" stroke="{line}" stroke-width="{width}" stroke-linejoin="round""#
        );
        svg.path(&path(&outline.points, true), &paint);
    }
    for border in &sheet.borders {
        let dashes = match border.kind {
            BorderKind::Ridge => r##"stroke="#6b2a12" stroke-width="7" stroke-dasharray="3 4""##,
            BorderKind::Cliff => r##"stroke="#4a3a28" stroke-width="6" stroke-dasharray="2 5""##,
        };
        svg.path(
            &path(&border.points, false),
            &format!(r#"fill="none" {dashes}"#),
        );
    }
    for (width, stroke) in [(7, "#8d7350"), (4, "#fffaf0")] {
        svg.open(&format!(
            r#"stroke="{stroke}" stroke-width="{width}" stroke-linecap="round""#
        ));
        for [a, b] in &sheet.roads {
            svg.line(*a, *b, "");
        }
        svg.close();
    }
    if let Some([x, y, w, h]) = sheet.elsewhere {
        let paint =
            format!(r#"fill="{PAPER}" fill-opacity="0.35" stroke="{LARGER}" stroke-width="3""#);
        svg.rect([x, y], [w, h], 0, &paint);
    }
    svg.raw("</svg>");
}

/// Names, signs and plates: all of them, or those that are seen whole.
pub(super) fn above(svg: &mut Svg, sheet: &AreaSheet, seen: Option<&Rect>) {
    let map = &sheet.map;
    let nowhere = Rect {
        x: -900,
        y: -900,
        w: 1,
        h: 1,
    };
    let title = match sheet.name.as_str() {
        "" => nowhere,
        name => heading(name),
    };
    let boxes = Boxes {
        width: map.width,
        title,
        legend: sheet
            .elsewhere
            .map_or(nowhere, |[x, y, w, h]| Rect { x, y, w, h }),
        spacing: Spacing::Tight,
    };
    let layout = Layout::of(map, &boxes);
    open(svg, sheet);
    let whole = |place: &Rect| is_whole(seen, place);
    for name in (layout.names.iter()).filter(|name| name.covers().iter().all(whole)) {
        name.draw(svg);
    }
    for (place, side) in &sheet.dots {
        let fill = map
            .sides
            .get(*side)
            .map_or(INK, |side| colour(&side.colour));
        let paint = format!(r##"fill="{fill}" stroke="#ffffff" stroke-width="2""##);
        svg.circle(*place, 8, &paint);
    }
    let plates = || (layout.plates.iter()).filter(|(_, _, place)| whole(place));
    for (space, plate, place) in plates() {
        plate.lead(svg, *place, [space.x, space.y], gap(space));
    }
    for (space, found) in map.spaces.iter().zip(&sheet.signs) {
        signs::draw(svg, &map.sides, [space.x, space.y], found);
    }
    layout::names(svg, map, &layout, seen);
    for (_, plate, place) in plates().rev() {
        plate.draw(svg, *place);
    }
    svg.raw("</svg>");
    edge(svg, sheet);
}

/// A window of the picture: what lies beyond its edges is not drawn.
fn open(svg: &mut Svg, sheet: &AreaSheet) {
    let ([x, y], [w, h]) = (sheet.at, sheet.size());
    svg.raw(&format!(
        r#"<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="0 0 {w} {h}">"#
    ));
}

/// The edge of a sheet, with its name if it has one.
fn edge(svg: &mut Svg, sheet: &AreaSheet) {
    let [x, y] = sheet.at;
    if sheet.name.is_empty() {
        let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="2""#);
        return svg.rect(sheet.at, sheet.size(), 0, &paint);
    }
    let paint = format!(r#"fill="none" stroke="{LARGER}" stroke-width="4""#);
    svg.rect(sheet.at, sheet.size(), 0, &paint);
    let place = heading(&sheet.name);
    let paint = format!(r#"fill="{LARGER}""#);
    svg.rect([x + place.x, y + place.y], [place.w, place.h], 0, &paint);
    let style = Style {
        size: 18,
        bold: true,
        fill: "#ffffff",
        ..Style::default()
    };
    svg.text([x + 12, y + 22], &sheet.name, style);
}

/// The place of a sheet's name, in the sheet.
fn heading(name: &str) -> Rect {
    let w = crate::dispatch::map::metrics::width(name, 18, true) + 24;
    Rect {
        x: 0,
        y: 0,
        w,
        h: 32,
    }
}

/// Straight lines through points.
fn path(points: &[[i64; 2]], closed: bool) -> String {
    let mut d = String::new();
    for (number, [x, y]) in points.iter().enumerate() {
        let step = if number == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{step}{x} {y}");
    }
    if closed {
        d.push('Z');
    }
    d
}
