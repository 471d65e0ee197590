//! Turns of a campaign, mail by mail: receipts, waits, questions, deadlines, and a script that
//! fails.

use std::{collections::BTreeSet, fs};

use crate::support::{Letter, Test, rules_that_recover_with};
use estafette::campaign::model::state::CurrentWait;

/// The French attack that fights at Castiglione.
const ATTACK: &str = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";

/// The short scenario with both set-ups given; its first movement is French.
fn lonato(french: &str, austrian: &str) -> Test {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin();
    test.mail("french", french).mail("austrian", austrian).run();
    test
}

/// The short scenario at the French movement. The dice say who is first.
fn lonato_at_the_french_movement(french: &str, austrian: &str) -> Test {
    let mut test = lonato(french, austrian);
    until_french(&mut test);
    test
}

/// Lets the Austrians pass if they are first.
fn until_french(test: &mut Test) {
    if awaited(test) == ["austrian"] {
        test.mail("austrian", "NOTHING").run();
    }
    assert_eq!(awaited(test), ["french"]);
}

/// The seats whose orders are waited for.
fn awaited(test: &Test) -> Vec<String> {
    match test.state().waiting {
        CurrentWait::Orders { seats, .. } => seats.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

fn is_asked(test: &Test) -> bool {
    matches!(test.state().waiting, CurrentWait::Answers { .. })
}

/// Two letters that say the same, whenever they were sent and whatever the keyed digests are.
#[track_caller]
fn assert_same_news(one: &Letter, other: &Letter) {
    let news = |letter: &Letter| {
        letter
            .text
            .split("sd1-private")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(news(one), news(other));
    assert_eq!(
        (&one.subject, &one.message_id),
        (&other.subject, &other.message_id)
    );
}

/// The header of a letter without its date.
fn undated(letter: &Letter) -> Vec<&str> {
    letter
        .header
        .lines()
        .filter(|line| !line.starts_with("Date:"))
        .collect()
}

#[test]
fn a_turn_takes_two_mails_a_seat_at_most() {
    let mut test = lonato("RIEN", "NOTHING");
    assert_eq!(awaited(&test), ["french"]);
    test.dispatch("french")
        .contains("Vos ordres pour")
        .contains("# DÉPLACER");
    test.dispatch("austrian").contains("Nothing now.");

    test.mail("french", ATTACK).run();
    assert_eq!(awaited(&test), ["austrian"]);
    test.dispatch("french").contains("Castiglione");
    test.dispatch("austrian")
        .contains("Combat at Castiglione")
        .contains("Your orders for");

    test.mail(
        "austrian",
        "MOVE Davidovich, Mitrovski, Spiegel: Volta\nPURSUE NEVER",
    )
    .run();
    let state = test.state();
    assert_eq!(
        (
            state.world.turn(),
            state.world.piece("mitrovski").unwrap().at.as_deref()
        ),
        (7, Some("volta"))
    );
    test.dispatch("french").contains("Tour 7");
    test.dispatch("austrian")
        .contains("Turn 7")
        .contains("PURSUE NEVER");
    assert_eq!(test.records("mail").len(), 4);
}

#[test]
fn the_whole_campaign_reaches_its_second_turn() {
    let mut test = Test::campaign("castiglione").begin();
    test.mail("french", "NOTHING")
        .mail("austrian", "NOTHING")
        .run();
    for _ in 0..2 {
        let seat = awaited(&test).pop().expect("a seat is waited for");
        test.mail(&seat, "NOTHING").run();
    }
    assert_eq!(test.state().world.turn(), 2);
    test.dispatch("french").contains("Tour 2 - 30 juillet 1796");
    test.dispatch("austrian").contains("Turn 2 - 30 July 1796");
}

#[test]
fn tokens_change_with_every_dispatch() {
    let mut test = lonato("RIEN", "NOTHING");
    test.mail("french", "RIEN").run();
    test.mail("austrian", "NOTHING").run();
    for seat in ["french", "austrian"] {
        let letters = test.letters(seat);
        let numbers: Vec<u32> = letters.iter().map(Letter::number).collect();
        assert_eq!(
            numbers,
            (1..=u32::try_from(letters.len()).unwrap()).collect::<Vec<_>>()
        );
        // The opening letter and the first dispatch share a token.
        let dispatches: Vec<_> = letters
            .iter()
            .skip(1)
            .filter(|letter| letter.html.is_some())
            .collect();
        let tokens: BTreeSet<_> = dispatches.iter().map(|letter| letter.token()).collect();
        assert_eq!(tokens.len(), dispatches.len(), "{seat}");
        assert_eq!(letters[0].token(), dispatches[0].token());
    }
}

#[test]
fn a_receipt_speaks_the_seats_language() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    test.mail("french", "retraite apres 1 si inferieur\nPOURSUIVRE JAMAIS")
        .run();
    let receipt = test.newest("french");
    assert_eq!(receipt.subject, "[spring] Accusé de réception");
    receipt
        .contains("Compris :")
        .contains("RETRAITE APRÈS 1 SI INFÉRIEUR")
        .contains("POURSUIVRE JAMAIS");
    receipt.contains("| retraite apres 1 si inferieur\n");
    assert_eq!(test.letters("austrian").len(), 2);
    assert_eq!(awaited(&test), ["french", "austrian"]);
}

#[test]
fn a_wrong_line_keeps_the_wait_open_until_it_is_corrected() {
    let mut test = lonato("RIEN", "NOTHING");
    test.mail(
        "french",
        "DÉPLACER Bonapatre : Castiglione\nDÉPLACER Guillaume : Mars",
    )
    .run();
    test.newest("french")
        .contains("NON COMPRIS, OU IMPOSSIBLE : 2 lignes")
        .contains("Bonaparte ?")
        .contains("^^^^");
    assert_eq!(awaited(&test), ["french"]);
    test.mail("french", "DÉPLACER Guillaume : Lonato").run();
    assert_eq!(awaited(&test), ["austrian"]);
    assert_eq!(
        test.state().world.piece("guillaume").unwrap().at.as_deref(),
        Some("lonato")
    );
}

#[test]
fn a_later_mail_replaces_and_add_adds() {
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, at: [Tue 20:00]}")
        .begin();
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .clock("2026-11-24T20:00:00Z")
        .run();
    assert_eq!(awaited(&test), ["french"]);
    test.mail("french", "DÉPLACER Guillaume : Lonato").run();
    test.mail("french", "DÉPLACER Serurier, Servier : Piadena")
        .run();
    test.mail("french", "AJOUTER\nDÉPLACER Fiorella : Piadena")
        .run();
    test.newest("french")
        .contains("Piadena")
        .contains("Serurier, Servier")
        .contains("Fiorella")
        .lacks("Guillaume");
    test.clock("2026-12-01T20:00:00Z").run();
    let at = |piece: &str| {
        test.state()
            .world
            .piece(piece)
            .unwrap()
            .at
            .clone()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        [at("guillaume"), at("servier"), at("fiorella")],
        ["peschiera", "piadena", "piadena"]
    );
}

#[test]
fn standing_orders_decide_in_the_middle_of_a_phase() {
    let mut test =
        lonato_at_the_french_movement("RIEN", "RETREAT AFTER 1 ALWAYS\nRETREAT TO Solferino");
    test.dispatch("austrian")
        .contains("RETREAT AFTER 1 ALWAYS")
        .contains("RETREAT TO Solferino");
    test.mail("french", ATTACK).run();
    let told = test.dispatch("austrian");
    told.contains("The Austrian player breaks off")
        .contains("Austrian retreat: from Castiglione to Solferino");
}

#[test]
fn a_question_is_answered_by_mail() {
    let mut test = lonato_at_the_french_movement("RIEN", "ASK RETREAT");
    let before = test.letters("french").len();
    test.mail("french", ATTACK).run();
    assert!(is_asked(&test));
    let question = test.newest("austrian");
    question
        .contains("Do you fight on or retreat?")
        .contains("Castiglione")
        .contains("Otherwise:");
    assert!(
        question
            .attached
            .iter()
            .any(|(name, _)| name.ends_with(".png"))
    );
    assert_eq!(
        test.letters("french").len(),
        before + 1,
        "a receipt and nothing else"
    );

    test.mail("austrian", "MOVE Ott: Salo").run();
    test.newest("austrian").contains("NOT UNDERSTOOD");
    assert!(is_asked(&test));
    test.mail("austrian", "1: RETREAT TO Solferino").run();
    assert!(!is_asked(&test));
    assert_eq!(
        test.state().world.piece("schubirz").unwrap().at.as_deref(),
        Some("solferino")
    );
    test.dispatch("french").contains("Solferino");
}

#[test]
fn a_question_without_an_answer_takes_the_default() {
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, most_hours: 48}")
        .begin();
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT")
        .run();
    until_french(&mut test);
    test.mail("french", ATTACK).run();
    assert!(is_asked(&test));
    test.newest("austrian")
        .contains("By Monday 23 November 2026, 12:00");
    test.clock("2026-11-23T11:59:00Z").run();
    assert!(is_asked(&test));
    test.clock("2026-11-23T12:01:00Z").run();
    assert!(!is_asked(&test));
    assert_eq!(test.records("deadline").len(), 1);
    test.dispatch("french")
        .contains("Les Autrichiens poursuivent");
}

