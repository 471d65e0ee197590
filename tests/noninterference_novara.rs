//! Fog in the second game, proved: change what a seat can't know, and every byte that it is sent stays the same.
//!
//! As in `noninterference.rs`, for a game of hexes, chits, dummies and masks. Positions come from turns that the game's own bots play
//! in every scenario, with every option alone and together.
//!
//! `FOG_SEEDS=20 cargo test --release --test noninterference_novara` plays twenty times as many turns.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may panic"
)]

mod novara_fog;
mod support;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use estafette::{
    campaign::{Letter, State},
    ids::SeatId,
};
use novara_fog::{
    EVERYWHERE, LEVELS, NOVARA, PLANTED, Planted, SEIZED, bystanders, random_turn, random_turns,
    secrets, wear, with_a_seized_pontoon, with_guns_in_range,
};
use table::{
    ARTEFACTS, Case, Leak, Options, Secret, Sent, Table, Trial, Tried, Turn, differences, is_asked,
    letters_of, sent,
};

/// Options, each alone.
const ALONE: &[Options<'_>] = &[
    &[("dummies", "on")],
    &[("masks", "on")],
    &[("pauses", "off")],
    &[("pauses", "all")],
    &[("questions_per_turn", "3")],
];

/// Those of the whole campaign besides.
const OF_CAMPAIGNS: &[Options<'_>] = &[&[("hypothetical", "on")], &[("sixth_division", "on")]];

/// All together.
const ALL: Options<'_> = &[
    ("dummies", "on"),
    ("masks", "on"),
    ("hypothetical", "on"),
    ("sixth_division", "on"),
    ("pauses", "all"),
    ("questions_per_turn", "3"),
];

/// How many random campaigns are played with each set of options.
fn seeds() -> u64 {
    let wanted = std::env::var("FOG_SEEDS").ok();
    wanted.map_or(1, |seeds| seeds.parse().expect("FOG_SEEDS is a number"))
}

/// What is played of some scenarios: no options, and all together, in each; each alone in the first, or in all if there is more than
/// one campaign of each.
fn played(
    scenarios: &[&'static str],
    alone: impl Iterator<Item = Options<'static>> + Clone,
) -> Vec<(&'static str, Options<'static>)> {
    let mut all = Vec::new();
    for (number, scenario) in scenarios.iter().enumerate() {
        all.extend([(*scenario, &[][..]), (*scenario, ALL)]);
        if number == 0 || seeds() > 1 {
            all.extend(alone.clone().map(|options| (*scenario, options)));
        }
    }
    all
}

fn table(scenario: &'static str, options: Options<'_>) -> Table {
    Table::of(&NOVARA, scenario, options, |_| {}, |_| {})
}

/// The secrets that last through something.
fn lasting(trial: Trial) -> Vec<&'static Secret> {
    let mut secrets = secrets();
    secrets.retain(|secret| secret.outlasts.contains(&trial));
    secrets
}

/// The states of a turn in which somebody was waited for: of waits for the same orders the last, when those of others are in.
fn moments(turn: &Turn) -> impl Iterator<Item = &State> {
    let envelopes: BTreeMap<u32, &State> = turn
        .waits
        .iter()
        .map(|state| (state.dice.envelope, state))
        .collect();
    let waits: Vec<&State> = envelopes.into_values().collect();
    let some = waits.len().div_ceil(3);
    let questions = turn.questions.iter().take(2);
    waits.into_iter().rev().step_by(some).chain(questions)
}

#[test]
fn what_a_seat_cannot_know_changes_nothing_that_it_is_sent_in_a_scenario() {
    let scenarios = ["la_sforzesca", "mortara", "novara"];
    assert_nothing_told(&played(&scenarios, ALONE.iter().copied()));
}

#[test]
fn what_a_seat_cannot_know_changes_nothing_that_it_is_sent_in_a_campaign() {
    let alone = OF_CAMPAIGNS.iter().copied();
    let mut campaigns = played(&["campaign", "ramorino"], alone);
    if seeds() > 1 {
        campaigns.extend(ALONE.iter().map(|options| ("campaign", *options)));
    }
    assert_nothing_told(&campaigns);
}

