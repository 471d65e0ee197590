//! The content of a letter, from which its text and page are made.

use jiff::{Timestamp, tz::TimeZone};

use super::{letter::Picture, step::Step};
use crate::{
    campaign::{
        model::context::Context,
        turn::plan::{Addressee, LetterPlan, SeatLetter},
    },
    dice::{ReceiptNumber, hash},
    dispatch::{self, LetterText, Page},
    game::Lang,
    mail::{AutoSubmitted, TextAttachment},
};

/// The content of a letter.
pub(super) struct LetterContent {
    pub subject: String,
    /// The text above the proof.
    pub words: String,
    /// The words as a page.
    pub page: Option<Page>,
    pub pictures: Vec<Picture>,
    /// Texts that go out with it, beside entries of the register.
    pub texts: Vec<TextAttachment>,
    /// Private blocks below the words.
    pub private: String,
    /// Entries of the register that go out with it.
    pub entries: Vec<String>,
    pub auto_submitted: AutoSubmitted,
    /// The Message-ID of the mail that it answers.
    pub answers: Option<String>,
    /// Errors of the template functions whose proposals it lacks.
    pub unproposed: Vec<String>,
}

impl LetterContent {
    /// A letter with text only.
    pub(super) fn plain(letter: LetterText, answers: Option<String>) -> Self {
        let auto_submitted = if answers.is_some() {
            AutoSubmitted::Replied
        } else {
            AutoSubmitted::Generated
        };
        Self {
            subject: letter.subject,
            words: letter.text,
            page: None,
            pictures: Vec::new(),
            texts: Vec::new(),
            private: String::new(),
            entries: Vec::new(),
            auto_submitted,
            answers,
            unproposed: Vec::new(),
        }
    }
}

/// A moment in words, in this time zone.
pub(super) fn in_words(context: &Context, lang: Lang, zone: &TimeZone, at: Timestamp) -> String {
    dispatch::moment(context.words(lang), at, zone)
}

/// A receipt that is issued with the letter around it.
#[derive(Clone, Debug)]
pub(super) struct DueReceipt {
    /// Its number.
    pub number: ReceiptNumber,
    /// The canonical text.
    pub words: String,
}

impl DueReceipt {
    /// The receipt that is issued with a letter, if there is one.
    pub(super) fn with(letter: &LetterPlan) -> Option<Self> {
        let Addressee::Seat(_, about) = &letter.to else {
            return None;
        };
        let (number, words) = match about {
            SeatLetter::Dispatch { receipt, .. } => (receipt.as_ref()?, ""),
            SeatLetter::Receipt(plan) => (plan.receipt.as_ref()?, plan.words.as_str()),
            SeatLetter::Carried { words, receipt } => (receipt, words.as_str()),
            _ => return None,
        };
        Some(Self {
            number: number.clone(),
            words: words.to_owned(),
        })
    }

    /// As much of the receipt as is known before the letter: the part that the letter's sheet has.
    pub(super) fn beginning(&self, step: Step) -> String {
        self.number.beginning(step.time.into(), &hash(&self.words))
    }
}
