//! The host against well-behaved scripts, on a tiny game of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

mod asking;
mod closures;
mod hexes;
mod hostile;
mod lists;
mod views;

use std::{collections::BTreeMap, sync::Arc};

use super::*;
use crate::{
    dice::ScriptedDice,
    game::{Game, MapIndex},
    ids::SeatId,
    value::{Fields, Value},
    world::World,
};

const DECL: &str = r##"
id: tiny
title: {en: Tiny, fr: Petit}
about: {en: A test., fr: Un essai.}
sides:
  - {id: red, name: {en: Red, fr: Rouge}, colour: "#cc0000"}
  - {id: blue, name: {en: Blue, fr: Bleu}, colour: "#0000cc"}
seats: [{id: red, side: red}, {id: blue, side: blue}]
default_scenario: start
kinds: {infantry: {symbol: infantry, unit: true}, leader: {symbol: headquarters}}
attributes:
  sp: {default: 1, shown: printed}
  hits: {default: 0, shown: whole}
  plan: {default: "", shown: umpire}
space_attributes: {control: {default: null, shown: public}}
road_attributes: {broken: {default: false, shown: public}}
boxes: {dead: {shown: public}, reserve: {}}
facts: {turn: {default: 1, shown: public}, secret: {default: 0}}
phases: [{id: play}, {id: fight, of: space}, {id: rest}]
events: [seen, moved]
orders:
  keywords: {}
  verbs:
    march: {phases: [play], forms: ["MARCH"], check: check_march}
    policy: {standing: true, forms: ["POLICY"]}
  topics: {retreat: {keyword: RETREAT, forms: ["YES"]}}
  conditions: {enemy_at: {forms: ["ENEMY"], call: enemy_at}}
"##;

const MAP: &str = r"
terrains: [clear]
spaces:
  - {id: north, name: North, terrain: clear, lat: 3, lon: 0, source: stated}
  - {id: middle, name: Middle, terrain: clear, lat: 2, lon: 0, source: stated}
  - {id: south, name: South, terrain: clear, lat: 1, lon: 0, source: stated}
  - {id: east, name: East, terrain: clear, lat: 2, lon: 1, source: stated}
roads:
  - {a: north, b: middle, source: stated}
  - {a: middle, b: south, source: stated}
  - {a: north, b: east, source: stated}
  - {a: east, b: south, source: stated}
regions: {}
";

const FORCES: &str = r"
formations: [{id: main, side: red, leader: ada, source: stated}]
pieces:
  - {id: one, name: One, side: red, formation: main, kind: infantry, attributes: {sp: 4}, source: stated}
  - {id: two, name: Two, side: red, kind: infantry, source: stated}
  - {id: ada, name: Ada, side: red, kind: leader, source: stated}
  - {id: foe, name: Foe, side: blue, kind: infantry, attributes: {sp: 3}, source: stated}
";

const LOOK: &str = "fn look(seat) { }\n";

/// The tiny game with these rules; every piece stands somewhere.
fn program_with(script: &str, limits: RunLimits) -> Result<Program, RuleError> {
    program_of(DECL, script, limits)
}

fn program_of(decl: &str, script: &str, limits: RunLimits) -> Result<Program, RuleError> {
    let game = Game {
        decl: serde_yaml::from_str(decl).unwrap(),
        map: MapIndex::new(serde_yaml::from_str(MAP).unwrap()),
        forces: serde_yaml::from_str(FORCES).unwrap(),
        tables: serde_yaml::from_str(
            "t: {rule: '1', source: stated, values: {n: 7}, columns: [{id: low, max: 4}, {id: high, min: 5}], \
             rows: [{max: 3, result: [0, 1]}, {min: 4, result: [2, 3]}], modifiers: [{id: m, add: 1, source: stated}]}",
        )
        .unwrap(),
        scenarios: Default::default(),
        theatre: None,
        theatres: Default::default(),
        text: BTreeMap::new(),
        scripts: vec![("tiny/a.rhai".into(), LOOK.into()), ("tiny/b.rhai".into(), script.into())],
        checklist: Vec::new(),
        digest: crate::digest::Digest::ZERO,
    };
    Program::compile_with(Arc::new(game), limits)
}

