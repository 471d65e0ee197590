//! The shape of a letter's text, as its reader sees it: headings, paragraphs, lists, examples. A
//! page of the letter shows the same words in the same order.

use serde::Serialize;

use crate::mail::LETTER_HEAD;

/// A part of a letter's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LetterPart {
    /// A line in capitals.
    Heading(String),
    /// Lines that begin at the margin.
    Paragraph(String),
    /// `  - one thing`.
    Items(Vec<String>),
    /// `  SP - strength points`.
    Terms(Vec<[String; 2]>),
    /// `  # MOVE 17 Acqui TO 4136`: lines to copy.
    Examples(Vec<String>),
    /// Lines shown as they stand.
    Lines(Vec<String>),
    /// `  3 | MOVE 17 Acqui TO 4136`: what was read, with remarks below it.
    Read(Vec<LineRead>),
}

/// A numbered line that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct LineRead {
    number: String,
    text: String,
    remark: String,
}

/// The text of a letter taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct LetterShape {
    /// The lines of its head.
    pub title: Vec<String>,
    /// The parts below the heading.
    pub parts: Vec<LetterPart>,
}

impl LetterShape {
    /// The shape of a text. `explains`: indented lines are words with their meanings.
    pub(super) fn of(text: &str, explains: bool) -> Self {
        let text = text.strip_prefix(LETTER_HEAD).unwrap_or(text);
        let mut lines = text.trim_start_matches('\n').lines();
        let title = lines.by_ref().take_while(|line| !line.is_empty());
        let title = title.map(str::to_owned).collect();
        let mut parts = Vec::new();
        let mut goes_on = false;
        for line in lines {
            if line.is_empty() {
                goes_on = false;
            } else {
                add(&mut parts, line, goes_on, explains);
                goes_on = true;
            }
        }
        Self { title, parts }
    }
}

