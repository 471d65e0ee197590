//! The pieces of a view by place, so that nobody looks through all of them for each space.

use std::collections::BTreeMap;

use crate::world::{Piece, World};

/// The pieces in each place, in file order, ghosts too.
pub(super) struct PiecesInPlaces<'a>(BTreeMap<&'a str, Vec<&'a Piece>>);

impl<'a> PiecesInPlaces<'a> {
    pub(super) fn of(view: &'a World) -> Self {
        let mut places: BTreeMap<&str, Vec<&Piece>> = BTreeMap::new();
        for piece in view.pieces.values() {
            if let Some(place) = &piece.at {
                places.entry(place).or_default().push(piece);
            }
        }
        Self(places)
    }

    /// Those that stand in a place.
    pub(super) fn at(&self, place: &str) -> impl Iterator<Item = &'a Piece> {
        self.all_at(place).filter(|piece| piece.ghost.is_none())
    }

    /// Those that were seen there before.
    pub(super) fn ghosts_at(&self, place: &str) -> impl Iterator<Item = &'a Piece> {
        self.all_at(place).filter(|piece| piece.ghost.is_some())
    }

    fn all_at(&self, place: &str) -> impl Iterator<Item = &'a Piece> {
        let pieces = self.0.get(place).map_or(&[][..], Vec::as_slice);
        pieces.iter().copied()
    }
}
