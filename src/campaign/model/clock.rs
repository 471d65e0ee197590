//! Schedules of orders: deadlines in the players' own time zone, through every change of the
//! clocks.
//!
//! The rules of time zones change from year to year, so a deadline is computed once and then kept
//! in the journal, where replays read it.

use std::{fmt, str::FromStr};

use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{Time, Weekday},
    tz::{TimeZone, TimeZoneDatabase},
};
use serde::{Deserialize, Serialize};

use super::leeway::{Leeway, MissedRule};
use crate::by_text::written_as_text;

/// The longest waiting time of a schedule, in hours: a quarter of a year.
const MOST_HOURS: u32 = 24 * 92;

/// Hours for his orders of somebody who has been away.
const A_DAY: u32 = 24;

/// Nobody answers a question by mail in less time than this.
const SHORTEST_DELAY: SignedDuration = SignedDuration::from_hours(1);

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("Mon", Weekday::Monday),
    ("Tue", Weekday::Tuesday),
    ("Wed", Weekday::Wednesday),
    ("Thu", Weekday::Thursday),
    ("Fri", Weekday::Friday),
    ("Sat", Weekday::Saturday),
    ("Sun", Weekday::Sunday),
];

/// The calendar of a campaign.
///
/// In the settings `{zone: Europe/Paris, at: [Tue 20:00, Fri 20:00], least_hours: 24}`, perhaps
/// with `early: true` and `grace_hours: 2`; or without `at`,
/// `{zone: Europe/Paris, most_hours: 168}`. Both may have `dispatch_after: 24h`, and what
/// [`Leeway`] has: `settle: 15m`, `remind: [24, 3]`, `missed: standing orders`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawSchedule", into = "RawSchedule")]
pub struct Schedule {
    zone: ClockZone,
    deadlines: Deadlines,
    grace_hours: u32,
    dispatch_after: Option<SignedDuration>,
    when_ready: bool,
    leeway: Leeway,
}

/// A time zone of the IANA database, `Europe/Paris`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockZone {
    name: String,
    rules: TimeZone,
}

/// The rule that ends a wait for orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deadlines {
    /// The last missing orders.
    WhenAllIn {
        /// The wait ends after this many hours even if orders are missing; `None`: never.
        most_hours: Option<u32>,
    },
    /// A fixed moment of the week.
    Fixed {
        /// The moments, at least one.
        at: Vec<WeeklyTime>,
        /// Players have at least this many hours; earlier moments are skipped.
        least_hours: u32,
        /// True if the wait ends early once all orders are in.
        early: bool,
    },
}

/// A moment of every week, `Tue 20:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeeklyTime {
    /// The day of the week.
    pub weekday: Weekday,
    /// The local time, in whole minutes.
    pub time: Time,
}

/// A schedule as the settings have it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSchedule {
    zone: ClockZone,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    at: Vec<WeeklyTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    least_hours: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    early: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    most_hours: Option<u32>,
    #[serde(default)]
    grace_hours: u32,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "jiff::fmt::serde::duration::friendly::compact::optional"
    )]
    dispatch_after: Option<SignedDuration>,
    #[serde(
        default,
        skip_serializing_if = "SignedDuration::is_zero",
        serialize_with = "jiff::fmt::serde::duration::friendly::compact::required"
    )]
    settle: SignedDuration,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remind: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missed: Option<MissedRule>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    when_ready: bool,
}

impl Schedule {
    /// Makes a schedule.
    ///
    /// # Errors
    /// The fault, for the author of the settings: no moment, no hours, too many hours.
    pub fn new(zone: ClockZone, deadlines: Deadlines, grace_hours: u32) -> Result<Self, String> {
        let (name, hours) = match &deadlines {
            Deadlines::WhenAllIn {
                most_hours: Some(0),
            } => return Err("`most_hours` must be 1 or more".into()),
            Deadlines::WhenAllIn { most_hours } => ("most_hours", most_hours.unwrap_or(0)),
            Deadlines::Fixed { at, .. } if at.is_empty() => {
                return Err("`at` names no moment".into());
            }
            Deadlines::Fixed { least_hours, .. } => ("least_hours", *least_hours),
        };
        for (name, hours) in [(name, hours), ("grace_hours", grace_hours)] {
            if hours > MOST_HOURS {
                return Err(format!(
                    "`{name}` is {hours}; more than {MOST_HOURS} is no turn by mail"
                ));
            }
        }
        Ok(Self {
            zone,
            deadlines,
            grace_hours,
            dispatch_after: None,
            when_ready: false,
            leeway: Leeway::default(),
        })
    }

    /// Lets orders close before their deadline only when everybody who is asked for them has said
    /// READY.
    ///
    /// # Errors
    /// If they never close before it.
    pub fn closing_when_ready(self) -> Result<Self, String> {
        if !self.closes_early() {
            return Err(
                "`when_ready` is for orders that close when all are in, not for fixed deadlines \
                 without `early`"
                    .into(),
            );
        }
        if !self.leeway.settle.is_zero() {
            return Err("`settle` is not for orders that close by READY".into());
        }
        Ok(Self {
            when_ready: true,
            ..self
        })
    }

