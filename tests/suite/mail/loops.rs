//! Programs that answer, lists, and mails without end: the host falls silent.

use crate::support::{Test, is_sound, mail_to};

fn begin() -> Test {
    Test::campaign("castiglione").scenario("lonato").begin()
}

fn letters(test: &Test) -> usize {
    ["french", "austrian", "umpire"]
        .map(|to| test.letters(to).len())
        .iter()
        .sum()
}

#[test]
fn our_own_letters_and_absence_notes_get_no_answer() {
    let mut test = begin();
    test.mail("french", "POURSUIVRE JAMAIS").run();
    let before = letters(&test);
    let to = test.newest("french").reply_to;
    for letter in [test.letters("french"), test.letters("austrian")].concat() {
        test.raw(&letter.bytes);
    }
    let mail = String::from_utf8(mail_to("french", &to, "RETRAITE JAMAIS", 7)).unwrap();
    for mark in [
        "Auto-Submitted: auto-replied\r\n",
        "Precedence: auto_reply\r\n",
        "X-Autoreply: yes\r\n",
        "Return-Path: <>\r\n",
    ] {
        test.raw(format!("{mark}{mail}").as_bytes());
    }
    for subject in [
        "Automatic reply: orders",
        "Absence du bureau : ordres",
        "Out of Office: x",
    ] {
        test.raw(mail.replace("Re: orders", subject).as_bytes());
    }
    test.run();
    assert_eq!(letters(&test), before);
    assert_eq!(test.state().seats["french"].words, "POURSUIVRE JAMAIS\n");
    let refused = test.records("refused");
    assert!(
        refused
            .iter()
            .all(|refused| refused["reason"] == "automatic")
    );
}

#[test]
fn lists_carry_orders_and_get_no_refusals() {
    let mut test = begin();
    let to = test.newest("french").reply_to;
    let list = |to: &str, number: u32| {
        let mail = mail_to("french", to, "POURSUIVRE JAMAIS", number);
        [
            b"List-Id: <club.example.org>\r\nPrecedence: bulk\r\n".as_slice(),
            &mail,
        ]
        .concat()
    };
    let before = letters(&test);
    test.raw(&list("game+spring.french.aaaaaaaaaaaaaaaa@example.org", 1));
    test.raw(&list("game@example.org", 2)).run();
    assert_eq!(letters(&test), before);
    let refused = test.records("refused");
    assert_eq!(refused[0]["reason"], "wrong_token");
    assert!(
        refused[0]["detail"]
            .as_str()
            .unwrap()
            .contains("for french, by a list")
    );
    test.raw(&list(&to, 3)).run();
    test.newest("french").contains("POURSUIVRE JAMAIS");
    assert_eq!(test.newest("french").to, "ada@example.org");
}

#[test]
fn a_program_that_answers_is_answered_ten_times_an_hour() {
    let mut test = begin();
    let mut before = test.letters("french").len();
    for hour in 12..14 {
        for minute in 0..40 {
            test.clock(&format!("2026-11-21T{hour}:{minute:02}:00Z"));
            let to = test.newest("french").reply_to;
            let number = hour * 100 + minute;
            test.raw(&mail_to(
                "french",
                &to,
                &format!("Je suis absent {number}"),
                number,
            ));
        }
        test.run();
        let now = test.letters("french").len();
        assert_eq!(
            now - before,
            10 + 1,
            "the last says that there are too many"
        );
        before = now;
    }
    test.newest("french").contains("Plus de trente messages");
    is_sound(&test);
}

#[test]
fn a_flood_of_mails_loses_no_receipted_order() {
    let mut test = begin();
    let before = test.letters("french").len();
    let line = |number: u32| format!("RETRAITE APRÈS {} TOUJOURS", 1 + number % 3);
    for number in 0..50 {
        let to = test.newest("french").reply_to;
        test.raw(&mail_to(
            "french",
            &to,
            &format!("{}\n# {number}", line(number)),
            number,
        ));
    }
    test.run();
    assert_eq!(test.letters("french").len() - before, 30 + 1);
    let words = test.state().seats["french"].words.clone();
    assert_eq!(
        words,
        format!("{}\n# 29\n", line(29)),
        "the last with a receipt"
    );
    // The other seat is not touched by it, and an hour later all is as before.
    test.mail("austrian", "ADD\nPURSUE NEVER").run();
    test.newest("austrian").contains("PURSUE NEVER");
    test.clock("2026-11-21T13:00:00Z")
        .mail("french", "AJOUTER\nPOURSUIVRE JAMAIS")
        .run();
    test.newest("french").contains("POURSUIVRE JAMAIS");
    is_sound(&test);
}
