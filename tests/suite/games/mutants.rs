//! `estafette coverage GAME --mutants N` on the rule author's small game: holes in its cases are
//! found and closed.

use std::{fs, path::Path};

use serde_json::Value;

use super::guides::lay_out_the_game;
use crate::support::program::{Ran, estafette};

/// The guide's game with one case, which throws a 3 where a 4 is needed.
fn ford() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    lay_out_the_game(folder.path());
    folder
}

/// All changes that there are, unless the options name a number.
fn coverage(folder: &Path, options: &[&str]) -> Ran {
    let places = ["cases", "games", "rules"].map(|name| {
        let place = folder.join(name);
        (format!("--{name}"), place.to_str().unwrap().to_owned())
    });
    let mut words = vec!["coverage", "ford"];
    if !options.contains(&"--mutants") {
        words.extend(["--mutants", "1000"]);
    }
    for (option, place) in &places {
        words.extend([option.as_str(), place.as_str()]);
    }
    words.extend(options);
    estafette(&words, b"")
}

/// What no case notices, as `line: before -> after`.
fn survivors(report: &Value) -> Vec<String> {
    let survivors = report["survivors"].as_array().unwrap().iter();
    survivors
        .filter(|it| it["file"] == "rules/ford/ford.rhai")
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap().to_owned();
            format!("{}: {} -> {}", it["line"], text("before"), text("after"))
        })
        .collect()
}

fn line_of(folder: &Path, part: &str) -> usize {
    let script = fs::read_to_string(folder.join("rules/ford/ford.rhai")).unwrap();
    1 + script.lines().position(|line| line.contains(part)).unwrap()
}

fn add_case(folder: &Path, name: &str, rest: &str) {
    let head = format!("case: {name}\nrules: [1.b]\ngame: ford\nscenario: crossing\n");
    let path = folder.join(format!("cases/ford/{name}.yaml"));
    fs::write(path, format!("{head}{rest}")).unwrap();
}

/// With a 3 alone nobody can tell whether a 4 is enough.
#[test]
fn a_hole_in_the_cases_is_found_and_closed() {
    let folder = ford();
    let line = line_of(folder.path(), "needed");
    let hole = format!("{line}: < -> <=");
    let before = coverage(folder.path(), &["--json"]).json();
    assert!(survivors(&before).contains(&hole), "{before:#}");
    assert_eq!(before["cases"], 1);

    add_case(
        folder.path(),
        "A four",
        "given: {turn: 1, phase: march.red}\norders: {red: MARCH Guard TO The Ford}\ndice: [4]\n\
         expect: {pieces: {Guard: {at: The Ford}}, events: [{key: marched}], next: march.blue}\n",
    );
    let after = coverage(folder.path(), &["--json"]).json();
    assert!(!survivors(&after).contains(&hole), "{after:#}");
    assert!(survivors(&after).len() < survivors(&before).len());
    // All changes were drawn, and each is counted once.
    let count = |key: &str| after[key].as_u64().unwrap();
    assert_eq!(count("tried") + count("unsound"), count("possible"));
    let left = after["survivors"].as_array().unwrap().len() as u64;
    assert_eq!(count("noticed") + left, count("tried"));
}

/// A case that names a roster is played with seats of its own; it notices changes like any other.
#[test]
fn a_case_with_a_roster_notices_changes() {
    let folder = ford();
    let path = folder.path().join("games/ford/game.yaml");
    let game = fs::read_to_string(&path).unwrap();
    let seats = "seats:\n  - {id: red, side: red}\n  - {id: blue, side: blue}\n";
    assert!(game.contains(seats));
    let roster = seats
        .replace("seats:", "rosters:\n  \"2\":")
        .replace("  - ", "    - ");
    fs::write(&path, game.replace(seats, &roster)).unwrap();
    add_case(
        folder.path(),
        "A four",
        "roster: \"2\"\ngiven: {turn: 1, phase: march.red}\n\
         orders: {red: MARCH Guard TO The Ford}\ndice: [4]\n\
         expect: {pieces: {Guard: {at: The Ford}}, events: [{key: marched}], next: march.blue}\n",
    );
    let report = coverage(folder.path(), &["--json"]).json();
    let hole = format!("{}: < -> <=", line_of(folder.path(), "needed"));
    assert!(!survivors(&report).contains(&hole), "{report:#}");
}

