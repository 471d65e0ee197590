//! The tables of Castiglione, cell by cell: a slip of the pen in a row shows here, whether a rule
//! case meets it or not.
use std::collections::BTreeMap;

use estafette::game::{EmbeddedFiles, Files};
use serde_yaml::Value;

/// Rows as `from to: results`; a dot stands for a bound that is open.
const TABLES: &[(&str, &[&str])] = &[
    (
        "combat_resolution",
        &[
            ". 0: 0 0 0 1 1 1 2",
            "1 1: 0 0 1 1 1 2 2",
            "2 2: 0 1 1 1 2 2 2",
            "3 3: 1 1 1 2 2 2 3",
            "4 4: 1 1 2 2 2 3 3",
            "5 5: 1 2 2 2 3 3 3",
            "6 6: 2 2 2 3 3 3 4",
            "7 7: 2 2 3 3 3 4 4",
            "8 .: 2 3 3 3 4 4 4",
        ],
    ),
    ("artillery_bombardment", HITS),
    ("pursuit", HITS),
    (
        "forced_march",
        &[
            ". 1: 0 true",
            "2 2: 0 false",
            "3 3: 0 false",
            "4 4: 1 true",
            "5 5: 1 true",
            "6 6: 1 false",
            "7 7: 2 true",
            "8 .: 2 false",
        ],
    ),
    (
        "reconnaissance",
        &[
            ". 1: 0", "2 2: 25", "3 3: 25", "4 4: 33", "5 5: 50", "6 6: 75", "7 .: 100",
        ],
    ),
    (
        "leader_mortality",
        &[". 2: killed", "3 3: wounded", "4 .: unhurt"],
    ),
    ("wounded_return", &[". 4: stays", "5 .: returns"]),
    (
        "victory_levels",
        &[
            "0 0: draw",
            "1 4: minor",
            "5 8: tactical",
            "9 12: operational",
            "13 .: strategic",
        ],
    ),
];

/// Bombardment and pursuit have the same rows.
const HITS: &[&str] = &[
    ". 0: 0 0 0 1 1 1",
    "1 1: 0 0 1 1 1 2",
    "2 2: 0 1 1 1 2 2",
    "3 3: 1 1 1 2 2 2",
    "4 4: 1 1 2 2 2 3",
    "5 5: 1 2 2 2 3 3",
    "6 .: 2 2 2 3 3 3",
];

/// What modifiers add, where it is a number.
const MODIFIERS: &[&str] = &[
    "artillery_bombardment:",
    "bridge_destruction: enemy_adjacent -1",
    "bridge_repair: enemy_adjacent -1",
    "combat_resolution: cavalry_superiority 1, marched_to_the_guns 1, concentric_attack 1, city 1, mountain 1",
    "forage: city 1, crowded -1",
    "forced_march: french 1",
    "initiative: french 1",
    "leader_mortality: force_beaten -1, caught -1",
    "march_to_the_guns: cavalry 1, artillery -1, two_areas -1",
    "pursuit: french 1, retreat_into_city -1, retreat_into_mountain -1",
    "reconnaissance: french 1, mountain -1",
    "recovery: city 1",
    "wounded_return:",
];

fn tables() -> BTreeMap<String, Value> {
    serde_yaml::from_slice(&EmbeddedFiles.read("games/castiglione/tables.yaml").unwrap()).unwrap()
}

fn list<'a>(table: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    table
        .get(key)
        .and_then(Value::as_sequence)
        .into_iter()
        .flatten()
}

fn printed(value: &Value) -> String {
    serde_yaml::to_string(value).unwrap().trim().to_owned()
}

#[test]
fn every_row_is_as_it_should_be() {
    let tables = tables();
    let with_rows = tables.values().filter(|table| table.get("rows").is_some());
    assert_eq!(with_rows.count(), TABLES.len());
    for (name, expected) in TABLES {
        let rows = list(&tables[*name], "rows").map(|row| {
            let bound = |key| row.get(key).map_or(".".to_owned(), printed);
            let results: Vec<_> = list(row, "result").map(printed).collect();
            format!("{} {}: {}", bound("min"), bound("max"), results.join(" "))
        });
        assert_eq!(rows.collect::<Vec<_>>(), *expected, "{name}");
    }
}

#[test]
fn every_modifier_adds_what_it_should() {
    let found = tables()
        .into_iter()
        .filter(|(_, table)| table.get("modifiers").is_some());
    let found = found.map(|(name, table)| {
        let numbers = list(&table, "modifiers").filter(|modifier| modifier["add"].is_number());
        let numbers: Vec<_> = numbers
            .map(|modifier| format!("{} {}", printed(&modifier["id"]), printed(&modifier["add"])))
            .collect();
        format!("{name}: {}", numbers.join(", ")).trim().to_owned()
    });
    assert_eq!(found.collect::<Vec<_>>(), MODIFIERS);
}
