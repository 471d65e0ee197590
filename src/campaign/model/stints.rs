//! Who has played a seat, one after the other, and how the campaign ended for them.

use serde::{Deserialize, Serialize};

use crate::{
    game::Translations,
    ids::{SeatId, WinnerId},
};

/// How a player came to a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StintOrigin {
    /// The campaign began with him.
    #[default]
    Beginning,
    /// By this word of the club, named as its file.
    Club(String),
    /// At an opponent's request.
    Opponent,
    /// By the umpire's ruling.
    Umpire,
}

impl StintOrigin {
    /// Returns true if it is the default, which states leave out.
    #[must_use]
    pub fn is_beginning(&self) -> bool {
        *self == Self::Beginning
    }
}

/// One player's time in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stint {
    /// How he came to it.
    pub origin: StintOrigin,
    /// How many waits have ended with his words in.
    pub kept: u32,
    /// How many deadlines he has missed.
    pub missed: u32,
}

/// How a campaign ended, as all who have played in it know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignResult {
    /// Its last turn.
    pub turn: i64,
    /// The level of the victory, in words.
    pub level: Translations,
    /// All seats, in the game's order.
    pub seats: Vec<SeatResult>,
}

/// How it ended for a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatResult {
    /// The seat.
    pub seat: SeatId,
    /// Its side, or the party or the winner that it belongs to; seats with the same one have won
    /// or lost together.
    pub team: WinnerId,
    /// True if it has won.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub won: bool,
    /// True if a bot plays it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// Its players, the last one last.
    pub players: Vec<Stint>,
}
