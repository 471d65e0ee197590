//! The scope of facts that end by themselves: with a phase, or with the turn.

use std::sync::Arc;

use super::World;
use crate::game::{Game, PhaseName, Scope};

impl World {
    /// Begins a phase: facts that last no longer than until then return to their defaults.
    pub fn phase_begins(&mut self, game: &Game, phase: &str) {
        let id = PhaseName::new(phase).id;
        self.clear(game, |scope| scope.ends_before(id));
    }

    /// The turn is over: facts that hold for a turn are their defaults again.
    pub fn turn_ends(&mut self, game: &Game) {
        self.clear(game, |scope| *scope == Scope::Turn);
    }

    fn clear(&mut self, game: &Game, ends: impl Fn(&Scope) -> bool) {
        for (name, fact) in &game.decl.facts {
            if ends(&fact.scope) && self.facts.get(name).is_some_and(|now| *now != fact.default) {
                Arc::make_mut(&mut self.facts).insert(name.clone(), fact.default.clone());
            }
        }
    }
}
