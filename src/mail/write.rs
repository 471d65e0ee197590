//! A dispatch as the bytes of a mail.
//!
//! The same [`Outgoing`] always gives the same bytes: date, Message-ID and boundaries are fixed by its content, so that a
//! replayed campaign can be compared with what was sent, byte for byte.

use std::time::{Duration, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use lettre::{
    Message,
    message::{
        Attachment, Body, Mailbox, MessageBuilder, MultiPart, SinglePart,
        header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
};
use sha2::{Digest, Sha256};

use super::{
    automatic::OWN_FIELD,
    headers::{Address, clean_line},
};

/// A mail to one reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The campaign that it belongs to; marks it as our own should it come back.
    pub campaign: String,
    /// The host.
    pub from: Address,
    /// The reader. One mail has one reader, and there is never a blind copy.
    pub to: Address,
    /// Where answers go: the seat's reply address.
    pub reply_to: Option<Address>,
    /// The subject.
    pub subject: String,
    /// The Message-ID, without angle brackets; see [`super::MessageName`].
    pub message_id: String,
    /// The `Date` field.
    pub date: Timestamp,
    /// The mail that it answers, without angle brackets.
    pub in_reply_to: Option<String>,
    /// The mails of the thread, oldest first, without angle brackets.
    pub references: Vec<String>,
    /// What made the host write.
    pub auto_submitted: AutoSubmitted,
    /// The text.
    pub text: String,
    /// The same as HTML, if wanted.
    pub html: Option<String>,
    /// Pictures: shown inside of the HTML, else attached.
    pub images: Vec<Image>,
    /// Text files.
    pub attachments: Vec<TextAttachment>,
}

/// Why the host writes (RFC 3834, 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoSubmitted {
    /// In answer to a mail: a receipt.
    Replied,
    /// Of itself: a dispatch, a question.
    Generated,
}

/// A PNG picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The name by which the HTML shows it: `<img src="cid:...">`. Letters, digits, `.`, `-`, `_` and `@`.
    pub cid: String,
    /// The bytes of the PNG file.
    pub bytes: Vec<u8>,
    /// The name under which a reader may save it.
    pub file_name: String,
}

/// A text file beside the mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextAttachment {
    /// Its file name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Why a mail can't be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// Not a mail address.
    #[error(
        "the {field} address \"{email}\" is not valid: {reason}; an address is up to 64 characters, @ and a domain"
    )]
    Address {
        /// The header field.
        field: &'static str,
        /// The address.
        email: String,
        /// The library's reason.
        reason: String,
    },
    /// Something that stands between angle brackets has other characters than it may.
    #[error(
        "the {field} \"{id}\" is not valid: use letters, digits and . _ - + @ only, and at most 200 of them"
    )]
    Id {
        /// The header field.
        field: &'static str,
        /// The identifier.
        id: String,
    },
    /// A date before 1970 or after 9999.
    #[error("the date {0} can't stand in a mail; check the clock")]
    Date(Timestamp),
    /// The library refuses to build the mail.
    #[error("the mail can't be built: {0}")]
    Build(String),
}

/// The bytes of a mail, with CRLF line ends.
///
/// # Errors
/// When an address, an identifier or the date can't stand in a mail. Names, subject and texts never fail: what can't stand
/// in a header is taken out of it.
pub fn render(mail: &Outgoing) -> Result<Vec<u8>, WriteError> {
    let builder = header(mail)?;
    let message = match content(mail)? {
        Content::Single(part) => builder.singlepart(part),
        Content::Multi(part) => builder.multipart(part),
    };
    Ok(message
        .map_err(|error| WriteError::Build(error.to_string()))?
        .formatted())
}

fn header(mail: &Outgoing) -> Result<MessageBuilder, WriteError> {
    let seconds = u64::try_from(mail.date.as_second()).map_err(|_| WriteError::Date(mail.date))?;
    let date = UNIX_EPOCH
        .checked_add(Duration::from_secs(seconds))
        .ok_or(WriteError::Date(mail.date))?;
    let kind = match mail.auto_submitted {
        AutoSubmitted::Replied => "auto-replied",
        AutoSubmitted::Generated => "auto-generated",
    };
    let mut builder = Message::builder()
        .from(mailbox("From", &mail.from)?)
        .to(mailbox("To", &mail.to)?)
        .subject(clean_line(&mail.subject))
        .date(date)
        .raw_header(id_list(
            "Message-ID",
            std::slice::from_ref(&mail.message_id),
        )?);
    if let Some(address) = &mail.reply_to {
        builder = builder.reply_to(mailbox("Reply-To", address)?);
    }
    if let Some(id) = &mail.in_reply_to {
        builder = builder.raw_header(id_list("In-Reply-To", std::slice::from_ref(id))?);
    }
    if !mail.references.is_empty() {
        builder = builder.raw_header(id_list("References", &mail.references)?);
    }
    Ok(builder
        .raw_header(text_field("Auto-Submitted", kind))
        // Exchange answers automatic mails with absence notes unless told not to.
        .raw_header(text_field("X-Auto-Response-Suppress", "All"))
        .raw_header(text_field(OWN_FIELD, &mail.campaign)))
}

