//! Sealing the orders that are in.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    campaign::{
        model::{
            context::Context,
            players,
            state::{CurrentWait, DiceState, ShownState, State},
            understanding::Understanding,
            work_error::WorkError,
        },
        turn::{
            attendance, awaited_seats, leaving,
            plan::{EntryPlan, SealPlan},
            planning, rolling,
            work::Work,
        },
        words::moment,
    },
    ids::SeatId,
};

/// Ends the wait for orders if all of them are in. A mail never ends it by the clock: others that
/// arrived in time may still be behind it.
pub(crate) fn close_if_ready(work: &mut Work<'_>) -> Result<(), WorkError> {
    let waits = matches!(work.state.waiting, CurrentWait::Orders { .. });
    if waits && !work.state.on_hold && may_close(work.context, &work.state, jiff::Timestamp::MIN) {
        close_orders(work)?;
    }
    Ok(())
}

/// Returns true if a wait for orders may end at this moment, by what has come and by the clock.
pub(crate) fn may_close(context: &Context, state: &State, now: jiff::Timestamp) -> bool {
    let CurrentWait::Orders {
        seats,
        deadline,
        progress,
        ..
    } = &state.waiting
    else {
        return false;
    };
    let schedule = &context.settings.schedule;
    let all_in = awaited_seats::missing_at(state, now.max(state.time)).is_empty();
    if all_in && schedule.when_ready() && !seats.iter().all(|it| is_final(context, state, it)) {
        return deadline.is_some_and(|deadline| now >= deadline);
    }
    let settles = (progress.last_mail).and_then(|mail| schedule.settled_at(mail));
    match settles.filter(|end| now < *end) {
        // Nothing is missing, but players may still correct a slip.
        Some(_) if all_in => deadline.is_some_and(|deadline| now >= deadline),
        _ => schedule.is_due(*deadline, all_in, now),
    }
}

/// Returns true if a seat has said that its orders are final; a bot's always are.
fn is_final(context: &Context, state: &State, seat: &SeatId) -> bool {
    let bot = players::player(context, state, seat).is_some_and(|it| it.address.bot().is_some());
    bot || state.seats.get(seat).is_some_and(|seat| seat.said_ready)
}

/// Seals the orders that are in; they are resolved as soon as the dice are ready.
pub(crate) fn close_orders(work: &mut Work<'_>) -> Result<(), WorkError> {
    let context = work.context;
    let CurrentWait::Orders {
        seats: waited,
        invited,
        phase: wanted,
        ..
    } = work.state.waiting.clone()
    else {
        return Ok(());
    };
    let decisions = work.state.decisions.clone();
    let silent = awaited_seats::silent(&work.state);
    attendance::count_kept(work, waited.iter().filter(|seat| !silent.contains(seat)));
    seal(work)?;
    let texts = work.state.dice.orders.clone();
    for (seat, words) in &texts {
        let read = work
            .state
            .seats
            .get_mut(seat)
            .and_then(|seat| seat.read.take());
        let understood = match read {
            Some(read) => read,
            None if words.is_empty() => Understanding::default(),
            None => moment::judge_words(
                context,
                &moment::moment(context, &work.state, seat),
                seat,
                words,
                &mut work.verdicts,
            )?,
        };
        let asked = waited.contains(seat) || invited.contains(seat);
        decide(work, seat, &understood, asked);
        if asked {
            let silent = &mut Arc::make_mut(&mut work.state.decisions).silent;
            if waited.contains(seat) && words.is_empty() {
                silent.insert(seat.clone());
            } else {
                silent.remove(seat);
            }
        }
    }
    work.state.shown = Some(Box::new(ShownState {
        world: work.state.world.clone(),
        phase: work.state.phase.clone(),
        wanted,
        seats: waited,
        invited,
        told: false,
        aware: BTreeSet::new(),
        questions: Vec::new(),
        asked_in: None,
        decisions,
    }));
    rolling::await_values(work)
}

fn decide(work: &mut Work<'_>, seat: &SeatId, understood: &Understanding, asked: bool) {
    let context = work.context;
    let decisions = Arc::make_mut(&mut work.state.decisions);
    let before = decisions.latest.get(seat).cloned();
    understood.decide(&context.game, seat, decisions);
    if asked {
        let given = decisions.latest.get(seat).cloned().unwrap_or_default();
        decisions.orders.insert(seat.clone(), given);
    } else if let Some(before) = before {
        // Nobody waited for this seat's orders: what it sent earlier in the turn still stands.
        decisions.latest.insert(seat.clone(), before);
    }
    // Whoever has come back since, or has taken the seat over, does not leave.
    let entry = work.state.seats.get(seat);
    if entry.is_some_and(|entry| entry.resigned.is_none()) {
        leaving::strike(work, seat, |verb| verb.leaves);
    }
}

/// Seals the next envelope with the words that count now.
pub(crate) fn seal(work: &mut Work<'_>) -> Result<(), WorkError> {
    let context = work.context;
    let envelope = work.state.dice.envelope + 1;
    context.shut_key(envelope)?;
    let words = |seat: &SeatId| {
        let entry = work.state.seats.get(seat);
        entry.map_or_else(String::new, |entry| entry.counting().to_owned())
    };
    let seats = context.settings.seats.ids();
    let orders: Vec<(SeatId, String)> = seats.map(|seat| (seat.clone(), words(seat))).collect();
    let seal = SealPlan {
        envelope,
        round: context.round_for(work.state.time),
        orders: orders.clone(),
    };
    planning::enter(work, EntryPlan::Seal(seal));
    work.state.dice = DiceState {
        envelope,
        mix: None,
        values: Vec::new(),
        orders: orders.into_iter().collect(),
        spent: false,
        rolled: Vec::new(),
        ..std::mem::take(&mut work.state.dice)
    };
    for seat in work.state.seats.values_mut() {
        (seat.receipts_in_use, seat.receipts, seat.answers_in_use) = (seat.receipts, 0, 0);
    }
    work.state.sealed_now = true;
    Ok(())
}
