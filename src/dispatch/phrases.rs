//! The host's own words in each language: `templates/<lang>/words.yaml`.

use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::{game::Lang, templates};

/// How names that begin in a certain way go with a preposition: "au fort La Malgue" for
/// "Fort La Malgue".
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beginning {
    /// The name with the preposition for being there.
    pub at: String,
    /// With the preposition for coming from there.
    pub from: String,
}

/// The host's words of one language.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrases {
    /// Names of the days, from Monday.
    pub days: Vec<String>,
    /// Names of the months, from January.
    pub months: Vec<String>,
    /// Names of places that change after a preposition, by how they begin.
    #[serde(default)]
    pub beginnings: IndexMap<String, Beginning>,
    /// Phrases by key; templates where they take arguments.
    pub words: IndexMap<String, String>,
}

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| parse(Lang::En));
static FRENCH: LazyLock<Phrases> = LazyLock::new(|| parse(Lang::Fr));

/// A file that cannot be read leaves the keys to be printed; the tests make sure that it can be.
fn parse(lang: Lang) -> Phrases {
    serde_yaml::from_str(templates::of_language(lang.code(), "words.yaml")).unwrap_or_default()
}

impl Phrases {
    /// The words of a language, parsed once.
    #[must_use]
    pub fn of(lang: Lang) -> &'static Self {
        match lang {
            Lang::En => &ENGLISH,
            Lang::Fr => &FRENCH,
        }
    }

    /// How a name that changes after a preposition begins, and its rest.
    #[must_use]
    pub fn beginning<'n>(&self, name: &'n str) -> Option<(&Beginning, &'n str)> {
        let mut beginnings = self.beginnings.iter();
        beginnings.find_map(|(start, with)| Some((with, name.strip_prefix(start.as_str())?)))
    }

    /// A phrase, or its key if there is none.
    #[must_use]
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.words.get(key).map_or(key, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;
    use crate::game::LEGEND;

    #[test]
    fn languages_have_the_same_keys() {
        let keys = |lang| Phrases::of(lang).words.keys().collect::<BTreeSet<_>>();
        assert!(!keys(Lang::En).is_empty());
        assert_eq!(keys(Lang::En), keys(Lang::Fr));
        for lang in Lang::ALL {
            assert_eq!(Phrases::of(lang).days.len(), 7);
            assert_eq!(Phrases::of(lang).months.len(), 12);
        }
    }

    /// Arguments of a phrase must not differ between languages either.
    #[test]
    fn languages_use_the_same_arguments() {
        let slots = regex::Regex::new(r"\{\{\s*(\w+)").unwrap();
        let used = |text: &str| {
            slots
                .captures_iter(text)
                .map(|found| found[1].to_owned())
                .collect::<BTreeSet<_>>()
        };
        for (key, english) in &Phrases::of(Lang::En).words {
            assert_eq!(used(english), used(Phrases::of(Lang::Fr).get(key)), "{key}");
        }
    }

    /// Every key that the sources and templates name exists, and none is left over.
    #[test]
    fn keys_are_those_that_are_used() {
        let asked =
            regex::Regex::new(r#"(?:fixed|say|w|phrase)\(\s*"([a-z_]+)"|\bw\.([a-z_]+)"#).unwrap();
        let sources = sources_in(&["src/dispatch", "templates"]);
        // The campaign chooses some notices by their key.
        let naming = sources.clone() + &sources_in(&["src/campaign"]);
        let known = &Phrases::of(Lang::En).words;
        for found in asked.captures_iter(&sources) {
            let key = found.get(1).or(found.get(2)).unwrap().as_str();
            assert!(known.contains_key(key), "no words for `{key}`");
        }
        // Phrases of legends are looked up by the thing drawn.
        for drawn in LEGEND {
            let key = format!("legend_{drawn}");
            assert!(known.contains_key(&key), "no words for `{key}`");
        }
        let drawn = |key: &str| {
            let drawn = key.strip_prefix("legend_");
            drawn.is_some_and(|drawn| LEGEND.contains(&drawn))
        };
        for key in known.keys().filter(|key| !drawn(key)) {
            let named = [format!("\"{key}\""), format!("w.{key}")];
            assert!(
                named.iter().any(|name| naming.contains(name)),
                "nothing uses `{key}`"
            );
        }
    }

    fn sources_in(folders: &[&str]) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
        let mut sources = String::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end != "yaml") {
                    sources.push_str(&fs::read_to_string(&path).unwrap());
                }
            }
        }
        sources
    }
}
