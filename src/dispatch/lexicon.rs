//! The names that a game's templates print, and the filters that print them.

use std::{collections::HashMap, sync::Arc};

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, Value,
    value::{Kwargs, ValueKind},
};

use super::{jinja::data, phrases::Phrases};
use crate::{
    game::{self, Agreement, Game, Lang, Text},
    value::{self, Fields},
};

/// How many instructions one template may use: far more than any sentence needs, but far less than
/// a second.
const FUEL: u64 = 20_000;

/// Names that templates print. Looked up by key only.
#[derive(Debug)]
pub(super) struct Lexicon {
    sides: HashMap<String, String>,
    parties: HashMap<String, String>,
    seats: HashMap<String, String>,
    spaces: HashMap<String, String>,
    /// True if spaces are known by labels too.
    labels: bool,
    pieces: HashMap<String, String>,
    /// Gender and number of the names of pieces that are not masculine and one.
    agreements: HashMap<String, Agreement>,
    text: Arc<Text>,
    phrases: &'static Phrases,
}

/// Arguments as a template sees them: a rule prints in brackets.
pub(super) fn context(args: &Fields) -> Value {
    Value::from_pairs(args.iter().map(|(name, value)| {
        let value = match value {
            value::Value::Text(rule) if name == "rule" => Value::from(format!("({rule})")),
            other => data(other),
        };
        (name.clone(), value)
    }))
}

/// Templates that are sure to end: anybody may have written a game's words.
fn bounded() -> Environment<'static> {
    let mut env = Environment::new();
    env.set_fuel(Some(FUEL));
    env.set_recursion_limit(50);
    env
}

/// The filters of the host that a game's words may use, besides those of the template engine.
pub const FILTERS: [&str; 11] = [
    "name", "place", "where", "whence", "list", "any_of", "term", "reasons", "plural", "agree",
    "signed",
];

/// Marks the name of a template that is its own source.
const SOURCE: char = '\u{1}';

/// Prints a template, which is compiled once.
pub(super) fn rendered(
    env: &Environment<'static>,
    template: &str,
    args: Value,
) -> Result<String, Error> {
    let known = env.get_template(&format!("{SOURCE}{template}"));
    let printed = known.and_then(|known| known.render(args.clone()));
    // An error names no template: its words stand elsewhere than in a file.
    printed.or_else(|_| env.render_str(template, args))
}

