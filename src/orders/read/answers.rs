//! Answers to questions, with the question's number or, where only one is open or the answer names
//! what one is about, without it.

use super::{Expect, NOT_AN_OPTION, QuestionForm, bullets, count};
use crate::{
    orders::{
        Command, Diagnostic,
        diagnose::Scene,
        matcher::{Candidate, Matcher},
        options::{names_subject, stranger},
        pattern::Slot,
        token::{LineToken, Sign},
    },
    value::{Fields, Value},
};

/// `ANSWER n: ...` or `n: ...`, where questions are open also `n. ...`, `n) ...` and `n - ...`, and
/// where only one is open or meant, its answer without a number; none when the words are something
/// else.
pub(super) fn answer(
    scene: &Scene<'_>,
    expect: &Expect<'_>,
) -> Option<Result<Command, Diagnostic>> {
    if let Some(answer) = bare_answer(scene, expect) {
        return Some(answer);
    }
    let mut matcher = Matcher::new(scene.grammar, scene.names, scene.tokens);
    let written = scene.grammar.keywords.matches("ANSWER", scene.tokens, 0);
    let at = written.unwrap_or(0);
    let number = scene.tokens.get(at).and_then(LineToken::word);
    let number: Option<usize> = number.and_then(|word| word.parse().ok());
    let mark = answer_mark(scene, expect, &mut matcher, at + 1);
    let Some((question, start)) = number.zip(mark) else {
        if written.is_some() && number.is_none() {
            matcher.expected(at, Candidate::Slot(Slot::Int));
        }
        return written.map(|_| Err(scene.failed(matcher.failure)));
    };
    let Some(asked) = expect
        .questions
        .iter()
        .find(|asked| asked.number == question)
    else {
        return Some(Err(no_question(scene, expect, question, (at, at + 1))));
    };
    let topic = scene.grammar.topics.get(&asked.topic);
    let forms = topic.map_or(&[][..], |topic| &topic.forms);
    let Some(args) = matcher.whole(forms, start) else {
        return Some(Err(scene.failed(matcher.failure)));
    };
    Some(chosen(scene, asked, args, start))
}

/// An answer without a number: to the only question that is open (`FIGHT`, `Answer: FIGHT`), or to
/// the only one whose subject it names (`A Bur - Par`).
fn bare_answer(scene: &Scene<'_>, expect: &Expect<'_>) -> Option<Result<Command, Diagnostic>> {
    if let [asked] = expect.questions {
        let (args, start) = unnumbered(scene, asked)?;
        return Some(chosen(scene, asked, args, start));
    }
    let mut meant = expect.questions.iter().filter_map(|asked| {
        let (args, start) = unnumbered(scene, asked)?;
        names_subject(&asked.about, &args).then_some((asked, args, start))
    });
    let (asked, args, start) = meant.next()?;
    let is_sure = meant.next().is_none();
    is_sure.then(|| chosen(scene, asked, args, start))
}

/// The line as an answer to a question, without its number, and where the answer begins.
fn unnumbered(scene: &Scene<'_>, asked: &QuestionForm) -> Option<(Fields, usize)> {
    let mut matcher = Matcher::new(scene.grammar, scene.names, scene.tokens);
    let written = scene.grammar.keywords.matches("ANSWER", scene.tokens, 0);
    let at = written.unwrap_or(0);
    let colon = written.is_some() && matcher.is_sign(Sign::Colon, at);
    let start = at + usize::from(colon);
    let forms = &scene.grammar.topics.get(&asked.topic)?.forms;
    let args = matcher.whole(forms, start)?;
    Some((args, start))
}

/// An answer that was read, unless it names none of the options.
fn chosen(
    scene: &Scene<'_>,
    asked: &QuestionForm,
    args: Fields,
    start: usize,
) -> Result<Command, Diagnostic> {
    let topic = scene.grammar.topics.get(&asked.topic);
    let forms = topic.map_or(&[][..], |topic| &topic.forms);
    if let Some(stranger) = stranger(&asked.options, &asked.about, forms, &args) {
        let shown = |value: &Value| match value {
            Value::Text(id) => scene.names.shown(id).unwrap_or(id).into(),
            other => other.clone(),
        };
        let options = stranger.options.iter().map(|option| shown(option));
        let args = Fields::from([
            ("name".to_owned(), shown(&stranger.named)),
            ("options".to_owned(), Value::List(options.collect())),
        ]);
        let span = (start, scene.tokens.len());
        return Err(scene.wrong(NOT_AN_OPTION, args, span));
    }
    Ok(Command::Answer {
        question: asked.number,
        topic: asked.topic.clone(),
        args,
    })
}

pub(super) fn no_question(
    scene: &Scene<'_>,
    expect: &Expect<'_>,
    number: usize,
    span: (usize, usize),
) -> Diagnostic {
    let open = expect.questions.iter();
    let open = open.map(|asked| count(asked.number).into()).collect();
    let args = Fields::from([
        ("number".to_owned(), count(number).into()),
        ("open".to_owned(), Value::List(open)),
    ]);
    scene.wrong("no_question", args, span)
}

/// The place after what stands behind the number of a question: a colon, or where questions are
/// open any mark that people put there.
fn answer_mark(
    scene: &Scene<'_>,
    expect: &Expect<'_>,
    matcher: &mut Matcher<'_>,
    at: usize,
) -> Option<usize> {
    let is_asked = !expect.questions.is_empty();
    let like_a_colon = [Sign::Dash, Sign::Arrow, Sign::Equal];
    if is_asked && like_a_colon.iter().any(|sign| matcher.is_sign(*sign, at)) {
        return Some(at + 1);
    }
    if is_asked && bullets::is_marked(scene.text, scene.tokens, at - 1) {
        return Some(at);
    }
    matcher.sign(Sign::Colon, at)
}
