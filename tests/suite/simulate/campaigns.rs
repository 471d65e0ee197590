//! Simulations: bots play whole campaigns by mail, and what is wrong with rules or letters is
//! found.
use std::{collections::BTreeMap, path::Path, sync::Arc};

use crate::support::{shipped_game, shipped_with_bots};
use estafette::{
    audit,
    game::{self, Disk, EmbeddedFiles, Files, Game, GameFiles},
    ids::SeatId,
    rules::{Decisions, Program, Start},
    simulate::{self, BotGame, PlayedCampaign, SimulateError, SimulationPlan, SimulationReport},
    value::Value,
    world::World,
};

/// Rules for the tiny game of the loader's tests: both seats move by turns, for four turns.
const RULES: &str = r#"
fn supply() {
    set_fact("turn", turn() + 1);
    if turn() > 4 { victory("red", "win"); return (); }
    "move.red"
}
fn move(side) {
    for order in orders(seat_of(side), "move") {
        let who = piece(order.who);
        move_to(who, order.path[0]);
        tell(seat_of(side), "moved", #{who: who, to: space(who.at)});
    }
    if side == "red" { "move.blue" } else { "supply" }
}
fn battle(space) { "supply" }
fn look(seat) { }
fn invariants() {
    all_pieces("blue").filter(|who| who.at == "lost").map(|who| `${who.id} is lost`)
}
"#;

/// A bot that marches up and down.
const WALKER: &str = r#"
fn walker(seat, asked) {
    if asked.phase == () || asked.written > 0 { return []; }
    let who = pieces(side_of(seat))[0];
    let ways = neighbours(who.at);
    [[`MOVE ${who.id} : ${ways[chance(ways.len())]}`]]
}
"#;

fn plan(game: &str, scenario: &str, campaigns: usize) -> SimulationPlan {
    SimulationPlan {
        roster: None,
        game: game.into(),
        scenario: scenario.into(),
        options: BTreeMap::new(),
        questions_per_turn: 1,
        pairings: Vec::new(),
        campaigns,
        seed: 1,
        threads: 2,
        trace: false,
        out: None,
        keep_all: false,
        recheck: true,
        pictures: false,
    }
}

/// The tiny game with other rules.
fn tiny(rules: &str) -> BotGame {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/game");
    let disk = Disk::default()
        .games(&folder.join("games"))
        .rules(&folder.join("rules"));
    let mut files = GameFiles::gather(&disk, "tiny").unwrap();
    files
        .0
        .insert("rules/tiny/sequence.rhai".into(), rules.into());
    // The loader's tests do not compile the form.
    let declared = files.0.get_mut("games/tiny/game.yaml").unwrap();
    let text = String::from_utf8(declared.clone()).unwrap();
    let form = "'MOVE <who:piece> \":\" <path:path>'";
    *declared = text
        .replace("\"MOVE <who:piece> : <path:path>\"", form)
        .into_bytes();
    BotGame {
        game: Arc::new(Game::load(&files, "tiny").unwrap()),
        files,
        bots: vec![("tiny/bots/walker.rhai".into(), WALKER.into())],
    }
}

fn run(plan: &SimulationPlan, loaded: &BotGame) -> (SimulationReport, Vec<PlayedCampaign>) {
    let mut played = Vec::new();
    let report =
        simulate::run(plan, loaded, &mut |campaign| played.push(campaign.clone())).unwrap();
    played.sort_by_key(|campaign| campaign.number);
    (report, played)
}

/// What is found in the first campaign after a change of the rules.
#[track_caller]
fn found(old: &str, new: &str) -> String {
    assert!(RULES.contains(old), "the rules have no {old:?}");
    let (report, _) = run(&plan("tiny", "start", 1), &tiny(&RULES.replace(old, new)));
    let faults = report.faults.into_values().flatten();
    faults.map(|fault| format!("{fault}\n")).collect()
}

#[test]
fn a_sound_game_is_played_to_its_end_by_mail() {
    let (report, played) = run(&plan("tiny", "start", 3), &tiny(RULES));
    assert_eq!(report.faults, BTreeMap::new());
    let walkers =
        BTreeMap::from(["ada", "bert"].map(|seat| (SeatId::from(seat), "walker".to_owned())));
    assert_eq!(report.results[0].bots, walkers);
    assert_eq!(
        report.results[0].endings,
        BTreeMap::from([("red win".to_owned(), 3)])
    );
    for campaign in &played {
        // Turns 2 to 4: one mail of each seat, one order in it; turn 5 ends at once.
        let turn = &campaign.turns[&3];
        assert!(
            turn.values()
                .all(|tally| (tally.mails, tally.orders, tally.wrong) == (1, 1, 0)),
            "{turn:?}"
        );
        assert_eq!(campaign.last_turn, 5);
    }
}

#[test]
fn a_seed_decides_all_whatever_the_threads() {
    let loaded = tiny(RULES);
    let tallies = |threads, seed| {
        let plan = SimulationPlan {
            threads,
            seed,
            ..plan("tiny", "start", 4)
        };
        let (_, played) = run(&plan, &loaded);
        let each = played
            .iter()
            .map(|campaign| (campaign.turns.clone(), campaign.letters, campaign.phases));
        each.collect::<Vec<_>>()
    };
    assert_eq!(tallies(1, 7), tallies(3, 7));
}

#[test]
fn a_piece_that_the_rules_lose_is_found() {
    let faults = found(
        "    if side == \"red\"",
        "    move_to(piece(\"scouts\"), \"lost\");\n    if side == \"red\"",
    );
    assert_eq!(faults, "turn 2, move.red: scouts is lost\n");
}

#[test]
fn endless_phases_and_turns_are_found() {
    let faults = found(
        "set_fact(\"turn\", turn() + 1);",
        "if turn() > 1 { return \"supply\"; }",
    );
    assert!(
        faults.contains("1000 phases followed each other without a wait"),
        "{faults}"
    );
    let faults = found("{ \"move.blue\" } else", "{ \"move.red\" } else");
    assert!(faults.contains("turn 2 does not end"), "{faults}");
}

#[test]
fn an_error_of_a_script_is_found_with_its_place() {
    let faults = found(
        "let who = piece(order.who);",
        "let who = piece(order.whom);",
    );
    assert!(
        faults.contains("the rules stopped") && faults.contains("tiny/sequence.rhai"),
        "{faults}"
    );
}

#[test]
fn a_mark_of_something_remembered_that_says_too_little_is_found() {
    let faults = found(
        "move_to(who, order.path[0]);",
        "let here = || remembered(\"here\", side, || who.at); here.call(); move_to(who, order.path[0]); here.call();",
    );
    assert!(faults.contains("`here` is no longer"), "{faults}");
}

#[test]
fn a_letter_that_names_what_its_reader_never_saw_is_found() {
    let faults = found(
        "#{who: who, to",
        "#{who: `${who.name}, far from the Scouts`, to",
    );
    assert!(
        faults.contains("to ada mentions scouts, which ada has never seen"),
        "{faults}"
    );
    let seen =
        "fn look(seat) { if seat == \"ada\" { spot(seat, piece(\"scouts\"), \"printed\"); } }";
    let rules = RULES.replace("fn look(seat) { }", seen).replace(
        "#{who: who, to",
        "#{who: `${who.name}, far from the Scouts`, to",
    );
    let (report, _) = run(&plan("tiny", "start", 1), &tiny(&rules));
    assert_eq!(report.faults, BTreeMap::new());
}

#[test]
fn bots_are_no_part_of_the_rules() {
    let pinned = GameFiles::gather(&EmbeddedFiles, "castiglione").unwrap();
    assert!(pinned.0.keys().all(|path| !path.contains("/bots/")));
    let bots = game::bot_scripts(&EmbeddedFiles, "castiglione").unwrap();
    let names: Vec<&str> = bots.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        names.contains(&"castiglione/bots/random.rhai")
            && names.contains(&"castiglione/bots/sensible.rhai"),
        "{names:?}"
    );
    assert!(EmbeddedFiles.has("rules/castiglione").unwrap());
    let mut plan = plan("tiny", "start", 1);
    plan.pairings = vec![BTreeMap::from([("ada".into(), "nobody".to_owned())])];
    let error = simulate::run(&plan, &tiny(RULES), &mut |_| ()).unwrap_err();
    assert!(matches!(error, SimulateError::Unknown { .. }), "{error}");
    let none = BotGame {
        bots: Vec::new(),
        ..tiny(RULES)
    };
    assert!(simulate::run(&plan, &none, &mut |_| ()).is_err());
}

