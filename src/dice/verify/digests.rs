//! Blinded digests against the texts that they bind.

use std::collections::BTreeSet;

use super::{
    Bundle, item, orders_item,
    record::DiceRecord,
    report::{Check, VerifyReport},
    verdict::SkipReason,
    why_not_at_hand,
};
use crate::dice::{
    hash::Digest,
    keys::{BoundText, digest},
    ledger::Ledger,
};

/// Checks the orders digests of all seals and the bind lines of all dice entries.
pub(super) fn check(
    record: &DiceRecord<'_>,
    bundle: &Bundle,
    ledger: Option<&Ledger>,
    report: &mut VerifyReport,
) {
    for (number, envelope) in &record.envelopes {
        for (seat, found) in &envelope.seal.orders {
            let text = item(&bundle.items, &orders_item(*number, seat)).map(str::to_owned);
            let what = BoundText::Orders(seat.clone());
            let why = why_not_at_hand(record, bundle, &what);
            check_one(record, (*number, &what), found, text, why, report);
        }
        for (what, found) in envelope.dice.iter().flat_map(|dice| &dice.binds) {
            let text = text_of(bundle, ledger, *number, what);
            let is_gone = what
                .item(*number)
                .is_some_and(|path| bundle.gone.contains(&path));
            let why = match is_gone {
                true => SkipReason::Hidden,
                false => why_not_at_hand(record, bundle, what),
            };
            check_one(record, (*number, what), found, text, why, report);
        }
    }
    dispatches_without_dice(record, bundle, report);
}

/// Checks that an entry shows the roll of each envelope for which a dispatch was sent.
fn dispatches_without_dice(record: &DiceRecord<'_>, bundle: &Bundle, report: &mut VerifyReport) {
    let blocks = bundle.private.iter();
    let sent = blocks.filter(|block| block.campaign == *record.campaign && block.is_of_dispatch());
    let rolled = |envelope: &u32| {
        let sealed = record.envelopes.get(envelope);
        sealed.is_some_and(|sealed| sealed.dice.is_some())
    };
    let unrolled: BTreeSet<u32> = (sent.map(|block| block.envelope))
        .filter(|envelope| !rolled(envelope))
        .collect();
    for envelope in unrolled {
        let place = format!("envelope {envelope}");
        let reason = "its dispatch is there, and no dice entry for it";
        report.unproven(Check::Envelope, place, reason);
    }
}

fn text_of(
    bundle: &Bundle,
    ledger: Option<&Ledger>,
    envelope: u32,
    what: &BoundText,
) -> Result<String, String> {
    match what.item(envelope) {
        Some(path) => item(&bundle.items, &path).map(str::to_owned),
        None => {
            let lines = ledger.map(|ledger| ledger.text_of(envelope));
            lines.ok_or_else(|| "the ledger is not at hand".to_owned())
        }
    }
}

fn check_one(
    record: &DiceRecord<'_>,
    (envelope, what): (u32, &BoundText),
    found: &Digest,
    text: Result<String, String>,
    why: SkipReason,
    report: &mut VerifyReport,
) {
    let place = format!("envelope {envelope}, {what}");
    let blind = record
        .blind(envelope, what)
        .ok_or_else(|| "its blind is not known".to_owned());
    match blind.and_then(|blind| text.map(|text| digest(&blind, &text))) {
        Ok(right) => {
            report.compare(Check::Digest, place, &right, found);
        }
        Err(reason) => report.skip(why, Check::Digest, place, reason),
    }
}
