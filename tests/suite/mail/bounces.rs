//! Letters that come back: reports as mail servers write them, an address that is given up, and
//! reports that lie.

use std::fs;

use crate::support::{Test, is_sound, mail_to, program::estafette, sealed_with, status, witness};
use estafette::campaign::{self, model::state::CurrentWait};

fn begin() -> Test {
    Test::campaign("castiglione").scenario("lonato").begin()
}

/// A report: the fields and parts that this kind of server writes, on the letter with this
/// Message-ID.
fn report(server: &str, id: &str) -> Vec<u8> {
    let (top, status, returned) = match server {
        "postfix" => (
            "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net (Mail Delivery System)\nAuto-Submitted: auto-replied\n",
            "Reporting-MTA: dns; mx.example.net\nArrival-Date: Sat, 21 Nov 2026 12:00:00 +0000\n\n\
             Final-Recipient: rfc822; ada@example.org\nOriginal-Recipient: rfc822;ada@example.org\nAction: failed\nStatus: 5.1.1\n\
             Diagnostic-Code: smtp; 550 5.1.1 User unknown\n",
            "text/rfc822-headers",
        ),
        "exim" => (
            "Return-path: <>\nFrom: Mail Delivery System <Mailer-Daemon@mx.example.net>\nAuto-Submitted: auto-replied\n\
             X-Failed-Recipients: ada@example.org\n",
            "Reporting-MTA: dns; mx.example.net\n\nAction: failed\nFinal-Recipient: rfc822;ada@example.org\nStatus: 5.0.0\n",
            "message/rfc822",
        ),
        "exchange" => (
            "From: <postmaster@example.org>\nX-MS-Exchange-Message-Is-Ndr:\n",
            "Reporting-MTA: dns;AM0PR01.prod.example.net\n\nFinal-Recipient: rfc822;ada@example.org\nAction: failed\n\
             Status: 5.1.10\nDiagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound\n",
            "message/rfc822",
        ),
        "gmail" => (
            "Return-Path: <>\nFrom: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nAuto-Submitted: auto-replied\n\
             X-Failed-Recipients: ada@example.org\n",
            "Reporting-MTA: dns; googlemail.com\nReceived-From-MTA: dns; game@example.org\n\n\
             Final-Recipient: rfc822; ada@example.org\nAction: failed\nStatus: 5.1.1\n\
             Last-Attempt-Date: Sat, 21 Nov 2026 04:00:00 -0800 (PST)\n",
            "message/rfc822",
        ),
        _ => (
            "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nAuto-Submitted: auto-replied\n",
            "Reporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; ada@example.org\nAction: delayed\nStatus: 4.4.1\n\
             Will-Retry-Until: Thu, 26 Nov 2026 12:00:00 +0000\n",
            "text/rfc822-headers",
        ),
    };
    let text = format!(
        "{top}To: game@example.org\nSubject: Undelivered Mail\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b=_1\"\n\n\
         --b=_1\nContent-Type: text/plain; charset=us-ascii\n\nSorry: {server}.\n\n\
         --b=_1\nContent-Type: message/delivery-status\n\n{status}\n\
         --b=_1\nContent-Type: {returned}\n\nFrom: game@example.org\nTo: ada@example.org\n\
         Message-ID: <{id}>\nX-Estafette: spring\nSubject: Tour 6\n\nDÉPLACER Guillaume : Lonato\n\n--b=_1--\n"
    );
    text.replace('\n', "\r\n").into_bytes()
}

fn french_ids(test: &Test) -> Vec<String> {
    let letters = test.letters("french");
    letters
        .into_iter()
        .map(|letter| letter.message_id)
        .collect()
}

fn is_given_up(test: &Test) -> bool {
    test.state().seats["french"].is_unreachable()
}

/// Three letters to the French, and reports that all of them have come back.
fn given_up(mut test: Test) -> Test {
    test.mail("french", "POURSUIVRE JAMAIS").run();
    for id in french_ids(&test) {
        test.raw(&report("postfix", &id)).run();
    }
    assert!(is_given_up(&test));
    test
}

