//! How much the host writes in an hour. Whoever writes faster than a person is a program, and two
//! programs that answer each other would go on for ever.
//!
//! What is counted decides which letters are written, so it is counted by the times of the records
//! and stands in the state: replaying a journal gives the same. For the same reason these numbers
//! are no settings.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Mails of a seat that are taken in an hour.
pub const MAILS: u32 = 30;
/// Mails of a seat that are answered in an hour though nothing in them counts.
pub const REFUSALS: u32 = 10;
/// Notices to the umpire in an hour.
pub const NOTICES: u32 = 10;
/// Mails that change nothing and are recorded in an hour: those of strangers, programs, second
/// copies. What comes beyond is passed over, so that nobody can make a journal grow without end.
pub const IDLE: u32 = 20;

/// Under this name mails that change nothing are counted.
pub const IDLE_MAILS: &str = "idle";

const WINDOW: SignedDuration = SignedDuration::from_hours(1);

/// How often something happened since a moment, an hour at most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    since: Timestamp,
    count: u32,
}

/// What has been counted in the present hour, by what it is and whose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rates(BTreeMap<String, Rate>);

impl Rates {
    /// Returns true if nothing has been counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How often it has happened in the hour that a moment belongs to.
    pub(crate) fn counted(&self, what: &str, whose: &str, at: Timestamp) -> u32 {
        let rate = self.0.get(&format!("{what} {whose}"));
        rate.filter(|rate| at.duration_since(rate.since) < WINDOW)
            .map_or(0, |rate| rate.count)
    }

    /// Counts what happens now. Gives how often it has happened in this hour, this time included.
    pub(crate) fn count(&mut self, what: &str, whose: &str, now: Timestamp) -> u32 {
        // What is over is forgotten, so that this list stays as short as the hour was quiet.
        self.0
            .retain(|_, rate| now.duration_since(rate.since) < WINDOW);
        let begun = Rate {
            since: now,
            count: 0,
        };
        let rate = self.0.entry(format!("{what} {whose}")).or_insert(begun);
        rate.count = rate.count.saturating_add(1);
        rate.count
    }
}
