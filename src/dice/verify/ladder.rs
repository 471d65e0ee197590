//! Hashing keys from outside down their chains, within bounds: a text of a few lines must not cost
//! hours.

use crate::dice::{
    hash::{Digest, Key},
    keys::step_down,
    names::CampaignName,
};

/// How many steps of chains one audit may still hash. A campaign of usual length takes some
/// thousands.
#[derive(Debug)]
pub struct Effort(u64);

impl Effort {
    /// The effort that an audit begins with: some seconds of work.
    #[must_use]
    pub const fn whole() -> Self {
        Self(4_000_000)
    }

    /// Takes off these steps, unless fewer are left.
    pub(super) fn spend(&mut self, steps: u64) -> bool {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// Why a key was skipped after the effort was spent.
pub(super) const TOO_MUCH: &str = "the chains that this text names are too long to be hashed";

/// A chain from its anchor up to the highest verified key. Each verified key shortens the way of
/// the next one, so keys are tried in the order of their envelopes.
pub(super) struct Ladder {
    lane: String,
    envelope: u32,
    at: Digest,
    top: Option<Key>,
}

impl Ladder {
    /// The chain of a lane with this anchor.
    pub(super) fn new(lane: &str, anchor: Digest) -> Self {
        Self {
            lane: lane.to_owned(),
            envelope: 0,
            at: anchor,
            top: None,
        }
    }

    /// Returns true if a key hashes down to the highest verified one, or the anchor. None if that
    /// is too much work.
    pub(super) fn reaches(
        &mut self,
        campaign: &CampaignName,
        envelope: u32,
        key: &Key,
        effort: &mut Effort,
    ) -> Option<bool> {
        let steps = envelope.saturating_sub(self.envelope);
        if !effort.spend(steps.into()) {
            return None;
        }
        let down = (self.envelope..envelope).rev();
        let lowered = down.fold(key.clone(), |above, below| {
            step_down(campaign, &self.lane, below, &above)
        });
        let right = lowered.publish() == self.at;
        if right {
            self.envelope = envelope;
            self.at = key.publish();
            self.top = Some(key.clone());
        }
        Some(right)
    }

    /// The highest verified key and its envelope.
    pub(super) fn top(self) -> Option<(u32, Key)> {
        self.top.map(|key| (self.envelope, key))
    }
}
