//! Settling, on things that stand for nothing.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::rc::Rc;

use super::*;
use crate::game::MapIndex;

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect()
}

/// Things as `id class field=value ...`.
fn things(lines: &[&str]) -> Vec<Thing> {
    let thing = |line: &&str| {
        let mut words = line.split(' ').map(str::to_owned);
        let mut thing = Thing {
            id: words.next().unwrap().into(),
            class: words.next().unwrap().into(),
            ..Thing::default()
        };
        for word in words {
            let (name, value) = word.split_once('=').unwrap();
            let value = match value.parse() {
                Ok(number) => FieldValue::Number(number),
                Err(_) => FieldValue::Text(value.into()),
            };
            thing.fields.push((name.into(), value));
        }
        thing
    };
    lines.iter().map(thing).collect()
}

/// A row of spaces: a, b, c, d, each next to the one before.
fn map() -> MapIndex {
    let spaces = ["a", "b", "c", "d"].map(|id| {
        format!("  - {{id: {id}, name: {id}, terrain: flat, lat: 0, lon: 0, source: stated}}\n")
    });
    let roads = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")]
        .map(|(a, b)| format!("  - {{a: {a}, b: {b}, source: stated}}\n"));
    let text = format!(
        "terrains: [flat]\nspaces:\n{}roads:\n{}",
        spaces.concat(),
        roads.concat()
    );
    MapIndex::new(serde_yaml::from_str(&text).unwrap())
}

fn settled(
    decisions: &[(&str, &str)],
    terms: &[(&str, &str)],
    sets: &[(&str, &str)],
    of: &[&str],
) -> Result<Reckoning, String> {
    let formulas = Formulas::read(&pairs(decisions), &pairs(terms), &pairs(sets))?;
    Reckoning::new(Rc::new(formulas), things(of), map())
}

fn decided(decisions: &[(&str, &str)], sets: &[(&str, &str)], of: &[&str]) -> Vec<Option<bool>> {
    let settlement = settled(decisions, &[], sets, of).unwrap();
    let ids = things(of);
    ids.iter()
        .map(|thing| settlement.decision(&thing.id).unwrap())
        .collect()
}

fn fault(decision: &str) -> String {
    settled(
        &[("k", decision)],
        &[],
        &[("all_of", "k x where x.n > 0")],
        &["one k n=1"],
    )
    .unwrap_err()
}

#[test]
fn formulas_of_fields_are_settled_at_once() {
    let truth = |text: &str| decided(&[("k", text)], &[], &["one k n=3 side=red"])[0];
    for (text, value) in [
        ("n > 2 and n < 4", true),
        ("n >= 4 or side = 'red'", true),
        ("not side != 'blue'", false),
        ("if n = 3 then 1 + 1 > 1 else false", true),
        ("n - 1 <= 1", false),
        ("(1 = 2 or 2 = 2) and true", true),
        ("side = other", false),
        ("class = 'k' and id = 'one'", true),
        ("n + 1 - 2 = 2", true),
    ] {
        assert_eq!(truth(text), Some(value), "{text}");
    }
}

#[test]
fn sets_are_counted_and_gone_through() {
    let of = [
        "one boss n=2",
        "two man of=one n=5",
        "three man of=one n=7",
        "four man of=two n=9",
    ];
    let sets = [
        ("men", "man x where x.of = id"),
        ("rich", "any x where x.n > 6"),
    ];
    let truth = |text: &str| decided(&[("boss", text)], &sets, &of)[0];
    for (text, value) in [
        ("count(x in men: x.n > 5) = 1", true),
        ("sum(x in men: x.n) = 12", true),
        ("most(x in men: x.n) > 7", false),
        ("all(x in men: x.n > n)", true),
        ("any(x in men: x.n = n)", false),
        ("any(x in men: any(y in x.men: y.n = 9))", true),
        ("count(x in rich: true) = 2", true),
    ] {
        assert_eq!(truth(text), Some(value), "{text}");
    }
    let men = decided(&[("man", "any(x in men: true)")], &sets, &of);
    assert_eq!(men, [Some(false), Some(true), Some(false), Some(false)]);
}

/// Formulas that need no open decision are settled, whatever the order of things.
#[test]
fn decisions_wait_for_each_other() {
    let sets = [("before", "any x where x.id = after")];
    let formula = [("k", "n > 0 or any(x in before: x.yes)")];
    let row = [
        "one k n=0 after=two",
        "two k n=0 after=three",
        "three k n=1",
    ];
    assert_eq!(decided(&formula, &sets, &row), [Some(true); 3]);
    let turned: Vec<&str> = row.into_iter().rev().collect();
    assert_eq!(decided(&formula, &sets, &turned), [Some(true); 3]);
}

