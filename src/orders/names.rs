//! A list of things with their names, found by exact spelling, else by unique beginnings of words.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::token::{LineToken, LineTokenKind, Sign, tokens};
use crate::game::MapIndex;

/// An abbreviation has at least one word of this length: "go" can't stand for a place.
const SHORTEST: usize = 3;

/// The thing that the words at a place in a line name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameMatch<'a> {
    /// One thing: its id, and how many tokens its name takes there.
    One {
        /// Its id.
        id: &'a str,
        /// How many tokens its name takes.
        length: usize,
    },
    /// Several things: their names as printed.
    Many {
        /// The names.
        names: Vec<&'a str>,
        /// How many tokens they take.
        length: usize,
    },
    /// Nothing that is known.
    Nothing,
}

/// A thing with its names.
#[derive(Debug)]
pub struct NameEntry {
    id: String,
    shown: String,
    /// Folded words of each spelling; a hyphen or another sign is a word of its own.
    spellings: Vec<Vec<String>>,
    /// The same with blanks between.
    joined: Vec<Arc<str>>,
}

/// Names of things of one sort (spaces, own pieces ...).
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    entries: Vec<Arc<NameEntry>>,
    by_id: BTreeMap<String, usize>,
    exact: BTreeMap<Arc<str>, BTreeSet<usize>>,
    longest: usize,
    /// The signs that occur in names: `/` in "2/59 Line". Only there are they parts of words.
    signs: BTreeSet<String>,
    /// The map whose hexes can be named by their labels.
    labels: Option<MapIndex>,
}

