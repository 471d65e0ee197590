//! The phases that scripts return, against those that game.yaml lets follow.

use std::collections::{BTreeMap, BTreeSet};

use rhai::Position;

use super::{
    flow::{CallReason, Flow},
    names::Sort,
    value::{Kinds, TextPart, TextValue, Val, shown},
};
use crate::game::{Argument, Follower, PhaseDecl, PhaseName, Problem};

/// Problems of the phases that follow each other.
pub(super) fn compare(flow: &Flow<'_>) -> Vec<Problem> {
    let mut sequence = SequenceCheck {
        flow,
        problems: Vec::new(),
        returned: BTreeMap::new(),
        known: BTreeMap::new(),
    };
    let roots = flow.roots().iter();
    for root in roots {
        if let CallReason::Phase { id, argument } = &root.why {
            let ends = flow.may_end(root.number);
            sequence.phase(id, argument.as_deref(), &root.gives, root.at, ends);
        }
    }
    sequence.declared();
    sequence.reached();
    sequence.problems
}

struct SequenceCheck<'a, 'b> {
    flow: &'a Flow<'b>,
    problems: Vec<Problem>,
    /// The ids and arguments that each phase returns.
    returned: BTreeMap<String, BTreeSet<String>>,
    /// True if all return values of a phase are known.
    known: BTreeMap<String, bool>,
}

