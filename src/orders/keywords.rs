//! Keywords with all their spellings.

use std::collections::BTreeMap;

use super::{fold::fold, token::LineToken, token::tokens};
use crate::{game::Lang, ordered::IndexMap};

/// A keyword: how it may be written, and how it is printed.
#[derive(Clone, Debug, Default)]
struct Keyword {
    /// Folded words of every spelling in every language, longest first.
    spellings: Vec<Vec<String>>,
    /// The printed spelling in each language.
    shown: BTreeMap<Lang, String>,
}

/// All keywords by id. Looked up by id, never by hash order.
#[derive(Clone, Debug, Default)]
pub struct Keywords {
    keywords: IndexMap<String, Keyword>,
    /// All spellings by their first word, to tell where a name can't begin.
    starts: BTreeMap<String, Vec<Vec<String>>>,
}

impl Keywords {
    /// Adds spellings of a keyword in a language. The first spelling ever given in a language is
    /// the printed one.
    pub fn add(&mut self, id: &str, lang: Lang, spellings: &[String]) {
        let keyword = self.keywords.entry(id.to_owned()).or_default();
        if let Some(first) = spellings.first() {
            keyword.shown.entry(lang).or_insert_with(|| first.clone());
        }
        let id_itself = id.replace('_', " ");
        for spelling in spellings.iter().chain([&id_itself]) {
            let words: Vec<String> = tokens(spelling)
                .iter()
                .filter_map(|token| token.word().map(fold))
                .collect();
            if words.is_empty() || keyword.spellings.contains(&words) {
                continue;
            }
            if let Some(first) = words.first() {
                self.starts
                    .entry(first.clone())
                    .or_default()
                    .push(words.clone());
            }
            keyword.spellings.push(words);
        }
        keyword
            .spellings
            .sort_by_key(|words| std::cmp::Reverse(words.len()));
    }

    /// The ids of all keywords.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.keywords.keys().map(String::as_str)
    }

    /// Returns true if there is such a keyword.
    #[must_use]
    pub fn contains(&self, id: &str) -> bool {
        self.keywords.contains_key(id)
    }

    /// How many tokens from `at` on spell the keyword; the longest spelling counts.
    #[must_use]
    pub fn matches(&self, id: &str, line: &[LineToken], at: usize) -> Option<usize> {
        let keyword = self.keywords.get(id)?;
        keyword
            .spellings
            .iter()
            .find(|words| spelt(words, line, at))
            .map(Vec::len)
    }

    /// How many tokens the longest keyword at a place takes; 0 without any.
    #[must_use]
    pub fn longest(&self, line: &[LineToken], at: usize) -> usize {
        let word = line.get(at).and_then(LineToken::word);
        let spellings = word.and_then(|word| self.starts.get(word));
        let spellings = spellings.into_iter().flatten();
        let spelt = spellings.filter(|words| spelt(words, line, at));
        spelt.map(Vec::len).max().unwrap_or(0)
    }

    /// How many tokens from `at` on spell the IF of a condition: no keyword of the game that begins
    /// with the same word and is longer.
    #[must_use]
    pub fn guard(&self, line: &[LineToken], at: usize) -> Option<usize> {
        let length = self.matches("IF", line, at)?;
        (self.longest(line, at) == length).then_some(length)
    }

    /// Returns true if any keyword is spelt at a place.
    #[must_use]
    pub fn any_at(&self, line: &[LineToken], at: usize) -> bool {
        self.longest(line, at) > 0
    }

    /// The printed spelling in a language; if it has none, that of another language, or the id.
    #[must_use]
    pub fn shown<'a>(&'a self, id: &'a str, lang: Lang) -> &'a str {
        self.keywords
            .get(id)
            .and_then(|keyword| {
                keyword
                    .shown
                    .get(&lang)
                    .or_else(|| keyword.shown.values().next())
            })
            .map_or(id, String::as_str)
    }

    /// Folded spellings of a keyword, for suggestions.
    pub fn spellings(&self, id: &str) -> impl Iterator<Item = String> {
        self.keywords
            .get(id)
            .into_iter()
            .flat_map(|keyword| keyword.spellings.iter().map(|words| words.join(" ")))
    }
}

fn spelt(words: &[String], line: &[LineToken], at: usize) -> bool {
    words.iter().enumerate().all(|(i, word)| {
        line.get(at + i)
            .and_then(LineToken::word)
            .is_some_and(|w| w == word)
    })
}
