//! The player's own words: which lines of a mail count, and why the others do not.
//!
//! Every line keeps its [`Fate`], so that a receipt can say exactly what was read and what was
//! ignored. [`super::scanner`] decides the fates.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{armour, headers::is_invisible, phrases::fold, read::MailLimits, scanner};

/// The player's own words in a mail, and the fate of each line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MailWords {
    /// The taken lines, without blank lines at either end; empty when there is a [`WordsProblem`].
    #[serde(rename = "words")]
    pub text: String,
    /// Which part of the mail they come from.
    pub source: WordsSource,
    /// Why nothing could be read, if nothing could.
    pub problem: Option<WordsProblem>,
    /// Every line of that part, in order.
    pub lines: Vec<WordLine>,
    /// Words of attached text files beside those of the mail's own text.
    pub attached: Vec<AttachedText>,
    /// The names of the attached files that can't be read: documents, pictures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// The words of an attached text file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttachedText {
    /// Its name.
    pub name: String,
    /// Its taken lines.
    pub text: String,
}

/// A line of a mail's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WordLine {
    /// Its number in the mail's text, from 1.
    pub number: usize,
    /// The line, without trailing blanks or control characters.
    pub text: String,
    /// The fate of the line.
    pub fate: Fate,
}

/// The fate of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Counts as the player's own words (or is a blank line between them).
    Taken,
    /// A quotation: begins with `>`, a stroke or initials, or follows an attribution.
    Quoted,
    /// "On Monday Ada wrote:".
    Attribution,
    /// The signature after `--`.
    Signature,
    /// "Hello Ada" in the first line, before everything else.
    Courtesy,
    /// Added by a program: "Sent from my telephone", the footer of a list, a ruler.
    Footer,
    /// A forwarded or copied mail: its title, its header lines and all below.
    ForwardedOrHeaderBlock,
    /// From a letter of ours that came back without its `> `.
    OwnLetter,
    /// Outside the block that the player marked with BEGIN ORDERS and END ORDERS, or one of these
    /// marks.
    OutsideMarkers,
}

impl Fate {
    /// The reason for leaving out such a line, as records and receipts name it; none for a taken
    /// line.
    #[must_use]
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::Taken => None,
            Self::Quoted | Self::Attribution => Some("quoted"),
            Self::Signature => Some("signature"),
            Self::Courtesy => Some("courtesy"),
            Self::Footer => Some("footer"),
            Self::ForwardedOrHeaderBlock => Some("forwarded"),
            Self::OwnLetter => Some("own_letter"),
            Self::OutsideMarkers => Some("outside"),
        }
    }
}

/// The part of a mail that the words come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WordsSource {
    /// The plain text.
    Text,
    /// The HTML, because there was no plain text of the player's own.
    Html,
    /// A text file attached to an empty mail: its name.
    Attachment(String),
    /// There is no text at all.
    Nothing,
}

/// Why the words of a mail could not be read, for the answer to its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum WordsProblem {
    /// No part with text.
    #[error(
        "The mail has no readable text. Please send the orders as plain text in the mail itself."
    )]
    NoText,
    /// The transfer encoding is broken.
    #[error(
        "The text of the mail arrived damaged (its encoding can't be undone). Please send it again."
    )]
    Undecodable,
    /// The mail says that it has parts, but they can't be told apart.
    #[error(
        "The parts of the mail can't be told apart (its boundary is missing). Please send it again as plain text."
    )]
    BrokenParts,
    /// Only the holder of the key can read it.
    #[error("The mail is encrypted. Please send your orders as plain text that is not.")]
    Encrypted,
    /// More HTML, or more deeply nested HTML, than a person writes.
    #[error(
        "The formatted text of the mail is too large or too intricate to read. Please send it as plain text."
    )]
    HtmlTooComplex,
    /// More words than the limits allow.
    #[error(
        "There are {lines} lines ({bytes} bytes) of text; that is more than can be read. Please shorten the mail."
    )]
    TooLong {
        /// Taken lines.
        lines: usize,
        /// Their bytes.
        bytes: usize,
    },
}

impl MailWords {
    /// Words that could not be read.
    pub(super) fn unreadable(source: WordsSource, problem: WordsProblem) -> Self {
        Self {
            text: String::new(),
            source,
            problem: Some(problem),
            lines: Vec::new(),
            attached: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// How many lines with text had this fate.
    #[must_use]
    pub fn count(&self, fate: Fate) -> usize {
        self.lines
            .iter()
            .filter(|line| line.fate == fate && !line.text.trim().is_empty())
            .count()
    }

    /// How many lines with text were left out for each reason of [`Fate::key`].
    #[must_use]
    pub fn left_out(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        let written = |line: &&WordLine| !line.text.trim().is_empty();
        for line in self.lines.iter().filter(written) {
            if let Some(why) = line.fate.key() {
                *counts.entry(why.to_owned()).or_insert(0) += 1;
            }
        }
        counts
    }

    /// The attached file that the words come from, if they come from one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match &self.source {
            WordsSource::Attachment(name) => Some(name),
            _ => None,
        }
    }
}

