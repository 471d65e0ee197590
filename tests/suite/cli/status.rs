//! `estafette status` of many campaigns: a line each.

use std::{fs, path::Path};

use crate::support::{Test, program::estafette};

fn campaign(name: &'static str, schedule: &'static str) -> Test {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines(schedule)
        .questions(3)
        .named(name)
        .begin()
}

fn lines(paths: &[&Path], more: &[&str]) -> (i32, Vec<String>) {
    let paths: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    let ran = estafette(&[&["status"][..], &paths, more].concat(), b"");
    (ran.code, ran.out.lines().map(str::to_owned).collect())
}

#[test]
fn many_campaigns_are_a_line_each() {
    let mut spring = campaign("spring", "{zone: Europe/Rome, most_hours: 48}");
    let autumn = campaign("autumn", "{zone: UTC}");
    spring.mail("french", "RIEN").run();
    let (code, said) = lines(&[&spring.root(), &autumn.root()], &[]);
    assert_eq!(code, 0);
    assert_eq!(
        said,
        [
            "spring  turn 6  waits for austrian until Mon 2026-11-23 13:00 (Europe/Rome)",
            "autumn  turn 6  waits for french, austrian",
        ]
    );
    // A folder of campaigns, with one that is being made, and one that can't be opened.
    let folder = tempfile::tempdir().unwrap();
    for (test, name) in [(&spring, "a"), (&autumn, "b")] {
        fs::rename(test.root(), folder.path().join(name)).unwrap();
    }
    fs::create_dir(folder.path().join("c")).unwrap();
    fs::write(folder.path().join("c/campaign.yaml"), "").unwrap();
    let (code, said) = lines(&[folder.path()], &[]);
    assert_eq!((code, said.len()), (0, 2), "{said:?}");
    let journal = folder.path().join("b/journal.jsonl");
    let damaged = fs::read_to_string(&journal).unwrap().replacen('a', "b", 1);
    fs::write(&journal, damaged).unwrap();
    let (code, said) = lines(&[folder.path()], &[]);
    assert_eq!(code, 1);
    assert!(said[0].starts_with("spring  turn 6"), "{said:?}");
    let wrong = said[1].starts_with("autumn  WRONG: STOPPED");
    assert!(wrong, "{said:?}");
    let json = estafette(&["status", folder.path().to_str().unwrap(), "--json"], b"");
    assert_eq!(json.json()[0]["turn"], 6);
}

/// What only the asked know is said with `--secrets` alone.
#[test]
fn lines_tell_no_secret() {
    let plan = crate::support::Plan::deadlines;
    let test = plan(Test::campaign("castiglione"), "{zone: UTC, most_hours: 48}");
    let mut test = test.scenario("lonato").questions(3).begin();
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT\nPURSUE NEVER")
        .run();
    let mut rounds = 0;
    while !test.state().waits_in_quiet() && rounds < 6 {
        rounds += 1;
        for seat in crate::support::awaited(&test.state()) {
            let words = match seat.as_str() {
                "french" => crate::support::ATTACK,
                _ => "NOTHING",
            };
            test.mail(&seat, words);
        }
        test.run();
    }
    assert!(test.state().waits_in_quiet(), "somebody is asked");
    let root = test.root();
    // What looks at the whole host says no more: no phase that only the asked know.
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("estafette.yaml");
    fs::write(&config, "mailbox: game@example.org\nstate: state\n").unwrap();
    let words = ["doctor", root.to_str().unwrap(), "--config"];
    let doctor = estafette(&[&words[..], &[config.to_str().unwrap()]].concat(), b"");
    assert!(
        doctor.out.contains("spring: opens\n") && !doctor.out.contains(&test.state().phase),
        "{doctor:?}"
    );
    let paths = [root.as_path(), root.as_path()];
    let (_, said) = lines(&paths, &[]);
    assert!(said[0].contains("orders or what comes of them"), "{said:?}");
    assert!(!said[0].contains("austrian"), "{said:?}");
    let (_, said) = lines(&paths, &["--secrets"]);
    assert!(
        said[0].contains("waits for answers of austrian"),
        "{said:?}"
    );
    // In full, too, and in JSON.
    for form in [&[][..], &["--json"]] {
        let (_, said) = lines(&[&root], form);
        let said = said.join("\n");
        assert!(said.contains("orders or what comes of them"), "{said}");
        let phase = test.state().phase;
        assert!(!said.contains("answer") && !said.contains(&phase), "{said}");
        let (_, said) = lines(&[&root], &[&["--secrets"][..], form].concat());
        assert!(said.join("\n").contains("answers"), "{said:?}");
    }
}

/// In full, too: who has sent his orders is not waited for.
#[test]
fn who_has_sent_is_not_waited_for() {
    let mut test = campaign("spring", "{zone: UTC, settle: 15m}");
    test.mail("french", "RIEN").run();
    let said = |test: &Test| lines(&[&test.root()], &[]).1.join("\n");
    let text = said(&test);
    assert!(
        text.contains("waiting for orders of austrian for"),
        "{text}"
    );
    assert!(
        text.contains("french (ada@example.org): orders in"),
        "{text}"
    );
    test.mail("austrian", "NOTHING").run();
    let text = said(&test);
    let closes = "all orders for setup are in; they close Sat 2026-11-21 ";
    assert!(text.contains(closes), "{text}");
    assert!(!text.contains("waiting for orders"), "{text}");
}
