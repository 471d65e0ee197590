//! How the campaign of a table ended, as the journal has it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::member_number::MemberNumber;
use crate::{
    game::Translations,
    ids::{SeatId, WinnerId},
};

/// The end of a table's campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedTable {
    /// When the club was told.
    pub at: Timestamp,
    /// How it ended.
    pub result: TableResult,
}

/// How the campaign of a table ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableResult {
    /// Its last turn.
    pub turn: i64,
    /// The level of the victory, in words.
    pub level: Translations,
    /// The seats, in the game's order.
    pub seats: Vec<PlayedSeat>,
}

/// How it ended for a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedSeat {
    /// The seat.
    pub seat: SeatId,
    /// Seats of one team have won or lost together.
    pub team: WinnerId,
    /// True if it has won.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub won: bool,
    /// True if a bot played it in the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Its players, in order.
    pub players: Vec<SeatPlayer>,
}

/// Somebody who has played a seat, for a while or all the time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatPlayer {
    /// The member; none for a bot, or for somebody whom the umpire has put there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberNumber>,
    /// How many waits have ended with his words in.
    pub kept: u32,
    /// How many deadlines he has missed.
    pub missed: u32,
}

/// How a seat came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatOutcome {
    /// It has won.
    Won,
    /// Nobody has.
    Drawn,
    /// Another one has won.
    Lost,
}

impl TableResult {
    /// How a seat came out.
    #[must_use]
    pub fn outcome(&self, seat: &PlayedSeat) -> SeatOutcome {
        match self.seats.iter().any(|seat| seat.won) {
            _ if seat.won => SeatOutcome::Won,
            true => SeatOutcome::Lost,
            false => SeatOutcome::Drawn,
        }
    }
}

impl PlayedSeat {
    /// Who answers for how it came out: its first player, even if he has left it to another one.
    #[must_use]
    pub fn member(&self) -> Option<MemberNumber> {
        self.players.first()?.member
    }

    /// Returns true if its players have changed.
    #[must_use]
    pub fn was_handed_over(&self) -> bool {
        self.players.len() > 1
    }
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Wins.
    pub won: u32,
    /// Draws.
    pub drawn: u32,
    /// Losses.
    pub lost: u32,
}

impl Tally {
    /// Counts one more.
    pub(super) fn count(&mut self, outcome: SeatOutcome) {
        match outcome {
            SeatOutcome::Won => self.won += 1,
            SeatOutcome::Drawn => self.drawn += 1,
            SeatOutcome::Lost => self.lost += 1,
        }
    }
}
