//! The words of errands in all languages: `templates/<lang>/errands.yaml`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use serde::Deserialize;

use super::spelling::{Spellings, WrittenWords, in_each_language, words_of};
use crate::game::Lang;

/// A word behind the verb of an errand, and a line's first word that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrandWord {
    /// "Press" as a topic of help.
    Press,
    /// The opening.
    Opening,
    /// A letter, by its number.
    Letter,
    /// A turn, by its number.
    Turn,
    /// Between the first and the last turn.
    Range,
    /// Before the seats at a table.
    As,
    /// Between names.
    And,
    /// The end of a letter.
    End,
    /// All seats.
    All,
    /// The seats of the own party.
    Party,
    /// The umpire.
    Umpire,
    /// Before a name.
    Article,
    /// Before a first day.
    FirstDay,
    /// Before a last day.
    LastDay,
    /// Behind the number of a day.
    Ordinal,
    /// Nobody waits during an absence.
    StandingOrders,
    /// A bot writes during an absence, or plays for somebody who has gone.
    Bot,
    /// Another player for somebody who has gone.
    Replacement,
    /// The win against somebody who has gone.
    Win,
    /// Before a seat.
    For,
    /// Letters go elsewhere.
    Address,
    /// Times are those of a zone.
    Zone,
    /// Maps are made for a screen.
    Picture,
    /// A small one.
    Phone,
    /// A large one.
    Wide,
}

/// The file of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ErrandFile {
    verbs: WrittenWords<String>,
    words: WrittenWords<ErrandWord>,
    months: [String; 12],
    languages: WrittenWords<Lang>,
}

static FILES: LazyLock<BTreeMap<Lang, ErrandFile>> =
    LazyLock::new(|| in_each_language("errands.yaml"));

/// The verbs, by the keys that records and templates know.
pub(super) static VERBS: LazyLock<Spellings<&'static str>> = LazyLock::new(|| {
    let verbs = |file: &'static ErrandFile| -> WrittenWords<&'static str> {
        let verbs = file.verbs.iter();
        verbs
            .map(|(key, spellings)| (key.as_str(), spellings.clone()))
            .collect()
    };
    let languages: Vec<_> = FILES
        .iter()
        .map(|(lang, file)| (*lang, verbs(file)))
        .collect();
    Spellings::new(languages.iter().map(|(lang, verbs)| (*lang, verbs)))
});

/// The other words.
pub(in crate::campaign) static WORDS: LazyLock<Spellings<ErrandWord>> =
    LazyLock::new(|| Spellings::new(FILES.iter().map(|(lang, file)| (*lang, &file.words))));

static LANGUAGES: LazyLock<Spellings<Lang>> =
    LazyLock::new(|| Spellings::new(FILES.iter().map(|(lang, file)| (*lang, &file.languages))));

/// The names of the months, folded, in all languages.
static MONTHS: LazyLock<[BTreeSet<String>; 12]> = LazyLock::new(|| {
    let name = |file: &ErrandFile, at: usize| words_of(file.months.get(at)?).pop();
    std::array::from_fn(|at| FILES.values().filter_map(|file| name(file, at)).collect())
});

/// The language of this name, folded.
#[must_use]
pub fn language(name: &str) -> Option<Lang> {
    Lang::ALL.into_iter().find(|lang| LANGUAGES.is(*lang, name))
}

/// A month by its name, or by three letters of it at least.
pub(super) fn month(word: &str) -> Option<i8> {
    if word.len() < 3 {
        return None;
    }
    let begins = |names: &BTreeSet<String>| names.iter().any(|name| name.starts_with(word));
    let mut months = MONTHS.iter().zip(1..).filter(|(names, _)| begins(names));
    let (_, month) = months.next()?;
    // The first three letters of two months may be the same.
    months.next().is_none().then_some(month)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use crate::{campaign::words::spelling::variants, templates};

    #[test]
    fn every_language_has_all_words() {
        let mut keys = BTreeSet::new();
        for lang in Lang::ALL {
            let text = templates::of_language(lang.code(), "errands.yaml");
            let file: ErrandFile = serde_yaml::from_str(text).unwrap();
            let words: Vec<ErrandWord> = file.words.keys().copied().collect();
            assert_eq!(words.len(), variants::<ErrandWord>(), "{lang:?}");
            assert!(file.languages.keys().copied().eq(Lang::ALL), "{lang:?}");
            keys.insert(file.verbs.into_keys().collect::<Vec<_>>());
        }
        assert_eq!(keys.len(), 1, "{keys:?}");
    }

    #[test]
    fn no_verb_is_spelt_like_another() {
        for file in FILES.values() {
            for (key, spellings) in &file.verbs {
                for spelling in spellings {
                    let found = VERBS.begun_by(&words_of(spelling)).unwrap();
                    assert_eq!((found.meaning, found.exact), (key.as_str(), true));
                }
            }
        }
    }
}
