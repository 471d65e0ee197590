//! What a campaign makes of the words of mails: attached files, and receipts that say what was left
//! out and why.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::support::{Letter, Test};
use estafette::mail::reply_to;

fn begun() -> Test {
    Test::campaign("castiglione").scenario("lonato").begin()
}

/// A mail of austrian with a text and attached files.
fn with_files(test: &Test, text: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let (to, _) = reply_to(&test.newest("austrian").bytes).unwrap();
    let mut mail = format!(
        "From: Bert <bert@example.org>\r\nTo: <{to}>\r\nSubject: orders\r\nMessage-ID: <files@players.example>\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    );
    for (name, content) in files {
        mail += &format!(
            "--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n\r\n{content}\r\n"
        );
    }
    (mail + "--b--\r\n").into_bytes()
}

fn receipt(mut test: Test, mail: &[u8]) -> Letter {
    test.raw(mail).run();
    test.newest("austrian")
}

#[test]
fn orders_in_a_file_beside_a_letter_count() {
    let test = begun();
    let text = "The orders are in the file, as ever.";
    let mail = with_files(
        &test,
        text,
        &[("orders.txt", "PURSUE NEVER\r\nLOSSES SPREAD")],
    );
    let receipt = receipt(test, &mail);
    receipt
        .contains("Read from the attached file orders.txt")
        .contains("1 | PURSUE NEVER")
        .contains("2 | LOSSES SPREAD");
    assert!(!receipt.text.contains("as ever") && !receipt.text.contains("NOT UNDERSTOOD"));
}

#[test]
fn a_file_without_orders_beside_orders_is_nothing() {
    let test = begun();
    let mail = with_files(&test, "PURSUE NEVER", &[("notes.txt", "I shall win.")]);
    let receipt = receipt(test, &mail);
    receipt.contains("1 | PURSUE NEVER");
    assert!(!receipt.text.contains("notes.txt") && !receipt.text.contains("win"));
}

#[test]
fn text_and_files_with_orders_count_together() {
    let test = begun();
    let files = [
        ("one.txt", "LOSSES SPREAD"),
        ("two.txt", "Nothing here of use to you"),
    ];
    let mail = with_files(&test, "PURSUE NEVER", &files);
    let receipt = receipt(test, &mail);
    receipt
        .contains("one.txt")
        .contains("1 | PURSUE NEVER")
        .contains("2 | LOSSES SPREAD");
    assert!(!receipt.text.contains("two.txt"));
}

#[test]
fn a_mail_without_any_order_is_answered_with_its_own_text() {
    let test = begun();
    let mail = with_files(&test, "Where am I?", &[("notes.txt", "I shall win.")]);
    let receipt = receipt(test, &mail);
    receipt
        .contains("No order was found in this mail")
        .contains("nothing is changed")
        .contains("  Where am I?");
    assert!(!receipt.text.contains("notes.txt"));
}

#[test]
fn receipt_and_read_count_alike_what_was_left_out() {
    let mut test = begun();
    let (to, _) = reply_to(&test.newest("austrian").bytes).unwrap();
    let words = "Hello Ada,\n\nPURSUE NEVER\n\nBest regards,\nBert\n\n-- \nBert\nLonato\nSent from my iPad\n\n\
                 On 3 March 2025, Ada wrote:\n> PURSUE ALWAYS\n> LOSSES SPREAD";
    let mail = crate::support::mail_to("austrian", &to, words, 7);
    let file = test.root().join("mail.eml");
    std::fs::write(&file, &mail).unwrap();
    test.raw(&mail).run();
    let receipt = test.newest("austrian");
    let read = Command::new(env!("CARGO_BIN_EXE_estafette"))
        .arg("read")
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let read = String::from_utf8(read.stdout).unwrap();
    for counted in [
        "  3 lines: words of courtesy",
        "  3 lines: quoted from another mail",
        "  4 lines: signature",
    ] {
        receipt.contains(counted);
        assert!(
            read.lines().any(|line| line == counted),
            "{counted}\n{read}"
        );
    }
    receipt
        .contains("1 | PURSUE NEVER")
        .contains("| PURSUE NEVER");
    assert!(!receipt.text.contains("PURSUE ALWAYS"));
}

#[test]
fn encrypted_orders_are_refused_with_a_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mail");
    for name in ["encrypted_pgp", "encrypted_smime"] {
        for (seat, words) in [
            ("french", "Il est chiffré (PGP ou S/MIME)"),
            ("austrian", "It is encrypted (PGP or S/MIME)"),
        ] {
            let mut test = Test::campaign("castiglione").scenario("lonato").begin();
            let mail = fs::read_to_string(folder.join(format!("{name}.eml"))).unwrap();
            let to = test.newest(seat).reply_to;
            let mail = mail.replace("war+north.red.k3p7q2m5x4a6b7c2@example.org", &to);
            test.raw(mail.as_bytes()).run();
            test.newest(seat).contains(words);
            let refused = test.records("refused").pop().unwrap();
            assert_eq!(refused["reason"], "encrypted", "{name}");
        }
    }
}

