//! The dice of a campaign as its state keeps them: the envelope in use, and those that public waits
//! have closed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    dice::{Counters, LedgerLine, SourceValue},
    ids::SeatId,
};

/// The dice of the envelope in use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceState {
    /// The envelope that was sealed last; 0 before the first.
    pub envelope: u32,
    /// The mix of the envelope.
    pub mix: String,
    /// What beacon and witnesses have said for it, as lines of the register.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<SourceValue>,
    /// The texts of the orders that it sealed.
    pub orders: BTreeMap<SeatId, String>,
    /// True if the envelope's dice entry has been made: nothing is rolled in it any more.
    #[serde(default)]
    pub closed: bool,
    /// The rolls of phases that are over, as ledger lines.
    pub rolled: Vec<LedgerLine>,
    /// The rolls of the phase that waits for answers, so far: running it again must give the same.
    pub so_far: Vec<LedgerLine>,
    /// The envelopes that public waits of the phase in progress have closed, the oldest first: the
    /// phase is run again from the first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierEnvelope>,
    /// The rolls of closed envelopes whose open key is held back: the next entry that opens a key
    /// lists the open ones first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<LedgerLine>,
}

/// An envelope that a public wait has closed in the middle of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierEnvelope {
    /// Its number.
    pub envelope: u32,
    /// Its mix.
    pub mix: String,
    /// What phases before this one had rolled in it: labels are counted on from there.
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
    /// Returns true if there is an envelope that has not been closed: the next dispatch brings its
    /// dice entry.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        self.envelope > 0 && !self.closed
    }

    /// The counters of labels at the start of the phase that is run.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters::of(&self.rolled)
    }

    /// The rolls of phases that are over: those of closed envelopes that nobody has been shown,
    /// then those of the envelope in use.
    #[must_use]
    pub fn unshown(&self) -> Vec<LedgerLine> {
        [self.held.as_slice(), &self.rolled].concat()
    }

    /// Of rolls of a phase, those that were made in the envelope in use.
    #[must_use]
    pub fn of_this_envelope(&self, rolled: &[LedgerLine]) -> Vec<LedgerLine> {
        let own = rolled.iter().filter(|line| line.envelope == self.envelope);
        own.cloned().collect()
    }

    /// Nothing is rolled any more in the envelope in use. Its rolls are shown, or held back with
    /// its key.
    ///
    /// Before the first seal there is nothing to close.
    pub(crate) fn close(&mut self, hold: bool) {
        if !self.is_in_use() {
            return;
        }
        self.closed = true;
        if hold {
            self.held.append(&mut self.rolled);
        } else {
            self.held.clear();
        }
    }
}