fn program(script: &str) -> Program {
    program_with(script, RunLimits::default()).unwrap()
}

fn world(program: &Program) -> World {
    let mut world = World::empty(program.game());
    for (piece, place) in [
        ("one", "north"),
        ("two", "north"),
        ("ada", "north"),
        ("foe", "south"),
    ] {
        world.put(piece, &place.into());
    }
    world
}

fn run_with(
    program: &Program,
    phase: &str,
    decisions: &Decisions,
    dice: &[u32],
) -> Result<Outcome, RuleError> {
    let (world, options) = (world(program), BTreeMap::new());
    let start = Start {
        phase,
        world: &world,
        options: &options,
        decisions,
    };
    program
        .run(&start, Box::new(ScriptedDice::new(dice.iter().copied())))
        .0
}

fn run(script: &str) -> Result<Outcome, RuleError> {
    run_with(
        &program(script),
        "play",
        &Decisions::default(),
        &[3, 5, 1, 6],
    )
}

fn done(outcome: Result<Outcome, RuleError>) -> PhaseResult {
    match outcome.unwrap() {
        Outcome::Done(resolved) => *resolved,
        Outcome::Waiting(wait) => panic!("waits for {:?}", wait.wait),
    }
}

/// The world at the start of the phase `play`, before anybody has decided anything.
struct PlayStart {
    world: World,
    options: BTreeMap<String, String>,
    decisions: Decisions,
}

impl PlayStart {
    fn of(program: &Program) -> Self {
        Self {
            world: world(program),
            options: BTreeMap::new(),
            decisions: Decisions::default(),
        }
    }

    fn start(&self) -> Start<'_> {
        Start {
            phase: "play",
            world: &self.world,
            options: &self.options,
            decisions: &self.decisions,
        }
    }
}

fn value(expression: &str) -> Value {
    let program = program(&format!("fn play() {{ {expression} }}"));
    let beginning = PlayStart::of(&program);
    let start = beginning.start();
    program.call_on(&start, "play").unwrap()
}

fn texts(names: &[&str]) -> Value {
    Value::List(names.iter().map(|name| Value::from(*name)).collect())
}

#[test]
fn pieces_are_read_and_changed_through_handles() {
    let resolved = done(run(
        "fn play() { let u = piece(\"one\"); u.hits += 2; move_to(u, \"middle\"); \"rest\" }",
    ));
    assert_eq!(resolved.next.as_deref(), Some("rest"));
    let piece = resolved.world.piece("one").unwrap();
    assert_eq!(
        (piece.int("hits"), piece.at.as_deref()),
        (2, Some("middle"))
    );
    assert_eq!(
        value("pieces(\"red\").map(|u| u.id)"),
        texts(&["one", "two", "ada"])
    );
    assert_eq!(
        value("at(\"north\").filter(|u| is_unit(u)).map(|u| u.name)"),
        texts(&["One", "Two"])
    );
    assert_eq!(value("total(at(\"north\"), \"sp\")"), Value::Int(6));
    assert_eq!(
        value("formation_leader(piece(\"one\")).id"),
        Value::from("ada")
    );
    assert_eq!(
        value("formation_leader(piece(\"two\")) == ()"),
        Value::Bool(true)
    );
    assert_eq!(
        value("piece(\"one\") == at(\"north\")[0]"),
        Value::Bool(true)
    );
    assert_eq!(
        value("expand(#{all: true, at: \"north\", except: [\"two\"]}, \"red\").map(|u| u.id)"),
        texts(&["ada", "one"])
    );
}

#[test]
fn ways_follow_roads_and_ties_follow_the_map_file() {
    assert_eq!(value("distance(\"north\", \"south\")"), Value::Int(2));
    assert_eq!(
        value("cheapest(\"north\", \"south\", |a, b| 1)"),
        texts(&["middle", "south"])
    );
    assert_eq!(
        value("cheapest(\"north\", \"south\", |a, b| if b == \"middle\" { 2 } else { 1 })"),
        texts(&["east", "south"])
    );
    assert_eq!(
        value("path_cost(\"north\", \"south\", |a, b| -1)"),
        Value::Int(-1)
    );
    assert_eq!(
        value("flood([\"north\"], |a, b| b != \"south\").list()"),
        texts(&["north", "middle", "east"])
    );
    assert_eq!(
        value("steps(\"south\", \"north\", |a, b| b != \"middle\")"),
        Value::Int(2)
    );
    assert_eq!(value("neighbours(\"north\")"), texts(&["middle", "east"]));
}

