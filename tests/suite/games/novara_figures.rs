//! The figures of Novara by double entry: its pieces, set-ups, zones and tables against a second
//! list of them, so that a slip of the pen in the game's files is found even where no case happens
//! to meet it.
use std::collections::BTreeSet;

use estafette::game::{EmbeddedFiles, Files, Forces, PieceDecl, Scenario, Table, Tables};
use estafette::value::{Fields, Value};
use serde::de::DeserializeOwned;

const SCENARIOS: [&str; 5] = ["campaign", "la_sforzesca", "mortara", "novara", "ramorino"];

const LISTED: &str = include_str!("../../data/novara-figures.txt");

fn file<T: DeserializeOwned>(path: &str) -> T {
    serde_yaml::from_slice(&EmbeddedFiles.read(&format!("games/novara/{path}")).unwrap()).unwrap()
}

/// The lines of the list that begin so, without comments.
fn listed(first: &str) -> BTreeSet<String> {
    let lines = LISTED.lines().filter(|line| line.starts_with(first));
    lines.map(str::to_owned).collect()
}

/// A piece as the list has it; nothing of masks and dummies.
fn line_of(piece: &PieceDecl) -> Option<String> {
    let int = |name: &str| piece.attributes.get(name).and_then(Value::as_int);
    let (id, side, kind) = (&piece.id, &piece.side, &piece.kind);
    let formation = piece.formation.as_deref().unwrap_or("-");
    let or_none = |number: Option<i64>| number.map_or("-".to_owned(), |it| it.to_string());
    match kind.as_str() {
        "mask" | "dummy" => None,
        "commander" => {
            let (radius, factor) = (or_none(int("radius")), or_none(int("factor")));
            Some(format!(
                "commander {id} {side} {formation} {radius} {factor}"
            ))
        }
        _ => {
            let number = |name: &str| int(name).unwrap_or(0);
            let (cp, reduced) = (number("cp"), number("reduced"));
            let (ma, elite) = (number("ma"), number("elite"));
            let small = piece.attributes.get("small") == Some(&Value::Bool(true));
            let size = if small { "s" } else { "-" };
            Some(format!(
                "unit {id} {side} {formation} {kind} {cp} {reduced} {ma} {size} {elite}"
            ))
        }
    }
}

#[test]
fn pieces_are_those_of_the_list() {
    let forces: Forces = file("forces.yaml");
    let found: BTreeSet<String> = forces.pieces.iter().filter_map(line_of).collect();
    let mut expected = listed("unit ");
    expected.extend(listed("commander "));
    assert_eq!(found, expected);
}

#[test]
fn scenarios_are_those_of_the_list() {
    for name in SCENARIOS {
        let scenario: Scenario = file(&format!("scenarios/{name}.yaml"));
        let held = scenario.spaces.iter();
        let held = held.map(|(hex, state)| format!("held {name} {hex} {}", named(state)));
        let mut found: BTreeSet<String> = held.collect();
        found.insert(format!("scenario {name}: {}", named(&scenario.data)));
        let mut expected = listed(&format!("scenario {name}:"));
        expected.extend(listed(&format!("held {name} ")));
        assert_eq!(found, expected);
    }
}

#[test]
fn set_ups_are_those_of_the_list() {
    for name in SCENARIOS {
        let scenario: Scenario = file(&format!("scenarios/{name}.yaml"));
        let on_map = scenario.positions.iter();
        let on_map = on_map.filter(|(place, _)| place.chars().all(|it| it.is_ascii_digit()));
        let found: BTreeSet<String> = on_map
            .map(|(hex, pieces)| {
                let pieces: Vec<_> = pieces.iter().map(ToString::to_string).collect();
                format!("set-up {name} {hex} {}", pieces.join(" "))
            })
            .collect();
        assert_eq!(found, listed(&format!("set-up {name} ")));
    }
}

