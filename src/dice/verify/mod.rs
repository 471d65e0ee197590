//! The audit of the dice: everything that can be checked from texts alone (dice.md, section 10).
//!
//! A check passes, makes a [`Finding`], or is skipped with a reason ([`SkippedCheck`]): an
//! unfinished campaign, or a player with only their own mails, gets as far as the revealed keys go.
//! The digest of the rules, and the replay of the campaign, which shows that these labels were the
//! right ones to roll, are not the business of this module.

mod digests;
mod keys;
mod ladder;
mod receipts;
mod record;
mod report;
mod rolls;
mod sources;
mod structure;
mod verdict;

pub use ladder::Effort;
pub use report::{Check, Finding, SkippedCheck, VerifyReport};
pub use verdict::{SkipReason, Verdict};

use std::collections::{BTreeMap, BTreeSet};

use self::{receipts::ReceiptText, record::DiceRecord};
use super::{keys::BoundText, names::CampaignName, private::PrivateBlock, register::Register};
use crate::ids::SeatId;

/// The texts that an audit starts from: a bundle's folder `dice/`, or a player's share of it.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The campaign; entries of others are skipped.
    pub campaign: CampaignName,
    /// `register.txt`, or mails pasted together.
    pub register: String,
    /// `ledger.txt`, when there is one.
    pub ledger: Option<String>,
    /// `receipts.txt`, when there is one. Quoted texts (`| ...`) between the lines are skipped.
    pub receipts: Option<String>,
    /// The texts of the folder `items` by their path below it: `3/orders-red.txt`.
    pub items: BTreeMap<String, String>,
    /// Private blocks of a seat's mails, with keys and blinds that are not public yet.
    pub private: Vec<PrivateBlock>,
    /// True if this is one player's share: then a missing receipt or entry is no finding.
    pub partial: bool,
    /// The paths of items that nobody has any more: their absence is no lack of proof.
    pub gone: BTreeSet<String>,
}

impl Bundle {
    /// A bundle with a register alone.
    #[must_use]
    pub fn of_register(campaign: CampaignName, register: String) -> Self {
        Self {
            campaign,
            register,
            ledger: None,
            receipts: None,
            items: BTreeMap::new(),
            private: Vec::new(),
            partial: false,
            gone: BTreeSet::new(),
        }
    }

    /// The seats whose mails these are: those with private blocks or receipts among what a player
    /// has kept.
    fn own_seats(&self, receipts: &[ReceiptText<'_>]) -> BTreeSet<SeatId> {
        let blocks = self.private.iter();
        let own = blocks.filter(|block| block.campaign == self.campaign);
        let receipts = receipts.iter().map(|line| &line.receipt.number.seat);
        own.map(|block| &block.seat)
            .chain(receipts)
            .cloned()
            .collect()
    }
}

/// Checks everything that a bundle's texts allow.
#[must_use]
pub fn verify(bundle: &Bundle) -> VerifyReport {
    within(bundle, &mut Effort::whole())
}

/// Like `verify`, within an effort that several verifications share.
#[must_use]
pub fn within(bundle: &Bundle, effort: &mut Effort) -> VerifyReport {
    let mut report = VerifyReport::default();
    let (register, errors) = Register::read(&bundle.campaign, &bundle.register);
    for error in errors {
        report.finding(Check::Entry, "register", "a well-formed entry", error);
    }
    let gap = structure::check_links(&register, bundle.partial, &mut report);
    let mut record = structure::read_record(&register, gap, &mut report);
    let receipts = bundle.receipts.as_deref();
    let receipts = receipts.map(|text| receipts::read(text, &mut report));
    record.own = bundle.own_seats(receipts.as_deref().unwrap_or_default());
    keys::open_chains(&mut record, &bundle.private, effort, &mut report);
    sources::check(&mut record, effort, &mut report);
    let ledger = rolls::check(&record, bundle, &mut report);
    digests::check(&record, bundle, ledger.as_ref(), &mut report);
    if let Some(receipts) = &receipts {
        receipts::check(&record, receipts, bundle, &mut report);
    }
    report.rolls = match ledger {
        Some(ledger) => ledger.0,
        None => record.open_rolls().cloned().collect(),
    };
    report
}

/// The reason why a bound text is not at hand, which depends on whether these texts should have
/// included it. Players have their own orders and dispatches; the ledger or the final bundle has
/// everything.
fn why_not_at_hand(record: &DiceRecord<'_>, bundle: &Bundle, what: &BoundText) -> SkipReason {
    let due = match (bundle.partial, what) {
        (true, BoundText::Orders(seat) | BoundText::Dispatch(seat) | BoundText::Letters(seat)) => {
            record.own.contains(seat)
        }
        (true, BoundText::Ledger | BoundText::Journal) => false,
        (false, _) => record.ended || bundle.ledger.is_some(),
    };
    if due {
        SkipReason::Unproven
    } else {
        SkipReason::Hidden
    }
}

/// The path of a seat's sealed orders among the items.
fn orders_item(envelope: u32, seat: &str) -> String {
    format!("{envelope}/orders-{seat}.txt")
}

/// The text of an item, or the reason why a check has to be skipped.
fn item<'a>(record_items: &'a BTreeMap<String, String>, path: &str) -> Result<&'a str, String> {
    record_items
        .get(path)
        .map(String::as_str)
        .ok_or_else(|| format!("the text items/{path} is not at hand"))
}

/// The key of `shut` for an envelope, or the reason why a check has to be skipped.
fn shut_key<'r>(record: &'r DiceRecord<'_>, envelope: u32) -> Result<&'r super::hash::Key, String> {
    record
        .key(envelope, &super::names::Lane::shut())
        .ok_or_else(|| format!("the key of the lane shut for envelope {envelope} is not known"))
}

#[cfg(test)]
mod tests;
