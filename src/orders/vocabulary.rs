//! The names that a seat knows, from its view.

use std::{collections::BTreeSet, sync::Arc};

use super::names::{Entry, Names};
use crate::{
    game::{Game, Lang, MapIndex, PieceDecl},
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
    map: Option<MapIndex>,
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
        let mut vocabulary = Self {
            spaces: space_names(&game.map),
            map: Some(game.map.clone()),
            ..Self::default()
        };
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
        let map = self.map.as_ref();
        map.is_some_and(|map| map.road(a, b).is_some())
    }

    /// Whether two spaces are neighbours.
    #[must_use]
    pub fn adjoin(&self, a: &str, b: &str) -> bool {
        let numbers = |map: &MapIndex| map.number(a).zip(map.number(b));
        let map = self.map.as_ref();
        map.is_some_and(|map| numbers(map).is_some_and(|(a, b)| map.adjoin(a, b)))
    }

    /// The ends of all roads that lead from a space, in the order of their ids.
    pub(super) fn neighbours<'a>(&'a self, space: &'a str) -> impl Iterator<Item = &'a str> {
        let roads = self.map.iter().flat_map(|map| &map.map().roads);
        let ends: BTreeSet<(&str, &str)> = roads
            .filter(|road| road.a == *space || road.b == *space)
            .map(|road| (road.a.as_str(), road.b.as_str()))
            .collect();
        ends.into_iter()
            .map(move |(a, b)| if a == space { b } else { a })
    }

    fn add_unlisted(&mut self, piece: &Piece, own: bool) {
        let names = if own { &mut self.own } else { &mut self.seen };
        names.add(&piece.id, &piece.name, []);
        self.roster.add(&piece.id, &piece.name, []);
    }
}

/// The names of spaces. Of a hex map only hexes with a place have one; all have labels, which are read and not listed.
fn space_names(map: &MapIndex) -> Names {
    let mut names = Names::default();
    let Some(hexes) = map.hexes() else {
        for space in &map.map().spaces {
            let aliases = space.aliases.iter().map(String::as_str);
            names.add(&space.id, &space.name, aliases);
        }
        return names;
    };
    names.read_labels(map);
    for place in &hexes.file().places {
        if let Some(space) = map.space(&place.hex) {
            let aliases = place.aliases.iter().chain([&place.id]);
            names.add(&space.id, &space.name, aliases.map(String::as_str));
        }
    }
    names
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
