//! Signs of a map of areas: forts, works, points, towns, boxes, stretches of road.

use super::AreaSign;
use crate::dispatch::map::{
    MapSide, metrics,
    svg::{INK, Style, Svg, colour, contrast},
};

/// The colour of what nobody holds.
const NOBODY: &str = "#fffdf6";
const GOLD: &str = "#f2c230";

/// Draws the signs of a space: the first one on its point, works and points at its corners.
pub(super) fn draw(svg: &mut Svg, sides: &[MapSide], [x, y]: [i64; 2], signs: &[AreaSign]) {
    let is_main = |sign: &&AreaSign| !matches!(sign, AreaSign::Works(..) | AreaSign::Points(..));
    if !signs.iter().any(|sign| is_main(&sign)) {
        let paint = format!(r#"fill="{INK}""#);
        svg.circle([x, y], 3, &paint);
    }
    for sign in signs {
        let at = match sign {
            AreaSign::Works(..) => [x - 13, y - 11],
            AreaSign::Points(..) => [x + 13, y - 11],
            _ => [x, y],
        };
        one(svg, sides, at, sign);
    }
}

/// Draws a sign at a point.
pub(in crate::dispatch::map) fn one(
    svg: &mut Svg,
    sides: &[MapSide],
    [x, y]: [i64; 2],
    sign: &AreaSign,
) {
    let side = |holder: &Option<usize>, bare: &'static str| {
        let side = holder.and_then(|number| sides.get(number));
        side.map_or(bare, |side| colour(&side.colour)).to_owned()
    };
    svg.note(sign.sort());
    if let AreaSign::Fort(_, Some(side))
    | AreaSign::Works(Some(side), _)
    | AreaSign::Points(_, Some(side)) = sign
    {
        svg.note_side(*side);
    }
    match sign {
        AreaSign::Fort(level, holder) => {
            let fill = side(holder, NOBODY);
            let paint = ink(&fill);
            svg.path(&fort(*level, [x, y]), &paint);
            digit(svg, [x, y + 5], &level.to_string(), contrast(&fill));
        }
        AreaSign::Works(holder, strong) => {
            let fill = side(holder, NOBODY);
            let high = if *strong { 12 } else { 7 };
            let d = format!("M{} {}v-{high}h5v3h6v-3h5v{high}z", x - 8, y + 5);
            svg.path(&d, &ink(&fill));
        }
        AreaSign::Points(number, holder) => {
            let fill = side(holder, GOLD);
            svg.path(&star([x, y]), &ink(&fill));
            if *number > 1 {
                digit(svg, [x, y + 4], &number.to_string(), contrast(&fill));
            }
        }
        AreaSign::Town => {
            let d = format!("M{} {}h9v-6h6v6h9v10h-24z", x - 12, y - 4);
            svg.path(&d, &ink(NOBODY));
        }
        AreaSign::Depot => {
            svg.rect([x - 9, y - 8], [18, 16], 2, &ink(NOBODY));
            svg.line(
                [x - 9, y - 8],
                [x + 9, y + 8],
                &format!(r#"stroke="{INK}""#),
            );
            svg.line(
                [x - 9, y + 8],
                [x + 9, y - 8],
                &format!(r#"stroke="{INK}""#),
            );
        }
        AreaSign::Stretch(name) => {
            let wide = metrics::width(name, 13, true) + 8;
            let paint = format!(r##"fill="#f5d98f" stroke="{INK}" stroke-width="1.5""##);
            svg.rect([x - wide / 2, y - 9], [wide, 18], 4, &paint);
            digit(svg, [x, y + 5], name, INK);
        }
    }
}

fn ink(fill: &str) -> String {
    format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round""#)
}

fn digit(svg: &mut Svg, at: [i64; 2], text: &str, fill: &str) {
    let style = Style {
        size: 13,
        bold: true,
        anchor: "middle",
        fill,
        ..Style::default()
    };
    svg.text(at, text, style);
}

/// A fort: more bastions, the stronger it is.
fn fort(level: i64, [x, y]: [i64; 2]) -> String {
    match level {
        ..=1 => format!("M{x} {}l14 14l-14 14l-14 -14z", y - 14),
        2 => format!(
            "M{x} {}l5 8l9 2l-6 7l1 10l-9 -4l-9 4l1 -10l-6 -7l9 -2z",
            y - 14
        ),
        _ => format!(
            "M{x} {}l5 7l9 0l-4 8l4 8l-9 0l-5 7l-5 -7l-9 0l4 -8l-4 -8l9 0z",
            y - 15
        ),
    }
}

fn star([x, y]: [i64; 2]) -> String {
    format!(
        "M{x} {}l3 6l6 1l-5 4l2 7l-6 -4l-6 4l2 -7l-5 -4l6 -1z",
        y - 10
    )
}
