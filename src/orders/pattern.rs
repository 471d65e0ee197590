//! The pattern language of `forms:` in game.yaml.
//!
//! - `WORD`: a keyword; `label:WORD` sets the label to true. `":"`: a sign, one of
//!   `: , -> - < > <= >= =` (`;` parts the orders of a line and can't stand in one). `1`: this very
//!   number.
//! - `<label:type>`: a slot, see [`Slot`]. `label=value` takes nothing and sets a constant.
//! - `[ a | b ]`: one of these or nothing. `( a | b )`: one of these; the one that takes most words
//!   counts.
//! - `( ... )+`, `( ... )*`: repeated; as `( ... ),+` and `( ... ),*` a list: separators (`,` `+`
//!   `&` AND) or blanks between.
//! - `label:( A | B )` of keywords sets the keyword's id in small letters, `label:( ... )` of
//!   anything else a map of the labels inside, `label:( ... )+` a list of such maps.

mod parser;
mod slot;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use winnow::{ascii::multispace0, combinator::terminated, prelude::*};

use self::parser::sequence;
pub use self::slot::Slot;
use super::{token::Sign, written_slots::wrong_slots};
use crate::value::Value;

/// How often a group stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Once.
    Once,
    /// `+`, or `,+` with list separators between.
    Some {
        /// True if list separators stand between.
        listed: bool,
    },
    /// `*`, or `,*`.
    Any {
        /// True if list separators stand between.
        listed: bool,
    },
}

/// Nodes one after the other.
pub type Sequence = Vec<Node>;

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// `WORD`, or `label:WORD` that sets the label to true.
    Keyword {
        /// The keyword's id.
        id: String,
        /// What it sets.
        label: Option<String>,
    },
    /// `":"`.
    Sign(Sign),
    /// `1`: this very number.
    Number(i64),
    /// `<label:type>`.
    Slot {
        /// What it sets.
        label: String,
        /// What it takes.
        slot: Slot,
    },
    /// `label=value`: takes nothing.
    Constant {
        /// What it sets.
        label: String,
        /// To what.
        value: Value,
    },
    /// `[ ... | ... ]`.
    Optional(Vec<Sequence>),
    /// `( ... | ... )`, repeated or labelled.
    Group {
        /// What it sets: a keyword id, a map, or a list of maps when repeated.
        label: Option<String>,
        /// The choices.
        choices: Vec<Sequence>,
        /// How often.
        repeat: Repeat,
    },
}

/// A fault in a pattern, and its column, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The column.
    pub column: usize,
    /// What was expected or is wrong.
    pub message: String,
}

/// How deep groups may be nested.
const DEEPEST: usize = 16;

/// Returns true if a text stands at the end of a sequence.
#[must_use]
pub fn ends_in_text(nodes: &[Node]) -> bool {
    matches!(
        nodes.last(),
        Some(Node::Slot {
            slot: Slot::Text,
            ..
        })
    )
}

/// Returns true if a text stands anywhere in a sequence.
#[must_use]
pub fn has_text(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Slot { slot, .. } => *slot == Slot::Text,
        Node::Optional(choices) | Node::Group { choices, .. } => {
            choices.iter().any(|choice| has_text(choice))
        }
        _ => false,
    })
}

/// Returns true if a keyword or a sign stands in whatever this part takes.
#[must_use]
pub fn is_marked(node: &Node) -> bool {
    match node {
        Node::Keyword { .. } | Node::Sign(_) => true,
        Node::Group {
            choices, repeat, ..
        } => {
            let mut choices = choices.iter();
            !matches!(repeat, Repeat::Any { .. })
                && choices.all(|choice| choice.iter().any(is_marked))
        }
        Node::Number(_) | Node::Slot { .. } | Node::Constant { .. } | Node::Optional(_) => false,
    }
}

/// The keywords and signs that stand in whatever a sequence takes, each of which may be one of
/// several.
#[must_use]
pub fn marks(nodes: &[Node]) -> Vec<&Node> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            Node::Keyword { .. } | Node::Sign(_) => found.push(node),
            Node::Group { choices, .. } if is_marked(node) => {
                found.extend(choices.iter().flat_map(|choice| marks(choice)));
            }
            _ => {}
        }
    }
    found
}

