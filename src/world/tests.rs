//! Views are built by adding: what nobody declared or showed is not there.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use super::*;
use crate::game::{Game, MapIndex, Visibility};

const DECL: &str = r##"
id: tiny
title: {en: Tiny}
about: {en: A test.}
sides:
  - {id: red, name: {en: Red}, colour: "#cc0000"}
  - {id: blue, name: {en: Blue}, colour: "#0000cc"}
seats: [{id: red, side: red}, {id: blue, side: blue}]
default_scenario: start
kinds: {infantry: {symbol: infantry, unit: true}}
attributes:
  sp: {default: 1, shown: printed}
  hits: {default: 0, shown: whole}
  supplied: {default: true, shown: owner}
  plan: {default: "", shown: umpire}
space_attributes: {control: {default: null, shown: public}, mined: {default: false}}
road_attributes: {broken: {default: false, shown: public}, watched: {default: false}}
boxes: {dead: {shown: public}, reserve: {}}
facts: {turn: {default: 1, shown: public}, secret: {default: 0}}
phases: [{id: rest}]
events: []
orders: {keywords: {}, verbs: {}}
"##;

fn game() -> Game {
    let map = "terrains: [clear]\nspaces:\n  - {id: north, name: North, terrain: clear, lat: 3, lon: 0, source: stated}\n  \
               - {id: south, name: South, terrain: clear, lat: 1, lon: 0, source: stated}\nroads: [{a: north, b: south, source: stated}]\n\
               regions: {}\n";
    let forces = "formations: []\npieces:\n  - {id: one, name: One, side: red, kind: infantry, source: stated}\n  \
                  - {id: foe, name: Foe, side: blue, kind: infantry, source: stated}\n  \
                  - {id: spy, name: Spy, side: blue, kind: infantry, source: stated}\n";
    Game {
        decl: serde_yaml::from_str(DECL).unwrap(),
        map: MapIndex::new(serde_yaml::from_str(map).unwrap()),
        forces: serde_yaml::from_str(forces).unwrap(),
        tables: Default::default(),
        scenarios: Default::default(),
        theatre: None,
        theatres: Default::default(),
        text: BTreeMap::new(),
        scripts: Vec::new(),
        checklist: Vec::new(),
        digest: crate::digest::Digest::ZERO,
    }
}

fn seen() -> SightingTime {
    SightingTime {
        turn: 2,
        phase: "rest".into(),
    }
}

/// Lets a seat see a piece.
fn spot(world: &mut World, game: &Game, seat: &str, piece: &str, how: Visibility) {
    world.spot(game, &seat.into(), &piece.into(), how, seen());
}

fn world(game: &Game) -> World {
    let mut world = World::empty(game);
    world.put("one", &"north".into());
    world.put("foe", &"south".into());
    world.put("spy", &"south".into());
    world
}

#[test]
fn own_pieces_are_known_but_for_what_is_the_umpires() {
    let game = game();
    let view = world(&game).seen_by(&game, "red");
    assert_eq!(view.viewer.as_deref(), Some("red"));
    assert_eq!(
        view.pieces.keys().map(|id| id.as_str()).collect::<Vec<_>>(),
        ["one"]
    );
    let one = view.piece("one").unwrap();
    assert_eq!(
        one.attributes.keys().collect::<Vec<_>>(),
        ["hits", "sp", "supplied"]
    );
    assert!(view.knowledge.is_empty());
}

#[test]
fn a_sighting_shows_what_was_seen_and_when_it_is_old_only_that() {
    let game = game();
    let mut world = world(&game);
    spot(&mut world, &game, "red", "foe", Visibility::Printed);
    let view = world.seen_by(&game, "red");
    assert_eq!(
        view.piece("foe")
            .unwrap()
            .attributes
            .keys()
            .collect::<Vec<_>>(),
        ["sp"]
    );
    assert_eq!(view.at("south").count(), 1);
    world.look_away(&"red".into());
    world.put("foe", &"north".into());
    world
        .piece_mut("foe")
        .unwrap()
        .attributes
        .insert("sp".into(), 9.into());
    let ghost = world.seen_by(&game, "red").piece("foe").unwrap().clone();
    assert_eq!(ghost.ghost, Some(seen()));
    assert_eq!((ghost.at.as_deref(), ghost.int("sp")), (Some("south"), 1));
    assert_eq!(
        world.seen_by(&game, "red").at("south").count(),
        0,
        "a ghost stands nowhere"
    );
    assert!(
        world.seen_by(&game, "blue").piece("one").is_none(),
        "what one seat saw is its own"
    );
    world.forget(&"red".into(), "foe");
    assert!(world.seen_by(&game, "red").piece("foe").is_none());
}

