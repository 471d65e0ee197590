//! Phrases of all languages together, arranged as they are looked up: every line of every mail is
//! compared with all of them.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use aho_corasick::AhoCorasick;

use super::{LANGUAGES, MailLanguage, PhraseList};

/// Phrases that are a whole line, or the key of one.
pub(in crate::mail) type PhraseSet = LazyLock<HashSet<&'static str>>;

/// Titles of copied mails.
pub(in crate::mail) static SEPARATORS: PhraseSet =
    LazyLock::new(|| all(|language| language.separators).collect());
/// The sender's key in copied header blocks.
pub(in crate::mail) static FROM_KEYS: PhraseSet =
    LazyLock::new(|| all(|language| language.from_keys).collect());
/// The other keys of such blocks.
pub(in crate::mail) static OTHER_KEYS: PhraseSet =
    LazyLock::new(|| all(|language| language.other_keys).collect());
/// Lines that open a block of orders.
pub(in crate::mail) static BEGIN: PhraseSet =
    LazyLock::new(|| all(|language| language.begin).collect());
/// Lines that close it.
pub(in crate::mail) static END: PhraseSet =
    LazyLock::new(|| all(|language| language.end).collect());

/// Words that open a letter.
pub(in crate::mail) static GREETINGS: LazyLock<Beginnings> =
    LazyLock::new(|| Beginnings::of(|language| language.greetings));
/// Lines that close a letter.
pub(in crate::mail) static CLOSINGS: LazyLock<Beginnings> =
    LazyLock::new(|| Beginnings::of(|language| language.closings));
/// Beginnings of lines that programs add.
pub(in crate::mail) static FOOTERS: LazyLock<Beginnings> =
    LazyLock::new(|| Beginnings::of(|language| language.footers));
/// Beginnings of notices on confidence and law.
pub(in crate::mail) static DISCLAIMERS: LazyLock<Beginnings> =
    LazyLock::new(|| Beginnings::of(|language| language.disclaimers));

/// The verbs of attributions.
pub(in crate::mail) static VERBS: LazyLock<PhraseFinder> =
    LazyLock::new(|| PhraseFinder::of(|language| language.verbs));
/// Words of sentences.
pub(in crate::mail) static SENTENCES: LazyLock<PhraseFinder> =
    LazyLock::new(|| PhraseFinder::of(|language| language.sentences));
/// Words of headings over orders.
pub(in crate::mail) static ORDERS: LazyLock<PhraseFinder> =
    LazyLock::new(|| PhraseFinder::of(|language| language.orders));

fn all(phrases: impl Fn(&MailLanguage) -> PhraseList) -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().flat_map(phrases).copied()
}

/// Phrases that lines begin with, by their first letters.
pub(in crate::mail) struct Beginnings(HashMap<char, Vec<&'static str>>);

impl Beginnings {
    fn of(phrases: impl Fn(&MailLanguage) -> PhraseList) -> Self {
        let mut found: HashMap<char, Vec<&str>> = HashMap::new();
        for phrase in all(phrases) {
            // None is empty: a test holds it.
            if let Some(first) = phrase.chars().next() {
                found.entry(first).or_default().push(phrase);
            }
        }
        Self(found)
    }

    /// Each phrase that a line begins with, and what follows it.
    pub(in crate::mail) fn of_line<'l>(
        &self,
        line: &'l str,
    ) -> impl Iterator<Item = (&'static str, &'l str)> {
        let first = line.chars().next();
        let phrases = first.and_then(|first| self.0.get(&first));
        let phrases = phrases.into_iter().flatten();
        phrases.filter_map(move |phrase| Some((*phrase, line.strip_prefix(phrase)?)))
    }
}

/// Phrases that may stand anywhere in a line, looked for all at once.
pub(in crate::mail) struct PhraseFinder {
    phrases: Vec<&'static str>,
    /// Finds them by their numbers. None if it can't be built, which our short lists never cause.
    automaton: Option<AhoCorasick>,
}

impl PhraseFinder {
    fn of(phrases: impl Fn(&MailLanguage) -> PhraseList) -> Self {
        let phrases: Vec<&str> = all(phrases).collect();
        let automaton = AhoCorasick::new(&phrases).ok();
        Self { phrases, automaton }
    }

    /// Returns true if a line has one of the phrases, and not as a part of other words.
    pub(in crate::mail) fn is_in(&self, line: &str) -> bool {
        let Some(automaton) = &self.automaton else {
            return (self.phrases.iter()).any(|phrase| contains_word(line, phrase));
        };
        let mut found = automaton.find_overlapping_iter(line);
        found.any(|found| {
            let phrase = self.phrases.get(found.pattern().as_usize());
            phrase.is_some_and(|phrase| is_whole(line, phrase, found.start()))
        })
    }

    /// Returns true if a line ends with one of the phrases, and has it as words of their own.
    pub(in crate::mail) fn ends(&self, line: &str) -> bool {
        let last = line.as_bytes().last();
        let mut ends = self
            .phrases
            .iter()
            .filter(|phrase| phrase.as_bytes().last() == last && line.ends_with(**phrase));
        ends.any(|phrase| contains_word(line, phrase))
    }
}

/// Returns true if a line has these words, and not as a part of others.
pub(in crate::mail) fn contains_word(line: &str, word: &str) -> bool {
    let mut found = line.match_indices(word);
    found.any(|(at, _)| is_whole(line, word, at))
}

/// Returns true if a word that stands at this byte of a line is no part of another.
fn is_whole(line: &str, word: &str, at: usize) -> bool {
    if word.starts_with(is_unspaced) {
        return true;
    }
    let before = line.get(..at).and_then(|text| text.chars().next_back());
    let after = line
        .get(at + word.len()..)
        .and_then(|text| text.chars().next());
    ![before, after]
        .into_iter()
        .flatten()
        .any(char::is_alphanumeric)
}

/// Letters of China and Japan, which are written without spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}
