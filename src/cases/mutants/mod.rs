//! Small changes of a game's rules, and which of them no case notices: what the cases do not test.
//!
//! Each change is one edit of a script's text (or of a figure in `tables.yaml`), placed by the
//! tokens of Rhai's lexer. A case notices it if its result differs or a script fails. So that few
//! cases are played for each change, all of them are watched once: only those that execute the
//! changed statement can notice it; the ones that cite its rules are asked first, then the short
//! ones.
//!
//! Invariant: what comes of a plan depends on the game, its cases and the seed, not on threads or
//! clocks. A change that makes a script run on is stopped by its number of operations.

mod change;
mod cited;
mod draw;
mod figures;
mod reach;
mod report;
mod script;
mod source;
mod subject;
mod threads;
mod trial;

use std::{convert::Infallible, sync::Arc};

use thiserror::Error;

use super::Case;
use crate::{
    game::{self, Game, GameFiles, Problem},
    orders::GrammarError,
    rules::RuleError,
};
pub use change::ChangeKind;
use reach::WatchedCase;
pub use report::{MutantReport, Survivor};
use script::ScriptTree;
use subject::Subject;
use trial::MutantTrial;

/// The mutants to try.
#[derive(Clone, Copy, Debug)]
pub struct MutantPlan {
    /// The number of changes.
    pub mutants: usize,
    /// The seed of the draw.
    pub seed: u64,
    /// True if numbers in `tables.yaml` are drawn too.
    pub tables: bool,
    /// The number of threads that play cases.
    pub threads: usize,
}

/// Why nothing can be tried.
#[derive(Debug, Error)]
pub enum MutantsError {
    /// The game is not sound.
    #[error("{}", lines(.0))]
    Game(Vec<Problem>),
    /// Its scripts don't compile.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A script can't be read.
    #[error("{0}: {1}")]
    Script(String, String),
    /// A form is wrong.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// There are no cases.
    #[error("there are no cases of `{0}` here; name their folder with --cases")]
    NoCases(String),
    /// Cases fail before anything is changed.
    #[error("cases fail before anything is changed, so they can't judge changes:\n{}", lines(.0))]
    Failing(Vec<String>),
}

fn lines(list: &[impl ToString]) -> String {
    let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// Draws changes of a game's rules and tries them on its cases. `progress` is told how much is
/// done, and of how much.
///
/// # Errors
/// If the game is not sound, or a case fails before anything is changed.
pub fn mutants(
    files: &GameFiles,
    id: &str,
    cases: &[Case],
    plan: MutantPlan,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<MutantReport, MutantsError> {
    let game = Arc::new(sound(files, id)?);
    let cases: Vec<&Case> = cases.iter().filter(|case| case.game == id).collect();
    if cases.is_empty() {
        return Err(MutantsError::NoCases(id.to_owned()));
    }
    let subject = Subject::new(Arc::clone(&game), cases)?;
    let scripts = scripts(&game)?;
    let all = subject.cases.len() + plan.mutants;
    let watched = reach::watch(&subject, &scripts, plan.threads, &mut |done| {
        progress(done, all);
    })?;
    refuse_failing(&subject, &watched)?;
    let mut sources = source::of_scripts(&game, &scripts);
    if plan.tables {
        sources.extend(source::of_tables(files, id));
    }
    let (drawn, unsound) = draw::draw(files, &subject, &sources, plan);
    let trial = MutantTrial::new(&subject, &watched);
    let worker = || {
        let is_noticed = |number| drawn.get(number).is_some_and(|it| trial.is_noticed(it));
        Ok::<_, Infallible>(is_noticed)
    };
    let mut done = |done| progress(subject.cases.len() + done, all);
    let Ok(noticed) = threads::in_parallel(plan.threads, drawn.len(), worker, &mut done);
    let mut report = MutantReport {
        game: id.to_owned(),
        seed: plan.seed,
        cases: subject.cases.len(),
        possible: sources.iter().map(|source| source.changes.len()).sum(),
        out_of_reach: sources.iter().map(|source| source.out_of_reach).sum(),
        unsound,
        ..MutantReport::default()
    };
    for (mutant, noticed) in drawn.iter().zip(noticed) {
        report.count(mutant, noticed, || trial.cases_of(mutant));
    }
    report.sort();
    Ok(report)
}

fn sound(files: &GameFiles, id: &str) -> Result<Game, MutantsError> {
    match game::inspect(files, id) {
        (Some(game), problems) if problems.is_empty() => Ok(game),
        (_, problems) => Err(MutantsError::Game(problems)),
    }
}

fn scripts(game: &Game) -> Result<Vec<ScriptTree<'_>>, MutantsError> {
    let scripts = game.scripts.iter().map(|(name, text)| {
        ScriptTree::read(text).map_err(|error| MutantsError::Script(name.clone(), error))
    });
    scripts.collect()
}

fn refuse_failing(subject: &Subject<'_>, watched: &[WatchedCase]) -> Result<(), MutantsError> {
    let cases = subject.cases.iter().zip(watched);
    let failing: Vec<String> = cases
        .filter_map(|(case, watched)| {
            let first = watched.differences.first()?;
            Some(format!("  {}: {first}", case.case))
        })
        .collect();
    if failing.is_empty() {
        Ok(())
    } else {
        Err(MutantsError::Failing(failing))
    }
}