#[test]
fn tables_have_open_rows_columns_and_modifiers() {
    assert_eq!(
        value(
            "[lookup(\"t\", -5, 2), lookup(\"t\", 9, 8), value(\"t\", \"n\"), reason(\"t\", \"m\").add]"
        ),
        Value::List(vec![0.into(), 3.into(), 7.into(), 1.into()])
    );
    let error = run("fn play() { value(\"t\", \"x\") }").unwrap_err();
    assert!(error.message.contains("no value `x`"), "{error}");
}

#[test]
fn events_name_only_what_the_reader_knows() {
    let resolved = done(run(
        "fn play() { tell(\"all\", \"seen\", #{unit: piece(\"foe\"), n: 3}); spot(\"red\", piece(\"foe\"), \"printed\"); \
         tell(\"red\", \"seen\", #{unit: piece(\"foe\"), where: space(\"south\")}); \"rest\" }",
    ));
    let heard = |event: usize, seat: &str| resolved.events[event].heard.get(seat).cloned();
    let red = heard(0, "red").unwrap();
    assert_eq!(red["unit"].get("unknown"), Some(&Value::Bool(true)));
    assert_eq!(red["unit"].get("name"), None);
    assert_eq!(
        heard(0, "blue").unwrap()["unit"].get("name"),
        Some(&Value::from("Foe"))
    );
    assert_eq!(
        heard(1, "red").unwrap()["unit"].get("name"),
        Some(&Value::from("Foe"))
    );
    assert_eq!(heard(1, "blue"), None);
}

#[test]
fn sightings_grow_old_unless_a_look_renews_them() {
    let script = "fn play() { spot(\"red\", piece(\"foe\"), \"whole\"); \"rest\" }";
    let resolved = done(run(script));
    let view = resolved.world.seen_by(program(script).game(), "red");
    let foe = view.piece("foe").unwrap();
    assert!(foe.ghost.is_some());
    assert_eq!(foe.attributes.keys().collect::<Vec<_>>(), ["hits", "sp"]);
    assert_eq!(view.at("south").count(), 0);
}

#[test]
fn a_sighting_is_of_the_turn_in_which_its_phase_began() {
    let script = "fn play() { set_fact(\"turn\", turn() + 1); spot(\"red\", piece(\"foe\"), \"whole\"); \"rest\" }";
    let resolved = done(run(script));
    let view = resolved.world.seen_by(program(script).game(), "red");
    let ghost = view.piece("foe").unwrap().ghost.clone().unwrap();
    assert_eq!(
        (ghost.turn + 1, &*ghost.phase),
        (resolved.world.turn(), "play")
    );
}

/// The game, whose topic is asked unless a seat declines.
fn asked_program(script: &str) -> Program {
    let decl = DECL.replace("{keyword: RETREAT,", "{keyword: RETREAT, asked: true,");
    program_of(&decl, script, RunLimits::default()).unwrap()
}

fn asks_retreat() -> Decisions {
    let seat = SeatId::from("red");
    Decisions {
        asks: BTreeMap::from([(seat.clone(), ["retreat".to_owned()].into())]),
        questions_left: BTreeMap::from([(seat, 1)]),
        ..Decisions::default()
    }
}

#[test]
fn handles_of_another_run_are_refused() {
    let (ours, theirs) = (
        program("fn play() { \"rest\" }"),
        program("fn play() { \"rest\" }"),
    );
    let beginning = PlayStart::of(&ours);
    let start = beginning.start();
    let foreign = theirs.new_run(&start, start.world.clone()).handle(0);
    let mut run = ours.new_run(&start, start.world.clone());
    assert!(run.piece(&foreign).is_err());
    assert!(run.piece_mut(&foreign).is_err());
    let own = run.handle(0);
    assert!(run.piece(&own).is_ok());
}

