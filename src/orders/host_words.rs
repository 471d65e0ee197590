//! The host's own words about orders: built-in keywords, reasons, hints
//! (`templates/<lang>/orders.yaml`).

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::{
    game::Lang,
    templates,
    value::{Fields, Value},
};

/// The words in one language. Reasons and hints are templates (minijinja) over their arguments.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostWords {
    /// Spellings of the built-in keywords, the first of them printed.
    pub keywords: IndexMap<String, Vec<String>>,
    /// Words that name what follows, and no order by themselves, as folded: "Spring moves".
    pub titles: Vec<String>,
    /// What a slot takes, for help: `space` is "area".
    pub slots: IndexMap<String, String>,
    /// Reasons of diagnostics.
    pub reasons: IndexMap<String, String>,
    /// Lines after a reason, words of lists, words of the receipt.
    pub phrases: IndexMap<String, String>,
    /// Sentences that explain the built-in commands.
    pub commands: IndexMap<String, String>,
}

impl HostWords {
    /// The words that are built into the program.
    ///
    /// # Errors
    /// If a file is not what it should be; the tests of this module prove that it is.
    pub fn built_in() -> Result<BTreeMap<Lang, Self>, serde_yaml::Error> {
        Lang::ALL
            .into_iter()
            .map(|lang| {
                let text = templates::of_language(lang.code(), "orders.yaml");
                Ok((lang, serde_yaml::from_str(text)?))
            })
            .collect()
    }

    /// A reason in words; its key if there are none.
    #[must_use]
    pub fn reason(&self, key: &str, args: &Fields) -> String {
        filled(&self.reasons, key, args)
    }

    /// A phrase in words; its key if there are none.
    #[must_use]
    pub fn phrase(&self, key: &str, args: &Fields) -> String {
        filled(&self.phrases, key, args)
    }
}

fn filled(texts: &IndexMap<String, String>, key: &str, args: &Fields) -> String {
    texts
        .get(key)
        .and_then(|template| {
            minijinja::Environment::new()
                .render_str(template, template_map(args))
                .ok()
        })
        .unwrap_or_else(|| key.to_owned())
}

fn template_map(args: &Fields) -> minijinja::Value {
    minijinja::Value::from_pairs(
        args.iter()
            .map(|(name, value)| (name.clone(), template_value(value))),
    )
}

fn template_value(value: &Value) -> minijinja::Value {
    match value {
        Value::Null => ().into(),
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(list) => list.iter().map(template_value).collect(),
        Value::Map(fields) => template_map(fields),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    #[test]
    fn every_language_says_the_same_things() {
        let words = HostWords::built_in().unwrap();
        let (en, fr) = (&words[&Lang::En], &words[&Lang::Fr]);
        assert!(en.keywords.keys().eq(fr.keywords.keys()));
        assert!(en.slots.keys().eq(fr.slots.keys()));
        assert!(en.reasons.keys().eq(fr.reasons.keys()));
        assert!(en.phrases.keys().eq(fr.phrases.keys()));
        assert!(en.commands.keys().eq(fr.commands.keys()));
        for slot in super::super::pattern::Slot::ALL {
            assert!(en.slots.contains_key(slot.name()), "{slot:?}");
        }
    }

    #[test]
    fn every_text_is_a_template() {
        for words in HostWords::built_in().unwrap().values() {
            for (key, text) in words.reasons.iter().chain(&words.phrases) {
                minijinja::Environment::new()
                    .template_from_str(text)
                    .map_err(|error| format!("{key}: {error}"))
                    .unwrap();
            }
        }
    }
}
