//! The numbers of receipts.

use crate::{
    campaign::{model::work_error::WorkError, turn::value::Turn},
    dice::{Form, ReceiptKind, ReceiptNumber},
    ids::SeatId,
};

/// For what words a receipt is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiptPurpose {
    /// Those that the next envelope seals.
    NextSeal,
    /// Those that come too late for the envelope in use.
    TooLate,
    /// Answers in a quiet wait.
    Answer,
}

impl ReceiptPurpose {
    /// Words of a seat that are sealed next, or come too late for that.
    pub(crate) fn words(sealed_next: bool) -> Self {
        if sealed_next {
            Self::NextSeal
        } else {
            Self::TooLate
        }
    }
}

/// The number of a seat's next receipt. For an envelope whose key is lost there is none.
pub(crate) fn next_receipt(
    turn: &mut Turn<'_>,
    seat: &SeatId,
    given: ReceiptPurpose,
) -> Result<ReceiptNumber, WorkError> {
    let context = turn.context;
    let envelope = turn.state.dice.envelope + u32::from(given == ReceiptPurpose::NextSeal);
    context.shut_key(envelope)?;
    let form = turn.state.form;
    let entry = turn.state.seats.entry(seat.clone()).or_default();
    let (kind, count) = match (given, form) {
        (ReceiptPurpose::NextSeal, _) => (ReceiptKind::Orders, &mut entry.receipts),
        (ReceiptPurpose::Answer, Form::Letters) => (ReceiptKind::Answer, &mut entry.answers_in_use),
        (ReceiptPurpose::TooLate, _) | (ReceiptPurpose::Answer, Form::Texts) => {
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
