//! The dependence of open decisions on each other.

use std::collections::BTreeMap;

use super::{reckoning::Reckoning, sight::Surroundings, syntax::Expression};

impl Reckoning {
    /// The open things whose decisions the one of a thing asks for.
    pub(super) fn asked_by(&self, thing: usize) -> Vec<usize> {
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

/// The things that one leads to, itself only if it does so by way of others.
pub(super) fn reached_from(thing: usize, asked: &BTreeMap<usize, Vec<usize>>) -> Vec<usize> {
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
