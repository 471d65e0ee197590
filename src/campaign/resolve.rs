//! From sealed orders to the next wait: the phases, and the questions between.

use jiff::Timestamp;

use super::{
    Checkpoint, Understood,
    engine::{DISCLOSURE, Effects, Engine, EngineError},
    state::{State, Waiting},
};
use crate::{
    dice::{Body, End},
    dispatch::Heard,
    ids::SeatId,
    rules::{Event, Outcome, Question, Resolved, Round, RuleError, Start, Suspended, Wait},
};

/// Most phases that may follow each other without a wait: more is a script that runs in a circle.
const MAX_PHASES: usize = 1000;

impl Engine {
    /// Runs phases until players are needed.
    pub(super) fn run_on(
        &self,
        state: &mut State,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        for _ in 0..MAX_PHASES {
            if state.world.ended.is_some() {
                return self.finish(state, head, effects);
            }
            let (outcome, rolled) = self.run_phase(state);
            match outcome {
                Ok(Outcome::Done(resolved)) => {
                    // What it rolled before a public wait stands there already.
                    let rolled = state.dice.of_this_envelope(&rolled);
                    effects.ledger.extend(rolled.iter().cloned());
                    let phase = state.phase.clone();
                    self.phase_over(state, *resolved, rolled);
                    if let Some(watch) = &self.watch {
                        watch.phase_over(&phase, state);
                    }
                }
                Ok(Outcome::Waiting(suspended)) if self.is_too_late(state, &suspended) => {
                    state.dice.so_far = rolled;
                    state.decisions.rounds.push(unanswered(suspended.wait));
                }
                Ok(Outcome::Waiting(suspended)) => {
                    if let Some(watch) = &self.watch {
                        watch.suspended(state, &suspended);
                    }
                    return self.suspend(state, *suspended, rolled, head, effects);
                }
                Err(error) if error.of_machine => return Err(error.into()),
                Err(error) => return self.stop(state, &error.to_string(), false, effects),
            }
        }
        let error = format!(
            "{MAX_PHASES} phases followed each other without a wait; the last was {}",
            state.phase
        );
        self.stop(state, &error, false, effects)
    }

    /// Runs the present phase once, with the dice of the present envelope. The lines that it rolled come along.
    pub(super) fn run_phase(&self, state: &mut State) -> (Result<Outcome, RuleError>, Vec<String>) {
        let seats = self.settings.seats.ids();
        let left = seats.map(|seat| (seat.clone(), self.questions_left(state, seat)));
        state.decisions.questions_left = left.collect();
        let start = Start {
            phase: &state.phase,
            world: &state.world,
            options: &self.settings.options,
            decisions: &state.decisions,
        };
        let dice = self.sealed_dice(state);
        let (outcome, dice) = self.program.run(&start, Box::new(dice));
        // They are counted for the phase alone.
        state.decisions.questions_left.clear();
        let rolled: Vec<String> = dice.made().iter().map(ToString::to_string).collect();
        let earlier = &state.dice.so_far;
        if outcome.is_ok() && rolled.get(..earlier.len()) != Some(earlier.as_slice()) {
            let message = format!(
                "the phase {} rolled other dice when it was run again: the script is not deterministic",
                state.phase
            );
            return (Err(RuleError::general(message)), rolled);
        }
        if outcome.is_ok() && rolled.iter().any(|line| line.starts_with("roll 0 ")) {
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
            // Orders take a new envelope, and the phase is run again in it: the same labels would give other dice.
            let message = format!(
                "the phase {} asks for orders after it has rolled dice, which would fall a second time in the next \
                 envelope: a phase that takes orders begins with them",
                state.phase
            );
            return (Err(RuleError::general(message)), rolled);
        }
        (outcome, rolled)
    }

    /// Question mails that a seat may still get in this turn, not counting those of the phase that runs.
    fn questions_left(&self, state: &State, seat: &SeatId) -> u32 {
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
        self.settings
            .questions_per_turn
            .saturating_sub(used.saturating_sub(asked_now))
    }

    fn phase_over(&self, state: &mut State, resolved: Resolved, rolled: Vec<String>) {
        self.hear(state, &resolved.events);
        state.world = resolved.world;
        if let Some(next) = resolved.next {
            state.phase = next;
        }
        state.decisions.standing = resolved.standing;
        state.decisions.rounds.clear();
        state.decisions.orders.clear();
        state.dice.rolled.extend(rolled);
        state.dice.so_far.clear();
        state.dice.earlier.clear();
    }

    fn hear(&self, state: &mut State, events: &[Event]) {
        for (seat, entry) in &mut state.seats {
            entry.heard.extend(events.iter().filter_map(|event| {
                event.heard.get(seat).map(|args| Heard {
                    key: event.key.clone(),
                    phase: event.phase.clone(),
                    turn: event.turn,
                    args: args.clone(),
                })
            }));
        }
    }

    fn suspend(
        &self,
        state: &mut State,
        suspended: Suspended,
        rolled: Vec<String>,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let deadline = self.settings.schedule.next_deadline(state.time);
        let in_quiet = self.asks_in_quiet(&suspended.wait);
        state.dice.so_far = rolled;
        if state.dispatch_at.is_some() && !in_quiet {
            state.waiting = Waiting::Dispatch {
                known: known_deadline(state),
            };
            return Ok(());
        }
        match &suspended.wait {
            Wait::Orders { seats, phase } => {
                let told = state.begin_to_collect();
                state.waiting = Waiting::Orders {
                    seats: seats.clone(),
                    phase: phase.clone(),
                    deadline,
                };
                if let Some(point) = Checkpoint::of(state) {
                    state.checkpoints.keep(point);
                }
                self.publish(state, head, None, effects)?;
                if told {
                    return Ok(());
                }
                self.receipts_of_carried(state, effects)
            }
            Wait::Questions { questions } => {
                let known = if in_quiet {
                    known_deadline(state)
                } else {
                    deadline
                };
                state.waiting = Waiting::Answers {
                    questions: questions.clone(),
                    answers: vec![None; questions.len()],
                    deadline: self.deadline_of_answers(state, !in_quiet),
                    known,
                    public: !in_quiet,
                };
                if in_quiet {
                    self.ask(state, &suspended, effects)
                } else {
                    self.ask_in_public(state, &suspended, head, effects)
                }
            }
        }
    }

