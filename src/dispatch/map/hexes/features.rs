//! The look of rivers, crests, crossings and roads of a hex map, in detail and from afar.

use super::{
    super::svg::{INK, Svg},
    At,
    curves::across,
    side,
};
use crate::game::hex::{RoadStyle, Stroke};

/// Kinds of lines in the order in which they are drawn.
pub(super) const LINES: [Stroke; 5] = [
    Stroke::Slope,
    Stroke::Stream,
    Stroke::Canal,
    Stroke::River,
    Stroke::Crest,
];
/// Classes of roads in the order in which they are drawn.
pub(super) const STYLES: [RoadStyle; 4] = [
    RoadStyle::Track,
    RoadStyle::Road,
    RoadStyle::Main,
    RoadStyle::Rail,
];
/// Roads from afar, and the edge and the middle of a road.
const ROAD: &str = "#a8703c";

pub(super) const ROAD_EDGE: &str = "#6b3d20";

pub(super) const ROAD_CORE: &str = "#f7dfa5";

/// The edge and the middle of water.
pub(super) const WATER: &str = "#2f6d96";

const WATER_CORE: &str = "#a9d2e8";

/// The middle of a canal.
const CANAL_CORE: &str = "#cfe6f1";
/// The ends of roads.
const ROUND: &str = r#" stroke-linecap="round""#;
/// Crests: lines of sight, never brown like slopes.
pub(super) const CREST: &str = "#7a2a1a";
/// The colour of slopes.
const SLOPE: &str = "#6b4a1e";

