//! Mails from the sources into the campaigns' inboxes.

use std::collections::BTreeSet;

use super::{MailRoute, Roster};
use crate::mail::{
    MailLimits,
    maildir::{Batch, Maildir, MaildirError},
    transport::{MailSource, RawMail, TransportError},
};

/// The most mails that are taken at once.
const MOST: usize = 100;

/// Takes mails to where they belong.
#[derive(Clone, Debug)]
pub struct Collector {
    roster: Roster,
    aside: Maildir,
}

impl Collector {
    /// A collector for these campaigns; other mails go into the Maildir `aside` in the host's
    /// folder.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn new(roster: Roster, state: &std::path::Path) -> Result<Self, MaildirError> {
        let aside = Maildir::at(state.join("aside"));
        aside.create()?;
        aside.sweep();
        Ok(Self { roster, aside })
    }

    /// Takes one batch of what a source has now, and returns how many mails were taken. `news` gets
    /// the places of the campaigns that have new mails, as soon as these can be read. A mail that
    /// can't be stored stays at the source.
    ///
    /// Mails for campaigns come first, then strangers': a thousand of those must not make players
    /// wait.
    ///
    /// # Errors
    /// If the source fails, or nothing at all could be written.
    pub fn collect(
        &self,
        source: &mut dyn MailSource,
        news: &mut dyn FnMut(usize),
    ) -> Result<usize, TransportError> {
        let mails = source.fetch(MailLimits::default().bytes, MOST)?;
        let router = self.roster.router();
        let (mut batch, mut reached) = (Batch::default(), BTreeSet::new());
        let (mut written, mut strange) = (Vec::new(), Vec::new());
        for mail in &mails {
            match router.route(&mail.bytes) {
                MailRoute::Aside(why) => strange.push((mail, why)),
                MailRoute::To(places) => {
                    written.push((mail, self.write(mail, &places, &mut batch)));
                    reached.extend(places);
                }
            }
        }
        batch.show()?;
        reached.into_iter().for_each(news);
        for (mail, why) in strange {
            // This need not wait for the disk: the mail is also kept where it came from.
            let put = self.aside.put_copy(&mail.key, &mail.bytes);
            let put = put.map(|_| tracing::info!(mail = mail.key, "put aside: {why}"));
            written.push((mail, put));
        }
        batch.keep()?;
        let (mut kept, mut trouble) = (Vec::new(), None);
        for (mail, result) in written {
            match result {
                Ok(()) => kept.push(mail),
                Err(error) => {
                    tracing::error!(mail = mail.key, "stays at its source: {error}");
                    trouble = Some(error);
                }
            }
        }
        if !kept.is_empty() {
            source.done(&kept)?;
        }
        match trouble {
            Some(error) if kept.is_empty() => Err(error.into()),
            _ => Ok(kept.len()),
        }
    }

    /// Writes a mail into the inboxes of campaigns, under its key.
    fn write(
        &self,
        mail: &RawMail,
        places: &[usize],
        batch: &mut Batch,
    ) -> Result<(), MaildirError> {
        let boxes = places
            .iter()
            .filter_map(|place| self.roster.letter_box(*place));
        for at in boxes {
            batch.add(&at.directory.inbox(), &mail.key, &mail.bytes)?;
            tracing::info!(mail = mail.key, campaign = at.name, "taken");
        }
        Ok(())
    }
}