/// The keywords that a sequence may begin with.
#[must_use]
pub fn openers(nodes: &[Node]) -> Vec<&str> {
    match nodes {
        [Node::Keyword { id, .. }, ..] => vec![id],
        [Node::Group { choices, .. }, ..] => choices.iter().flat_map(|it| openers(it)).collect(),
        [Node::Optional(choices), rest @ ..] => {
            let choices = choices.iter().flat_map(|choice| openers(choice));
            choices.chain(openers(rest)).collect()
        }
        _ => Vec::new(),
    }
}

/// Compiles a pattern.
///
/// # Errors
/// If it is not a pattern, if groups are nested too deep, if a label is set twice, or if slots are
/// repeated without a label. Names every slot with a wrong type, and the first of all other
/// mistakes, in the order of the columns; never empty.
pub fn compile(text: &str) -> Result<Sequence, Vec<PatternError>> {
    let mut errors = wrong_slots(text);
    match parse(text) {
        Ok(nodes) if errors.is_empty() => return Ok(nodes),
        Ok(_) => {}
        Err(error) => errors.push(error),
    }
    errors.sort_by_key(|error| error.column);
    Err(errors)
}

fn parse(text: &str) -> Result<Sequence, PatternError> {
    within_depth(text)?;
    let nodes = terminated(sequence, multispace0)
        .parse(text)
        .map_err(|error| {
            let column = text
                .get(..error.offset())
                .map_or(0, |before| before.chars().count())
                + 1;
            let expected = error.inner().to_string();
            PatternError {
                column,
                message: if expected.is_empty() {
                    "a keyword in capitals, \"sign\", <label:type>, [...], (...) or label=value was expected".to_owned()
                } else {
                    expected
                },
            }
        })?;
    labels(&nodes).map_err(|message| PatternError { column: 1, message })?;
    Ok(nodes)
}

/// Refuses patterns so deep that the parser, or anything that walks over them, would run out of
/// stack.
fn within_depth(text: &str) -> Result<(), PatternError> {
    let mut depth = 0_usize;
    for (at, letter) in text.chars().enumerate() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(PatternError {
                column: at + 1,
                message: format!("more than {DEEPEST} groups stand inside one another"),
            });
        }
    }
    Ok(())
}

/// Returns true if every choice is one plain keyword, so that a label takes the keyword's id.
#[must_use]
pub fn plain_keywords(choices: &[Sequence]) -> bool {
    choices
        .iter()
        .all(|choice| matches!(choice.as_slice(), [Node::Keyword { label: None, .. }]))
}

/// The labels that a sequence sets; an error when one is set twice.
fn labels(nodes: &[Node]) -> Result<BTreeSet<&str>, String> {
    let mut set = BTreeSet::new();
    for node in nodes {
        let found = match node {
            Node::Keyword { label, .. } => label.iter().map(String::as_str).collect(),
            Node::Sign(_) | Node::Number(_) => BTreeSet::new(),
            Node::Slot { label, .. } | Node::Constant { label, .. } => {
                BTreeSet::from([label.as_str()])
            }
            Node::Optional(choices) => labels_of_choices(choices)?,
            Node::Group {
                label,
                choices,
                repeat,
            } => {
                let inner = labels_of_choices(choices)?;
                match label {
                    Some(label) => BTreeSet::from([label.as_str()]),
                    None if *repeat == Repeat::Once || inner.is_empty() => inner,
                    None => return Err(
                        "a repeated group that sets labels needs a label itself: label:( ... )+"
                            .into(),
                    ),
                }
            }
        };
        for label in found {
            if !set.insert(label) {
                return Err(format!("the label `{label}` is set twice"));
            }
        }
    }
    Ok(set)
}

fn labels_of_choices(choices: &[Sequence]) -> Result<BTreeSet<&str>, String> {
    let mut all = BTreeSet::new();
    for choice in choices {
        all.extend(labels(choice)?);
    }
    Ok(all)
}
