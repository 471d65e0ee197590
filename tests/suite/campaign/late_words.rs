//! Words that come after a seal: what counts, for which seal, and that a receipt tells nobody that
//! others are asked.

use std::collections::BTreeMap;

use crate::support::{Letter, Test, decides, is_sound};
use estafette::{
    campaign::{
        self,
        model::{
            leeway::WaitProgress,
            state::{CurrentWait, ShownState, State},
        },
    },
    orders::MAX_LINES,
    rules::Question,
    value::{Fields, Value},
};

/// The Austrian movement of the first turn, for which only the Austrians are asked.
fn movement(austrian: &str) -> Test {
    let mut test = Test::campaign("castiglione").with_pictures().begin();
    test.mail("french", "RIEN").mail("austrian", austrian).run();
    assert!(matches!(test.state().waiting, CurrentWait::Orders { .. }));
    test
}

/// An attack that is met, so that a question may follow.
const ATTACK: &str = "MOVE Wurmser, Melas, Gummer, Bajalich, Nicoletti: La Corona";

fn is_asked(test: &Test) -> bool {
    matches!(test.state().waiting, CurrentWait::Answers { .. })
}

fn standing(state: &State, seat: &str) -> Vec<String> {
    let orders = state.decisions.standing.get(seat).into_iter().flatten();
    orders.map(|order| order.text.clone()).collect()
}

fn bytes(letters: &[Letter]) -> Vec<String> {
    let text = |letter: &Letter| String::from_utf8(letter.bytes.clone()).unwrap();
    letters.iter().map(text).collect()
}

#[test]
fn receipts_are_the_same_whether_or_not_another_seat_is_asked() {
    let mails = [
        "POURSUIVRE JAMAIS\nDÉPLACER Personne : Lonato",
        "AJOUTER\nRETRAITE JAMAIS",
        "AJOUTER ; DEMANDER RETRAITE",
        "Bonjour",
        "RIEN",
    ];
    let play = |asked: bool| {
        let mut test = movement("ASK RETREAT");
        test.clock("2026-11-21T12:10:00Z")
            .mail("french", "POURSUIVRE TOUJOURS")
            .run();
        let known = test.letters("french").len();
        if asked {
            test.clock("2026-11-21T12:20:00Z")
                .mail("austrian", ATTACK)
                .run();
            assert!(is_asked(&test));
        }
        for (minute, words) in mails.iter().enumerate() {
            let number = 100 + u32::try_from(minute).unwrap();
            let to = test.newest("french").reply_to;
            let mail = crate::support::mail_to("french", &to, words, number);
            test.clock(&format!("2026-11-21T12:{}:00Z", 30 + minute))
                .raw(&mail)
                .run();
        }
        bytes(&test.letters("french")[known..])
    };
    let (open, quiet) = (play(false), play(true));
    assert_eq!(open.len(), mails.len());
    assert!(open[1].contains("POURSUIVRE JAMAIS") && open[1].contains("RETRAITE JAMAIS"));
    for (open, quiet) in open.iter().zip(&quiet) {
        assert_eq!(open, quiet);
    }
}

#[test]
fn a_new_player_does_not_learn_that_another_is_asked() {
    let play = |asked: bool| {
        let mut test = movement("ASK RETREAT");
        test.mail("french", "POURSUIVRE TOUJOURS").run();
        let known = test.letters("french").len();
        if asked {
            test.mail("austrian", ATTACK).run();
            assert!(is_asked(&test));
        }
        test.clock("2026-11-21T12:30:00Z");
        decides(
            &test,
            &["replace", "french=carol@example.net", "--why", "Ada moves"],
        );
        let to = test.newest("french").reply_to;
        let mail = crate::support::mail_to("Carol <carol@example.net>", &to, "RETRAITE JAMAIS", 9);
        test.raw(&mail).run();
        let letters = test.letters("french").split_off(known);
        // Those of the same time: farewell, opening and dispatch, and the receipt.
        assert_eq!(letters.len(), 4);
        bytes(&letters)
    };
    assert_eq!(play(false), play(true));
}

