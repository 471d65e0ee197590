//! What campaigns of one game share on one thread, and who may look on while they are played.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use super::{engine::EngineError, state::State};
use crate::{
    game::Game,
    orders::Grammar,
    rules::{Program, Suspended},
};

/// A game's rules and order language, compiled for some options. It belongs to one thread.
#[derive(Clone)]
pub struct Compiled {
    pub(super) program: Rc<Program>,
    pub(super) grammar: Rc<Grammar>,
}

impl Compiled {
    /// Compiles a game.
    ///
    /// # Errors
    /// If rules or order language don't compile.
    pub fn new(game: Arc<Game>, options: &BTreeMap<String, String>) -> Result<Self, EngineError> {
        let grammar = Grammar::new(&game.decl, options)?;
        let program = Program::compile(game)?;
        Ok(Self {
            program: Rc::new(program),
            grammar: Rc::new(grammar),
        })
    }

    /// The rules.
    #[must_use]
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// The order language.
    #[must_use]
    pub fn grammar(&self) -> &Rc<Grammar> {
        &self.grammar
    }
}

/// Somebody who looks on while phases run and has no hand in it: the checks of a simulation.
pub trait Watch {
    /// A phase is over; the state is that after it.
    fn phase_over(&self, phase: &str, state: &State);

    /// A phase waits for players; the state is that before it.
    fn suspended(&self, state: &State, suspended: &Suspended);
}
