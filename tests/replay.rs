//! The same inputs give the same bytes: journal and letters, in one process or in many, with snapshots or without.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may panic"
)]

mod support;

use std::{fs, sync::LazyLock};

use support::{Test, tree};

/// A short play: set-up, a wrong line, a battle with a question.
const PLAY: &[(&str, &str)] = &[
    ("french", "RIEN"),
    ("austrian", "ASK RETREAT\nPURSUE NEVER"),
    ("austrian", "MOVE Davidovich: Nowhere"),
    (
        "either",
        "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione",
    ),
    ("austrian", "1: FIGHT"),
];

/// The play that the others are compared with.
static PLAYED: LazyLock<Test> = LazyLock::new(|| play(|_, _| {}));

/// Who writes next: `either` is the seat that is waited for.
fn writer(test: &Test, seat: &str) -> String {
    match (seat, test.state().waiting) {
        ("either", estafette::campaign::Waiting::Orders { seats, .. }) => seats[0].to_string(),
        ("either", _) => "austrian".to_owned(),
        (seat, _) => seat.to_owned(),
    }
}

/// Plays it with a pass for each mail; `between` is done after every pass, and told its number.
fn play(between: impl Fn(&Test, usize)) -> Test {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    for (minute, (seat, words)) in PLAY.iter().enumerate() {
        test.clock(&format!("2026-11-21T13:{minute:02}:00Z"));
        let seat = writer(&test, seat);
        test.mail(&seat, words).run();
        between(&test, minute);
    }
    test
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    assert_same(&PLAYED, &play(|_, _| {}));
}

#[test]
fn snapshots_are_a_cache_and_nothing_else() {
    let without = play(|test, number| {
        if number == 3 {
            let snapshots = test.root().join("snapshots");
            fs::remove_dir_all(&snapshots).unwrap();
            fs::create_dir(&snapshots).unwrap();
        }
    });
    assert_same(&PLAYED, &without);
}

#[test]
fn one_process_gives_what_many_give() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    let mut campaign = test.open();
    for (minute, (seat, words)) in PLAY.iter().enumerate() {
        test.clock(&format!("2026-11-21T13:{minute:02}:00Z"));
        let seat = writer(&test, seat);
        test.mail(&seat, words);
        campaign.pass(test.now()).unwrap();
    }
    assert_same(&PLAYED, &test);
}

#[track_caller]
fn assert_same(one: &Test, other: &Test) {
    let (one, other) = (tree(&one.root()), tree(&other.root()));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs");
    }
}
