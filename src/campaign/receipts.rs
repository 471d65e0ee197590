//! The numbers of receipts, and their codes (docs/dice.md, section 8).

use super::{
    engine::{Engine, EngineError},
    state::State,
};
use crate::{
    dice::{Digest, Form, Receipt, ReceiptKind, ReceiptNumber, hash},
    ids::SeatId,
};

/// For what words a receipt is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    /// Those that the next envelope seals.
    NextSeal,
    /// Those that come too late for the envelope in use.
    TooLate,
    /// Answers in a quiet wait.
    Answer,
}

impl For {
    /// Words of a seat that are sealed next, or come too late for that.
    pub(super) fn words(sealed_next: bool) -> Self {
        if sealed_next {
            Self::NextSeal
        } else {
            Self::TooLate
        }
    }
}

/// A receipt that is issued with the letter in which it stands.
#[derive(Clone, Debug)]
pub(super) struct Due {
    /// Which it is.
    pub number: ReceiptNumber,
    /// The canonical text.
    pub words: String,
}

impl Due {
    /// The receipt as far as it is known before the letter: the letter's sheet has that much of it.
    pub(super) fn beginning(&self, state: &State) -> String {
        self.number.beginning(state.time.into(), &hash(&self.words))
    }
}

impl Engine {
    /// The number of a seat's next receipt. For an envelope whose key is lost there is none.
    pub(super) fn next_receipt(
        &self,
        state: &mut State,
        seat: &SeatId,
        given: For,
    ) -> Result<ReceiptNumber, EngineError> {
        let envelope = state.dice.envelope + u32::from(given == For::NextSeal);
        self.shut_key(envelope)?;
        let form = state.form;
        let entry = state.seats.entry(seat.clone()).or_default();
        let (kind, count) = match (given, form) {
            (For::NextSeal, _) => (ReceiptKind::Orders, &mut entry.receipts),
            (For::Answer, Form::Letters) => (ReceiptKind::Answer, &mut entry.answers_in_use),
            (For::TooLate, _) | (For::Answer, Form::Texts) => {
                (ReceiptKind::Orders, &mut entry.receipts_in_use)
            }
        };
        *count += 1;
        Ok(ReceiptNumber {
            kind,
            envelope,
            seat: seat.clone(),
            k: *count,
        })
    }

    /// Issues a receipt in a letter whose sheet has this digest.
    pub(super) fn issue(
        &self,
        state: &State,
        due: &Due,
        letter: Option<Digest>,
    ) -> Result<Receipt, EngineError> {
        let key = self.shut_key(due.number.envelope)?;
        let (number, time) = (due.number.clone(), state.time.into());
        Ok(Receipt::issue(key, number, time, &due.words, letter))
    }
}
