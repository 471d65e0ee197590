//! The register of the dice as far as its next entry needs it.
//!
//! Only what writes letters moves it on (`post`), since its entries bind letters. Whoever works an
//! input off neither reads nor changes it; where the outcome is on record, it is moved on by what
//! stands there (`post::bind`).

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::work_error::WorkError,
    dice::{CampaignName, Digest, Entry, EntryBody, Foot, LetterList},
    ids::SeatId,
};

/// The register as far as the next entry needs it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegisterEnd {
    /// The last entry: the next one follows it.
    pub last: Option<Arc<Entry>>,
    /// The foot of every mail: the newest entry that players have. While a phase waits for answers,
    /// the seal that began it has not gone out yet, and nobody but the asked may know that there is
    /// one.
    pub foot: Foot,
    /// Entries that have not gone out, the oldest first: the seal where dice wait for nothing,
    /// notes of the umpire's rulings. They go out with the next circular.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsent: Vec<Arc<Entry>>,
    /// The openings, with the note of a seed: whoever takes a seat over gets them.
    pub openings: Vec<Arc<Entry>>,
    /// The letters of each seat that the next dice entry binds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub letters: BTreeMap<SeatId, LetterList>,
}

impl RegisterEnd {
    /// Makes the next entry. It has not gone out then.
    ///
    /// # Errors
    /// If no entry can say this.
    pub(crate) fn enter(
        &mut self,
        name: &CampaignName,
        body: EntryBody,
    ) -> Result<Arc<Entry>, WorkError> {
        let entry = Arc::new(Entry::after(self.last.as_deref(), name.clone(), body)?);
        self.add(&entry);
        Ok(entry)
    }

    /// Adds an entry that has been made. It has not gone out then.
    pub(crate) fn add(&mut self, entry: &Arc<Entry>) {
        self.last = Some(Arc::clone(entry));
        self.unsent.push(Arc::clone(entry));
    }

    /// The newest entry belongs to those with which a seat is opened.
    pub(crate) fn open_with_last(&mut self) {
        self.openings.extend(self.last.clone());
    }

    /// What has not gone out goes out now.
    pub(crate) fn go_out(&mut self) -> Vec<Arc<Entry>> {
        self.foot = self.last.as_ref().map_or(Foot::NONE, |last| last.foot());
        std::mem::take(&mut self.unsent)
    }

    /// Lists a letter among those that the next dice entry binds.
    pub(crate) fn list(&mut self, seat: &SeatId, message_id: String, letter: Digest) {
        let list = self.letters.entry(seat.clone()).or_default();
        list.push(message_id, letter);
    }

    /// The letters of each seat that the dice entry binds which is made now. From now on others are
    /// listed.
    pub(crate) fn take_letters(&mut self) -> BTreeMap<SeatId, LetterList> {
        std::mem::take(&mut self.letters)
    }
}
