//! "On 3 March 2025 at 10:12, Ada <ada@example.org> wrote:" in the forms of the various mail
//! programs, over one to four lines.

use super::{
    Scanner,
    courtesy::is_greeting,
    is_quoted,
    shape::{LineSetting, is_date, is_date_and_name, is_dated_name, is_shaped},
};
use crate::mail::{
    own_letter,
    phrases::{LANGUAGES, MailLanguage, SENTENCES, VERBS, any, contains_word},
};

/// Lines that an attribution may be broken into.
const MOST_LINES: usize = 4;
/// The most words in the last line of an attribution that goes on behind its address.
const MOST_END: usize = 4;
/// The fewest digits of a date: "3 March 25".
const FEWEST_DIGITS: usize = 3;
/// The most words in an attribution of one line without an address: "Ada North wrote on 3 March:".
const MOST_WORDS: usize = 12;

impl Scanner<'_> {
    /// The line after an attribution that starts at `at`.
    pub(super) fn attribution(&self, at: usize) -> Option<usize> {
        let may_end = |index| {
            let line = self.line(index);
            line.ends_with([':', '>', '-', ')']) || line.contains('@') || ends_with_verb(line)
        };
        if !(at..at + MOST_LINES).any(may_end) {
            return None;
        }
        let mut joined = String::new();
        for index in at..at + MOST_LINES {
            let line = self.line(index);
            // A line that opens an attribution of its own is not the continuation of another.
            if line.is_empty() || is_quoted(line) || (index > at && self.begins_opened(index)) {
                return None;
            }
            joined.push_str(line);
            if self.is_attribution(&joined, at, index) {
                return Some(self.with_verb_below(index + 1));
            }
            joined.push(' ');
        }
        None
    }

    /// The line after an attribution behind three arrows, which stands above a copy without marks:
    /// ">>> Ada <ada@example.org> 03/03/25 09:58 >>>".
    pub(super) fn arrowed(&self, at: usize) -> Option<usize> {
        let line = self.line(at).strip_prefix(">>>")?;
        let line = line.trim_matches(['>', ' ']);
        let next = self.line(self.next_with_text(at + 1));
        let setting = LineSetting {
            alone: true,
            last: true,
            quoted_below: false,
        };
        let known = is_opened(line, false) || is_named(line) || is_shaped(line, setting);
        (known && !is_quoted(next)).then_some(at + 1)
    }

    /// The line after a row of a table that is made of a date, a name and an address, above a copy
    /// without marks: "| Ada <ada@example.org> | 3 March 2025 |".
    pub(super) fn in_table(&self, at: usize) -> Option<usize> {
        let row = self.line(at).strip_prefix('|')?.strip_suffix('|')?;
        let text = row.split('|').map(str::trim).collect::<Vec<_>>().join(" ");
        let next = self.line(self.next_with_text(at + 1));
        let setting = LineSetting {
            alone: true,
            last: true,
            quoted_below: false,
        };
        (is_shaped(&text, setting) && !next.is_empty() && !is_quoted(next)).then_some(at + 1)
    }

    /// The line after one that has nothing but a date and a name, "3 March 2025, Ada North", if a
    /// mail begins below it: with a greeting, or as a letter of ours. Such a line may be a player's
    /// own as well, with orders behind it, so that alone it ends nothing.
    pub(super) fn dated_name(&self, at: usize) -> Option<usize> {
        let above = at.checked_sub(1).map_or("", |above| self.line(above));
        let apart = above.is_empty() || is_quoted(above);
        let next = self.line(self.next_with_text(at + 1));
        let begins = own_letter::is_head(next) || is_greeting(next);
        let known = apart && is_date_and_name(self.line(at)) && begins && self.has_own_above(at);
        known.then_some(at + 1)
    }

    /// Returns true if the lines from `first` to `last`, joined, are an attribution.
    fn is_attribution(&self, joined: &str, first: usize, last: usize) -> bool {
        let framed = joined.starts_with("--");
        let text = joined.trim_matches(['-', ' ']);
        let alone = first == last;
        let known = is_opened(text, framed)
            || (alone && (is_cited(text) || is_framed_saying(joined) || is_dated_saying(text)));
        if known {
            return true;
        }
        let quoted_below = || {
            let next = (last + 1..self.folded.len()).find(|&index| !self.line(index).is_empty());
            next.is_some_and(|next| is_quoted(self.line(next)))
        };
        let begins_with_name = first == last || {
            let line = self.line(first);
            line.contains('@') || is_date(line) || says(line)
        };
        (begins_with_name && is_named(text))
            || (first == last && is_short(text) && quoted_below())
            || self.is_shaped_from(first, last)
    }

    /// The line after an attribution whose verb was broken off: "10:12 napsala:" above a quotation.
    fn with_verb_below(&self, at: usize) -> usize {
        let line = self.line(at);
        let next = (at + 1..self.folded.len()).find(|&index| !self.line(index).is_empty());
        let quoted = next.is_some_and(|next| is_quoted(self.line(next)));
        let short = line.ends_with(':') && !is_quoted(line) && line.split(' ').count() <= MOST_END;
        at + usize::from(short && quoted)
    }

    fn begins_opened(&self, index: usize) -> bool {
        is_opened(self.line(index), false)
            || is_opened(
                &format!("{} {}", self.line(index), self.line(index + 1)),
                false,
            )
    }
}

