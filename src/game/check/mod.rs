//! Whether a game makes sense: everything that is named exists, nothing stands twice, every word is there.
//!
//! Forms, scripts and printed templates are judged by the modules that read them; they give [`Problem`]s too.

mod decl;
mod forces;
mod geometry;
mod hexes;
mod map;
mod scenarios;
mod tables;
mod words;

use std::collections::BTreeSet;

use super::{Game, Lang, Problem, Words, read::nearest};
use crate::value::Value;

/// Everything about the game of a folder that makes no sense, in the order of its files. Paths are given, places not yet.
pub(super) fn check(game: &Game, id: &str) -> Vec<Problem> {
    let mut check = Check {
        game,
        id,
        file: String::new(),
        problems: Vec::new(),
    };
    check.decl();
    check.map();
    check.forces();
    check.tables();
    check.scenarios();
    check.words();
    check.checklist();
    check.problems
}

/// A check under way: the game, the file that is looked at, and what was found.
struct Check<'a> {
    game: &'a Game,
    /// The name of its folder.
    id: &'a str,
    file: String,
    problems: Vec<Problem>,
}

impl<'a> Check<'a> {
    /// Turns to a file of the game's folder.
    fn turn_to(&mut self, name: &str) {
        self.file = format!("games/{}/{name}", self.id);
    }

    fn say(&mut self, path: impl Into<String>, message: impl Into<String>) {
        let problem = Problem::new(&self.file, path, message);
        self.problems.push(problem);
    }

    fn say_hint(
        &mut self,
        path: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let problem = Problem::new(&self.file, path, message).hint(hint);
        self.problems.push(problem);
    }

    /// Refuses a name that is not among the known ones, and suggests the nearest.
    fn known<'n>(
        &mut self,
        path: impl Into<String>,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> bool {
        let found = known.clone().any(|one| one == name);
        if !found {
            let message = format!("there is no {what} `{name}`");
            match nearest(name, known) {
                Some(near) => self.say_hint(path, message, format!("did you mean `{near}`?")),
                None => self.say(path, message),
            }
        }
        found
    }

    /// Refuses ids that stand twice in a list.
    fn unique<'n>(&mut self, list: &str, ids: impl Iterator<Item = &'n str>) {
        let mut seen = BTreeSet::new();
        for (number, id) in ids.enumerate() {
            if !seen.insert(id) {
                self.say(
                    format!("{list}[{number}]"),
                    format!("`{id}` stands here twice"),
                );
            }
        }
    }

    /// Refuses a value whose type differs from that of its default. Nothing (null) goes with every type.
    fn same_type(&mut self, path: impl Into<String>, value: &Value, default: &Value) {
        let (have, want) = (type_name(value), type_name(default));
        if have != want && have != "nothing" && want != "nothing" {
            self.say(path, format!("this is {have}, but its default is {want}"));
        }
    }

    /// Refuses a text that is missing in a language.
    fn in_all_languages(&mut self, path: &str, words: &Words) {
        for lang in Lang::ALL {
            if words.get(&lang).is_none_or(|text| text.trim().is_empty()) {
                self.say(path, format!("there is no text in `{}`", lang.code()));
            }
        }
    }

    fn sides(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.game.decl.sides.iter().map(|side| side.id.as_str())
    }

    /// Whether an id or `id.argument` names a phase of the game; says so if not.
    fn phase(&mut self, path: &str, name: &str) {
        match self.game.check_phase(name) {
            Ok(()) => {}
            Err((message, Some(hint))) => self.say_hint(path, message, hint),
            Err((message, None)) => self.say(path, message),
        }
    }

    fn checklist(&mut self) {
        let game = self.game;
        self.file = format!("rules/{}/checklist.yaml", self.id);
        self.unique("", game.checklist.iter().map(|entry| entry.id.as_str()));
        for (number, entry) in game.checklist.iter().enumerate() {
            let first = entry.id.split('.').next().unwrap_or_default();
            if first.parse() != Ok(entry.chapter) {
                let message = format!("rule {} is not of chapter {}", entry.id, entry.chapter);
                self.say(format!("[{number}].chapter"), message);
            }
        }
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Int(_) => "a number",
        Value::Text(_) => "text",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
    }
}
