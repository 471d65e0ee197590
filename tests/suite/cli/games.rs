//! `estafette games`: the games that are built in, and those of a folder.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::support::program::{Ran, estafette};
use serde_json::{Value, json};

/// With the little game of the tests in front of the built-in ones.
fn games(args: &[&str]) -> Ran {
    let places = [
        "--games",
        "tests/data/game/games",
        "--rules",
        "tests/data/game/rules",
    ];
    estafette(&[&["games"], args, &places].concat(), b"")
}

fn by_id<'a>(list: &'a Value, id: &str) -> &'a Value {
    list.as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == id)
        .unwrap_or_else(|| panic!("no {id} in {list:#}"))
}

#[test]
fn games_are_listed_with_their_titles() {
    let ran = estafette(&["games"], b"");
    assert_eq!(
        ran.out,
        "castiglione       The Castiglione Campaign, 1796\n\
         diplomacy         Diplomacy\n\
         novara            The Road to Novara, 1849\n\
         risorgimento      Risorgimento 1859\n\
         toulon            The Siege of Toulon, 1793\n"
    );
    let both = estafette(&["games", "--json", "--lang", "fr"], b"").json();
    assert_eq!(
        both,
        json!({
            "castiglione": "La campagne de Castiglione, 1796",
            "diplomacy": "Diplomacy",
            "novara": "La route de Novare, 1849",
            "risorgimento": "Risorgimento 1859",
            "toulon": "Le siège de Toulon, 1793",
        })
    );
    assert!(games(&[]).out.lines().any(|line| line.starts_with("tiny ")));
}

