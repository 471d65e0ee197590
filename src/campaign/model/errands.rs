//! What a mail asks of the host beside orders: errands, one a line.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{campaign::model::recipient::Recipient, game::Lang, ids::SeatId};

/// An errand, and the line that asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrandLine {
    /// The line, as far as it is quoted.
    pub line: String,
    /// What it asks for.
    pub errand: Errand,
}

/// Something that the host is asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "errand", rename_all = "snake_case", deny_unknown_fields)]
pub enum Errand {
    /// What there is to ask.
    Help {
        /// The word that is to be explained.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
    },
    /// Where the campaign stands.
    Status,
    /// Until when the seat is waited for.
    Deadline,
    /// Who plays.
    Who,
    /// Which orders of the seat are in.
    Orders,
    /// How the game is played.
    Rules,
    /// Letters once more.
    Resend {
        /// Which of them.
        letters: LetterChoice,
    },
    /// The map as the seat knows it, or that of an earlier turn.
    Map {
        /// The turn; none for the present one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<i64>,
    },
    /// A list of the letters of these turns.
    History {
        /// The first turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<i64>,
        /// The last turn.
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
        /// To whom.
        to: Vec<Recipient>,
        /// True if the seat is not named.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        grey: bool,
        /// The words.
        words: String,
    },
    /// The seat's orders are final, or are not.
    Ready {
        /// True if they are.
        on: bool,
    },
    /// The player leaves.
    Resign,
    /// The player stays after all.
    Back,
    /// A line that begins like an errand, and is none.
    Faulty {
        /// Why.
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
                | Self::Ready { .. }
                | Self::Resign
                | Self::Back
        )
    }
}

/// Which letters are asked for once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterChoice {
    /// The newest dispatch, and what has come since.
    Newest,
    /// The one that opened the campaign.
    Opening,
    /// Those of a turn.
    Turn(i64),
    /// The one with this number in the list.
    Number(u64),
}

/// Why a line is no errand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrandFault {
    /// What stands behind its first word can't be read.
    Form,
    /// The line END is missing.
    NoEnd,
    /// There are no words.
    NoWords,
    /// There are too many words.
    TooLong,
    /// It names nobody who plays.
    Nobody,
    /// It goes to its sender alone.
    Oneself,
    /// There are too many errands in the mail.
    TooMany,
}

/// A letter to a seat that it may ask for once more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentLetter {
    /// Its number among those of the seat.
    pub number: u64,
    /// What it was.
    pub kind: SentKind,
    /// The turn that it speaks of.
    pub turn: i64,
    /// When it was written.
    pub at: Timestamp,
}

/// What a letter was that a seat may ask for once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SentKind {
    /// It opened the campaign.
    Opening,
    /// A dispatch.
    Dispatch,
    /// Questions.
    Questions,
    /// A letter of another seat.
    Press,
    /// The last letter.
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

/// A letter that goes out once more, as it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterCopy {
    /// The seat.
    pub to: SeatId,
    /// The Message-ID, the letter's own.
    pub message_id: String,
    /// The number of the token to which answers go.
    pub token: u64,
    /// The name of the copy's file in the outbox.
    pub key: String,
}

/// Whether seats may write to each other through the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PressRules {
    /// When what they write goes out.
    #[serde(default)]
    pub goes: PressTime,
    /// True if it may hide who has written it.
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
    /// At once.
    AtOnce,
    /// With the next dispatches.
    WithDispatches,
}

/// A letter between seats that waits for the next dispatches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitingPress {
    /// Who has written it.
    pub from: SeatId,
    /// To whom.
    pub to: Vec<SeatId>,
    /// True if the reader is not told who has written it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grey: bool,
    /// The words.
    pub words: String,
}
