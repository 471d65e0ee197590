//! The report of a flow: findings with their places, and the game's names that the scripts use.

use std::collections::{BTreeMap, BTreeSet};

use rhai::Position;

use crate::{
    check::{
        names::Sort,
        templates::{ArgumentPart, Comparison, WantedArgument},
        value::{TextPart, TextValue, Val},
    },
    game::Severity,
};

/// A text that a script writes and compares with something.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComparedText {
    /// The place where it is written.
    pub(super) at: (usize, usize),
    /// True if it may equal the value that it is compared with.
    pub(super) fits: bool,
    /// The similar spelling that was probably meant.
    pub(super) near: Option<String>,
}

/// A finding at a place of the joined scripts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FlowFinding {
    pub severity: Severity,
    pub message: String,
    pub hint: Option<String>,
}

/// A use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NameUse {
    Named,
    Read,
    Written,
}

/// A throw of dice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Throw {
    pub label: Vec<TextPart>,
    /// True if the function may throw it several times.
    pub repeated: bool,
}

/// The report of following the scripts.
#[derive(Default)]
pub(crate) struct FlowReport {
    pub found: BTreeMap<(usize, usize), BTreeSet<FlowFinding>>,
    /// Words that something is compared with, by place; none where the two may be equal.
    pub compared: BTreeMap<((usize, usize), String), Option<FlowFinding>>,
    pub used: BTreeSet<(Sort, String, NameUse)>,
    /// Sorts whose names are made up when a script runs, so that any may be used.
    pub open: BTreeSet<Sort>,
    /// Places where a name is made up.
    pub unproven: BTreeMap<(usize, usize), Sort>,
    /// Values and modifiers of tables that are read, by the table.
    pub entries: BTreeSet<(String, String)>,
    pub modifiers: BTreeSet<(String, String)>,
    /// Tables whose values are the costs of ways.
    pub costs: BTreeSet<String>,
    pub asked: BTreeSet<String>,
    /// The phases for which a script waits.
    pub waited: Option<BTreeSet<String>>,
    /// Functions of the host that are called.
    pub called: BTreeSet<String>,
    /// Keys of maps that scripts write.
    pub keys: BTreeSet<String>,
    /// Properties that are read of what may be a map or a piece.
    pub loose: BTreeMap<String, Position>,
    /// Properties that are read at all.
    pub read: BTreeSet<String>,
    /// Words that scripts compare something with.
    pub words: BTreeSet<String>,
    /// Texts that scripts write, and the values that they are compared with.
    pub texts: BTreeMap<String, ComparedText>,
    /// Texts that templates compare arguments with, and whether scripts may give them.
    pub of_templates: BTreeMap<Comparison, bool>,
    /// Arguments that templates have, and whether scripts give them.
    pub of_arguments: BTreeMap<WantedArgument, bool>,
    /// Parts of arguments that templates have, whether scripts give them, and which they give.
    pub of_parts: BTreeMap<ArgumentPart, (bool, BTreeSet<String>)>,
    /// Keys that maps are asked for by a value, with the place where the key is written.
    pub asked_keys: BTreeMap<String, Position>,
    /// Functions that may end the campaign themselves.
    pub endings: BTreeSet<usize>,
    /// Throws by function and place.
    pub throws: BTreeMap<(usize, (usize, usize)), BTreeSet<Throw>>,
    /// The functions that each function calls, and whether it does so again and again.
    pub edges: BTreeMap<usize, BTreeSet<(usize, bool)>>,
    /// Classes that terrains have no cost for, by table.
    pub lacking: BTreeMap<(String, String), Vec<String>>,
}

pub(super) fn key(at: Position) -> (usize, usize) {
    (at.line().unwrap_or(0), at.position().unwrap_or(0))
}

impl FlowReport {
    pub fn error(&mut self, at: Position, message: String, hint: Option<String>) {
        self.add(at, Severity::Error, message, hint);
    }

    pub fn warning(&mut self, at: Position, message: String, hint: Option<String>) {
        self.add(at, Severity::Warning, message, hint);
    }

    /// Notes that a compared value may be this word, in one of the ways in which a run comes here.
    pub fn possible(&mut self, word: &str, at: Position) {
        self.compared.insert((key(at), word.to_owned()), None);
    }

    /// Notes that it can't be, in one of the ways in which a run comes here. That counts only if it
    /// is so in all of them.
    pub fn impossible(
        &mut self,
        word: &str,
        at: Position,
        severity: Severity,
        message: String,
        hint: Option<String>,
    ) {
        let found = FlowFinding {
            severity,
            message,
            hint,
        };
        self.compared
            .entry((key(at), word.to_owned()))
            .or_insert(Some(found));
    }

