//! What the rules and the examples say about the map and the pieces of Novara.
use std::collections::{BTreeMap, BTreeSet};

use estafette::game::{
    EmbeddedFiles, Files, Forces, MapIndex, PieceDecl, Provenance, Scenario, Tables,
};
use serde::de::DeserializeOwned;

fn file<T: DeserializeOwned>(path: &str) -> T {
    serde_yaml::from_slice(&EmbeddedFiles.read(&format!("games/novara/{path}")).unwrap()).unwrap()
}

fn map() -> MapIndex {
    MapIndex::of_hexes(file("map.yaml"))
}

fn forces() -> Forces {
    file("forces.yaml")
}

fn number(map: &MapIndex, label: &str) -> usize {
    map.number(label).unwrap()
}

fn kinds(map: &MapIndex, a: &str, b: &str) -> Vec<String> {
    let hexes = map.hexes().unwrap();
    let side = hexes.side_between(number(map, a), number(map, b)).unwrap();
    hexes.kinds(side).map(str::to_owned).collect()
}

fn in_region(map: &MapIndex, label: &str, region: &str) -> bool {
    map.region(region).unwrap().contains(number(map, label))
}

#[test]
fn the_map_has_its_size_and_its_rows_end_where_they_should() {
    let map = map();
    assert_eq!(map.len(), 63 * 55);
    let mut terrains: BTreeMap<&str, usize> = BTreeMap::new();
    for space in &map.map().spaces {
        *terrains.entry(space.terrain.as_str()).or_default() += 1;
    }
    assert_eq!((terrains["town"], terrains["fortified"]), (7, 1));
    assert_eq!(map.space("0548").unwrap().terrain, "fortified");
    assert_eq!(map.space("2801").unwrap().terrain, "wood");
}

#[test]
fn places_stand_on_built_up_hexes() {
    let map = map();
    for place in &map.hexes().unwrap().file().places {
        let terrain = &map.space(&place.hex).unwrap().terrain;
        match place.data.get("size").and_then(|size| size.as_text()) {
            Some("village") => assert_eq!(terrain, "village", "{}", place.id),
            Some(_) => assert!(
                ["town", "fortified"].contains(&terrain.as_str()),
                "{}",
                place.id
            ),
            None => assert!(place.data.contains_key("supply"), "{}", place.id),
        }
    }
}

#[test]
fn the_ticino_is_crossed_at_four_places() {
    let map = map();
    let hexes = map.hexes().unwrap();
    let ticino = hexes.line("ticino").unwrap();
    let open: Vec<_> = ticino
        .sides
        .iter()
        .filter(|side| !kinds(&map, &side.a, &side.b).contains(&"major_river".to_owned()))
        .map(ToString::to_string)
        .collect();
    assert_eq!(open, ["3308-3309", "3922-4022", "5035-5036", "6042-6043"]);
    assert!(
        in_region(&map, "1908", "west_of_ticino") && !in_region(&map, "1908", "east_of_ticino")
    );
    let (west, east) = (
        map.region("west_of_ticino").unwrap(),
        map.region("east_of_ticino").unwrap(),
    );
    assert!(west.intersection(east).is_empty());
    assert_eq!(west.union(east).len(), map.len());
}

#[test]
fn objectives_and_sources_of_supply_are_those_of_the_rules() {
    let map = map();
    let mut points: BTreeMap<i64, Vec<&str>> = BTreeMap::new();
    for place in &map.hexes().unwrap().file().places {
        if let Some(worth) = place.data.get("objective").and_then(|it| it.as_int()) {
            points.entry(worth).or_default().push(&place.id);
        }
    }
    assert_eq!(points[&6], ["casale", "vercelli", "novara", "pavia"]);
    assert_eq!(
        points[&3],
        ["mortara", "vigevano", "abbiategrosso", "magenta"]
    );
    let with = |key: &str, side: &str| -> Vec<String> {
        let spaces = map.map().spaces.iter();
        let with = spaces.filter(|it| it.data.get(key).and_then(|it| it.as_text()) == Some(side));
        with.map(|it| it.id.to_string()).collect()
    };
    assert_eq!(
        with("supply", "sardinian"),
        ["0123", "0149", "0855", "2001", "5855"]
    );
    assert_eq!(with("supply", "austrian"), ["6304", "6309", "6311", "6340"]);
    assert_eq!(with("exit", "austrian"), ["0107", "0123", "0149"]);
    assert_eq!(with("exit", "sardinian"), ["6304", "6309", "6311"]);
}

