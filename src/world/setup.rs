//! The world at the start of a scenario.

use std::{collections::BTreeMap, sync::Arc};

use thiserror::Error;

use super::{Knowledge, Piece, World};
use crate::{
    game::{Game, Scenario},
    ids::{PlaceId, SeatId},
    value::{Attributes, Fields, Value},
};

/// Why a world can't be set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The game has no such scenario.
    #[error("there is no scenario `{0}`; there are: {1}")]
    NoScenario(String, String),
}

/// The attributes that a game declares, each at its default.
pub(crate) fn unmarked(game: &Game) -> Attributes {
    let declared = game.decl.attributes.iter();
    declared
        .map(|(name, found)| (name.as_str().into(), found.default.clone()))
        .collect()
}

impl World {
    /// The world at the start of a scenario.
    ///
    /// # Errors
    /// If the game has no scenario of that name.
    pub fn set_up(game: &Game, scenario: &str) -> Result<Self, SetupError> {
        let found = game.scenarios.get(scenario).ok_or_else(|| {
            let known: Vec<_> = game.scenarios.keys().map(String::as_str).collect();
            SetupError::NoScenario(scenario.to_owned(), known.join(", "))
        })?;
        let mut world = Self::empty(game);
        world.lay_out(found);
        Ok(world)
    }

    /// A world with every piece out of play and every fact at its default, no state of a space or a
    /// road set.
    #[must_use]
    pub fn empty(game: &Game) -> Self {
        let decl = &game.decl;
        let facts = decl.facts.iter();
        let facts = facts.map(|(name, fact)| (name.clone(), fact.default.clone()));
        let mut world = Self {
            facts: Arc::new(facts.collect()),
            ..Self::default()
        };
        let unmarked = unmarked(game);
        for piece in &game.forces.pieces {
            let mut attributes = unmarked.clone();
            attributes.extend(&piece.attributes);
            world.pieces.insert(
                piece.id.clone(),
                Arc::new(Piece {
                    id: piece.id.clone(),
                    name: piece.name.clone(),
                    side: piece.side.clone(),
                    formation: piece.formation.clone(),
                    kind: piece.kind.clone(),
                    at: None,
                    attributes,
                    ghost: None,
                }),
            );
        }
        for seat in &decl.seats {
            world.knowledge.entry(seat.id.clone()).or_default();
        }
        world
    }

    fn lay_out(&mut self, scenario: &Scenario) {
        self.scenario = Some(scenario.id.clone());
        Arc::make_mut(&mut self.facts).extend(scenario.facts.clone());
        for (place, pieces) in &scenario.positions {
            for id in pieces {
                self.put(id, place);
            }
        }
        for (id, attributes) in &scenario.pieces {
            if let Some(piece) = self.piece_mut(id) {
                piece.attributes.extend(attributes);
            }
        }
        for (space, state) in &scenario.spaces {
            self.spaces_mut()
                .entry(space.clone())
                .or_default()
                .extend(state.clone());
        }
        for (road, state) in &scenario.roads {
            self.roads_mut()
                .entry(road.clone())
                .or_default()
                .extend(state.clone());
        }
    }

    /// Puts a piece in a place; a piece that does not exist stays so.
    pub fn put(&mut self, piece: &str, place: &PlaceId) {
        if let Some(piece) = self.piece_mut(piece) {
            piece.at = Some(place.clone());
        }
    }

    /// The state of spaces, to change it.
    pub fn spaces_mut(&mut self) -> &mut BTreeMap<PlaceId, Fields> {
        Arc::make_mut(&mut self.spaces)
    }

    /// The state of roads, to change it.
    pub fn roads_mut(&mut self) -> &mut BTreeMap<String, Fields> {
        Arc::make_mut(&mut self.roads)
    }

    /// A seat's knowledge, to change it.
    pub fn knowledge_mut(&mut self, seat: &SeatId) -> &mut Knowledge {
        Arc::make_mut(self.knowledge.entry(seat.clone()).or_default())
    }

    /// Sets a fact.
    pub fn set_fact(&mut self, name: &str, value: Value) {
        let facts = Arc::make_mut(&mut self.facts);
        match facts.get_mut(name) {
            Some(known) => *known = value,
            None => {
                facts.insert(name.to_owned(), value);
            }
        }
    }
}
