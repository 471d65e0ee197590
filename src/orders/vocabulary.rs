//! The names that a seat knows, from its view.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::names::{Entry, Names};
use crate::{
    game::{Game, Lang, PieceDecl},
    ids::{SeatId, SideId},
    world::{Piece, World},
};

/// The names that a seat may write. Made from its view alone.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Spaces of the map.
    pub(super) spaces: Arc<Names>,
    /// Own pieces, wherever they are.
    pub(super) own: Names,
    /// Pieces of others in the view.
    pub(super) seen: Names,
    /// Every piece of the force list, and all that is in the view: what a list of `names` accepts. The force list is
    /// public, so a name of it that is accepted tells nothing.
    pub(super) roster: Arc<Names>,
    roads: Arc<BTreeSet<(String, String)>>,
}

/// The names of a game in one language, taken apart once for all vocabularies. There is nothing of a world in it.
#[derive(Debug)]
struct Lexicon {
    spaces: Arc<Names>,
    roads: Arc<BTreeSet<(String, String)>>,
    pieces: Vec<Arc<Entry>>,
    roster: Arc<Names>,
    sides: BTreeMap<SeatId, SideId>,
}

/// Gives vocabularies of one game, whose names it takes apart when a language is first asked for.
#[derive(Debug)]
pub struct Vocabularies {
    game: Arc<Game>,
    lexicons: BTreeMap<Lang, OnceCell<Lexicon>>,
}

impl Vocabularies {
    /// For a game.
    #[must_use]
    pub fn new(game: Arc<Game>) -> Self {
        let lexicons = Lang::ALL.map(|lang| (lang, OnceCell::new()));
        Self {
            game,
            lexicons: lexicons.into(),
        }
    }

    /// The names that the viewer of a view knows.
    #[must_use]
    pub fn of_view(&self, view: &World, lang: Lang) -> Vocabulary {
        match self.lexicons.get(&lang) {
            Some(lexicon) => lexicon
                .get_or_init(|| Lexicon::new(&self.game, lang))
                .vocabulary(view),
            None => Vocabulary::of_view(&self.game, view, lang),
        }
    }
}

impl Lexicon {
    fn new(game: &Game, lang: Lang) -> Self {
        let mut spaces = Names::default();
        for space in &game.map.map().spaces {
            spaces.add(&space.id, space.name_in(lang), space.spellings());
        }
        let roads = game.map.map().roads.iter();
        let pieces = game.forces.pieces.iter();
        let pieces: Vec<_> = pieces.map(|decl| declared_entry(decl, lang)).collect();
        let mut roster = Names::default();
        for entry in &pieces {
            roster.add_entry(Arc::clone(entry));
        }
        let seats = game.decl.seats.iter();
        Self {
            spaces: Arc::new(spaces),
            roads: Arc::new(
                roads
                    .map(|road| (road.a.to_string(), road.b.to_string()))
                    .collect(),
            ),
            pieces,
            roster: Arc::new(roster),
            sides: seats
                .map(|seat| (seat.id.clone(), seat.side.clone()))
                .collect(),
        }
    }

    fn vocabulary(&self, view: &World) -> Vocabulary {
        let side = view
            .viewer
            .as_ref()
            .and_then(|viewer| self.sides.get(viewer));
        let mut vocabulary = Vocabulary {
            spaces: Arc::clone(&self.spaces),
            roads: Arc::clone(&self.roads),
            roster: Arc::clone(&self.roster),
            ..Vocabulary::default()
        };
        for entry in &self.pieces {
            if let Some(piece) = view.piece(entry.id()) {
                let names = if Some(&piece.side) == side {
                    &mut vocabulary.own
                } else {
                    &mut vocabulary.seen
                };
                names.add_entry(Arc::clone(entry));
            }
        }
        for piece in view.pieces.values() {
            if !self.roster.has(&piece.id) {
                vocabulary.add_unlisted(piece, Some(&piece.side) == side);
            }
        }
        vocabulary
    }
}

impl Vocabulary {
    /// The names that the viewer of a view knows. A view without a viewer has no own pieces. Whoever needs many of one game
    /// takes [`Vocabularies`].
    #[must_use]
    pub fn of_view(game: &Game, view: &World, lang: Lang) -> Self {
        Lexicon::new(game, lang).vocabulary(view)
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
        Arc::make_mut(&mut self.roster).add(&piece.id, &piece.name, []);
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
