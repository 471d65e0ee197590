//! Checks that a game's files agree: everything that is named exists, nothing stands twice, every
//! word is there.
//!
//! Forms, scripts and printed templates are judged by the modules that read them; they give
//! [`Problem`]s too.

mod decl;
mod drawing;
mod forces;
mod geometry;
mod hexes;
mod map;
mod scenarios;
mod tables;
mod texts;

use std::{cmp::Ordering, collections::BTreeSet, ops::RangeInclusive};

use super::{Game, Problem, Translations, read::nearest};
use crate::value::Value;

/// The most problems that are looked into. The author of more than these mends them first, and a
/// file full of them costs no time.
const MOST_PROBLEMS: usize = 100;

/// The range of whole numbers in a file: sums and products of a few of them stay within the numbers
/// of scripts.
const NUMBERS: RangeInclusive<i64> = -1_000_000_000..=1_000_000_000;
/// The turns of a game, 0 before the first.
const TURNS: RangeInclusive<i64> = 0..=100_000;

/// Everything about the game of a folder that makes no sense, in the order of its files. Paths are
/// given, places not yet.
pub(super) fn check(game: &Game, id: &str) -> Vec<Problem> {
    let mut check = GameCheck::of(game, id);
    check.decl();
    check.theatres();
    if game.theatres.is_empty() {
        check.ground();
    }
    for name in game.theatres.keys() {
        let staged = game.clone().in_theatre(name);
        let mut inner = GameCheck::of(&staged, id);
        inner.ground();
        inner.alike();
        check.problems.append(&mut inner.problems);
    }
    check.words();
    check.checklist();
    check.problems
}

/// A check under way: the game, the file that is looked at, and what was found.
struct GameCheck<'a> {
    game: &'a Game,
    /// The name of its folder.
    id: &'a str,
    file: String,
    problems: Vec<Problem>,
}

impl<'a> GameCheck<'a> {
    fn of(game: &'a Game, id: &'a str) -> Self {
        Self {
            game,
            id,
            file: String::new(),
            problems: Vec::new(),
        }
    }

    /// Looks at a map, its forces and tables, and the scenarios that are played on it.
    fn ground(&mut self) {
        self.boxes();
        self.map();
        self.forces();
        self.tables();
        self.scenarios();
    }

    /// Turns to a file that each theatre has.
    fn turn_to_ground(&mut self, name: &str) {
        let name = self.game.theatre_file(name);
        self.turn_to(&name);
    }

    /// Turns to a file of the game's folder.
    fn turn_to(&mut self, name: &str) {
        self.file = format!("games/{}/{name}", self.id);
    }

    fn say(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.put(Problem::new(&self.file, path, message));
    }

    fn say_hint(
        &mut self,
        path: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.put(Problem::new(&self.file, path, message).hint(hint));
    }

    /// Notes a problem, unless there are enough.
    fn put(&mut self, problem: Problem) {
        match self.problems.len().cmp(&MOST_PROBLEMS) {
            Ordering::Less => self.problems.push(problem),
            Ordering::Equal => {
                let more = "more is wrong from here on; mend what is listed first";
                self.problems.push(Problem::new(&self.file, "", more));
            }
            Ordering::Greater => {}
        }
    }

    /// Returns true if there are so many problems that nothing more need be checked.
    fn is_full(&self) -> bool {
        self.problems.len() > MOST_PROBLEMS
    }

    /// Refuses a name that is not among the known ones, and suggests the nearest.
    fn known<'n>(
        &mut self,
        path: impl Into<String>,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> bool {
        if self.is_full() {
            return false;
        }
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

    /// Refuses a value whose type differs from that of its default. Nothing (null) goes with every
    /// type.
    fn same_type(&mut self, path: impl Into<String>, value: &Value, default: &Value) {
        let path = path.into();
        self.in_range(&path, value);
        let (have, want) = (type_name(value), type_name(default));
        if have != want && have != "nothing" && want != "nothing" {
            self.say(path, format!("this is {have}, but its default is {want}"));
        }
    }

    /// Refuses a turn before the first, or later than any game comes to.
    fn turn(&mut self, path: &str, turn: Option<&Value>) {
        if let Some(number) = turn.and_then(Value::as_int)
            && NUMBERS.contains(&number)
            && !TURNS.contains(&number)
        {
            let (least, most) = (TURNS.start(), TURNS.end());
            self.say(
                path,
                format!("{number} is out of range: turns go from {least} to {most}"),
            );
        }
    }

    /// Refuses numbers that are larger or smaller than any game needs, wherever they stand in a
    /// value.
    fn in_range(&mut self, path: &str, value: &Value) {
        match value {
            Value::Int(number) if !NUMBERS.contains(number) => {
                let (least, most) = (NUMBERS.start(), NUMBERS.end());
                self.say(
                    path,
                    format!("{number} is out of range: numbers go from {least} to {most}"),
                );
            }
            Value::List(items) => {
                for (number, item) in items.iter().enumerate() {
                    self.in_range(&format!("{path}[{number}]"), item);
                }
            }
            Value::Map(fields) => {
                for (name, item) in fields {
                    self.in_range(&format!("{path}.{name}"), item);
                }
            }
            _ => {}
        }
    }

    /// Refuses a text that is missing in a language of the game.
    fn in_all_languages(&mut self, path: &str, words: &Translations) {
        for lang in self.game.languages() {
            if words.get(&lang).is_none_or(|text| text.trim().is_empty()) {
                self.say(path, format!("there is no text in `{}`", lang.code()));
            }
        }
    }

    fn sides(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.game.decl.sides.iter().map(|side| side.id.as_str())
    }

    /// Checks whether an id or `id.argument` names a phase of the game; says so if not.
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
            // A procedure has a letter before its number, `R12`; what has no number is anywhere.
            let number_of = first.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            if !number_of.is_empty() && number_of.parse() != Ok(entry.chapter) {
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
