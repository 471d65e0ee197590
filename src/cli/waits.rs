//! What is told of a campaign's waits.

use jiff::Timestamp;

use crate::campaign::{
    self,
    model::{
        context::Context,
        state::{CurrentWait, State},
    },
};

/// A moment in the campaign's time zone.
pub fn local(context: &Context, at: Timestamp) -> String {
    let zone = context.settings().schedule.zone();
    let name = zone.iana_name().unwrap_or("UTC").to_owned();
    let local = at.to_zoned(zone.clone());
    format!("{} ({name})", local.strftime("%a %Y-%m-%d %H:%M"))
}

/// When orders close that have all come.
pub fn closing(context: &Context, state: &State) -> String {
    let at = campaign::due_at(context, state).filter(|_| !state.on_hold);
    at.map_or_else(String::new, |at| {
        format!("; they close {}", local(context, at))
    })
}

/// The seats whose orders are waited for and have not come, or have lines to be corrected.
pub fn missing(state: &State) -> Vec<&str> {
    let CurrentWait::Orders { seats, .. } = &state.waiting else {
        return Vec::new();
    };
    let missing = seats.iter().filter(|seat| {
        let entry = state.seats.get(*seat);
        entry.is_none_or(|entry| !entry.ready)
    });
    missing.map(|seat| seat.as_str()).collect()
}
