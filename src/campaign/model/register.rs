//! The end of the register: as much as its next entry needs.
//!
//! Only the room that writes letters (`post`) moves it on, since its entries bind letters. Working
//! an input off neither reads nor changes it; where the outcome is on record, the record moves it
//! on (`post::bind`).

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::work_error::WorkError,
    dice::{CampaignName, Digest, Entry, EntryBody, Foot, LetterList},
    ids::SeatId,
};

/// As much of the register as the next entry needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegisterEnd {
    /// The last entry: the next one follows it.
    pub last: Option<Arc<Entry>>,
    /// The foot of every letter: the newest entry that players have. While a phase waits for
    /// answers in quiet, the seal that began it has not gone out yet, and only the asked may know
    /// of it.
    pub foot: Foot,
    /// Entries that have not gone out, the oldest first: the seal if dice wait for nothing, and
    /// notes of rulings. They go out with the next circular.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsent: Vec<Arc<Entry>>,
    /// The openings, with the note of a seed: whoever takes over a seat gets them.
    pub openings: Vec<Arc<Entry>>,
    /// The letters of each seat that the next dice entry binds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub letters: BTreeMap<SeatId, LetterList>,
}

impl RegisterEnd {
    /// Makes the next entry, which has not gone out yet.
    ///
    /// # Errors
    /// If this can't be an entry.
    pub(crate) fn enter(
        &mut self,
        name: &CampaignName,
        body: EntryBody,
    ) -> Result<Arc<Entry>, WorkError> {
        let entry = Arc::new(Entry::after(self.last.as_deref(), name.clone(), body)?);
        self.add(&entry);
        Ok(entry)
    }

    /// Adds a ready-made entry, which has not gone out yet.
    pub(crate) fn add(&mut self, entry: &Arc<Entry>) {
        self.last = Some(Arc::clone(entry));
        self.unsent.push(Arc::clone(entry));
    }

    /// Adds the newest entry to those that opening letters bring.
    pub(crate) fn open_with_last(&mut self) {
        self.openings.extend(self.last.clone());
    }

    /// Lets the unsent entries go out, and returns them.
    pub(crate) fn go_out(&mut self) -> Vec<Arc<Entry>> {
        self.foot = self.last.as_ref().map_or(Foot::NONE, |last| last.foot());
        std::mem::take(&mut self.unsent)
    }

    /// Lists a letter among those that the next dice entry binds.
    pub(crate) fn list(&mut self, seat: &SeatId, message_id: String, letter: Digest) {
        let list = self.letters.entry(seat.clone()).or_default();
        list.push(message_id, letter);
    }

    /// Takes the letters of each seat that the present dice entry binds, and begins new lists.
    pub(crate) fn take_letters(&mut self) -> BTreeMap<SeatId, LetterList> {
        std::mem::take(&mut self.letters)
    }
}
