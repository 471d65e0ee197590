//! Deadlines that people can live with: orders that stay open for a while, reminders, and what
//! follows when orders don't come.

use std::fs;

use estafette::campaign::model::state::CurrentWait;

use jiff::{SignedDuration, Timestamp};

use crate::support::{ATTACK, Letter, Plan, Test, awaited, is_sound, set_up_with, umpire};

const SETTLES: &str = "{zone: UTC, settle: 15m}";
const REMINDS: &str =
    "{zone: UTC, most_hours: 72, settle: 15m, remind: [24, 3], missed: standing orders}";

fn plan(schedule: &'static str) -> Plan {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines(schedule)
}

fn at(test: &mut Test, time: &str) {
    test.clock(time).run();
}

fn is_closed(test: &Test) -> bool {
    test.state().dice.envelope > 0
}

fn told(test: &Test, to: &str) -> usize {
    test.letters(to).len()
}

/// The letters to a seat whose subject has these words.
fn with_subject(test: &Test, to: &str, words: &str) -> Vec<Letter> {
    let mut letters = test.letters(to);
    letters.retain(|letter| letter.header.contains(words));
    letters
}

#[test]
fn orders_close_a_while_after_the_last_mail() {
    let mut test = plan(SETTLES).begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    assert!(!is_closed(&test), "a slip can still be mended");
    at(&mut test, "2026-11-21T13:14:59Z");
    assert!(!is_closed(&test));
    // A mail begins the while anew, whatever it changes.
    test.mail("austrian", "NOTHING").run();
    at(&mut test, "2026-11-21T13:29:58Z");
    assert!(!is_closed(&test));
    at(&mut test, "2026-11-21T13:29:59Z");
    assert!(is_closed(&test));
    assert_eq!(test.records("deadline").len(), 1);
    is_sound(&test);
}

#[test]
fn a_mail_with_a_fault_keeps_orders_open() {
    let mut test = plan(SETTLES).begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    test.clock("2026-11-21T13:05:00Z");
    test.mail("austrian", "PURSUE NEVER\nPURSUE PERHAPS").run();
    at(&mut test, "2026-11-21T15:00:00Z");
    assert!(!is_closed(&test));
    test.mail("austrian", "NOTHING").run();
    at(&mut test, "2026-11-21T15:15:00Z");
    assert!(is_closed(&test));
}

#[test]
fn a_receipt_says_when_orders_close_and_not_who_has_sent() {
    // The same mail at the same moment, with the other's orders there and not.
    let receipt = |other_first: bool| {
        let mut test = plan(SETTLES).begin();
        test.clock("2026-11-21T13:00:00Z");
        if other_first {
            test.mail("french", "RIEN").run();
        }
        test.clock("2026-11-21T14:00:00Z")
            .mail("austrian", "NOTHING")
            .run();
        test.newest("austrian")
    };
    let (alone, last) = (receipt(false), receipt(true));
    alone.contains("You may correct these orders until Saturday 21 November 2026, 14:15");
    alone.contains("for 15 min.");
    assert_eq!(alone.text, last.text);
}

#[test]
fn a_campaign_without_the_setting_closes_with_the_last_mail() {
    let mut test = plan("{zone: UTC}").begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    assert!(is_closed(&test));
    test.letters("austrian")[2].lacks("You may correct these orders");
}

