//! The input and the outcome of running a phase.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::errors::RuleError;
use crate::{
    ids::SeatId,
    orders::Order,
    value::{Fields, Value},
    world::World,
};

/// Who hears an event, and with which arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hearers {
    /// These seats, sorted, all in the same words.
    Alike(Arc<[SeatId]>, Arc<Fields>),
    /// Each in the names that it then knew.
    Apart(BTreeMap<SeatId, Arc<Fields>>),
}

impl Hearers {
    /// The arguments as a seat hears them; none if it does not.
    #[must_use]
    pub fn get(&self, seat: &str) -> Option<&Arc<Fields>> {
        match self {
            Self::Alike(seats, args) => seats
                .iter()
                .any(|known| known.as_str() == seat)
                .then_some(args),
            Self::Apart(heard) => heard.get(seat),
        }
    }

    /// The seats that hear of it, sorted.
    pub fn seats(&self) -> impl Iterator<Item = &SeatId> {
        let (alike, apart) = match self {
            Self::Alike(seats, _) => (Some(seats.iter()), None),
            Self::Apart(heard) => (None, Some(heard.keys())),
        };
        alike
            .into_iter()
            .flatten()
            .chain(apart.into_iter().flatten())
    }
}

/// An event of the game, with its arguments as each seat hears them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameEvent {
    /// Its key, declared in game.yaml.
    pub key: String,
    /// The phase in which it happened.
    pub phase: String,
    /// The turn in which it happened.
    pub turn: i64,
    /// The seats that hear of it.
    pub heard: Hearers,
    /// The arguments in full, for the umpire.
    pub full: Arc<Fields>,
}

/// A choice that a seat is asked to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The seat.
    pub seat: SeatId,
    /// The kind of question, a key of `orders.topics` in game.yaml.
    pub topic: String,
    /// Its subject, as the seat hears it.
    pub about: Fields,
    /// The legal options, if they can be enumerated.
    pub options: Vec<Value>,
    /// The outcome without an answer, by standing orders or default.
    pub otherwise: Value,
}

/// Questions that were asked together, and their answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionRound {
    /// The questions.
    pub questions: Vec<Question>,
    /// An answer for each: the slots of the topic's form, or none if the deadline passed.
    pub answers: Vec<Option<Fields>>,
}

/// The orders or answers that a phase waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "wait")]
pub enum Wait {
    /// Orders of these seats for a phase (its name before the dot). Everybody may know.
    Orders {
        /// The seats whose orders are wanted.
        seats: Vec<SeatId>,
        /// The seats that may send some too, and that nobody waits for.
        invited: Vec<SeatId>,
        /// The phase's name.
        phase: String,
    },
    /// Answers. Nobody but the asked may know.
    Questions {
        /// The questions.
        questions: Vec<Question>,
    },
}

/// The players' decisions, as a phase finds them. Orders are shared by copies: nothing changes
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decisions {
    /// Orders from the wait that this phase resolves, by seat; a missing seat has not been asked
    /// yet.
    pub orders: BTreeMap<SeatId, Arc<[Order]>>,
    /// The orders that each seat last sent in this turn: what `told` finds for verbs that are not
    /// standing.
    pub latest: BTreeMap<SeatId, Arc<[Order]>>,
    /// Standing orders in force.
    pub standing: BTreeMap<SeatId, Vec<Order>>,
    /// Topics on which a seat wants to be asked.
    pub asks: BTreeMap<SeatId, BTreeSet<String>>,
    /// Topics that are asked without ASK, but on which a seat does not want to be asked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub declined: BTreeMap<SeatId, BTreeSet<String>>,
    /// Seats that had sent nothing when the orders they were last waited for were closed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub silent: BTreeSet<SeatId>,
    /// How many letters with questions a seat may still get in this turn, counted at the start of
    /// the phase.
    pub questions_left: BTreeMap<SeatId, u32>,
    /// The questions of this phase so far, with their answers.
    pub rounds: Vec<QuestionRound>,
}

impl Decisions {
    /// Returns true if a seat wants to be asked on a topic, which may be `asked` without its word.
    #[must_use]
    pub fn wants(&self, seat: &SeatId, topic: &str, asked: bool) -> bool {
        let has = |topics: &BTreeMap<SeatId, BTreeSet<String>>| {
            topics
                .get(seat)
                .is_some_and(|topics| topics.contains(topic))
        };
        has(&self.asks) || asked && !has(&self.declined)
    }
}

/// The outcome of running a phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The phase is over.
    Done(Box<PhaseResult>),
    /// It waits for players; the half-done world is gone, but what was seen of it is here.
    Waiting(Box<Suspension>),
}

/// The result of a finished phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseResult {
    /// The world after it.
    pub world: World,
    /// The phase that comes next; none if the campaign has ended.
    pub next: Option<String>,
    /// The events.
    pub events: Vec<GameEvent>,
    /// Orders that were refused while they were carried out: seat, order's text, reason's key.
    pub refused: Vec<OrderRefusal>,
    /// The standing orders in force after it: those at its start, except those that it has used up.
    pub standing: BTreeMap<SeatId, Vec<Order>>,
}

/// An order that could not be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderRefusal {
    /// The seat whose order it is.
    pub seat: SeatId,
    /// The order as written.
    pub order: String,
    /// The key of the event that told the seat.
    pub reason: String,
}

/// A phase that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspension {
    /// The reason for waiting.
    pub wait: Wait,
    /// The events of this run so far.
    pub events: Vec<GameEvent>,
    /// The present view of each seat that is asked.
    pub views: BTreeMap<SeatId, World>,
}

/// The results of checking a mail's orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The remarks.
    pub remarks: Vec<Remark>,
    /// The orders that could not be judged, by their positions, each with the error of its check
    /// function: it failed, or the checks of this mail had used up their allowance.
    pub unjudged: BTreeMap<usize, RuleError>,
}

/// An answer to a question, as the check function of its topic judges it.
#[derive(Clone, Copy, Debug)]
pub struct JudgedAnswer<'a> {
    /// The topic.
    pub topic: &'a str,
    /// The question's subject, as the seat has heard it.
    pub about: Option<&'a Fields>,
    /// The slots of the answer.
    pub args: &'a Fields,
}

/// A check's remark on an order or an answer, on the seat's view: a key of `remarks` in text/*.yaml
/// with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// Position of the order or answer in the list that was checked.
    pub order: usize,
    /// The key.
    pub key: String,
    /// True if the order or answer is refused because of it.
    pub problem: bool,
    /// Arguments, as the seat hears them.
    pub args: Fields,
}
