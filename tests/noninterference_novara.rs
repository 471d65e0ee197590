//! Fog in the second game, proved: change what a seat can't know, and every byte that it is sent stays the same.
//!
//! Positions come from some turns of play with each set of options. In each wait for orders, secrets of the other side are changed
//! one by one in the true state, and both states are asked for what the seat could be sent: its view after a fresh look, dispatch,
//! map, order form, and receipts for right, wrong and prying words.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may panic"
)]

mod support;

use std::sync::Arc;

use estafette::{
    campaign::{
        Digest, Engine, Record, State, Waiting,
        events::{Event, MailIn},
    },
    dice::{CampaignName, Master},
    dispatch::{self, ReadFrom},
    game::{Embedded, Game},
    ids::{PieceId, SeatId},
    rules::{Decisions, Start},
    value::Value,
};
use jiff::{SignedDuration, Timestamp};
use support::Test;

/// Scenarios and options that are played.
const PLAYED: &[(&str, &[(&str, &str)])] = &[
    ("la_sforzesca", &[]),
    ("la_sforzesca", &[("dummies", "on")]),
    (
        "campaign",
        &[("masks", "on"), ("dummies", "on"), ("sixth_division", "on")],
    ),
];

/// What the players write in every turn; lines that don't fit are refused, which harms nobody.
const WORDS: [(&str, &str); 2] = [
    (
        "austrian",
        "DUMMY 1 ON 4240\nMASK B HOLDS IR7 AT 5537\nCUP I II\nCORPS I\nMOVE STACK 4240 TO 4235\nMOVE STACK 4340 TO 4136\nMOVE STACK 5039 TO 4738\n\
         MOVE STACK 5032 TO 4835\nATTACK 4235 WITH IR28 IR17\nCORPS II\nMOVE STACK 6141 TO 6044\nBREAK ALL ALWAYS",
    ),
    (
        "sardinian",
        "DUMMY 2 ON 3930\nMASK A HOLDS 3PIE AT 3109\nCUP 2\nDIVISION 2\nMOVE STACK 3929 TO 4031\nMOVE STACK 3724 TO 3728\nRETREAT ALL PREFER",
    ),
];

struct Table {
    engine: Engine,
}

impl Table {
    fn new(scenario: &'static str, options: &[(&'static str, &'static str)]) -> Self {
        let plan = Test::campaign("novara")
            .scenario(scenario)
            .deadlines("{zone: UTC, most_hours: 48}");
        let plan = options
            .iter()
            .fold(plan, |plan, (name, value)| plan.option(name, value));
        let mut settings = plan.settings();
        settings.pictures = false;
        let game = Game::load(&Embedded, "novara").unwrap();
        let name: CampaignName = settings.campaign.as_str().parse().unwrap();
        let master = Master::simulated("fog", &name);
        Self {
            engine: Engine::new(Arc::new(game), settings, master).unwrap(),
        }
    }

    fn apply(&self, state: Option<State>, event: Event) -> State {
        let time = state.as_ref().map_or(Timestamp::UNIX_EPOCH, |state| {
            state
                .time
                .checked_add(SignedDuration::from_mins(1))
                .unwrap()
        });
        let record = Record {
            n: 1,
            prev: Digest::ZERO,
            time,
            event,
            head: Digest::ZERO,
        };
        self.engine.apply(state, &record).unwrap().0
    }

    fn begin(&self) -> State {
        let created = self.engine.created(Digest::ZERO).unwrap();
        self.apply(None, Event::Created(Box::new(created)))
    }

    fn write(&self, state: State, seat: &str, words: &str) -> State {
        let mail = MailIn {
            seat: seat.into(),
            message_id: Some("1@players.example".to_owned()),
            digest: Digest::of(format!("{}{seat}{words}", state.time).as_bytes()).to_string(),
            file: "file".to_owned(),
            from: "player@example.org".to_owned(),
            words: words.to_owned(),
            ignored: Default::default(),
            files: Vec::new(),
        };
        self.apply(Some(state), Event::Mail(Box::new(mail)))
    }

    /// The states in which orders were waited for, so many of them. Lines that don't fit keep a wait open until its deadline.
    fn waits(&self, most: usize) -> Vec<State> {
        let mut state = self.begin();
        let mut waits = Vec::new();
        while waits.len() < most {
            let Waiting::Orders { seats, .. } = state.waiting.clone() else {
                break;
            };
            let place = (state.phase.clone(), state.world.turn());
            waits.push(state.clone());
            for (seat, words) in WORDS {
                if seats.iter().any(|waited| waited.as_str() == seat) {
                    state = self.write(state, seat, words);
                }
            }
            if (state.phase.clone(), state.world.turn()) == place {
                state = self.expire(state);
            }
        }
        waits
    }

