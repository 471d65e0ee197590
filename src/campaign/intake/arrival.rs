//! A mail that has come.

use jiff::Timestamp;

use crate::{
    campaign::model::{
        events::SeatMail,
        state::{CurrentWait, State},
    },
    mail::Incoming,
};

/// A mail that has come.
pub(crate) struct Arrival<'a> {
    /// Its file in the inbox.
    pub file: &'a str,
    /// What was read of it.
    pub incoming: &'a Incoming,
    /// The moment of the record that is written of it.
    pub at: Timestamp,
}

/// A mail of a seat with the words that count.
pub(crate) fn mail_in(
    seat: &str,
    words: String,
    files: Vec<String>,
    file: &str,
    incoming: &Incoming,
) -> SeatMail {
    SeatMail {
        seat: seat.into(),
        message_id: incoming.message_id.clone(),
        digest: incoming.digest.clone(),
        file: file.to_owned(),
        from: incoming.from.email.clone(),
        words,
        ignored: incoming.words.left_out(),
        files,
        unread: incoming.words.unread.clone(),
    }
}

/// Returns true if mails can count now.
pub(crate) fn is_awaited(state: &State) -> bool {
    matches!(
        state.waiting,
        CurrentWait::Orders { .. }
            | CurrentWait::Answers { .. }
            | CurrentWait::Dice { .. }
            | CurrentWait::Dispatch { .. }
    )
}