#[test]
fn orders_of_a_wait_for_both_are_read_the_same_after_its_seal() {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .option("fog", "on")
        .begin();
    test.mail("french", "LEURRE 2 À Vérone").run();
    let (context, open) = test.context();
    // The other's orders have come and are sealed; phases have run and changed the world; the other
    // is asked something.
    let mut quiet = open.clone();
    let CurrentWait::Orders {
        seats,
        phase,
        deadline,
        ..
    } = open.waiting.clone()
    else {
        panic!("{:?}", open.waiting)
    };
    quiet.shown = Some(Box::new(ShownState {
        world: open.world.clone(),
        phase: open.phase.clone(),
        wanted: phase,
        seats,
        decisions: quiet.decisions.clone(),
        invited: Vec::new(),
        told: false,
        aware: Default::default(),
        questions: Vec::new(),
        asked_in: None,
    }));
    quiet.phase = "movement.austrian".to_owned();
    quiet.world = test_of_another_turn();
    quiet.waiting = CurrentWait::Answers {
        questions: vec![Question {
            seat: "austrian".into(),
            topic: "recon".to_owned(),
            about: Fields::new(),
            options: Vec::new(),
            otherwise: Value::from("none"),
        }],
        answers: vec![None],
        refused: BTreeMap::new(),
        deadline: None,
        known: deadline,
        public: false,
        progress: WaitProgress::default(),
    };
    let seat = "french".into();
    for words in [
        "ADD\nPOURSUIVRE JAMAIS\n",
        "LEURRE 1 À Brescia\n",
        "DÉPLACER Guillaume : Lonato\n",
    ] {
        let receipt = |state: &State| {
            let moment = campaign::moment(&context, state, &seat);
            let joined = campaign::join(&context, state, &seat, &moment, words).unwrap();
            let (text, meaning) = (&joined.text, &joined.understood);
            campaign::receipt(
                &context,
                state,
                &seat,
                &moment,
                meaning,
                text,
                &estafette::dispatch::WordsOrigin::default(),
            )
            .text
        };
        assert_eq!(receipt(&open), receipt(&quiet), "{words}");
    }
}

/// A world that the French have not been shown.
fn test_of_another_turn() -> estafette::world::World {
    let mut test = movement("NOTHING");
    test.mail("austrian", ATTACK).run();
    test.state().world
}

#[test]
fn what_came_too_late_counts_at_the_next_seal() {
    let mut test = movement("ASK RETREAT");
    test.mail("austrian", ATTACK).run();
    test.mail(
        "french",
        "POURSUIVRE JAMAIS ; DÉPLACER Bonaparte : Lonato\nRETRAITE JAMAIS",
    )
    .run();
    test.mail("austrian", "1: FIGHT").run();
    assert!(!is_asked(&test));
    // With the dispatch comes a receipt of what is carried.
    let receipt = test.newest("french");
    receipt
        .contains("\nreceipt 3 french 1 ")
        .contains("| POURSUIVRE JAMAIS\n| RETRAITE JAMAIS\n")
        .contains("Les lignes 1 à 2 sont arrivées après la dernière clôture")
        .lacks("Lonato");
    assert_eq!(standing(&test.state(), "french"), [""; 0]);

    // The French movement: its orders do not replace them, except for standing orders that they
    // write anew.
    test.mail(
        "french",
        "RETRAITE APRÈS 1 TOUJOURS\nDÉPLACER Personne : Lonato",
    )
    .run();
    test.newest("french")
        .contains("POURSUIVRE JAMAIS")
        .contains("RETRAITE APRÈS 1 TOUJOURS")
        .contains("La ligne 1 est arrivée")
        .contains("plus :\n\n  RETRAITE JAMAIS\n")
        .lacks("| RETRAITE JAMAIS");
    test.mail("french", "DÉPLACER Guillaume : Lonato").run();
    // The siege or a combat may ask the Austrians something more before the dispatches go out.
    while is_asked(&test) {
        test.mail("austrian", "1: FIGHT").run();
    }
    let state = test.state();
    assert_eq!(
        standing(&state, "french"),
        ["POURSUIVRE JAMAIS", "RETRAITE JAMAIS"]
    );
    assert_eq!(
        state.seats["french"].carried, "",
        "{:?} {}",
        state.waiting, state.phase
    );
    test.dispatch("french")
        .contains("POURSUIVRE JAMAIS")
        .contains("RETRAITE JAMAIS");
    is_sound(&test);
}

#[test]
fn adding_to_sealed_standing_orders_writes_them_anew_together() {
    let mut test = movement("ASK RETREAT");
    test.mail("french", "RETRAITE VERS Brescia").run();
    test.mail("austrian", ATTACK).run();
    assert!(is_asked(&test));
    test.mail("french", "AJOUTER\nRETRAITE VERS Lonato").run();
    assert_eq!(
        test.state().seats["french"].late,
        "RETRAITE VERS Brescia\nRETRAITE VERS Lonato\n"
    );
}

#[test]
fn add_may_stand_before_a_semicolon_or_below_a_comment() {
    let mut test = Test::campaign("castiglione").begin();
    test.mail("austrian", "PURSUE NEVER").run();
    test.mail("austrian", "ADD; RETREAT NEVER").run();
    test.mail("austrian", "# my own note\n\nADD\nASK RETREAT")
        .run();
    assert_eq!(
        test.state().seats["austrian"].words,
        "PURSUE NEVER\nRETREAT NEVER\n# my own note\n\nASK RETREAT\n"
    );
    test.newest("austrian")
        .contains("PURSUE NEVER")
        .contains("RETREAT NEVER")
        .contains("ASK RETREAT");
}

