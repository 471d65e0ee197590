//! What umpires do under their names.

use jiff::Timestamp;

use super::{Campaign, CampaignError, Pass, replay::from_the_beginning};
use crate::{
    campaign::{
        intake::judge,
        model::{
            events::{Event, UmpireActs},
            umpire_acts::UmpireAct,
            work_error::WorkError,
        },
        turn::umpire_acts,
    },
    ids::SeatId,
    mail::MailLimits,
};

impl Campaign {
    /// Does something for the umpire of this name, after the mails that have come and what is due.
    ///
    /// # Errors
    /// If it can't be done now: then only the mails that came before it have changed anything.
    /// Otherwise as [`Campaign::pass`].
    pub fn umpire_does(
        &mut self,
        by: &SeatId,
        act: UmpireAct,
        now: Timestamp,
    ) -> Result<Pass, CampaignError> {
        let mut pass = self.pass(now)?;
        let acts = UmpireActs::one(by, act);
        let event = Event::UmpireActs(Box::new(acts.clone()));
        if event.takes_back() {
            self.state = from_the_beginning(&self.context, &self.directory)?.state;
        }
        let at = self.state.next_moment(now);
        umpire_acts::check(&self.context, &self.state, &acts, at).map_err(WorkError::from)?;
        let event = self.with_released_mails(event, at)?;
        self.input(event, now, &mut pass)?;
        Ok(pass)
    }

    /// Judges the held mails that an umpire releases: what lies on the disk is no part of the
    /// state, so it comes in with the event.
    pub(super) fn with_released_mails(
        &self,
        event: Event,
        at: Timestamp,
    ) -> Result<Event, CampaignError> {
        let Event::UmpireActs(mut acts) = event else {
            return Ok(event);
        };
        let inbox = self.directory.inbox();
        for line in &acts.acts {
            let UmpireAct::Release { file } = &line.act else {
                continue;
            };
            // Whoever may write to the host must not name any other file.
            if !self.state.releasable().any(|held| held.file == *file) {
                continue;
            }
            if let Some(bytes) = inbox.read_done(file, MailLimits::default().bytes)? {
                let event = judge::judge_released(&self.context, &self.state, file, &bytes, at);
                acts.released.insert(file.clone(), event);
            }
        }
        Ok(Event::UmpireActs(acts))
    }
}
