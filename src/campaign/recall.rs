//! Inputs that are not worked off: what they came to is on record, or they are laid aside.

use super::{
    Record,
    engine::{Effects, Engine, EngineError},
    events::{Done, Event},
    state::State,
};

impl Engine {
    /// Applies an input whose outcome is on record: the same state, without writing its letters again. An audit trusts no
    /// record and does all the work with [`Engine::again`].
    ///
    /// # Errors
    /// See [`EngineError`].
    pub fn recall(
        &self,
        state: Option<State>,
        record: &Record<Event>,
        done: &Done,
    ) -> Result<State, EngineError> {
        let state = match (state, done.why_laid_aside()) {
            (Some(before), Some(error)) => self.stopped_before(before, record, error, true)?.0,
            (state, _) => self.recall_work(state, record, done)?,
        };
        Ok(self.as_closed(state, done))
    }

    fn recall_work(
        &self,
        state: Option<State>,
        record: &Record<Event>,
        done: &Done,
    ) -> Result<State, EngineError> {
        let effects = Effects {
            recalled: true,
            bound_on_record: (done.mails.iter())
                .filter_map(|mail| Some((mail.message_id.clone(), mail.bound?)))
                .collect(),
            on_record: done.verdicts.clone().into(),
            ..Effects::default()
        };
        let before = done.stopped.as_ref().and_then(|_| state.clone());
        let (mut state, _) = self.work(state, record, effects)?;
        if let (Some(error), Some(before)) = (&done.stopped, before)
            && state.stopped() != Some(error)
        {
            // It was a letter that could not be made, and letters are not made again here.
            state = self.stopped_before(before, record, error, true)?.0;
        }
        Ok(state)
    }

    /// A recalled state with what only the letters give.
    fn as_closed(&self, mut state: State, done: &Done) -> State {
        if let Some(last) = done.entries.last() {
            state.last_entry.clone_from(last);
        }
        state.foot.clone_from(&done.foot);
        state
    }

    /// Lays an input aside without working it off: its rules have ended the process that did, or come to no end. No script
    /// is run. The campaign stops for the umpire, with the state as it was before.
    ///
    /// # Errors
    /// See [`EngineError`].
    pub fn lay_aside(
        &self,
        before: State,
        record: &Record<Event>,
        error: &str,
    ) -> Result<(State, Effects), EngineError> {
        self.may_follow(&before, record)?;
        let (state, mut effects) = self.stopped_before(before, record, error, false)?;
        effects.laid_aside = true;
        Ok((state, effects))
    }

    /// Does the work of an input again as it was done, letters too: works it off, or lays it aside. Of the record it takes
    /// nothing else but the digests of pictures, so that none needs to be drawn: whoever has a letter at hand compares them
    /// with [`super::Letter::sent`].
    ///
    /// # Errors
    /// See [`EngineError`].
    pub fn again(
        &self,
        state: Option<State>,
        record: &Record<Event>,
        done: &Done,
    ) -> Result<(State, Effects), EngineError> {
        match (state, done.why_laid_aside()) {
            (Some(before), Some(error)) => self.lay_aside(before, record, error),
            (state, _) => {
                let effects = Effects {
                    pictures_on_record: done.pictures.clone().into(),
                    ..Effects::default()
                };
                self.work(state, record, effects)
            }
        }
    }

    /// The state before an input, stopped by an error that came up while the input was worked off.
    pub(super) fn stopped_before(
        &self,
        mut before: State,
        record: &Record<Event>,
        error: &str,
        recalled: bool,
    ) -> Result<(State, Effects), EngineError> {
        before.time = record.time;
        before.sealed_now = false;
        let mut effects = Effects {
            recalled,
            ..Effects::default()
        };
        self.stop(&mut before, error, true, &mut effects)?;
        Ok((before, effects))
    }
}
