//! Receipts: their forms, numbers and codes, and whether the last one for orders is for the sealed
//! text.

use std::collections::BTreeMap;

use super::{
    Bundle, item, orders_item,
    record::DiceRecord,
    report::{Check, VerifyReport},
    shut_key,
    verdict::SkipReason,
    why_not_at_hand,
};
use crate::{
    dice::{
        form::Form,
        keys::BoundText,
        receipt::{Receipt, ReceiptKind, ReceiptNumber},
    },
    ids::SeatId,
};

/// A line of `receipts.txt`.
pub(super) struct ReceiptText<'t> {
    text: &'t str,
    pub(super) receipt: Receipt,
}

/// Reads the lines of `receipts.txt`; skips quoted texts between them, and makes a finding of
/// anything else that is no receipt.
pub(super) fn read<'t>(text: &'t str, report: &mut VerifyReport) -> Vec<ReceiptText<'t>> {
    let lines = text.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('|'));
    let read = lines.filter_map(|line| match line.parse() {
        Ok(receipt) => Some(ReceiptText {
            text: line,
            receipt,
        }),
        Err(error) => {
            report.finding(Check::Receipt, line, "a receipt", error);
            None
        }
    });
    read.collect()
}

/// Checks the lines of `receipts.txt` against the keys and the sealed orders.
pub(super) fn check(
    record: &DiceRecord<'_>,
    lines: &[ReceiptText<'_>],
    bundle: &Bundle,
    report: &mut VerifyReport,
) {
    let mut counted: BTreeMap<(ReceiptKind, u32, SeatId), u32> = BTreeMap::new();
    let mut last: BTreeMap<(u32, SeatId), Receipt> = BTreeMap::new();
    let mut issued: BTreeMap<SeatId, Vec<Receipt>> = BTreeMap::new();
    for ReceiptText {
        text: line,
        receipt,
    } in lines
    {
        let ReceiptNumber {
            kind,
            envelope,
            seat,
            k,
        } = receipt.number.clone();
        let place = (kind, envelope, seat.clone());
        let expected = counted
            .get(&place)
            .map_or(1, |before| before.saturating_add(1));
        if bundle.partial && k > expected {
            report.unproven(Check::Receipt, line, "receipts before it are not at hand");
        } else {
            report.compare(Check::Receipt, line, &expected, &k);
        }
        check_form(record, line, receipt, bundle.partial, report);
        match shut_key(record, envelope) {
            Ok(key) => {
                report.compare(
                    Check::Receipt,
                    line,
                    &receipt.right_code(key),
                    &receipt.code,
                );
            }
            Err(reason) => {
                let why = if record.ended {
                    SkipReason::Unproven
                } else {
                    SkipReason::Hidden
                };
                report.skip(why, Check::Receipt, line, reason);
            }
        }
        counted.insert(place, k);
        // Answers are never sealed.
        if kind == ReceiptKind::Answer {
            continue;
        }
        // A seat that must not learn of the seal gets receipts of orders after it; and so do
        // answers in the first form.
        if !is_late(record, receipt) {
            last.insert((envelope, seat.clone()), receipt.clone());
        }
        issued.entry(seat).or_default().push(receipt.clone());
    }
    for (envelope, sealed) in &record.envelopes {
        for (seat, _) in &sealed.seal.orders {
            let why = why_not_at_hand(record, bundle, &BoundText::Orders(seat.clone()));
            let path = orders_item(*envelope, seat);
            let last = last.get(&(*envelope, seat.clone()));
            match item(&bundle.items, &path) {
                Err(reason) => report.skip(why, Check::LastReceipt, path, reason),
                Ok(text) => {
                    let earlier = issued.get(seat).into_iter().flatten();
                    let earlier = earlier.filter(|receipt| receipt.number.envelope < *envelope);
                    check_last(path, text, last, earlier, report);
                }
            }
        }
    }
}

/// Returns true if a receipt is later than the seal of its envelope.
fn is_late(record: &DiceRecord<'_>, receipt: &Receipt) -> bool {
    let sealed = record.envelopes.get(&receipt.number.envelope);
    sealed.is_some_and(|sealed| receipt.time > sealed.seal.sealed)
}

/// Checks that a receipt has the form that the opening names, and that an answer comes after the
/// seal of its envelope.
fn check_form(
    record: &DiceRecord<'_>,
    line: &str,
    receipt: &Receipt,
    partial: bool,
    report: &mut VerifyReport,
) {
    let era = record.era(receipt.number.envelope);
    if let Some(era) = era.or(record.eras.last()) {
        let form = receipt.letter.map_or(Form::Texts, |_| Form::Letters);
        report.compare(Check::Receipt, line, &era.opening.form, &form);
    }
    // A player's texts of a quiet wait lack the seal, which goes out with the dice.
    let sealed = era.is_some();
    if receipt.number.kind == ReceiptKind::Answer && (sealed || !partial) {
        report.require(
            Check::Receipt,
            is_late(record, receipt),
            line,
            "an answer after the seal of its envelope",
            "one that is not",
        );
    }
}

/// Checks that the last receipt before a seal is for the sealed text. If there is none, either
/// nothing was sealed, or the orders came while an earlier envelope's dice were awaited and have a
/// receipt for that one.
fn check_last<'r>(
    path: String,
    text: &str,
    last: Option<&Receipt>,
    mut earlier: impl Iterator<Item = &'r Receipt>,
    report: &mut VerifyReport,
) {
    match last {
        Some(receipt) => {
            let holds = receipt.is_for(text);
            report.require(
                Check::LastReceipt,
                holds,
                path,
                format_args!("the text of `{receipt}`"),
                "another text",
            );
        }
        None if text.is_empty() || earlier.any(|receipt| receipt.is_for(text)) => {
            report.pass(Check::LastReceipt);
        }
        None => report.unproven(
            Check::LastReceipt,
            path,
            "orders were sealed for which no receipt is at hand",
        ),
    }
}
