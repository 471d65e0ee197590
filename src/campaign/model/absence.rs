//! Players who are away for a while, and those who have gone.

use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{
    player_address::{Address, BotName},
    seats::Seat,
};

/// Nobody is away for longer with one word of his, in days.
pub const LONGEST: i64 = 92;

/// What a campaign does about players who are away, or gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AbsenceRules {
    /// The most days by which one seat's absences move deadlines, all of them together.
    #[serde(default, skip_serializing_if = "is_none")]
    pub days: u32,
    /// The number of deadlines that a seat may miss in a row before it is offered to others; 0: it
    /// never is.
    #[serde(default, skip_serializing_if = "is_none")]
    pub offered_after: u32,
    /// What an opponent may ask for after that.
    #[serde(default, skip_serializing_if = "OpponentRights::are_none")]
    pub opponent: OpponentRights,
}

/// What the opponent of a player who has gone may ask for: he is never punished for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentRights {
    /// Another player for the seat.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replacement: bool,
    /// A bot in the seat.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// The win, as if the seat had given up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub win: bool,
}

impl OpponentRights {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    fn are_none(&self) -> bool {
        *self == Self::default()
    }

    /// Returns true if the opponent may ask for this.
    #[must_use]
    pub fn have(self, remedy: Remedy) -> bool {
        match remedy {
            Remedy::Replacement => self.replacement,
            Remedy::Bot => self.bot,
            Remedy::Win => self.win,
        }
    }
}

/// What an opponent asks for where a player has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// Another player.
    Replacement,
    /// A bot.
    Bot,
    /// The win.
    Win,
}

impl Remedy {
    /// The key of its words.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Replacement => "replacement",
            Self::Bot => "bot",
            Self::Win => "win",
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_none(count: &u32) -> bool {
    *count == 0
}

impl AbsenceRules {
    /// Returns true if it is the default, which settings leave out.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Checks what the types don't guarantee.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        let most = u32::try_from(4 * LONGEST).unwrap_or(u32::MAX);
        for (name, count) in [("days", self.days), ("offered_after", self.offered_after)] {
            if count > most {
                return Err(format!("`absence`: `{name}` is {count}; at most {most}"));
            }
        }
        if self.offered_after == 0 && !self.opponent.are_none() {
            return Err(
                "`absence`: `opponent` needs `offered_after`: the number of missed deadlines after which he may ask".into(),
            );
        }
        Ok(())
    }

    /// By how much the absences of a seat may still move deadlines.
    #[must_use]
    pub fn left(&self, attendance: &Attendance) -> SignedDuration {
        let all = SignedDuration::from_hours(24 * i64::from(self.days));
        let used = SignedDuration::from_secs(attendance.moved);
        all.saturating_sub(used).max(SignedDuration::ZERO)
    }
}

/// The treatment of a seat while its player is away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbsenceAct {
    /// Deadlines move until he is back, as far as the campaign allows.
    #[default]
    Waits,
    /// Nobody waits for him: his standing orders and the rules decide.
    StandingOrders,
    /// A bot of the game writes for him.
    Bot(BotName),
}

/// A time in which a player is away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absence {
    /// Since when.
    pub from: Timestamp,
    /// Until when, this moment not included.
    pub until: Timestamp,
    /// What happens meanwhile.
    pub acts: AbsenceAct,
}

impl Absence {
    /// Returns true if he is away at this moment.
    #[must_use]
    pub fn covers(&self, at: Timestamp) -> bool {
        (self.from..self.until).contains(&at)
    }
}

/// How a seat's player attends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attendance {
    /// The absence that is known; perhaps it lies ahead, or is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absence: Option<Absence>,
    /// By how many seconds deadlines have moved for its absences.
    #[serde(default)]
    pub moved: i64,
    /// How many deadlines it has missed since its player was last heard of.
    #[serde(default)]
    pub missed: u32,
    /// How many it has missed at all.
    #[serde(default)]
    pub missed_ever: u32,
    /// True if its opponent has asked for another player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sought: bool,
    /// How many waits have ended with its words in.
    #[serde(default, skip_serializing_if = "is_none")]
    pub kept: u32,
}

impl Attendance {
    /// Returns true if it says nothing.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        *self == Self::default()
    }

    /// The absence of this moment.
    #[must_use]
    pub fn away(&self, at: Timestamp) -> Option<&Absence> {
        self.absence.as_ref().filter(|absence| absence.covers(at))
    }

    /// Returns true if nobody waits for its player at this moment.
    #[must_use]
    pub fn is_excused(&self, at: Timestamp) -> bool {
        let away = self.away(at);
        away.is_some_and(|absence| absence.acts == AbsenceAct::StandingOrders)
    }
}

/// A day as somebody writes it, perhaps without the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenDay {
    /// The year, if it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// The month.
    pub month: i8,
    /// The day of the month.
    pub day: i8,
}

