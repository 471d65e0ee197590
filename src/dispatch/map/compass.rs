//! The arrow to the north.

use super::{
    MapSection,
    svg::{INK, Style, Svg},
};

/// An arrow to the north of a map that has it elsewhere than on top: the arrow is turned, and its
/// letter stands at the tip.
pub(super) fn north_of(svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2]) {
    match map.hexes.as_ref().map_or(0, |hexes| hexes.north) {
        0 => north(svg, [x, y]),
        degrees => {
            svg.open(&format!(r#"transform="rotate({degrees} {x} {y})""#));
            north(svg, [x, y]);
            svg.close();
        }
    }
}

/// An arrow to the north: maps of points and of areas have it on top.
pub(super) fn north(svg: &mut Svg, [x, y]: [i64; 2]) {
    let paint = format!(r#"fill="{INK}""#);
    svg.path(&format!("M{x} {}l6 18l-6 -4l-6 4z", y - 9), &paint);
    let style = Style {
        size: 12,
        bold: true,
        anchor: "middle",
        ..Style::default()
    };
    svg.text([x, y - 12], "N", style);
}
