//! What players are shown: printed orders, explanations, receipts, templates, help.

use super::{order, wrong};
use crate::{
    game::Lang,
    orders::{explain, fixture::Table, help, print, receipt, template},
};

#[test]
fn printing_is_canonical_in_the_readers_language() {
    let found =
        order("IF TURN 3: move bert guns: mill castelnuovo destroy mill-castel d'ario forced");
    let table = Table::new(Lang::Fr);
    assert_eq!(
        print(&table.grammar, &table.names, &found, Lang::Fr),
        "SI TOUR 3: DÉPLACER Canons de Bert: Mill - Castelnuovo DÉTRUIRE Mill-Castel d'Ario MARCHE FORCÉE"
    );
    let table = Table::new(Lang::En);
    for (text, printed) in [
        (
            "marcher tous a mill sauf ada vers tout",
            "MARCH ALL AT Mill EXCEPT Ada TO ANY",
        ),
        ("show ada leaders", ""),
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
    let table = Table::new(Lang::En);
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
    let table = Table::new(Lang::En);
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
    let table = Table::new(Lang::Fr);
    let lines = [
        "MOVE ada: mill".to_owned(),
        "IF TURN 2: MOVE bert: salo".to_owned(),
        "free text".to_owned(),
    ];
    let printed = template(&table.grammar, &table.names, &lines, Lang::Fr);
    assert_eq!(
        printed,
        [
            "# DÉPLACER Ada: Mill",
            "# SI TOUR 2: DÉPLACER Bert: Salò",
            "# free text"
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
    let table = Table::new(Lang::Fr);
    let all = help(&table.grammar, &table.game, Lang::Fr);
    assert_eq!(
        all[0].forms,
        [
            "DÉPLACER <pions>: (<chemin> | DÉTRUIRE <lieu-lieu> | RÉPARER <lieu-lieu>)+ [MARCHE FORCÉE]"
        ]
    );
    assert!(all.iter().any(|verb| verb.id == "retreat" && verb.standing));
}
