//! From sealed orders to the next wait: the phases, and the questions between.

use std::{rc::Rc, sync::Arc};

use jiff::Timestamp;

use crate::{
    campaign::{
        model::{
            context::Context,
            leeway::WaitProgress,
            news::news_item,
            state::{CurrentWait, State},
            understanding::Understanding,
            work_error::WorkError,
        },
        turn::{ending, plan::UmpireLetter, planning, publishing, questions, taking, value::Turn},
    },
    dice::LedgerLine,
    ids::SeatId,
    rules::{
        GameEvent, Outcome, PhaseResult, Question, QuestionRound, RuleError, Start, Suspension,
        Wait,
    },
};

/// Most phases that may follow each other without a wait: more is a script that runs in a circle.
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
        let (outcome, rolled) = run_phase(context, &mut turn.state);
        match outcome {
            Ok(Outcome::Done(resolved)) => {
                // What it rolled before a public wait stands there already.
                let rolled = turn.state.dice.of_this_envelope(&rolled);
                turn.ledger.extend(rolled.iter().cloned());
                let phase = turn.state.phase.clone();
                phase_over(turn, *resolved, rolled);
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
                stop(turn, &error.to_string(), false);
                return Ok(());
            }
        }
    }
    let error = format!(
        "{MAX_PHASES} phases followed each other without a wait; the last was {}",
        turn.state.phase
    );
    stop(turn, &error, false);
    Ok(())
}

/// Runs the present phase once, with the dice of the present envelope. The lines that it rolled
/// come along.
pub(crate) fn run_phase(
    context: &Context,
    state: &mut State,
) -> (Result<Outcome, RuleError>, Vec<LedgerLine>) {
    let seats = context.settings.seats.ids();
    let left = seats.map(|seat| (seat.clone(), questions_left(context, state, seat)));
    let left = left.collect();
    Arc::make_mut(&mut state.decisions).questions_left = left;
    let start = Start {
        phase: &state.phase,
        world: &state.world,
        options: &context.settings.options,
        decisions: &state.decisions,
    };
    let dice = questions::sealed_dice(context, state);
    let (outcome, dice) = context.program.run(&start, Box::new(dice));
    // They are counted for the phase alone.
    Arc::make_mut(&mut state.decisions).questions_left.clear();
    let rolled = dice.made().to_vec();
    let earlier = &state.dice.so_far;
    if outcome.is_ok() && rolled.get(..earlier.len()) != Some(earlier.as_slice()) {
        let message = format!(
            "the phase {} rolled other dice when it was run again: the script is not deterministic",
            state.phase
        );
        return (Err(RuleError::general(message)), rolled);
    }
    if outcome.is_ok() && rolled.iter().any(|line| line.envelope == 0) {
        // Envelope 0 is the anchor, which everybody has.
        let message = format!(
            "the phase {} rolls dice before anything is sealed: there is no envelope for them; let a phase before it ask for \
             orders",
            state.phase
        );
        return (Err(RuleError::general(message)), rolled);
    }
    if let Ok(Outcome::Waiting(suspended)) = &outcome
        && matches!(suspended.wait, Wait::Orders { .. })
        && !rolled.is_empty()
    {
        // Orders take a new envelope, and the phase is run again in it: the same labels would give
        // other dice.
        let message = format!(
            "the phase {} asks for orders after it has rolled dice, which would fall a second time in the next \
             envelope: a phase that takes orders begins with them",
            state.phase
        );
        return (Err(RuleError::general(message)), rolled);
    }
    (outcome, rolled)
}

/// Question mails that a seat may still get in this turn, not counting those of the phase that
/// runs.
fn questions_left(context: &Context, state: &State, seat: &SeatId) -> u32 {
    let used = state.seats.get(seat).map_or(0, |seat| {
        if seat.questions.0 == state.world.turn() {
            seat.questions.1
        } else {
            0
        }
    });
    let asked_now = state
        .decisions
        .rounds
        .iter()
        .filter(|round| round.questions.iter().any(|asked| asked.seat == *seat));
    let asked_now = u32::try_from(asked_now.count()).unwrap_or(u32::MAX);
    context
        .settings
        .questions_per_turn
        .saturating_sub(used.saturating_sub(asked_now))
}

/// A phase is over: what it told is heard, and the world is what it left.
pub(crate) fn phase_over(turn: &mut Turn<'_>, resolved: PhaseResult, rolled: Vec<LedgerLine>) {
    hear(turn, &resolved.events);
    turn.state.world = resolved.world;
    if let Some(next) = resolved.next {
        turn.state.phase = next;
    }
    let decisions = Arc::make_mut(&mut turn.state.decisions);
    decisions.standing = resolved.standing;
    decisions.rounds.clear();
    decisions.orders.clear();
    turn.state.dice.rolled.extend(rolled);
    turn.state.dice.so_far.clear();
    turn.state.dice.earlier.clear();
}

fn hear(turn: &mut Turn<'_>, events: &[GameEvent]) {
    for (seat, entry) in &mut turn.state.seats {
        let news = events.iter().filter_map(|event| news_item(event, seat));
        Arc::make_mut(&mut entry.heard).extend(news);
    }
}

/// Keeps the rolls of a phase that waited and is dropped: those who were asked have seen them.
/// Those of a closed envelope are in the ledger, and stay held back until the next entry with a
/// key.
pub(crate) fn keep_rolled(turn: &mut Turn<'_>, rolled: Vec<LedgerLine>) {
    if !turn.state.dice.closed {
        let rolled = turn.state.dice.of_this_envelope(&rolled);
        turn.ledger.extend(rolled.iter().cloned());
        turn.state.dice.rolled.extend(rolled);
    }
    turn.state.dice.earlier.clear();
}

