//! Trying a change on the cases.

use std::{sync::Arc, time::Duration};

use super::{draw::Mutant, reach::WatchedCase, subject::Subject};
use crate::rules::{Program, RunLimits};

/// The cases, in the order in which they are tried.
pub(super) struct MutantTrial<'a> {
    subject: &'a Subject<'a>,
    watched: &'a [WatchedCase],
    /// Numbers of cases, short ones first.
    by_length: Vec<usize>,
    limits: RunLimits,
}

/// How many times the work of the longest case a changed script may do in one phase before it
/// counts as endless.
const TIMES_THE_LONGEST: u64 = 4;
/// A fixed allowance of operations on top.
const OPERATIONS: u64 = 1_000_000;

impl<'a> MutantTrial<'a> {
    pub fn new(subject: &'a Subject<'a>, watched: &'a [WatchedCase]) -> Self {
        let steps = |case: &usize| watched.get(*case).map_or(0, |it| it.steps);
        let mut by_length: Vec<usize> = (0..watched.len()).collect();
        by_length.sort_by_key(steps);
        let longest = by_length.last().map_or(0, steps);
        let usual = RunLimits::default();
        let operations = usual
            .operations
            .min(TIMES_THE_LONGEST * longest + OPERATIONS);
        Self {
            subject,
            watched,
            by_length,
            limits: RunLimits {
                operations,
                check_operations: usual.check_operations.min(operations),
                // The outcome of a trial must not depend on the machine, or on other threads.
                time: Duration::from_secs(3600),
                memory: usize::MAX,
                ..usual
            },
        }
    }

    /// The number of cases that execute the changed statement; none for a figure, which every case
    /// may use.
    pub fn cases_of(&self, mutant: &Mutant<'_>) -> Option<usize> {
        mutant.source.script?;
        Some(self.asked(mutant).count())
    }

    /// The cases that may notice a change, short ones first.
    fn asked(&self, mutant: &Mutant<'_>) -> impl Iterator<Item = usize> {
        let place = mutant.source.script.zip(mutant.change.statement);
        let is_asked = move |case: &usize| {
            let watched = self.watched.get(*case);
            place.is_none_or(|place| watched.is_some_and(|it| it.statements.contains(&place)))
        };
        self.by_length.iter().copied().filter(is_asked)
    }

    /// Returns true if a case notices a change. Those that cite its rules are asked first.
    pub fn is_noticed(&self, mutant: &Mutant<'_>) -> bool {
        let subject = self.subject;
        let changed = mutant
            .source
            .script
            .map(|script| (script, mutant.change.apply(mutant.source.text)));
        let Ok(parsed) = subject.parse(changed) else {
            return true;
        };
        let game = mutant.game.as_ref().unwrap_or(&subject.game);
        let program = Program::of_parsed(Arc::clone(game), parsed, self.limits.clone());
        let (near, far): (Vec<_>, Vec<_>) = self
            .asked(mutant)
            .partition(|case| self.cites(*case, &mutant.rules));
        near.into_iter()
            .chain(far)
            .any(|case| !subject.differences(&program, case).is_empty())
    }

    /// Returns true if a case cites one of some rules, or a part of one.
    fn cites(&self, case: usize, rules: &[String]) -> bool {
        let cited = self.subject.cases.get(case).map(|case| &case.rules);
        cited.into_iter().flatten().any(|cited| {
            rules.iter().any(|rule| {
                let rest = cited.strip_prefix(rule.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        })
    }
}
