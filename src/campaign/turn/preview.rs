//! What the present wait would come to if it ended now. Nothing of it is kept.

use crate::campaign::{
    model::{
        context::Context,
        state::{CurrentWait, State},
        verdicts::Verdicts,
        work_error::WorkError,
    },
    turn::{
        answers, phases, rolling, sealing,
        work::{Work, WorkOutcome},
    },
};

/// Returns true if the dice of the present wait have not been mixed: a preview throws others.
#[must_use]
pub fn throws_other_dice(state: &State) -> bool {
    matches!(
        state.waiting,
        CurrentWait::Orders { .. } | CurrentWait::Dice { .. }
    )
}

/// Ends the present wait with what is in, in a context that waits for no value of the dice. A
/// campaign on hold is resolved too.
///
/// # Errors
/// See [`WorkError`].
pub(crate) fn resolve(context: &Context, state: State) -> Result<(State, WorkOutcome), WorkError> {
    let mut work = Work::new(context, state, Verdicts::default());
    match work.state.waiting.clone() {
        CurrentWait::Orders { .. } => sealing::close_orders(&mut work)?,
        CurrentWait::Answers { .. } => answers::end_wait(&mut work)?,
        CurrentWait::Dice { .. } => rolling::roll_if_complete(&mut work)?,
        CurrentWait::Dispatch { .. }
        | CurrentWait::Repair { .. }
        | CurrentWait::Disclosure { .. }
        | CurrentWait::Nothing => {}
    }
    if matches!(work.state.waiting, CurrentWait::Dispatch { .. }) {
        // Nothing more can come of it before the dispatches go out.
        work.state.dispatch_at = None;
        phases::run_on(&mut work)?;
    }
    Ok(work.finish())
}
