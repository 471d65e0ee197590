//! Fog in the second game, proved: change what a seat can't know, and every byte that it is sent
//! stays the same.
//!
//! As in `castiglione.rs`, for a game of hexes, chits, dummies and masks. Positions come from
//! turns that the game's own bots play in every scenario, with every option alone and together. Of
//! a position everything that could be sent is compared; of what follows it all letters: of a
//! night, a turn in which nobody wants anything, a turn of marches, charges, fire and combats,
//! shots at stacks that nobody sees, a turn in which the other side writes orders that come to
//! nothing. Leaks that are planted in letters and in the rules are found.
//!
//! `FOG_SEEDS=20 cargo test --release --test suite fog::novara` plays twenty times as many turns.

use std::collections::BTreeMap;

use crate::fog::novara_secrets::{
    EVERYWHERE, NOVARA, PLANTED, SEIZED, first,
    follows::{
        FOLLOWED, Followed, Following, HAPPENS, assert_bystanders_are_hidden,
        assert_shots_tell_no_names, most_eventful, with_idle_orders,
    },
    lasting, random_turn, random_turns, secrets, silent_places, table, told_of_far_orders,
    with_a_seized_pontoon,
};
use crate::fog::seeds;
use crate::fog::table::{
    ARTEFACTS, Case, Leak, Options, SEEN, Table, Trial, Tried, Turn, WISHES, assert_names,
    differences, is_asked, letters_of, rule, sent, silent_witness,
};
use estafette::{
    campaign::{model::state::State, post::Letter},
    game::Game,
    ids::SeatId,
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

/// What is played of some scenarios: no options, and all together, in each; each alone in the
/// first, or in all if there is more than one campaign of each.
fn played(
    scenarios: &[&'static str],
    alone: impl Iterator<Item = Options<'static>> + Clone,
) -> Vec<(&'static str, Options<'static>)> {
    let mut all = Vec::new();
    for (number, scenario) in scenarios.iter().enumerate() {
        all.extend([(*scenario, &[][..]), (*scenario, ALL)]);
        if number == 0 || seeds(1) > 1 {
            all.extend(alone.clone().map(|options| (*scenario, options)));
        }
    }
    all
}

/// The states of a turn in which somebody was waited for: of waits for the same orders the last,
/// when those of others are in.
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
fn what_a_seat_cannot_know_changes_no_letter_of_a_scenario() {
    let scenarios = ["la_sforzesca", "mortara", "novara"];
    assert_nothing_told(&played(&scenarios, ALONE.iter().copied()));
}

#[test]
fn what_a_seat_cannot_know_changes_no_letter_of_a_campaign() {
    let alone = OF_CAMPAIGNS.iter().copied();
    let mut campaigns = played(&["campaign", "ramorino"], alone);
    if seeds(1) > 1 {
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
        for turn in (1..=seeds(1)).flat_map(|seed| random_turns(&table, seed, 1)) {
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

#[test]
fn what_stays_hidden_changes_no_letter_of_what_follows() {
    const TRIALS: [Trial; 3] = [Trial::Supply, Trial::QuietTurn, Trial::FullTurn];
    let mut tried: [Tried; 3] = Default::default();
    let mut seen = BTreeMap::new();
    for (scenario, options, numbers) in FOLLOWED {
        let table = table(scenario, options);
        let most = *numbers.iter().max().unwrap();
        // Charges are rare: of the seeds from 4 to 11 three have any.
        for seed in (1..=seeds(3)).chain([4, 7]) {
            let turns = random_turns(&table, seed, most);
            for number in *numbers {
                let turn = most_eventful(&table, first(&turns, *number), &seen);
                for (tried, trial) in tried.iter_mut().zip(TRIALS) {
                    let following = Following::of(&table, turn, trial);
                    for reader in table.seats() {
                        tried.count(following.assert_hidden(&reader));
                    }
                }
                for reader in table.seats() {
                    assert_bystanders_are_hidden(&table, turn, &reader, &mut seen);
                    assert_shots_tell_no_names(&table, turn, &reader, &mut seen);
                }
            }
        }
    }
    for (tried, trial) in tried.iter().zip(TRIALS) {
        tried.assert_all(&lasting(trial));
    }
    // Most turns to their end: where orders are taken otherwise, what follows is not compared.
    let times = |secret| tried[2].0[secret];
    assert!(times(SEEN) * 5 >= times(WISHES) * 4, "{:?}", tried[2].0);
    for what in HAPPENS.iter().chain(&["bystanders", "questions"]) {
        let times = seen.get(*what).copied().unwrap_or(0);
        assert!(times >= 2, "{what}: {seen:?}");
    }
}

#[test]
fn orders_that_come_to_nothing_change_no_letter() {
    // Words change no dice here.
    let told = |(scenario, options, _): &Followed, leak: fn(&mut Game)| {
        let table = Table::of(&NOVARA, scenario, options, silent_witness, leak);
        let turns = (1..=seeds(1)).flat_map(|seed| random_turns(&table, seed, 1));
        let told = turns.flat_map(|turn| idle_orders_told(&table, &turn));
        told.collect::<Vec<_>>()
    };
    let honest: Vec<String> = FOLLOWED.iter().flat_map(|one| told(one, |_| {})).collect();
    assert!(honest.len() >= 4, "tried too seldom: {honest:?}");
    assert!(honest.iter().all(String::is_empty), "{}", honest.join("\n"));
    let leaking = told(&FOLLOWED[3], |game| {
        let tells = r#"for side in both_sides() { if plan_of(side, "formation").some(|one| !(one.of in fact("filled"))) { announce_turn(); } }"#;
        let last = "    disclose_cup();";
        rule(game, "sequence", last, &format!("{tells} {last}"));
    });
    assert!(leaking.iter().any(|found| !found.is_empty()));
}

#[test]
fn far_reaching_orders_do_not_tell_masks_from_units() {
    let options = &[("masks", "on")];
    let honest = table("campaign", options);
    let told = |played: &Table| {
        let (mut tried, mut found) = (0, Vec::new());
        for seed in 1..=seeds(1) {
            let start = &random_turn(&honest, seed, 1).waits[0];
            for reader in honest.seats() {
                let (times, differences) = told_of_far_orders(&honest, played, start, &reader);
                tried += times;
                found.extend(differences);
            }
        }
        assert!(tried >= 8, "tried too seldom: {tried}");
        found
    };
    let found = told(&honest);
    assert!(found.is_empty(), "{}", found.join("\n"));
    for (file, from, to) in [
        (
            "combat",
            "hex in enemies",
            "hex in held(enemy_of(active.side))",
        ),
        (
            "activation",
            "near.is_empty() || hex in held",
            "hex in held",
        ),
        ("pontoons", "all_pieces(side)", "units(side)"),
    ] {
        let leaking = Table::of(
            &NOVARA,
            "campaign",
            options,
            |_| {},
            |game| rule(game, file, from, to),
        );
        assert!(!told(&leaking).is_empty(), "a leak in {file} is not found");
    }
}

/// What each seat hears of orders of the other side that come to nothing, for each that could write
/// some.
fn idle_orders_told(table: &Table, turn: &Turn) -> Vec<String> {
    let seats = table.seats();
    let tried = seats.iter().filter_map(|reader| {
        let idle = with_idle_orders(table, turn, &table.other(reader))?;
        let letters = |all: &[Letter]| letters_of("the dispatch", all, reader, Leak::NONE);
        let again = table.play_again(&turn.waits[0], &idle);
        let found = differences(&letters(&turn.letters), &letters(&again));
        Some(found.join("\n"))
    });
    tried.collect()
}

/// He who laid a pontoon that others have seized sees no more of it than of them; and if it were
/// his still, it would be found.
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
        assert_names(&found, artefact);
    }
}

/// A turn in which a seat was asked something.
fn with_a_question(table: &Table) -> (Turn, SeatId) {
    let turns = (1..9).flat_map(|seed| random_turns(table, seed, 4));
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