impl SequenceCheck<'_, '_> {
    fn say(&mut self, at: Position, message: String, hint: Option<String>) {
        let problem = self.flow.problem(at, message);
        let problem = Problem { hint, ..problem };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn declared_phase(&self, id: &str) -> Option<&PhaseDecl> {
        self.flow.names.game.decl.phase(id)
    }

    /// Takes what a phase that had this argument returns.
    fn phase(&mut self, id: &str, own: Option<&str>, gives: &Val, at: Position, ends: bool) {
        let told = gives.is_told();
        let known = self.known.entry(id.to_owned()).or_insert(true);
        *known &= told;
        let some_fit = gives.texts.iter().any(|text| self.fits(text));
        for text in &gives.texts {
            // Of what may stand after a dot only a part comes there in truth.
            let made_up = matches!(text, TextValue::Parts(_)) && some_fit && !self.fits(text);
            if !made_up {
                self.text(id, own, text, gives, at);
            }
        }
        let numbers = gives
            .kinds
            .has(Kinds::INT.and(Kinds::BOOL).and(Kinds::PIECE));
        if (numbers || gives.item.is_some() || !gives.maps.is_empty()) && !gives.is_any() {
            let message = format!("the phase `{id}` may return something that names no phase");
            self.say(
                at,
                message,
                Some("return the name of the next phase, or `()`".to_owned()),
            );
        }
        let Some(phase) = self.declared_phase(id) else {
            return;
        };
        let nothing = gives.kinds.has(Kinds::UNIT);
        if nothing && let Some(only) = phase.only_follower(own) {
            self.returned.entry(id.to_owned()).or_default().insert(only);
        } else if nothing && !ends && phase.then.as_ref().is_some_and(|then| !then.is_empty()) {
            let message =
                format!("the phase `{id}` may return no phase, and never ends the campaign");
            let hint = format!("there may follow: {}", phase.followers());
            self.say(at, message, Some(hint));
        }
    }

    /// Returns true if a text with a made-up argument is a phase.
    fn fits(&self, text: &TextValue) -> bool {
        let parts = text.parts();
        let (Some(TextPart::Word(first)), Some(TextPart::Of(sort)), 2) =
            (parts.first(), parts.get(1), parts.len())
        else {
            return false;
        };
        let phase = first
            .strip_suffix('.')
            .and_then(|id| self.declared_phase(id));
        match phase.and_then(|phase| phase.of.as_deref()) {
            Some("side") => matches!(sort, Sort::Side | Sort::Seat),
            Some(_) => *sort == Sort::Space,
            None => false,
        }
    }

    /// A text that a phase returns.
    fn text(&mut self, id: &str, own: Option<&str>, text: &TextValue, gives: &Val, at: Position) {
        let parts = text.parts();
        match text {
            TextValue::Word(word, written) => {
                let place = if written.is_none() { at } else { *written };
                let game = self.flow.names.game;
                if let Err((message, hint)) = game.check_phase(word) {
                    let message =
                        format!("the phase `{id}` names `{word}` as the next one: {message}");
                    return self.say(place, message, hint);
                }
                self.returned
                    .entry(id.to_owned())
                    .or_default()
                    .insert(word.to_string());
                let Some(phase) = self.declared_phase(id) else {
                    return;
                };
                // A text with several possible names comes from a loop that leaves out those that
                // may not follow.
                let others: Vec<_> = gives
                    .words()
                    .filter(|(_, other)| other == written)
                    .collect();
                let follows = |(name, _): &(&std::rc::Rc<str>, Position)| {
                    phase.may_be_followed(own, PhaseName::new(name))
                };
                let one_follows = others.len() > 1 && others.iter().any(follows);
                if !one_follows && !phase.may_be_followed(own, PhaseName::new(word)) {
                    let followers = phase.followers();
                    let message = format!(
                        "the phase `{id}` names `{word}` as the next one, which game.yaml does not let follow it"
                    );
                    self.say(
                        place,
                        message,
                        Some(format!("there may follow: {followers}")),
                    );
                }
            }
            TextValue::Of(Sort::Phase | Sort::PhaseName) => {
                self.known.insert(id.to_owned(), false);
            }
            TextValue::Of(sort) => {
                let message = format!("the phase `{id}` names a {} as the next phase", sort.name());
                self.say(at, message, None);
            }
            TextValue::Parts(_) => self.parts(id, &parts, at),
        }
    }

    /// A phase whose argument is made up: `march.` and the name of a side.
    fn parts(&mut self, id: &str, parts: &[TextPart], at: Position) {
        let name = shown(parts);
        let Some(TextPart::Word(first)) = parts.first() else {
            self.known.insert(id.to_owned(), false);
            return;
        };
        let Some((next, head)) = first.split_once('.') else {
            self.known.insert(id.to_owned(), false);
            return;
        };
        let game = self.flow.names.game;
        let Some(phase) = game.decl.phase(next) else {
            let ids = game.decl.phases.iter().map(|phase| phase.id.as_str());
            let near = crate::game::nearest(next, ids);
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!(
                "the phase `{id}` names `{name}` as the next one: there is no phase `{next}`"
            );
            return self.say(at, message, hint);
        };
        let Some(of) = phase.of.as_deref() else {
            let message = format!(
                "the phase `{id}` names `{name}` as the next one: phase `{next}` takes nothing after a dot"
            );
            return self.say(at, message, None);
        };
        self.known.insert(id.to_owned(), false);
        if let (true, [_, TextPart::Of(sort)]) = (head.is_empty(), parts) {
            let fits = match of {
                "side" => matches!(sort, Sort::Side | Sort::Seat),
                _ => *sort == Sort::Space,
            };
            if !fits {
                let message = format!(
                    "the phase `{id}` names `{name}` as the next one: phase `{next}` needs a {of} after the dot"
                );
                return self.say(at, message, None);
            }
        }
        self.returned
            .entry(id.to_owned())
            .or_default()
            .insert(format!("{next}.{{{of}}}"));
        let declared = self
            .declared_phase(id)
            .and_then(|phase| phase.then.as_ref());
        let allowed = declared.is_none_or(|then| then.iter().any(|follower| follower.id == next));
        if !allowed {
            let message = format!(
                "the phase `{id}` names `{name}` as the next one, which game.yaml does not let follow it"
            );
            let followers = self
                .declared_phase(id)
                .map(PhaseDecl::followers)
                .unwrap_or_default();
            self.say(at, message, Some(format!("there may follow: {followers}")));
        }
    }

    /// Each phase says what follows, and nothing that its script never returns.
    fn declared(&mut self) {
        let decl = &self.flow.names.game.decl;
        let file = format!("games/{}/game.yaml", decl.id);
        for (number, phase) in decl.phases.iter().enumerate() {
            let returned = self.returned.get(&phase.id).cloned().unwrap_or_default();
            let Some(then) = &phase.then else {
                let message = format!(
                    "phase `{}` does not say which phases may follow it",
                    phase.id
                );
                let problem = Problem::new(&file, format!("phases[{number}]"), message);
                let proposal = proposed(phase, &returned);
                let hint = format!("write `then: [{}]`", proposal.join(", "));
                self.problems.push(problem.hint(hint).warning());
                continue;
            };
            for (place, follower) in then.iter().enumerate() {
                let path = format!("phases[{number}].then[{place}]");
                if let Some((message, hint)) = self.fault_of(follower) {
                    let problem = Problem::new(&file, path, message);
                    self.problems.push(match hint {
                        Some(hint) => problem.hint(hint),
                        None => problem,
                    });
                } else if self.known.get(&phase.id) == Some(&true)
                    && !returned
                        .iter()
                        .any(|name| PhaseName::new(name).id == follower.id)
                {
                    let message =
                        format!("the script of `{}` never returns `{follower}`", phase.id);
                    self.problems
                        .push(Problem::new(&file, path, message).warning());
                }
            }
        }
    }

    /// The fault of a phase that is given as a follower.
    fn fault_of(&self, follower: &Follower) -> Option<(String, Option<String>)> {
        let game = self.flow.names.game;
        let name = follower.to_string();
        let Some(phase) = game.decl.phase(&follower.id) else {
            return game.check_phase(&follower.id).err();
        };
        match (&follower.argument, phase.of.as_deref()) {
            (Argument::Same(kind), Some(of)) if *kind != of => Some((
                format!(
                    "phase `{}` takes a {of} after the dot, not a {kind}",
                    phase.id
                ),
                None,
            )),
            (Argument::Same(_) | Argument::Other, Some(_)) => None,
            (Argument::Same(_) | Argument::Other, None) => Some((
                format!("phase `{}` takes nothing after a dot", phase.id),
                None,
            )),
            (Argument::None, Some(of)) => {
                let hint = format!("write `{}.{{{of}}}`", phase.id);
                Some((
                    format!("phase `{}` needs a {of} after a dot", phase.id),
                    Some(hint),
                ))
            }
            (Argument::None | Argument::Named(_), _) => game.check_phase(&name).err(),
        }
    }

    /// Every phase can come about.
    fn reached(&mut self) {
        let game = self.flow.names.game;
        let decl = &game.decl;
        let first = game
            .scenarios
            .values()
            .map(|scenario| PhaseName::new(&scenario.first_phase).id);
        let verbs = decl.orders.verbs.values();
        let at_once = verbs.filter_map(|verb| verb.at_once.as_deref());
        let mut open: Vec<&str> = first.chain(at_once).collect();
        let mut reached: BTreeSet<&str> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            let then = decl.phase(id).and_then(|phase| phase.then.as_ref());
            let Some(then) = then else { return };
            for follower in then {
                if reached.insert(&follower.id) {
                    open.push(&follower.id);
                }
            }
        }
        for (number, phase) in decl.phases.iter().enumerate() {
            if !reached.contains(phase.id.as_str()) {
                let message = format!(
                    "no scenario begins with `{}`, and no phase that comes about lets it follow",
                    phase.id
                );
                let file = format!("games/{}/game.yaml", decl.id);
                let problem = Problem::new(&file, format!("phases[{number}]"), message);
                self.problems.push(problem.warning());
            }
        }
    }
}

/// A proposal for a phase that does not name its followers, from what its script returns.
fn proposed(phase: &PhaseDecl, returned: &BTreeSet<String>) -> Vec<String> {
    let mut proposed: Vec<String> = Vec::new();
    for name in returned {
        let name = PhaseName::new(name);
        let proposal = match name.argument {
            None => name.id.to_owned(),
            Some(_) if phase.of.is_some() && phase.id == name.id => {
                format!("\"{}.{{other}}\"", name.id)
            }
            Some(argument) => format!("\"{}.{argument}\"", name.id),
        };
        if !proposed.contains(&proposal) {
            proposed.push(proposal);
        }
    }
    proposed
}
