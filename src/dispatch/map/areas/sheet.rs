//! A sheet of a map of areas: its ground, and the things on it.

use std::fmt::Write as _;

use super::{AreaSheet, signs};
use crate::{
    dispatch::map::{
        frame, geometry,
        layout::{self, Boxes, Layout, gap, is_whole},
        legend::Spacing,
        place::Rect,
        svg::{INK, PAPER, Style, Svg, colour},
    },
    game::BorderKind,
};

const COAST: &str = "#2f6690";
const BORDER: &str = "#7a6546";
const LARGER: &str = "#a32020";
/// How much room a sign takes that must not be cut.
const SIGN: i64 = 28;

/// Draws land, water, borders and roads, as far as they are seen.
pub(super) fn ground(svg: &mut Svg, sheet: &AreaSheet, seen: &Rect) {
    note_ground(svg, sheet, seen);
    for outline in &sheet.outlines {
        let points = geometry::area_in(&outline.points, seen);
        if points.is_empty() {
            continue;
        }
        let fill = colour(&outline.fill);
        let (line, width) = if outline.water {
            (COAST, 3)
        } else {
            (BORDER, 2)
        };
        let paint = format!(
            r#"fill="{fill}" stroke="{line}" stroke-width="{width}" stroke-linejoin="round""#
        );
        svg.path(&path(&points, true), &paint);
    }
    slopes(svg, sheet, seen);
    for border in &sheet.borders {
        let pieces = geometry::lines_in(&border.points, seen);
        if !pieces.is_empty() {
            let d: String = pieces.iter().map(|piece| path(piece, false)).collect();
            frame::border_line(svg, &d, border.kind);
        }
    }
    let roads = sheet
        .roads
        .iter()
        .flat_map(|ends| geometry::lines_in(ends, seen));
    let d: String = roads.map(|piece| path(&piece, false)).collect();
    for (width, stroke) in [(7, "#8d7350"), (4, "#fffaf0")] {
        let paint = format!(
            r#"fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round""#
        );
        svg.path(&d, &paint);
    }
    if let Some([x, y, w, h]) = sheet.elsewhere {
        let place = Rect { x, y, w, h }.cut(seen);
        let paint =
            format!(r#"fill="{PAPER}" fill-opacity="0.35" stroke="{LARGER}" stroke-width="3""#);
        svg.rect([place.x, place.y], [place.w, place.h], 0, &paint);
    }
}

/// Notes what the ground of a sheet shows in a part of it, drawn or not.
pub(super) fn note_ground(svg: &mut Svg, sheet: &AreaSheet, seen: &Rect) {
    let shown = |points| !geometry::lines_in(points, seen).is_empty();
    if sheet.slopes.iter().any(|ends| shown(ends)) {
        svg.note("uphill");
    }
    for border in &sheet.borders {
        if shown(&border.points) {
            svg.note(match border.kind {
                BorderKind::Ridge => "ridge",
                BorderKind::Cliff => "cliff",
            });
        }
    }
}

/// Strokes on the higher side of slopes: longer and darker where they lie away from the light,
/// which comes from the upper left.
fn slopes(svg: &mut Svg, sheet: &AreaSheet, seen: &Rect) {
    let (mut lit, mut dark) = (String::new(), String::new());
    let pieces = sheet
        .slopes
        .iter()
        .flat_map(|ends| geometry::lines_in(ends, seen));
    for piece in pieces {
        let &[a, b] = piece.as_slice() else { continue };
        let way = [b[0] - a[0], b[1] - a[1]];
        let long = geometry::root(geometry::square(a, b)).max(1);
        let uphill = [-way[1], way[0]];
        let (d, stroke) = if uphill[0] + uphill[1] > 0 {
            (&mut lit, 6)
        } else {
            (&mut dark, 9)
        };
        let steps = (long / 8).max(1);
        for step in 0..steps {
            let at = [0, 1].map(|axis: usize| a[axis] + way[axis] * (2 * step + 1) / (2 * steps));
            let [dx, dy] = uphill.map(|it| it * stroke / long);
            let _ = write!(d, "M{} {}l{dx} {dy}", at[0], at[1]);
        }
    }
    for (d, colour, width) in [(lit, "#a07f4c", "1"), (dark, "#6f4f24", "1.4")] {
        if !d.is_empty() {
            let paint = format!(r#"fill="none" stroke="{colour}" stroke-width="{width}""#);
            svg.path(&d, &paint);
        }
    }
}

/// Who stands in the part that another sheet has.
pub(super) fn dots(svg: &mut Svg, sheet: &AreaSheet) {
    for (place, side) in &sheet.dots {
        svg.note_side(*side);
        let fill = (sheet.map.sides.get(*side)).map_or(INK, |side| colour(&side.colour));
        let paint = format!(r##"fill="{fill}" stroke="#ffffff" stroke-width="2""##);
        svg.circle(*place, 8, &paint);
    }
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
        _ => heading(sheet),
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
    let whole = |place: &Rect| is_whole(seen, place);
    for name in (layout.names.iter()).filter(|name| name.covers().iter().all(whole)) {
        name.draw(svg);
    }
    if seen.is_none() {
        dots(svg, sheet);
    }
    let plates = || (layout.plates.iter()).filter(|(_, _, place)| whole(place));
    for (space, plate, place) in plates() {
        plate.lead(svg, *place, [space.x, space.y], gap(space));
    }
    for (space, found) in map.spaces.iter().zip(&sheet.signs) {
        // A sign that the edge would cut stands on another sheet.
        if whole(&Rect::round(space.x, space.y, SIGN, SIGN)) {
            signs::draw(svg, &map.sides, [space.x, space.y], found);
        }
    }
    layout::names(svg, map, &layout, seen);
    for (_, plate, place) in plates().rev() {
        plate.draw(svg, *place);
    }
}

/// The edge of a sheet, with its name if it has one.
pub(super) fn edge(svg: &mut Svg, sheet: &AreaSheet) {
    let [x, y] = sheet.at;
    if sheet.name.is_empty() {
        let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="4""#);
        return svg.rect(sheet.at, sheet.size(), 0, &paint);
    }
    let paint = format!(r#"fill="none" stroke="{LARGER}" stroke-width="4""#);
    svg.rect(sheet.at, sheet.size(), 0, &paint);
    let place = heading(sheet);
    let paint = format!(r#"fill="{LARGER}""#);
    svg.rect([x + place.x, y + place.y], [place.w, place.h], 0, &paint);
    let style = Style {
        size: 18,
        bold: true,
        fill: "#ffffff",
        ..Style::default()
    };
    svg.text([x + place.x + 12, y + place.y + 22], &sheet.name, style);
}

/// The place of a sheet's name, in the sheet: a corner where it hides no sign, if there is one.
fn heading(sheet: &AreaSheet) -> Rect {
    let [wide, high] = sheet.size();
    let w = crate::dispatch::map::metrics::width(&sheet.name, 18, true) + 24;
    let h = 32;
    let corners = [[0, 0], [wide - w, 0], [0, high - h], [wide - w, high - h]];
    let places = corners.map(|[x, y]| Rect { x, y, w, h });
    let free = |place: &&Rect| {
        let signs = sheet.map.spaces.iter();
        let mut signs = signs.map(|space| Rect::round(space.x, space.y, 2 * SIGN, 2 * SIGN));
        signs.all(|sign| sign.shared(place) == 0)
    };
    *places.iter().find(free).unwrap_or(&places[0])
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
