//! Scripts that want too much.

use std::time::Duration;

use super::*;

fn bounded() -> RunLimits {
    RunLimits {
        operations: 400_000,
        time: Duration::from_secs(15),
        ..RunLimits::default()
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
        // The work of a host function on a long list counts: no call is one operation whatever it
        // takes.
        (
            "let a = []; for i in 0..4000 { a.push(i); } for i in 0..20 { unique(a); }",
            "operations",
        ),
        (
            "let a = []; for i in 0..4000 { a.push(i); } for i in 0..3000 { contains(a, -1); }",
            "operations",
        ),
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
        RunLimits {
            memory: 64 << 20,
            ..RunLimits::default()
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

/// Values that can only be built level by level end at the limits of sizes, before a thread with
/// the usual stack can't drop them.
#[test]
fn deep_values_end_at_the_limits() {
    for body in [
        "let a = []; loop { a = [a]; }",
        "let m = #{}; loop { m = #{x: m}; }",
        "let m = #{}; loop { m = [#{x: m}]; }",
        "let m = []; loop { let n = []; n.push(m); m = n; }",
        "let m = []; loop { let n = [0]; n[0] = m; m = n; }",
        "let m = #{}; loop { let n = #{}; n[\"x\"] = m; m = n; }",
        "let m = #{}; loop { let n = #{x: ()}; n.x = m; m = n; }",
    ] {
        let limits = RunLimits {
            array: 1024,
            map: 1024,
            ..bounded()
        };
        let program = program_with(&format!("fn play() {{ {body} }}"), limits).unwrap();
        let error = run_with(&program, "play", &Decisions::default(), &[]).unwrap_err();
        assert!(error.message.contains("too large"), "{body}: {error}");
    }
}

#[test]
fn what_a_script_hands_to_the_host_is_not_deep() {
    let nested = |levels: usize| {
        format!(
            "fn play() {{ let a = 1; for i in 0..{levels} {{ a = [a]; }} set_fact(\"secret\", a); \"rest\" }}"
        )
    };
    run(&nested(16)).unwrap();
    let error = run(&nested(17)).unwrap_err();
    assert!(error.message.contains("more than 16 deep"), "{error}");
    let script =
        "fn play() { let m = 1; for i in 0..18 { m = #{x: m}; } tell(\"all\", \"seen\", m); }";
    let error = run(script).unwrap_err();
    assert!(error.message.contains("more than 16 deep"), "{error}");
    let script = "fn play() { let a = 1; for i in 0..17 { a = [a]; } order_of([a, a]); \"rest\" }";
    let error = run(script).unwrap_err();
    assert!(error.message.contains("more than 16 deep"), "{error}");
}

/// A look every thousand operations is too seldom where each copies megabytes.
#[test]
fn operations_that_take_long_are_stopped_by_the_clock() {
    let list = "fn play() {\n let a = []; a.pad(4000, 1);\n loop { let b = a; }\n}";
    let map = "fn play() {\n let a = []; a.pad(4000, 1); let m = #{};\n \
               for i in 0..100 { m[`k${i}`] = a; }\n loop { let n = m; }\n}";
    let text = "fn play() {\n let s = \"a\"; s.pad(16000, \"a\"); let t = s.sub_string(1) + \"b\";\n \
                loop { s.index_of(t); s.index_of('b'); }\n}";
    for (script, milliseconds, most_operations) in [
        (list, 300, u64::MAX),
        (map, 50, 2 * 1024),
        (text, 50, 1_000_000),
    ] {
        let limits = RunLimits {
            time: Duration::from_millis(milliseconds),
            ..RunLimits::default()
        };
        let program = program_with(script, limits).unwrap();
        let error = run_with(&program, "play", &Decisions::default(), &[]).unwrap_err();
        assert!(
            error.of_machine && error.message.contains("seconds"),
            "{error}"
        );
        assert_eq!(error.function.as_deref(), Some("play"));
        let spent = program.meter.spent.get();
        assert!(spent < most_operations, "{spent} operations");
    }
}

#[test]
fn the_guide_has_the_limits_that_hold() {
    use crate::isolation::{ProcessBounds, STACK};
    let guide = include_str!("../../../docs/rules-reference.md");
    let limits = RunLimits::default();
    let bounds = ProcessBounds::default();
    let number = |number: u64| {
        let digits = number.to_string().into_bytes();
        let groups: Vec<_> = digits
            .rchunks(3)
            .rev()
            .map(String::from_utf8_lossy)
            .collect();
        groups.join(",")
    };
    let count = |count: usize| number(u64::try_from(count).unwrap());
    for row in [
        format!("| operations of a phase | {} |", number(limits.operations)),
        format!(
            "| operations of all checks of one mail | {} |",
            number(limits.check_operations)
        ),
        format!("of one mail | {} s |", limits.time.as_secs()),
        format!(
            "| memory by which a phase grows | {} MiB |",
            limits.memory >> 20
        ),
        format!("| calls within calls | {} |", limits.calls),
        format!("| variables in sight | {} |", limits.variables),
        format!("in a list or map together | {} KiB |", limits.string >> 10),
        format!("of lists in it included | {} |", count(limits.array)),
        format!("of maps in it included | {} |", count(limits.map)),
        format!("(facts, events, notes) | {} |", sandbox::DEEPEST),
        format!("| memory | {} MiB |", bounds.memory >> 20),
        format!("| stack | {} MiB |", STACK >> 20),
        format!("or of a command | {} s |", bounds.seconds.unwrap()),
    ] {
        assert!(guide.contains(&row), "{row}");
    }
}