    /// Returns true if orders close before their deadline only when everybody who is asked for them
    /// has said READY.
    #[must_use]
    pub fn when_ready(&self) -> bool {
        self.when_ready
    }

    /// Sets the leeway around a deadline, and before an early close.
    ///
    /// # Errors
    /// The fault in it, or the way in which it does not fit these deadlines.
    pub fn with_leeway(self, leeway: Leeway) -> Result<Self, String> {
        leeway.check()?;
        if !leeway.settle.is_zero() && self.when_ready {
            return Err("`settle` is not for orders that close by READY".into());
        }
        if !leeway.settle.is_zero() && !self.closes_early() {
            return Err(
                "`settle` is for orders that close when all are in, not for fixed deadlines without \
                 `early`"
                    .into(),
            );
        }
        Ok(Self { leeway, ..self })
    }

    /// The leeway around a deadline, and before an early close.
    #[must_use]
    pub fn leeway(&self) -> &Leeway {
        &self.leeway
    }

    /// Returns true if orders close before their deadline when all are in.
    #[must_use]
    pub fn closes_early(&self) -> bool {
        !matches!(self.deadlines, Deadlines::Fixed { early: false, .. })
    }

    /// The moment until which orders stay open after a mail; none if they close with the mail, or
    /// with the last READY.
    #[must_use]
    pub fn settled_at(&self, mail: Timestamp) -> Option<Timestamp> {
        let settle = self.leeway.settle;
        let settles = self.closes_early() && !settle.is_zero() && !self.when_ready;
        settles.then(|| mail.checked_add(settle).ok()).flatten()
    }

    /// Lets dispatches go out exactly this long after a seal, whatever is asked in between.
    ///
    /// # Errors
    /// If nobody could answer in that time, or nobody would wait for it.
    pub fn dispatching_after(self, after: SignedDuration) -> Result<Self, String> {
        let most = SignedDuration::from_hours(MOST_HOURS.into());
        if !(SHORTEST_DELAY..=most).contains(&after) || after.subsec_nanos() != 0 {
            return Err(format!(
                "`dispatch_after` is {after:#}; it must be whole seconds, at least {SHORTEST_DELAY:#} so that questions can be \
                 answered in time, and at most {most:#}"
            ));
        }
        Ok(Self {
            dispatch_after: Some(after),
            ..self
        })
    }

    /// The time from a seal to its dispatches; none if they go out as soon as all answers are in.
    #[must_use]
    pub fn dispatch_after(&self) -> Option<SignedDuration> {
        self.dispatch_after
    }

    /// The moment when everybody is told the outcome of a seal whose dice were known at `rolled`;
    /// none for as soon as they are known.
    #[must_use]
    pub fn dispatch_at(&self, rolled: Timestamp) -> Option<Timestamp> {
        rolled.checked_add(self.dispatch_after?).ok()
    }

    /// The time zone in which players are told deadlines.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        &self.zone.rules
    }

    /// The rule that ends a wait.
    #[must_use]
    pub fn deadlines(&self) -> &Deadlines {
        &self.deadlines
    }

    /// The deadline of a wait that begins at `after`; `None` if it ends only when all orders are
    /// in.
    ///
    /// A local time that the change to summer time skips counts as an hour later; of one that comes
    /// twice in autumn, the first counts.
    #[must_use]
    pub fn next_deadline(&self, after: Timestamp) -> Option<Timestamp> {
        match &self.deadlines {
            Deadlines::WhenAllIn { most_hours } => later(after, (*most_hours)?),
            Deadlines::Fixed {
                at, least_hours, ..
            } => self.next_slot(at, after, later(after, *least_hours)?),
        }
    }

    /// The first weekly moment that is after `after` and not before `earliest`.
    fn next_slot(
        &self,
        at: &[WeeklyTime],
        after: Timestamp,
        earliest: Timestamp,
    ) -> Option<Timestamp> {
        let today = earliest.to_zoned(self.zone().clone()).date();
        // A change of the clocks can move a moment over midnight: one day on both sides of the
        // week.
        let days = (-1..=8).filter_map(|days: i64| today.checked_add(days.days()).ok());
        days.flat_map(|day| {
            at.iter()
                .filter(move |slot| slot.weekday == day.weekday())
                .map(move |slot| (day, slot))
        })
        .filter_map(|(day, slot)| {
            day.to_datetime(slot.time)
                .to_zoned(self.zone().clone())
                .ok()
        })
        .map(|moment| moment.timestamp())
        .filter(|moment| *moment >= earliest && *moment > after)
        .min()
    }

    /// The deadline of a wait for somebody who is away until this moment: he has a day for his
    /// orders, where the schedule gives so much.
    #[must_use]
    pub fn after_absence(&self, until: Timestamp) -> Option<Timestamp> {
        match &self.deadlines {
            Deadlines::WhenAllIn { most_hours } => {
                later(until, most_hours.map_or(A_DAY, |hours| hours.min(A_DAY)))
            }
            Deadlines::Fixed {
                at, least_hours, ..
            } => self.next_slot(at, until, later(until, (*least_hours).min(A_DAY))?),
        }
    }

    /// Returns true if the wait may end now. With all orders in, the schedule must allow it or the
    /// deadline must have come; with orders missing, the grace period after the deadline must be
    /// over too. A deadline set by the umpire counts like the schedule's.
    #[must_use]
    pub fn is_due(&self, deadline: Option<Timestamp>, all_in: bool, now: Timestamp) -> bool {
        match deadline {
            _ if all_in && self.closes_early() => true,
            None => all_in,
            Some(deadline) if all_in => now >= deadline,
            Some(deadline) => self.end_of_grace(deadline).is_some_and(|end| now >= end),
        }
    }

    /// When the grace period after a deadline ends.
    #[must_use]
    pub fn end_of_grace(&self, deadline: Timestamp) -> Option<Timestamp> {
        later(deadline, self.grace_hours)
    }
}

