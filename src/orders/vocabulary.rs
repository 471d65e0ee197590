//! The names that a seat knows, from its view.

use std::{collections::BTreeSet, sync::Arc};

use super::names::{Entry, Names};
use crate::{
    game::{Game, Lang, PieceDecl},
    world::{Piece, World},
};

/// The names that a seat may write. Made from its view alone.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Spaces of the map.
    pub(super) spaces: Names,
    /// Own pieces, wherever they are.
    pub(super) own: Names,
    /// Pieces of others in the view.
    pub(super) seen: Names,
    /// Every piece of the force list, and all that is in the view: what a list of `names` accepts. The force list is
    /// public, so a name of it that is accepted tells nothing.
    pub(super) roster: Names,
    /// Formations of the own side.
    pub(super) formations: Names,
    roads: BTreeSet<(String, String)>,
}

impl Vocabulary {
    /// The names that the viewer of a view knows. A view without a viewer has no own pieces.
    #[must_use]
    pub fn of_view(game: &Game, view: &World, lang: Lang) -> Self {
        let side = view
            .viewer
            .as_ref()
            .and_then(|viewer| game.decl.seats.iter().find(|seat| seat.id == *viewer))
            .map(|seat| &seat.side);
        let mut vocabulary = Self::default();
        for space in &game.map.map().spaces {
            vocabulary.spaces.add(
                &space.id,
                &space.name,
                space.aliases.iter().map(String::as_str),
            );
        }
        for road in &game.map.map().roads {
            vocabulary
                .roads
                .insert((road.a.to_string(), road.b.to_string()));
        }
        for formation in &game.forces.formations {
            if Some(&formation.side) == side {
                let text = game.text.get(&lang);
                let name = text.and_then(|text| text.formations.get(&formation.id));
                let aliases = formation.aliases.iter().map(String::as_str);
                let shown = name.unwrap_or(&formation.id);
                vocabulary.formations.add(&formation.id, shown, aliases);
            }
        }
        let declared = &game.forces.pieces;
        for decl in declared {
            let entry = declared_entry(decl, lang);
            vocabulary.roster.add_entry(Arc::clone(&entry));
            if let Some(piece) = view.piece(&decl.id) {
                let names = if Some(&piece.side) == side {
                    &mut vocabulary.own
                } else {
                    &mut vocabulary.seen
                };
                names.add_entry(entry);
            }
        }
        let listed: BTreeSet<_> = declared.iter().map(|decl| &decl.id).collect();
        for piece in view.pieces.values() {
            if !listed.contains(&piece.id) {
                vocabulary.add_unlisted(piece, Some(&piece.side) == side);
            }
        }
        vocabulary
    }

    /// Whether a road of the map joins two spaces, in either direction.
    #[must_use]
    pub fn is_road(&self, a: &str, b: &str) -> bool {
        let joins = |a: &str, b: &str| self.roads.contains(&(a.to_owned(), b.to_owned()));
        joins(a, b) || joins(b, a)
    }

    /// The ends of all roads that lead from a space, in the order of their ids.
    pub(super) fn neighbours<'a>(&'a self, space: &'a str) -> impl Iterator<Item = &'a str> {
        self.roads.iter().filter_map(move |(a, b)| {
            if a == space {
                Some(b.as_str())
            } else if b == space {
                Some(a.as_str())
            } else {
                None
            }
        })
    }

    fn add_unlisted(&mut self, piece: &Piece, own: bool) {
        let names = if own { &mut self.own } else { &mut self.seen };
        names.add(&piece.id, &piece.name, []);
        self.roster.add(&piece.id, &piece.name, []);
    }
}

/// A piece of the force list by all its names.
fn declared_entry(decl: &PieceDecl, lang: Lang) -> Arc<Entry> {
    let shown = decl.names.get(&lang).unwrap_or(&decl.name);
    let others = decl
        .names
        .values()
        .chain([&decl.name])
        .chain(&decl.aliases)
        .map(String::as_str);
    Entry::new(&decl.id, shown, others)
}
