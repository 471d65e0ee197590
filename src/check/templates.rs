//! The arguments that the templates of a game's words want, in all languages.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::Environment;

use crate::{
    dispatch::{FILTERS, Words},
    game::{Game, Problem, Text, nearest},
    ordered::IndexMap,
};

/// The arguments that templates need for one event, remark or question.
#[derive(Clone, Debug, Default)]
pub(super) struct TemplateNeeds {
    /// Arguments that they print, with the file that does.
    needed: BTreeMap<String, String>,
    /// Arguments printed in some cases only: some call must give them.
    sometimes: BTreeMap<String, String>,
    /// Arguments that they ask about first: they may be missing.
    optional: BTreeSet<String>,
    /// Texts that they compare arguments with, and where.
    compared: BTreeSet<Comparison>,
    /// Arguments of which some call must give each, and where they stand.
    wanted: BTreeSet<WantedArgument>,
    /// Parts of arguments, and where they stand.
    parts: BTreeSet<ArgumentPart>,
}

/// An argument that a template has, needed or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WantedArgument {
    pub name: String,
    /// The file of the template, and its place there.
    pub file: String,
    pub path: String,
}

/// A part of an argument: `{{ piece.side }}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ArgumentPart {
    /// The argument.
    pub name: String,
    pub part: String,
    /// The file of the template, and its place there.
    pub file: String,
    pub path: String,
}

/// A text that a template compares an argument with: `{% if why == 'far' %}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Comparison {
    /// The argument.
    pub name: String,
    pub text: String,
    /// The file of the template, and its place there.
    pub file: String,
    pub path: String,
}

impl TemplateNeeds {
    /// Arguments that must be given, each with the file that prints it.
    pub fn needed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.needed
            .iter()
            .map(|(name, file)| (name.as_str(), file.as_str()))
    }

    /// Arguments that are printed in some cases only, each with its file.
    pub fn sometimes(&self) -> impl Iterator<Item = (&str, &str)> {
        let only = self.sometimes.iter();
        only.filter(|(name, _)| !self.needed.contains_key(*name))
            .map(|(name, file)| (name.as_str(), file.as_str()))
    }

    /// Arguments that are tested before they are printed.
    pub fn optional(&self) -> impl Iterator<Item = &str> {
        self.optional.iter().map(String::as_str)
    }

    /// The texts that arguments are compared with.
    pub fn compared(&self) -> impl Iterator<Item = &Comparison> {
        self.compared.iter()
    }

    /// The arguments that calls give, some this, some that.
    pub fn wanted(&self) -> impl Iterator<Item = &WantedArgument> {
        self.wanted.iter()
    }

    /// The parts of arguments.
    pub fn parts(&self) -> impl Iterator<Item = &ArgumentPart> {
        self.parts.iter()
    }

    /// Returns true if an argument is used at all.
    pub fn uses(&self, name: &str) -> bool {
        self.needed.contains_key(name)
            || self.sometimes.contains_key(name)
            || self.optional.contains(name)
    }
}

/// The templates of a game.
#[derive(Default)]
pub(super) struct Templates {
    wanted: BTreeMap<(&'static str, String), TemplateNeeds>,
}

impl Templates {
    pub fn of_game(game: &Game) -> Self {
        let mut all = Self::default();
        let environment = Environment::new();
        for (lang, text) in &game.text {
            let file = format!("text/{}.yaml", lang.code());
            for (section, place, words) in sections(text) {
                for (key, source) in words {
                    let place = (file.as_str(), format!("{place}.{key}"));
                    all.add(&environment, place, section, key, source);
                }
            }
            for (key, topic) in &text.topics {
                let place = (file.as_str(), format!("topics.{key}.question"));
                all.add(&environment, place, "topics", key, &topic.question);
            }
        }
        all
    }

