//! Receipts: numbers, codes, and that the last one is for the orders that were sealed.

use std::collections::BTreeMap;

use super::{
    Bundle, item, orders_item,
    record::Record,
    report::{Check, Report},
    shut_key,
};
use crate::{dice::receipt::Receipt, ids::SeatId};

/// Checks the lines of `receipts.txt` against the keys and the sealed orders.
pub(super) fn check(record: &Record<'_>, text: &str, bundle: &Bundle, report: &mut Report) {
    let mut counted: BTreeMap<(u32, SeatId), u32> = BTreeMap::new();
    let mut last: BTreeMap<(u32, SeatId), Receipt> = BTreeMap::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('|'))
    {
        let receipt = match line.parse::<Receipt>() {
            Ok(receipt) => receipt,
            Err(error) => {
                report.finding(Check::Receipt, line, "a receipt", error);
                continue;
            }
        };
        let place = (receipt.envelope, receipt.seat.clone());
        let expected = counted
            .get(&place)
            .map_or(1, |before| before.saturating_add(1));
        if bundle.partial && receipt.k > expected {
            report.skip(Check::Receipt, line, "receipts before it are not at hand");
        } else {
            report.compare(Check::Receipt, line, &expected, &receipt.k);
        }
        match shut_key(record, receipt.envelope) {
            Ok(key) => {
                report.compare(
                    Check::Receipt,
                    line,
                    &receipt.right_code(key),
                    &receipt.code,
                );
            }
            Err(reason) => report.skip(Check::Receipt, line, reason),
        }
        counted.insert(place.clone(), receipt.k);
        // Answers to questions in a quiet wait get receipts of the envelope that is in use, after its seal.
        let sealed = record.envelopes.get(&receipt.envelope);
        if sealed.is_none_or(|sealed| receipt.time <= sealed.seal.sealed) {
            last.insert(place, receipt);
        }
    }
    for (envelope, sealed) in &record.envelopes {
        for (seat, _) in &sealed.seal.orders {
            check_last(
                *envelope,
                seat,
                last.get(&(*envelope, seat.clone())),
                &bundle.items,
                report,
            );
        }
    }
}

fn check_last(
    envelope: u32,
    seat: &SeatId,
    last: Option<&Receipt>,
    items: &BTreeMap<String, String>,
    report: &mut Report,
) {
    let path = orders_item(envelope, seat);
    match (item(items, &path), last) {
        (Err(reason), _) => report.skip(Check::LastReceipt, path, reason),
        (Ok(text), Some(receipt)) => {
            let holds = receipt.is_for(text);
            report.require(
                Check::LastReceipt,
                holds,
                path,
                format_args!("the text of `{receipt}`"),
                "another text",
            );
        }
        (Ok(""), None) => report.pass(Check::LastReceipt),
        (Ok(_), None) => report.skip(
            Check::LastReceipt,
            path,
            "orders were sealed for which no receipt is at hand",
        ),
    }
}