impl NameEntry {
    /// A thing: its id, the name that is printed, and all other spellings. The id is a spelling
    /// too.
    pub fn new<'a>(
        id: &'a str,
        shown: &'a str,
        others: impl IntoIterator<Item = &'a str>,
    ) -> Arc<Self> {
        let mut spellings = Vec::new();
        for spelling in [shown, id].into_iter().chain(others) {
            let words = words(&spelling.replace('_', " "));
            let open: Vec<_> = words
                .iter()
                .filter(|word| !is_sign(word))
                .cloned()
                .collect();
            for words in [words, open] {
                if !words.is_empty() && !spellings.contains(&words) {
                    spellings.push(words);
                }
            }
        }
        let joined = spellings.iter().map(|words| words.join(" ").into());
        Arc::new(Self {
            id: id.to_owned(),
            shown: shown.to_owned(),
            joined: joined.collect(),
            spellings,
        })
    }

    /// The thing's id.
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl NameIndex {
    /// Lets labels of hexes be names, without a list of them.
    pub fn read_labels(&mut self, map: &MapIndex) {
        self.longest = self.longest.max(1);
        self.labels = Some(map.clone());
    }

    /// The id of the hex that a word is the label of.
    fn label(&self, word: &str) -> Option<&str> {
        let map = self.labels.as_ref()?;
        let hex = map.hexes()?.grid().number(word)?;
        Some(map.space_at(hex)?.id.as_str())
    }

    /// Adds a thing by its names.
    pub fn add<'a>(
        &mut self,
        id: &'a str,
        shown: &'a str,
        others: impl IntoIterator<Item = &'a str>,
    ) {
        self.add_entry(NameEntry::new(id, shown, others));
    }

    /// Adds a thing whose names are already split into words.
    pub fn add_entry(&mut self, entry: Arc<NameEntry>) {
        let number = self.entries.len();
        for (words, joined) in entry.spellings.iter().zip(&entry.joined) {
            self.exact
                .entry(Arc::clone(joined))
                .or_default()
                .insert(number);
            self.longest = self.longest.max(words.len());
            self.signs
                .extend(words.iter().filter(|word| is_sign(word)).cloned());
        }
        self.by_id.insert(entry.id.clone(), number);
        self.entries.push(entry);
    }

    /// The ids of all things, in their order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.id.as_str())
    }

    /// The printed name of a thing, whether or not it reads back.
    #[must_use]
    pub fn name(&self, id: &str) -> Option<&str> {
        let entry = self.by_id.get(id).and_then(|&n| self.entries.get(n));
        entry.map(|entry| entry.shown.as_str())
    }

    /// The ids of all things that a text names as a whole.
    #[must_use]
    pub fn meant(&self, text: &str) -> Vec<&str> {
        let line = tokens(text);
        let words = self.words_at(&line, 0);
        let Some(numbers) = self.exact.get(words.join(" ").as_str()) else {
            return match words.as_slice() {
                [word] => self.label(word).into_iter().collect(),
                _ => Vec::new(),
            };
        };
        let entries = numbers.iter().filter_map(|&n| self.entries.get(n));
        entries.map(|entry| entry.id.as_str()).collect()
    }

    /// Returns true if a thing has a name that begins with these words and is longer.
    #[must_use]
    pub fn begins(&self, id: &str, text: &str) -> bool {
        let entry = self.by_id.get(id).and_then(|&n| self.entries.get(n));
        let begun = words(text);
        entry.is_some_and(|entry| {
            let mut spellings = entry.spellings.iter();
            spellings.any(|it| it.len() > begun.len() && it.starts_with(&begun))
        })
    }

    /// Returns true if there is a thing of this id.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// What the words from `at` on name. The longest match wins; of equal ones, a name written out.
    /// Only the first `short` tokens may be beginnings of words.
    #[must_use]
    pub fn find(&self, line: &[LineToken], at: usize, short: usize) -> NameMatch<'_> {
        let words = self.words_at(line, at);
        for length in (1..=words.len()).rev() {
            let words = words.get(..length).unwrap_or_default();
            if let Some(numbers) = self.exact.get(words.join(" ").as_str()) {
                return self.found(numbers.iter().copied(), length);
            }
            if let [word] = words
                && let Some(id) = self.label(word)
            {
                return NameMatch::One { id, length };
            }
            if length <= short {
                let begun = self.beginning_with(words);
                if !begun.is_empty() {
                    return self.found(begun.into_iter(), length);
                }
            }
        }
        NameMatch::Nothing
    }

    /// The name that is printed for an id: one that reads back as this very thing, if any does.
    #[must_use]
    pub fn shown(&self, id: &str) -> Option<&str> {
        let Some(entry) = self.by_id.get(id).and_then(|&n| self.entries.get(n)) else {
            return self.label(id);
        };
        let own = |text: &str| {
            let line = tokens(text);
            // A line would end in the middle of it.
            if text.contains(['#', ';', '；', '\n']) {
                return false;
            }
            matches!(self.find(&line, 0, 0), NameMatch::One { id: found, length, .. } if found == id && length == line.len())
        };
        if own(&entry.shown) || !own(&entry.id.replace('_', " ")) {
            Some(&entry.shown)
        } else {
            Some(&entry.id)
        }
    }

    /// All names as printed, with their spellings, for suggestions.
    pub fn spellings(&self) -> impl Iterator<Item = (&str, String)> {
        self.entries.iter().flat_map(|entry| {
            entry
                .spellings
                .iter()
                .map(|words| (entry.shown.as_str(), words.join(" ")))
        })
    }

    /// Words from a place on, with signs that occur in names; no more than the longest name has.
    fn words_at<'a>(&self, line: &'a [LineToken], at: usize) -> Vec<&'a str> {
        line.iter()
            .skip(at)
            .take(self.longest)
            .map_while(|token| match &token.kind {
                LineTokenKind::Word(word) => Some(word.as_str()),
                LineTokenKind::Sign(Sign::Dash) => Some("-"),
                LineTokenKind::Sign(sign) => self.signs.contains(sign.text()).then(|| sign.text()),
            })
            .collect()
    }

    /// The ids of all things of which a name begins with the words of these tokens.
    pub(super) fn begun_by(&self, line: &[LineToken], at: usize, length: usize) -> Vec<&str> {
        let words = self.words_at(line, at);
        let words = words.get(..length).unwrap_or_default();
        let numbers = self.beginning_with(words).into_iter();
        let entries = numbers.filter_map(|number| self.entries.get(number));
        entries.map(|entry| entry.id.as_str()).collect()
    }

    /// The ids of all things of which a name is written like this but for one slip of the pen, in a
    /// word of at least so many letters: a letter wrong, missing or too many, or two changed over.
    pub(super) fn nearly(&self, written: &[&str], least: usize) -> Vec<&str> {
        let is_near = |words: &&Vec<String>| {
            let mut slips = 0;
            words.len() == written.len()
                && words.iter().zip(written).all(|(word, written)| {
                    slips += usize::from(word != written);
                    word == written
                        || written.chars().count() >= least
                            && strsim::damerau_levenshtein(word, written) == 1
                })
                && slips == 1
        };
        let entries = self.entries.iter();
        let near = entries.filter(|entry| entry.spellings.iter().any(|words| is_near(&words)));
        near.map(|entry| entry.id.as_str()).collect()
    }

    fn beginning_with(&self, begun: &[&str]) -> Vec<usize> {
        let is_number = |word: &str| word.bytes().all(|it| it.is_ascii_digit());
        // A battalion and its regiment, "1/59", are as good as a word.
        let is_battalion = matches!(begun, [battalion, "/", regiment] if is_number(battalion) && is_number(regiment));
        let is_long = |word: &&str| word.chars().count() >= SHORTEST;
        // "Mid -" is a place and a dash, and no beginning of "Mid-Atlantic Ocean".
        let ends_in_sign = begun.last().is_some_and(|word| is_sign(word));
        if ends_in_sign || !(is_battalion || begun.iter().any(is_long)) {
            return Vec::new();
        }
        let fits = |words: &Vec<String>| {
            words.len() >= begun.len()
                && words.iter().zip(begun).all(|(word, begun)| {
                    let rest = word.strip_prefix(begun);
                    if is_sign(begun) || is_number(begun) {
                        // A number does not abbreviate a longer one; a regiment's is an ordinal.
                        let ends = |rest: &str| {
                            rest.is_empty() || is_battalion && rest.starts_with(char::is_alphabetic)
                        };
                        rest.is_some_and(ends)
                    } else {
                        rest.is_some()
                    }
                })
        };
        self.entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.spellings.iter().any(fits))
            .map(|(number, _)| number)
            .collect()
    }

    fn found(&self, numbers: impl Iterator<Item = usize>, length: usize) -> NameMatch<'_> {
        let entries: Vec<&Arc<NameEntry>> = numbers.filter_map(|n| self.entries.get(n)).collect();
        match entries.as_slice() {
            [] => NameMatch::Nothing,
            [one] => NameMatch::One {
                id: &one.id,
                length,
            },
            many => NameMatch::Many {
                names: many.iter().map(|entry| entry.shown.as_str()).collect(),
                length,
            },
        }
    }
}

