//! Writes a letter as the bytes of a mail.
//!
//! The same [`Outgoing`] always gives the same bytes: its content fixes date, Message-ID and
//! boundaries, so that a replayed campaign can be compared with what was sent, byte for byte.

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
    headers::{NamedAddress, clean_line},
};

/// A mail to one reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The campaign that it belongs to; marks it as our own should it come back.
    pub campaign: String,
    /// The host.
    pub from: NamedAddress,
    /// The reader. Each mail has exactly one, and there are no blind copies.
    pub to: NamedAddress,
    /// Where answers go: the seat's reply address.
    pub reply_to: Option<NamedAddress>,
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
    /// The reason why the host writes.
    pub auto_submitted: AutoSubmitted,
    /// The text.
    pub text: String,
    /// The same words as HTML, if wanted.
    pub html: Option<String>,
    /// Pictures: shown within the HTML, else attached.
    pub images: Vec<Image>,
    /// Text files.
    pub attachments: Vec<TextAttachment>,
}

/// Why the host writes (RFC 3834, 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoSubmitted {
    /// In answer to a mail, as with a receipt.
    Replied,
    /// On its own, as with a dispatch or a question.
    Generated,
}

/// A PNG picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The name that the HTML refers to it by: `<img src="cid:...">`. Letters, digits, `.`, `-`,
    /// `_` and `@`.
    pub cid: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The name under which a reader may save it.
    pub file_name: String,
    /// The kind of file.
    pub kind: ImageKind,
}

/// The kind of a picture's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// A PNG, which the HTML shows.
    Shown,
    /// A PDF to print, always attached.
    Printed,
}

impl ImageKind {
    fn media_type(self) -> Result<ContentType, WriteError> {
        let name = match self {
            Self::Shown => "image/png",
            Self::Printed => "application/pdf",
        };
        ContentType::parse(name).map_err(|error| WriteError::Build(error.to_string()))
    }
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
    /// Something between angle brackets has characters that are not allowed there.
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

/// A text whose lines end with LF.
#[must_use]
pub fn unix_lines(text: &str) -> String {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n"),
        false => text.to_owned(),
    }
}

/// The bytes of a mail, with CRLF line ends.
///
/// # Errors
/// When an address, an identifier or the date can't stand in a mail. Names, subject and texts never
/// fail: whatever can't stand in a header is removed.
pub fn render(mail: &Outgoing) -> Result<Vec<u8>, WriteError> {
    let builder = header(mail)?;
    let message = match content(mail)? {
        MimeContent::Single(part) => builder.singlepart(part),
        MimeContent::Multi(part) => builder.multipart(part),
    };
    Ok(message
        .map_err(|error| WriteError::Build(error.to_string()))?
        .formatted())
}

/// The bytes of a mail that must go out: an id from somebody else's mail that can't stand in a
/// header is left out of it.
///
/// # Errors
/// As [`render`], except for those ids.
pub fn render_surely(mail: &mut Outgoing) -> Result<Vec<u8>, WriteError> {
    render(mail).or_else(|_| {
        (mail.in_reply_to, mail.references) = (None, Vec::new());
        render(mail)
    })
}

/// A mail whose bytes will not change any more, for an outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyMail {
    /// The outbox.
    pub to: String,
    /// What it lies there under: its Message-ID, or the name of a copy.
    pub key: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
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
        .subject(field_text(&mail.subject))
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

fn mailbox(field: &'static str, address: &NamedAddress) -> Result<Mailbox, WriteError> {
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
        .map(field_text)
        .filter(|name| !name.is_empty());
    Ok(Mailbox::new(name, email))
}

/// A text in the form of a header field: one line, and nothing that a reader's program would decode
/// to something else.
#[must_use]
pub(super) fn field_text(text: &str) -> String {
    let line = clean_line(text);
    // An encoded word is `=?charset?encoding?text?=` (RFC 2047, 2).
    let encoded = line
        .split_once("=?")
        .is_some_and(|(_, rest)| rest.contains("?=") && rest.matches('?').count() >= 3);
    if encoded {
        line.replace("=?", "= ?")
    } else {
        line
    }
}

fn text_field(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), clean_line(value))
}

/// A field of Message-IDs, one to a line. The library would encode long ones, and an encoded
/// identifier identifies nothing.
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

/// Checks that an id is printable ASCII without closing brackets. References come from strangers'
/// mails, so this allows more than we use ourselves.
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

enum MimeContent {
    Single(SinglePart),
    Multi(MultiPart),
}

/// mixed( alternative( text, related( html, pictures... ) ), files... ), without unneeded layers.
fn content(mail: &Outgoing) -> Result<MimeContent, WriteError> {
    let text = text_part(&mail.text, ContentType::TEXT_PLAIN);
    let mut files: Vec<SinglePart> = Vec::new();
    let body = match &mail.html {
        Some(html) => {
            let mut related = MultiPart::related()
                .boundary(boundary(mail, "related"))
                .singlepart(text_part(html, ContentType::TEXT_HTML));
            for image in &mail.images {
                match image.kind {
                    ImageKind::Shown => related = related.singlepart(inline_image(image)?),
                    ImageKind::Printed => files.push(image_file(image)?),
                }
            }
            MimeContent::Multi(
                MultiPart::alternative()
                    .boundary(boundary(mail, "alternative"))
                    .singlepart(text)
                    .multipart(related),
            )
        }
        None => {
            for image in &mail.images {
                files.push(image_file(image)?);
            }
            MimeContent::Single(text)
        }
    };
    files.extend(mail.attachments.iter().map(text_file));
    if files.is_empty() {
        return Ok(body);
    }
    let mixed = MultiPart::mixed().boundary(boundary(mail, "mixed"));
    let mixed = match body {
        MimeContent::Single(part) => mixed.singlepart(part),
        MimeContent::Multi(part) => mixed.multipart(part),
    };
    Ok(MimeContent::Multi(
        files.into_iter().fold(mixed, MultiPart::singlepart),
    ))
}

/// The boundary of a layer, fixed by the Message-ID. Neither quoted-printable text nor base64
/// contains an equals sign followed by an underscore (RFC 2045, 6.7), so no content can look like
/// it.
fn boundary(mail: &Outgoing, layer: &str) -> String {
    let digest = Sha256::digest(format!("estafette|boundary|{}|{layer}", mail.message_id));
    format!(
        "=_{}",
        HEXLOWER.encode(digest.get(..16).unwrap_or_default())
    )
}

/// Always quoted-printable, so that no server breaks a long line.
fn quoted_printable(text: &str) -> Body {
    // Quoted-printable can hold any text, so this never fails; base64 would do as well.
    Body::new_with_encoding(unix_lines(text), ContentTransferEncoding::QuotedPrintable)
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
            .body(image.bytes.clone(), image.kind.media_type()?),
    )
}

fn image_file(image: &Image) -> Result<SinglePart, WriteError> {
    let file = Attachment::new(file_name(&image.file_name));
    Ok(file.body(image.bytes.clone(), image.kind.media_type()?))
}

/// A file name that can stand in quotes and in any folder.
#[must_use]
pub fn file_name(name: &str) -> String {
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
mod tests;
