//! The campaign as the register tells it: openings, and what happened to each envelope.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{
    dice::{
        entry::{DiceEntry, Opening, Seal},
        hash::{Digest, Key},
        keys::{BoundText, Chain, Master, blind},
        ledger::LedgerLine,
        names::{CampaignName, Lane},
        source::Mix,
    },
    ids::SeatId,
};

/// An opening, with the known part of its chains.
pub(super) struct Era<'a> {
    /// The first line of the opening's entry.
    pub(super) heading: String,
    pub(super) opening: &'a Opening,
    /// Its anchors by their lanes.
    pub(super) anchors: HashMap<&'a Lane, &'a Digest>,
    /// The published master: `None` before the end, `Some(None)` when it was lost.
    pub(super) master: Option<Option<&'a Master>>,
    /// Chains that end in the opening's anchors, as far as they are known.
    pub(super) known: BTreeMap<Lane, Chain>,
}

/// A sealed envelope.
pub(super) struct EnvelopeRecord<'a> {
    /// The place of its opening in [`DiceRecord::eras`].
    pub(super) era: usize,
    pub(super) seal: &'a Seal,
    pub(super) dice: Option<&'a DiceEntry>,
    /// Known once the sources have given their values.
    pub(super) mix: Option<Mix>,
}

/// The campaign's record of dice.
pub(super) struct DiceRecord<'a> {
    pub(super) campaign: &'a CampaignName,
    pub(super) eras: Vec<Era<'a>>,
    pub(super) envelopes: BTreeMap<u32, EnvelopeRecord<'a>>,
    /// The open keys of all envelopes below this number are out.
    pub(super) open_below: u32,
    /// True if an `end` entry has been made.
    pub(super) ended: bool,
    /// The seats whose mails were kept.
    pub(super) own: BTreeSet<SeatId>,
    /// True if entries are lost.
    pub(super) gap: bool,
    /// Blinds that a seat was given in private.
    pub(super) blinds: BTreeMap<(u32, BoundText), Key>,
}

impl DiceRecord<'_> {
    /// The rolls that the register shows.
    pub(super) fn open_rolls(&self) -> impl Iterator<Item = &LedgerLine> {
        let dice = self.envelopes.values().filter_map(|envelope| envelope.dice);
        dice.flat_map(|dice| &dice.rolls)
    }

    /// `K[envelope, lane]`, if it is known and checked.
    pub(super) fn key(&self, envelope: u32, lane: &Lane) -> Option<&Key> {
        let era = self.eras.get(self.envelopes.get(&envelope)?.era)?;
        era.known.get(lane)?.key(envelope).ok()
    }

    /// The opening that an envelope belongs to.
    pub(super) fn era(&self, envelope: u32) -> Option<&Era<'_>> {
        self.eras.get(self.envelopes.get(&envelope)?.era)
    }

    /// The blind of a text, from the key of `shut` or as a seat was given it.
    pub(super) fn blind(&self, envelope: u32, what: &BoundText) -> Option<Key> {
        let computed = self
            .key(envelope, &Lane::shut())
            .map(|key| blind(key, what));
        computed.or_else(|| self.blinds.get(&(envelope, what.clone())).cloned())
    }
}
