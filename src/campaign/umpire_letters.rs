//! Letters to the umpire.

use super::{
    Recipient,
    drafts::Content,
    engine::{Effects, Engine, EngineError},
    rate::NOTICES,
    state::State,
};
use crate::{dispatch, game::Lang};

impl Engine {
    /// The umpire's address; empty if there is none.
    pub(super) fn umpire(&self) -> &str {
        self.settings
            .umpire
            .as_ref()
            .map_or("", |umpire| umpire.as_str())
    }

    /// Tells the umpire that a phase has stopped.
    pub(super) fn stopped_letter(
        &self,
        state: &mut State,
        error: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let text = dispatch::stopped(&dispatch::Stopped {
            lang: Lang::En,
            game: &self.game,
            campaign: self.settings.campaign.as_str(),
            turn: state.world.turn(),
            phase: &state.phase,
            error,
            at: (state.time, self.settings.schedule.zone()),
        });
        self.letter_to_umpire(state, "stopped", &text, effects)
    }

    /// Tells the umpire of what check functions of the rules did wrong while an input was worked off.
    pub(super) fn letter_on_faults(
        &self,
        state: &mut State,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if effects.faults.is_empty() {
            return Ok(());
        }
        let text = dispatch::check_failed(&dispatch::CheckFailed {
            lang: Lang::En,
            campaign: self.settings.campaign.as_str(),
            faults: &effects.faults,
        });
        self.notice(state, "A check of orders failed", &text, effects)
    }

    /// Sends the umpire a notice, if he has not got as many in this hour as a person reads. `what` stands in its subject.
    pub(super) fn notice(
        &self,
        state: &mut State,
        what: &str,
        text: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if self.settings.umpire.is_none() || state.count("notices", "umpire") > NOTICES {
            return Ok(());
        }
        self.letter_to_umpire(state, what, text, effects)
    }

    fn letter_to_umpire(
        &self,
        state: &mut State,
        what: &str,
        text: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Some(umpire) = &self.settings.umpire else {
            return Ok(());
        };
        let subject = format!("[{}] {what}", self.settings.campaign);
        let content = Content::plain(subject, text.to_owned(), None);
        let to = (umpire.to_string(), None);
        self.send_to_other(state, Recipient::Umpire, to, content, effects)
    }
}