/// Plays a turn of each of these campaigns, and compares what could be sent in it.
#[track_caller]
fn assert_nothing_told(campaigns: &[(&'static str, Options<'_>)]) {
    let mut tried = Tried::default();
    for (scenario, options) in campaigns {
        let table = table(scenario, options);
        for turn in (1..=seeds()).flat_map(|seed| random_turns(&table, seed, 1)) {
            for reader in table.seats() {
                for state in moments(&turn).filter(|state| !is_asked(state, &reader)) {
                    let case = Case::new(&table, &turn, state, &reader);
                    let told = |state: &State| sent(&table, state, &reader, Leak::NONE);
                    tried.count(case.assert_hidden(&secrets(), told));
                }
            }
        }
    }
    tried.assert_all(&secrets());
}

/// What is played to see what follows, and for how many turns; the one in which most happens is compared.
const FOLLOWED: &[(&str, Options<'_>, i64)] = &[
    (
        "la_sforzesca",
        &[("dummies", "on"), ("questions_per_turn", "3")],
        4,
    ),
    (
        "la_sforzesca",
        &[("masks", "on"), ("questions_per_turn", "3")],
        5,
    ),
    ("mortara", &[("masks", "on"), ("pauses", "all")], 4),
    (
        "novara",
        &[("dummies", "on"), ("masks", "on"), ("pauses", "off")],
        3,
    ),
    (
        "campaign",
        &[
            ("hypothetical", "on"),
            ("sixth_division", "on"),
            ("masks", "on"),
        ],
        2,
    ),
    (
        "ramorino",
        &[("dummies", "on"), ("questions_per_turn", "3")],
        3,
    ),
];

/// What must happen in these turns.
const HAPPENS: &[&str] = &[
    "move.seen",
    "bombardment.suffered",
    "charge.made",
    "combat.fought",
    "retreat.went",
    "break.went",
    "mask.revealed",
    "unit.level_lost",
];

/// What a seat heard in a turn, by the names of the events.
fn heard<'a>(turn: &'a Turn, reader: &SeatId) -> impl Iterator<Item = &'a str> {
    let told = &turn.end.as_ref().unwrap().seats[reader].told;
    told.iter().map(|event| event.key.as_str())
}

/// The turn in which most kinds of what must happen do.
fn most_eventful(table: &Table, turns: Vec<Turn>) -> Turn {
    let kinds = |turn: &Turn| {
        let seats = table.seats();
        let heard: BTreeSet<&str> = seats.iter().flat_map(|seat| heard(turn, seat)).collect();
        HAPPENS.iter().filter(|what| heard.contains(**what)).count()
    };
    turns.into_iter().max_by_key(kinds).unwrap()
}

#[test]
fn what_stays_hidden_changes_no_letter_of_what_follows() {
    let mut tried: [Tried; 3] = Default::default();
    let mut seen = BTreeMap::new();
    for (scenario, options, turns) in FOLLOWED {
        let table = table(scenario, options);
        for seed in 1..=seeds() {
            let turn = most_eventful(&table, random_turns(&table, seed, *turns));
            for reader in table.seats() {
                tried[0].count(letters_hide(&table, &turn, &reader, Trial::Supply));
                tried[1].count(letters_hide(&table, &turn, &reader, Trial::QuietTurn));
                tried[2].count(letters_hide(&table, &turn, &reader, Trial::FullTurn));
                assert_bystanders_are_hidden(&table, &turn, &reader, &mut seen);
                assert_shots_tell_no_names(&table, &turn, &reader, &mut seen);
            }
        }
    }
    let trials = [Trial::Supply, Trial::QuietTurn, Trial::FullTurn];
    for (tried, trial) in tried.iter().zip(trials) {
        tried.assert_all(&lasting(trial));
    }
    for what in HAPPENS.iter().chain(&["bystanders", "questions"]) {
        let times = seen.get(*what).copied().unwrap_or(0);
        assert!(times >= 2, "{what}: {seen:?}");
    }
}

