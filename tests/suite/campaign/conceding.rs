//! Giving up: one line ends a campaign at once, whatever is waited for, and all that was sealed and
//! thrown can still be checked.

use estafette::{
    audit::{self, Verdict, mails::mails},
    campaign::model::state::CurrentWait,
};

use crate::support::{ATTACK, Plan, Test, awaited, is_replayed, public_retreats, set_up_with};

/// The campaign is over, won by the other; both sides have been told, and everything can be
/// checked, before the master is published and after.
#[track_caller]
fn is_won_by(test: &mut Test, winner: &str) {
    let state = test.state();
    let ended = state.world.ended.as_ref().expect("it is over");
    assert_eq!(ended.level, "conceded");
    assert_eq!(ended.side.to_string(), winner);
    let CurrentWait::Disclosure { at } = state.waiting else {
        panic!("{:?}", state.waiting);
    };
    is_sound(test);
    for seat in state.seats.keys() {
        let told = ["conceded", "a capitulé"];
        let dispatch = test.dispatch(seat);
        let words: Vec<&str> = dispatch.text.split_whitespace().collect();
        let text = words.join(" ");
        let news = |said: &&str| text.matches(said).count() >= 2;
        assert!(told.iter().any(news), "{text}");
    }
    test.clock(&at.to_string()).run();
    assert_eq!(test.state().waiting, CurrentWait::Nothing);
    is_sound(test);
}

/// The audits of the directory and of what each player has. A receipt for orders that are never
/// sealed stays unproven, and nothing else.
#[track_caller]
fn is_sound(test: &Test) {
    let report = audit::campaign(&test.root()).unwrap();
    assert_ne!(report.verdict(), Verdict::Wrong, "{report:#?}");
    let receipt = |line: &String| line.starts_with("receipt, ");
    assert!(report.unproven.iter().all(receipt), "{report:#?}");
    for seat in test.state().seats.keys() {
        let found = mails(&test.root().join("outbox").join(seat.as_str())).unwrap();
        assert_ne!(found.verdict(), Verdict::Wrong, "{found:#?}");
    }
    is_replayed(test);
}

fn lonato() -> Plan {
    Test::campaign("castiglione")
        .scenario("lonato")
        .questions(3)
}

/// A campaign in which the Austrian is asked whether he retreats.
fn asked(plan: Plan) -> Test {
    let mut test = plan.begin();
    set_up_with(&mut test, "ASK RETREAT");
    test.mail("french", ATTACK).run();
    test
}

#[test]
fn at_set_up_by_a_side_that_is_not_waited_for() {
    let mut test = Test::campaign("novara").begin();
    assert_eq!(awaited(&test.state()), ["sardinian"]);
    test.mail("austrian", "CONCEDE").run();
    is_won_by(&mut test, "sardinian");
}

#[test]
fn outside_the_own_phase_whatever_else_is_written() {
    let mut test = lonato().begin();
    set_up_with(&mut test, "PURSUE NEVER");
    test.mail("austrian", "PURSUE NEVER\n").run();
    test.mail("austrian", "PURSUE ALWAYS\nCONCEDE\n").run();
    is_won_by(&mut test, "french");
}

#[test]
fn while_a_question_waits_by_the_asked_and_by_the_other() {
    for (loser, winner, words) in [
        ("austrian", "french", "CONCEDE"),
        ("french", "austrian", "CAPITULER"),
    ] {
        let mut test = asked(lonato());
        assert!(matches!(
            test.state().waiting,
            CurrentWait::Answers { public: false, .. }
        ));
        test.mail(loser, words).run();
        is_won_by(&mut test, winner);
    }
}

#[test]
fn while_all_know_of_a_question() {
    let mut test = asked(public_retreats().questions(3));
    assert!(test.state().asked_in_public().is_some());
    test.mail("austrian", "CONCEDE").run();
    is_won_by(&mut test, "french");
}

