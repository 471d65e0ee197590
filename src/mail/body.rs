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
    html_copy::without_copy,
    mail_words::{AttachedText, Fate, MailWords, WordsProblem, WordsSource, scan},
    read::MailLimits,
    unwrap::better_broken,
};

/// The most unreadable files that are named.
const MOST_UNREAD: usize = 8;
/// The longest such name, in characters.
const LONGEST_NAME: usize = 80;

/// Reads the parts of a mail.
struct BodyReader<'a, 'm> {
    message: &'a Message<'m>,
    /// The folded words of the sender's name.
    names: &'a [String],
    limits: &'a MailLimits,
}

/// The player's words: from the plain text, else from the HTML, else from an attached text file.
/// Files beside words are kept apart: whether they count is not decided here.
pub(super) fn own_words(message: &Message<'_>, names: &[String], limits: &MailLimits) -> MailWords {
    if has_lost_parts(message) {
        return MailWords::unreadable(WordsSource::Nothing, WordsProblem::BrokenParts);
    }
    let reader = BodyReader {
        message,
        names,
        limits,
    };
    let mut body = reader.body();
    body.unread = reader.unread();
    // Attachments of a forwarded mail were written by somebody else.
    if body.count(Fate::ForwardedOrHeaderBlock) > 0 {
        return body;
    }
    let mut files: Vec<MailWords> = reader.files().filter(is_settled).collect();
    if !is_settled(&body) && !files.is_empty() {
        let unread = body.unread;
        body = MailWords {
            unread,
            ..files.remove(0)
        };
    }
    body.attached = files
        .into_iter()
        .filter_map(|words| {
            let name = words.file()?.to_owned();
            (!words.text.is_empty()).then_some(AttachedText {
                name,
                text: words.text,
            })
        })
        .collect();
    body
}

