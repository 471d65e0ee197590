//! The geometry of a hex map: labels, neighbours, distance, directions. It knows nothing of
//! terrain.
//!
//! A grid of either orientation is a set of lines: rows of hexes with points at the top, columns of
//! hexes with flat tops. Every second line is shifted by half a hex. Along its line a hex stands at
//! `half`, counted in half hexes, so that neighbours of the same line are 2 apart and those of the
//! next lines 1: no case distinction by odd and even is left.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::labels::Labels;

/// The lines that are shifted by half a hex, and the direction. Numbers are those of the labels:
/// the first row is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Offset {
    EvenRowsRight,
    EvenRowsLeft,
    OddRowsRight,
    OddRowsLeft,
    EvenColumnsDown,
    EvenColumnsUp,
    OddColumnsDown,
    OddColumnsUp,
}

impl Offset {
    /// Returns true if hexes have flat tops and stand in columns.
    fn flat(self) -> bool {
        use Offset::{EvenColumnsDown, EvenColumnsUp, OddColumnsDown, OddColumnsUp};
        matches!(
            self,
            EvenColumnsDown | EvenColumnsUp | OddColumnsDown | OddColumnsUp
        )
    }

    /// Returns true if lines with even numbers lie further right or down than their neighbours.
    fn even_further(self) -> bool {
        use Offset::{EvenColumnsDown, EvenRowsRight, OddColumnsUp, OddRowsLeft};
        matches!(
            self,
            EvenRowsRight | OddRowsLeft | EvenColumnsDown | OddColumnsUp
        )
    }
}

/// The shape of a hex map, as its file gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "RawGrid")]
pub struct Shape {
    /// The lines that are shifted.
    pub offset: Offset,
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// The form of labels.
    pub labels: Labels,
    /// The prefix of every label (`M` in M2403).
    pub prefix: String,
    /// Metres from the middle of a hex to the next, if the map says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metres: Option<i64>,
    /// The direction of north: degrees clockwise from the top of the sheet.
    #[serde(default, skip_serializing_if = "is_up")]
    pub north: i64,
}

/// Returns true if north is at the top of the sheet.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
fn is_up(north: &i64) -> bool {
    *north == 0
}

/// Most hexes that a map may have.
const MOST: usize = 40_000;
/// Most letters before a label.
const LONGEST_PREFIX: usize = 8;
/// Most metres that a hex may measure.
const MOST_METRES: i64 = 1_000_000;

/// A shape as it is written, before anything is made of it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Grid")]
struct RawGrid {
    /// The lines that are shifted by half a hex.
    offset: Offset,
    /// Number of columns.
    columns: usize,
    /// Number of rows.
    rows: usize,
    /// The form of labels: `CCRR`, `C.RR`, `RRCC`.
    labels: Labels,
    /// The prefix of every label (`M` in M2403).
    #[serde(default)]
    prefix: String,
    /// Metres from the middle of a hex to the next: pictures have a scale then.
    #[serde(default)]
    metres: Option<i64>,
    /// The direction of north: degrees clockwise from the top of the sheet.
    #[serde(default)]
    north: i64,
}

impl TryFrom<RawGrid> for Shape {
    type Error = String;

    fn try_from(written: RawGrid) -> Result<Self, String> {
        let RawGrid {
            offset,
            columns,
            rows,
            labels,
            prefix,
            metres,
            north,
        } = written;
        let hexes = columns.saturating_mul(rows);
        if hexes == 0 || hexes > MOST {
            return Err(format!("a map has at least one hex and at most {MOST}"));
        }
        if prefix.len() > LONGEST_PREFIX {
            return Err(format!(
                "at most {LONGEST_PREFIX} letters stand before a label"
            ));
        }
        if metres.is_some_and(|metres| !(1..=MOST_METRES).contains(&metres)) {
            return Err(format!(
                "a hex measures at least one metre and at most {MOST_METRES}"
            ));
        }
        if !(0..360).contains(&north) {
            return Err("north is 0 to 359 degrees from the top of the sheet".to_owned());
        }
        let most = labels.most();
        if columns > most.0 || rows > most.1 {
            return Err(format!(
                "{columns} columns and {rows} rows don't fit into labels {}",
                String::from(labels)
            ));
        }
        Ok(Self {
            offset,
            columns,
            rows,
            labels,
            prefix,
            metres,
            north,
        })
    }
}

/// Where a hex stands: the line, and half hexes along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridSpot {
    /// The row of hexes with points at the top, the column of those with flat tops; 0 is the first.
    pub line: i64,
    /// Half hexes from the beginning of an unshifted line.
    pub half: i64,
}

/// Steps to the six neighbours, clockwise from the top of the sheet.
const POINTED: [GridSpot; 6] = [
    spot(-1, 1),
    spot(0, 2),
    spot(1, 1),
    spot(1, -1),
    spot(0, -2),
    spot(-1, -1),
];
const FLAT: [GridSpot; 6] = [
    spot(0, -2),
    spot(1, -1),
    spot(1, 1),
    spot(0, 2),
    spot(-1, 1),
    spot(-1, -1),
];

const fn spot(line: i64, half: i64) -> GridSpot {
    GridSpot { line, half }
}

/// The geometry of a hex map. Hexes are numbered in the ascending order of their labels.
#[derive(Clone, Debug)]
pub struct Grid {
    shape: Shape,
}