/// What is sealed is rolled first.
#[test]
fn while_dice_are_waited_for() {
    let anchor = "5ec4e7".repeat(11)[..64].to_owned();
    let witness = format!(
        "[{{source: witness, name: cleo, address: cleo@example.org, anchor: {anchor}, hours: 1}}]"
    );
    let mut test = lonato().dice(&witness).begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    assert!(matches!(test.state().waiting, CurrentWait::Dice { .. }));
    test.mail("french", "CAPITULER").run();
    assert!(test.state().world.ended.is_none());
    test.clock("2026-11-21T14:30:00Z").run();
    is_won_by(&mut test, "austrian");
}

#[test]
fn not_under_a_condition() {
    let mut test = lonato().begin();
    set_up_with(&mut test, "PURSUE NEVER");
    test.mail("austrian", "IF ENEMY AT Verona: CONCEDE\n").run();
    test.newest("austrian")
        .contains("carried out as soon as it comes");
    assert!(test.state().world.ended.is_none());
}

/// A sign of doubt behind the word is a question, which ends nothing and changes nothing.
#[test]
fn not_with_a_sign_of_doubt() {
    let mut test = lonato().begin();
    set_up_with(&mut test, "PURSUE NEVER");
    let waiting = test.state().waiting;
    for (words, reason) in [
        ("CONCEDE?", "A question is no order"),
        ("Shall I?\nCONCEDE ?\n", "A question is no order"),
    ] {
        test.mail("austrian", words).run();
        test.newest("austrian").contains(reason);
        let state = test.state();
        assert!(state.world.ended.is_none(), "{words}");
        assert_eq!(state.waiting, waiting);
    }
}

/// The standing orders of the other side are told in the reader's language, whomever they name.
#[test]
fn the_last_dispatch_tells_the_orders_of_others_in_its_language() {
    let mut test = lonato().begin();
    let standing = "RETREAT INTO MANTUA YES EXCEPT Wurmser\nPURSUE NEVER";
    set_up_with(&mut test, standing);
    test.mail("french", "CAPITULER").run();
    let text = test.dispatch("french").text;
    assert!(
        text.contains("# RETRAITE DANS MANTOUE OUI SAUF Wurmser\n# POURSUIVRE JAMAIS"),
        "{text}"
    );
}

/// The last dispatch says in its subject and first of all that it is over, and hides nothing.
#[test]
fn the_last_dispatch_hides_nothing() {
    let mut test = Test::campaign("novara")
        .option("masks", "on")
        .option("dummies", "on")
        .begin();
    let set_up = "MASK A HOLDS 1 AT 2220\nBREAK ALL NEVER\n";
    test.mail("sardinian", set_up).run();
    test.mail("austrian", "NOTHING").run();
    test.mail("sardinian", "DUMMY 1 ON 3318\n").run();
    let before = test.dispatch("austrian");
    for hidden in ["Masked forces", "10 Reg", "BREAK ALL NEVER", "17 Acqui"] {
        assert!(!before.text.contains(hidden), "{hidden}: {}", before.text);
    }
    test.mail("austrian", "CONCEDE").run();
    let last = test.dispatch("austrian");
    let over = "The campaign is over: Sardinian";
    assert!(last.subject.contains(over), "{}", last.subject);
    let first = last.text.lines().nth(1).unwrap();
    assert!(first.contains(over), "{first}");
    last.contains("Masked forces, Mask A, Sardinian: 5 Aosta, 6 Aosta, 9 Reg, 10 Reg")
        .contains("BREAK ALL NEVER")
        .contains("17 Acqui");
    let page = last.html.clone().unwrap();
    assert!(page.find(over).unwrap() < page.find("class=\"head\"").unwrap());
    assert!(page.contains("BREAK ALL NEVER"));
    // The other side sees everything too, and nobody is asked for anything any more.
    test.dispatch("sardinian").contains("IR 33");
    for seat in ["austrian", "sardinian"] {
        let text = test.dispatch(seat).text;
        assert!(!text.contains("Your orders for"), "{text}");
    }
    let letters = test.letters("austrian").len();
    test.mail("austrian", "CUP I").run();
    assert_eq!(test.letters("austrian").len(), letters + 1);
    test.newest("austrian").contains("has ended");
}
