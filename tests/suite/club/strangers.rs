//! Mails that should not be answered, or once: strangers', programs', loops, quotations.

use std::fs;

use super::house_of_club::{ClubHouse, mail};
use estafette::mail::maildir::Maildir;

const ADA: &str = "Ada Byron <ada@example.net>";

#[test]
fn a_stranger_is_answered_once_a_day() {
    let mut house = ClubHouse::new();
    let stranger = "Someone <s@example.com>";
    let letters = house.write(stranger, "What is this?");
    assert!(
        letters.len() == 1 && letters[0].1.text.contains("JOIN CLUB"),
        "{letters:?}"
    );
    assert!(house.write(stranger, "GAMES").is_empty());
    assert!(
        house.wait(25).write(stranger, "GAMES")[0]
            .1
            .text
            .contains("castiglione")
    );
    // What is not sent to the club's own address, and asks for nothing, is not answered at all.
    assert!(
        house
            .send("<t@example.com>", "game@example.org", "Buy our pills")
            .is_empty()
    );
    // Nothing is kept of a stranger but his mail, which may be deleted.
    assert!(!house.journal().contains("s@example.com"));
}

#[test]
fn programs_and_other_clubs_are_not_answered() {
    let (mut one, mut two) = (ClubHouse::new(), ClubHouse::new());
    let automatic =
        String::from_utf8(mail(ADA, "game+tuesday@example.org", "JOIN CLUB", 1)).unwrap();
    for field in [
        "Auto-Submitted: auto-replied",
        "Return-Path: <>",
        "Precedence: bulk",
        "List-Id: <x>",
    ] {
        let bytes = automatic.replacen("Subject:", &format!("{field}\r\nSubject:"), 1);
        assert!(one.give(bytes.as_bytes()).is_empty(), "{field}");
    }
    for from in [
        "game@example.org",
        "game+tuesday@example.org",
        "MAILER-DAEMON@example.com",
    ] {
        assert!(one.write(from, "JOIN CLUB").is_empty(), "{from}");
    }
    // A letter of one club that comes to another: the loop is over before it begins.
    one.join_club(ADA);
    let files = fs::read_dir(one.root().join("outbox/m1/new")).unwrap();
    for file in files
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .collect::<Vec<_>>()
    {
        assert!(two.give(&file).is_empty());
    }
}

#[test]
fn requests_in_quotations_and_signatures_are_none() {
    let mut house = ClubHouse::new();
    house.join_club(ADA);
    let welcome = house.newest("ada@");
    let quoted: String = welcome
        .text
        .lines()
        .map(|line| format!("> {line}\n"))
        .collect();
    let letters = house.answer(
        ADA,
        &format!("TABLES\n\nOn Sunday the club wrote:\n{quoted}> LEAVE CLUB\n\n-- \nLEAVE CLUB\n"),
    );
    assert!(letters.len() == 1 && letters[0].1.text.contains("No table looks for players"));
    assert_eq!(
        letters[0].1.text.matches(" | ").count(),
        1,
        "{}",
        letters[0].1.text
    );
    // The club's own letter sent back without quotation marks asks for nothing either.
    let letters = house.answer(ADA, &format!("GAMES\n\n{}", welcome.text));
    assert!(letters[0].1.text.contains("castiglione"));
    assert!(
        !letters[0].1.text.contains("No table looks"),
        "{}",
        letters[0].1.text
    );
    let html = "From: <ada@example.net>\r\nTo: <ADDRESS>\r\nSubject: x\r\nMIME-Version: 1.0\r\n\
        Content-Type: text/html; charset=utf-8\r\n\r\n<p>TABLES</p><blockquote>LEAVE CLUB</blockquote>\r\n";
    let html = html.replace("ADDRESS", &house.newest("ada@").reply_to.unwrap());
    let letters = house.give(html.as_bytes());
    assert!(
        letters.len() == 1 && letters[0].1.text.contains("No table looks"),
        "{letters:?}"
    );
}

