//! Phases of games that another engine has played, as cases.
use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    sync::Arc,
};

use estafette::{
    cases::Case,
    game::{Disk, Game},
};
use serde_json::{Value as Json, json};

/// The options with which another engine can be compared.
pub const ALIKE: [(&str, &str); 2] = [("adjacent_convoy", "land_fallback"), ("disorder", "home")];

pub fn data() -> String {
    format!(
        "{}/tests/data/diplomacy/phases.jsonl.gz",
        env!("CARGO_MANIFEST_DIR")
    )
}

pub fn phases(path: &str) -> Vec<Json> {
    let lines = BufReader::new(flate2::read::GzDecoder::new(File::open(path).unwrap())).lines();
    lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

pub fn game() -> Arc<Game> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let loaded = Game::load(&Disk::pinned(root), "diplomacy");
    Arc::new(loaded.unwrap_or_else(|problems| panic!("{problems:#?}")))
}

/// A place as the game has it: `SPA/NC` is Spain and its north coast.
pub fn place(text: &str) -> (String, String) {
    let text = text.to_lowercase();
    let (place, coast) = text.split_once('/').unwrap_or((&text, ""));
    (place.to_owned(), coast.to_owned())
}

fn written(text: &str) -> String {
    let (place, coast) = place(text);
    format!("{place} {coast}").trim_end().to_owned()
}

/// An order as players write it: that of the other engine, but for moves by convoy.
fn order(text: &str) -> String {
    match text.strip_suffix(" VIA") {
        Some(text) => format!("{text} via convoy"),
        None => text.to_owned(),
    }
}

pub fn texts(of: &Json) -> Vec<&str> {
    let list = of.as_array().into_iter().flatten();
    list.map(|text| text.as_str().unwrap()).collect()
}

fn name(phase: &str) -> &'static str {
    match (&phase[..1], &phase[phase.len() - 1..]) {
        ("S", "M") => "spring_moves",
        ("S", "R") => "spring_retreats",
        ("F", "M") => "autumn_moves",
        ("F", "R") => "autumn_retreats",
        _ => "winter",
    }
}

/// A line as a case: its position, its orders, and the phase before which it ends.
pub fn case(line: &Json, options: &[(&str, &str)]) -> Case {
    let before = &line["before"];
    let phase = before["phase"].as_str().unwrap();
    let mut pieces = serde_json::Map::new();
    let mut losers = Vec::new();
    for (power, units) in before["units"].as_object().unwrap() {
        let side = power.to_lowercase();
        for (kind, letter, word) in [("A", "a", "army"), ("F", "f", "fleet")] {
            let mine = texts(units).into_iter();
            let mine = mine.filter(|unit| unit.trim_start_matches('*').starts_with(kind));
            let mut number = 0;
            for (index, unit) in mine.enumerate() {
                number = index + 1;
                let (at, coast) = place(&unit.trim_start_matches('*')[2..]);
                let id = format!("{side}_{letter}{number}");
                let lost = unit.starts_with('*');
                if lost {
                    losers.push((side.clone(), unit.trim_start_matches('*').to_owned()));
                }
                let attacker = if lost { "sea" } else { "" };
                pieces.insert(id, json!({"at": at, "coast": coast, "attacker": attacker}));
            }
            for free in number + 1..=17 {
                let id = format!("{side}_{letter}{free}");
                pieces.insert(id, json!({"at": "pool", "side": side, "kind": word}));
            }
        }
    }
    let mut spaces = serde_json::Map::new();
    let mut centres = serde_json::Map::new();
    for (power, owned) in before["centers"].as_object().unwrap() {
        let side = power.to_lowercase();
        centres.insert(side.clone(), json!(texts(owned).len()));
        for centre in texts(owned) {
            spaces.insert(centre.to_lowercase(), json!({"owner": side}));
        }
    }
    let (mut orders, mut standing, mut answers) = (json!({}), json!({}), Vec::new());
    for (power, given) in line["orders"].as_object().unwrap() {
        let side = power.to_lowercase();
        let given = texts(given);
        match name(phase) {
            "winter" => {
                let lines = given.iter().map(|text| match text.rsplit_once(' ') {
                    Some((unit, "B")) => format!("BUILD {} {}", &unit[..1], written(&unit[2..])),
                    Some((unit, _)) => format!("REMOVE {} {}", &unit[..1], written(&unit[2..])),
                    None => "BUILD WAIVE".to_owned(),
                });
                standing[side] = json!(lines.collect::<Vec<_>>().join("\n"));
            }
            "spring_moves" | "autumn_moves" => {
                let lines: Vec<_> = given.iter().map(|text| order(text)).collect();
                orders[side] = json!(lines.join("\n"));
            }
            _ => standing[side] = json!("ASK RETREAT"),
        }
    }
    for (side, unit) in &losers {
        let given = &line["orders"][side.to_uppercase()];
        for text in texts(given) {
            if let Some(to) = text.strip_prefix(&format!("{unit} R ")) {
                answers.push(json!({"seat": side, "topic": "retreat", "answer": written(to)}));
            } else if text == format!("{unit} D") {
                answers.push(json!({"seat": side, "topic": "retreat", "answer": "DISBAND"}));
            }
        }
    }
    let mut settings: BTreeMap<&str, &str> = options.iter().copied().collect();
    settings.insert("winter", "conditional");
    settings.insert("retreats", "separate");
    serde_json::from_value(json!({
        "case": phase, "rules": [], "game": "diplomacy", "options": settings,
        "given": {
            "phase": name(phase), "turn": phase[1..5].parse::<i64>().unwrap() - 1900,
            "facts": {"centres": centres}, "spaces": spaces, "pieces": pieces,
        },
        "orders": orders, "standing": standing, "answers": answers,
        "until": name(line["after"]["phase"].as_str().unwrap()), "expect": {},
    }))
    .unwrap()
}
