//! From degrees to points of the picture, in whole numbers: the same bytes on every machine.

use crate::game::Map;

/// Width of a picture in points; its height follows from the map.
const WIDTH: i64 = 1600;
/// Free space round the outermost spaces.
const MARGIN: i64 = 100;
/// A degree of latitude in metres, divided by the thousand in which coordinates are given.
const METRES: i64 = 111;
/// Fraction of the scale.
const FINE: i64 = 1_000_000;

/// An equirectangular projection that is true to scale in the middle of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    west: i64,
    north: i64,
    /// Points for a thousandth of a degree of latitude, times [`FINE`].
    scale: i64,
    /// Cosine of the middle latitude, times [`FINE`].
    cosine: i64,
    height: i64,
}

impl Projection {
    /// The projection that fits all spaces of a map in the picture.
    pub(super) fn of(map: &Map) -> Self {
        let span = |values: &mut dyn Iterator<Item = i64>| {
            values.fold(None, |span: Option<(i64, i64)>, value| {
                let (low, high) = span.unwrap_or((value, value));
                Some((low.min(value), high.max(value)))
            })
        };
        let lats = span(&mut map.spaces.iter().map(|space| space.lat)).unwrap_or_default();
        let lons = span(&mut map.spaces.iter().map(|space| space.lon)).unwrap_or_default();
        let cosine = cosine((lats.0 + lats.1) / 2);
        let wide = ((lons.1 - lons.0) * cosine / FINE).max(1);
        let high = (lats.1 - lats.0).max(1);
        // A map that is much higher than wide is fitted by its height.
        let room = WIDTH - 2 * MARGIN;
        let scale = (room * FINE / wide).min(room * FINE / high);
        Self {
            west: lons.0 - (room * FINE / scale - wide) / 2 * FINE / cosine,
            north: lats.1,
            scale,
            cosine,
            height: high * scale / FINE + 2 * MARGIN,
        }
    }

    pub(super) fn width(&self) -> i64 {
        WIDTH
    }

    pub(super) fn height(&self) -> i64 {
        self.height
    }

    /// Points for ten kilometres.
    pub(super) fn ten_km(&self) -> i64 {
        10_000 * self.scale / METRES / FINE
    }

    /// The point of a place given in thousandths of a degree.
    pub(super) fn point(&self, lat: i64, lon: i64) -> [i64; 2] {
        let east = (lon - self.west) * self.cosine / FINE;
        [
            MARGIN + east * self.scale / FINE,
            MARGIN + (self.north - lat) * self.scale / FINE,
        ]
    }
}

impl Projection {
    /// A river runs on to the edge of the picture where it leaves the country of the spaces.
    pub(super) fn run_out(&self, mut river: Vec<[i64; 2]>) -> Vec<[i64; 2]> {
        for _ in 0..2 {
            if let [.., before, last] = river.as_slice()
                && self.outside(*last)
            {
                let further = [0, 1].map(|axis: usize| {
                    let way = last[axis] - before[axis];
                    let step = (last[0] - before[0])
                        .abs()
                        .max((last[1] - before[1]).abs())
                        .max(1);
                    last[axis] + way * 3 * MARGIN / step
                });
                river.push(further);
            }
            river.reverse();
        }
        river
    }

    fn outside(&self, [x, y]: [i64; 2]) -> bool {
        let within = |at: i64, size: i64| (MARGIN..=size - MARGIN).contains(&at);
        !within(x, WIDTH) || !within(y, self.height)
    }
}

/// The cosine of a latitude in thousandths of a degree, times [`FINE`]: Bhaskara's formula, good to
/// two parts in a thousand, which no map of a campaign shows.
pub(super) fn cosine(lat: i64) -> i64 {
    let square = lat.clamp(-85_000, 85_000).pow(2) / FINE;
    (32_400 - 4 * square) * FINE / (32_400 + square)
}

/// Where the way from `a` to `b` first crosses a line of points.
pub(super) fn crossing(a: [i64; 2], b: [i64; 2], line: &[[i64; 2]]) -> Option<[i64; 2]> {
    let cross = |p: [i64; 2], q: [i64; 2]| p[0] * q[1] - p[1] * q[0];
    let sub = |p: [i64; 2], q: [i64; 2]| [p[0] - q[0], p[1] - q[1]];
    let way = sub(b, a);
    line.windows(2).find_map(|ends| {
        let &[from, to] = ends else { return None };
        let reach = sub(to, from);
        let area = cross(way, reach);
        let (along, across) = (cross(sub(from, a), reach), cross(sub(from, a), way));
        let inside = |part: i64| part * area.signum() >= 0 && part.abs() <= area.abs();
        let hit = area != 0 && inside(along) && inside(across);
        hit.then(|| [a[0] + way[0] * along / area, a[1] + way[1] * along / area])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_is_close() {
        for (lat, exact) in [(0, 1_000_000), (45_600, 699_663), (60_000, 500_000)] {
            assert!(
                (cosine(lat) - exact).abs() < 2_500,
                "{lat}: {}",
                cosine(lat)
            );
        }
    }

    #[test]
    fn rivers_run_out_of_the_picture() {
        let projection = Projection {
            west: 0,
            north: 0,
            scale: 1,
            cosine: 1,
            height: 1000,
        };
        let river = projection.run_out(vec![[500, 500], [1400, 500], [1540, 500]]);
        assert_eq!(river, [[500, 500], [1400, 500], [1540, 500], [1840, 500]]);
    }

    #[test]
    fn ways_cross_rivers() {
        let river = [[50, -100], [50, 100]];
        assert_eq!(crossing([0, 0], [100, 20], &river), Some([50, 10]));
        assert_eq!(crossing([0, 0], [40, 0], &river), None);
        assert_eq!(crossing([50, 0], [50, 10], &river), None);
    }
}
