//! Maps with a hex grid: the file, the geometry, and what lies on hexes and hexsides, by number and
//! not by name.
//!
//! Every hex becomes a space whose id is its label, so that the rest of the house knows spaces and
//! roads only. What only a hex map has (sides, directions) is asked of the [`HexMap`].

mod build;
mod file;
mod grid;
mod labels;
mod sight;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::SMALL;

pub use file::{
    Crossing, Feature, HexFile, HexSide, LevelRow, Line, NamedHex, RoadClass, RoadStyle, Route,
    Stroke, Zone,
};
pub use grid::{Grid, GridSpot, Offset, Shape};
pub use labels::Labels;
pub use sight::{Sight, SightLine, TerrainCover};

use std::collections::HashMap;

/// The things on a hexside: a bit for each kind, in the order of the file's `features`, and one for
/// a road.
pub type SideBits = u32;

/// The bit of a road along which the two hexes are joined.
pub(crate) const ROAD: SideBits = 1 << 31;

/// The bit of the first class of roads, and how many classes there may be: between the kinds and
/// the bit of all roads.
const FIRST_CLASS: usize = 24;
pub(crate) const MOST_CLASSES: usize = 7;

/// The bit of a kind by its position in the file; none for one too many, which the check of the
/// game refuses.
fn bit(position: usize) -> SideBits {
    u32::try_from(position)
        .ok()
        .and_then(|position| 1_u32.checked_shl(position))
        .unwrap_or(0)
}

/// A hex map with the things on its hexsides.
#[derive(Clone, Debug)]
pub struct HexMap {
    file: HexFile,
    grid: Grid,
    /// Six for each hex, clockwise from the top.
    sides: Vec<SideBits>,
    /// The level of each hex.
    levels: Vec<i64>,
    /// The levels of crests, by the numbers of their two hexes in ascending order.
    crests: HashMap<(usize, usize), i64>,
    /// Place ids to hexes.
    places: HashMap<String, usize>,
    /// Hexes to places, by their positions in the file.
    named: HashMap<usize, usize>,
}

impl HexMap {
    /// The map as the file has it.
    #[must_use]
    pub fn file(&self) -> &HexFile {
        &self.file
    }

    /// The geometry.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The hex of a label or of the id of a place.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        let place = || self.places.get(name).copied();
        self.grid.number(name).or_else(place)
    }

    /// The place in a hex.
    #[must_use]
    pub fn place(&self, number: usize) -> Option<&NamedHex> {
        self.file.places.get(*self.named.get(&number)?)
    }

    /// The things that count on the hexside in a direction (0 to 5): a crossing hides what it lies
    /// over.
    #[must_use]
    pub fn side(&self, number: usize, direction: usize) -> SideBits {
        self.sides
            .get(number * 6 + direction)
            .copied()
            .unwrap_or_default()
    }

    /// Like `side`, for two hexes; nothing if they do not adjoin.
    #[must_use]
    pub fn side_between(&self, a: usize, b: usize) -> Option<SideBits> {
        Some(self.side(a, self.grid.direction(a, b)?))
    }

    /// A side without its crossings: the things that they lie over, and no road across.
    #[must_use]
    pub fn beneath(&self, sides: SideBits) -> SideBits {
        let features = self.file.features.iter().enumerate();
        let found = features.filter(|(position, _)| sides & bit(*position) != 0);
        found.fold(0, |found, (position, kind)| {
            let over = kind.over.as_ref().and_then(|over| self.kind(over));
            found | over.unwrap_or(bit(position))
        })
    }

    /// The level of a hex; 0 where the file gives none.
    #[must_use]
    pub fn level(&self, number: usize) -> i64 {
        self.levels.get(number).copied().unwrap_or_default()
    }

    /// The level of the crest between two hexes, if there is one.
    #[must_use]
    pub fn crest(&self, a: usize, b: usize) -> Option<i64> {
        self.crests.get(&(a.min(b), a.max(b))).copied()
    }

    /// By how many levels a step to a neighbour goes up, or down if it is less than 0. Over a crest
    /// it goes up to the crest, by one level at least, from either side.
    #[must_use]
    pub fn climb(&self, from: usize, to: usize) -> i64 {
        let here = self.level(from);
        match self.crest(from, to) {
            Some(crest) => (crest - here).max(1),
            None => self.level(to) - here,
        }
    }

    /// The kinds on a side, in the order of the file.
    pub fn kinds(&self, sides: SideBits) -> impl Iterator<Item = &str> {
        let kinds = self.file.features.iter().enumerate();
        kinds
            .filter(move |(position, _)| sides & bit(*position) != 0)
            .map(|(_, kind)| kind.id.as_str())
    }

    /// The bit of a kind.
    #[must_use]
    pub fn kind(&self, id: &str) -> Option<SideBits> {
        let position = self.file.features.iter().position(|kind| kind.id == id)?;
        Some(bit(position))
    }

    /// The bit of a class of roads.
    #[must_use]
    pub fn road_class(&self, id: &str) -> Option<SideBits> {
        let position = self.file.road_classes.iter().position(|it| it.id == id)?;
        Some(bit(FIRST_CLASS + position))
    }

    /// The classes of the roads that lead over a side, in the order of the file.
    pub fn road_classes(&self, sides: SideBits) -> impl Iterator<Item = &str> {
        let classes = self.file.road_classes.iter().enumerate();
        classes
            .filter(move |(position, _)| sides & bit(FIRST_CLASS + position) != 0)
            .map(|(_, class)| class.id.as_str())
    }

    /// The numbers of the two hexes of a side of the file, if they adjoin.
    #[must_use]
    pub fn ends(&self, side: &HexSide) -> Option<(usize, usize)> {
        let (a, b) = (self.grid.number(&side.a)?, self.grid.number(&side.b)?);
        self.grid.direction(a, b).map(|_| (a, b))
    }

    /// A line of the file by its id.
    #[must_use]
    pub fn line(&self, id: &str) -> Option<&Line> {
        self.file.lines.iter().find(|line| line.id == id)
    }
}