#[test]
fn a_question_changes_nothing_for_the_other_seat() {
    let play = |austrian: &str| {
        let mut test = Test::campaign("castiglione").with_pictures().begin();
        test.mail("french", "RIEN").mail("austrian", austrian).run();
        assert_eq!(
            awaited(&test),
            ["austrian"],
            "the first turns are Austrian by the rules, without dice"
        );
        test.mail(
            "austrian",
            "MOVE Wurmser, Melas, Gummer, Bajalich, Nicoletti: La Corona",
        )
        .run();
        test
    };
    let silent = play("NOTHING");
    let mut asking = play("ASK RETREAT");
    assert!(is_asked(&asking), "{:?}", asking.state().waiting);
    asking.mail("austrian", "1: FIGHT").run();
    let (silent, asking) = (silent.letters("french"), asking.letters("french"));
    assert_eq!(silent.len(), asking.len());
    for (one, other) in silent.iter().zip(&asking) {
        assert_same_news(one, other);
        assert_eq!(undated(one), undated(other));
        assert_eq!(one.html.is_some(), other.html.is_some());
    }
}

#[test]
fn fixed_deadlines_close_a_wait_at_their_moment() {
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: Europe/Paris, at: [Tue 20:00, Fri 20:00], least_hours: 24}")
        .begin();
    test.dispatch("austrian")
        .contains("By Tuesday 24 November 2026, 20:00 (Europe/Paris)");
    test.mail("french", "RIEN")
        .clock("2026-11-24T18:59:59Z")
        .run();
    assert_eq!(
        awaited(&test),
        ["french", "austrian"],
        "all the same whether orders are in"
    );
    // 20:00 in Paris is 19:00 UTC. The Austrian orders are missing, and the turn goes on without
    // them.
    test.clock("2026-11-24T19:00:00Z").run();
    assert_eq!(awaited(&test), ["french"]);
    test.dispatch("french").contains("27");
    test.clock("2026-11-27T19:00:00Z").run();
    assert_eq!(awaited(&test), ["austrian"]);
}

