//! `estafette orders`: what words would mean now, and how the standing orders of a seat stand.

use crate::support::Test;
use crate::support::program::{Ran, estafette};

fn orders(test: &Test, seat: &str, more: &[&str], text: &str) -> Ran {
    let root = test.root();
    let args = ["orders", root.to_str().unwrap(), "--seat", seat];
    estafette(&[&args, more].concat(), text.as_bytes())
}

#[test]
fn standing_orders_are_shown_with_their_defaults() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    let bare = orders(&test, "french", &[], "").out;
    assert!(bare.starts_with("ORDRES PERMANENTS EN VIGUEUR\n  Aucun.\n"));
    assert!(
        bare.contains("  POURSUIVRE\u{a0}: Vous poursuivez.\n"),
        "{bare}"
    );
    assert!(bare.contains("Rien n'est à DEMANDER"), "{bare}");

    test.mail(
        "french",
        "POURSUIVRE JAMAIS\nRETRAITE APRES 1 SI INFERIEUR\nDEMANDER PERTES",
    )
    .run();
    let json = orders(&test, "french", &["--json"], "").json();
    let lines = |when: &str, verb: &str| {
        let all = json[when]["orders"].as_array().unwrap();
        let found = all.iter().find(|order| order["verb"] == verb).unwrap();
        found["lines"].as_array().unwrap().len()
    };
    assert_eq!((lines("now", "pursue"), lines("to_come", "pursue")), (0, 1));
    assert_eq!(json["to_come"]["asks"][0], "PERTES");

    test.mail("austrian", "NOTHING").run();
    let now = orders(&test, "french", &[], "").out;
    let (given, open) = now.split_once("LÀ OÙ VOUS N'EN AVEZ PAS DONNÉ").unwrap();
    assert!(given.contains("  RETRAITE APRÈS 1 SI INFÉRIEUR\n  POURSUIVRE JAMAIS\n"));
    assert!(!open.contains("  POURSUIVRE\u{a0}:") && open.contains("  INITIATIVE\u{a0}:"));
    assert!(
        now.contains("À DEMANDER, une question est envoyée\u{a0}: PERTES"),
        "{now}"
    );
    assert_eq!(
        orders(&test, "french", &["--json"], "").json()["to_come"],
        serde_json::Value::Null
    );
    let other = orders(&test, "austrian", &[], "").out;
    assert!(other.contains("  PURSUE: You pursue.\n"), "{other}");
}

/// A dispatch lists the lines in force in the order of the verbs, and the topics by the words that
/// the player writes.
#[test]
fn a_dispatch_lists_standing_orders_and_what_is_on_ask() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    test.newest("french")
        .contains("Seuls des ordres permanents sont acceptés ici");
    test.mail(
        "french",
        "POURSUIVRE JAMAIS\nRETRAITE JAMAIS\nDEMANDER PERTES, MARCHER",
    )
    .mail("austrian", "NOTHING")
    .run();
    test.newest("french")
        .contains("# RETRAITE JAMAIS\n# POURSUIVRE JAMAIS\nVous voulez être consulté sur")
        .contains("PERTES, MARCHER\n")
        .lacks("Seuls des ordres permanents");
    test.newest("austrian").contains("None: the rules decide");
}

#[test]
fn words_on_standard_input_get_a_receipt_and_change_nothing() {
    let test = Test::campaign("castiglione").scenario("lonato").begin();
    let right = orders(&test, "austrian", &[], "PURSUE NEVER");
    assert_eq!(right.code, 0);
    assert!(right.out.contains("  1 | PURSUE NEVER"), "{}", right.out);
    let wrong = orders(&test, "austrian", &[], "PURSUE PERHAPS");
    assert_eq!(wrong.code, 1);
    assert!(wrong.out.contains("^^^^^^^"), "{}", wrong.out);
    assert_eq!(
        orders(&test, "austrian", &["--json"], "").json()["to_come"],
        serde_json::Value::Null
    );
    let nobody = orders(&test, "prussian", &[], "");
    assert_eq!(nobody.code, 2);
    assert!(
        nobody.err.contains("there are: french, austrian"),
        "{}",
        nobody.err
    );
}
