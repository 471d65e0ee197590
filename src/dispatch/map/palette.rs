//! At most 24 colours for a picture (64 where it says that it has many): each point is then one
//! byte, and the file less than half as large. A map has about a dozen grounds; the rest are
//! shades at the edges of letters and lines.
//!
//! Invariant: the same points give the same bytes everywhere; it uses no fractions.

use std::{collections::BinaryHeap, iter};

/// The most colours of a picture. With 64 its file is an eighth larger, and nobody sees a
/// difference.
pub(super) const FEW: usize = 24;
/// The most colours of a picture whose sides and their grounds alone are more than that.
pub(super) const MANY: usize = 64;
/// Bits of each of red, green and blue that tell cells apart.
const BITS: u32 = 6;

/// Points of one colour in a row that are no mere shade at an edge.
const SHORTEST: usize = 3;
/// How much more a point in an area counts than a shade: a small marker keeps its colour.
const AREA: u64 = 8;

/// A picture of few colours.
pub(super) struct PalettePicture {
    /// Red, green and blue of each colour.
    pub palette: Vec<u8>,
    /// The colour of each point.
    pub points: Vec<u8>,
}

/// Reduces a picture to a palette. Whole areas keep their exact colour; the thousands of shades at
/// their edges take one that is near.
pub(super) fn indexed<C: Copy + PartialEq>(
    points: &[C],
    colour: fn(C) -> [u8; 3],
    most: usize,
) -> PalettePicture {
    let runs = || {
        points
            .chunk_by(PartialEq::eq)
            .filter_map(|run| Some((colour(*run.first()?), run.len())))
    };
    let cells = cells(runs());
    let mut entries = vec![0; cells.len()];
    let mut palette = Vec::with_capacity(3 * most);
    for (entry, group) in (0..=u8::MAX).zip(groups(&cells, most)) {
        // The largest area has its very colour.
        let main = group.iter().max_by_key(|at| cells[**at].points);
        palette.extend(main.map(|at| cells[*at].colour).unwrap_or_default());
        group.iter().for_each(|at| entries[*at] = entry);
    }
    let mut indexed = Vec::with_capacity(points.len());
    for (colour, count) in runs() {
        indexed.extend(iter::repeat_n(entries[cell_of(colour)], count));
    }
    PalettePicture {
        palette,
        points: indexed,
    }
}

/// Colours so near each other that nobody sees a difference.
#[derive(Clone, Copy, Default)]
struct Cell {
    /// Their number of points, each point of an area counted as many times as it has shades.
    points: u64,
    /// The colour that more than half of these points have, if there is one.
    colour: [u8; 3],
    /// How far this colour is ahead of the others.
    lead: u64,
}

/// The number of the cell of a colour.
#[inline]
fn cell_of([red, green, blue]: [u8; 3]) -> usize {
    let high = |part: u8| usize::from(part >> (u8::BITS - BITS));
    high(red) << (2 * BITS) | high(green) << BITS | high(blue)
}

/// How much red (0), green (1) or blue (2) the colours of a cell have.
fn part(cell: usize, which: u32) -> u64 {
    (cell >> ((2 - which) * BITS)) as u64 & ((1 << BITS) - 1)
}

/// Counts the points of all cells, from runs of points of one colour.
fn cells(runs: impl Iterator<Item = ([u8; 3], usize)>) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); 1 << (3 * BITS)];
    for (colour, length) in runs {
        let cell = &mut cells[cell_of(colour)];
        let points = length as u64 * if length < SHORTEST { 1 } else { AREA };
        cell.points += points;
        if cell.colour == colour {
            cell.lead += points;
        } else if cell.lead < points {
            cell.colour = colour;
            cell.lead = points - cell.lead;
        } else {
            cell.lead -= points;
        }
    }
    cells
}

/// Cells that share an entry of the palette: all of them are cut in two, then always the group
/// whose colours differ most.
fn groups(cells: &[Cell], most: usize) -> Vec<Vec<usize>> {
    let used: Vec<usize> = (0..cells.len())
        .filter(|at| cells[*at].points > 0)
        .collect();
    let mut groups = BinaryHeap::from([(Variance::of(&used, cells).amount, used)]);
    while groups.len() < most && groups.peek().is_some_and(|(amount, _)| *amount > 0) {
        let Some((_, group)) = groups.pop() else {
            break;
        };
        let variance = Variance::of(&group, cells);
        let (low, high): (Vec<_>, Vec<_>) = group
            .into_iter()
            .partition(|at| part(*at, variance.along) <= variance.mean);
        groups.extend([low, high].map(|half| (Variance::of(&half, cells).amount, half)));
    }
    let groups = groups.into_sorted_vec().into_iter().rev();
    groups.map(|(_, group)| group).collect()
}

/// How much the colours of a group differ.
struct Variance {
    /// Of all points together, the square of what lies between each and the mean.
    amount: u64,
    /// The channel in which they differ most: red, green or blue.
    along: u32,
    /// The mean of this part.
    mean: u64,
}

impl Variance {
    fn of(group: &[usize], cells: &[Cell]) -> Self {
        let along = |which: u32| {
            let (mut points, mut sum, mut squares) = (0, 0, 0);
            for at in group {
                let (count, value) = (cells[*at].points, part(*at, which));
                points += count;
                sum += count * value;
                squares += count * value * value;
            }
            let points = points.max(1);
            Self {
                // A group of different colours is never said to be of one.
                amount: squares - square_over(sum, points),
                along: which,
                mean: sum / points,
            }
        };
        let [red, green, blue] = [0, 1, 2].map(along);
        let more = |a: Self, b: Self| if b.amount > a.amount { b } else { a };
        more(more(green, red), blue)
    }
}

/// A square divided by a number of points: of a large picture the square has more than 64 bits.
fn square_over(sum: u64, points: u64) -> u64 {
    let square = u128::from(sum) * u128::from(sum);
    u64::try_from(square / u128::from(points)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colours that a picture has afterwards.
    fn after(colours: &[[u8; 3]]) -> Vec<[u8; 3]> {
        let indexed = indexed(colours, |colour| colour, FEW);
        let entries = indexed.palette.as_chunks::<3>().0;
        let points = indexed.points.iter();
        points.map(|entry| entries[usize::from(*entry)]).collect()
    }

    #[test]
    fn few_colours_are_kept() {
        let colours = [[255, 255, 255], [200, 24, 24], [0, 0, 0], [200, 24, 24]];
        assert_eq!(after(&colours), colours);
        assert_eq!(after(&[]), [[0; 3]; 0]);
    }

    #[test]
    fn large_areas_keep_their_colour_and_shades_take_one_near() {
        // All of 4,096 shades share what colours one large area leaves: a fourth of a part at most.
        let shades = (0..=u8::MAX).flat_map(|red| (0..16).map(move |blue| [red, 90, blue * 16]));
        let area = [[201, 91, 33]; 5000];
        let colours: Vec<_> = shades.chain(area).collect();
        let after = after(&colours);
        for (before, after) in colours.iter().zip(&after) {
            let apart = before.iter().zip(after).map(|(a, b)| a.abs_diff(*b));
            assert!(apart.max() <= Some(64), "{before:?} {after:?}");
        }
        assert_eq!(after[4096..], area);
    }
}
