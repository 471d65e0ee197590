//! A mail that has come.

use jiff::Timestamp;

use crate::{
    campaign::model::{
        events::{Event, Reason, RefusedMail, SeatMail},
        state::{CurrentWait, State},
    },
    dice::canonical_orders,
    ids::SeatId,
    mail::Incoming,
};

/// A mail that has come.
pub(crate) struct Arrival<'a> {
    /// Its file in the inbox.
    pub file: &'a str,
    /// The mail as it was read.
    pub incoming: &'a Incoming,
    /// The moment of the record that is written of it.
    pub at: Timestamp,
}

impl Arrival<'_> {
    /// The words with which players may change what is known of them, in canonical form; none in a
    /// mail that a list has passed on.
    pub(crate) fn words_of_player(&self) -> Option<String> {
        let is_own = self.incoming.automatic.is_none();
        is_own.then(|| canonical_orders(&self.incoming.words.text))
    }

    /// Refuses the mail.
    pub(crate) fn refused(&self, reason: Reason, seat: Option<SeatId>, detail: String) -> Event {
        Event::Refused(RefusedMail {
            reason,
            seat,
            message_id: self.incoming.message_id.clone(),
            digest: self.incoming.digest,
            file: self.file.to_owned(),
            detail,
        })
    }
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
        digest: incoming.digest,
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
