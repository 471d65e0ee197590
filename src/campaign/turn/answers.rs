//! The answers to the questions of a phase. In quiet, the phase goes on with them at once. In
//! public, they are sealed into the next envelope; the phase is run again from its start, and uses
//! that envelope after the answers (dice.md, section 9).

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    campaign::{
        model::{
            state::{CurrentWait, ShownState, State},
            understanding::{GivenAnswer, Understanding},
            work_error::WorkError,
        },
        turn::{asking, attendance, awaited_seats, phases, rolling, sealing, work::Work},
    },
    ids::SeatId,
    rules::{Question, QuestionRound},
    value::Fields,
};

/// Takes the answers of a seat; when all questions are answered, the phase goes on.
pub(crate) fn answer(
    work: &mut Work<'_>,
    seat: &SeatId,
    understood: &Understanding,
) -> Result<(), WorkError> {
    let context = work.context;
    let given = understood.answers(&context.game);
    let CurrentWait::Answers {
        questions,
        answers,
        refused,
        ..
    } = &mut work.state.waiting
    else {
        return Ok(());
    };
    let own = questions
        .iter()
        .enumerate()
        .filter(|(_, asked)| asked.seat == *seat);
    for (number, (index, _)) in own.enumerate() {
        let (Some(answer), Some(slot)) = (given.get(&(number + 1)), answers.get_mut(index)) else {
            continue;
        };
        match answer {
            GivenAnswer::Accepted(answer) => {
                refused.remove(&index);
                *slot = Some(answer.clone());
            }
            GivenAnswer::Refused(answer) if slot.is_none() => {
                refused.insert(index, answer.clone());
            }
            // What was taken stands.
            GivenAnswer::Refused(_) => {}
        }
    }
    go_on_if_answered(work)
}

/// Lets the phase go on if all questions are answered and the campaign is not on hold.
pub(crate) fn go_on_if_answered(work: &mut Work<'_>) -> Result<(), WorkError> {
    match &work.state.waiting {
        CurrentWait::Answers { answers, .. } if answers.iter().all(Option::is_some) => {}
        _ => return Ok(()),
    }
    if work.state.on_hold {
        return Ok(());
    }
    end_wait(work)
}

/// Lets the phase go on with the answers that have come.
pub(crate) fn end_wait(work: &mut Work<'_>) -> Result<(), WorkError> {
    let CurrentWait::Answers {
        questions,
        answers,
        refused,
        public,
        ..
    } = &work.state.waiting
    else {
        return Ok(());
    };
    let (questions, mut answers, public) = (questions.clone(), answers.clone(), *public);
    for (index, answer) in refused {
        if let Some(slot) = answers.get_mut(*index) {
            *slot = Some(answer.clone());
        }
    }
    let silent = awaited_seats::without_answer(&questions, &answers);
    let asked = asking::seats_of(&questions);
    attendance::count_kept(work, asked.iter().filter(|seat| !silent.contains(seat)));
    if public {
        return close_answers(work, questions, answers);
    }
    let decisions = Arc::make_mut(&mut work.state.decisions);
    decisions.rounds.push(QuestionRound { questions, answers });
    phases::run_on(work)
}

/// Seals the answers of a public wait once they are in or its time is over; the phase goes on as
/// soon as the dice of their envelope are ready.
fn close_answers(
    work: &mut Work<'_>,
    questions: Vec<Question>,
    answers: Vec<Option<Fields>>,
) -> Result<(), WorkError> {
    let asked_in = in_the_wait(&work.state);
    sealing::seal(work)?;
    let (world, phase, decisions) = match work.state.shown.take() {
        Some(before) => (before.world, before.phase, before.decisions),
        None => (
            work.state.world.clone(),
            work.state.phase.clone(),
            work.state.decisions.clone(),
        ),
    };
    work.state.shown = Some(Box::new(ShownState {
        world,
        phase,
        decisions,
        wanted: String::new(),
        seats: asking::seats_of(&questions),
        invited: Vec::new(),
        told: false,
        aware: BTreeSet::new(),
        questions: questions.clone(),
        asked_in: Some(Box::new(asked_in)),
    }));
    let decisions = Arc::make_mut(&mut work.state.decisions);
    decisions.rounds.push(QuestionRound { questions, answers });
    rolling::await_values(work)
}

/// The state in a public wait, without the one from the wait before it, which nobody is told of any
/// more.
fn in_the_wait(state: &State) -> State {
    let mut kept = state.clone();
    if let Some(shown) = &mut kept.shown {
        shown.asked_in = None;
    }
    kept
}
