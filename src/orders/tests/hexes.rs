//! Orders on a map of hexes: labels and names of places, hexsides.

use super::*;
use crate::{
    game::{GameDecl, MapIndex, hex::SMALL},
    orders::{Grammar, Vocabulary, fixture, print},
    value::Value,
    world::World,
};

const DECL: &str = r##"
id: hexes
title: {en: Hexes, fr: Hexagones}
about: {en: A test., fr: Un essai.}
sides: [{id: red, name: {en: Red, fr: Rouge}, colour: "#cc0000"}]
seats: [{id: red, side: red}]
default_scenario: start
kinds: {infantry: {symbol: infantry, unit: true}}
attributes: {}
facts: {turn: {default: 1, shown: public}}
phases: [{id: movement}]
events: []
orders:
  keywords:
    GO: {en: [GO], fr: [ALLER]}
    VIA: {en: [VIA], fr: [PAR]}
    TO: {en: [TO], fr: [VERS]}
    BRIDGE: {en: [BRIDGE], fr: [PONTER]}
    ROAD: {en: [ROAD], fr: [ROUTE]}
  verbs:
    go: {phases: [movement], forms: ["GO [VIA <way:path>] TO <to:space>"]}
    bridge: {phases: [movement], forms: ["BRIDGE <over:side>"]}
    road: {phases: [movement], forms: ["ROAD <over:road>"]}
"##;

fn table() -> OrderTable {
    let mut game = fixture::game();
    game.decl = serde_yaml::from_str::<GameDecl>(DECL).unwrap();
    game.map = MapIndex::of_hexes(serde_yaml::from_str(SMALL).unwrap());
    game.forces.pieces.clear();
    game.forces.formations.clear();
    let view = World::empty(&game).seen_by(&game, "red");
    OrderTable {
        grammar: Grammar::new(&game.decl, &fixture::options("on")).unwrap(),
        names: Vocabulary::of_view(&game, &view, Lang::En),
        questions: Vec::new(),
        game,
    }
}

fn read(text: &str) -> Result<(Order, String), Diagnostic> {
    let table = table();
    let reading = table.read_in(text, &["movement"], Lang::En);
    match reading.lines.as_slice() {
        [(_, OrderLine::Order(order))] => {
            let printed = print(&table.grammar, &table.names, order, Lang::En);
            Ok((order.clone(), printed))
        }
        [(_, OrderLine::Wrong(wrong))] => Err(wrong.clone()),
        other => panic!("{text}: {other:#?}"),
    }
}

fn texts(list: &[&str]) -> Value {
    Value::List(list.iter().map(|text| (*text).into()).collect())
}

#[test]
fn hexes_are_named_by_label_place_or_beginning() {
    for text in [
        "GO VIA 0101 0201 TO Ford End",
        "go via 0101-0201 to 0301",
        "aller par 0101 - 0201 vers gué",
        "GO VIA 0101 0201 TO for",
    ] {
        let (order, printed) = read(text).unwrap();
        assert_eq!(order.args["way"], texts(&["0101", "0201"]), "{text}");
        assert_eq!(order.args["to"], "0301".into(), "{text}");
        assert_eq!(printed, "GO VIA 0101 - 0201 TO Ford End");
    }
}

#[test]
fn what_is_no_hex_is_told_where_it_stands() {
    for text in ["GO TO 0501", "GO TO 101", "GO TO 0300"] {
        let wrong = read(text).unwrap_err();
        assert_eq!(
            (wrong.reason.as_str(), wrong.span.0),
            ("unknown_space", 6),
            "{text}"
        );
    }
}

#[test]
fn a_side_parts_neighbours_and_a_road_is_one() {
    let (order, printed) = read("BRIDGE 0202-0302").unwrap();
    assert_eq!(order.args["over"], texts(&["0202", "0302"]));
    assert_eq!(printed, "BRIDGE 0202-0302");
    assert_eq!(read("BRIDGE 0202-0402").unwrap_err().reason, "no_side");
    assert!(read("ROAD 0301-0201").is_ok());
    assert_eq!(read("ROAD 0202-0302").unwrap_err().reason, "no_road");
}
