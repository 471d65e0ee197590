//! The news that seats hear of a game.

use crate::{dispatch::NewsItem, ids::SeatId, rules::GameEvent};

/// An event as a seat hears it; none if the seat does not.
#[must_use]
pub fn news_item(event: &GameEvent, seat: &SeatId) -> Option<NewsItem> {
    let args = event.heard.get(seat)?.clone();
    Some(NewsItem {
        key: event.key.clone(),
        phase: event.phase.clone(),
        turn: event.turn,
        args,
    })
}
