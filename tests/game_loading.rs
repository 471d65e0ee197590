//! Loading a game: what is accepted, what is refused and how the refusal reads, overlays, pinning, the digest.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

use std::path::Path;

use estafette::{
    game::{Disk, Embedded, Files, Game, GameFiles, Lang, Layers, Source, inspect},
    value::Value,
};

const TINY: &str = "games/tiny/";

fn fixture() -> Disk {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/game");
    Disk::default().games(&dir.join("games")).rules(&dir.join("rules"))
}

fn tiny() -> GameFiles {
    GameFiles::gather(&fixture(), "tiny").unwrap()
}

/// The problems of the tiny game after replacing a text, which must be there, in one of its files.
fn broken(name: &str, old: &str, new: &str) -> Vec<String> {
    let mut files = tiny();
    let path = if name == "checklist.yaml" {
        "rules/tiny/checklist.yaml".to_owned()
    } else {
        format!("{TINY}{name}")
    };
    let bytes = files.0.get_mut(&path).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(old), "{path} has no {old:?}");
    *bytes = text.replacen(old, new, 1).into_bytes();
    let (_, problems) = inspect(&files, "tiny");
    problems.iter().map(ToString::to_string).collect()
}

/// One replacement, one problem, read exactly.
fn refused(name: &str, old: &str, new: &str, message: &str) {
    assert_eq!(broken(name, old, new), [message]);
}

#[test]
fn a_sound_game_loads() {
    let game = Game::load(&fixture(), "tiny").unwrap();
    assert_eq!(game.map.map().spaces.len(), 3);
    assert_eq!(game.map.road("south", "middle").unwrap().river.as_deref(), Some("brook"));
    assert_eq!(game.forces.pieces[1].attributes["sp"], Value::Int(3));
    assert_eq!(game.tables["fight"].rows[2].result, [Value::Int(1), Value::Int(2)]);
    assert_eq!(game.scenarios["start"].facts["turn"], Value::Int(2));
    assert_eq!(game.text[&Lang::Fr].boxes["lost"], "Perdus");
    assert_eq!(game.checklist.len(), 3);
    let scripts: Vec<_> = game.scripts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(scripts, ["lib/common.rhai", "tiny/sequence.rhai"]);
}

#[test]
fn shape_is_strict() {
    refused(
        "map.yaml",
        "name: Middle, terrain",
        "name: Middle, terain",
        "games/tiny/map.yaml:5:32: spaces[1]: unknown field `terain`, did you mean `terrain`?",
    );
    refused(
        "map.yaml",
        "lat: 45000",
        "lat: high",
        "games/tiny/map.yaml:5:54: spaces[1].lat: invalid type: string \"high\", expected i64",
    );
    refused(
        "map.yaml",
        "source: deduced",
        "source: deducted",
        "games/tiny/map.yaml:5:83: spaces[1].source: unknown variant `deducted`, did you mean `deduced`?",
    );
    refused(
        "tables.yaml",
        "  source: stated\n  values",
        "  values",
        "games/tiny/tables.yaml:2:3: costs: missing field `source`",
    );
    refused(
        "tables.yaml",
        "fight:",
        "costs:",
        "games/tiny/tables.yaml:6:1: `costs` stands here twice",
    );
    refused(
        "tables.yaml",
        "hills: 2}",
        "clear: 2}",
        "games/tiny/tables.yaml:4:21: costs.values: `clear` stands here twice",
    );
    refused(
        "tables.yaml",
        "clear: 1,",
        "clear: 1.5,",
        "games/tiny/tables.yaml:4:18: costs.values.clear: this is no value of the game, \
         values are text, whole numbers, true, false, lists or maps",
    );
}

#[test]
fn files_are_accounted_for() {
    let mut files = tiny();
    files.0.remove("games/tiny/forces.yaml");
    files.0.insert("games/tiny/force.yaml".to_owned(), Vec::new());
    let (game, problems) = inspect(&files, "tiny");
    assert!(game.is_none());
    let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "games/tiny/force.yaml: nothing reads this file, is its name or its folder misspelt?",
            "games/tiny/forces.yaml: there is no such file",
        ]
    );
    let problems = Game::load(&fixture(), "tinny").unwrap_err();
    assert_eq!(problems[0].message, "there is no game `tinny`; there are: tiny");
}

#[test]
fn names_must_exist() {
    refused(
        "game.yaml",
        "{id: bert, side: blue}",
        "{id: bert, side: bleu}",
        "games/tiny/game.yaml:10:22: seats[1].side: there is no side `bleu`, did you mean `blue`?",
    );
}
