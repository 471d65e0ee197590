//! Blinded digests against the texts that they bind.

use super::{
    Bundle, item, orders_item,
    record::Record,
    report::{Check, Report},
};
use crate::dice::{
    hash::Digest,
    keys::{What, digest},
    ledger::Ledger,
};

/// Checks the orders digests of all seals and the bind lines of all dice entries.
pub(super) fn check(
    record: &Record<'_>,
    bundle: &Bundle,
    ledger: Option<&Ledger>,
    report: &mut Report,
) {
    for (number, envelope) in &record.envelopes {
        for (seat, found) in &envelope.seal.orders {
            let text = item(&bundle.items, &orders_item(*number, seat)).map(str::to_owned);
            check_one(
                record,
                *number,
                &What::Orders(seat.clone()),
                found,
                text,
                report,
            );
        }
        for (what, found) in envelope.dice.iter().flat_map(|dice| &dice.binds) {
            check_one(
                record,
                *number,
                what,
                found,
                text_of(bundle, ledger, *number, what),
                report,
            );
        }
    }
}

fn text_of(
    bundle: &Bundle,
    ledger: Option<&Ledger>,
    envelope: u32,
    what: &What,
) -> Result<String, String> {
    match what {
        What::Ledger => {
            let lines = ledger.map(|ledger| ledger.text_of(envelope));
            lines.ok_or_else(|| "the ledger is not at hand".to_owned())
        }
        What::Journal => item(&bundle.items, &format!("{envelope}/journal.txt")).map(str::to_owned),
        What::Orders(seat) => item(&bundle.items, &orders_item(envelope, seat)).map(str::to_owned),
        What::Dispatch(seat) => {
            item(&bundle.items, &format!("{envelope}/dispatch-{seat}.txt")).map(str::to_owned)
        }
    }
}

fn check_one(
    record: &Record<'_>,
    envelope: u32,
    what: &What,
    found: &Digest,
    text: Result<String, String>,
    report: &mut Report,
) {
    let place = format!("envelope {envelope}, {what}");
    let blind = record
        .blind(envelope, what)
        .ok_or_else(|| "its blind is not known".to_owned());
    match blind.and_then(|blind| text.map(|text| digest(&blind, &text))) {
        Ok(right) => {
            report.compare(Check::Digest, place, &right, found);
        }
        Err(reason) => report.skip(Check::Digest, place, reason),
    }
}
