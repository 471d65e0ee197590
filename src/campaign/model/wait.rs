//! What a campaign waits for.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{campaign::model::leeway::WaitProgress, ids::SeatId, rules::Question, value::Fields};

/// What the campaign is waiting for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "for")]
pub enum CurrentWait {
    /// Orders.
    Orders {
        /// The seats that must send them.
        seats: Vec<SeatId>,
        /// The phase's name before the dot.
        phase: String,
        /// When the wait ends even so.
        deadline: Option<Timestamp>,
        /// How far it has come by the clock.
        #[serde(default, skip_serializing_if = "WaitProgress::is_untouched")]
        progress: WaitProgress,
    },
    /// Answers, which nobody knows of but the asked, unless they are waited for in public.
    Answers {
        /// The questions.
        questions: Vec<Question>,
        /// The answers so far.
        answers: Vec<Option<Fields>>,
        /// When the wait ends even so.
        deadline: Option<Timestamp>,
        /// The deadline that everybody was told last: who is not asked must not see that there is
        /// another one now.
        #[serde(default)]
        known: Option<Timestamp>,
        /// True if everybody knows of it: the answers are sealed into the next envelope.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        public: bool,
        /// How far it has come by the clock.
        #[serde(default, skip_serializing_if = "WaitProgress::is_untouched")]
        progress: WaitProgress,
    },
    /// The moment at which the dispatches go out: nothing else is missing any more. Whoever is
    /// asked nothing can't tell this wait from one for the answers of others.
    Dispatch {
        /// The deadline that everybody was told last.
        #[serde(default)]
        known: Option<Timestamp>,
    },
    /// Nothing: a rule script failed, or a letter could not be made.
    Repair {
        /// The error.
        error: String,
        /// What was waited for when it came up.
        waited: Box<CurrentWait>,
        /// True if the input that failed was laid aside whole: what was waited for is still
        /// missing. Else it was closed, and the state is that before the phase that failed.
        undone: bool,
    },
    /// What the dice of the sealed envelope are mixed with. Everybody knows of it; nothing else is
    /// closed.
    Dice {
        /// The beacon's round; none when its value is there, or is not asked for.
        round: Option<u64>,
        /// The witnesses that have not answered.
        witnesses: Vec<SeatId>,
        /// When silent witnesses have refused.
        deadline: Option<Timestamp>,
    },
    /// The days before the master is published.
    Disclosure {
        /// When it is.
        at: Timestamp,
    },
    /// Nothing any more.
    Nothing,
}
