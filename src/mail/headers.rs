//! The header fields of an incoming mail as plain, safe values.
//!
//! Decoded fields may contain line breaks and direction marks, and senders may repeat fields that
//! must be unique. Everything that leaves this file is one clean line, and repetitions are visible.

use std::borrow::Cow;

use jiff::Timestamp;
use mail_parser::{Header, HeaderName, Message};
use serde::Serialize;

/// A mail address with a name. Names are decoration; only addresses are ever compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedAddress {
    /// The display name, cleaned.
    pub name: Option<String>,
    /// `local@domain`, as written.
    pub email: String,
}

impl NamedAddress {
    /// Returns true if both are the same mailbox, as far as one can tell: case does not matter.
    #[must_use]
    pub fn is(&self, email: &str) -> bool {
        self.email.eq_ignore_ascii_case(email.trim())
    }
}

/// The longest header text that is kept, in characters.
const LONGEST_LINE: usize = 400;

/// The most recipients and references that are kept; real mails have far fewer.
const MOST_ENTRIES: usize = 100;

/// A line of visible text: no control, invisible or direction characters, single spaces, at most
/// 400 characters.
#[must_use]
pub fn clean_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || c.is_whitespace() {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
        } else if !is_invisible(c) {
            line.push(c);
        }
    }
    line.truncate(line.trim_end().len());
    if let Some((end, _)) = line.char_indices().nth(LONGEST_LINE) {
        line.truncate(end);
    }
    line
}

/// Returns true for characters that take no room, or turn the direction of what follows.
pub(super) const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{feff}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
    )
}

/// The header fields of the outer mail, in order.
fn fields<'a>(message: &'a Message<'_>) -> &'a [Header<'a>] {
    message
        .parts
        .first()
        .map_or(&[], |part| part.headers.as_slice())
}

/// The unparsed values of all fields with this name, in order, each as one clean line.
pub(super) fn raw_values(message: &Message<'_>, name: &str) -> Vec<String> {
    let named = fields(message)
        .iter()
        .filter(|field| field.name.as_str().eq_ignore_ascii_case(name));
    named.map(|field| raw_value(message, field)).collect()
}

fn raw_value(message: &Message<'_>, field: &Header<'_>) -> String {
    let range = field.offset_start as usize..field.offset_end as usize;
    clean_line(&String::from_utf8_lossy(
        message.raw_message.get(range).unwrap_or_default(),
    ))
}

/// The unparsed value of the first field with this name, unfolded; none if it is longer than
/// `longest` bytes.
pub(super) fn topmost_raw(message: &Message<'_>, name: &str, longest: usize) -> Option<String> {
    let mut named = fields(message).iter();
    let field = named.find(|field| field.name.as_str().eq_ignore_ascii_case(name))?;
    let range = field.offset_start as usize..field.offset_end as usize;
    let raw = message
        .raw_message
        .get(range)
        .filter(|raw| raw.len() <= longest)?;
    let blank = |c: char| {
        if c.is_control() || c.is_whitespace() {
            ' '
        } else {
            c
        }
    };
    Some(String::from_utf8_lossy(raw).chars().map(blank).collect())
}

/// All fields whose name starts so, for families such as `List-`.
pub(super) fn has_prefix(message: &Message<'_>, prefix: &str) -> bool {
    let starts = |name: &str| {
        name.get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    fields(message)
        .iter()
        .any(|field| starts(field.name.as_str()))
}

/// Every address of every `From` field. A second field or a second address is a trick or a mistake.
pub(super) fn senders(message: &Message<'_>) -> Vec<NamedAddress> {
    let from = fields(message)
        .iter()
        .filter(|field| field.name == HeaderName::From);
    from.flat_map(addresses).take(MOST_ENTRIES).collect()
}

fn addresses(field: &Header<'_>) -> Vec<NamedAddress> {
    let Some(list) = field.value.as_address() else {
        return Vec::new();
    };
    let entry = |address: &mail_parser::Addr<'_>| {
        let email = mailbox(address.address.as_deref()?)?;
        let name = address
            .name
            .as_deref()
            .map(clean_line)
            .filter(|name| !name.is_empty());
        Some(NamedAddress { name, email })
    };
    list.iter().take(MOST_ENTRIES).filter_map(entry).collect()
}

/// The text as a mailbox, if it can be one: something, an at sign, something, without blanks or
/// control characters.
pub(super) fn mailbox(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches('<').trim_end_matches('>');
    let (local, domain) = text.rsplit_once('@')?;
    let plain = !text
        .contains(|c: char| c.is_control() || c.is_whitespace() || matches!(c, '<' | '>' | ','));
    (!local.is_empty() && !domain.is_empty() && plain && text.len() <= 320).then(|| text.to_owned())
}

