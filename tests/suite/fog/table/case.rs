//! A state whose secrets are changed, and what a seat is sent of it before and after.

use std::collections::BTreeMap;

use estafette::{
    campaign::{
        model::state::{CurrentWait, State},
        post::Letter,
    },
    ids::SeatId,
};

use super::{ASKED, Leak, Secret, Sent, Table, Turn, differences, letters_of};

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
        self.assert_hidden_from(&sent(self.state), secrets, sent)
    }

    /// The same where what the reader is sent of the state as it is has been worked out.
    #[track_caller]
    pub fn assert_hidden_from(
        &self,
        before: &[Sent],
        secrets: &[&Secret],
        sent: impl Fn(&State) -> Vec<Sent>,
    ) -> Vec<&'static str> {
        let changed_to = |secrets: &[&Secret]| {
            let mut state = self.state.clone();
            let changed = change(self.table, &mut state, self.reader, self.seed, secrets);
            assert_eq!(
                changed.is_empty(),
                state == *self.state,
                "{changed:?} was changed"
            );
            (changed, state)
        };
        let (changed, state) = changed_to(secrets);
        if changed.is_empty() {
            return changed;
        }
        let after = sent(&state);
        if after != *before {
            for secret in secrets {
                let (_, state) = changed_to(&[secret]);
                self.assert_same(&[secret.name], before, &sent(&state));
            }
        }
        self.assert_same(&changed, before, &after);
        changed
    }

    /// Demands that the reader was sent the same before and after these secrets were changed.
    #[track_caller]
    pub fn assert_same(&self, changed: &[&str], before: &[Sent], after: &[Sent]) {
        let found = differences(before, after);
        assert!(
            found.is_empty(),
            "{}, as {} at {}:\n{}",
            changed.join(" and "),
            self.reader,
            self.name,
            found.join("\n")
        );
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

/// Demands that these secrets change no letter if nobody wants anything from the start of a turn
/// on; counts those that were there to be changed.
#[track_caller]
pub fn assert_quiet_turn_hides(table: &Table, turn: &Turn, secrets: &[&Secret], tried: &mut Tried) {
    let start = &turn.waits[0];
    let letters = table.pass_a_turn(start);
    for reader in table.seats() {
        let told = |letters: &[Letter]| letters_of("the letter", letters, &reader, Leak::NONE);
        let case = Case::new(table, turn, start, &reader);
        let again = |state: &State| told(&table.pass_a_turn(state));
        tried.count(case.assert_hidden_from(&told(&letters), secrets, again));
    }
}

/// Returns true if a seat is asked something.
pub fn is_asked(state: &State, seat: &SeatId) -> bool {
    let CurrentWait::Answers { questions, .. } = &state.waiting else {
        return false;
    };
    questions.iter().any(|question| question.seat == *seat)
}
