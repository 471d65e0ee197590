//! Letters into the outboxes.

use super::CampaignError;
use crate::{
    campaign::post::{Letter, letter},
    mail::maildir::{Batch, Maildir, PutOutcome},
    store::directory::Directory,
};

/// Puts letters into the outboxes. A letter that is there already is left as it is, and must have
/// the same bytes: two letters under one name would mean that a journal was put back to an earlier
/// state after players had been told more.
pub(crate) fn deliver(directory: &Directory, letters: &[Letter]) -> Result<(), CampaignError> {
    let sent = letter::sent(&letters.iter().collect::<Vec<_>>())?;
    let mut batch = Batch::default();
    for (letter, sent) in letters.iter().zip(sent) {
        let bytes = sent.bytes;
        let outbox = Maildir::at(directory.outbox(&letter.to.address_name()));
        outbox.create()?;
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
    Ok(batch.keep()?)
}