#[test]
fn every_source_and_exit_lies_on_a_road_at_the_edge() {
    let map = map();
    for space in &map.map().spaces {
        if ["supply", "exit"]
            .iter()
            .any(|key| space.data.contains_key(*key))
        {
            let at = number(&map, &space.id);
            let near = map.neighbours(at);
            assert!(near.len() < 6, "{} is at the edge", space.id);
            assert!(
                near.iter().any(|next| map.road_number(at, *next).is_some()),
                "{}",
                space.id
            );
        }
    }
}

/// The pieces of a formation or the independents, by kind.
fn count(forces: &Forces, wanted: impl Fn(&PieceDecl) -> bool) -> usize {
    let units = forces.pieces.iter();
    let units = units.filter(|it| !["commander", "mask", "dummy"].contains(&it.kind.as_str()));
    units.filter(|it| wanted(it)).count()
}

#[test]
fn both_armies_have_their_units() {
    let forces = forces();
    assert_eq!(count(&forces, |_| true), 124);
    assert_eq!(
        count(&forces, |it| it.formation.as_deref() == Some("A2")),
        13
    );
    assert_eq!(count(&forces, |it| it.formation.is_none()), 9);
    let formations: Vec<_> = forces.formations.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(
        formations,
        [
            "A1", "A2", "A3", "A4", "AR", "S1", "S2", "S3", "S4", "S5", "SR", "S6"
        ]
    );
}

#[test]
fn levels_points_and_movement_follow_the_rules_of_components() {
    for piece in &forces().pieces {
        let int = |name: &str| {
            piece
                .attributes
                .get(name)
                .and_then(|it| it.as_int())
                .unwrap_or(0)
        };
        let (full, reduced, levels, ma) = (int("cp"), int("reduced"), int("levels"), int("ma"));
        let expected = match piece.kind.as_str() {
            "commander" | "mask" | "dummy" => (0, 0, 0, 0),
            "pontoon" => (0, 0, 0, 3),
            kind => {
                let ma = match kind {
                    "light" => 4,
                    "cavalry" => 6,
                    "horse_artillery" => 5,
                    _ => 3,
                };
                let two = full > 1;
                (
                    full.max(1),
                    if two { (full + 1) / 2 } else { 0 },
                    if two { 2 } else { 1 },
                    ma,
                )
            }
        };
        assert_eq!((full, reduced, levels, ma), expected, "{}", piece.id);
    }
}

#[test]
fn examples_find_their_units_in_range_of_the_commander() {
    let map = map();
    let grid = map.hexes().unwrap().grid();
    let distance = |a: &str, b: &str| grid.distance(number(&map, a), number(&map, b));
    // EX-2: bersaglieri and others round 3109.
    for (hex, steps) in [
        ("3109", 0),
        ("3112", 3),
        ("2605", 7),
        ("2504", 8),
        ("3318", 9),
    ] {
        assert_eq!(distance("3109", hex), steps, "{hex}");
    }
    // EX-3: a road of neighbours down to the Ticino.
    for pair in ["4623", "4524", "4625", "4626", "4727", "4728", "4829"].windows(2) {
        assert!(map.road(pair[0], pair[1]).is_some(), "{pair:?}");
    }
    assert_eq!(distance("4524", "4626"), 2);
}

