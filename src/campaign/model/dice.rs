//! The dice in a campaign's state: the envelope in use, and those that public waits have closed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    dice::{Counters, LedgerLine, Mix, SourceValue},
    ids::SeatId,
};

/// The dice of the envelope in use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceState {
    /// The envelope that was sealed last; 0 before the first.
    pub envelope: u32,
    /// The mix of the envelope; none while a value is missing for it.
    pub mix: Option<Mix>,
    /// The values of the beacon and the witnesses for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<SourceValue>,
    /// The texts of the orders that it sealed.
    pub orders: BTreeMap<SeatId, String>,
    /// True once the envelope's dice entry has been made, so that nothing more is rolled in it.
    #[serde(default, rename = "closed")]
    pub spent: bool,
    /// The rolls of finished phases.
    pub rolled: Vec<LedgerLine>,
    /// The rolls so far of the phase that waits for answers: running it again must give the same.
    pub so_far: Vec<LedgerLine>,
    /// The envelopes that public waits in the present phase have spent, the oldest first: the
    /// phase is run again from the first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierEnvelope>,
    /// The rolls of spent envelopes whose open key is kept back: the next entry that opens a key
    /// lists the open ones first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept_back: Vec<LedgerLine>,
}

/// An envelope that a public wait has spent in the middle of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierEnvelope {
    /// The number of the envelope.
    pub envelope: u32,
    /// Its mix; none before the first seal.
    pub mix: Option<Mix>,
    /// The rolls that earlier phases had made in it: counting of labels goes on from there.
    pub rolled: Vec<LedgerLine>,
    /// The round of questions that closed it, counted from 0 in the phase.
    pub round: usize,
}

impl EarlierEnvelope {
    /// The counters of labels at the start of the phase.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters::of(&self.rolled)
    }
}

impl DiceState {
    /// Returns true if there is an open envelope, whose dice entry the next dispatch brings.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        self.envelope > 0 && !self.spent
    }

    /// The counters of labels at the start of the phase that is run.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters::of(&self.rolled)
    }

    /// The rolls of finished phases that nobody has been shown: those of closed envelopes, then
    /// those of the envelope in use.
    #[must_use]
    pub fn unshown(&self) -> Vec<LedgerLine> {
        [self.kept_back.as_slice(), &self.rolled].concat()
    }

    /// The rolls of a phase that were made in the envelope in use.
    #[must_use]
    pub fn of_this_envelope(&self, rolled: &[LedgerLine]) -> Vec<LedgerLine> {
        let own = rolled.iter().filter(|line| line.envelope == self.envelope);
        own.cloned().collect()
    }

    /// Spends the envelope in use: nothing more is rolled in it. Its rolls are shown, or kept back
    /// with its key.
    ///
    /// Before the first seal there is nothing to spend.
    pub(crate) fn spend(&mut self, keep_back: bool) {
        if !self.is_in_use() {
            return;
        }
        self.spent = true;
        if keep_back {
            self.kept_back.append(&mut self.rolled);
        } else {
            self.kept_back.clear();
        }
    }
}
