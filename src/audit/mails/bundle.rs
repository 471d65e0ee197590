//! From the mails to what the verification of the dice starts from.

use std::collections::BTreeMap;

use super::evidence::{Evidence, Shown};
use crate::{
    dice::{Body, Bundle, CampaignName, Key, Receipt, Seal, What, digest},
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
    bundle.items.extend(orders(evidence));
    bundle
}

/// The receipts in the order in which they were issued, each once.
fn receipts(evidence: &Evidence) -> Option<String> {
    let mut lines: Vec<&Receipt> = evidence
        .receipts
        .iter()
        .map(|said| &said.what.receipt)
        .collect();
    lines.sort_by_key(|receipt| (receipt.envelope, &receipt.seat, receipt.k));
    lines.dedup();
    let text: String = lines.iter().map(|receipt| format!("{receipt}\n")).collect();
    (!text.is_empty()).then_some(text)
}

/// The texts of the sealed orders, by their path in a bundle.
fn orders(evidence: &Evidence) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let seals = evidence
        .entries
        .iter()
        .filter_map(|said| match &said.what.body {
            Body::Seal(seal) => Some(seal),
            _ => None,
        });
    for seal in seals {
        for (seat, bound) in &seal.orders {
            let blind = blind(evidence, seal.envelope, seat);
            let fits = |text: &&String| blind.is_some_and(|blind| digest(blind, text) == *bound);
            if let Some(text) = sealed_text(evidence, seal, seat, fits) {
                texts.insert(format!("{}/orders-{seat}.txt", seal.envelope), text.clone());
            }
        }
    }
    texts
}

/// The words of the last receipt before the seal. Without one nothing was sealed, or standing orders that came while
/// the answers to questions were waited for, with a receipt of the envelope before: these count only if they fit.
fn sealed_text<'e>(
    evidence: &'e Evidence,
    seal: &Seal,
    seat: &SeatId,
    fits: impl Fn(&&String) -> bool,
) -> Option<&'e String> {
    static NOTHING: String = String::new();
    let of = |envelope: u32| {
        let receipts = evidence.receipts.iter().map(|said| &said.what);
        receipts
            .filter(move |shown| shown.receipt.envelope == envelope && shown.receipt.seat == *seat)
    };
    let before_seal = of(seal.envelope).filter(|shown| shown.receipt.time <= seal.sealed);
    let last = before_seal.max_by_key(|shown| shown.receipt.k);
    if let Some(last) = last {
        return of(seal.envelope)
            .filter(|shown| shown.receipt == last.receipt)
            .find_map(quoted);
    }
    let earlier = of(seal.envelope.saturating_sub(1)).filter_map(quoted);
    std::iter::once(&NOTHING).chain(earlier).find(fits)
}

/// The words that a receipt quotes, if they have its digest.
fn quoted(shown: &Shown) -> Option<&String> {
    shown.texts.iter().find(|text| shown.receipt.is_for(text))
}

fn blind<'e>(evidence: &'e Evidence, envelope: u32, seat: &SeatId) -> Option<&'e Key> {
    let wanted = What::Orders(seat.clone());
    let blocks = evidence.private.iter().map(|said| &said.what);
    let mut blinds = blocks
        .filter(|block| block.envelope == envelope)
        .flat_map(|block| &block.blinds);
    blinds
        .find(|(what, _)| *what == wanted)
        .map(|(_, blind)| blind)
}
