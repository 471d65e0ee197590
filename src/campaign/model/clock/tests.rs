//! Deadlines over the changes of the clocks. In Paris they went forward on 29 March 2026, back on
//! 25 October 2026.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic

use proptest::prelude::*;

use super::*;

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn zone(name: &str) -> ClockZone {
    name.parse().unwrap()
}

fn fixed(at: &[&str], least_hours: u32) -> Schedule {
    let at = at.iter().map(|slot| slot.parse().unwrap()).collect();
    Schedule::new(
        zone("Europe/Paris"),
        Deadlines::Fixed {
            at,
            least_hours,
            early: false,
        },
        2,
    )
    .unwrap()
}

fn next(schedule: &Schedule, after: &str) -> String {
    schedule.next_deadline(time(after)).unwrap().to_string()
}

#[test]
fn the_next_moment_of_the_week() {
    let schedule = fixed(&["Tue 20:00", "Fri 20:00"], 0);
    // 21 November 2026 is a Saturday.
    assert_eq!(
        next(&schedule, "2026-11-21T12:00:00Z"),
        "2026-11-24T19:00:00Z"
    );
    assert_eq!(
        next(&schedule, "2026-11-24T18:59:59Z"),
        "2026-11-24T19:00:00Z"
    );
    assert_eq!(
        next(&schedule, "2026-11-24T19:00:00Z"),
        "2026-11-27T19:00:00Z",
        "never the same moment again"
    );
}

#[test]
fn players_have_their_least_hours() {
    let schedule = fixed(&["Tue 20:00", "Fri 20:00"], 24);
    assert_eq!(
        next(&schedule, "2026-11-23T19:00:00Z"),
        "2026-11-24T19:00:00Z",
        "24 hours to the second"
    );
    assert_eq!(
        next(&schedule, "2026-11-23T19:00:01Z"),
        "2026-11-27T19:00:00Z"
    );
}

#[test]
fn one_moment_a_week_comes_again_after_a_week() {
    let schedule = fixed(&["Sun 23:59"], 167);
    assert_eq!(
        next(&schedule, "2026-11-22T22:59:00Z"),
        "2026-11-29T22:59:00Z"
    );
}

#[test]
fn the_local_hour_stays_over_the_change() {
    let schedule = fixed(&["Sun 20:00"], 0);
    assert_eq!(
        next(&schedule, "2026-03-22T19:00:00Z"),
        "2026-03-29T18:00:00Z",
        "167 hours later"
    );
    assert_eq!(
        next(&schedule, "2026-10-18T18:00:00Z"),
        "2026-10-25T19:00:00Z",
        "169 hours later"
    );
}

#[test]
fn an_hour_that_is_left_out_comes_an_hour_later() {
    let schedule = fixed(&["Sun 02:30"], 0);
    assert_eq!(
        next(&schedule, "2026-03-28T12:00:00Z"),
        "2026-03-29T01:30:00Z",
        "03:30 of summer time"
    );
}

#[test]
fn an_hour_that_comes_twice_counts_the_first_time() {
    let schedule = fixed(&["Sun 02:30"], 0);
    assert_eq!(
        next(&schedule, "2026-10-24T12:00:00Z"),
        "2026-10-25T00:30:00Z"
    );
    assert_eq!(
        next(&schedule, "2026-10-25T00:30:00Z"),
        "2026-11-01T01:30:00Z",
        "not again an hour later"
    );
}

#[test]
fn without_moments_the_wait_may_be_endless() {
    let schedule =
        Schedule::new(zone("UTC"), Deadlines::WhenAllIn { most_hours: None }, 0).unwrap();
    let now = time("2026-11-21T12:00:00Z");
    assert_eq!(schedule.next_deadline(now), None);
    assert!(schedule.is_due(None, true, now) && !schedule.is_due(None, false, now));
    let week = Schedule::new(
        zone("UTC"),
        Deadlines::WhenAllIn {
            most_hours: Some(168),
        },
        0,
    )
    .unwrap();
    assert_eq!(week.next_deadline(now), Some(time("2026-11-28T12:00:00Z")));
    assert!(week.is_due(week.next_deadline(now), true, now));
}

#[test]
fn a_wait_ends_at_its_moment_or_after_the_grace() {
    let deadline = Some(time("2026-11-24T19:00:00Z"));
    let (before, at, grace) = (
        time("2026-11-24T18:59:59Z"),
        time("2026-11-24T19:00:00Z"),
        time("2026-11-24T21:00:00Z"),
    );
    let schedule = fixed(&["Tue 20:00"], 0);
    assert_eq!(
        [before, at, grace].map(|now| schedule.is_due(deadline, true, now)),
        [false, true, true]
    );
    assert_eq!(
        [before, at, grace].map(|now| schedule.is_due(deadline, false, now)),
        [false, false, true]
    );
    let at_once = Deadlines::Fixed {
        at: vec!["Tue 20:00".parse().unwrap()],
        least_hours: 0,
        early: true,
    };
    let schedule = Schedule::new(zone("Europe/Paris"), at_once, 2).unwrap();
    assert_eq!(
        [before, at, grace].map(|now| schedule.is_due(deadline, true, now)),
        [true, true, true]
    );
    assert_eq!(
        [before, at, grace].map(|now| schedule.is_due(deadline, false, now)),
        [false, false, true]
    );
}

