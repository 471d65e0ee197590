//! The umpire's hand on the clock and on the position, and his letters: each is a record of the
//! journal that audits do again, with a note in the register where everybody may know of it.

use std::{fs, process::Command};

use crate::support::{MOMENT_42, Plan, ROUND_42, Test, decides, is_sound, umpire, umpire_with};
use estafette::{campaign::model::state::CurrentWait, dice::register::find_entries};

const ATTACK: &str = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";

fn plan() -> Plan {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, most_hours: 48}")
}

#[track_caller]
fn is_refused(test: &Test, action: &[&str], why: &str) {
    let before = test.journal();
    let output = umpire(test, action);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_ne!(output.status.code(), Some(0));
    assert!(error.contains(why), "{why}: {error}");
    assert_eq!(test.journal(), before, "nothing was written");
}

fn both_in(test: &mut Test) {
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT\nPURSUE NEVER")
        .run();
}

fn deadline(test: &Test) -> String {
    test.state().deadline().unwrap().to_string()
}

/// The texts of the notes that a seat has been sent.
fn notes(test: &Test, seat: &str) -> Vec<String> {
    let letters = test.letters(seat);
    let entries = letters.iter().flat_map(|letter| find_entries(&letter.text));
    let texts = entries.map(|entry| entry.unwrap().body.to_string());
    texts
        .filter_map(|body| Some(body.strip_prefix("text ")?.trim_end().to_owned()))
        .collect()
}

const HOLD: [&str; 3] = ["hold", "--why", "Ada is ill"];
const RESUME: [&str; 3] = ["resume", "--why", "Ada is well again"];

#[test]
fn while_a_campaign_is_held_no_wait_ends() {
    let mut test = plan().begin();
    is_refused(&test, &RESUME, "is not on hold");
    decides(&test, &HOLD);
    is_refused(&test, &HOLD, "is on hold already");
    for seat in ["french", "austrian"] {
        test.newest(seat).contains("Ada is ill");
    }
    test.newest("austrian").contains("The clock stands still");
    assert_eq!(notes(&test, "french"), [] as [String; 0]);
    both_in(&mut test);
    test.newest("french").contains("\nreceipt 1 french 1 ");
    assert!(
        matches!(test.state().waiting, CurrentWait::Orders { .. }),
        "all orders are in"
    );
    test.clock("2026-12-24T12:00:00Z").run();
    assert_eq!(test.records("deadline").len(), 0);
    is_sound(&test);

    decides(&test, &RESUME);
    assert_eq!(test.state().dice.envelope, 1, "all orders were in");
    let said = notes(&test, "austrian");
    assert_eq!(
        said,
        [
            "the campaign is held: Ada is ill",
            "the campaign goes on: Ada is well again"
        ]
    );
    is_sound(&test);
}

#[test]
fn a_campaign_that_goes_on_gives_the_time_of_a_new_wait() {
    let mut test = plan().begin();
    assert_eq!(deadline(&test), "2026-11-23T12:00:00Z");
    decides(&test, &HOLD);
    test.clock("2026-12-01T12:00:00Z").run();
    decides(&test, &RESUME);
    assert_eq!(deadline(&test), "2026-12-03T12:00:00Z");
    test.newest("austrian")
        .contains("Thursday 3 December 2026, 12:00");
    test.clock("2026-12-03T12:00:01Z").run();
    assert_eq!(test.state().dice.envelope, 1);
    is_sound(&test);
}

#[test]
fn a_held_campaign_rolls_the_dice_that_wait() {
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .dice("[{source: drand, margin_seconds: 60}]")
        .beginning("2023-08-23T15:00:00Z")
        .begin();
    decides(&test, &HOLD);
    decides(&test, &RESUME);
    test.clock("2023-08-23T15:10:30Z");
    both_in(&mut test);
    // Two notes and the seal: three entries, each attached under its own name.
    let letter = test.newest("austrian");
    let names: Vec<&str> = letter
        .attached
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "register-spring-2.txt",
            "register-spring-3.txt",
            "register-spring-4.txt"
        ]
    );
    decides(&test, &HOLD);
    test.clock(MOMENT_42);
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    assert!(matches!(test.state().waiting, CurrentWait::Orders { .. }));
    assert!(test.state().dice.spent);
    is_sound(&test);
}