/// Adds a line to the last part, or begins another one. `goes_on`: no empty line is before it.
fn add(parts: &mut Vec<LetterPart>, line: &str, goes_on: bool, explains: bool) {
    let inner = line.trim_start();
    let indent = line.len() - inner.len();
    let copied = inner == "|" || inner.starts_with("| ");
    let numbered = inner.split_once(" | ").filter(|(number, _)| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    match parts.last_mut() {
        Some(LetterPart::Read(rows)) if indent > 0 => {
            if let Some((number, text)) = numbered {
                rows.push(row(number, text));
            } else if let Some(row) = rows.last_mut() {
                match inner.strip_prefix("| ") {
                    Some(text) => joined(&mut row.text, text),
                    None => joined(&mut row.remark, inner),
                }
            }
        }
        _ if numbered.is_some() => {
            let rows = numbered.map(|(number, text)| row(number, text));
            parts.push(LetterPart::Read(rows.into_iter().collect()));
        }
        Some(LetterPart::Lines(lines)) if copied || indent > 0 => {
            lines.push(inner.to_owned());
        }
        _ if copied => parts.push(LetterPart::Lines(vec![inner.to_owned()])),
        last if indent > 0 => indented(last, inner, indent, explains)
            .into_iter()
            .for_each(|part| parts.push(part)),
        Some(LetterPart::Paragraph(text)) if goes_on => joined(text, inner),
        _ => parts.push(if is_heading(inner) {
            LetterPart::Heading(sentence(inner))
        } else {
            LetterPart::Paragraph(inner.to_owned())
        }),
    }
}

/// Adds an indented line to the last part, or gives another one.
fn indented(
    last: Option<&mut LetterPart>,
    inner: &str,
    indent: usize,
    explains: bool,
) -> Option<LetterPart> {
    let (item, example) = (inner.strip_prefix("- "), inner.strip_prefix("# "));
    let term = inner.split_once(" - ").filter(|_| explains);
    match (last, item, example, term) {
        (Some(LetterPart::Items(items)), Some(item), ..) => items.push(item.to_owned()),
        (_, Some(item), ..) => return Some(LetterPart::Items(vec![item.to_owned()])),
        (Some(LetterPart::Examples(lines)), _, Some(_), _) => lines.push(inner.to_owned()),
        (_, _, Some(_), _) => return Some(LetterPart::Examples(vec![inner.to_owned()])),
        (Some(LetterPart::Items(items)), ..) if indent > 2 => {
            if let Some(item) = items.last_mut() {
                joined(item, inner);
            }
        }
        (Some(LetterPart::Terms(terms)), _, _, Some((word, meaning))) => {
            terms.push([word, meaning].map(str::to_owned));
        }
        (_, _, _, Some((word, meaning))) => {
            return Some(LetterPart::Terms(vec![[word, meaning].map(str::to_owned)]));
        }
        (Some(LetterPart::Terms(terms)), ..) => {
            if let Some([_, meaning]) = terms.last_mut() {
                joined(meaning, inner);
            }
        }
        _ => return Some(LetterPart::Lines(vec![inner.to_owned()])),
    }
    None
}

fn row(number: &str, text: &str) -> LineRead {
    LineRead {
        number: number.to_owned(),
        text: text.to_owned(),
        remark: String::new(),
    }
}

fn joined(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// Returns true if a line is in capitals, as far as its colon.
fn is_heading(line: &str) -> bool {
    let words = line.split_once(':').map_or(line, |(words, _)| words);
    let letters = || words.chars().filter(|letter| letter.is_alphabetic());
    letters().count() > 3 && letters().all(char::is_uppercase) && !line.contains('@')
}

/// A line in capitals as a sentence is written.
fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    let first = letters.next().into_iter();
    first.chain(letters.flat_map(char::to_lowercase)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, explains: bool) -> Vec<LetterPart> {
        let shape = LetterShape::of(&format!("{LETTER_HEAD}\n\nReceipt\n\n{text}"), explains);
        assert_eq!(shape.title, ["Receipt"]);
        shape.parts
    }

    fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
        texts.map(str::to_owned).to_vec()
    }

    #[test]
    fn words_are_told_by_their_shape() {
        let text =
            "YOUR SEAT\n\nYou play\nred.\n\nSettings:\n  - one\n    more\n  - two\n\n  # MOVE\n";
        assert_eq!(
            parts(text, true),
            [
                LetterPart::Heading("Your seat".into()),
                LetterPart::Paragraph("You play red.".into()),
                LetterPart::Paragraph("Settings:".into()),
                LetterPart::Items(texts(["one more", "two"])),
                LetterPart::Examples(texts(["# MOVE"])),
            ]
        );
        let terms = "  SP - strength\n  points\n  CF - combat\n";
        assert_eq!(
            parts(terms, true),
            [LetterPart::Terms(vec![
                ["SP".into(), "strength points".into()],
                ["CF".into(), "combat".into()]
            ])]
        );
        assert_eq!(
            parts("  A - B\n", false),
            [LetterPart::Lines(texts(["A - B"]))]
        );
    }

    #[test]
    fn lines_that_were_read_keep_their_numbers_and_remarks() {
        let text = "NOT UNDERSTOOD: 1 line\n\n  line 2\n    | MUVE\n    | ^\n\nUnderstood:\n\n  1 | MOVE a\n    | b\n      It ends there.\n 12 | HOLD\n\nYour words:\n\n| MOVE\n";
        assert_eq!(
            parts(text, false),
            [
                LetterPart::Heading("Not understood: 1 line".into()),
                LetterPart::Lines(texts(["line 2", "| MUVE", "| ^"])),
                LetterPart::Paragraph("Understood:".into()),
                LetterPart::Read(vec![
                    LineRead {
                        remark: "It ends there.".into(),
                        ..row("1", "MOVE a b")
                    },
                    row("12", "HOLD"),
                ]),
                LetterPart::Paragraph("Your words:".into()),
                LetterPart::Lines(texts(["| MOVE"])),
            ]
        );
    }
}
