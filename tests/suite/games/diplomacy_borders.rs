//! The map of Diplomacy, border by border, against a second list.
use std::{collections::BTreeSet, fs};

use estafette::{game::Game, value::Value};

use super::diplomacy_lines::game;

/// A border as `A par bur` or `F mao spa/nc`.
type Borders = BTreeSet<String>;

fn listed() -> Borders {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/diplomacy/borders.txt"
    );
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .flat_map(|line| {
            let (from, goals) = line.split_once(": ").unwrap();
            goals.split(' ').map(move |to| format!("{from} {to}"))
        })
        .collect()
}

fn is_true(value: Option<&Value>) -> bool {
    value == Some(&Value::Bool(true))
}

/// The names of a place for fleets that cross a border: with each coast that it names, else alone.
fn names(place: &str, coasts: Option<&Value>) -> Vec<String> {
    let Some(Value::Map(coasts)) = coasts else {
        return vec![place.to_owned()];
    };
    match coasts.get(place) {
        Some(Value::List(named)) => {
            let coast = |coast: &Value| format!("{place}/{}", coast.as_text().unwrap());
            named.iter().map(coast).collect()
        }
        _ => vec![place.to_owned()],
    }
}

fn of_the_game(game: &Game) -> Borders {
    let mut found = Borders::new();
    for road in &game.map.map().roads {
        let (a, b) = (road.a.as_str(), road.b.as_str());
        for (from, to) in [(a, b), (b, a)] {
            if is_true(road.data.get("army")) {
                found.insert(format!("A {from} {to}"));
            }
            if is_true(road.data.get("fleet")) {
                let coasts = road.data.get("coasts");
                for from in names(from, coasts) {
                    for to in names(to, coasts) {
                        found.insert(format!("F {from} {to}"));
                    }
                }
            }
        }
    }
    found
}

#[test]
fn every_border_is_in_both_lists() {
    let (ours, theirs) = (of_the_game(&game()), listed());
    let missing: Vec<_> = theirs.difference(&ours).collect();
    let more: Vec<_> = ours.difference(&theirs).collect();
    assert!(
        missing.is_empty() && more.is_empty(),
        "missing {missing:?}, too many {more:?}"
    );
    let of_kind = |kind: &str| {
        ours.iter()
            .filter(|border| border.starts_with(kind))
            .count()
    };
    assert_eq!((of_kind("A"), of_kind("F")), (2 * 111, 2 * 141));
}

#[test]
fn the_map_has_what_the_rules_count() {
    let game = game();
    let map = game.map.map();
    let of_terrain = |terrain: &str| {
        map.spaces
            .iter()
            .filter(|space| space.terrain == terrain)
            .count()
    };
    assert_eq!(
        ["sea", "land", "coast"].map(of_terrain),
        [19, 14, 42],
        "19 seas, 14 provinces inland, 42 on the coast"
    );
    let with = |key: &str| {
        map.spaces
            .iter()
            .filter(|space| space.data.contains_key(key))
            .count()
    };
    assert_eq!(["centre", "home", "coasts"].map(with), [34, 22, 3]);
    let start = &game.scenarios["classic"];
    let standing = start
        .positions
        .iter()
        .filter(|(place, _)| place.as_str() != "pool");
    assert_eq!(standing.map(|(_, pieces)| pieces.len()).sum::<usize>(), 22);
}
