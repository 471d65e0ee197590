//! Mails that bring values for the dice, with orders beside them and copies to witnesses.

use crate::support::{MOMENT_42, ROUND_42, Test, is_rolled, mail_to, sealed_with, witness};
use estafette::{
    audit::{self, Verdict},
    dice::Chain,
};

/// A campaign that waits for beacon and witness.
fn sealed() -> (Test, Chain) {
    let (chain, witness) = witness();
    let dice = format!("[{{source: drand, margin_seconds: 60}}, {witness}]");
    let mut test = sealed_with(&dice);
    test.clock(MOMENT_42);
    (test, chain)
}

#[test]
fn orders_beside_a_value_count() {
    let (mut test, chain) = sealed();
    test.mail(
        "austrian",
        &format!("BEACON 42 {ROUND_42}\nRETREAT NEVER\nMOVE Ott: Salo"),
    )
    .run();
    assert!(!is_rolled(&test));
    let letters = test.letters("austrian");
    let [.., receipt, answer] = letters.as_slice() else {
        panic!("{} letters", letters.len())
    };
    receipt
        .contains("| RETREAT NEVER\n")
        .contains("can't be ordered now")
        .contains("\nreceipt 1 austrian 2 ");
    answer
        .contains("is genuine")
        .contains("the token of the witness cleo")
        .lacks("round 42");
    assert_eq!(test.state().seats["austrian"].late, "RETREAT NEVER\n");

    let to = test.newest("w-cleo").reply_to;
    let token = format!("TOKEN 1 {}", chain.key(1).unwrap().to_hex());
    test.mail_at("Cleo <cleo@example.org>", &to, &token).run();
    assert!(is_rolled(&test));
    assert_eq!(test.state().seats["austrian"].carried, "RETREAT NEVER\n");
    let report = audit::campaign(&test.root()).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
}

#[test]
fn a_witness_is_told_that_the_beacon_is_missing() {
    let (mut test, chain) = sealed();
    let to = test.newest("w-cleo").reply_to;
    let token = format!("TOKEN 1 {}", chain.key(1).unwrap().to_hex());
    test.mail_at("Cleo <cleo@example.org>", &to, &token).run();
    test.newest("w-cleo")
        .contains("is genuine")
        .contains("for round 42");
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    assert!(is_rolled(&test));
}

#[test]
fn orders_beside_a_false_value_are_not_read() {
    let (mut test, _) = sealed();
    test.mail("french", "BEACON 42 abcd\nRETRAITE JAMAIS").run();
    test.newest("french")
        .contains("pas authentique")
        .contains("Rien d'autre dans ce message n'a été lu");
    assert_eq!(test.state().seats["french"].late, "");
}

#[test]
fn orders_with_a_copy_to_a_witness_are_orders() {
    let (mut test, _) = sealed();
    let witness = test.newest("w-cleo");
    let to = test.newest("austrian").reply_to;
    let mail = String::from_utf8(mail_to("austrian", &to, "RETREAT NEVER", 9)).unwrap();
    let copied = mail.replace(
        "Subject:",
        &format!(
            "Cc: <{}>\r\nIn-Reply-To: <{}>\r\nSubject:",
            witness.reply_to, witness.message_id
        ),
    );
    test.raw(copied.as_bytes()).run();
    assert!(test.records("refused").is_empty());
    assert_eq!(test.state().seats["austrian"].late, "RETREAT NEVER\n");
}