/// Demands that no letter of what follows tells what outlasts it; gives what there was to tell.
#[track_caller]
fn letters_hide(table: &Table, turn: &Turn, reader: &SeatId, trial: Trial) -> Vec<&'static str> {
    let start = at_peace(&turn.waits[0], trial);
    let letters = |state: &State| {
        let letters = what_follows(table, turn, state, trial);
        letters_of("the dispatch", &letters, reader, Leak::NONE)
    };
    Case::new(table, turn, &start, reader).assert_hidden(&lasting(trial), letters)
}

/// The state without standing orders to fire: guns that nobody sees fire even in a quiet turn.
fn at_peace(state: &State, trial: Trial) -> State {
    let mut state = state.clone();
    if trial == Trial::QuietTurn {
        for lines in state.decisions.standing.values_mut() {
            lines.retain(|line| line.verb != "fire_policy");
        }
    }
    state
}

/// The letters of what follows a state: a night, a turn in which nobody wants anything, the turn as it was played.
fn what_follows(table: &Table, turn: &Turn, state: &State, trial: Trial) -> Vec<Letter> {
    match trial {
        Trial::Supply | Trial::Battle => table.run_to_orders(state, "night"),
        Trial::QuietTurn => table.pass_a_turn(state),
        Trial::FullTurn => table.play_again(state, turn),
    }
}

/// Demands that no letter of a turn tells of those whom the reader does not meet; counts what there was in it.
#[track_caller]
fn assert_bystanders_are_hidden(
    table: &Table,
    turn: &Turn,
    reader: &SeatId,
    seen: &mut BTreeMap<String, usize>,
) {
    let others = bystanders(table, turn, reader);
    let mut state = turn.waits[0].clone();
    wear(&mut state, &others);
    let letters = |letters: &[Letter]| letters_of("the dispatch", letters, reader, Leak::NONE);
    let before = letters(&turn.letters);
    let found = differences(&before, &letters(&table.play_again(&state, turn)));
    assert!(
        found.is_empty(),
        "bystanders, as {reader} at {}:\n{}",
        turn.name,
        found.join("\n")
    );
    *seen.entry("bystanders".to_owned()).or_default() += others.len();
    let asked = turn
        .questions
        .iter()
        .filter(|state| is_asked(state, reader));
    *seen.entry("questions".to_owned()).or_default() += asked.count();
    for event in heard(turn, reader) {
        *seen.entry(event.to_owned()).or_default() += 1;
    }
}

/// He who laid a pontoon that others have seized sees no more of it than of them; and if it were his still, it would be found.
#[test]
fn where_a_seized_pontoon_is_changes_nothing_that_is_sent() {
    let reader = SeatId::from("austrian");
    let told = |table: &Table, state: &State| sent(table, state, &reader, Leak::NONE);
    let table = table("campaign", &[]);
    let turn = &random_turn(&table, 1, 1);
    let state = with_a_seized_pontoon(&table, turn.end.as_ref().unwrap(), &reader);
    let case = Case::new(&table, turn, &state, &reader);
    let changed = case.assert_hidden(&[&SEIZED], |state| told(&table, state));
    assert_eq!(changed, [SEIZED.name]);
    let leaking = Table::of(
        &NOVARA,
        "campaign",
        &[],
        |_| {},
        |game| game.decl.orders.obeys = None,
    );
    let mut elsewhere = state.clone();
    assert!((SEIZED.change)(&table, &mut elsewhere, &reader, 1));
    let found = differences(&told(&leaking, &state), &told(&leaking, &elsewhere));
    for place in EVERYWHERE {
        assert!(
            found.iter().any(|found| found.starts_with(place)),
            "{place}: {found:?}"
        );
    }
}

/// Demands that guns that fire from afar hear what they did, and not whom they hit.
#[track_caller]
fn assert_shots_tell_no_names(
    table: &Table,
    turn: &Turn,
    reader: &SeatId,
    seen: &mut BTreeMap<String, usize>,
) {
    // Who is on his last level dies, and that is public.
    let mut secrets = lasting(Trial::QuietTurn);
    secrets.retain(|secret| secret.name != LEVELS);
    for state in with_guns_in_range(table, &turn.waits[0], reader).take(3) {
        let fire = |state: &State| table.run_on(state, "bombardment");
        let letters =
            |state: &State| letters_of("the dispatch", &fire(state).1, reader, Leak::NONE);
        let changed = Case::new(table, turn, &state, reader).assert_hidden(&secrets, letters);
        assert!(changed.len() > 5, "{changed:?}");
        for event in &fire(&state).0.seats[reader].told {
            if event.key == "unit.level_lost" {
                *seen.entry(event.key.clone()).or_default() += 1;
            }
        }
    }
}

