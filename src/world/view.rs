//! Views: the world as one seat knows it, which is a world of its own.

use std::{collections::BTreeMap, sync::Arc};

use super::{Knowledge, Piece, Sighting, SightingTime, World};
use crate::{
    game::{Audience, FactAudience, Game, Visibility},
    ids::{PieceId, SeatId},
    ordered::IndexMap,
    value::{Fields, Value},
};

impl World {
    /// The world as a seat knows it: its own pieces, what is public, and what it has seen.
    ///
    /// It knows all attributes of its own pieces except the umpire's; a piece that others have
    /// taken is theirs. Pieces of others come from sightings alone, or from a public box. A seat
    /// that the game does not have sees what is public. Once the campaign is over nothing is hidden
    /// any more.
    #[must_use]
    pub fn seen_by(&self, game: &Game, seat: &str) -> World {
        let decl = game.decl.seat(seat);
        if self.ended.is_some() {
            return self.seen_at_the_end(game, seat);
        }
        let nothing = Arc::<Knowledge>::default();
        let knowledge = self.knowledge.get(seat).unwrap_or(&nothing);
        let mut view = World {
            viewer: Some(SeatId::from(seat)),
            scenario: self.scenario.clone(),
            ended: self.ended.clone(),
            ..World::default()
        };
        let (to_owner, printed) = (
            visible(game, Visibility::Owner),
            visible(game, Visibility::Printed),
        );
        let is_own = |piece: &Piece| decl.is_some_and(|seat| piece.is_own(&game.decl, seat));
        for piece in self.pieces.values() {
            let known = if is_own(piece) {
                Some(Arc::new(shown(piece, &to_owner)))
            } else if in_public_box(game, piece) {
                Some(Arc::new(shown(piece, &printed)))
            } else {
                knowledge.sightings.get(&piece.id).map(sighted)
            };
            if let Some(known) = known {
                view.pieces.insert(known.id.clone(), known);
            }
        }
        self.show_what_is_public(game, &mut view);
        if let Some(seat) = decl {
            self.show_shared_facts(game, &mut view, |audience, id| match audience {
                FactAudience::Party => (seat.sides.iter())
                    .any(|side| game.decl.party_of(side).is_some_and(|party| *party == *id)),
                FactAudience::Side => seat.plays(id),
                FactAudience::Seat => seat.id == *id,
                FactAudience::Public | FactAudience::Umpire => false,
            });
        }
        for (space, noted) in &knowledge.spaces {
            let known = view.spaces_mut().entry(space.clone()).or_default();
            known.extend(noted.clone());
        }
        view
    }

    /// The world of a campaign that is over: every seat sees every piece as its owner does.
    fn seen_at_the_end(&self, game: &Game, seat: &str) -> World {
        let to_owner = visible(game, Visibility::Owner);
        let pieces = self.pieces.values();
        let mut view = World {
            viewer: Some(SeatId::from(seat)),
            scenario: self.scenario.clone(),
            ended: self.ended.clone(),
            pieces: pieces
                .map(|piece| (piece.id.clone(), Arc::new(shown(piece, &to_owner))))
                .collect(),
            ..World::default()
        };
        self.show_what_is_public(game, &mut view);
        self.show_shared_facts(game, &mut view, |audience, _| audience.is_shared_out());
        view
    }

    /// Shows the parts of shared facts (of parties, sides or seats) under the ids that the seat
    /// learns.
    fn show_shared_facts(
        &self,
        game: &Game,
        view: &mut World,
        learns: impl Fn(FactAudience, &str) -> bool,
    ) {
        let declared = game.decl.facts.iter();
        for (name, declared) in declared.filter(|(_, declared)| declared.shown.is_shared_out()) {
            let Value::Map(shares) = self.fact(name) else {
                continue;
            };
            let known = shares.iter().filter(|(id, _)| learns(declared.shown, id));
            let known: Fields = known
                .map(|(id, share)| (id.clone(), share.clone()))
                .collect();
            view.set_fact(name, Value::Map(known));
        }
    }

    /// Shows facts, and states of spaces and roads, that everybody knows. An unknown space or road
    /// has no entry: even the existence of a secret is secret.
    fn show_what_is_public(&self, game: &Game, view: &mut World) {
        view.facts = Arc::new(public(&self.facts, &game.decl.facts, |declared| {
            declared.shown == FactAudience::Public
        }));
        let spaces = view.spaces_mut();
        for (space, state) in self.spaces.iter() {
            let known = public(state, &game.decl.space_attributes, |declared| {
                declared.shown == Audience::Public
            });
            if !known.is_empty() {
                spaces.insert(space.clone(), known);
            }
        }
        let roads = self.roads.iter().filter_map(|(road, state)| {
            let known = public(state, &game.decl.road_attributes, |declared| {
                declared.shown == Audience::Public
            });
            (!known.is_empty()).then(|| (road.clone(), known))
        });
        view.roads = Arc::new(roads.collect());
    }

    /// Records that a seat sees a piece now, with the attributes up to a degree.
    pub fn spot(
        &mut self,
        game: &Game,
        seat: &SeatId,
        piece: &PieceId,
        degree: Visibility,
        seen: SightingTime,
    ) {
        self.spot_all(game, seat, std::slice::from_ref(piece), degree, &seen);
    }