#[test]
fn boxes_facts_spaces_and_roads_are_secret_unless_declared() {
    let game = game();
    let mut world = world(&game);
    world.put("foe", &"dead".into());
    world.put("spy", &"reserve".into());
    let set = |names: [&str; 2]| -> Fields {
        let states = names.map(|name| (name.to_owned(), true.into()));
        states.into_iter().collect()
    };
    world
        .spaces_mut()
        .insert("north".into(), set(["control", "mined"]));
    world
        .roads_mut()
        .insert("north-south".into(), set(["broken", "watched"]));
    let secret = Fields::from([("mined".to_owned(), true.into())]);
    world.spaces_mut().insert("south".into(), secret);
    let view = world.seen_by(&game, "red");
    assert_eq!(
        view.piece("foe")
            .unwrap()
            .attributes
            .keys()
            .collect::<Vec<_>>(),
        ["sp"]
    );
    assert!(view.piece("spy").is_none());
    assert_eq!(view.facts.keys().collect::<Vec<_>>(), ["turn"]);
    assert_eq!(view.spaces["north"].keys().collect::<Vec<_>>(), ["control"]);
    assert_eq!(
        view.roads["north-south"].keys().collect::<Vec<_>>(),
        ["broken"]
    );
    assert!(
        !view.spaces.contains_key("south"),
        "that there is a secret is one"
    );
}

#[test]
fn a_state_that_was_never_set_is_not_kept() {
    let game = game();
    let world = world(&game);
    assert!(world.spaces.is_empty() && world.roads.is_empty());
    assert_eq!(world.space_state("north", "control"), &Value::Null);
}

#[test]
fn a_stranger_sees_what_is_public() {
    let game = game();
    let view = world(&game).seen_by(&game, "nobody");
    assert!(view.pieces.is_empty());
    assert_eq!(view.facts.keys().collect::<Vec<_>>(), ["turn"]);
}

#[test]
fn hidden_changes_leave_a_view_as_it_was() {
    let game = game();
    let mut world = world(&game);
    spot(&mut world, &game, "red", "foe", Visibility::Printed);
    let before = world.seen_by(&game, "red");
    world.set_fact("secret", 7.into());
    world.put("spy", &"north".into());
    world
        .piece_mut("foe")
        .unwrap()
        .attributes
        .insert("hits".into(), 2.into());
    world
        .piece_mut("one")
        .unwrap()
        .attributes
        .insert("plan".into(), "march".into());
    let mined = Fields::from([("mined".to_owned(), true.into())]);
    world.spaces_mut().insert("north".into(), mined);
    spot(&mut world, &game, "blue", "one", Visibility::Whole);
    assert_eq!(world.seen_by(&game, "red"), before);
    assert_ne!(world.digest(), before.digest());
}

#[test]
fn equal_worlds_have_equal_hashes_through_json() {
    let game = game();
    let world = world(&game);
    let copy: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
    assert_eq!((copy.digest(), &copy), (world.digest(), &world));
}

#[test]
fn a_digest_is_that_of_the_world_as_it_is_now() {
    let game = game();
    let mut world = world(&game);
    let before = world.digest();
    assert_eq!(world.clone().digest(), before);
    let mut digests = vec![before];
    world.piece_mut("one").unwrap().at = None;
    digests.push(world.digest());
    world.set_fact("turn", 9.into());
    digests.push(world.digest());
    let mined = Fields::from([("mined".to_owned(), true.into())]);
    world.spaces_mut().insert("north".into(), mined);
    digests.push(world.digest());
    spot(&mut world, &game, "red", "foe", Visibility::Whole);
    digests.push(world.digest());
    for (number, digest) in digests.iter().enumerate() {
        assert!(!digests[..number].contains(digest), "change {number}");
    }
    // A world of the same values that shares nothing with it.
    let copy: World = serde_json::from_str(&serde_json::to_string(&world).unwrap()).unwrap();
    assert_eq!(copy.digest(), world.digest());
}
