//! A copy of a letter: the same bytes, sent again to the reader's present address.
//!
//! Only the fields `To` and `Reply-To` may differ. Their former values are in two fields of their
//! own, so that an audit still finds what the register binds.

use super::{
    NamedAddress, Outgoing, WriteError,
    contents::{SENT_REPLY_TO, SENT_TO},
    render,
    write::AutoSubmitted,
};

/// A letter's bytes with other addresses.
///
/// # Errors
/// When an address can't stand in a mail.
pub fn copy_to(
    letter: &[u8],
    to: &NamedAddress,
    reply_to: Option<&NamedAddress>,
) -> Result<Vec<u8>, WriteError> {
    let fresh = fields_of(to, reply_to)?;
    let end = end_of_header(letter);
    let (header, body) = letter.split_at(end);
    let mut copy = Vec::with_capacity(letter.len() + 200);
    let (mut left, mut moved) = (fields(header), Vec::new());
    for field in &mut left {
        for (name, old_name) in [("To", SENT_TO), ("Reply-To", SENT_REPLY_TO)] {
            let Some(old) = value_of(field, name) else {
                continue;
            };
            if let Some(new) = fresh.iter().find(|new| value_of(new, name).is_some())
                && new != field
            {
                moved.push([old_name.as_bytes(), b":", old].concat());
                field.clone_from(new);
            }
            break;
        }
    }
    copy.extend(left.concat());
    copy.extend(moved.concat());
    copy.extend(body);
    Ok(copy)
}

/// The fields `To` and `Reply-To` as letters write them.
fn fields_of(
    to: &NamedAddress,
    reply_to: Option<&NamedAddress>,
) -> Result<Vec<Vec<u8>>, WriteError> {
    let written = render(&Outgoing {
        campaign: String::new(),
        from: to.clone(),
        to: to.clone(),
        reply_to: reply_to.cloned(),
        subject: String::new(),
        message_id: "copy@copy".to_owned(),
        date: jiff::Timestamp::UNIX_EPOCH,
        in_reply_to: None,
        references: Vec::new(),
        auto_submitted: AutoSubmitted::Generated,
        text: String::new(),
        html: None,
        images: Vec::new(),
        attachments: Vec::new(),
    })?;
    let header = written.get(..end_of_header(&written)).unwrap_or_default();
    Ok(fields(header))
}

/// Where the empty line below the header begins.
fn end_of_header(mail: &[u8]) -> usize {
    let found = mail.windows(4).position(|four| four == b"\r\n\r\n");
    found.map_or(mail.len(), |at| at + 2)
}

/// The fields of a header, each with its folded lines and line ends.
fn fields(header: &[u8]) -> Vec<Vec<u8>> {
    let mut fields: Vec<Vec<u8>> = Vec::new();
    for line in header.split_inclusive(|byte| *byte == b'\n') {
        match fields.last_mut() {
            Some(field) if line.starts_with(b" ") || line.starts_with(b"\t") => {
                field.extend(line);
            }
            _ => fields.push(line.to_vec()),
        }
    }
    fields
}

/// The value after the colon, if the field has this name.
fn value_of<'f>(field: &'f [u8], name: &str) -> Option<&'f [u8]> {
    let (found, value) = field.split_at_checked(name.len())?;
    let value = value.strip_prefix(b":")?;
    found.eq_ignore_ascii_case(name.as_bytes()).then_some(value)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may panic
mod tests {
    use super::*;
    use crate::mail::contents;

    fn named(name: &str, email: &str) -> NamedAddress {
        NamedAddress {
            name: Some(name.to_owned()),
            email: email.to_owned(),
        }
    }

    #[test]
    fn only_addresses_change_and_contents_stay() {
        let (to, reply_to) = (
            named("Ada", "ada@example.org"),
            named(
                "Élodie's campaign, the long one",
                "game+spring-red-abc@example.org",
            ),
        );
        let mail = Outgoing {
            campaign: "spring".into(),
            from: named("Game", "game@example.org"),
            to: to.clone(),
            reply_to: Some(reply_to.clone()),
            subject: "Turn 1".into(),
            message_id: "spring.red.1.a@example.org".into(),
            date: "2026-11-21T20:00:00Z".parse().unwrap(),
            in_reply_to: None,
            references: vec![],
            auto_submitted: AutoSubmitted::Generated,
            text: "To: nobody\r\nReply-To: nothing\r\n".into(),
            html: None,
            images: vec![],
            attachments: vec![],
        };
        let sent = render(&mail).unwrap();
        assert_eq!(copy_to(&sent, &to, Some(&reply_to)).unwrap(), sent);
        let (new, address) = (
            named("Ada", "ada@example.net"),
            named("C", "game+x@example.org"),
        );
        let copy = copy_to(&sent, &new, Some(&address)).unwrap();
        let text = String::from_utf8(copy.clone()).unwrap();
        assert!(text.contains("To: Ada <ada@example.net>\r\n"), "{text}");
        assert!(text.contains("game+x@example.org"), "{text}");
        assert_eq!(
            contents(&copy),
            contents(&sent),
            "an audit finds what was sent"
        );
        // A copy of a copy is one of the letter.
        assert_eq!(copy_to(&sent, &new, Some(&address)).unwrap(), copy);
    }
}