#[test]
fn a_deadline_comes_before_the_while_is_over() {
    let mut test = plan("{zone: UTC, most_hours: 2, settle: 1h}").begin();
    test.clock("2026-11-21T13:30:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    at(&mut test, "2026-11-21T13:59:59Z");
    assert!(!is_closed(&test));
    at(&mut test, "2026-11-21T14:00:00Z");
    assert!(is_closed(&test));
    is_sound(&test);
}

/// The wait begins on the 21st at 12:00 and has its deadline on the 24th at 12:00.
#[test]
fn only_seats_that_are_waited_for_are_reminded() {
    let mut test = plan(REMINDS).begin();
    test.clock("2026-11-22T10:00:00Z")
        .mail("french", "RIEN")
        .run();
    let before = (told(&test, "french"), told(&test, "austrian"));
    at(&mut test, "2026-11-23T11:59:59Z");
    assert_eq!(
        (told(&test, "french"), told(&test, "austrian")),
        before,
        "not yet"
    );
    at(&mut test, "2026-11-23T12:00:00Z");
    assert_eq!(
        (told(&test, "french"), told(&test, "austrian")),
        (before.0, before.1 + 1)
    );
    let reminder = test.newest("austrian");
    reminder.contains("Your orders (Set-up) are due by Tuesday 24 November 2026, 12:00 (UTC)");
    reminder.contains("No orders of yours have come yet");
    // Once for each of its hours, and an answer to it counts.
    at(&mut test, "2026-11-23T13:00:00Z");
    at(&mut test, "2026-11-24T09:00:00Z");
    at(&mut test, "2026-11-24T09:30:00Z");
    assert_eq!(told(&test, "austrian"), before.1 + 2);
    assert_eq!(test.records("reminder").len(), 2);
    test.mail("austrian", "NOTHING").run();
    at(&mut test, "2026-11-24T09:45:00Z");
    assert!(is_closed(&test));
    is_sound(&test);
}

/// Who holds up the turn with a line that was not understood is reminded too, in other words.
#[test]
fn who_was_not_understood_is_reminded_of_it() {
    let mut test = plan(REMINDS).begin();
    test.clock("2026-11-22T10:00:00Z")
        .mail("french", "RIEN")
        .mail("austrian", "MOVE Nobody: Nowhere\nPURSUE NEVER")
        .run();
    let before = (told(&test, "french"), told(&test, "austrian"));
    at(&mut test, "2026-11-23T12:00:00Z");
    assert_eq!(
        (told(&test, "french"), told(&test, "austrian")),
        (before.0, before.1 + 1)
    );
    test.newest("austrian")
        .contains("Not all that you sent was understood")
        .lacks("No orders of yours");
}

#[test]
fn who_has_sent_needs_no_reminder_and_a_late_host_sends_one() {
    let mut test = plan(REMINDS).begin();
    let before = told(&test, "austrian");
    // Nobody was at work when either reminder was due; both mails lie in the inbox or come later.
    test.clock("2026-11-24T10:00:00Z").mail("french", "RIEN");
    test.run();
    assert_eq!(with_subject(&test, "french", "sont attendus").len(), 0);
    assert_eq!(told(&test, "austrian"), before + 1, "one for both");
    is_sound(&test);
}

#[test]
fn a_deadline_that_is_near_at_once_has_no_reminder() {
    let schedule = "{zone: UTC, most_hours: 20, remind: [24, 3], missed: standing orders}";
    let mut test = plan(schedule).begin();
    let before = told(&test, "austrian");
    at(&mut test, "2026-11-21T12:00:01Z");
    at(&mut test, "2026-11-22T04:59:59Z");
    assert_eq!(
        told(&test, "austrian"),
        before,
        "it began 20 hours before the deadline"
    );
    at(&mut test, "2026-11-22T05:00:00Z");
    assert_eq!(told(&test, "austrian"), before + 1);
}

/// What the silent seat reads does not depend on whether the other has sent.
#[test]
fn a_reminder_tells_nothing_of_the_others() {
    let reminder = |other: &str| {
        let mut test = plan(REMINDS).begin();
        if !other.is_empty() {
            test.clock("2026-11-22T10:00:00Z")
                .mail("french", other)
                .run();
        }
        at(&mut test, "2026-11-23T12:00:00Z");
        let letter = test.newest("austrian");
        (letter.header, letter.text)
    };
    assert_eq!(reminder(""), reminder("RIEN"));
    assert_eq!(reminder(""), reminder("POURSUIVRE TOUJOURS"));
}

#[test]
fn who_misses_a_deadline_is_told_and_the_umpire_too() {
    let mut test = plan(REMINDS).begin();
    test.clock("2026-11-22T10:00:00Z")
        .mail("french", "RIEN")
        .run();
    at(&mut test, "2026-11-24T12:00:00Z");
    assert!(is_closed(&test));
    let words = "Your orders did not come by the deadline";
    test.dispatch("austrian").contains(words);
    test.dispatch("french")
        .lacks("Vos ordres ne sont pas arrivés");
    let notice = test.newest("umpire");
    notice.contains("Nothing has come from: austrian");
    notice.contains("was Tuesday 24 November 2026, 12:00 (UTC)");
    notice.contains("Orders are closed");
    // It is said once.
    let mut waits = 0;
    while awaited(&test.state()) != ["austrian"] && waits < 4 {
        crate::support::pass(&mut test, &format!("2026-11-25T1{waits}:00:00Z"));
        at(&mut test, &format!("2026-11-25T1{waits}:15:00Z"));
        waits += 1;
    }
    test.dispatch("austrian").lacks(words);
    is_sound(&test);
}

#[test]
fn a_missed_deadline_may_be_waited_on_once() {
    let schedule = "{zone: UTC, most_hours: 72, remind: [3], missed: wait 24 hours}";
    let mut test = plan(schedule).begin();
    test.clock("2026-11-22T10:00:00Z")
        .mail("french", "RIEN")
        .run();
    at(&mut test, "2026-11-24T12:00:00Z");
    assert!(!is_closed(&test));
    let notice = test.newest("umpire");
    notice.contains("They are awaited until Wednesday 25 November 2026, 12:00 (UTC)");
    let late = test.newest("austrian");
    late.contains("The deadline has passed, and orders are still missing");
    late.contains("No orders of yours have come yet");
    let other = test.newest("french");
    other.contains("Le délai est passé");
    other.lacks("austrian").lacks("Aucun ordre de vous");
    // The later deadline has its reminder, and then standing orders decide.
    at(&mut test, "2026-11-25T09:00:00Z");
    test.newest("austrian")
        .contains("Your orders (Set-up) are due by");
    at(&mut test, "2026-11-25T12:00:00Z");
    assert!(is_closed(&test));
    test.dispatch("austrian")
        .contains("Your orders did not come");
    is_sound(&test);
}

#[test]
fn a_missed_deadline_may_hold_the_campaign() {
    let schedule = "{zone: UTC, most_hours: 72, missed: hold}";
    let mut test = plan(schedule).begin();
    at(&mut test, "2026-11-24T12:00:00Z");
    assert!(!is_closed(&test) && test.state().on_hold);
    test.newest("umpire").contains("The campaign is held");
    test.newest("austrian")
        .contains("Orders are missing at the deadline, and the campaign is on hold");
    test.newest("french")
        .contains("Des ordres manquent à l'échéance")
        .lacks("orders are missing");
    at(&mut test, "2026-12-24T12:00:00Z");
    assert!(!is_closed(&test));
    test.clock("2026-12-24T12:00:00Z");
    umpire(&test, &["resume", "--why", "they are back"]);
    let CurrentWait::Orders { deadline, .. } = test.state().waiting else {
        panic!("orders are waited for");
    };
    assert_eq!(deadline.unwrap().to_string(), "2026-12-27T12:00:00Z");
    is_sound(&test);
}

/// `new` has an option for everything that `campaign.yaml` has of it, and says what is wrong.
#[test]
fn new_sets_all_of_the_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let new = |name: &str, more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_estafette"));
        command.args(["new", "castiglione", "--no-pictures", "--into"]);
        command.arg(folder.path().join(name));
        for seat in ["french=ada@example.org", "austrian=bert@example.org"] {
            command.args(["--seat", seat]);
        }
        let output = command.args(more).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let settings = fs::read_to_string(folder.path().join(name).join("campaign.yaml"));
        (output.status.code(), said, settings.unwrap_or_default())
    };
    let (_, _, plain) = new("plain", &[]);
    for line in ["settle: 15m", "- 24\n", "- 3\n", "missed: standing orders"] {
        assert!(plain.contains(line), "{line}: {plain}");
    }
    let (_, _, fixed) = new("fixed", &["--at", "Tue 20:00"]);
    assert!(
        !fixed.contains("settle") && fixed.contains("least_hours: 12"),
        "{fixed}"
    );
    let all = "--at|Tue 20:00|--early|--least-hours|30|--grace-hours|2|--settle|20m|--remind|48|--missed|wait 6 hours";
    let (code, said, yaml) = new("all", &all.split('|').collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{said}");
    for line in [
        "early: true",
        "least_hours: 30",
        "grace_hours: 2",
        "settle: 20m",
        "- 48",
        "missed: wait 6 hours",
    ] {
        assert!(yaml.contains(line), "{line}: {yaml}");
    }
    let (_, _, off) = new("off", &["--settle", "0", "--remind", "none"]);
    assert!(!off.contains("settle") && !off.contains("remind"), "{off}");
    for (more, why) in [
        ("--early", "--at"),
        ("--at|Tue 20:00|--settle|15m", "without `early`"),
        ("--missed|perhaps", "wait 24 hours"),
        ("--remind|0", "1 to"),
        ("--remind|soon", "24,3"),
        ("--at|Tue 20:00|--most-hours|3", "--most-hours"),
    ] {
        let (code, said, _) = new("wrong", &more.split('|').collect::<Vec<_>>());
        assert_eq!(code, Some(2), "{more}: {said}");
        assert!(said.contains(why), "{more}: {said}");
    }
}

