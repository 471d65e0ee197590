//! A desk keeps few campaigns open, and misses nothing of those that are closed.

use std::fs;

use estafette::{
    serve::{Desk, Look, Member},
    store::Directory,
};
use jiff::{SignedDuration, Timestamp};

use crate::support::{ROUND_42, Test, is_rolled, is_sound, program::estafette, sealed_with};

/// Three campaigns that wait for orders of their first turn, which are due at the same moment.
fn campaigns() -> [Test; 3] {
    ["spring", "summer", "autumn"].map(|name| {
        let plan = Test::campaign("castiglione").scenario("lonato").named(name);
        plan.deadlines("{zone: UTC, most_hours: 48}").begin()
    })
}

/// A desk with all of them, on which one stays open.
fn desk(campaigns: &[Test]) -> Desk {
    let members = campaigns
        .iter()
        .map(|test| Member::read(&test.root()).unwrap());
    Desk::new(members.enumerate()).keeping_open(1)
}

/// Works on whatever calls, at most so often; returns which did.
fn called(desk: &mut Desk, now: Timestamp) -> Vec<usize> {
    let mut places = Vec::new();
    while places.len() < 9
        && let Look::Called(place) = desk.look(now, 9)
    {
        desk.work(place, now);
        places.push(place);
    }
    places.sort_unstable();
    places
}

fn after(test: &Test, minutes: i64) -> Timestamp {
    let later = SignedDuration::from_mins(minutes);
    test.now().checked_add(later).unwrap()
}

#[test]
fn few_stay_open_and_the_others_need_no_look() {
    let campaigns = campaigns();
    let mut desk = desk(&campaigns);
    assert_eq!(called(&mut desk, after(&campaigns[0], 1)), [0, 1, 2]);
    assert_eq!(desk.open_count(), 1);
    // Only the one that is open is looked at each minute, and all of them within the hour.
    assert_eq!(called(&mut desk, after(&campaigns[0], 3)).len(), 1);
    assert_eq!(called(&mut desk, after(&campaigns[0], 62)).len(), 3);
    assert_eq!(desk.open_count(), 1);
}

#[test]
fn a_look_goes_on_where_it_stopped_and_is_over_after_all() {
    let campaigns = campaigns();
    let members = campaigns
        .iter()
        .map(|test| Member::read(&test.root()).unwrap());
    let mut desk = Desk::new([3, 7, 20].into_iter().zip(members));
    let now = after(&campaigns[0], 1);
    while let Look::Called(place) = desk.look(now, 9) {
        desk.work(place, now);
    }
    assert_eq!(desk.look(now, 2), Look::Unfinished);
    assert_eq!(desk.look(now, 2), Look::Over);
    assert_eq!(desk.look(now, 3), Look::Unfinished);
    assert_eq!(desk.look(now, 1), Look::Over);
    // After two minutes all of them call, each once.
    let later = after(&campaigns[0], 3);
    let mut called = Vec::new();
    loop {
        match desk.look(later, 2) {
            Look::Called(place) => {
                assert!(desk.is_called(place, later));
                called.push(place);
                desk.work(place, later);
                assert!(!desk.is_called(place, later));
            }
            Look::Unfinished => {}
            Look::Over => break,
        }
    }
    called.sort_unstable();
    assert_eq!(called, [3, 7, 20]);
    assert!(!desk.is_called(4, later), "no campaign of this desk");
}

#[test]
fn mails_for_closed_campaigns_are_answered() {
    let mut campaigns = campaigns();
    let mut desk = desk(&campaigns);
    called(&mut desk, after(&campaigns[0], 1));
    for (place, minute) in [(0, 2), (1, 3), (2, 4), (0, 5)] {
        let before = campaigns[place].letters("french").len();
        campaigns[place].mail("french", "HURRY");
        let now = after(&campaigns[place], minute);
        assert!(called(&mut desk, now).contains(&place));
        assert_eq!(campaigns[place].letters("french").len(), before + 1);
        assert_eq!(desk.open_count(), 1);
    }
}

#[test]
fn deadlines_of_closed_campaigns_fall() {
    let campaigns = campaigns();
    let mut desk = desk(&campaigns);
    called(&mut desk, after(&campaigns[0], 1));
    let deadline = campaigns[0].state().deadline().unwrap();
    let minute = SignedDuration::from_mins(1);
    assert!(called(&mut desk, deadline.checked_sub(minute).unwrap()).len() <= 3);
    called(&mut desk, deadline);
    for test in &campaigns {
        assert_eq!(test.state().dice.envelope, 1, "{}", test.context().0.name());
    }
}

/// From the day on which its player is away a bot plays his seat, at once and not within the hour.
#[test]
fn the_bot_of_whoever_is_away_writes_when_it_is_his_turn() {
    let plan = |name| {
        let plan = Test::campaign("castiglione").scenario("lonato").named(name);
        let plan = plan.deadlines("{zone: UTC, most_hours: 96}");
        plan.settings_line("absence: {days: 10}\n").begin()
    };
    let mut campaigns = [plan("spring"), plan("summer")];
    campaigns[0].mail("austrian", "ABSENT from 23 Nov until 25 Nov BOT");
    let mut desk = desk(&campaigns);
    let begun = after(&campaigns[0], 1);
    called(&mut desk, begun);
    // The other one was used last.
    campaigns[1].mail("french", "HURRY");
    called(&mut desk, after(&campaigns[0], 2));
    let of_bots = |test: &Test| test.records("bot").len();
    assert_eq!(of_bots(&campaigns[0]), 0);
    let first: Timestamp = "2026-11-23T00:00:00Z".parse().unwrap();
    let before = first.checked_sub(SignedDuration::from_mins(2)).unwrap();
    called(&mut desk, before);
    called(
        &mut desk,
        before.checked_add(SignedDuration::from_secs(5)).unwrap(),
    );
    assert_eq!(of_bots(&campaigns[0]), 0);
    called(&mut desk, first);
    assert_eq!(of_bots(&campaigns[0]), 1);
}

