//! The way from mails to a bundle that the verification of the dice can start from.

use std::collections::BTreeMap;

use super::{evidence::Evidence, texts::QuotedReceipt};
use crate::{
    dice::{
        BoundText, Bundle, CampaignName, EntryBody, Key, Receipt, ReceiptKind, ReceiptNumber, Seal,
        digest,
    },
    ids::SeatId,
};

/// The texts of the mails as a bundle that is not complete.
pub(super) fn of(campaign: &CampaignName, evidence: &Evidence) -> Bundle {
    let mut bundle = Bundle::of_register(campaign.clone(), evidence.register());
    bundle.partial = true;
    bundle.private = evidence
        .private
        .iter()
        .map(|said| said.what.clone())
        .collect();
    bundle.receipts = receipts(evidence);
    for ((envelope, seat), bodies) in &evidence.bodies {
        if let Some(body) = bodies.first() {
            bundle
                .items
                .insert(format!("{envelope}/dispatch-{seat}.txt"), body.what.clone());
        }
    }
    for block in evidence.private.iter().map(|said| &said.what) {
        let list = BoundText::Letters(block.seat.clone()).item(block.envelope);
        let is_bound = block.is_of_nothing() || !block.letters.is_empty();
        if let (Some(path), true) = (list, is_bound) {
            bundle.items.insert(path, block.letters.to_string());
        }
    }
    bundle.items.extend(orders(evidence));
    bundle
}

/// The receipts in order of issue, each once.
fn receipts(evidence: &Evidence) -> Option<String> {
    let mut lines: Vec<&Receipt> = evidence
        .receipts
        .iter()
        .map(|said| &said.what.receipt)
        .collect();
    lines.sort_by_key(|receipt| {
        let ReceiptNumber {
            kind,
            envelope,
            seat,
            k,
        } = &receipt.number;
        (*envelope, seat, *kind, *k)
    });
    lines.dedup();
    let text: String = lines.iter().map(|receipt| format!("{receipt}\n")).collect();
    (!text.is_empty()).then_some(text)
}

/// The texts of the sealed orders, by their path in a bundle.
fn orders(evidence: &Evidence) -> BTreeMap<String, String> {
    let known = KnownOrders::of(evidence);
    let mut texts = BTreeMap::new();
    let seals = evidence
        .entries
        .iter()
        .filter_map(|said| match &said.what.body {
            EntryBody::Seal(seal) => Some(seal),
            _ => None,
        });
    for seal in seals {
        for (seat, bound) in &seal.orders {
            let blind = known.blinds.get(&(seal.envelope, seat));
            let fits = |text: &&String| blind.is_some_and(|blind| digest(blind, text) == *bound);
            if let Some(text) = known.sealed_text(seal, seat, fits) {
                texts.insert(format!("{}/orders-{seat}.txt", seal.envelope), text.clone());
            }
        }
    }
    texts
}

/// The orders of each seat as mails show them, by envelope and seat.
struct KnownOrders<'e> {
    receipts: BTreeMap<(u32, &'e SeatId), Vec<&'e QuotedReceipt>>,
    /// The first blind that was found of each.
    blinds: BTreeMap<(u32, &'e SeatId), &'e Key>,
}

impl<'e> KnownOrders<'e> {
    fn of(evidence: &'e Evidence) -> Self {
        let mut receipts: BTreeMap<_, Vec<&QuotedReceipt>> = BTreeMap::new();
        for shown in evidence.receipts.iter().map(|said| &said.what) {
            let number = &shown.receipt.number;
            // Answers are never sealed.
            if number.kind == ReceiptKind::Orders {
                let place = (number.envelope, &number.seat);
                receipts.entry(place).or_default().push(shown);
            }
        }
        let mut blinds = BTreeMap::new();
        for block in evidence.private.iter().map(|said| &said.what) {
            for (what, blind) in &block.blinds {
                if let BoundText::Orders(seat) = what {
                    blinds.entry((block.envelope, seat)).or_insert(blind);
                }
            }
        }
        Self { receipts, blinds }
    }

    fn of_envelope(
        &self,
        envelope: u32,
        seat: &'e SeatId,
    ) -> impl Iterator<Item = &'e QuotedReceipt> {
        let shown = self.receipts.get(&(envelope, seat));
        shown.into_iter().flatten().copied()
    }

    /// The words of the last receipt before the seal. Without one nothing was sealed, or standing
    /// orders that came while the answers to questions were waited for, with a receipt of the
    /// envelope before: these count only if they fit.
    fn sealed_text(
        &self,
        seal: &Seal,
        seat: &'e SeatId,
        fits: impl Fn(&&String) -> bool,
    ) -> Option<&'e String> {
        static NOTHING: String = String::new();
        let of = |envelope: u32| self.of_envelope(envelope, seat);
        let before_seal = of(seal.envelope).filter(|shown| shown.receipt.time <= seal.sealed);
        let last = before_seal.max_by_key(|shown| shown.receipt.number.k);
        if let Some(last) = last {
            return of(seal.envelope)
                .filter(|shown| shown.receipt == last.receipt)
                .find_map(quoted);
        }
        let earlier = of(seal.envelope.saturating_sub(1)).filter_map(quoted);
        std::iter::once(&NOTHING).chain(earlier).find(fits)
    }
}

/// The words that a receipt quotes, if they have its digest.
fn quoted(shown: &QuotedReceipt) -> Option<&String> {
    static NOTHING: String = String::new();
    let is_empty = shown.texts.is_empty() && shown.receipt.is_for("");
    let texts = shown.texts.iter().chain(is_empty.then_some(&NOTHING));
    texts.into_iter().find(|text| shown.receipt.is_for(text))
}
