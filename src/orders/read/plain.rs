//! Orders of the game, with their guards.

use super::Expect;
use crate::{
    orders::{
        Diagnostic, Guard, Order,
        conditions::guard_test,
        diagnose::Scene,
        grammar::{Grammar, OrderForm, Verb},
        matcher::{Candidate, Matcher},
        open,
    },
    value::Fields,
};

/// An order, with its guards: `IF condition : order`, or with THEN for the colon.
pub(super) fn order(
    scene: &Scene<'_>,
    expect: &Expect<'_>,
    at: usize,
    guards: usize,
) -> Result<Order, Diagnostic> {
    let guard = scene.grammar.keywords.guard(scene.tokens, at);
    let Some(length) = guard else {
        return plain_order(scene, expect, at);
    };
    if guards == 0 {
        return Err(scene.wrong("two_guards", Fields::new(), (at, at + length)));
    }
    let mut matcher = Matcher::new(scene.grammar, scene.names, scene.tokens);
    let Some((test, next)) = guard_test(&mut matcher, at + length) else {
        return Err(scene.failed(matcher.failure));
    };
    let mut read = order(scene, expect, next, guards - 1)?;
    if read.guard.is_some() {
        return Err(scene.wrong("two_guards", Fields::new(), (next, next + 1)));
    }
    if scene
        .grammar
        .verbs
        .get(&read.verb)
        .is_some_and(|verb| verb.at_once)
    {
        return Err(scene.wrong("at_once", Fields::new(), (next, next + 1)));
    }
    read.guard = Some(Guard {
        test,
        otherwise: Vec::new(),
    });
    Ok(read)
}

fn plain_order(scene: &Scene<'_>, expect: &Expect<'_>, at: usize) -> Result<Order, Diagnostic> {
    let grammar = scene.grammar;
    let mut matcher = Matcher::new(grammar, scene.names, scene.tokens);
    if at == 0 && grammar.opens_text(scene.tokens) {
        matcher.text = Some(scene.text);
    }
    // What is wrong with an order that can be read: it comes at another time, or is another side's.
    let (mut begun, mut reason) = (false, None);
    // If the words can't be read as they stand, they may have a name spelt like a keyword, or an
    // ALL whose AT belongs to the form.
    let tries = [(false, false), (true, false), (false, true)]
        .into_iter()
        .flat_map(|again| grammar.verbs.iter().map(move |verb| (again, verb)));
    for ((keywords_are_names, all_is_alone), (name, verb)) in tries {
        let led = verb.forms.iter().any(|form| leads(scene, form, at));
        if !led && verb.forms.iter().all(|form| form.lead.is_some()) {
            continue;
        }
        begun |= led;
        matcher.keywords_are_names = keywords_are_names;
        matcher.all_is_alone = all_is_alone;
        // Where the own side has an order of that name, what is wrong is what stands behind it, and
        // the words of the other side's are no help.
        let others = !scene.names.is_of(&verb.only);
        let has_own = others && side_has_lead_of(scene, verb);
        let failure = has_own.then(|| matcher.failure.clone());
        let args = matcher.whole(&verb.forms, at);
        if let Some(failure) = failure {
            matcher.failure = failure;
        }
        let Some(args) = args else { continue };
        let now = |phase: &&str| {
            verb.phases
                .iter()
                .any(|p| Some(p.as_str()) == phase.split('.').next())
        };
        if !verb.standing && !expect.phases.iter().any(now) {
            reason = Some("not_now");
            continue;
        }
        if others {
            if !has_own {
                reason = Some("not_of_your_side");
            }
            continue;
        }
        return Ok(Order {
            verb: name.clone(),
            args,
            line: scene.line,
            text: whole_text(scene),
            guard: None,
            block: None,
        });
    }
    if let Some(reason) = reason {
        let args = Fields::from([("word".to_owned(), scene.written(at, at + 1).into())]);
        return Err(scene.wrong(reason, args, (at, at + 1)));
    }
    if at >= scene.tokens.len() {
        return Err(scene.wrong("no_order", Fields::new(), (at, at)));
    }
    if begun || matcher.failure.reach > at || grammar.is_open && open::has_mark(scene, at) {
        return Err(scene.failed(matcher.failure));
    }
    Err(scene.unknown_order(at, &first_words(grammar)))
}

/// Returns true if the seat has an order of its own that begins with a word of this one.
fn side_has_lead_of(scene: &Scene<'_>, verb: &Verb) -> bool {
    let leads: Vec<_> = verb.forms.iter().map(|form| &form.lead).collect();
    let own = |verb: &Verb| {
        let mut forms = verb.forms.iter();
        scene.names.is_of(&verb.only) && forms.any(|form| leads.contains(&&form.lead))
    };
    scene.grammar.verbs.values().any(own)
}

/// The player's words, with the brackets that close behind them.
fn whole_text(scene: &Scene<'_>) -> String {
    let mut text = scene.written(0, scene.tokens.len());
    if scene.grammar.is_open {
        let behind = scene.behind();
        text.extend(behind.chars().take_while(|c| matches!(c, ')' | ']')));
    }
    text
}

/// Returns true if a form begins with the keyword at a place.
pub(super) fn leads(scene: &Scene<'_>, form: &OrderForm, at: usize) -> bool {
    let matches = |id: &String| scene.grammar.keywords.matches(id, scene.tokens, at);
    form.lead.as_ref().and_then(matches).is_some()
}

/// Returns true if a line begins with a keyword that an order or a command may begin with.
pub(super) fn is_led(scene: &Scene<'_>) -> bool {
    let leads = first_words(scene.grammar);
    let is_lead = |lead: &Candidate| match lead {
        Candidate::Keyword(id) => scene
            .grammar
            .keywords
            .matches(id, scene.tokens, 0)
            .is_some(),
        _ => false,
    };
    leads.iter().any(is_lead)
}

/// All keywords that a line may begin with.
pub(in crate::orders) fn first_words(grammar: &Grammar) -> Vec<Candidate> {
    let verbs = grammar.verbs.values().flat_map(|verb| &verb.forms);
    let leads = verbs.chain(grammar.commands.values().flatten());
    let mut words: Vec<Candidate> = leads
        .filter_map(|form| form.lead.clone())
        .chain(["IF", "ELSE", "ANSWER"].map(str::to_owned))
        .map(Candidate::Keyword)
        .collect();
    words.sort();
    words.dedup();
    words
}
