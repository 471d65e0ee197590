//! The knowledge of a seat in the middle of a phase.

use super::*;

/// The foe has been seen in the south, and goes on unseen.
const UNSEEN: &str = r#"
fn unseen() {
    spot("red", piece("foe"), "whole");
    move_to(piece("foe"), "east");
}
"#;

#[test]
fn a_question_shows_no_half_done_move() {
    let script = format!(
        "{UNSEEN} fn play() {{ unseen(); ask(\"red\", \"retreat\", #{{otherwise: \"no\"}}); \"rest\" }}"
    );
    let outcome = run_with(&program(&script), "play", &asks_retreat(), &[]).unwrap();
    let Outcome::Waiting(suspended) = outcome else {
        panic!("the question was not put");
    };
    let view = &suspended.views["red"];
    let foe = view.piece("foe").unwrap();
    assert!(foe.is_at("south") && foe.ghost.is_none(), "{foe:?}");
}

#[test]
fn scripts_ask_what_a_seat_knows() {
    let seen = |look: &str| {
        let script = format!(
            "{UNSEEN} fn play() {{ unseen(); {look} let place = \"south\"; \
             set_fact(\"secret\", on_view(\"red\", || at(place, \"blue\").len())); \
             if at(\"east\").len() != 1 {{ throw \"the true world is not back\"; }} \"rest\" }}"
        );
        done(run(&script)).world.fact("secret").clone()
    };
    assert_eq!(seen(""), Value::Int(1));
    assert_eq!(
        seen("look_again(\"red\");"),
        Value::Int(0),
        "the look of this game sees nothing"
    );
    assert_eq!(seen("look_again(\"blue\");"), Value::Int(1));
}

#[test]
fn a_piece_of_a_view_is_none_of_the_true_world() {
    let script =
        "fn play() { let one = on_view(\"red\", || piece(\"one\")); one.hits = 1; \"rest\" }";
    assert!(
        run(script)
            .unwrap_err()
            .to_string()
            .contains("belongs to another run")
    );
    let script = "fn play() { let one = piece(\"one\"); on_view(\"red\", || one.hits); \"rest\" }";
    assert!(
        run(script)
            .unwrap_err()
            .to_string()
            .contains("belongs to another run")
    );
}

#[test]
fn what_all_looks_have_in_common_is_worked_out_once() {
    let script = "\
        fn look(seat) { if once(\"n\", || counted()) != [7] { throw \"lost\"; } } \
        fn counted() { set_fact(\"secret\", fact(\"secret\") + 1); [7] } \
        fn play() { \"rest\" } \
        fn twice() { look(\"red\"); look(\"red\"); fact(\"secret\") } \
        fn again() { look_again(\"red\"); look_again(\"blue\"); fact(\"secret\") } \
        fn behind() { look_again(\"red\"); once(\"n\", || counted()); fact(\"secret\") }";
    let mut game = Game::clone(program("").game());
    game.scripts = vec![("tiny/a.rhai".into(), script.into())];
    let program = Program::compile(Arc::new(game)).unwrap();
    let ended = done(run_with(&program, "play", &Decisions::default(), &[]));
    assert_eq!(*ended.world.fact("secret"), Value::Int(1), "by two seats");
    let called = |function: &str| {
        let (world, options) = (world(&program), BTreeMap::new());
        let start = Start {
            phase: "play",
            world: &world,
            options: &options,
            decisions: &Decisions::default(),
        };
        program.call_on(&start, function).unwrap()
    };
    assert_eq!(called("twice"), Value::Int(2), "outside of looks");
    assert_eq!(called("again"), Value::Int(2), "each look of its own");
    assert_eq!(called("behind"), Value::Int(2), "behind a look");
}