fn suspend(
    turn: &mut Turn<'_>,
    suspended: Rc<Suspension>,
    rolled: Vec<LedgerLine>,
) -> Result<(), WorkError> {
    let context = turn.context;
    let deadline = context.settings.schedule.next_deadline(turn.state.time);
    let in_quiet = asks_in_quiet(context, &suspended.wait);
    turn.state.dice.so_far = rolled;
    if turn.state.dispatch_at.is_some() && !in_quiet {
        turn.state.waiting = CurrentWait::Dispatch {
            known: known_deadline(&turn.state),
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
            taking::receipts_of_carried(turn)
        }
        Wait::Questions { questions } => {
            let known = if in_quiet {
                known_deadline(&turn.state)
            } else {
                deadline
            };
            turn.state.waiting = CurrentWait::Answers {
                questions: questions.clone(),
                answers: vec![None; questions.len()],
                deadline: deadline_of_answers(context, &turn.state, !in_quiet),
                known,
                public: !in_quiet,
            };
            if in_quiet {
                publishing::ask(turn, &suspended);
            } else {
                questions::ask_in_public(turn, &suspended);
            }
            Ok(())
        }
    }
}

/// Returns true if a wait is for answers to questions of which nobody may know but the asked.
fn asks_in_quiet(context: &Context, wait: &Wait) -> bool {
    matches!(wait, Wait::Questions { questions } if !questions::are_public(context, questions))
}

/// Returns true if questions come up when the moment of the dispatches has come: they must not move
/// it.
fn is_too_late(context: &Context, state: &State, suspended: &Suspension) -> bool {
    let due = state.dispatch_at.is_some_and(|at| state.time >= at);
    due && asks_in_quiet(context, &suspended.wait)
}

/// The deadline that questions would get now: in quiet none after the moment of the dispatches.
pub(crate) fn deadline_of_answers(
    context: &Context,
    state: &State,
    public: bool,
) -> Option<Timestamp> {
    let deadline = context.settings.schedule.next_deadline(state.time);
    let dispatch = state.dispatch_at.filter(|_| !public);
    deadline.into_iter().chain(dispatch).min()
}

/// The moment of the dispatches has come: questions that are open are decided by what stands in
/// their place, and everybody is told what has come of it all.
pub(crate) fn dispatch_now(turn: &mut Turn<'_>) -> Result<(), WorkError> {
    if let CurrentWait::Answers {
        questions, answers, ..
    } = &turn.state.waiting
    {
        let (questions, answers) = (questions.clone(), answers.clone());
        resume(turn, questions, answers, false)?;
    }
    if !matches!(turn.state.waiting, CurrentWait::Dispatch { .. }) {
        // A script has failed.
        return Ok(());
    }
    turn.state.dispatch_at = None;
    run_on(turn)
}

/// Takes the answers of a seat; when all questions are answered, the phase goes on.
pub(crate) fn answer(
    turn: &mut Turn<'_>,
    seat: &SeatId,
    understood: &Understanding,
) -> Result<(), WorkError> {
    let context = turn.context;
    let given = understood.answers(&context.game);
    let CurrentWait::Answers {
        questions, answers, ..
    } = &mut turn.state.waiting
    else {
        return Ok(());
    };
    let own = questions
        .iter()
        .enumerate()
        .filter(|(_, asked)| asked.seat == *seat);
    for (number, (index, _)) in own.enumerate() {
        if let (Some(answer), Some(slot)) = (given.get(&(number + 1)), answers.get_mut(index)) {
            *slot = Some(answer.clone());
        }
    }
    go_on_if_answered(turn)
}

/// When all questions are answered and nobody holds the campaign, the phase goes on.
pub(crate) fn go_on_if_answered(turn: &mut Turn<'_>) -> Result<(), WorkError> {
    let CurrentWait::Answers {
        questions,
        answers,
        public,
        ..
    } = &turn.state.waiting
    else {
        return Ok(());
    };
    if turn.state.on_hold || !answers.iter().all(Option::is_some) {
        return Ok(());
    }
    let (questions, answers, public) = (questions.clone(), answers.clone(), *public);
    resume(turn, questions, answers, public)
}

/// The phase goes on with the answers that there are.
pub(crate) fn resume(
    turn: &mut Turn<'_>,
    questions: Vec<Question>,
    answers: Vec<Option<crate::value::Fields>>,
    public: bool,
) -> Result<(), WorkError> {
    if public {
        return questions::close_answers(turn, questions, answers);
    }
    let decisions = Arc::make_mut(&mut turn.state.decisions);
    decisions.rounds.push(QuestionRound { questions, answers });
    run_on(turn)
}

/// A script failed, in a phase that is as it was before or over an input that is `undone`; the
/// umpire is told.
pub(crate) fn stop(turn: &mut Turn<'_>, error: &str, undone: bool) {
    let (waited, undone) = match std::mem::replace(&mut turn.state.waiting, CurrentWait::Nothing) {
        CurrentWait::Repair { waited, undone, .. } => (waited, undone),
        waited => (Box::new(waited), undone),
    };
    turn.state.waiting = CurrentWait::Repair {
        error: error.to_owned(),
        waited,
        undone,
    };
    let error = error.to_owned();
    planning::send_to_umpire(turn, UmpireLetter::Stopped { error });
}

/// The deadline that everybody was told last, as a phase that asks in quiet finds it.
pub(crate) fn known_deadline(state: &State) -> Option<Timestamp> {
    match &state.waiting {
        CurrentWait::Orders { deadline, .. } => *deadline,
        _ => state.quiet().and_then(|(_, known)| known),
    }
}

/// The round of questions that nobody is asked any more.
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