#[test]
fn errors_name_file_function_line_and_column() {
    let error = run("fn inner(x) {\n    x.nothing\n}\nfn play() {\n    inner(piece(\"one\"))\n}")
        .unwrap_err();
    assert_eq!(
        (error.place.script.as_str(), error.place.line),
        ("tiny/b.rhai", 2),
        "{error}"
    );
    assert_eq!(error.function.as_deref(), Some("inner"), "{error}");
    assert!(error.message.contains("no attribute `nothing`"), "{error}");
    let error = run("fn play() { throw \"bad luck\"; }").unwrap_err();
    assert!(error.message.contains("bad luck"), "{error}");
    let missing = run_with(
        &program("fn play() { \"rest\" }"),
        "fight.north",
        &Decisions::default(),
        &[],
    )
    .unwrap_err();
    assert!(missing.to_string().contains("fight"), "{missing}");
}

/// The engine makes names up for closures, others each time the program is started: a journal keeps
/// errors, and must not have them.
#[test]
fn errors_have_no_names_of_closures() {
    let error = run("fn play() { [1].map(|x| throw \"bad luck\"); \"rest\" }").unwrap_err();
    assert_eq!(error.function.as_deref(), Some("closure"), "{error}");
    let error = run("fn play() { let f = |x| x; f.call(1, 2, 3); \"rest\" }").unwrap_err();
    assert!(!error.to_string().contains("anon"), "{error}");
}

#[test]
fn dice_come_back_with_their_ledger() {
    let program = program(
        "fn play() { roll(\"2d6\", \"t1/a\"); secret(\"blue\", \"1d6\", \"t1/b\"); \"rest\" }",
    );
    let beginning = PlayStart::of(&program);
    let start = beginning.start();
    let (outcome, dice) = program.run(&start, Box::new(ScriptedDice::new([3, 4, 5])));
    done(outcome);
    let lines: Vec<String> = dice.made().iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        ["roll 1 open t1/a#1 2d6 = 3 4", "roll 1 blue t1/b#1 1d6 = 5"]
    );
}

#[test]
fn a_function_of_two_scripts_is_an_error_at_the_second() {
    for script in [
        "fn first() { }\nfn look(other) { 1 }\n",
        "fn first() { }\nfn first() { }\n",
    ] {
        let error = program_with(script, RunLimits::default()).err().unwrap();
        let place = (error.place.script.as_str(), error.place.line);
        assert_eq!(place, ("tiny/b.rhai", 2), "{error}");
        assert!(error.message.contains("already exists"), "{error}");
    }
    program_with("fn look(a, b) { }\n", RunLimits::default()).unwrap();
}

#[test]
fn places_are_those_of_each_script() {
    let error = program_with("fn a() {\n  missing\n}\n", RunLimits::default());
    let error = error.err().unwrap();
    let place = (error.place.line, error.place.column);
    assert_eq!(
        (error.place.script.as_str(), place),
        ("tiny/b.rhai", (2, 3))
    );
    let script = "fn b() { }\nfn play() {\n  throw 1;\n}\n";
    let error = run(script).unwrap_err();
    let place = (error.place.line, error.place.column);
    assert_eq!(
        (error.place.script.as_str(), place),
        ("tiny/b.rhai", (3, 3))
    );
}

#[test]
fn invariants_change_nothing() {
    for change in [
        "set_fact(\"turn\", 5)",
        "move_to(piece(\"one\"), \"south\")",
        "let own = piece(\"one\"); own.sp = 1",
        "spot(\"red\", piece(\"foe\"), \"whole\")",
    ] {
        let script = format!("fn first() {{ }}\nfn invariants() {{\n    {change};\n    []\n}}\n");
        let program = program(&script);
        let (world, options) = (world(&program), BTreeMap::new());
        let start = Start {
            phase: "first",
            world: &world,
            options: &options,
            decisions: &Decisions::default(),
        };
        let error = program.invariants(&start).unwrap_err();
        let said = "`invariants` changes nothing";
        assert!(error.message.contains(said), "{change}: {error}");
        assert_eq!(error.place.line, 3, "{change}");
    }
}