#[test]
fn a_deadline_is_extended_by_a_note_before_it_passes() {
    let mut test = plan().begin();
    let extend =
        |until: &'static str| ["extend", "--until", until, "--why", "a strike of the post"];
    is_refused(&test, &extend("2026-11-23T12:00:00Z"), "name a later time");
    test.clock("2026-11-23T11:59:00Z");
    decides(&test, &extend("2026-11-25T12:00:00Z"));
    let note = "the deadline is extended from 2026-11-23T12:00:00Z to 2026-11-25T12:00:00Z: a strike of the post";
    for seat in ["french", "austrian"] {
        assert_eq!(notes(&test, seat), [note]);
        test.newest(seat).contains("\nregister 2 ");
    }
    test.newest("austrian")
        .contains("Wednesday 25 November 2026, 12:00");
    test.clock("2026-11-25T11:59:00Z").run();
    assert_eq!(test.state().dice.envelope, 0);
    test.clock("2026-11-25T12:00:00Z").run();
    assert_eq!(test.state().dice.envelope, 1);
    is_sound(&test);

    let grace = "{zone: UTC, most_hours: 48, grace_hours: 5}";
    let mut test = plan().deadlines(grace).begin();
    test.clock("2026-11-23T13:00:00Z");
    is_refused(&test, &extend("2026-11-25T12:00:00Z"), "has passed");
    test.run();
    let plain = Test::campaign("castiglione").scenario("lonato").begin();
    is_refused(
        &plain,
        &extend("2026-11-25T12:00:00Z"),
        "no deadline to extend",
    );
}

/// Nothing that the other seat gets may tell of a question to one.
#[test]
fn extending_a_quiet_wait_is_told_to_the_asked_alone() {
    let mut test = plan().begin();
    both_in(&mut test);
    if matches!(&test.state().waiting, CurrentWait::Orders { seats, .. } if seats[0] == "austrian")
    {
        test.mail("austrian", "NOTHING").run();
    }
    test.mail("french", ATTACK).run();
    assert!(test.state().waits_in_quiet());
    let (seen, foot) = (test.letters("french").len(), test.state().register.foot);
    decides(
        &test,
        &[
            "extend",
            "--until",
            "2026-11-28T12:00:00Z",
            "--why",
            "a strike of the post",
        ],
    );
    test.newest("austrian")
        .contains("Saturday 28 November 2026, 12:00");
    assert_eq!(test.letters("french").len(), seen);
    assert_eq!(test.state().register.foot, foot);
    // A hold is told to both in the same words.
    decides(&test, &HOLD);
    test.newest("french").contains(&format!("\n{foot}\n"));
    assert_eq!(notes(&test, "french"), [] as [String; 0]);
    test.mail("austrian", "1: FIGHT").run();
    assert!(test.state().waits_in_quiet(), "answered, and held");
    decides(&test, &RESUME);
    assert!(!test.state().waits_in_quiet());
    assert_eq!(notes(&test, "french").len(), 2);
    is_sound(&test);
}

