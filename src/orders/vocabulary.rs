//! The names that a seat knows, from its view.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
};

use super::{
    names::{NameEntry, NameIndex, NameMatch},
    token::tokens,
};
use crate::{
    game::{self, Game, GameDecl, Lang, MapIndex, PieceDecl},
    ids::{PieceId, SeatId, SideId},
    world::{Piece, World},
};

/// How many words an abbreviated name may have.
pub(super) const LONGEST_NAME: usize = 6;

/// The names that a seat may write. Made from its view alone.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Spaces of the map.
    pub(super) spaces: Arc<NameIndex>,
    /// Own pieces, wherever they are.
    pub(super) own: NameIndex,
    /// Pieces of others in the view.
    pub(super) seen: NameIndex,
    /// Every piece of the force list.
    listed: Arc<NameIndex>,
    /// The pieces of the view that the force list does not have, by id, with their names.
    unlisted: Vec<(PieceId, String)>,
    /// Both together, once somebody has asked.
    roster: OnceLock<NameIndex>,
    /// Formations of the own side.
    pub(super) formations: Arc<NameIndex>,
    /// All sides.
    pub(super) nations: Arc<NameIndex>,
    /// The own sides.
    pub(super) sides: Vec<SideId>,
    map: Option<MapIndex>,
}

/// The names of a game in one language, split into words once for all vocabularies. They have
/// nothing to do with a world.
#[derive(Debug)]
struct GameNames {
    spaces: Arc<NameIndex>,
    nations: Arc<NameIndex>,
    map: MapIndex,
    pieces: Vec<Arc<NameEntry>>,
    /// The pieces in one list.
    listed: Arc<NameIndex>,
    /// The formations of the sides that each seat plays.
    formations: BTreeMap<SeatId, Arc<NameIndex>>,
}

/// Makes vocabularies of one game, and splits its names when a language is first needed.
#[derive(Debug)]
pub struct Vocabularies {
    game: Arc<Game>,
    lexicons: BTreeMap<Lang, OnceCell<GameNames>>,
}

impl Vocabularies {
    /// The vocabularies of a game.
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
                .get_or_init(|| GameNames::new(&self.game, lang))
                .vocabulary(&self.game.decl, view),
            None => Vocabulary::of_view(&self.game, view, lang),
        }
    }
}

impl GameNames {
    fn new(game: &Game, lang: Lang) -> Self {
        let pieces = game.forces.pieces.iter();
        let pieces: Vec<_> = pieces.map(|decl| declared_entry(decl, lang)).collect();
        let mut listed = NameIndex::default();
        for entry in &pieces {
            listed.add_entry(Arc::clone(entry));
        }
        let seats = game.decl.seats.iter();
        let formations = seats.map(|seat| {
            let names = formation_names(game, lang, |side| seat.plays(side));
            (seat.id.clone(), Arc::new(names))
        });
        Self {
            spaces: Arc::new(space_names(&game.map, lang)),
            nations: Arc::new(side_names(&game.decl, lang)),
            map: game.map.clone(),
            pieces,
            listed: Arc::new(listed),
            formations: formations.collect(),
        }
    }

    fn vocabulary(&self, decl: &GameDecl, view: &World) -> Vocabulary {
        let viewer = view.viewer.as_ref();
        let seat = viewer.and_then(|viewer| decl.seat(viewer));
        let formations = viewer.and_then(|viewer| self.formations.get(viewer));
        let is_own = |piece: &Piece| seat.is_some_and(|seat| piece.is_own(decl, seat));
        let mut vocabulary = Vocabulary {
            spaces: Arc::clone(&self.spaces),
            nations: Arc::clone(&self.nations),
            map: Some(self.map.clone()),
            listed: Arc::clone(&self.listed),
            formations: formations.cloned().unwrap_or_default(),
            sides: seat.map_or_else(Vec::new, |seat| seat.sides.clone()),
            ..Vocabulary::default()
        };
        for entry in &self.pieces {
            if let Some(piece) = view.piece(entry.id()) {
                let names = if is_own(piece) {
                    &mut vocabulary.own
                } else {
                    &mut vocabulary.seen
                };
                names.add_entry(Arc::clone(entry));
            }
        }
        for piece in view.pieces.values() {
            if !self.listed.has(&piece.id) {
                vocabulary.add_unlisted(piece, is_own(piece));
            }
        }
        vocabulary
    }
}

