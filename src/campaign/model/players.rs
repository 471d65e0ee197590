//! The players of the seats now. The settings say who began; since then a player may have moved to
//! another address (`turn/exchange.rs`), and the umpire may have put somebody else into the seat.
//!
//! A player at a new address gets a new token, and letters to an old address are as good as unsent:
//! their tokens no longer count as the seat's, and reports on them do not count against the new
//! address.

use jiff::tz::TimeZone;

use crate::{
    campaign::model::{clock::ClockZone, context::Context, seats::Seat, state::State},
    game::Lang,
    ids::SeatId,
    mail::Screen,
};

/// The player of a seat, if there is such a seat.
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

/// The screen on which a seat's player reads letters.
#[must_use]
pub fn screen(context: &Context, state: &State, seat: &str) -> Screen {
    player(context, state, seat).map_or(Screen::Wide, |player| player.screen)
}

/// The time zone of a seat: its player's own, or the campaign's.
#[must_use]
pub fn zone<'a>(context: &'a Context, state: &'a State, seat: &str) -> &'a TimeZone {
    let own = player(context, state, seat).and_then(|player| player.zone.as_ref());
    own.map_or(context.settings.schedule.zone(), ClockZone::rules)
}