    /// Lets the deadline pass.
    fn expire(&self, mut state: State) -> State {
        let time = state
            .time
            .checked_add(SignedDuration::from_mins(1))
            .unwrap();
        state.sealed_now = false;
        if let Waiting::Orders { deadline, .. }
        | Waiting::Answers { deadline, .. }
        | Waiting::Dice { deadline, .. } = &mut state.waiting
        {
            *deadline = Some(time);
        }
        let state = self.apply(Some(state), Event::Deadline);
        if matches!(state.waiting, Waiting::Dice { .. }) {
            return self.expire(state);
        }
        state
    }

    /// Everything that a seat could be sent in a state.
    fn sent(&self, state: &State, reader: &SeatId) -> Vec<(String, String)> {
        let engine = &self.engine;
        let start = Start {
            phase: &state.phase,
            world: &state.world,
            options: &engine.settings().options,
            decisions: &state.decisions,
        };
        let looked = engine.program().look(&start).unwrap();
        let view = looked.seen_by(engine.game(), reader);
        let document = engine.map_document(state, Some(reader)).unwrap();
        let moment = engine.moment(state, reader);
        let own = Start {
            world: &moment.view,
            decisions: &Decisions::default(),
            ..start
        };
        let template = engine
            .program()
            .template(reader, &own, "template_formation");
        let mut sent = vec![
            (
                "the view".to_owned(),
                serde_json::to_string_pretty(&view).unwrap(),
            ),
            (
                "the document".to_owned(),
                serde_json::to_string_pretty(&document).unwrap(),
            ),
            ("the text".to_owned(), dispatch::body(&document)),
            ("the page".to_owned(), dispatch::html(&document, true, "")),
            ("the map".to_owned(), dispatch::map_svg(&document)),
            ("the order form".to_owned(), template.unwrap().join("\n")),
        ];
        for words in [
            "CUP I II\nCUP 1 2\nSUPREME I\nSURPRISE",
            "CORPS I\nMOVE STACK 4240 TO 4235\nATTACK 3930 3929 WITH IR28 ODDS 1:3\nIF ODDS 3930 WITH IR28 >= 1:3: HOLD IR28",
            "DIVISION 2\nMOVE STACK 3929 TO 4240\nATTACK 4240 WITH 11CAS\nIF ENEMY IN 4240 OR SHAKEN 11CAS: HOLD 11CAS",
            "CORPS I\nHOLD 3PIE\nMOVE 11CAS TO Novara\nUNBRIDGE PON2",
        ] {
            let understood = engine.understand(&moment, reader, words).unwrap();
            let from = ReadFrom::default();
            let receipt =
                engine.receipt_text(state, reader, &moment, &understood, words, &from, "");
            sent.push((format!("what is said to `{words}`"), receipt));
        }
        sent
    }
}

type Change = fn(&Table, &mut State, &SeatId) -> bool;

/// The enemy's pieces that a reader knows nothing of, neither now nor after a fresh look.
fn unknown(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let start = Start {
        phase: &state.phase,
        world: &state.world,
        options: &table.engine.settings().options,
        decisions: &state.decisions,
    };
    let game = table.engine.game();
    let fresh = table
        .engine
        .program()
        .look(&start)
        .unwrap()
        .seen_by(game, reader);
    let now = state.world.seen_by(game, reader);
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| piece.side.as_str() != reader.as_str() && piece.at.is_some())
        .filter(|piece| fresh.piece(&piece.id).is_none() && now.piece(&piece.id).is_none())
        .map(|piece| piece.id.clone())
        .collect()
}

/// Sets an attribute of all unknown pieces but commanders.
fn set(table: &Table, state: &mut State, reader: &SeatId, name: &str, value: &Value) -> bool {
    let units: Vec<PieceId> = unknown(table, state, reader);
    let mut changed = false;
    for id in units {
        let Some(piece) = state.world.pieces.get_mut(&id) else {
            continue;
        };
        if piece.kind.as_str() == "commander" || piece.attributes.get(name) == Some(value) {
            continue;
        }
        Arc::make_mut(piece).attributes.set(name, value.clone());
        changed = true;
    }
    changed
}

fn levels(table: &Table, state: &mut State, reader: &SeatId) -> bool {
    set(table, state, reader, "lost", &Value::Int(1))
}

fn shaken(table: &Table, state: &mut State, reader: &SeatId) -> bool {
    set(table, state, reader, "shaken", &Value::Bool(true))
}

