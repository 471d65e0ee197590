//! The flow of scripts, followed through their syntax trees: every function that the host calls,
//! with the arguments that it may get, and every function that these call.
//!
//! A function is followed anew for each kind of arguments that it may get ([`Val`]). Its result
//! depends on the possible values of facts and attributes ([`StoredValues`]), so everything is
//! followed again until nothing more comes of it. Only the last round reports.

mod arguments;
mod built_ins;
mod calls;
mod chains;
mod compare;
mod expressions;
mod findings;
mod news;
mod otherwise;
mod report;
mod roots;
mod slips;
mod special;
mod statements;
mod tables;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use rhai::Position;

pub(super) use built_ins::CHANGES;
pub(super) use report::{FlowReport, NameUse};
pub(super) use roots::CallReason;

use roots::Root;

use super::{
    answers::Answers,
    bodies::{Bodies, FunctionBody, switch_labels},
    names::{Names, Sort},
    templates::Templates,
    value::{Kinds, MapValue, TextValue, Val},
};
use crate::{game::Game, rules::Program};

/// The most kinds of arguments for which a function is followed; more are taken together.
const MOST_CONTEXTS: usize = 12;
/// The most kinds of arguments for functions of one or two statements: helpers that all others
/// call.
const MOST_CONTEXTS_OF_SMALL: usize = 192;
/// The most rounds. A script that hasn't settled by then proves nothing that depends on having seen
/// all ways.
const MOST_ROUNDS: usize = 40;
/// The round after which a fact or an attribute that still grows is taken to be anything, such as
/// lists in lists in lists.
const NARROW_ROUNDS: usize = 6;
/// The depth to which calls are followed.
const DEEPEST: usize = 40;

/// The values that the host keeps for scripts: facts, attributes, states.
#[derive(Default)]
struct StoredValues {
    values: BTreeMap<(Store, Rc<str>), Val>,
    changed: bool,
    /// True once whatever still grows is taken to be anything.
    widens: bool,
}

/// The place where something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Store {
    Fact,
    Attribute,
    SpaceState,
    RoadState,
}

impl StoredValues {
    fn get(&self, store: Store, name: &str) -> Val {
        let found = self.values.get(&(store, name.into())).cloned();
        found.unwrap_or_default().marked(Kinds::KEPT)
    }

    fn add(&mut self, store: Store, name: &str, val: Val) {
        // A stored value is as hidden as the place where it is stored.
        let val = val.unmarked(Kinds::HIDDEN.and(Kinds::DECIDED));
        let kept = self.values.entry((store, name.into())).or_default();
        if kept.join(val) {
            if self.widens {
                kept.join(Val::any());
            }
            self.changed = true;
        }
    }
}

/// A function followed for one kind of arguments.
struct FlowContext {
    /// The signature that tells this kind of arguments from others.
    signature: Vec<Signature>,
    arguments: Vec<Val>,
    gives: Val,
    /// The last round in which it was followed.
    round: usize,
    open: bool,
}

impl FlowContext {
    /// Other arguments of the same kind. Whether they bring something more, which the next round
    /// then follows.
    fn take_in(&mut self, arguments: &[Val]) -> bool {
        let mut more = false;
        for (known, given) in self.arguments.iter_mut().zip(arguments) {
            if known.join(given.clone()) {
                *known = std::mem::take(known).marked(Kinds::MIXED);
                more = true;
            }
        }
        more
    }
}

/// The signature of a kind of arguments: the outer kinds, and which texts and functions. The
/// contents of lists and maps are taken together.
#[derive(Clone, Debug, PartialEq)]
struct Signature {
    kinds: Kinds,
    texts: BTreeSet<TextValue>,
    open: bool,
    item: Option<Inside>,
    maps: Vec<MapShape>,
    calls: Vec<Rc<str>>,
}

/// The keys of a map, and the texts that tell it from others.
type MapShape = (Vec<Rc<str>>, Option<BTreeSet<TextValue>>, Option<Inside>);

/// The kinds of a list's items: their sorts of names, and whether they are other texts, lists,
/// maps.
type Inside = (Kinds, BTreeSet<Sort>, bool, bool, bool);

impl Signature {
    fn of(val: &Val) -> Self {
        Self {
            kinds: val.kinds.without(Kinds::MIXED),
            texts: val.texts.clone(),
            open: val.open,
            item: val.item.as_deref().map(inside),
            maps: shapes(val),
            calls: val.calls.iter().map(|call| Rc::clone(&call.name)).collect(),
        }
    }
}

/// The maps that a value may be; few enough to be told apart.
fn shapes(val: &Val) -> Vec<MapShape> {
    let rest = |map: &Rc<MapValue>| map.rest.as_deref().map(inside);
    let shape = |map: &Rc<MapValue>| (map.fields.keys().cloned().collect(), map.tag(), rest(map));
    let mut shapes: Vec<MapShape> = val.maps.iter().map(shape).collect();
    shapes.sort();
    shapes
}

