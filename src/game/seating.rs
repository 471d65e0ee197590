//! Seating: sides, the parties that they form, the seats that play them, and rosters.
//!
//! A side has pieces and orders, a seat has a player and the player's knowledge, a party has a
//! cause. A game names its seats once, or in a roster for each number of players; a game whose
//! roster has been chosen is a game like any other, so that nothing else knows of rosters.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::{
    GameDecl,
    model::{Lang, Translations, said},
};
use crate::ids::{PartyId, SeatId, SideId};

/// A side and how it is drawn.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Its id.
    pub id: SideId,
    /// The name: "Red", "Rouge".
    pub name: Translations,
    /// Colour of its counters and areas, `#rrggbb`.
    pub colour: String,
    /// The party that it belongs to; a side without one stands alone.
    #[serde(default)]
    pub party: Option<PartyId>,
    /// Letters that tell its counters from others' on maps, beside the colour: "EN".
    #[serde(default, skip_serializing_if = "Translations::is_empty")]
    pub sign: Translations,
    /// Other words for it that players may write where an order names a side: "English".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// Sides that are allies.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Party {
    /// Its id.
    pub id: PartyId,
    /// The name: "Coalition".
    pub name: Translations,
}

/// A seat that a campaign fills with a player.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatDecl {
    /// Its id.
    pub id: SeatId,
    /// The side whose pieces it commands; a list where it plays several, of one party.
    #[serde(rename = "side", deserialize_with = "one_or_several")]
    #[schemars(with = "OneOrSeveral")]
    pub sides: Vec<SideId>,
    /// Its name for readers; by default, the names of its sides.
    #[serde(default)]
    pub name: Translations,
}

/// A side, or a list of them.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum OneOrSeveral {
    /// One side.
    One(SideId),
    /// Several sides.
    Several(Vec<SideId>),
}

fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SideId>, D::Error> {
    OneOrSeveral::deserialize(deserializer).map(|sides| match sides {
        OneOrSeveral::One(side) => vec![side],
        OneOrSeveral::Several(sides) => sides,
    })
}

impl SeatDecl {
    /// Returns true if the seat plays a side.
    #[must_use]
    pub fn plays(&self, side: &str) -> bool {
        self.sides.iter().any(|own| *own == *side)
    }

    /// The first of its sides: whose colour it has. A sound game has one.
    #[must_use]
    pub fn first_side(&self) -> Option<&SideId> {
        self.sides.first()
    }
}

impl GameDecl {
    /// A seat by its id.
    #[must_use]
    pub fn seat(&self, id: &str) -> Option<&SeatDecl> {
        self.seats.iter().find(|seat| seat.id == *id)
    }

    /// Returns true if several sides play, each for itself: none is the enemy of another as such.
    #[must_use]
    pub fn is_each_for_itself(&self) -> bool {
        self.parties.is_empty() && self.sides.len() > 2
    }

    /// A side by its id.
    #[must_use]
    pub fn side(&self, id: &str) -> Option<&Side> {
        self.sides.iter().find(|side| side.id == *id)
    }

    /// The party of a side; none if it stands alone.
    #[must_use]
    pub fn party_of(&self, side: &str) -> Option<&PartyId> {
        self.side(side)?.party.as_ref()
    }

    /// Returns true if a side is this one, or of this party.
    #[must_use]
    pub fn is_of(&self, side: &str, owner: &str) -> bool {
        side == owner || self.party_of(side).is_some_and(|party| *party == *owner)
    }

    /// Returns true if there is a side or a party of this name.
    #[must_use]
    pub fn is_owner(&self, name: &str) -> bool {
        self.side(name).is_some() || self.parties.iter().any(|party| party.id == *name)
    }

    /// Returns true if two sides are one, or of one party.
    #[must_use]
    pub fn are_allies(&self, side: &str, other: &str) -> bool {
        let party = self.party_of(side);
        side == other || party.is_some() && party == self.party_of(other)
    }

    /// Returns true if a seat plays a side, or an ally of it.
    #[must_use]
    pub fn is_friend(&self, seat: &SeatDecl, side: &str) -> bool {
        let mut sides = seat.sides.iter();
        sides.any(|own| self.are_allies(own, side))
    }

    /// A seat's name for readers.
    #[must_use]
    pub fn seat_name(&self, seat: &SeatDecl, lang: Lang) -> String {
        if !seat.name.is_empty() {
            return said(&seat.name, lang).to_owned();
        }
        let sides = seat.sides.iter().filter_map(|side| self.side(side));
        let names: Vec<&str> = sides.map(|side| said(&side.name, lang)).collect();
        names.join(", ")
    }
}

/// The changes of a campaign's seats from those that its game begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seating {
    /// The roster; the first of the game, or its seats, if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roster: Option<String>,
    /// Joined seats, by the one that remains; it plays and knows what all of them did.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joined: BTreeMap<SeatId, Vec<SeatId>>,
}

impl Seating {
    /// Returns true if the seats are those that the game begins with.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl GameDecl {
    /// Has the seats of the first roster, if there are rosters.
    pub(super) fn take_first_roster(&mut self) {
        if let Some((_, seats)) = self.rosters.first() {
            self.seats.clone_from(seats);
        }
    }

    /// Takes the seats of a campaign.
    ///
    /// # Errors
    /// In words: there is no such roster, or it has no such seats, or they are of two parties.
    pub fn take_seats(&mut self, seating: &Seating) -> Result<(), String> {
        if let Some(name) = &seating.roster {
            let Some(seats) = self.rosters.get(name) else {
                let known: Vec<&str> = self.rosters.keys().map(String::as_str).collect();
                return Err(if known.is_empty() {
                    let seats: Vec<&str> = self.seats.iter().map(|seat| &*seat.id).collect();
                    format!(
                        "there is no roster `{name}`: the game has none, and is played by {}",
                        seats.join(", ")
                    )
                } else {
                    format!(
                        "there is no roster `{name}`; there are: {}",
                        known.join(", ")
                    )
                });
            };
            self.seats.clone_from(seats);
        }
        for (stays, others) in &seating.joined {
            for other in others {
                self.join(stays, other)?;
            }
        }
        Ok(())
    }

    /// Lets a seat take in another one: its sides, and its name.
    fn join(&mut self, stays: &SeatId, goes: &SeatId) -> Result<(), String> {
        let seat = |id: &SeatId| {
            let missing = || format!("there is no seat `{id}` to be joined");
            self.seat(id).cloned().ok_or_else(missing)
        };
        let (mut joined, taken) = (seat(stays)?, seat(goes)?);
        if joined.id == taken.id || !taken.sides.iter().all(|side| self.is_friend(&joined, side)) {
            return Err(format!("the seats `{stays}` and `{goes}` can't be joined"));
        }
        let name = |lang| {
            let names = [&joined, &taken].map(|seat| self.seat_name(seat, lang));
            (lang, names.join(", "))
        };
        joined.name = Lang::ALL.into_iter().map(name).collect();
        for side in taken.sides {
            if !joined.plays(&side) {
                joined.sides.push(side);
            }
        }
        self.seats.retain(|seat| seat.id != taken.id);
        if let Some(seat) = self.seats.iter_mut().find(|seat| seat.id == joined.id) {
            *seat = joined;
        }
        Ok(())
    }
}