#[test]
fn orders_in_time_count_whenever_they_are_taken() {
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, at: [Tue 20:00]}")
        .begin();
    test.clock("2026-11-24T19:58:00Z")
        .mail("austrian", "PURSUE NEVER");
    test.clock("2026-11-24T19:59:00Z")
        .mail("french", "POURSUIVRE JAMAIS");
    test.clock("2026-11-24T20:01:00Z")
        .mail("french", "POURSUIVRE TOUJOURS");
    // The host was off for an hour.
    test.clock("2026-11-24T21:00:00Z").run();
    test.dispatch("austrian").contains("PURSUE NEVER");
    test.dispatch("french").contains("POURSUIVRE JAMAIS");
    test.newest("french")
        .contains("répond à une dépêche plus ancienne");
    assert_eq!(test.records("deadline").len(), 1);
}

#[test]
fn a_failing_script_stops_the_phase_and_loses_nothing() {
    let rules = rules_that_recover_with(r#"throw "planted";"#);
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .rules(rules.path())
        .begin();
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    assert_eq!(awaited(&test), ["french"]);
    test.mail("french", "RIEN").run();
    let dispatches = test.letters("austrian").len();
    test.mail("austrian", "NOTHING").run();

    let state = test.state();
    assert!(
        matches!(&state.waiting, CurrentWait::Repair { error, .. } if error.contains("planted")),
        "{:?}",
        state.waiting
    );
    assert_eq!(state.phase, "recovery");
    let told = test.newest("umpire");
    told.contains("planted")
        .contains("recovery.rhai")
        .contains("Recovery");
    assert_eq!(told.to, "umpire@example.org");
    assert_eq!(
        test.letters("austrian").len(),
        dispatches + 1,
        "a receipt and nothing else"
    );

    test.mail("french", "RIEN").run();
    test.newest("french").contains("Rien n'est attendu");
    assert_eq!(test.state().world, state.world);
    replayed_from_the_start(&test);
}

#[test]
fn a_journal_replayed_gives_the_same_state() {
    let mut test = lonato_at_the_french_movement("RIEN", "ASK RETREAT");
    test.mail("french", ATTACK).run();
    test.mail("austrian", "1: FIGHT").run();
    replayed_from_the_start(&test);
}

/// Opening the campaign without its snapshots gives the same state.
fn replayed_from_the_start(test: &Test) {
    let before = test.state();
    fs::remove_dir_all(test.root().join("snapshots")).unwrap();
    fs::create_dir(test.root().join("snapshots")).unwrap();
    let after = test.state();
    assert_eq!(before.world.digest(), after.world.digest());
    assert_eq!(before, after);
}
