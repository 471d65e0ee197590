//! Taking our own letters apart and answering them: for the demo, for witnesses and for tests.
//! Nothing here decides anything.

use jiff::{Timestamp, tz::TimeZone};
use mail_parser::{MimeHeaders, PartType};

use super::{clean_line, nesting::NestedMail};

/// The parts of a letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The subject.
    pub subject: String,
    /// Where answers go, if it says so.
    pub reply_to: Option<String>,
    /// Its Message-ID, without angle brackets.
    pub message_id: Option<String>,
    /// The text.
    pub text: String,
    /// The HTML page, if there is one.
    pub html: Option<String>,
    /// The pictures, PNG.
    pub images: Vec<Vec<u8>>,
}

/// Takes a letter apart; none if it is no mail.
#[must_use]
pub fn parts(bytes: &[u8]) -> Option<Parts> {
    let message = NestedMail::parse(bytes)?;
    let html = message.parts.iter().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.to_string()),
        _ => None,
    });
    let images = message.parts.iter().filter_map(|part| match &part.body {
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
            let kind = part.content_type()?;
            (kind.subtype() == Some("png")).then(|| bytes.to_vec())
        }
        _ => None,
    });
    Some(Parts {
        subject: message.subject().unwrap_or_default().to_owned(),
        reply_to: message
            .reply_to()
            .and_then(|list| Some(list.first()?.address()?.to_owned())),
        message_id: message.message_id().map(str::to_owned),
        text: message.body_text(0)?.replace("\r\n", "\n"),
        html,
        images: images.collect(),
    })
}

/// Where answers to a letter go, and its subject.
#[must_use]
pub fn reply_to(bytes: &[u8]) -> Option<(String, String)> {
    let message = NestedMail::parse(bytes)?;
    let address = message.reply_to()?.first()?.address()?.to_owned();
    Some((address, message.subject().unwrap_or_default().to_owned()))
}

/// A person's short answer to a letter, as a mail program would write it. None if the letter does
/// not say where answers go.
#[must_use]
pub fn answer(letter: &[u8], text: &str, date: Timestamp) -> Option<Vec<u8>> {
    let message = NestedMail::parse(letter)?;
    let from = clean_line(message.to()?.first()?.address()?);
    let (to, subject) = reply_to(letter)?;
    let (to, subject) = (clean_line(&to), clean_line(&subject));
    let id = clean_line(message.message_id()?);
    let date = jiff::fmt::rfc2822::to_string(&date.to_zoned(TimeZone::UTC)).ok()?;
    let text = text.replace('\n', "\r\n");
    let mail = format!(
        "From: <{from}>\r\nTo: <{to}>\r\nSubject: Re: {subject}\r\nDate: {date}\r\nIn-Reply-To: <{id}>\r\n\
         MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}"
    );
    Some(mail.into_bytes())
}
