//! The leeway of a schedule beside its deadlines: how long orders stay open after the last mail,
//! when silent seats are reminded, and what happens when orders are still missing.
//!
//! A campaign older than this has none of it, and goes on as it began.

use std::{fmt, str::FromStr};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::by_text::written_as_text;

/// The hours before a deadline at which silent seats are reminded, unless the umpire sets others.
pub const REMINDERS: [u32; 2] = [24, 3];
/// The time that orders stay open after the last mail, unless the umpire sets another.
pub const SETTLE: SignedDuration = SignedDuration::from_mins(15);

/// Nobody wants to be reminded more often.
const MOST_REMINDERS: usize = 5;
/// The longest span of this kind, in hours: a month.
const MOST_HOURS: u32 = 24 * 31;

/// The leeway of a schedule beside its deadlines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leeway {
    /// Orders that close when all are in stay open this long after the last mail, so that players
    /// can correct a slip; zero: they close with it.
    pub settle: SignedDuration,
    /// Seats that have sent nothing are reminded this many hours before a deadline.
    pub remind: Vec<u32>,
    /// The rule for orders that are missing at a deadline. Without one, standing orders decide and
    /// nobody is told.
    pub missed: Option<MissedRule>,
}

/// The rule for orders that are missing at a deadline. The seat and the umpire are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissedRule {
    /// Orders close: standing orders and the rules decide.
    StandingOrders,
    /// The wait goes on for this many hours, once.
    Wait {
        /// The number of hours.
        hours: u32,
    },
    /// The campaign is on hold until the umpire lets it go on.
    Hold,
}

impl Leeway {
    /// Checks what the types don't guarantee.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), String> {
        let most = SignedDuration::from_hours(MOST_HOURS.into());
        if !(SignedDuration::ZERO..=most).contains(&self.settle) || self.settle.subsec_nanos() != 0
        {
            return Err(format!(
                "`settle` is {:#}; it must be whole seconds, at most {most:#}",
                self.settle
            ));
        }
        if self.remind.len() > MOST_REMINDERS {
            return Err(format!("`remind` names more than {MOST_REMINDERS} hours"));
        }
        let waits = match self.missed {
            Some(MissedRule::Wait { hours }) => Some(("missed", hours)),
            _ => None,
        };
        let hours = self.remind.iter().map(|hours| ("remind", *hours));
        match hours
            .chain(waits)
            .find(|(_, hours)| !(1..=MOST_HOURS).contains(hours))
        {
            Some((name, hours)) => Err(format!(
                "`{name}` has {hours} hours; 1 to {MOST_HOURS} are possible"
            )),
            None => Ok(()),
        }
    }
}

impl FromStr for MissedRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["standing", "orders"] => Ok(Self::StandingOrders),
            ["hold"] => Ok(Self::Hold),
            ["wait", hours, "hours" | "hour"] if hours.parse::<u32>().is_ok() => Ok(Self::Wait {
                hours: hours.parse().unwrap_or_default(),
            }),
            _ => Err(format!(
                "`{text}` is none of `standing orders`, `wait 24 hours`, `hold`"
            )),
        }
    }
}

impl fmt::Display for MissedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StandingOrders => f.write_str("standing orders"),
            Self::Wait { hours } => write!(f, "wait {hours} hours"),
            Self::Hold => f.write_str("hold"),
        }
    }
}

written_as_text!(MissedRule);

/// The progress of a wait for orders by the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitProgress {
    /// When it began, or got its present deadline; none in campaigns that remind nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// When the last mail that counts came, if orders stay open after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_mail: Option<Timestamp>,
    /// The hours of the last reminder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reminded: Option<u32>,
    /// True if the deadline was missed and has been moved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overdue: bool,
}

impl WaitProgress {
    /// The progress of a wait that begins now.
    #[must_use]
    pub fn beginning(leeway: &Leeway, now: Timestamp) -> Self {
        Self {
            since: (!leeway.remind.is_empty()).then_some(now),
            ..Self::default()
        }
    }

    /// Begins anew with another deadline, for which seats are reminded again.
    pub fn begin_anew(&mut self, now: Timestamp) {
        if self.since.is_some() {
            (self.since, self.reminded) = (Some(now), None);
        }
    }

    /// The rule to apply when its deadline has passed: the wait is prolonged only once.
    #[must_use]
    pub fn follows(&self, rule: MissedRule) -> MissedRule {
        match rule {
            MissedRule::Wait { .. } if self.overdue => MissedRule::StandingOrders,
            rule => rule,
        }
    }

    /// Returns true if it says nothing.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        *self == Self::default()
    }
}
