//! The pieces and formations that take part in a scenario.

use std::collections::BTreeSet;

use super::order::{Order, Test};
use crate::{
    game::Game,
    value::{Fields, Value},
};

/// What of a game's forces a scenario has.
pub(super) struct Cast<'g> {
    game: &'g Game,
    pieces: BTreeSet<&'g str>,
    formations: BTreeSet<&'g str>,
}

impl<'g> Cast<'g> {
    /// The cast of a scenario; empty if the game does not have it.
    pub(super) fn of(game: &'g Game, scenario: &str) -> Self {
        let positions = game.scenarios.get(scenario).map(|found| &found.positions);
        let counted = positions.into_iter().flatten().filter(|(place, _)| {
            let aside = game.decl.boxes.get(*place);
            aside.is_none_or(|aside| !aside.unlisted)
        });
        let pieces: BTreeSet<&str> = counted
            .flat_map(|(_, pieces)| pieces.iter().map(|id| id.as_str()))
            .collect();
        let units = game.forces.pieces.iter().filter(|piece| {
            let kind = game.decl.kinds.get(&piece.kind);
            pieces.contains(piece.id.as_str()) && kind.is_some_and(|kind| kind.unit)
        });
        // Those above that of a unit, its corps, are attributes of it.
        let formations = units.flat_map(|unit| {
            let above = unit.attributes.values().filter_map(Value::as_text);
            unit.formation.as_deref().into_iter().chain(above)
        });
        let formations = formations.collect();
        Self {
            game,
            pieces,
            formations,
        }
    }

    /// Returns true if everything that an order names takes part.
    pub(super) fn has_all(&self, order: &Order) -> bool {
        let guard = order.guard.as_ref();
        self.has_those_of(&order.args)
            && guard.is_none_or(|guard| {
                self.has_those_of_a_test(&guard.test)
                    && guard.otherwise.iter().all(|order| self.has_all(order))
            })
    }

    fn has_those_of_a_test(&self, test: &Test) -> bool {
        match test {
            Test::Is { args, .. } => self.has_those_of(args),
            Test::Not(test) => self.has_those_of_a_test(test),
            Test::All(tests) | Test::Any(tests) => {
                tests.iter().all(|test| self.has_those_of_a_test(test))
            }
        }
    }

    fn has_those_of(&self, args: &Fields) -> bool {
        args.values().all(|value| self.has(value))
    }

    fn has(&self, value: &Value) -> bool {
        match value {
            Value::Text(id) => self.has_id(id),
            Value::List(items) => items.iter().all(|item| self.has(item)),
            Value::Map(fields) => self.has_those_of(fields),
            Value::Null | Value::Bool(_) | Value::Int(_) => true,
        }
    }

    /// Returns true also for words that are neither a piece nor a formation.
    fn has_id(&self, id: &str) -> bool {
        let (is_piece, is_formation) = (
            self.game.forces.pieces.iter().any(|piece| piece.id == *id),
            self.game.forces.formations.iter().any(|it| it.id == *id),
        );
        (!is_piece && !is_formation) || self.pieces.contains(id) || self.formations.contains(id)
    }
}
