//! The pattern language of `forms:` in game.yaml.
//!
//! - `WORD`: a keyword; `label:WORD` sets the label to true. `":"`: a sign, one of
//!   `: , -> < > <= >= =` (`;` parts the orders of a line and can't stand in one). `1`: this very
//!   number.
//! - `<label:type>`: a slot, see [`Slot`]. `label=value` takes nothing and sets a constant.
//! - `[ a | b ]`: one of these or nothing. `( a | b )`: one of these; the one that takes most words
//!   counts.
//! - `( ... )+`, `( ... )*`: repeated; as `( ... ),+` and `( ... ),*` a list: separators (`,` `+`
//!   `&` AND) or blanks between.
//! - `label:( A | B )` of keywords sets the keyword's id in small letters, `label:( ... )` of
//!   anything else a map of the labels inside, `label:( ... )+` a list of such maps.

use std::collections::BTreeSet;

use winnow::{
    ascii::{digit1, multispace0},
    combinator::{alt, cut_err, delimited, opt, preceded, repeat, separated, terminated},
    error::{ContextError, StrContext},
    prelude::*,
    token::{one_of, take_while},
};

use super::{token::Sign, written_slots::wrong_slots};
use crate::value::Value;

/// The type of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// Own pieces, listed or ALL.
    Pieces,
    /// One own piece.
    Piece,
    /// Pieces of any side, seen or not.
    Names,
    /// One space.
    Space,
    /// Spaces, listed.
    Spaces,
    /// Spaces in the order in which they are passed.
    Path,
    /// A road of the map by its two ends.
    Road,
    /// Two neighbouring spaces, whatever lies between them.
    Side,
    /// A whole number.
    Int,
    /// A ratio in parts per thousand.
    Ratio,
    /// A topic that may be asked.
    Topic,
    /// Topics, listed.
    Topics,
    /// A group of standing orders.
    Group,
    /// A formation of the own side.
    Formation,
    /// Formations of the own side, listed.
    Formations,
    /// A text to be passed on: the rest of the line, and the lines after it up to a blank one.
    Text,
}

impl Slot {
    /// All of them, for the parser and for help.
    pub const ALL: [Slot; 16] = [
        Slot::Pieces,
        Slot::Piece,
        Slot::Names,
        Slot::Space,
        Slot::Spaces,
        Slot::Path,
        Slot::Road,
        Slot::Side,
        Slot::Int,
        Slot::Ratio,
        Slot::Topic,
        Slot::Topics,
        Slot::Group,
        Slot::Formation,
        Slot::Formations,
        Slot::Text,
    ];

    /// Its name in patterns, and the key of its words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Slot::Pieces => "pieces",
            Slot::Piece => "piece",
            Slot::Names => "names",
            Slot::Space => "space",
            Slot::Spaces => "spaces",
            Slot::Path => "path",
            Slot::Road => "road",
            Slot::Side => "side",
            Slot::Int => "int",
            Slot::Ratio => "ratio",
            Slot::Topic => "topic",
            Slot::Topics => "topics",
            Slot::Group => "group",
            Slot::Formation => "formation",
            Slot::Formations => "formations",
            Slot::Text => "text",
        }
    }
}

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

fn sequence(input: &mut &str) -> ModalResult<Sequence> {
    repeat(1.., preceded(multispace0, node)).parse_next(input)
}

fn choices(input: &mut &str) -> ModalResult<Vec<Sequence>> {
    separated(1.., sequence, (multispace0, '|')).parse_next(input)
}

fn node(input: &mut &str) -> ModalResult<Node> {
    alt((
        slot,
        optional,
        group(None),
        sign,
        digit1.try_map(str::parse).map(Node::Number),
        keyword.map(|id| Node::Keyword { id, label: None }),
        labelled,
    ))
    .parse_next(input)
}

fn keyword(input: &mut &str) -> ModalResult<String> {
    (
        one_of('A'..='Z'),
        take_while(0.., ('A'..='Z', '0'..='9', '_')),
    )
        .take()
        .map(str::to_owned)
        .parse_next(input)
}

fn name(input: &mut &str) -> ModalResult<String> {
    (
        one_of('a'..='z'),
        take_while(0.., ('a'..='z', '0'..='9', '_')),
    )
        .take()
        .map(str::to_owned)
        .context(StrContext::Label("name in small letters"))
        .parse_next(input)
}

/// Reads any slot: [`wrong_slots`] reports what is wrong with it, and reading goes on.
fn slot(input: &mut &str) -> ModalResult<Node> {
    let written = take_while(0.., |c| c != '>');
    let written = delimited('<', written, cut_err('>')).parse_next(input)?;
    let (label, kind) = written.split_once(':').unwrap_or((written, ""));
    let slot = Slot::ALL.into_iter().find(|slot| slot.name() == kind);
    Ok(Node::Slot {
        label: label.to_owned(),
        slot: slot.unwrap_or(Slot::Int),
    })
}

fn optional(input: &mut &str) -> ModalResult<Node> {
    delimited('[', cut_err(choices), cut_err((multispace0, ']')))
        .map(Node::Optional)
        .parse_next(input)
}