impl Grid {
    /// The grid of a shape.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self { shape }
    }

    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of hexes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.columns * self.shape.rows
    }

    /// Returns true if it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if hexes have flat tops.
    #[must_use]
    pub fn flat(&self) -> bool {
        self.shape.offset.flat()
    }

    /// The number of the hex with a label, written exactly or in lower case.
    #[must_use]
    pub fn number(&self, label: &str) -> Option<usize> {
        let shape = &self.shape;
        let (column, row) = shape.labels.read(&shape.prefix, label)?;
        let inside = |at: usize, size: usize| (1..=size).contains(&at);
        (inside(column, shape.columns) && inside(row, shape.rows))
            .then(|| self.number_at(column - 1, row - 1))
    }

    /// The label of a hex.
    #[must_use]
    pub fn label(&self, number: usize) -> String {
        let (column, row) = self.column_and_row(number);
        let shape = &self.shape;
        shape.labels.write(&shape.prefix, column + 1, row + 1)
    }

    /// What labels say of the line of a hex, and of its place along the line.
    #[must_use]
    pub fn edge_labels(&self, number: usize) -> [String; 2] {
        let (column, row) = self.column_and_row(number);
        let [column, row] = self.shape.labels.parts_of([column + 1, row + 1]);
        if self.flat() {
            [column, row]
        } else {
            [row, column]
        }
    }

    /// The number of the hex in a column and a row, counted from 0. Both lie within the grid.
    #[must_use]
    pub fn number_at(&self, column: usize, row: usize) -> usize {
        if self.shape.labels.columns_first() {
            column * self.shape.rows + row
        } else {
            row * self.shape.columns + column
        }
    }

    /// Column and row of a hex, counted from 0.
    #[must_use]
    pub fn column_and_row(&self, number: usize) -> (usize, usize) {
        if self.shape.labels.columns_first() {
            let rows = self.shape.rows.max(1);
            (number / rows, number % rows)
        } else {
            let columns = self.shape.columns.max(1);
            (number % columns, number / columns)
        }
    }

    /// Where a hex stands.
    #[must_use]
    pub fn spot(&self, number: usize) -> GridSpot {
        let (column, row) = self.column_and_row(number);
        let (line, along) = if self.flat() {
            (column, row)
        } else {
            (row, column)
        };
        let line = i64::try_from(line).unwrap_or(i64::MAX);
        let along = i64::try_from(along).unwrap_or(i64::MAX);
        spot(line, 2 * along + self.shift(line))
    }

    /// Half hexes by which a line is shifted.
    fn shift(&self, line: i64) -> i64 {
        // Line 0 bears the number 1, which is odd.
        (line + i64::from(!self.shape.offset.even_further())).rem_euclid(2)
    }

    /// The hex at a spot, if there is one.
    fn at(&self, GridSpot { line, half }: GridSpot) -> Option<usize> {
        let along = half.checked_sub(self.shift(line))?;
        if along.rem_euclid(2) != 0 {
            return None;
        }
        let (line, along) = (
            usize::try_from(line).ok()?,
            usize::try_from(along / 2).ok()?,
        );
        let (column, row) = if self.flat() {
            (line, along)
        } else {
            (along, line)
        };
        (column < self.shape.columns && row < self.shape.rows).then(|| self.number_at(column, row))
    }

    /// The neighbour in a direction, 0 to 5 clockwise from the top of the sheet; none beyond the
    /// edge.
    #[must_use]
    pub fn neighbour(&self, number: usize, direction: usize) -> Option<usize> {
        let steps = if self.flat() { &FLAT } else { &POINTED };
        let (here, step) = (self.spot(number), steps.get(direction)?);
        self.at(spot(here.line + step.line, here.half + step.half))
    }

    /// The direction, 0 to 5, from a hex to its neighbour; none if they do not adjoin.
    #[must_use]
    pub fn direction(&self, from: usize, to: usize) -> Option<usize> {
        (from < self.len() && to < self.len()).then_some(())?;
        let (a, b) = (self.spot(from), self.spot(to));
        let step = spot(b.line - a.line, b.half - a.half);
        let steps = if self.flat() { &FLAT } else { &POINTED };
        steps.iter().position(|known| *known == step)
    }

    /// Steps from hex to hex on the shortest way, whatever lies between.
    #[must_use]
    pub fn distance(&self, a: usize, b: usize) -> i64 {
        let (a, b) = (self.spot(a), self.spot(b));
        let (lines, halves) = ((a.line - b.line).abs(), (a.half - b.half).abs());
        lines + (halves - lines).max(0) / 2
    }

    /// The hexes at most `steps` away, the hex itself included, in ascending order; none for a
    /// negative number.
    #[must_use]
    pub fn within(&self, number: usize, steps: i64) -> Vec<usize> {
        let here = self.spot(number);
        // Only what lies on the map is looked at, however far the steps would lead.
        let [lines, along] = self.size();
        let steps = steps.clamp(-1, lines + along);
        let first = (here.line - steps).max(0);
        let last = (here.line + steps).min(lines - 1);
        let mut found: Vec<usize> = (first..=last)
            .flat_map(|line| {
                let reach = 2 * steps - (line - here.line).abs();
                let shift = self.shift(line);
                // Half hexes to places along the line: up from the left end, down from the right
                // one.
                let left = (here.half - reach - shift + 1).div_euclid(2).max(0);
                let right = (here.half + reach - shift).div_euclid(2).min(along - 1);
                (left..=right).map(move |at| spot(line, 2 * at + shift))
            })
            .filter_map(|spot| self.at(spot))
            .collect();
        found.sort_unstable();
        found
    }

    /// How many lines there are, and how many hexes in each.
    fn size(&self) -> [i64; 2] {
        let Shape { columns, rows, .. } = self.shape;
        let size = if self.flat() {
            [columns, rows]
        } else {
            [rows, columns]
        };
        size.map(|it| i64::try_from(it).unwrap_or(i64::MAX))
    }
}