/// The addresses that the mail reached: those that our own server noted first, then `To` and `Cc`;
/// each once.
///
/// The server's notes (`Delivered-To`, `X-Original-To`, `Envelope-To`) count only above the first
/// `Received` field: anything below it was written by somebody else.
pub(super) fn recipients(message: &Message<'_>) -> Vec<String> {
    let ours = fields(message)
        .iter()
        .take_while(|field| field.name != HeaderName::Received);
    let notes = ["Delivered-To", "X-Original-To", "Envelope-To"];
    let mut found: Vec<String> = Vec::new();
    for field in ours.filter(|field| {
        notes
            .iter()
            .any(|note| field.name.as_str().eq_ignore_ascii_case(note))
    }) {
        found.extend(raw_value(message, field).split(',').filter_map(mailbox));
    }
    for name in [HeaderName::To, HeaderName::Cc] {
        let named = fields(message).iter().filter(|field| field.name == name);
        found.extend(named.flat_map(addresses).map(|address| address.email));
    }
    found.truncate(MOST_ENTRIES);
    let mut unique: Vec<String> = Vec::new();
    for email in found {
        if !unique
            .iter()
            .any(|known| known.eq_ignore_ascii_case(&email))
        {
            unique.push(email);
        }
    }
    unique
}

/// The decoded subject as one clean line; empty if there is none.
pub(super) fn subject(message: &Message<'_>) -> String {
    message.subject().map(clean_line).unwrap_or_default()
}

/// The `Date` field, if it is a date.
pub(super) fn date(message: &Message<'_>) -> Option<Timestamp> {
    let date = message.date().filter(|date| date.is_valid())?;
    Timestamp::from_second(date.to_timestamp()).ok()
}

/// The Message-IDs of all fields with this name, without angle brackets; the newest ones, which
/// stand last.
pub(super) fn ids(message: &Message<'_>, name: &HeaderName<'_>) -> Vec<String> {
    let texts = |field: &Header<'_>| -> Vec<String> {
        let list: &[Cow<'_, str>] = field.value.as_text_list().unwrap_or_default();
        list.iter()
            .map(|id| clean_line(id))
            .filter(|id| !id.is_empty())
            .collect()
    };
    let mut all: Vec<String> = fields(message)
        .iter()
        .filter(|field| field.name == *name)
        .flat_map(texts)
        .collect();
    all.drain(..all.len().saturating_sub(MOST_ENTRIES));
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use mail_parser::MessageParser;

    use super::*;

    #[test]
    fn a_clean_line_has_no_line_ends_and_no_direction_marks() {
        assert_eq!(
            clean_line(" hi\r\nBcc: all\u{202e}\u{200b} \t there "),
            "hi Bcc: all there"
        );
        assert_eq!(
            clean_line("a \u{2060} \u{2028}b\u{ad}\u{200b}c\u{202e}"),
            "a bc"
        );
        assert_eq!(clean_line(&"x".repeat(1000)).len(), LONGEST_LINE);
        // The spaces between words count too, and a letter of several bytes is one.
        let long = clean_line(&"è  ".repeat(1000));
        assert_eq!(long.chars().count(), LONGEST_LINE);
        assert!(long.starts_with("è è ") && long.ends_with(' '));
    }

    #[test]
    fn only_notes_above_the_first_received_count() {
        let raw = "Delivered-To: real@example.org\r\nReceived: from a by b; Mon, 3 Mar 2025 10:00:00 +0000\r\n\
            Delivered-To: forged@example.org\r\nTo: A <a@example.org>, real@Example.org\r\nCc: c@example.org\r\n\r\nx";
        let message = MessageParser::default().parse(raw).unwrap();
        assert_eq!(
            recipients(&message),
            ["real@example.org", "a@example.org", "c@example.org"]
        );
    }

    #[test]
    fn every_from_field_and_every_address_is_seen() {
        let raw = "From: \"king@example.org\" <evil@example.net>\r\nFrom: b@example.org, c@example.org\r\n\r\nx";
        let message = MessageParser::default().parse(raw).unwrap();
        let emails: Vec<String> = senders(&message)
            .into_iter()
            .map(|sender| sender.email)
            .collect();
        assert_eq!(
            emails,
            ["evil@example.net", "b@example.org", "c@example.org"]
        );
    }

    #[test]
    fn ids_lose_their_brackets() {
        let raw = "References: <a@example.org>\r\n <b@example.org>\r\nIn-Reply-To: <b@example.org>\r\n\r\nx";
        let message = MessageParser::default().parse(raw).unwrap();
        assert_eq!(
            ids(&message, &HeaderName::References),
            ["a@example.org", "b@example.org"]
        );
        assert_eq!(ids(&message, &HeaderName::InReplyTo), ["b@example.org"]);
    }
}
