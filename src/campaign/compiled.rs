//! What campaigns of one game share on one thread, and who may look on while they are played.

use std::{collections::BTreeMap, rc::Rc, sync::Arc, thread};

use super::{engine::EngineError, host::HostError, state::State};
use crate::{
    game::{self, Game, GameFiles},
    orders::{Grammar, Vocabularies},
    rules::{Limits, Parsed, Program, Suspended},
};

/// A game's rules and order language, compiled for some options. It belongs to one thread.
#[derive(Clone)]
pub struct Compiled {
    pub(super) program: Rc<Program>,
    pub(super) grammar: Rc<Grammar>,
    pub(super) vocabularies: Rc<Vocabularies>,
}

impl Compiled {
    /// Compiles a game.
    ///
    /// # Errors
    /// If rules or order language don't compile.
    pub fn new(game: Arc<Game>, options: &BTreeMap<String, String>) -> Result<Self, EngineError> {
        let parsed = Parsed::new(&game.scripts, &Limits::default())?;
        Self::of_parsed(game, parsed, options)
    }

    /// Loads and compiles a game whose files were pinned. The data are read on a thread of their own while the scripts are
    /// parsed: a process that takes in a single mail does little else.
    ///
    /// # Errors
    /// If files can't be read, or rules or order language don't compile.
    pub fn of_pinned(
        files: &GameFiles,
        game: &str,
        options: &BTreeMap<String, String>,
    ) -> Result<Self, HostError> {
        let (game, parsed) = thread::scope(|scope| {
            let data = scope.spawn(|| Game::load_pinned(files, game));
            let parsed = Parsed::new(&game::scripts(files, game), &Limits::default());
            let data = data
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (data, parsed)
        });
        let game = Arc::new(game.map_err(HostError::Game)?);
        let parsed = parsed.map_err(EngineError::from)?;
        Ok(Self::of_parsed(game, parsed, options)?)
    }

    fn of_parsed(
        game: Arc<Game>,
        parsed: Parsed,
        options: &BTreeMap<String, String>,
    ) -> Result<Self, EngineError> {
        let grammar = Grammar::new(&game.decl, options)?;
        let vocabularies = Vocabularies::new(Arc::clone(&game));
        let program = Program::of_parsed(game, parsed, Limits::default());
        Ok(Self {
            vocabularies: Rc::new(vocabularies),
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
