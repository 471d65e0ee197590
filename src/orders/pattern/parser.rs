//! The parser of patterns.

use winnow::{
    ascii::{digit1, multispace0},
    combinator::{alt, cut_err, delimited, opt, preceded, repeat, separated},
    error::{ContextError, StrContext},
    prelude::*,
    token::{one_of, take_while},
};

use super::{Node, Repeat, Sequence, Slot};
use crate::{orders::token::Sign, value::Value};

pub(super) fn sequence(input: &mut &str) -> ModalResult<Sequence> {
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
    const SIGNS: [Sign; 9] = [
        Sign::Colon,
        Sign::Comma,
        Sign::Arrow,
        Sign::Dash,
        Sign::Less,
        Sign::More,
        Sign::AtMost,
        Sign::AtLeast,
        Sign::Equal,
    ];
    let written = take_while(1.., |c: char| c != '"')
        .verify_map(|text: &str| SIGNS.into_iter().find(|sign| sign.text() == text))
        .context(StrContext::Label("sign (: , -> - < > <= >= =)"));
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
