//! Settling decisions: what is known is worked out again and again until nothing changes.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, HashMap, VecDeque},
    rc::Rc,
};

use super::syntax::{Aggregate, Expression, Formulas, Members, Passage, Relation};
use crate::game::MapIndex;

/// Most things of one settlement.
const MOST_THINGS: usize = 1024;
/// How deep terms may call terms.
const DEEPEST_TERM: usize = 32;
/// Most things in sight at once.
const MOST_IN_SIGHT: usize = 8;
/// Most parts of formulas that one settlement may work out.
const MOST_WORK: usize = 20_000_000;
/// Most decisions of which all combinations are tried.
const MOST_TRIED: usize = 16;
/// Symbols are numbers from here on, so that they equal no number of a script.
const FIRST_SYMBOL: i64 = 1 << 40;
/// A field that a thing does not have.
const MISSING: i64 = FIRST_SYMBOL - 1;

/// A value of a thing's field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A number, or a truth as 0 or 1.
    Number(i64),
    /// A text.
    Text(String),
}

/// A thing of which something may be decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thing {
    /// What it is called, unlike all others.
    pub id: String,
    /// Its class, which says what decides of it.
    pub class: String,
    /// Its fields.
    pub fields: BTreeMap<String, FieldValue>,
}

/// The least and the most that a value can be while decisions are open. Of a truth 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSpan {
    /// The least.
    pub least: i64,
    /// The most.
    pub most: i64,
}

impl ValueSpan {
    fn just(value: i64) -> Self {
        Self {
            least: value,
            most: value,
        }
    }

    fn truth(least: bool, most: bool) -> Self {
        Self {
            least: i64::from(least),
            most: i64::from(most),
        }
    }

    /// The value, if there is but one.
    #[must_use]
    pub fn known(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_sub(other.most),
            most: self.most.saturating_sub(other.least),
        }
    }

    fn not(self) -> Self {
        Self {
            least: 1 - self.most.clamp(0, 1),
            most: 1 - self.least.clamp(0, 1),
        }
    }
}

const OPEN: ValueSpan = ValueSpan { least: 0, most: 1 };

/// The things in sight of an expression, by depth.
#[derive(Clone, Copy)]
struct Surroundings([usize; MOST_IN_SIGHT], usize);

impl Surroundings {
    fn of(thing: usize) -> Self {
        let mut things = [0; MOST_IN_SIGHT];
        things[0] = thing;
        Self(things, 1)
    }

    fn thing(&self, depth: usize) -> usize {
        self.0.get(depth).copied().unwrap_or(0)
    }

    fn with(mut self, thing: usize) -> Self {
        if let Some(place) = self.0.get_mut(self.1) {
            *place = thing;
        }
        self.1 += 1;
        self
    }
}

/// Things, and what has been decided of them.
#[derive(Debug)]
pub struct Reckoning {
    formulas: Rc<Formulas>,
    map: MapIndex,
    things: Vec<Thing>,
    numbers: HashMap<String, usize>,
    /// For each thing the formula that decides of it.
    deciding: Vec<Option<usize>>,
    /// Fields by thing and number.
    values: Vec<i64>,
    /// Texts by their symbols.
    symbols: Vec<String>,
    decided: Vec<ValueSpan>,
    /// Sets by their numbers and things, once they have been asked for.
    members: RefCell<Vec<Option<Rc<[usize]>>>>,
    in_set: Cell<bool>,
    fault: Cell<Option<&'static str>>,
    work: Cell<usize>,
}

