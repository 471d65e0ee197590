//! Functions are no values: what scripts may do with them, and what they may not.

use super::*;
use crate::game::{EmbeddedFiles, Files, GameFiles, bot_scripts, scripts};

/// A function `play` of these lines, and some others that take functions.
fn script(body: &str) -> String {
    format!(
        "fn play() {{\n    {body}\n}}\n\
         fn calls(f) {{ f.call(1) }}\n\
         fn passes_on(f) {{ calls(f); calls(|x| f.call(x)) }}\n\
         fn gives_back(f) {{ f }}\n\
         fn keeps(f) {{ let list = []; list.push(f); }}\n"
    )
}

#[test]
fn functions_are_called_and_handed_down() {
    for body in [
        "[1, 2].map(|x| x + 1);",
        "let n = 0; [1, 2].for_each(|x| n += x);",
        "let most = 1; [1, 2].filter(|x| x > most).map(|x| x * most);",
        "[3, 1].sort(|a, b| a - b);",
        "let n = 2; [1].reduce(|sum, x| sum + x * n, 0);",
        "let n = 2; let double = |x| x * n; double.call(1); [1].map(double);",
        "let n = 2; calls(|x| x * n); passes_on(|x| x * n);",
        "let twice = |x| x * 2; let again = |x| twice.call(x); again.call(1);",
        "calls(look);",
        "let f = look; let g = f; calls(g);",
        "on_view(\"red\", || 1); flood(\"north\", |from, to| true);",
        "let m = #{n: 1}; [1].map(|x| x + m.n);",
    ] {
        let script = script(body).replace("fn gives_back(f) { f }", "");
        let script = script.replace("fn keeps(f) { let list = []; list.push(f); }", "");
        program_with(&script, RunLimits::default())
            .unwrap_or_else(|error| panic!("{body}: {error}"));
    }
}

#[test]
fn functions_are_not_kept() {
    for (body, word) in [
        // This ended the process: a chain of closures, each of which holds the one before.
        (
            "let f = |x| x; for i in 0..100000 { let g = f; f = |x| g.call(x) + 1; }",
            "can't be kept",
        ),
        (
            "let f = |x| x; for i in 0..100000 { f = |x| x; }",
            "can't be kept",
        ),
        ("let f = |x| x; loop { f = f.curry(1); }", "can't be kept"),
        ("curry(|x| x, 1);", "`curry` is not available"),
        ("let f = Fn(\"calls\");", "`Fn` is not available"),
        // A list that holds itself.
        ("let a = []; a.push(|| a);", "`push` takes no function"),
        ("let a = [|x| x];", "can't be kept"),
        ("let m = #{f: |x| x};", "can't be kept"),
        ("let m = #{}; m.f = |x| x;", "can't be kept"),
        ("let m = #{}; m[\"f\"] = look;", "can't be kept"),
        ("let a = 1; let f = || a; a = f;", "can't be kept"),
        // Through functions of the script.
        ("let n = 1; let f = gives_back(|x| x + n);", "can't be kept"),
        ("let n = 1; keeps(|x| x + n);", "`push` takes no function"),
        (
            "let n = 1; passes_on(|x| gives_back(|y| y + n));",
            "can't be kept",
        ),
        ("let n = 1; let f = |x| { |y| x + y + n };", "can't be kept"),
        ("let n = 1; return |x| x + n;", "can't be kept"),
        (
            "let n = 1; let f = if n > 0 { |x| x + n } else { |x| x };",
            "can't be kept",
        ),
        (
            "let n = 1; let f = |x| x + n; f.call(|x| x + n);",
            "`call` takes no function",
        ),
        ("let n = 1; let f = |x| x + n; f == f", "takes no function"),
        ("let n = 1; let f = |x| x + n; f.keeps()", "can't be kept"),
        ("let n = 1; let f = |x| x + n; `${f}`", "can't be kept"),
        (
            "let n = 1; [1].reduce(|a, b| a, |x| x + n);",
            "`reduce` takes no function",
        ),
        (
            "let n = 1; tell(\"all\", \"seen\", |x| x + n);",
            "`tell` takes no function",
        ),
        ("let n = 1; throw |x| x + n;", "can't be kept"),
        (
            "let n = 1; let f = |x| x + n; for i in [f] { i.call(1); }",
            "can't be kept",
        ),
    ] {
        let error = program_with(&script(body), RunLimits::default())
            .map(|_| ())
            .expect_err(body);
        assert!(error.message.contains(word), "{body}: {error}");
        assert_eq!(error.place.script, "tiny/b.rhai", "{body}: {error}");
        assert!(error.place.line > 0, "{body}: {error}");
    }
}

/// A function of the script that is for one type only leaves the engine's own to all others.
#[test]
fn a_function_for_one_type_vouches_for_no_other() {
    let script =
        "fn int.push(f) { f.call(1) }\nfn play() { let n = 1; let a = []; a.push(|x| x + n); }";
    let error = program_with(script, RunLimits::default())
        .map(|_| ())
        .unwrap_err();
    assert!(
        error.message.contains("`push` takes no function"),
        "{error}"
    );
}

/// They ship, so they are not checked when they are compiled.
#[test]
fn the_rules_and_bots_that_ship_keep_no_functions() {
    for id in EmbeddedFiles.game_ids().unwrap() {
        let files = GameFiles::gather(&EmbeddedFiles, &id).unwrap();
        let mut all = scripts(&files, &id);
        all.extend(bot_scripts(&EmbeddedFiles, &id).unwrap());
        assert!(
            all.iter()
                .all(|(path, _)| EmbeddedFiles.read(&format!("rules/{path}")).is_ok())
        );
        let parsed = ParsedScripts::parse(&all, &RunLimits::default()).unwrap();
        parsed.check_functions().unwrap();
    }
}

/// Every function of engine and host that takes a function is known, and no other.
#[test]
fn whoever_takes_a_function_is_known() {
    let program = program("fn play() {}");
    let metadata = program.engine.gen_fn_metadata_to_json(true).unwrap();
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let mut takers = std::collections::BTreeSet::new();
    for function in metadata["functions"].as_array().unwrap() {
        let name = function["name"].as_str().unwrap();
        for (place, parameter) in function["params"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            if parameter["type"]
                .as_str()
                .is_some_and(|kind| kind.contains("FnPtr"))
            {
                takers.insert((name.to_owned(), place));
            }
        }
    }
    // Functions that take the terms of a way or a function, and those that Rhai knows without
    // registering them.
    for known in crate::rules::closures::CALLERS {
        let (name, place) = known;
        let is_way = [
            "cheapest",
            "costs_from",
            "flood",
            "path_cost",
            "reach",
            "step_cost",
            "steps",
            "steps_from",
            "way_cost",
        ];
        if is_way.contains(&name) || name == "call" {
            continue;
        }
        assert!(
            takers.remove(&(name.to_owned(), place)),
            "{name} takes none at {place}"
        );
    }
    let left: Vec<_> = takers.iter().map(|(name, _)| name.as_str()).collect();
    let views = [
        "debug",
        "get$is_anonymous",
        "get$name",
        "is_anonymous",
        "name",
        "to_debug",
    ];
    assert_eq!(left, views, "they look at a function and call none");
}