fn inside(item: &Val) -> Inside {
    let sorts = item.texts.iter().filter_map(|text| match text {
        TextValue::Of(sort) => Some(*sort),
        _ => None,
    });
    let sorts: BTreeSet<Sort> = sorts.collect();
    let others = item.open || item.texts.len() > sorts.len();
    let kinds = item.kinds.without(Kinds::MIXED);
    (
        kinds,
        sorts,
        others,
        item.item.is_some(),
        !item.maps.is_empty(),
    )
}

/// The scripts of a game as they are followed.
pub(super) struct Flow<'a> {
    pub names: &'a Names<'a>,
    pub bodies: Bodies,
    pub report: FlowReport,
    program: &'a Program,
    answers: Answers,
    templates: Templates,
    labels: BTreeMap<(usize, usize), Vec<(String, Position)>>,
    kept: StoredValues,
    contexts: BTreeMap<usize, Vec<FlowContext>>,
    round: usize,
    /// True if something new has come up in this round.
    grows: bool,
    /// True if every possible way has been seen.
    settled: bool,
    /// The functions that are being followed, the innermost last.
    stack: Vec<Frame>,
    /// For each loop that is open, the scopes at its `break` and `continue`.
    aside: Vec<Vec<Variables>>,
    roots: Vec<Root>,
    /// Functions that some script calls or names.
    reached: BTreeSet<usize>,
}

/// A function that is being followed.
struct Frame {
    function: usize,
    /// The possible return values so far.
    gives: Val,
    /// The number of loops and closures that are open in it.
    loops: usize,
}

/// The variables in sight, or nothing where no run comes.
#[derive(Clone, Debug, PartialEq)]
struct Variables(Option<Vec<(Rc<str>, Val)>>);

impl Variables {
    fn get(&self, name: &str) -> Option<&Val> {
        let variables = self.0.as_ref()?;
        let found = variables.iter().rev().find(|(known, _)| **known == *name);
        found.map(|(_, val)| val)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Val> {
        let variables = self.0.as_mut()?;
        let found = variables
            .iter_mut()
            .rev()
            .find(|(known, _)| **known == *name);
        found.map(|(_, val)| val)
    }

    fn add(&mut self, name: &str, val: Val) {
        if let Some(variables) = &mut self.0 {
            variables.push((name.into(), val));
        }
    }

    fn len(&self) -> usize {
        self.0.as_ref().map_or(0, Vec::len)
    }

    /// Forgets the variables of an inner block.
    fn cut(&mut self, length: usize) {
        if let Some(variables) = &mut self.0 {
            variables.truncate(length);
        }
    }

    /// Marks variables that are others than before as decided by secret dice.
    fn mark_changes(&mut self, before: &Self) {
        let (Some(now), Some(before)) = (&mut self.0, &before.0) else {
            return;
        };
        for ((_, now), (_, before)) in now.iter_mut().zip(before) {
            if now != before {
                *now = std::mem::take(now).marked(Kinds::DECIDED);
            }
        }
    }

    /// This scope or another, which began as the same. Whether that is more than before.
    fn join(&mut self, other: Self) -> bool {
        match (&mut self.0, other.0) {
            (_, None) => false,
            (None, Some(theirs)) => {
                self.0 = Some(theirs);
                true
            }
            (Some(ours), Some(theirs)) => {
                let mut more = false;
                for ((_, ours), (_, theirs)) in ours.iter_mut().zip(theirs) {
                    more |= ours.join(theirs);
                }
                more
            }
        }
    }
}

impl<'a> Flow<'a> {
    /// Follows everything that the host may call.
    pub fn of(program: &'a Program, names: &'a Names<'a>) -> Self {
        let mut flow = Self::new(program, names);
        flow.keep_what_files_say();
        let roots = flow.rule_roots();
        flow.follow_all(&roots);
        flow.follow_the_rest(|_| true);
        flow
    }

    /// Follows bots, which find what the rules have kept. They have the functions of the rules too:
    /// those are judged with them.
    pub fn of_bots(program: &'a Program, rules: &Flow<'a>, bots: &[String]) -> Self {
        let mut flow = Self::new(program, rules.names);
        flow.kept.values = rules.kept.values.clone();
        let roots = flow.bot_roots(bots);
        flow.follow_all(&roots);
        let of_rules = |body: &FunctionBody| rules.bodies.find(&body.name, body.parameters.len());
        flow.follow_the_rest(|body| of_rules(body).is_none());
        flow
    }

    fn new(program: &'a Program, names: &'a Names<'a>) -> Self {
        Self {
            names,
            bodies: Bodies::of(program.ast()),
            report: FlowReport::default(),
            program,
            answers: Answers::of(names.game),
            templates: Templates::of_game(names.game),
            labels: switch_labels(program.text()),
            kept: StoredValues::default(),
            contexts: BTreeMap::new(),
            round: 0,
            grows: true,
            settled: false,
            stack: Vec::new(),
            aside: Vec::new(),
            roots: Vec::new(),
            reached: BTreeSet::new(),
        }
    }