impl Reckoning {
    /// Settles what can be settled.
    ///
    /// # Errors
    /// If two things have one id, there are too many, or a formula can't be worked out.
    pub fn new(formulas: Rc<Formulas>, things: Vec<Thing>, map: MapIndex) -> Result<Self, String> {
        if things.len() > MOST_THINGS {
            return Err(format!("there are more than {MOST_THINGS} things"));
        }
        let mut numbers = HashMap::with_capacity(things.len());
        for (number, thing) in things.iter().enumerate() {
            if numbers.insert(thing.id.clone(), number).is_some() {
                return Err(format!("two things have the id `{}`", thing.id));
            }
        }
        let deciding: Vec<_> = (things.iter())
            .map(|thing| {
                let mut known = formulas.decisions.iter();
                known.position(|(class, _)| *class == thing.class)
            })
            .collect();
        let decided = (deciding.iter())
            .map(|formula| formula.map_or(ValueSpan::just(0), |_| OPEN))
            .collect();
        let (values, symbols) = columns(&formulas, &things);
        let mut settlement = Self {
            members: RefCell::new(vec![None; formulas.sets.len() * things.len()]),
            formulas,
            map,
            things,
            numbers,
            deciding,
            values,
            symbols,
            decided,
            in_set: Cell::new(false),
            fault: Cell::new(None),
            work: Cell::new(0),
        };
        settlement.sweep()?;
        Ok(settlement)
    }

    /// How much has been worked out, in parts of formulas, since this was last asked.
    pub fn take_work(&self) -> usize {
        self.work.replace(0)
    }

    fn sweep(&mut self) -> Result<(), String> {
        let mut open = self.open_numbers();
        loop {
            let before = open.len();
            let mut left = Vec::with_capacity(before);
            for thing in open {
                let found = self.judged(thing);
                if found.known().is_some() {
                    self.decided[thing] = found;
                } else {
                    left.push(thing);
                }
            }
            self.check()?;
            if left.is_empty() || left.len() == before {
                return Ok(());
            }
            open = left;
        }
    }

    fn check(&self) -> Result<(), String> {
        match self.fault.get() {
            Some(fault) => Err(fault.to_owned()),
            None => Ok(()),
        }
    }

    fn open_numbers(&self) -> Vec<usize> {
        let things = self.decided.iter().enumerate();
        things
            .filter(|(_, decided)| decided.known().is_none())
            .map(|(thing, _)| thing)
            .collect()
    }

    /// The ids of things of which something is still open, in the order in which they were given.
    #[must_use]
    pub fn open(&self) -> Vec<&str> {
        let open = self.open_numbers();
        open.iter()
            .map(|thing| self.things[*thing].id.as_str())
            .collect()
    }

    fn number(&self, id: &str) -> Result<usize, String> {
        let number = self.numbers.get(id).copied();
        number.ok_or_else(|| format!("there is no thing `{id}`"))
    }

    /// What has been decided of a thing; none while it is open.
    ///
    /// # Errors
    /// If there is no such thing.
    pub fn decision(&self, id: &str) -> Result<Option<bool>, String> {
        let decided = self.decided[self.number(id)?];
        Ok(decided.known().map(|value| value != 0))
    }

    /// What a thing says under a field.
    ///
    /// # Errors
    /// If there is no such thing.
    pub fn field_of(&self, id: &str, name: &str) -> Result<Option<&FieldValue>, String> {
        Ok(self.things[self.number(id)?].fields.get(name))
    }

    /// The class of a thing; none if there is no such thing.
    #[must_use]
    pub fn class(&self, id: &str) -> Option<&str> {
        let number = self.numbers.get(id)?;
        Some(&self.things.get(*number)?.class)
    }

    /// The value of a term of a thing.
    ///
    /// # Errors
    /// If there is no such thing or term, or it can't be worked out.
    pub fn term(&self, id: &str, name: &str) -> Result<ValueSpan, String> {
        let term = self.formulas.term(name);
        let term = term.ok_or_else(|| format!("there is no term `{name}`"))?;
        let sight = Surroundings::of(self.number(id)?);
        let found = self.value(&Expression::Term(0, term), &sight, 0);
        self.check()?;
        Ok(found)
    }

