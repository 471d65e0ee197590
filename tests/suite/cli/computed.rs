//! A name that a script makes up while it runs can't be proved by `check`: cases and simulations
//! find it, no campaign is the first.

use super::outpost::{IN_MARCH, Outpost};

/// What is planted: a side, a group of standing orders and a level of victory that there are not,
/// put together at run time.
const MADE_UP: [(&str, &str); 3] = [
    (
        r#"units("rdex".sub_string(0, 3));"#,
        "there is no side or party `rde`",
    ),
    (
        r#"told_group("red", "alarms".sub_string(0, 4));"#,
        "there is no group of standing orders `alar`",
    ),
    (
        r#"victory("red", "takenly".sub_string(0, 4));"#,
        "there is no text for the level of victory `take`",
    ),
];

#[test]
fn what_is_made_up_is_checked_when_it_runs() {
    let sound = Outpost::with(&[]).case(&[]);
    assert_eq!(sound.code, 0, "{} {}", sound.out, sound.err);
    for (line, message) in MADE_UP {
        let outpost = Outpost::with(&[(IN_MARCH, line)]);
        let checked = outpost.run(&["check", "outpost"]);
        assert_eq!(checked.code, 0, "{line}: {}", checked.out);
        let case = outpost.path("march.yaml");
        let case = ["case", case.to_str().unwrap()];
        for args in [&case[..], &["simulate", "outpost", "--campaigns", "1"]] {
            let ran = outpost.run(args);
            assert_eq!(ran.code, 1, "{line}: {args:?}: {}", ran.out);
            assert!(
                ran.out.contains("outpost.rhai:37:1") && ran.out.contains(message),
                "{line}: {args:?}: {}",
                ran.out
            );
        }
    }
}

/// A case may prove a rule that the checklist lacks, by mistake: it is played, and the mistake is
/// named.
#[test]
fn a_case_for_a_rule_that_there_is_not_warns() {
    let outpost = Outpost::with(&[]);
    let path = outpost.path("march.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let said = outpost.case(&[]);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{said:?}");
    std::fs::write(&path, text.replacen("rules: [1.a]", "rules: [1.a, 1.z]", 1)).unwrap();
    let said = outpost.case(&[]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.err
            .contains("the checklist of outpost has no rule `1.z`")
            && !said.err.contains("1.a"),
        "{said:?}"
    );
}

/// A template that fails later than at the start is found by simulations too.
#[test]
fn a_template_that_fails_ends_a_simulation() {
    let fails = "    if turn() >= 2 { throw \"planted\"; }";
    let place = "    units(side_of(seat)).map(|unit| `MARCH";
    let outpost = Outpost::with(&[(place, fails)]);
    let line = outpost.line("planted");
    let ran = outpost.run(&["simulate", "outpost", "--campaigns", "1"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let fault = format!("outpost.rhai:{line}:22: Runtime error: planted");
    assert!(
        ran.out.contains("a template of orders for") && ran.out.contains(&fault),
        "{ran:?}"
    );
}
