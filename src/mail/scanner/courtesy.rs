//! "Hello Ada," and "Best regards": words of courtesy, which are neither orders nor mistakes.

use super::Scanner;
use crate::mail::{
    mail_words::Fate,
    phrases::{CLOSINGS, GREETINGS},
};

/// Lines of a name below a closing phrase.
const MOST_NAMES: usize = 3;

impl Scanner<'_> {
    /// The line after words of courtesy that start at `at`.
    pub(super) fn courtesy(&mut self, at: usize) -> Option<usize> {
        if is_greeting(self.line(at)) && self.is_first(at) {
            return Some(self.mark(at, at + 1, Fate::Courtesy));
        }
        if !self.is_closing(self.line(at)) {
            return self
                .is_signed(at)
                .then(|| self.mark(at, at + 1, Fate::Courtesy));
        }
        let mut end = at + 1;
        let mut names = 0;
        for index in at + 1..self.folded.len() {
            if self.line(index).is_empty() {
                continue;
            }
            if names == MOST_NAMES || !self.is_name(self.line(index)) {
                break;
            }
            (end, names) = (index + 1, names + 1);
        }
        Some(self.mark(at, end, Fate::Courtesy))
    }

    /// Nothing of the player stands above.
    fn is_first(&self, at: usize) -> bool {
        let above = self.folded.iter().zip(&self.fates).take(at);
        above
            .filter(|(line, _)| !line.is_empty())
            .all(|(_, fate)| *fate != Fate::Taken)
    }

    /// The sender's name alone, at the end of what the player wrote.
    fn is_signed(&self, at: usize) -> bool {
        let next = (at + 1..self.folded.len()).find(|&index| !self.line(index).is_empty());
        self.is_name(self.line(at)) && next.is_none_or(|next| self.ends_signature(next))
    }

    /// "Best regards," alone or with the sender's name in the same line.
    fn is_closing(&self, line: &str) -> bool {
        let line = line.trim_matches(['*', '-', ' ']);
        CLOSINGS.of_line(line).any(|(_, rest)| {
            let rest = rest.trim_start_matches([',', '.', '!', ' ']);
            rest.is_empty() || self.is_name(rest)
        })
    }

    /// Nothing but words, or initials, of the sender's name.
    fn is_name(&self, line: &str) -> bool {
        let mut words = line
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .peekable();
        words.peek().is_some()
            && words.all(|word| {
                let is_initial = |name: &String| word.len() == 1 && name.starts_with(word);
                self.names
                    .iter()
                    .any(|name| name == word || is_initial(name))
            })
    }
}

/// "Hello", "Dear Ada,", "Bonjour à tous !".
pub(super) fn is_greeting(line: &str) -> bool {
    const MOST_WORDS: usize = 3;
    GREETINGS.of_line(line).any(|(_, rest)| {
        let ends = rest.ends_with([',', '!', ':', '.']);
        let words = rest
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .count();
        let apart = rest.is_empty() || rest.starts_with([' ', ',', '!', '.']);
        apart && (words == 0 || (ends && words <= MOST_WORDS))
    })
}
