//! Each command that runs rules says how they ended their process, and nothing else has come to
//! harm.

use std::{fs, path::Path};

use tempfile::TempDir;

use super::{
    DEEP, OVERFLOWED, TOO_MUCH, append, before, eats, estafette, is_stopped, overflows, plan,
    program, roomy, run, said,
};
use crate::support::{change, copied_rules, fed, pass, tree};

/// Copies of the rules in which this happens whenever a seat looks, or whenever a move is checked.
fn rules_with(place: &str, what: &str) -> TempDir {
    let rules = copied_rules();
    let (file, begins) = match place {
        "look" => ("castiglione/visibility.rhai", "fn look(seat) {\n"),
        _ => ("castiglione/movement.rhai", "fn check_move(order) {\n"),
    };
    change(
        &rules.path().join(file),
        begins,
        &format!("{begins}    {what}\n"),
    );
    append(&rules.path().join(file), DEEP);
    rules
}

#[test]
fn commands_over_somebody_elses_rules_tell_how_they_ended() {
    for (what, why) in [(overflows(), OVERFLOWED), (eats(), TOO_MUCH)] {
        let rules = rules_with("look", &what);
        each_command_tells(rules.path().to_str().unwrap(), why);
    }
}

/// Commands to which rules are given are ended by them for this reason, and have made nothing.
#[track_caller]
fn each_command_tells(rules: &str, why: &str) {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("made");
    let into = into.to_str().unwrap();
    let seats = [
        "--seat",
        "french=a@example.org",
        "--seat",
        "austrian=b@example.org",
    ];
    let new = [&["new", "castiglione", "--into", into][..], &seats].concat();
    for command in [
        vec!["check", "castiglione"],
        vec!["case", "tests/cases/castiglione"],
        vec![
            "simulate",
            "castiglione",
            "--campaigns",
            "1",
            "--threads",
            "1",
        ],
        new,
    ] {
        let mut program = program();
        program
            .args(&command)
            .args(["--rules", rules])
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = program.output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(1),
            "{command:?}: {}",
            said(&output)
        );
        assert!(
            said(&output).contains(why),
            "{command:?}: {}",
            said(&output)
        );
    }
    assert!(!Path::new(into).exists());
}

#[test]
fn orders_whose_check_ends_the_process_are_laid_aside() {
    let rules = rules_with("check_move", &overflows());
    let mut test = plan("stack").rules(rules.path()).begin();
    pass(&mut test, "2026-11-21T13:00:00Z");
    let attack = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";
    let mut command = program();
    command
        .arg("orders")
        .arg(test.root())
        .args(["--seat", "french"]);
    let asked = fed(&mut command, attack.as_bytes());
    assert_eq!(asked.status.code(), Some(1), "{}", said(&asked));
    assert!(said(&asked).contains(OVERFLOWED), "{}", said(&asked));

    test.clock("2026-11-21T14:00:00Z").mail("french", attack);
    assert_eq!(run(&test).status.code(), Some(1));
    is_stopped(&test, OVERFLOWED);
}

/// A campaign whose journal ends each process that plays it again, and that nobody has left alone
/// yet.
#[test]
fn commands_over_a_campaign_tell_how_its_rules_ended() {
    let mut test = before("stack", &overflows());
    roomy(|| test.run());
    let snapshots = test.root().join("snapshots");
    fs::remove_dir_all(&snapshots).unwrap();
    fs::create_dir(&snapshots).unwrap();
    let (records, folder) = (tree(&test.root()), tempfile::tempdir().unwrap());
    let made = folder.path().join("made.svg");
    let made = made.to_str().unwrap();
    for command in [
        &["status"][..],
        &["audit"],
        &["map", "--out", made],
        &["bundle", "--out", made],
        &["orders", "--seat", "french"],
    ] {
        let output = match command {
            ["orders", ..] => {
                let mut orders = program();
                orders.arg("orders").arg(test.root()).args(&command[1..]);
                fed(&mut orders, b"RIEN")
            }
            _ => estafette(command, &test),
        };
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.contains(OVERFLOWED), "{command:?}: {said}");
        assert!(!Path::new(made).exists(), "{command:?}");
        assert_eq!(tree(&test.root()), records, "{command:?}");
    }
}
