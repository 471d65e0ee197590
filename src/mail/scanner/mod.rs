//! Telling the player's own lines from all others, by the habits of mail programs.
//!
//! The lines come folded; the phrases are data (see [`super::phrases`]). When in doubt, a line is
//! kept: the receipt shows it and the player sees the mistake, whereas a line dropped silently
//! would be an order that is never carried out.

mod attribution;
mod courtesy;
mod cuts;
mod marks;
mod shape;

use self::cuts::{is_dated_title, is_separator};
use super::{
    mail_words::Fate,
    own_letter,
    phrases::{DISCLAIMERS, FOOTERS, any},
};

/// The fate of each folded line. `names` are the folded words of the sender's name.
pub(super) fn fates(folded: &[String], names: &[String]) -> Vec<Fate> {
    let scanner = Scanner {
        folded,
        names,
        fates: vec![Fate::Taken; folded.len()],
        cut: folded.len(),
    };
    let (mut fates, cut) = scanner.run();
    marks::keep_marked(folded, &mut fates, cut);
    fates
}

/// Sorts lines into fates, from top to bottom.
struct Scanner<'a> {
    folded: &'a [String],
    names: &'a [String],
    fates: Vec<Fate>,
    /// Where a copied mail that reaches to the end begins.
    cut: usize,
}

impl<'a> Scanner<'a> {
    fn run(mut self) -> (Vec<Fate>, usize) {
        let end = self.folded.len();
        let mut at = 0;
        while at < end {
            at = self.step(at).max(at + 1);
        }
        (self.fates, self.cut)
    }

    /// Decides about line `at` and returns the next undecided line.
    fn step(&mut self, at: usize) -> usize {
        let line = self.line(at);
        if line.is_empty() {
            return at + 1;
        }
        let headed = self.arrowed(at).or_else(|| self.in_table(at));
        if let Some(after) = headed.or_else(|| self.dated_name(at)) {
            return self.introduced(at, after);
        }
        if let Some(after) = self.quoted_headers(at) {
            self.mark(at, after, Fate::Quoted);
            return self.mark_rest(at, after, Fate::ForwardedOrHeaderBlock);
        }
        if is_quoted(line) || self.is_initialled(at) {
            let title = is_separator(line.trim_start_matches(['>', ' ']));
            let fate = if title {
                Fate::ForwardedOrHeaderBlock
            } else {
                Fate::Quoted
            };
            return self.mark(at, at + 1, fate);
        }
        if let Some(letter) = own_letter::letter(self.folded, at) {
            return self.mark(letter.start, letter.end, Fate::OwnLetter);
        }
        if matches!(line, "--" | "__" | "- -") {
            let next = (at + 1..self.folded.len()).find(|&index| self.ends_signature(index));
            return self.mark(at, next.unwrap_or(self.folded.len()), Fate::Signature);
        }
        if let Some(after) = self.copied_mail(at).or_else(|| self.attributed(at)) {
            return after;
        }
        if self.starts_list_footer(at) {
            return self.mark_rest(at, at, Fate::Footer);
        }
        if is_disclaimer(line) {
            let end = (at..self.folded.len()).find(|&index| self.line(index).is_empty());
            return self.mark(at, end.unwrap_or(self.folded.len()), Fate::Footer);
        }
        let added = is_footer(line) || is_anchor(line) || is_ruler(line);
        if added
            || shape::is_device_footer(line)
            || self.is_sent_from(at)
            || self.is_link_of_footer(at)
        {
            return self.mark(at, at + 1, Fate::Footer);
        }
        self.courtesy(at).unwrap_or(at + 1)
    }

    /// A copied mail without marks of quotation: its title or header lines, and all below.
    fn copied_mail(&mut self, at: usize) -> Option<usize> {
        let line = self.line(at);
        let titled = is_dated_title(line) && self.header_block(at + 1).is_some();
        let titled_header = || self.titles_header(at) || self.header_block(at).is_some();
        if !titled && !is_separator(line) && !titled_header() {
            return None;
        }
        self.mark_ruler_above(at);
        let from = if titled { at + 1 } else { at };
        if let Some(heading) = self.heading(from)
            && self.is_own_letter_below(heading)
        {
            return Some(self.mark(at, heading, Fate::ForwardedOrHeaderBlock));
        }
        let next = self.next_with_text(at + 1);
        if let Some(after) = self.attribution(next)
            && is_quoted(self.line(self.next_with_text(after)))
        {
            // Its lines are marked anyhow.
            self.mark(at, next, Fate::ForwardedOrHeaderBlock);
            return Some(self.mark(next, after, Fate::Attribution));
        }
        Some(self.mark_rest(at, at, Fate::ForwardedOrHeaderBlock))
    }

    /// The first line with text from `at` on, or the end of the text.
    fn next_with_text(&self, at: usize) -> usize {
        let mut lines = at..self.folded.len();
        let next = lines.find(|&index| !self.line(index).is_empty());
        next.unwrap_or(self.folded.len())
    }

    fn attributed(&mut self, at: usize) -> Option<usize> {
        let after = self.attribution(at)?;
        self.mark_ruler_above(at);
        Some(self.introduced(at, after))
    }

