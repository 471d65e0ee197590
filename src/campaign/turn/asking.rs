//! Asks questions in the middle of a phase: quietly, or in public (dice.md, section 9).

use std::{collections::BTreeSet, rc::Rc};

use jiff::Timestamp;

use crate::{
    campaign::{
        model::{
            context::Context,
            state::{CurrentWait, EarlierEnvelope, State},
        },
        turn::{
            plan::{Circular, SeatLetter},
            planning, publishing,
            work::Work,
        },
    },
    ids::SeatId,
    rules::{Question, Suspension, Wait},
};

/// Returns true if everybody may know of these questions.
fn are_public(context: &Context, questions: &[Question]) -> bool {
    let mut topics = questions.iter().map(|asked| &asked.topic);
    !questions.is_empty() && topics.all(|topic| context.game.decl.is_public(topic))
}

/// Returns true if a wait is for answers to questions that only the asked may know of.
pub(crate) fn asks_in_quiet(context: &Context, wait: &Wait) -> bool {
    matches!(wait, Wait::Questions { questions } if !are_public(context, questions))
}

/// The deadline that questions would get now: in a quiet wait, never after the moment of the
/// dispatches.
pub(crate) fn deadline_of_answers(
    context: &Context,
    state: &State,
    public: bool,
) -> Option<Timestamp> {
    let deadline = context.settings.schedule.next_deadline(state.time);
    let dispatch = state.dispatch_at.filter(|_| !public);
    deadline.into_iter().chain(dispatch).min()
}

/// Sends each asked seat its questions, with what it has seen so far.
pub(crate) fn ask_in_quiet(work: &mut Work<'_>, suspended: &Rc<Suspension>) {
    let context = work.context;
    let CurrentWait::Answers { questions, .. } = &work.state.waiting else {
        return;
    };
    let asked: BTreeSet<SeatId> = questions.iter().map(|asked| asked.seat.clone()).collect();
    for seat in context.settings.seats.ids() {
        if asked.contains(seat) {
            question_counts(work, seat);
            planning::send(work, seat, SeatLetter::Questions(Rc::clone(suspended)));
        }
    }
    if let Some(shown) = &mut work.state.shown {
        shown.aware.extend(asked);
    }
}

/// Counts a letter with questions for its seat: one fewer left in the turn, and a new token.
fn question_counts(work: &mut Work<'_>, seat: &SeatId) {
    let (now, playing) = (work.state.time, work.state.world.turn());
    if let Some(entry) = work.state.seats.get_mut(seat) {
        let used = match entry.questions {
            (of, used) if of == playing => used,
            _ => 0,
        };
        entry.questions = (playing, used + 1);
        entry.renew_token(now);
    }
}

/// Puts questions in public. Each seat gets the dice entry that closes the envelope, without its
/// key, since the phase is half done. The seats that are asked get their questions with it; the
/// others learn who is asked.
pub(crate) fn ask_in_public(work: &mut Work<'_>, suspended: &Rc<Suspension>) {
    let context = work.context;
    leave_envelope(work);
    let questions = work.state.asked_in_public().unwrap_or_default();
    let asked: Rc<[SeatId]> = seats_of(questions).into();
    for seat in context.settings.seats.ids() {
        if asked.contains(seat) {
            question_counts(work, seat);
        }
    }
    let state = work.now();
    let passed_over = publishing::not_told_who_is_asked(context, &state, &asked);
    let seats = context.settings.seats.ids();
    let seats = seats.filter(|seat| !passed_over.contains(seat));
    let letters = seats.filter_map(|seat| {
        let about = match asked.contains(seat) {
            true => SeatLetter::Questions(Rc::clone(suspended)),
            false => SeatLetter::QuestionsToOthers(Rc::clone(&asked)),
        };
        planning::to_seat(work, seat, &state, about)
    });
    let letters = letters.collect();
    let circular = Circular {
        passed_over: passed_over.clone(),
        ..Circular::of(letters)
    };
    publishing::send_with_dice(work, &state, circular, true);
    work.state.tell_of_the_seal();
}

/// Leaves the envelope in use because the phase has come to a public wait: nothing more is rolled
/// in it, and the rolls so far are final. Before the first seal there is no envelope.
fn leave_envelope(work: &mut Work<'_>) {
    let dice = &mut work.state.dice;
    dice.earlier.push(EarlierEnvelope {
        envelope: dice.envelope,
        mix: dice.mix.clone(),
        rolled: dice.rolled.clone(),
        round: work.state.decisions.rounds.len(),
    });
    let rolled = dice.of_this_envelope(&dice.so_far);
    work.ledger.extend(rolled.iter().cloned());
    dice.rolled.extend(rolled);
}

/// The asked seats, each once, in the order of the questions.
pub(crate) fn seats_of(questions: &[Question]) -> Vec<SeatId> {
    let mut seats: Vec<SeatId> = Vec::new();
    for asked in questions {
        if !seats.contains(&asked.seat) {
            seats.push(asked.seat.clone());
        }
    }
    seats
}
