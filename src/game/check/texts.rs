//! Checks of `text/*.yaml`: every word in every language, no word for nothing, templates that
//! compile and that use the same arguments in every language.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::Environment;

use super::GameCheck;
use crate::{
    game::{FactAudience, Game, LEGEND, Lang, Text, Visibility, read::nearest},
    ordered::IndexMap,
};

/// The keys that a part of the words must have.
enum TextKeys<'a> {
    /// Exactly these keys.
    Exactly(Vec<&'a str>),
    /// All of the first, maybe some of the second.
    Between(Vec<&'a str>, Vec<&'a str>),
    /// At least these; scripts name others. All languages have the same.
    AtLeast(Vec<&'a str>),
}

/// A template of one language with its path in the file.
struct Template<'a> {
    path: String,
    source: &'a str,
}

impl<'a> GameCheck<'a> {
    pub(super) fn words(&mut self) {
        let game = self.game;
        for (lang, text) in &game.text {
            self.turn_to(&format!("text/{}.yaml", lang.code()));
            for (part, keys, have) in parts(game, text) {
                self.keys(part, &keys, &have);
            }
            self.examples(text);
            self.defaults(text);
            self.fits(text);
            self.primers(text);
        }
        self.same_keys();
        self.same_arguments();
    }

    fn keys(&mut self, part: &str, keys: &TextKeys<'_>, have: &[&str]) {
        let (needed, allowed) = match keys {
            TextKeys::Exactly(names) => (names, Some(Vec::new())),
            TextKeys::Between(needed, more) => (needed, Some(more.clone())),
            TextKeys::AtLeast(needed) => (needed, None),
        };
        for name in needed {
            if !have.contains(name) {
                self.say(part, format!("there is no text for `{name}`"));
            }
        }
        let Some(mut allowed) = allowed else {
            return;
        };
        allowed.extend(needed);
        for name in have.iter().filter(|name| !allowed.contains(name)) {
            let path = format!("{part}.{name}");
            let message = format!("the game has no `{name}` among its {part}");
            match nearest(name, allowed.iter().copied()) {
                Some(near) => self.say_hint(path, message, format!("did you mean `{near}`?")),
                None => self.say(path, message),
            }
        }
    }

    fn examples(&mut self, text: &Text) {
        let verbs = text
            .verbs
            .iter()
            .map(|(id, verb)| ("verbs", id, &verb.examples));
        let topics = text
            .topics
            .iter()
            .map(|(id, topic)| ("topics", id, &topic.examples));
        let conditions = text
            .conditions
            .iter()
            .map(|(id, condition)| ("conditions", id, &condition.examples));
        for (part, id, examples) in verbs.chain(topics).chain(conditions) {
            if examples.is_empty() {
                self.say(
                    format!("{part}.{id}.examples"),
                    "there must be at least one example",
                );
            }
        }
    }

    /// Examples for some scenarios are examples, and the scenarios exist.
    fn fits(&mut self, text: &Text) {
        for (id, words) in &text.verbs {
            for (line, scenarios) in &words.fits {
                let path = format!("verbs.{id}.fits");
                if !words.examples.contains(line) {
                    self.say(&path, format!("`{line}` is none of the examples"));
                }
                for name in scenarios {
                    if !self.game.scenarios.contains_key(name) {
                        self.say(&path, format!("there is no scenario `{name}`"));
                    }
                }
            }
        }
    }

    /// Checks that explained options exist, and have the explained values.
    fn primers(&mut self, text: &Text) {
        for (name, values) in &text.primers {
            let option = self.game.decl.options.get(name);
            for value in values.keys() {
                if !option.is_some_and(|option| option.values.contains(value)) {
                    let message = format!("there is no option `{name}` with the value `{value}`");
                    self.say(format!("primers.{name}"), message);
                }
            }
        }
    }