/// A script that hands a function to another script's does not compile alone; its changes are drawn
/// all the same.
#[test]
fn scripts_that_need_each_other_are_changed() {
    let folder = ford();
    let rules = folder.path().join("rules/ford");
    let tried = || {
        let report = coverage(folder.path(), &["--json"]).json();
        report["tried"].as_u64().unwrap()
    };
    let before = tried();
    fs::write(
        rules.join("chosen.rhai"),
        "/// The items that are wanted.\nfn chosen(list, wanted) { list.filter(wanted) }\n",
    )
    .unwrap();
    let path = rules.join("ford.rhai");
    let script = fs::read_to_string(&path).unwrap();
    let all = "at(order.to, enemy_of(side))";
    assert!(script.contains(all));
    let some = format!("chosen({all}, |piece| piece.side != side)");
    fs::write(&path, script.replace(all, &some)).unwrap();
    let after = tried();
    assert!(after > before, "{before} {after}");
}

#[test]
fn a_survivor_is_named_with_place_and_rules() {
    let folder = ford();
    let ran = coverage(folder.path(), &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let last = line_of(folder.path(), "set_fact");
    let run = line_of(folder.path(), "needed");
    let script = fs::read_to_string(folder.path().join("rules/ford/ford.rhai")).unwrap();
    let text = script.lines().nth(run - 1).unwrap();
    let column = text.find(" < ").unwrap() + 2;
    for line in [
        format!(
            "rules/ford/ford.rhai:{last}:5: `set_fact(\"turn\", turn() + 1);` left out (1.a, 1.b, 2.a, 2.b; no case runs it)"
        ),
        format!("rules/ford/ford.rhai:{run}:{column}: `<` -> `<=` (1.a, 1.b, 2.a, 2.b)"),
    ] {
        assert!(ran.out.contains(&line), "no `{line}` in\n{}", ran.out);
    }
}

#[test]
fn a_seed_draws_the_same_changes_whatever_the_threads() {
    let folder = ford();
    let drawn = |seed: &str, threads: &str| {
        let options = ["--mutants", "8", "--seed", seed, "--threads", threads];
        coverage(folder.path(), &[&options[..], &["--json"]].concat()).out
    };
    let one = drawn("3", "1");
    assert_eq!(one, drawn("3", "1"));
    assert_eq!(one, drawn("3", "4"));
    assert_ne!(one, drawn("4", "1"));
}

/// A loop that has no end is stopped by its number of operations, and the case has noticed it.
#[test]
fn a_change_that_never_ends_is_noticed() {
    let folder = ford();
    let path = folder.path().join("rules/ford/ford.rhai");
    let script = fs::read_to_string(&path).unwrap();
    let script = script.replace(
        "fn march(side) {\n",
        "fn march(side) {\n    let left = 2;\n    while left > 0 { left -= 1; }\n",
    );
    fs::write(&path, script).unwrap();
    let line = line_of(folder.path(), "left -= 1");
    let report = coverage(folder.path(), &["--json"]).json();
    let here = format!("{line}: ");
    let left: Vec<_> = survivors(&report)
        .into_iter()
        .filter(|it| it.starts_with(&here))
        .collect();
    // One round more or less has no effect; a loop that does not come to its end has one.
    for endless in ["left -= 1; -> ", "-= -> +=", "1 -> 0"] {
        assert!(!left.contains(&format!("{here}{endless}")), "{left:#?}");
    }
    assert!(left.contains(&format!("{here}> -> >=")), "{left:#?}");
}

/// The dice that are needed, the turns that there are: figures are drawn on demand.
#[test]
fn figures_are_changed_on_demand() {
    let folder = ford();
    let figures = |options: &[&str]| {
        let report = coverage(folder.path(), &[options, &["--json"]].concat()).json();
        let survivors = report["survivors"].as_array().unwrap().clone();
        let possible = report["possible"].as_u64().unwrap();
        let of_tables = survivors
            .into_iter()
            .filter(|it| it["file"] == "games/ford/tables.yaml");
        (
            of_tables.map(|it| it["after"].clone()).collect::<Vec<_>>(),
            possible,
        )
    };
    let (none, scripts) = figures(&[]);
    let (some, all) = figures(&["--tables"]);
    assert_eq!(none, Vec::<Value>::new());
    assert_eq!(all, scripts + 4);
    // A 3 fails where 5 are needed too, and no case reaches the end.
    assert_eq!(some, ["5", "2", "4"]);
}

/// Cases that fail judge nothing; nor does a game without cases.
#[test]
fn what_can_not_judge_is_refused() {
    let folder = ford();
    add_case(
        folder.path(),
        "Wrong",
        "given: {turn: 1, phase: march.red}\nexpect: {next: march.red}\n",
    );
    let ran = coverage(folder.path(), &[]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err
            .contains("Wrong: next: expected march.red, got march.blue"),
        "{}",
        ran.err
    );
    fs::remove_dir_all(folder.path().join("cases/ford")).unwrap();
    fs::create_dir(folder.path().join("cases/ford")).unwrap();
    let ran = coverage(folder.path(), &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no cases of `ford`"), "{}", ran.err);
    let ran = estafette(&["coverage", "ford", "--seed", "3"], b"");
    assert_eq!(ran.code, 2);
}
