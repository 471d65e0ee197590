//! Mails from the sources into the campaigns' inboxes.

use std::path::PathBuf;

use super::{Roll, Route};
use crate::mail::{
    Limits,
    maildir::{Maildir, MaildirError},
    transport::{RawMail, Source, TransportError},
};

/// How many mails are taken at once.
const MOST: usize = 100;

/// Takes mails to where they belong.
#[derive(Clone, Debug)]
pub struct Collector {
    roll: Roll,
    aside: Maildir,
}

impl Collector {
    /// For these campaigns; other mails are put aside in the Maildir `aside` of the host's folder.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn new(roll: Roll, state: &std::path::Path) -> Result<Self, MaildirError> {
        let aside = Maildir::at(state.join("aside"));
        aside.create()?;
        for member in &roll.members {
            Maildir::at(member.directory.inbox()).create()?;
        }
        Ok(Self { roll, aside })
    }

    /// Takes what a source has now, one batch. Gives the places of the campaigns that have got mails, and how many mails
    /// were taken. A mail that can't be written down stays at the source.
    ///
    /// # Errors
    /// If the source fails, or nothing at all could be written.
    pub fn collect(&self, source: &mut dyn Source) -> Result<(Vec<usize>, usize), TransportError> {
        let mails = source.fetch(Limits::default().bytes, MOST)?;
        let (mut reached, mut kept, mut trouble) = (Vec::new(), Vec::new(), None);
        for mail in &mails {
            match self.keep(mail) {
                Ok(places) => {
                    reached.extend(places);
                    kept.push(mail);
                }
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
            _ => Ok((reached, kept.len())),
        }
    }

    /// Writes a mail where it belongs, under its key. It is on the disk then.
    fn keep(&self, mail: &RawMail) -> Result<Vec<usize>, MaildirError> {
        match self.roll.route(&mail.bytes) {
            Route::To(places) => {
                for member in places
                    .iter()
                    .filter_map(|place| self.roll.members.get(*place))
                {
                    Maildir::at(member.directory.inbox()).put(&mail.key, &mail.bytes)?;
                    tracing::info!(mail = mail.key, campaign = member.name(), "taken");
                }
                Ok(places)
            }
            Route::Aside(why) => {
                self.aside.put(&mail.key, &mail.bytes)?;
                tracing::info!(mail = mail.key, "put aside: {why}");
                Ok(Vec::new())
            }
        }
    }

    /// The folders of the inboxes where new mails appear, in the order of the roll.
    #[must_use]
    pub fn inboxes(&self) -> Vec<PathBuf> {
        let members = self.roll.members.iter();
        members
            .map(|member| member.directory.inbox().join("new"))
            .collect()
    }
}
