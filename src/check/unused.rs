//! Declarations that nothing uses, and names used in two ways that don't fit together: mostly slips
//! of the pen.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    flow::{Flow, FlowReport, NameUse},
    names::Sort,
    unused_data::{self, ANY_USE, UnusedKey},
    unused_functions, unused_parts,
    value::{TextPart, shown},
    words_of_data::{HOST_KEYS, keys_of_data, keywords_of_forms, results_of_tables},
};
use crate::game::{Atlas, Game, Problem, Table, nearest};

/// Warnings, and properties that nothing has.
pub(super) fn find(flow: &Flow<'_>, bots: &Flow<'_>) -> Vec<Problem> {
    let mut unused = UnusedCheck {
        flow,
        game: flow.names.game,
        problems: Vec::new(),
    };
    unused.properties();
    unused.declarations();
    unused.orders();
    unused.tables();
    unused.data();
    unused.words();
    unused.throws();
    let mut problems = unused.problems;
    problems.extend(unused_functions::find(flow, bots));
    problems
}

struct UnusedCheck<'a, 'b> {
    flow: &'a Flow<'b>,
    game: &'b Game,
    problems: Vec<Problem>,
}

impl UnusedCheck<'_, '_> {
    fn report(&self) -> &FlowReport {
        &self.flow.report
    }

    fn warn(&mut self, file: &str, path: impl Into<String>, message: impl Into<String>) {
        let file = format!("games/{}/{file}", self.game.decl.id);
        self.problems
            .push(Problem::new(&file, path, message).warning());
    }

    fn is_used(&self, sort: Sort, name: &str) -> bool {
        self.report().is_used(sort, name, &ANY_USE)
    }

