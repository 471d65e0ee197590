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
        name: WISHES,
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
        name: SEEN,
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

/// A secret of games that ask questions.
pub const WISHES: &str = "what the enemy wants to be asked";

/// What the enemy's orders are judged by.
pub const SEEN: &str = "what the enemy has seen";

/// A secret that many moments have none of.
pub const ASKED: &str = "what the enemy is being asked, and has answered";

fn asks(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let mut more = false;
    for other in table.others(reader) {
        let topics = table.context.game().decl.orders.topics.keys().cloned();
        let decisions = Arc::make_mut(&mut state.decisions);
        let asks = decisions.asks.entry(other).or_default();
        let before = asks.len();
        asks.extend(topics);
        more |= asks.len() > before;
    }
    more
}

fn words_in(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    for other in table.others(reader) {
        let other = state.seats.get_mut(&other).unwrap();
        for words in [&mut other.words, &mut other.carried, &mut other.late] {
            table.own.unsent.clone_into(words);
        }
        other.receipts += 3;
    }
    true
}

fn heard(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let own = state.seats[reader].heard.clone();
    let turn = state.world.turn();
    for other in table.others(reader) {
        let other = state.seats.get_mut(&other).unwrap();
        Arc::make_mut(&mut other.told).extend(own.iter().cloned());
        Arc::make_mut(&mut other.heard).extend(own.iter().cloned());
        other.questions = (turn, other.questions.1 + 1);
    }
    true
}

fn knowledge(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let mut less = false;
    for other in table.others(reader) {
        let knowledge = state.world.knowledge_mut(&other);
        less |= !std::mem::take(&mut knowledge.sightings).is_empty();
    }
    less
}

/// His orders are judged by them, so that a turn may go on differently.
fn notes(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let mut less = false;
    for other in table.others(reader) {
        let knowledge = state.world.knowledge_mut(&other);
        less |= !std::mem::take(&mut knowledge.spaces).is_empty();
    }
    less
}

/// Rolls of the enemy's own lane, and of the one that is shut to all.
fn dice(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let envelope = state.dice.envelope;
    let others = table.others(reader);
    let lanes = others.iter().map(SeatId::as_str);
    for lane in lanes.chain(["shut"]) {
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
    for other in table.others(reader) {
        *state.mails.entry(other.to_string()).or_default() += 5;
        let seat = state.seats.get_mut(&other).unwrap();
        seat.token += 2;
        seat.thread = None;
    }
    *state.mails.entry("umpire".to_owned()).or_default() += 1;
    true
}
