//! The host against well-behaved and hostile scripts, on a tiny game of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may panic")]

mod lists;
mod views;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use super::*;
use crate::{
    dice::Scripted,
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
fn program_with(script: &str, limits: Limits) -> Result<Program, RuleError> {
    let game = Game {
        decl: serde_yaml::from_str(DECL).unwrap(),
        map: MapIndex::new(serde_yaml::from_str(MAP).unwrap()),
        forces: serde_yaml::from_str(FORCES).unwrap(),
        tables: serde_yaml::from_str(
            "t: {rule: '1', source: stated, values: {n: 7}, columns: [{id: low, max: 4}, {id: high, min: 5}], \
             rows: [{max: 3, result: [0, 1]}, {min: 4, result: [2, 3]}], modifiers: [{id: m, add: 1, source: stated}]}",
        )
        .unwrap(),
        scenarios: indexmap::IndexMap::new(),
        text: BTreeMap::new(),
        scripts: vec![("tiny/a.rhai".into(), LOOK.into()), ("tiny/b.rhai".into(), script.into())],
        checklist: Vec::new(),
        digest: String::new(),
    };
    Program::compile_with(Arc::new(game), limits)
}

fn program(script: &str) -> Program {
    program_with(script, Limits::default()).unwrap()
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
        .run(&start, Box::new(Scripted::new(dice.iter().copied())))
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

fn done(outcome: Result<Outcome, RuleError>) -> Resolved {
    match outcome.unwrap() {
        Outcome::Done(resolved) => *resolved,
        Outcome::Waiting(wait) => panic!("waits for {:?}", wait.wait),
    }
}

fn value(expression: &str) -> Value {
    let program = program(&format!("fn play() {{ {expression} }}"));
    let (world, options, decisions) = (world(&program), BTreeMap::new(), Decisions::default());
    let start = Start {
        phase: "play",
        world: &world,
        options: &options,
        decisions: &decisions,
    };
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
        value("flood([\"north\"], |a, b| b != \"south\")"),
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
            "[lookup(\"t\", -5, 2), lookup(\"t\", 9, 8), value(\"t\", \"n\"), modifier(\"t\", \"m\")]"
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
fn sightings_grow_old_after_the_phase_unless_the_look_renews_them() {
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
        (ghost.turn + 1, ghost.phase.as_str()),
        (resolved.world.turn(), "play")
    );
}

fn asks_retreat() -> Decisions {
    let seat = SeatId::from("red");
    Decisions {
        asks: BTreeMap::from([(seat.clone(), ["retreat".to_owned()].into())]),
        questions_left: BTreeMap::from([(seat, 1)]),
        ..Decisions::default()
    }
}

const ASKING: &str = r#"
fn play() {
    let die = d6("t1/first");
    let answer = ask("red", "retreat", #{about: #{unit: piece("foe")}, options: ["yes", "no"], otherwise: "no"});
    set_fact("secret", d6("t1/second"));
    if type_of(answer) == "map" { let u = piece("one"); u.hits = 1; }
    ask("red", "retreat", #{otherwise: "still no"});
    "rest"
}
"#;

#[test]
fn a_question_suspends_and_the_answer_resumes_with_the_same_dice() {
    let program = program(ASKING);
    let mut decisions = asks_retreat();
    let Outcome::Waiting(suspended) = run_with(&program, "play", &decisions, &[3, 5]).unwrap()
    else {
        panic!()
    };
    let Wait::Questions { questions } = suspended.wait else {
        panic!()
    };
    assert_eq!(questions.len(), 1);
    assert_eq!(
        questions[0].about["unit"].get("unknown"),
        Some(&Value::Bool(true))
    );
    assert_eq!(suspended.views.len(), 1);
    decisions.rounds.push(Round {
        questions,
        answers: vec![Some(Fields::new())],
    });
    let resolved = done(run_with(&program, "play", &decisions, &[3, 5]));
    assert_eq!(resolved.world.fact("secret"), &Value::Int(5));
    assert_eq!(resolved.world.piece("one").unwrap().int("hits"), 1);
}

#[test]
fn without_ask_or_without_mails_left_the_otherwise_is_taken() {
    let program = program(ASKING);
    for decisions in [
        Decisions::default(),
        Decisions {
            questions_left: BTreeMap::new(),
            ..asks_retreat()
        },
    ] {
        let resolved = done(run_with(&program, "play", &decisions, &[3, 5]));
        assert_eq!(resolved.world.piece("one").unwrap().int("hits"), 0);
    }
}

#[test]
fn an_answer_to_another_question_is_an_error_and_never_used() {
    let program = program(ASKING);
    let mut decisions = asks_retreat();
    let question = Question {
        seat: "red".into(),
        topic: "retreat".into(),
        about: Fields::new(),
        options: Vec::new(),
        otherwise: Value::from("no"),
    };
    decisions.rounds.push(Round {
        questions: vec![question],
        answers: vec![Some(Fields::new())],
    });
    let error = run_with(&program, "play", &decisions, &[3, 5]).unwrap_err();
    assert!(error.message.contains("asks something else"), "{error}");
    let unused = program_with("fn play() { \"rest\" }", Limits::default()).unwrap();
    let error = run_with(&unused, "play", &decisions, &[]).unwrap_err();
    assert!(error.message.contains("did not ask"), "{error}");
}

#[test]
fn suspension_wins_where_rhai_swallows_the_error() {
    for body in [
        "let a = [2, 1]; a.sort(|x, y| { ask(\"red\", \"retreat\", #{}); x - y }); \"rest\"",
        "[1, 2].map(|x| ask(\"red\", \"retreat\", #{})); let u = piece(\"one\"); u.hits = 3; \"rest\"",
        "let a = [1, 1]; a.dedup(|x, y| { ask(\"red\", \"retreat\", #{}); true }); \"rest\"",
        "orders(\"red\", \"play\"); \"rest\"",
    ] {
        let program = program(&format!("fn play() {{ {body} }}"));
        let outcome = run_with(&program, "play", &asks_retreat(), &[]).unwrap();
        assert!(matches!(outcome, Outcome::Waiting(_)), "{body}");
        // The next run on the same program starts clean.
        assert!(
            matches!(
                run_with(&program, "play", &asks_retreat(), &[]),
                Ok(Outcome::Waiting(_))
            ),
            "{body}"
        );
    }
}

#[test]
fn orders_wait_for_all_named_seats_and_hold_no_standing_ones() {
    let script = "fn play() { let all = orders_each([\"red\", \"blue\"], \"play\"); \
                  set_fact(\"secret\", all.red.len() * 10 + told(\"red\", \"policy\").len()); \"rest\" }";
    let program = program(script);
    let order = |verb: &str| crate::orders::Order {
        verb: verb.into(),
        args: Fields::new(),
        line: 1,
        text: verb.to_uppercase(),
        guard: None,
    };
    let mut decisions = Decisions::default();
    decisions
        .orders
        .insert("red".into(), vec![order("march"), order("policy")]);
    decisions
        .standing
        .insert("red".into(), vec![order("policy"), order("policy")]);
    let Outcome::Waiting(suspended) = run_with(&program, "play", &decisions, &[]).unwrap() else {
        panic!()
    };
    let seats = vec![SeatId::from("red"), SeatId::from("blue")];
    assert_eq!(
        suspended.wait,
        Wait::Orders {
            seats,
            phase: "play".into()
        }
    );
    decisions.orders.insert("blue".into(), Vec::new());
    assert_eq!(
        done(run_with(&program, "play", &decisions, &[]))
            .world
            .fact("secret"),
        &Value::Int(12)
    );
}

#[test]
fn a_standing_order_that_is_spent_is_struck_out() {
    let script = "fn play() { let lines = told(\"red\", \"policy\"); spend(lines[1]); spend(lines[1]); \
                  set_fact(\"secret\", told(\"red\", \"policy\").len()); \"rest\" }";
    let order = |line| crate::orders::Order {
        verb: "policy".into(),
        args: Fields::new(),
        line,
        text: "POLICY".into(),
        guard: None,
    };
    let mut decisions = Decisions::default();
    let lines = vec![order(1), order(2), order(3)];
    decisions.standing.insert("red".into(), lines.clone());
    let resolved = done(run_with(&program(script), "play", &decisions, &[]));
    assert_eq!(resolved.world.fact("secret"), &Value::Int(2));
    assert_eq!(resolved.standing["red"], [order(1), order(3)]);
}

#[test]
fn guards_and_checks_are_judged_on_the_view() {
    let script = "fn enemy_at(args) { at(args.space).some(|u| u.side == \"blue\") }\n\
        fn play() { let o = #{seat: \"red\", condition: \"enemy_at\", condition_args: #{space: \"south\"}}; \
          if holds(o) { throw \"the foe is not seen\"; } \
          tell(\"red\", \"seen\"); if at(\"south\").len() != 1 { throw \"the true world is back\"; } \"rest\" }";
    assert_eq!(done(run(script)).events.len(), 1);
}

fn bounded() -> Limits {
    Limits {
        operations: 400_000,
        time: Duration::from_secs(5),
        ..Limits::default()
    }
}

#[test]
fn hostile_scripts_are_stopped_and_named() {
    let cases = [
        ("loop { }", "operations"),
        ("let n = 0; while true { n += 1; }", "operations"),
        ("sink(1)", "tack"),
        ("let s = \"x\"; loop { s += s; }", "string"),
        ("let a = [1]; loop { a += a; }", "array"),
        ("let a = [1]; loop { a = [a, a]; }", "array"),
        ("let a = []; a.pad(1000000000, 1);", "array"),
        ("let a = []; loop { a.push(1); }", "array"),
        (
            "let m = #{}; let i = 0; loop { m[`k${i}`] = i; i += 1; }",
            "operations",
        ),
        ("let m = #{}; loop { m = #{a: m, b: m}; }", "map"),
        ("sleep(100);", "not available"),
        (
            "loop { tell(\"all\", \"seen\", #{text: \"0123456789012345678901234567890123456789\"}); }",
            "events",
        ),
        (
            "loop { set_fact(\"secret\", \"0123456789012345678901234567890123456789\"); }",
            "bytes",
        ),
        ("loop { tell(\"red\", \"unheard\"); }", "not declared"),
        (
            "let u = piece(\"one\"); u.hits = \"many\";",
            "type of its default",
        ),
        ("d6(\"no label with spaces\")", "label"),
        ("roll(\"9999999d6\", \"t1/x\")", "9999999"),
        ("let b = blob(100000000000);", ""),
        ("let x = 9223372036854775807; x += 1;", "overflow"),
    ];
    for (body, word) in cases {
        let script =
            format!("fn sink(n) {{ sink(n + 1) }}\nfn play() {{\n    {body};\n    \"rest\"\n}}");
        let program = program_with(&script, bounded()).unwrap();
        let started = std::time::Instant::now();
        let error = run_with(&program, "play", &Decisions::default(), &[1, 2, 3]).unwrap_err();
        assert!(
            error.to_string().to_lowercase().contains(word),
            "{body}: {error}"
        );
        assert_eq!(error.place.script, "tiny/b.rhai", "{body}: {error}");
        let line = if body.starts_with("sink") { 1 } else { 3 };
        assert_eq!(error.place.line, line, "{body}: {error}");
        assert!(error.function.is_some(), "{body}: {error}");
        assert!(started.elapsed() < Duration::from_secs(20), "{body}");
        assert!(
            program.stage.set(None).is_none(),
            "{body}: something is left on the stage"
        );
    }
}

#[test]
fn memory_is_bounded_where_no_single_value_is_too_large() {
    let script = "fn play() {\n let a = []; a.pad(4000, 1); let m = #{}; let i = 0;\n loop { m[`k${i}`] = a; i += 1; }\n}";
    let program = program_with(
        script,
        Limits {
            memory: 64 << 20,
            ..Limits::default()
        },
    )
    .unwrap();
    let error = run_with(&program, "play", &Decisions::default(), &[]).unwrap_err();
    assert!(error.message.contains("MiB of memory"), "{error}");
    assert_eq!(error.place.line, 3, "{error}");
}

#[test]
fn what_scripts_must_not_have_does_not_compile() {
    for body in [
        "try { ask(\"red\", \"retreat\", #{}); } catch { }",
        "eval(\"1\");",
        "import \"x\" as x;",
        "print(1);",
    ] {
        let error = program_with(&format!("fn play() {{\n  {body}\n}}"), bounded())
            .map(|_| ())
            .unwrap_err();
        assert_eq!(
            (error.place.script.as_str(), error.place.line),
            ("tiny/b.rhai", 2),
            "{body}: {error}"
        );
    }
    let error = program_with("let x = 1;", bounded())
        .map(|_| ())
        .unwrap_err();
    assert!(error.message.contains("functions only"), "{error}");
}

#[test]
fn handles_of_another_run_are_refused() {
    let (ours, theirs) = (
        program("fn play() { \"rest\" }"),
        program("fn play() { \"rest\" }"),
    );
    let (world, options, decisions) = (world(&ours), BTreeMap::new(), Decisions::default());
    let start = Start {
        phase: "play",
        world: &world,
        options: &options,
        decisions: &decisions,
    };
    let foreign = theirs.new_run(&start, world.clone()).handle(0);
    let mut run = ours.new_run(&start, world.clone());
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

#[test]
fn dice_come_back_with_their_ledger() {
    let program = program(
        "fn play() { roll(\"2d6\", \"t1/a\"); secret(\"blue\", \"1d6\", \"t1/b\"); \"rest\" }",
    );
    let (world, options, decisions) = (world(&program), BTreeMap::new(), Decisions::default());
    let start = Start {
        phase: "play",
        world: &world,
        options: &options,
        decisions: &decisions,
    };
    let (outcome, dice) = program.run(&start, Box::new(Scripted::new([3, 4, 5])));
    done(outcome);
    let lines: Vec<String> = dice.made().iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        ["roll 1 open t1/a#1 2d6 = 3 4", "roll 1 blue t1/b#1 1d6 = 5"]
    );
}

#[test]
fn the_lint_names_what_does_not_exist_and_where() {
    let program = program(
        "fn play() {\n    value(\"nowhere\", \"n\");\n    value(\"t\", \"m\");\n    tell(\"all\", \"unheard\");\n    nothing(1);\n    \
         fact(\"turn\", 2);\n    piece(\"one\").sp\n}",
    );
    let found: Vec<(usize, String)> = lint(&program)
        .into_iter()
        .map(|error| (error.place.line, error.message))
        .collect();
    let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6], "{found:?}");
    assert!(found[0].1.contains("no table `nowhere`"), "{found:?}");
    assert!(found[4].1.contains("takes 1 arguments, not 2"), "{found:?}");
}
