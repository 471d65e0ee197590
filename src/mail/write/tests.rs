//! Letters read back as they were written, and a stranger's text can't change anything around it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

use mail_parser::{MessageParser, MimeHeaders, PartType};
use proptest::prelude::*;

use super::*;
use crate::mail::{AutoReason, MailLimits, read};

fn address(name: &str, email: &str) -> NamedAddress {
    NamedAddress {
        name: Some(name.to_owned()),
        email: email.to_owned(),
    }
}

fn sample() -> Outgoing {
    let order = "MOVE Alpha by ".to_owned() + &"0412 ".repeat(45) + "end";
    assert!(order.len() > 240);
    Outgoing {
        campaign: "north".into(),
        from: address("The Umpire", "game@example.org"),
        to: address("Ada Élan", "ada@example.net"),
        reply_to: Some(address("Orders", "game+north.red.abcdefghijklmnop@example.org")),
        subject: "Turn 3: the Adige, été 1796 and a subject that goes on for longer than one header line may".into(),
        message_id: "north.red.12.9f2cabcd9f2cabcd9f2cabcd9f2cabcd9f2cabcd9f2cabcd9f2cabcd@example.org".into(),
        date: Timestamp::from_second(1_741_000_000).unwrap(),
        in_reply_to: Some("CAF=xyz+1_2@example.net".into()),
        references: vec!["a@example.net".into(), "CAF=xyz+1_2@example.net".into()],
        auto_submitted: AutoSubmitted::Generated,
        text: format!("Bonjour, été.\n\n.\nFrom here\n{order}\ntrailing blanks  \n-- \nlast line without end"),
        html: Some("<p>Bonjour <img src=\"cid:map@example.org\"> été</p>\n".into()),
        images: vec![Image { cid: "map@example.org".into(), bytes: (0..=255).cycle().take(5000).collect(), file_name: "carte é.png".into(), kind: ImageKind::Shown }],
        attachments: vec![TextAttachment { name: "orders.txt".into(), text: "# MOVE Alpha\n=_not a boundary\n".into() }],
    }
}

#[test]
fn the_same_mail_gives_the_same_bytes() {
    assert_eq!(render(&sample()).unwrap(), render(&sample()).unwrap());
}

#[test]
fn everything_can_be_read_back() {
    let mail = sample();
    let bytes = render(&mail).unwrap();
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(
        message.body_text(0).unwrap().replace("\r\n", "\n"),
        mail.text
    );
    assert_eq!(
        message.body_html(0).unwrap().replace("\r\n", "\n"),
        *mail.html.as_ref().unwrap()
    );
    let picture = message
        .parts
        .iter()
        .find(|part| part.content_id() == Some("map@example.org"))
        .unwrap();
    assert_eq!(picture.contents(), mail.images[0].bytes);
    let file = message
        .attachments()
        .find(|part| part.attachment_name() == Some("orders.txt"))
        .unwrap();
    assert_eq!(
        file.text_contents().unwrap().replace("\r\n", "\n"),
        mail.attachments[0].text
    );
    assert_eq!(message.subject(), Some(mail.subject.as_str()));
    assert_eq!(message.message_id(), Some(mail.message_id.as_str()));
    assert_eq!(
        message.references().as_text_list().unwrap(),
        mail.references
    );
    assert_eq!(
        message.date().unwrap().to_timestamp(),
        mail.date.as_second()
    );
    assert_eq!(
        message.to().unwrap().first().unwrap().name(),
        Some("Ada Élan")
    );
}

#[test]
fn no_line_is_longer_than_a_server_may_cut() {
    let bytes = render(&sample()).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.is_ascii());
    assert!(
        text.split("\r\n")
            .all(|line| line.len() <= 200 && !line.contains(['\r', '\n'])),
        "{text}"
    );
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(body.split("\r\n").all(|line| line.len() <= 78));
}

#[test]
fn our_own_mail_is_known_when_it_comes_back() {
    let incoming = read(&render(&sample()).unwrap(), &MailLimits::default()).unwrap();
    assert_eq!(
        incoming.automatic,
        Some(AutoReason::OwnMail("north".into()))
    );
    assert_eq!(
        incoming.message_id.as_deref(),
        Some(sample().message_id.as_str())
    );
}

#[test]
fn plain_mails_have_no_parts_and_pictures_are_attached() {
    let plain = Outgoing {
        html: None,
        images: vec![],
        attachments: vec![],
        ..sample()
    };
    let bytes = render(&plain).unwrap();
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert!(matches!(message.parts[0].body, PartType::Text(_)));
    let pictured = Outgoing {
        html: None,
        attachments: vec![],
        ..sample()
    };
    let bytes = render(&pictured).unwrap();
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(message.attachment_count(), 1);
    assert_eq!(
        message.attachment(0).unwrap().contents(),
        pictured.images[0].bytes
    );
}

#[test]
fn a_stranger_cannot_add_header_fields() {
    let evil = "x\r\nBcc: all@example.net\r\n\r\nbody";
    let mail = Outgoing {
        to: address(evil, "ada@example.net"),
        subject: evil.into(),
        campaign: evil.into(),
        attachments: vec![TextAttachment {
            name: evil.into(),
            text: String::new(),
        }],
        ..sample()
    };
    let bytes = render(&mail).unwrap();
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert!(message.bcc().is_none());
    assert_eq!(
        message.body_text(0).unwrap().replace("\r\n", "\n"),
        mail.text
    );
}

#[test]
fn what_cannot_stand_in_a_mail_is_an_error() {
    let wrong = |change: fn(&mut Outgoing)| {
        let mut mail = sample();
        change(&mut mail);
        render(&mail).unwrap_err()
    };
    assert!(matches!(
        wrong(|mail| mail.to.email = "ada".into()),
        WriteError::Address { field: "To", .. }
    ));
    assert!(matches!(
        wrong(|mail| mail.to.email = "a@b\r\nBcc: c@d".into()),
        WriteError::Address { .. }
    ));
    assert!(matches!(
        wrong(|mail| mail.message_id = "a> <b@c".into()),
        WriteError::Id {
            field: "Message-ID",
            ..
        }
    ));
    assert!(matches!(
        wrong(|mail| mail.references = vec!["é@x".into()]),
        WriteError::Id { .. }
    ));
    assert!(matches!(
        wrong(|mail| mail.images[0].cid = "a b".into()),
        WriteError::Id { .. }
    ));
    assert!(matches!(
        wrong(|mail| mail.date = Timestamp::from_second(-1).unwrap()),
        WriteError::Date(_)
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_survives(text in "(\\PC|\n){0,300}", name in "\\PC{0,40}", subject in "(\\PC|[\r\n\t]){0,90}") {
        let mail = Outgoing { text: text.clone(), to: address(&name, "ada@example.net"), subject: subject.clone(), ..sample() };
        let bytes = render(&mail).unwrap();
        let message = MessageParser::default().parse(&bytes).unwrap();
        prop_assert_eq!(message.body_text(0).unwrap().replace("\r\n", "\n"), text);
        prop_assert_eq!(clean_line(message.subject().unwrap_or_default()), clean_line(&subject));
        prop_assert!(message.from().unwrap().first().unwrap().address() == Some("game@example.org"));
    }
}
