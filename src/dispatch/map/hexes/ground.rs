//! The look of a hex map's terrain: tints, woods, fields, houses.

use super::{
    super::svg::{INK, Svg},
    At, centre,
    curves::{outline, round},
    features::ROAD_EDGE,
};
use crate::game::Relief;

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
        Relief::Crops => "#f6f0dd",
        Relief::Vines => "#e4e6b8",
        Relief::Castle => "#d9cdb6",
    }
}

/// Hexes of a terrain that lie together, with the line round them.
pub(super) fn region(svg: &mut Svg, flat: bool, (relief, more): (Relief, &str), all: &[At]) {
    let edge = match relief {
        Relief::Plain | Relief::Crops => return,
        Relief::Vines => ("#b9bd7c", "1"),
        Relief::Castle => (INK, "2.6"),
        Relief::Wood => (WOOD_EDGE, "1.4"),
        Relief::Wet => ("#86b3a6", "1.2"),
        Relief::Mountain => ("#a8895a", "1.2"),
        Relief::Village => (HOUSE, "1.6"),
        Relief::City => (INK, "2.6"),
    };
    let (colour, width) = edge;
    let d = if built(relief) {
        all.iter().map(|at| outline(flat, *at)).collect()
    } else {
        round(flat, all)
    };
    let fill = tint(relief);
    svg.path(
        &d,
        &format!(
            r#"fill="{fill}" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{more}"#
        ),
    );
}

/// Returns true if a terrain is built up: houses stand beside roads, not under them.
pub(super) fn built(relief: Relief) -> bool {
    matches!(relief, Relief::Village | Relief::City | Relief::Castle)
}

/// The signs on hexes of a terrain: most of them outside the middle, where a counter doesn't hide
/// them, and none on the number. All of them are one path.
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
        Relief::Crops | Relief::Vines => {
            let rows = [[-29, -4], [15, -4], [-23, 18], [9, 18]];
            let more = [[-25, -16], [12, -16], [-31, 7], [17, 7]];
            let more = if relief == Relief::Vines {
                &more[..]
            } else {
                &[]
            };
            let furrow = |[x, y]: [i64; 2]| format!("M{x} {y}h14M{} {}h14", x + 2, y + 4);
            let paint = r##"fill="none" stroke="#7f9244" stroke-width="1.5""##;
            svg.path(&at_spots(&[&rows[..], more].concat(), &furrow), paint);
        }
        Relief::Castle => svg.path(
            &on_each(&|[x, y]| {
                let left = x - 27;
                format!(
                    "M{left} {}v-12h5v4h5v-4h5v12zM{} {}v-12h5v4h5v-4h5v12z",
                    y + 18,
                    x + 12,
                    y + 18
                )
            }),
            &format!(r#"fill="{INK}""#),
        ),
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
