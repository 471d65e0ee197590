//! Questions in the middle of a phase of which everybody may know (dice.md, section 9). They close
//! the envelope in use with its open key held back; the answers are sealed into the next envelope,
//! and the phase, run again from its start, goes on with that one after them.

use std::{collections::BTreeSet, rc::Rc, sync::Arc};

use crate::{
    campaign::{
        model::{
            context::Context,
            state::{EarlierEnvelope, ShownState, State},
            work_error::WorkError,
        },
        turn::{plan::SeatLetter, planning, publishing, sealing, value::Turn, values},
    },
    dice::{Mix, SealedDice},
    ids::SeatId,
    rules::{Question, QuestionRound, Suspension},
};

/// Returns true if everybody may know of these questions.
pub(crate) fn are_public(context: &Context, questions: &[Question]) -> bool {
    let mut topics = questions.iter().map(|asked| &asked.topic);
    !questions.is_empty() && topics.all(|topic| context.game.decl.is_public(topic))
}

/// The dice of the phase in progress: those of the envelope in which it began, and after each
/// public wait those of the next one.
pub(crate) fn sealed_dice(context: &Context, state: &State) -> SealedDice {
    let dice = &state.dice;
    let mix = |text: &str| Mix::from_text(text);
    let chains = |envelope| Arc::clone(context.chains(envelope));
    let Some(first) = dice.earlier.first() else {
        let envelope = dice.envelope;
        return SealedDice::new(chains(envelope), envelope, mix(&dice.mix), dice.counters());
    };
    let after = dice.earlier.iter().skip(1);
    let after = after.map(|earlier| (earlier.envelope, earlier.mix.as_str()));
    let after = after.chain([(dice.envelope, dice.mix.as_str())]);
    let rounds = dice.earlier.iter().map(|earlier| earlier.round);
    let began = SealedDice::new(
        chains(first.envelope),
        first.envelope,
        mix(&first.mix),
        first.counters(),
    );
    rounds
        .zip(after)
        .fold(began, |sealed, (round, (envelope, text))| {
            sealed.changing_after(round, chains(envelope), envelope, mix(text))
        })
}

/// Puts questions in public. Each seat gets the dice entry that closes the envelope, with no key:
/// the phase is half done. Those who are asked get their questions with it, the others learn who is
/// asked.
pub(crate) fn ask_in_public(turn: &mut Turn<'_>, suspended: &Rc<Suspension>) {
    let context = turn.context;
    leave_envelope(turn);
    let questions = turn.state.asked_in_public().unwrap_or_default();
    let asked: Rc<[SeatId]> = seats_of(questions).into();
    for seat in context.settings.seats.ids() {
        if asked.contains(seat) {
            publishing::question_counts(turn, seat);
        }
    }
    let state = turn.now();
    let letters = context.settings.seats.ids().filter_map(|seat| {
        let about = match asked.contains(seat) {
            true => SeatLetter::Questions(Rc::clone(suspended)),
            false => SeatLetter::QuestionsToOthers(Rc::clone(&asked)),
        };
        planning::to_seat(turn, seat, &state, about)
    });
    let letters = letters.collect();
    publishing::send_with_dice(turn, &state, letters, true, Vec::new());
    turn.state.tell_of_the_seal();
}

/// The answers of a public wait are in, or its time is over: they are sealed, and the phase goes on
/// as soon as the dice of their envelope are ready.
pub(crate) fn close_answers(
    turn: &mut Turn<'_>,
    questions: Vec<Question>,
    answers: Vec<Option<crate::value::Fields>>,
) -> Result<(), WorkError> {
    let asked_in = in_the_wait(&turn.state);
    sealing::seal(turn)?;
    let (world, phase, decisions) = match turn.state.shown.take() {
        Some(before) => (before.world, before.phase, before.decisions),
        None => (
            turn.state.world.clone(),
            turn.state.phase.clone(),
            turn.state.decisions.clone(),
        ),
    };
    turn.state.shown = Some(Box::new(ShownState {
        world,
        phase,
        decisions,
        wanted: String::new(),
        seats: seats_of(&questions),
        told: false,
        aware: BTreeSet::new(),
        questions: questions.clone(),
        asked_in: Some(Box::new(asked_in)),
    }));
    let decisions = Arc::make_mut(&mut turn.state.decisions);
    decisions.rounds.push(QuestionRound { questions, answers });
    values::await_values(turn)
}

/// The state in a public wait, without that in the wait before it: nobody is told of that any more.
fn in_the_wait(state: &State) -> State {
    let mut kept = state.clone();
    if let Some(shown) = &mut kept.shown {
        shown.asked_in = None;
    }
    kept
}

/// The phase has come to a public wait: nothing more is rolled in the envelope in use, and what it
/// has rolled there is final. Before the first seal there is no envelope.
fn leave_envelope(turn: &mut Turn<'_>) {
    let dice = &mut turn.state.dice;
    dice.earlier.push(EarlierEnvelope {
        envelope: dice.envelope,
        mix: dice.mix.clone(),
        rolled: dice.rolled.clone(),
        round: turn.state.decisions.rounds.len(),
    });
    let rolled = dice.of_this_envelope(&dice.so_far);
    turn.ledger.extend(rolled.iter().cloned());
    dice.rolled.extend(rolled);
}

/// The seats that are asked, each once, in the order of the questions.
fn seats_of(questions: &[Question]) -> Vec<SeatId> {
    let mut seats: Vec<SeatId> = Vec::new();
    for asked in questions {
        if !seats.contains(&asked.seat) {
            seats.push(asked.seat.clone());
        }
    }
    seats
}
