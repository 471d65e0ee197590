//! The texts that a value may be: words, names of a sort, and texts joined from parts.

use std::{cmp::Ordering, rc::Rc};

use rhai::Position;

use super::{Kinds, MOST_TEXTS, Val};
use crate::check::names::Sort;

/// A text that a value may be.
#[derive(Clone, Debug)]
pub(in crate::check) enum TextValue {
    /// This very text, and where a script has written it.
    Word(Rc<str>, Position),
    /// Any name of a sort.
    Of(Sort),
    /// Parts in a row, some of them unknown.
    Parts(Rc<[TextPart]>),
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) enum TextPart {
    /// This very text.
    Word(Rc<str>),
    /// Any name of a sort.
    Of(Sort),
    /// A part that is the same throughout a phase.
    Fixed,
    /// Any text.
    Any,
}

impl TextValue {
    fn key(&self) -> (u8, Option<&str>, Option<Sort>, Option<&[TextPart]>) {
        match self {
            Self::Word(word, _) => (0, Some(word), None, None),
            Self::Of(sort) => (1, None, Some(*sort), None),
            Self::Parts(parts) => (2, None, None, Some(parts)),
        }
    }

    pub fn parts(&self) -> Vec<TextPart> {
        match self {
            Self::Word(word, _) => vec![TextPart::Word(Rc::clone(word))],
            Self::Of(sort) => vec![TextPart::Of(*sort)],
            Self::Parts(parts) => parts.to_vec(),
        }
    }
}

/// Where a word was written makes no difference.
impl PartialEq for TextValue {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for TextValue {}

impl PartialOrd for TextValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TextValue {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// The texts of one value followed by those of another.
pub(in crate::check) fn joined(first: &Val, second: &Val) -> Val {
    if first.is_nothing() || second.is_nothing() {
        return Val::default();
    }
    let marks = first.kinds.marks().and(second.kinds.marks());
    let marks = marks.without(Kinds::FIXED);
    let (first, second) = (pieces(first), pieces(second));
    if first.len() * second.len() > MOST_TEXTS {
        return Val::open_text().marked(marks);
    }
    // Of several some may never come: only a single one is what the script has written there.
    let single = first.len() == 1 && second.len() == 1;
    let mut all = Val::default();
    for (one, at) in &first {
        for (other, _) in &second {
            let parts = one.iter().chain(other).cloned();
            let at = if single { *at } else { Position::NONE };
            all.texts.insert(text_of(parts, at));
        }
    }
    all.marked(marks)
}

/// The texts that a value may be, in parts.
fn pieces(val: &Val) -> Vec<(Vec<TextPart>, Position)> {
    let mut all: Vec<_> = val
        .texts
        .iter()
        .map(|text| match text {
            TextValue::Word(_, at) => (text.parts(), *at),
            _ => (text.parts(), Position::NONE),
        })
        .collect();
    let rest = val.kinds.without(Kinds::MARKS);
    let printed = rest != Kinds::default() || val.item.is_some() || !val.maps.is_empty();
    if printed || val.open || all.is_empty() {
        let fixed = val.kinds.has(Kinds::FIXED) && !val.open && !val.is_any();
        all.push((
            vec![if fixed {
                TextPart::Fixed
            } else {
                TextPart::Any
            }],
            Position::NONE,
        ));
    }
    all
}

/// A text of parts: neighbouring words are one word.
fn text_of(parts: impl Iterator<Item = TextPart>, at: Position) -> TextValue {
    let mut all: Vec<TextPart> = Vec::new();
    for part in parts {
        match (all.last_mut(), &part) {
            (Some(TextPart::Word(before)), TextPart::Word(word)) => {
                *before = format!("{before}{word}").into()
            }
            (_, TextPart::Word(word)) if word.is_empty() => {}
            _ => all.push(part),
        }
    }
    match all.as_slice() {
        [] => TextValue::Word("".into(), at),
        [TextPart::Word(word)] => TextValue::Word(Rc::clone(word), at),
        [TextPart::Of(sort)] => TextValue::Of(*sort),
        _ => TextValue::Parts(all.into()),
    }
}

/// Returns true if a word can be made of parts. `holds` says whether a word is a name of a sort.
pub(in crate::check) fn fits(
    parts: &[TextPart],
    word: &str,
    holds: &dyn Fn(Sort, &str) -> bool,
) -> bool {
    match parts {
        [] => word.is_empty(),
        [TextPart::Word(first), rest @ ..] => word
            .strip_prefix(&**first)
            .is_some_and(|word| fits(rest, word, holds)),
        [first, rest @ ..] => {
            let ends = (0..=word.len()).filter(|end| word.is_char_boundary(*end));
            ends.into_iter().any(|end| {
                let (head, tail) = word.split_at(end);
                let fitting = match first {
                    TextPart::Of(sort) => holds(*sort, head),
                    _ => true,
                };
                fitting && fits(rest, tail, holds)
            })
        }
    }
}

/// A text with its unknown parts as `…`, for messages.
pub(in crate::check) fn shown(parts: &[TextPart]) -> String {
    parts
        .iter()
        .map(|part| match part {
            TextPart::Word(word) => word.to_string(),
            TextPart::Of(sort) => format!("{{{}}}", sort.name()),
            TextPart::Fixed | TextPart::Any => "{…}".to_owned(),
        })
        .collect()
}
