//! Keys of an author's own in maps and scenarios (`data`) that no script asks for.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    flow::{Flow, NameUse},
    names::Sort,
};
use crate::game::{Game, nearest};

/// Whatever a script does with a name.
pub(super) const ANY_USE: [NameUse; 3] = [NameUse::Named, NameUse::Read, NameUse::Written];

/// A key that nothing reads.
pub(super) struct UnusedKey {
    /// The file, as in the game's folder.
    pub file: String,
    /// The place in it; empty if the file has no such place.
    pub path: String,
    pub message: String,
}

/// Data of spaces, roads and scenarios that no script asks for.
pub(super) fn find(flow: &Flow<'_>) -> Vec<UnusedKey> {
    let mut found = Vec::new();
    for game in flow.names.game.in_theatres() {
        of_spaces(flow, &game, &mut found);
        of_roads(flow, &game, &mut found);
    }
    of_scenarios(flow, &mut found);
    found
}

fn is_used(flow: &Flow<'_>, sort: Sort, name: &str) -> bool {
    flow.report.is_used(sort, name, &ANY_USE)
}

fn of_scenarios(flow: &Flow<'_>, found: &mut Vec<UnusedKey>) {
    for (name, scenario) in &flow.names.game.scenarios {
        let keys = scenario.data.keys();
        for key in keys.filter(|key| !is_used(flow, Sort::ScenarioData, key)) {
            found.push(UnusedKey {
                file: format!("scenarios/{name}.yaml"),
                path: format!("data.{key}"),
                message: format!("no script asks for `{key}` of scenarios"),
            });
        }
    }
}

fn of_spaces(flow: &Flow<'_>, game: &Game, found: &mut Vec<UnusedKey>) {
    let map = game.map.map();
    let drawing = map.drawing.as_ref();
    let drawn: BTreeSet<&str> = drawing
        .iter()
        .flat_map(|drawing| drawing.space_data().map(|(_, name)| name))
        .collect();
    let mut carriers: BTreeMap<&str, usize> = BTreeMap::new();
    for key in map.spaces.iter().flat_map(|space| space.data.keys()) {
        *carriers.entry(key).or_default() += 1;
    }
    let is_read = |key: &str| is_used(flow, Sort::SpaceData, key);
    for (number, space) in map.spaces.iter().enumerate() {
        for key in space.data.keys() {
            let is_shown = game.decl.display.supply.as_deref() == Some(key)
                || drawn.contains(key.as_str())
                || is_read(key);
            let others = carriers.keys().copied().filter(|other| other != key);
            let near = nearest(key, others.filter(|other| is_read(other)));
            // A word that many pieces carry is told for its own sake.
            let is_alone = carriers.get(key.as_str()) == Some(&1);
            if is_shown || !is_alone && near.is_none() {
                continue;
            }
            let hint = near.map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
            found.push(UnusedKey {
                file: game.theatre_file("map.yaml"),
                path: match game.map.hexes() {
                    Some(_) => String::new(),
                    None => format!("spaces[{number}].data.{key}"),
                },
                message: format!("no script asks for `{key}` of `{}`{hint}", space.id),
            });
        }
    }
}

fn of_roads(flow: &Flow<'_>, game: &Game, found: &mut Vec<UnusedKey>) {
    let map = game.map.map();
    let drawn = map
        .drawing
        .as_ref()
        .and_then(|drawing| drawing.roads.as_ref());
    let mut seen = BTreeSet::new();
    for (number, road) in map.roads.iter().enumerate() {
        for key in road.data.keys() {
            let is_shown = game.decl.display.bridge.as_deref() == Some(key)
                || drawn.is_some_and(|roads| roads.data == *key)
                || key == "over";
            if !is_shown && !is_used(flow, Sort::RoadData, key) && seen.insert(key) {
                found.push(UnusedKey {
                    file: game.theatre_file("map.yaml"),
                    path: format!("roads[{number}].data.{key}"),
                    message: format!("no script asks for `{key}` of roads"),
                });
            }
        }
    }
}
