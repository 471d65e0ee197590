//! Events, phases and questions in words: the game's templates with the filters that they may use.

use std::{cell::OnceCell, sync::Arc};

use minijinja::{Environment, Error, ErrorKind, Value};
use thiserror::Error;

use super::{
    jinja::data,
    lexicon::{Lexicon, context, environment, rendered},
    phrases::Phrases,
};
use crate::{
    game::{
        Game, Lang, Text,
        hex::{Feature, Stroke},
    },
    value::{self, Fields},
};

/// A template of the game's text that can't be printed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("text/{lang}.yaml, {section}.{key}: {reason}")]
pub struct WordsError {
    /// The language's code.
    pub lang: &'static str,
    /// The section of the file.
    pub section: &'static str,
    /// The key.
    pub key: String,
    /// The fault in it.
    pub reason: String,
}

/// The words of a game and of the host in one language. Templates are compiled when they are first
/// printed.
#[derive(Debug)]
pub struct Words {
    lang: Lang,
    text: Arc<Text>,
    phrases: &'static Phrases,
    lexicon: Arc<Lexicon>,
    env: Environment<'static>,
}

/// The facts that a reader knows.
#[derive(Clone, Debug)]
pub struct KnownFacts {
    fields: Fields,
    /// The same as templates see them.
    shown: Value,
}

impl KnownFacts {
    /// The facts with these values.
    #[must_use]
    pub fn new(fields: Fields) -> Self {
        let shown = data(&fields);
        Self { fields, shown }
    }
}

/// The words of one game, in each language put together when it is first needed.
#[derive(Debug)]
pub struct Wordings {
    game: Arc<Game>,
    english: OnceCell<Words>,
    french: OnceCell<Words>,
}

impl Wordings {
    /// The words of a game.
    #[must_use]
    pub fn new(game: Arc<Game>) -> Self {
        Self {
            game,
            english: OnceCell::new(),
            french: OnceCell::new(),
        }
    }

    /// The words in a language.
    #[must_use]
    pub fn of(&self, lang: Lang) -> &Words {
        let words = match lang {
            Lang::En => &self.english,
            Lang::Fr => &self.french,
        };
        words.get_or_init(|| Words::new(&self.game, lang))
    }
}

impl Words {
    /// The words of a game; in a language that the game lacks, the keys serve as words.
    #[must_use]
    pub fn new(game: &Game, lang: Lang) -> Self {
        let text = game.words(lang).cloned().unwrap_or_default();
        let phrases = Phrases::of(lang);
        let lexicon = Arc::new(Lexicon::of(game, lang, &text, phrases));
        let env = environment(&lexicon);
        Self {
            lang,
            text,
            phrases,
            lexicon,
            env,
        }
    }

    /// Returns true if templates may use a filter of this name: one of [`FILTERS`](super::FILTERS)
    /// or of the template engine.
    #[must_use]
    pub fn has_filter(&self, name: &str) -> bool {
        let tried = self.env.render_str(&format!("{{{{ 0|{name} }}}}"), ());
        tried.map_or_else(|wrong| wrong.kind() != ErrorKind::UnknownFilter, |_| true)
    }

    /// The language.
    #[must_use]
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The game's text.
    #[must_use]
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// A phrase of the host that takes no arguments.
    #[must_use]
    pub fn fixed(&self, key: &str) -> String {
        self.phrases.get(key).to_owned()
    }

    /// The game's name of a terrain.
    #[must_use]
    pub fn terrain<'t>(&'t self, terrain: &'t str) -> &'t str {
        self.text
            .terrains
            .get(terrain)
            .map_or(terrain, String::as_str)
    }

    /// A word for a picture's legend: the game's own, or the host's for one of
    /// [`LEGEND`](crate::game::LEGEND).
    #[must_use]
    pub fn legend(&self, key: &str) -> String {
        let own = self.text.legend.get(key);
        own.cloned()
            .unwrap_or_else(|| self.fixed(&format!("legend_{key}")))
    }

    /// The name of a kind of hexside: the game's, else that of its drawing in legends, else its id.
    #[must_use]
    pub fn hexside(&self, kind: &Feature) -> String {
        let own = self.text.legend.get(&kind.id).cloned();
        own.unwrap_or_else(|| match kind.drawn {
            Stroke::Nothing => kind.id.replace('_', " "),
            drawn => self.legend(drawn.name()),
        })
    }

    /// A phrase of the host with arguments; unformatted if it is broken.
    #[must_use]
    pub fn say(&self, key: &str, args: Value) -> String {
        let template = self.phrases.get(key);
        self.render(template, args)
            .unwrap_or_else(|_| template.to_owned())
    }

    /// The umpire's ruling (`taken_back`, `ruled`), with its reason.
    #[must_use]
    pub fn ruled(&self, what: &str, why: &str) -> String {
        self.say(what, minijinja::context! { why })
    }

    /// An event in words.
    ///
    /// # Errors
    /// If the game has no template for it, or the template can't be printed with these arguments.
    pub fn event(&self, key: &str, args: &Fields) -> Result<String, WordsError> {
        self.fill("events", &self.text.events, key, args)
            .map(sentence)
    }

    /// Several events of one kind in a row, in words.
    ///
    /// # Errors
    /// As [`Words::event`].
    pub fn together(&self, key: &str, list: Vec<value::Value>) -> Result<String, WordsError> {
        let args = Fields::from([("list".to_owned(), value::Value::List(list))]);
        self.fill("together", &self.text.together, key, &args)
            .map(sentence)
    }

