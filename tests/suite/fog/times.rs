//! Times, proved: where dispatches have their moment, when letters come tells a seat nothing of
//! what others are asked.
//!
//! Days are played twice by the clock, with a host that looks in every five minutes: once with
//! another seat that wants to be asked whatever can be asked, once with one that does not. Every
//! letter to the reader must have the same bytes, its Date included. Without the setting the same
//! days differ.

use std::{collections::BTreeSet, sync::Arc};

use crate::fog::novara_secrets;
use crate::fog::table::{
    Answer, Coming, Course, Leak, Options, Table, Turn, and_now_and_then, differences, letters_of,
    mails_of,
};
use estafette::{campaign::model::state::State, ids::SeatId};
use jiff::SignedDuration;

/// Schedules: orders close at a moment, or before it when all are in, or a while after the last
/// mail; who sends nothing, or does not answer, is reminded.
const SCHEDULES: [[&str; 2]; 3] = [
    [
        "{zone: UTC, at: [Tue 20:00, Fri 20:00], remind: [24, 3]}",
        "{zone: UTC, at: [Tue 20:00, Fri 20:00], remind: [24, 3], dispatch_after: 24h}",
    ],
    [
        "{zone: UTC, at: [Tue 20:00, Fri 20:00], early: true, grace_hours: 2}",
        "{zone: UTC, at: [Tue 20:00, Fri 20:00], early: true, grace_hours: 2, dispatch_after: 24h}",
    ],
    [
        "{zone: UTC, most_hours: 48, settle: 15m, remind: [24, 3]}",
        "{zone: UTC, most_hours: 48, settle: 15m, remind: [24, 3], dispatch_after: 24h}",
    ],
];

/// What a seat is sent in the days after a wait: the days in which the other is asked, and what
/// differs where it is not.
fn asked_and_not(
    table: &Table,
    state: &State,
    mails: &[Coming],
    answer: Option<&Answer>,
    reader: &SeatId,
) -> (Course, Vec<String>) {
    let topics = table.context.game().decl.orders.topics.keys();
    let mut silent = state.clone();
    // Who is asked himself may see from the hour that others were asked before him.
    Arc::make_mut(&mut silent.decisions).asks.clear();
    let (mut eager, other) = (silent.clone(), table.other(reader));
    Arc::make_mut(&mut eager.decisions)
        .asks
        .insert(other, topics.cloned().collect());
    let asked = table.course(&eager, mails, answer);
    let unasked = table.course(&silent, mails, answer);
    let sent = |course: &Course| letters_of("a letter", &course.letters, reader, Leak::NONE);
    let found = differences(&sent(&unasked), &sent(&asked));
    (asked, found)
}

/// When a course's dispatches went out to a seat.
fn dispatched(course: &Course, reader: &SeatId) -> Vec<String> {
    let sent = letters_of("a letter", &course.letters, reader, Leak::NONE);
    let pages = sent.iter().filter(|(what, _)| what == "a letter: page");
    let headers = sent.iter().filter(|(what, _)| what == "a letter: header");
    // Receipts, which answer a mail, are pages too.
    let dispatches = headers.zip(pages).filter(|((_, header), (_, page))| {
        page != "none" && !header.contains("Auto-Submitted: auto-replied")
    });
    let date = |header: &str| {
        let line = header.lines().find(|line| line.starts_with("Date: "));
        line.unwrap_or_default().to_owned()
    };
    dispatches.map(|((_, header), _)| date(header)).collect()
}

/// With a fixed moment for dispatches every letter to a seat that is not asked has the same bytes
/// and the same time, whether the other is asked, once or several times, and answers soon, late or
/// never. Without one its time tells.
#[test]
fn times_tell_nothing_where_dispatches_have_a_moment() {
    let attack = "MOVE Wurmser, Melas, Gummer, Bajalich, Nicoletti: La Corona\n";
    let answers = [
        None,
        Some(Answer {
            after: SignedDuration::from_mins(13 * 60 + 17),
            words: "FIGHT",
        }),
        Some(Answer {
            after: SignedDuration::from_mins(5),
            words: "FIGHT",
        }),
    ];
    let mut most = 0;
    for [plain, fixed] in SCHEDULES {
        for answer in &answers {
            let mut table = Table::new("campaign", &[("questions_per_turn", "3")]);
            let state = table.before_and_during_a_question().0;
            let [reader, other] = [0, 1].map(|number: usize| table.seats()[number].clone());
            let orders = [(SignedDuration::from_mins(10), other, attack.to_owned())];
            let mails = and_now_and_then(&orders, &reader, "PURSUE NEVER\n");

            table.with_schedule(fixed);
            let (asked, found) = asked_and_not(&table, &state, &mails, answer.as_ref(), &reader);
            assert!(found.is_empty(), "{fixed}:\n{}", found.join("\n"));
            assert!(asked.questions > 0, "nobody was asked");
            most = most.max(asked.questions);
            let moment = asked.sealed.unwrap() + SignedDuration::from_hours(24);
            let first = &dispatched(&asked, &reader)[0];
            assert!(
                first.contains(&moment.strftime("%d %b %Y %H:%M").to_string()),
                "{first}: {moment}"
            );

            table.with_schedule(plain);
            let (asked, found) = asked_and_not(&table, &state, &mails, answer.as_ref(), &reader);
            assert!(asked.questions > 0, "nobody was asked");
            assert!(!found.is_empty(), "{plain}: nothing tells of the question");
        }
    }
    assert!(most > 1, "nobody was asked twice");
}

/// The same of random turns of both games.
#[test]
fn the_times_of_letters_tell_nothing_in_random_turns() {
    let options: Options<'_> = &[("fog", "on"), ("questions_per_turn", "2")];
    let turns = |table: &Table| {
        (1..=3)
            .flat_map(|seed| table.random_turns(seed, 2))
            .collect()
    };
    random_turns_tell_nothing(|| Table::new("lonato", options), turns);
}

#[test]
fn the_times_of_letters_tell_nothing_in_random_turns_of_hexes() {
    let options: Options<'_> = &[("dummies", "on"), ("questions_per_turn", "3")];
    let table = || novara_secrets::table("la_sforzesca", options);
    let turns = |table: &Table| {
        (1..=2)
            .flat_map(|seed| novara_secrets::random_turns(table, seed, 6))
            .collect()
    };
    random_turns_tell_nothing(table, turns);
}

#[track_caller]
fn random_turns_tell_nothing(table: impl Fn() -> Table, turns: impl FnOnce(&Table) -> Vec<Turn>) {
    let (origin, mut fixed, mut plain) = (table(), table(), table());
    let (mut questions, mut told) = (0, 0);
    for (turn, [without, with]) in turns(&origin).iter().zip(SCHEDULES.iter().cycle()) {
        plain.with_schedule(without);
        fixed.with_schedule(with);
        let mut envelopes = BTreeSet::new();
        let begins = |state: &&State| envelopes.insert(state.dice.envelope);
        for state in turn.waits.iter().filter(begins) {
            let mails = mails_of(turn, state.dice.envelope);
            for reader in origin.seats() {
                let (asked, found) = asked_and_not(&fixed, state, &mails, None, &reader);
                let (name, found) = (&turn.name, found.join("\n"));
                assert!(found.is_empty(), "{with}, as {reader} at {name}:\n{found}");
                questions += asked.questions;
                if asked.questions > 0 {
                    let (_, found) = asked_and_not(&plain, state, &mails, None, &reader);
                    told += usize::from(!found.is_empty());
                }
            }
        }
    }
    assert!(
        questions > 3 && told > 2,
        "{questions} questions, {told} would have told"
    );
}
