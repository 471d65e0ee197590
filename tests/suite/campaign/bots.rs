//! Seats that bots play: a person can learn a game against the machine, and a player who has left
//! is stood in for.

use std::{
    fs,
    path::{Path, PathBuf},
};

use estafette::campaign::{
    BotName,
    model::{players, state::CurrentWait},
};

use crate::support::{Plan, Test, copied_rules, decides, is_sound, pass, status, umpire};

fn lonato() -> Plan {
    Test::campaign("castiglione").scenario("lonato")
}

/// What the bots have written, as the journal has it.
fn written(test: &Test) -> Vec<Vec<String>> {
    let records = test.records("bot");
    let mails = |record: &serde_json::Value| {
        let mails = record["mails"].as_array();
        let mails = mails.into_iter().flatten().filter_map(|it| it.as_str());
        mails.map(str::to_owned).collect()
    };
    records.iter().map(mails).collect()
}

fn awaited(test: &Test) -> Vec<String> {
    match test.state().waiting {
        CurrentWait::Orders { seats, .. } => seats.iter().map(ToString::to_string).collect(),
        other => panic!("no orders are waited for: {other:?}"),
    }
}

/// The French player passes, at this hour.
fn hour(test: &mut Test, hour: u32) {
    test.clock(&format!("2026-11-21T{hour}:00:00Z"));
    test.mail("french", "RIEN").run();
}

fn names_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn one_person_plays_against_a_bot() {
    let mut test = lonato().against("bot").begin();
    for at in 13..17 {
        hour(&mut test, at);
        assert_eq!(awaited(&test), ["french"], "nobody waits for the bot");
    }
    let mails = written(&test).concat();
    assert!(
        mails.iter().any(|words| words.contains("MOVE")),
        "{mails:?}"
    );
    // Its letters are kept, and nothing is mailed.
    let outbox = test.root().join("outbox/austrian");
    assert_eq!(names_in(&outbox.join("new")), Vec::<PathBuf>::new());
    assert!(!names_in(&outbox.join("done")).is_empty());
    let (_, said) = status(&test);
    assert!(said.contains("austrian (bot:sensible)"), "{said}");
    is_sound(&test);
}

#[test]
fn its_words_are_inputs_and_no_replay_needs_the_bot() {
    let mut test = lonato().against("bot").begin();
    for at in 13..16 {
        hour(&mut test, at);
    }
    let known = written(&test);
    fs::remove_file(test.root().join("bots.tar.gz")).unwrap();
    is_sound(&test);
    test.run();
    assert_eq!(written(&test), known, "a pass without news asks nobody");
}

/// A text without what is different whoever plays: keys and digests of the dice, which bind
/// everybody's letters and orders.
fn without_digests(text: &str) -> String {
    let word = |word: &str| {
        let code = |c: char| c.is_ascii_hexdigit() || c.is_ascii_lowercase() || c == '-';
        match word.len() >= 16 && word.chars().all(code) {
            true => "DIGEST".to_owned(),
            false => word.to_owned(),
        }
    };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What the bot writes comes from a person instead: the other seat reads the same.
#[test]
fn the_other_seat_can_not_tell_a_bot_from_a_person() {
    let plan = || lonato().option("fog", "on");
    let mut played = plan().against("bot").begin();
    for at in 13..17 {
        hour(&mut played, at);
    }
    let text = String::from_utf8(played.journal()).unwrap();
    let mut person = plan().begin();
    let mut from_the_bot = 0;
    for line in text.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut write = |seat: &str, words: &serde_json::Value| {
            person.clock(record["time"].as_str().unwrap());
            person.mail(seat, words.as_str().unwrap()).run();
        };
        if record["kind"] == "mail" {
            write("french", &record["words"]);
        }
        for words in record["mails"].as_array().into_iter().flatten() {
            if record["kind"] == "bot" {
                write("austrian", words);
                from_the_bot += 1;
            }
        }
    }
    assert!(from_the_bot >= 3);
    let (there, here) = (played.letters("french"), person.letters("french"));
    assert_eq!(there.len(), here.len());
    for (one, other) in there.iter().zip(&here) {
        assert_eq!(one.subject, other.subject);
        assert_eq!(without_digests(&one.text), without_digests(&other.text));
    }
}