    /// Follows roots round by round until nothing more comes of it.
    fn follow_all(&mut self, roots: &[Root]) {
        while self.grows && self.round < MOST_ROUNDS {
            self.round += 1;
            self.grows = false;
            self.kept.changed = false;
            self.kept.widens = self.round > NARROW_ROUNDS;
            let before = self.round - 1;
            for contexts in self.contexts.values_mut() {
                contexts.retain(|context| context.round == before);
            }
            // Only what the last round finds counts: what an earlier one missed may answer it.
            self.report = FlowReport::default();
            self.roots.clear();
            for root in roots {
                self.follow_root(root.clone());
            }
            self.grows |= self.kept.changed;
        }
        self.settled = !self.grows;
    }

    fn game(&self) -> &'a Game {
        self.names.game
    }

    /// The results of the roots.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Functions of the game's own scripts that nothing calls.
    pub fn unreached(&self) -> impl Iterator<Item = &FunctionBody> {
        let all = self.bodies.iter().enumerate();
        all.filter(|(number, body)| !self.reached.contains(number) && !body.is_closure())
            .map(|(_, body)| body)
    }

    /// Functions that something calls, with how many arguments they take.
    pub fn reached_names(&self) -> impl Iterator<Item = (&str, usize)> {
        let reached = self.reached.iter();
        let bodies = reached.filter_map(|number| self.bodies.get(*number));
        bodies.map(|body| (&*body.name, body.parameters.len()))
    }

    /// Follows functions that nothing calls, since code that can't be followed may call them: names
    /// in them are checked all the same.
    fn follow_the_rest(&mut self, is_meant: impl Fn(&FunctionBody) -> bool) {
        let all = self.bodies.iter().enumerate();
        let left: Vec<usize> = all
            .filter(|(number, body)| !self.contexts.contains_key(number) && is_meant(body))
            .map(|(number, _)| number)
            .collect();
        for number in left {
            let Some(body) = self.bodies.get(number) else {
                continue;
            };
            if body.is_closure() || self.contexts.contains_key(&number) {
                continue;
            }
            let unknown = vec![Val::any(); body.parameters.len()];
            self.follow(number, unknown, None);
        }
    }

    /// The result of a function for these arguments. `this` is the value that it was called on as a
    /// method.
    fn follow(&mut self, function: usize, arguments: Vec<Val>, this: Option<Val>) -> Val {
        if let Some(frame) = self.stack.last() {
            self.report.edge(frame.function, function, frame.loops > 0);
        }
        let signature: Vec<Signature> = arguments.iter().map(Signature::of).collect();
        let small = self
            .bodies
            .get(function)
            .is_some_and(|body| body.statements.len() <= 2);
        let most = if small {
            MOST_CONTEXTS_OF_SMALL
        } else {
            MOST_CONTEXTS
        };
        let contexts = self.contexts.entry(function).or_default();
        let found = contexts
            .iter()
            .position(|known| known.signature == signature);
        let place = match found {
            Some(place) => {
                if let Some(known) = contexts.get_mut(place) {
                    self.grows |= known.take_in(&arguments);
                }
                place
            }
            None if contexts.len() < most => {
                contexts.push(FlowContext {
                    signature,
                    arguments: arguments.clone(),
                    gives: Val::default(),
                    round: 0,
                    open: false,
                });
                contexts.len() - 1
            }
            None => {
                // The last one takes in all that is too much to be told apart.
                let place = contexts.len() - 1;
                if let Some(last) = contexts.last_mut() {
                    self.grows |= last.take_in(&arguments);
                    last.gives = std::mem::take(&mut last.gives).marked(Kinds::MIXED);
                }
                place
            }
        };
        let Some(context) = contexts.get_mut(place) else {
            return Val::any();
        };
        if context.open || context.round == self.round || self.stack.len() >= DEEPEST {
            return context.gives.clone();
        }
        context.open = true;
        context.round = self.round;
        let arguments = context.arguments.clone();
        let gives = self.follow_body(function, &arguments, this);
        let context = self
            .contexts
            .get_mut(&function)
            .and_then(|all| all.get_mut(place));
        if let Some(context) = context {
            context.open = false;
            self.grows |= context.gives.join(gives);
            return context.gives.clone();
        }
        Val::any()
    }

    fn follow_body(&mut self, function: usize, arguments: &[Val], this: Option<Val>) -> Val {
        let Some(body) = self.bodies.get(function) else {
            return Val::any();
        };
        let mut scope = Variables(Some(Vec::new()));
        for (name, val) in body.parameters.iter().zip(arguments) {
            scope.add(name, val.clone());
        }
        if let Some(this) = this {
            scope.add("this", this);
        }
        let statements = Rc::clone(&body.statements);
        self.stack.push(Frame {
            function,
            gives: Val::default(),
            loops: 0,
        });
        let last = self.block(&statements, &mut scope);
        let mut gives = self
            .stack
            .pop()
            .map(|frame| frame.gives)
            .unwrap_or_default();
        if scope.0.is_some() {
            gives.join(last);
        }
        gives
    }

    /// Returns true if every possible way has been seen.
    pub fn is_settled(&self) -> bool {
        self.settled
    }
}