    /// A player can read what happens without a standing order.
    fn defaults(&mut self, text: &Text) {
        let verbs = &self.game.decl.orders.verbs;
        for (id, words) in &text.verbs {
            let standing = verbs.get(id).is_some_and(|verb| verb.standing);
            if standing && words.default.is_none() {
                self.say(
                    format!("verbs.{id}.default"),
                    "a standing order must say what happens without it",
                );
            }
        }
    }

    /// Parts whose keys scripts decide: what one language has, the others have too.
    fn same_keys(&mut self) {
        let game = self.game;
        for (lang, text) in &game.text {
            let others = game.text.iter().filter(|(other, _)| *other != lang);
            for (other, theirs) in others {
                self.turn_to(&format!("text/{}.yaml", lang.code()));
                let both = parts(game, text).into_iter().zip(parts(game, theirs));
                for ((part, keys, have), (_, _, want)) in both {
                    let TextKeys::AtLeast(needed) = keys else {
                        continue;
                    };
                    let told = |name: &&&str| have.contains(name) || needed.contains(name);
                    for name in want.iter().filter(|name| !told(name)) {
                        let message = format!("there is no text for `{name}`");
                        self.say_hint(part, message, format!("`{}` has one", other.code()));
                    }
                }
            }
        }
    }

    fn same_arguments(&mut self) {
        let game = self.game;
        let mut first: BTreeMap<String, (Lang, BTreeSet<String>)> = BTreeMap::new();
        let environment = Environment::new();
        for (lang, text) in &game.text {
            self.turn_to(&format!("text/{}.yaml", lang.code()));
            for Template { path, source } in templates(text) {
                let used = match arguments(&environment, source) {
                    Ok(used) => used,
                    Err(message) => {
                        self.say(path, message);
                        continue;
                    }
                };
                match first.get(&path) {
                    None => {
                        first.insert(path, (*lang, used));
                    }
                    Some((_, theirs)) if *theirs == used => {}
                    Some((other, theirs)) => {
                        let (theirs, used) = (listed(theirs), listed(&used));
                        let message = format!("uses {used}, but `{}` uses {theirs}", other.code());
                        self.say(path, message);
                    }
                }
            }
        }
    }
}

fn listed(names: &BTreeSet<String>) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return "no arguments".to_owned();
    }
    names.join(", ")
}

/// The arguments that a template uses, or why it does not compile.
fn arguments(environment: &Environment<'_>, source: &str) -> Result<BTreeSet<String>, String> {
    // Most texts are plain words, and compiling is the dear part.
    if !source.contains('{') {
        return Ok(BTreeSet::new());
    }
    let template = environment.template_from_str(source).map_err(|error| {
        format!(
            "the template is wrong: {}",
            error.detail().unwrap_or("no detail")
        )
    })?;
    Ok(template.undeclared_variables(false).into_iter().collect())
}

fn names<T>(map: &IndexMap<String, T>) -> Vec<&str> {
    map.keys().map(String::as_str).collect()
}

