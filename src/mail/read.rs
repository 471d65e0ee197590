//! The bytes of a mail as a plain value.

use std::panic;

use jiff::Timestamp;
use mail_parser::{HeaderName, Message, PartType};
use serde::Serialize;

use super::{
    authentication::{self, AuthResults},
    automatic::{self, AutoReason},
    body,
    headers::{self, NamedAddress},
    mail_words::MailWords,
    nesting::NestedMail,
    phrases::fold,
};
use crate::digest::Digest;

/// How much of a mail is read. The defaults are far above what a person sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailLimits {
    /// Bytes of the whole mail.
    pub bytes: usize,
    /// MIME parts, nested ones included.
    pub parts: usize,
    /// Bytes of the player's own words.
    pub words_bytes: usize,
    /// Lines of the player's own words.
    pub words_lines: usize,
    /// Lines of text that are examined, quotations included.
    pub text_lines: usize,
    /// Attached text files that are read.
    pub files: usize,
    /// Bytes of HTML that are turned into text.
    pub html_bytes: usize,
    /// Tags of HTML that is turned into text.
    pub html_tags: usize,
    /// Depth of nested HTML elements.
    pub html_depth: usize,
}

impl Default for MailLimits {
    fn default() -> Self {
        Self {
            bytes: 1024 * 1024,
            parts: 200,
            words_bytes: 64 * 1024,
            words_lines: 2000,
            text_lines: 50_000,
            files: 4,
            html_bytes: 512 * 1024,
            html_tags: 20_000,
            html_depth: 250,
        }
    }
}

/// A mail as the host reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incoming {
    /// The Message-ID without angle brackets.
    pub message_id: Option<String>,
    /// The digest of the raw bytes: the same Message-ID with another digest is another submission.
    pub digest: Digest,
    /// The only sender. It can be forged; it proves nothing.
    pub from: NamedAddress,
    /// Whom it reached: first what our server noted, then `To` and `Cc`. A delivery that knows the
    /// envelope's recipient puts it in front.
    pub recipients: Vec<String>,
    /// The subject as one clean line; may be empty.
    pub subject: String,
    /// The `Date` field, if it is one.
    pub date: Option<Timestamp>,
    /// Message-IDs that it answers, without angle brackets.
    pub in_reply_to: Vec<String>,
    /// Message-IDs of its thread, oldest first, without angle brackets.
    pub references: Vec<String>,
    /// Why it counts as automatic; such a mail is never answered.
    pub automatic: Option<AutoReason>,
    /// The verdict of the last server that took it on its origin. It counts only if that server is
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authentication: Option<AuthResults>,
    /// The player's own words.
    #[serde(flatten)]
    pub words: MailWords,
}

/// Why bytes can't be handled as a mail at all. The caller puts the bytes aside.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// More bytes than [`MailLimits::bytes`].
    #[error(
        "The mail has {size} bytes; the limit is {limit}. Send it again without attachments and old mails."
    )]
    TooLarge {
        /// Bytes given; a transport that stops early gives one more than the limit.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// There is nothing but blanks.
    #[error(
        "The mail is empty: not even a header. The server handed over nothing; look at its log."
    )]
    Empty,
    /// There are no header fields.
    #[error(
        "These bytes are not a mail: they do not begin with header fields such as \"From: ada@example.org\"."
    )]
    NotAMail,
    /// The structure of the mail breaks the parser.
    #[error("The mail is damaged so badly that it can't be read. Send it again as plain text.")]
    Damaged,
    /// More parts than [`MailLimits::parts`].
    #[error("The mail has {count} parts; the limit is {limit}. Send it again as plain text.")]
    TooManyParts {
        /// The number of parts found.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// No usable address in `From`.
    #[error("The mail does not say who sent it: its From field is missing or holds no address.")]
    NoSender,
    /// Several `From` fields or addresses.
    #[error("The mail names several senders ({}); it must have one From field with one address.", .emails.join(", "))]
    SeveralSenders {
        /// All these addresses.
        emails: Vec<String>,
    },
}

/// Reads a mail.
///
/// # Errors
/// When the bytes are no mail, exceed a limit, or do not name exactly one sender. Trouble with the
/// text alone is not an error but a [`MailWords::problem`], since the sender is known and can be
/// told.
pub fn read(bytes: &[u8], limits: &MailLimits) -> Result<Incoming, ReadError> {
    // A bug in a library must not stop the host for all campaigns when one stranger's mail triggers
    // it.
    panic::catch_unwind(|| parse(bytes, limits)).unwrap_or(Err(ReadError::Damaged))
}

fn parse(bytes: &[u8], limits: &MailLimits) -> Result<Incoming, ReadError> {
    if bytes.len() > limits.bytes {
        return Err(ReadError::TooLarge {
            size: bytes.len(),
            limit: limits.bytes,
        });
    }
    if bytes
        .iter()
        .all(|byte| byte.is_ascii_whitespace() || *byte == 0)
    {
        return Err(ReadError::Empty);
    }
    let message = NestedMail::parse(without_mbox_line(bytes)).ok_or(ReadError::NotAMail)?;
    let count = count_parts(&message);
    if count > limits.parts {
        return Err(ReadError::TooManyParts {
            count,
            limit: limits.parts,
        });
    }
    let from = only_sender(&message)?;
    Ok(Incoming {
        message_id: headers::ids(&message, &HeaderName::MessageId).pop(),
        digest: Digest::of(bytes),
        recipients: headers::recipients(&message),
        subject: headers::subject(&message),
        date: headers::date(&message),
        in_reply_to: headers::ids(&message, &HeaderName::InReplyTo),
        references: headers::ids(&message, &HeaderName::References),
        automatic: automatic::reason(&message, Some(&from)),
        authentication: authentication::topmost(&message),
        words: body::own_words(&message, &names(&from), limits),
        from,
    })
}

/// The folded words of a sender's name, and of the address before its @: how the mail may be
/// signed.
fn names(from: &NamedAddress) -> Vec<String> {
    let local = from.email.split('@').next().unwrap_or_default();
    let name = from.name.as_deref().unwrap_or_default();
    fold(&format!("{name} {local}"))
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Local delivery agents put a line "From ada@example.org Mon Mar 3 10:12:00 2025" above the
/// header.
fn without_mbox_line(bytes: &[u8]) -> &[u8] {
    match bytes.strip_prefix(b"From ") {
        Some(rest) => rest
            .iter()
            .position(|byte| *byte == b'\n')
            .and_then(|end| rest.get(end + 1..))
            .unwrap_or_default(),
        None => bytes,
    }
}

/// The only sender: with more than one, the mail could say one thing to us and another to its
/// reader (RFC 5322, 3.6).
fn only_sender(message: &Message<'_>) -> Result<NamedAddress, ReadError> {
    let mut senders = headers::senders(message);
    match (senders.pop(), senders.is_empty()) {
        (None, _) => Err(ReadError::NoSender),
        (Some(only), true) => Ok(only),
        (Some(last), false) => {
            senders.push(last);
            Err(ReadError::SeveralSenders {
                emails: senders.into_iter().map(|sender| sender.email).collect(),
            })
        }
    }
}

fn count_parts(message: &Message<'_>) -> usize {
    let mut count = 0;
    let mut open = vec![message];
    while let Some(message) = open.pop() {
        count += message.parts.len();
        open.extend(message.parts.iter().filter_map(|part| match &part.body {
            PartType::Message(nested) => Some(nested),
            _ => None,
        }));
    }
    count
}