    fn add(
        &mut self,
        environment: &Environment<'_>,
        (file, path): (&str, String),
        section: &'static str,
        key: &str,
        source: &str,
    ) {
        let wanted = self.wanted.entry((section, key.to_owned())).or_default();
        // A template that does not compile has been reported with the words.
        let Ok(template) = environment.template_from_str(source) else {
            return;
        };
        for (name, text) in comparisons(source) {
            let (file, path) = (file.to_owned(), path.clone());
            wanted.compared.insert(Comparison {
                name,
                text,
                file,
                path,
            });
        }
        let parts: BTreeSet<String> = template.undeclared_variables(true).into_iter().collect();
        for full in parts {
            let mut names = full.split('.');
            let (Some(name), Some(part)) = (names.next(), names.next()) else {
                continue;
            };
            let is_place_in_list = part.chars().all(|sign| sign.is_ascii_digit());
            if !is_place_in_list && !OF_THE_ENGINE.contains(&name) {
                wanted.parts.insert(ArgumentPart {
                    name: name.to_owned(),
                    part: part.to_owned(),
                    file: file.to_owned(),
                    path: path.clone(),
                });
            }
        }
        let names: BTreeSet<String> = template.undeclared_variables(false).into_iter().collect();
        for name in names {
            if !OF_THE_ENGINE.contains(&name.as_str()) {
                wanted.wanted.insert(WantedArgument {
                    name: name.clone(),
                    file: file.to_owned(),
                    path: path.clone(),
                });
            }
            if may_be_missing(source, &name) {
                wanted.optional.insert(name);
            } else if !words(&outside_conditions(source)).contains(&name) {
                wanted
                    .sometimes
                    .entry(name)
                    .or_insert_with(|| file.to_owned());
            } else {
                wanted.needed.entry(name).or_insert_with(|| file.to_owned());
            }
        }
    }

    /// The arguments that the templates of a key want.
    pub fn of(&self, section: &'static str, key: &str) -> TemplateNeeds {
        let found = self.wanted.get(&(section, key.to_owned()));
        found.cloned().unwrap_or_default()
    }
}

/// Words by what they are told of, with their section: an outcome has the arguments of its event.
fn sections(text: &Text) -> [(&'static str, &'static str, &IndexMap<String, String>); 3] {
    [
        ("events", "events", &text.events),
        ("events", "outcomes", &text.outcomes),
        ("remarks", "remarks", &text.remarks),
    ]
}

/// Unknown filters in the words of a game.
pub(super) fn unknown_filters(game: &Game) -> Vec<Problem> {
    let mut found = Vec::new();
    for (lang, text) in &game.text {
        let words = Words::new(game, *lang);
        let file = format!("games/{}/text/{}.yaml", game.decl.id, lang.code());
        for (path, source) in templates(text) {
            for filter in filters(source) {
                if !words.has_filter(&filter) {
                    let message = format!("templates have no filter `{filter}`");
                    let problem = Problem::new(&file, path.clone(), message);
                    found.push(match nearest(&filter, FILTERS.into_iter()) {
                        Some(near) => problem.hint(format!("did you mean `{near}`?")),
                        None => problem.hint(format!("there are: {}", FILTERS.join(", "))),
                    });
                }
            }
        }
    }
    found
}

/// Variables in the words for facts and phases that the host does not give them.
pub(super) fn unknown_variables(game: &Game) -> Vec<Problem> {
    let mut found = Vec::new();
    for (lang, text) in &game.text {
        let file = format!("games/{}/text/{}.yaml", game.decl.id, lang.code());
        for (name, source) in &text.facts {
            let declared = game.decl.facts.get(name);
            let of = declared.is_some_and(|fact| fact.shown.is_shared_out());
            let given: &[&str] = if of {
                &["value", "facts", "of"]
            } else {
                &["value", "facts"]
            };
            let path = format!("facts.{name}");
            found.extend(unknown_in(game, source, given, &file, &path));
        }
        for (name, source) in &text.phases {
            let path = format!("phases.{name}");
            let given = ["side", "space", "id"];
            found.extend(unknown_in(game, source, &given, &file, &path));
        }
    }
    found
}

/// Names that the template engine gives to all templates.
const OF_THE_ENGINE: [&str; 4] = ["range", "dict", "namespace", "debug"];

fn unknown_in(game: &Game, source: &str, given: &[&str], file: &str, path: &str) -> Vec<Problem> {
    let environment = Environment::new();
    let Ok(template) = environment.template_from_str(source) else {
        return Vec::new();
    };
    let problem = |name: &str, known: &mut dyn Iterator<Item = &str>| {
        let hint = match nearest(name, &mut *known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", given.join(", ")),
        };
        let message = format!("nothing gives this text `{name}`");
        Problem::new(file, path, message).hint(hint)
    };
    let names: BTreeSet<String> = template.undeclared_variables(true).into_iter().collect();
    let mut found = Vec::new();
    for name in &names {
        let mut parts = name.split('.');
        let first = parts.next().unwrap_or_default();
        if !given.contains(&first) {
            if !OF_THE_ENGINE.contains(&first) {
                found.push(problem(first, &mut given.iter().copied()));
            }
            continue;
        }
        let fact = parts.next().filter(|_| first == "facts");
        let facts = &game.decl.facts;
        if let Some(fact) = fact.filter(|fact| !facts.contains_key(*fact)) {
            found.push(problem(fact, &mut facts.keys().map(String::as_str)));
        }
    }
    found
}

/// All templates of a language, with their places.
fn templates(text: &Text) -> impl Iterator<Item = (String, &str)> {
    let all = [
        ("events", &text.events),
        ("together", &text.together),
        ("outcomes", &text.outcomes),
        ("remarks", &text.remarks),
        ("phases", &text.phases),
        ("facts", &text.facts),
    ];
    let plain = all.into_iter().flat_map(|(section, words)| {
        let words = words.iter();
        words.map(move |(key, source)| (format!("{section}.{key}"), source.as_str()))
    });
    let topics = text.topics.iter();
    plain.chain(
        topics.map(|(key, topic)| (format!("topics.{key}.question"), topic.question.as_str())),
    )
}

/// The filters that a template names.
fn filters(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for tag in source.split('{').skip(1) {
        let end = tag.find('}').unwrap_or(tag.len());
        let tag = tag.get(..end).unwrap_or_default();
        for after in tag.split('|').skip(1) {
            let name = after.trim_start();
            let end = name
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(name.len());
            found.extend(
                name.get(..end)
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned),
            );
        }
    }
    found
}