/// "On Monday Ada wrote:": a word that opens, a verb, and a date or an address; a frame of dashes
/// stands for the colon.
fn is_opened(line: &str, framed: bool) -> bool {
    let body = match line.strip_suffix(':') {
        Some(body) => body,
        None if framed => line,
        None => return false,
    };
    if !says(body) {
        return false;
    }
    let dated = body.contains(|c: char| c.is_ascii_digit() || c == '@');
    LANGUAGES.iter().any(|language: &MailLanguage| {
        let opens = |opener: &&str| starts_with_word(body, opener);
        let says = |verb: &&str| {
            contains_word(body, verb)
                && (dated || body.trim_end_matches([' ', ',']).ends_with(*verb))
        };
        language.openers.iter().any(opens) && language.verbs.iter().any(says)
    })
}

/// "Ada <ada@example.org> schrieb am Mo., 3. März 2025, 09:58:": a verb, and an address or a time
/// of day; without a colon both, or the verb is the last word.
fn is_named(line: &str) -> bool {
    let (address, time) = (line.contains('@'), has_time(line));
    if let Some(body) = line.strip_suffix(':') {
        return (address || time) && says(body);
    }
    let short = line.split(' ').count() <= MOST_WORDS && !line.contains(['#', '!', '?']);
    address && short && says(line) && (time || ends_with_verb(line))
}

/// "Quoting Ada North (2025-03-03 09:58:12)": the verb first, a date in brackets last; with or
/// without a colon.
fn is_cited(line: &str) -> bool {
    let body = line.trim_end_matches([':', ' ']);
    let bracket = body.strip_suffix(')').and_then(|it| it.rsplit_once(" ("));
    let dated = bracket.is_some_and(|(_, inside)| {
        inside.chars().filter(char::is_ascii_digit).count() >= FEWEST_DIGITS
    });
    dated
        && any(
            |language| language.verbs,
            |verb| starts_with_word(body, verb),
        )
}

/// "---- Ada North wrote ----": a frame of three dashes or more stands for date and address.
fn is_framed_saying(line: &str) -> bool {
    const FRAME: &str = "---";
    let text = line.trim_matches(['-', ' ']);
    let framed = line.starts_with(FRAME) && line.ends_with(FRAME);
    framed && (2..=MOST_WORDS).contains(&text.split(' ').count()) && says(text)
}

/// "Monday 3 March 2025, Ada North wrote": a whole date first, the verb last, and little between
/// them; with or without a colon.
fn is_dated_saying(line: &str) -> bool {
    let body = line.trim_end_matches([':', ' ']);
    is_dated_name(body)
        && ends_with_verb(body)
        && !SENTENCES.is_in(body)
        && !body.contains(['#', '!', '?'])
}

fn ends_with_verb(line: &str) -> bool {
    VERBS.ends(line)
}

fn says(line: &str) -> bool {
    VERBS.is_in(line)
}

/// "Ada North writes:" counts only above a quotation.
fn is_short(line: &str) -> bool {
    line.strip_suffix(':').is_some_and(|body| {
        (2..=MOST_WORDS).contains(&body.trim_end().split(' ').count()) && says(body)
    })
}

/// "09:58", "9.58", "9h58".
fn has_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).any(|four| match four {
        [hour, b':' | b'.' | b'h', tens, ones] => {
            [hour, tens, ones].iter().all(|byte| byte.is_ascii_digit())
        }
        _ => false,
    })
}

fn starts_with_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word)
        .is_some_and(|rest| rest.starts_with([' ', ',']))
}
