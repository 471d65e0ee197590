//! Orders and answers that do not come: reminders before a deadline, and what follows when a
//! deadline for orders has passed.
//!
//! A reminder speaks only of the reader's own silence. When a deadline has passed and the wait goes
//! on, everybody is told, without names: they would notice anyhow that no dispatch came.

use jiff::{SignedDuration, Timestamp};

use crate::{
    campaign::{
        model::{
            concerns::BouncePolicy,
            context::Context,
            leeway::MissedRule,
            players,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{
            attendance,
            awaited_seats::{awaited, missing, silent, without_answer},
            holding,
            plan::{SeatLetter, UmpireLetter},
            planning,
            work::Work,
        },
    },
    ids::SeatId,
};

/// Why a campaign whose orders are missing is on hold, in the note.
const HELD_FOR_ORDERS: &str = "orders are missing at the deadline";

/// What happens when the clock ends a wait for orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeadlineOutcome {
    /// Orders close with those that have come.
    Closes,
    /// Orders stay open for now.
    GoesOn,
}

/// The reminders of the present wait that may still go out, with their moments: none from before
/// the wait began, and none that a later one has overtaken.
fn reminders<'a>(
    context: &'a Context,
    state: &'a State,
) -> impl Iterator<Item = (u32, Timestamp)> + 'a {
    let wait = match &state.waiting {
        CurrentWait::Orders {
            deadline: Some(deadline),
            progress,
            ..
        }
        | CurrentWait::Answers {
            deadline: Some(deadline),
            progress,
            ..
        } => (progress.since).map(|since| (*deadline, since, progress.reminded)),
        _ => None,
    };
    wait.into_iter().flat_map(move |(deadline, since, last)| {
        let hours = context.settings.schedule.leeway().remind.iter().copied();
        hours.filter_map(move |hours| {
            let at = deadline.checked_sub(SignedDuration::from_hours(hours.into()));
            let at = at.ok().filter(|at| *at > since)?;
            last.is_none_or(|last| hours < last).then_some((hours, at))
        })
    })
}

/// When the next reminder is due.
pub(crate) fn next_reminder(context: &Context, state: &State) -> Option<Timestamp> {
    reminders(context, state).map(|(_, at)| at).min()
}

/// The hours of the reminder that is due now; none if none is, or nobody is to be reminded.
pub(crate) fn reminder_due(context: &Context, state: &State, now: Timestamp) -> Option<u32> {
    let stands = state.on_hold || clock_waits(context, state);
    if stands || state.deadline().is_none_or(|deadline| now >= deadline) {
        return None;
    }
    let due = reminders(context, state).filter(|(_, at)| now >= *at);
    let hours = due.map(|(hours, _)| hours).min()?;
    (!reminded(context, state).is_empty()).then_some(hours)
}

/// The seats that a person plays and that are still waited for, because nothing has come from them
/// or not all of it was understood: a bot reads no reminder, nor does somebody who is away.
fn reminded(context: &Context, state: &State) -> Vec<SeatId> {
    let mut seats = awaited(state);
    let is_away = |seat: &SeatId| {
        let entry = state.seats.get(seat);
        entry.is_some_and(|entry| entry.attendance.away(state.time).is_some())
    };
    seats.retain(|seat| {
        let player = players::player(context, state, seat);
        player.is_some_and(|player| player.address.bot().is_none()) && !is_away(seat)
    });
    seats
}

/// Reminds the seats that are still waited for.
pub(crate) fn remind(work: &mut Work<'_>) {
    let hours = reminder_due(work.context, &work.state, work.state.time);
    let seats = reminded(work.context, &work.state);
    if let CurrentWait::Orders { progress, .. } | CurrentWait::Answers { progress, .. } =
        &mut work.state.waiting
    {
        progress.reminded = hours.or(progress.reminded);
    }
    for seat in seats {
        planning::send(work, &seat, SeatLetter::Reminder);
    }
}

/// Tells the seats concerned that orders are missing at the deadline, and decides what happens.
pub(crate) fn missed(work: &mut Work<'_>) -> Result<DeadlineOutcome, WorkError> {
    let context = work.context;
    let seats = missing(&work.state);
    let silent = silent(&work.state);
    let waits = &work.state.waiting;
    let goes_on = context
        .settings
        .schedule
        .leeway()
        .missed
        .is_some_and(|rule| {
            matches!(waits, CurrentWait::Orders { progress, .. }
            if progress.follows(rule) != MissedRule::StandingOrders)
        });
    if !goes_on {
        let late = silent.iter().filter(|seat| seats.contains(seat));
        let late: Vec<SeatId> = late.cloned().collect();
        attendance::count_missed(work, &late);
    }
    let Some(rule) = context.settings.schedule.leeway().missed else {
        return Ok(DeadlineOutcome::Closes);
    };
    let CurrentWait::Orders {
        deadline: Some(deadline),
        progress,
        ..
    } = &mut work.state.waiting
    else {
        return Ok(DeadlineOutcome::Closes);
    };
    if seats.is_empty() {
        return Ok(DeadlineOutcome::Closes);
    }
    let (passed, follows) = (*deadline, progress.follows(rule));
    if let MissedRule::Wait { hours } = follows {
        let span = SignedDuration::from_hours(hours.into());
        let until = work.state.time.checked_add(span);
        *deadline = until.unwrap_or(Timestamp::MAX);
        progress.overdue = true;
        progress.begin_anew(work.state.time);
    }
    for seat in &silent {
        if let Some(entry) = work.state.seats.get_mut(seat) {
            entry.missed = follows == MissedRule::StandingOrders;
        }
    }
    planning::notice(
        work,
        UmpireLetter::OrdersMissing {
            seats,
            silent,
            passed,
            follows,
        },
    );
    match follows {
        MissedRule::StandingOrders => return Ok(DeadlineOutcome::Closes),
        MissedRule::Wait { .. } => {
            let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
            for seat in seats {
                planning::send(work, &seat, SeatLetter::Overdue);
            }
        }
        MissedRule::Hold => holding::hold_for_orders(work, HELD_FOR_ORDERS)?,
    }
    Ok(DeadlineOutcome::GoesOn)
}

/// Returns true if the clock is stopped because an awaited seat can't be reached.
pub(crate) fn clock_waits(context: &Context, state: &State) -> bool {
    if context.settings.unreachable == BouncePolicy::GoOn {
        return false;
    }
    let missing = match &state.waiting {
        CurrentWait::Answers {
            questions, answers, ..
        } => without_answer(questions, answers),
        _ => missing(state),
    };
    let lost = |seat: &SeatId| {
        state
            .seats
            .get(seat)
            .is_some_and(|seat| seat.is_unreachable())
    };
    missing.iter().any(lost)
}