/// Templates with the filters that they may use.
pub(super) fn environment(lexicon: &Arc<Lexicon>) -> Environment<'static> {
    let mut env = bounded();
    env.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    env.set_auto_escape_callback(|_| AutoEscape::None);
    env.set_loader(|name| Ok(name.strip_prefix(SOURCE).map(str::to_owned)));
    // What a text includes is no text: templates of games stand alone.
    env.set_path_join_callback(|name, _| name.trim_start_matches(SOURCE).into());
    let names = Arc::clone(lexicon);
    env.set_formatter(move |out, _, value| Ok(out.write_str(&names.print(value))?));
    let names = Arc::clone(lexicon);
    env.add_filter("name", move |value: Value| names.print(&value));
    let names = Arc::clone(lexicon);
    env.add_filter("place", move |value: Value| names.place(&value));
    let names = Arc::clone(lexicon);
    env.add_filter("where", move |value: Value| names.at(&value));
    let names = Arc::clone(lexicon);
    env.add_filter("whence", move |value: Value| names.from(&value));
    let names = Arc::clone(lexicon);
    env.add_filter("list", move |value: Value| names.list(&value, "and"));
    let names = Arc::clone(lexicon);
    env.add_filter("any_of", move |value: Value| names.list(&value, "or"));
    let names = Arc::clone(lexicon);
    env.add_filter("term", move |value: Value, section: String| {
        names.term(&value, &section)
    });
    let names = Arc::clone(lexicon);
    let inner = bounded();
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
    let names = Arc::clone(lexicon);
    env.add_filter("agree", move |who: Value, masculine: String| {
        names.agree(&who, masculine)
    });
    env.add_filter("signed", |n: i64| match n {
        0 => "0".to_owned(),
        n => signed(n),
    });
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
    /// The names of a game in a language, with the words of the game and of the host.
    pub(super) fn of(game: &Game, lang: Lang, text: &Arc<Text>, phrases: &'static Phrases) -> Self {
        Self {
            sides: game
                .decl
                .sides
                .iter()
                .map(|side| (side.id.to_string(), game::said(&side.name, lang).to_owned()))
                .collect(),
            parties: (game.decl.parties.iter())
                .map(|party| {
                    (
                        party.id.to_string(),
                        game::said(&party.name, lang).to_owned(),
                    )
                })
                .collect(),
            seats: (game.decl.seats.iter())
                .map(|seat| (seat.id.to_string(), game.decl.seat_name(seat, lang)))
                .collect(),
            spaces: game
                .map
                .map()
                .spaces
                .iter()
                .map(|space| (space.id.to_string(), space.name_in(lang)))
                .filter(|(id, name)| id != name)
                .map(|(id, name)| (id, name.to_owned()))
                .collect(),
            labels: game.map.hexes().is_some(),
            pieces: game
                .forces
                .pieces
                .iter()
                .filter_map(|piece| Some((piece.id.to_string(), piece.names.get(&lang)?.clone())))
                .collect(),
            agreements: game
                .forces
                .pieces
                .iter()
                .filter_map(|piece| {
                    let of = |id| text.agreements.get(id).copied();
                    let found = of(piece.id.as_str()).or_else(|| of(&piece.kind))?;
                    Some((piece.id.to_string(), found))
                })
                .collect(),
            text: Arc::clone(text),
            phrases,
        }
    }

    /// Gender and number of what a value names: a piece, a list of them.
    fn agreement(&self, of: &Value) -> Agreement {
        if let Some(id) = of.as_str() {
            return self.agreements.get(id).copied().unwrap_or_default();
        }
        if of.kind() == ValueKind::Map {
            let unknown = of.get_attr("unknown").is_ok_and(|it| it.is_true());
            let id = of.get_attr("piece").unwrap_or_default();
            let found = if unknown {
                self.text.agreements.get("unknown")
            } else {
                id.as_str().and_then(|id| self.agreements.get(id))
            };
            return found.copied().unwrap_or_default();
        }
        let each = of.try_iter().into_iter().flatten();
        let each: Vec<_> = each.map(|one| self.agreement(&one)).collect();
        if let [one] = each[..] {
            return one;
        }
        let feminine =
            |one: &Agreement| matches!(one, Agreement::Feminine | Agreement::ManyFeminine);
        if !each.is_empty() && each.iter().all(feminine) {
            Agreement::ManyFeminine
        } else {
            Agreement::ManyMasculine
        }
    }

    /// An adjective or participle that agrees with a value's name: "perdu", "perdue", "perdus",
    /// "perdues".
    fn agree(&self, who: &Value, masculine: String) -> String {
        let feminine = format!("{masculine}e");
        match self.agreement(who) {
            Agreement::Masculine => masculine,
            Agreement::Feminine => feminine,
            Agreement::ManyMasculine if masculine.ends_with(['s', 'x']) => masculine,
            Agreement::ManyMasculine => format!("{masculine}s"),
            Agreement::ManyFeminine => format!("{feminine}s"),
        }
    }

    /// The name of a side, a space or a piece in this language; the id if it has none.
    pub(super) fn name_of(&self, id: &str) -> String {
        [
            &self.sides,
            &self.spaces,
            &self.pieces,
            &self.parties,
            &self.seats,
        ]
        .into_iter()
        .find_map(|names| names.get(id))
        .map_or(id, String::as_str)
        .to_owned()
    }

    /// A seat's name for readers; the id if there is no such seat.
    pub(super) fn seat_name(&self, id: &str) -> String {
        self.seats.get(id).map_or(id, String::as_str).to_owned()
    }

    /// The name of a piece in this language; the name on its counter if it has no other.
    pub(super) fn piece_name(&self, id: &str, name: &str) -> String {
        let found = self.pieces.get(id).map_or(name, String::as_str);
        found.to_owned()
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
        let known = [(&self.pieces, "piece"), (&self.spaces, "space")]
            .into_iter()
            .find_map(|(names, kind)| names.get(&field(kind)));
        known.cloned().unwrap_or_else(|| field("name"))
    }

    /// A space with its label, on a map that has labels: "Ford End (0301)"; a hex without a name is
    /// its label.
    fn place(&self, value: &Value) -> String {
        let name = self.print(value);
        let label = value.get_attr("space").unwrap_or_default();
        match label.as_str() {
            Some(label) if self.labels && label != name => format!("{name} ({label})"),
            _ => name,
        }
    }

    /// A place with a preposition for being there: "at Ford End"; some languages use another for a
    /// hex without a name. In a list, only the first place has it.
    fn at(&self, value: &Value) -> String {
        let names = self.print(value);
        if let Some((beginning, rest)) = self.phrases.beginning(&names) {
            return format!("{}{rest}", beginning.at);
        }
        let starts_with_label = names.starts_with(|first: char| first.is_ascii_digit());
        let word = if starts_with_label {
            "at_hex"
        } else {
            "at_place"
        };
        format!("{} {names}", self.phrase(word))
    }

    /// A place with a preposition for coming from there: "from Ford End". Some languages shorten it
    /// before a vowel.
    fn from(&self, value: &Value) -> String {
        let name = self.print(value);
        if let Some((beginning, rest)) = self.phrases.beginning(&name) {
            return format!("{}{rest}", beginning.from);
        }
        let vowels = self.phrase("vowels");
        let vowel = name.starts_with(|first: char| vowels.contains(first));
        let word = if vowel { "from_vowel" } else { "from_place" };
        format!("{}{name}", self.phrase(word))
    }

    /// "A, B and C".
    fn list(&self, value: &Value, joint: &str) -> String {
        // A single piece or place is a map.
        let items = value.try_iter().ok();
        let Some(items) = items.filter(|_| value.kind() != ValueKind::Map) else {
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
            "results" => &text.results,
            "levels" => &text.levels,
            other => {
                let reason = format!("`{other}` is no section with terms");
                return Err(Error::new(ErrorKind::InvalidOperation, reason));
            }
        };
        let key = value.as_str().unwrap_or_default();
        Ok(words.get(key).map_or(key, String::as_str).to_owned())
    }

    /// "hit" or "hits"; a list counts its members, and a name alone has its own number ("Uhlans").
    /// French takes the singular for nought too.
    fn plural(&self, n: &Value, one: String, many: String) -> String {
        let name = matches!(n.kind(), ValueKind::Map | ValueKind::String);
        if name || n.len() == Some(1) {
            return match self.agreement(n) {
                Agreement::Masculine | Agreement::Feminine => one,
                Agreement::ManyMasculine | Agreement::ManyFeminine => many,
            };
        }
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

    /// "6 = 2 rolled, +2 Ada, +1 guns", "6 rolled" of one die without modifiers, or the modifiers
    /// alone if no roll is given.
    fn reasons(
        &self,
        env: &Environment<'_>,
        reasons: &Value,
        total: Option<i64>,
        roll: Option<&Value>,
    ) -> Result<String, Error> {
        let mut parts = Vec::new();
        let (mut sum, mut thrown) = (0, 0);
        if let Some(roll) = roll {
            let dice: Vec<Value> = match roll.try_iter() {
                Ok(dice) if roll.kind() != ValueKind::String => dice.collect(),
                _ => vec![roll.clone()],
            };
            sum += dice
                .iter()
                .filter_map(|die| i64::try_from(die.clone()).ok())
                .sum::<i64>();
            thrown = dice.len();
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
        let bare = thrown == 1 && parts.len() == 1 && total.is_none_or(|total| total == sum);
        let parts = parts.join(", ");
        Ok(match roll {
            Some(_) if !bare => format!("{} = {parts}", total.unwrap_or(sum)),
            _ => parts,
        })
    }
}

#[cfg(test)]
mod tests;