fn group<'a>(
    label: Option<String>,
) -> impl Parser<&'a str, Node, winnow::error::ErrMode<ContextError>> {
    move |input: &mut &'a str| {
        let choices =
            delimited('(', cut_err(choices), cut_err((multispace0, ')'))).parse_next(input)?;
        let listed = opt((',', winnow::combinator::peek(one_of(['+', '*']))))
            .parse_next(input)?
            .is_some();
        let repeat = match opt(one_of(['+', '*'])).parse_next(input)? {
            Some('+') => Repeat::Some { listed },
            Some(_) => Repeat::Any { listed },
            None => Repeat::Once,
        };
        Ok(Node::Group {
            label: label.clone(),
            choices,
            repeat,
        })
    }
}

fn sign(input: &mut &str) -> ModalResult<Node> {
    const SIGNS: [Sign; 8] = [
        Sign::Colon,
        Sign::Comma,
        Sign::Arrow,
        Sign::Less,
        Sign::More,
        Sign::AtMost,
        Sign::AtLeast,
        Sign::Equal,
    ];
    let written = take_while(1.., |c: char| c != '"')
        .verify_map(|text: &str| SIGNS.into_iter().find(|sign| sign.text() == text))
        .context(StrContext::Label("sign (: , -> < > <= >= =)"));
    delimited('"', cut_err(written), cut_err('"'))
        .map(Node::Sign)
        .parse_next(input)
}

fn labelled(input: &mut &str) -> ModalResult<Node> {
    let label = name.parse_next(input)?;
    match one_of([':', '=']).parse_next(input)? {
        ':' => cut_err(alt((
            group(Some(label.clone())),
            keyword.map(|id| Node::Keyword {
                id,
                label: Some(label.clone()),
            }),
        )))
        .context(StrContext::Label("keyword or group after a label"))
        .parse_next(input),
        _ => {
            let value = cut_err(take_while(1.., ('a'..='z', '0'..='9', '_')))
                .context(StrContext::Label("value after ="))
                .parse_next(input)?;
            let value = match value {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                text => text.parse().map_or_else(|_| Value::from(text), Value::Int),
            };
            Ok(Node::Constant { label, value })
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    #[test]
    fn a_pattern_with_everything_compiles() {
        let nodes = compile(
            r#"MOVE <who:pieces> ":" steps:( <go:path> | DESTROY <destroy:road> )+ [forced:FORCED] kind=a n=3"#,
        )
        .unwrap();
        assert_eq!(nodes.len(), 7);
        assert!(
            matches!(&nodes[3], Node::Group { label: Some(label), choices, repeat: Repeat::Some { listed: false } } if label == "steps" && choices.len() == 2)
        );
        assert_eq!(
            nodes[6],
            Node::Constant {
                label: "n".into(),
                value: Value::Int(3)
            }
        );
        let listed = compile("SHOW items:( A kind=a | <p:piece> ),+").unwrap();
        assert!(matches!(
            &listed[1],
            Node::Group {
                repeat: Repeat::Some { listed: true },
                ..
            }
        ));
    }

    #[test]
    fn errors_name_the_column() {
        for (text, column) in [
            ("MOVE <who:peices>", 11),
            ("MOVE ( A | B", 13),
            ("MOVE \";\"", 7),
            ("MOVE who:", 10),
            ("MOVE ?", 6),
            ("", 1),
        ] {
            let error = compile(text).unwrap_err().remove(0);
            assert_eq!(error.column, column, "{text}: {}", error.message);
        }
    }

    #[test]
    fn every_wrong_slot_of_a_form_is_named() {
        let text = r#"MOVE <who:peice> "<" [ TO <to> ] ( <at:Space> | <n:int> ] "#;
        let errors = compile(text).unwrap_err();
        let columns: Vec<usize> = errors.iter().map(|error| error.column).collect();
        let said: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(columns, [11, 28, 40, 57], "{said:?}");
        for (said, words) in said.iter().zip(["`who`", "`to` has no type", "`at`", ""]) {
            assert!(said.contains(words), "{said}");
        }
        assert!(said[0].contains("did you mean `piece`?"), "{}", said[0]);
        assert!(said[2].contains("did you mean `space`?"), "{}", said[2]);
        assert!(Slot::ALL.iter().all(|slot| said[0].contains(slot.name())));
    }

    #[test]
    fn groups_without_end_are_refused() {
        for [open, close] in [["(", ")"], ["[ ", "]"], ["x:(", ")"]] {
            let deep = |depth| format!("A {}B{}", open.repeat(depth), close.repeat(depth));
            assert!(compile(&deep(9)).is_ok());
            let error = compile(&deep(100_000)).unwrap_err().remove(0);
            assert!(error.message.contains("inside one another"), "{error:?}");
        }
    }

    #[test]
    fn labels_are_set_once_and_repetition_needs_one() {
        assert!(compile("A <x:int> <x:int>").is_err());
        assert!(compile("A ( <x:int> | <x:space> )").is_ok());
        assert!(compile("A ( <x:int> )+").is_err());
        assert!(compile("A ( B | C )+").is_ok());
    }
}
