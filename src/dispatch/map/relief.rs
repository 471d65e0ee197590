//! Mountains: two tints with soft outlines, and little peaks as old maps have them.
//!
//! A field of heights is laid over the picture: high near mountain spaces and the ways between
//! them, low near all others. Its outlines are found cell by cell (marching squares).

use std::fmt::Write as _;

use super::{
    MapSection, MapSpace,
    geometry::{inside, is_near, root, to_line},
    place::Rect,
    svg::Svg,
};
use crate::dispatch::Relief;

const LOW: &str = "#ecdfbe";
const MIDDLE: &str = "#dfcda2";
const HIGH: &str = "#d0b985";
const PEAK: &str = "#8f744a";
/// Side of a cell.
const CELL: i64 = 16;
/// How far mountains reach from their spaces.
const REACH: i64 = 150;
/// What lies farther away changes no height that is drawn.
const FAR: i64 = REACH + 50;

/// Heights at the corners of the cells; above nought is mountain.
pub(super) struct Heights {
    wide: usize,
    high: usize,
    at: Vec<i64>,
}

impl Heights {
    /// The heights of a map; nothing if it has no mountains.
    pub(super) fn of(map: &MapSection) -> Option<Self> {
        let rises = |space: &&MapSpace| space.relief == Relief::Mountain;
        let (mountains, others): (Vec<_>, Vec<_>) = map.spaces.iter().partition(rises);
        let ridges = map.roads.iter().filter_map(|road| {
            let ends = map.spaces.get(road.a).zip(map.spaces.get(road.b));
            ends.filter(|(a, b)| rises(a) && rises(b))
        });
        let ridges: Vec<_> = (ridges.map(|(a, b)| ([a.x, a.y], [b.x, b.y])))
            .chain(
                mountains
                    .iter()
                    .map(|space| ([space.x, space.y], [space.x, space.y])),
            )
            .collect();
        if ridges.is_empty() {
            return None;
        }
        let others = others
            .iter()
            .map(|space| ([space.x, space.y], [space.x, space.y]));
        let cells = |size: i64| usize::try_from(size / CELL + 2).unwrap_or(2);
        let (wide, high) = (cells(map.width), cells(map.height));
        let to_ridges = distances(ridges.into_iter(), wide, high);
        let to_others = distances(others, wide, high);
        let corners = (0..high).flat_map(|row| (0..wide).map(move |column| point(column, row)));
        let at = corners
            .zip(to_ridges.into_iter().zip(to_others))
            .map(|(corner, (ridge, other))| {
                let room = (other - 34) - ridge * 6 / 10;
                (REACH - ridge).min(room) + rough(corner) - 10
            })
            .collect();
        Some(Self { wide, high, at })
    }

    fn corner(&self, column: usize, row: usize) -> i64 {
        self.at.get(row * self.wide + column).copied().unwrap_or(-1)
    }

    /// The height of the cell that a point lies in.
    fn height(&self, [x, y]: [i64; 2]) -> i64 {
        let cell = |at: i64| usize::try_from(at.max(0) / CELL).unwrap_or(0);
        self.corner(cell(x), cell(y))
    }

    /// The outline of all that is higher than a level.
    fn outline(&self, level: i64) -> String {
        let mut d = String::new();
        for row in 0..self.high.saturating_sub(1) {
            let mut run: Option<usize> = None;
            for column in 0..self.wide {
                let inside = column + 1 < self.wide;
                let higher = if inside {
                    self.higher(column, row, level)
                } else {
                    0
                };
                let full = higher == 4;
                match (run, full) {
                    (None, true) => run = Some(column),
                    (Some(first), false) => {
                        let ([x, y], right) = (point(first, row), point(column, row)[0]);
                        let _ = write!(d, "M{x} {y}H{right}v{CELL}H{x}z");
                        run = None;
                    }
                    _ => {}
                }
                if (1..4).contains(&higher) {
                    self.edge(&mut d, column, row, level);
                }
            }
        }
        d
    }

    /// How many corners of a cell are higher than a level: most cells lie all below it.
    fn higher(&self, column: usize, row: usize, level: i64) -> usize {
        let of_row = |row: usize| {
            let left = self.corner(column, row) > level;
            usize::from(left) + usize::from(self.corner(column + 1, row) > level)
        };
        of_row(row) + of_row(row + 1)
    }

    /// The corners of a cell with their heights, in a circle.
    fn cell(&self, column: usize, row: usize) -> [([i64; 2], i64); 4] {
        [
            (column, row),
            (column + 1, row),
            (column + 1, row + 1),
            (column, row + 1),
        ]
        .map(|(column, row)| (point(column, row), self.corner(column, row)))
    }

    /// The part of a cell that is higher than a level.
    fn edge(&self, d: &mut String, column: usize, row: usize, level: i64) {
        let cell = self.cell(column, row);
        let mut pen = 'M';
        for ((a, from), (b, to)) in cell.iter().zip(cell.iter().cycle().skip(1)) {
            if *from > level {
                let _ = write!(d, "{pen}{} {}", a[0], a[1]);
                pen = 'L';
            }
            if (*from > level) != (*to > level) {
                let [x, y] = [0, 1].map(|axis: usize| {
                    a[axis] + (b[axis] - a[axis]) * (level - from) / (to - from)
                });
                let _ = write!(d, "{pen}{x} {y}");
                pen = 'L';
            }
        }
        if pen == 'L' {
            d.push('z');
        }
    }
}