impl WrittenDay {
    /// The date that is meant: without a year, the first one that is not before `earliest`.
    #[must_use]
    pub fn date(self, earliest: Date) -> Option<Date> {
        let years = match self.year {
            Some(year) => year..=year,
            // Four years on there is a 29 February again, or eight, around 2100.
            None => earliest.year()..=earliest.year().saturating_add(8),
        };
        let mut dates = years.filter_map(|year| Date::new(year, self.month, self.day).ok());
        dates.find(|date| self.year.is_some() || *date >= earliest)
    }
}

/// Days in which somebody is away, as he writes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenAbsence {
    /// The first day; none if he is away from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<WrittenDay>,
    /// The last day.
    pub until: WrittenDay,
    /// What happens meanwhile.
    #[serde(default)]
    pub acts: AbsenceAct,
}

impl WrittenAbsence {
    /// The time that is meant, written at this moment by somebody in this zone.
    ///
    /// # Errors
    /// The key of what is wrong with it.
    pub fn meant(&self, now: Timestamp, zone: &TimeZone) -> Result<Absence, &'static str> {
        let no_date = || "absent_no_date";
        let today = now.to_zoned(zone.clone()).date();
        let first = match self.from {
            Some(from) => from.date(today).ok_or_else(no_date)?,
            None => today,
        };
        let last = self.until.date(first).ok_or_else(no_date)?;
        let behind = last.checked_add(1.day()).map_err(|_| no_date())?;
        let begins = |date: Date| date.to_zoned(zone.clone()).map(|at| at.timestamp());
        let from = begins(first).map_err(|_| no_date())?.max(now);
        let until = begins(behind).map_err(|_| no_date())?;
        let day = SignedDuration::from_hours(24);
        let is_long = until.duration_since(from) > day.saturating_mul(LONGEST as i32 + 1);
        match until {
            _ if last < first => Err("absent_order"),
            until if until <= now => Err("absent_past"),
            _ if is_long || from.duration_since(now) > day.saturating_mul(366) => {
                Err("absent_long")
            }
            until => Ok(Absence {
                from,
                until,
                acts: self.acts.clone(),
            }),
        }
    }
}

/// What the club around the campaigns tells one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClubWord {
    /// The player at one of these addresses is away.
    Absent {
        /// His addresses.
        addresses: Vec<Address>,
        /// When, and what happens meanwhile.
        absence: Absence,
    },
    /// He is back.
    Back {
        /// His addresses.
        addresses: Vec<Address>,
    },
    /// A member takes over a seat that is offered.
    TakeOver {
        /// The member, in the seat.
        player: Seat,
    },
}

/// A word of the club, as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClubNotice {
    /// The word.
    pub word: ClubWord,
    /// The name of its file.
    pub file: String,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    fn day(day: i8, month: i8, year: Option<i16>) -> WrittenDay {
        WrittenDay { year, month, day }
    }

    fn meant(
        from: Option<WrittenDay>,
        until: WrittenDay,
    ) -> Result<(String, String), &'static str> {
        let now = "2026-12-20T12:00:00Z".parse().unwrap();
        let zone = TimeZone::get("Europe/Rome").unwrap();
        let written = WrittenAbsence {
            from,
            until,
            acts: AbsenceAct::Waits,
        };
        let meant = written.meant(now, &zone)?;
        Ok((meant.from.to_string(), meant.until.to_string()))
    }

    #[test]
    fn days_are_those_of_the_writer() {
        let told = |from: &str, until: &str| Ok((from.to_owned(), until.to_owned()));
        assert_eq!(
            meant(Some(day(24, 12, None)), day(2, 1, None)),
            told("2026-12-23T23:00:00Z", "2027-01-02T23:00:00Z")
        );
        // From now on.
        assert_eq!(
            meant(None, day(20, 12, None)),
            told("2026-12-20T12:00:00Z", "2026-12-20T23:00:00Z")
        );
        assert_eq!(
            meant(Some(day(1, 3, Some(2027))), day(5, 3, Some(2027))),
            told("2027-02-28T23:00:00Z", "2027-03-05T23:00:00Z")
        );
        for (from, until, wrong) in [
            (Some(day(31, 2, None)), day(2, 3, None), "absent_no_date"),
            (None, day(19, 12, Some(2026)), "absent_order"),
            (
                Some(day(1, 12, Some(2026))),
                day(19, 12, Some(2026)),
                "absent_past",
            ),
            (None, day(19, 12, None), "absent_long"),
            (
                Some(day(1, 3, Some(2028))),
                day(2, 3, Some(2028)),
                "absent_long",
            ),
        ] {
            assert_eq!(meant(from, until), Err(wrong), "{from:?} {until:?}");
        }
    }

    #[test]
    fn what_is_left_ends_at_nothing() {
        let rules = AbsenceRules {
            days: 2,
            offered_after: 0,
            opponent: OpponentRights::default(),
        };
        let left = |moved| {
            let attendance = Attendance {
                moved,
                ..Attendance::default()
            };
            rules.left(&attendance)
        };
        assert_eq!(left(3600), SignedDuration::from_hours(47));
        assert_eq!(left(3600 * 60), SignedDuration::ZERO);
    }
}
