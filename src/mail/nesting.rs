//! Mails in mails.

use mail_parser::{Message, PartType};

/// Drops a mail level by level. Mails in mails are nested as deep as a stranger likes: dropped one
/// inside the other, they would overflow the stack of a thread, and end the host.
pub(super) fn take_apart(message: Message<'_>) {
    let mut open = vec![message];
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