/// Returns true if there is something to go by: words, or too many of them.
fn is_settled(words: &MailWords) -> bool {
    !words.text.is_empty() || matches!(words.problem, Some(WordsProblem::TooLong { .. }))
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

impl BodyReader<'_, '_> {
    fn body(&self) -> MailWords {
        let text = self.parts(&self.message.text_body, WordsSource::Text);
        let html = self.parts(&self.message.html_body, WordsSource::Html);
        match (text, html) {
            (Some(text), Some(html)) if is_settled(&text) => match without_copy(text, html) {
                (text, Some(html)) => better_broken(text, html),
                (html, None) => html,
            },
            (Some(text), _) if is_settled(&text) => text,
            (text, Some(html)) if is_settled(&html) || text.is_none() => html,
            (Some(text), _) => text,
            (None, _) if is_sealed(self.message) => {
                MailWords::unreadable(WordsSource::Nothing, WordsProblem::Encrypted)
            }
            (None, _) => MailWords::unreadable(WordsSource::Nothing, WordsProblem::NoText),
        }
    }

    /// The words of the body's parts of one kind. Some programs split a body into several (text,
    /// picture, text).
    fn parts(&self, ids: &[u32], source: WordsSource) -> Option<MailWords> {
        let wanted = |part: &&MessagePart<'_>| {
            matches!(
                (&part.body, &source),
                (PartType::Text(_), WordsSource::Text) | (PartType::Html(_), WordsSource::Html)
            )
        };
        let parts: Vec<&MessagePart<'_>> = ids
            .iter()
            .filter_map(|id| self.message.part(*id))
            .filter(wanted)
            .collect();
        if parts.is_empty() {
            return None;
        }
        let texts: Result<Vec<String>, WordsProblem> =
            parts.into_iter().map(|part| self.text(part)).collect();
        Some(match texts {
            Ok(texts) => scan(&texts.join("\n"), source, self.names, self.limits),
            Err(problem) => MailWords::unreadable(source, problem),
        })
    }

    /// The words of the attached texts, as many as are read.
    fn files(&self) -> impl Iterator<Item = MailWords> {
        self.message
            .attachments()
            .filter_map(|part| self.file(part))
            .take(self.limits.files)
    }

    /// The names of the attached files that only a person can read, except for what programs attach
    /// and pictures within the formatted text.
    fn unread(&self) -> Vec<String> {
        let unread = self.message.attachments().filter_map(|part| {
            let name = super::clean_line(part.attachment_name()?);
            let kind = part.content_type()?;
            let subtype = kind.subtype().unwrap_or_default().to_ascii_lowercase();
            let is_document = match kind.ctype().to_ascii_lowercase().as_str() {
                "application" => {
                    !is_type(part, "application", "octet-stream") || !is_text_name(&name)
                }
                "image" | "audio" | "video" => true,
                "text" => !matches!(
                    subtype.as_str(),
                    "plain" | "html" | "calendar" | "vcard" | "x-vcard"
                ),
                _ => false,
            };
            let is_signature = subtype.contains("signature") || subtype.starts_with("pgp-");
            let is_attached = (part.content_disposition()).is_some_and(|kind| kind.is_attachment());
            let stands_in_text = part.content_id().is_some() && !is_attached;
            let is_unread = is_document && !is_signature && !stands_in_text;
            is_unread.then(|| name.chars().take(LONGEST_NAME).collect())
        });
        unread.take(MOST_UNREAD).collect()
    }

    /// The words of an attached text, or of a body that the parser could not place because the mail
    /// breaks off.
    fn file(&self, part: &MessagePart<'_>) -> Option<MailWords> {
        let name = part.attachment_name().map(super::clean_line);
        let is_text_name = name.as_deref().is_some_and(is_text_name);
        if name.as_deref().is_some_and(is_of_programs) {
            return None;
        }
        let is_html = is_type(part, "text", "html");
        let is_text = match part.body {
            PartType::Text(_) | PartType::Html(_) => {
                is_html || is_type(part, "text", "plain") || part.content_type().is_none()
            }
            PartType::Binary(_) | PartType::InlineBinary(_) => is_text_name,
            _ => false,
        };
        if !is_text {
            return None;
        }
        let is_file = name.is_some()
            || part
                .content_disposition()
                .is_some_and(|kind| kind.is_attachment());
        let source = match (is_file, is_html) {
            (true, _) => WordsSource::Attachment(name.unwrap_or_else(|| "attachment".to_owned())),
            (false, true) => WordsSource::Html,
            (false, false) => WordsSource::Text,
        };
        Some(match self.text(part) {
            Ok(text) => scan(&text, source, self.names, self.limits),
            Err(problem) => MailWords::unreadable(source, problem),
        })
    }

    /// A text part as text: characters repaired, flowed lines joined, HTML rendered.
    fn text(&self, part: &MessagePart<'_>) -> Result<String, WordsProblem> {
        let text = characters(self.message, part)?;
        if is_type(part, "text", "html") {
            return html::to_text(&text, self.limits);
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
}

fn is_text_name(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".txt")
}

/// Returns true if a program attached the text: the footer of a list that a server split off, or a
/// register entry of ours that came back.
fn is_of_programs(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let numbered = name
        .strip_prefix("att")
        .and_then(|rest| rest.strip_suffix(".txt"));
    numbered.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        || (name.starts_with("register-") && name.ends_with(".txt"))
}

/// Returns true if a mail is encrypted, or signed in a way that hides its words.
fn is_sealed(message: &Message<'_>) -> bool {
    message.parts.iter().any(|part| {
        is_type(part, "multipart", "encrypted")
            || is_type(part, "application", "pkcs7-mime")
            || is_type(part, "application", "x-pkcs7-mime")
    })
}

/// The characters of a text part. The library decodes; this repairs what senders mislabel.
fn characters<'a>(
    message: &Message<'_>,
    part: &'a MessagePart<'_>,
) -> Result<Cow<'a, str>, WordsProblem> {
    let text = match &part.body {
        PartType::Text(text) | PartType::Html(text) => text,
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
            return Ok(Cow::Owned(unlabelled(bytes.to_vec())));
        }
        _ => return Err(WordsProblem::NoText),
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
        // Text that is valid UTF-8 is UTF-8, whatever its label says.
        (Ok(text), _) => text,
        (Err(error), Some(decode)) if !is_unicode(&label) => decode(error.as_bytes()),
        (Err(error), _) => unlabelled(error.into_bytes()),
    }))
}

/// Text without a believable label: UTF-8, else what Windows writes.
fn unlabelled(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| match charset_decoder(b"windows-1252") {
        Some(decode) => decode(error.as_bytes()),
        None => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// Returns true for labels that programs put on any text.
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
fn transfer_decoded(
    message: &Message<'_>,
    part: &MessagePart<'_>,
) -> Result<Vec<u8>, WordsProblem> {
    let range = part.offset_body as usize..part.offset_end as usize;
    let raw = message
        .raw_message
        .get(range)
        .ok_or(WordsProblem::Undecodable)?;
    let encoding = part
        .content_transfer_encoding()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match encoding.as_str() {
        "base64" => base64_decode(raw).ok_or(WordsProblem::Undecodable),
        "quoted-printable" => quoted_printable_decode(raw).ok_or(WordsProblem::Undecodable),
        _ => Ok(raw.to_vec()),
    }
}
