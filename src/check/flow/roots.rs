//! Roots: the functions that the host calls. They are phases, looks, checks, templates, conditions,
//! invariants, bots.

use rhai::Position;

use super::Flow;
use crate::check::{
    names::Sort,
    value::{Kinds, MapValue, Val},
};

/// The reason why a function is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallReason {
    /// A phase, with its argument where there are few enough to follow each.
    Phase {
        id: String,
        argument: Option<String>,
    },
    Check,
    Template,
    Condition,
    Bot,
    Other,
}

/// A function that the host calls, and the result that it should return.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub why: CallReason,
    pub function: String,
    /// Its number among the bodies.
    pub number: usize,
    arguments: Vec<Val>,
    pub gives: Val,
    pub at: Position,
}

impl Root {
    fn new(why: CallReason, function: &str, arguments: Vec<Val>) -> Self {
        Self {
            why,
            function: function.to_owned(),
            number: 0,
            arguments,
            gives: Val::default(),
            at: Position::NONE,
        }
    }
}

/// The most sides that are followed one by one.
const MOST_SIDES: usize = 6;

impl Flow<'_> {
    /// The roots of the bots.
    pub(super) fn bot_roots(&self, bots: &[String]) -> Vec<Root> {
        let asked = [
            ("phase", Val::name(Sort::Phase).or(Val::unit())),
            ("questions", Val::list(self.question())),
            ("written", Val::of(Kinds::INT)),
        ];
        let asked = Val::map(MapValue::sure(asked.into_iter()));
        let bots = bots.iter();
        bots.map(|bot| {
            Root::new(
                CallReason::Bot,
                bot,
                vec![Val::name(Sort::Seat), asked.clone()],
            )
        })
        .collect()
    }

    /// Everything that the host may call of the rules.
    pub(super) fn rule_roots(&self) -> Vec<Root> {
        let decl = &self.game().decl;
        let mut roots = Vec::new();
        let mut add = |why, function: &str, arguments| {
            roots.push(Root::new(why, function, arguments));
        };
        for phase in &decl.phases {
            let of = |argument: Option<&str>| CallReason::Phase {
                id: phase.id.clone(),
                argument: argument.map(str::to_owned),
            };
            match phase.of.as_deref() {
                None => add(of(None), &phase.id, Vec::new()),
                Some("side") if decl.sides.len() <= MOST_SIDES => {
                    for side in &decl.sides {
                        let argument = vec![Val::word(&side.id, Position::NONE)];
                        add(of(Some(&side.id)), &phase.id, argument);
                    }
                }
                Some("side") => add(of(None), &phase.id, vec![Val::name(Sort::Side)]),
                Some(_) => add(of(None), &phase.id, vec![Val::name(Sort::Space)]),
            }
        }
        add(
            CallReason::Other,
            crate::rules::LOOK,
            vec![Val::name(Sort::Seat)],
        );
        for (name, verb) in &decl.orders.verbs {
            if let Some(check) = &verb.check {
                add(
                    CallReason::Check,
                    check,
                    vec![self.answers.order(name, self.game())],
                );
            }
            if let Some(template) = &verb.template {
                add(CallReason::Template, template, vec![Val::name(Sort::Seat)]);
            }
        }
        for (name, topic) in &decl.orders.topics {
            if let Some(check) = &topic.check {
                let answer = self.answers.judged_answer(name);
                add(CallReason::Check, check, vec![answer]);
            }
        }
        for (name, condition) in &decl.orders.conditions {
            add(
                CallReason::Condition,
                &condition.call,
                vec![self.answers.condition(name)],
            );
        }
        if let Some(courier) = &decl.courier {
            let seats = vec![Val::name(Sort::Seat), Val::name(Sort::Seat)];
            add(CallReason::Other, &courier.call, seats);
        }
        add(CallReason::Other, crate::rules::INVARIANTS, Vec::new());
        roots
    }

    /// A question as a bot sees it.
    fn question(&self) -> Val {
        let entries = [
            ("number", Val::of(Kinds::INT)),
            ("topic", Val::name(Sort::Topic)),
            ("about", Val::open_map(Val::any())),
            ("options", Val::list(Val::any())),
            ("otherwise", Val::any()),
        ];
        Val::map(MapValue::sure(entries.into_iter()))
    }

    /// Follows a function that the host calls.
    pub(super) fn follow_root(&mut self, mut root: Root) {
        let Some(function) = self.bodies.find(&root.function, root.arguments.len()) else {
            return;
        };
        self.reached.insert(function);
        root.number = function;
        root.at = self
            .bodies
            .get(function)
            .map_or(Position::NONE, |body| body.at);
        root.gives = self.follow(function, root.arguments.clone(), None);
        if root.why == CallReason::Check {
            let gives = root.gives.clone();
            self.remarks(&gives, root.at);
        }
        self.roots.push(root);
    }
}
