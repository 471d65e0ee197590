//! Places to which the umpire can take a campaign back: the last waits for orders.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::state::{State, Waiting};
use crate::{ids::SeatId, rules::Decisions, world::World};

/// How many waits are kept: some turns' worth.
const KEPT: usize = 8;

/// A wait for orders as it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The envelope that the orders of this wait seal.
    pub envelope: u32,
    /// The true world.
    pub world: World,
    /// The phase that waits.
    pub phase: String,
    /// What players had decided before.
    pub decisions: Decisions,
    /// The seats that are waited for.
    pub seats: Vec<SeatId>,
    /// The name before the dot of the phase that they send orders for.
    pub orders_for: String,
}

impl Checkpoint {
    /// The present wait, if it is one for orders.
    #[must_use]
    pub fn of(state: &State) -> Option<Self> {
        let Waiting::Orders { seats, phase, .. } = &state.waiting else {
            return None;
        };
        Some(Self {
            envelope: state.dice.envelope + 1,
            world: state.world.clone(),
            phase: state.phase.clone(),
            decisions: state.decisions.clone(),
            seats: seats.clone(),
            orders_for: phase.clone(),
        })
    }
}

/// The last waits for orders, the oldest first. They are shared: a state is copied with each input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoints(Vec<Arc<Checkpoint>>);

impl Checkpoints {
    /// All of them, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Checkpoint> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// The wait whose orders seal, or would have sealed, this envelope.
    #[must_use]
    pub fn find(&self, envelope: u32) -> Option<&Checkpoint> {
        self.iter().find(|point| point.envelope == envelope)
    }

    /// Keeps the newest.
    pub(super) fn keep(&mut self, point: Checkpoint) {
        self.0.push(Arc::new(point));
        let too_many = self.0.len().saturating_sub(KEPT);
        self.0.drain(..too_many);
    }

    /// Forgets a wait and all after it: what the umpire takes back never was.
    pub(super) fn forget_from(&mut self, envelope: u32) {
        self.0.retain(|point| point.envelope < envelope);
    }
}

impl Serialize for Checkpoints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Checkpoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = Vec::<Checkpoint>::deserialize(deserializer)?;
        Ok(Self(points.into_iter().map(Arc::new).collect()))
    }
}