/// A question in the middle of a combat: its seat is reminded, and nobody else learns of it.
#[test]
fn who_is_asked_and_does_not_answer_is_reminded() {
    let asked = || {
        let mut test = plan("{zone: UTC, most_hours: 72, remind: [24, 3]}").begin();
        set_up_with(&mut test, "ASK RETREAT");
        test.mail("french", ATTACK).run();
        let state = test.state();
        assert!(matches!(state.waiting, CurrentWait::Answers { .. }));
        let deadline = state.deadline().unwrap();
        (test, deadline)
    };
    let before = |deadline: Timestamp, seconds: i64| {
        let at = deadline.checked_sub(SignedDuration::from_secs(seconds));
        at.unwrap().to_string()
    };
    let (mut test, deadline) = asked();
    let (austrian, french) = (told(&test, "austrian"), told(&test, "french"));
    at(&mut test, &before(deadline, 24 * 3600 + 1));
    assert_eq!(told(&test, "austrian"), austrian);
    at(&mut test, &before(deadline, 24 * 3600));
    assert_eq!(told(&test, "austrian"), austrian + 1);
    let reminder = test.newest("austrian");
    assert!(reminder.header.contains("Your answer is awaited"));
    reminder.contains("Your answer is due by ");
    at(&mut test, &before(deadline, 3 * 3600));
    assert_eq!(told(&test, "austrian"), austrian + 2);
    assert_eq!(told(&test, "french"), french, "nobody else is told");
    is_sound(&test);
    // Who has answered is not.
    let (mut test, deadline) = asked();
    test.mail("austrian", "1: RETREAT").run();
    assert!(!matches!(test.state().waiting, CurrentWait::Answers { .. }));
    assert!(with_subject(&test, "austrian", "Your answer is awaited").is_empty());
    at(&mut test, &before(deadline, 1));
    assert!(with_subject(&test, "austrian", "Your answer is awaited").is_empty());
}
