//! A state whose secrets are changed, and what a seat is sent of it before and after.

use std::collections::BTreeMap;

use estafette::{
    campaign::model::state::{CurrentWait, State},
    ids::SeatId,
};

use super::{ASKED, Secret, Sent, Table, Turn, differences};

/// Changes these secrets of the others, as far as there are any; gives their names.
pub fn change(
    table: &Table,
    state: &mut State,
    reader: &SeatId,
    seed: u64,
    secrets: &[&Secret],
) -> Vec<&'static str> {
    let changed = secrets
        .iter()
        .filter(|secret| (secret.change)(table, state, reader, seed));
    changed.map(|secret| secret.name).collect()
}

/// A state whose secrets are changed, and for whom they are secrets.
pub struct Case<'a> {
    table: &'a Table,
    name: &'a str,
    seed: u64,
    state: &'a State,
    reader: &'a SeatId,
}

impl<'a> Case<'a> {
    /// A state of a turn.
    pub fn new(table: &'a Table, turn: &'a Turn, state: &'a State, reader: &'a SeatId) -> Self {
        Self {
            table,
            name: &turn.name,
            seed: turn.seed,
            state,
            reader,
        }
    }

    /// Demands that the reader is sent the same whatever these secrets are: all changed at once,
    /// and if that makes a difference, one by one to find out which. Gives the names of those that
    /// were there to be changed.
    #[track_caller]
    pub fn assert_hidden(
        &self,
        secrets: &[&Secret],
        sent: impl Fn(&State) -> Vec<Sent>,
    ) -> Vec<&'static str> {
        let before = sent(self.state);
        let compare = |secrets: &[&Secret]| {
            let mut state = self.state.clone();
            let changed = change(self.table, &mut state, self.reader, self.seed, secrets);
            assert!(
                changed.is_empty() || state != *self.state,
                "{changed:?} changed nothing"
            );
            (changed, differences(&before, &sent(&state)))
        };
        let (changed, found) = compare(secrets);
        if !found.is_empty() {
            for secret in secrets {
                let (_, found) = compare(&[secret]);
                assert!(
                    found.is_empty(),
                    "{}{}",
                    self.says(secret.name),
                    found.join("\n")
                );
            }
            panic!(
                "{}{}",
                self.says(&format!("{changed:?} together")),
                found.join("\n")
            );
        }
        changed
    }

    fn says(&self, changed: &str) -> String {
        format!("{changed}, as {} at {}:\n", self.reader, self.name)
    }
}

/// Counts what has been tried, so that no test passes for want of anything to try.
#[derive(Default)]
pub struct Tried(pub BTreeMap<&'static str, usize>);

impl Tried {
    pub fn count(&mut self, names: Vec<&'static str>) {
        for name in names {
            *self.0.entry(name).or_default() += 1;
        }
    }

    #[track_caller]
    pub fn assert_all(&self, secrets: &[&Secret]) {
        for secret in secrets.iter().filter(|secret| secret.name != ASKED) {
            assert!(
                self.0.get(secret.name).is_some_and(|times| *times >= 3),
                "`{}` was tried too seldom: {:?}",
                secret.name,
                self.0
            );
        }
    }
}

/// Returns true if a seat is asked something.
pub fn is_asked(state: &State, seat: &SeatId) -> bool {
    let CurrentWait::Answers { questions, .. } = &state.waiting else {
        return false;
    };
    questions.iter().any(|question| question.seat == *seat)
}
