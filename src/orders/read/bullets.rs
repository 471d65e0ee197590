//! Marks before a line: `- MOVE`, `1) MOVE`, `→ MOVE`, and the number of the question that a line
//! answers.

use super::{Expect, leads};
use crate::orders::{
    diagnose::Scene,
    grammar::OrderForm,
    matcher::Matcher,
    token::{LineToken, LineTokenKind, Sign},
};

/// The tokens of a line without the marks of a list before them: dashes, arrows, `1)`, `a.`. The
/// other marks (stars, dots) are no tokens at all. Where questions are open, a number names one.
pub(in crate::orders) fn without_bullet<'t>(
    line: &str,
    tokens: &'t [LineToken],
    expect: &Expect<'_>,
) -> &'t [LineToken] {
    let signs = tokens.iter().take_while(|token| is_bullet(token)).count();
    let rest = tokens.get(signs..).unwrap_or_default();
    let counts = rest.first().and_then(LineToken::word).is_some_and(|word| {
        let number = word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit());
        let letter = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        letter || number && expect.questions.is_empty()
    });
    match rest {
        [_, after @ ..] if counts && is_marked(line, rest, 0) => after,
        _ => rest,
    }
}

/// The number before a line that was the answer to a question which is not asked any more, where
/// it would be read as a standing order of the same words: `1. RETREAT TO Rivoli`.
pub(super) fn late_answer(scene: &Scene<'_>, line: &[LineToken]) -> Option<usize> {
    let number = line.first()?.word()?.parse().ok()?;
    let standing = |form: &OrderForm| {
        let mut verbs = scene.grammar.verbs.values().filter(|verb| verb.standing);
        verbs.any(|verb| verb.forms.iter().any(|known| known.lead == form.lead))
    };
    let forms = scene.grammar.topics.values().flat_map(|topic| &topic.forms);
    let mut forms = forms.filter(|form| leads(scene, form, 0) && standing(form));
    let mut matcher = Matcher::new(scene.grammar, scene.names, scene.tokens);
    let answers = forms.any(|form| matcher.whole(std::slice::from_ref(form), 0).is_some());
    answers.then_some(number)
}

/// Returns true if a full stop or a bracket follows the token at a place, and words after it.
pub(in crate::orders) fn is_marked(line: &str, tokens: &[LineToken], at: usize) -> bool {
    let (Some(token), Some(next)) = (tokens.get(at), tokens.get(at + 1)) else {
        return false;
    };
    let between = next.start.saturating_sub(token.end);
    let mut between = line.chars().skip(token.end).take(between);
    next.word().is_some() && between.any(|c| matches!(c, '.' | ')' | ']'))
}

fn is_bullet(token: &LineToken) -> bool {
    let LineTokenKind::Sign(sign) = token.kind else {
        return false;
    };
    matches!(sign, Sign::Dash | Sign::Plus | Sign::Arrow | Sign::More)
}
