//! Which part of a mail holds the player's words, and its bytes as text.

use std::borrow::Cow;

use mail_parser::{
    Message, MessagePart, MimeHeaders, PartType,
    decoders::{
        base64::base64_decode, charsets::map::charset_decoder,
        quoted_printable::quoted_printable_decode,
    },
};

use super::{
    automatic::is_type,
    flowed::unflow,
    html,
    read::Limits,
    unwrap::better_broken,
    words::{Fate, Problem, Source, Words, scan},
};

/// The player's words: from the plain text, else from the HTML, else from an attached text file.
pub(super) fn own_words(message: &Message<'_>, limits: &Limits) -> Words {
    if has_lost_parts(message) {
        return Words::unreadable(Source::Nothing, Problem::BrokenParts);
    }
    let text = read_parts(message, &message.text_body, Source::Text, limits);
    let html = read_parts(message, &message.html_body, Source::Html, limits);
    let body = match (text, html) {
        (Some(text), Some(html)) if is_settled(&text) => better_broken(text, html),
        (Some(text), _) if is_settled(&text) => text,
        (text, Some(html)) if is_settled(&html) || text.is_none() => html,
        (Some(text), _) => text,
        (None, _) => Words::unreadable(Source::Nothing, Problem::NoText),
    };
    // What is attached to a forwarded mail was written by somebody else.
    if is_settled(&body) || body.count(Fate::ForwardedOrHeaderBlock) > 0 {
        return body;
    }
    let attached = message
        .attachments()
        .filter_map(|part| attached_words(message, part, limits));
    attached.into_iter().find(is_settled).unwrap_or(body)
}

/// Whether there is something to go by: words, or too many of them.
fn is_settled(words: &Words) -> bool {
    !words.text.is_empty() || matches!(words.problem, Some(Problem::TooLong { .. }))
}

/// A mail that says it has parts while the parser found none: a missing or wrong boundary.
fn has_lost_parts(message: &Message<'_>) -> bool {
    message.parts.first().is_some_and(|root| {
        let says_multipart = root
            .content_type()
            .is_some_and(|kind| kind.ctype().eq_ignore_ascii_case("multipart"));
        says_multipart && !matches!(root.body, PartType::Multipart(_))
    })
}

/// The words of the body's parts of one kind. Some programs split a body into several (text, picture, text).
fn read_parts(
    message: &Message<'_>,
    ids: &[u32],
    source: Source,
    limits: &Limits,
) -> Option<Words> {
    let wanted = |part: &&MessagePart<'_>| {
        matches!(
            (&part.body, &source),
            (PartType::Text(_), Source::Text) | (PartType::Html(_), Source::Html)
        )
    };
    let parts: Vec<&MessagePart<'_>> = ids
        .iter()
        .filter_map(|id| message.part(*id))
        .filter(wanted)
        .collect();
    if parts.is_empty() {
        return None;
    }
    let texts: Result<Vec<String>, Problem> = parts
        .into_iter()
        .map(|part| part_text(message, part, limits))
        .collect();
    Some(match texts {
        Ok(texts) => scan(&texts.join("\n"), source, limits),
        Err(problem) => Words::unreadable(source, problem),
    })
}

/// The words of an attached text, or of a body that the parser could not place because the mail breaks off.
fn attached_words(message: &Message<'_>, part: &MessagePart<'_>, limits: &Limits) -> Option<Words> {
    let is_html = is_type(part, "text", "html");
    let is_text = matches!(part.body, PartType::Text(_) | PartType::Html(_));
    if !is_text || !(is_html || is_type(part, "text", "plain") || part.content_type().is_none()) {
        return None;
    }
    let is_file = part.attachment_name().is_some()
        || part
            .content_disposition()
            .is_some_and(|kind| kind.is_attachment());
    let source = match (is_file, is_html) {
        (true, _) => Source::Attachment(super::clean_line(
            part.attachment_name().unwrap_or("attachment"),
        )),
        (false, true) => Source::Html,
        (false, false) => Source::Text,
    };
    Some(match part_text(message, part, limits) {
        Ok(text) => scan(&text, source, limits),
        Err(problem) => Words::unreadable(source, problem),
    })
}

/// A text part as text: characters repaired, flowed lines joined, HTML rendered.
fn part_text(
    message: &Message<'_>,
    part: &MessagePart<'_>,
    limits: &Limits,
) -> Result<String, Problem> {
    let text = characters(message, part)?;
    if is_type(part, "text", "html") {
        return html::to_text(&text, limits);
    }
    let parameter = |name: &str, value: &str| {
        let found = part.content_type().and_then(|kind| kind.attribute(name));
        found.is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    Ok(if parameter("format", "flowed") {
        unflow(&text, parameter("delsp", "yes"))
    } else {
        text.into_owned()
    })
}

/// The characters of a text part. The library decodes; this repairs what senders mislabel.
fn characters<'a>(
    message: &Message<'_>,
    part: &'a MessagePart<'_>,
) -> Result<Cow<'a, str>, Problem> {
    let (PartType::Text(text) | PartType::Html(text)) = &part.body else {
        return Err(Problem::NoText);
    };
    let label = part
        .content_type()
        .and_then(|kind| kind.attribute("charset"))
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_sound = !part.is_encoding_problem && !text.contains('\u{fffd}');
    if is_sound && (text.is_ascii() || !is_western(&label)) {
        return Ok(Cow::Borrowed(text.as_ref()));
    }
    let bytes = transfer_decoded(message, part)?;
    let known = charset_decoder(label.as_bytes());
    Ok(Cow::Owned(match (String::from_utf8(bytes), known) {
        // Text that happens to be valid UTF-8 is UTF-8, whatever its label says.
        (Ok(text), _) => text,
        (Err(error), Some(decode)) if !is_unicode(&label) => decode(error.as_bytes()),
        (Err(error), _) => match charset_decoder(b"windows-1252") {
            Some(decode) => decode(error.as_bytes()),
            None => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        },
    }))
}

/// Labels that programs use for whatever they have at hand.
fn is_western(label: &str) -> bool {
    matches!(
        label,
        "us-ascii" | "ascii" | "iso-8859-1" | "latin1" | "windows-1252" | "cp1252"
    )
}

fn is_unicode(label: &str) -> bool {
    matches!(label, "utf-8" | "utf8" | "unicode-1-1-utf-8")
}

/// The part's bytes with its transfer encoding undone, from the raw mail.
fn transfer_decoded(message: &Message<'_>, part: &MessagePart<'_>) -> Result<Vec<u8>, Problem> {
    let range = part.offset_body as usize..part.offset_end as usize;
    let raw = message.raw_message.get(range).ok_or(Problem::Undecodable)?;
    let encoding = part
        .content_transfer_encoding()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match encoding.as_str() {
        "base64" => base64_decode(raw).ok_or(Problem::Undecodable),
        "quoted-printable" => quoted_printable_decode(raw).ok_or(Problem::Undecodable),
        _ => Ok(raw.to_vec()),
    }
}
