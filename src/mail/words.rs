//! The player's own words: which lines of a mail count, and why the others do not.
//!
//! A line scanner after the habits of the mail programs: quotes, attributions, copied header blocks, forwarded mails,
//! signatures and footers are recognised by the phrases of [`super::phrases`]. Every line keeps its [`Fate`], so that a
//! receipt can say exactly what was read and what was ignored.

use serde::Serialize;

use super::{
    phrases::{LANGUAGES, Language, fold},
    read::Limits,
};

/// The player's own words in a mail, and what became of each line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    /// The taken lines, without blank lines at either end; empty when there is a [`Problem`].
    #[serde(rename = "words")]
    pub text: String,
    /// Which part of the mail they come from.
    pub source: Source,
    /// Why nothing could be read, if so.
    pub problem: Option<Problem>,
    /// Every line of that part, in order.
    pub lines: Vec<WordLine>,
}

/// One line of a mail's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WordLine {
    /// Its number in the mail's text, from 1.
    pub number: usize,
    /// The line, without trailing blanks or control characters.
    pub text: String,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Counts as the player's own word (or is a blank line between such).
    Taken,
    /// A quotation: begins with `>`, or follows an attribution.
    Quoted,
    /// "On Monday Ada wrote:".
    Attribution,
    /// The signature after `--`.
    Signature,
    /// Added by a program: "Sent from my telephone", the footer of a list, a ruler.
    Footer,
    /// A forwarded or copied mail: its title, its header lines and all below.
    ForwardedOrHeaderBlock,
    /// Outside of the block that the player marked with BEGIN ORDERS and END ORDERS, or one of these marks.
    OutsideMarkers,
}

/// The part of a mail that the words come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
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
pub enum Problem {
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
    /// The mail says that it has parts, and they can't be told apart.
    #[error(
        "The parts of the mail can't be told apart (its boundary is missing). Please send it again as plain text."
    )]
    BrokenParts,
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

