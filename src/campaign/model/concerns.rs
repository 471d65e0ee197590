//! The umpire's concerns: held mails, and letters that came back.

use std::collections::VecDeque;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::SeatId;

/// The number of letters that must come back for good, with no mail from the seat in between,
/// before nothing more is sent to it.
pub const HARD_FAILURES: usize = 3;

/// How the clock treats a seat whose letters bounce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BouncePolicy {
    /// Deadlines count as always.
    #[default]
    GoOn,
    /// A wait for the seat does not end by the clock. (Players can bring this about, by forging
    /// reports on letters that they have received.)
    Wait,
}

impl BouncePolicy {
    /// Returns true if it is the default, which settings leave out.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A mail that is held for the umpire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldMail {
    /// Its name in `inbox/done`, which releases it.
    pub file: String,
    /// The seat whose token it has.
    pub seat: SeatId,
    /// The number of that token: the mail can't count any more once the seat has the next one.
    pub token: u64,
    /// Its level of trust, and the address that it claims to come from.
    pub found: String,
    /// The time of its arrival.
    pub at: Timestamp,
}

/// The last delivery report on a recipient's letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastBounce {
    /// The number of the letter.
    pub letter: u64,
    /// True if trying again is useless.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub permanent: bool,
    /// Action and status: `failed 5.1.1`, `delayed 4.4.1`.
    pub status: String,
    /// The time of the report.
    pub at: Timestamp,
}

/// The number of held mails that are remembered.
const HELD_KEPT: usize = 64;

/// The held mails that are remembered, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HeldMails(VecDeque<HeldMail>);

impl HeldMails {
    /// All of them, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &HeldMail> {
        self.0.iter()
    }

    /// Returns true if the umpire has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a held mail, and forgets those whose token is no longer current.
    pub(crate) fn keep(&mut self, held: HeldMail, token: impl Fn(&SeatId) -> u64) {
        self.0.retain(|held| held.token == token(&held.seat));
        if self.0.len() >= HELD_KEPT {
            self.0.pop_front();
        }
        self.0.push_back(held);
    }

    /// Forgets a mail that has been released.
    pub(crate) fn forget(&mut self, file: &str) {
        self.0.retain(|held| held.file != file);
    }
}
