//! What a campaign waits for, and until when, for the umpire to read.

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

/// A deadline behind what it ends; nothing if there is none.
pub fn until(context: &Context, deadline: Option<Timestamp>) -> String {
    deadline.map_or_else(String::new, |at| format!(", until {}", local(context, at)))
}

/// What a campaign waits for.
pub fn waiting(context: &Context, state: &State) -> String {
    let until = |deadline: &Option<Timestamp>| until(context, *deadline);
    match &state.waiting {
        CurrentWait::Orders {
            seats,
            phase,
            deadline,
            ..
        } => {
            let missing = missing(state);
            if missing.is_empty() && !seats.is_empty() {
                return format!("all orders for {phase} are in{}", closing(context, state));
            }
            format!(
                "waiting for orders of {} for {phase}{}",
                missing.join(", "),
                until(deadline)
            )
        }
        CurrentWait::Answers {
            questions,
            answers,
            deadline,
            ..
        } => {
            let open = answers.iter().filter(|answer| answer.is_none()).count();
            format!(
                "waiting for {open} of {} answers{}",
                questions.len(),
                until(deadline)
            )
        }
        CurrentWait::Dice {
            round,
            witnesses,
            deadline,
        } => {
            let mut wanted: Vec<String> = round
                .iter()
                .map(|round| format!("round {round} of drand quicknet"))
                .collect();
            wanted.extend(witnesses.iter().map(|name| format!("the token of {name}")));
            let silent = if witnesses.is_empty() {
                &None
            } else {
                deadline
            };
            format!(
                "orders are sealed; the dice wait for {}{}",
                wanted.join(" and "),
                until(silent)
            )
        }
        CurrentWait::Dispatch { .. } => "nobody is asked anything any more".to_owned(),
        CurrentWait::Repair { error, .. } => format!("STOPPED by an error in the rules: {error}"),
        CurrentWait::Disclosure { at } => {
            format!("ended; the master is published on {}", local(context, *at))
        }
        CurrentWait::Nothing => "ended".to_owned(),
    }
}
