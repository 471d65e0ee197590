//! Limits on how much the host takes and writes in an hour. A sender who is faster than a person is
//! a program, and two programs that answer each other would go on for ever.
//!
//! These counts decide which letters are written. So they go by the times of the records and are
//! part of the state: replaying a journal gives the same counts. For the same reason the limits are
//! not settings.

use std::{collections::BTreeMap, fmt};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Mails of a seat that are taken in an hour.
pub const MAILS: u32 = 30;
/// Mails of a seat that are answered in an hour though nothing in them counts.
pub const REFUSALS: u32 = 10;
/// Letters that go out to a seat again in an hour.
pub const COPIES: u32 = 24;
/// Letters that a seat writes to others in an hour, each of its readers counted.
pub const PRESS: u32 = 60;
/// Mails without a good token whose questions are answered in an hour.
pub const UNPROVEN: u32 = 3;
/// Notices that the umpire gets in an hour.
pub const NOTICES: u32 = 10;
/// Mails that change nothing and are recorded in an hour: those of strangers and programs, and
/// second copies. Any beyond that are passed over, so that nobody can make a journal grow without
/// end.
pub const IDLE: u32 = 20;

/// A thing counted by the hour, and its owner.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RateKind<'a> {
    /// Mails of a seat that are taken.
    Mails(&'a str),
    /// Answers to a seat's mails in which nothing counts.
    Refusals(&'a str),
    /// Letters that go out to a seat again.
    Copies(&'a str),
    /// Letters of a seat to others.
    Press(&'a str),
    /// Questions that came in a seat's name without a good token.
    Unproven(&'a str),
    /// Notices to the umpire.
    Notices,
    /// Mails that change nothing.
    Idle,
}

impl fmt::Display for RateKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mails(seat) => write!(f, "mails {seat}"),
            Self::Refusals(seat) => write!(f, "refusals {seat}"),
            Self::Copies(seat) => write!(f, "copies {seat}"),
            Self::Press(seat) => write!(f, "press {seat}"),
            Self::Unproven(seat) => write!(f, "unproven {seat}"),
            Self::Notices => f.write_str("notices"),
            Self::Idle => f.write_str("idle"),
        }
    }
}

const WINDOW: SignedDuration = SignedDuration::from_hours(1);

/// A count of events since a moment, at most an hour ago.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    since: Timestamp,
    count: u32,
}

/// The counts of the present hour, by kind and owner.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rates(BTreeMap<String, Rate>);

impl Rates {
    /// Returns true if nothing has been counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The count in the hour of this moment.
    pub(crate) fn counted(&self, what: RateKind<'_>, at: Timestamp) -> u32 {
        let rate = self.0.get(&what.to_string());
        rate.filter(|rate| at.duration_since(rate.since) < WINDOW)
            .map_or(0, |rate| rate.count)
    }

    /// Counts an event that happens now. Returns the count of this hour, this one included.
    pub(crate) fn count(&mut self, what: RateKind<'_>, now: Timestamp) -> u32 {
        // Past hours are forgotten, so that the list stays short.
        self.0
            .retain(|_, rate| now.duration_since(rate.since) < WINDOW);
        let begun = Rate {
            since: now,
            count: 0,
        };
        let rate = self.0.entry(what.to_string()).or_insert(begun);
        rate.count = rate.count.saturating_add(1);
        rate.count
    }
}