#[test]
fn a_campaign_with_a_fault_is_left_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let plan = SimulationPlan {
        out: Some(folder.path().to_owned()),
        ..plan("tiny", "start", 1)
    };
    let rules = RULES.replace(
        "    if side == \"red\"",
        "    move_to(piece(\"scouts\"), \"lost\");\n    if side == \"red\"",
    );
    run(&plan, &tiny(&rules));
    let kept = folder.path().join("simulated-1");
    assert!(kept.join("sent/0001-ada.eml").exists());
    assert!(
        std::fs::read_to_string(kept.join("faults.txt"))
            .unwrap()
            .contains("scouts is lost")
    );
    let report = audit::campaign(&kept.join("campaign")).unwrap();
    assert_eq!(report.wrong, Vec::<String>::new());
}

fn pairing(french: &str, austrian: &str) -> BTreeMap<SeatId, String> {
    [("french", french), ("austrian", austrian)]
        .map(|(seat, bot)| (SeatId::from(seat), bot.to_owned()))
        .into()
}

#[track_caller]
fn assert_played_out(report: &SimulationReport) {
    assert_eq!(report.faults, BTreeMap::new());
    let ended =
        |results: &estafette::simulate::Results| !results.endings.contains_key("broken off");
    assert!(report.results.iter().all(ended), "{:?}", report.results);
}

