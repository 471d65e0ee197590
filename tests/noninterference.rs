//! Fog, proved: change what a seat can't know, and every byte that it is sent stays the same.
//!
//! Positions come from random play. In each, a secret of the other side is changed in the state, and both states are asked
//! for everything that the seat could be sent: its view after a fresh look, dispatch as text, page and map, template,
//! receipts for right, wrong and prying orders, refusals, and, where the change can't become visible by the rules, all
//! letters of a whole turn. Only the keyed digests of hidden things may differ (dice.md, section 13).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may panic"
)]

mod secrets;
mod support;
mod table;

use std::collections::BTreeMap;

use estafette::{campaign::State, ids::SeatId};
use secrets::{SECRETS, Secret, in_fog};
use table::{Position, Sent, Table, differences, letters_of, sent};

/// Changes these secrets of the others, as far as there are any; gives their names.
fn change(
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

/// Demands that a seat is sent the same whatever these secrets are: all changed at once, and if that makes a difference, one
/// by one to find out which. Gives the names of those that were there to be changed.
#[track_caller]
fn assert_hidden(
    table: &Table,
    position: &Position,
    reader: &SeatId,
    secrets: &[&Secret],
    sent: impl Fn(&State) -> Vec<Sent>,
) -> Vec<&'static str> {
    let before = sent(&position.state);
    let compare = |secrets: &[&Secret]| {
        let mut state = position.state.clone();
        let changed = change(table, &mut state, reader, position.seed, secrets);
        assert!(
            changed.is_empty() || state != position.state,
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
                "{}, as {reader} at {}:\n{}",
                secret.name,
                position.name,
                found.join("\n")
            );
        }
        panic!(
            "{changed:?} together, as {reader} at {}:\n{}",
            position.name,
            found.join("\n")
        );
    }
    changed
}

#[test]
fn what_a_seat_cannot_know_changes_nothing_that_it_is_sent() {
    let all: Vec<&Secret> = SECRETS.iter().collect();
    let tables = [("campaign", 1, 4), ("lonato", 2, 4), ("lonato", 3, 3)];
    try_secrets(
        &tables.map(|(scenario, seed, most)| (Table::new(scenario), seed, most)),
        &all,
    );
}

#[test]
fn what_lies_face_down_changes_nothing_that_a_seat_is_sent() {
    let tables = [("campaign", 1, 3), ("lonato", 2, 3)];
    try_secrets(
        &tables.map(|(scenario, seed, most)| (Table::in_fog(scenario), seed, most)),
        &in_fog(),
    );
}

/// Tries secrets at every position of random play, for every seat.
#[track_caller]
fn try_secrets(tables: &[(Table, u64, usize)], all: &[&Secret]) {
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    for (table, seed, most) in tables {
        for position in table.random_play(*seed, *most) {
            for reader in table.seats() {
                let sent = |state: &State| sent(table, state, &reader, &table::honest);
                for name in assert_hidden(table, &position, &reader, all, sent) {
                    *tried.entry(name).or_default() += 1;
                }
            }
        }
    }
    for secret in all {
        assert!(
            tried.get(secret.name).is_some_and(|times| *times >= 3),
            "`{}` was tried too seldom: {tried:?}",
            secret.name
        );
    }
}

#[test]
fn what_stays_hidden_changes_no_letter_of_a_whole_turn() {
    let all: Vec<&Secret> = SECRETS.iter().collect();
    pass_a_turn(&["campaign", "lonato"].map(Table::new), &all);
}

#[test]
fn what_stays_face_down_changes_no_letter_of_a_whole_turn() {
    pass_a_turn(&["campaign", "lonato"].map(Table::in_fog), &in_fog());
}

/// Passes a turn with secrets changed at its start.
#[track_caller]
fn pass_a_turn(tables: &[Table], all: &[&Secret]) {
    let hidden: Vec<&Secret> = all
        .iter()
        .copied()
        .filter(|secret| secret.stays_hidden)
        .collect();
    for table in tables {
        // Nobody has moved yet, and nobody will: what is hidden can't come to light by the rules.
        let quiet = &table.random_play(1, 1)[0];
        for reader in table.seats() {
            let turn = |state: &State| letters_of(&table.pass_a_turn(state.clone()), &reader);
            let changed = assert_hidden(table, quiet, &reader, &hidden, turn);
            assert!(changed.len() >= hidden.len() - 2, "only {changed:?}");
        }
    }
}

#[test]
fn a_planted_leak_is_found() {
    let names = [
        "hits of units not seen whole",
        "units below two leaders exchanged",
        "strength of a unit below a leader",
    ];
    let all: Vec<&Secret> = SECRETS.iter().collect();
    find_leaks(&Table::new("lonato"), &all, &names);
    let names = [
        "hidden counters exchanged",
        "a dummy for a hidden counter",
        "which of the dummies lies where",
    ];
    find_leaks(&Table::in_fog("lonato"), &in_fog(), &names);
}

/// Demands that these secrets make a difference where everything is made from the true world.
#[track_caller]
fn find_leaks(table: &Table, all: &[&Secret], names: &[&str]) {
    let positions = table.random_play(2, 4);
    for name in names {
        let secret = all.iter().find(|secret| secret.name == *name).unwrap();
        let tried = positions.iter().any(|position| {
            table
                .seats()
                .iter()
                .any(|reader| finds_leak(table, position, reader, secret))
        });
        assert!(tried, "{name}: nowhere to be changed");
    }
}

/// Demands that a secret makes a difference where everything is made from the true world; false if there is none of the kind.
#[track_caller]
fn finds_leak(table: &Table, position: &Position, reader: &SeatId, secret: &Secret) -> bool {
    let mut state = position.state.clone();
    if change(table, &mut state, reader, position.seed, &[secret]).is_empty() {
        return false;
    }
    let before = sent(table, &position.state, reader, &table::leaking);
    let after = sent(table, &state, reader, &table::leaking);
    assert!(
        !differences(&before, &after).is_empty(),
        "{}: the true world was shown, and nobody saw it",
        secret.name
    );
    true
}

/// The envelope's number in a receipt does tell an unasked seat that the other's orders are sealed, and its code with it:
/// a receipt must name the envelope that its orders will be in. Nothing else may tell it.
#[test]
fn an_open_question_to_another_seat_shows_in_the_number_of_the_envelope_alone() {
    let table = Table::new("campaign");
    let (waiting, asking) = table.before_and_during_a_question();
    let reader = &table.seats()[0];
    let without_envelope = |(name, text): (String, String)| {
        let line = |line: &str| match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["receipt", _, seat, k, time, words, _] => format!("receipt {seat} {k} {time} {words}"),
            _ => line.to_owned(),
        };
        (name, text.lines().map(line).collect::<Vec<_>>().join("\n"))
    };
    let receipts = |state: &State| -> Vec<Sent> {
        letters_of(&table.answers_to(state, reader), reader)
            .into_iter()
            .map(without_envelope)
            .collect()
    };
    let found = differences(&receipts(&waiting), &receipts(&asking));
    assert!(found.is_empty(), "{}", found.join("\n"));
}
