//! What the rules and the examples of play say about the map and the pieces of Castiglione.
use std::collections::{BTreeMap, BTreeSet};

use estafette::game::{
    ChecklistEntry, EmbeddedFiles, Files, Forces, Map, MapIndex, PieceDecl, Road, Scenario,
};
use serde::de::DeserializeOwned;

fn file<T: DeserializeOwned>(path: &str) -> T {
    serde_yaml::from_slice(&EmbeddedFiles.read(path).unwrap()).unwrap()
}

fn index() -> MapIndex {
    MapIndex::new(file::<Map>("games/castiglione/map.yaml"))
}

/// Cheapest ways from a space: cost to enter every space, by a price for each space entered.
fn costs(index: &MapIndex, from: &str, price: impl Fn(&str) -> i64) -> BTreeMap<String, i64> {
    let mut best: BTreeMap<String, i64> = BTreeMap::from([(from.to_owned(), 0)]);
    let mut open = BTreeSet::from([(0, from.to_owned())]);
    while let Some((cost, at)) = open.pop_first() {
        for &next in index.neighbours(index.number(&at).unwrap()) {
            let next = index.space_at(next).unwrap().id.to_string();
            let total = cost + price(&next);
            if best.get(&next).is_none_or(|old| total < *old) {
                best.insert(next.clone(), total);
                open.insert((total, next));
            }
        }
    }
    best
}

fn roads_from(index: &MapIndex, from: &str) -> BTreeMap<String, i64> {
    costs(index, from, |_| 1)
}

/// Movement points: 2 for a mountain area, else 1 (8.2).
fn points_from(index: &MapIndex, from: &str) -> BTreeMap<String, i64> {
    costs(index, from, |space| match terrain(index, space) {
        "mountain" => 2,
        _ => 1,
    })
}

fn terrain<'a>(index: &'a MapIndex, space: &str) -> &'a str {
    &index.space(space).unwrap().terrain
}

fn bridge(road: &Road) -> &str {
    road.data
        .get("bridge")
        .and_then(|bridge| bridge.as_text())
        .unwrap_or("none")
}

fn cities(index: &MapIndex) -> BTreeSet<&str> {
    let spaces = index.map().spaces.iter();
    spaces
        .filter(|space| space.terrain == "city")
        .map(|space| space.id.as_str())
        .collect()
}

#[test]
fn supply_areas_are_four_cities() {
    let index = index();
    let supply: Vec<_> = index
        .map()
        .spaces
        .iter()
        .filter_map(|space| Some((space.id.as_str(), space.data.get("supply")?.as_text()?)))
        .collect();
    let wanted = [
        ("trento", "austrian"),
        ("brescia", "french"),
        ("cremona", "french"),
        ("vicenza", "austrian"),
    ];
    assert_eq!(supply, wanted);
    assert!(
        wanted
            .iter()
            .all(|(space, _)| terrain(&index, space) == "city")
    );
    assert!(
        cities(&index).len() > 5,
        "not every city is a supply area (2.2.2)"
    );
}

#[test]
fn each_city_but_mantua_starts_with_a_garrison_of_its_side() {
    let index = index();
    for (name, all_french) in [("campaign", true), ("lonato", false)] {
        let scenario: Scenario = file(&format!("games/castiglione/scenarios/{name}.yaml"));
        for city in cities(&index).into_iter().filter(|city| *city != "mantua") {
            let side = scenario.spaces[city]["control"].as_text().unwrap();
            let garrison = format!("garrison_{side}_");
            let here = scenario.positions[city].iter();
            assert_eq!(
                here.filter(|piece| piece.starts_with(&garrison)).count(),
                1,
                "{city}"
            );
            let austrian = ["trento", "vicenza"].contains(&city);
            assert!(
                !all_french || (side == "austrian") == austrian,
                "{city} (2.2.3)"
            );
        }
        let mantua = scenario.positions.get("mantua").into_iter().flatten();
        assert_eq!(
            mantua.filter(|piece| piece.starts_with("garrison")).count(),
            0,
            "5.6.a"
        );
    }
    assert_eq!(
        index.space("mantua").unwrap().data["special"].as_text(),
        Some("mantua")
    );
}

