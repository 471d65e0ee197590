//! What the umpire may decide in a running campaign: that a witness is silent, and to go back.
//! Everybody reads it in the register, and audits of directory, mails and bundle do it again.

use std::fs;

use crate::campaign::stopped::stopped_in_recovery;
use crate::support::forger::mend;
use crate::support::{
    MOMENT_42, NAME, Plan, ROUND_42, Test, decides, is_refused, is_sound, pass,
    rules_that_recover_with, sealed_with, witness,
};
use estafette::{
    audit::{self, bundle},
    campaign::model::{events::Ruling, state::CurrentWait},
    dice::Receipt,
};

/// A short campaign; pictures have nothing to do with the umpire.
fn plan() -> Plan {
    Test::campaign("castiglione").scenario("lonato")
}

fn back(envelope: &'static str) -> [&'static str; 5] {
    [
        "rollback",
        "--envelope",
        envelope,
        "--why",
        "the map was read wrong",
    ]
}

const NOTE: &str = "\ntext rollback to the orders for envelope ";

const SILENT: [&str; 5] = ["silent", "--witness", "cleo", "--why", "she is ill"];

#[test]
fn a_silent_witness_is_named_in_a_note() {
    let (chain, source) = witness();
    let mut test = sealed_with(&format!("[{source}]"));
    is_refused(
        &test,
        &["silent", "--witness", "dora", "--why", "she is ill"],
        "do not wait for a witness dora",
    );
    let long = "x".repeat(Ruling::LONGEST + 1);
    is_refused(
        &test,
        &["silent", "--witness", "cleo", "--why", &long],
        "one line of 1 to 110 characters",
    );
    decides(&test, &SILENT);
    assert!(!matches!(test.state().waiting, CurrentWait::Dice { .. }));
    for seat in ["french", "austrian"] {
        test.dispatch(seat)
            .contains("\ntext witness cleo gives no token for envelope 1: she is ill\n")
            .contains("\nwitness cleo -\n")
            .contains("\nregister 4 ");
    }
    let attached = &test.dispatch("french").attached;
    assert!(
        attached
            .iter()
            .any(|(name, _)| name == "register-spring-3.txt")
    );
    // The token comes after all.
    let to = test.newest("w-cleo").reply_to;
    let token = format!("TOKEN 1 {}", chain.key(1).unwrap().to_hex());
    test.mail_at("Cleo <cleo@example.org>", &to, &token).run();
    let refused = test.records("refused").pop().unwrap();
    assert_eq!(refused["reason"], "value_not_asked");
    is_refused(&test, &SILENT, "do not wait for a witness cleo");
    is_sound(&test);
}

#[test]
fn a_note_between_seal_and_dice_goes_out_with_the_dice() {
    let (_, source) = witness();
    let mut test = sealed_with(&format!(
        "[{{source: drand, margin_seconds: 60}}, {source}]"
    ));
    decides(&test, &SILENT);
    let state = test.state();
    assert!(
        matches!(&state.waiting, CurrentWait::Dice { round: Some(42), witnesses, .. } if witnesses.is_empty())
    );
    assert_eq!(state.register.foot.n, 2, "nobody has the note yet");
    is_refused(&test, &back("1"), "a sealed envelope is always rolled");
    test.clock(MOMENT_42);
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    test.dispatch("austrian")
        .contains(": she is ill\n")
        .contains("\nregister 4 ");
    assert!(test.state().register.unsent.is_empty());
    is_sound(&test);
}

/// Two passes of orders: envelopes 1 and 2 are rolled.
fn two_envelopes() -> Test {
    let mut test = plan().begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT\nPURSUE NEVER")
        .run();
    pass(&mut test, "2026-11-21T14:00:00Z");
    test
}

#[test]
fn a_rollback_gives_world_and_decisions_back_and_nothing_else() {
    let mut test = plan().begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT\nPURSUE NEVER")
        .run();
    let then = test.state();
    let rolled_once = test.dispatch("french");
    pass(&mut test, "2026-11-21T14:00:00Z");
    assert_ne!(test.state().world, then.world);
    // The seat that is not waited for has changed its standing orders.
    let CurrentWait::Orders { seats, .. } = test.state().waiting else {
        panic!("no orders are waited for");
    };
    assert_eq!(seats, ["austrian"]);
    test.mail("french", "POURSUIVRE JAMAIS").run();
    let before = test.state();
    assert_eq!(before.seats["french"].receipts, 1);
    is_refused(&test, &back("9"), "there are: 1 (turn 6, ");
    let old = test.newest("french").reply_to;
    decides(&test, &back("2"));

    let now = test.state();
    assert_eq!(now.world, then.world);
    assert_eq!((&now.phase, &now.decisions), (&then.phase, &then.decisions));
    assert_eq!(now.dice.envelope, 2, "dice are never given back");
    assert_eq!(now.taken, before.taken);
    for seat in ["french", "austrian"] {
        let dispatch = test.dispatch(seat);
        dispatch
            .contains(&format!(
                "{NOTE}2, turn 6, {}; they are given anew for envelope 3: the map was read wrong\n",
                then.phase
            ))
            .contains("the map was read wrong");
        assert!(now.seats[seat].words.is_empty() && now.seats[seat].heard.is_empty());
        assert_ne!(now.seats[seat].token, before.seats[seat].token);
    }
    let notice = "L'arbitre a ramené la campagne à ce point";
    test.dispatch("french").contains(notice);
    assert!(!rolled_once.text.contains(notice));
    // Its words are laid aside, with a receipt that says so.
    let text = test.dispatch("french").text;
    let receipts = text.lines().filter_map(|line| line.parse::<Receipt>().ok());
    let receipts: Vec<_> = receipts.collect();
    assert!(
        matches!(receipts.as_slice(), [receipt] if receipt.is_for("") && receipt.number.envelope == 3 && receipt.number.k == 2)
    );
    test.mail_at("french", &old, "POURSUIVRE JAMAIS").run();
    assert_eq!(
        test.records("refused").pop().unwrap()["reason"],
        "old_token"
    );
    is_sound(&test);

    pass(&mut test, "2026-11-21T15:00:00Z");
    assert_eq!(test.state().dice.envelope, 3);
    is_sound(&test);
    // And a second time, further back.
    decides(&test, &back("1"));
    assert_eq!(test.state().dice.envelope, 3);
    pass(&mut test, "2026-11-21T16:00:00Z");
    is_sound(&test);
}