#[test]
fn adding_has_an_end() {
    let mut test = Test::campaign("castiglione").begin();
    let many = "PURSUE NEVER\n".repeat(MAX_LINES / 2);
    test.mail("austrian", &many).run();
    let before = test.state().seats["austrian"].words.clone();
    test.mail("austrian", &format!("ADD\n{many}")).run();
    let both = test.state().seats["austrian"].words.clone();
    assert_eq!(both.lines().count(), MAX_LINES);
    assert_ne!(before, both);
    test.mail("austrian", "ADD\nRETREAT NEVER").run();
    assert_eq!(test.state().seats["austrian"].words, both);
    let told = test.newest("austrian");
    told.contains("than 2000 lines")
        .contains("still counts")
        .lacks("\nreceipt ");
}

/// Answers a letter, and tells what became of the mail: `mail`, or the reason of a refusal.
fn answered(test: &mut Test, seat: &str, to: &str, words: &str, number: u32) -> String {
    let kinds = ["mail", "refused"];
    let counts = |test: &Test| kinds.map(|kind| test.records(kind).len());
    let before = counts(test);
    test.raw(&crate::support::mail_to(seat, to, words, number))
        .run();
    let after = counts(test);
    match (after[0] - before[0], after[1] - before[1]) {
        (1, 0) => "mail".to_owned(),
        (0, 1) => {
            let refused = test.records("refused").pop().unwrap();
            refused["reason"].as_str().unwrap().to_owned()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_receipt_that_goes_out_with_a_dispatch_is_answered_like_it() {
    let mut test = Test::campaign("castiglione").begin();
    test.mail("french", "RIEN").run();
    let early = test.newest("french").reply_to;
    test.clock("2026-11-21T14:00:00Z")
        .mail("austrian", "NOTHING")
        .run();
    let letters = test.letters("austrian");
    let [.., receipt, dispatch] = &letters[..] else {
        panic!("a receipt and a dispatch");
    };
    dispatch.contains("\nregister 3 ");
    receipt.contains("\nreceipt 1 austrian ");
    assert_ne!(receipt.reply_to, dispatch.reply_to);
    let (receipt, dispatch) = (receipt.reply_to.clone(), dispatch.reply_to.clone());

    // The wrong line keeps the wait open.
    let words = "PURSUE NEVER\nMOVE Nobody: Lonato";
    assert_eq!(answered(&mut test, "austrian", &receipt, words, 70), "mail");
    test.newest("austrian").contains("| PURSUE NEVER");
    let next = test.newest("austrian").reply_to;
    assert_ne!(next, receipt, "of another wait");
    for (number, to) in [(71, &dispatch), (72, &next), (73, &receipt)] {
        let words = format!("PURSUE NEVER # {number}\nMOVE Nobody: Lonato");
        assert_eq!(answered(&mut test, "austrian", to, &words, number), "mail");
    }
    // The other's receipt is two hours old, and there is a dispatch after it.
    assert_eq!(
        answered(&mut test, "french", &early, "POURSUIVRE JAMAIS", 74),
        "old_token"
    );
    // It stays good until the next dispatch alone.
    test.clock("2026-11-21T16:00:00Z");
    let to = test.dispatch("french").reply_to.clone();
    let words = "POURSUIVRE JAMAIS\nDÉPLACER Personne : Lonato";
    answered(&mut test, "french", &to, words, 75);
    test.mail("austrian", "NOTHING").run();
    for (number, to) in [(76, receipt), (77, dispatch)] {
        assert_eq!(
            answered(&mut test, "austrian", &to, "PURSUE ALWAYS", number),
            "old_token"
        );
    }
    is_sound(&test);
}

#[test]
fn a_receipt_is_answered_like_the_question_beside_it() {
    let mut test = movement("ASK RETREAT");
    test.clock("2026-11-21T14:00:00Z")
        .mail("austrian", ATTACK)
        .run();
    assert!(is_asked(&test));
    let letters = test.letters("austrian");
    let receipt = &letters[letters.len() - 2];
    receipt.contains("\nreceipt ");
    let to = receipt.reply_to.clone();
    assert_eq!(answered(&mut test, "austrian", &to, "1: FIGHT", 80), "mail");
    assert!(!is_asked(&test), "{:?}", test.state().waiting);
    is_sound(&test);
}

#[test]
fn the_receipts_of_a_former_player_count_for_nothing() {
    let mut test = Test::campaign("castiglione").begin();
    test.mail("french", "RIEN").run();
    let former = test.newest("french").reply_to;
    let to = ["replace", "french=carol@example.net", "--why", "Ada moves"];
    decides(&test, &to);
    assert_eq!(
        answered(&mut test, "french", &former, "POURSUIVRE JAMAIS", 90),
        "wrong_token"
    );
}