/// Returns true if a word of a name is a sign.
fn is_sign(word: &str) -> bool {
    !word.starts_with(char::is_alphanumeric)
}

/// The folded words of a spelling; signs count as words, meaningless marks are left out.
fn words(spelling: &str) -> Vec<String> {
    tokens(spelling)
        .into_iter()
        .map(|token| match token.kind {
            LineTokenKind::Word(word) => word,
            LineTokenKind::Sign(sign) => sign.text().to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;

    fn names() -> NameIndex {
        let mut names = NameIndex::default();
        names.add("ario", "Castel d'Ario", ["Castello"]);
        names.add("goffredo", "Castel Goffredo", []);
        names.add("nuovo", "Castelnuovo", []);
        names.add("cyr", "Saint-Cyr", []);
        names.add("p", "Pitt", []);
        names.add("p_cav", "Pitt cavalry", []);
        names
    }

    fn one(text: &str) -> Option<(String, usize)> {
        match names().find(&tokens(text), 0, 9) {
            NameMatch::One { id, length, .. } => Some((id.to_owned(), length)),
            _ => None,
        }
    }

    #[test]
    fn whole_names_go_before_beginnings_and_long_ones_before_short() {
        assert_eq!(one("PITT: x"), Some(("p".into(), 1)));
        assert_eq!(one("pitt cav: x"), Some(("p_cav".into(), 2)));
        assert_eq!(one("castel d’ario - nuovo"), Some(("ario".into(), 3)));
        assert_eq!(one("Saint-Cyr - x"), Some(("cyr".into(), 3)));
        assert_eq!(one("saint cyr"), Some(("cyr".into(), 2)));
        assert_eq!(one("goffredo-x"), Some(("goffredo".into(), 1)));
        assert_eq!(one("castel gof"), Some(("goffredo".into(), 2)));
        assert_eq!(one("castello"), Some(("ario".into(), 1)));
    }

    #[test]
    fn short_and_ambiguous_beginnings_are_refused() {
        assert_eq!(one("ca"), None);
        assert_eq!(
            names().find(&tokens("caste"), 0, 9),
            NameMatch::Many {
                names: vec!["Castel d'Ario", "Castel Goffredo", "Castelnuovo"],
                length: 1
            }
        );
        assert_eq!(names().find(&tokens("castelnu"), 0, 0), NameMatch::Nothing);
    }

    #[test]
    fn a_number_is_no_beginning_of_another() {
        let mut names = NameIndex::default();
        names.add("g14", "Grz 14", []);
        names.add("g3", "Grz 3", []);
        names.add("h", "Hill 2833", ["2833"]);
        let found = |text: &str| names.find(&tokens(text), 0, 9);
        assert!(matches!(found("grz 1"), NameMatch::Many { length: 1, .. }));
        assert_eq!(found("283"), NameMatch::Nothing);
        assert!(matches!(
            found("hil 2833"),
            NameMatch::One { id: "h", length: 2 }
        ));
    }

    #[test]
    fn a_battalion_is_named_by_its_numbers() {
        let mut names = NameIndex::default();
        names.add("a", "1/59th Line", []);
        names.add("b", "2/59th Line", []);
        names.add("c", "1/596th Line", []);
        names.add("d", "35th Line", []);
        let found = |text: &str| names.find(&tokens(text), 0, 9);
        let one = |id| NameMatch::One { id, length: 3 };
        assert_eq!((found("1/59 to hill"), found("2/59")), (one("a"), one("b")));
        assert_eq!(found("3/59"), NameMatch::Nothing);
        assert_eq!(found("35"), NameMatch::Nothing);
        assert_eq!(found("1/"), NameMatch::Nothing);
        names.add("e", "P/Cune", []);
        names.add("f", "7a Brigade", []);
        let found = |text: &str| names.find(&tokens(text), 0, 9);
        assert_eq!(found("p/c"), NameMatch::Nothing);
        assert_eq!(found("7 brigade"), NameMatch::Nothing);
    }

    #[test]
    fn labels_of_hexes_are_names_without_being_listed() {
        let file = serde_yaml::from_str(crate::game::hex::SMALL).unwrap();
        let map = MapIndex::of_hexes(file);
        let mut names = NameIndex::default();
        names.read_labels(&map);
        names.add("0301", "Ford End", []);
        let found = |text: &str| names.find(&tokens(text), 0, 9);
        assert_eq!(
            found("0402 - x"),
            NameMatch::One {
                id: "0402",
                length: 1
            }
        );
        assert_eq!(
            found("ford end"),
            NameMatch::One {
                id: "0301",
                length: 2
            }
        );
        assert_eq!(
            found("0301"),
            NameMatch::One {
                id: "0301",
                length: 1
            }
        );
        assert_eq!(found("0501"), NameMatch::Nothing);
        assert_eq!(names.shown("0402"), Some("0402"));
        assert_eq!(names.shown("0301"), Some("Ford End"));
        assert_eq!(names.shown("0501"), None);
    }

    #[test]
    fn a_name_that_two_things_share_is_printed_as_an_id() {
        let mut names = names();
        names.add("twin", "Pitt", []);
        assert_eq!(names.shown("twin"), Some("twin"));
        assert_eq!(names.shown("ario"), Some("Castel d'Ario"));
        assert_eq!(names.shown("nobody"), None);
    }
}
