//! How a campaign ended, in a file for the club: nothing stands there while it goes on, or before
//! its players have been told.

use super::{Campaign, CampaignError, from_club::kept};
use crate::{
    campaign::model::{endings::result_of, stints::CampaignResult},
    digest::Digest,
    store::{Blob, Directory, StoreError},
};

/// How a campaign ended, as its last pass has left it, and the mark of what it says; none while it
/// goes on.
///
/// # Errors
/// The environment.
pub fn result(directory: &Directory) -> Result<(Option<CampaignResult>, Digest), StoreError> {
    let (text, mark) = kept(directory, Blob::Result)?;
    let result = text.and_then(|text| serde_json::from_str(&text).ok());
    Ok((result, mark))
}

impl Campaign {
    /// Writes down how it ended, if it has; takes that back if the umpire has had it go on.
    pub(crate) fn keep_result(&self) -> Result<(), CampaignError> {
        let result = result_of(self.context(), self.state());
        let text = result.map(|result| serde_json::to_string(&result));
        let text = text.transpose().map_err(|error| StoreError::Unwritable {
            what: "result",
            problem: error.to_string(),
        })?;
        self.keep_for_club(Blob::Result, text)
    }
}
