//! The outcome of the changes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{ChangeKind, draw::Mutant};

/// The results for a draw of mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MutantReport {
    /// The game.
    pub game: String,
    /// The seed of the draw.
    pub seed: u64,
    /// The number of cases that judged the changes.
    pub cases: usize,
    /// The number of changes that the files allow.
    pub possible: usize,
    /// The number of further changes in functions that only `invariants` calls, which the
    /// simulation runs and no case does, or that the game does not use.
    pub out_of_reach: usize,
    /// The number of changes tried.
    pub tried: usize,
    /// The number of them that at least one case noticed.
    pub noticed: usize,
    /// The number of others that were drawn, but with which the rules do not compile or the tables
    /// are not sound.
    pub unsound: usize,
    /// By kind: how many were tried, and how many of them noticed.
    pub kinds: BTreeMap<ChangeKind, (usize, usize)>,
    /// The changes that no case noticed, by file and place.
    pub survivors: Vec<Survivor>,
}

impl MutantReport {
    /// Counts a change that was tried.
    pub(super) fn count(
        &mut self,
        mutant: &Mutant<'_>,
        noticed: bool,
        cases: impl FnOnce() -> Option<usize>,
    ) {
        let (tried, seen) = self.kinds.entry(mutant.change.kind).or_default();
        *tried += 1;
        self.tried += 1;
        if noticed {
            *seen += 1;
            self.noticed += 1;
            return;
        }
        let change = mutant.change;
        self.survivors.push(Survivor {
            file: mutant.source.path.clone(),
            line: change.line,
            column: change.column,
            kind: change.kind,
            before: change.before(mutant.source.text).to_owned(),
            after: change.after.clone(),
            rules: mutant.rules.clone(),
            cases: cases(),
        });
    }

    /// Puts the survivors into the order of the files.
    pub(super) fn sort(&mut self) {
        self.survivors.sort_by(|a, b| {
            (&a.file, a.line, a.column, a.kind, &a.after)
                .cmp(&(&b.file, b.line, b.column, b.kind, &b.after))
        });
    }
}

/// A change that no case noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Survivor {
    /// The file (`rules/<game>/combat.rhai`).
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The old text.
    pub before: String,
    /// The new text; empty if the old one was left out.
    pub after: String,
    /// The rules that the nearest comment above names.
    pub rules: Vec<String>,
    /// The number of cases that execute the statement; `null` for a figure of a table, which every
    /// case may use.
    pub cases: Option<usize>,
}
