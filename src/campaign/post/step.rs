//! The record whose outcome is written.

use jiff::Timestamp;

use crate::{campaign::model::events::Event, digest::Digest, store::Record};

/// The step that letters belong to: its time, and the journal's head.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its time.
    pub time: Timestamp,
    /// Its head: the journal's, while the work is done.
    pub head: Digest,
}

impl Step {
    /// The step of a record.
    #[must_use]
    pub fn of(record: &Record<Event>) -> Self {
        Self {
            time: record.time,
            head: record.head,
        }
    }
}
