//! Events, phases and questions in words: the game's templates with the filters that they may use.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use minijinja::{
    Environment, Error, ErrorKind, UndefinedBehavior, Value,
    value::{Kwargs, ValueKind},
};
use thiserror::Error;

use super::{jinja::data, phrases::Phrases};
use crate::{
    game::{Game, Lang, Text},
    value::{self, Fields},
};

/// Instructions that one template may take: far more than any sentence needs, far less than a second.
const FUEL: u64 = 20_000;

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
    /// What is wrong with it.
    pub reason: String,
}

/// The words of a game and of the host in one language.
#[derive(Debug)]
pub struct Words<'a> {
    lang: Lang,
    text: &'a Text,
    phrases: &'static Phrases,
    lexicon: Arc<Lexicon>,
    env: Environment<'static>,
}

/// Names that templates print. Looked up by key only.
#[derive(Debug)]
struct Lexicon {
    sides: HashMap<String, String>,
    spaces: HashMap<String, String>,
    /// Whether spaces are known by labels too.
    labels: bool,
    pieces: HashMap<String, String>,
    text: Arc<Text>,
    phrases: &'static Phrases,
}

impl<'a> Words<'a> {
    /// The words of a game; a language that the game does not speak has the keys for words.
    #[must_use]
    pub fn new(game: &'a Game, lang: Lang) -> Self {
        static NONE: LazyLock<Arc<Text>> = LazyLock::new(Arc::default);
        let text = game.text.get(&lang).unwrap_or(&NONE);
        let phrases = Phrases::of(lang);
        let lexicon = Arc::new(Lexicon {
            sides: game
                .decl
                .sides
                .iter()
                .filter_map(|side| Some((side.id.to_string(), side.name.get(&lang)?.clone())))
                .collect(),
            spaces: game
                .map
                .map()
                .spaces
                .iter()
                .filter(|space| space.id != *space.name)
                .map(|space| (space.id.to_string(), space.name_in(lang).to_owned()))
                .collect(),
            labels: game.map.hexes().is_some(),
            pieces: game
                .forces
                .pieces
                .iter()
                .filter_map(|piece| Some((piece.id.to_string(), piece.names.get(&lang)?.clone())))
                .collect(),
            text: Arc::clone(text),
            phrases,
        });
        let env = environment(&lexicon);
        Self {
            lang,
            text,
            phrases,
            lexicon,
            env,
        }
    }

    /// The language.
    #[must_use]
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The game's text.
    #[must_use]
    pub fn text(&self) -> &'a Text {
        self.text
    }

    /// A phrase of the host that takes no arguments.
    #[must_use]
    pub fn fixed(&self, key: &str) -> String {
        self.phrases.get(key).to_owned()
    }

    /// A phrase of the host with arguments; as it stands if it is broken.
    #[must_use]
    pub fn say(&self, key: &str, args: Value) -> String {
        let template = self.phrases.get(key);
        self.render(template, args)
            .unwrap_or_else(|_| template.to_owned())
    }

    /// What the umpire has ruled (`taken_back`, `ruled`), and why.
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

    /// A public fact in words; nothing if the game does not show it.
    ///
    /// # Errors
    /// If the template can't be printed.
    pub fn fact(&self, name: &str, value: &value::Value) -> Result<Option<String>, WordsError> {
        if !self.text.facts.contains_key(name) {
            return Ok(None);
        }
        let args = Fields::from([("value".to_owned(), value.clone())]);
        self.fill("facts", &self.text.facts, name, &args).map(Some)
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
                    let id = fields
                        .get("piece")
                        .and_then(value::Value::as_text)
                        .unwrap_or_default();
                    self.piece_name(id, name)
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

    /// The name of a piece in this language; the name on its counter if it has no other.
    #[must_use]
    pub fn piece_name(&self, id: &str, name: &str) -> String {
        let found = self.lexicon.pieces.get(id).map_or(name, String::as_str);
        found.to_owned()
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
            self.env.render_str(template, args)?
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

/// A text as a sentence: names that begin with a small letter ("artillerie de ...") may stand first.
fn sentence(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(letters).collect(),
        _ => text,
    }
}

/// Arguments as a template sees them: a rule prints in brackets.
fn context(args: &Fields) -> Value {
    Value::from_pairs(args.iter().map(|(name, value)| {
        let value = match value {
            value::Value::Text(rule) if name == "rule" => Value::from(format!("({rule})")),
            other => data(other),
        };
        (name.clone(), value)
    }))
}

fn environment(lexicon: &Arc<Lexicon>) -> Environment<'static> {
    let mut env = Environment::new();
    env.set_fuel(Some(FUEL));
    env.set_recursion_limit(50);
    env.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    let names = Arc::clone(lexicon);
    env.set_formatter(move |out, _, value| Ok(out.write_str(&names.print(value))?));
    let names = Arc::clone(lexicon);
    env.add_filter("name", move |value: Value| names.print(&value));
    let names = Arc::clone(lexicon);
    env.add_filter("place", move |value: Value| names.place(&value));
    let names = Arc::clone(lexicon);
    env.add_filter("list", move |value: Value| names.list(&value, "and"));
    let names = Arc::clone(lexicon);
    env.add_filter("any_of", move |value: Value| names.list(&value, "or"));
    let names = Arc::clone(lexicon);
    env.add_filter("term", move |value: Value, section: String| {
        names.term(&value, &section)
    });
    let names = Arc::clone(lexicon);
    let inner = Environment::new();
    env.add_filter("reasons", move |reasons: Value, given: Kwargs| {
        let total: Option<i64> = given.get("total")?;
        let roll: Option<Value> = given.get("roll")?;
        given.assert_all_used()?;
        names.reasons(&inner, &reasons, total, roll.as_ref())
    });
    let names = Arc::clone(lexicon);
    env.add_filter("plural", move |n: Value, one: String, many: String| {
        names.plural(&n, one, many)
    });
    env.add_filter("signed", |n: i64| signed(n));
    env
}

