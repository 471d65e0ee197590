//! The header of a letter, as far as sending needs it.

use mail_parser::{Address, HeaderValue, MessageParser};

/// The header of a letter that is to be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LetterHead {
    /// Its Message-ID without angle brackets.
    pub message_id: Option<String>,
    /// Its only recipient; nothing if there are several or none.
    pub to: Option<String>,
    /// True if it is an automatic answer (RFC 3834): its failure must not cause another mail.
    pub answers_by_itself: bool,
}

impl LetterHead {
    /// Reads the header of a letter. Missing fields stay empty.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        let Some(letter) = MessageParser::default().parse_headers(bytes) else {
            return Self::default();
        };
        let mut to = letter
            .to()
            .into_iter()
            .flat_map(Address::iter)
            .filter_map(|one| one.address());
        let first = to.next().map(str::to_owned);
        let automatic = letter
            .header("Auto-Submitted")
            .and_then(HeaderValue::as_text);
        Self {
            message_id: letter.message_id().map(str::to_owned),
            to: first.filter(|_| to.next().is_none()),
            answers_by_itself: automatic.is_some_and(|kind| kind.trim() == "auto-replied"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_fields_and_several_recipients_are_read() {
        let head = LetterHead::read(
            b"Subject: a: b\r\nTo: \"A very long name\"\r\n <ada@example.org>\r\nMessage-ID: <a.b.1.c@example.org>\r\n\
              Auto-Submitted: auto-replied\r\n\r\nTo: x@y",
        );
        assert_eq!(head.message_id.as_deref(), Some("a.b.1.c@example.org"));
        assert_eq!(head.to.as_deref(), Some("ada@example.org"));
        assert!(head.answers_by_itself);
        let head = LetterHead::read(b"To: a@x, b@x\r\nAuto-Submitted: auto-generated\r\n\r\n");
        assert_eq!(head, LetterHead::default());
    }
}
