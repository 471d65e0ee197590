//! Who plays a seat now. The settings say who began; since then a player may have moved to another
//! address (`addresses.rs`), and the umpire may have put somebody else into the seat.
//!
//! Whoever is reached at a new address gets a new token, and what was sent to an old address is as
//! good as unsent: its token counts as none of the seat's, and reports on it do not count against
//! the new one.

use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::{
        clock::ClockZone,
        context::Context,
        seats::{Address, Seat},
        state::State,
    },
    game::Lang,
    ids::SeatId,
};

/// How a seat's player is reached, where that is not as the settings have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// The player; none if still the one of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Seat>,
    /// The seat's letters up to this number went to an earlier address.
    #[serde(default)]
    pub since: u64,
    /// The change of address that has been asked for and not been confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<AddressRequest>,
    /// The addresses that have got a code, in the order of the codes: each gets one only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<IssuedCode>,
}

/// A change of address that waits for its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressRequest {
    /// The new address.
    pub address: Address,
    /// Until when the code is good.
    pub until: Timestamp,
    /// The number of the letter with the code, which the code is made from.
    pub letter: u64,
}

/// An address that has got a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedCode {
    /// The address.
    pub address: Address,
    /// When.
    pub at: Timestamp,
    /// The number of the letter among those of the seat.
    pub letter: u64,
}

/// Who plays a seat; none if there is no such seat.
#[must_use]
pub fn player<'a>(context: &'a Context, state: &'a State, seat: &str) -> Option<&'a Seat> {
    let changed = state.contacts.get(seat);
    changed
        .and_then(|contact| contact.player.as_ref())
        .or_else(|| context.settings.seats.get(seat))
}

/// The players in the order of the seats.
pub fn players<'a>(context: &'a Context, state: &'a State) -> impl Iterator<Item = &'a Seat> {
    let seats = context.settings.seats.ids();
    seats.filter_map(|seat| player(context, state, seat))
}

/// The language of a seat.
#[must_use]
pub fn lang(context: &Context, state: &State, seat: &SeatId) -> Lang {
    player(context, state, seat).map_or(Lang::En, |player| player.lang)
}

/// The zone in which a seat is told times: its player's own, or the campaign's.
#[must_use]
pub fn zone<'a>(context: &'a Context, state: &'a State, seat: &str) -> &'a TimeZone {
    let own = player(context, state, seat).and_then(|player| player.zone.as_ref());
    own.map_or(context.settings.schedule.zone(), ClockZone::rules)
}