    /// Like `spot`, for several pieces.
    pub fn spot_all(
        &mut self,
        game: &Game,
        seat: &SeatId,
        pieces: &[PieceId],
        degree: Visibility,
        seen: &SightingTime,
    ) {
        let visible = visible(game, degree);
        let mut own = self.knowledge.remove(seat).unwrap_or_default();
        let sightings = &mut Arc::make_mut(&mut own).sightings;
        for piece in pieces.iter().filter_map(|id| self.pieces.get(id)) {
            match sightings.get_mut(&piece.id) {
                Some(known) if is_shown(piece, &visible, &known.piece) => {
                    known.seen = seen.clone();
                    known.current = true;
                }
                _ => {
                    let sighting = Sighting {
                        piece: self.shown_in_common(piece, &visible),
                        seen: seen.clone(),
                        current: true,
                    };
                    sightings.insert(piece.id.clone(), sighting);
                }
            }
        }
        self.knowledge.insert(seat.clone(), own);
    }

    /// A piece with these attributes and no others: that which another seat sees just so, if one
    /// does.
    fn shown_in_common(&self, piece: &Piece, visible: &[&str]) -> Arc<Piece> {
        let others = self.knowledge.values();
        let mut seen = others.filter_map(|known| known.sightings.get(&piece.id));
        let same = seen.find(|known| known.current && is_shown(piece, visible, &known.piece));
        same.map_or_else(
            || Arc::new(shown(piece, visible)),
            |known| Arc::clone(&known.piece),
        )
    }

    /// Shows every piece on the map whole to these seats, and nothing else: they have their
    /// knowledge in common.
    pub fn show_map(&mut self, game: &Game, seats: &[SeatId], seen: &SightingTime) {
        let visible = visible(game, Visibility::Whole);
        let before = seats.first().and_then(|seat| self.knowledge.get(seat));
        let sighting = |piece: &Arc<Piece>| {
            let known = before.and_then(|known| known.sightings.get(&piece.id));
            let known = known.filter(|known| is_shown(piece, &visible, &known.piece));
            Sighting {
                piece: known.map_or_else(
                    || Arc::new(shown(piece, &visible)),
                    |known| Arc::clone(&known.piece),
                ),
                seen: seen.clone(),
                current: true,
            }
        };
        let is_on_map = |piece: &&Arc<Piece>| {
            let place = piece.at.as_deref();
            place.is_some_and(|place| game.map.number(place).is_some())
        };
        let pieces = self.pieces.values().filter(is_on_map);
        let common = Arc::new(Knowledge {
            sightings: pieces
                .map(|piece| (piece.id.clone(), sighting(piece)))
                .collect(),
            spaces: BTreeMap::new(),
        });
        for seat in seats {
            self.knowledge.insert(seat.clone(), Arc::clone(&common));
        }
    }

    /// Makes every sighting of a seat an old one and forgets its notes on spaces: a fresh look
    /// follows.
    pub fn look_away(&mut self, seat: &SeatId) {
        let knowledge = self.knowledge_mut(seat);
        knowledge.spaces.clear();
        for sighting in knowledge.sightings.values_mut() {
            sighting.current = false;
        }
    }

    /// Forgets what a seat knew of a piece.
    pub fn forget(&mut self, seat: &SeatId, piece: &str) {
        self.knowledge_mut(seat).sightings.remove(piece);
    }

    /// Returns true if a seat's sighting of a piece is a present one.
    #[must_use]
    pub fn sees(&self, seat: &str, piece: &str) -> bool {
        self.knowledge
            .get(seat)
            .and_then(|knowledge| knowledge.sightings.get(piece))
            .is_some_and(|sighting| sighting.current)
    }
}

/// Returns true if a sighting is just what would be seen of the piece now.
fn is_shown(piece: &Piece, visible: &[&str], known: &Piece) -> bool {
    let now = piece.attributes.among(visible);
    piece.at == known.at && now.eq(known.attributes.iter())
}

/// The attributes that are shown up to a degree, in the order of their names.
fn visible(game: &Game, degree: Visibility) -> Vec<&str> {
    let declared = game.decl.attributes.iter();
    let shown = declared.filter(|(_, declared)| declared.shown <= degree);
    let mut names: Vec<&str> = shown.map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names
}

/// The piece with these attributes, and no others.
fn shown(piece: &Piece, visible: &[&str]) -> Piece {
    Piece {
        id: piece.id.clone(),
        name: piece.name.clone(),
        side: piece.side.clone(),
        formation: piece.formation.clone(),
        kind: piece.kind.clone(),
        at: piece.at.clone(),
        attributes: piece.attributes.only(visible),
        ghost: None,
    }
}

fn sighted(sighting: &Sighting) -> Arc<Piece> {
    if sighting.current {
        return Arc::clone(&sighting.piece);
    }
    Arc::new(Piece {
        ghost: Some(sighting.seen.clone()),
        ..Piece::clone(&sighting.piece)
    })
}

fn in_public_box(game: &Game, piece: &Piece) -> bool {
    piece
        .at
        .as_ref()
        .and_then(|place| game.decl.boxes.get(place))
        .is_some_and(|declared| declared.shown == Audience::Public)
}

/// The part of a declared state that everybody learns.
fn public<T>(state: &Fields, declared: &IndexMap<String, T>, shown: impl Fn(&T) -> bool) -> Fields {
    declared
        .iter()
        .filter(|(_, declared)| shown(declared))
        .filter_map(|(name, _)| Some((name.clone(), state.get(name)?.clone())))
        .collect()
}