/// The paints of a kind of hexside, one above the other.
pub(super) fn pens(stroke: Stroke) -> Vec<String> {
    let line = |colour: &str, width: &str| {
        format!(r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round""#)
    };
    match stroke {
        Stroke::River => vec![line(WATER, "10"), line(WATER_CORE, "7")],
        Stroke::Canal => vec![line(WATER, "9"), line(CANAL_CORE, "5.4")],
        Stroke::Stream => vec![line(WATER, "4.6"), line(WATER_CORE, "2.2")],
        Stroke::Slope => vec![
            line(SLOPE, "1.6"),
            format!(r#"fill="none" stroke="{SLOPE}" stroke-width="9" stroke-dasharray="1.6 6""#),
        ],
        Stroke::Nothing | Stroke::Crest | Stroke::Bridge | Stroke::Ford => Vec::new(),
    }
}

/// The paint of a kind of hexside from afar.
pub(super) fn far_pen(stroke: Stroke) -> Option<String> {
    let (colour, width, more) = match stroke {
        Stroke::River => ("#5d97bf", 11, ""),
        Stroke::Canal => ("#4f86ae", 9, ""),
        Stroke::Stream => ("#5d97bf", 5, ""),
        Stroke::Slope => (SLOPE, 6, r#" stroke-dasharray="4 6""#),
        Stroke::Crest => (CREST, 8, r#" stroke-dasharray="8 8""#),
        Stroke::Nothing | Stroke::Bridge | Stroke::Ford => return None,
    };
    Some(format!(
        r#"fill="none" stroke="{colour}" stroke-width="{width}"{more}"#
    ))
}

/// The paints of a class of roads, one above the other.
fn road_pens(style: RoadStyle) -> [(&'static str, &'static str, &'static str); 2] {
    match style {
        RoadStyle::Track => [
            ("#fff3cf", "4.6", ""),
            (ROAD_EDGE, "2.2", r#" stroke-dasharray="7 4""#),
        ],
        RoadStyle::Road => [(ROAD_EDGE, "6", ROUND), (ROAD_CORE, "3.4", ROUND)],
        RoadStyle::Main => [("#5a2c14", "9", ROUND), ("#e9a13a", "6", ROUND)],
        RoadStyle::Rail => [
            (INK, "5", ""),
            ("#ffffff", "2.4", r#" stroke-dasharray="6 6""#),
        ],
    }
}

/// A road along a path, edge and middle.
pub(super) fn way(svg: &mut Svg, style: RoadStyle, d: &str) {
    for (colour, width, more) in road_pens(style) {
        let paint = format!(r#"fill="none" stroke="{colour}" stroke-width="{width}"{more}"#);
        svg.path(d, &paint);
    }
}

/// The paint of a class of roads from afar.
pub(super) fn far_road(style: RoadStyle) -> String {
    let (colour, width, more) = match style {
        RoadStyle::Track => (ROAD, 4, r#" stroke-dasharray="14 10""#),
        RoadStyle::Road => (ROAD, 6, ""),
        RoadStyle::Main => ("#c9791f", 12, ""),
        RoadStyle::Rail => (INK, 8, r#" stroke-dasharray="20 8""#),
    };
    format!(r#"fill="none" stroke="{colour}" stroke-width="{width}"{more}"#)
}

/// A legend's name for a class of roads.
pub(super) fn road_name(style: RoadStyle) -> &'static str {
    match style {
        RoadStyle::Track => "track",
        RoadStyle::Road => "road",
        RoadStyle::Main => "main",
        RoadStyle::Rail => "rail",
    }
}

/// Four lozenges on each hexside of a crest.
pub(super) fn crest<'a>(svg: &mut Svg, flat: bool, all: impl Iterator<Item = &'a [At; 2]>) {
    let all = all.filter_map(|pair| side(flat, *pair));
    let d: String = all.map(|[p, q]| lozenges(p, q)).collect();
    if !d.is_empty() {
        let paint = format!(r##"fill="{CREST}" stroke="#fff3df" stroke-width="1""##);
        svg.path(&d, &paint);
    }
}

/// Lozenges between two points.
pub(super) fn lozenges(p: [i64; 2], q: [i64; 2]) -> String {
    let lozenges = [1, 3, 5, 7].map(|part| {
        let [x, y] = [0, 1].map(|axis: usize| p[axis] + part * (q[axis] - p[axis]) / 8);
        format!("M{x} {}l4 5l-4 5l-4 -5z", y - 5)
    });
    lozenges.concat()
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
        planks(svg, &d, ROAD_CORE);
    }
}

/// A bridge that a piece is, in its side's colour.
pub(super) fn bridge(svg: &mut Svg, flat: bool, pair: [At; 2], colour: &str) {
    if let Some(d) = across(flat, pair) {
        planks(svg, &d, colour);
    }
}

/// A roadway between two rails along a path.
pub(super) fn planks(svg: &mut Svg, d: &str, roadway: &str) {
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

#[cfg(test)]
mod tests {
    use super::{
        super::ground::{region, tint},
        *,
    };
    use crate::game::Relief;

    #[test]
    fn what_matters_more_is_drawn_heavier() {
        let mut svg = Svg::default();
        way(&mut svg, RoadStyle::Road, "M0 0h9");
        region(&mut svg, false, (Relief::Wood, ""), &[[2, 2]]);
        let svg = svg.finish();
        // A road is light between dark edges, and no wood or slope is of its colours.
        assert!(svg.contains(ROAD_EDGE) && svg.contains(ROAD_CORE));
        let others = pens(Stroke::Slope).concat() + tint(Relief::Wood) + tint(Relief::Village);
        assert!(!others.contains(ROAD_EDGE) && !others.contains(ROAD_CORE));
        for stroke in [Stroke::River, Stroke::Canal, Stroke::Stream] {
            assert_eq!(pens(stroke).len(), 2, "a bank and the water");
        }
    }

    #[test]
    fn classes_of_roads_differ_by_more_than_colour() {
        let drawn = |style| {
            let mut svg = Svg::default();
            way(&mut svg, style, "M0 0h9");
            let text = svg.finish();
            let widths: Vec<String> = (text.split("stroke-width=\"").skip(1))
                .map(|rest| rest.split('"').next().unwrap_or_default().to_owned())
                .collect();
            (widths, text.contains("dasharray"))
        };
        use RoadStyle::{Main, Rail, Road, Track};
        let all = [Track, Road, Main, Rail].map(drawn);
        for (number, one) in all.iter().enumerate() {
            assert!(all.iter().skip(number + 1).all(|other| other != one));
        }
    }
}
