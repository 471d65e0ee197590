//! The sheet of a letter (docs/dice.md, section 8), from the letter that the host writes or from
//! one that somebody kept. Both must be equal: that is what binds a letter.

use super::letter::Picture;
use crate::{
    dice::{CampaignName, Digest, Sheet, SheetField, sheet::SheetContent},
    mail::{self, FileContent, MailContents, Outgoing},
};

/// The sheet of a letter being written. None if a picture has not been drawn.
pub(super) fn of_letter(
    campaign: &CampaignName,
    letter: &Outgoing,
    pictures: &[Picture],
) -> Option<Sheet> {
    let header = letter.header();
    let reply_to = header.reply_to.into_iter();
    let fields: Vec<(SheetField, String)> =
        [(SheetField::From, header.from), (SheetField::To, header.to)]
            .into_iter()
            .chain(reply_to.map(|reply_to| (SheetField::ReplyTo, reply_to)))
            .chain([
                (SheetField::Subject, header.subject),
                (SheetField::Date, header.date),
                (SheetField::MessageId, header.message_id),
            ])
            .collect();
    let text = mail::unix_lines(&letter.text);
    let page = letter.html.as_deref().map(mail::unix_lines);
    let names: Vec<String> = (pictures.iter().map(|picture| &picture.file_name))
        .chain(letter.attachments.iter().map(|file| &file.name))
        .map(|name| mail::file_name(name))
        .collect();
    let drawn: Option<Vec<Digest>> = pictures.iter().map(Picture::digest).collect();
    let drawn = drawn?.into_iter().map(SheetContent::Digest);
    let attached = (letter.attachments.iter()).map(|file| SheetContent::Text(file.text.as_str()));
    let files = names.iter().map(String::as_str).zip(drawn.chain(attached));
    Some(Sheet::new(campaign, &fields, &text, page.as_deref(), files))
}

/// The sheet of a letter that was kept.
#[must_use]
pub fn of_contents(campaign: &CampaignName, letter: &MailContents) -> Sheet {
    let fields = [
        (SheetField::From, &letter.from),
        (SheetField::To, &letter.to),
        (SheetField::ReplyTo, &letter.reply_to),
        (SheetField::Subject, &letter.subject),
        (SheetField::Date, &letter.date),
        (SheetField::MessageId, &letter.message_id),
    ];
    let fields: Vec<(SheetField, String)> = (fields.into_iter())
        .flat_map(|(field, values)| values.iter().map(move |value| (field, value.clone())))
        .collect();
    let files = letter.files.iter().map(|(name, content)| {
        let content = match content {
            FileContent::Text(text) => SheetContent::Text(text),
            FileContent::Page(text) => SheetContent::Page(text),
            FileContent::Bytes(digest) => SheetContent::Digest(Digest::new(*digest)),
        };
        (name.as_str(), content)
    });
    Sheet::new(
        campaign,
        &fields,
        &letter.text,
        letter.page.as_deref(),
        files,
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use jiff::Timestamp;
    use proptest::prelude::*;

    use super::*;
    use crate::mail::{AutoSubmitted, Image, ImageKind, NamedAddress, TextAttachment};

    fn address(name: &str, email: &str) -> NamedAddress {
        NamedAddress {
            name: (!name.is_empty()).then(|| name.to_owned()),
            email: email.to_owned(),
        }
    }

    fn letter(names: [&str; 3], text: &str, page: Option<&str>) -> Outgoing {
        let [from, to, subject] = names;
        Outgoing {
            campaign: "spring".into(),
            from: address(from, "game@example.org"),
            to: address(to, "ada@example.org"),
            reply_to: Some(address(from, "game+spring.red.abc@example.org")),
            subject: subject.into(),
            message_id: "spring.red.3.abcdefgh@example.org".into(),
            date: "2026-11-21T20:00:00Z".parse::<Timestamp>().unwrap(),
            in_reply_to: None,
            references: vec!["spring.red.1.abcdefgh@example.org".into()],
            auto_submitted: AutoSubmitted::Generated,
            text: text.into(),
            html: page.map(str::to_owned),
            images: Vec::new(),
            attachments: vec![TextAttachment {
                name: "rules: \"new\".txt".into(),
                text: "One\r\nTwo".into(),
            }],
        }
    }

    /// The bound sheet is the one that a reader finds in the letter.
    fn binds_what_is_read(letter: &Outgoing, png: Option<&[u8]>) {
        let campaign = "spring".parse().unwrap();
        let pictures: Vec<Picture> = png
            .map(|png| Picture::drawn_as("map", "spring-turn-1.png", png))
            .into_iter()
            .collect();
        let images = png.map(|png| Image {
            cid: "map".into(),
            bytes: png.to_vec(),
            file_name: "spring-turn-1.png".into(),
            kind: ImageKind::Shown,
        });
        let sent = mail::render(&Outgoing {
            images: images.into_iter().collect(),
            ..letter.clone()
        });
        let read = mail::contents(&sent.unwrap()).unwrap();
        let (bound, read) = (
            of_letter(&campaign, letter, &pictures).unwrap(),
            of_contents(&campaign, &read),
        );
        assert_eq!(bound.to_string(), read.to_string());
        assert!(bound.lines().len() >= 8);
    }

    #[test]
    fn letters_with_and_without_page_and_picture() {
        for page in [None, Some("<p>\u{e9}\u{202f}: a</p>\n<pre>\nb  \n</pre>\n")] {
            for png in [None, Some(&b"\x89PNG\r\n\x1a\n"[..])] {
                let letter = letter(
                    ["The host", "Ada", "Turn 1"],
                    "Hello\n\nFrom here.\n.\n",
                    page,
                );
                binds_what_is_read(&letter, png);
            }
        }
    }

    #[test]
    fn names_and_subjects_of_all_kinds() {
        for name in [
            "",
            "Ada, Countess (\"Lovelace\")",
            "\u{c9}lodie  d'Artois",
            "=?utf-8?q?x?=",
            "a@b <c@d>",
            "\u{4f60}\u{597d} and a very long name that needs more than one encoded word, \u{e0} la fran\u{e7}aise, to the end",
            "[spring] Une campagne d'\u{e9}t\u{e9} \u{2013} tour 3, phase de mouvement fran\u{e7}aise\u{a0}: ordres attendus",
        ] {
            binds_what_is_read(&letter([name, name, name], "a\n", None), None);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read(
            name in "\\PC{0,60}|[a-z =?_\"<>@,;:()\\\\.]{0,40}",
            subject in "\\PC{0,120}|[a-z =?_\"<>@,;:()\\\\.]{0,100}",
            text in "(\\PC{0,90}[ \t]{0,2}\r?\n){0,6}",
            page in "(\\PC{0,90}\n){0,6}",
        ) {
            binds_what_is_read(&letter([&name, &name, &subject], &text, Some(&page)), None);
            binds_what_is_read(&letter([&name, &name, &subject], &text, None), Some(b"png"));
        }
    }
}
