//! A player who leaves, by an errand or by an order of the game that says so, and the standing
//! orders that go with a player.

use std::sync::Arc;

use crate::{
    campaign::turn::{plan::ErrandOutcome, press, work::Work},
    game::VerbDecl,
    ids::SeatId,
};

/// A player leaves, or stays after all. The seat is the umpire's to give to somebody else; until
/// then all goes on as if its player were silent.
pub(crate) fn leave(work: &mut Work<'_>, seat: &SeatId, leaves: bool) -> ErrandOutcome {
    let left = work.state.seats.get(seat).and_then(|entry| entry.resigned);
    if left.is_some() == leaves {
        return ErrandOutcome::NotDone(if leaves { "has_left" } else { "has_not_left" });
    }
    let what = if leaves { "leaves" } else { "stays" };
    let told = press::tell_umpire(work, seat, what, "");
    let now = work.state.time;
    if let Some(entry) = work.state.seats.get_mut(seat)
        && told == ErrandOutcome::Done
    {
        entry.resigned = leaves.then_some(now);
        if !leaves {
            strike(work, seat, |verb| verb.leaves);
        }
    }
    told
}

/// A player leaves by an order of the game. The order stands, so that it is noted even where no
/// umpire can be told.
pub(crate) fn leave_by_order(work: &mut Work<'_>, seat: &SeatId) {
    let entry = work.state.seats.get(seat);
    if entry.is_none_or(|entry| entry.resigned.is_some()) {
        return;
    }
    press::tell_umpire(work, seat, "leaves", "");
    let now = work.state.time;
    if let Some(entry) = work.state.seats.get_mut(seat) {
        entry.resigned = Some(now);
    }
}

/// Strikes a seat's standing orders of the verbs that are meant.
pub(crate) fn strike(work: &mut Work<'_>, seat: &SeatId, is_meant: impl Fn(&VerbDecl) -> bool) {
    let verbs = &work.context.game.decl.orders.verbs;
    let is_struck = |verb: &str| verbs.get(verb).is_some_and(&is_meant);
    let given = work.state.decisions.standing.get(seat);
    if !given.is_some_and(|given| given.iter().any(|order| is_struck(&order.verb))) {
        return;
    }
    let decisions = Arc::make_mut(&mut work.state.decisions);
    if let Some(standing) = decisions.standing.get_mut(seat) {
        standing.retain(|order| !is_struck(&order.verb));
    }
}
