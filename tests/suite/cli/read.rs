//! `estafette read`: what the host reads in a mail, for people and as JSON.

use crate::support::program::{Ran, estafette};
use serde_json::json;

fn read(name: &str, options: &[&str]) -> Ran {
    let file = format!("tests/data/mail/{name}.eml");
    estafette(&[&["read", &file], options].concat(), b"")
}

#[test]
fn a_mail_is_told_line_by_line() {
    let ran = read("gmail_en_top", &[]);
    let expected = [
        "From:       Ada North <ada@example.net>",
        "Speaks for: campaign north, seat red, by the address that it was sent to (token k3p7q2m5x4a6b7c2)",
        "Speaks for: campaign north, seat red, by the mail that it answers (no token)",
        "Automatic:  no",
        "Words:      3 lines of the plain text",
        "     2  ATTACK 0413 with Beta and Gamma",
        "Left out:   10 lines",
        "     7  who is quoted     war+north.red.k3p7q2m5x4a6b7c2@example.org> wrote:",
        "    12  quotation         > MOVE Beta to 0412",
    ];
    for line in expected {
        assert!(
            ran.out.lines().any(|found| found == line),
            "no line {line:?} in\n{}",
            ran.out
        );
    }
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn json_has_words_sender_and_claims() {
    let found = read("gmail_en_top", &["--json"]).json();
    let words = "MOVE Alpha to Lonato\nATTACK 0413 with Beta and Gamma\n\nHOLD Delta";
    assert_eq!(found["words"], words);
    assert_eq!(found["from"]["email"], "ada@example.net");
    assert_eq!(
        (&found["campaign"], &found["seat"]),
        (&json!("north"), &json!("red"))
    );
    assert_eq!(found["claims"][0]["token"], "k3p7q2m5x4a6b7c2");
    assert_eq!(found["claims"][1]["by"], "thread");
    assert!(found["automatic"].is_null() && found["problem"].is_null());
    let fates: Vec<_> = found["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| &line["fate"])
        .collect();
    assert!(fates.contains(&&json!("quoted")) && fates.contains(&&json!("attribution")));
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let mail = b"From: ada@example.net\r\nTo: war+north.red.abc234@example.org\r\n\r\nHOLD";
    let ran = estafette(&["read", "-", "--json"], mail);
    assert_eq!(ran.json()["words"], "HOLD");
    assert_eq!(ran.json()["seat"], "red");
}

#[test]
fn a_named_host_owns_its_own_addresses_only() {
    let mail = b"From: ada@example.net\r\nTo: war-north.red.abc234@example.org\r\n\r\nHOLD";
    let seat = |host: &[&str]| {
        estafette(&[&["read", "-", "--json"], host].concat(), mail).json()["seat"].clone()
    };
    assert_eq!(seat(&["--mailbox", "war@example.org"]), "red");
    assert!(seat(&["--mailbox", "peace@example.org"]).is_null());
    // Without a host a minus may be part of any mailbox's name.
    assert!(seat(&[]).is_null());
}

#[test]
fn a_tag_in_the_subject_names_a_seat_without_any_recipient() {
    let mail = b"From: ada@example.net\r\nSubject: Re: [north/red/abc234] orders\r\n\r\nHOLD";
    let found = estafette(&["read", "-", "--json"], mail).json();
    assert_eq!(
        found["claims"],
        json!([{"campaign": "north", "seat": "red", "token": "abc234", "by": "subject"}])
    );
}

#[test]
fn automatic_mails_are_told_with_the_reason() {
    let report = read("bounce", &[]);
    assert!(report.out.contains(
        "Automatic:  yes: a delivery report about north.red.12.9f2c@example.org: ada@example.net failed 5.1.1; \
         it is not answered, no orders are taken from it"
    ));
    assert!(
        read("list_member", &[])
            .out
            .contains("a mailing list carried it; it is not answered, orders in it count")
    );
    assert_eq!(
        read("list_member", &["--json"]).json()["automatic"],
        "mailing_list"
    );
}

#[test]
fn words_that_can_t_be_read_are_no_failure() {
    let ran = read("hostile_bad_base64", &[]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.out
            .contains("Words:      none: The text of the mail arrived damaged"),
        "{}",
        ran.out
    );
}

#[test]
fn what_is_no_mail_is_refused_with_the_reason() {
    let refused = |ran: Ran, code: i32, reason: &str| {
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{ran:?}");
        assert!(
            ran.err.starts_with("estafette: ") && ran.err.contains(reason),
            "{ran:?}"
        );
    };
    refused(read("hostile_headerless", &["--json"]), 1, "not a mail");
    refused(read("hostile_two_from", &[]), 1, "several senders");
    refused(estafette(&["read", "-"], b" \r\n"), 1, "empty");
    let huge = [
        b"From: ada@example.net\r\n\r\n".to_vec(),
        vec![b'a'; 2 << 20],
    ]
    .concat();
    refused(estafette(&["read", "-"], &huge), 1, "the limit is 1048576");
    refused(read("there_is_none", &[]), 3, "there_is_none.eml");
    assert_eq!(read("bounce", &["--mailbox", "war"]).code, 2);
}
