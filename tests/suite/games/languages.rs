//! A game needs one language, and says nothing where it has nothing to say.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_yaml::Value;

use super::guides::{lay_out, letter, runs, shell};
use estafette::mail;

/// All YAML files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.append(&mut files(&path));
        } else if path.extension().is_some_and(|it| it == "yaml") {
            found.push(path);
        }
    }
    found
}

fn read(path: &Path) -> Value {
    serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn write(path: &Path, value: &Value) {
    fs::write(path, serde_yaml::to_string(value).unwrap()).unwrap();
}

/// Takes a key out of every map in a value.
fn take_out(value: &mut Value, key: &str) {
    match value {
        Value::Mapping(map) => {
            map.remove(key);
            map.values_mut().for_each(|inner| take_out(inner, key));
        }
        Value::Sequence(list) => list.iter_mut().for_each(|inner| take_out(inner, key)),
        _ => {}
    }
}

/// The Redoubt without one of its languages.
fn without(lang: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    lay_out(folder.path(), "docs/rules-reference.md");
    let game = folder.path().join("games/redoubt");
    fs::remove_file(game.join(format!("text/{lang}.yaml"))).unwrap();
    for path in files(&game) {
        let mut value = read(&path);
        take_out(&mut value, lang);
        write(&path, &value);
    }
    folder
}

const PLACES: &str = "--games games --rules rules";
const SEATS: &str =
    "--seat left=ada@example.org --seat right=bert@example.org --seat fort=carol@example.org";

/// The text of the newest letter to the left column.
fn newest(folder: &Path) -> String {
    mail::parts(&letter(&folder.join("siege"), "left"))
        .unwrap()
        .text
}

/// Checks the game, lets bots play it, begins a campaign, and reads an order in it.
fn is_played(folder: &Path, order: &str) {
    let check = runs(folder, &format!("estafette check redoubt {PLACES}"));
    assert_eq!(check, "redoubt: sound\n");
    let simulated = runs(
        folder,
        &format!("estafette simulate redoubt --campaigns 3 {PLACES}"),
    );
    assert!(
        simulated.contains("0 refused, 0 wrong lines"),
        "{simulated}"
    );
    runs(
        folder,
        &format!("estafette new redoubt --into siege {PLACES} {SEATS}"),
    );
    let receipt = runs(
        folder,
        &format!("echo '{order}' | estafette orders siege --seat left"),
    );
    assert!(
        receipt.contains(&format!("1 | {order}\n")) && !receipt.contains('^'),
        "{receipt}"
    );
    let letter = newest(folder);
    assert!(
        letter.contains(order.split(' ').next().unwrap()),
        "{letter}"
    );
    runs(folder, "estafette map siege --seat left --out map.png");
    runs(folder, "estafette audit siege");
}

#[test]
fn a_game_with_english_alone_is_played() {
    let folder = without("fr");
    is_played(folder.path(), "MARCH Left Column TO Mill");
    let cases = runs(
        folder.path(),
        &format!("estafette case cases --quiet {PLACES}"),
    );
    assert_eq!(cases, "5 passed, 0 failed\n");
    assert!(newest(folder.path()).contains("Turn 1 of 5"));
    let page = runs(
        folder.path(),
        &format!("estafette games redoubt --lang en {PLACES}"),
    );
    assert!(page.contains("The Redoubt"), "{page}");
}

#[test]
fn a_game_with_french_alone_is_played() {
    let folder = without("en");
    // Cases look at words: what they find in English, this game says in French.
    for path in files(&folder.path().join("cases")) {
        let text = fs::read_to_string(&path).unwrap();
        let words = [
            ("is not yours to command", "pas sous vos ordres"),
            ("contains: [Rain]", "contains: [Pluie]"),
            ("MARCH Left Column TO Camp", "MARCHER Left Column VERS Camp"),
            (
                "Left Column storms: 5 = 5 rolled, -1 rain, +1 two columns; it is inside (3.b).",
                "Assaut de Left Column",
            ),
        ];
        let changed = words.iter().fold(text, |text, (english, french)| {
            text.replacen(english, french, 1)
        });
        fs::write(&path, changed).unwrap();
    }
    is_played(folder.path(), "MARCHER Left Column VERS Mill");
    let cases = runs(
        folder.path(),
        &format!("estafette case cases --quiet {PLACES}"),
    );
    assert_eq!(cases, "5 passed, 0 failed\n");
    assert!(newest(folder.path()).contains("Tour 1 sur 5"));
    let page = runs(folder.path(), &format!("estafette games redoubt {PLACES}"));
    assert!(page.contains("La Redoute"), "{page}");
    let list = runs(folder.path(), &format!("estafette games {PLACES}"));
    assert!(list.contains("La Redoute"), "{list}");
}

/// A player whose language the game lacks learns it before the campaign begins.
#[test]
fn a_language_that_the_game_lacks_is_refused() {
    let folder = without("fr");
    let seats = SEATS.replacen("ada@example.org", "ada@example.org,lang=fr", 1);
    let line = format!("estafette new redoubt --into siege {PLACES} {seats}");
    let ran = shell(folder.path(), &line);
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(
        said.contains("left: the game `redoubt` has no words in `fr`; it has them in: en"),
        "{said}"
    );
    assert!(!folder.path().join("siege").exists());
    let line = format!("estafette games redoubt --lang fr {PLACES}");
    assert_eq!(shell(folder.path(), &line).status.code(), Some(2));
}

#[test]
fn a_game_without_any_words_is_told_so() {
    let folder = without("fr");
    fs::remove_file(folder.path().join("games/redoubt/text/en.yaml")).unwrap();
    let ran = shell(folder.path(), &format!("estafette check redoubt {PLACES}"));
    let said = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(
        said.contains("words in one language at least: text/en.yaml or text/fr.yaml"),
        "{said}"
    );
}

/// What has nothing in it may be left out, one by one and all together, whole files too.
#[test]
fn empty_sections_may_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    lay_out(folder, "docs/rules.md");
    let game = folder.join("games/ford");
    let is_sound = |what: &str| {
        let said = runs(folder, &format!("estafette check ford {PLACES}"));
        assert_eq!(said, "ford: sound\n", "{what}");
    };
    let empty: Vec<(&str, &[&str])> = vec![
        (
            "game.yaml",
            &[
                "attributes {}",
                "space_attributes {}",
                "road_attributes {}",
                "boxes {}",
                "dates []",
                "options {}",
                "display {}",
            ],
        ),
        ("map.yaml", &["regions {}", "waters {}"]),
        ("forces.yaml", &["formations []"]),
        (
            "scenarios/crossing.yaml",
            &["facts {}", "spaces {}", "roads {}", "pieces {}", "data {}"],
        ),
        (
            "text/en.yaml",
            &[
                "attributes {}",
                "boxes {}",
                "formations {}",
                "options {}",
                "modifiers {}",
                "remarks {}",
                "legend {}",
                "topics {}",
                "conditions {}",
                "results {}",
            ],
        ),
    ];
    for (name, keys) in empty {
        let path = game.join(name);
        let mut value = read(&path);
        for key in keys {
            let (key, nothing) = key.split_once(' ').unwrap();
            let map = value.as_mapping_mut().unwrap();
            map.insert(key.into(), serde_yaml::from_str(nothing).unwrap());
        }
        write(&path, &value);
        is_sound(name);
        for key in keys {
            let (key, _) = key.split_once(' ').unwrap();
            value.as_mapping_mut().unwrap().remove(key);
            write(&path, &value);
        }
        is_sound(name);
    }
    // A game whose scripts need no table has none, and its orders are those that it has.
    let script = folder.join("rules/ford/ford.rhai");
    let text = fs::read_to_string(&script).unwrap();
    let text = text
        .replace(r#"value("combat", "needed")"#, "4")
        .replace(r#"value("length", "turns")"#, "3");
    fs::write(&script, text).unwrap();
    for left in ["# None.\n", ""] {
        fs::write(game.join("tables.yaml"), left).unwrap();
        is_sound("an empty file of tables");
    }
    fs::remove_file(game.join("tables.yaml")).unwrap();
    is_sound("no file of tables");
}

/// A section that has a heading alone is empty.
#[test]
fn a_key_without_a_value_is_an_empty_section() {
    let folder = tempfile::tempdir().unwrap();
    lay_out(folder.path(), "docs/rules.md");
    for (name, key) in [
        ("forces.yaml", "formations"),
        ("text/en.yaml", "topics"),
        ("game.yaml", "options"),
    ] {
        let path = folder.path().join("games/ford").join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{key}:\n{text}")).unwrap();
    }
    let said = runs(folder.path(), &format!("estafette check ford {PLACES}"));
    assert_eq!(said, "ford: sound\n");
}