fn supply(table: &Table, state: &mut State, reader: &SeatId) -> bool {
    set(table, state, reader, "oos", &Value::Bool(true))
}

fn acted(table: &Table, state: &mut State, reader: &SeatId) -> bool {
    set(table, state, reader, "acted", &Value::Bool(true))
}

/// Two unknown units of different kinds in different places change places.
fn exchange(table: &Table, state: &mut State, reader: &SeatId) -> bool {
    let on_map = |id: &&PieceId| {
        let at = state.world.piece(id).and_then(|piece| piece.at.clone());
        at.is_some_and(|at| table.engine.game().map.space(&at).is_some())
    };
    let all = unknown(table, state, reader);
    let units: Vec<&PieceId> = all.iter().filter(on_map).collect();
    let (Some(first), Some(last)) = (units.first(), units.last()) else {
        return false;
    };
    let at = |id: &PieceId| state.world.piece(id).and_then(|piece| piece.at.clone());
    let (a, b) = (at(first), at(last));
    if a == b {
        return false;
    }
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    state.world.put(first, &b);
    state.world.put(last, &a);
    true
}

/// Cups, plans, boxes: all facts that are not public.
fn facts(_: &Table, state: &mut State, _: &SeatId) -> bool {
    state.world.set_fact(
        "plans",
        Value::Map([("austrian".to_owned(), Value::List(vec![1.into()]))].into()),
    );
    state.world.set_fact("cup", Value::List(vec!["A1".into()]));
    state
        .world
        .set_fact("filled", Value::List(vec!["S1".into(), "A2".into()]));
    state.world.set_fact(
        "staffs",
        Value::Map([("austrian".to_owned(), Value::List(vec!["A3".into()]))].into()),
    );
    true
}

/// The other side's standing orders.
fn standing(table: &Table, state: &mut State, reader: &SeatId) -> bool {
    let other = if reader.as_str() == "austrian" {
        "sardinian"
    } else {
        "austrian"
    };
    let _ = table;
    state
        .decisions
        .standing
        .insert(other.into(), Vec::new())
        .is_some()
}

/// Reinforcements that wait or not.
fn reserve(table: &Table, state: &mut State, reader: &SeatId) -> bool {
    let waiting: Vec<PieceId> = unknown(table, state, reader)
        .into_iter()
        .filter(|id| {
            state
                .world
                .piece(id)
                .is_some_and(|piece| piece.at.as_deref() == Some("reserve"))
        })
        .collect();
    for id in &waiting {
        state.world.put(id, &"spare".into());
    }
    !waiting.is_empty()
}

const SECRETS: &[(&str, Change)] = &[
    ("levels lost", levels),
    ("shaken units", shaken),
    ("supply", supply),
    ("who has acted", acted),
    ("who stands where", exchange),
    ("cups and plans", facts),
    ("standing orders", standing),
    ("reinforcements", reserve),
];

#[test]
fn what_a_seat_cannot_know_changes_nothing_that_it_is_sent() {
    let mut tried = std::collections::BTreeMap::<&str, usize>::new();
    for (scenario, options) in PLAYED {
        let table = Table::new(scenario, options);
        let waits = table.waits(5);
        assert!(waits.len() > 3, "{scenario}: {} waits", waits.len());
        for (number, state) in waits.iter().enumerate() {
            for reader in ["austrian", "sardinian"].map(SeatId::from) {
                let before = table.sent(state, &reader);
                for (name, change) in SECRETS {
                    let mut other = state.clone();
                    if !change(&table, &mut other, &reader) {
                        continue;
                    }
                    *tried.entry(name).or_default() += 1;
                    for ((what, old), (_, new)) in before.iter().zip(table.sent(&other, &reader)) {
                        let line = old.lines().zip(new.lines()).find(|(a, b)| a != b);
                        assert!(
                            *old == new,
                            "{scenario} {options:?}, wait {number}, {reader}: {name} changes {what}: {line:?}"
                        );
                    }
                }
            }
        }
    }
    for (name, _) in SECRETS {
        assert!(
            tried.get(name).is_some_and(|times| *times > 2),
            "{name} was tried too seldom: {tried:?}"
        );
    }
}

/// A view with everything in it would be found out: the test can fail.
#[test]
fn a_leak_would_be_seen() {
    let table = Table::new("la_sforzesca", &[]);
    let state = table.begin();
    let reader = SeatId::from("austrian");
    let mut other = state.clone();
    assert!(levels(&table, &mut other, &reader));
    assert_ne!(
        serde_json::to_string(&state.world).unwrap(),
        serde_json::to_string(&other.world).unwrap()
    );
}
