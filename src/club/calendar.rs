//! When the club writes by itself: to its umpire once a day, to its members once a month.

use jiff::{
    Timestamp, ToSpan, Zoned,
    civil::{Date, Time},
};

use crate::campaign::model::clock::ClockZone;

/// The last moment up to now at which the clock of a zone showed this hour.
pub(super) fn last_daily(now: Timestamp, zone: &ClockZone, hour: u8) -> Option<Timestamp> {
    let local = now.to_zoned(zone.rules().clone());
    let today = at(&local, local.date(), hour)?;
    if today <= now {
        return Some(today);
    }
    at(&local, local.date().yesterday().ok()?, hour)
}

/// The last moment up to now at which it was the first of a month, and this hour.
pub(super) fn last_monthly(now: Timestamp, zone: &ClockZone, hour: u8) -> Option<Timestamp> {
    let local = now.to_zoned(zone.rules().clone());
    let first = local.date().first_of_month();
    let this_month = at(&local, first, hour)?;
    if this_month <= now {
        return Some(this_month);
    }
    at(&local, first.checked_sub(1.month()).ok()?, hour)
}

fn at(local: &Zoned, date: Date, hour: u8) -> Option<Timestamp> {
    let time = Time::new(i8::try_from(hour).ok()?, 0, 0, 0).ok()?;
    let moment = date.to_datetime(time).to_zoned(local.time_zone().clone());
    moment.ok().map(|moment| moment.timestamp())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    #[test]
    fn hours_are_those_of_the_clubs_clock() {
        let zone: ClockZone = "Europe/Paris".parse().unwrap();
        let last = |now: &str| {
            let now = now.parse().unwrap();
            let daily = last_daily(now, &zone, 7).unwrap().to_string();
            (daily, last_monthly(now, &zone, 7).unwrap().to_string())
        };
        let told = |day: &str, month: &str| (day.to_owned(), month.to_owned());
        assert_eq!(
            last("2026-12-01T05:59:00Z"),
            told("2026-11-30T06:00:00Z", "2026-11-01T06:00:00Z")
        );
        assert_eq!(
            last("2026-12-01T06:00:00Z"),
            told("2026-12-01T06:00:00Z", "2026-12-01T06:00:00Z")
        );
        // Summer time.
        assert_eq!(
            last("2026-07-31T05:00:00Z"),
            told("2026-07-31T05:00:00Z", "2026-07-01T05:00:00Z")
        );
        // An hour that a day does not have comes an hour later.
        let night = last_daily("2026-03-29T12:00:00Z".parse().unwrap(), &zone, 2);
        assert_eq!(night.unwrap().to_string(), "2026-03-29T01:00:00Z");
    }
}