#[test]
fn a_circle_is_a_core_with_its_solutions() {
    let sets = [("before", "any x where x.id = after")];
    let ring = ["hanger k after=one", "one k after=two", "two k after=one"];
    let mut agreeing = settled(&[("k", "all(x in before: x.yes)")], &[], &sets, &ring).unwrap();
    assert_eq!(agreeing.open(), ["hanger", "one", "two"]);
    assert_eq!(agreeing.core().unwrap(), ["one", "two"]);
    let core = ["one".to_owned(), "two".to_owned()];
    let found = agreeing.solutions(&core).unwrap();
    assert_eq!(found, [vec![false, false], vec![true, true]]);
    agreeing.decide(&core, true).unwrap();
    assert_eq!(agreeing.decision("hanger").unwrap(), Some(true));
    assert!(agreeing.core().unwrap().is_empty());
    agreeing.decide(&core, false).unwrap();
    assert_eq!(
        agreeing.decision("one").unwrap(),
        Some(true),
        "decided once"
    );

    let formulas = [
        ("k", "all(x in before: x.yes)"),
        ("not_k", "not any(x in before: x.yes)"),
    ];
    let odd = ["one k after=two", "two not_k after=one"];
    let mut liar = settled(&formulas, &[], &sets, &odd).unwrap();
    assert!(liar.solutions(&core).unwrap().is_empty());
}

/// The known part of a value decides as soon as it can.
#[test]
fn spans_decide_early() {
    let sets = [("others", "any x where x.of = id")];
    let terms = [("worth", "n + count(x in others: x.yes)")];
    let of = ["one k n=3 of=two", "two k n=0 of=one"];
    let settlement = settled(
        &[("k", "most(x in others: x.worth) > 3 and worth > 1")],
        &terms,
        &sets,
        &of,
    );
    let settlement = settlement.unwrap();
    assert_eq!(settlement.decision("one").unwrap(), Some(false));
    assert_eq!(settlement.decision("two").unwrap(), Some(false));
    assert_eq!(settlement.term("one", "worth").unwrap().known(), Some(3));
    assert_eq!(settlement.set("one", "others").unwrap(), ["two"]);
}

#[test]
fn a_way_leads_through_members_that_are_open() {
    let sets = [("steps", "step x where true")];
    let way = [("goer", "way(from, to, x in steps, x.at, x.n > 0)")];
    let leads = |b: i64, c: i64| {
        let (b, c) = (format!("b step at=b n={b}"), format!("c step at=c n={c}"));
        decided(&way, &sets, &["one goer from=a to=d", &b, &c])[0]
    };
    assert_eq!(leads(1, 1), Some(true));
    assert_eq!(
        leads(1, 0),
        Some(false),
        "the straight road is no way through members"
    );
    let neighbours = decided(&way, &sets, &["one goer from=a to=c", "b step at=b n=1"]);
    assert_eq!(neighbours[0], Some(true));
}

#[test]
fn mistakes_are_said() {
    for (formula, says) in [
        ("n >", "too early"),
        ("n > 1 2", "nothing is expected"),
        ("any(x in nothing: true)", "no set `nothing`"),
        ("any(x all_of: true)", "`in` is missing"),
        ("n ? 1", "`?` has no meaning"),
        ("side = 'red", "a quote is not closed"),
        (
            "way(n, n, x in all_of, x.n, true)",
            "from a space to a space",
        ),
        ("99999999999999999999 > n", "too large"),
        (&"(".repeat(50), "nested more than"),
    ] {
        let found = fault(formula);
        assert!(found.contains(says), "{formula}: {found}");
    }
    let circle = settled(
        &[("k", "a > 0")],
        &[("a", "b"), ("b", "a")],
        &[],
        &["one k"],
    );
    assert!(circle.unwrap_err().contains("too deep"));
    let open = settled(
        &[("k", "any(x in s: x.yes)")],
        &[],
        &[("s", "k x where x.yes")],
        &["one k"],
    );
    assert!(open.unwrap_err().contains("can't hang on decisions"));
    let twice = settled(&[], &[], &[], &["one k", "one k"]);
    assert!(twice.unwrap_err().contains("two things"));
}

/// Formulas that double their work at every step end, and say why. As long as a decision is open
/// what hangs on it is worked out anew.
#[test]
fn endless_work_is_stopped() {
    let names: Vec<String> = (0..30).map(|number| format!("t{number}")).collect();
    let texts: Vec<String> = (1..31)
        .map(|number| format!("t{number} + t{number}"))
        .collect();
    let mut terms: Vec<(&str, &str)> = names
        .iter()
        .map(String::as_str)
        .zip(texts.iter().map(String::as_str))
        .collect();
    terms.push(("t30", "if yes then 1 else 0"));
    let found = settled(&[("k", "t0 > 40")], &terms, &[], &["one k"]);
    assert!(found.unwrap_err().contains("too long"));
}
