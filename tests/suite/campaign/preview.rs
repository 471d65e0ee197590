//! What a resolution now would send, for the umpire: nothing on the disk changes.

use std::{collections::BTreeMap, fs, path::Path, process::Output};

use crate::support::{Plan, Test, is_sound, pass, sealed_in, umpire, witness};

fn plan() -> Plan {
    Test::campaign("castiglione").scenario("lonato")
}

/// Every file of a directory, with its bytes.
fn whole(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(whole(&path));
        } else {
            files.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    files
}

#[track_caller]
fn previewed(test: &Test, more: &[&str]) -> String {
    let before = whole(&test.root());
    let output = umpire(test, &[&["preview"], more].concat());
    assert_eq!(whole(&test.root()), before, "a preview changes nothing");
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_preview_shows_every_letter_and_changes_nothing() {
    let mut test = plan().begin();
    test.mail("french", "RIEN").run();
    let seen = previewed(&test, &[]);
    for seat in ["french", "austrian"] {
        assert!(seen.contains(&format!("=== to {seat}: ")), "{seen}");
    }
    assert!(
        !seen.contains("\nsd1 "),
        "no proof of dice that are not thrown"
    );
    // The same again: nothing is drawn by lot.
    assert_eq!(previewed(&test, &[]), seen);
    // The letters to come have the same words but for what the dice decide.
    pass(&mut test, "2026-11-21T14:00:00Z");
    is_sound(&test);
}

#[test]
fn other_orders_show_as_a_difference() {
    let mut test = plan().begin();
    test.mail("french", "RIEN").run();
    let file = test.root().parent().unwrap().join("draft.txt");
    fs::write(&file, "ASK RETREAT\nPURSUE NEVER\n").unwrap();
    let file = file.to_str().unwrap();
    let seen = previewed(&test, &["--with", file, "--seat", "austrian"]);
    assert!(seen.contains("+ "), "{seen}");
    assert!(seen.contains("PURSUE NEVER"), "{seen}");
    assert!(test.state().seats["austrian"].words.is_empty());
    let json = previewed(&test, &["--with", file, "--seat", "austrian", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(
        json.as_array()
            .unwrap()
            .iter()
            .any(|it| it["to"] == "austrian")
    );
    let change = test.root().parent().unwrap().join("change.yaml");
    fs::write(&change, "pieces: {Guillaume: {hits: 1}}\n").unwrap();
    let seen = previewed(&test, &["--change", change.to_str().unwrap()]);
    assert!(seen.contains("a preview"), "{seen}");
    let nobody = umpire(&test, &["preview", "--with", file, "--seat", "nobody"]);
    assert_eq!(nobody.status.code(), Some(2));
}

#[test]
fn dice_that_wait_are_not_waited_for_and_not_told() {
    let (_, source) = witness();
    let test = sealed_in(plan().dice(&format!("[{source}]")));
    let seen = previewed(&test, &[]);
    assert!(seen.contains("=== to french: "), "{seen}");
    assert!(!seen.contains("=== to witness"), "{seen}");
}

#[test]
fn whoever_plays_sees_no_preview() {
    let umpires = "umpires: [{name: dora, address: bert@example.org}]\n";
    let test = plan().settings_line(umpires).begin();
    let refused = umpire(&test, &["preview", "--as", "dora"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        error(&refused).contains("dora plays austrian"),
        "{}",
        error(&refused)
    );
    previewed(&test, &[]);
    let blind = "umpires: [{name: dora, address: dora@example.org, blind: true}]\n";
    let test = plan().settings_line(blind).begin();
    let refused = umpire(&test, &["preview", "--as", "dora"]);
    assert!(error(&refused).contains("is blind"), "{}", error(&refused));
    let records = test.records("umpire_acts").len();
    let shown = umpire(
        &test,
        &["preview", "--as", "dora", "--reveal", "a complaint"],
    );
    assert_eq!(shown.status.code(), Some(0), "{}", error(&shown));
    assert_eq!(test.records("umpire_acts").len(), records + 1);
}
