//! Where the pieces of a run stand, kept beside the world, so that nobody looks through all pieces
//! for those of one place.

use std::collections::BTreeMap;

use crate::{game::Game, ids::PlaceId, world::World};

/// What is asked of all pieces again and again. Pieces go by their positions in the world's list.
#[derive(Debug)]
pub(super) struct PieceBoard {
    /// The pieces in each place, ghosts too, in file order.
    at: BTreeMap<PlaceId, Vec<usize>>,
    /// One for each piece.
    pieces: Vec<Stand>,
}

/// What is known of one piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    /// True if it stands in a space of the map.
    pub on_map: bool,
    /// True if its kind is a unit.
    pub unit: bool,
}

impl PieceBoard {
    /// How the pieces of a world stand.
    pub fn of(game: &Game, world: &World) -> Self {
        let mut at: BTreeMap<PlaceId, Vec<usize>> = BTreeMap::new();
        let mut pieces = Vec::with_capacity(world.pieces.len());
        for (index, piece) in world.pieces.values().enumerate() {
            if let Some(place) = &piece.at {
                at.entry(place.clone()).or_default().push(index);
            }
            pieces.push(Stand {
                on_map: is_on_map(game, piece.at.as_deref()),
                unit: game.is_unit(&piece.kind),
            });
        }
        Self { at, pieces }
    }

    /// The pieces in a place, in file order.
    pub fn at(&self, place: &str) -> &[usize] {
        self.at.get(place).map_or(&[], Vec::as_slice)
    }

    /// What is known of a piece.
    pub fn piece(&self, index: usize) -> Option<Stand> {
        self.pieces.get(index).copied()
    }

    /// A piece goes from one place to another.
    pub fn moved(&mut self, game: &Game, index: usize, from: Option<&str>, to: &PlaceId) {
        if let Some(before) = from.and_then(|from| self.at.get_mut(from)) {
            before.retain(|other| *other != index);
        }
        let now = self.at.entry(to.clone()).or_default();
        if let Err(place) = now.binary_search(&index) {
            now.insert(place, index);
        }
        if let Some(piece) = self.pieces.get_mut(index) {
            piece.on_map = is_on_map(game, Some(to.as_str()));
        }
    }
}

fn is_on_map(game: &Game, place: Option<&str>) -> bool {
    place.is_some_and(|place| game.map.number(place).is_some())
}
