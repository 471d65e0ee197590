//! What the host knows of a seat.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::{
        absence::Attendance,
        concerns::HARD_FAILURES,
        errands::SentLetter,
        stints::{Stint, StintOrigin},
        understanding::Understanding,
    },
    dispatch::NewsItem,
};

/// Letters this close together are read together.
const SAME_MOMENT: SignedDuration = SignedDuration::from_mins(1);

/// The host's knowledge of a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatState {
    /// The number of the token that is good now. It changes with every letter that asks for
    /// something.
    pub token: u64,
    /// The tokens whose receipts can still be answered, with the time of the last such receipt: the
    /// present one, and one whose receipt went out together with the letter that brought the next.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub receipt_tokens: BTreeMap<u64, Timestamp>,
    /// The words that count at the next seal: those of the last mail, with the ones that it adds to
    /// and the ones that remain beside it. While the seat can't know of a seal they stay as they
    /// are, and mails join them as before.
    pub words: String,
    /// Standing orders that came too late for the last seal and count at the next. No mail replaces
    /// them, since they have been acknowledged; but one that writes the same standing orders anew
    /// takes precedence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub carried: String,
    /// The words since the seal, which will be carried.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub late: String,
    /// The understanding of the words when they came: nothing that a seat sees changes before the
    /// seal. None if they must be read anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Understanding>,
    /// True if these words may close a wait before its deadline.
    pub ready: bool,
    /// True if it has said READY in this wait, where orders close by that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub said_ready: bool,
    /// True if something has come from its present address, which proves the address good.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub answered: bool,
    /// True if its orders missed the deadline, and no dispatch has said so yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub missed: bool,
    /// The number of receipts that it has got for the next envelope.
    pub receipts: u32,
    /// The number of receipts of orders that it has got for the envelope in use, those after its
    /// seal included.
    pub receipts_in_use: u32,
    /// The number of answers that it has given in the envelope in use.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub answers_in_use: u32,
    /// The numbers of letters that came back for good since its last mail.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub failed: BTreeSet<u64>,
    /// The news since its last dispatch.
    pub heard: Arc<Vec<NewsItem>>,
    /// The news in its last dispatch.
    #[serde(default, skip_serializing_if = "is_no_news")]
    pub told: Arc<Vec<NewsItem>>,
    /// A turn, and how many letters with questions it has had in that turn.
    pub questions: (i64, u32),
    /// If a bot plays it: the token under which it last wrote, and how many mails.
    #[serde(default, skip_serializing_if = "is_nothing_written")]
    pub bot_wrote: (u64, u32),
    /// The letters that it may ask for again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<SentLetter>,
    /// The number of copies that have gone out to it.
    #[serde(default, skip_serializing_if = "is_none_sent")]
    pub copies: u64,
    /// The moment when its player left, if that happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Timestamp>,
    /// How its player attends.
    #[serde(default, skip_serializing_if = "Attendance::is_untouched")]
    pub attendance: Attendance,
    /// How its player came to it.
    #[serde(default, skip_serializing_if = "StintOrigin::is_beginning")]
    pub origin: StintOrigin,
    /// Those who played it before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<Stint>,
    /// The Message-ID of its last dispatch, whose thread the next letters belong to.
    pub thread: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_none_sent(count: &u64) -> bool {
    *count == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_nothing_written(wrote: &(u64, u32)) -> bool {
    *wrote == (0, 0)
}

fn is_no_news(news: &Arc<Vec<NewsItem>>) -> bool {
    news.is_empty()
}

impl SeatState {
    /// Returns true if so many letters came back that nothing more is sent to its address until a
    /// mail comes from it.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        self.failed.len() >= HARD_FAILURES
    }

    /// Gives the seat its next token, with a letter sent at this moment. If a receipt goes out
    /// together with that letter, its reader may answer either, so the address of that receipt
    /// stays good; those of older receipts do not. The reader knows both times, so this reveals
    /// nothing.
    pub(crate) fn renew_token(&mut self, now: Timestamp) {
        self.receipt_tokens
            .retain(|_, receipt| now.duration_since(*receipt) <= SAME_MOMENT);
        self.token += 1;
    }

    /// Returns true if nothing has come from it that counts at the next seal.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        !self.ready && self.words.is_empty()
    }

    /// The time of its present player.
    #[must_use]
    pub fn stint(&self) -> Stint {
        Stint {
            origin: self.origin.clone(),
            kept: self.attendance.kept,
            missed: self.attendance.missed_ever,
        }
    }

    /// The number of mails that its bot has written under its token.
    #[must_use]
    pub fn bot_mails(&self) -> u32 {
        match self.bot_wrote {
            (token, mails) if token == self.token => mails,
            _ => 0,
        }
    }

    /// The text that is sealed if nothing else comes.
    #[must_use]
    pub fn counting(&self) -> &str {
        if self.words.is_empty() {
            &self.carried
        } else {
            &self.words
        }
    }
}
