//! The values of orders and answers, from their forms in game.yaml: the slots as scripts get them.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use rhai::Position;

use super::{
    names::Sort,
    value::{Kinds, MapValue, Val},
};
use crate::{
    game::Game,
    orders::pattern::{self, Node, Repeat, Sequence, Slot, plain_keywords},
};

/// The orders and answers of a game, as values of scripts.
pub(super) struct Answers {
    verbs: BTreeMap<String, Vec<MapValue>>,
    topics: BTreeMap<String, Val>,
    conditions: BTreeMap<String, Val>,
    whole: RefCell<BTreeMap<String, Val>>,
}

impl Answers {
    pub fn of(game: &Game) -> Self {
        let orders = &game.decl.orders;
        let verbs = orders.verbs.iter();
        let topics = orders.topics.iter().map(|(name, topic)| {
            let records = records(&topic.forms);
            let lines = records
                .into_iter()
                .map(Val::map)
                .fold(Val::default(), Val::or);
            let answer = if topic.several {
                Val::map(MapValue::sure([("lines", Val::list(lines))].into_iter()))
            } else {
                lines
            };
            (name.clone(), answer)
        });
        let conditions = orders.conditions.iter().map(|(name, condition)| {
            let records = records(&condition.forms).into_iter().map(|mut record| {
                record.set("seat", Val::name(Sort::Seat));
                Val::map(record)
            });
            (name.clone(), records.fold(Val::default(), Val::or))
        });
        Self {
            verbs: verbs
                .map(|(name, verb)| (name.clone(), records(&verb.forms)))
                .collect(),
            topics: topics.collect(),
            conditions: conditions.collect(),
            whole: RefCell::default(),
        }
    }

    /// An order of a verb.
    pub fn order(&self, verb: &str, game: &Game) -> Val {
        if let Some(known) = self.whole.borrow().get(verb) {
            return known.clone();
        }
        let opens = game
            .decl
            .orders
            .verbs
            .get(verb)
            .and_then(|verb| verb.opens.as_ref());
        let inner = match opens {
            None => None,
            Some(block) => {
                let inside = game.decl.orders.verbs.iter();
                let inside = inside.filter(|(_, verb)| verb.within.contains(block));
                let orders = inside.map(|(name, _)| self.plain(name));
                Some(Val::list(orders.fold(Val::default(), Val::or)))
            }
        };
        let mut order = Val::default();
        for map in self.plain(verb).maps {
            let mut record = MapValue::clone(&map);
            if let Some(inner) = &inner {
                record = record.maybe("orders", inner.clone());
            }
            order.join(Val::map(record));
        }
        self.whole
            .borrow_mut()
            .insert(verb.to_owned(), order.clone());
        order
    }

    /// An order of a verb, without the orders of a block that it opens. An order in a block knows
    /// the order that opened it when it is checked.
    fn plain(&self, verb: &str) -> Val {
        let mut order = Val::default();
        for form in self.verbs.get(verb).into_iter().flatten() {
            let mut record = form.clone();
            record.set("verb", Val::word(verb, Position::NONE));
            record.set("line", Val::of(Kinds::INT));
            record.set("text", Val::open_text());
            record.set("seat", Val::name(Sort::Seat));
            let record = record
                .maybe("condition", Val::any())
                .maybe("otherwise", Val::list(Val::any()))
                .maybe("block", Val::any())
                .maybe("mail", Val::list(Val::open_text()));
            order.join(Val::map(record));
        }
        order
    }

    /// An answer to a question on a topic.
    pub fn topic(&self, topic: &str) -> Val {
        self.topics.get(topic).cloned().unwrap_or_else(Val::any)
    }

    /// An answer as the check function of its topic gets it.
    pub fn judged_answer(&self, topic: &str) -> Val {
        let mut answer = Val::default();
        for map in self.topic(topic).maps {
            let mut record = MapValue::clone(&map);
            record.set("topic", Val::word(topic, Position::NONE));
            record.set("about", Val::open_map(Val::any()));
            record.set("seat", Val::name(Sort::Seat));
            answer.join(Val::map(record));
        }
        answer
    }

    /// The value that a condition's function gets.
    pub fn condition(&self, condition: &str) -> Val {
        self.conditions
            .get(condition)
            .cloned()
            .unwrap_or_else(Val::any)
    }

    /// The labels of all forms.
    pub fn labels(&self) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        for record in self.verbs.values().flatten() {
            labels_of(record, &mut found);
        }
        for val in self.topics.values().chain(self.conditions.values()) {
            val.maps.iter().for_each(|map| labels_of(map, &mut found));
        }
        found
    }
}