#[test]
fn a_bot_takes_a_seat_over_and_gives_it_back() {
    let mut test = lonato().begin();
    pass(&mut test, "2026-11-21T13:00:00Z");
    test.clock("2026-11-21T14:00:00Z");
    let why = ["--why", "the player has gone to sea"];
    let refused = umpire(&test, &["replace", "austrian=bot:brave", why[0], why[1]]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("there are: random, sensible"), "{said}");
    decides(&test, &["replace", "austrian=bot", why[0], why[1]]);
    let farewell = test.letters("austrian");
    let last = farewell
        .iter()
        .rev()
        .find(|letter| letter.to.contains("bert@"));
    last.unwrap().contains("gone to sea");
    hour(&mut test, 15);
    let known = written(&test).len();
    assert!(known > 0);

    decides(
        &test,
        &[
            "replace",
            "austrian=cleo@example.org",
            why[0],
            "back on land",
        ],
    );
    hour(&mut test, 16);
    assert_eq!(written(&test).len(), known);
    assert_eq!(awaited(&test), ["austrian"]);
    test.mail("austrian", "NOTHING").run();
    is_sound(&test);
}

/// A campaign against a bot whose script is this.
fn against_script(script: &str) -> Plan {
    let rules = copied_rules();
    let folder = rules.path().join("castiglione/bots");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("strange.rhai"), script).unwrap();
    let plan = lonato().rules(rules.path()).against("bot:strange");
    // The campaign is made while the rules are there.
    std::mem::forget(rules);
    plan
}

#[test]
fn a_bot_that_fails_is_told_to_the_umpire_and_the_game_goes_on() {
    let script = "fn strange(seat, asked) { throw \"no idea\"; }";
    let plan = against_script(script).deadlines("{zone: UTC, most_hours: 24}");
    let mut test = plan.begin();
    hour(&mut test, 13);
    let told = test.newest("umpire");
    told.contains("strange")
        .contains("no idea")
        .contains("replace");
    let envelope = test.state().dice.envelope;
    for _ in 0..3 {
        test.run();
    }
    assert_eq!(test.records("bot").len(), 1, "it is tried once");
    test.clock("2026-11-22T13:00:00Z").run();
    assert!(
        test.state().dice.envelope > envelope,
        "the deadline closes the wait"
    );
    is_sound(&test);
}

#[test]
fn a_bot_whose_orders_are_wrong_gives_up() {
    let script = "fn strange(seat, asked) { [[`MOVE Nobody: Nowhere ${asked.written}`]] }";
    let mut test = against_script(script).begin();
    test.run();
    test.run();
    let tries = written(&test);
    assert_eq!(tries.len(), 3, "{tries:?}");
    assert_eq!(test.letters("umpire").len(), 1);
    test.newest("umpire")
        .contains("`strange`")
        .contains("has not");
    is_sound(&test);
}

#[test]
fn a_journal_can_not_let_a_bot_write_for_a_person() {
    let mut test = lonato().against("bot").begin();
    hour(&mut test, 13);
    let (context, state) = test.context();
    let player = |seat: &str| players::player(&context, &state, seat).unwrap();
    assert_eq!(
        player("austrian").address.bot().map(BotName::as_str),
        Some("sensible")
    );
    assert_eq!(player("french").address.bot(), None);
    let line = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
    let journal = String::from_utf8(test.journal()).unwrap();
    let forged = journal.replacen(
        "\"seat\":\"austrian\",\"bot\"",
        "\"seat\":\"french\",\"bot\"",
        1,
    );
    assert_ne!(forged, journal);
    assert_eq!(line(forged.lines().next().unwrap())["kind"], "created");
    fs::write(test.root().join("journal.jsonl"), forged).unwrap();
    let report = estafette::audit::campaign(&test.root());
    assert!(report.is_err() || !report.unwrap().wrong.is_empty());
}
