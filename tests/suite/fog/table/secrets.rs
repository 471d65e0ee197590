//! Secrets: what a kind of them is, and those that every game has because the host keeps them.

use std::sync::Arc;

use estafette::{
    campaign::model::state::{CurrentWait, State},
    dice::LedgerLine,
    ids::SeatId,
    value::Value,
};

use super::Table;

/// What may follow the change of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// A Supply Phase, with all up to the next orders.
    Supply,
    /// A combat of others than those changed, up to the first question; shots from afar.
    Battle,
    /// A turn in which nobody orders anything.
    QuietTurn,
    /// A turn of moves, reconnaissances, overruns and combats.
    FullTurn,
}

/// Nothing may follow.
pub const NOTHING: &[Trial] = &[];
/// It is in what others do not meet.
pub const UNMET: &[Trial] = &[Trial::Supply, Trial::Battle];
/// It is in what nobody uses as long as nobody moves.
pub const UNUSED: &[Trial] = &[Trial::Supply, Trial::QuietTurn];
/// It is in what nobody moves or meets.
pub const UNMOVED: &[Trial] = &[Trial::Supply, Trial::Battle, Trial::QuietTurn];
/// It is the host's or the enemy's own business.
pub const EVER: &[Trial] = &[
    Trial::Supply,
    Trial::Battle,
    Trial::QuietTurn,
    Trial::FullTurn,
];
/// The movement begins with a clean slate.
pub const AFRESH: &[Trial] = &[Trial::Supply, Trial::QuietTurn, Trial::FullTurn];

/// A kind of secret.
pub struct Secret {
    /// What it is.
    pub name: &'static str,
    /// Through what it can't become visible by the rules. In a state that nothing follows it never
    /// can.
    pub outlasts: &'static [Trial],
    /// Changes it; false if there is nothing of the kind in this state.
    pub change: fn(&Table, &mut State, &SeatId, u64) -> bool,
}

/// What the host keeps to itself or to one seat.
pub const PRIVATE: &[Secret] = &[
    Secret {
        name: "what the enemy wants to be asked",
        outlasts: AFRESH,
        change: asks,
    },
    Secret {
        name: "orders that the enemy has sent",
        outlasts: NOTHING,
        change: words_in,
    },
    Secret {
        name: "what the enemy has heard and been asked",
        outlasts: EVER,
        change: heard,
    },
    Secret {
        name: "what the enemy has seen",
        outlasts: EVER,
        change: knowledge,
    },
    Secret {
        name: "what the enemy has noted of places",
        outlasts: NOTHING,
        change: notes,
    },
    Secret {
        name: "secret dice",
        outlasts: EVER,
        change: dice,
    },
    Secret {
        name: "letters that the enemy has had",
        outlasts: EVER,
        change: letters,
    },
    Secret {
        name: ASKED,
        outlasts: NOTHING,
        change: questions,
    },
];

/// A secret that many moments have none of.
pub const ASKED: &str = "what the enemy is being asked, and has answered";

fn asks(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = table.other(reader);
    let topics = table.context.game().decl.orders.topics.keys().cloned();
    let asks = Arc::make_mut(&mut state.decisions)
        .asks
        .entry(enemy)
        .or_default();
    let before = asks.len();
    asks.extend(topics);
    asks.len() > before
}

fn words_in(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = state.seats.get_mut(&table.other(reader)).unwrap();
    for words in [&mut enemy.words, &mut enemy.carried, &mut enemy.late] {
        table.own.unsent.clone_into(words);
    }
    enemy.receipts += 3;
    true
}

fn heard(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let own = state.seats[reader].heard.clone();
    let turn = state.world.turn();
    let enemy = state.seats.get_mut(&table.other(reader)).unwrap();
    Arc::make_mut(&mut enemy.told).extend(own.iter().cloned());
    Arc::make_mut(&mut enemy.heard).extend(own.iter().cloned());
    enemy.questions = (turn, enemy.questions.1 + 1);
    true
}

fn knowledge(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let knowledge = state.world.knowledge_mut(&table.other(reader));
    let before = knowledge.sightings.len();
    knowledge.sightings.clear();
    before > 0
}

/// His orders are judged by them, so that a turn may go on differently.
fn notes(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let knowledge = state.world.knowledge_mut(&table.other(reader));
    !std::mem::take(&mut knowledge.spaces).is_empty()
}

/// Rolls of the enemy's own lane, and of the one that is shut to all.
fn dice(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let envelope = state.dice.envelope;
    for lane in [table.other(reader).as_str(), "shut"] {
        let roll = format!("roll {envelope} {lane} t9/planted/nothing#1 1d6 = 5");
        // Before the first envelope there is no roll.
        let Ok(secret) = roll.parse::<LedgerLine>() else {
            return false;
        };
        state.dice.rolled.push(secret);
    }
    true
}

fn questions(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let CurrentWait::Answers {
        questions,
        answers,
        deadline,
        ..
    } = &mut state.waiting
    else {
        return false;
    };
    if questions.iter().any(|question| question.seat == *reader) {
        return false;
    }
    let place = Value::from(table.context.game().map.map().spaces[0].id.as_str());
    for question in &mut *questions {
        question.options.push(place.clone());
        question.otherwise = place.clone();
        question.about.insert("space".into(), place.clone());
    }
    questions.push(questions[0].clone());
    answers.push(Some([("choice".to_owned(), "retreat".into())].into()));
    *deadline = deadline.and_then(|at| at.checked_add(jiff::SignedDuration::from_hours(30)).ok());
    true
}

fn letters(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = table.other(reader);
    *state.mails.entry(enemy.to_string()).or_default() += 5;
    *state.mails.entry("umpire".to_owned()).or_default() += 1;
    let seat = state.seats.get_mut(&enemy).unwrap();
    seat.token += 2;
    seat.thread = None;
    true
}