/// Somebody has looked at a mail before the host did.
#[test]
fn mails_in_cur_are_answered() {
    let mut campaigns = campaigns();
    let mut desk = desk(&campaigns);
    called(&mut desk, after(&campaigns[0], 1));
    let before = campaigns[0].letters("french").len();
    campaigns[0].mail("french", "HURRY");
    let inbox = campaigns[0].root().join("inbox");
    fs::create_dir(inbox.join("cur")).unwrap();
    for file in fs::read_dir(inbox.join("new")).unwrap() {
        let file = file.unwrap();
        fs::rename(file.path(), inbox.join("cur").join(file.file_name())).unwrap();
    }
    assert!(called(&mut desk, after(&campaigns[0], 2)).contains(&0));
    assert_eq!(campaigns[0].letters("french").len(), before + 1);
}

/// What another process does with a closed campaign counts at once.
#[test]
fn a_closed_campaign_that_somebody_has_worked_on_is_looked_at() {
    let campaigns = campaigns();
    let mut desk = desk(&campaigns);
    let places = called(&mut desk, after(&campaigns[0], 1));
    assert_eq!(places, [0, 1, 2]);
    // The last one is open.
    let root = campaigns[0].root();
    let journal = |test: &Test| Directory::at(&test.root()).journal_mark();
    let before = journal(&campaigns[0]);
    let now = after(&campaigns[0], 2).to_string();
    let root = root.to_str().unwrap();
    let command = ["umpire", "hold", "--why", "Ada is ill", "--now", &now, root];
    let held = estafette(&command, b"");
    assert_eq!(held.code, 0, "{held:?}");
    assert_ne!(journal(&campaigns[0]), before);
    assert!(called(&mut desk, after(&campaigns[0], 2)).contains(&0));
    let deadline = campaigns[1].state().deadline().unwrap();
    called(&mut desk, deadline);
    assert_eq!(campaigns[0].state().dice.envelope, 0, "it stands still");
    assert_eq!(campaigns[1].state().dice.envelope, 1);
}

/// The letters to the umpire that say that the campaign can't be opened.
fn alarms(test: &Test) -> usize {
    let letters = test.letters("umpire").into_iter();
    letters
        .filter(|letter| letter.subject.contains("can't be opened"))
        .count()
}

/// The umpire is told once, the others go on, and what is put back goes on with its mail.
#[test]
fn damage_to_a_closed_campaign_harms_no_other() {
    let receipts = |test: &Test| test.letters("french").len();
    for part in ["journal.jsonl", "pinned.tar.gz"] {
        let mut campaigns = campaigns();
        let mut desk = desk(&campaigns);
        called(&mut desk, after(&campaigns[0], 1));
        // The last one is open.
        assert_eq!(desk.open_count(), 1);
        let root = campaigns[0].root();
        let file = root.join(part);
        let whole = fs::read(&file).unwrap();
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 1;
        fs::write(&file, &damaged).unwrap();

        let before = [0, 1].map(|place| receipts(&campaigns[place]));
        for test in &mut campaigns[..2] {
            test.mail("french", "HURRY");
        }
        let tried = called(&mut desk, after(&campaigns[0], 2));
        assert!(tried.starts_with(&[0, 1]), "{part}: {tried:?}");
        assert_eq!(receipts(&campaigns[1]), before[1] + 1, "{part}");
        // It is tried again, and found as it was.
        let again = desk.work(0, after(&campaigns[0], 3));
        assert!(again, "{part}: there may be a letter to be sent");
        assert_eq!(receipts(&campaigns[0]), before[0], "{part}");
        assert_eq!(alarms(&campaigns[0]), 1, "{part}");
        let inbox = Directory::at(&root).inbox();
        assert_eq!(inbox.unprocessed().unwrap().len(), 1, "{part}");
        assert!(fs::read(&file).unwrap() == damaged, "{part}");

        fs::write(&file, &whole).unwrap();
        let tried = called(&mut desk, after(&campaigns[0], 4));
        assert!(tried.contains(&0), "{part}: {tried:?}");
        assert_eq!(receipts(&campaigns[0]), before[0] + 1, "{part}");
        assert!(inbox.unprocessed().unwrap().is_empty(), "{part}");
        assert_eq!(alarms(&campaigns[0]), 1, "{part}");
        assert_eq!(desk.open_count(), 1);
        is_sound(&campaigns[0]);
    }
}

/// Its value lies in a folder, of which neither a mail nor the clock tells.
#[test]
fn one_that_waits_for_the_beacon_is_looked_at_each_minute() {
    let campaigns = [sealed_with("[{source: drand, margin_seconds: 60}]")];
    let mut desk = desk(&campaigns).keeping_open(0);
    for minute in [1, 2, 3] {
        let now = after(&campaigns[0], minute);
        assert_eq!(called(&mut desk, now), [0], "minute {minute}");
        assert_eq!(desk.open_count(), 0);
        assert!(!is_rolled(&campaigns[0]));
    }
    let folder = campaigns[0].root().join("beacon");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("42"), format!("42 {ROUND_42}\n")).unwrap();
    assert!(called(&mut desk, after(&campaigns[0], 4)).contains(&0));
    assert!(is_rolled(&campaigns[0]));
    is_sound(&campaigns[0]);
}
