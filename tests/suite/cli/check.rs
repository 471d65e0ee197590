//! `estafette check` on the games that are shipped, and the definitions that it writes for script
//! editors.

use std::{fs, path::Path};

use crate::support::{change, program::estafette};

#[test]
fn every_game_that_is_shipped_is_sound() {
    let ran = estafette(&["check"], b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(
        ran.out.lines().all(|line| line.ends_with(": sound")),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("castiglione: sound"));
}

#[test]
fn a_mistake_is_found_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("castiglione");
    fs::create_dir(&games).unwrap();
    let data = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/games/castiglione/map.yaml"
    ))
    .unwrap();
    let broken = data.replacen("terrain: ", "terain: ", 1);
    let line = 1 + data[..data.find("terrain: ").unwrap()]
        .matches('\n')
        .count();
    fs::write(games.join("map.yaml"), broken).unwrap();
    let ran = estafette(
        &[
            "check",
            "castiglione",
            "--games",
            folder.path().to_str().unwrap(),
        ],
        b"",
    );
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains(&format!("map.yaml:{line}:")) && ran.out.contains("terain"),
        "{}",
        ran.out
    );
}

/// The scenarios and sides whose an order is, and the attribute that says whom a piece obeys, are
/// those of the game.
#[test]
fn what_an_order_belongs_to_must_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    for part in ["novara", "novara/scenarios", "novara/text"] {
        fs::create_dir(folder.path().join(part)).unwrap();
        for file in fs::read_dir(root.join("games").join(part)).unwrap() {
            let file = file.unwrap();
            if file.path().is_file() {
                fs::copy(file.path(), folder.path().join(part).join(file.file_name())).unwrap();
            }
        }
    }
    let mistakes = [
        (
            "scenarios: [campaign,",
            "scenarios: [kampaign,",
            "place.scenarios[0]",
        ),
        ("only: [austrian]", "only: [austrain]", ".only[0]"),
        ("obeys: captor", "obeys: kaptor", "orders.obeys"),
    ];
    for (from, to, _) in mistakes {
        change(&folder.path().join("novara/game.yaml"), from, to);
    }
    let games = folder.path().to_str().unwrap();
    let ran = estafette(&["check", "novara", "--games", games], b"");
    assert_eq!(ran.code, 1, "{}", ran.out);
    for (_, to, place) in mistakes {
        assert!(ran.out.contains(place), "{to}: {}", ran.out);
    }
}

/// Names that scripts write out are looked up, each in the file that should have it.
#[test]
fn names_in_scripts_are_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    for rules in ["castiglione", "lib"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("rules")
            .join(rules);
        let to = folder.path().join(rules);
        fs::create_dir(&to).unwrap();
        for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
            if file.path().is_file() {
                fs::copy(file.path(), to.join(file.file_name())).unwrap();
            }
        }
    }
    let mistakes = [
        (
            "combat.rhai",
            r#""combat.silent""#,
            r#""combat.silence""#,
            "event `combat.silence`",
        ),
        (
            "contact.rhai",
            r#""overrun", "ratio""#,
            r#""overun", "ratio""#,
            "table `overun`",
        ),
        (
            "pursuit.rhai",
            r#"reason("pursuit", "french")"#,
            r#"reason("pursuit", "frnch")"#,
            "`frnch`",
        ),
        (
            "march.rhai",
            r#"option("late_guns")"#,
            r#"option("late_gun")"#,
            "option `late_gun`",
        ),
        (
            "forces.rhai",
            r#"fact("siege")"#,
            r#"fact("seige")"#,
            "fact `seige`",
        ),
        (
            "victory.rhai",
            r#""south_of_anfo_and"#,
            r#""south_of_info_and"#,
            "region `south_of_info_and",
        ),
        (
            "choices.rhai",
            r#"ask(seat, "join""#,
            r#"ask(seat, "joyn""#,
            "topic `joyn`",
        ),
        (
            "recovery.rhai",
            "try_to_recover(unit);",
            "try_to_recove(unit);",
            "function `try_to_recove`",
        ),
    ];
    for (file, old, new, _) in mistakes {
        let path = folder.path().join("castiglione").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{file}: {old}");
        fs::write(path, text.replacen(old, new, 1)).unwrap();
    }
    let rules = folder.path().to_str().unwrap();
    let ran = estafette(&["check", "castiglione", "--rules", rules], b"");
    assert_eq!(ran.code, 1);
    for (file, .., message) in mistakes {
        let found = |line: &str| line.contains(file) && line.contains(message);
        assert!(ran.out.lines().any(found), "{file}: {message}\n{}", ran.out);
    }
}

/// An example that is shown to players and that nobody could write.
#[test]
fn examples_of_the_words_are_tried() {
    let folder = tempfile::tempdir().unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/castiglione");
    let copy = folder.path().join("castiglione");
    for part in ["", "text", "scenarios"] {
        fs::create_dir_all(copy.join(part)).unwrap();
        for file in fs::read_dir(own.join(part)).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap();
                fs::copy(&path, copy.join(part).join(name)).unwrap();
            }
        }
    }
    let english = copy.join("text/en.yaml");
    let words = fs::read_to_string(&english).unwrap();
    for (right, wrong, place) in [
        ("PURSUE NEVER", "PURSUE PERHAPS", "verbs.pursue"),
        (
            "\"YES EXCEPT Wurmser\"",
            "\"YES MINUS Wurmser\"",
            "topics.mantua",
        ),
        ("IF NO ENEMY AT Goito: ", "", "conditions.no_enemy_at"),
    ] {
        assert!(words.contains(right), "{right}");
        fs::write(&english, words.replacen(right, wrong, 1)).unwrap();
        let games = folder.path().to_str().unwrap();
        let ran = estafette(&["check", "castiglione", "--games", games], b"");
        assert_eq!(ran.code, 1);
        let found = |line: &str| {
            line.starts_with("games/castiglione/text/en.yaml:")
                && line.contains(&format!(": {place}.examples["))
                && line.contains("no seat could write")
        };
        assert!(ran.out.lines().any(found), "{}", ran.out);
    }
}

#[test]
fn the_definitions_for_editors_are_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host.d.rhai");
    let ran = estafette(
        &[
            "check",
            "castiglione",
            "--definitions",
            file.to_str().unwrap(),
        ],
        b"",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    let kept =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/host.d.rhai")).unwrap();
    assert!(
        fs::read_to_string(file).unwrap() == kept,
        "docs/host.d.rhai is not what the host offers now; write it anew:\n\
         cargo run -- check castiglione --definitions docs/host.d.rhai"
    );
}