    /// Takes an attribution up to `after` with the text that it introduces: marked quotations, a
    /// letter of ours, or else everything below.
    fn introduced(&mut self, at: usize, after: usize) -> usize {
        self.mark(at, after, Fate::Attribution);
        let quote = (after..self.folded.len()).find(|&index| !self.line(index).is_empty());
        let is_marked =
            quote.is_some_and(|index| is_quoted(self.line(index)) || self.is_initialled(index));
        if is_marked || self.is_own_letter_below(after) {
            after
        } else {
            self.mark_rest(at, after, Fate::Quoted)
        }
    }

    /// Returns true if the next line with text is the head of a letter of ours, whose foot shows
    /// where it ends.
    fn is_own_letter_below(&self, at: usize) -> bool {
        let next = (at..self.folded.len()).find(|&index| !self.line(index).is_empty());
        next.is_some_and(|next| own_letter::is_head(self.line(next)))
    }

    fn ends_signature(&self, at: usize) -> bool {
        let line = self.line(at);
        is_quoted(line)
            || own_letter::is_head(line)
            || is_separator(line)
            || self.header_block(at).is_some()
            || self.attribution(at).is_some()
            || marks::begins(line)
            || is_disclaimer(line)
    }

    /// `AN> text`, the initials of the person quoted: below an attribution or another such line, or
    /// above one.
    fn is_initialled(&self, at: usize) -> bool {
        let Some(name) = initials(self.line(at)) else {
            return false;
        };
        let above = (0..at).rev().find(|&index| !self.line(index).is_empty());
        let follows = above
            .and_then(|above| self.fates.get(above))
            .is_some_and(|fate| matches!(fate, Fate::Attribution | Fate::Quoted));
        follows || initials(self.line(at + 1)) == Some(name)
    }

    /// "Sent from Nine": the name of a program that nobody knows, below everything that the player
    /// wrote.
    fn is_sent_from(&self, at: usize) -> bool {
        const MOST_WORDS: usize = 5;
        let line = self.line(at);
        if !line.starts_with("sent from ") {
            return false;
        }
        let short = line.split(' ').count() <= MOST_WORDS && !line.contains([',', ':', '#', '?']);
        let next = self.next_with_text(at + 1);
        let last =
            next == self.folded.len() || is_ruler(self.line(next)) || self.ends_signature(next);
        short && last
    }

    /// A link alone in its line, below a line that a program added.
    fn is_link_of_footer(&self, at: usize) -> bool {
        let link = self.line(at).trim_matches(['<', '>', '(', ')']);
        let is_link = link.starts_with("https://") || link.starts_with("http://");
        let above = at.checked_sub(1).and_then(|above| self.fates.get(above));
        is_link && !link.contains(' ') && above == Some(&Fate::Footer)
    }

    fn line(&self, index: usize) -> &'a str {
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

    /// For a copied mail that begins at `cut`: gives all lines from `start` a fate and returns the
    /// end of the text.
    fn mark_rest(&mut self, cut: usize, start: usize, fate: Fate) -> usize {
        self.cut = self.cut.min(cut);
        self.mark(start, self.folded.len(), fate)
    }

    /// A ruler between the player's words and a copied mail belongs to the copy.
    fn mark_ruler_above(&mut self, at: usize) {
        if let Some(above) = at
            .checked_sub(1)
            .filter(|&above| is_ruler(self.line(above)) || is_framed(self.line(above)))
        {
            self.mark(above, at, Fate::ForwardedOrHeaderBlock);
        }
    }
}

fn is_quoted(line: &str) -> bool {
    line.starts_with('>') || own_letter::is_printed(line)
}

/// The initials in front of a quotation: "an" of "an> text".
fn initials(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once('>')?;
    let is_name =
        (1..=5).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_name && (rest.is_empty() || rest.starts_with([' ', '>']))).then_some(name)
}

/// Returns true for a program's phrase at the beginning of a line. "Sent from my ..." must be
/// short: a longer line is a sentence.
fn is_footer(line: &str) -> bool {
    const MOST_WORDS: usize = 6;
    FOOTERS.of_line(line).any(|(phrase, rest)| {
        let short = !rest.contains(',') && rest.split(' ').count() <= MOST_WORDS;
        short || !phrase.ends_with(' ')
    })
}

/// Returns true for the rest of a link within a footer that was HTML: "<#dab4fad8-2dd7-40bb>".
fn is_anchor(line: &str) -> bool {
    let name = line
        .strip_prefix("<#")
        .and_then(|line| line.strip_suffix('>'));
    name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
}

/// A notice on confidence and law, perhaps framed by stars.
fn is_disclaimer(line: &str) -> bool {
    let framed = line.starts_with("**");
    let line = line.trim_matches(['*', '-', '_', '=', ' ']);
    let is_title = |phrase: &str| phrase.trim_end_matches(':') == line;
    DISCLAIMERS.of_line(line).next().is_some()
        || framed && any(|language| language.disclaimers, is_title)
}

/// A title between strokes: "----- Oprindelig meddelelse -----".
fn is_framed(line: &str) -> bool {
    let title = line.trim_matches(['-', '_', '=', '*', ' ']);
    let framed = ["--", "__", "=="];
    let is_framed = framed
        .iter()
        .any(|frame| line.starts_with(frame) && line.ends_with(frame));
    is_framed && !title.is_empty() && title.split(' ').count() <= 4
}

/// A line of ten or more strokes and nothing else.
fn is_ruler(line: &str) -> bool {
    line.chars().count() >= 10
        && line
            .chars()
            .all(|c| matches!(c, '_' | '-' | '=' | '*' | '\u{2500}'..='\u{257f}'))
}

#[cfg(test)]
mod tests;