// Leaks that are planted

#[test]
fn a_planted_leak_is_found_wherever_it_is() {
    let table = table(
        "mortara",
        &[
            ("masks", "on"),
            ("dummies", "on"),
            ("questions_per_turn", "3"),
        ],
    );
    let (turn, reader) = with_a_question(&table);
    let everything = |leak: Leak| {
        let mut all = sent(&table, &turn.waits[0], &reader, leak);
        all.extend(letters_of("the dispatch", &turn.letters, &reader, leak));
        all.extend(letters_of("the question", &turn.letters, &reader, leak));
        all
    };
    let before = everything(Leak::NONE);
    assert!(differences(&before, &everything(Leak::NONE)).is_empty());
    // Pictures are drawn from the map, which is compared here.
    for artefact in ARTEFACTS
        .iter()
        .filter(|artefact| !artefact.ends_with("picture"))
    {
        let found = differences(&before, &everything(Leak::planted(artefact)));
        let name = if artefact.ends_with("order of mails") {
            "order of mails"
        } else {
            artefact
        };
        assert!(
            found.iter().any(|found| found.starts_with(name)),
            "a leak in {artefact} is not found: {found:?}"
        );
    }
}

/// A turn in which a seat was asked something.
fn with_a_question(table: &Table) -> (Turn, SeatId) {
    let turns = (1..9).flat_map(|seed| random_turns(table, seed, 2));
    let asked = |turn: &Turn| {
        table
            .seats()
            .into_iter()
            .find(|seat| turn.questions.iter().any(|state| is_asked(state, seat)))
    };
    let mut asked = turns.filter_map(|turn| asked(&turn).map(|seat| (turn, seat)));
    asked.next().expect("somebody is asked")
}

#[test]
fn a_leak_planted_in_the_game_is_found() {
    let missed: Vec<String> = PLANTED
        .iter()
        .flat_map(|planted| {
            let silent = silent_places(planted);
            silent.map(|place| format!("{}: {place} tells nothing", planted.what))
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Where a leak shows in none of several positions: what is changed may lie where no map and no order reaches.
fn silent_places(planted: &Planted) -> impl Iterator<Item = &'static str> {
    let options = &[("dummies", "on"), ("masks", "on")];
    let secrets = secrets();
    let secret = secrets.iter().find(|secret| secret.name == planted.secret);
    let mut silent = planted.shows.to_vec();
    for scenario in ["mortara", "la_sforzesca"] {
        // What a seat can't know is what it could not without the leak.
        let honest = table(scenario, options);
        let leaking = Table::of(&NOVARA, scenario, options, |_| {}, planted.plant);
        for seed in 1..=6 {
            if silent.is_empty() {
                break;
            }
            let turn = random_turn(&leaking, seed, 1);
            let start = &turn.waits[0];
            for reader in leaking.seats() {
                let told = |state| told_with(&leaking, &turn, state, planted.follows, &reader);
                let mut state = start.clone();
                if (secret.unwrap().change)(&honest, &mut state, &reader, seed) {
                    let found = differences(&told(start), &told(&state));
                    silent.retain(|place| !found.iter().any(|found| found.starts_with(place)));
                }
            }
        }
    }
    silent.into_iter()
}

/// What a seat is sent of a position that it has just looked at, or of what follows it.
fn told_with(
    table: &Table,
    turn: &Turn,
    state: &State,
    follows: Option<Trial>,
    reader: &SeatId,
) -> Vec<Sent> {
    if let Some(trial) = follows {
        let letters = what_follows(table, turn, state, trial);
        return letters_of("the dispatch", &letters, reader, Leak::NONE);
    }
    let looked = State {
        world: table.look(state),
        ..state.clone()
    };
    sent(table, &looked, reader, Leak::NONE)
}
