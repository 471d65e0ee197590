//! The values of expressions.

use std::{cell::Cell, collections::VecDeque, rc::Rc};

use super::{
    reckoning::{FieldIndex, Reckoning},
    sight::Surroundings,
    span::{ValueSpan, compared},
    syntax::{Aggregate, Expression, Members, Passage},
    thing::{FIRST_SYMBOL, MISSING},
};
use crate::game::MapIndex;

/// How deep terms may call terms.
const DEEPEST_TERM: usize = 32;
/// Most parts of formulas that one settlement may work out.
const MOST_WORK: usize = 20_000_000;

impl Reckoning {
    pub(super) fn value(
        &self,
        expression: &Expression,
        sight: &Surroundings,
        deep: usize,
    ) -> ValueSpan {
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
                self.term_of((*term, sight.thing(*depth)), deep)
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

    fn term_of(&self, (term, thing): (usize, usize), deep: usize) -> ValueSpan {
        let known = self.known_terms.get(term * self.things.len() + thing);
        if let Some(known) = known.and_then(Cell::get) {
            return ValueSpan::just(known);
        }
        let Some((_, formula)) = self.formulas.terms.get(term) else {
            return ValueSpan::just(0);
        };
        let found = self.value(formula, &Surroundings::of(thing), deep + 1);
        self.remember((term, thing), found);
        found
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
        if sight.is_full() {
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

    pub(super) fn members_of(&self, thing: usize, number: usize) -> Rc<[usize]> {
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
        let class = self.set_classes.get(number).copied().flatten();
        let belongs = |member: &usize| {
            class.is_none_or(|class| self.classes[*member] == class)
                && self.value(&set.condition, &sight.with(*member), 0).least != 0
        };
        let found = match &set.key {
            Some((field, key)) => {
                let key = self.value(key, &sight, 0).least;
                let index = self.index(*field);
                let start = index.partition_point(|(value, _)| *value < key);
                let rest = index.get(start..).unwrap_or_default().iter();
                let same = rest.take_while(|(value, _)| *value == key);
                same.map(|(_, member)| *member).filter(belongs).collect()
            }
            None => (0..self.things.len()).filter(belongs).collect(),
        };
        self.in_set.set(before);
        found
    }

    /// Things by what they say under a field.
    fn index(&self, field: usize) -> Rc<FieldIndex> {
        let known = self.indexes.borrow().get(field).cloned().flatten();
        if let Some(known) = known {
            return known;
        }
        let things = 0..self.things.len();
        let mut said: Vec<(i64, usize)> = things
            .map(|thing| (self.field(thing, field), thing))
            .collect();
        said.sort_unstable();
        let index: Rc<FieldIndex> = said.into();
        if let Some(place) = self.indexes.borrow_mut().get_mut(field) {
            *place = Some(Rc::clone(&index));
        }
        index
    }

    fn way(&self, passage: &Passage, sight: &Surroundings, deep: usize) -> ValueSpan {
        if sight.is_full() {
            return self.fail("too many things are in sight at once");
        }
        let place = |value: ValueSpan| self.map.number(self.symbols.text(value.least)?);
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
