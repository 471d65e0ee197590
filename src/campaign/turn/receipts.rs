//! The numbers of receipts, and the receipts of carried words.

use crate::{
    campaign::{
        model::work_error::WorkError,
        turn::{plan::SeatLetter, planning, work::Work},
    },
    dice::{Form, ReceiptKind, ReceiptNumber},
    ids::SeatId,
};

/// The orders that a receipt is given for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiptPurpose {
    /// Orders for the next seal.
    NextSeal,
    /// Orders too late for the envelope in use.
    TooLate,
    /// Answers in a quiet wait.
    Answer,
}

impl ReceiptPurpose {
    /// For words of a seat that are sealed next, or come too late for the seal.
    pub(crate) fn words(sealed_next: bool) -> Self {
        if sealed_next {
            Self::NextSeal
        } else {
            Self::TooLate
        }
    }
}

/// The number of a seat's next receipt; an error if the envelope's key is lost.
pub(crate) fn next_receipt(
    work: &mut Work<'_>,
    seat: &SeatId,
    given: ReceiptPurpose,
) -> Result<ReceiptNumber, WorkError> {
    let context = work.context;
    let envelope = work.state.dice.envelope + u32::from(given == ReceiptPurpose::NextSeal);
    context.shut_key(envelope)?;
    let form = work.state.form;
    let entry = work.state.seats.entry(seat.clone()).or_default();
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

/// Plans the receipts of carried words, for seats that had not been told of the seal when they sent
/// them.
pub(crate) fn receipts_of_carried(work: &mut Work<'_>) -> Result<(), WorkError> {
    let context = work.context;
    for seat in context.settings.seats.ids() {
        let carried = work.state.seats.get(seat).map(|seat| seat.carried.clone());
        let Some(carried) = carried.filter(|words| !words.is_empty()) else {
            continue;
        };
        let receipt = next_receipt(work, seat, ReceiptPurpose::NextSeal)?;
        let letter = SeatLetter::Carried {
            words: carried,
            receipt,
        };
        planning::send(work, seat, letter);
    }
    Ok(())
}
