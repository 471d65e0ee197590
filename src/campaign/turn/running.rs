//! Runs the present phase once, and keeps what the run leaves behind.

use std::sync::Arc;

use crate::{
    campaign::{
        model::{
            context::Context,
            news::news_item,
            state::{CurrentWait, State},
        },
        turn::{plan::UmpireLetter, planning, work::Work},
    },
    dice::{LedgerLine, Mix, SealedDice},
    ids::SeatId,
    rules::{GameEvent, Outcome, PhaseResult, RuleError, Start, Wait},
};

/// Runs the present phase once, with the dice of the present envelope. Also returns the lines that
/// it rolled.
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
    let dice = sealed_dice(context, state);
    let (outcome, dice) = context.program.run(&start, Box::new(dice));
    // They count for this phase alone.
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
        // Orders take a new envelope, and the phase is run again in it, where the same labels would
        // give other dice.
        let message = format!(
            "the phase {} asks for orders after it has rolled dice, which would fall a second time in the next \
             envelope: a phase that takes orders begins with them",
            state.phase
        );
        return (Err(RuleError::general(message)), rolled);
    }
    (outcome, rolled)
}

/// The dice of the phase in progress: from the envelope in which it began, and after each public
/// wait from the next one.
fn sealed_dice(context: &Context, state: &State) -> SealedDice {
    let dice = &state.dice;
    // Before the first seal nothing is mixed in.
    let mix = |mix: &Option<Mix>| mix.clone().unwrap_or_default();
    let chains = |envelope| Arc::clone(context.chains(envelope));
    let Some(first) = dice.earlier.first() else {
        let envelope = dice.envelope;
        return SealedDice::new(chains(envelope), envelope, mix(&dice.mix), dice.counters());
    };
    let after = dice.earlier.iter().skip(1);
    let after = after.map(|earlier| (earlier.envelope, &earlier.mix));
    let after = after.chain([(dice.envelope, &dice.mix)]);
    let rounds = dice.earlier.iter().map(|earlier| earlier.round);
    let began = SealedDice::new(
        chains(first.envelope),
        first.envelope,
        mix(&first.mix),
        first.counters(),
    );
    rounds
        .zip(after)
        .fold(began, |sealed, (round, (envelope, mixed))| {
            sealed.changing_after(round, chains(envelope), envelope, mix(mixed))
        })
}

/// The number of letters with questions that a seat may still get in this turn, not counting those
/// of the running phase.
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

/// Ends a phase: seats hear its events, and the world is what it left.
pub(crate) fn phase_over(work: &mut Work<'_>, resolved: PhaseResult, rolled: Vec<LedgerLine>) {
    hear(work, &resolved.events);
    work.state.world = resolved.world;
    if let Some(next) = resolved.next {
        work.state.phase = next;
    }
    let decisions = Arc::make_mut(&mut work.state.decisions);
    decisions.standing = resolved.standing;
    decisions.rounds.clear();
    decisions.orders.clear();
    work.state.dice.rolled.extend(rolled);
    work.state.dice.so_far.clear();
    work.state.dice.earlier.clear();
}

fn hear(work: &mut Work<'_>, events: &[GameEvent]) {
    for (seat, entry) in &mut work.state.seats {
        let news = events.iter().filter_map(|event| news_item(event, seat));
        Arc::make_mut(&mut entry.heard).extend(news);
    }
}

/// Keeps the rolls of a dropped phase that had waited, because the asked have seen them. Rolls of a
/// spent envelope are already in the ledger, and stay kept back until the next entry with a key.
pub(crate) fn keep_rolled(work: &mut Work<'_>, rolled: Vec<LedgerLine>) {
    if !work.state.dice.spent {
        let rolled = work.state.dice.of_this_envelope(&rolled);
        work.ledger.extend(rolled.iter().cloned());
        work.state.dice.rolled.extend(rolled);
    }
    work.state.dice.earlier.clear();
}

/// Stops the campaign because of an error, in a phase that has been restored or over an input that
/// is `undone`, and tells the umpire.
pub(crate) fn stop(work: &mut Work<'_>, error: &str, undone: bool) {
    let (waited, undone) = match std::mem::replace(&mut work.state.waiting, CurrentWait::Nothing) {
        CurrentWait::Repair { waited, undone, .. } => (waited, undone),
        waited => (Box::new(waited), undone),
    };
    work.state.waiting = CurrentWait::Repair {
        error: error.to_owned(),
        waited,
        undone,
    };
    let error = error.to_owned();
    planning::send_to_umpire(work, UmpireLetter::Stopped { error });
}