#[test]
fn a_game_tells_its_scenarios_options_and_orders() {
    let game = estafette(&["games", "castiglione", "--json"], b"").json();
    assert_eq!(by_id(&game["seats"], "french")["side"], "French");
    assert_eq!(by_id(&game["scenarios"], "campaign")["default"], true);
    let fog = by_id(&game["options"], "fog");
    assert_eq!(fog["values"], json!(["on", "off"]));
    assert_eq!(fog["default"], "off");
    assert!(
        by_id(&game["options"], "stacking_into_battle")
            .get("closed")
            .is_none()
    );
    let order = by_id(&game["orders"], "move");
    assert!(
        order["forms"][0].as_str().unwrap().starts_with("MOVE <"),
        "{order:#}"
    );
    assert!(!order["about"].as_str().unwrap().is_empty());
    assert!(!order["examples"].as_array().unwrap().is_empty());
    assert_eq!(by_id(&game["orders"], "pursue")["standing"], true);
    assert!(
        !by_id(&game["questions"], "bombard")["forms"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert!(
        !by_id(&game["commands"], "add")["about"]
            .as_str()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn people_read_the_same_in_their_language() {
    let english = estafette(&["games", "castiglione"], b"").out;
    let french = estafette(&["games", "castiglione", "--lang", "fr"], b"").out;
    let has = |text: &str, line: &str| {
        assert!(
            text.lines().any(|found| found == line),
            "no line {line:?} in\n{text}"
        )
    };
    has(&english, "  fog: on or off (default: off)");
    has(&french, "  fog\u{a0}: on ou off (par défaut\u{a0}: off)");
    has(&english, "      By default: You pursue.");
    has(&french, "      Par défaut\u{a0}: Vous poursuivez.");
    has(&english, "  On the question JOIN MANTUA");
    has(&french, "  À la question REJOINDRE MANTOUE");
    has(&english, "      e.g. DONT ASK FORAGE, JOIN MANTUA");
    has(&french, "      ex. ANNULER INITIATIVE");
    has(&english, "  PURSUE (ALWAYS | NEVER)");
    has(&english, "      e.g. PURSUE ALWAYS");
    has(&french, "  POURSUIVRE (TOUJOURS | JAMAIS)");
    has(&french, "      ex. POURSUIVRE TOUJOURS");
    has(&french, "La campagne de Castiglione, 1796");
}

/// What stands on the page is what `check` has tried: nothing without an explanation, nothing
/// without an example.
#[test]
fn every_order_answer_and_condition_has_an_example() {
    for lang in ["en", "fr"] {
        let game = estafette(&["games", "castiglione", "--json", "--lang", lang], b"").json();
        for part in ["orders", "questions", "conditions"] {
            for entry in game[part].as_array().unwrap() {
                assert!(!entry["about"].as_str().unwrap().is_empty(), "{entry:#}");
                assert!(!entry["forms"].as_array().unwrap().is_empty(), "{entry:#}");
                assert!(
                    !entry["examples"].as_array().unwrap().is_empty(),
                    "{entry:#}"
                );
                let standing = entry["standing"] == true;
                assert_eq!(standing, entry.get("default").is_some(), "{entry:#}");
            }
        }
        for option in game["options"].as_array().unwrap() {
            let about = option["about"].as_str().unwrap();
            for value in option["values"].as_array().unwrap() {
                let value = value.as_str().unwrap();
                let named = [format!("{value}: "), format!("{value}\u{a0}: ")];
                assert!(
                    named.iter().any(|named| about.contains(named)),
                    "{lang}: the words of {} don't say what {value} means",
                    option["id"]
                );
            }
        }
    }
}

/// Read from the files themselves, so that nothing that a later version adds is forgotten.
#[test]
fn nothing_of_a_game_is_left_out() {
    let sources = estafette(&["games", "castiglione", "--sources", "--json"], b"").json();
    let listed: BTreeSet<(&str, &str)> = sources
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one["name"].as_str().unwrap()))
        .collect();
    let mut expected: Vec<(&str, String)> = Vec::new();
    let ids = |list: &Value| -> Vec<String> {
        let list = list.as_array().unwrap().iter();
        list.map(|one| one["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let keys = |map: &Value| map.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let map = yaml("map.yaml");
    let roads = map["roads"].as_array().unwrap().iter();
    let ends = |road: &Value| {
        let end = |end: &str| road[end].as_str().unwrap().to_owned();
        format!("{}-{}", end("a"), end("b"))
    };
    expected.extend(roads.map(|road| ("road", ends(road))));
    let forces = yaml("forces.yaml");
    for (kind, names) in [
        ("space", ids(&map["spaces"])),
        ("region", keys(&map["regions"])),
        ("water", keys(&map["waters"])),
        ("formation", ids(&forces["formations"])),
        ("piece", ids(&forces["pieces"])),
        ("table", keys(&yaml("tables.yaml"))),
    ] {
        assert!(!names.is_empty(), "{kind}");
        expected.extend(names.into_iter().map(|name| (kind, name)));
    }
    for file in fs::read_dir(folder("scenarios")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        expected.push(("scenario", name.to_owned()));
    }
    for (kind, name) in &expected {
        assert!(
            listed.contains(&(kind, name.as_str())),
            "no source of {kind} {name}"
        );
    }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("games/castiglione")
        .join(name)
}

fn yaml(name: &str) -> Value {
    serde_yaml::from_str(&fs::read_to_string(folder(name)).unwrap()).unwrap()
}

#[test]
fn everything_says_where_it_comes_from() {
    let sources = estafette(&["games", "castiglione", "--sources", "--json"], b"").json();
    let list = sources.as_array().unwrap();
    for kind in [
        "space",
        "road",
        "region",
        "water",
        "formation",
        "piece",
        "table",
        "scenario",
    ] {
        assert!(list.iter().any(|one| one["kind"] == kind), "no {kind}");
    }
    let read = estafette(&["games", "castiglione", "--sources"], b"").out;
    let lines: Vec<&str> = read.lines().collect();
    assert!(lines.contains(&format!("{} in all", list.len()).as_str()));
    for (source, at) in [("stated", 3), ("deduced", 2), ("reconstructed", 1)] {
        let count = list.iter().filter(|one| one["source"] == source).count();
        let line = lines[lines.len() - at].trim_start();
        assert!(line.starts_with(&format!("{count} {source}: ")), "{line}");
    }
}

#[test]
fn wrong_names_and_languages_are_refused() {
    let ran = games(&["waterloo"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains(
            "there is no game `waterloo`; there are: castiglione, diplomacy, novara, risorgimento, tiny"
        ),
        "{ran:?}"
    );
    assert_eq!(games(&["tiny", "--lang", "de"]).code, 2);
    assert_eq!(games(&["--sources"]).code, 2);
}