/// The rows of a table, as words.
fn rows(table: &Table) -> Vec<String> {
    let bound = |it: Option<i64>| it.map_or(String::new(), |it| it.to_string());
    let rows = table.rows.iter().map(|row| {
        let results: Vec<_> = row.result.iter().map(|it| it.as_text().unwrap()).collect();
        format!(
            "{}..{}: {}",
            bound(row.min),
            bound(row.max),
            results.join(" ")
        )
    });
    rows.collect()
}

#[test]
fn printed_tables_are_those_of_the_list() {
    let tables: Tables = file("tables.yaml");
    assert_eq!(
        rows(&tables["combat_results"]),
        [
            "..1: A3 A2 A2 A1 A1 D1",
            "2..2: A2 A2 A1 A1 D1 D1",
            "3..3: A2 A1 A1 D1 D1 D2",
            "4..4: A2 A1 D1 D1 D2 D2",
            "5..5: A1 A1 D1 D1 D2 D2",
            "6..6: A1 D1 D1 D2 D2 D3",
            "7..: D1 D1 D2 D2 D3 D4",
        ]
    );
    assert_eq!(
        rows(&tables["bombardment"]),
        [
            "..0: - - - - -",
            "1..1: - - - - SH",
            "2..2: - - - SH SH",
            "3..3: - - SH SH 1",
            "4..4: - SH SH 1 1",
            "5..5: SH SH 1 1 1SH",
            "6..: SH 1 1SH 1SH 1SH",
        ]
    );
    let columns = |table: &str| -> Vec<String> {
        let columns = tables[table].columns.iter();
        let columns = columns.map(|it| format!("{:?} {:?} {:?}", it.id.as_str(), it.min, it.max));
        columns.collect()
    };
    assert_eq!(
        columns("bombardment"),
        [
            r#""1" Some(1) Some(1)"#,
            r#""2-3" Some(2) Some(3)"#,
            r#""4-5" Some(4) Some(5)"#,
            r#""6-7" Some(6) Some(7)"#,
            r#""8+" Some(8) None"#,
        ]
    );
}

/// A value of a table in one line: the values of a list between spaces, those of a map with their
/// names.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(it) => it.to_string(),
        Value::Int(it) => it.to_string(),
        Value::Text(it) => it.to_string(),
        Value::List(list) => list.iter().map(shown).collect::<Vec<_>>().join(" "),
        Value::Map(map) => named(map),
    }
}

/// Named values in the order of their names.
fn named(fields: &Fields) -> String {
    let fields = fields.iter();
    let fields = fields.map(|(name, value)| format!("{name} {}", shown(value)));
    fields.collect::<Vec<_>>().join(", ")
}

#[test]
fn values_of_tables_are_those_of_the_list() {
    let tables: Tables = file("tables.yaml");
    let with_values = tables.iter().filter(|(_, table)| !table.values.is_empty());
    let found: BTreeSet<String> = with_values
        .map(|(name, table)| format!("table {name}: {}", named(&table.values)))
        .collect();
    assert_eq!(found, listed("table "));
}

#[test]
fn zones_are_those_of_the_list() {
    let map: serde_yaml::Value = file("map.yaml");
    let text = |value: &serde_yaml::Value| {
        let text = value.as_str().map(str::to_owned);
        text.or_else(|| value.as_i64().map(|it| it.to_string()))
            .unwrap()
    };
    let regions = map["regions"].as_mapping().unwrap();
    let round = regions.iter().filter(|(_, it)| it.get("within").is_some());
    let found: BTreeSet<String> = round
        .map(|(name, region)| {
            let of = region["of"].as_sequence().unwrap().iter().map(text);
            let of = of.collect::<Vec<_>>().join(" ");
            let bank = region.get("in").map_or("any".to_owned(), text);
            let within = text(&region["within"]);
            format!("zone {} {within} {bank} {of}", text(name))
        })
        .collect();
    assert_eq!(found, listed("zone "));
}
