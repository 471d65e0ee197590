//! Fog, proved: change what a seat can't know, and every byte that it is sent stays the same.
//!
//! Positions come from random play with every option of the game, alone and together. In each,
//! secrets of the other side are changed in the state, and both states are asked for everything
//! that the seat could be sent: its view after a fresh look, dispatch as text, page and map,
//! template, receipts for right, wrong and prying orders, refusals. As far as a change can't become
//! visible by the rules, what follows is compared too: a Supply Phase, the first question of a
//! combat, a turn in which nobody moves, a turn of moves, reconnaissances, overruns and combats.
//! Only the keyed digests of hidden things may differ (dice.md, section 13).
//!
//! `FOG_SEEDS=20 cargo test --release --test suite fog::castiglione` plays twenty times as many
//! turns.

use std::{collections::BTreeMap, sync::Arc};

use crate::fog::castiglione_secrets::{bystanders, in_fog, in_the_open, wear};
use crate::fog::seeds;
use crate::fog::table::{
    ARTEFACTS, ASKED, Case, Leak, Secret, Sent, Table, Trial, Tried, Turn, assert_names, change,
    differences, is_asked, letters_of, sent, sent_by_a_leaking_host,
};
use estafette::{campaign::model::state::State, ids::SeatId};

/// The options of the game: none, each alone, all together.
const OPTIONS: &[&[(&str, &str)]] = &[
    &[],
    &[("fog", "on")],
    &[("stacking_into_battle", "charged")],
    &[("leader_losses", "on")],
    &[("rivoli_roads", "on")],
    &[("late_guns", "on")],
    &[("french_surprise", "on")],
    ALL,
];

pub(super) const ALL: &[(&str, &str)] = &[
    ("fog", "on"),
    ("stacking_into_battle", "charged"),
    ("leader_losses", "on"),
    ("rivoli_roads", "on"),
    ("late_guns", "on"),
    ("french_surprise", "on"),
];

/// The secrets that a campaign has.
fn secrets_of(table: &Table) -> Vec<&'static Secret> {
    if table.is_foggy() {
        in_fog()
    } else {
        in_the_open()
    }
}

/// Plays so many random campaigns with every set of options, two turns of each, and shows each turn
/// with each of its readers.
fn each_turn(campaigns: u64, mut show: impl FnMut(&Table, &Turn, &SeatId)) {
    for options in OPTIONS {
        let table = Table::new("lonato", options);
        for seed in 1..=campaigns {
            for turn in table.random_turns(seed, 2) {
                for reader in table.seats() {
                    show(&table, &turn, &reader);
                }
            }
        }
    }
}

#[test]
fn what_a_seat_cannot_know_changes_nothing_that_it_is_sent() {
    let mut tried = Tried::default();
    each_turn(seeds(2), |table, turn, reader| {
        let unasked = |state: &&State| !is_asked(state, reader);
        let states = turn.waits.iter().chain(&turn.questions).filter(unasked);
        for state in states {
            let case = Case::new(table, turn, state, reader);
            tried.count(case.assert_hidden(&secrets_of(table), |state| {
                sent(table, state, reader, Leak::NONE)
            }));
        }
    });
    tried.assert_all(&in_fog());
    assert!(tried.0.contains_key(ASKED), "{:?}", tried.0);
}

#[test]
fn a_supply_phase_tells_nothing_unseen() {
    let mut tried = Tried::default();
    each_turn(seeds(2), |table, turn, reader| {
        let mut state = turn.waits[0].clone();
        // Who would starve is found in the box of the eliminated, and everybody may look there.
        for piece in state.world.pieces.values_mut() {
            let piece = std::sync::Arc::make_mut(piece);
            if piece.int("hits") > 2 {
                piece.attributes.insert("hits".into(), 2.into());
            }
        }
        let hidden = lasting(table, Trial::Supply);
        tried.count(
            Case::new(table, turn, &state, reader).assert_hidden(&hidden, |state| {
                letters_of(
                    "the dispatch",
                    &table.run_to_orders(state, "supply"),
                    reader,
                    Leak::NONE,
                )
            }),
        );
    });
    tried.assert_all(&lasting(&Table::new("lonato", ALL), Trial::Supply));
}

#[test]
fn what_others_hold_face_down_changes_no_question_of_a_combat() {
    let mut tried = Tried::default();
    each_turn(2 * seeds(2), |table, turn, reader| {
        for battle in &turn.battles {
            let state = eager_to_be_asked(table, battle, reader);
            let ask = |state: &State| table.run_from(state, &battle.phase);
            if !is_asked(&ask(&state).0, reader) {
                continue;
            }
            let hidden = lasting(table, Trial::Battle);
            tried.count(
                Case::new(table, turn, &state, reader).assert_hidden(&hidden, |state| {
                    letters_of("the question", &ask(state).1, reader, Leak::NONE)
                }),
            );
        }
    });
    tried.assert_all(&lasting(&Table::new("lonato", ALL), Trial::Battle));
}