/// The keys of a map, and of those in it.
fn labels_of<'r>(record: &'r MapValue, found: &mut BTreeSet<&'r str>) {
    for (name, field) in &record.fields {
        found.insert(name);
        let inner = field.val.item.as_deref().unwrap_or(&field.val);
        inner.maps.iter().for_each(|map| labels_of(map, found));
    }
}

/// A map for each form. A form that doesn't compile has been reported elsewhere.
fn records(forms: &[String]) -> Vec<MapValue> {
    let compiled = forms.iter().filter_map(|form| pattern::compile(form).ok());
    compiled.map(|nodes| record(&nodes)).collect()
}

fn record(nodes: &[Node]) -> MapValue {
    let mut all = MapValue::default();
    for node in nodes {
        match node {
            Node::Keyword {
                label: Some(label), ..
            } => all.set(label, Val::of(Kinds::BOOL)),
            Node::Keyword { label: None, .. } | Node::Sign(_) | Node::Number(_) => {}
            Node::Slot { label, slot } => all.set(label, slot_value(*slot)),
            Node::Constant { label, value } => all.set(label, Val::of_data(value)),
            Node::Optional(choices) => add(&mut all, &choice(choices), false),
            Node::Group {
                label: None,
                choices,
                repeat,
            } => {
                let sure = matches!(repeat, Repeat::Once);
                add(&mut all, &choice(choices), sure);
            }
            Node::Group {
                label: Some(label),
                choices,
                repeat,
            } => {
                let one = group(choices);
                let val = if matches!(repeat, Repeat::Once) {
                    one
                } else {
                    Val::list(one)
                };
                all.set(label, val);
            }
        }
    }
    all
}

/// The slots that one of several choices sets: those that all of them set are certain.
fn choice(choices: &[Sequence]) -> MapValue {
    let records: Vec<MapValue> = choices.iter().map(|nodes| record(nodes)).collect();
    let mut all = MapValue::default();
    for one in &records {
        for (name, field) in &one.fields {
            let sure = records
                .iter()
                .all(|other| other.fields.get(name).is_some_and(|field| field.sure));
            let known = all.fields.entry(name.clone()).or_default();
            known.val.join(field.val.clone());
            known.sure = sure;
        }
    }
    all
}

fn add(all: &mut MapValue, more: &MapValue, sure: bool) {
    for (name, field) in &more.fields {
        let known = all.fields.entry(name.clone()).or_default();
        known.val.join(field.val.clone());
        known.sure |= sure && field.sure;
    }
}

/// A labelled group: the keyword in small letters, or a map of its slots.
fn group(choices: &[Sequence]) -> Val {
    if plain_keywords(choices) {
        let words = choices.iter().flatten().filter_map(|node| match node {
            Node::Keyword { id, .. } => Some(Val::word(&id.to_lowercase(), Position::NONE)),
            _ => None,
        });
        return words.fold(Val::default(), Val::or);
    }
    choices
        .iter()
        .map(|nodes| Val::map(record(nodes)))
        .fold(Val::default(), Val::or)
}

fn slot_value(slot: Slot) -> Val {
    let name = Val::name;
    match slot {
        Slot::Pieces => {
            let listed = [("list", Val::list(name(Sort::Piece)))];
            let all = [
                ("all", Val::of(Kinds::BOOL)),
                ("at", name(Sort::Space).or(Val::unit())),
                ("except", Val::list(name(Sort::Piece))),
            ];
            Val::map(MapValue::sure(listed.into_iter()))
                .or(Val::map(MapValue::sure(all.into_iter())))
        }
        Slot::Piece => name(Sort::Piece),
        Slot::Names => Val::list(name(Sort::Piece)),
        Slot::Space => name(Sort::Space),
        Slot::Spaces | Slot::Path | Slot::Road | Slot::Side => Val::list(name(Sort::Space)),
        Slot::Int | Slot::Ratio => Val::of(Kinds::INT),
        Slot::Topic => name(Sort::Topic),
        Slot::Topics => Val::list(name(Sort::Topic)),
        Slot::Group => name(Sort::Group),
        Slot::Formation => name(Sort::Formation),
        Slot::Formations => Val::list(name(Sort::Formation)),
        Slot::Nation => name(Sort::Side),
        Slot::Nations => Val::list(name(Sort::Side)),
        Slot::Text => Val::any(),
    }
}
