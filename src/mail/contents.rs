//! The contents of one of our letters, as its reader gets them: the fields of its header that
//! people read, its text, its page, its files. For audits, which compare kept letters with what was
//! written; nothing here decides anything.

use jiff::Timestamp;
use mail_parser::{
    Addr, Address as AddressList, HeaderName, HeaderValue, Message, MessageParser, MessagePart,
    MimeHeaders, PartType,
};
use sha2::{Digest, Sha256};

use super::{
    headers::NamedAddress,
    nesting::NestedMail,
    shape,
    write::{field_text, unix_lines},
};

/// The field with the `To` of the letter as it was first sent.
pub(super) const SENT_TO: &str = "X-Estafette-Sent-To";
/// The field with its `Reply-To`.
pub(super) const SENT_REPLY_TO: &str = "X-Estafette-Sent-Reply-To";

/// The contents of a kept letter. A field that stands in the header twice has two values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailContents {
    /// `Name <address>`, or the address alone.
    pub from: Vec<String>,
    /// In the same form.
    pub to: Vec<String>,
    /// In the same form.
    pub reply_to: Vec<String>,
    /// The subject, decoded.
    pub subject: Vec<String>,
    /// The moment in UTC, `2026-11-21T20:00:00Z`; the text itself if it is no date.
    pub date: Vec<String>,
    /// The Message-ID without angle brackets.
    pub message_id: Vec<String>,
    /// The first part of plain text; empty if there is none.
    pub text: String,
    /// The source of the first HTML part.
    pub page: Option<String>,
    /// All other parts, each with the name under which it may be saved, in their order.
    pub files: Vec<(String, FileContent)>,
    /// The Content-IDs of parts that have one, in their order: the page refers to its pictures by
    /// them.
    pub content_ids: Vec<String>,
    /// True if every program sees the same parts: nothing in it can be read in two ways.
    pub is_plain: bool,
}

impl MailContents {
    /// Returns true if a page (the letter's own, or its words) shows the pictures in the order of
    /// their parts, so that none is missing or in another's place.
    #[must_use]
    pub fn shows_pictures_in_order(&self, page: &str) -> bool {
        let named = page.split("src=\"cid:").skip(1);
        let mut shown: Vec<&str> = Vec::new();
        for id in named.filter_map(|rest| rest.split_once('"').map(|(id, _)| id)) {
            if !shown.contains(&id) {
                shown.push(id);
            }
        }
        let ids = &self.content_ids;
        let mut second = (1..ids.len()).filter(|at| ids[..*at].contains(&ids[*at]));
        ids.get(..shown.len()).is_some_and(|first| first == shown) && second.next().is_none()
    }
}

/// The contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// A plain text.
    Text(String),
    /// The source of a page in HTML.
    Page(String),
    /// The SHA-256 of anything else.
    Bytes([u8; 32]),
}

/// Reads a letter; none if it is no mail.
#[must_use]
pub fn contents(bytes: &[u8]) -> Option<MailContents> {
    NestedMail::parse(bytes).map(|message| contents_of(&message))
}

/// The contents of a parsed mail.
pub(super) fn contents_of(message: &Message<'_>) -> MailContents {
    let mut contents = MailContents {
        is_plain: shape::is_plain(message),
        ..MailContents::default()
    };
    let mut sent_first = [Vec::new(), Vec::new()];
    for header in message.parts.first().map_or(&[][..], |part| &part.headers) {
        let (values, value) = match &header.name {
            HeaderName::From => (&mut contents.from, addresses(&header.value)),
            HeaderName::To => (&mut contents.to, addresses(&header.value)),
            HeaderName::ReplyTo => (&mut contents.reply_to, addresses(&header.value)),
            HeaderName::Subject => (&mut contents.subject, text_of(&header.value)),
            HeaderName::Date => (&mut contents.date, date(&header.value)),
            HeaderName::MessageId => (&mut contents.message_id, text_of(&header.value)),
            HeaderName::Other(name) => {
                let [to, reply_to] = &mut sent_first;
                if name.eq_ignore_ascii_case(SENT_TO) {
                    to.extend(first_address(message, SENT_TO));
                } else if name.eq_ignore_ascii_case(SENT_REPLY_TO) {
                    reply_to.extend(first_address(message, SENT_REPLY_TO));
                }
                continue;
            }
            _ => continue,
        };
        values.push(value);
    }
    // A letter that went out once more says whom it was sent to first.
    let [to, reply_to] = sent_first;
    for (field, first) in [(&mut contents.to, to), (&mut contents.reply_to, reply_to)] {
        if field.len() == 1 && first.len() == 1 {
            *field = first;
        }
    }
    let mut text = None;
    for part in &message.parts {
        let id = part.content_id().map(str::to_owned);
        contents.content_ids.extend(id);
        match &part.body {
            PartType::Multipart(_) => {}
            PartType::Text(found) if text.is_none() && !is_file(part) => {
                text = Some(unix_lines(found));
            }
            PartType::Html(found) if contents.page.is_none() && !is_file(part) => {
                contents.page = Some(unix_lines(found));
            }
            PartType::Text(found) => {
                let found = FileContent::Text(unix_lines(found));
                contents.files.push((name(part), found));
            }
            PartType::Html(found) => {
                let found = FileContent::Page(unix_lines(found));
                contents.files.push((name(part), found));
            }
            PartType::Binary(found) | PartType::InlineBinary(found) => {
                let found = FileContent::Bytes(Sha256::digest(found).into());
                contents.files.push((name(part), found));
            }
            PartType::Message(found) => {
                let found = FileContent::Bytes(Sha256::digest(&found.raw_message).into());
                contents.files.push((name(part), found));
            }
        }
    }
    contents.text = text.unwrap_or_default();
    contents
}

