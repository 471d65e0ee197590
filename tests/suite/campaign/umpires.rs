//! Several umpires of one campaign: names, notes, rulings by mail with tokens of their own, a blind
//! one, and the log of what they did.

use std::process::Command;

use estafette::campaign::model::state::CurrentWait;

use super::stopped::{failing, stopped_in_recovery};
use crate::support::{
    Letter, Plan, Test, decides, fed, is_refused, is_sound, pass, status, umpire,
};

const UMPIRES: &str = "umpires:\n\
    - {name: dora, address: dora@example.org, blind: true}\n\
    - {name: emil, address: emil@example.org, silent: true}\n";

fn plan() -> Plan {
    let plan = Test::campaign("castiglione").scenario("lonato");
    plan.deadlines("{zone: UTC, most_hours: 48}")
        .settings_line(UMPIRES)
}

/// A mail of an umpire to the address for his rulings.
fn writes(test: &mut Test, from: &str, to: &str, words: &str, number: u32) {
    let mail = format!(
        "From: {from}\r\nTo: {to}\r\nSubject: rulings\r\nMessage-ID: <umpire-{number}@example.org>\r\n\
         Date: Sat, 21 Nov 2026 13:00:00 +0000\r\n\r\n{words}\r\n"
    );
    test.raw(mail.as_bytes()).run();
}

fn address_of(test: &Test, umpire: &str) -> String {
    test.letters(umpire)[0].reply_to.clone()
}