#[test]
fn the_areas_near_vicenza_are_those_of_the_example() {
    let index = index();
    let roads = roads_from(&index, "vicenza");
    let near: Vec<_> = roads
        .iter()
        .filter(|(_, distance)| (1..=2).contains(*distance))
        .map(|(space, _)| space.as_str())
        .collect();
    assert_eq!(near, ["castegnero", "montebello", "monteforte", "sossano"]);
    assert_eq!(roads["caldiero"], 3);
}

#[test]
fn zevio_to_lonato_passes_peschiera_for_three_of_four_points() {
    let index = index();
    let from = points_from(&index, "zevio");
    assert_eq!((from["peschiera"], from["lonato"]), (3, 4));
    assert!(index.road("peschiera", "lonato").is_some());
}

#[test]
fn neighbours_named_in_the_examples_are_neighbours() {
    let index = index();
    for (a, b) in [
        ("rovereto", "ala"),
        ("gavardo", "rezzato"),
        ("santa_margherita", "montagnana"),
        ("lonato", "castiglione"),
        ("ala", "la_corona"),
        ("la_corona", "rivoli"),
    ] {
        assert!(index.road(a, b).is_some(), "{a} - {b}");
    }
    for mountain in ["ala", "la_corona", "rivoli"] {
        assert_eq!(terrain(&index, mountain), "mountain");
    }
    assert!(roads_from(&index, "bussolengo")["rivoli"] <= 2, "13.1.2");
}

#[test]
fn bridges_of_cities_can_not_be_destroyed() {
    let index = index();
    assert_eq!(bridge(index.road("gavardo", "rezzato").unwrap()), "normal");
    assert_eq!(terrain(&index, "rezzato"), "clear");
    assert_eq!(
        bridge(index.road("santa_margherita", "montagnana").unwrap()),
        "normal"
    );
    let cities = cities(&index);
    for road in &index.map().roads {
        let at_city = cities.contains(&*road.a) || cities.contains(&*road.b);
        match bridge(road) {
            "city" => assert!(at_city, "{road:?}"),
            "normal" => assert!(!at_city && road.river.is_some(), "{road:?}"),
            other => assert_eq!(other, "none", "{road:?}"),
        }
    }
}

#[test]
fn one_road_leads_from_ala_to_rivoli_with_a_limit_of_its_own() {
    let index = index();
    let marked: Vec<_> = index
        .map()
        .roads
        .iter()
        .filter(|road| road.data.contains_key("rivoli"))
        .map(|road| (road.a.as_str(), road.b.as_str()))
        .collect();
    assert_eq!(marked, [("ala", "la_corona"), ("la_corona", "rivoli")]);
    assert_eq!(
        *index.map().regions["roads_of_rivoli"].spaces,
        ["ala", "la_corona", "rivoli"]
    );
    let la_corona = index.neighbours(index.number("la_corona").unwrap());
    assert_eq!(
        la_corona.len(),
        2,
        "there is no other way over La Corona (15)"
    );
}

#[test]
fn the_long_example_can_be_marched() {
    let index = index();
    let from = points_from(&index, "goito");
    assert_eq!((from["guidizzolo"], from["castiglione"]), (1, 2));
    assert!(index.road("goito", "guidizzolo").is_some());
    assert!(index.road("guidizzolo", "castiglione").is_some());
    let from = points_from(&index, "roverbella");
    assert_eq!((from["guidizzolo"], from["castiglione"]), (2, 3));
    let around = costs(
        &index,
        "asola",
        |space| if space == "guidizzolo" { 99 } else { 1 },
    );
    assert_eq!(roads_from(&index, "asola")["castiglione"], 2);
    assert_eq!(around["castiglione"], 2, "without Guidizzolo");
}