#[test]
fn an_envelope_in_use_is_shown_before_the_campaign_goes_back() {
    let mut test = plan().begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT\nPURSUE NEVER")
        .run();
    test.clock("2026-11-21T15:00:00Z");
    let attack = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";
    test.mail("french", attack).run();
    let asking = test.state();
    assert!(matches!(asking.waiting, CurrentWait::Answers { .. }));
    assert!(
        !asking.register.unsent.is_empty(),
        "the seal has not gone out"
    );
    decides(&test, &back("2"));
    let letter = test.dispatch("austrian");
    letter
        .contains("\nsd1 spring 4 seal\n")
        .contains("\nsd1 spring 5 dice\n")
        .contains("\nsd1 spring 6 note\n")
        .contains("\nregister 6 ");
    for line in asking.dice.so_far.iter().chain(&asking.dice.rolled) {
        if line.lane.is_open() {
            letter.contains(&line.to_string());
        }
    }
    is_sound(&test);
    pass(&mut test, "2026-11-21T16:00:00Z");
    assert_eq!(test.state().dice.envelope, 3);
    is_sound(&test);
}

#[test]
fn a_campaign_that_a_script_stopped_can_go_back() {
    let rules = rules_that_recover_with(r#"throw "planted";"#);
    let test = stopped_in_recovery(plan().rules(rules.path()));
    assert!(!test.state().dice.spent, "the envelope is sealed");
    decides(&test, &back("3"));
    let state = test.state();
    assert!(matches!(&state.waiting, CurrentWait::Orders { seats, .. } if seats == &["austrian"]));
    test.dispatch("austrian").contains("\nsd1 spring 7 dice\n");
    is_sound(&test);
}

#[test]
fn a_note_that_was_changed_is_found() {
    let test = two_envelopes();
    decides(&test, &back("2"));
    // In the journal alone, with heads that fit: the register that the players have says otherwise.
    let path = test.root().join("journal.jsonl");
    crate::support::forger::journal(&path, |records| {
        let ruling = records.iter_mut().find(|record| record["kind"] == "umpire");
        ruling.unwrap()["why"] = "nothing of importance".into();
    });
    let report = audit::campaign(&test.root()).unwrap();
    assert!(
        report.wrong[0].contains("an entry of the register"),
        "{report:#?}"
    );
    // A ruling that was not possible.
    let test = two_envelopes();
    decides(&test, &back("2"));
    crate::support::forger::journal(&test.root().join("journal.jsonl"), |records| {
        let ruling = records.iter_mut().find(|record| record["kind"] == "umpire");
        ruling.unwrap()["envelope"] = 9.into();
    });
    let report = audit::campaign(&test.root()).unwrap();
    assert!(
        report.wrong[0].contains("envelope 9 to go back to"),
        "{report:#?}"
    );
}

#[test]
fn a_bundle_binds_the_notes_of_rulings() {
    let (_, source) = witness();
    let mut test = plan()
        .dice(&format!("[{source}]"))
        .deadlines("{zone: UTC, at: [Mon 20:00, Wed 20:00, Fri 20:00]}")
        .questions(0)
        .begin();
    let mut now = test.now();
    let (mut silent, mut back_once) = (false, false);
    for _ in 0..200 {
        match test.state().waiting {
            CurrentWait::Nothing => break,
            CurrentWait::Dice { .. } if !silent => {
                decides(&test, &SILENT);
                silent = true;
            }
            CurrentWait::Orders { .. } if !back_once && test.state().dice.envelope == 2 => {
                decides(&test, &back("2"));
                back_once = true;
            }
            _ => {
                now += jiff::SignedDuration::from_hours(48);
                test.clock(&now.to_string());
                test.run();
            }
        }
    }
    assert!(silent && back_once && test.state().waiting == CurrentWait::Nothing);
    is_refused(&test, &back("5"), "its secrets are published");
    let out = tempfile::tempdir().unwrap();
    assert!(bundle::write(&test.root(), out.path()).unwrap().complete);
    let wrong = || bundle::audit(out.path(), &mut |_, _| {}).unwrap().wrong;
    assert_eq!(wrong(), [] as [String; 0]);
    let register = out.path().join("dice").join("register.txt");
    let text = fs::read_to_string(&register).unwrap();
    for (from, to) in [
        ("she is ill", "she is dead"),
        ("was read wrong", "was read right"),
    ] {
        assert!(text.contains(from));
        let mut texts = [text.replace(from, to)];
        fs::write(&register, &texts[0]).unwrap();
        let found = wrong();
        assert!(found[0].contains("entry head"), "{found:#?}");
        mend(&mut texts, NAME);
        fs::write(&register, &texts[0]).unwrap();
        let found = wrong();
        let words = format!(
            "found `text {}",
            if to.contains("dead") {
                "witness cleo"
            } else {
                "rollback"
            }
        );
        assert!(
            found.iter().any(|wrong| wrong.contains(&words)),
            "{found:#?}"
        );
    }
}
