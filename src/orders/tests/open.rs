//! Orders that begin with a place, or a word for a kind of piece, instead of a keyword.

use super::under;
use crate::{
    game::Lang,
    orders::{
        Diagnostic, Expect, Order, OrderLine, Reading, SettledWords, fixture::OrderTable,
        other_readings, print, settle,
    },
    value::Fields,
};

const PHASES: [&str; 1] = ["moves"];

fn lines(text: &str) -> Vec<OrderLine> {
    let reading = OrderTable::open(Lang::En).read_in(text, &PHASES, Lang::En);
    reading.lines.into_iter().map(|(_, line)| line).collect()
}

fn order(text: &str) -> Order {
    match lines(text).as_slice() {
        [OrderLine::Order(order)] => order.clone(),
        other => panic!("{text}: {other:#?}"),
    }
}

fn wrong(text: &str) -> Diagnostic {
    match lines(text).as_slice() {
        [OrderLine::Wrong(wrong)] => wrong.clone(),
        other => panic!("{text}: {other:#?}"),
    }
}

fn args(json: &str) -> Fields {
    serde_json::from_str(json).unwrap()
}

#[test]
fn places_may_stand_before_the_verb() {
    for (text, verb, json) in [
        ("Par - Bur", "move", r#"{"at":"par","to":"bur"}"#),
        ("PAR-BUR", "move", r#"{"at":"par","to":"bur"}"#),
        (
            "F Par -> Bur",
            "move",
            r#"{"kind":"foot","at":"par","to":"bur"}"#,
        ),
        (
            "f par to burgo.",
            "move",
            r#"{"kind":"foot","at":"par","to":"bur"}"#,
        ),
        (
            "1) F Par-Bur",
            "move",
            r#"{"kind":"foot","at":"par","to":"bur"}"#,
        ),
        (
            "Pied Parma va à Bourg",
            "move",
            r#"{"kind":"foot","at":"par","to":"bur"}"#,
        ),
        (
            "F Par - Bur via boat",
            "move",
            r#"{"kind":"foot","at":"par","to":"bur","via":true}"#,
        ),
        ("Mar H", "hold", r#"{"at":"mar"}"#),
        ("F Marola tient", "hold", r#"{"kind":"foot","at":"mar"}"#),
        (
            "Foot in Marola holds",
            "hold",
            r#"{"kind":"foot","at":"mar"}"#,
        ),
        (
            "F MAR S F PAR-BUR",
            "support",
            r#"{"kind":"foot","at":"mar","of_kind":"foot","of":"par","to":"bur"}"#,
        ),
        ("Mar S Par", "support", r#"{"at":"mar","of":"par"}"#),
        (
            "F Mar S F Par H",
            "support",
            r#"{"kind":"foot","at":"mar","of_kind":"foot","of":"par"}"#,
        ),
        (
            "B Mar S Southern B NTH",
            "support",
            r#"{"kind":"boat","at":"mar","side":"south","of_kind":"boat","of":"nth"}"#,
        ),
        (
            "B Mar S Sue",
            "support",
            r#"{"kind":"boat","at":"mar","of":"sue"}"#,
        ),
        (
            "B Mar S Sue Sue",
            "support",
            r#"{"kind":"boat","at":"mar","side":"south","of":"sue"}"#,
        ),
        (
            "B NTH C F PAR - BUR",
            "carry",
            r#"{"kind":"boat","at":"nth","of_kind":"foot","of":"par","to":"bur"}"#,
        ),
        (
            "The boat in the North Sea carries the foot in Parma to Burgo",
            "carry",
            r#"{"kind":"boat","at":"nth","of_kind":"foot","of":"par","to":"bur"}"#,
        ),
        (
            "B Mer du Nord porte P Par - Bur",
            "carry",
            r#"{"kind":"boat","at":"nth","of_kind":"foot","of":"par","to":"bur"}"#,
        ),
        (
            "FLEE F Bur - Par, Mar, disband",
            "flee",
            r#"{"kind":"foot","at":"bur","goes":[{"to":"par"},{"to":"mar"},{"disband":true}]}"#,
        ),
        (
            "BUILD B StP(nc), F Par",
            "build",
            r#"{"list":[{"kind":"boat","at":"stp","coast":"nc"},{"kind":"foot","at":"par"}]}"#,
        ),
        ("YIELD TO Pays du Sud", "yield", r#"{"to":"south"}"#),
    ] {
        let found = order(text);
        assert_eq!(
            (found.verb.as_str(), &found.args),
            (verb, &args(json)),
            "{text}"
        );
    }
}

#[test]
fn a_part_of_a_place_is_named_in_many_ways() {
    let plain = order("B StP(nc) - Mar").args;
    for text in [
        "B StP/nc - Mar",
        "b stp nc - mar",
        "B StP (NC)-Mar",
        "B St. Peter (north coast) - Marola",
        "B Saint-Pierre côte nord - Mar",
        "Bateau Saint-Pierre (cn) vers Marola",
    ] {
        assert_eq!(order(text).args, plain, "{text}");
    }
}

#[test]
fn several_orders_stand_in_a_line() {
    let found = lines("F Par-Bur, B NTH - Sue; Mar H");
    let verbs: Vec<_> = found
        .iter()
        .map(|line| match line {
            OrderLine::Order(order) => order.verb.as_str(),
            other => panic!("{other:#?}"),
        })
        .collect();
    assert_eq!(verbs, ["move", "move", "hold"]);
    assert!(matches!(
        lines("F Par-Bur, B NTH - Sux").as_slice(),
        [OrderLine::Order(_), OrderLine::Wrong(_)]
    ));
}

#[test]
fn a_wrong_line_says_what_is_wrong_where() {
    for (text, reason, words, suggestion) in [
        ("F Par - Burgoo", "unknown_space", "Burgoo", Some("Burgo")),
        ("Parmo - Bur", "unknown_space", "Parmo", Some("Parma")),
        ("F Xyz - Bur", "unknown_space", "Xyz", None),
        ("F Par", "too_short", "", None),
        ("F Par - ", "too_short", "", None),
        ("F Par S", "too_short", "", None),
        ("F Par - Bur forced", "unexpected", "forced", None),
        ("Burgo attacked by F Par", "unexpected", "attacked by", None),
    ] {
        let found = wrong(text);
        assert_eq!(found.reason, reason, "{text}: {found:#?}");
        assert_eq!(under(&found), words, "{text}");
        let first = found.suggestions.first().map(String::as_str);
        assert_eq!(first, suggestion, "{text}");
    }
}

fn read_table(text: &str) -> (OrderTable, Reading) {
    let table = OrderTable::open(Lang::En);
    let reading = table.read_in(text, &PHASES, Lang::En);
    (table, reading)
}

fn settle_lines(text: &str) -> Option<SettledWords> {
    let (table, reading) = read_table(text);
    let expect = Expect {
        phases: &PHASES,
        questions: &[],
        lang: Lang::En,
    };
    settle(&table.grammar, &table.names, &expect, text, &reading)
}

/// Whether a line counts as words around the orders of a mail that has one more, and the orders
/// that were read in it.
fn settled(line: &str) -> (bool, usize) {
    let text = format!("{line}\nF Par - Bur\n");
    let is_prose = settle_lines(&text).is_some_and(|settled| settled.prose == [line]);
    (is_prose, read_table(&text).1.orders().count() - 1)
}

#[test]
fn a_line_with_one_order_is_no_prose() {
    for line in [
        "F Southern - Kile, Par H, Southern -",
        "Southern - Kile, Par H",
    ] {
        assert_eq!(settled(line), (false, 1), "{line}");
    }
    // What goes on below such a line belongs to it, however its parts follow each other.
    for above in ["Southern - Kile, Par H,", "Par H, Southern - Kile,"] {
        let text = format!("F Par - Bur\n{above}\nand then to Mun");
        assert_eq!(settle_lines(&text), None, "{above}");
    }
}

#[test]
fn words_around_orders_are_no_orders() {
    for line in [
        "Hi there, my moves for Spring:",
        "Parma is lovely in autumn.",
        "London calling - see you all on Monday, Jo",
        "Burgo - what a place to be stuck in!",
        "Best wishes from Jo",
        "F",
        "Here we go - good luck to everybody",
        "I had a nice day, thank you",
        "Moves:",
        "Moves for today",
        "Holds on well, our front",
        "Carries on as before",
        "Build orders",
        "Build on!",
    ] {
        assert_eq!(settled(line), (true, 0), "{line}");
    }
    for line in [
        "F Munch - Kile",
        "F Parma - Kile",
        "Parmo - Burgi",
        "F Smryna - Anatolia",
        "Burgo attacked by F Par",
        "F Par S F Nowhere - Bur",
        "BUILD F Nowhere",
        "F Par moves to wherever it likes",
        "MOVES ALL",
        "Holds",
        "Supports Parma",
        "Build nothng",
        "Cancle",
    ] {
        assert_eq!(settled(line), (false, 0), "{line}");
    }
}

#[test]
fn what_is_printed_reads_back() {
    for text in [
        "Par - Bur",
        "F Par - StP(sc) via",
        "F Mar S Southern B StP/nc - Bur",
        "B NTH C F Par - Bur",
        "FLEE F Bur - Par, DISBAND",
        "BUILD B StP(nc), F Par",
    ] {
        let read = order(text);
        for lang in Lang::ALL {
            let table = OrderTable::open(lang);
            let printed = print(&table.grammar, &table.names, &read, lang);
            assert_eq!(order(&printed).args, read.args, "{text} -> {printed}");
        }
    }
    let table = OrderTable::open(Lang::En);
    let printed = print(
        &table.grammar,
        &table.names,
        &order("b stp nc - mar"),
        Lang::En,
    );
    assert_eq!(printed, "B Santo Pietro (nc) - Marola");
}

#[test]
fn only_lines_that_may_be_orders_are_read_in_other_ways() {
    let table = OrderTable::open(Lang::En);
    let others = |line: &str| {
        let expect = Expect {
            phases: &PHASES,
            questions: &[],
            lang: Lang::En,
        };
        other_readings(&table.grammar, &table.names, &expect, line).len()
    };
    assert!(others("Par - Burgi") > 0);
    // One word of a mail may have 64 KiB: each cut of it would be looked at.
    assert_eq!(others(&format!("{} - Bur", "Par".repeat(20_000))), 0);
}