impl Words {
    /// Words that could not be read.
    pub(super) fn unreadable(source: Source, problem: Problem) -> Self {
        Self {
            text: String::new(),
            source,
            problem: Some(problem),
            lines: Vec::new(),
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

    /// Whether the words come from an attached file.
    #[must_use]
    pub fn from_attachment(&self) -> bool {
        matches!(self.source, Source::Attachment(_))
    }
}

/// Sorts the lines of a text and keeps the player's own.
pub(super) fn scan(text: &str, source: Source, limits: &Limits) -> Words {
    let texts: Vec<String> = clean(text)
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    let folded: Vec<String> = texts.iter().map(|line| fold_start(line)).collect();
    let mut fates = Scanner {
        folded: &folded,
        fates: vec![Fate::Taken; folded.len()],
    }
    .run();
    keep_marked(&folded, &mut fates);

    let lines: Vec<WordLine> = texts
        .into_iter()
        .zip(fates)
        .enumerate()
        .map(|(index, (text, fate))| WordLine {
            number: index + 1,
            text,
            fate,
        })
        .collect();
    let text = taken_text(&lines);
    let count = text.lines().count();
    if text.len() > limits.words_bytes || count > limits.words_lines {
        let problem = Problem::TooLong {
            lines: count,
            bytes: text.len(),
        };
        return Words {
            text: String::new(),
            source,
            problem: Some(problem),
            lines,
        };
    }
    Words {
        text,
        source,
        problem: None,
        lines,
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

/// One kind of line end and of space; no control characters, no invisible or direction marks.
fn clean(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .filter_map(|character| match character {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{b}' | '\u{c}' => Some('\n'),
            '\t' => Some('\t'),
            '\u{a0}' | '\u{202f}' | '\u{2000}'..='\u{200a}' => Some(' '),
            '\u{ad}'
            | '\u{feff}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' => None,
            c if c.is_control() => None,
            c => Some(c),
        })
        .collect()
}

/// No phrase is longer than this; what follows in a line does not matter.
const LONGEST_PHRASE: usize = 400;

fn fold_start(line: &str) -> String {
    match line.char_indices().nth(LONGEST_PHRASE) {
        // The end matters too: an attribution ends with a colon.
        Some((end, _)) => fold(line.get(..end).unwrap_or(line)) + " ...",
        None => fold(line),
    }
}

/// Sorts lines into fates, from top to bottom.
struct Scanner<'a> {
    folded: &'a [String],
    fates: Vec<Fate>,
}

impl Scanner<'_> {
    fn run(mut self) -> Vec<Fate> {
        let end = self.folded.len();
        let mut at = 0;
        while at < end {
            at = self.step(at);
        }
        self.fates
    }

    /// Decides about line `at` and returns the next undecided line.
    fn step(&mut self, at: usize) -> usize {
        let end = self.folded.len();
        let line = self.line(at);
        if is_quoted(line) {
            return self.mark(at, at + 1, Fate::Quoted);
        }
        if line == "--" {
            let quote = (at..end)
                .find(|&index| is_quoted(self.line(index)))
                .unwrap_or(end);
            return self.mark(at, quote, Fate::Signature);
        }
        if is_separator(line) || self.starts_header_block(at) {
            self.mark_ruler_above(at);
            return self.mark(at, end, Fate::ForwardedOrHeaderBlock);
        }
        if self.starts_list_footer(at) {
            return self.mark(at, end, Fate::Footer);
        }
        if let Some(after) = self.attribution(at) {
            self.mark_ruler_above(at);
            self.mark(at, after, Fate::Attribution);
            let quote = (after..end).find(|&index| !self.line(index).is_empty());
            return match quote {
                Some(index) if is_quoted(self.line(index)) => after,
                _ => self.mark(after, end, Fate::Quoted),
            };
        }
        if is_footer(line) || is_ruler(line) {
            return self.mark(at, at + 1, Fate::Footer);
        }
        at + 1
    }

    fn line(&self, index: usize) -> &str {
        self.folded.get(index).map_or("", String::as_str)
    }

    /// Gives the lines from `start` to before `end` a fate and returns `end`.
    fn mark(&mut self, start: usize, end: usize, fate: Fate) -> usize {
        self.fates
            .iter_mut()
            .take(end)
            .skip(start)
            .for_each(|slot| *slot = fate);
        end
    }

    /// A ruler between the player's words and a copied mail belongs to the copy.
    fn mark_ruler_above(&mut self, at: usize) {
        if let Some(above) = at
            .checked_sub(1)
            .filter(|&above| is_ruler(self.line(above)))
        {
            self.mark(above, at, Fate::ForwardedOrHeaderBlock);
        }
    }

    /// At least three header lines, the sender's among them; two below a ruler.
    fn starts_header_block(&self, at: usize) -> bool {
        let keys: Vec<Key> = (at..self.folded.len())
            .map_while(|index| header_key(self.line(index)))
            .take(6)
            .collect();
        let below_ruler = at
            .checked_sub(1)
            .is_some_and(|above| is_ruler(self.line(above)));
        keys.contains(&Key::From) && keys.len() >= if below_ruler { 2 } else { 3 }
    }

    /// A ruler with the words of a mailing list's footer in the three lines below.
    fn starts_list_footer(&self, at: usize) -> bool {
        is_ruler(self.line(at))
            && (at + 1..at + 4).any(|index| {
                any(
                    |language| language.lists,
                    |phrase| self.line(index).contains(phrase),
                )
            })
    }

    /// The line after an attribution of up to four lines that starts at `at`.
    fn attribution(&self, at: usize) -> Option<usize> {
        let mut joined = String::new();
        for index in at..at + 4 {
            let line = self.line(index);
            // A line that opens an attribution of its own is not the continuation of another.
            if line.is_empty() || is_quoted(line) || (index > at && self.is_attribution_line(index))
            {
                return None;
            }
            joined.push_str(line);
            if is_opened_attribution(&joined) || (index == at && is_plain_attribution(&joined)) {
                return Some(index + 1);
            }
            joined.push(' ');
        }
        None
    }

    fn is_attribution_line(&self, index: usize) -> bool {
        is_opened_attribution(self.line(index))
            || is_opened_attribution(&format!("{} {}", self.line(index), self.line(index + 1)))
    }
}

fn any(
    phrases: impl Fn(&Language) -> &'static [&'static str],
    test: impl Fn(&'static str) -> bool,
) -> bool {
    LANGUAGES
        .iter()
        .any(|language| phrases(language).iter().any(|phrase| test(phrase)))
}

fn is_quoted(line: &str) -> bool {
    line.starts_with('>')
}

/// "On 3 March 2025 at 10:12, Ada <ada@example.org> wrote:" in any known language.
fn is_opened_attribution(line: &str) -> bool {
    let Some(body) = line.strip_suffix(':') else {
        return false;
    };
    let dated = body.contains(|c: char| c.is_ascii_digit() || c == '@');
    LANGUAGES.iter().any(|language| {
        language
            .openers
            .iter()
            .any(|opener| starts_with_word(body, opener))
            && language
                .verbs
                .iter()
                .any(|verb| contains_word(body, verb) && (dated || body.trim_end().ends_with(verb)))
    })
}

/// "Ada <ada@example.org> wrote:", without a date.
fn is_plain_attribution(line: &str) -> bool {
    line.strip_suffix(':').is_some_and(|body| {
        body.contains('@')
            && any(
                |language| language.verbs,
                |verb| body.trim_end().ends_with(&format!(" {verb}")),
            )
    })
}

fn starts_with_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word)
        .is_some_and(|rest| rest.starts_with([' ', ',']))
}

fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line
            .get(at + word.len()..)
            .and_then(|text| text.chars().next());
        ![before, after]
            .into_iter()
            .flatten()
            .any(char::is_alphanumeric)
    })
}

/// "-----Original Message-----" and "Begin forwarded message:".
fn is_separator(line: &str) -> bool {
    let core = line.trim_matches(['-', '_', '*', '=', ' ']);
    let title = core.trim_end_matches([':', ' ']);
    let framed = line.starts_with("--") || line.starts_with("__") || core.ends_with(':');
    framed && any(|language| language.separators, |phrase| title == phrase)
}

fn is_footer(line: &str) -> bool {
    any(
        |language| language.footers,
        |phrase| line.starts_with(phrase),
    )
}

/// A line of ten or more strokes and nothing else.
fn is_ruler(line: &str) -> bool {
    line.chars().count() >= 10
        && line
            .chars()
            .all(|c| matches!(c, '_' | '-' | '=' | '*' | '\u{2500}'..='\u{257f}'))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    From,
    Other,
}

/// The kind of a copied header line: "From: Ada", "*Envoyé :* lundi".
fn header_key(line: &str) -> Option<Key> {
    let (key, _) = line.trim_start_matches('*').split_once(':')?;
    let key = key.trim_end_matches([' ', '*']);
    if any(|language| language.from_keys, |phrase| key == phrase) {
        Some(Key::From)
    } else {
        any(|language| language.other_keys, |phrase| key == phrase).then_some(Key::Other)
    }
}

/// When the player marked a block of orders, only what is inside of it counts.
fn keep_marked(folded: &[String], fates: &mut [Fate]) {
    let is_mark = |line: &str, marks: fn(&Language) -> &'static [&'static str]| {
        let line = line.trim_matches(|c: char| !c.is_alphanumeric());
        any(marks, |phrase| line == phrase)
    };
    let taken = |fates: &[Fate], index: usize| fates.get(index) == Some(&Fate::Taken);
    let begins = |line: &str| is_mark(line, |language| language.begin);
    if !folded
        .iter()
        .enumerate()
        .any(|(index, line)| taken(fates, index) && begins(line))
    {
        return;
    }
    let mut inside = false;
    for (line, fate) in folded
        .iter()
        .zip(fates.iter_mut())
        .filter(|(_, fate)| **fate == Fate::Taken)
    {
        let begin = begins(line);
        let end = is_mark(line, |language| language.end);
        if begin || end {
            inside = begin;
        }
        if begin || end || !inside {
            *fate = Fate::OutsideMarkers;
        }
    }
}
