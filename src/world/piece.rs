//! Pieces in play.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    game::{GameDecl, SeatDecl},
    ids::{PieceId, PlaceId, SideId},
    value::{Attributes, Fields, Value},
};

/// When something was seen: the turn and the phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SightingTime {
    /// The turn.
    pub turn: i64,
    /// The phase's id (`combat.red`).
    pub phase: Arc<str>,
}

/// A piece: who it is, where it stands, and its attributes. In a view, only what the seat knows of
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Its id.
    pub id: PieceId,
    /// Its name on the counter.
    pub name: String,
    /// Its side.
    pub side: SideId,
    /// Its formation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formation: Option<String>,
    /// Its kind.
    pub kind: String,
    /// Its space or box; none when it is not in play.
    pub at: Option<PlaceId>,
    /// Attributes by name; in a view those that the seat knows.
    pub attributes: Attributes,
    /// In a view: an old sighting, where it was seen last and when. Never set in the true world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ghost: Option<SightingTime>,
}

impl Piece {
    /// An attribute, [`Value::Null`] when it is not known.
    #[must_use]
    pub fn get(&self, attribute: &str) -> &Value {
        self.attributes.get(attribute).unwrap_or(&Value::Null)
    }

    /// A whole-number attribute, 0 when it is not known.
    #[must_use]
    pub fn int(&self, attribute: &str) -> i64 {
        self.get(attribute).as_int().unwrap_or(0)
    }

    /// The side that commands it now: the one that the game's attribute `obeys` names, else its
    /// own.
    #[must_use]
    pub fn owner(&self, obeys: Option<&str>) -> &str {
        let taker = obeys.and_then(|name| self.get(name).as_text());
        taker
            .filter(|taker| !taker.is_empty())
            .unwrap_or(&self.side)
    }

    /// Returns true if it is a seat's own: it takes the seat's orders, or belongs to a side of the
    /// seat's and has been lent to an ally. Whom an enemy has taken is lost.
    #[must_use]
    pub fn is_own(&self, decl: &GameDecl, seat: &SeatDecl) -> bool {
        let owner = self.owner(decl.orders.obeys.as_deref());
        seat.plays(owner) || seat.plays(&self.side) && decl.are_allies(&self.side, owner)
    }

    /// Returns true if it stands in a place.
    #[must_use]
    pub fn is_at(&self, place: &str) -> bool {
        self.at.as_deref() == Some(place)
    }
}

/// A seat's last knowledge of a piece that it does not own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The piece as it was known: only the attributes that were seen.
    pub piece: Arc<Piece>,
    /// The time of the sighting.
    pub seen: SightingTime,
    /// True if the seat still sees it (else it is a ghost).
    pub current: bool,
}

/// A seat's knowledge beyond its own pieces and what is public.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Sightings by piece.
    pub sightings: BTreeMap<PieceId, Sighting>,
    /// Knowledge of spaces beyond what is public (`more_below: true`).
    pub spaces: BTreeMap<PlaceId, Fields>,
}
