//! A ruling on the position: the umpire changes pieces or facts by hand, without dice (dice.md, section 9).

use super::{
    close::Word,
    engine::{Effects, Engine, EngineError},
    rulings::RulingError,
    state::{State, Waiting},
};
use crate::{
    dice::Note,
    rules::Start,
    world::{Changes, World},
};

impl Engine {
    /// The world after these changes, as every seat sees it then.
    ///
    /// # Errors
    /// If a phase is half done, the game has no such thing, or the look of a seat fails.
    pub(super) fn changed(&self, state: &State, changes: &Changes) -> Result<World, RulingError> {
        if !matches!(state.waiting, Waiting::Orders { .. }) {
            return Err(RulingError::HalfDone);
        }
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

    /// Changes the world. Every seat gets a dispatch of what it sees now, with the reason and a note; what was changed stays as
    /// secret as it is on the map. Orders that have come still count.
    pub(super) fn amend(
        &self,
        state: &mut State,
        changes: &Changes,
        why: &str,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        state.world = self.changed(state, changes)?;
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