/// The words of a plain text that came without a mail around it.
#[must_use]
pub fn words_of(text: &str, limits: &MailLimits) -> MailWords {
    scan(text, WordsSource::Text, &[], limits)
}

/// Sorts the lines of a text and keeps the player's own. `names` are the folded words of the
/// player's name.
pub(super) fn scan(
    text: &str,
    source: WordsSource,
    names: &[String],
    limits: &MailLimits,
) -> MailWords {
    let mut texts: Vec<String> = clean(text)
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    if texts.len() > limits.text_lines {
        let problem = WordsProblem::TooLong {
            lines: texts.len(),
            bytes: text.len(),
        };
        return MailWords::unreadable(source, problem);
    }
    let armour = armour::take_off(&mut texts);
    let folded: Vec<String> = texts
        .iter()
        .zip(&armour)
        .map(|(line, armour)| {
            if *armour {
                String::new()
            } else {
                fold_start(line)
            }
        })
        .collect();
    let fates = scanner::fates(&folded, names);

    let lines: Vec<WordLine> = texts
        .into_iter()
        .zip(fates)
        .zip(armour)
        .enumerate()
        .map(|(index, ((text, fate), armour))| WordLine {
            number: index + 1,
            text,
            fate: if armour { Fate::Footer } else { fate },
        })
        .collect();
    let text = taken_text(&lines);
    let count = text.lines().count();
    let problem = if text.len() > limits.words_bytes || count > limits.words_lines {
        Some(WordsProblem::TooLong {
            lines: count,
            bytes: text.len(),
        })
    } else if text.starts_with(armour::ENCRYPTED) {
        Some(WordsProblem::Encrypted)
    } else {
        None
    };
    MailWords {
        text: if problem.is_some() {
            String::new()
        } else {
            text
        },
        source,
        problem,
        lines,
        attached: Vec::new(),
        unread: Vec::new(),
    }
}

/// The taken lines as one text, without blank lines at either end.
fn taken_text(lines: &[WordLine]) -> String {
    let taken: Vec<&str> = lines
        .iter()
        .filter(|line| line.fate == Fate::Taken)
        .map(|line| line.text.as_str())
        .collect();
    let first = taken
        .iter()
        .position(|line| !line.trim().is_empty())
        .unwrap_or(taken.len());
    let last = taken
        .iter()
        .rposition(|line| !line.trim().is_empty())
        .map_or(first, |last| last + 1);
    taken.get(first..last).unwrap_or_default().join("\n")
}

/// The text with one kind of line end and of space, and without control characters, invisible
/// characters or direction marks.
fn clean(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .filter_map(|character| match character {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{b}' | '\u{c}' => Some('\n'),
            '\t' => Some('\t'),
            '\u{a0}' | '\u{202f}' | '\u{2000}'..='\u{200a}' => Some(' '),
            c if c.is_control() || is_invisible(c) => None,
            c => Some(c),
        })
        .collect()
}

/// The length of the longest phrase; the rest of a line does not matter.
const LONGEST_PHRASE: usize = 400;

fn fold_start(line: &str) -> String {
    match line.char_indices().nth(LONGEST_PHRASE) {
        // The end matters too: an attribution ends with a colon.
        Some((end, _)) => fold(line.get(..end).unwrap_or(line)) + " ...",
        None => fold(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan_text(text: &str) -> MailWords {
        words_of(text, &MailLimits::default())
    }

    #[test]
    fn characters_that_cannot_be_seen_are_removed() {
        let words =
            scan_text("\u{feff}MO\u{200b}VE\u{a0}Alpha\u{202e}\r\nHOLD\u{7}\tBeta\rREST  \n");
        assert_eq!(words.text, "MOVE Alpha\nHOLD\tBeta\nREST");
    }

    #[test]
    fn blank_lines_stay_between_words_and_are_not_counted() {
        let words = scan_text("\n\nHOLD\n\n  MOVE\n\n");
        assert_eq!(words.text, "HOLD\n\n  MOVE");
        assert_eq!(words.count(Fate::Taken), 2);
        assert_eq!(words.lines.len(), 6);
    }

    #[test]
    fn nothing_is_no_problem() {
        let words = scan_text("");
        assert_eq!((words.text.as_str(), words.problem), ("", None));
    }
}
