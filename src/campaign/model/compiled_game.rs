//! Compiled games that campaigns on one thread share, and the onlookers that may watch them.

use std::{collections::BTreeMap, rc::Rc, sync::Arc, thread};

use crate::{
    campaign::model::{state::State, work_error::WorkError},
    digest::Digest,
    dispatch::Wordings,
    game::{self, Game, GameFiles, Seating, shipped},
    orders::{Grammar, Vocabularies},
    rules::{ParsedScripts, Program, RunLimits, Suspension},
};

/// A game's rules and order language, compiled for some options. It belongs to one thread.
#[derive(Clone)]
pub struct CompiledGame {
    pub(crate) program: Rc<Program>,
    pub(crate) grammar: Rc<Grammar>,
    pub(crate) vocabularies: Rc<Vocabularies>,
    pub(crate) wordings: Rc<Wordings>,
}

impl CompiledGame {
    /// Compiles a game.
    ///
    /// # Errors
    /// If rules or order language don't compile.
    pub fn new(game: Arc<Game>, options: &BTreeMap<String, String>) -> Result<Self, WorkError> {
        let parsed = ParsedScripts::new(&game.scripts, &RunLimits::default())?;
        Self::of_parsed(game, parsed, options)
    }

    /// Loads and compiles a pinned game. Reads the data on another thread while it parses the
    /// scripts: a process for a single mail does little else.
    ///
    /// # Errors
    /// If files can't be read, or rules or order language don't compile.
    pub fn of_pinned(
        files: &GameFiles,
        game: &str,
        options: &BTreeMap<String, String>,
        seating: &Seating,
        scenario: &str,
    ) -> Result<Self, WorkError> {
        let paths = files.0.iter();
        if !shipped::may_run(paths.map(|(path, bytes)| (path.as_str(), bytes.as_slice()))) {
            return Err(WorkError::Foreign);
        }
        let (game, parsed) = thread::scope(|scope| {
            let data = scope.spawn(|| Game::load_pinned(files, game));
            let parsed = ParsedScripts::new(&game::scripts(files, game), &RunLimits::default());
            let data = data
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (data, parsed)
        });
        let game = game.map_err(WorkError::Game)?.seated(seating);
        let game = Arc::new(game.map_err(WorkError::Seating)?.staged(scenario));
        let parsed = parsed.map_err(WorkError::from)?;
        Self::of_parsed(game, parsed, options)
    }

    fn of_parsed(
        game: Arc<Game>,
        parsed: ParsedScripts,
        options: &BTreeMap<String, String>,
    ) -> Result<Self, WorkError> {
        let grammar = Grammar::new(&game.decl, options)?;
        let vocabularies = Vocabularies::new(Arc::clone(&game));
        let wordings = Wordings::new(Arc::clone(&game));
        let program = Program::of_parsed(game, parsed, RunLimits::default());
        Ok(Self {
            vocabularies: Rc::new(vocabularies),
            wordings: Rc::new(wordings),
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

/// The compiled games of the campaigns that one thread has open: one for each combination of
/// options, seats and scenario.
#[derive(Default)]
pub struct Shelf(BTreeMap<ShelfMark, CompiledGame>);

/// The key of a compiled game: files, game, options, seats, scenario.
type ShelfMark = (Digest, String, BTreeMap<String, String>, Seating, String);

impl Shelf {
    /// The compiled game of pinned files with this digest, from the shelf or compiled now.
    /// Compiling drops games that no campaign uses any more.
    ///
    /// # Errors
    /// As [`CompiledGame::of_pinned`].
    pub fn compiled(
        &mut self,
        digest: Digest,
        files: &GameFiles,
        game: &str,
        options: &BTreeMap<String, String>,
        seating: &Seating,
        scenario: &str,
    ) -> Result<CompiledGame, WorkError> {
        let key = (
            digest,
            game.to_owned(),
            options.clone(),
            seating.clone(),
            scenario.to_owned(),
        );
        if let Some(compiled) = self.0.get(&key) {
            return Ok(compiled.clone());
        }
        self.0
            .retain(|_, compiled| Rc::strong_count(&compiled.program) > 1);
        let compiled = CompiledGame::of_pinned(files, game, options, seating, scenario)?;
        self.0.insert(key, compiled.clone());
        Ok(compiled)
    }
}

/// An observer of running phases that changes nothing, such as the checks of a simulation.
pub trait Onlooker {
    /// A phase is over; `state` is the state after it.
    fn phase_over(&self, phase: &str, state: &State);

    /// A phase waits for players; `state` is the state before it.
    fn suspended(&self, state: &State, suspended: &Suspension);
}