/// By corner of the cells, the distance to the nearest of some lines between two ends; `FAR` where
/// none is nearer.
fn distances(
    lines: impl Iterator<Item = ([i64; 2], [i64; 2])>,
    wide: usize,
    high: usize,
) -> Vec<i64> {
    let mut squares = vec![FAR * FAR; wide * high];
    for (a, b) in lines {
        let [columns, rows] = [(0, wide), (1, high)].map(|(axis, count): (usize, usize)| {
            let cell = |at: i64| usize::try_from(at.max(0) / CELL).unwrap_or(0);
            let ends = [a[axis].min(b[axis]) - FAR, a[axis].max(b[axis]) + FAR];
            cell(ends[0])..count.min(cell(ends[1]) + 1)
        });
        for row in rows {
            for column in columns.clone() {
                if let Some(known) = squares.get_mut(row * wide + column) {
                    *known = (*known).min(to_line(point(column, row), a, b));
                }
            }
        }
    }
    squares.into_iter().map(root).collect()
}

fn point(column: usize, row: usize) -> [i64; 2] {
    [column, row].map(|cells| i64::try_from(cells).unwrap_or(0) * CELL)
}

/// Unevenness that looks drawn by hand: a value for each knot of a wide net, smooth in between.
fn rough([x, y]: [i64; 2]) -> i64 {
    const NET: i64 = 96;
    let knot = |column: i64, row: i64| {
        let mixed = (column * 374_761_393 + row * 668_265_263) ^ 0x5bd1;
        (mixed ^ (mixed >> 13))
            .wrapping_mul(1_274_126_177)
            .rem_euclid(65)
            - 32
    };
    let (column, row) = (x.div_euclid(NET), y.div_euclid(NET));
    let (right, down) = (x.rem_euclid(NET), y.rem_euclid(NET));
    let across =
        |row: i64| (knot(column, row) * (NET - right) + knot(column + 1, row) * right) / NET;
    (across(row) * (NET - down) + across(row + 1) * down) / NET
}

/// Draws the tints.
pub(super) fn tints(svg: &mut Svg, heights: &Heights) {
    for (tint, level) in [(LOW, 0), (MIDDLE, 45), (HIGH, 88)] {
        let paint =
            format!(r#"fill="{tint}" stroke="{tint}" stroke-width="1" stroke-linejoin="round""#);
        svg.path(&heights.outline(level), &paint);
    }
}

/// Draws little peaks where nothing else is, a bit out of line so that they look drawn by hand.
pub(super) fn peaks(svg: &mut Svg, map: &MapSection, heights: &Heights, kept_free: &[Rect]) {
    let mut d = String::new();
    let (mut y, mut row) = (24, 0);
    while y < map.height - 24 {
        let mut x = 24 + row % 2 * 24;
        while x < map.width - 24 {
            let at = [x + (x * 7 + y * 13) % 17 - 8, y + (x * 11 + y * 5) % 13 - 6];
            let height = heights.height(at);
            if height > 14 && free(map, kept_free, at) {
                let size = 5 + height.min(100) / 16 + (x * 3 + y * 7) % 3;
                let [left, foot] = [at[0] - size, at[1] + size / 2];
                let _ = write!(
                    d,
                    "M{left} {foot}l{size} -{size}l{size} {size}M{} {}l3 {}",
                    at[0],
                    foot - size,
                    size - 2
                );
            }
            x += 48;
        }
        y += 28;
        row += 1;
    }
    // None covers another, so that they need no layer of their own to be paler together.
    svg.path(&d, &format!(r#"fill="none" stroke="{PEAK}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round" stroke-opacity="0.7""#));
}

fn free(map: &MapSection, kept_free: &[Rect], at: [i64; 2]) -> bool {
    let spot = Rect::round(at[0], at[1], 28, 22);
    let far = |a, b, from: i64| !is_near(at, a, b, from);
    kept_free.iter().all(|rect| rect.shared(&spot) == 0)
        && map.waters.iter().all(|water| {
            let dry = water.points.windows(2).all(|ends| match ends {
                [a, b] => far(*a, *b, 18),
                _ => true,
            });
            dry && !(water.lake && inside(&water.points, at))
        })
        && map.roads.iter().all(|road| {
            let ends = map.spaces.get(road.a).zip(map.spaces.get(road.b));
            ends.is_none_or(|(a, b)| far([a.x, a.y], [b.x, b.y], 20))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_run_between_corners() {
        let heights = Heights {
            wide: 3,
            high: 2,
            at: vec![10, 10, -10, 10, 10, -10],
        };
        assert_eq!(heights.outline(0), "M0 0H16v16H0zM16 0L24 0L24 16L16 16z");
        assert_eq!(heights.outline(50), "");
    }

    #[test]
    fn near_distances_are_exact_and_others_far() {
        let lines = [
            ([40, 300], [260, 90]),
            ([900, 700], [700, 900]),
            ([500, 20], [500, 20]),
            ([-150, 500], [-40, 640]),
        ];
        let (wide, high) = (60, 50);
        let found = distances(lines.into_iter(), wide, high);
        for (index, distance) in found.into_iter().enumerate() {
            let corner = point(index % wide, index / wide);
            let nearest = lines.map(|(a, b)| root(to_line(corner, a, b)));
            let nearest = nearest.into_iter().fold(FAR, i64::min);
            assert_eq!(distance, nearest, "{corner:?}");
        }
    }

    #[test]
    fn roughness_is_smooth() {
        for x in 0..400 {
            assert!((rough([x, 50]) - rough([x + 1, 50])).abs() <= 2);
        }
    }
}
