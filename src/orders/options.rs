//! The options of a question: an answer may name only these, whatever its form takes.

use std::collections::BTreeMap;

use super::{
    grammar::OrderForm,
    pattern::{Node, Sequence, Slot},
};
use crate::value::{Fields, Value};

/// What labels of an answer hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptionSort {
    Piece,
    Space,
    Number,
    /// A keyword, or what a form sets.
    Word,
}

/// What an answer names, and what it should have been among.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stranger<'a> {
    /// The id, word or number.
    pub named: Value,
    /// The options of its sort, as a line holds them.
    pub options: Vec<&'a Value>,
}

/// The first thing that an answer names although the options offer only others of its sort: pieces,
/// spaces, numbers, words. If the options have none of a sort, the form alone decides.
pub(super) fn stranger<'a>(
    options: &'a [Value],
    about: &Fields,
    forms: &[OrderForm],
    args: &Fields,
) -> Option<Stranger<'a>> {
    let mut labels = BTreeMap::new();
    for form in forms {
        sorts(&form.nodes, &mut labels);
    }
    let mut named = Vec::new();
    names(args, &labels, about, &mut named);
    named.into_iter().find_map(|(sort, named)| {
        let offered: Vec<&Value> = options.iter().filter_map(|it| offered(it, sort)).collect();
        let is_stranger = !offered.is_empty() && !offered.contains(&named);
        is_stranger.then(|| Stranger {
            named: named.clone(),
            options: offered,
        })
    })
}

/// An option as a line names it, if it is of a sort.
fn offered(option: &Value, sort: OptionSort) -> Option<&Value> {
    match (option, sort) {
        (Value::Map(_), OptionSort::Piece) => option.get("piece"),
        (Value::Map(_), OptionSort::Space) => option.get("space"),
        (Value::Int(_), OptionSort::Number) | (Value::Text(_), OptionSort::Word) => Some(option),
        _ => None,
    }
}

/// What the labels of a form hold, as far as options may name it.
fn sorts<'f>(nodes: &'f Sequence, found: &mut BTreeMap<&'f str, OptionSort>) {
    for node in nodes {
        match node {
            Node::Slot { label, slot } => {
                let sort = match slot {
                    Slot::Pieces | Slot::Piece | Slot::Names => Some(OptionSort::Piece),
                    Slot::Space | Slot::Spaces | Slot::Path => Some(OptionSort::Space),
                    Slot::Int => Some(OptionSort::Number),
                    _ => None,
                };
                found.extend(sort.map(|sort| (label.as_str(), sort)));
            }
            Node::Constant { label, .. } => {
                found.insert(label, OptionSort::Word);
            }
            Node::Optional(choices) => choices.iter().for_each(|choice| sorts(choice, found)),
            Node::Group { label, choices, .. } => {
                found.extend(label.iter().map(|label| (label.as_str(), OptionSort::Word)));
                choices.iter().for_each(|choice| sorts(choice, found));
            }
            Node::Keyword { .. } | Node::Sign(_) | Node::Number(_) => {}
        }
    }
}

/// Returns true if an answer names the subject of its question: a slot has the label of a piece or
/// space in it and the same value, and no slot has the label of a part of it and another value.
pub(super) fn names_subject(about: &Fields, args: &Fields) -> bool {
    let shared = || args.iter().filter(|(label, _)| about.contains_key(*label));
    let names = |label: &String| about.get(label).is_some_and(|it| id_of(it).is_some());
    shared().any(|(label, _)| names(label))
        && shared().all(|(label, value)| is_subject(about, label, value))
}

/// The id of a piece or space that a question is about.
fn id_of(subject: &Value) -> Option<&Value> {
    subject.get("space").or_else(|| subject.get("piece"))
}

fn is_subject(about: &Fields, label: &str, value: &Value) -> bool {
    (about.get(label)).is_some_and(|subject| id_of(subject).unwrap_or(subject) == value)
}

/// What an answer names, without names after EXCEPT and what the question is about.
fn names<'v>(
    args: &'v Fields,
    labels: &BTreeMap<&str, OptionSort>,
    about: &Fields,
    found: &mut Vec<(OptionSort, &'v Value)>,
) {
    for (label, value) in args {
        if is_subject(about, label, value) {
            continue;
        }
        let sort = labels.get(label.as_str()).copied();
        match (value, sort) {
            (Value::Map(pieces), Some(OptionSort::Piece)) => {
                let list = pieces.get("list").and_then(Value::as_list);
                found.extend(list.into_iter().flatten().map(|it| (OptionSort::Piece, it)));
            }
            (Value::Map(inner), _) => names(inner, labels, about, found),
            (Value::List(items), _) => {
                for item in items {
                    match (item, sort) {
                        (Value::Map(inner), _) => names(inner, labels, about, found),
                        (_, Some(sort)) => found.push((sort, item)),
                        _ => {}
                    }
                }
            }
            (Value::Text(_) | Value::Int(_), Some(sort)) => found.push((sort, value)),
            _ => {}
        }
    }
}