/// What a command says of the campaign: its exit code, standard output, standard error.
fn says(test: &Test, command: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_estafette"));
    program.arg(command).arg(test.root()).args(more);
    program.args(["--now", &test.now().to_string()]);
    let output = fed(&mut program, b"");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn log(test: &Test) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_estafette"))
        .args(["umpire", "log"])
        .arg(test.root())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_umpire_has_a_name_an_outbox_and_an_address_of_his_own() {
    let mut test = plan().begin();
    let folders = ["umpire", "u-dora", "u-emil"];
    let mut addresses = folders.map(|folder| address_of(&test, folder)).to_vec();
    addresses.sort();
    addresses.dedup();
    assert_eq!(addresses.len(), 3);
    test.letters("u-dora")[0]
        .contains("by the name dora")
        .contains("The others: umpire, emil.")
        .contains("You run it without seeing it");
    test.letters("umpire")[0].lacks("without seeing");
    // Letters of the campaign go to all but the silent one.
    test.mail("austrian", "UMPIRE\nI am lost.").run();
    for folder in ["umpire", "u-dora"] {
        test.newest(folder).contains("| I am lost.");
    }
    assert_eq!(test.letters("u-emil").len(), 1);
    is_sound(&test);
}

#[test]
fn names_of_umpires_are_checked() {
    let wrong = |line: &str, why: &str| {
        let text = test_settings(line);
        let found = estafette::campaign::model::settings::Settings::parse(
            &text,
            std::path::Path::new("campaign.yaml"),
        );
        let error = found.unwrap_err().to_string();
        assert!(error.contains(why), "{line}: {error}");
    };
    wrong(
        "umpires: [{name: umpire, address: a@b.org}]",
        "can't name an umpire",
    );
    wrong(
        "umpires: [{name: Dora, address: a@b.org}]",
        "can't name an umpire",
    );
    wrong(
        "umpires: [{name: dora, address: a@b.org}, {name: dora, address: c@b.org}]",
        "stands twice",
    );
    wrong(
        "umpires: [{name: dora, address: game+x@example.org}]",
        "own mailbox",
    );
    wrong(
        "umpires: [{name: dora, address: a@b.org, silent: true}]",
        "must not be `silent`",
    );
    wrong(
        "umpires: [{name: dora, address: a@b.org, deaf: true}]",
        "deaf",
    );
}

/// Settings with umpires that have names alone.
fn test_settings(line: &str) -> String {
    let settings = plan().settings();
    let text = settings.to_yaml().unwrap();
    let kept = text.lines().filter(|line| {
        let own = [
            "umpire",
            "- name: dora",
            "- name: emil",
            "  address: dora",
            "  address: emil",
        ];
        !own.iter().any(|begin| line.starts_with(begin))
            && !line.starts_with("  blind")
            && !line.starts_with("  silent")
    });
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    kept + line + "\n"
}

#[test]
fn notes_go_to_the_other_umpires_and_to_nobody_else() {
    let mut test = plan().begin();
    let before = (test.letters("french"), test.letters("u-dora"));
    decides(
        &test,
        &["note", "--as", "dora", "--text", "Look at the bridge."],
    );
    for folder in ["umpire", "u-emil"] {
        test.newest(folder)
            .contains("The umpire dora of the campaign spring writes")
            .contains("| Look at the bridge.");
    }
    let after = (test.letters("french"), test.letters("u-dora"));
    assert_eq!(
        (before.0.len(), before.1.len()),
        (after.0.len(), after.1.len())
    );
    // By mail too.
    let to = address_of(&test, "u-dora");
    writes(
        &mut test,
        "dora@example.org",
        &to,
        "NOTE\nAnd at the ford.\nEND",
        1,
    );
    test.newest("u-emil").contains("| And at the ford.");
    test.newest("u-dora").contains("1 | NOTE").contains("Done.");
    is_refused(
        &test,
        &["note", "--as", "dora", "--text", " "],
        "1 to 8000 characters",
    );
    let unknown = umpire(&test, &["note", "--as", "nobody", "--text", "x"]);
    assert_eq!(unknown.status.code(), Some(2));
    is_sound(&test);
}

#[test]
fn an_umpire_rules_by_mail_and_is_answered_line_by_line() {
    let mut test = plan().begin();
    let to = address_of(&test, "u-dora");
    writes(
        &mut test,
        "Dora <dora@example.org>",
        &to,
        "STATUS\nHOLD: Ada is ill\nRESUME: Ada is well\nEXTEND 2026-11-30 20:00: a strike\nEXTEND 2026-11-22 20:00: no\n\
         SAY TO french\nBonjour.\nEND\nSILENT cleo: ill\nDELETE everything",
        1,
    );
    test.newest("u-dora")
        .contains("Orders are waited for of: ")
        .contains("Ada is ill")
        .contains("name a later time")
        .contains("do not wait for a witness cleo")
        .lacks("DELETE");
    let CurrentWait::Orders { deadline, .. } = test.state().waiting else {
        panic!("no orders are waited for");
    };
    assert_eq!(deadline.unwrap().to_string(), "2026-11-30T20:00:00Z");
    test.newest("french").contains("| Bonjour.");
    let log = log(&test);
    for said in [
        "dora (by mail)  holds the campaign: Ada is ill",
        "lets it go on",
        "writes to french",
    ] {
        assert!(log.contains(said), "{said}: {log}");
    }
    assert!(!log.contains("cleo"), "it was not done: {log}");
    // A second copy does nothing.
    let journal = test.records("umpire_acts").len();
    writes(
        &mut test,
        "Dora <dora@example.org>",
        &to,
        "STATUS\nHOLD: Ada is ill\nRESUME: Ada is well\nEXTEND 2026-11-30 20:00: a strike\nEXTEND 2026-11-22 20:00: no\n\
         SAY TO french\nBonjour.\nEND\nSILENT cleo: ill\nDELETE everything",
        1,
    );
    assert_eq!(test.records("umpire_acts").len(), journal);
    is_sound(&test);
}

#[test]
fn strangers_and_forgers_rule_nothing_and_are_not_answered() {
    let mut test = plan().begin();
    let (dora, emil) = (address_of(&test, "u-dora"), address_of(&test, "u-emil"));
    let seats = test.newest("austrian").reply_to;
    let before: Vec<usize> = counts(&test);
    let forged = emil.replace(".u-emil.", ".u-dora.");
    let made_up = {
        let (head, rest) = dora.split_once(".u-dora.").unwrap();
        format!(
            "{head}.u-dora.aaaaaaaaaaaaaaaa@{}",
            rest.split_once('@').unwrap().1
        )
    };
    let hold = "HOLD: Ada is ill";
    for (number, (from, to)) in [
        ("mallory@example.net", &dora),
        ("bert@example.org", &dora),
        ("emil@example.org", &dora),
        ("dora@example.org", &forged),
        ("dora@example.org", &made_up),
    ]
    .into_iter()
    .enumerate()
    {
        writes(
            &mut test,
            from,
            to,
            hold,
            u32::try_from(number).unwrap() + 10,
        );
    }
    assert!(!test.state().on_hold);
    assert_eq!(counts(&test), before);
    assert!(test.records("umpire_acts").is_empty());
    // A player's token is no umpire's: there it is a line that is not understood.
    writes(&mut test, "dora@example.org", &seats, hold, 20);
    assert!(!test.state().on_hold);
    is_sound(&test);
}

fn counts(test: &Test) -> Vec<usize> {
    let folders = ["french", "austrian", "umpire", "u-dora", "u-emil"];
    folders.map(|folder| test.letters(folder).len()).to_vec()
}

/// A campaign in which orders of the Austrian's are held, and the name of their file.
fn with_a_held_mail() -> (Test, String) {
    let mut test = plan().trust("{least: token_and_address}").begin();
    let seat = test.newest("austrian").reply_to;
    let mail = format!(
        "From: other@example.net\r\nTo: {seat}\r\nSubject: orders\r\nMessage-ID: <o1@example.net>\r\n\
         Date: Sat, 21 Nov 2026 13:00:00 +0000\r\n\r\nPURSUE NEVER\r\n"
    );
    test.raw(mail.as_bytes()).run();
    let file = test.state().releasable().next().unwrap().file.clone();
    (test, file)
}

/// The second line finds the mail gone; what the first has done stays.
#[test]
fn a_held_mail_is_released_once_in_a_mail() {
    let (mut test, file) = with_a_held_mail();
    let to = address_of(&test, "u-dora");
    let twice = format!("RELEASE {file}\nRELEASE {file}");
    writes(&mut test, "dora@example.org", &to, &twice, 1);
    assert!(
        test.state().seats["austrian"]
            .words
            .contains("PURSUE NEVER")
    );
    test.newest("u-dora")
        .contains("Done.")
        .contains("leaves the held mail");
    is_sound(&test);
}

#[test]
fn a_held_mail_is_released_by_mail_and_no_other_file_is() {
    let (mut test, file) = with_a_held_mail();
    test.newest("u-dora").contains(&file).lacks("PURSUE");
    let to = address_of(&test, "u-dora");
    writes(
        &mut test,
        "dora@example.org",
        &to,
        "RELEASE ../../secret/master\nRELEASE nothing",
        1,
    );
    test.newest("u-dora")
        .contains("can't be read as RELEASE")
        .contains("there is no held mail `nothing`");
    writes(
        &mut test,
        "dora@example.org",
        &to,
        &format!("RELEASE {file}"),
        2,
    );
    assert!(
        test.state().seats["austrian"]
            .words
            .contains("PURSUE NEVER")
    );
    test.newest("u-dora").contains("Done.").lacks("PURSUE");
    assert!(log(&test).contains("dora (by mail)  releases the mail"));
    is_sound(&test);
}

#[test]
fn a_blind_umpire_sees_no_positions_unless_he_says_so() {
    let test = stopped_in_recovery(failing().settings_line(UMPIRES));
    test.newest("umpire").contains("planted");
    test.newest("u-dora")
        .contains("has stopped")
        .lacks("planted");
    let (_, seen) = status(&test);
    assert!(seen.contains("planted"));
    let (code, seen, _) = says(&test, "status", &["--as", "dora"]);
    assert_eq!(code, Some(0));
    assert!(
        seen.contains("STOPPED") && !seen.contains("planted"),
        "{seen}"
    );
    let (_, json, _) = says(&test, "status", &["--as", "dora", "--json"]);
    assert!(!json.contains("planted"), "{json}");
    let map = test.root().join("map.svg");
    let map = ["--out", map.to_str().unwrap(), "--as", "dora"];
    for (command, more) in [
        ("map", map.as_slice()),
        ("orders", &["--seat", "french", "--as", "dora"]),
        ("status", &["--secrets", "--as", "dora"]),
    ] {
        let (code, out, error) = says(&test, command, more);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{command}");
        assert!(error.contains("is blind"), "{error}");
    }
    let before = test.records("umpire_acts").len();
    let (code, _, error) = says(
        &test,
        "map",
        &[&map[..], &["--reveal", "a complaint"]].concat(),
    );
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(test.records("umpire_acts").len(), before + 1);
    assert!(log(&test).contains("dora  is blind, and looks (map): a complaint"));
    decides(
        &test,
        &[
            "rollback",
            "--envelope",
            "3",
            "--why",
            "a mistake",
            "--as",
            "dora",
        ],
    );
    for seat in ["french", "austrian"] {
        test.dispatch(seat)
            .contains("\ntext the umpire dora looks at positions and orders: a complaint\n");
    }
    // Whoever sees has nothing to reveal.
    let (code, ..) = says(&test, "orders", &["--seat", "french"]);
    assert_eq!(code, Some(0));
    is_sound(&test);
}

#[test]
fn a_campaign_without_named_umpires_is_as_it_was() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    assert!(test.letters("umpire").is_empty());
    pass(&mut test, "2026-11-21T13:00:00Z");
    test.mail("austrian", "UMPIRE: Hello").run();
    let letter: Letter = test.newest("umpire");
    assert!(letter.reply_to.contains(".umpire."), "{}", letter.reply_to);
    let to = letter.reply_to.clone();
    writes(&mut test, "umpire@example.org", &to, "STATUS", 1);
    test.newest("umpire").contains("Turn ");
    is_sound(&test);
}