    /// The members of a set of a thing, in the order in which things were given.
    ///
    /// # Errors
    /// If there is no such thing or set, or it can't be worked out.
    pub fn set(&self, id: &str, name: &str) -> Result<Vec<&str>, String> {
        let set = self.formulas.set(name);
        let set = set.ok_or_else(|| format!("there is no set `{name}`"))?;
        let found = self.members_of(self.number(id)?, set);
        self.check()?;
        Ok(found
            .iter()
            .map(|member| self.things[*member].id.as_str())
            .collect())
    }

    /// Decides what is open of some things, and settles what follows. What has been decided before
    /// stays as it is.
    ///
    /// # Errors
    /// If there is no such thing, or a formula can't be worked out.
    pub fn decide(&mut self, ids: &[String], truth: bool) -> Result<(), String> {
        for id in ids {
            let thing = self.number(id)?;
            if self.decided[thing].known().is_none() {
                self.decided[thing] = ValueSpan::truth(truth, truth);
            }
        }
        self.sweep()
    }

    /// The ids of the smallest core, the first of equal ones: open decisions each of which hangs on
    /// each other, and on no other open one. None if nothing is open.
    ///
    /// # Errors
    /// If a formula can't be worked out.
    pub fn core(&self) -> Result<Vec<&str>, String> {
        let open = self.open_numbers();
        let asked: BTreeMap<usize, Vec<usize>> = (open.iter())
            .map(|thing| (*thing, self.asked_by(*thing)))
            .collect();
        self.check()?;
        let reached: BTreeMap<usize, Vec<usize>> = (open.iter())
            .map(|thing| (*thing, reached_from(*thing, &asked)))
            .collect();
        let cores = reached.iter().filter(|(thing, reach)| {
            reach
                .iter()
                .all(|other| reached.get(other).is_some_and(|back| back.contains(thing)))
        });
        let smallest = cores.min_by_key(|(thing, reach)| (reach.len(), **thing));
        let found = smallest.map_or(&[][..], |(_, reach)| reach.as_slice());
        Ok(found
            .iter()
            .map(|thing| self.things[*thing].id.as_str())
            .collect())
    }

    /// All ways to decide these open things in which each comes out as it is assumed.
    ///
    /// # Errors
    /// If they are too many, or a formula can't be worked out.
    pub fn solutions(&mut self, ids: &[String]) -> Result<Vec<Vec<bool>>, String> {
        if ids.len() > MOST_TRIED {
            return Err(format!(
                "all combinations of {} decisions are too many; {MOST_TRIED} at most",
                ids.len()
            ));
        }
        let things: Vec<usize> = (ids.iter())
            .map(|id| self.number(id))
            .collect::<Result<_, _>>()?;
        let before = self.decided.clone();
        let mut found = Vec::new();
        for assumed in 0_u32..1 << things.len() {
            let truth = |index: usize| assumed >> index & 1 == 1;
            for (index, thing) in things.iter().enumerate() {
                self.decided[*thing] = ValueSpan::truth(truth(index), truth(index));
            }
            let stands = |(index, thing): (usize, &usize)| {
                self.judged(*thing) == ValueSpan::truth(truth(index), truth(index))
            };
            if things.iter().enumerate().all(stands) {
                found.push((0..things.len()).map(truth).collect());
            }
        }
        self.decided = before;
        self.check()?;
        Ok(found)
    }

    /// What the formula that decides of a thing gives now.
    fn judged(&self, thing: usize) -> ValueSpan {
        let formula = self.deciding[thing].and_then(|number| self.formulas.decisions.get(number));
        formula.map_or(ValueSpan::just(0), |(_, formula)| {
            self.value(formula, &Surroundings::of(thing), 0)
        })
    }

    fn fail(&self, why: &'static str) -> ValueSpan {
        self.fault.set(Some(why));
        ValueSpan::just(0)
    }