fn later(moment: Timestamp, hours: u32) -> Option<Timestamp> {
    moment
        .checked_add(SignedDuration::from_hours(hours.into()))
        .ok()
}

impl TryFrom<RawSchedule> for Schedule {
    type Error = String;

    fn try_from(written: RawSchedule) -> Result<Self, String> {
        let RawSchedule {
            zone,
            at,
            least_hours,
            early,
            most_hours,
            grace_hours,
            dispatch_after,
            settle,
            remind,
            missed,
            when_ready,
        } = written;
        let deadlines = match most_hours {
            Some(_) if !at.is_empty() => {
                return Err("`most_hours` is for schedules without `at`".into());
            }
            None if !at.is_empty() => Deadlines::Fixed {
                at,
                least_hours: least_hours.unwrap_or(0),
                early: early.unwrap_or(false),
            },
            _ if least_hours.is_some() || early.is_some() => {
                return Err("`least_hours` and `early` are for schedules with `at`".into());
            }
            most_hours => Deadlines::WhenAllIn { most_hours },
        };
        let leeway = Leeway {
            settle,
            remind,
            missed,
        };
        let schedule = Self::new(zone, deadlines, grace_hours)?.with_leeway(leeway)?;
        let schedule = match dispatch_after {
            Some(after) => schedule.dispatching_after(after)?,
            None => schedule,
        };
        match when_ready {
            true => schedule.closing_when_ready(),
            false => Ok(schedule),
        }
    }
}

impl From<Schedule> for RawSchedule {
    fn from(schedule: Schedule) -> Self {
        let Schedule {
            zone,
            deadlines,
            grace_hours,
            dispatch_after,
            when_ready,
            leeway,
        } = schedule;
        let (at, least_hours, early, most_hours) = match deadlines {
            Deadlines::WhenAllIn { most_hours } => (Vec::new(), None, None, most_hours),
            Deadlines::Fixed {
                at,
                least_hours,
                early,
            } => (at, Some(least_hours), Some(early), None),
        };
        Self {
            zone,
            at,
            least_hours,
            early,
            most_hours,
            grace_hours,
            dispatch_after,
            settle: leeway.settle,
            remind: leeway.remind,
            missed: leeway.missed,
            when_ready,
        }
    }
}

impl ClockZone {
    /// The zone, for computations.
    #[must_use]
    pub fn rules(&self) -> &TimeZone {
        &self.rules
    }
}

impl FromStr for ClockZone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The built-in zones: the same on every machine, and available without files.
        match TimeZoneDatabase::bundled().get(text) {
            Ok(rules) => Ok(Self {
                name: text.to_owned(),
                rules,
            }),
            Err(_) => Err(format!(
                "there is no time zone `{text}`; write it as `Europe/Paris` or `UTC`"
            )),
        }
    }
}

impl fmt::Display for ClockZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

written_as_text!(ClockZone);

impl FromStr for WeeklyTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (day, time) = text.split_once(' ')?;
            let weekday = WEEKDAYS
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(day))?
                .1;
            let (hour, minute) = time.trim_start().split_once(':')?;
            let time = Time::new(two_digits(hour)?, two_digits(minute)?, 0, 0).ok()?;
            Some(Self { weekday, time })
        };
        read().ok_or_else(|| format!("`{text}` is no moment of the week; write it as `Tue 20:00`"))
    }
}

fn two_digits(text: &str) -> Option<i8> {
    text.parse()
        .ok()
        .filter(|_| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()))
}

impl fmt::Display for WeeklyTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = WEEKDAYS
            .iter()
            .find(|(_, day)| *day == self.weekday)
            .map_or("", |(name, _)| name);
        write!(f, "{day} {:02}:{:02}", self.time.hour(), self.time.minute())
    }
}

written_as_text!(WeeklyTime);

#[cfg(test)]
mod tests;
