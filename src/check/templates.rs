//! What the templates of a game's words want to be given, in all languages.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::Environment;

use crate::{
    game::{Game, Text},
    ordered::IndexMap,
};

/// What templates want of the arguments of one event, remark or question.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// Arguments that they print, with the file that does.
    needed: BTreeMap<String, String>,
    /// Arguments that they ask about first: they may be missing.
    optional: BTreeSet<String>,
}

impl Wanted {
    /// What must be given, and the file that prints it.
    pub fn needed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.needed
            .iter()
            .map(|(name, file)| (name.as_str(), file.as_str()))
    }

    /// Whether an argument is used at all.
    pub fn uses(&self, name: &str) -> bool {
        self.needed.contains_key(name) || self.optional.contains(name)
    }
}

/// The templates of a game.
#[derive(Default)]
pub(super) struct Templates {
    wanted: BTreeMap<(&'static str, String), Wanted>,
}

impl Templates {
    pub fn of_game(game: &Game) -> Self {
        let mut all = Self::default();
        let environment = Environment::new();
        for (lang, text) in &game.text {
            let file = format!("text/{}.yaml", lang.code());
            for (section, words) in sections(text) {
                for (key, source) in words {
                    all.add(&environment, &file, section, key, source);
                }
            }
            for (key, topic) in &text.topics {
                all.add(&environment, &file, "topics", key, &topic.question);
            }
        }
        all
    }

    fn add(
        &mut self,
        environment: &Environment<'_>,
        file: &str,
        section: &'static str,
        key: &str,
        source: &str,
    ) {
        let wanted = self.wanted.entry((section, key.to_owned())).or_default();
        // What does not compile has been reported with the words.
        let Ok(template) = environment.template_from_str(source) else {
            return;
        };
        for name in template.undeclared_variables(false) {
            if may_be_missing(source, &name) {
                wanted.optional.insert(name);
            } else {
                wanted.needed.entry(name).or_insert_with(|| file.to_owned());
            }
        }
    }

    /// What the templates of a key want.
    pub fn of(&self, section: &'static str, key: &str) -> Wanted {
        let found = self.wanted.get(&(section, key.to_owned()));
        found.cloned().unwrap_or_default()
    }
}

fn sections(text: &Text) -> [(&'static str, &IndexMap<String, String>); 2] {
    [("events", &text.events), ("remarks", &text.remarks)]
}

/// Whether a template asks about a variable before it prints it: `{% if x %}`, `x is defined`, `x|default(..)`.
fn may_be_missing(source: &str, name: &str) -> bool {
    let words = |text: &str| {
        let letters = |c: char| c.is_alphanumeric() || c == '_';
        let mut found = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find(letters) {
            let tail = rest.get(start..).unwrap_or_default();
            let end = tail.find(|c| !letters(c)).unwrap_or(tail.len());
            found.push(tail.get(..end).unwrap_or_default().to_owned());
            rest = tail.get(end..).unwrap_or_default();
        }
        found
    };
    let mut conditions = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find("{%") {
        let tail = rest.get(start + 2..).unwrap_or_default();
        let end = tail.find("%}").unwrap_or(tail.len());
        conditions.push(tail.get(..end).unwrap_or_default());
        rest = tail.get(end..).unwrap_or_default();
    }
    let asked = conditions.iter().any(|condition| {
        let words = words(condition);
        let is_if = words
            .first()
            .is_some_and(|word| word == "if" || word == "elif");
        is_if && words.iter().any(|word| word == name)
    });
    let compact = source.replace(' ', "");
    let inline = words(source)
        .windows(2)
        .any(|pair| matches!(pair, [first, second] if first == "if" && second == name));
    asked
        || inline
        || compact.contains(&format!("{name}|default"))
        || compact.contains(&format!("{name}isdefined"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_template_asks_about_may_be_missing() {
        for source in [
            "{% if x %}{{ x }}{% endif %}",
            "{% if a and x is defined %}{{ x }}{% endif %}",
            "{{ x | default('-') }}",
            "{{ 'a' if x else 'b' }}",
        ] {
            assert!(may_be_missing(source, "x"), "{source}");
        }
        assert!(!may_be_missing("{{ x }} {% if xx %}y{% endif %} x", "x"));
    }
}
