//! Errands: what a mail asks of the host beside orders, one a line.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::{
        absence::{Remedy, WrittenAbsence},
        recipient::Recipient,
    },
    game::Lang,
    ids::SeatId,
};

/// An errand, and the line that asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrandLine {
    /// The line, shortened for quoting.
    pub line: String,
    /// The errand that it asks for.
    pub errand: Errand,
}

/// Something that the host is asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "errand", rename_all = "snake_case", deny_unknown_fields)]
pub enum Errand {
    /// Asks for the list of errands.
    Help {
        /// The word that is to be explained.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
    },
    /// Asks where the campaign stands.
    Status,
    /// Until when the seat is waited for.
    Deadline,
    /// Asks who plays.
    Who,
    /// Asks which orders of the seat are in.
    Orders,
    /// Asks how the game is played.
    Rules,
    /// Asks for letters again.
    Resend {
        /// The choice of letters.
        letters: LetterChoice,
    },
    /// The map as the seat knows it, or that of an earlier turn.
    Map {
        /// The turn; none for the present one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<i64>,
        /// The corners of the part that is wanted; none for the map as letters show it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<[String; 2]>,
    },
    /// A list of the letters of these turns.
    History {
        /// The first turn of the range.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<i64>,
        /// The last turn of the range.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<i64>,
    },
    /// Letters in another language.
    Language {
        /// The language.
        lang: Lang,
    },
    /// Words to the umpire.
    Umpire {
        /// The words.
        words: String,
    },
    /// Words to other seats.
    Press {
        /// The recipients.
        to: Vec<Recipient>,
        /// True if the sender's seat is not to be named.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        grey: bool,
        /// The words.
        words: String,
    },
    /// The player is away for a while.
    Absent {
        /// When, as he writes it, and what happens meanwhile.
        absence: WrittenAbsence,
        /// Why, for the umpire.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
    /// Something that only the club around the campaigns can do.
    Club,
    /// The seat's orders are final, or are not.
    Ready {
        /// True if they are.
        on: bool,
    },
    /// Something for a player whose opponent has gone.
    Request {
        /// What is asked for.
        remedy: Remedy,
        /// The seat that has gone, if it is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<SeatId>,
    },
    /// Says that the player leaves.
    Resign,
    /// The player stays after all, or is back before his time.
    Back,
    /// A line that begins like an errand, and is none.
    Faulty {
        /// The fault.
        fault: ErrandFault,
        /// The word that it begins with.
        verb: String,
    },
}

impl Errand {
    /// Returns true if it asks for something that the seat may know, and changes nothing.
    #[must_use]
    pub fn is_question(&self) -> bool {
        !matches!(
            self,
            Self::Language { .. }
                | Self::Umpire { .. }
                | Self::Press { .. }
                | Self::Absent { .. }
                | Self::Ready { .. }
                | Self::Request { .. }
                | Self::Resign
                | Self::Back
        )
    }
}

/// The letters that are asked for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterChoice {
    /// The newest dispatch, and the letters since.
    Newest,
    /// The one that opened the campaign.
    Opening,
    /// The letters of a turn.
    Turn(i64),
    /// The one with this number in the list.
    Number(u64),
}

/// Why a line is no errand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrandFault {
    /// The words after the first can't be read.
    Form,
    /// The line END is missing.
    NoEnd,
    /// There are no words.
    NoWords,
    /// There are too many words.
    TooLong,
    /// It names nobody who plays.
    Nobody,
    /// It names its sender alone.
    Oneself,
    /// There are too many errands in the mail.
    TooMany,
}

/// A letter to a seat that it may ask for again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentLetter {
    /// Its number among those of the seat.
    pub number: u64,
    /// The kind of letter that it was.
    pub kind: SentKind,
    /// The turn that it speaks of.
    pub turn: i64,
    /// When it was written.
    pub at: Timestamp,
}

/// The kinds of letters that a seat may ask for again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SentKind {
    /// The letter that opened the campaign.
    Opening,
    /// A dispatch to the seat.
    Dispatch,
    /// Questions to the seat.
    Questions,
    /// A letter of another seat.
    Press,
    /// The last letter, with the umpire's secret.
    Disclosure,
}

impl SentKind {
    /// The key of its name.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Dispatch => "dispatch",
            Self::Questions => "questions",
            Self::Press => "press",
            Self::Disclosure => "disclosure",
        }
    }
}

/// A letter that goes out again, just as it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterCopy {
    /// The seat that it goes to.
    pub to: SeatId,
    /// The Message-ID, the letter's own.
    pub message_id: String,
    /// The number of the token that answers go to.
    pub token: u64,
    /// The name of the copy's file in the outbox.
    pub key: String,
}

/// Whether seats may write to each other through the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PressRules {
    /// The time at which these letters go out.
    #[serde(default)]
    pub goes: PressTime,
    /// True if letters may hide their sender.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grey: bool,
}

impl PressRules {
    /// Returns true if it is the default, which settings leave out.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// When letters between seats go out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PressTime {
    /// Never: seats may not write to each other.
    #[default]
    Never,
    /// Letters go out at once.
    AtOnce,
    /// With the next dispatches.
    WithDispatches,
}

/// A letter between seats that waits for the next dispatches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitingPress {
    /// The sender.
    pub from: SeatId,
    /// The recipients.
    pub to: Vec<SeatId>,
    /// True if the reader is not told the sender.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grey: bool,
    /// The words.
    pub words: String,
    /// Where the game has couriers: the rides that are still under way, by the seats that the
    /// letter is for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rides: BTreeMap<SeatId, PressRide>,
}

/// A letter that is under way to a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PressRide {
    /// The turn in which it arrives.
    pub arrives: i64,
    /// The seat that takes it on the way, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<SeatId>,
}
