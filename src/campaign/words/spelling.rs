//! How words of a mail are spelt: without accents, in any case, with one slip of the pen; and what
//! they mean, by the lists of all languages.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::{game::Lang, orders, templates};

/// The shortest word that may be misspelt.
const LEAST_FORGIVEN: usize = 5;

/// The words of a line, folded: letters, digits, and the points of a range.
#[must_use]
pub fn words_of(line: &str) -> Vec<String> {
    let spaced = line.replace("..", " - ").replace('\u{2026}', " - ");
    let words = spaced.split(|c: char| !(c.is_alphanumeric() || c == '-' || is_mark(c)));
    let folded = words.map(orders::fold).filter(|word| !word.is_empty());
    folded.collect()
}

/// Returns true for accents that follow their letter.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Returns true if words are this spelling, or a slip of the pen away from it.
#[must_use]
pub fn is_spelt(written: &str, spelling: &str) -> bool {
    written == spelling
        || spelling.len() >= LEAST_FORGIVEN
            && written.len() >= LEAST_FORGIVEN
            // A letter has no more bytes than that.
            && written.len().abs_diff(spelling.len()) <= 4
            // One slip leaves one of the ends as it is.
            && (written.as_bytes().first() == spelling.as_bytes().first()
                || written.as_bytes().last() == spelling.as_bytes().last())
            // The same for one slip as the unrestricted distance, and quicker.
            && strsim::osa_distance(written, spelling) == 1
}

/// What may be written for each meaning, as a file of words has it.
pub type WrittenWords<T> = BTreeMap<T, Vec<String>>;

/// The file `templates/<lang>/<name>` of each language. One that can't be read is left out, and
/// found by the tests of its type.
#[must_use]
pub fn in_each_language<B: DeserializeOwned>(name: &str) -> BTreeMap<Lang, B> {
    let read = |lang: Lang| serde_yaml::from_str(templates::of_language(lang.code(), name));
    let files = Lang::ALL.into_iter();
    files
        .filter_map(|lang| Some((lang, read(lang).ok()?)))
        .collect()
}

/// The spellings of some meanings in all languages.
#[derive(Clone, Debug)]
pub struct Spellings<T>(Vec<Spelling<T>>);

#[derive(Clone, Debug)]
struct Spelling<T> {
    meaning: T,
    lang: Lang,
    /// Its words, folded, with a blank between them.
    text: String,
    /// How many they are.
    length: usize,
}

/// A spelling that was found at the beginning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundSpelling<T> {
    /// What it means.
    pub meaning: T,
    /// Its language.
    pub lang: Lang,
    /// How many words it takes.
    pub length: usize,
    /// It is written to the letter.
    pub exact: bool,
}

impl<T: Copy + Ord> Spellings<T> {
    /// The spellings of all languages.
    pub fn new<'w>(languages: impl IntoIterator<Item = (Lang, &'w WrittenWords<T>)>) -> Self
    where
        T: 'w,
    {
        let mut all = Vec::new();
        for (lang, words) in languages {
            for (meaning, spellings) in words {
                all.extend(spellings.iter().map(|spelling| {
                    let words = words_of(spelling);
                    Spelling {
                        meaning: *meaning,
                        lang,
                        text: words.join(" "),
                        length: words.len(),
                    }
                }));
            }
        }
        all.sort_by_key(|spelling| spelling.meaning);
        Self(all)
    }

    /// The spelling that words begin with, perhaps with a slip: one written to the letter before
    /// others, then the longest.
    #[must_use]
    pub fn begun_by(&self, words: &[String]) -> Option<FoundSpelling<T>> {
        let mut best: Option<FoundSpelling<T>> = None;
        // The first word, the first two, and so on, as far as spellings go.
        let most = self.0.iter().map(|it| it.length).max().unwrap_or(0);
        let beginnings = (0..=most.min(words.len())).map(|length| words[..length].join(" "));
        let beginnings: Vec<String> = beginnings.collect();
        for spelling in &self.0 {
            let length = spelling.length;
            let Some(written) = beginnings.get(length) else {
                continue;
            };
            let exact = *written == spelling.text;
            let is_better = best.is_none_or(|best| (exact, length) > (best.exact, best.length));
            if is_better && is_spelt(written, &spelling.text) {
                best = Some(FoundSpelling {
                    meaning: spelling.meaning,
                    lang: spelling.lang,
                    length,
                    exact,
                });
            }
        }
        best
    }

    /// How many words at the beginning mean this, to the letter; the longest spelling counts.
    #[must_use]
    pub fn length_of<W: AsRef<str>>(&self, meaning: T, words: &[W]) -> Option<usize> {
        let is_begun = |spelling: &&Spelling<T>| {
            let mut texts = spelling.text.split(' ');
            let begun = words.get(..spelling.length);
            begun.is_some_and(|words| words.iter().all(|word| Some(word.as_ref()) == texts.next()))
        };
        let meant = self.0.iter().filter(|it| it.meaning == meaning);
        meant.filter(is_begun).map(|it| it.length).max()
    }

    /// Returns true if a folded text means this, to the letter.
    #[must_use]
    pub fn is(&self, meaning: T, text: &str) -> bool {
        self.texts_of(meaning).any(|spelling| spelling == text)
    }

    /// What may be written for a meaning, folded.
    pub fn texts_of(&self, meaning: T) -> impl Iterator<Item = &str> {
        let meant = self.0.iter().filter(move |it| it.meaning == meaning);
        meant.map(|it| it.text.as_str())
    }
}

/// How many variants an enumeration has, as the error of its reader lists them.
#[cfg(test)]
pub(crate) fn variants<T: DeserializeOwned>() -> usize {
    let error = serde_yaml::from_str::<T>("none of them").err();
    let error = error.map(|error| error.to_string()).unwrap_or_default();
    error
        .split("expected one of")
        .nth(1)
        .map_or(0, |known| known.split(',').count())
}