/// A mail of austrian with these words, and the receipt of it.
fn answer(test: &mut Test, words: &str, number: u32) -> Letter {
    let to = test.newest("austrian").reply_to;
    let mail = crate::support::mail_to("austrian", &to, words, number);
    test.raw(&mail).run();
    test.newest("austrian")
}

#[test]
fn words_around_orders_keep_no_turn_open() {
    let mut test = begun();
    let words = "nice start! Sorry for the delay\n\nPURSUE NEVER\n\nThanks, I will be there\nMarco";
    let receipt = answer(&mut test, words, 1);
    receipt
        .contains("1 | PURSUE NEVER")
        .contains("These 3 lines are not orders and were left out:")
        .contains("  nice start! Sorry for the delay")
        .contains("  Thanks, I will be there")
        .contains("  Marco")
        .contains("| PURSUE NEVER");
    assert!(!receipt.text.contains("NOT UNDERSTOOD") && !receipt.text.contains("| nice"));
    assert!(test.state().seats["austrian"].ready);
    assert_eq!(test.state().seats["austrian"].words, "PURSUE NEVER\n");
}

#[test]
fn a_slip_in_the_first_or_last_line_keeps_the_turn_open() {
    for words in [
        "PRUSUE NEVER\nLOSSES SPREAD",
        "LOSSES SPREAD\n\nPRUSUE NEVER",
    ] {
        let mut test = begun();
        answer(&mut test, words, 1).contains("NOT UNDERSTOOD, OR NOT POSSIBLE: 1 line");
        assert!(!test.state().seats["austrian"].ready);
    }
}

#[test]
fn a_mail_without_an_order_changes_nothing_and_says_what_stands() {
    for (words, told) in [
        ("Thanks, I will be there", "No order was found in this mail"),
        ("PRUSUE ALWAYS", "NOT UNDERSTOOD"),
    ] {
        let mut test = begun();
        answer(&mut test, "PURSUE NEVER\nLOSSES SPREAD", 1);
        let before = test.state().seats["austrian"].words.clone();
        let receipt = answer(&mut test, words, 2);
        receipt
            .contains(told)
            .contains("Nothing of this mail was taken, and nothing is changed.")
            .contains("before still stands:\n\n  PURSUE NEVER\n  LOSSES SPREAD");
        assert!(
            !receipt
                .text
                .contains("Until then your orders are waited for"),
            "{}",
            receipt.text
        );
        let entry = &test.state().seats["austrian"];
        assert!(entry.ready && entry.words == before);
    }
}

#[test]
fn a_mail_that_replaces_another_says_what_is_gone() {
    let mut test = begun();
    let first = answer(&mut test, "PURSUE NEVER\nLOSSES SPREAD\nASK RETREAT", 1);
    assert!(!first.text.contains("No longer in it"));
    let second = answer(&mut test, "LOSSES SPREAD\nKEEP Wurmser", 2);
    second.contains("No longer in it:\n\n  PURSUE NEVER\n  ASK RETREAT");
    let third = answer(&mut test, "ADD\nPURSUE ALWAYS", 3);
    assert!(!third.text.contains("No longer in it"), "{}", third.text);
}

#[test]
fn files_that_only_a_person_can_read_are_named() {
    for text in ["PURSUE NEVER", ""] {
        let mut test = begun();
        let mail = String::from_utf8(with_files(&test, text, &[])).unwrap();
        let file = |kind: &str, head: &str| {
            format!(
                "--b\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{head}\r\nAAAA\r\n"
            )
        };
        let attached =
            |name: &str| format!("Content-Disposition: attachment; filename=\"{name}\"\r\n");
        let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
        let files = [
            file(word, &attached("orders.docx")),
            file("application/pdf", &attached("plan.pdf")),
            file("image/jpeg", &attached("map.jpg")),
            file("application/pgp-signature; name=signature.asc", ""),
            file(
                "image/png; name=image001.png",
                "Content-ID: <logo>\r\nContent-Disposition: inline; filename=image001.png\r\n",
            ),
        ];
        let mail = mail.replace("--b--\r\n", &(files.concat() + "--b--\r\n"));
        test.raw(mail.as_bytes()).run();
        let receipt = test.newest("austrian");
        receipt.contains("orders.docx, plan.pdf, map.jpg");
        assert!(!receipt.text.contains("image001") && !receipt.text.contains("signature.asc"));
        assert_eq!(receipt.text.contains("nothing is changed"), text.is_empty());
    }
}

#[test]
fn whoever_answers_a_receipt_beside_a_dispatch_is_heard() {
    // Whether questions are asked by mail or not.
    for questions in [0, 1] {
        let lonato = Test::campaign("castiglione").scenario("lonato");
        let mut test = lonato.questions(questions).begin();
        test.mail("french", "RIEN")
            .mail("austrian", "PURSUE NEVER")
            .run();
        let letters = test.letters("austrian").into_iter().rev();
        let mut receipts = letters.filter(|letter| letter.text.contains("\nreceipt "));
        let to = receipts.next().unwrap().reply_to;
        test.mail_at("austrian", &to, "PURSUE ALWAYS").run();
        assert!(test.records("refused").is_empty(), "{questions}");
        test.newest("austrian").contains("PURSUE ALWAYS");
    }
}
