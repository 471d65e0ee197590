//! Compiled games that campaigns on one thread share, and the onlookers that may watch them.

use std::{collections::BTreeMap, rc::Rc, sync::Arc, thread};

use crate::{
    campaign::model::{settings::Settings, state::State, work_error::WorkError},
    digest::Digest,
    disk::FileMark,
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
pub struct Shelf {
    games: BTreeMap<ShelfMark, CompiledGame>,
    /// Files of rules that have been read and checked, with the digests of what is in them.
    read: BTreeMap<FileMark, Digest>,
}

/// The key of a compiled game: files, game, options, seats, scenario.
type ShelfMark = (Digest, String, BTreeMap<String, String>, Seating, String);

impl Shelf {
    /// The digest of what is in a file of rules, if it has been read.
    #[must_use]
    pub fn digest_of(&self, file: &FileMark) -> Option<Digest> {
        self.read.get(file).copied()
    }

    /// Has files of rules read again, changed or not.
    pub fn forget_files(&mut self) {
        self.read.clear();
    }

    /// Notes that a file of rules has been read.
    pub fn has_read(&mut self, file: FileMark, digest: Digest) {
        self.read.insert(file, digest);
    }

    /// The compiled game of pinned files with this digest, from the shelf or compiled now.
    /// Compiling drops games that no campaign uses any more.
    ///
    /// # Errors
    /// As [`CompiledGame::of_pinned`], and whatever keeps the files from being read.
    pub fn compiled<E: From<WorkError>>(
        &mut self,
        digest: Digest,
        files: impl FnOnce() -> Result<GameFiles, E>,
        settings: &Settings,
    ) -> Result<CompiledGame, E> {
        let Settings {
            game,
            options,
            seating,
            scenario,
            ..
        } = settings;
        let key = (
            digest,
            game.clone(),
            options.clone(),
            seating.clone(),
            scenario.clone(),
        );
        if let Some(compiled) = self.games.get(&key) {
            return Ok(compiled.clone());
        }
        self.games
            .retain(|_, compiled| Rc::strong_count(&compiled.program) > 1);
        let compiled = CompiledGame::of_pinned(&files()?, game, options, seating, scenario)?;
        self.games.insert(key, compiled.clone());
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
