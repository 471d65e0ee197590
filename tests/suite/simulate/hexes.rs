//! Bots play the short scenario of the game on hexes, and its invariants find what is planted.
use std::{collections::BTreeMap, sync::Arc};

use crate::support::{shipped_game, shipped_with_bots};
use estafette::{
    ids::SeatId,
    rules::{Decisions, Program, Start},
    simulate::{self, BotGame, SimulationPlan, SimulationReport},
    world::World,
};

const GAME: &str = "novara";

/// One campaign of the short scenario, played to its end without a fault.
fn played(
    loaded: &BotGame,
    austrian: &str,
    sardinian: &str,
    options: &[(&str, &str)],
) -> SimulationReport {
    let pairing = [("austrian", austrian), ("sardinian", sardinian)]
        .map(|(seat, bot)| (SeatId::from(seat), bot.to_owned()));
    let options = options
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let plan = SimulationPlan {
        roster: None,
        game: GAME.into(),
        scenario: "la_sforzesca".into(),
        options: options.collect(),
        questions_per_turn: loaded.game.decl.questions_per_turn,
        pairings: vec![BTreeMap::from(pairing)],
        campaigns: 1,
        seed: 1,
        threads: 1,
        trace: false,
        out: None,
        keep_all: false,
        recheck: false,
        pictures: false,
    };
    let report = simulate::run(&plan, loaded, &mut |_| ()).unwrap();
    assert_eq!(report.faults, BTreeMap::new());
    let ended = |results: &simulate::Results| !results.endings.contains_key("broken off");
    assert!(report.results.iter().all(ended), "{:?}", report.results);
    report
}

#[test]
fn the_game_stands_its_bots() {
    let loaded = shipped_with_bots(GAME);
    let report = played(&loaded, "sensible", "random", &[]);
    let sensible = &report.bots["sensible"];
    assert_eq!((sensible.questions.most, sensible.wrong), (0, 0));
    assert!(
        sensible.mails.most <= 2,
        "one mail a turn, and one for its pause"
    );
    assert!(report.bots["random"].orders > 20, "{:?}", report.bots);
}

/// What makes most of a turn: hidden counters, and a pause before every chit.
#[test]
fn the_game_stands_its_bots_with_its_options() {
    let loaded = shipped_with_bots(GAME);
    let options = [("dummies", "on"), ("masks", "on"), ("pauses", "all")];
    played(&loaded, "random", "sensible", &options);
    played(&loaded, "bold", "bold", &options);
}

/// What the game's invariants say of the start of a scenario after a change, as if a phase had just
/// run.
fn invariants(scenario: &str, change: impl Fn(&mut World)) -> String {
    let game = shipped_game(GAME);
    let program = Program::compile(Arc::clone(&game)).unwrap();
    let (options, decisions) = (BTreeMap::new(), Decisions::default());
    let mut world = World::set_up(&game, scenario).unwrap();
    change(&mut world);
    let start = Start {
        phase: "regroup",
        world: &world,
        options: &options,
        decisions: &decisions,
    };
    program.invariants(&start).unwrap().join("\n")
}

fn lose(world: &mut World, piece: &str, levels: i64) {
    let piece = Arc::make_mut(world.pieces.get_mut(piece).unwrap());
    piece.attributes.insert("lost".into(), levels.into());
}

fn put(world: &mut World, piece: &str, place: &str) {
    Arc::make_mut(world.pieces.get_mut(piece).unwrap()).at = Some(place.into());
}

#[test]
fn the_invariants_find_what_is_planted() {
    for scenario in ["campaign", "la_sforzesca", "mortara", "novara", "ramorino"] {
        assert_eq!(invariants(scenario, |_| ()), "", "{scenario}");
    }
    type Change = fn(&mut World);
    let planted: [(Change, &str); 8] = [
        (
            |world| lose(world, "a_ir28", 2),
            "a_ir28 is on the map with 2 levels lost",
        ),
        (
            |world| lose(world, "a_ir28", -1),
            "a_ir28 is on the map with -1 levels lost",
        ),
        (
            |world| put(world, "a_ir28", "4235"),
            "a_ir28 stands among enemies in 4235",
        ),
        (
            |world| put(world, "a_ir28", "5537"),
            "a_ir28 has left the area of the scenario at 5537",
        ),
        (
            |world| put(world, "a_ir28", "4340"),
            "more than two regular units are in 4340",
        ),
        (
            |world| put(world, "a_kj4", "4240"),
            "more than four pieces are in 4240",
        ),
        (
            |world| put(world, "a_dummy_1", "4240"),
            "more than four pieces are in 4240",
        ),
        (
            |world| put(world, "a_ir28", "eliminated"),
            "a_ir28 is eliminated and has levels left",
        ),
    ];
    for (change, expected) in planted {
        let found = invariants("la_sforzesca", change);
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
