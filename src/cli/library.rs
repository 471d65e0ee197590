//! Where commands find games: those built in, and the directories named on the command line before
//! them.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use super::failure::Failure;
use crate::{
    game::{Disk, EmbeddedFiles, Files, Game, Layers, Problem, Severity},
    orders::Grammar,
    rules::Program,
};

/// The options that name places of games.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Places {
    /// A folder of games that goes before the built-in ones
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// A folder of rules that goes before the built-in ones
    #[arg(long, value_name = "DIR")]
    rules: Option<PathBuf>,
}

impl Places {
    /// Returns true if any was named: what lies there may be anybody's.
    #[must_use]
    pub fn are_named(&self) -> bool {
        self.games.is_some() || self.rules.is_some()
    }

    /// The files, with an overlay of the owner's numbers if any.
    #[must_use]
    pub fn files(&self, data: Option<&PathBuf>) -> Layers {
        let mut disk = Disk::default();
        if let Some(games) = &self.games {
            disk = disk.games(games);
        }
        if let Some(rules) = &self.rules {
            disk = disk.rules(rules);
        }
        if let Some(data) = data {
            disk = disk.data(data);
        }
        let layers: Vec<Box<dyn Files>> = vec![Box::new(disk), Box::new(EmbeddedFiles)];
        Layers(layers)
    }

    /// Loads a game.
    ///
    /// # Errors
    /// Everything that is wrong with its files.
    pub fn game(&self, id: &str) -> Result<Arc<Game>, Failure> {
        Game::load(&self.files(None), id)
            .map(Arc::new)
            .map_err(|problems| problems_failure(&problems))
    }
}

/// All errors among problems as one failure.
#[must_use]
pub fn problems_failure(problems: &[Problem]) -> Failure {
    let errors = problems.iter();
    Failure::failed_in(errors.filter(|problem| problem.severity == Severity::Error))
}

/// A game's rules and order language, ready for use.
///
/// # Errors
/// The first script or form that is wrong.
pub fn rules(
    game: &Arc<Game>,
    options: &BTreeMap<String, String>,
) -> Result<(Program, Grammar), Failure> {
    let program = Program::compile(Arc::clone(game)).map_err(Failure::failed)?;
    let grammar = Grammar::new(&game.decl, options).map_err(Failure::failed)?;
    Ok((program, grammar))
}
