//! Orders that begin with no keyword of their own, but with a place, or a word for a kind of piece:
//! how such a line is told from words around orders.

use super::{
    diagnose::Scene,
    grammar::OrderForm,
    names::NameMatch,
    pattern::{self, Node},
    token::Sign,
};

/// The most foreign words in a line that begins like such an order.
const MOST_FOREIGN: usize = 2;
/// The most words and signs of a line that may be an order though none of its names is known.
const SHORT: usize = 5;

/// What the words of a line are, as far as it matters here.
#[derive(Clone, Copy)]
pub(super) struct WordCount {
    /// Names, written out or nearly.
    pub names: usize,
    /// Words that belong in no order.
    pub foreign: usize,
}

/// The forms that begin with no keyword of their own.
fn forms<'a>(scene: &Scene<'a>) -> impl Iterator<Item = &'a OrderForm> {
    let forms = scene.grammar.verbs.values().flat_map(|verb| &verb.forms);
    forms.filter(|form| form.lead.is_none())
}

/// Returns true if a keyword or a sign that such an order has stands behind a place.
pub(super) fn has_mark(scene: &Scene<'_>, at: usize) -> bool {
    (at + 1..scene.tokens.len()).any(|at| is_mark(scene, at))
}

/// Returns true if a keyword or a sign that such an order has stands at a place.
fn is_mark(scene: &Scene<'_>, at: usize) -> bool {
    let sign = |sign: Sign| scene.tokens.get(at).is_some_and(|token| token.is(sign));
    let keyword = |id: &str| {
        scene
            .grammar
            .keywords
            .matches(id, scene.tokens, at)
            .is_some()
    };
    let mut marks = forms(scene).flat_map(|form| pattern::marks(&form.nodes));
    marks.any(|mark| match mark {
        Node::Sign(Sign::Dash) => sign(Sign::Dash) || sign(Sign::Arrow) || keyword("TO"),
        Node::Sign(it) => sign(*it),
        Node::Keyword { id, .. } => keyword(id),
        _ => false,
    })
}

/// Returns true if a line begins with a keyword that such an order has in its middle, or with the
/// first word of one: "Move" of MOVE TO. Shorter words begin too many sentences.
pub(super) fn begins_with_mark(scene: &Scene<'_>, shortest: usize) -> bool {
    let first = scene.tokens.first().and_then(|token| token.word());
    let Some(first) = first.filter(|word| word.chars().count() >= shortest) else {
        return false;
    };
    let keywords = &scene.grammar.keywords;
    let begins = |id: &str| {
        let mut spellings = keywords.spellings(id);
        spellings.any(|spelling| spelling.split(' ').next() == Some(first))
    };
    let mut marks = forms(scene).flat_map(|form| pattern::marks(&form.nodes));
    marks.any(|mark| match mark {
        Node::Sign(Sign::Dash) => begins("TO"),
        Node::Keyword { id, .. } => begins(id),
        _ => false,
    })
}

/// Returns true if a line that can't be read was likely meant as such an order.
pub(super) fn is_nearly(scene: &Scene<'_>, count: WordCount) -> bool {
    if !scene.grammar.is_open {
        return false;
    }
    let start = after_small_words(scene, 0);
    let kind = kind_length(scene, start);
    let named = after_small_words(scene, start + kind.unwrap_or(0));
    let place = match scene.names.spaces.find(scene.tokens, named, 1) {
        NameMatch::One { length, .. } | NameMatch::Many { length, .. } => Some(length),
        NameMatch::Nothing => None,
    };
    // "F Parma holds" and anything behind it is no sentence.
    if kind.is_some() && place.is_some_and(|length| is_mark(scene, named + length)) {
        return true;
    }
    let place = place.is_some();
    let marked = has_mark(scene, start);
    let few = count.foreign <= MOST_FOREIGN;
    let short = scene.tokens.len() <= SHORT;
    if kind.is_some() || place {
        let known = place || count.names > 0;
        return marked && few && (known || short)
            || place && count.names > 1 && count.foreign <= count.names;
    }
    marked && count.names > 0 && count.foreign <= 1 && super::near::is_nearly_name(scene, start)
}

/// The orders of a line that commas part, if each has what such an order has; else the whole line.
pub(super) fn listed<'t, T>(
    scene: &Scene<'_>,
    part: &'t [T],
    is_comma: impl Fn(&T) -> bool,
) -> Vec<&'t [T]> {
    let pieces: Vec<&[T]> = part
        .split(is_comma)
        .filter(|piece| !piece.is_empty())
        .collect();
    let mut at = 0;
    let each = pieces.iter().all(|piece| {
        let start = at;
        at += piece.len() + 1;
        let tokens = scene.tokens.get(start..start + piece.len());
        tokens.is_some_and(|tokens| has_mark(&Scene { tokens, ..*scene }, 0))
    });
    if each { pieces } else { vec![part] }
}

/// How many tokens a word has that may stand before the place at the beginning.
fn kind_length(scene: &Scene<'_>, at: usize) -> Option<usize> {
    let openers = forms(scene).flat_map(|form| pattern::openers(&form.nodes));
    let mut lengths = openers.filter_map(|id| scene.grammar.keywords.matches(id, scene.tokens, at));
    lengths.next()
}

fn after_small_words(scene: &Scene<'_>, at: usize) -> usize {
    let rest = scene.tokens.iter().skip(at);
    let small = rest.take_while(|it| it.word().is_some_and(|it| scene.grammar.is_small(it)));
    at + small.count()
}
