//! The news that seats hear of a game.

use crate::{dispatch::NewsItem, ids::SeatId, rules::GameEvent, value::Fields};

/// An event as a seat hears it; none if the seat does not.
#[must_use]
pub fn news_item(event: &GameEvent, seat: &SeatId) -> Option<NewsItem> {
    let args = Fields::clone(event.heard.get(seat)?);
    Some(NewsItem {
        key: event.key.clone(),
        phase: event.phase.clone(),
        turn: event.turn,
        args,
    })
}
