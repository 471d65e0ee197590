//! The land: relief, waters with their names, roads with their bridges.

use super::{
    MapSection, MapSpace,
    metrics,
    place::Rect,
    svg::{INK, PAPER, Style, Svg, smooth},
};
use crate::dispatch::Relief;

const WATER: &str = "#a9cbe0";
const SHORE: &str = "#5f93b5";
const WATER_INK: &str = "#2f6690";
const LOW: &str = "#e9dcb9";
const HIGH: &str = "#d9c497";
const PEAK: &str = "#9a7f52";

/// Paper, relief and waters.
pub(super) fn land(svg: &mut Svg, map: &MapSection, kept_free: &[Rect]) {
    svg.rect([0, 0], [map.width, map.height], 0, &format!(r#"fill="{PAPER}""#));
    relief(svg, map);
    peaks(svg, map, kept_free);
    for water in map.waters.iter().filter(|water| !water.lake) {
        let line = smooth(&water.points, false);
        svg.path(&line, &format!(r#"fill="none" stroke="{SHORE}" stroke-width="7" stroke-linecap="round" stroke-linejoin="round""#));
        svg.path(&line, &format!(r#"fill="none" stroke="{WATER}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round""#));
    }
    for water in map.waters.iter().filter(|water| water.lake) {
        let line = smooth(&water.points, true);
        svg.path(&line, &format!(r#"fill="{WATER}" stroke="{SHORE}" stroke-width="2""#));
        lines_of_the_shore(svg, &water.points);
    }
}

/// Tints of two heights: round every mountain space, and along the ways between two of them.
fn relief(svg: &mut Svg, map: &MapSection) {
    for (tint, radius) in [(LOW, 86), (HIGH, 56)] {
        svg.open(&format!(r#"fill="{tint}" stroke="{tint}" stroke-width="{}" stroke-linecap="round""#, 2 * radius));
        for road in &map.roads {
            if let (Some(a), Some(b)) = (mountain(map, road.a), mountain(map, road.b)) {
                svg.line([a.x, a.y], [b.x, b.y], "");
            }
        }
        for space in map.spaces.iter().filter(|space| space.relief == Relief::Mountain) {
            svg.line([space.x, space.y], [space.x + 1, space.y], "");
        }
        svg.close();
    }
}

fn mountain(map: &MapSection, number: usize) -> Option<&MapSpace> {
    map.spaces.get(number).filter(|space| space.relief == Relief::Mountain)
}

/// Little peaks where nothing else is drawn, a bit out of line so that they look drawn by hand.
fn peaks(svg: &mut Svg, map: &MapSection, kept_free: &[Rect]) {
    let mut d = String::new();
    let (mut y, mut row) = (20, 0);
    while y < map.height - 20 {
        let mut x = 20 + row % 2 * 22;
        while x < map.width - 20 {
            let (px, py) = (x + (x * 7 + y * 13) % 15 - 7, y + (x * 11 + y * 5) % 13 - 6);
            if on_a_mountain(map, [px, py]) && free(map, kept_free, [px, py]) {
                let size = 7 + (x * 3 + y * 7) % 4;
                d.push_str(&format!("M{} {}l{size} -{size}l{size} {size}M{px} {}l3 {}", px - size, py + size / 2, py - size / 2, size - 2));
            }
            x += 44;
        }
        y += 26;
        row += 1;
    }
    svg.path(&d, &format!(r#"fill="none" stroke="{PEAK}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round" opacity="0.75""#));
}

fn on_a_mountain(map: &MapSection, at: [i64; 2]) -> bool {
    let near = |space: &MapSpace| square(at, [space.x, space.y]) < 84 * 84;
    let on_road = map.roads.iter().any(|road| {
        let ends = mountain(map, road.a).zip(mountain(map, road.b));
        ends.is_some_and(|(a, b)| from_line(at, [a.x, a.y], [b.x, b.y]) < 70 * 70)
    });
    on_road || map.spaces.iter().any(|space| space.relief == Relief::Mountain && near(space))
}

fn free(map: &MapSection, kept_free: &[Rect], at: [i64; 2]) -> bool {
    let spot = Rect::round(at[0], at[1], 26, 20);
    let lines = map.waters.iter().flat_map(|water| {
        let end = water.points.last().zip(water.points.first()).filter(|_| water.lake);
        water.points.windows(2).filter_map(|ends| Some((*ends.first()?, *ends.last()?))).chain(end.map(|(a, b)| (*a, *b)))
    });
    let in_lake = |water: &super::MapWater| water.lake && inside(&water.points, at);
    kept_free.iter().all(|rect| rect.shared(&spot) == 0)
        && !map.waters.iter().any(in_lake)
        && lines.into_iter().all(|(a, b)| from_line(at, a, b) > 18 * 18)
        && map.roads.iter().all(|road| {
            let ends = map.spaces.get(road.a).zip(map.spaces.get(road.b));
            ends.is_none_or(|(a, b)| from_line(at, [a.x, a.y], [b.x, b.y]) > 20 * 20)
        })
}

fn square(a: [i64; 2], b: [i64; 2]) -> i64 {
    (a[0] - b[0]).pow(2) + (a[1] - b[1]).pow(2)
}

/// The square of the distance of a point from a line between two ends.
fn from_line(at: [i64; 2], a: [i64; 2], b: [i64; 2]) -> i64 {
    let long = square(a, b).max(1);
    let along = (at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1]);
    let along = along.clamp(0, long);
    square(at, [a[0] + (b[0] - a[0]) * along / long, a[1] + (b[1] - a[1]) * along / long])
}

/// Whether a point lies in a closed outline.
fn inside(outline: &[[i64; 2]], [x, y]: [i64; 2]) -> bool {
    let ends = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = ends.filter(|(a, b)| {
        (a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])
    });
    crossed.count() % 2 == 1
}

/// Two thin lines inside a shore, as old maps have them.
fn lines_of_the_shore(svg: &mut Svg, outline: &[[i64; 2]]) {
    let n = i64::try_from(outline.len()).unwrap_or(1).max(1);
    let middle = [0, 1].map(|axis: usize| outline.iter().map(|point| point[axis]).sum::<i64>() / n);
    for (part, strength) in [(93, "0.55"), (85, "0.3")] {
        let inner: Vec<_> = outline
            .iter()
            .map(|point| [0, 1].map(|axis: usize| middle[axis] + (point[axis] - middle[axis]) * part / 100))
            .collect();
        svg.path(&smooth(&inner, true), &format!(r#"fill="none" stroke="{SHORE}" stroke-width="1" opacity="{strength}""#));
    }
}

/// Roads between the spaces, and what carries them over water.
pub(super) fn roads(svg: &mut Svg, map: &MapSection) {
    let ends = |road: &super::MapRoad| Some((map.spaces.get(road.a)?, map.spaces.get(road.b)?));
    for (width, stroke) in [(7, "#8d7350"), (4, "#fffaf0")] {
        svg.open(&format!(r#"stroke="{stroke}" stroke-width="{width}" stroke-linecap="round""#));
        for (a, b) in map.roads.iter().filter_map(ends) {
            svg.line([a.x, a.y], [b.x, b.y], "");
        }
        svg.close();
    }
    for road in map.roads.iter().filter(|road| road.bridge || road.broken) {
        if let Some((a, b)) = ends(road) {
            let at = road.crossing.unwrap_or([(a.x + b.x) / 2, (a.y + b.y) / 2]);
            bridge(svg, at, [b.x - a.x, b.y - a.y], road.broken);
        }
    }
}

/// A bridge across a road's water: two walls along the road, or a gap with a cross where it is broken.
pub(super) fn bridge(svg: &mut Svg, [x, y]: [i64; 2], way: [i64; 2], broken: bool) {
    let long = root(way[0].pow(2) + way[1].pow(2)).max(1);
    let turn = |along: i64, across: i64| {
        [x + (way[0] * along - way[1] * across) / long, y + (way[1] * along + way[0] * across) / long]
    };
    if broken {
        svg.line(turn(-11, 0), turn(11, 0), r##"stroke="#a9cbe0" stroke-width="9""##);
        let cross = r##"stroke="#c01818" stroke-width="4" stroke-linecap="round""##;
        for (along, across) in [(9, 9), (9, -9)] {
            svg.line(turn(-along, -across), turn(along, across), cross);
        }
        return;
    }
    svg.line(turn(-8, 0), turn(8, 0), r##"stroke="#fffaf0" stroke-width="7""##);
    for side in [-1, 1] {
        let [a, b, c, d] = [turn(-12, 9 * side), turn(-8, 5 * side), turn(8, 5 * side), turn(12, 9 * side)];
        svg.path(
            &format!("M{} {}L{} {}L{} {}L{} {}", a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]),
            &format!(r#"fill="none" stroke="{INK}" stroke-width="2.5" stroke-linejoin="round""#),
        );
    }
}

/// Names of rivers and lakes, along the water where it is straightest and least covered.
pub(super) fn water_names(svg: &mut Svg, map: &MapSection, taken: &[Rect]) {
    for water in &map.waters {
        let size = if water.lake { 24 } else { 16 };
        let style = Style { size, italic: true, fill: WATER_INK, anchor: "middle", halo: !water.lake, ..Style::default() };
        let long = metrics::width(&water.name, size, false);
        let found = if water.lake { long_axis(&water.points) } else { straightest(&water.points, long + 12, taken) };
        let Some((mut a, mut b)) = found else { continue };
        if b[0] < a[0] {
            (a, b) = (b, a);
        }
        let [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
        let reach = root(square(a, b)).max(1);
        // Thousandths of the cosine and sine of the angle, printed as decimals.
        let (cos, sin) = ((b[0] - a[0]) * 1000 / reach, (b[1] - a[1]) * 1000 / reach);
        let turn = format!("matrix({} {} {} {} {x} {y})", mille(cos), mille(sin), mille(-sin), mille(cos));
        let lift = if water.lake { 8 } else { -6 };
        svg.text_turned([0, lift], &water.name, style, &turn);
    }
}

fn mille(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", value.abs() / 1000, value.abs() % 1000)
}

/// The whole root of a square.
fn root(square: i64) -> i64 {
    square.max(0).isqrt()
}

/// The two points of an outline that are farthest apart, drawn a bit together.
fn long_axis(outline: &[[i64; 2]]) -> Option<([i64; 2], [i64; 2])> {
    let pairs = outline.iter().flat_map(|a| outline.iter().map(move |b| (*a, *b)));
    pairs.max_by_key(|(a, b)| square(*a, *b))
}

/// The stretch of a river, of about a length, that is straightest and lies least under other things.
fn straightest(line: &[[i64; 2]], long: i64, taken: &[Rect]) -> Option<([i64; 2], [i64; 2])> {
    let points = spread(line);
    let steps = usize::try_from(long / 12).unwrap_or(1).max(1);
    let stretches = points.windows(steps + 1).filter_map(|part| {
        let (a, b) = (*part.first()?, *part.last()?);
        let bend: i64 = part.iter().map(|point| root(from_line(*point, a, b))).sum();
        let under: i64 = (part.iter())
            .map(|point| Rect::round(point[0], point[1] - 8, 16, 22))
            .map(|spot| taken.iter().filter(|rect| rect.shared(&spot) > 0).count())
            .filter_map(|count| i64::try_from(count).ok())
            .sum();
        Some((bend + under * 60, (a, b)))
    });
    stretches.min_by_key(|(cost, _)| *cost).map(|(_, ends)| ends)
}

/// Points every twelve points along a line.
fn spread(line: &[[i64; 2]]) -> Vec<[i64; 2]> {
    let mut points = Vec::new();
    for ends in line.windows(2) {
        let &[a, b] = ends else { continue };
        let steps = (root(square(a, b)) / 12).max(1);
        points.extend((0..steps).map(|step| [0, 1].map(|axis: usize| a[axis] + (b[axis] - a[axis]) * step / steps)));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_outlines() {
        let outline = [[0, 0], [10, 0], [10, 10], [0, 10]];
        assert!(inside(&outline, [5, 5]));
        assert!(!inside(&outline, [15, 5]));
    }

    #[test]
    fn names_avoid_what_is_taken() {
        let river = [[0, 50], [400, 50]];
        let taken = [Rect { x: 0, y: 0, w: 200, h: 100 }];
        let (a, _) = straightest(&river, 100, &taken).unwrap_or_default();
        assert!(a[0] >= 200, "{a:?}");
        assert_eq!(mille(-87), "-0.087");
    }
}
