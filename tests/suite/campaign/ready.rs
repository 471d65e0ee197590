//! Orders that close when everybody who is asked for them has said READY.

use crate::support::{Plan, Test, is_sound};

fn plan(schedule: &'static str) -> Plan {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines(schedule)
}

fn begin() -> Test {
    let mut test = plan("{zone: UTC, most_hours: 48, when_ready: true}").begin();
    test.clock("2026-11-21T13:00:00Z");
    test
}

fn is_closed(test: &Test) -> bool {
    test.state().dice.envelope > 0
}

#[test]
fn orders_close_with_the_last_ready() {
    let mut test = begin();
    test.letters("austrian")[1].contains("sent them and said READY, a word alone on a line");
    test.mail("french", "RIEN\nPRÊT")
        .mail("austrian", "PURSUE NEVER")
        .run();
    assert!(!is_closed(&test), "all are in, and one is not ready");
    test.newest("austrian")
        .contains("You have not said READY yet")
        .lacks("You may correct these orders");
    // The word leaves the orders as they are.
    test.mail("austrian", "STATUS").run();
    test.newest("austrian")
        .contains("Orders of yours are in.")
        .contains("You have not said READY.");
    test.mail("austrian", "ready!").run();
    assert!(is_closed(&test));
    let sealed = &test.state().dice.orders["austrian"];
    assert_eq!(sealed.trim(), "PURSUE NEVER");
    is_sound(&test);
}

#[test]
fn it_is_taken_back_and_does_not_count_beside_a_fault() {
    let mut test = begin();
    test.mail("french", "RIEN\nPRÊT").run();
    test.mail("french", "PAS PRÊT").run();
    test.newest("french")
        .contains("rien ne sera clos en avance");
    test.mail("austrian", "READY\nNOTHING").run();
    assert!(!is_closed(&test));
    // Beside a line that is not understood it does not count: other orders may have been meant.
    test.mail("french", "PRÊT\nDÉPLACER Massena : Nulle Part")
        .run();
    assert!(!is_closed(&test), "a line with a fault keeps orders open");
    test.newest("french").contains("pas encore dit PRÊT");
    test.mail("french", "RIEN").run();
    assert!(!is_closed(&test));
    test.mail("french", "PRÊT").run();
    assert!(is_closed(&test));
    // In the next wait nobody has said anything yet.
    let seats = &test.state().seats;
    assert!(seats.values().all(|seat| !seat.said_ready));
    is_sound(&test);
}

#[test]
fn a_deadline_waits_for_no_word() {
    let mut test = begin();
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    test.clock("2026-11-23T11:59:59Z").run();
    assert!(!is_closed(&test));
    test.clock("2026-11-23T12:00:00Z").run();
    assert!(is_closed(&test));
    is_sound(&test);
}

/// What a seat is told does not change by whether the other has said it.
#[test]
fn nobody_is_told_who_has_said_it() {
    let letters = |word: &str| {
        let mut test = begin();
        test.mail("french", &format!("RIEN\n{word}")).run();
        test.clock("2026-11-21T14:00:00Z");
        test.mail("austrian", "NOTHING\nSTATUS\nWHO").run();
        let letters = test.letters("austrian");
        letters.iter().map(|it| it.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(letters("PRÊT"), letters("PAS PRÊT"));
}

#[test]
fn elsewhere_it_is_not_needed() {
    let mut test = plan("{zone: UTC, most_hours: 48}").begin();
    test.mail("austrian", "READY").run();
    test.newest("austrian")
        .contains("in this campaign orders close without it");
    test.mail("austrian", "HELP READY\nHELP").run();
    test.newest("austrian")
        .contains("In this campaign orders close without READY.")
        .lacks("READY, NOT READY");
    // A question to nobody is none.
    test.mail("austrian", "Ready?\nNOTHING").run();
    test.newest("austrian").lacks("orders close without it");
}

#[test]
fn a_bot_is_always_ready() {
    let plan = plan("{zone: UTC, most_hours: 48, when_ready: true}");
    let mut test = plan.against("bot").begin();
    test.mail("french", "RIEN").run();
    assert!(!is_closed(&test));
    test.mail("french", "PRÊT").run();
    assert!(is_closed(&test));
}
