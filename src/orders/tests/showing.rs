//! What players are shown: printed orders, explanations, receipts, templates, help.

use std::sync::Arc;

use super::{order, wrong};
use crate::{
    game::Lang,
    orders::{
        Grammar, Vocabulary, explain,
        fixture::{self, OrderTable},
        help, help_of_side, is_order, print, print_answer, receipt, refusal, template,
        topics_of_seat,
    },
};

#[test]
fn printing_is_canonical_in_the_readers_language() {
    let found =
        order("IF TURN 3: move bert guns: mill castelnuovo destroy mill-castel d'ario forced");
    let table = OrderTable::new(Lang::Fr);
    assert_eq!(
        print(&table.grammar, &table.names, &found, Lang::Fr),
        "SI TOUR 3: DÉPLACER Canons de Bert: Mill - Castelnuovo DÉTRUIRE Mill-Castel d'Ario MARCHE FORCÉE"
    );
    let table = OrderTable::new(Lang::En);
    for (text, printed) in [
        (
            "marcher tous a mill sauf ada vers tout",
            "MARCH ALL AT Mill EXCEPT Ada TO ANY",
        ),
        ("show ada leaders", "SHOW Ada, LEADERS"),
        (
            "RETRAITE APRES 1 SI RAPPORT < 0,75",
            "RETREAT AFTER 1 IF RATIO < 0.75",
        ),
        ("show ada & leaders", "SHOW Ada, LEADERS"),
    ] {
        let reading = table.read(text);
        let found = reading.orders().next();
        let found = found.map(|order| print(&table.grammar, &table.names, order, Lang::En));
        assert_eq!(found.unwrap_or_default(), printed, "{text}");
    }
}

#[test]
fn explanations_point_under_the_players_own_words() {
    let table = OrderTable::new(Lang::En);
    let found = wrong("MOVE Ada, Brt: Mill");
    assert_eq!(
        explain(&table.grammar, &found, Lang::En),
        [
            "MOVE Ada, Brt: Mill",
            "          ^^^",
            "  You have no piece called \"Brt\".",
            "  Did you mean: Bert?"
        ]
    );
    assert_eq!(
        explain(&table.grammar, &found, Lang::Fr)[2],
        "  Vous n'avez pas de pion nommé «\u{a0}Brt\u{a0}»."
    );
    let long = wrong(&format!("MOVE {}Brt: Mill", "Ada, ".repeat(60)));
    let lines = explain(&table.grammar, &long, Lang::En);
    assert!(lines.iter().all(|line| line.chars().count() <= 72));
    let at = lines[1].find('^').unwrap();
    assert_eq!(lines[0].chars().skip(at).take(3).collect::<String>(), "Brt");
}

#[test]
fn every_reason_has_words_and_every_receipt_fits_a_mail() {
    let table = OrderTable::new(Lang::En);
    let text = "MOVE Ada: Mill; MOVE\nFOO\nMOVE Ada Mill\nMOVE Castel: Mill\nNOTHING x\n9: YES\nASK\nRETREAT AFTER\nMOVE {}Brt: Mill";
    let text = text.replace("{}", &"Ada, ".repeat(60));
    for lang in Lang::ALL {
        let reading = table.read_in(&text, &["movement"], lang);
        for line in receipt(&table.grammar, &table.names, &reading, lang) {
            assert!(line.chars().count() <= 72, "{line}");
        }
        for wrong in reading.wrong() {
            assert!(
                table.grammar.words[&lang]
                    .reasons
                    .contains_key(&wrong.reason),
                "{}",
                wrong.reason
            );
        }
    }
}

#[test]
fn templates_can_be_quoted_back() {
    let table = OrderTable::new(Lang::Fr);
    let lines = [
        "MOVE ada: mill".to_owned(),
        "IF TURN 2: MOVE bert: salo".to_owned(),
        "free text".to_owned(),
        "END".to_owned(),
    ];
    let printed = template(&table.grammar, &table.names, &lines, Lang::Fr);
    assert_eq!(
        printed,
        [
            "# DÉPLACER Ada: Mill",
            "# SI TOUR 2: DÉPLACER Bert: Salò",
            "# free text",
            "# FIN"
        ]
    );
    for prefix in ["", "> ", "  ", ">> "] {
        let quoted: String = printed
            .iter()
            .map(|line| format!("{prefix}{line}\n"))
            .collect();
        assert!(table.read(&quoted).lines.is_empty(), "{quoted}");
    }
    assert_eq!(
        table
            .read(printed[0].trim_start_matches("# "))
            .orders()
            .count(),
        1
    );
}

#[test]
fn help_shows_forms_in_the_readers_language() {
    let table = OrderTable::new(Lang::Fr);
    let all = help(&table.grammar, &table.game, Lang::Fr);
    assert_eq!(
        all[0].forms,
        [
            "DÉPLACER <pions>: (<chemin> | DÉTRUIRE <lieu-lieu> | RÉPARER <lieu-lieu>)+ [MARCHE FORCÉE]"
        ]
    );
    assert!(all.iter().any(|verb| verb.id == "retreat" && verb.standing));
}