impl Vocabulary {
    /// The names that the viewer of a view knows. A view without a viewer has no own pieces. To
    /// make many for one game, use [`Vocabularies`].
    #[must_use]
    pub fn of_view(game: &Game, view: &World, lang: Lang) -> Self {
        GameNames::new(game, lang).vocabulary(&game.decl, view)
    }

    /// The names that a seat of a side could ever write, with every piece of the force list.
    #[must_use]
    pub fn of_side(game: &Game, side: &SideId, lang: Lang) -> Self {
        let lexicon = GameNames::new(game, lang);
        let mut vocabulary = Self {
            spaces: lexicon.spaces,
            nations: lexicon.nations,
            map: Some(lexicon.map),
            listed: lexicon.listed,
            formations: Arc::new(formation_names(game, lang, |own| *own == *side)),
            sides: vec![side.clone()],
            ..Self::default()
        };
        for (entry, decl) in lexicon.pieces.into_iter().zip(&game.forces.pieces) {
            let own = decl.side == *side;
            let names = if own {
                &mut vocabulary.own
            } else {
                &mut vocabulary.seen
            };
            names.add_entry(entry);
        }
        vocabulary
    }

    /// All lists of names, each with a word for its contents.
    pub fn lists(&self) -> [(&'static str, &NameIndex); 4] {
        [
            ("piece", &self.own),
            ("piece", self.roster()),
            ("space", &self.spaces),
            ("formation", &self.formations),
        ]
    }

    /// Every piece of the force list and of the view: what a list of `names` accepts. The force
    /// list is public, so accepting its names reveals nothing.
    pub(super) fn roster(&self) -> &NameIndex {
        if self.unlisted.is_empty() {
            return &self.listed;
        }
        self.roster.get_or_init(|| {
            let mut roster = NameIndex::clone(&self.listed);
            for (id, name) in &self.unlisted {
                roster.add(id, name, []);
            }
            roster
        })
    }

    /// The spaces with names, and one with only a label.
    pub(super) fn sample_of_spaces(&self) -> Vec<String> {
        let mut ids: Vec<_> = self.spaces.ids().map(str::to_owned).collect();
        let mut spaces = self.map.iter().flat_map(|map| &map.map().spaces);
        let label = spaces.find(|space| !self.spaces.has(&space.id));
        ids.extend(label.map(|space| space.id.to_string()));
        ids
    }

    /// All roads of a map of points; of a map of hexes one.
    pub(super) fn sample_of_roads(&self) -> impl Iterator<Item = [String; 2]> {
        let hexes = self.map.as_ref().is_some_and(|map| map.hexes().is_some());
        let roads = self.map.iter().flat_map(|map| &map.map().roads);
        let ends = roads.map(|road| [road.a.to_string(), road.b.to_string()]);
        ends.take(if hexes { 1 } else { usize::MAX })
    }

    /// Returns true if what belongs to these sides belongs to the seat, too; with no sides it
    /// belongs to everybody, and to nobody's vocabulary everything.
    pub(super) fn is_of(&self, sides: &[SideId]) -> bool {
        let own = |side: &SideId| sides.contains(side);
        sides.is_empty() || self.sides.is_empty() || self.sides.iter().any(own)
    }

    /// A neighbour of each space that has a name.
    pub(super) fn sample_of_sides(&self) -> impl Iterator<Item = [String; 2]> {
        let map = self.map.as_ref();
        let neighbour = move |id: &str| {
            let map = map?;
            let number = map.number(id)?;
            let next = *map.neighbours(number).first()?;
            Some([id.to_owned(), map.space_at(next)?.id.to_string()])
        };
        self.spaces.ids().filter_map(neighbour)
    }

    /// Returns true if a road of the map joins two spaces, in either direction.
    #[must_use]
    pub fn is_road(&self, a: &str, b: &str) -> bool {
        let map = self.map.as_ref();
        map.is_some_and(|map| map.road(a, b).is_some())
    }

    /// Returns true if two spaces are neighbours.
    #[must_use]
    pub fn adjoin(&self, a: &str, b: &str) -> bool {
        let numbers = |map: &MapIndex| map.number(a).zip(map.number(b));
        let map = self.map.as_ref();
        map.is_some_and(|map| numbers(map).is_some_and(|(a, b)| map.adjoin(a, b)))
    }

    /// The name that is printed for a piece or a space.
    pub(super) fn shown(&self, id: &str) -> Option<&str> {
        let mut lists = [&self.own, &self.seen, &*self.spaces, &*self.nations].into_iter();
        lists.find_map(|names| names.shown(id))
    }

    /// Where a line first names a piece, a space or a formation: the characters of the name.
    #[must_use]
    pub fn find_in(&self, line: &str, id: &str) -> Option<(usize, usize)> {
        let line = tokens(line);
        let lists = [&self.own, &self.seen, &*self.spaces, &*self.formations];
        (0..line.len()).find_map(|at| {
            let length =
                lists
                    .iter()
                    .find_map(|names| match names.find(&line, at, LONGEST_NAME) {
                        NameMatch::One { id: found, length } if found == id => Some(length),
                        _ => None,
                    })?;
            let last = line.get(at + length.checked_sub(1)?)?;
            Some((line.get(at)?.start, last.end))
        })
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
        self.unlisted.push((piece.id.clone(), piece.name.clone()));
    }
}

/// The names of spaces. On a hex map only hexes with a place have one; all have labels, which can
/// be read but are not listed.
fn space_names(map: &MapIndex, lang: Lang) -> NameIndex {
    let mut names = NameIndex::default();
    let Some(hexes) = map.hexes() else {
        for space in &map.map().spaces {
            names.add(&space.id, space.name_in(lang), space.spellings());
        }
        return names;
    };
    names.read_labels(map);
    for place in &hexes.file().places {
        if let Some(space) = map.space(&place.hex) {
            let aliases = place.aliases.iter().chain([&place.id]);
            let spellings = space.spellings().chain(aliases.map(String::as_str));
            names.add(&space.id, space.name_in(lang), spellings);
        }
    }
    names
}

/// The names of all sides, in every language, and their other words.
fn side_names(decl: &GameDecl, lang: Lang) -> NameIndex {
    let mut names = NameIndex::default();
    for side in &decl.sides {
        let others = side.name.values().chain(&side.aliases);
        let shown = game::said(&side.name, lang);
        names.add(side.id.as_str(), shown, others.map(String::as_str));
    }
    names
}

/// The names of the formations of some sides.
fn formation_names(game: &Game, lang: Lang, is_own: impl Fn(&SideId) -> bool) -> NameIndex {
    let mut names = NameIndex::default();
    let text = game.words(lang);
    let formations = game.forces.formations.iter();
    for formation in formations.filter(|formation| is_own(&formation.side)) {
        let name = text.and_then(|text| text.formations.get(&formation.id));
        let aliases = formation.aliases.iter().map(String::as_str);
        let shown = name.unwrap_or(&formation.id);
        names.add(&formation.id, shown, aliases);
    }
    names
}

/// A piece of the force list by all its names.
fn declared_entry(decl: &PieceDecl, lang: Lang) -> Arc<NameEntry> {
    let shown = decl.names.get(&lang).unwrap_or(&decl.name);
    let others = decl
        .names
        .values()
        .chain([&decl.name])
        .chain(&decl.aliases)
        .map(String::as_str);
    NameEntry::new(&decl.id, shown, others)
}
