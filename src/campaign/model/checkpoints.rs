//! Checkpoints that the umpire can roll a campaign back to: the last waits for orders.
//!
//! The position at such a wait is large, and only a rollback needs it. So it is kept in memory only
//! and left out of snapshots; a rollback replays the journal from its beginning
//! (`durable/replay.rs`).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ids::SeatId, rules::Decisions, world::World};

/// The number of waits that are kept: some turns' worth.
const KEPT: usize = 8;

/// A wait for orders as it began.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The envelope that the orders of this wait seal.
    pub envelope: u32,
    /// The turn of the wait.
    pub turn: i64,
    /// The phase that waits.
    pub phase: String,
    /// The position then; none in a state that comes from a snapshot.
    #[serde(skip)]
    pub stood: Option<Arc<WaitStart>>,
}

/// The position when a wait began.
#[derive(Debug)]
pub struct WaitStart {
    /// The true world at that time.
    pub world: World,
    /// The players' decisions before it.
    pub decisions: Arc<Decisions>,
    /// The seats whose orders were awaited.
    pub seats: Vec<SeatId>,
    /// The seats that were invited, but not required, to send some.
    pub invited: Vec<SeatId>,
    /// The phase that they send orders for, by its name before the dot.
    pub orders_for: String,
}

/// Two are the same wait whether or not the position is at hand.
impl PartialEq for Checkpoint {
    fn eq(&self, other: &Self) -> bool {
        let key = |point: &Self| (point.envelope, point.turn, point.phase.clone());
        key(self) == key(other)
    }
}

/// The last waits for orders, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Checkpoints(Vec<Checkpoint>);

impl Checkpoints {
    /// All of them, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Checkpoint> {
        self.0.iter()
    }

    /// The wait whose orders seal, or would have sealed, this envelope.
    #[must_use]
    pub fn find(&self, envelope: u32) -> Option<&Checkpoint> {
        self.iter().find(|point| point.envelope == envelope)
    }

    /// Keeps a checkpoint as the newest.
    pub(crate) fn keep(&mut self, point: Checkpoint) {
        self.0.push(point);
        let too_many = self.0.len().saturating_sub(KEPT);
        self.0.drain(..too_many);
    }

    /// Notes that the umpire has changed the position of the newest wait.
    pub(crate) fn ruled(&mut self, world: &World) {
        if let Some(point) = self.0.last_mut()
            && let Some(stood) = &point.stood
        {
            point.stood = Some(Arc::new(WaitStart {
                world: world.clone(),
                decisions: stood.decisions.clone(),
                seats: stood.seats.clone(),
                invited: stood.invited.clone(),
                orders_for: stood.orders_for.clone(),
            }));
        }
    }

    /// Forgets a wait and all later ones: a rollback undoes them.
    pub(crate) fn forget_from(&mut self, envelope: u32) {
        self.0.retain(|point| point.envelope < envelope);
    }
}
