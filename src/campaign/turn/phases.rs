//! From sealed orders to the next wait: phases run one after the other until players are needed.

use std::{rc::Rc, sync::Arc};

use crate::{
    campaign::{
        model::{
            context::Context,
            leeway::WaitProgress,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{asking, ending, publishing, receipts, running, value::Turn},
    },
    dice::LedgerLine,
    rules::{Outcome, QuestionRound, Suspension, Wait},
};

/// The most phases in a row without a wait: a script with more runs in circles.
const MAX_PHASES: usize = 1000;

/// Runs phases until players are needed.
pub(crate) fn run_on(turn: &mut Turn<'_>) -> Result<(), WorkError> {
    let context = turn.context;
    if let Some(phase) = turn.state.at_once.take() {
        return ending::end_now(turn, phase);
    }
    for _ in 0..MAX_PHASES {
        if turn.state.world.ended.is_some() {
            return ending::finish(turn);
        }
        let (outcome, rolled) = running::run_phase(context, &mut turn.state);
        match outcome {
            Ok(Outcome::Done(resolved)) => {
                // The rolls from before a public wait are there already.
                let rolled = turn.state.dice.of_this_envelope(&rolled);
                turn.ledger.extend(rolled.iter().cloned());
                let phase = turn.state.phase.clone();
                running::phase_over(turn, *resolved, rolled);
                if let Some(watch) = &context.watch {
                    watch.phase_over(&phase, &turn.state);
                }
            }
            Ok(Outcome::Waiting(suspended)) if is_too_late(context, &turn.state, &suspended) => {
                turn.state.dice.so_far = rolled;
                let decisions = Arc::make_mut(&mut turn.state.decisions);
                decisions.rounds.push(unanswered(suspended.wait));
            }
            Ok(Outcome::Waiting(suspended)) => {
                if let Some(watch) = &context.watch {
                    watch.suspended(&turn.state, &suspended);
                }
                return suspend(turn, Rc::new(*suspended), rolled);
            }
            Err(error) if error.of_machine => return Err(error.into()),
            Err(error) => {
                running::stop(turn, &error.to_string(), false);
                return Ok(());
            }
        }
    }
    let error = format!(
        "{MAX_PHASES} phases followed each other without a wait; the last was {}",
        turn.state.phase
    );
    running::stop(turn, &error, false);
    Ok(())
}

fn suspend(
    turn: &mut Turn<'_>,
    suspended: Rc<Suspension>,
    rolled: Vec<LedgerLine>,
) -> Result<(), WorkError> {
    let context = turn.context;
    let deadline = context.settings.schedule.next_deadline(turn.state.time);
    let in_quiet = asking::asks_in_quiet(context, &suspended.wait);
    turn.state.dice.so_far = rolled;
    if turn.state.dispatch_at.is_some() && !in_quiet {
        turn.state.waiting = CurrentWait::Dispatch {
            known: turn.state.known_deadline(),
        };
        return Ok(());
    }
    match &suspended.wait {
        Wait::Orders { seats, phase } => {
            let told = turn.state.begin_to_collect();
            turn.state.waiting = CurrentWait::Orders {
                seats: seats.clone(),
                phase: phase.clone(),
                deadline,
                progress: WaitProgress::beginning(
                    context.settings.schedule.leeway(),
                    turn.state.time,
                ),
            };
            if let Some(point) = turn.state.checkpoint() {
                turn.state.checkpoints.keep(point);
            }
            publishing::publish(turn, None)?;
            if told {
                return Ok(());
            }
            receipts::receipts_of_carried(turn)
        }
        Wait::Questions { questions } => {
            let known = if in_quiet {
                turn.state.known_deadline()
            } else {
                deadline
            };
            turn.state.waiting = CurrentWait::Answers {
                questions: questions.clone(),
                answers: vec![None; questions.len()],
                deadline: asking::deadline_of_answers(context, &turn.state, !in_quiet),
                known,
                public: !in_quiet,
                progress: WaitProgress::beginning(
                    context.settings.schedule.leeway(),
                    turn.state.time,
                ),
            };
            if in_quiet {
                asking::ask_in_quiet(turn, &suspended);
            } else {
                asking::ask_in_public(turn, &suspended);
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