/// The parts of a text with the keys that they must have and those that they have.
fn parts<'a>(game: &'a Game, text: &'a Text) -> Vec<(&'static str, TextKeys<'a>, Vec<&'a str>)> {
    let decl = &game.decl;
    let (told, hidden): (Vec<_>, Vec<_>) = decl
        .attributes
        .iter()
        .partition(|(_, attribute)| attribute.shown != Visibility::Umpire);
    let keys_of = |list: Vec<(&'a String, _)>| list.into_iter().map(|(name, _)| &**name).collect();
    let public = decl.facts.iter();
    let public = public.filter(|(_, fact)| fact.shown != FactAudience::Umpire);
    let theatres = game.theatres.values().flat_map(|it| it.tables.values());
    let tables = game.tables.values().chain(theatres);
    let modifiers: BTreeSet<&str> = tables
        .flat_map(|table| &table.modifiers)
        .map(|modifier| modifier.id.as_str())
        .collect();
    let formations = game.force_lists().flat_map(|forces| &forces.formations);
    let formations: BTreeSet<&str> = formations.map(|one| one.id.as_str()).collect();
    let terrains = game.maps().flat_map(|map| &map.map().terrains);
    let terrains: BTreeSet<&str> = terrains.map(String::as_str).collect();
    let phases = decl.phases.iter();
    let sides = decl.sides.iter();
    let hexsides = game.maps().filter_map(|map| map.hexes());
    let hexsides = hexsides.flat_map(|map| map.file().features.iter().map(|kind| kind.id.as_str()));
    let drawn: BTreeSet<&str> = hexsides.chain(LEGEND).collect();
    let together = decl.display.together.iter();
    let boxes = decl.boxes.keys().map(|id| id.as_str()).collect();
    vec![
        (
            "kinds",
            TextKeys::Exactly(names(&decl.kinds)),
            names(&text.kinds),
        ),
        (
            "terrains",
            TextKeys::Exactly(terrains.into_iter().collect()),
            names(&text.terrains),
        ),
        (
            "attributes",
            TextKeys::Between(keys_of(told), keys_of(hidden)),
            names(&text.attributes),
        ),
        ("boxes", TextKeys::Exactly(boxes), names(&text.boxes)),
        (
            "formations",
            TextKeys::Exactly(formations.into_iter().collect()),
            names(&text.formations),
        ),
        (
            "phases",
            TextKeys::Exactly(phases.map(|phase| phase.id.as_str()).collect()),
            names(&text.phases),
        ),
        (
            "unknown",
            TextKeys::Exactly(sides.map(|side| side.id.as_str()).collect()),
            names(&text.unknown),
        ),
        (
            "options",
            TextKeys::Exactly(names(&decl.options)),
            names(&text.options),
        ),
        (
            "facts",
            TextKeys::Between(Vec::new(), public.map(|(name, _)| &**name).collect()),
            names(&text.facts),
        ),
        (
            "events",
            TextKeys::Exactly(decl.events.iter().map(String::as_str).collect()),
            names(&text.events),
        ),
        (
            "together",
            TextKeys::Exactly(together.map(|it| it.event.as_str()).collect()),
            names(&text.together),
        ),
        (
            "outcomes",
            TextKeys::Between(Vec::new(), decl.events.iter().map(String::as_str).collect()),
            names(&text.outcomes),
        ),
        (
            "modifiers",
            TextKeys::AtLeast(modifiers.into_iter().collect()),
            names(&text.modifiers),
        ),
        (
            "remarks",
            TextKeys::AtLeast(Vec::new()),
            names(&text.remarks),
        ),
        (
            "verbs",
            TextKeys::Exactly(names(&decl.orders.verbs)),
            names(&text.verbs),
        ),
        (
            "topics",
            TextKeys::Exactly(names(&decl.orders.topics)),
            names(&text.topics),
        ),
        (
            "conditions",
            TextKeys::Exactly(names(&decl.orders.conditions)),
            names(&text.conditions),
        ),
        (
            "legend",
            TextKeys::Between(Vec::new(), drawn.into_iter().collect()),
            names(&text.legend),
        ),
        (
            "results",
            TextKeys::AtLeast(Vec::new()),
            names(&text.results),
        ),
        ("levels", TextKeys::AtLeast(Vec::new()), names(&text.levels)),
        (
            "scenarios",
            TextKeys::Exactly(names(&game.scenarios)),
            names(&text.scenarios),
        ),
    ]
}

/// All templates of a language.
fn templates(text: &Text) -> impl Iterator<Item = Template<'_>> {
    let parts = [
        ("phases", &text.phases),
        ("facts", &text.facts),
        ("events", &text.events),
        ("together", &text.together),
        ("outcomes", &text.outcomes),
        ("modifiers", &text.modifiers),
        ("dice", &text.dice),
        ("remarks", &text.remarks),
    ];
    let plain = parts.into_iter().flat_map(|(part, words)| {
        words.iter().map(move |(key, source)| Template {
            path: format!("{part}.{key}"),
            source,
        })
    });
    let questions = text.topics.iter().map(|(key, topic)| Template {
        path: format!("topics.{key}.question"),
        source: &topic.question,
    });
    plain.chain(questions)
}
