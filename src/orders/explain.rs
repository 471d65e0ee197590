//! Diagnostics and receipts as lines of plain text.

use unicode_width::UnicodeWidthStr;

use super::{
    Diagnostic, OrderLine, Reading,
    grammar::Grammar,
    host_words::HostWords,
    print::{print, print_command},
    vocabulary::Vocabulary,
};
use crate::{
    game::Lang,
    value::{Fields, Value},
};

/// Columns of a line of mail.
const COLUMNS: usize = 72;
/// Columns before each line of a receipt: its number and a mark.
const MARGIN: usize = 7;
/// How many characters of the player's line are shown; with dots on both sides they fit beside the
/// margin.
const SHOWN: usize = COLUMNS - MARGIN - 6;
/// Characters shown before the trouble when the line is cut.
const BEFORE: usize = 24;
/// Expected words that are listed.
const LISTED: usize = 8;

/// A wrong line in words: the player's line, a caret under the trouble, the reason, and what could
/// be written.
#[must_use]
pub fn explain(grammar: &Grammar, wrong: &Diagnostic, lang: Lang) -> Vec<String> {
    let Some(words) = grammar.words.get(&lang) else {
        return vec![wrong.reason.clone()];
    };
    let mut lines = Vec::new();
    if !wrong.text.is_empty() {
        lines.extend(quoted(&wrong.text, wrong.span));
    }
    let reason = words.reason(&wrong.reason, &wrong.args);
    lines.extend(wrapped("  ", &harmless(&reason)));
    if let Some(hint) = hint(words, wrong) {
        lines.extend(wrapped("  ", &harmless(&hint)));
    }
    lines
}

/// A line that was understood but can't be carried out, with the reasons under it, and a caret
/// under what they are about.
#[must_use]
pub fn refusal(text: &str, span: Option<(usize, usize)>, reasons: &[String]) -> Vec<String> {
    let mut lines = match span {
        Some(span) => quoted(text, span).to_vec(),
        None => vec![text.to_owned()],
    };
    lines.extend(reasons.iter().flat_map(|reason| wrapped("  ", reason)));
    lines
}

/// What is said of an order whose names were read in the only way that makes sense.
#[must_use]
pub fn guessed(grammar: &Grammar, lang: Lang) -> String {
    let words = grammar.words.get(&lang);
    words.map_or_else(String::new, |words| words.phrase("guessed", &Fields::new()))
}

/// A mail as it was read: every order in its printed form, every wrong line explained, with line
/// numbers.
#[must_use]
pub fn receipt(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    reading: &Reading,
    lang: Lang,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, line) in &reading.lines {
        let body = match line {
            OrderLine::Order(order) => {
                let printed = print(grammar, vocabulary, order, lang);
                printed.lines().map(str::to_owned).collect()
            }
            OrderLine::Command(command) => vec![print_command(grammar, vocabulary, command, lang)],
            OrderLine::Wrong(wrong) => explain(grammar, wrong, lang),
        };
        for (i, text) in body.iter().enumerate() {
            let mark = match (i, line) {
                (0, OrderLine::Wrong(_)) => format!("{number:>4} ! "),
                (0, _) => format!("{number:>4}   "),
                _ => " ".repeat(MARGIN),
            };
            lines.push(format!("{mark}{text}").trim_end().to_owned());
        }
    }
    if lines.is_empty()
        && let Some(words) = grammar.words.get(&lang)
    {
        lines.push(words.phrase("nothing_read", &Fields::new()));
    }
    lines
}

/// The line, cut around the trouble if it is long, and carets under it.
fn quoted(text: &str, (start, end): (usize, usize)) -> [String; 2] {
    let chars: Vec<char> = harmless(text).chars().collect();
    let from = match chars.len() > SHOWN {
        true => start.saturating_sub(BEFORE).min(chars.len() - SHOWN),
        false => 0,
    };
    let slice = |from: usize, to: usize| -> String { chars.iter().take(to).skip(from).collect() };
    let to = (from + SHOWN).min(chars.len());
    let cut = |there: bool| if there { "..." } else { "" };
    let shown = format!(
        "{}{}{}",
        cut(from > 0),
        slice(from, to),
        cut(to < chars.len())
    );
    let before = cut(from > 0).len() + slice(from, start).width();
    let under = slice(start, end.min(to)).width().max(1);
    [
        shown,
        format!("{}{}", " ".repeat(before), "^".repeat(under)),
    ]
}

/// A text without harmful characters: a reason may repeat what a stranger wrote.
fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || is_bidi(c) { ' ' } else { c })
        .collect()
}

/// Characters that turn the direction of writing would move the caret away from its word.
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What the player could have written.
fn hint(words: &HostWords, wrong: &Diagnostic) -> Option<String> {
    let phrase = |key: &str, list: &[String]| {
        let list = either(words, list).into();
        words.phrase(key, &Fields::from([("list".to_owned(), list)]))
    };
    if !wrong.suggestions.is_empty() {
        let key = match wrong.reason.as_str() {
            "ambiguous" => "candidates",
            "no_road" => "roads",
            _ => "suggestions",
        };
        return Some(phrase(key, &wrong.suggestions));
    }
    if !matches!(wrong.reason.as_str(), "too_short" | "unexpected") {
        return None;
    }
    let expected = wrong.args.get("expected")?.as_list()?;
    let expected: Vec<String> = expected
        .iter()
        .take(LISTED)
        .filter_map(|value| match value {
            Value::Text(text) => Some(text.to_string()),
            value => {
                let slot = value.get("slot")?.as_text()?;
                Some(format!("<{}>", words.slots.get(slot)?))
            }
        })
        .collect();
    (!expected.is_empty()).then(|| phrase("expected", &expected))
}

/// "a, b or c" in the language.
fn either(words: &HostWords, list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => {
            let or = words.phrase("or", &Fields::new());
            format!("{} {or} {last}", most.join(", "))
        }
    }
}

/// Words broken into lines of a mail; no-break spaces stay.
fn wrapped(indent: &str, text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_ascii_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= COLUMNS - MARGIN => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}
