//! Words of the pages that commands print for people: `templates/<lang>/commands.yaml`.

use indexmap::IndexMap;

use super::failure::Failure;
use crate::{dispatch::wrap, game::Lang, templates};

/// The words of one language.
pub struct CliWords(IndexMap<String, String>);

impl CliWords {
    /// The words that are built in.
    ///
    /// # Errors
    /// If the file is no list of words; the tests see to it that it is.
    pub fn of(lang: Lang) -> Result<Self, Failure> {
        serde_yaml::from_str(templates::of_language(lang.code(), "commands.yaml"))
            .map(Self)
            .map_err(Failure::environment)
    }

    /// A phrase, or its key if there is none.
    #[must_use]
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.0.get(key).map_or(key, String::as_str)
    }
}

/// A page of text that grows.
#[derive(Default)]
pub struct TerminalPage {
    /// The lines of the answer.
    pub lines: Vec<String>,
}

impl TerminalPage {
    /// Adds a line as it stands.
    pub fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// Adds a heading with an empty line before it.
    pub fn heading(&mut self, text: &str) {
        self.line("");
        self.line(text.to_uppercase());
    }

    /// Adds an item of a list, wrapped, with its other lines farther in.
    pub fn item(&mut self, indent: usize, text: &str) {
        let (first, rest) = (" ".repeat(indent), " ".repeat(indent + 4));
        self.lines.extend(wrap(text, &first, &rest));
    }

    /// Adds a text, wrapped and indented; nothing if it is empty.
    pub fn paragraph(&mut self, indent: usize, text: &str) {
        if !text.is_empty() {
            let indent = " ".repeat(indent);
            self.lines.extend(wrap(text, &indent, &indent));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    #[test]
    fn every_language_has_the_same_words() {
        let [english, french] = Lang::ALL.map(|lang| CliWords::of(lang).unwrap());
        assert!(english.0.keys().eq(french.0.keys()));
    }
}
