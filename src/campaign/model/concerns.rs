//! What the umpire has to look after: mails that are held, letters that came back.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::{events::RefusedMail, state::State},
    ids::SeatId,
};

/// So many letters must come back for good, without a mail of the seat between them, before nothing
/// more is sent to it.
pub const HARD_FAILURES: usize = 3;

/// How the clock treats a seat whose letters bounce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BouncePolicy {
    /// Deadlines count as always.
    #[default]
    GoOn,
    /// A wait that lacks the seat does not end by the clock. (A player can bring this about: the
    /// reports on one's own letters can be made up by whoever has them.)
    Wait,
}

impl BouncePolicy {
    /// Returns true if it is what a campaign has that says nothing.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A mail that is held for the umpire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldMail {
    /// Its name in `inbox/done`, by which it is released.
    pub file: String,
    /// The seat whose token it has.
    pub seat: SeatId,
    /// The number of that token: with the next one the mail can't count any more.
    pub token: u64,
    /// The level of trust that it has, and the address that it says it comes from.
    pub found: String,
    /// When it came.
    pub at: Timestamp,
}

/// The last delivery report on a recipient's letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastBounce {
    /// The letter's number.
    pub letter: u64,
    /// True if trying again is useless.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub permanent: bool,
    /// Action and status: `failed 5.1.1`, `delayed 4.4.1`.
    pub status: String,
    /// When it came.
    pub at: Timestamp,
}

/// How many held mails are kept in mind.
const HELD_KEPT: usize = 64;

impl State {
    /// Keeps a held mail in mind, and forgets those that can't count any more.
    pub(crate) fn hold(&mut self, refused: &RefusedMail) {
        let Some(seat) = &refused.seat else { return };
        let seats = &self.seats;
        let token = |seat: &SeatId| seats.get(seat).map_or(0, |seat| seat.token);
        self.held.retain(|held| held.token == token(&held.seat));
        if self.held.len() >= HELD_KEPT {
            self.held.pop_front();
        }
        self.held.push_back(HeldMail {
            file: refused.file.clone(),
            seat: seat.clone(),
            token: token(seat),
            found: refused.detail.clone(),
            at: self.time,
        });
    }

    /// The held mails that the umpire can still release.
    pub fn releasable(&self) -> impl Iterator<Item = &HeldMail> {
        let token = |seat: &SeatId| self.seats.get(seat).map(|seat| seat.token);
        (self.held.iter()).filter(move |held| token(&held.seat) == Some(held.token))
    }
}