#[test]
fn regions_follow_the_banks_and_the_named_areas() {
    let index = index();
    let region = |name: &str| -> BTreeSet<String> {
        let spaces = index.map().regions[name].spaces.iter();
        spaces.map(ToString::to_string).collect()
    };
    let (east, west) = (region("east_of_adige"), region("west_of_adige"));
    assert!(east.is_disjoint(&west));
    assert_eq!(east.len() + west.len(), index.map().spaces.len());
    // Every road between the banks crosses the river, and no other road does.
    for road in &index.map().roads {
        let changes_bank = east.contains(road.a.as_str()) != east.contains(road.b.as_str());
        assert_eq!(
            changes_bank,
            road.river.as_deref() == Some("adige"),
            "{road:?}"
        );
    }
    let south = region("south_of_anfo_and_la_corona_west_of_adige");
    assert!(south.is_subset(&west));
    for (space, inside) in [
        ("anfo", false),
        ("la_corona", false),
        ("verona", true),
        ("legnago", true),
    ] {
        assert_eq!(south.contains(space), inside, "{space} (12.1.k)");
    }
    let dummies = region("french_dummy_setup");
    for (space, inside) in [
        ("anfo", false),
        ("ala", false),
        ("salo", true),
        ("la_corona", true),
    ] {
        assert_eq!(dummies.contains(space), inside, "{space} (13.2.1)");
    }
}

fn piece<'a>(forces: &'a Forces, id: &str) -> &'a PieceDecl {
    forces.pieces.iter().find(|piece| piece.id == *id).unwrap()
}

fn sum(forces: &Forces, ids: &[&str]) -> i64 {
    let strength = |id: &&str| piece(forces, id).attributes["sp"].as_int().unwrap();
    ids.iter().map(strength).sum()
}

#[test]
fn strengths_add_up_as_in_the_examples() {
    let forces: Forces = file("games/castiglione/forces.yaml");
    let french = [
        "gardanne",
        "robert",
        "guillaume",
        "joubert",
        "servier",
        "fiorella",
        "dallemagne",
        "charton",
        "beaumont",
        "dommartin",
    ];
    assert_eq!(sum(&forces, &french), 25);
    let foot = ["nicoletti", "gummer", "pittoni", "bajalich"];
    assert_eq!(foot.map(|id| sum(&forces, &[id])), [3, 5, 3, 4]);
    assert_eq!(
        sum(&forces, &foot) + sum(&forces, &["pittoni_cav", "melas_art", "liptay"]),
        23
    );
    assert_eq!(
        sum(&forces, &["dommartin"]),
        sum(&forces, &["melas_art"]) + 1
    );
    assert_eq!(sum(&forces, &["dallemagne", "charton", "beaumont"]), 6);
    assert_eq!(sum(&forces, &["pijon"]), 2);
    assert_eq!(sum(&forces, &["spiegel"]), 4);
}

#[test]
fn both_armies_have_their_units_and_ratings() {
    let forces: Forces = file("games/castiglione/forces.yaml");
    for side in ["french", "austrian"] {
        let count = |kinds: &[&str]| {
            let pieces = forces.pieces.iter().filter(|piece| piece.side == *side);
            pieces
                .filter(|piece| kinds.contains(&piece.kind.as_str()))
                .count()
        };
        assert_eq!(count(&["infantry", "cavalry", "artillery"]), 20, "{side}");
        assert_eq!(count(&["garrison"]), 7, "{side}");
    }
    let rating = |id: &str, name: &str| piece(&forces, id).attributes[name].as_int().unwrap();
    assert_eq!((rating("bonaparte", "tr"), rating("wurmser", "tr")), (2, 1));
    assert_eq!(
        (rating("meszaros", "cr"), rating("davidovich", "sr")),
        (2, 0)
    );
    assert_eq!(
        (
            rating("despinoy", "sr"),
            rating("kilmaine", "sr"),
            rating("serurier", "sr")
        ),
        (1, 1, 1)
    );
    let leaders = forces.pieces.iter().filter(|piece| piece.kind == "leader");
    assert!(
        leaders
            .clone()
            .all(|leader| leader.attributes["ma"].as_int() == Some(4)),
        "2.1.2.g"
    );
    let (generic, named): (Vec<_>, Vec<_>) =
        leaders.partition(|leader| leader.id.as_str().starts_with("generic_"));
    assert_eq!((named.len(), generic.len()), (12, 10), "2.1.2.j");
    for leader in generic {
        let ratings = ["rank", "sr", "cr", "tr"].map(|name| rating(leader.id.as_str(), name));
        assert_eq!(ratings, [3, 0, 1, 0], "{:?}", leader.id);
    }
    assert_eq!(
        piece(&forces, "rampon").formation.as_deref(),
        Some("massena")
    );
}

