//! `estafette games`: the games that are built in, and those of a folder.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]

mod cli;

use cli::{Ran, estafette};
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
        "castiglione       The Castiglione Campaign, 1796\n"
    );
    let both = estafette(&["games", "--json", "--lang", "fr"], b"").json();
    assert_eq!(
        both,
        json!({"castiglione": "La campagne de Castiglione, 1796"})
    );
    assert!(games(&[]).out.lines().any(|line| line.starts_with("tiny ")));
}

#[test]
fn a_game_tells_its_scenarios_options_and_orders() {
    let game = estafette(&["games", "castiglione", "--json"], b"").json();
    assert_eq!(by_id(&game["scenarios"], "campaign")["default"], true);
    let fog = by_id(&game["options"], "fog");
    assert_eq!(fog["values"], json!(["on", "off"]));
    assert!(fog.get("closed").is_none());
    assert_eq!(by_id(&game["orders"], "recon")["option"], "fog");
    assert!(by_id(&game["orders"], "move").get("option").is_none());
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
    has(&english, "  fog: on or off; default off");
    has(&english, "      only with fog = on");
    has(&english, "  RECON <area> -> <area> [WITH <pieces>]");
    has(&english, "  PURSUE (ALWAYS | NEVER)");
    has(&english, "      e.g. PURSUE ALWAYS");
    has(&french, "  POURSUIVRE (TOUJOURS | JAMAIS)");
    has(&french, "      e.g. POURSUIVRE TOUJOURS");
    has(&french, "La campagne de Castiglione, 1796");
}

#[test]
fn everything_says_where_it_comes_from() {
    let sources = estafette(&["games", "castiglione", "--sources", "--json"], b"").json();
    let list = sources.as_array().unwrap();
    for kind in [
        "space", "road", "region", "water", "piece", "table", "scenario",
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
        ran.err
            .contains("there is no game `waterloo`; there are: castiglione, tiny"),
        "{ran:?}"
    );
    assert_eq!(games(&["tiny", "--lang", "de"]).code, 2);
    assert_eq!(games(&["--sources"]).code, 2);
}
