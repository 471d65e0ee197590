//! The shape of a letter: how its parts are nested.
//!
//! A letter's content is bound by its parts (docs/dice.md, section 8). That works only if every
//! program sees the same parts: programs disagree about a header that is there twice, or a line
//! that ends another multipart than the one around it. The host writes nothing of the kind.

use mail_parser::{HeaderName, Message, MessagePart, MimeHeaders, PartType};

/// Headers that say how a part is to be read.
const STRUCTURAL: [HeaderName<'_>; 5] = [
    HeaderName::ContentType,
    HeaderName::ContentTransferEncoding,
    HeaderName::ContentDisposition,
    HeaderName::ContentId,
    HeaderName::MimeVersion,
];

/// Returns true if a mail can be read in one way only.
pub(super) fn is_plain(message: &Message<'_>) -> bool {
    let raw = message.raw_message();
    message
        .parts
        .iter()
        .all(|part| says_it_once(part) && is_closed_once(part, raw))
}

fn says_it_once(part: &MessagePart<'_>) -> bool {
    STRUCTURAL.iter().all(|name| {
        let named = part.headers.iter().filter(|header| header.name == *name);
        named.count() <= 1
    })
}

/// Returns true if a part holds no others, or its boundary is before each of them, after the last,
/// and nowhere else in the mail.
fn is_closed_once(part: &MessagePart<'_>, raw: &[u8]) -> bool {
    let PartType::Multipart(inside) = &part.body else {
        return true;
    };
    let kind = part.content_type();
    let subtype = kind.and_then(|kind| kind.subtype()).unwrap_or_default();
    let is_known = ["mixed", "alternative", "related"]
        .iter()
        .any(|known| subtype.eq_ignore_ascii_case(known));
    let encoding = part.content_transfer_encoding().unwrap_or("7bit");
    let is_bare = ["7bit", "8bit", "binary"]
        .iter()
        .any(|known| encoding.trim().eq_ignore_ascii_case(known));
    let boundary = kind.and_then(|kind| kind.attribute("boundary"));
    let Some(boundary) = boundary.filter(|boundary| !boundary.is_empty()) else {
        return false;
    };
    let delimiter = format!("--{boundary}");
    let (mut opened, mut closed, mut others) = (0, 0, 0);
    for line in raw.split(|byte| *byte == b'\n') {
        match line
            .strip_prefix(delimiter.as_bytes())
            .map(<[u8]>::trim_ascii)
        {
            Some(b"") => opened += 1,
            Some(b"--") => closed += 1,
            Some(_) => others += 1,
            None => {}
        }
    }
    is_known && is_bare && (opened, closed, others) == (inside.len(), 1, 0)
}
