//! The end of a wait: when it is due, and the seal of the orders that are in.

use std::collections::BTreeSet;

use super::{
    Understood,
    engine::{Effects, Engine, EngineError},
    state::{DiceState, Shown, State, Waiting},
};
use crate::{
    dice::{Body, Seal, What},
    ids::SeatId,
};

impl Engine {
    /// Ends the wait for orders if all that is waited for is there. A mail never ends it by the clock: others that
    /// arrived in time may still lie behind it.
    pub(super) fn close_if_ready(
        &self,
        state: &mut State,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Waiting::Orders {
            seats, deadline, ..
        } = &state.waiting
        else {
            return Ok(());
        };
        if state.on_hold {
            return Ok(());
        }
        let all_in = seats
            .iter()
            .all(|seat| state.seats.get(seat).is_some_and(|seat| seat.ready));
        if self
            .settings
            .schedule
            .is_due(*deadline, all_in, jiff::Timestamp::MIN)
        {
            self.close_orders(state, head, effects)?;
        }
        Ok(())
    }

    /// Whether something is due by the clock.
    #[must_use]
    pub fn is_due(&self, state: &State, now: jiff::Timestamp) -> bool {
        let held = state.on_hold && !matches!(state.waiting, Waiting::Disclosure { .. });
        if held {
            return false;
        }
        // The moment of the dispatches waits for nobody: that it does would tell who is asked.
        if state.dispatch_is_due(now) {
            return true;
        }
        if self.clock_waits(state) {
            return false;
        }
        match &state.waiting {
            Waiting::Orders {
                seats, deadline, ..
            } => {
                let all_in = seats
                    .iter()
                    .all(|seat| state.seats.get(seat).is_some_and(|seat| seat.ready));
                deadline.is_some() && self.settings.schedule.is_due(*deadline, all_in, now)
            }
            Waiting::Answers { deadline, .. } => {
                deadline.is_some() && self.settings.schedule.is_due(*deadline, false, now)
            }
            Waiting::Dice {
                witnesses,
                deadline,
                ..
            } => !witnesses.is_empty() && deadline.is_some_and(|at| now >= at),
            Waiting::Disclosure { at } => now >= *at,
            Waiting::Dispatch { .. } | Waiting::Repair { .. } | Waiting::Nothing => false,
        }
    }

    /// When something is due by the clock, if nothing comes before.
    #[must_use]
    pub fn due_at(&self, state: &State) -> Option<jiff::Timestamp> {
        let at = match &state.waiting {
            Waiting::Disclosure { at } => *at,
            _ => state.deadline()?,
        };
        let last = self.settings.schedule.end_of_grace(at);
        let moments = [Some(state.time), Some(at), last].into_iter().flatten();
        moments.into_iter().find(|at| self.is_due(state, *at))
    }

    /// A deadline has passed: what is missing stays missing.
    pub(super) fn deadline(
        &self,
        state: &mut State,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if state.dispatch_is_due(state.time) {
            return self.dispatch_now(state, head, effects);
        }
        match state.waiting.clone() {
            Waiting::Orders { .. } => self.close_orders(state, head, effects),
            Waiting::Answers {
                questions,
                answers,
                public,
                ..
            } => self.resume(state, questions, answers, public, head, effects),
            Waiting::Dice { .. } => self.witnesses_are_late(state, head, effects),
            Waiting::Disclosure { .. } => self.disclose(state, effects),
            Waiting::Dispatch { .. } | Waiting::Repair { .. } | Waiting::Nothing => Ok(()),
        }
    }

    /// Seals the orders that are in; they are resolved as soon as the dice are ready.
    fn close_orders(
        &self,
        state: &mut State,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Waiting::Orders {
            seats: waited,
            phase: wanted,
            ..
        } = state.waiting.clone()
        else {
            return Ok(());
        };
        let decisions = state.decisions.clone();
        self.seal(state, effects)?;
        let texts = state.dice.orders.clone();
        for (seat, words) in &texts {
            let read = state.seats.get_mut(seat).and_then(|seat| seat.read.take());
            let understood = match read {
                Some(read) => read,
                None if words.is_empty() => Understood::default(),
                None => self.judge_words(&self.moment(state, seat), seat, words, effects)?,
            };
            self.decide(state, seat, &understood, waited.contains(seat));
        }
        state.shown = Some(Box::new(Shown {
            world: state.world.clone(),
            phase: state.phase.clone(),
            wanted,
            seats: waited,
            told: false,
            aware: BTreeSet::new(),
            questions: Vec::new(),
            asked_in: None,
            decisions,
        }));
        self.await_values(state, head, effects)
    }

    fn decide(&self, state: &mut State, seat: &SeatId, understood: &Understood, waited: bool) {
        let before = state.decisions.latest.get(seat).cloned();
        understood.decide(&self.game, seat, &mut state.decisions);
        if waited {
            let given = state
                .decisions
                .latest
                .get(seat)
                .cloned()
                .unwrap_or_default();
            state.decisions.orders.insert(seat.clone(), given);
        } else if let Some(before) = before {
            // Nobody waited for orders of this seat: what it sent earlier in the turn still stands.
            state.decisions.latest.insert(seat.clone(), before);
        }
    }

    /// Seals the next envelope with the words that count now.
    pub(super) fn seal(&self, state: &mut State, effects: &mut Effects) -> Result<(), EngineError> {
        let envelope = state.dice.envelope + 1;
        self.shut_key(envelope)?;
        let mut orders = Vec::new();
        let mut texts = std::collections::BTreeMap::new();
        for seat in self.settings.seats.ids() {
            let words = state
                .seats
                .get(seat)
                .map(|seat| seat.counting().to_owned())
                .unwrap_or_default();
            orders.push((
                seat.clone(),
                self.chains(envelope)
                    .digest(envelope, &What::Orders(seat.clone()), &words)?,
            ));
            effects
                .items
                .push((format!("{envelope}/orders-{seat}.txt"), words.clone()));
            texts.insert(seat.clone(), words);
        }
        let seal = Seal {
            envelope,
            sealed: state.time.into(),
            round: self.round_for(state.time),
            orders,
        };
        let entry = self.enter(state, Body::Seal(seal), effects)?;
        // Notes that have not gone out go out before it.
        let mut unsent = std::mem::take(&mut state.dice.unsent);
        unsent.push(entry);
        state.dice = DiceState {
            envelope,
            mix: String::new(),
            values: Vec::new(),
            orders: texts,
            unsent,
            closed: false,
            rolled: Vec::new(),
            ..std::mem::take(&mut state.dice)
        };
        for seat in state.seats.values_mut() {
            (seat.receipts_in_use, seat.receipts, seat.answers_in_use) = (seat.receipts, 0, 0);
        }
        state.sealed_now = true;
        Ok(())
    }
}
