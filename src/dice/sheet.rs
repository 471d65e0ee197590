//! The part of a letter that is bound (docs/dice.md, section 8): the fields of its header that
//! people read, its text, its page, and its files, without the lines that prove themselves.
//!
//! What mail servers and mail programs do to a letter on its way does not matter here: folding of
//! lines, encoding of parts, added fields, spaces at the ends of lines.

use std::fmt;

use super::{
    hash::{Digest, hash, hash_bytes},
    lines::bare_lines,
    names::CampaignName,
    proof::parted,
    register::is_entry_file,
};

/// A bound field of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SheetField {
    /// The sender: the game's title and the host's mailbox.
    From,
    /// The reader.
    To,
    /// The address for answers.
    ReplyTo,
    /// The subject.
    Subject,
    /// When it was written.
    Date,
    /// Its name: `<campaign>.<seat>.<number>.<mark>@<domain>`.
    MessageId,
}

impl SheetField {
    /// All of them, in the order of a sheet.
    pub const ALL: [Self; 6] = [
        Self::From,
        Self::To,
        Self::ReplyTo,
        Self::Subject,
        Self::Date,
        Self::MessageId,
    ];

    /// Its name in a mail's header; a sheet has it in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::From => "From",
            Self::To => "To",
            Self::ReplyTo => "Reply-To",
            Self::Subject => "Subject",
            Self::Date => "Date",
            Self::MessageId => "Message-ID",
        }
    }
}

impl fmt::Display for SheetField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The contents of a file attached to a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetContent<'t> {
    /// A plain text: its lines count, whatever they say.
    Text(&'t str),
    /// A page: its lines count too.
    Page(&'t str),
    /// Anything else: its bytes count.
    Bytes(&'t [u8]),
    /// Such bytes, by their digest.
    Digest(Digest),
}

/// A line of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SheetLine {
    /// A field and its value.
    Field(SheetField, String),
    /// The words of the text.
    Text(Digest),
    /// The words of the page.
    Page(Digest),
    /// A file and its name.
    File(Digest, String),
}

impl SheetLine {
    /// The part of a letter that it is about, for people.
    #[must_use]
    pub fn part(&self) -> String {
        match self {
            Self::Field(field, _) => field.to_string(),
            Self::Text(_) => "the text".to_owned(),
            Self::Page(_) => "the HTML part".to_owned(),
            Self::File(_, name) => format!("the file {name}"),
        }
    }
}

impl fmt::Display for SheetLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field, value) => {
                write!(f, "{} {value}", field.name().to_ascii_lowercase())
            }
            Self::Text(digest) => write!(f, "text {digest}"),
            Self::Page(digest) => write!(f, "html {digest}"),
            Self::File(digest, name) => write!(f, "file {digest} {name}"),
        }
    }
}

/// The bound part of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    campaign: CampaignName,
    lines: Vec<SheetLine>,
}

impl Sheet {
    /// The sheet of a letter, from the decoded values of its fields (both values of a repeated
    /// field); its text; its page in HTML, if it has one; and its other parts in their order, each
    /// with its name.
    #[must_use]
    pub fn new<'t>(
        campaign: &CampaignName,
        fields: &[(SheetField, String)],
        text: &str,
        page: Option<&str>,
        files: impl IntoIterator<Item = (&'t str, SheetContent<'t>)>,
    ) -> Self {
        let words = |text: &str| hash(&parted(campaign, text).words);
        let named = |field: SheetField| fields.iter().filter(move |(known, _)| *known == field);
        let mut lines: Vec<SheetLine> = (SheetField::ALL.into_iter().flat_map(named))
            .map(|(field, value)| SheetLine::Field(*field, one_line(value)))
            .collect();
        lines.push(SheetLine::Text(words(text)));
        lines.extend(page.map(|page| SheetLine::Page(words(page))));
        for (name, content) in files {
            let digest = match content {
                // An attached entry of the register proves itself, too.
                SheetContent::Text(text) if is_entry_file(campaign, name, text) => continue,
                SheetContent::Text(text) | SheetContent::Page(text) => {
                    let lines = bare_lines(text).flat_map(|line| [line, "\n"]);
                    hash(&lines.collect::<String>())
                }
                SheetContent::Bytes(bytes) => hash_bytes(bytes),
                SheetContent::Digest(digest) => digest,
            };
            lines.push(SheetLine::File(digest, one_line(name)));
        }
        Self {
            campaign: campaign.clone(),
            lines,
        }
    }

    /// Its lines below the first.
    #[must_use]
    pub fn lines(&self) -> &[SheetLine] {
        &self.lines
    }

    /// `H` of the sheet.
    #[must_use]
    pub fn digest(&self) -> Digest {
        hash(&self.to_string())
    }
}

impl fmt::Display for Sheet {
    /// The canonical text: `sd1 letter <campaign>` and the lines, each with its LF.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sd1 letter {}", self.campaign)?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// A value in one line: mail programs fold long fields at any blank.
fn one_line(value: &str) -> String {
    let words: Vec<&str> = value
        .split([' ', '\t', '\r', '\n'])
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    fn sheet(fields: &[(SheetField, String)], text: &str) -> Sheet {
        let campaign = "spring".parse().unwrap();
        Sheet::new(&campaign, fields, text, None, [])
    }

    #[test]
    fn fields_have_one_order_and_one_line() {
        let fields = [
            (SheetField::Subject, "Turn\r\n 1".to_owned()),
            (SheetField::From, "The host  <game@example.org>".to_owned()),
            (SheetField::Subject, "Turn 2".to_owned()),
        ];
        let text = sheet(&fields, "Hello\n").to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..4],
            [
                "sd1 letter spring",
                "from The host <game@example.org>",
                "subject Turn 1",
                "subject Turn 2",
            ]
        );
        assert_eq!(lines[4], format!("text {}", hash("Hello\n")));
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn what_proves_itself_is_left_out_and_everything_else_counts() {
        let campaign: CampaignName = "spring".parse().unwrap();
        let head = hash("x");
        let entry = format!("sd1 spring 3 note\nprev {head}\ntext a\nhead {head}\n");
        let attached = ("register-spring-3.txt", SheetContent::Text(entry.as_str()));
        let bare = Sheet::new(&campaign, &[], "Hello\n", Some("<p>\n"), []);
        let sent = Sheet::new(
            &campaign,
            &[],
            &format!("Hello \n\n{entry}\nregister 3 {head}\n"),
            Some(&format!("<p>\n{entry}")),
            [attached],
        );
        assert_eq!(sent, bare);
        let more = Sheet::new(
            &campaign,
            &[],
            "Hello\n",
            Some("<p>\n"),
            [("map.png", SheetContent::Bytes(b"png"))],
        );
        assert_eq!(more.lines().len(), 3);
        assert_ne!(more.digest(), bare.digest());
        assert_eq!(
            more.lines()[2].to_string(),
            format!("file {} map.png", hash("png"))
        );
    }
}
