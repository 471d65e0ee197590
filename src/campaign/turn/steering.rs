//! The umpire's hand on the clock, and his word: a campaign goes on after a hold, a deadline is
//! extended, a letter is written.
//!
//! What players learn of a wait must not depend on questions that only the asked know of. So the
//! notes of a hold and of its end go out with the next entries of the register, whenever those
//! come, and never with a letter of their own; and only the asked are told of an extension of a
//! quiet wait.

use jiff::Timestamp;

use crate::{
    campaign::{
        model::{
            ruling_error::RulingError,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{
            answers, asking, attendance, holding::tell, plan::SeatLetter, planning, sealing,
            work::Work,
        },
    },
    dice::Note,
    ids::SeatId,
};

/// Checks that a ruling at time `at` can move the deadline to this time.
pub(crate) fn may_extend(
    state: &State,
    until: Timestamp,
    at: Timestamp,
) -> Result<(), RulingError> {
    let Some(deadline) = state.deadline() else {
        return Err(RulingError::NoDeadline);
    };
    // An extension is noted before the deadline passes (dice.md, section 9).
    if at > deadline {
        return Err(RulingError::Passed(deadline));
    }
    if until <= deadline {
        return Err(RulingError::NoExtension(deadline));
    }
    let dispatch = state.dispatch_at.filter(|_| state.waits_in_quiet());
    if let Some(at) = dispatch.filter(|at| until > *at) {
        return Err(RulingError::AfterDispatch(at));
    }
    Ok(())
}

/// Starts the clock again: players have at least the time that a new wait would give them.
pub(crate) fn go_on(work: &mut Work<'_>, why: &str) -> Result<(), WorkError> {
    let context = work.context;
    work.state.on_hold = false;
    let anew = context.settings.schedule.next_deadline(work.state.time);
    let later = |deadline: &mut Option<Timestamp>, anew: Option<Timestamp>| {
        *deadline = deadline.and(anew.max(*deadline));
    };
    let dispatch_at = context.settings.schedule.dispatch_at(work.state.time);
    later(&mut work.state.dispatch_at, dispatch_at);
    let for_answers =
        asking::deadline_of_answers(context, &work.state, !work.state.waits_in_quiet());
    match &mut work.state.waiting {
        CurrentWait::Orders {
            deadline, progress, ..
        } => {
            later(deadline, anew);
            progress.begin_anew(work.state.time);
        }
        CurrentWait::Answers {
            deadline,
            known,
            progress,
            ..
        } => {
            progress.begin_anew(work.state.time);
            later(deadline, for_answers);
            later(known, anew);
        }
        CurrentWait::Dispatch { known } => later(known, anew),
        _ => {}
    }
    attendance::move_deadline(work);
    planning::note(work, Note::new(&format!("the campaign goes on: {why}"))?);
    let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
    tell(work, &seats, "resume", why);
    sealing::close_if_ready(work)?;
    answers::go_on_if_answered(work)
}

/// Moves the deadline of the present wait.
pub(crate) fn extend(work: &mut Work<'_>, until: Timestamp, why: &str) -> Result<(), WorkError> {
    let context = work.context;
    let before = work.state.deadline();
    let asked = match &mut work.state.waiting {
        CurrentWait::Answers {
            questions,
            deadline,
            public,
            known,
            progress,
            ..
        } => {
            *deadline = Some(until);
            progress.begin_anew(work.state.time);
            if *public {
                *known = Some(until);
            }
            (!*public).then(|| questions.iter().map(|asked| asked.seat.clone()).collect())
        }
        CurrentWait::Orders {
            deadline, progress, ..
        } => {
            *deadline = Some(until);
            progress.begin_anew(work.state.time);
            None
        }
        CurrentWait::Dice { deadline, .. } => {
            *deadline = Some(until);
            None
        }
        _ => None,
    };
    if let Some(asked) = asked {
        let asked: Vec<SeatId> = asked;
        let seats = context.settings.seats.ids();
        let seats: Vec<SeatId> = seats.filter(|seat| asked.contains(seat)).cloned().collect();
        tell(work, &seats, "extend", why);
        return Ok(());
    }
    let before = before.map_or_else(String::new, |at| format!(" from {at}"));
    let text = format!("the deadline is extended{before} to {until}: {why}");
    planning::note(work, Note::new(&text)?);
    planning::send_to_all(work, || SeatLetter::UmpiresWord {
        what: "extend",
        words: why.to_owned(),
    });
    Ok(())
}

/// Sends seats a letter from the umpire. Only the journal records it.
pub(crate) fn say_to(work: &mut Work<'_>, to: &[SeatId], words: &str) {
    let context = work.context;
    let seats = context.settings.seats.ids();
    let named = seats.filter(|seat| to.is_empty() || to.contains(seat));
    let seats: Vec<SeatId> = named.cloned().collect();
    tell(work, &seats, "say", words);
}
