//! Pieces and facts in play, sightings, views.
//!
//! Invariant: a view ([`World::seen_by`]) is built by adding what a seat knows, never by taking
//! secrets out, and is a world like any other, so that the same code works on both. It knows
//! nothing of mail, disks or scripts.

mod changes;
pub mod names;
mod piece;
mod scope;
mod setup;
#[cfg(test)]
mod tests;
mod view;
mod winners;

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

pub use changes::Changes;
pub use piece::{Knowledge, Piece, Sighting, SightingTime};
pub use setup::SetupError;
pub(crate) use setup::unmarked;
pub use winners::Winners;

use crate::{
    digest::Digest,
    ids::{PieceId, PlaceId, SeatId},
    ordered::IndexMap,
    value::{Fields, Value},
};

/// A world: the true one, or as much of it as one seat knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// The seat whose view this is; none for the true world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<SeatId>,
    /// The scenario that it began with; none where a case sets up a position of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// Pieces by id, in file order. In a view those that the seat knows.
    pub pieces: IndexMap<PieceId, Arc<Piece>>,
    /// Facts by name, shared by copies of a world until one changes them. In a view the public
    /// ones.
    pub facts: Arc<Fields>,
    /// State of spaces, as far as it has been set, shared by copies of a world until one changes
    /// it; the rest is as game.yaml says. In a view the public part, and what the seat has noted of
    /// them.
    pub spaces: Arc<BTreeMap<PlaceId, Fields>>,
    /// States of roads that have been set, shared like those of spaces, by the two ends as the map
    /// has them joined with `-`.
    pub roads: Arc<BTreeMap<String, Fields>>,
    /// The knowledge of each seat, shared like the facts. Empty in a view.
    pub knowledge: BTreeMap<SeatId, Arc<Knowledge>>,
    /// The ending of the campaign, once it has ended.
    pub ended: Option<Ending>,
}

/// The ending of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The winners.
    pub side: Winners,
    /// The level, a key of `levels` in text/*.yaml.
    pub level: String,
}

impl World {
    /// A piece by its id.
    #[must_use]
    pub fn piece(&self, id: &str) -> Option<&Piece> {
        self.pieces.get(id).map(Arc::as_ref)
    }

    /// A piece by its id, to change it.
    pub fn piece_mut(&mut self, id: &str) -> Option<&mut Piece> {
        self.pieces.get_mut(id).map(Arc::make_mut)
    }

    /// Pieces in a place, in file order. Ghosts are not in a place any more and are left out.
    pub fn at<'a>(&'a self, place: &'a str) -> impl Iterator<Item = &'a Piece> {
        self.pieces
            .values()
            .map(Arc::as_ref)
            .filter(move |piece| piece.ghost.is_none() && piece.is_at(place))
    }

    /// A fact, [`Value::Null`] when it is not known.
    #[must_use]
    pub fn fact(&self, name: &str) -> &Value {
        self.facts.get(name).unwrap_or(&Value::Null)
    }

    /// The turn, 0 before the first.
    #[must_use]
    pub fn turn(&self) -> i64 {
        self.fact("turn").as_int().unwrap_or(0)
    }

    /// A state of a space, [`Value::Null`] when it is not known or has never been set.
    #[must_use]
    pub fn space_state(&self, space: &str, attribute: &str) -> &Value {
        self.spaces
            .get(space)
            .and_then(|state| state.get(attribute))
            .unwrap_or(&Value::Null)
    }

    /// The digest of the world as JSON: equal worlds have equal digests. Most inputs change no
    /// world, so the last one is remembered.
    #[must_use]
    pub fn digest(&self) -> Digest {
        thread_local! {
            static LAST: RefCell<Option<(World, Digest)>> = const { RefCell::new(None) };
        }
        LAST.with_borrow_mut(|last| match last {
            Some((known, digest)) if known.is(self) => *digest,
            _ => {
                // A world is plain data with text keys: it always has a JSON.
                let json = serde_json::to_vec(self).unwrap_or_default();
                let digest = Digest::of(&json);
                *last = Some((self.clone(), digest));
                digest
            }
        })
    }

    /// Returns true if everything in this world is not just equal to, but shared with another: a
    /// copy that nobody has changed.
    fn is(&self, other: &Self) -> bool {
        let Self {
            viewer,
            scenario,
            pieces,
            facts,
            spaces,
            roads,
            knowledge,
            ended,
        } = self;
        let all = pieces.iter().zip(&other.pieces);
        let known = knowledge.iter().zip(&other.knowledge);
        (viewer, scenario, ended) == (&other.viewer, &other.scenario, &other.ended)
            && Arc::ptr_eq(facts, &other.facts)
            && Arc::ptr_eq(spaces, &other.spaces)
            && Arc::ptr_eq(roads, &other.roads)
            && (pieces.len(), knowledge.len()) == (other.pieces.len(), other.knowledge.len())
            && all
                .into_iter()
                .all(|((a, one), (b, two))| a == b && Arc::ptr_eq(one, two))
            && known
                .into_iter()
                .all(|((a, one), (b, two))| a == b && Arc::ptr_eq(one, two))
    }
}
