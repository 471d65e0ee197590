//! A sheet of an atlas: ground, centres, pieces, what was tried, names.

use super::{AtlasSheet, TriedMark, names, strokes};
use crate::{
    dispatch::map::{
        MapSection, MapSide,
        svg::{INK, Style, Svg, colour, contrast},
    },
    game::TriedStroke,
};

/// Height of the bar with an inset's name.
pub(super) const BAR: i64 = 30;
const COAST: &str = "#1f5579";
const BORDER: &str = "#6e5632";
const RED: &str = "#a8261d";
const CASING: &str = "#fffdf6";
/// Half the size of a piece.
const HALF: i64 = 19;

/// Draws a sheet, with or without the attempts.
pub(super) fn draw(svg: &mut Svg, map: &MapSection, sheet: &AtlasSheet, tried: bool) {
    for outline in &sheet.outlines {
        let (line, width) = if outline.water {
            (COAST, "2")
        } else {
            (BORDER, "1.6")
        };
        let paint = format!(
            r#"fill="{}" stroke="{line}" stroke-width="{width}" stroke-linejoin="round""#,
            colour(&outline.fill)
        );
        let mut d = String::new();
        for (number, [x, y]) in outline.points.iter().enumerate() {
            let step = if number == 0 { 'M' } else { 'L' };
            d.push_str(&format!("{step}{x} {y}"));
        }
        d.push('Z');
        svg.path(&d, &paint);
    }
    for ([x, y, w, h], letter) in &sheet.frames {
        let paint = format!(r#"fill="none" stroke="{RED}" stroke-width="2.5""#);
        svg.rect([*x, *y], [*w, *h], 0, &paint);
        svg.rect([*x, *y], [24, 24], 0, &format!(r#"fill="{RED}""#));
        svg.text([x + 12, y + 18], letter, bold(17, "#ffffff"));
    }
    for (at, owner) in &sheet.centres {
        centre(svg, &map.sides, *at, *owner);
    }
    if tried {
        marks(svg, map, sheet);
    }
    for piece in &sheet.pieces {
        self::piece(svg, &map.sides, piece.at, (piece.side, piece.hull));
    }
    if tried {
        for mark in &sheet.tried {
            if mark.stroke == TriedStroke::Hold {
                strokes::bar(svg, mark.from);
            }
            if mark.lost {
                strokes::cross(svg, [mark.from[0] - HALF, mark.from[1] - HALF], 8);
            }
        }
    }
    names::draw(svg, sheet);
}

/// Draws the attempts, arrows above support.
fn marks(svg: &mut Svg, map: &MapSection, sheet: &AtlasSheet) {
    let fill = |mark: &TriedMark| {
        let side = map.sides.get(mark.side);
        side.map_or(INK, |side| colour(&side.colour)).to_owned()
    };
    for mark in &sheet.tried {
        match (mark.stroke, mark.helps) {
            (TriedStroke::Support | TriedStroke::Cut, Some(helps)) => {
                strokes::support(svg, (mark.stroke, &fill(mark)), mark.from, helps);
            }
            (TriedStroke::Convoy | TriedStroke::Broken, _) => {
                strokes::ring(svg, mark.stroke, mark.from);
            }
            _ => {}
        }
    }
    for mark in &sheet.tried {
        let Some(to) = mark.to else { continue };
        if mark.stroke != TriedStroke::Failed && sheet.pieces.iter().all(|it| it.at != mark.from) {
            let paint = format!(
                r#"fill="{CASING}" fill-opacity="0.7" stroke="{}" stroke-width="2" stroke-dasharray="5 4""#,
                fill(mark)
            );
            let [x, y] = mark.from;
            svg.rect([x - HALF, y - HALF], [2 * HALF, 2 * HALF], 4, &paint);
        }
        strokes::arrow(svg, (mark.stroke, &fill(mark)), [mark.from, to], mark.over);
    }
}

/// A centre: a disc with its owner's letter, or an empty ring.
pub(super) fn centre(svg: &mut Svg, sides: &[MapSide], [x, y]: [i64; 2], owner: Option<usize>) {
    let side = owner.and_then(|owner| sides.get(owner));
    let fill = side.map_or(CASING, |side| colour(&side.colour));
    let radius = if side.is_some() { 11 } else { 7 };
    let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="2""#);
    svg.circle([x, y], radius, &paint);
    if let Some(side) = side {
        svg.text([x, y + 5], &side.sign, bold(13, contrast(fill)));
    }
}

/// A piece: a square or a hull with its side's letters.
pub(super) fn piece(
    svg: &mut Svg,
    sides: &[MapSide],
    [x, y]: [i64; 2],
    (side, hull): (usize, bool),
) {
    svg.note_side(side);
    svg.note(if hull { "hull" } else { "square" });
    let side = sides.get(side);
    let fill = side.map_or(INK, |side| colour(&side.colour));
    let sign = side.map_or("", |side| &side.sign);
    let shapes = [
        format!(r#"fill="{CASING}" stroke="{CASING}" stroke-width="6" stroke-linejoin="round""#),
        format!(r#"fill="{fill}" stroke="{INK}" stroke-width="2" stroke-linejoin="round""#),
    ];
    for paint in shapes {
        if hull {
            let d = format!("M{} {}h14v-9h20v9h14l-9 21h-30z", x - 24, y - 4);
            svg.path(&d, &paint);
        } else {
            svg.rect([x - HALF, y - HALF], [2 * HALF, 2 * HALF], 4, &paint);
        }
    }
    let size = if sign.chars().count() > 1 { 17 } else { 21 };
    let down = if hull { 10 } else { 8 };
    svg.text([x, y + down], sign, bold(size, contrast(fill)));
}

/// The bar with the name of an inset.
pub(super) fn heading(svg: &mut Svg, sheet: &AtlasSheet) {
    if sheet.name.is_empty() {
        return;
    }
    let ([x, y], [w, _]) = (sheet.at, sheet.size);
    svg.rect([x, y - BAR], [w, BAR], 0, &format!(r#"fill="{RED}""#));
    let style = Style {
        anchor: "start",
        ..bold(18, "#ffffff")
    };
    svg.text([x + 12, y - 9], &sheet.name, style);
}

pub(super) fn bold(size: i64, fill: &str) -> Style<'_> {
    Style {
        size,
        bold: true,
        anchor: "middle",
        fill,
        ..Style::default()
    }
}
