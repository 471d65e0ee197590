//! A ruling on the position: the umpire changes pieces or facts by hand, without dice (dice.md, section 9).

use super::{
    close::Word,
    engine::{Effects, Engine, EngineError},
    rulings::RulingError,
    state::{State, Waiting},
};
use crate::{
    dice::{Body, Note},
    rules::Start,
    world::{Changes, World},
};

impl Engine {
    /// The world after these changes, as every seat sees it then.
    ///
    /// # Errors
    /// If a phase is half done, the game has no such thing, or the look of a seat fails.
    pub(super) fn changed(&self, state: &State, changes: &Changes) -> Result<World, RulingError> {
        Place::of(state).ok_or(RulingError::HalfDone)?;
        if changes.is_empty() {
            return Err(RulingError::Change("it changes nothing".to_owned()));
        }
        let mut world = state.world.clone();
        world
            .change(&self.game, changes)
            .map_err(RulingError::Change)?;
        let start = Start {
            phase: &state.phase,
            world: &world,
            options: &self.settings.options,
            decisions: &state.decisions,
        };
        let looked = self.program.look(&start);
        looked.map_err(|error| RulingError::Change(error.to_string()))
    }

    /// Changes the world, for orders that are waited for or for a phase that an error has stopped.
    pub(super) fn amend(
        &self,
        state: &mut State,
        changes: &Changes,
        why: &str,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let world = self.changed(state, changes)?;
        let place = Place::of(state).ok_or(RulingError::HalfDone)?;
        if let Waiting::Repair { waited, .. } = &state.waiting {
            state.waiting = waited.as_ref().clone();
        }
        state.world = world;
        match place {
            Place::Orders => self.amended(state, why, head, effects),
            Place::Phase => self.run_amended(state, why, head, effects),
        }
    }

    /// The phase that stopped is run again from the changed position, with the dice of its envelope. The note goes out with
    /// what comes of it.
    fn run_amended(
        &self,
        state: &mut State,
        why: &str,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let note = format!(
            "after an error of the rules the umpire has changed the position by hand: {why}"
        );
        let note = self.enter(state, Body::Note(Note::new(&note)?), effects)?;
        state.dice.unsent.push(note);
        // Who is asked now has as long as he would have had.
        state.dispatch_at = self.settings.schedule.dispatch_at(state.time);
        self.run_on(state, head, effects)
    }

    /// The world has been changed. Every seat gets a dispatch of what it sees now, with the reason and a note; what was changed stays as
    /// secret as it is on the map. Orders that have come still count.
    fn amended(
        &self,
        state: &mut State,
        why: &str,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        // A rollback to this wait gives the position as it was ruled.
        state.checkpoints.ruled(&state.world);
        let note = format!("the umpire has changed the position by hand: {why}");
        let word = Word {
            note: Note::new(&note)?,
            notice: "ruled",
            why: why.to_owned(),
            receipts: std::collections::BTreeMap::new(),
        };
        self.publish(state, head, Some(&word), effects)
    }
}

/// Where a position can be changed.
enum Place {
    /// Orders are waited for.
    Orders,
    /// An error has stopped a phase, whose dice are ready.
    Phase,
}

impl Place {
    fn of(state: &State) -> Option<Self> {
        let rolled = !state.dice.mix.is_empty();
        match (&state.waiting, state.missing()) {
            (_, Waiting::Orders { .. }) => Some(Self::Orders),
            (Waiting::Repair { .. }, Waiting::Repair { .. }) => Some(Self::Phase),
            (Waiting::Repair { .. }, Waiting::Dice { .. }) if rolled => Some(Self::Phase),
            (Waiting::Repair { .. }, Waiting::Dispatch { .. }) => Some(Self::Phase),
            _ => None,
        }
    }
}
