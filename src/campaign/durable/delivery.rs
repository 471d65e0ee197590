//! Letters into the outboxes.

use super::CampaignError;
use crate::{
    campaign::post::{Letter, letter},
    mail::{
        ReadyMail,
        maildir::{Batch, PutOutcome},
    },
    store::Directory,
};

/// The most mails that are worked off before anybody is told of the first.
pub(super) const TOGETHER: usize = 32;

/// Letters that are all on the disk beside the outboxes, where nobody sees them yet.
#[must_use = "letters that are not shown reach nobody"]
pub(crate) struct StagedBatch(Batch);

impl StagedBatch {
    /// Makes them appear in the outboxes.
    ///
    /// # Errors
    /// If the disk refuses; the next opening of the campaign shows those that are on record.
    pub(crate) fn show(self) -> Result<(), CampaignError> {
        Ok(self.0.keep()?)
    }
}

/// Puts letters into the outboxes.
///
/// # Errors
/// As [`stage`].
pub(crate) fn deliver(directory: &Directory, letters: &[Letter]) -> Result<(), CampaignError> {
    stage(directory, letters, &[])?.show()
}

/// Writes letters to the disk, so that no later process has to write them again. A letter that is
/// already there stays, and must have the same bytes: two different letters under one name would
/// mean that the journal was restored to an earlier state after players had been told more.
///
/// # Errors
/// If there is another letter of a name, or the disk refuses.
pub(crate) fn stage(
    directory: &Directory,
    letters: &[Letter],
    copies: &[ReadyMail],
) -> Result<StagedBatch, CampaignError> {
    let sent = letter::sent(&letters.iter().collect::<Vec<_>>())?;
    let mut batch = Batch::together();
    for (letter, sent) in letters.iter().zip(sent) {
        let bytes = sent.bytes;
        let outbox = directory.outbox(&letter.to.address_name());
        let put = if letter.aside {
            batch.add_aside(&outbox, &letter.message_id, &bytes)?
        } else {
            batch.add(&outbox, &letter.message_id, &bytes)?
        };
        if put == PutOutcome::AlreadyThere
            && let Some(there) = outbox.find(&letter.message_id)?
            && *there != *bytes
        {
            return Err(CampaignError::OtherLetter {
                to: letter.to.to_string(),
                message_id: letter.message_id.clone(),
            });
        }
    }
    for copy in copies {
        let outbox = directory.outbox(&copy.to);
        // A letter that is there already went out before a crash, and was addressed then.
        batch.add(&outbox, &copy.key, &copy.bytes)?;
    }
    batch.stage()?;
    Ok(StagedBatch(batch))
}
