//! Rivers and lakes with their names.

use std::sync::Arc;

use super::{
    MapSection, MapWater,
    geometry::{root, spread, square, to_line},
    lake::{Berth, Lake},
    metrics,
    place::Rect,
    svg::{Style, Svg, smooth},
};

pub(super) const WATER: &str = "#a9cbe0";
const SHORE: &str = "#5f93b5";
const INK: &str = "#2f6690";
/// Size of a river's name.
const RIVER: i64 = 17;
/// Sizes of a lake's name: as large as the lake allows.
const LAKE: [i64; 4] = [28, 24, 20, 16];

/// Draws the waters: rivers below lakes.
pub(super) fn waters(svg: &mut Svg, map: &MapSection) {
    for (paint, width) in [(SHORE, 8), (WATER, 5)] {
        for water in map.waters.iter().filter(|water| !water.lake) {
            let line = smooth(&water.points, false);
            svg.path(&line, &format!(r#"fill="none" stroke="{paint}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round""#));
        }
    }
    for water in map.waters.iter().filter(|water| water.lake) {
        svg.path(
            &smooth(&water.points, true),
            &format!(
                r#"fill="{WATER}" stroke="{SHORE}" stroke-width="2.5" stroke-linejoin="round""#
            ),
        );
    }
}

/// Where a name stands: its centre, and the direction of its line.
#[derive(Clone, Debug)]
pub(super) struct Name {
    text: String,
    size: i64,
    at: [i64; 2],
    /// Any length; to the right.
    way: [i64; 2],
    /// How far the baseline lies below the centre.
    lift: i64,
    halo: bool,
}

impl Name {
    /// The ground that it covers, as a few squares along it.
    pub(super) fn covers(&self) -> Vec<Rect> {
        let wide = metrics::width(&self.text, self.size, false);
        let long = root(square([0, 0], self.way)).max(1);
        (0..=4)
            .map(|part| wide * part / 4 - wide / 2)
            .map(|along| {
                let [x, y] =
                    [0, 1].map(|axis: usize| self.at[axis] + self.way[axis] * along / long);
                Rect::round(x, y, self.size, self.size)
            })
            .collect()
    }

    /// Draws the water.
    pub(super) fn draw(&self, svg: &mut Svg) {
        let long = root(square([0, 0], self.way)).max(1);
        // Thousandths of the cosine and the sine of the angle, printed as decimals.
        let [cos, sin] = self.way.map(|part| part * 1000 / long);
        let turn = format!(
            "matrix({} {} {} {} {} {})",
            mille(cos),
            mille(sin),
            mille(-sin),
            mille(cos),
            self.at[0],
            self.at[1]
        );
        let style = Style {
            size: self.size,
            italic: true,
            fill: INK,
            anchor: "middle",
            halo: self.halo,
            ..Style::default()
        };
        svg.text_turned([0, self.lift], &self.text, style, &turn);
    }
}

fn mille(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", value.abs() / 1000, value.abs() % 1000)
}

/// The name of a lake, placed where it has most room and nothing lies on it; none for a lake
/// without a name.
pub(super) fn lake_name(water: &MapWater, taken: &[Rect]) -> Option<Name> {
    let lake = Lake::of(&water.points);
    LAKE.into_iter().find_map(|size| {
        let round = lake.round().grown(size);
        let on_it = taken.iter().filter(|rect| rect.shared(&round) > 0);
        let on_it: Vec<Rect> = on_it.copied().collect();
        let berths = berths(water, &lake, size);
        let berth = berths.iter().find(|berth| berth.is_free(&on_it))?;
        Some(Name {
            text: water.name.clone(),
            size,
            at: berth.at,
            way: berth.way,
            lift: size / 3,
            halo: false,
        })
    })
}

/// Returns true if a lake is large enough to hold its name.
pub(super) fn holds_its_name(water: &MapWater) -> bool {
    let lake = Lake::of(&water.points);
    let mut sizes = LAKE.into_iter();
    sizes.any(|size| !berths(water, &lake, size).is_empty())
}

fn berths(water: &MapWater, lake: &Lake, size: i64) -> Arc<[Berth]> {
    lake.berths(size, metrics::width(&water.name, size, false) + size)
}

/// The name of a small lake beside it: its centre and the size of the text.
pub(super) fn beside(water: &MapWater) -> ([i64; 2], [i64; 2]) {
    let n = i64::try_from(water.points.len()).unwrap_or(1).max(1);
    let middle =
        [0, 1].map(|axis: usize| water.points.iter().map(|point| point[axis]).sum::<i64>() / n);
    (
        middle,
        [metrics::width(&water.name, RIVER, false) + 4, RIVER + 2],
    )
}

/// Draws the name of a small lake in its place.
pub(super) fn beside_name(svg: &mut Svg, water: &MapWater, place: Rect) {
    let style = Style {
        size: RIVER,
        italic: true,
        fill: INK,
        anchor: "middle",
        halo: true,
        ..Style::default()
    };
    svg.text(
        [place.x + place.w / 2, place.y + place.h - 4],
        &water.name,
        style,
    );
}

/// The name of a river, along the stretch that is straightest and least covered.
pub(super) fn river_name(map: &MapSection, water: &MapWater, taken: &[Rect]) -> Option<Name> {
    let page = Rect {
        x: 0,
        y: 0,
        w: map.width,
        h: map.height,
    }
    .grown(-40);
    let long = metrics::width(&water.name, RIVER, false) + 14;
    let points: Vec<_> = (spread(&water.points).into_iter())
        .filter(|point| Rect::round(point[0], point[1], 2, 2).shared(&page) > 0)
        .collect();
    let steps = usize::try_from(long / 12).unwrap_or(1).max(1);
    let stretches = points.windows(steps + 1).filter_map(|part| {
        let (a, b) = (*part.first()?, *part.last()?);
        let bend: i64 = part.iter().map(|point| root(to_line(*point, a, b))).sum();
        let under: i64 = (part.iter())
            .map(|point| Rect::round(point[0], point[1] - 6, 20, 26))
            .map(|spot| taken.iter().filter(|rect| rect.shared(&spot) > 0).count())
            .filter_map(|count| i64::try_from(count).ok())
            .sum();
        let roads: i64 = (map.roads.iter().filter_map(|road| road.crossing))
            .filter(|crossing| part.iter().any(|point| square(*crossing, *point) < 30 * 30))
            .map(|_| 40)
            .sum();
        Some((bend + under * 60 + roads, a, b))
    });
    let (_, mut a, mut b) = stretches.min_by_key(|(cost, _, _)| *cost)?;
    if b[0] < a[0] {
        (a, b) = (b, a);
    }
    Some(Name {
        text: water.name.clone(),
        size: RIVER,
        at: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
        way: [b[0] - a[0], b[1] - a[1]],
        lift: -7,
        halo: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn water(lake: bool, points: &[[i64; 2]]) -> MapWater {
        MapWater {
            name: "Aa".to_owned(),
            lake,
            points: points.to_vec(),
        }
    }

    #[test]
    fn river_names_avoid_what_is_taken() {
        let map = MapSection {
            width: 500,
            height: 200,
            ..MapSection::default()
        };
        let river = water(false, &[[50, 100], [450, 100]]);
        let taken = [Rect {
            x: 0,
            y: 50,
            w: 220,
            h: 100,
        }];
        let name = river_name(&map, &river, &taken);
        assert!(name.is_some_and(|name| name.at[0] > 220));
        assert_eq!(mille(-87), "-0.087");
    }

    #[test]
    fn lakes_hold_their_names_or_have_none() {
        let narrow = lake_name(&water(true, &[[0, 0], [4, 0], [4, 200], [0, 200]]), &[]);
        assert!(narrow.is_none());
        let upright = water(true, &[[0, 0], [60, 0], [60, 300], [0, 300]]);
        let name = lake_name(&upright, &[]);
        assert!(name.is_some_and(|name| name.at[0] > 15 && name.at[0] < 45));
        let plate = Rect {
            x: 0,
            y: 0,
            w: 60,
            h: 200,
        };
        assert!(lake_name(&upright, &[plate]).is_some_and(|name| name.at[1] > 200));
    }
}