/// A number that is added: `+2`, `-1`, with a true minus sign.
fn signed(n: i64) -> String {
    if n < 0 {
        format!("-{}", n.unsigned_abs())
    } else {
        format!("+{n}")
    }
}

impl Lexicon {
    fn name_of(&self, id: &str) -> String {
        [&self.sides, &self.spaces, &self.pieces]
            .into_iter()
            .find_map(|names| names.get(id))
            .map_or(id, String::as_str)
            .to_owned()
    }

    fn phrase(&self, key: &str) -> String {
        self.phrases.get(key).to_owned()
    }

    /// How a value prints: pieces and spaces by their names, lists as lists, nothing as nothing.
    fn print(&self, value: &Value) -> String {
        match value.kind() {
            ValueKind::Map => self.thing(value),
            ValueKind::Seq | ValueKind::Iterable => self.list(value, "and"),
            ValueKind::Undefined | ValueKind::None => String::new(),
            ValueKind::Bool if value.is_true() => self.phrase("yes"),
            ValueKind::Bool => self.phrase("no"),
            ValueKind::String => self.name_of(value.as_str().unwrap_or_default()),
            _ => value.to_string(),
        }
    }

    /// The name of a piece or a space, as the reader knows it.
    fn thing(&self, value: &Value) -> String {
        let field = |name: &str| {
            let found = value.get_attr(name).unwrap_or_default();
            found.as_str().unwrap_or_default().to_owned()
        };
        if value
            .get_attr("unknown")
            .is_ok_and(|unknown| unknown.is_true())
        {
            let side = field("side");
            return match self.text.unknown.get(&side) {
                Some(words) => words.clone(),
                None => self.phrase("unknown_piece"),
            };
        }
        let piece = field("piece");
        match self.pieces.get(&piece) {
            Some(name) => name.clone(),
            None => field("name"),
        }
    }

    /// A space with its label, on a map that has labels: "Ford End (0301)"; a hex without a name is its label.
    fn place(&self, value: &Value) -> String {
        let name = self.print(value);
        let label = value.get_attr("space").unwrap_or_default();
        match label.as_str() {
            Some(label) if self.labels && label != name => format!("{name} ({label})"),
            _ => name,
        }
    }

    /// "A, B and C".
    fn list(&self, value: &Value, joint: &str) -> String {
        let Ok(items) = value.try_iter() else {
            return self.print(value);
        };
        let mut names: Vec<_> = items.map(|item| self.print(&item)).collect();
        let last = names.pop().unwrap_or_default();
        if names.is_empty() {
            return last;
        }
        format!("{} {} {last}", names.join(", "), self.phrase(joint))
    }

    /// A key in the words of a section of the game's text.
    fn term(&self, value: &Value, section: &str) -> Result<String, Error> {
        let text = &self.text;
        let words = match section {
            "kinds" => &text.kinds,
            "terrains" => &text.terrains,
            "attributes" => &text.attributes,
            "boxes" => &text.boxes,
            "formations" => &text.formations,
            "unknown" => &text.unknown,
            "options" => &text.options,
            "levels" => &text.levels,
            other => {
                let reason = format!("`{other}` is no section with terms");
                return Err(Error::new(ErrorKind::InvalidOperation, reason));
            }
        };
        let key = value.as_str().unwrap_or_default();
        Ok(words.get(key).map_or(key, String::as_str).to_owned())
    }

    /// "hit" or "hits"; a list counts its members. French takes the singular for nought too.
    fn plural(&self, n: &Value, one: String, many: String) -> String {
        let count = n
            .len()
            .and_then(|length| i64::try_from(length).ok())
            .or_else(|| i64::try_from(n.clone()).ok())
            .unwrap_or(0);
        let nought_is_one = self.phrase("nought_is") == "one";
        if count == 1 || count == -1 || (count == 0 && nought_is_one) {
            one
        } else {
            many
        }
    }

    /// "6 = 2 rolled, +2 Ada, +1 guns", or the modifiers alone if no roll is given.
    fn reasons(
        &self,
        env: &Environment<'_>,
        reasons: &Value,
        total: Option<i64>,
        roll: Option<&Value>,
    ) -> Result<String, Error> {
        let mut parts = Vec::new();
        let mut sum = 0;
        if let Some(roll) = roll {
            let dice: Vec<Value> = match roll.try_iter() {
                Ok(dice) if roll.kind() != ValueKind::String => dice.collect(),
                _ => vec![roll.clone()],
            };
            sum += dice
                .iter()
                .filter_map(|die| i64::try_from(die.clone()).ok())
                .sum::<i64>();
            let dice: Vec<_> = dice.iter().map(ToString::to_string).collect();
            parts.push(format!("{} {}", dice.join(" + "), self.phrase("rolled")));
        }
        for reason in reasons.try_iter()? {
            let id = reason.get_attr("id")?;
            let id = id.as_str().unwrap_or_default();
            let add = i64::try_from(reason.get_attr("add")?).unwrap_or(0);
            sum += add;
            let who = self.print(&reason.get_attr("who").unwrap_or_default());
            let words = match self.text.modifiers.get(id) {
                Some(template) => env.render_str(template, minijinja::context! { who })?,
                None => id.replace('_', " "),
            };
            parts.push(format!("{} {}", signed(add), words.trim()));
        }
        let parts = parts.join(", ");
        Ok(match roll {
            Some(_) => format!("{} = {parts}", total.unwrap_or(sum)),
            None => parts,
        })
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