#[test]
fn reports_of_every_kind_are_tied_to_letter_and_seat() {
    let mut test = begin();
    let id = test.newest("french").message_id;
    for (server, permanent, status) in [
        ("postfix", true, "failed 5.1.1"),
        ("exim", true, "failed 5.0.0"),
        ("exchange", true, "failed 5.1.10"),
        ("gmail", true, "failed 5.1.1"),
        ("delayed", false, "delayed 4.4.1"),
    ] {
        test.raw(&report(server, &id));
        let said = test.run();
        assert!(
            said[0].contains(&format!("to french came back: {status}")),
            "{said:?}"
        );
        let record = test.records("bounced").pop().unwrap();
        assert_eq!(record["to"], "french");
        assert_eq!(record["number"], 2);
        assert_eq!(
            record["permanent"].as_bool().unwrap_or(false),
            permanent,
            "{server}"
        );
    }
    assert!(
        !is_given_up(&test),
        "one letter has come back, however often it is said"
    );
    assert_eq!(test.state().seats["french"].failed.len(), 1);
    assert_eq!(test.letters("umpire").len(), 1, "the first failure is told");
    assert_eq!(test.letters("french").len(), 2, "nobody is answered");
}

/// An opening that goes to a wrong address would hang the campaign without a word.
#[test]
fn the_first_failure_of_an_unproven_address_is_told() {
    let mut test = begin();
    let id = test.letters("french")[0].message_id.clone();
    test.raw(&report("delayed", &id)).run();
    assert!(test.letters("umpire").is_empty(), "it may arrive yet");
    test.raw(&report("postfix", &id)).run();
    let notice = test.newest("umpire");
    notice
        .contains("A letter to the seat french")
        .contains("Address: ada@example.org")
        .contains("failed 5.1.1")
        .contains("estafette umpire replace DIR french=ADDRESS");
    notice.lacks("bert@example.org");
    let id = test.letters("french")[1].message_id.clone();
    test.raw(&report("exim", &id)).run();
    assert_eq!(test.letters("umpire").len(), 1, "once");
    is_sound(&test);

    // The next player's address is another one, and nothing has come from it.
    let to = "french=carol@example.org";
    crate::support::decides(&test, &["replace", to, "--why", "a wrong address"]);
    let id = test.letters("french").pop().unwrap().message_id;
    test.raw(&report("gmail", &id)).run();
    assert_eq!(test.letters("umpire").len(), 2);
    test.newest("umpire").contains("carol@example.org");
    is_sound(&test);
}

#[test]
fn a_failure_after_an_answer_is_none_of_the_umpires_business() {
    let mut test = begin();
    test.mail("french", "POURSUIVRE JAMAIS").run();
    let id = test.newest("french").message_id;
    test.raw(&report("postfix", &id)).run();
    assert!(test.letters("umpire").is_empty());
}

#[test]
fn new_and_replace_take_addresses_alone() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("campaign");
    let new = |french: &str| {
        let seat = format!("french={french}");
        let seats = ["--seat", &seat, "--seat", "austrian=bert@example.org"];
        let args = ["new", "castiglione", "--into", into.to_str().unwrap()];
        estafette(&[&args[..], &seats].concat(), b"")
    };
    for wrong in ["ada@example..org", "ada@example.123", "ada.example.org"] {
        let ran = new(wrong);
        assert_eq!(ran.code, 2, "{ran:?}");
        let said = ran.err.contains("french:") && ran.err.contains("is no mail address");
        assert!(said, "{ran:?}");
        assert!(!into.exists());
    }
    let test = begin();
    let wrong = ["replace", "french=carol@-example.org", "--why", "moved"];
    let refused = crate::support::umpire(&test, &wrong);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("is no mail address"), "{said}");
}