/// The words of a text, names of variables among them.
fn words(text: &str) -> Vec<String> {
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !letters(c))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The part of a template that is printed whatever its conditions say.
fn outside_conditions(source: &str) -> String {
    let (mut outside, mut depth, mut rest) = (String::new(), 0_usize, source);
    while let Some((before, tail)) = rest.split_once("{%") {
        if depth == 0 {
            outside.push_str(before);
        }
        let (tag, after) = tail.split_once("%}").unwrap_or((tail, ""));
        match words(tag).first().map(String::as_str) {
            Some("if") => depth += 1,
            Some("endif") => depth = depth.saturating_sub(1),
            // A loop prints what it goes through.
            _ if depth == 0 => outside.push_str(tag),
            _ => {}
        }
        rest = after;
    }
    if depth == 0 {
        outside.push_str(rest);
    }
    outside
}

/// The variables that a template compares with texts: `why == 'far'`.
fn comparisons(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for operator in ["==", "!="] {
        for (at, _) in source.match_indices(operator) {
            let (before, after) = source.split_at(at);
            let after = after.get(operator.len()..).unwrap_or_default().trim_start();
            let text = ['\'', '"'].iter().find_map(|quote| {
                let (text, _) = after.strip_prefix(*quote)?.split_once(*quote)?;
                Some(text)
            });
            let before = before.trim_end();
            let letters = |c: char| c.is_alphanumeric() || c == '_';
            let (rest, name) = before.split_at(before.trim_end_matches(letters).len());
            // A part of a variable is none itself.
            if let Some(text) = text.filter(|_| !name.is_empty() && !rest.ends_with(['.', '|'])) {
                found.push((name.to_owned(), text.to_owned()));
            }
        }
    }
    found
}

/// Returns true if a template asks about a variable before it prints it: `{% if x %}`,
/// `x is defined`, `x|default(..)`.
fn may_be_missing(source: &str, name: &str) -> bool {
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

    #[test]
    fn what_is_compared_with_a_text_is_found() {
        let source =
            "{% if why == 'far' %}{{ 'a' if x != \"b\" else c }}{% elif y.z == 'd' or n == 1 %}";
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(comparisons(source), [pair("why", "far"), pair("x", "b")]);
    }

    #[test]
    fn what_stands_in_a_condition_is_printed_sometimes() {
        let source = "{{ a }}{% if a == 1 %}{{ b }}{% elif c %}{{ d }}{% endif %}{% for e in f %}{{ e }}{% endfor %}";
        let outside = words(&outside_conditions(source));
        for name in ["a", "f"] {
            assert!(outside.contains(&name.to_owned()), "{name}: {outside:?}");
        }
        for name in ["b", "c", "d"] {
            assert!(!outside.contains(&name.to_owned()), "{name}: {outside:?}");
        }
    }
}