/// Each bot against the other in the short scenario.
#[test]
fn the_game_stands_its_bots() {
    let plan = SimulationPlan {
        pairings: vec![pairing("random", "sensible"), pairing("sensible", "random")],
        ..plan("castiglione", "lonato", 2)
    };
    let (report, _) = run(&plan, &shipped_with_bots("castiglione"));
    assert_played_out(&report);
    let sensible = &report.bots["sensible"];
    assert_eq!(
        (sensible.questions.median, sensible.wrong, sensible.refused),
        (0, 0, 0)
    );
    assert!(sensible.mails.most <= 2, "{:?}", sensible.mails);
    assert!(report.bots["random"].orders > 20, "{:?}", report.bots);
}

/// The options of the game, where most can go wrong: hidden counters, lost leaders, everything at
/// once.
#[test]
fn the_game_stands_its_bots_with_its_options() {
    let loaded = shipped_with_bots("castiglione");
    let all = loaded.game.decl.options.iter().map(|(name, option)| {
        let other = option.values.iter().find(|value| **value != option.default);
        (name.clone(), other.unwrap().clone())
    });
    let one = |name: &str| BTreeMap::from([(name.to_owned(), "on".to_owned())]);
    for options in [one("fog"), one("leader_losses"), all.collect()] {
        let plan = SimulationPlan {
            options,
            pairings: vec![pairing("random", "sensible")],
            ..plan("castiglione", "lonato", 1)
        };
        let (report, _) = run(&plan, &loaded);
        assert_played_out(&report);
    }
}

/// What the game's own invariants say of the start of the campaign after a change, as if a phase
/// had just run.
fn invariants(phase: &str, change: impl Fn(&mut World)) -> String {
    let game = shipped_game("castiglione");
    let program = Program::compile(Arc::clone(&game)).unwrap();
    let (options, decisions) = (BTreeMap::new(), Decisions::default());
    let mut world = World::set_up(&game, "campaign").unwrap();
    change(&mut world);
    let start = Start {
        phase,
        world: &world,
        options: &options,
        decisions: &decisions,
    };
    program.invariants(&start).unwrap().join("\n")
}

fn set(world: &mut World, piece: &str, attribute: &str, value: impl Into<Value>) {
    let piece = Arc::make_mut(world.pieces.get_mut(piece).unwrap());
    piece.attributes.insert(attribute.into(), value.into());
}

fn put(world: &mut World, piece: &str, place: &str) {
    Arc::make_mut(world.pieces.get_mut(piece).unwrap()).at = Some(place.into());
}

#[test]
fn the_games_invariants_find_what_is_planted() {
    for phase in ["supply", "movement.french", "battle.rivoli", "recovery"] {
        assert_eq!(invariants(phase, |_| ()), "", "{phase}");
    }
    type Change = fn(&mut World);
    let planted: [(&str, Change, &str); 8] = [
        (
            "battle.rivoli",
            |world| set(world, "rampon", "hits", 4),
            "rampon stands on the map with 4 hits",
        ),
        (
            "battle.rivoli",
            |world| set(world, "rampon", "hits", -1),
            "rampon stands on the map with -1 hits",
        ),
        (
            "battle.rivoli",
            |world| put(world, "rampon", "pool"),
            "rampon is in pool, where no infantry goes",
        ),
        (
            "supply",
            |world| put(world, "garrison_french_1", "pool"),
            "brescia belongs to french and has no garrison",
        ),
        (
            "supply",
            |world| put(world, "garrison_austrian_3", "verona"),
            "verona has 2 garrisons",
        ),
        (
            "supply",
            |world| put(world, "rampon", "ala"),
            "units of both sides are left in ala",
        ),
        (
            "recovery",
            |world| set(world, "rampon", "supplied", false),
            "rampon in rivoli: its supply is said to be false",
        ),
        (
            "end",
            |world| world.set_fact("turn", 10.into()),
            "there is no turn 10",
        ),
    ];
    for (phase, change, expected) in planted {
        let found = invariants(phase, change);
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
