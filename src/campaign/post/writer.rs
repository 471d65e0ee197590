//! The writer of letters: what it has written so far, and the register.

use std::{collections::VecDeque, sync::Arc};

use super::{letter::Letter, step::Step};
use crate::{
    campaign::model::{
        context::Context, events::LetterRecord, register::RegisterEnd, work_error::WorkError,
    },
    dice::{self, Entry, EntryBody},
    ids::SeatId,
};

/// The letters written so far.
#[derive(Clone, Debug, Default)]
pub struct Mailing {
    /// The letters, in their order; empty where they are on record and were not written again.
    pub letters: Vec<Letter>,
    /// The journal's record of each letter.
    pub mails: Vec<LetterRecord>,
    /// The entries of the register, in their order.
    pub entries: Vec<Arc<Entry>>,
    /// Orders that a seal bound, dispatches and the journal's head: the items of the dice protocol,
    /// by file name.
    pub items: Vec<(String, String)>,
    /// Receipts that were issued.
    pub receipts: Vec<String>,
    /// The digests of the pictures, in their order.
    pub pictures: Vec<dice::Digest>,
    /// Errors of the rules' template functions, with the seats whose letters lack the proposals.
    pub unproposed: Vec<(SeatId, String)>,
}

/// The writer of one input's letters: what they share, and what has been written so far.
pub(super) struct LetterWriter<'a> {
    pub context: &'a Context,
    pub step: Step,
    pub register: &'a mut RegisterEnd,
    /// The digests of pictures that are on record.
    pub pictures: VecDeque<dice::Digest>,
    pub mailing: Mailing,
}

/// Entries as letters print them.
pub(super) fn texts_of(entries: &[Arc<Entry>]) -> Vec<String> {
    entries.iter().map(ToString::to_string).collect()
}

impl LetterWriter<'_> {
    /// Makes the next entry of the register.
    pub(super) fn enter(&mut self, body: EntryBody) -> Result<Arc<Entry>, WorkError> {
        let entry = self.register.enter(self.context.name(), body)?;
        self.mailing.entries.push(Arc::clone(&entry));
        Ok(entry)
    }
}
