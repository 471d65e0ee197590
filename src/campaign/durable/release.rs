//! Taking a held mail after all.

use crate::{
    campaign::{
        durable::{Campaign, CampaignError, Pass},
        intake::judge,
        model::events::Event,
    },
    mail::MailLimits,
};

impl Campaign {
    /// Releases a held mail: judges it again, and asks only for a good token. `file` is its name in
    /// the letter to the umpire.
    ///
    /// # Errors
    /// If there is no such mail, or as [`Campaign::pass`].
    pub fn release(&mut self, file: &str, now: jiff::Timestamp) -> Result<Pass, CampaignError> {
        let inbox = self.directory().inbox();
        let Some(bytes) = inbox.read_done(file, MailLimits::default().bytes)? else {
            return Err(CampaignError::NotHeld {
                file: file.to_owned(),
            });
        };
        let moment = self.state().next_moment(now);
        let event: Event =
            judge::judge_released(self.context(), self.state(), file, &bytes, moment);
        let mut pass = Pass::default();
        self.input(event, now, &mut pass)?;
        Ok(pass)
    }
}