    fn value(&self, expression: &Expression, sight: &Surroundings, deep: usize) -> ValueSpan {
        let work = self.work.get() + 1;
        self.work.set(work);
        if work > MOST_WORK {
            return self.fail("formulas take too long");
        }
        match expression {
            Expression::Number(number) => ValueSpan::just(*number),
            Expression::Text(symbol) => ValueSpan::just(FIRST_SYMBOL + symbol),
            Expression::Field(depth, field) => {
                ValueSpan::just(self.field(sight.thing(*depth), *field))
            }
            Expression::Decision(depth) => {
                if self.in_set.get() {
                    return self.fail("a set can't hang on decisions");
                }
                self.decided[sight.thing(*depth)]
            }
            Expression::Term(depth, term) => {
                if deep >= DEEPEST_TERM {
                    return self.fail("terms call each other too deep");
                }
                let thing = Surroundings::of(sight.thing(*depth));
                let term = self.formulas.terms.get(*term);
                term.map_or(ValueSpan::just(0), |(_, term)| {
                    self.value(term, &thing, deep + 1)
                })
            }
            Expression::Not(inner) => self.value(inner, sight, deep).not(),
            Expression::Both(a, b) => {
                let a = self.value(a, sight, deep);
                if a.most == 0 {
                    return a;
                }
                let b = self.value(b, sight, deep);
                ValueSpan::truth(a.least != 0 && b.least != 0, b.most != 0)
            }
            Expression::Either(a, b) => {
                let a = self.value(a, sight, deep);
                if a.least != 0 {
                    return a;
                }
                let b = self.value(b, sight, deep);
                ValueSpan::truth(b.least != 0, a.most != 0 || b.most != 0)
            }
            Expression::Compare(how, a, b) => {
                let (a, b) = (self.value(a, sight, deep), self.value(b, sight, deep));
                compared(*how, a, b)
            }
            Expression::Add(a, b) => {
                let a = self.value(a, sight, deep);
                a.plus(self.value(b, sight, deep))
            }
            Expression::Subtract(a, b) => {
                let a = self.value(a, sight, deep);
                a.minus(self.value(b, sight, deep))
            }
            Expression::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let condition = self.value(condition, sight, deep);
                match (condition.least != 0, condition.most != 0) {
                    (true, _) => self.value(then, sight, deep),
                    (_, false) => self.value(otherwise, sight, deep),
                    _ => {
                        let then = self.value(then, sight, deep);
                        then.or(self.value(otherwise, sight, deep))
                    }
                }
            }
            Expression::Over(how, members, inner) => self.over(*how, *members, inner, sight, deep),
            Expression::Way(passage) => self.way(passage, sight, deep),
        }
    }

    fn field(&self, thing: usize, field: usize) -> i64 {
        let place = thing * self.formulas.fields.len() + field;
        self.values.get(place).copied().unwrap_or(MISSING)
    }

    fn over(
        &self,
        how: Aggregate,
        members: Members,
        inner: &Expression,
        sight: &Surroundings,
        deep: usize,
    ) -> ValueSpan {
        if sight.1 >= MOST_IN_SIGHT {
            return self.fail("too many things are in sight at once");
        }
        let found = self.members_of(sight.thing(members.of), members.set);
        let mut values = (found.iter()).map(|member| self.value(inner, &sight.with(*member), deep));
        match how {
            Aggregate::Any => {
                let mut any = ValueSpan::just(0);
                for value in values {
                    any = ValueSpan::truth(
                        any.least != 0 || value.least != 0,
                        any.most != 0 || value.most != 0,
                    );
                    if any.least != 0 {
                        break;
                    }
                }
                any
            }
            Aggregate::All => {
                let mut all = ValueSpan::just(1);
                for value in values {
                    all = ValueSpan::truth(all.least != 0 && value.least != 0, value.most != 0);
                    if all.most == 0 {
                        break;
                    }
                }
                all
            }
            Aggregate::Sum => values.fold(ValueSpan::just(0), ValueSpan::plus),
            Aggregate::Most => values.next().map_or(ValueSpan::just(0), |first| {
                values.fold(first, |most, value| ValueSpan {
                    least: most.least.max(value.least),
                    most: most.most.max(value.most),
                })
            }),
        }
    }

    fn members_of(&self, thing: usize, number: usize) -> Rc<[usize]> {
        let place = number * self.things.len() + thing;
        let known = self.members.borrow().get(place).cloned().flatten();
        if let Some(known) = known {
            return known;
        }
        let found = self.found_members(thing, number);
        if let Some(place) = self.members.borrow_mut().get_mut(place) {
            *place = Some(Rc::clone(&found));
        }
        found
    }

    fn found_members(&self, thing: usize, number: usize) -> Rc<[usize]> {
        let Some(set) = self.formulas.sets.get(number) else {
            return Rc::from([]);
        };
        let before = self.in_set.replace(true);
        self.work.set(self.work.get() + self.things.len() / 8);
        let sight = Surroundings::of(thing);
        let key = (set.key.as_ref()).map(|(field, key)| (*field, self.value(key, &sight, 0).least));
        let mut found = Vec::new();
        for member in 0..self.things.len() {
            if key.is_some_and(|(field, key)| self.field(member, field) != key)
                || (set.class.as_ref()).is_some_and(|class| *class != self.things[member].class)
            {
                continue;
            }
            if self.value(&set.condition, &sight.with(member), 0).least != 0 {
                found.push(member);
            }
        }
        self.in_set.set(before);
        found.into()
    }

    fn way(&self, passage: &Passage, sight: &Surroundings, deep: usize) -> ValueSpan {
        if sight.1 >= MOST_IN_SIGHT {
            return self.fail("too many things are in sight at once");
        }
        let place = |value: ValueSpan| {
            let symbol = usize::try_from(value.least - FIRST_SYMBOL).ok()?;
            self.map.number(self.symbols.get(symbol)?)
        };
        let from = place(self.value(&passage.from, sight, deep));
        let to = place(self.value(&passage.to, sight, deep));
        let (Some(from), Some(to)) = (from, to) else {
            return self.fail("a way leads from a space to a space");
        };
        let members = self.members_of(sight.thing(passage.members.of), passage.members.set);
        let mut spaces = Vec::with_capacity(members.len());
        for member in members.iter() {
            let sight = sight.with(*member);
            let open = self.value(&passage.open, &sight, deep);
            if open.most != 0
                && let Some(space) = place(self.value(&passage.place, &sight, deep))
            {
                spaces.push((space, open.least != 0));
            }
        }
        let leads = |sure: bool| {
            let open: Vec<usize> = (spaces.iter())
                .filter(|(_, open)| *open || !sure)
                .map(|(space, _)| *space)
                .collect();
            leads(&self.map, from, to, &open)
        };
        let most = leads(false);
        ValueSpan::truth(most && leads(true), most)
    }

    /// The open things whose decisions the one of a thing asks for.
    fn asked_by(&self, thing: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let formula = self.deciding[thing].and_then(|number| self.formulas.decisions.get(number));
        if let Some((_, formula)) = formula {
            self.ask(formula, &Surroundings::of(thing), 0, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds the open things that decide the value of an expression; none if its value is known.
    fn ask(
        &self,
        expression: &Expression,
        sight: &Surroundings,
        deep: usize,
        found: &mut Vec<usize>,
    ) {
        if self.fault.get().is_some() || self.value(expression, sight, deep).known().is_some() {
            return;
        }
        match expression {
            Expression::Number(_) | Expression::Text(_) | Expression::Field(..) => {}
            Expression::Decision(depth) => found.push(sight.thing(*depth)),
            Expression::Term(depth, term) => {
                if let Some((_, term)) = self.formulas.terms.get(*term) {
                    let thing = Surroundings::of(sight.thing(*depth));
                    self.ask(term, &thing, deep + 1, found);
                }
            }
            Expression::Not(inner) => self.ask(inner, sight, deep, found),
            Expression::Both(a, b)
            | Expression::Either(a, b)
            | Expression::Compare(_, a, b)
            | Expression::Add(a, b)
            | Expression::Subtract(a, b) => {
                self.ask(a, sight, deep, found);
                self.ask(b, sight, deep, found);
            }
            Expression::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                self.ask(condition, sight, deep, found);
                let condition = self.value(condition, sight, deep);
                if condition.most != 0 {
                    self.ask(then, sight, deep, found);
                }
                if condition.least == 0 {
                    self.ask(otherwise, sight, deep, found);
                }
            }
            Expression::Over(_, members, inner) => {
                for member in self.members_of(sight.thing(members.of), members.set).iter() {
                    self.ask(inner, &sight.with(*member), deep, found);
                }
            }
            Expression::Way(passage) => {
                let members = passage.members;
                for member in self.members_of(sight.thing(members.of), members.set).iter() {
                    self.ask(&passage.open, &sight.with(*member), deep, found);
                }
            }
        }
    }
}

/// The fields of all things as numbers, and the texts that symbols stand for.
fn columns(formulas: &Formulas, things: &[Thing]) -> (Vec<i64>, Vec<String>) {
    let mut symbols = formulas.texts.clone();
    let mut known: HashMap<String, usize> = (symbols.iter().cloned()).zip(0..).collect();
    let mut symbol = |text: &str| {
        let next = known.len();
        let number = match known.get(text) {
            Some(number) => *number,
            None => {
                known.insert(text.to_owned(), next);
                symbols.push(text.to_owned());
                next
            }
        };
        i64::try_from(number).map_or(MISSING, |number| FIRST_SYMBOL + number)
    };
    let mut values = Vec::with_capacity(things.len() * formulas.fields.len());
    for thing in things {
        for field in &formulas.fields {
            values.push(match (thing.fields.get(field), field.as_str()) {
                (Some(FieldValue::Number(number)), _) => *number,
                (Some(FieldValue::Text(text)), _) => symbol(text),
                (None, "id") => symbol(&thing.id),
                (None, "class") => symbol(&thing.class),
                (None, _) => MISSING,
            });
        }
    }
    (values, symbols)
}

fn compared(how: Relation, a: ValueSpan, b: ValueSpan) -> ValueSpan {
    match how {
        Relation::Greater => ValueSpan::truth(a.least > b.most, a.most > b.least),
        Relation::AtLeast => ValueSpan::truth(a.least >= b.most, a.most >= b.least),
        Relation::Equal => ValueSpan::truth(
            a.known().is_some() && a == b,
            a.least <= b.most && b.least <= a.most,
        ),
        Relation::Unequal => compared(Relation::Equal, a, b).not(),
    }
}

/// The things that one leads to, itself only if it does so by way of others.
fn reached_from(thing: usize, asked: &BTreeMap<usize, Vec<usize>>) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut queue = vec![thing];
    while let Some(here) = queue.pop() {
        for next in asked.get(&here).into_iter().flatten() {
            if !found.contains(next) {
                found.push(*next);
                queue.push(*next);
            }
        }
    }
    found.sort_unstable();
    found
}

/// Returns true if a way leads from one space to another through one or more of these spaces.
fn leads(map: &MapIndex, from: usize, to: usize, open: &[usize]) -> bool {
    let mut reached = vec![false; open.len()];
    let mut queue = VecDeque::new();
    let mut enter = |near: usize, queue: &mut VecDeque<usize>| {
        for (index, space) in open.iter().enumerate() {
            if *space == near && !std::mem::replace(&mut reached[index], true) {
                queue.push_back(near);
            }
        }
    };
    for near in map.neighbours(from) {
        enter(*near, &mut queue);
    }
    while let Some(here) = queue.pop_front() {
        for near in map.neighbours(here) {
            if *near == to {
                return true;
            }
            enter(*near, &mut queue);
        }
    }
    false
}
