//! Lines of sight over hexes of several levels, in whole numbers.

use super::{Grid, GridSpot, HexMap};
use crate::game::{Area, MapIndex};

/// The straight line between the centres of two hexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SightLine {
    /// The hexes between the two through which it goes over some length, in its direction. Where it
    /// runs along a hexside, both hexes of that side are among them; a hex that it only touches at
    /// a corner is not.
    pub between: Vec<usize>,
    /// The hexsides that it crosses: the hex before and the hex behind. One along which it runs is
    /// not crossed.
    pub crossed: Vec<(usize, usize)>,
}

/// Where a line enters a hex and where it leaves it, in parts of its length.
type Stretch = (i128, i128);

/// Distances from the centre line of each of the three pairs of opposite sides. Those sides stand
/// at 2 and -2.
fn across(GridSpot { line, half }: GridSpot) -> [i128; 3] {
    let (line, half) = (i128::from(line), i128::from(half));
    [2 * half, 3 * line + half, 3 * line - half]
}

/// A line, with the values that are the same for all hexes that it could meet.
struct Course {
    start: [i128; 3],
    step: [i128; 3],
    /// The parts of its length that are counted.
    parts: i128,
}

impl Course {
    fn new(from: GridSpot, to: GridSpot) -> Self {
        let (start, end) = (across(from), across(to));
        let step = [0, 1, 2].map(|pair: usize| end[pair] - start[pair]);
        let parts = step.iter().filter(|step| **step != 0);
        Self {
            start,
            step,
            parts: parts.map(|step| step.abs()).product(),
        }
    }

    /// Where it goes through a hex over some length, its sides included.
    fn stretch(&self, spot: GridSpot) -> Option<Stretch> {
        let mut found = (i128::MIN, i128::MAX);
        let pairs = across(spot).into_iter().zip(self.start).zip(self.step);
        for ((there, start), step) in pairs {
            let offset = there - start;
            if step == 0 {
                if offset.abs() > 2 {
                    return None;
                }
                continue;
            }
            let unit = self.parts / step;
            let ends = [(offset - 2) * unit, (offset + 2) * unit];
            found.0 = found.0.max(ends[0].min(ends[1]));
            found.1 = found.1.min(ends[0].max(ends[1]));
        }
        (found.0 < found.1).then_some(found)
    }
}

impl Grid {
    /// The straight line from the centre of a hex to that of another.
    #[must_use]
    pub fn sight_line(&self, from: usize, to: usize) -> SightLine {
        let mut line = SightLine::default();
        if from == to {
            return line;
        }
        let course = Course::new(self.spot(from), self.spot(to));
        // One hex, or the two of a side along which the line runs.
        let mut here = vec![from];
        while !here.is_empty() && !here.contains(&to) {
            let mut next = Vec::new();
            for &hex in &here {
                let left = course.stretch(self.spot(hex)).map(|stretch| stretch.1);
                for other in (0..6).filter_map(|direction| self.neighbour(hex, direction)) {
                    let entered = course.stretch(self.spot(other)).map(|stretch| stretch.0);
                    if left.is_some() && entered == left {
                        line.crossed.push((hex, other));
                        if !next.contains(&other) {
                            next.push(other);
                        }
                    }
                }
            }
            next.sort_unstable();
            line.between.extend(next.iter().filter(|hex| **hex != to));
            here = next;
        }
        line
    }
}

/// The effect of a terrain on lines of sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerrainCover {
    /// The height of what stands there above its ground, in levels.
    pub raised: i64,
    /// True if only a viewer above it can see past it, and if it hides lower hexes behind it.
    pub screens: bool,
}

/// Who sees what on a map of hexes.
#[derive(Debug)]
pub struct Sight<'a> {
    map: &'a MapIndex,
    hexes: &'a HexMap,
    covers: Vec<TerrainCover>,
    bodies: Area,
}

impl<'a> Sight<'a> {
    /// Sight over a map of hexes, with the cover of each terrain in the order of the map, and the
    /// hexes where somebody stands in the way; none over a map of points.
    #[must_use]
    pub fn new(map: &'a MapIndex, covers: Vec<TerrainCover>, bodies: Area) -> Option<Self> {
        Some(Self {
            hexes: map.hexes()?,
            map,
            covers,
            bodies,
        })
    }

    /// Returns true if nothing blocks the line between two hexes. Both ends are at the level of
    /// their ground, and nothing on them blocks. Neighbours always see each other.
    #[must_use]
    pub fn is_clear(&self, a: usize, b: usize) -> bool {
        let grid = self.hexes.grid();
        if grid.distance(a, b) < 2 {
            return true;
        }
        let line = grid.sight_line(a, b);
        let high = self.hexes.level(a).max(self.hexes.level(b));
        let crest = |side: &(usize, usize)| self.hexes.crest(side.0, side.1);
        let over = line.crossed.iter().filter_map(crest);
        !over.into_iter().any(|crest| crest > high)
            && !line.between.iter().any(|hex| self.blocks(*hex, a, b))
    }

    /// Returns true if a hex between blocks the line of two others.
    fn blocks(&self, hex: usize, a: usize, b: usize) -> bool {
        let [ground, at_a, at_b] = [hex, a, b].map(|hex| self.hexes.level(hex));
        let (low, high) = (at_a.min(at_b), at_a.max(at_b));
        let terrain = self.map.terrain(hex);
        let cover = self.covers.get(terrain).copied().unwrap_or_default();
        let top = ground + cover.raised;
        if top > high || self.bodies.contains(hex) && ground >= high {
            return true;
        }
        if !cover.screens || top < low {
            return false;
        }
        // A viewer above it looks over it, but not at what lies close behind.
        let (lower, higher) = if at_a < at_b { (a, b) } else { (b, a) };
        let grid = self.hexes.grid();
        top >= high || grid.distance(hex, lower) <= grid.distance(hex, higher)
    }
}