fn is_file(part: &MessagePart<'_>) -> bool {
    part.content_disposition()
        .is_some_and(mail_parser::ContentType::is_attachment)
}

fn name(part: &MessagePart<'_>) -> String {
    let name = part.attachment_name().or_else(|| part.content_id());
    name.unwrap_or("-").to_owned()
}

fn text_of(value: &HeaderValue<'_>) -> String {
    match value {
        HeaderValue::Text(text) => text.clone().into_owned(),
        HeaderValue::TextList(list) => list.join(" "),
        _ => String::new(),
    }
}

/// An address in a field of ours, which the parser takes for text.
fn first_address(message: &Message<'_>, name: &'static str) -> Option<String> {
    let field = format!("To:{}\r\n\r\n", message.header_raw(name)?.trim_end());
    let message = MessageParser::default().parse(field.as_bytes())?;
    message.header("To").map(addresses)
}

fn addresses(value: &HeaderValue<'_>) -> String {
    let one = |address: &Addr<'_>| {
        written(
            address.name.as_deref().unwrap_or_default(),
            address.address.as_deref().unwrap_or_default(),
        )
    };
    match value {
        HeaderValue::Address(AddressList::List(list)) => list.iter().map(one).collect::<Vec<_>>(),
        HeaderValue::Address(AddressList::Group(groups)) => {
            let all = groups.iter().flat_map(|group| &group.addresses);
            all.map(one).collect()
        }
        _ => Vec::new(),
    }
    .join(", ")
}

/// An address in the form of contents.
fn written(name: &str, email: &str) -> String {
    match name.trim() {
        "" => email.to_owned(),
        name => format!("{name} <{email}>"),
    }
}

fn date(value: &HeaderValue<'_>) -> String {
    let moment = value.as_datetime().map(mail_parser::DateTime::to_timestamp);
    let moment = moment.and_then(|seconds| Timestamp::from_second(seconds).ok());
    moment.map_or_else(|| text_of(value), |moment| moment.to_string())
}

/// The fields of a letter being written, as its reader will find them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The sender.
    pub from: String,
    /// The reader.
    pub to: String,
    /// The address for answers.
    pub reply_to: Option<String>,
    /// The subject.
    pub subject: String,
    /// The moment, in UTC.
    pub date: String,
    /// The Message-ID without angle brackets.
    pub message_id: String,
}

impl super::Outgoing {
    /// The fields of its header that its reader reads.
    #[must_use]
    pub fn header(&self) -> Header {
        let address = |address: &NamedAddress| {
            let name = address.name.as_deref().map(field_text);
            written(&name.unwrap_or_default(), &address.email)
        };
        Header {
            from: address(&self.from),
            to: address(&self.to),
            reply_to: self.reply_to.as_ref().map(address),
            subject: field_text(&self.subject),
            date: Timestamp::from_second(self.date.as_second())
                .unwrap_or(self.date)
                .to_string(),
            message_id: self.message_id.clone(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    const MAIL: &str = "From: =?utf-8?q?The_h=C3=B4st?= <game@example.org>\r\nTo: \"Ada, L.\" <ada@example.org>, b@c\r\n\
        Subject: one\r\nSubject: two\r\n three\r\nDate: Sat, 21 Nov 2026 22:00:00 +0200\r\nMessage-ID: <1@example.org>\r\n\
        MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\na=\r\nb\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n\
        --b\r\nContent-Type: text/plain\r\n\r\nmore\r\n--b\r\nContent-Type: image/png; name=m.png\r\n\
        Content-Transfer-Encoding: base64\r\nContent-ID: <map>\r\n\r\nUE5H\r\n--b\r\nContent-Type: image/png\r\n\
        Content-Transfer-Encoding: base64\r\nContent-ID: <map>\r\n\r\nUE5H\r\n--b--\r\n";

    #[test]
    fn every_field_and_every_part_is_there() {
        let found = contents(MAIL.as_bytes()).unwrap();
        assert_eq!(found.from, ["The h\u{f4}st <game@example.org>"]);
        assert_eq!(found.to, ["Ada, L. <ada@example.org>, b@c"]);
        assert_eq!(found.reply_to, Vec::<String>::new());
        assert_eq!(found.subject, ["one", "two three"]);
        assert_eq!(found.date, ["2026-11-21T20:00:00Z"]);
        assert_eq!(found.message_id, ["1@example.org"]);
        assert_eq!(found.text.trim_end(), "ab");
        assert_eq!(found.page.unwrap().trim_end(), "<p>x</p>");
        let names: Vec<&str> = found.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["-", "m.png", "map"]);
        assert!(matches!(&found.files[0].1, FileContent::Text(text) if text.trim_end() == "more"));
        let png = FileContent::Bytes(Sha256::digest(b"PNG").into());
        assert_eq!(found.files[1].1, png);
    }
}
