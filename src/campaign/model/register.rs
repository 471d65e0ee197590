//! The end of the register: as much as its next entry needs.
//!
//! Only the room that writes letters (`post`) moves it on, since its entries bind letters. Working
//! an input off neither reads nor changes it; where the outcome is on record, the record moves it
//! on (`post::bind`).

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::work_error::WorkError,
    dice::{CampaignName, Digest, Entry, EntryBody, Foot, LedgerLine, LetterList},
    ids::SeatId,
};

/// As much of the register as the next entry needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RegisterEnd {
    /// The last entry: the next one follows it.
    pub last: Option<Arc<Entry>>,
    /// The foot of every letter: the newest entry that players have. While a phase quietly waits
    /// for answers, the seal that began it has not gone out yet, and only the seats that are asked
    /// may know of it.
    pub foot: Foot,
    /// Entries that have not gone out, the oldest first: the seal if dice wait for nothing, and
    /// notes of rulings. They go out with the next circular.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsent: Vec<Arc<Entry>>,
    /// The openings, with the note of a seed: a player who takes over a seat gets them.
    pub openings: Vec<Arc<Entry>>,
    /// The letters of each seat that the next dice entry binds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub letters: BTreeMap<SeatId, LetterList>,
    /// The debts to seats that circulars passed over, paid with their next letter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub debts: BTreeMap<SeatId, Debt>,
}

/// The debt to a seat that a circular passed over, because there was nothing in it for that seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Debt {
    /// The entries that went out, the oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// The envelopes that were closed, the oldest first.
    pub envelopes: Vec<SeatEnvelope>,
}

/// The part of a past envelope that one seat is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatEnvelope {
    /// The envelope.
    pub envelope: u32,
    /// True if its key is kept back.
    #[serde(rename = "held")]
    pub kept_back: bool,
    /// The rolls of the seat's own lane that are shown with it.
    pub rolls: Vec<LedgerLine>,
    /// The letters that its entry binds; none if the seat was passed over.
    pub letters: LetterList,
    /// Envelopes with rolls that are shown now and whose keys no later key yields.
    pub lost: Vec<u32>,
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

    /// Lets the unsent entries go out, and returns them. Seats that are passed over are owed them.
    pub(crate) fn go_out(&mut self, passed_over: &[SeatId]) -> Vec<Arc<Entry>> {
        self.foot = self.last.as_ref().map_or(Foot::NONE, |last| last.foot());
        let entries = std::mem::take(&mut self.unsent);
        for seat in passed_over {
            let owed = self.debts.entry(seat.clone()).or_default();
            owed.entries.extend(entries.iter().cloned());
        }
        entries
    }

    /// Notes the part of an envelope that a passed-over seat is still to be shown.
    pub(crate) fn owe(&mut self, seat: &SeatId, envelope: SeatEnvelope) {
        let owed = self.debts.entry(seat.clone()).or_default();
        owed.envelopes.push(envelope);
    }

    /// Takes the debt to a seat, which is paid now.
    pub(crate) fn settle(&mut self, seat: &SeatId) -> Debt {
        self.debts.remove(seat).unwrap_or_default()
    }

    /// Lists a letter among those that the next dice entry binds.
    pub(crate) fn list(&mut self, seat: &SeatId, message_id: String, letter: Digest) {
        let list = self.letters.entry(seat.clone()).or_default();
        list.push(message_id, letter);
    }

    /// Takes the letters of each seat that the present dice entry binds, and begins new lists. The
    /// lists of seats that are passed over go on.
    pub(crate) fn take_letters(&mut self, passed_over: &[SeatId]) -> BTreeMap<SeatId, LetterList> {
        let is_kept = |seat: &SeatId| passed_over.contains(seat);
        let (kept, taken) =
            (std::mem::take(&mut self.letters).into_iter()).partition(|(seat, _)| is_kept(seat));
        self.letters = kept;
        taken
    }
}
