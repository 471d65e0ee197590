//! The waits of a campaign: for orders, answers, values of dice, a moment, or the umpire.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{campaign::model::leeway::WaitProgress, ids::SeatId, rules::Question, value::Fields};

/// The wait that a campaign is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "for")]
pub enum CurrentWait {
    /// It waits for orders.
    Orders {
        /// The seats that must send them.
        seats: Vec<SeatId>,
        /// The seats that may send some too, and that nobody waits for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        invited: Vec<SeatId>,
        /// The phase's name before the dot.
        phase: String,
        /// When the wait ends even so.
        deadline: Option<Timestamp>,
        /// The progress by the clock.
        #[serde(default, skip_serializing_if = "WaitProgress::is_untouched")]
        progress: WaitProgress,
    },
    /// Answers. Only the asked know of the wait, unless it is public.
    Answers {
        /// The questions that are open.
        questions: Vec<Question>,
        /// The answers so far.
        answers: Vec<Option<Fields>>,
        /// Answers that the rules' checks refuse, by the positions of their questions, which stay
        /// open. If nothing better comes, the phase takes what it can of them.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        refused: BTreeMap<usize, Fields>,
        /// When the wait ends even so.
        deadline: Option<Timestamp>,
        /// The deadline that everybody was last told: a seat that is not asked must not see that
        /// there is a new one.
        #[serde(default)]
        known: Option<Timestamp>,
        /// True if everybody knows of it, so that the answers are sealed into the next envelope.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        public: bool,
        /// The progress by the clock.
        #[serde(default, skip_serializing_if = "WaitProgress::is_untouched")]
        progress: WaitProgress,
    },
    /// It waits for the moment at which the dispatches go out, and nothing else. A seat that is
    /// asked nothing can't tell this wait from one for others' answers.
    Dispatch {
        /// The deadline that everybody was last told.
        #[serde(default)]
        known: Option<Timestamp>,
    },
    /// The umpire's repair: a rule script failed, or a letter could not be made.
    Repair {
        /// The error that stopped it.
        error: String,
        /// The wait that was interrupted.
        waited: Box<CurrentWait>,
        /// True if the failed input was undone as a whole, so that the campaign still lacks what it
        /// waited for. Otherwise the input took effect, and the state is the one before the failed
        /// phase.
        undone: bool,
    },
    /// The values that the dice of the sealed envelope are mixed with. Everybody knows of it;
    /// nothing else is closed.
    Dice {
        /// The beacon's round; none once its value is there, or if none is needed.
        round: Option<u64>,
        /// The witnesses that have not answered.
        witnesses: Vec<SeatId>,
        /// When silent witnesses count as having refused.
        deadline: Option<Timestamp>,
    },
    /// The days before the master is published.
    Disclosure {
        /// The moment at which it ends.
        at: Timestamp,
    },
    /// It waits for nothing more.
    Nothing,
}
