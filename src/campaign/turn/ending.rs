//! The end of a campaign: by its rules, or at once by an order that a seat may send at any time.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::{
    campaign::{
        model::{
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{plan::EntryPlan, plan::SeatLetter, planning, publishing, running, value::Turn},
    },
    dice::End,
    rules::Outcome,
};

/// How long a campaign's secrets stay closed after its end, so that all receipts are on the table
/// before (dice.md, section 8).
pub const DISCLOSURE: SignedDuration = SignedDuration::from_hours(14 * 24);

/// Runs a phase that ends the campaign, whatever it waits for. A sealed envelope is rolled first:
/// without its values nobody could check it.
pub(crate) fn at_once(turn: &mut Turn<'_>, phase: String) -> Result<(), WorkError> {
    if matches!(turn.state.missing(), CurrentWait::Dice { .. }) {
        turn.state.at_once = Some(phase);
        return Ok(());
    }
    end_now(turn, phase)
}

/// Runs a phase that ends the campaign, from the present position. As in a rollback, the half-done
/// work of a waiting phase is dropped, and dice that somebody has seen are kept.
pub(crate) fn end_now(turn: &mut Turn<'_>, phase: String) -> Result<(), WorkError> {
    let before = turn.state.clone();
    let rolled = std::mem::take(&mut turn.state.dice.so_far);
    turn.state.dice.earlier.clear();
    let decisions = Arc::make_mut(&mut turn.state.decisions);
    decisions.rounds.clear();
    decisions.orders.clear();
    (turn.state.shown, turn.state.dispatch_at) = (None, None);
    (turn.state.waiting, turn.state.on_hold) = (CurrentWait::Nothing, false);
    turn.state.phase = phase;
    let error = match running::run_phase(turn.context, &mut turn.state).0 {
        Ok(Outcome::Done(resolved)) if resolved.world.ended.is_some() => {
            running::keep_rolled(turn, rolled);
            running::phase_over(turn, *resolved, Vec::new());
            return finish(turn);
        }
        Ok(_) => format!(
            "the phase {}, which an order runs at once, does not end the campaign",
            turn.state.phase
        ),
        Err(error) if error.of_machine => return Err(error.into()),
        Err(error) => error.to_string(),
    };
    turn.state = before;
    running::stop(turn, &error, true);
    Ok(())
}

/// Ends the campaign: sends the last dispatches, and sets the day when the master is published.
pub(crate) fn finish(turn: &mut Turn<'_>) -> Result<(), WorkError> {
    if turn.state.dispatch_at.is_some() {
        turn.state.waiting = CurrentWait::Dispatch {
            known: turn.state.known_deadline(),
        };
        return Ok(());
    }
    turn.state.waiting = CurrentWait::Disclosure {
        at: disclosed_at(&turn.state),
    };
    turn.state.shown = None;
    publishing::publish(turn, None)
}

fn disclosed_at(state: &State) -> jiff::Timestamp {
    state.time.checked_add(DISCLOSURE).unwrap_or(state.time)
}

/// Publishes the master, so that everybody can check every die.
pub(crate) fn disclose(turn: &mut Turn<'_>) {
    let context = turn.context;
    turn.state.waiting = CurrentWait::Nothing;
    let mut masters = vec![None; context.eras.lost()];
    masters.push(context.eras.master.clone());
    planning::enter(turn, EntryPlan::End(End { masters }));
    planning::send_to_all(turn, || SeatLetter::Disclosure);
}