#[test]
fn a_value_is_remembered_while_its_mark_is_the_same() {
    let script = "\
        fn counted(mark) { remembered(\"n\", mark, || { set_fact(\"secret\", fact(\"secret\") + 1); [7] }) } \
        fn play() { \
            for mark in [\"a\", \"a\", \"b\", \"b\", \"a\"] { \
                let found = counted(mark); \
                if found != [7] { throw \"lost\"; } \
                found.push(8); \
            } \
            on_view(\"red\", || counted(\"a\")); \
            if fact(\"secret\") != 3 { throw fact(\"secret\"); } \
            \"rest\" \
        } \
        fn rest() { counted(\"a\"); \"play\" }";
    let mut program = program(script);
    let ended = done(run_with(&program, "play", &Decisions::default(), &[]));
    assert_eq!(*ended.world.fact("secret"), Value::Int(3));
    // Looks remember nothing of the phase or of each other, nor does the phase of them.
    let looked = "\
        fn look(seat) { counted(); } \
        fn counted() { remembered(\"n\", \"\", || { set_fact(\"secret\", fact(\"secret\") + 1); [7] }) } \
        fn play() { counted(); look_again(\"red\"); counted(); \"rest\" }";
    let mut game = Game::clone(program.game());
    game.scripts = vec![("tiny/a.rhai".into(), looked.into())];
    let looks = Program::compile(Arc::new(game)).unwrap();
    let ended = done(run_with(&looks, "play", &Decisions::default(), &[]));
    assert_eq!(*ended.world.fact("secret"), Value::Int(5));
    // What the caller does to a value is no part of it.
    let changed = "fn play() { \
        for n in 0..2 { \
            let found = remembered(\"n\", \"\", || #{list: [1], area: area_of([\"north\"])}); \
            found.list.push(2); \
            found.area[\"south\"] = true; \
            found.more = 1; \
            if found.list != [1, 2] || found.area.list() != [\"north\", \"south\"] { throw found.list; } \
        } \
        \"rest\" }";
    done(run(changed));
    // Of a function that fails nothing is remembered: the error is its own.
    let failed =
        run("fn play() { remembered(\"n\", \"\", || { throw \"no such thing\" }); \"rest\" }");
    assert!(failed.unwrap_err().to_string().contains("no such thing"));
    // The next phase remembers nothing.
    let ended = done(run_with(&program, "rest", &Decisions::default(), &[]));
    assert_eq!(*ended.world.fact("secret"), Value::Int(1));
    // Whoever looks closer finds a mark that does not say enough.
    let looked_up = "fn play() { \
        for n in 0..2 { \
            remembered(\"kept\", \"\", || #{list: [1], area: area_of([\"north\"])}); \
            remembered(\"n\", \"\", || fact(\"secret\")); \
            set_fact(\"secret\", 5); \
        } \
        \"rest\" }";
    program = program_with(looked_up, RunLimits::default()).unwrap();
    done(run_with(&program, "play", &Decisions::default(), &[]));
    program.recheck();
    let told = run_with(&program, "play", &Decisions::default(), &[]);
    let error = told.unwrap_err().to_string();
    assert!(error.contains("`n` is no longer"), "{error}");
    // However many values there are.
    let many = "fn play() { for n in 0..5000 { if remembered(`n${n}`, \"\", || n) != n { throw n; } } \"rest\" }";
    program = program_with(many, RunLimits::default()).unwrap();
    done(run_with(&program, "play", &Decisions::default(), &[]));
}

#[test]
fn a_scenario_is_asked_for_one_entry() {
    let script = "fn play() { set_fact(\"secret\", [scenario_data(\"due\", \"one\"), scenario_data(\"due\", \"two\"), \
        scenario_data(\"turns\", \"one\"), scenario_data(\"none\", \"one\")]); \"rest\" }";
    let mut game = Game::clone(program("").game());
    game.scripts = vec![
        ("tiny/a.rhai".into(), LOOK.into()),
        ("tiny/b.rhai".into(), script.into()),
    ];
    let scenario = "{id: start, title: {en: S}, first_phase: play, source: stated, data: {turns: 5, due: {one: {turn: 3}}}}";
    let scenario: crate::game::Scenario = serde_yaml::from_str(scenario).unwrap();
    game.scenarios.insert("start".into(), scenario);
    let program = Program::compile(Arc::new(game)).unwrap();
    let (mut world, options) = (world(&program), BTreeMap::new());
    world.scenario = Some("start".into());
    let start = Start {
        phase: "play",
        world: &world,
        options: &options,
        decisions: &Decisions::default(),
    };
    let outcome = program.run(&start, Box::new(ScriptedDice::new([])));
    let turn = Value::Map([("turn".into(), Value::Int(3))].into_iter().collect());
    assert_eq!(
        *done(outcome.0).world.fact("secret"),
        Value::List(vec![turn, Value::Null, Value::Null, Value::Null])
    );
}
