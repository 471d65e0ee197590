//! Phases that wait for orders, questions, standing orders, guards.

use super::*;

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
fn an_answer_resumes_with_the_same_dice() {
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
    decisions.rounds.push(QuestionRound {
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
fn a_topic_that_is_asked_needs_no_ask_but_can_be_declined() {
    let program = asked_program(ASKING);
    let asked = run_with(&program, "play", &Decisions::default(), &[3, 5]).unwrap();
    assert!(matches!(asked, Outcome::Waiting(_)));
    let declined = Decisions {
        declined: BTreeMap::from([("red".into(), ["retreat".to_owned()].into())]),
        ..Decisions::default()
    };
    let resolved = done(run_with(&program, "play", &declined, &[3, 5]));
    assert_eq!(resolved.world.piece("one").unwrap().int("hits"), 0);
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
    decisions.rounds.push(QuestionRound {
        questions: vec![question],
        answers: vec![Some(Fields::new())],
    });
    let error = run_with(&program, "play", &decisions, &[3, 5]).unwrap_err();
    assert!(error.message.contains("asks something else"), "{error}");
    let unused = program_with("fn play() { \"rest\" }", RunLimits::default()).unwrap();
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
        block: None,
    };
    let mut decisions = Decisions::default();
    decisions
        .orders
        .insert("red".into(), [order("march"), order("policy")].into());
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
            invited: Vec::new(),
            phase: "play".into()
        }
    );
    decisions.orders.insert("blue".into(), [].into());
    assert_eq!(
        done(run_with(&program, "play", &decisions, &[]))
            .world
            .fact("secret"),
        &Value::Int(12)
    );
}

#[test]
fn orders_of_the_invited_are_given_and_not_waited_for() {
    let script = "fn play() { let all = orders_each([\"red\"], \"play\", [\"red\", \"blue\"]); \
                  set_fact(\"secret\", all.len() * 10 + all.blue.len()); \"rest\" }";
    let program = program(script);
    let march = crate::orders::Order {
        verb: "march".into(),
        args: Fields::new(),
        line: 1,
        text: "MARCH".to_owned(),
        guard: None,
        block: None,
    };
    let mut decisions = Decisions::default();
    let secret = |decisions: &Decisions| match run_with(&program, "play", decisions, &[]).unwrap() {
        Outcome::Done(resolved) => Ok(resolved.world.fact("secret").clone()),
        Outcome::Waiting(suspended) => Err(suspended.wait),
    };
    let wait = Wait::Orders {
        seats: vec!["red".into()],
        invited: vec!["blue".into()],
        phase: "play".into(),
    };
    assert_eq!(secret(&decisions), Err(wait.clone()));
    decisions.orders.insert("blue".into(), [march].into());
    assert_eq!(secret(&decisions), Err(wait));
    decisions.orders.insert("red".into(), [].into());
    assert_eq!(secret(&decisions), Ok(Value::Int(21)));
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
        block: None,
    };
    let mut decisions = Decisions::default();
    let lines = vec![order(1), order(2), order(3)];
    decisions.standing.insert("red".into(), lines.clone());
    let resolved = done(run_with(&program(script), "play", &decisions, &[]));
    assert_eq!(resolved.world.fact("secret"), &Value::Int(2));
    assert_eq!(resolved.standing["red"], [order(1), order(3)]);
}

#[test]
fn all_seats_are_asked_at_once_for_what_they_have_told() {
    let script = "fn play() { let lines = told(\"all\", \"policy\"); let one = told([\"blue\"], \"policy\"); \
                  set_fact(\"secret\", lines.len() * 10 + one.len()); \"rest\" }";
    let order = |line| crate::orders::Order {
        verb: "policy".into(),
        args: Fields::new(),
        line,
        text: "POLICY".into(),
        guard: None,
        block: None,
    };
    let mut decisions = Decisions::default();
    decisions
        .standing
        .insert("red".into(), vec![order(1), order(2)]);
    decisions.standing.insert("blue".into(), vec![order(1)]);
    let resolved = done(run_with(&program(script), "play", &decisions, &[]));
    assert_eq!(resolved.world.fact("secret"), &Value::Int(31));
}

#[test]
fn guards_and_checks_are_judged_on_the_view() {
    let script = "fn enemy_at(args) { at(args.space).some(|u| u.side == \"blue\") }\n\
        fn play() { let o = #{seat: \"red\", condition: #{\"is\": \"enemy_at\", args: #{space: \"south\"}}}; \
          if holds(o) { throw \"the foe is not seen\"; } \
          tell(\"red\", \"seen\"); if at(\"south\").len() != 1 { throw \"the true world is back\"; } \"rest\" }";
    assert_eq!(done(run(script)).events.len(), 1);
}