    /// Properties that are read of what may be a piece or a map: some piece or map must have them.
    fn properties(&mut self) {
        let report = self.report();
        let mut known: BTreeSet<&str> = report.keys.iter().map(String::as_str).collect();
        known.extend(self.flow.labels());
        known.extend(self.flow.names.all(Sort::Property));
        known.extend(HOST_KEYS);
        known.extend(keys_of_data(self.game));
        let strange: Vec<_> = report
            .loose
            .iter()
            .filter(|(name, _)| !known.contains(name.as_str()))
            .map(|(name, at)| {
                (
                    name.clone(),
                    *at,
                    nearest(name, known.iter().copied()).map(str::to_owned),
                )
            })
            .collect();
        let names = self.flow.names;
        let asked: Vec<_> = (report.asked_keys.iter())
            .filter(|(name, _)| !known.contains(name.as_str()) && !names.is_name(name))
            .filter_map(|(name, at)| {
                let near = nearest(name, known.iter().copied())?;
                Some((name.clone(), *at, near.to_owned()))
            })
            .collect();
        for (name, at, near) in asked {
            let message = format!("no map has a key `{name}`");
            let problem = self.flow.problem(at, message);
            self.problems
                .push(problem.hint(format!("did you mean `{near}`?")));
        }
        for (name, at, near) in strange {
            let message = format!("no piece and no map has `{name}`");
            let problem = self.flow.problem(at, message);
            self.problems.push(match near {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        }
    }

    fn declarations(&mut self) {
        let decl = &self.game.decl;
        let report = self.report();
        let mut said: Vec<(String, String)> = Vec::new();
        let drawings = self
            .game
            .maps()
            .filter_map(|map| map.map().drawing.as_ref());
        let pages = drawings.filter_map(|drawing| drawing.atlas.as_ref());
        let drawn_facts: BTreeSet<&str> = pages.flat_map(Atlas::facts).collect();
        for name in decl.facts.keys() {
            let path = format!("facts.{name}");
            let within = format!("facts.{name}");
            let shown = self.game.text.values().any(|text| {
                text.facts.contains_key(name)
                    || text.facts.values().any(|words| words.contains(&within))
            });
            let sieges = decl.display.sieges.iter().any(|siege| siege.fact == *name);
            let read = report.is_used(Sort::Fact, name, &[NameUse::Read])
                || shown
                || sieges
                || drawn_facts.contains(name.as_str())
                || name == "turn";
            let written = report.is_used(Sort::Fact, name, &[NameUse::Written]);
            let given = self
                .game
                .scenarios
                .values()
                .any(|scenario| scenario.facts.contains_key(name));
            if !read && !written {
                said.push((path, "nothing reads or sets this fact".to_owned()));
            } else if !read {
                said.push((path, "this fact is set, and nothing reads it".to_owned()));
            } else if !written && !given && name != "turn" {
                said.push((
                    path,
                    "nothing sets this fact: it is always its default".to_owned(),
                ));
            }
        }
        for (number, event) in decl.events.iter().enumerate() {
            if !self.is_used(Sort::Event, event) {
                said.push((
                    format!("events[{number}]"),
                    format!("no script tells `{event}`"),
                ));
            }
        }
        let display = &decl.display;
        let displayed: BTreeSet<&str> = display
            .attributes()
            .chain(decl.orders.obeys.as_deref())
            .collect();
        for name in decl.attributes.keys() {
            if !self.is_used(Sort::Attribute, name)
                && !self.is_used(Sort::Property, name)
                && !displayed.contains(name.as_str())
                && !report.read.contains(name)
            {
                said.push((
                    format!("attributes.{name}"),
                    "nothing uses this attribute".to_owned(),
                ));
            }
        }
        let maps = self.game.maps().map(|map| map.map());
        let drawn: BTreeSet<&str> = maps
            .filter_map(|map| map.drawing.as_ref())
            .flat_map(|drawing| drawing.space_states().map(|(_, name)| name))
            .collect();
        for name in decl.space_attributes.keys() {
            if !self.is_used(Sort::SpaceState, name)
                && display.control.as_deref() != Some(name)
                && !drawn.contains(name.as_str())
            {
                said.push((
                    format!("space_attributes.{name}"),
                    "nothing uses this state".to_owned(),
                ));
            }
        }
        for name in decl.road_attributes.keys() {
            if !self.is_used(Sort::RoadState, name) && display.broken.as_deref() != Some(name) {
                said.push((
                    format!("road_attributes.{name}"),
                    "nothing uses this state".to_owned(),
                ));
            }
        }
        for id in decl.boxes.keys() {
            let filled = self
                .game
                .scenarios
                .values()
                .any(|scenario| scenario.positions.contains_key(id));
            if !filled && !self.is_used(Sort::Box, id) && !report.words.contains(id.as_str()) {
                said.push((
                    format!("boxes.{id}"),
                    "nothing is ever put into this box".to_owned(),
                ));
            }
        }
        for name in decl.options.keys() {
            let orders = &decl.orders;
            let switches = orders
                .verbs
                .values()
                .any(|verb| verb.option.as_ref() == Some(name))
                || decl.courier.as_ref().and_then(|it| it.option.as_ref()) == Some(name)
                || orders
                    .topics
                    .values()
                    .any(|topic| topic.option.as_ref() == Some(name));
            if !switches && !self.is_used(Sort::Option, name) {
                said.push((
                    format!("options.{name}"),
                    "no script asks for this option".to_owned(),
                ));
            }
        }
        for (path, message) in said {
            self.warn("game.yaml", path, message);
        }
    }

    fn orders(&mut self) {
        let decl = &self.game.decl;
        let report = self.report();
        let mut said: Vec<(String, String)> = Vec::new();
        let waited = report.waited.clone().unwrap_or_default();
        for (name, verb) in &decl.orders.verbs {
            let path = format!("orders.verbs.{name}");
            for (number, phase) in verb.phases.iter().enumerate() {
                if !waited.contains(phase) && !report.open.contains(&Sort::Phase) {
                    let message = format!("no script waits for orders of the phase `{phase}`");
                    said.push((format!("{path}.phases[{number}]"), message));
                }
            }
            if verb.standing && verb.at_once.is_none() && !self.is_used(Sort::Verb, name) {
                let message = "no script looks at this standing order (`told`)";
                said.push((path, message.to_owned()));
            }
        }
        for phase in &waited {
            let taken = decl
                .orders
                .verbs
                .values()
                .any(|verb| verb.phases.contains(phase));
            if !taken && decl.phase(phase).is_some() {
                let number = decl
                    .phases
                    .iter()
                    .position(|known| known.id == *phase)
                    .unwrap_or(0);
                let message =
                    format!("a script waits for orders of `{phase}`, and no verb has that phase");
                said.push((format!("phases[{number}]"), message));
            }
        }
        for name in decl.orders.topics.keys() {
            if !report.asked.contains(name) {
                let message = "no script asks on this topic";
                said.push((format!("orders.topics.{name}"), message.to_owned()));
            }
        }
        let used = keywords_of_forms(self.game);
        for id in decl.orders.keywords.keys() {
            if !used.contains(id.as_str()) {
                said.push((
                    format!("orders.keywords.{id}"),
                    "no form has this keyword".to_owned(),
                ));
            }
        }
        for (path, message) in said {
            self.warn("game.yaml", path, message);
        }
    }

    fn tables(&mut self) {
        let report = self.report();
        let mut said: Vec<(String, String)> = Vec::new();
        for (name, table) in &self.game.tables {
            if !self.is_used(Sort::Table, name) {
                said.push((name.clone(), "no script reads this table".to_owned()));
                continue;
            }
            if report.open.contains(&Sort::Table) {
                continue;
            }
            for value in table.values.keys() {
                let read = report.costs.contains(name)
                    || report.entries.contains(&(name.clone(), value.clone()));
                if !read {
                    said.push((
                        format!("{name}.values.{value}"),
                        "no script reads this value".to_owned(),
                    ));
                }
            }
            for (number, modifier) in table.modifiers.iter().enumerate() {
                let named = report
                    .modifiers
                    .contains(&(name.clone(), modifier.id.clone()))
                    || report.is_used(Sort::Modifier, &modifier.id, &ANY_USE);
                if !named {
                    let message = format!("no script gives the reason `{}`", modifier.id);
                    said.push((format!("{name}.modifiers[{number}]"), message));
                }
            }
        }
        for (name, table) in &self.game.tables {
            said.extend(
                misspelt_results(table, report).map(|message| (format!("{name}.rows"), message)),
            );
        }
        for ((table, class), terrains) in &report.lacking {
            let message = format!(
                "class `{class}` has no cost for {}: it can't go there. If that is meant, write `{class}: null`",
                listed(terrains)
            );
            said.push((format!("{table}.values"), message));
        }
        for (path, message) in said {
            self.warn("tables.yaml", path, message);
        }
    }

    /// Data of spaces, roads and scenarios that no script asks for.
    fn data(&mut self) {
        for UnusedKey {
            file,
            path,
            message,
        } in unused_data::find(self.flow)
        {
            self.warn(&file, path, message);
        }
    }

    /// Words that nothing prints.
    fn words(&mut self) {
        let report = self.report();
        let mut said: Vec<(String, String, String)> = Vec::new();
        let results = results_of_tables(self.game);
        for (lang, text) in &self.game.text {
            let file = format!("text/{}.yaml", lang.code());
            let mut add =
                |path: String, message: &str| said.push((file.clone(), path, message.to_owned()));
            for key in text.remarks.keys() {
                if !report.is_used(Sort::Remark, key, &ANY_USE) {
                    add(
                        format!("remarks.{key}"),
                        "no check function returns this remark",
                    );
                }
            }
            let of_tables: BTreeSet<&str> = self
                .game
                .tables
                .values()
                .flat_map(|table| &table.modifiers)
                .map(|modifier| modifier.id.as_str())
                .collect();
            for key in text.modifiers.keys() {
                if !of_tables.contains(key.as_str())
                    && !report.is_used(Sort::Modifier, key, &ANY_USE)
                {
                    add(format!("modifiers.{key}"), "no script gives this reason");
                }
            }
            for key in text.levels.keys() {
                if !report.is_used(Sort::Level, key, &ANY_USE) && !results.contains(key.as_str()) {
                    add(
                        format!("levels.{key}"),
                        "no script ends the campaign at this level",
                    );
                }
            }
            for key in text.dice.keys() {
                if !report.is_used(Sort::DiceText, key, &ANY_USE) {
                    add(
                        format!("dice.{key}"),
                        "no throw has this in the second part of its label",
                    );
                }
            }
            for key in text.results.keys() {
                let used = results.contains(key.as_str())
                    || report.words.contains(key)
                    || report.keys.contains(key);
                if !used && !self.flow.writes_word(key) {
                    add(format!("results.{key}"), "no table gives this result");
                }
            }
        }
        if self.flow.is_settled() {
            for it in self.flow.never_given() {
                let message = format!(
                    "no script gives this text `{}` as its `{}`",
                    it.text, it.name
                );
                said.push((it.file.clone(), it.path.clone(), message));
            }
            for it in self.flow.never_given_at_all() {
                let message = format!("no script gives this text `{}`", it.name);
                said.push((it.file.clone(), it.path.clone(), message));
            }
        }
        for (file, path, message) in said {
            self.warn(&file, path, message);
        }
        let strange = unused_parts::find(self.flow);
        self.problems.extend(strange);
    }

    /// Two throws with one label in a phase: they can't be told apart.
    fn throws(&mut self) {
        let mut said: BTreeMap<(usize, usize), String> = BTreeMap::new();
        for root in self.flow.roots() {
            let reached = self.flow.report.reach(root.number);
            let mut places: BTreeMap<Vec<TextPart>, BTreeSet<(usize, usize)>> = BTreeMap::new();
            for ((function, at), throws) in &self.flow.report.throws {
                let Some(again) = reached.get(function) else {
                    continue;
                };
                for throw in throws {
                    let fixed = throw
                        .label
                        .iter()
                        .all(|part| matches!(part, TextPart::Word(_) | TextPart::Fixed));
                    if !fixed {
                        continue;
                    }
                    if *again || throw.repeated {
                        let message = format!(
                            "several throws of a phase may have the label `{}`: give each one of its own",
                            shown(&throw.label)
                        );
                        said.insert(*at, message);
                    }
                    places.entry(throw.label.clone()).or_default().insert(*at);
                }
            }
            for (label, places) in places {
                for at in places.iter().skip(1) {
                    let label = shown(&label);
                    let message = format!(
                        "another throw of the same phase has the label `{label}`: give each one of its own"
                    );
                    said.insert(*at, message);
                }
            }
        }
        for ((line, column), message) in said {
            let problem = self.flow.problem_at(line, column, message);
            self.problems.push(problem.warning());
        }
    }
}

/// Results of a table that no script compares with, and that are nearly spelt like others that one
/// does.
fn misspelt_results<'a>(
    table: &'a Table,
    report: &'a FlowReport,
) -> impl Iterator<Item = String> + 'a {
    let mut results = BTreeSet::new();
    for value in table.rows.iter().flat_map(|row| &row.result) {
        super::names::texts_in(value, &mut results);
    }
    let (known, strange): (Vec<&str>, Vec<&str>) = results
        .into_iter()
        .partition(|word| report.words.contains(*word));
    strange.into_iter().filter_map(move |word| {
        let near = nearest(word, known.iter().copied())?;
        Some(format!(
            "no script knows the result `{word}`, did you mean `{near}`?"
        ))
    })
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
