//! Who may look on at a campaign, and at what.

use serde::{Deserialize, Serialize};

use super::seats::Seats;
use crate::ids::SeatId;

/// A campaign may be watched so many turns later at most.
pub(crate) const MOST_TURNS: u32 = 99;

/// What those see who do not play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ObserverForm", into = "ObserverForm")]
pub enum ObserverRule {
    /// Nothing: nobody looks on.
    #[default]
    None,
    /// What all seats know.
    Public,
    /// What a seat sees, some turns later.
    Delayed {
        /// The seat.
        seat: SeatId,
        /// How many turns later; at least one.
        turns: u32,
    },
    /// All, after the end.
    Ended,
}

/// As it is written: `public`, or `delayed: {seat: red, turns: 2}`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ObserverForm {
    /// A word.
    Word(ObserverWord),
    /// What a seat sees, later.
    Delayed {
        /// Which, and how much.
        delayed: DelayedSight,
    },
}

/// A rule that is a word.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ObserverWord {
    None,
    Public,
    Ended,
}

/// What a seat sees, later.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DelayedSight {
    seat: SeatId,
    turns: u32,
}

impl From<ObserverForm> for ObserverRule {
    fn from(form: ObserverForm) -> Self {
        match form {
            ObserverForm::Word(ObserverWord::None) => Self::None,
            ObserverForm::Word(ObserverWord::Public) => Self::Public,
            ObserverForm::Word(ObserverWord::Ended) => Self::Ended,
            ObserverForm::Delayed { delayed } => Self::Delayed {
                seat: delayed.seat,
                turns: delayed.turns,
            },
        }
    }
}

impl From<ObserverRule> for ObserverForm {
    fn from(rule: ObserverRule) -> Self {
        match rule {
            ObserverRule::None => Self::Word(ObserverWord::None),
            ObserverRule::Public => Self::Word(ObserverWord::Public),
            ObserverRule::Ended => Self::Word(ObserverWord::Ended),
            ObserverRule::Delayed { seat, turns } => Self::Delayed {
                delayed: DelayedSight { seat, turns },
            },
        }
    }
}

impl ObserverRule {
    /// Returns true if it is the default, which settings leave out.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Checks what the types don't guarantee.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, seats: &Seats) -> Result<(), String> {
        let Self::Delayed { seat, turns } = self else {
            return Ok(());
        };
        if seats.get(seat).is_none() {
            return Err(format!("`observers`: there is no seat `{seat}`"));
        }
        if !(1..=MOST_TURNS).contains(turns) {
            return Err(format!(
                "`observers`: `turns` is {turns}; from 1 to {MOST_TURNS}, or the seat's enemies could be told in time"
            ));
        }
        Ok(())
    }
}
