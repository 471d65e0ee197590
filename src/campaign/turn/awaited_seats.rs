//! The seats that a wait is for: whose orders or answers have not come.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::{
    campaign::model::state::{CurrentWait, State},
    ids::SeatId,
    rules::Question,
    value::Fields,
};

/// The seats that the present wait is for.
pub(crate) fn awaited(state: &State) -> Vec<SeatId> {
    match &state.waiting {
        CurrentWait::Orders { .. } => missing(state),
        _ => silent(state),
    }
}

/// The awaited seats whose orders have not come, or not without a fault.
pub(crate) fn missing(state: &State) -> Vec<SeatId> {
    missing_at(state, state.time)
}

/// The seats whose orders are missing at a moment: nobody waits for a player who is away and lets
/// standing orders act.
pub(crate) fn missing_at(state: &State, at: Timestamp) -> Vec<SeatId> {
    of_wait(state, |state, seat| {
        let entry = state.seats.get(seat);
        !entry.is_some_and(|entry| entry.ready || entry.attendance.is_excused(at))
    })
}

/// The awaited seats that have sent nothing, or still owe an answer.
pub(crate) fn silent(state: &State) -> Vec<SeatId> {
    if let CurrentWait::Answers {
        questions, answers, ..
    } = &state.waiting
    {
        return without_answer(questions, answers);
    }
    of_wait(state, |state, seat| {
        state.seats.get(seat).is_none_or(|seat| seat.is_silent())
    })
}

/// The seats that have been asked and have not answered, each once.
pub(crate) fn without_answer(questions: &[Question], answers: &[Option<Fields>]) -> Vec<SeatId> {
    let open = questions.iter().zip(answers);
    let open = open.filter(|(_, answer)| answer.is_none());
    let seats: BTreeSet<&SeatId> = open.map(|(asked, _)| &asked.seat).collect();
    seats.into_iter().cloned().collect()
}

fn of_wait(state: &State, wanted: impl Fn(&State, &SeatId) -> bool) -> Vec<SeatId> {
    match &state.waiting {
        CurrentWait::Orders { seats, .. } => {
            let seats = seats.iter().filter(|seat| wanted(state, seat));
            seats.cloned().collect()
        }
        _ => Vec::new(),
    }
}
