//! The condition of a guard: conditions of the game joined by AND, OR and NOT, up to a colon or
//! THEN.

use super::{
    Test,
    matcher::{Matcher, farthest},
    token::Sign,
};

/// The most conditions that one guard may join, and the most NOTs in a row.
const MOST: usize = 8;

/// The condition from `at` on, and the place after its colon or THEN.
pub(super) fn guard_test(matcher: &mut Matcher<'_>, at: usize) -> Option<(Test, usize)> {
    let (test, end) = joined(matcher, at, "OR", |matcher, at| {
        joined(matcher, at, "AND", |matcher, at| term(matcher, at, MOST))
    })?;
    let next = match matcher
        .grammar
        .keywords
        .matches("THEN", matcher.tokens, end)
    {
        Some(length) => end + length,
        None => matcher.sign(Sign::Colon, end)?,
    };
    Some((test, next))
}

/// Tests with a keyword between them; one alone is itself.
fn joined<'a>(
    matcher: &mut Matcher<'a>,
    at: usize,
    keyword: &str,
    part: impl Fn(&mut Matcher<'a>, usize) -> Option<(Test, usize)>,
) -> Option<(Test, usize)> {
    let (first, mut end) = part(matcher, at)?;
    let mut tests = vec![first];
    while let Some(length) = matcher
        .grammar
        .keywords
        .matches(keyword, matcher.tokens, end)
    {
        if tests.len() == MOST {
            return None;
        }
        let (test, next) = part(matcher, end + length)?;
        tests.push(test);
        end = next;
    }
    let test = match (tests.len(), keyword) {
        (1, _) => tests.remove(0),
        (_, "OR") => Test::Any(tests),
        _ => Test::All(tests),
    };
    Some((test, end))
}

/// A condition of the game, or NOT before one. If several match, the one that takes most words
/// counts.
fn term(matcher: &mut Matcher<'_>, at: usize, depth: usize) -> Option<(Test, usize)> {
    let grammar = matcher.grammar;
    let conditions = grammar.conditions.iter();
    let found = farthest(conditions.filter_map(|(name, forms)| {
        let (args, end) = matcher.longest(forms, at)?;
        let condition = name.clone();
        Some((Test::Is { condition, args }, end))
    }));
    if found.is_some() {
        return found;
    }
    let length = grammar.keywords.matches("NOT", matcher.tokens, at)?;
    let (test, end) = term(matcher, at + length, depth.checked_sub(1)?)?;
    Some((Test::Not(Box::new(test)), end))
}
