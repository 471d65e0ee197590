//! A campaign with hidden counters by mail: dummies at set-up and later, and a reconnaissance whose
//! results the moves wait for.

use crate::support::Test;
use estafette::campaign::model::state::CurrentWait;

/// The set-up of both seats, up to the Austrian movement of the first turn.
fn set_up(french: &str, austrian: &str) -> Test {
    let mut test = Test::campaign("castiglione").option("fog", "on").begin();
    test.mail("austrian", austrian).mail("french", french).run();
    test
}

fn place(test: &Test, piece: &str) -> String {
    let state = test.state();
    let at = state.world.piece(piece).unwrap().at.clone();
    at.unwrap().to_string()
}

fn is_asked(test: &Test) -> bool {
    matches!(test.state().waiting, CurrentWait::Answers { .. })
}

#[test]
fn dummies_are_placed_and_brought_back_by_order() {
    let mut test = set_up(
        "LEURRE 2 À Vérone\n",
        "DUMMY 1 AT Vicenza\nDUMMY 9 AT Goito\n",
    );
    let receipt = test.newest("austrian");
    receipt.contains("Your dummies can't be set up at Goito");
    // The order form of the set-up has a line for each area with own units where dummies may be.
    let form = test.letters("austrian").iter().any(|letter| {
        letter
            .text
            .contains("# DUMMY 1 AT Trento\n# DUMMY 1 AT Rovereto\n# DUMMY 1 AT Ala\n")
    });
    assert!(form);
    test.mail("austrian", "DUMMY 1 AT Vicenza\n").run();
    assert_eq!(place(&test, "dummy_austrian_1"), "vicenza");
    assert_eq!(place(&test, "dummy_french_2"), "verona");
    let report = test.dispatch("austrian");
    report.contains("Verona").contains("2 face down");
    assert!(!report.text.contains("French dummy"), "{}", report.text);

    test.mail("austrian", "DUMMY 2 AT Trento\n").run();
    test.mail("french", "RIEN").run();
    assert_eq!(place(&test, "dummy_austrian_3"), "trento");
    let report = test.dispatch("austrian");
    report
        .contains("2 dummies put at Trento; 5 left.")
        .contains("None: the rules decide");
    assert!(test.state().decisions.standing["austrian"].is_empty());
}

#[test]
fn moves_wait_for_what_a_reconnaissance_brings() {
    let mut test = set_up("RIEN", "ASK RECON");
    let seen = test.letters("french").len();
    let words = "RECON Vestone -> Gavardo WITH Klenau\nMOVE Ott, Ocskay: Gavardo\n";
    test.mail("austrian", words).run();
    assert!(is_asked(&test));
    let question = test.newest("austrian");
    question
        .contains("Do you write your moves anew?")
        .contains("Otherwise: AS WRITTEN")
        .contains("Austrian reconnaissance from Vestone to Gavardo with Klenau");
    assert_eq!(test.letters("french").len(), seen, "nobody else knows");

    let answer = "1: MOVE Ott: Lumezzane\n1: MOVE Klenau: Anfo\n";
    test.mail("austrian", answer).run();
    assert!(!is_asked(&test));
    let places = ["ott", "klenau", "ocskay"].map(|piece| place(&test, piece));
    assert_eq!(places, ["lumezzane", "anfo", "vestone"]);
    let report = test.dispatch("french");
    report.contains("Reconnaissance des Autrichiens de Vestone vers Gavardo avec Klenau");
}

#[test]
fn without_an_answer_the_moves_are_those_of_the_mail() {
    let mut test = Test::campaign("castiglione")
        .option("fog", "on")
        .deadlines("{zone: UTC, most_hours: 48}")
        .begin();
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RECON")
        .run();
    test.mail(
        "austrian",
        "RECON Vestone -> Gavardo\nMOVE Ott: Lumezzane\n",
    )
    .run();
    assert!(is_asked(&test));
    test.clock("2026-11-25T12:00:00Z").run();
    assert!(!is_asked(&test));
    assert_eq!(place(&test, "ott"), "lumezzane");
}