/// The state with a reader who wants to be asked in combats before anybody moves, and an enemy who
/// is not and brings nobody up.
fn eager_to_be_asked(table: &Table, state: &State, reader: &SeatId) -> State {
    let mut state = state.clone();
    let enemy = table.other(reader);
    if let Some(lines) = Arc::make_mut(&mut state.decisions).standing.get_mut(&enemy) {
        lines.retain(|line| line.verb != "march");
    }
    Arc::make_mut(&mut state.decisions).asks.remove(&enemy);
    let topics = ["march", "retreat", "bombard"].map(str::to_owned);
    Arc::make_mut(&mut state.decisions)
        .asks
        .insert(reader.clone(), topics.into());
    state
}

/// The secrets that last through something.
fn lasting(table: &Table, trial: Trial) -> Vec<&'static Secret> {
    let mut secrets = secrets_of(table);
    secrets.retain(|secret| secret.outlasts.contains(&trial));
    secrets
}

#[test]
fn what_stays_hidden_changes_no_letter_of_a_whole_turn() {
    // One campaign whose letters carry pictures.
    let tables = [
        Table::with_pictures("campaign", &[("fog", "on")]),
        Table::new("campaign", &[]),
        Table::new("campaign", ALL),
    ];
    for table in &tables {
        let turn = &table.random_turns(1, 1)[0];
        for reader in table.seats() {
            let hidden = lasting(table, Trial::QuietTurn);
            let case = Case::new(table, turn, &turn.waits[0], &reader);
            let changed = case.assert_hidden(&hidden, |state| {
                letters_of(
                    "the dispatch",
                    &table.pass_a_turn(state),
                    &reader,
                    Leak::NONE,
                )
            });
            let missing = hidden
                .iter()
                .map(|secret| secret.name)
                .filter(|name| !changed.contains(name));
            assert_eq!(
                missing.collect::<Vec<_>>(),
                Vec::<&str>::new(),
                "{}",
                turn.name
            );
        }
    }
}

#[test]
fn what_nobody_meets_changes_no_letter_of_a_turn_of_combats() {
    let (mut tried, mut seen) = (Tried::default(), BTreeMap::<&str, usize>::new());
    each_turn(seeds(2), |table, turn, reader| {
        let start = &turn.waits[0];
        let before = letters_of("the dispatch", &turn.letters, reader, Leak::NONE);
        let hidden = lasting(table, Trial::FullTurn);
        let again = |state: &State| {
            letters_of(
                "the dispatch",
                &table.play_again(state, turn),
                reader,
                Leak::NONE,
            )
        };
        tried.count(Case::new(table, turn, start, reader).assert_hidden(&hidden, again));
        // Who brings units up to the guns tests them, and where they then stand is seen.
        if !brings_up(turn, &table.other(reader)) {
            let others = bystanders(table, turn, reader);
            *seen.entry("bystanders").or_default() += others.len();
            let mut state = start.clone();
            wear(&mut state, &others);
            let found = differences(&before, &again(&state));
            assert!(
                found.is_empty(),
                "bystanders, as {reader} at {}:\n{}",
                turn.name,
                found.join("\n")
            );
        }
        for (_, text) in &before {
            for (what, words) in [
                ("combats", "Round 1"),
                ("reconnaissances", "econn"),
                ("retreats", "etreat"),
            ] {
                *seen.entry(what).or_default() += usize::from(text.contains(words));
            }
        }
        *seen.entry("questions").or_default() += turn
            .questions
            .iter()
            .filter(|state| is_asked(state, reader))
            .count();
    });
    tried.assert_all(&lasting(&Table::new("lonato", ALL), Trial::FullTurn));
    for what in [
        "bystanders",
        "combats",
        "reconnaissances",
        "retreats",
        "questions",
    ] {
        assert!(
            seen.get(what).is_some_and(|times| *times >= 3),
            "{what}: {seen:?}"
        );
    }
}

/// Returns true if a seat has told units to march to the guns in a turn.
fn brings_up(turn: &Turn, seat: &SeatId) -> bool {
    let standing = turn.waits[0].decisions.standing.get(seat);
    standing.is_some_and(|lines| lines.iter().any(|line| line.verb == "march"))
        || turn
            .words
            .iter()
            .any(|(writer, words)| writer == seat && words.contains("MARCH ALL"))
}

/// What the enemy has moved so far in his Movement Phase is nobody's business before it is over.
#[test]
fn a_question_shows_none_of_the_enemys_other_moves() {
    for options in [&[][..], &[("fog", "on")], ALL] {
        let table = Table::with_a_silent_witness("campaign", options);
        let letters = |moves: &str| evade_question(&table, moves);
        let (asked, before) = letters("");
        let (asked_again, after) =
            letters("MOVE Davidovich, Mitrovski: Riva\nMOVE Minkwitz, Hohenzollern: Montebello\n");
        assert!(asked && asked_again, "nobody was asked {options:?}");
        let found = differences(&before, &after);
        assert!(found.is_empty(), "{options:?}:\n{}", found.join("\n"));
    }
}

