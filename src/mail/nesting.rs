//! Mails in mails.

use std::{mem, ops::Deref};

use mail_parser::{Message, MessageParser, PartType};

/// A mail that has been parsed, with the mails in it.
///
/// They are nested as deep as a stranger likes: dropped one inside the other, they would overflow
/// the stack of a thread, and end the host. So they are dropped level by level.
pub(super) struct NestedMail<'b>(Message<'b>);

impl<'b> NestedMail<'b> {
    /// Parses a mail; none if it is none.
    pub fn parse(bytes: &'b [u8]) -> Option<Self> {
        MessageParser::default().parse(bytes).map(Self)
    }
}

impl<'b> Deref for NestedMail<'b> {
    type Target = Message<'b>;

    fn deref(&self) -> &Message<'b> {
        &self.0
    }
}

impl Drop for NestedMail<'_> {
    fn drop(&mut self) {
        let mut open = vec![mem::take(&mut self.0)];
        while let Some(message) = open.pop() {
            let nested = message
                .parts
                .into_iter()
                .filter_map(|part| match part.body {
                    PartType::Message(nested) => Some(nested),
                    _ => None,
                });
            open.extend(nested);
        }
    }
}
