//! From sealed orders to the next wait: phases run one after the other until players are needed.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use crate::{
    campaign::{
        model::{
            context::Context,
            leeway::WaitProgress,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{asking, attendance, ending, publishing, receipts, running, work::Work},
    },
    dice::LedgerLine,
    rules::{Outcome, QuestionRound, Suspension, Wait},
};

/// The most phases in a row without a wait: a script with more runs in circles.
const MAX_PHASES: usize = 1000;

/// Runs phases until players are needed.
pub(crate) fn run_on(work: &mut Work<'_>) -> Result<(), WorkError> {
    let context = work.context;
    if let Some(phase) = work.state.at_once.take() {
        return ending::end_now(work, phase);
    }
    for _ in 0..MAX_PHASES {
        if work.state.world.ended.is_some() {
            return ending::finish(work);
        }
        let (outcome, rolled) = running::run_phase(context, &mut work.state);
        match outcome {
            Ok(Outcome::Done(resolved)) => {
                // The rolls from before a public wait are there already.
                let rolled = work.state.dice.of_this_envelope(&rolled);
                work.ledger.extend(rolled.iter().cloned());
                let phase = work.state.phase.clone();
                running::phase_over(work, *resolved, rolled);
                if let Some(watch) = &context.watch {
                    watch.phase_over(&phase, &work.state);
                }
            }
            Ok(Outcome::Waiting(suspended)) if is_too_late(context, &work.state, &suspended) => {
                work.state.dice.so_far = rolled;
                let decisions = Arc::make_mut(&mut work.state.decisions);
                decisions.rounds.push(unanswered(suspended.wait));
            }
            Ok(Outcome::Waiting(suspended)) => {
                if let Some(watch) = &context.watch {
                    watch.suspended(&work.state, &suspended);
                }
                return suspend(work, Rc::new(*suspended), rolled);
            }
            Err(error) if error.of_machine => return Err(error.into()),
            Err(error) => {
                running::stop(work, &error.to_string(), false);
                return Ok(());
            }
        }
    }
    let error = format!(
        "{MAX_PHASES} phases followed each other without a wait; the last was {}",
        work.state.phase
    );
    running::stop(work, &error, false);
    Ok(())
}

fn suspend(
    work: &mut Work<'_>,
    suspended: Rc<Suspension>,
    rolled: Vec<LedgerLine>,
) -> Result<(), WorkError> {
    let context = work.context;
    let deadline = context.settings.schedule.next_deadline(work.state.time);
    let in_quiet = asking::asks_in_quiet(context, &suspended.wait);
    work.state.dice.so_far = rolled;
    if work.state.dispatch_at.is_some() && !in_quiet {
        work.state.waiting = CurrentWait::Dispatch {
            known: work.state.known_deadline(),
        };
        return Ok(());
    }
    match &suspended.wait {
        Wait::Orders {
            seats,
            invited,
            phase,
        } => {
            let told = work.state.begin_to_collect();
            work.state.waiting = CurrentWait::Orders {
                seats: seats.clone(),
                invited: invited.clone(),
                phase: phase.clone(),
                deadline,
                progress: WaitProgress::beginning(
                    context.settings.schedule.leeway(),
                    work.state.time,
                ),
            };
            // Letters name the deadline that comes of it.
            attendance::move_deadline(work);
            if let Some(point) = work.state.checkpoint() {
                work.state.checkpoints.keep(point);
            }
            publishing::publish(work, None)?;
            if told {
                return Ok(());
            }
            receipts::receipts_of_carried(work)
        }
        Wait::Questions { questions } => {
            let known = if in_quiet {
                work.state.known_deadline()
            } else {
                deadline
            };
            work.state.waiting = CurrentWait::Answers {
                questions: questions.clone(),
                answers: vec![None; questions.len()],
                refused: BTreeMap::new(),
                deadline: asking::deadline_of_answers(context, &work.state, !in_quiet),
                known,
                public: !in_quiet,
                progress: WaitProgress::beginning(
                    context.settings.schedule.leeway(),
                    work.state.time,
                ),
            };
            attendance::move_deadline(work);
            if in_quiet {
                asking::ask_in_quiet(work, &suspended);
            } else {
                asking::ask_in_public(work, &suspended);
            }
            Ok(())
        }
    }
}

/// Returns true if questions come up only when the moment of the dispatches has come: they must not
/// delay it.
fn is_too_late(context: &Context, state: &State, suspended: &Suspension) -> bool {
    let due = state.dispatch_at.is_some_and(|at| state.time >= at);
    due && asking::asks_in_quiet(context, &suspended.wait)
}

/// A round of questions that come too late to be asked.
fn unanswered(wait: Wait) -> QuestionRound {
    let questions = match wait {
        Wait::Questions { questions } => questions,
        Wait::Orders { .. } => Vec::new(),
    };
    QuestionRound {
        answers: vec![None; questions.len()],
        questions,
    }
}
