//! The world at the start of a scenario.

use std::{collections::BTreeMap, sync::Arc};

use thiserror::Error;

use super::{Piece, World};
use crate::{
    game::{Game, Scenario},
    ids::PlaceId,
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

    /// A world with every piece out of play and every fact, space and road at its default.
    #[must_use]
    pub fn empty(game: &Game) -> Self {
        let decl = &game.decl;
        let defaults = |list: &indexmap::IndexMap<String, crate::game::FactDecl>| -> Fields {
            list.iter()
                .map(|(name, fact)| (name.clone(), fact.default.clone()))
                .collect()
        };
        let mut world = Self {
            facts: defaults(&decl.facts),
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
        let map = game.map.map();
        let (space, road) = (
            defaults(&decl.space_attributes),
            defaults(&decl.road_attributes),
        );
        let spaces = map.spaces.iter();
        world.spaces = Arc::new(
            spaces
                .map(|found| (found.id.clone(), space.clone()))
                .collect(),
        );
        let roads = map.roads.iter();
        world.roads = Arc::new(
            roads
                .map(|found| (format!("{}-{}", found.a, found.b), road.clone()))
                .collect(),
        );
        for seat in &decl.seats {
            world.knowledge.entry(seat.id.clone()).or_default();
        }
        world
    }

    fn lay_out(&mut self, scenario: &Scenario) {
        self.facts.extend(scenario.facts.clone());
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

    /// Sets a fact.
    pub fn set_fact(&mut self, name: &str, value: Value) {
        self.facts.insert(name.to_owned(), value);
    }
}
