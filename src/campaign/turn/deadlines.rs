//! Deadlines: what is due by the clock, and what then happens.

use jiff::Timestamp;

use crate::campaign::{
    model::{
        context::Context,
        events::Event,
        seat_state::SeatState,
        state::{CurrentWait, State},
        work_error::WorkError,
    },
    turn::{
        answers, ending,
        overdue::{self, DeadlineOutcome},
        phases, rolling, sealing,
        work::Work,
    },
};

/// Returns true if a wait is over by the clock.
#[must_use]
pub fn is_due(context: &Context, state: &State, now: Timestamp) -> bool {
    let held = state.on_hold && !matches!(state.waiting, CurrentWait::Disclosure { .. });
    if held {
        return false;
    }
    // The moment of the dispatches waits for nobody: waiting would reveal who is asked.
    if state.dispatch_is_due(now) {
        return true;
    }
    if overdue::clock_waits(context, state) {
        return false;
    }
    match &state.waiting {
        CurrentWait::Orders {
            deadline, progress, ..
        } => {
            let by_clock = deadline.is_some() || progress.last_mail.is_some();
            by_clock && sealing::may_close(context, state, now)
        }
        CurrentWait::Answers { deadline, .. } => {
            deadline.is_some() && context.settings.schedule.is_due(*deadline, false, now)
        }
        CurrentWait::Dice {
            witnesses,
            deadline,
            ..
        } => !witnesses.is_empty() && deadline.is_some_and(|at| now >= at),
        CurrentWait::Disclosure { at } => now >= *at,
        CurrentWait::Dispatch { .. } | CurrentWait::Repair { .. } | CurrentWait::Nothing => false,
    }
}

/// When something is next due by the clock, if nothing comes before: the end of a wait, or a
/// reminder.
#[must_use]
pub fn due_at(context: &Context, state: &State) -> Option<Timestamp> {
    let due = |at: &Timestamp| due_event(context, state, *at).is_some();
    moments(context, state).into_iter().find(due)
}

/// When something may become due, or the turn of a bot that stands in; sorted.
#[must_use]
pub fn moments(context: &Context, state: &State) -> Vec<Timestamp> {
    let at = match &state.waiting {
        CurrentWait::Disclosure { at } => Some(*at),
        _ => state.deadline(),
    };
    let schedule = &context.settings.schedule;
    let settled = match &state.waiting {
        CurrentWait::Orders { progress, .. } => progress.last_mail,
        _ => None,
    };
    let ends = [
        Some(state.time),
        at,
        at.and_then(|at| schedule.end_of_grace(at)),
        settled.and_then(|mail| schedule.settled_at(mail)),
        overdue::next_reminder(context, state),
    ];
    // From when on nobody waits for somebody who is away, or a bot plays for him.
    let away = |seat: &SeatState| Some(seat.attendance.absence.as_ref()?.from);
    let absences = state.seats.values().filter_map(away);
    let mut moments: Vec<Timestamp> = ends.into_iter().flatten().chain(absences).collect();
    moments.sort_unstable();
    moments
}

/// The event that is due by the clock, if any.
#[must_use]
pub fn due_event(context: &Context, state: &State, now: Timestamp) -> Option<Event> {
    if is_due(context, state, now) {
        return Some(Event::Deadline);
    }
    overdue::reminder_due(context, state, now).map(|_| Event::Reminder)
}

/// Ends a wait whose deadline has passed, with whatever is in.
pub(crate) fn deadline(work: &mut Work<'_>) -> Result<(), WorkError> {
    if work.state.dispatch_is_due(work.state.time) {
        return dispatch_now(work);
    }
    match work.state.waiting.clone() {
        CurrentWait::Orders { .. } => match overdue::missed(work)? {
            DeadlineOutcome::Closes => sealing::close_orders(work),
            DeadlineOutcome::GoesOn => Ok(()),
        },
        CurrentWait::Answers { .. } => answers::end_wait(work),
        CurrentWait::Dice { .. } => rolling::witnesses_are_late(work),
        CurrentWait::Disclosure { .. } => {
            ending::disclose(work);
            Ok(())
        }
        CurrentWait::Dispatch { .. } | CurrentWait::Repair { .. } | CurrentWait::Nothing => Ok(()),
    }
}

/// Sends the dispatches at their moment: open questions are decided by their defaults, and
/// everybody is told the outcome.
fn dispatch_now(work: &mut Work<'_>) -> Result<(), WorkError> {
    if matches!(work.state.waiting, CurrentWait::Answers { .. }) {
        answers::end_wait(work)?;
    }
    if !matches!(work.state.waiting, CurrentWait::Dispatch { .. }) {
        // A script has failed.
        return Ok(());
    }
    work.state.dispatch_at = None;
    phases::run_on(work)
}
