//! Roads with their bridges.

use super::{
    MapRoad, MapSection, MapSpace,
    geometry::{root, square},
    svg::{INK, Svg},
    water::WATER,
};

/// The spaces at the ends of a road.
fn ends<'a>(map: &'a MapSection, road: &MapRoad) -> Option<(&'a MapSpace, &'a MapSpace)> {
    map.spaces.get(road.a).zip(map.spaces.get(road.b))
}

/// Roads between the spaces.
pub(super) fn roads(svg: &mut Svg, map: &MapSection) {
    for (width, stroke) in [(7, "#8d7350"), (4, "#fffaf0")] {
        svg.open(&format!(
            r#"stroke="{stroke}" stroke-width="{width}" stroke-linecap="round""#
        ));
        for (a, b) in map.roads.iter().filter_map(|road| ends(map, road)) {
            svg.line([a.x, a.y], [b.x, b.y], "");
        }
        svg.close();
    }
}

/// Draws bridges over water, broken ones too.
pub(super) fn bridges(svg: &mut Svg, map: &MapSection) {
    for road in map.roads.iter().filter(|road| road.bridge || road.broken) {
        if let Some((a, b)) = ends(map, road) {
            bridge(
                svg,
                bridge_at(a, b, road),
                [b.x - a.x, b.y - a.y],
                road.broken,
            );
        }
    }
}

/// Where a bridge is drawn: where the road crosses the river, but clear of the spaces at its ends.
pub(super) fn bridge_at(a: &MapSpace, b: &MapSpace, road: &MapRoad) -> [i64; 2] {
    const CLEAR: i64 = 30;
    let (from, to) = ([a.x, a.y], [b.x, b.y]);
    let long = root(square(from, to)).max(1);
    let along = road.crossing.map_or(long / 2, |at| root(square(from, at)));
    let along = if long > 2 * CLEAR {
        along.clamp(CLEAR, long - CLEAR)
    } else {
        long / 2
    };
    [0, 1].map(|axis: usize| from[axis] + (to[axis] - from[axis]) * along / long)
}

/// A bridge across a road's water: two walls along the road, or a gap with a cross where it is
/// broken.
pub(super) fn bridge(svg: &mut Svg, [x, y]: [i64; 2], way: [i64; 2], broken: bool) {
    svg.note(if broken { "broken" } else { "bridge" });
    let long = root(square([0, 0], way)).max(1);
    let turn = |along: i64, across: i64| {
        [
            x + (way[0] * along - way[1] * across) / long,
            y + (way[1] * along + way[0] * across) / long,
        ]
    };
    if broken {
        svg.line(
            turn(-11, 0),
            turn(11, 0),
            &format!(r#"stroke="{WATER}" stroke-width="9""#),
        );
        let cross = r##"stroke="#c01818" stroke-width="4" stroke-linecap="round""##;
        for (along, across) in [(9, 9), (9, -9)] {
            svg.line(turn(-along, -across), turn(along, across), cross);
        }
        return;
    }
    svg.line(
        turn(-8, 0),
        turn(8, 0),
        r##"stroke="#fffaf0" stroke-width="7""##,
    );
    for side in [-1, 1] {
        let [a, b, c, d] = [
            turn(-12, 9 * side),
            turn(-8, 5 * side),
            turn(8, 5 * side),
            turn(12, 9 * side),
        ];
        svg.path(
            &format!(
                "M{} {}L{} {}L{} {}L{} {}",
                a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]
            ),
            &format!(r#"fill="none" stroke="{INK}" stroke-width="2.5" stroke-linejoin="round""#),
        );
    }
}