/// What only the other side can order stands in nobody else's help, and games say whose it is.
#[test]
fn help_of_a_seat_leaves_out_what_is_another_sides() {
    let mut table = OrderTable::new(Lang::En);
    let verbs = &mut table.game.decl.orders.verbs;
    verbs.get_mut("scout").unwrap().sides = vec!["south".into()];
    verbs.get_mut("dig").unwrap().scenarios = vec!["siege".to_owned()];
    table
        .game
        .decl
        .orders
        .topics
        .get_mut("march")
        .unwrap()
        .sides = vec!["south".into()];
    let ids = |scenario: &str| -> Vec<String> {
        let help = help_of_side(
            &table.grammar,
            &table.game,
            scenario,
            &table.names,
            Lang::En,
        );
        help.into_iter().map(|help| help.id).collect()
    };
    assert!(!ids("siege").contains(&"scout".to_owned()));
    assert!(ids("siege").contains(&"dig".to_owned()));
    assert!(!ids("battle").contains(&"dig".to_owned()));
    let topics = topics_of_seat(&table.grammar, &table.game, &table.names, Lang::En, false);
    assert!(
        !topics.is_empty() && !topics.contains(&"MARCH".to_owned()),
        "{topics:?}"
    );
    let all = help(&table.grammar, &table.game, Lang::En);
    let scout = all.iter().find(|help| help.id == "scout").unwrap();
    assert_eq!(scout.sides, ["South"]);
}

/// What a game says is another side's order is none of the seat's.
#[test]
fn an_order_of_another_side_is_refused() {
    let mut table = OrderTable::new(Lang::En);
    let line = "SCOUT Mill -> Salo";
    let reasons = |table: &OrderTable| -> Vec<String> {
        let read = table.read(line);
        read.wrong().map(|wrong| wrong.reason.clone()).collect()
    };
    assert_eq!(reasons(&table), [] as [String; 0]);
    let verbs = &mut table.game.decl.orders.verbs;
    verbs.get_mut("scout").unwrap().only = vec!["south".into()];
    table.grammar = Grammar::new(&table.game.decl, &fixture::options("on")).unwrap();
    assert_eq!(reasons(&table), ["not_of_your_side"]);
}

/// Of two orders that begin alike, the hint has the words of the seat's own alone.
#[test]
fn hints_leave_out_what_another_sides_order_would_take() {
    let mut table = OrderTable::new(Lang::En);
    let hint = |table: &OrderTable| {
        let read = table.read("SCOUT Mill Salo");
        read.wrong().next().unwrap().clone()
    };
    let own = hint(&table);
    let verbs = &mut table.game.decl.orders.verbs;
    for (id, sides) in [("a_scout", ["south"]), ("z_scout", ["south"])] {
        let mut other = verbs["scout"].clone();
        other.only = sides.map(Into::into).into();
        other.forms = vec!["SCOUT <at:space> FORCED".to_owned()];
        verbs.insert(id.to_owned(), other);
    }
    table.grammar = Grammar::new(&table.game.decl, &fixture::options("on")).unwrap();
    assert_eq!(hint(&table), own);
}

#[test]
fn plain_ratios_are_printed_as_odds() {
    let table = OrderTable::new(Lang::En);
    let printed = |ratio: &str| {
        let order = order(&format!("RETREAT AFTER 1 IF RATIO < {ratio}"));
        let shown = print(&table.grammar, &table.names, &order, Lang::En);
        shown.rsplit(' ').next().unwrap_or_default().to_owned()
    };
    for odds in ["2:1", "3:2", "1:2", "1:3", "2:3"] {
        assert_eq!(printed(odds), odds);
    }
    assert_eq!(printed("1,5"), "3:2");
    assert_eq!(printed("7:10"), "0.7");
    assert_eq!(printed("0.001"), "0.001");
    assert_eq!(printed("0"), "0");
}

/// A captured piece takes the orders of its captor, and no longer those of its own side.
#[test]
fn a_captured_piece_is_named_by_its_captor() {
    let mut game = fixture::game();
    game.decl.orders.obeys = Some("captor".to_owned());
    let mut view = fixture::world(&game).seen_by(&game, "north");
    for (piece, captor) in [("greta", "north"), ("ada", "south"), ("bert", "")] {
        let piece = Arc::make_mut(view.pieces.get_mut(piece).unwrap());
        piece.attributes.set("captor", captor.into());
    }
    let names = Vocabulary::of_view(&game, &view, Lang::En);
    let grammar = Grammar::new(&game.decl, &Default::default()).unwrap();
    let taken = |name: &str| {
        let text = format!("MOVE {name}: Mill");
        is_order(&grammar, &names, &text, Lang::En)
    };
    assert!(taken("Bert"));
    assert!(taken("Greta"));
    assert!(!taken("Ada"));
}

#[test]
fn a_refusal_has_its_caret_under_what_it_is_about() {
    let table = OrderTable::new(Lang::En);
    let line = "MOVE Ada: Mill";
    let span = table.names.find_in(line, "mill");
    assert_eq!(span, Some((10, 14)));
    assert_eq!(table.names.find_in(line, "bert"), None);
    let shown = refusal(line, span, &["No way leads there.".to_owned()]);
    assert_eq!(shown, [line, "          ^^^^", "  No way leads there."]);
}

/// What happens without an answer is said as the answer that would do the same.
#[test]
fn an_answer_is_printed_as_its_reader_could_write_it() {
    let table = OrderTable::new(Lang::En);
    let printed = |args: serde_json::Value| {
        let args = serde_json::from_value(args).unwrap();
        print_answer(&table.grammar, &table.names, "march", &args, Lang::En)
    };
    let who = serde_json::json!({"who": {"list": ["ada", "bert_guns"]}});
    assert_eq!(printed(who).unwrap(), "Ada, Bert guns");
    assert_eq!(printed(serde_json::json!({"none": true})).unwrap(), "NO");
    assert_eq!(printed(serde_json::json!({"what": "else"})), None);
}