#[test]
fn the_siege_begins_with_enough_infantry() {
    let forces: Forces = file("games/castiglione/forces.yaml");
    let campaign: Scenario = file("games/castiglione/scenarios/campaign.yaml");
    let here: Vec<_> = campaign.positions["mantua"]
        .iter()
        .map(|id| id.as_str())
        .filter(|id| piece(&forces, id).kind == "infantry")
        .collect();
    assert!(sum(&forces, &here) >= 10, "5.6.b");
}

#[test]
fn the_checklist_has_every_rule_once() {
    let list: Vec<ChecklistEntry> = file("rules/castiglione/checklist.yaml");
    let ids: BTreeSet<_> = list.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!((list.len(), ids.len()), (321, 321));
    for id in [
        "0.a", "2.1.2.f", "8.3.k", "9.4.o", "13.2.2.b", "13.2.2.d", "19.a", "20.b",
    ] {
        assert!(ids.contains(id), "{id}");
    }
    assert_eq!(
        list.iter()
            .filter(|entry| entry.untestable.is_some())
            .count(),
        3
    );
    let chapters: BTreeSet<_> = list.iter().map(|entry| entry.chapter).collect();
    assert!(chapters.into_iter().eq(0..=20));
}

/// Hidden counters in the target (1 to 20) and how many of them a share of 25, 33, 50, 75 and 100
/// percent shows (13.1.2.f).
#[test]
fn shares_of_a_reconnaissance_are_those_of_the_matrix() {
    let matrix: [[i64; 5]; 20] = [
        [0, 0, 0, 1, 1],
        [0, 1, 1, 1, 2],
        [1, 1, 1, 2, 3],
        [1, 1, 2, 3, 4],
        [1, 2, 2, 4, 5],
        [1, 2, 3, 4, 6],
        [2, 2, 3, 5, 7],
        [2, 3, 4, 6, 8],
        [2, 3, 4, 7, 9],
        [2, 3, 5, 7, 10],
        [3, 4, 5, 8, 11],
        [3, 4, 6, 9, 12],
        [3, 4, 6, 10, 13],
        [3, 5, 7, 10, 14],
        [4, 5, 7, 11, 15],
        [4, 5, 8, 12, 16],
        [4, 6, 8, 13, 17],
        [4, 6, 9, 13, 18],
        [5, 6, 9, 14, 19],
        [5, 7, 10, 15, 20],
    ];
    let mut engine = rhai::Engine::new();
    engine.set_max_expr_depths(0, 0);
    let script = EmbeddedFiles
        .read("rules/castiglione/reconnaissance.rhai")
        .unwrap();
    let script = engine
        .compile(String::from_utf8(script.to_vec()).unwrap())
        .unwrap();
    for (count, row) in (1_i64..).zip(matrix) {
        for (percent, expected) in [25_i64, 33, 50, 75, 100].into_iter().zip(row) {
            let share: i64 = engine
                .call_fn(
                    &mut rhai::Scope::new(),
                    &script,
                    "share_of",
                    (count, percent),
                )
                .unwrap();
            assert_eq!(share, expected, "{percent}% of {count}");
        }
        let none: i64 = engine
            .call_fn(&mut rhai::Scope::new(), &script, "share_of", (count, 0_i64))
            .unwrap();
        assert_eq!(none, 0);
    }
}