    /// How what an event tells ended, in a short line; none if the game has no such words for it.
    ///
    /// # Errors
    /// As [`Words::event`].
    pub fn outcome(&self, key: &str, args: &Fields) -> Option<Result<String, WordsError>> {
        let outcomes = &self.text.outcomes;
        outcomes
            .contains_key(key)
            .then(|| self.fill("outcomes", outcomes, key, args).map(sentence))
    }

    /// A question in words.
    ///
    /// # Errors
    /// As [`Words::event`].
    pub fn question(&self, topic: &str, about: &Fields) -> Result<String, WordsError> {
        match self.text.topics.get(topic) {
            Some(found) => self
                .render(&found.question, context(about))
                .map_err(|error| self.broken("topics", topic, &error)),
            None => Err(self.absent("topics", topic)),
        }
    }

    /// A remark of an order check in words.
    ///
    /// # Errors
    /// As [`Words::event`].
    pub fn remark(&self, key: &str, args: &Fields) -> Result<String, WordsError> {
        self.fill("remarks", &self.text.remarks, key, args)
            .map(sentence)
    }

    /// A fact that a reader knows, in words; none if the game does not show it. The template gets
    /// its `value`, and all facts that the reader knows as `facts`; for a shared fact, `of` is the
    /// side, party or seat, and `value` is its share.
    ///
    /// # Errors
    /// If the template can't be printed.
    pub fn fact(
        &self,
        name: &str,
        of: Option<&str>,
        facts: &KnownFacts,
    ) -> Result<Option<String>, WordsError> {
        let value = facts.fields.get(name);
        let value = match of {
            Some(of) => match value.and_then(|shares| shares.get(of)) {
                Some(share) => data(share),
                None => return Ok(None),
            },
            None => data(value.unwrap_or(&value::Value::Null)),
        };
        let Some(template) = self.text.facts.get(name) else {
            return Ok(None);
        };
        let mut args = vec![("value", value), ("facts", facts.shown.clone())];
        args.extend(of.map(|of| ("of", Value::from(of))));
        self.render(template, Value::from_pairs(args))
            .map(Some)
            .map_err(|error| self.broken("facts", name, &error))
    }

    /// A phase in words: `movement.red` is the template `movement` with `side`, or with `space`.
    ///
    /// # Errors
    /// As [`Words::event`].
    pub fn phase(&self, phase: &str) -> Result<String, WordsError> {
        let (name, of) = phase.split_once('.').unwrap_or((phase, ""));
        let printed = self.name_of(of);
        let args = Fields::from([
            ("side".to_owned(), printed.clone().into()),
            ("space".to_owned(), printed.into()),
            ("id".to_owned(), of.into()),
        ]);
        self.fill("phases", &self.text.phases, name, &args)
    }

    /// A value as a player reads it: names of pieces and spaces, keywords, lists.
    #[must_use]
    pub fn value(&self, value: &value::Value) -> String {
        match value {
            value::Value::Null => String::new(),
            value::Value::Bool(truth) => self.fixed(if *truth { "yes" } else { "no" }),
            value::Value::Int(number) => number.to_string(),
            value::Value::Text(text) => self.name_of(text),
            value::Value::List(list) => list
                .iter()
                .map(|item| self.value(item))
                .collect::<Vec<_>>()
                .join(", "),
            value::Value::Map(fields) => match fields.get("name").and_then(value::Value::as_text) {
                Some(name) => {
                    let id = |kind| fields.get(kind).and_then(value::Value::as_text);
                    match id("space") {
                        Some(space) => self.name_of(space),
                        None => self.piece_name(id("piece").unwrap_or_default(), name),
                    }
                }
                None => {
                    let parts = fields.values().map(|item| self.value(item));
                    parts
                        .filter(|part| !part.is_empty())
                        .collect::<Vec<_>>()
                        .join(" ")
                }
            },
        }
    }

    /// The name of a side, a space or a piece in this language; the id if it has none.
    #[must_use]
    pub fn name_of(&self, id: &str) -> String {
        self.lexicon.name_of(id)
    }

    /// A seat's name for readers; the id if there is no such seat.
    #[must_use]
    pub fn seat_name(&self, id: &str) -> String {
        self.lexicon.seat_name(id)
    }

    /// The name of a piece in this language; the name on its counter if it has no other.
    #[must_use]
    pub fn piece_name(&self, id: &str, name: &str) -> String {
        self.lexicon.piece_name(id, name)
    }

    fn fill(
        &self,
        section: &'static str,
        templates: &crate::ordered::IndexMap<String, String>,
        key: &str,
        args: &Fields,
    ) -> Result<String, WordsError> {
        let template = templates
            .get(key)
            .ok_or_else(|| self.absent(section, key))?;
        self.render(template, context(args))
            .map_err(|error| self.broken(section, key, &error))
    }

    fn render(&self, template: &str, args: Value) -> Result<String, Error> {
        let printed = if template.contains('{') {
            rendered(&self.env, template, args)?
        } else {
            template.to_owned()
        };
        // Templates of several lines are one sentence; a no-break space must stay.
        Ok(printed
            .split_ascii_whitespace()
            .collect::<Vec<_>>()
            .join(" "))
    }

    fn absent(&self, section: &'static str, key: &str) -> WordsError {
        WordsError {
            lang: self.lang.code(),
            section,
            key: key.to_owned(),
            reason: "there is no such text".to_owned(),
        }
    }

    fn broken(&self, section: &'static str, key: &str, error: &Error) -> WordsError {
        WordsError {
            reason: error.to_string(),
            ..self.absent(section, key)
        }
    }
}

/// A text as a sentence: a name that begins with a small letter ("artillerie de ...") may come
/// first.
fn sentence(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(letters).collect(),
        _ => text,
    }
}