    fn add(&mut self, at: Position, severity: Severity, message: String, hint: Option<String>) {
        let found = FlowFinding {
            severity,
            message,
            hint,
        };
        self.found.entry(key(at)).or_default().insert(found);
    }

    pub fn uses(&mut self, sort: Sort, name: &str) {
        self.used.insert((sort, name.to_owned(), NameUse::Named));
    }

    pub fn reads(&mut self, sort: Sort, name: &str) {
        self.used.insert((sort, name.to_owned(), NameUse::Read));
    }

    pub fn writes(&mut self, sort: Sort, name: &str) {
        self.used.insert((sort, name.to_owned(), NameUse::Written));
    }

    pub fn uses_all(&mut self, sort: Sort) {
        self.open.insert(sort);
    }

    /// Returns true if a name is used in one of these ways; true if names of its sort are made up.
    pub fn is_used(&self, sort: Sort, name: &str, uses: &[NameUse]) -> bool {
        self.open.contains(&sort)
            || uses
                .iter()
                .any(|how| self.used.contains(&(sort, name.to_owned(), *how)))
    }

    /// Adds the uses that another report found.
    pub fn take_uses(&mut self, other: &Self) {
        self.used.extend(other.used.iter().cloned());
        self.open.extend(&other.open);
        self.entries.extend(other.entries.iter().cloned());
        self.modifiers.extend(other.modifiers.iter().cloned());
        self.costs.extend(other.costs.iter().cloned());
        self.read.extend(other.read.iter().cloned());
    }

    pub fn unproven(&mut self, sort: Sort, at: Position) {
        self.unproven.insert(key(at), sort);
    }

    pub fn entry(&mut self, table: &str, name: &str) {
        self.entries.insert((table.to_owned(), name.to_owned()));
    }

    /// All values of a table are read: it has the costs of ways.
    pub fn entries(&mut self, table: &str) {
        self.costs.insert(table.to_owned());
    }

    pub fn modifier(&mut self, table: &str, id: &str) {
        self.modifiers.insert((table.to_owned(), id.to_owned()));
    }

    pub fn asks(&mut self, topic: &str) {
        self.asked.insert(topic.to_owned());
    }

    pub fn waits(&mut self, phase: &Val) {
        if !phase.is_told() {
            self.open.insert(Sort::Phase);
        }
        let waited = self.waited.get_or_insert_default();
        for text in &phase.texts {
            match text {
                TextValue::Word(word, _) => {
                    waited.insert(word.to_string());
                }
                _ => {
                    self.open.insert(Sort::Phase);
                }
            }
        }
    }

    pub fn calls(&mut self, name: &str) {
        self.called.insert(name.to_owned());
    }

    pub fn key(&mut self, name: &str) {
        self.keys.insert(name.to_owned());
    }

    pub fn property_read(&mut self, name: &str) {
        self.read.insert(name.to_owned());
    }

    pub fn loose_property(&mut self, name: &str, at: Position) {
        self.loose.entry(name.to_owned()).or_insert(at);
    }

    pub fn key_asked(&mut self, name: &str, at: Position) {
        self.asked_keys.entry(name.to_owned()).or_insert(at);
    }

    pub fn word(&mut self, word: &str) {
        self.words.insert(word.to_owned());
    }

    pub fn edge(&mut self, from: usize, to: usize, again: bool) {
        self.edges.entry(from).or_default().insert((to, again));
    }

    /// The functions that one may come to call, itself included, each with whether it may call it
    /// again and again.
    pub fn reach(&self, from: usize) -> BTreeMap<usize, bool> {
        let mut reached = BTreeMap::from([(from, false)]);
        let mut open = vec![from];
        while let Some(here) = open.pop() {
            let again = reached.get(&here).copied().unwrap_or_default();
            for (to, looped) in self.edges.get(&here).into_iter().flatten() {
                let now = again || *looped;
                let known = reached.get(to).copied();
                if known.is_none_or(|before| now && !before) {
                    reached.insert(*to, now);
                    open.push(*to);
                }
            }
        }
        reached
    }

    pub fn throws(&mut self, function: usize, at: Position, label: Vec<TextPart>, repeated: bool) {
        let throw = Throw { label, repeated };
        self.throws
            .entry((function, key(at)))
            .or_default()
            .insert(throw);
    }

    pub fn lacking_class(&mut self, table: &str, class: &str, terrains: &[&str]) {
        if !terrains.is_empty() {
            let names = terrains.iter().map(|name| (*name).to_owned());
            self.lacking
                .insert((table.to_owned(), class.to_owned()), names.collect());
        }
    }
}