#[test]
fn a_position_changed_by_hand_has_a_note() {
    let mut test = plan().begin();
    both_in(&mut test);
    let CurrentWait::Orders { seats, .. } = test.state().waiting else {
        panic!("no orders are waited for");
    };
    let file = test.root().join("change.yaml");
    let change = file.to_str().unwrap().to_owned();
    let rule = [
        "rule",
        "--change",
        &change,
        "--why",
        "a counter stood in the wrong place",
    ];
    for (text, why) in [
        (
            "pieces: {Nobody: {at: Lonato}}",
            "there is no piece `Nobody`",
        ),
        ("pieces: {guillaume: {at: Nowhere}}", "no space or box"),
        ("pieces: {guillaume: {wings: 2}}", "declares no such thing"),
        ("pieces: {guillaume: {hits: many}}", "another kind of value"),
        ("facts: {weather: rain}", "declares no such thing"),
        ("{}", "changes nothing"),
        ("peaces: {}", "unknown field"),
    ] {
        fs::write(&file, text).unwrap();
        is_refused(&test, &rule, why);
    }
    fs::write(&file, "pieces: {guillaume: {at: Lonato, hits: 1}}").unwrap();
    let before = test.state();
    assert_ne!(
        before.world.piece("guillaume").unwrap().at.as_deref(),
        Some("lonato")
    );
    let old = test.newest("french").reply_to;
    decides(&test, &rule);
    let state = test.state();
    let piece = state.world.piece("guillaume").unwrap();
    assert_eq!(piece.at.as_deref(), Some("lonato"));
    assert_eq!(
        piece.attributes.get("hits").and_then(|hits| hits.as_int()),
        Some(1)
    );
    assert_eq!(
        (&state.phase, state.dice.envelope),
        (&before.phase, before.dice.envelope)
    );
    for seat in ["french", "austrian"] {
        let said = notes(&test, seat);
        assert_eq!(
            said,
            ["the umpire has changed the position by hand: a counter stood in the wrong place"]
        );
        assert_ne!(state.seats[seat].token, before.seats[seat].token);
    }
    test.dispatch("french")
        .contains("L'arbitre a modifié la position");
    test.dispatch("austrian")
        .contains("a counter stood in the wrong place");
    test.mail_at("french", &old, "RIEN").run();
    assert_eq!(
        test.records("refused").pop().unwrap()["reason"],
        "old_token"
    );
    is_sound(&test);

    // A rollback to the same wait keeps what was ruled.
    let envelope = (before.dice.envelope + 1).to_string();
    decides(
        &test,
        &["rollback", "--envelope", &envelope, "--why", "once more"],
    );
    let piece = test.state().world.piece("guillaume").unwrap().at.clone();
    assert_eq!(piece.as_deref(), Some("lonato"));
    is_sound(&test);

    // Not while a phase is half done.
    test.clock("2026-11-21T15:00:00Z");
    for seat in seats {
        test.mail(&seat, if seat == "french" { ATTACK } else { "NOTHING" })
            .run();
    }
    if matches!(&test.state().waiting, CurrentWait::Orders { seats, .. } if seats[0] == "french") {
        test.mail("french", ATTACK).run();
    }
    assert!(test.state().waits_in_quiet());
    is_refused(&test, &rule, "half done");
}

#[test]
fn a_letter_of_the_umpire_is_taken_for_nothing_else() {
    let mut test = plan().begin();
    is_refused(
        &test,
        &["say", "--to", "russian", "--text", "Bonjour"],
        "no seat `russian`",
    );
    is_refused(&test, &["say", "--text", " "], "1 to 8000 characters");
    let (seen, foot) = (test.letters("austrian").len(), test.state().register.foot);
    decides(
        &test,
        &["say", "--to", "french", "--text", "Bonne chance !"],
    );
    test.newest("french")
        .contains("L'arbitre écrit")
        .contains("| Bonne chance !\n");
    // An answer goes to him, and the letter says where orders go.
    let letters = test.letters("french");
    let [.., before, said] = letters.as_slice() else {
        panic!("a dispatch comes first");
    };
    assert_eq!(said.reply_to, "umpire@example.org");
    assert!(before.reply_to.starts_with("game+spring.french."));
    said.contains(&before.reply_to);
    assert_eq!(test.letters("austrian").len(), seen);
    let entry = format!(
        "sd1 spring 9 note\nprev {0}\ntext all is well\nhead {0}\n\nMOVE Ott: Salo\n",
        "0".repeat(64)
    );
    let output = umpire_with(&test, &["say"], &entry);
    assert_eq!(output.status.code(), Some(0));
    let letter = test.newest("austrian");
    letter
        .contains("| sd1 spring 9 note\n")
        .contains("|\n| MOVE Ott: Salo\n");
    assert_eq!(find_entries(&letter.text).len(), 0);
    assert_eq!(test.state().register.foot, foot, "it is no decision");
    is_sound(&test);
    both_in(&mut test);
    is_sound(&test);
}

#[test]
fn status_says_that_a_campaign_is_held() {
    let test = plan().begin();
    decides(&test, &HOLD);
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    let output = command.arg("status").arg(test.root()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("held by the umpire"), "{said}");
}