#[test]
fn set_ups_obey_zones_stacking_and_terrain() {
    let (map, forces) = (map(), forces());
    for name in ["campaign", "la_sforzesca", "mortara", "novara", "ramorino"] {
        let scenario: Scenario = file(&format!("scenarios/{name}.yaml"));
        let mut seen = BTreeSet::new();
        for (place, pieces) in &scenario.positions {
            pieces
                .iter()
                .for_each(|piece| assert!(seen.insert(piece.clone()), "{piece} twice"));
            let Some(at) = map.number(place) else {
                assert!(
                    ["staff", "reserve", "spare"].contains(&place.as_str()),
                    "{place}"
                );
                continue;
            };
            let decl = |id: &str| forces.pieces.iter().find(|it| it.id == *id).unwrap();
            let small = |id: &str| decl(id).attributes.contains_key("small");
            let regular = pieces.iter().filter(|id| !small(id)).count();
            assert!(
                pieces.len() <= 4 && regular <= 2,
                "{name}: {place} holds too many"
            );
            for near in map.neighbours(at) {
                let near = &map.space_at(*near).unwrap().id;
                let side = &decl(&pieces[0]).side;
                let others = scenario.positions.get(near).into_iter().flatten();
                for other in others {
                    assert!(
                        decl(other).side == *side || name != "campaign",
                        "{place} and {near}"
                    );
                }
            }
            let area = scenario.data.get("area").and_then(|it| it.as_text());
            assert!(
                area.is_none_or(|area| in_region(&map, place, area)),
                "{name}: {place}"
            );
            for piece in pieces {
                let zone = zone_of(&scenario, decl(piece));
                assert!(
                    zone.is_none_or(|zone| in_region(&map, place, &zone)),
                    "{name}: {piece}"
                );
            }
        }
    }
}

/// The zone in which a piece may be set up.
fn zone_of(scenario: &Scenario, piece: &PieceDecl) -> Option<String> {
    let names = |zone: &estafette::value::Value, key: &str| -> Vec<String> {
        let list = zone
            .get(key)
            .and_then(|it| it.as_list())
            .unwrap_or_default();
        list.iter()
            .filter_map(|it| it.as_text().map(str::to_owned))
            .collect()
    };
    let zones = scenario.data.get("zones")?.as_list()?;
    let id = piece.id.to_string();
    let zone = zones.iter().find(|zone| {
        let who = names(zone, "who");
        let named =
            who.contains(&id) || piece.formation.as_ref().is_some_and(|it| who.contains(it));
        named && !names(zone, "except").contains(&id)
    });
    Some(zone?.get("region")?.as_text()?.to_owned())
}

#[test]
fn tables_agree_with_the_worked_cases() {
    let tables: Tables = file("tables.yaml");
    let cell = |table: &str, die: i64, column: usize| {
        let rows = &tables[table].rows;
        let fits = |it: &&estafette::game::Row| {
            it.min.is_none_or(|min| min <= die) && it.max.is_none_or(|max| die <= max)
        };
        let row = rows.iter().find(fits).unwrap();
        (row.result[column].as_text().unwrap().to_owned(), row.source)
    };
    // EX-5: 1:1 with a 2 is A1; EX-6: 2:1 with a 6 is D2; the row of 7 exists.
    assert_eq!(
        cell("combat_results", 2, 2),
        ("A1".into(), Some(Provenance::Deduced))
    );
    assert_eq!(cell("combat_results", 6, 3).0, "D2");
    assert_eq!(cell("combat_results", 9, 4).0, "D3");
    assert_eq!(cell("combat_results", -1, 0).0, "A3");
    // 4-5 points with a 5 cost a level.
    assert_eq!(
        cell("bombardment", 5, 2),
        ("1".into(), Some(Provenance::Deduced))
    );
    let track = |side: &str| tables["turns"].values[side].as_list().unwrap().to_vec();
    assert_eq!(
        (track("austrian").len(), track("sardinian").len()),
        (20, 20)
    );
    assert_eq!(
        (
            track("austrian")[1].as_int(),
            track("sardinian")[1].as_int()
        ),
        (Some(4), Some(1))
    );
}
