//! The page about games that extend others is true: its game is checked, its cases pass, bots play
//! it, and a campaign of it needs the other game's files no more.

use std::fs;

use super::guides::{followed, lay_out, letter, runs, shell};
use crate::support::change;
use estafette::{mail, store::Directory};

const PAGE: &str = "docs/rules-variants.md";

#[test]
fn the_variant_is_built_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    followed(
        folder,
        PAGE,
        &[
            "straits: sound",
            "2 passed, 0 failed",
            "3 campaigns",
            "sound: straits-",
        ],
    );
    // The pinned copy stands for itself: no game of another name, and no folder to look for one.
    let pinned = Directory::at(&folder.join("sound")).pinned().unwrap();
    let game = String::from_utf8_lossy(pinned.get("games/straits/game.yaml").unwrap());
    assert!(!game.contains("extends"), "{game}");
    assert!(pinned.get("rules/diplomacy/moves.rhai").is_some());
    assert!(
        !pinned
            .iter()
            .any(|(path, _)| path.starts_with("games/diplomacy/"))
    );
    let audit = runs(folder, "estafette audit sound");
    assert!(audit.contains("fits"), "{audit}");
    let first = mail::parts(&letter(&folder.join("sound"), "alba")).unwrap();
    assert!(
        first.text.contains("Alba 2, Berg 2, Corona 2"),
        "{}",
        first.text
    );
}

#[test]
fn the_step_that_differs_is_the_games_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out(folder, PAGE);
    let places = "--games games --rules rules";
    fs::remove_file(folder.join("rules/straits/builds.rhai")).unwrap();
    let plain = shell(folder, &format!("estafette case cases {places}"));
    let said = String::from_utf8_lossy(&plain.stdout).into_owned();
    assert!(said.contains("1 passed, 1 failed"), "{said}");
    // The other game says that it has no dice, and so has none.
    let thrown = "fn free_homes(side) { d6(`t1/build/${side}`); [] }\n";
    fs::write(folder.join("rules/straits/builds.rhai"), thrown).unwrap();
    let thrown = shell(folder, &format!("estafette case cases {places}"));
    let said = String::from_utf8_lossy(&thrown.stdout).into_owned();
    assert!(said.contains("this game has no `dice`"), "{said}");
    // A game that is not there is told of where it is named.
    let game = folder.join("games/straits/game.yaml");
    change(&game, "extends: diplomacy", "extends: diplomatie");
    let wrong = shell(folder, &format!("estafette check straits {places}"));
    let said = String::from_utf8_lossy(&wrong.stdout).into_owned()
        + &String::from_utf8_lossy(&wrong.stderr);
    assert!(
        said.contains("there is no game `diplomatie` to extend"),
        "{said}"
    );
}
