//! How something ended stands before all that led there, in letters as pages.

use estafette::{
    dispatch::{Briefing, Document, NewsItem, page},
    game::Lang,
    ids::SeatId,
    value::{Fields, Value},
    world::World,
};
use serde_json::json;

use super::at_rest;
use crate::support::shipped_game;

fn heard(key: &str, args: serde_json::Value) -> NewsItem {
    let args: Fields = serde_json::from_value(args).unwrap();
    NewsItem {
        key: key.to_owned(),
        phase: "battle.lonato".to_owned(),
        turn: 3,
        args: args.into(),
    }
}

fn document(lang: Lang, events: &[NewsItem]) -> Document {
    let game = shipped_game("castiglione");
    let seat = SeatId::from("french");
    let view = World::set_up(&game, "campaign")
        .unwrap()
        .seen_by(&game, &seat);
    let briefing = Briefing {
        lang,
        events,
        ..at_rest(&game, &seat, &view)
    };
    let (document, faults) = Document::build(&briefing);
    assert_eq!(faults, []);
    document
}

fn battle() -> [NewsItem; 3] {
    let lonato = json!({"space": "lonato", "name": "Lonato"});
    let gavardo = json!({"space": "gavardo", "name": "Gavardo"});
    [
        heard("combat.stands", json!({"side": "french", "rule": "9.3"})),
        heard(
            "combat.won",
            json!({"side": "french", "caused": 8, "suffered": 1, "level": false, "rule": "9.3"}),
        ),
        heard(
            "retreat.moved",
            json!({"side": "austrian", "from": lonato, "to": gavardo, "rule": "9.4"}),
        ),
    ]
}

#[test]
fn a_battle_is_told_by_its_end_first() {
    for (lang, ends, working) in [
        (
            Lang::En,
            [
                "French victory: 8 hits caused, 1 suffered.",
                "Austrian retreat: from Lonato to Gavardo.",
            ],
            "The French player fights on (9.3).",
        ),
        (
            Lang::Fr,
            [
                "Victoire des Français\u{a0}: 8 pertes infligées, 1 subie.",
                "Retraite des Autrichiens\u{a0}: Lonato - Gavardo.",
            ],
            "Les Français poursuivent le combat (9.3).",
        ),
    ] {
        let document = document(lang, &battle());
        assert_eq!(document.happened.len(), 1);
        assert_eq!(document.happened[0].outcomes, ends);
        assert_eq!(document.happened[0].events.len(), 3);
        let page = page(&document, &[], false).with(&Default::default());
        let at = |words: &str| {
            page.find(words)
                .unwrap_or_else(|| panic!("{words}: {page}"))
        };
        let [first, second] = ends.map(|end| at(&format!("<b>{end}</b>")));
        let list = at("<ul class=\"working\">");
        assert!(first < second && second < list && list < at(working));
    }
}

#[test]
fn what_has_no_end_has_no_such_line() {
    let document = document(Lang::En, &battle()[..1]);
    assert!(document.happened[0].outcomes.is_empty());
    let page = page(&document, &[], false).with(&Default::default());
    assert!(!page.contains("class=\"outcome\"") && !page.contains("class=\"working\""));
}

#[test]
fn what_is_every_sides_is_said_once() {
    let game = shipped_game("risorgimento");
    // The whole world, as it is told when a battle is over.
    let mut view = World::set_up(&game, "solferino").unwrap();
    let known = Value::List(vec!["a5".into(), "f2".into()]);
    let shares = ["allied", "austrian"].map(|side| (side.to_owned(), known.clone()));
    view.set_fact("told_demoralised", Value::Map(shares.into()));
    let seat = SeatId::from("allied");
    let (document, faults) = Document::build(&at_rest(&game, &seat, &view));
    assert_eq!(faults, []);
    let told = document.facts.iter();
    let told = told.filter(|line| line.starts_with("Demoralised"));
    assert_eq!(told.count(), 1, "{:#?}", document.facts);
}
