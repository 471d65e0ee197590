//! The statements that each case executes, and the amount of its work.

use std::{collections::BTreeSet, sync::Arc};

use super::{script::ScriptTree, subject::Subject, threads::in_parallel};
use crate::rules::{Program, RuleError, RunLimits, Spot};

/// A case that has been watched.
pub(super) struct WatchedCase {
    /// The statements that it executes: the number of the script, the number of the statement in
    /// it.
    pub statements: BTreeSet<(usize, usize)>,
    /// The number of steps that it takes.
    pub steps: u64,
    /// The differences from what it expects: none, unless something is wrong before any change.
    pub differences: Vec<String>,
}

/// Plays all cases once and watches them.
///
/// # Errors
/// If the rules don't compile.
pub(super) fn watch(
    subject: &Subject<'_>,
    scripts: &[ScriptTree<'_>],
    threads: usize,
    done: &mut dyn FnMut(usize),
) -> Result<Vec<WatchedCase>, RuleError> {
    let worker = || {
        let parsed = subject.parse(None)?;
        let (program, trace) =
            Program::traced(Arc::clone(&subject.game), parsed, RunLimits::default());
        Ok(move |case| {
            let differences = subject.differences(&program, case);
            let (spots, steps) = trace.take();
            WatchedCase {
                statements: statements(scripts, &spots),
                steps,
                differences,
            }
        })
    };
    in_parallel(threads, subject.cases.len(), worker, done)
}

fn statements(scripts: &[ScriptTree<'_>], spots: &[Spot]) -> BTreeSet<(usize, usize)> {
    let statement = |spot: &Spot| {
        let script = scripts.get(spot.script)?;
        Some((spot.script, script.statement_at(spot.line, spot.column)?))
    };
    spots.iter().filter_map(statement).collect()
}
