//! A check function of the rules that fails is never silent: the player reads that his order could
//! not be judged, and whoever has the rules in hand reads function, file and line.

use std::{fs, path::Path};

use crate::support::{Test, change, copied_rules, is_sound, program::estafette};
use tempfile::TempDir;

/// Rules whose check of moves fails where this condition holds, and the line of the script where it
/// does.
fn failing_where(condition: &str) -> (TempDir, usize) {
    let rules = copied_rules();
    let file = rules.path().join("castiglione/movement.rhai");
    let begins = "fn check_move(order) {\n";
    let fails = format!("{begins}    if {condition} {{ throw \"planted\"; }}\n");
    change(&file, begins, &fails);
    let text = fs::read_to_string(&file).unwrap();
    let line = text.lines().position(|line| line.contains("planted"));
    (rules, line.unwrap() + 1)
}

/// How the error reads.
fn fault(line: usize) -> String {
    let column = 5 + "if turn() > 0 { ".len();
    format!(
        "castiglione/movement.rhai:{line}:{column}: Runtime error: planted (in function `check_move`)"
    )
}

#[test]
fn the_umpire_hears_of_it_and_the_player_nothing_new() {
    let (rules, line) = failing_where("turn() > 0");
    let plan = Test::campaign("castiglione")
        .scenario("lonato")
        .rules(rules.path());
    let mut test = plan.begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    assert!(test.letters("umpire").is_empty());
    let mover = test.state();
    let seat = match mover.phase.as_str() {
        "movement.french" => "french",
        _ => "austrian",
    };
    let order = if seat == "french" {
        "MOVE Victor: Lonato"
    } else {
        "MOVE Ocskay: Lonato"
    };
    test.mail(seat, order).run();
    assert_eq!(test.state().waiting, mover.waiting, "the wait goes on");
    let receipt = test.newest(seat);
    assert!(!receipt.text.contains("planted"), "{}", receipt.text);
    let letters = test.letters("umpire");
    let [letter] = letters.as_slice() else {
        panic!("{} letters", letters.len());
    };
    let text = letter.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = format!("Orders of {seat}: {}", fault(line));
    assert!(text.contains(&said), "{}", letter.text);

    // What is on record comes to the same when the journal is recalled, and in an audit.
    assert_eq!(test.state().mails["umpire"], 1);
    is_sound(&test);

    // The same mistake a second time on one day: one more letter, and the preview of orders says it
    // too.
    test.mail(seat, order).run();
    assert_eq!(test.letters("umpire").len(), 2);
    let root = test.root();
    let ran = estafette(
        &["orders", root.to_str().unwrap(), "--seat", seat],
        order.as_bytes(),
    );
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains(&fault(line)), "{ran:?}");
}

#[test]
fn cases_fail_with_it() {
    let (rules, line) = failing_where("turn() > 0");
    let cases = "tests/cases/castiglione/8-receipts.yaml";
    let ran = estafette(
        &["case", cases, "--rules", rules.path().to_str().unwrap()],
        b"",
    );
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains(&fault(line)), "{}", ran.out);
}

#[test]
fn simulations_end_with_it() {
    let (rules, line) = failing_where("turn() > 1");
    for folder in ["lib/bots", "castiglione/bots"] {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("rules")
            .join(folder);
        let copy = rules.path().join(folder);
        fs::create_dir(&copy).unwrap();
        for file in fs::read_dir(own).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), copy.join(file.file_name())).unwrap();
        }
    }
    let ran = estafette(
        &[
            "simulate",
            "castiglione",
            "--campaigns",
            "1",
            "--bots",
            "sensible",
            "--rules",
            rules.path().to_str().unwrap(),
        ],
        b"",
    );
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(format!("{ran:?}").contains(&fault(line)), "{ran:?}");
}

/// A template that fails leaves a letter without proposals, and the umpire hears of it.
#[test]
fn the_umpire_hears_of_a_template_that_fails() {
    let rules = copied_rules();
    let file = rules.path().join("castiglione/movement.rhai");
    let begins = "fn template_move(seat) {\n";
    let fails = format!("{begins}    if turn() > 0 {{ throw \"planted\"; }}\n");
    change(&file, begins, &fails);
    let plan = Test::campaign("castiglione")
        .scenario("lonato")
        .rules(rules.path());
    let mut test = plan.begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    let seat = match test.state().phase.as_str() {
        "movement.french" => "french",
        _ => "austrian",
    };
    let dispatch = test.newest(seat);
    assert!(!dispatch.text.contains("planted"), "{}", dispatch.text);
    let letters = test.letters("umpire");
    let [letter] = letters.as_slice() else {
        panic!("{} letters", letters.len());
    };
    let text = letter.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = format!("Letter to {seat}: castiglione/movement.rhai:");
    assert!(
        text.contains(&said) && text.contains("Runtime error: planted (in function"),
        "{}",
        letter.text
    );

    // What is on record comes to the same when the journal is recalled, and in an audit.
    assert_eq!(test.state().mails["umpire"], 1);
    is_sound(&test);
}