    /// Whether a wait is for answers to questions of which nobody may know but the asked.
    fn asks_in_quiet(&self, wait: &Wait) -> bool {
        matches!(wait, Wait::Questions { questions } if !self.are_public(questions))
    }

    /// Whether questions come up when the moment of the dispatches has come: they must not move it.
    fn is_too_late(&self, state: &State, suspended: &Suspended) -> bool {
        let due = state.dispatch_at.is_some_and(|at| state.time >= at);
        due && self.asks_in_quiet(&suspended.wait)
    }

    /// The deadline that questions would get now: in quiet none after the moment of the dispatches.
    pub(super) fn deadline_of_answers(&self, state: &State, public: bool) -> Option<Timestamp> {
        let deadline = self.settings.schedule.next_deadline(state.time);
        let dispatch = state.dispatch_at.filter(|_| !public);
        deadline.into_iter().chain(dispatch).min()
    }

    /// The moment of the dispatches has come: questions that are open are decided by what stands in their place, and everybody
    /// is told what has come of it all.
    pub(super) fn dispatch_now(
        &self,
        state: &mut State,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if let Waiting::Answers {
            questions, answers, ..
        } = &state.waiting
        {
            let (questions, answers) = (questions.clone(), answers.clone());
            self.resume(state, questions, answers, false, head, effects)?;
        }
        if !matches!(state.waiting, Waiting::Dispatch { .. }) {
            // A script has failed.
            return Ok(());
        }
        state.dispatch_at = None;
        self.run_on(state, head, effects)
    }

    /// Takes the answers of a seat; when all questions are answered, the phase goes on.
    pub(super) fn answer(
        &self,
        state: &mut State,
        seat: &SeatId,
        understood: &Understood,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let given = understood.answers(&self.game);
        let Waiting::Answers {
            questions, answers, ..
        } = &mut state.waiting
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
        self.go_on_if_answered(state, head, effects)
    }

    /// When all questions are answered and nobody holds the campaign, the phase goes on.
    pub(super) fn go_on_if_answered(
        &self,
        state: &mut State,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Waiting::Answers {
            questions,
            answers,
            public,
            ..
        } = &state.waiting
        else {
            return Ok(());
        };
        if state.on_hold || !answers.iter().all(Option::is_some) {
            return Ok(());
        }
        let (questions, answers, public) = (questions.clone(), answers.clone(), *public);
        self.resume(state, questions, answers, public, head, effects)
    }

    /// The phase goes on with the answers that there are.
    pub(super) fn resume(
        &self,
        state: &mut State,
        questions: Vec<Question>,
        answers: Vec<Option<crate::value::Fields>>,
        public: bool,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if public {
            return self.close_answers(state, questions, answers, head, effects);
        }
        state.decisions.rounds.push(Round { questions, answers });
        self.run_on(state, head, effects)
    }

    /// A script failed, in a phase that is as it was before or over an input that is `undone`; the umpire is told.
    pub(super) fn stop(
        &self,
        state: &mut State,
        error: &str,
        undone: bool,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let (waited, undone) = match std::mem::replace(&mut state.waiting, Waiting::Nothing) {
            Waiting::Repair { waited, undone, .. } => (waited, undone),
            waited => (Box::new(waited), undone),
        };
        state.waiting = Waiting::Repair {
            error: error.to_owned(),
            waited,
            undone,
        };
        self.stopped_letter(state, error, effects)
    }

    /// The campaign has ended: the last dispatches, and the day when the master is published.
    fn finish(
        &self,
        state: &mut State,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if state.dispatch_at.is_some() {
            state.waiting = Waiting::Dispatch {
                known: known_deadline(state),
            };
            return Ok(());
        }
        let at = state.time.checked_add(DISCLOSURE).unwrap_or(state.time);
        state.waiting = Waiting::Disclosure { at };
        state.shown = None;
        self.publish(state, head, None, effects)
    }

    /// Publishes the master: from now on everybody can check every die.
    pub(super) fn disclose(
        &self,
        state: &mut State,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        state.waiting = Waiting::Nothing;
        let mut masters = vec![None; self.eras.lost()];
        masters.push(self.eras.master.clone());
        let end = End { masters };
        let mut entries = std::mem::take(&mut state.dice.unsent);
        entries.push(self.enter(state, Body::End(end), effects)?);
        self.show_register(state);
        self.end_letters(state, &entries, effects)
    }
}

/// The deadline that everybody was told last, as a phase that asks in quiet finds it.
fn known_deadline(state: &State) -> Option<Timestamp> {
    match &state.waiting {
        Waiting::Orders { deadline, .. } => *deadline,
        _ => state.quiet().and_then(|(_, known)| known),
    }
}

/// The round of questions that nobody is asked any more.
fn unanswered(wait: Wait) -> Round {
    let questions = match wait {
        Wait::Questions { questions } => questions,
        Wait::Orders { .. } => Vec::new(),
    };
    Round {
        answers: vec![None; questions.len()],
        questions,
    }
}
