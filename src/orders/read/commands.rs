//! Commands of the language itself, the same in every game.

use super::{Expect, answers::answer, leads};
use crate::{
    orders::{
        Command, Diagnostic, OrderLine, diagnose::Scene, grammar::OrderForm, matcher::Matcher,
    },
    value::Fields,
};

/// A command of the language; none when the words are no command.
pub(super) fn command(
    scene: &Scene<'_>,
    expect: &Expect<'_>,
    first: bool,
) -> Option<Result<OrderLine, Diagnostic>> {
    if let Some(answer) = answer(scene, expect) {
        return Some(answer.map(OrderLine::Command));
    }
    let mut failed = None;
    for (name, forms) in &scene.grammar.commands {
        if !forms.iter().any(|form| leads(scene, form, 0)) {
            continue;
        }
        let mut matcher = Matcher::new(scene.grammar, scene.names, scene.tokens);
        if let Some(args) = matcher.whole(forms, 0) {
            if *name == "add" && !first {
                return Some(Err(scene.wrong("add_not_first", Fields::new(), (0, 1))));
            }
            return Some(Ok(OrderLine::Command(built_in(name, &args))));
        }
        if matcher.failure.reach > 0 {
            failed = Some(matcher.failure);
        }
    }
    // The game may have a verb that begins with the same word.
    let verb = |form: &OrderForm| leads(scene, form, 0);
    if scene
        .grammar
        .verbs
        .values()
        .any(|v| v.forms.iter().any(verb))
    {
        return None;
    }
    failed.map(|failure| Err(scene.failed(failure)))
}

fn built_in(name: &str, args: &Fields) -> Command {
    let texts = |label: &str| {
        let list = args.get(label).and_then(|value| value.as_list());
        let texts = list.unwrap_or_default().iter();
        texts
            .filter_map(|value| value.as_text().map(str::to_owned))
            .collect()
    };
    match name {
        "add" => Command::Add,
        "cancel" => Command::Cancel {
            group: args
                .get("group")
                .and_then(|value| value.as_text())
                .map(str::to_owned),
        },
        "ask" | "dont_ask" => Command::Ask {
            topics: texts("topics"),
            on: name == "ask",
        },
        _ => Command::Nothing,
    }
}