#[test]
fn an_address_stops_at_the_third_bounce() {
    let mut test = given_up(begin());
    test.newest("umpire")
        .contains("the seat french")
        .contains("Address: ada@example.org")
        .contains("failed 5.1.1")
        .contains("Deadlines count as always");
    assert_eq!(test.letters("umpire").len(), 1);
    let (json, text) = status(&test);
    assert_eq!(json["came_back"]["french"]["status"], "failed 5.1.1");
    let seat = |id: &str| {
        let seats = json["seats"].as_array().unwrap().clone();
        seats.into_iter().find(|seat| seat["seat"] == id).unwrap()
    };
    assert_eq!(seat("french")["unreachable"], true);
    assert_eq!(seat("austrian")["unreachable"], false);
    assert!(
        text.contains("french (ada@example.org): orders in; UNREACHABLE"),
        "{text}"
    );
    assert!(
        text.contains("letter 3 to french came back at Sat 2026-11-21 12:00 (UTC): failed 5.1.1"),
        "{text}"
    );

    let sent = test.letters("french").len();
    test.mail("austrian", "NOTHING").run();
    assert_eq!(test.letters("french").len(), sent, "nothing more is sent");
    assert_eq!(
        test.dispatch("austrian").number(),
        test.newest("austrian").number()
    );
    let aside = fs::read_dir(test.root().join("outbox/french/done"))
        .unwrap()
        .count();
    assert_eq!(aside, 1, "the dispatch is kept");
    is_sound(&test);
}

#[test]
fn the_next_mail_starts_an_address_again() {
    let mut test = given_up(begin());
    test.mail("austrian", "NOTHING").run();
    let (context, state) = test.context();
    let to = campaign::reply_address(&context, &state, &"french".into());
    test.raw(&mail_to("french", &to, "POURSUIVRE TOUJOURS", 50))
        .run();
    assert!(!is_given_up(&test));
    test.newest("french").contains("POURSUIVRE TOUJOURS");
    is_sound(&test);
}

#[test]
fn reports_that_lie_do_nothing() {
    let mut test = begin();
    let id = test.newest("french").message_id;
    let mark = id.split(['.', '@']).nth(3).unwrap().to_owned();
    for false_id in [
        id.replace(&mark, "aaaaaaaa"),
        id.replace("french.2", "french.1"),
        id.replace("french.2", "french.7"),
        id.replace("french", "austrian"),
        id.replace("spring", "autumn"),
        "unknown@example.org".to_owned(),
    ] {
        let before = test.state();
        test.raw(&report("postfix", &false_id)).run();
        assert!(test.records("bounced").is_empty(), "{false_id}");
        assert_eq!(
            test.records("refused").last().unwrap()["reason"],
            "automatic"
        );
        assert_eq!(test.state().seats, before.seats);
    }
}

#[test]
fn deadlines_wait_only_where_the_umpire_said_so() {
    let wait = |line: &'static str| {
        let plan = Test::campaign("castiglione")
            .scenario("lonato")
            .deadlines("{zone: UTC, most_hours: 48}")
            .settings_line(line);
        let mut test = plan.begin();
        for words in ["DÉPLACER Personne : Lonato", "DÉPLACER Personne : Goito"] {
            test.mail("french", words).run();
        }
        for id in french_ids(&test) {
            test.raw(&report("exim", &id));
        }
        test.mail("austrian", "NOTHING").run();
        assert!(is_given_up(&test));
        test.clock("2026-11-25T12:00:00Z").run();
        let CurrentWait::Orders { phase, .. } = test.state().waiting else {
            panic!("no orders are waited for");
        };
        (test, phase)
    };
    let (test, phase) = wait("unreachable: wait\n");
    assert_eq!(phase, "setup");
    test.newest("umpire")
        .contains("Deadlines wait for the seat");
    is_sound(&test);
    let (test, phase) = wait("");
    assert_ne!(phase, "setup");
    is_sound(&test);
}

/// The dice wait for a witness who has never heard that they are sealed.
#[test]
fn what_a_witness_does_not_get_is_told_to_the_umpire() {
    let (_, source) = witness();
    let mut test = sealed_with(&format!("[{source}]"));
    let seal = test.newest("w-cleo");
    seal.contains("TOKEN 1 <token>");
    test.raw(&report("delayed", &seal.message_id)).run();
    assert!(test.letters("umpire").is_empty(), "it may arrive yet");
    for server in ["postfix", "exim"] {
        test.raw(&report(server, &seal.message_id)).run();
    }
    assert_eq!(test.letters("umpire").len(), 1, "once for a letter");
    test.newest("umpire")
        .contains("A letter to cleo, a witness of the dice")
        .contains("Address: cleo@example.org")
        .contains("failed 5.1.1")
        .contains("the campaign goes on at")
        .contains("umpire silent DIR --witness cleo");
    is_sound(&test);
}