#[test]
fn settings_are_read_and_printed() {
    for text in [
        "zone: Europe/Paris\nat:\n- Tue 20:00\n- Fri 08:05\nleast_hours: 24\nearly: true\ngrace_hours: 2\n",
        "zone: UTC\nmost_hours: 168\ngrace_hours: 0\n",
        "zone: America/New_York\ngrace_hours: 0\n",
        "zone: UTC\nmost_hours: 168\ngrace_hours: 0\nwhen_ready: true\n",
    ] {
        let schedule: Schedule = serde_yaml::from_str(text).unwrap();
        assert_eq!(serde_yaml::to_string(&schedule).unwrap(), text);
    }
}

#[test]
fn wrong_settings_are_refused() {
    for (text, hint) in [
        ("{zone: Europe/Pariss}", "time zone"),
        ("{zone: UTC, at: [Tuesday 20:00]}", "Tue 20:00"),
        ("{zone: UTC, at: ['Tue 24:00']}", "Tue 20:00"),
        ("{zone: UTC, at: ['Tue 8:00']}", "Tue 20:00"),
        ("{zone: UTC, at: ['Tue +8:00']}", "Tue 20:00"),
        ("{zone: UTC, least_hours: 5}", "with `at`"),
        (
            "{zone: UTC, at: [Tue 20:00], most_hours: 5}",
            "without `at`",
        ),
        ("{zone: UTC, most_hours: 0}", "1 or more"),
        ("{zone: UTC, grace_hours: 1000000}", "grace_hours"),
        ("{zone: UTC, days: 5}", "unknown field"),
        ("{zone: UTC, at: [Tue 20:00], when_ready: true}", "`early`"),
        (
            "{zone: UTC, settle: 5m, when_ready: true}",
            "close by READY",
        ),
    ] {
        let refused = serde_yaml::from_str::<Schedule>(text)
            .unwrap_err()
            .to_string();
        assert!(refused.contains(hint), "{text}: {refused}");
    }
}

#[test]
fn dispatches_may_have_their_moment() {
    let read = |after: &str| {
        let text = format!("{{zone: Europe/Paris, at: [Tue 20:00], dispatch_after: {after}}}");
        serde_yaml::from_str::<Schedule>(&text).map_err(|error| error.to_string())
    };
    let schedule = read("24h").unwrap();
    // The clocks go back in the night between: a span of time, not the same hour of the next day.
    assert_eq!(
        schedule.dispatch_at(time("2026-10-24T18:00:00Z")),
        Some(time("2026-10-25T18:00:00Z"))
    );
    let written = serde_yaml::to_string(&schedule).unwrap();
    assert!(written.contains("dispatch_after: 24h\n"), "{written}");
    assert_eq!(
        serde_yaml::from_str::<Schedule>(&written).unwrap(),
        schedule
    );
    assert_eq!(
        read("1h 30m").unwrap().dispatch_after().unwrap().as_mins(),
        90
    );
    for (wrong, why) in [
        ("59m", "at least 1h"),
        ("-24h", "at least 1h"),
        ("2209h", "at most 2208h"),
        ("1h 500ms", "whole seconds"),
        ("soon", "dispatch_after"),
    ] {
        let refused = read(wrong).unwrap_err();
        assert!(refused.contains(why), "{wrong}: {refused}");
    }
    let plain = fixed(&["Tue 20:00"], 0);
    assert_eq!(plain.dispatch_at(time("2026-10-24T18:00:00Z")), None);
    assert!(
        !serde_yaml::to_string(&plain)
            .unwrap()
            .contains("dispatch_after")
    );
}

proptest! {
    #[test]
    fn every_deadline_is_a_moment_of_the_list_and_the_first(
        after in 0i64..4_000_000_000,
        least_hours in 0u32..400,
        slots in prop::collection::vec((0usize..7, 0i8..24, 0i8..60), 1..4),
        name in prop::sample::select(vec!["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "UTC"]),
    ) {
        let at: Vec<WeeklyTime> = slots
            .into_iter()
            .map(|(day, hour, minute)| WeeklyTime { weekday: WEEKDAYS[day].1, time: Time::constant(hour, minute, 0, 0) })
            .collect();
        let deadlines = Deadlines::Fixed { at: at.clone(), least_hours, early: false };
        let schedule = Schedule::new(zone(name), deadlines, 0).unwrap();
        let after = Timestamp::from_second(after).unwrap();
        let deadline = schedule.next_deadline(after).unwrap();
        let wait = deadline.duration_since(after);
        prop_assert!(wait > SignedDuration::ZERO);
        prop_assert!(wait >= SignedDuration::from_hours(least_hours.into()));
        prop_assert!(wait <= SignedDuration::from_hours(i64::from(least_hours) + 24 * 7 + 2));
        for slot in at {
            prop_assert_eq!(slot.to_string().parse::<WeeklyTime>().unwrap(), slot);
        }
    }
}