fn mailbox(field: &'static str, address: &Address) -> Result<Mailbox, WriteError> {
    let email = address
        .email
        .parse()
        .map_err(|error: lettre::address::AddressError| WriteError::Address {
            field,
            email: clean_line(&address.email),
            reason: error.to_string(),
        })?;
    // The library panics on line ends in a name.
    let name = address
        .name
        .as_deref()
        .map(clean_line)
        .filter(|name| !name.is_empty());
    Ok(Mailbox::new(name, email))
}

fn text_field(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), clean_line(value))
}

/// A field of Message-IDs, one a line. The library would encode long ones, and an encoded identifier identifies nothing.
fn id_list(field: &'static str, ids: &[String]) -> Result<HeaderValue, WriteError> {
    for id in ids {
        check_id(field, id)?;
    }
    let bracketed: Vec<String> = ids.iter().map(|id| format!("<{id}>")).collect();
    let name = HeaderName::new_from_ascii_str(field);
    Ok(HeaderValue::dangerous_new_pre_encoded(
        name,
        bracketed.join(" "),
        bracketed.join("\r\n "),
    ))
}

/// Printable ASCII that ends no bracket. References come from strangers' mails, hence more than we use ourselves.
fn check_id(field: &'static str, id: &str) -> Result<(), WriteError> {
    let allowed = |c: char| {
        c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '\\' | '(' | ')' | ',' | ';')
    };
    if (1..=200).contains(&id.len()) && id.chars().all(allowed) {
        Ok(())
    } else {
        Err(WriteError::Id {
            field,
            id: clean_line(id),
        })
    }
}

enum Content {
    Single(SinglePart),
    Multi(MultiPart),
}

/// mixed( alternative( text, related( html, pictures... ) ), files... ), without the layers that are not needed.
fn content(mail: &Outgoing) -> Result<Content, WriteError> {
    let text = text_part(&mail.text, ContentType::TEXT_PLAIN);
    let mut files: Vec<SinglePart> = Vec::new();
    let body = match &mail.html {
        Some(html) => {
            let mut related = MultiPart::related()
                .boundary(boundary(mail, "related"))
                .singlepart(text_part(html, ContentType::TEXT_HTML));
            for image in &mail.images {
                related = related.singlepart(inline_image(image)?);
            }
            Content::Multi(
                MultiPart::alternative()
                    .boundary(boundary(mail, "alternative"))
                    .singlepart(text)
                    .multipart(related),
            )
        }
        None => {
            for image in &mail.images {
                files.push(
                    Attachment::new(file_name(&image.file_name)).body(image.bytes.clone(), png()?),
                );
            }
            Content::Single(text)
        }
    };
    files.extend(mail.attachments.iter().map(text_file));
    if files.is_empty() {
        return Ok(body);
    }
    let mixed = MultiPart::mixed().boundary(boundary(mail, "mixed"));
    let mixed = match body {
        Content::Single(part) => mixed.singlepart(part),
        Content::Multi(part) => mixed.multipart(part),
    };
    Ok(Content::Multi(
        files.into_iter().fold(mixed, MultiPart::singlepart),
    ))
}

/// Fixed by the Message-ID. An equals sign and an underline together occur neither in quoted-printable text nor in
/// base64 (RFC 2045, 6.7), so no content can look like the boundary.
fn boundary(mail: &Outgoing, layer: &str) -> String {
    let digest = Sha256::digest(format!("estafette|boundary|{}|{layer}", mail.message_id));
    format!(
        "=_{}",
        HEXLOWER.encode(digest.get(..16).unwrap_or_default())
    )
}

/// Always quoted-printable, so that no server breaks a long line.
fn quoted_printable(text: &str) -> Body {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    // Quoted-printable can hold any text, so the refusal never comes; base64 would do as well.
    Body::new_with_encoding(text, ContentTransferEncoding::QuotedPrintable)
        .unwrap_or_else(Body::new)
}

fn text_part(text: &str, kind: ContentType) -> SinglePart {
    SinglePart::builder()
        .header(kind)
        .body(quoted_printable(text))
}

fn text_file(file: &TextAttachment) -> SinglePart {
    Attachment::new(file_name(&file.name))
        .body(quoted_printable(&file.text), ContentType::TEXT_PLAIN)
}

fn inline_image(image: &Image) -> Result<SinglePart, WriteError> {
    check_id("Content-ID", &image.cid)?;
    Ok(
        Attachment::new_inline_with_name(image.cid.clone(), file_name(&image.file_name))
            .body(image.bytes.clone(), png()?),
    )
}

fn png() -> Result<ContentType, WriteError> {
    ContentType::parse("image/png").map_err(|error| WriteError::Build(error.to_string()))
}

/// A name that can stand in quotes and in any folder.
fn file_name(name: &str) -> String {
    let safe = |c: char| {
        if matches!(c, '"' | '\\' | '/' | ':') {
            '_'
        } else {
            c
        }
    };
    let name: String = clean_line(name).chars().map(safe).take(80).collect();
    if name.is_empty() {
        "file".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use mail_parser::{MessageParser, MimeHeaders, PartType};
    use proptest::prelude::*;

    use super::*;
    use crate::mail::{AutoReason, Limits, read};

    fn address(name: &str, email: &str) -> Address {
        Address {
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
            images: vec![Image { cid: "map@example.org".into(), bytes: (0..=255).cycle().take(5000).collect(), file_name: "carte é.png".into() }],
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
        let incoming = read(&render(&sample()).unwrap(), &Limits::default()).unwrap();
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
    fn a_plain_mail_has_no_parts_and_pictures_without_html_are_attached() {
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
}