#[test]
fn bytes_of_any_kind_do_no_harm() {
    let mut house = ClubHouse::new();
    for bytes in [
        b"".as_slice(),
        b"\0\xff\xfe",
        b"From: a\r\nFrom: b\r\n\r\nJOIN CLUB",
        b"From: <a@b>\r\nTo: game+tuesday.m1.aaaaaaaaaaaaaaaa@example.org\r\n\r\nLEAVE CLUB",
        b"From: <a@b>\r\nTo: game+tuesday.m0.a@example.org\r\n\r\nYES",
        b"From: <a@b>\r\nTo: game+tuesday.a4294967295.a@example.org\r\n\r\nYES",
    ] {
        assert!(house.give(bytes).is_empty(), "{bytes:?}");
    }
    let long = "JOIN 1\n".repeat(150_000);
    house.join_club(ADA);
    let letters = house.answer(ADA, &long);
    assert!(letters.len() <= 1, "one answer at most");
    let letters = house.answer(ADA, &"JOIN 9\n".repeat(40));
    assert!(
        letters[0].1.text.contains("twelve requests"),
        "{}",
        letters[0].1.text
    );
    let inbox = Maildir::on_demand(house.root().join("inbox"));
    assert!(inbox.unprocessed().unwrap().is_empty());
}

/// A report that the letter with this Message-ID came back for good.
fn report(id: &str, n: u32) -> Vec<u8> {
    format!(
        "From: <MAILER-DAEMON@example.net>\r\nTo: <game@example.org>\r\nSubject: failed {n}\r\n\
         Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nno\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
         Reporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; ada@example.net\r\nAction: failed\r\n\
         Status: 5.1.1\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{id}>\r\n\r\n--b--\r\n"
    )
    .into_bytes()
}

#[test]
fn forged_reports_and_those_on_codes_count_for_nothing() {
    let mut house = ClubHouse::new();
    house.join_club(ADA);
    let id = house.newest("ada@").message_id.unwrap();
    let (name, domain) = id.split_once('@').unwrap();
    let (letter, mark) = name.rsplit_once('.').unwrap();
    let other: String = mark.chars().rev().collect();
    let forged = format!("{letter}.{other}@{domain}");
    let later = id.replacen(".m1.", ".m1.9", 1);
    assert!(mark != other && later != id);
    for n in 0..4 {
        assert!(house.give(&report(&forged, n)).is_empty());
        assert!(house.give(&report(&later, n)).is_empty());
    }
    assert_eq!(
        house.write(ADA, "TABLES").len(),
        1,
        "she is still written to"
    );
    house.answer(ADA, "ADDRESS typo@example.com");
    let code = house.newest("typo@").message_id.unwrap();
    for n in 0..4 {
        assert!(house.give(&report(&code, n)).is_empty());
    }
    assert_eq!(house.write(ADA, "TABLES\n\nonce more").len(), 1);
    assert!(!house.journal().contains("\"kind\":\"returned\""));
}

#[test]
fn no_address_and_no_message_id_stops_the_club() {
    let mut house = ClubHouse::new();
    house.join_club(ADA);
    let to = house.newest("ada@").reply_to.unwrap();
    let long = format!("{}@example.com", "a".repeat(65));
    for from in ["a..b@example.com", "a@b@example.com", long.as_str()] {
        for words in ["HELP", "JOIN CLUB"] {
            assert!(
                house.write(&format!("<{from}>"), words).is_empty(),
                "{from}"
            );
        }
    }
    let long = "x".repeat(250);
    for (n, id) in [long.as_str(), "a(b)@x", "a,b@x", "\"a b\"@x"]
        .iter()
        .enumerate()
    {
        let bytes = mail(ADA, &to, &format!("TABLES\n\n{n}"), 999);
        let bytes = String::from_utf8(bytes).unwrap();
        let bytes = bytes.replace("999@players.example", id);
        assert_eq!(house.give(bytes.as_bytes()).len(), 1, "{id}");
    }
    // An address that nothing can be sent to harms nobody else, now and when it is opened again.
    let odd = "a..b@example.com".parse().unwrap();
    let odd = estafette::club::Person::new(odd, estafette::game::Lang::En).unwrap();
    house.open().enter(odd, false, house.now).unwrap();
    assert_eq!(house.send(ADA, &to, "WHO").len(), 1);
}

#[test]
fn letters_that_come_back_end_the_writing() {
    let mut house = ClubHouse::new();
    house.join_club(ADA);
    for n in 0..3 {
        let id = house.newest("ada@").message_id.unwrap();
        let letters = house.give(&report(&id, n));
        assert_eq!(
            letters.len(),
            usize::from(n == 2),
            "the umpire is told: {letters:?}"
        );
    }
    assert!(
        house
            .newest("umpire@")
            .text
            .contains("Three letters to Ada Byron (m1)")
    );
    assert!(
        house.write(ADA, "TABLES").is_empty(),
        "nothing more is written there"
    );
    assert_eq!(
        house.answer(ADA, "TABLES").len(),
        1,
        "a mail of hers puts it to use again"
    );
}