/// The first seat's question whether its cavalry falls back, when the second has made these moves
/// before: whether it was asked, and the letter.
fn evade_question(table: &Table, moves: &str) -> (bool, Vec<Sent>) {
    let seats = table.seats();
    let mut state = table.begin();
    let world = &mut state.world;
    for (piece, place) in [("beaumont", "castiglione"), ("reuss", "guidizzolo")] {
        world.piece_mut(piece).unwrap().at = Some(place.into());
    }
    let words = format!("{moves}MOVE Reuss: Castiglione\n");
    let topics = ["evade".to_owned()];
    Arc::make_mut(&mut state.decisions)
        .asks
        .insert(seats[0].clone(), topics.into());
    state.world = table.look(&state);
    let (state, _) = table.run_from(&state, "movement.austrian");
    let mail = table.mail(&state, &seats[1], &words);
    let (state, effects) = table.apply(state, mail);
    let letters = letters_of(
        "the question",
        &effects.mailing.letters,
        &seats[0],
        Leak::NONE,
    );
    (is_asked(&state, &seats[0]), letters)
}

#[test]
fn a_planted_leak_is_found() {
    let table = Table::with_pictures("lonato", &[("fog", "on")]);
    let turns = table.random_turns(2, 2);
    let readers = table.seats();
    let reader = &readers[0];
    let (battle, asked) = turns
        .iter()
        .flat_map(|turn| &turn.battles)
        .flat_map(|battle| readers.iter().map(move |seat| (battle, seat)))
        .find(|(battle, seat)| {
            let state = eager_to_be_asked(&table, battle, seat);
            is_asked(&table.run_from(&state, &battle.phase).0, seat)
        })
        .expect("somebody is asked");
    let battle = eager_to_be_asked(&table, battle, asked);
    let (_, question) = table.run_from(&battle, &battle.phase);
    let everything = |leak: Leak| {
        let mut all = sent(&table, &turns[0].waits[0], reader, leak);
        all.extend(letters_of("the dispatch", &turns[0].letters, reader, leak));
        all.extend(letters_of("the question", &question, asked, leak));
        all
    };
    let before = everything(Leak::NONE);
    assert!(differences(&before, &everything(Leak::NONE)).is_empty());
    for artefact in ARTEFACTS {
        let found = differences(&before, &everything(Leak::planted(artefact)));
        assert_names(&found, artefact);
    }
}

/// Where document and receipts are made from the true world, each kind of secret shows in each of
/// them that is about it.
#[test]
fn a_host_that_shows_the_true_world_is_found() {
    let shows = |options: &[(&'static str, &'static str)], name: &str, artefacts: &[&str]| {
        let table = Table::new("lonato", options);
        let turn = &table.random_turns(2, 1)[0];
        let secrets = secrets_of(&table);
        let secret = secrets.iter().find(|secret| secret.name == name).unwrap();
        let mut found = Vec::new();
        for reader in table.seats() {
            let (state, mut changed) = (&turn.waits[0], turn.waits[0].clone());
            if !change(&table, &mut changed, &reader, turn.seed, &[secret]).is_empty() {
                let before = sent_by_a_leaking_host(&table, state, &reader);
                let after = sent_by_a_leaking_host(&table, &changed, &reader);
                found.extend(differences(&before, &after));
            }
        }
        for artefact in artefacts {
            assert!(
                found.iter().any(|found| found.starts_with(artefact)),
                "{name}: {artefact} shows the true world, and nobody saw it: {found:?}"
            );
        }
    };
    let all = ["the document", "the text", "the page", "the map"];
    shows(&[], "hits of units not seen whole", &all[..3]);
    shows(&[], "units below two leaders exchanged", &all);
    shows(&[], "strength of a unit below a leader", &all[..3]);
    let fog = [("fog", "on")];
    shows(&fog, "hidden counters exchanged", &all);
    shows(&fog, "a dummy for a hidden counter", &all);
    shows(&fog, "which of the dummies lies where", &all[..3]);
}

/// A receipt names the envelope that its orders will be in. It is the same whether that is sealed
/// by now or not, so that nobody learns from it that the other's orders are closed and somebody is
/// asked.
#[test]
fn an_open_question_to_another_seat_changes_no_letter() {
    let table = Table::new("campaign", &[]);
    let (waiting, asking) = table.before_and_during_a_question();
    let reader = &table.seats()[0];
    for words in ["", "PURSUE ALWAYS\n", "NOTHING\n"] {
        let answers = |state: &State| -> Vec<Sent> {
            let earlier = table.mail(state, reader, words);
            let state = table.apply(state.clone(), earlier).0;
            let answers = table.answers_to(&state, reader);
            answers
                .iter()
                .flat_map(|(kind, letters)| letters_of(kind, letters, reader, Leak::NONE))
                .collect()
        };
        let found = differences(&answers(&waiting), &answers(&asking));
        assert!(found.is_empty(), "after `{words}`:\n{}", found.join("\n"));
    }
}
