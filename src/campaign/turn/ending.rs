//! The end of a campaign: by its rules, or at once by an order that a seat may send at any time.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::{
    campaign::{
        model::{
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{plan::EntryPlan, plan::SeatLetter, planning, publishing, running, work::Work},
    },
    dice::End,
    rules::Outcome,
};

/// The time that a campaign's secrets stay closed after its end, so that all receipts are on the
/// table first (dice.md, section 8).
pub const DISCLOSURE: SignedDuration = SignedDuration::from_hours(14 * 24);

/// Runs a phase that ends the campaign, whatever it waits for. A sealed envelope is rolled first:
/// without its values nobody could check it.
pub(crate) fn at_once(work: &mut Work<'_>, phase: String) -> Result<(), WorkError> {
    if matches!(work.state.missing(), CurrentWait::Dice { .. }) {
        work.state.at_once = Some(phase);
        return Ok(());
    }
    end_now(work, phase)
}

/// Runs a phase that ends the campaign, from the present position. As in a rollback, the half-done
/// work of a waiting phase is dropped, and dice that somebody has seen are kept.
pub(crate) fn end_now(work: &mut Work<'_>, phase: String) -> Result<(), WorkError> {
    let before = work.state.clone();
    let rolled = std::mem::take(&mut work.state.dice.so_far);
    work.state.dice.earlier.clear();
    let decisions = Arc::make_mut(&mut work.state.decisions);
    decisions.rounds.clear();
    decisions.orders.clear();
    (work.state.shown, work.state.dispatch_at) = (None, None);
    (work.state.waiting, work.state.on_hold) = (CurrentWait::Nothing, false);
    work.state.phase = phase;
    let error = match running::run_phase(work.context, &mut work.state).0 {
        Ok(Outcome::Done(resolved)) if resolved.world.ended.is_some() => {
            running::keep_rolled(work, rolled);
            running::phase_over(work, *resolved, Vec::new());
            return finish(work);
        }
        Ok(_) => format!(
            "the phase {}, which an order runs at once, does not end the campaign",
            work.state.phase
        ),
        Err(error) if error.of_machine => return Err(error.into()),
        Err(error) => error.to_string(),
    };
    work.state = before;
    running::stop(work, &error, true);
    Ok(())
}

/// Ends the campaign: sends the last dispatches, and sets the day when the master is published.
pub(crate) fn finish(work: &mut Work<'_>) -> Result<(), WorkError> {
    if work.state.dispatch_at.is_some() {
        work.state.waiting = CurrentWait::Dispatch {
            known: work.state.known_deadline(),
        };
        return Ok(());
    }
    work.state.waiting = CurrentWait::Disclosure {
        at: disclosed_at(&work.state),
    };
    work.state.shown = None;
    publishing::publish(work, None)
}

fn disclosed_at(state: &State) -> jiff::Timestamp {
    state.time.checked_add(DISCLOSURE).unwrap_or(state.time)
}

/// Publishes the master, so that everybody can check every die.
pub(crate) fn disclose(work: &mut Work<'_>) {
    let context = work.context;
    work.state.waiting = CurrentWait::Nothing;
    let mut masters = vec![None; context.eras.lost()];
    masters.push(context.eras.master.clone());
    planning::enter(work, EntryPlan::End(End { masters }));
    planning::send_to_all(work, || SeatLetter::Disclosure);
}
