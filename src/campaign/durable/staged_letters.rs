//! The letters that a previous process wrote, and perhaps told nobody of.
//!
//! All letters that are told together are staged before any of them appears (`delivery.rs`). So
//! either none has appeared, or all are on the disk as they were written, and no other version has
//! to write them in its own words.

use std::collections::{BTreeMap, BTreeSet};

use super::{CampaignError, delivery::TOGETHER};
use crate::{
    campaign::{
        model::{
            events::{Done, Event, LetterRecord},
            version::Version,
        },
        post::on_record::{self, OnRecord},
    },
    dice::CampaignName,
    mail::maildir::{StagedMail, file_name},
    store::{Directory, Record},
};

fn outcome(record: &Record<Event>) -> Option<&Done> {
    match &record.event {
        Event::Done(done) => Some(done),
        _ => None,
    }
}

/// Returns true if another, known version did this work. Versions from before versions were noted
/// staged no letters.
pub(crate) fn is_of_another_version(done: &Done) -> bool {
    let version = done.version.as_ref();
    version.is_some_and(|version| *version != Version::running())
}

/// Staged letters that have not appeared.
pub(super) struct StagedLetters {
    /// The letters on record, by outbox and key.
    known: BTreeMap<(String, String), StagedMail>,
    /// The others: their input was not closed, and will be worked off anew.
    unknown: Vec<StagedMail>,
}

impl StagedLetters {
    /// The staged letters of a campaign with these records.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(super) fn of(
        directory: &Directory,
        campaign: &CampaignName,
        records: &[Record<Event>],
    ) -> Result<Self, CampaignError> {
        let (mut known, mut unknown) = (BTreeMap::new(), Vec::new());
        for folder in directory.outboxes()? {
            for letter in directory.outbox(&folder).staged()? {
                let mails = records
                    .iter()
                    .filter_map(outcome)
                    .flat_map(|done| &done.mails);
                let mut written = mails.filter(|mail| {
                    mail.to.address_name() == folder && file_name(&mail.message_id) == letter.key()
                });
                let bytes = letter.bytes()?;
                let is_written = |written: &LetterRecord| {
                    on_record::compare(campaign, written, &bytes) != OnRecord::Another
                };
                let is_copy = records.iter().filter_map(outcome).any(|done| {
                    let mut copies = done.copies.iter();
                    copies.any(|copy| *copy.to == folder && file_name(&copy.key) == letter.key())
                });
                if is_copy || written.any(is_written) {
                    known.insert((folder.clone(), letter.key().to_owned()), letter);
                } else {
                    unknown.push(letter);
                }
            }
        }
        Ok(Self { known, unknown })
    }

    fn has(&self, mail: &LetterRecord) -> bool {
        let key = (mail.to.address_name(), file_name(&mail.message_id));
        self.known.contains_key(&key)
    }

    /// Makes those on record appear, and removes the others.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(super) fn show(self) -> Result<(), CampaignError> {
        for letter in self.known.into_values() {
            letter.show()?;
        }
        for letter in self.unknown {
            letter.discard()?;
        }
        Ok(())
    }

    /// Removes all of them.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(super) fn discard(self) -> Result<(), CampaignError> {
        for letter in self.known.into_values().chain(self.unknown) {
            letter.discard()?;
        }
        Ok(())
    }
}

/// The first record of the mails that another version worked off without telling anybody, if there
/// are any: none of their letters has appeared, and not all are staged. These mails are still in
/// the inbox and are taken again, so nothing is lost if their records go.
///
/// # Errors
/// If the disk refuses.
pub(super) fn first_untold(
    directory: &Directory,
    records: &[Record<Event>],
    left: &BTreeSet<&str>,
    staged: &StagedLetters,
) -> Result<Option<u64>, CampaignError> {
    let is_left = |record: &Record<Event>| {
        let mail = record.event.mail();
        mail.is_some_and(|(file, _)| left.contains(file))
    };
    let Some(first) = records.iter().position(is_left) else {
        return Ok(None);
    };
    let tail = records.get(first..).unwrap_or_default();
    let is_one_lot = tail.iter().all(|record| match &record.event {
        Event::Done(done) => is_of_another_version(done),
        event => event.mail().is_some(),
    });
    if !is_one_lot || tail.len() > 2 * TOGETHER {
        return Ok(None);
    }
    let mut is_missing = false;
    for mail in tail.iter().filter_map(outcome).flat_map(|done| &done.mails) {
        let outbox = directory.outbox(&mail.to.address_name());
        // If one has appeared, all were on the disk; somebody took away the missing ones.
        if outbox.find(&mail.message_id)?.is_some() {
            return Ok(None);
        }
        is_missing |= !staged.has(mail);
    }
    let first = tail.first().map(|record| record.n);
    Ok(first.filter(|_| is_missing))
}
