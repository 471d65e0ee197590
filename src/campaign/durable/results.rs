//! How a campaign ended, in a file for the club: nothing stands there while it goes on, or before
//! its players have been told.

use super::{Campaign, CampaignError};
use crate::{
    campaign::model::{endings::result_of, stints::CampaignResult},
    store::{Blob, Directory, StoreError},
};

/// How a campaign ended, as its last pass has left it; none while it goes on.
///
/// # Errors
/// The environment.
pub fn result(directory: &Directory) -> Result<Option<CampaignResult>, StoreError> {
    let text = directory.fetch(Blob::Result)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

impl Campaign {
    /// Writes down how it ended, if it has and a club wants to know; takes that back if the umpire
    /// has had it go on.
    pub(crate) fn keep_result(&self) -> Result<(), CampaignError> {
        if self.context().settings.club.is_none() {
            return Ok(());
        }
        let directory = self.directory();
        let before = result(directory)?;
        let now = result_of(self.context(), self.state());
        if now == before {
            return Ok(());
        }
        match now {
            None => {
                directory.remove(Blob::Result)?;
            }
            Some(now) => {
                let text = serde_json::to_string(&now).map_err(|error| StoreError::Unwritable {
                    what: "result",
                    problem: error.to_string(),
                })?;
                directory.keep(Blob::Result, &text)?;
            }
        }
        Ok(())
    }
}
