//! Settles decisions: works out what is known again and again until nothing changes.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use rhai::ImmutableString;

use super::{
    dependence::reached_from,
    sight::Surroundings,
    span::{OPEN, ValueSpan},
    syntax::{Expression, Formulas},
    thing::{FieldValue, Symbols, Thing, columns},
};
use crate::game::MapIndex;

/// Most things of one settlement.
const MOST_THINGS: usize = 1024;
/// The most decisions whose combinations are all tried.
const MOST_TRIED: usize = 16;

/// Values of a field with the things that say them, in order.
pub(super) type FieldIndex = [(i64, usize)];

/// Things, and what has been decided of them.
#[derive(Debug)]
pub struct Reckoning {
    pub(super) formulas: Rc<Formulas>,
    pub(super) map: MapIndex,
    pub(super) things: Vec<Thing>,
    /// For each thing the formula that decides of it.
    pub(super) deciding: Vec<Option<usize>>,
    /// Fields by thing and number.
    pub(super) values: Vec<i64>,
    pub(super) symbols: Symbols,
    /// Classes of things, as numbers.
    pub(super) classes: Vec<i64>,
    /// The class of each set's members; none for all.
    pub(super) set_classes: Vec<Option<i64>>,
    pub(super) decided: Vec<ValueSpan>,
    /// Sets by their numbers and things, once they have been asked for.
    pub(super) members: RefCell<Vec<Option<Rc<[usize]>>>>,
    /// Things by what they say under a field, once sets have been looked up by it.
    pub(super) indexes: RefCell<Vec<Option<Rc<FieldIndex>>>>,
    /// Terms by their numbers and things, once they are known.
    pub(super) known_terms: Vec<Cell<Option<i64>>>,
    /// True while decisions are only assumed: then nothing is known for good.
    assuming: Cell<bool>,
    pub(super) in_set: Cell<bool>,
    pub(super) fault: Cell<Option<&'static str>>,
    pub(super) work: Cell<usize>,
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
        let (values, mut symbols) = columns(&formulas, &things)?;
        let classes = (things.iter())
            .map(|thing| symbols.value(&thing.class))
            .collect();
        let set_classes = formulas.sets.iter().map(|set| {
            let class = set.class.as_ref();
            class.map(|class| symbols.value(&class.into()))
        });
        let set_classes = set_classes.collect();
        let deciding: Vec<_> = (things.iter())
            .map(|thing| {
                let mut known = formulas.decisions.iter();
                known.position(|(class, _)| thing.class == *class)
            })
            .collect();
        let decided = (deciding.iter())
            .map(|formula| formula.map_or(ValueSpan::just(0), |_| OPEN))
            .collect();
        let mut settlement = Self {
            members: RefCell::new(vec![None; formulas.sets.len() * things.len()]),
            indexes: RefCell::new(vec![None; formulas.fields.len()]),
            known_terms: vec![Cell::new(None); formulas.terms.len() * things.len()],
            assuming: Cell::new(false),
            formulas,
            map,
            things,
            deciding,
            values,
            symbols,
            classes,
            set_classes,
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

    /// The ids of things that still have something open, in the order in which they were given.
    #[must_use]
    pub fn open(&self) -> Vec<&ImmutableString> {
        let open = self.open_numbers();
        open.iter().map(|thing| &self.things[*thing].id).collect()
    }

    fn number(&self, id: &str) -> Result<usize, String> {
        let number = self.symbols.thing(id);
        number.ok_or_else(|| format!("there is no thing `{id}`"))
    }

    /// The decision on a thing; none while it is open.
    ///
    /// # Errors
    /// If there is no such thing.
    pub fn decision(&self, id: &str) -> Result<Option<bool>, String> {
        let decided = self.decided[self.number(id)?];
        Ok(decided.known().map(|value| value != 0))
    }

    /// The ids of the things of a class with this decision, in the order in which they were given.
    pub fn decided(&self, class: &str, truth: bool) -> impl Iterator<Item = &ImmutableString> {
        let wanted = ValueSpan::truth(truth, truth);
        let things = self.things.iter().zip(&self.decided);
        let found =
            things.filter(move |(thing, decided)| thing.class == class && **decided == wanted);
        found.map(|(thing, _)| &thing.id)
    }

    /// The value of a thing's field.
    ///
    /// # Errors
    /// If there is no such thing.
    pub fn field_of(&self, id: &str, name: &str) -> Result<Option<&FieldValue>, String> {
        Ok(self.things[self.number(id)?].get(name))
    }

    /// The class of a thing, if there is such a thing.
    #[must_use]
    pub fn class(&self, id: &str) -> Option<&ImmutableString> {
        let number = self.symbols.thing(id)?;
        Some(&self.things.get(number)?.class)
    }

    /// The value of a thing's term.
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

    /// The members of a thing's set, in the order in which things were given.
    ///
    /// # Errors
    /// If there is no such thing or set, or it can't be worked out.
    pub fn set(&self, id: &str, name: &str) -> Result<Vec<&ImmutableString>, String> {
        let set = self.formulas.set(name);
        let set = set.ok_or_else(|| format!("there is no set `{name}`"))?;
        let found = self.members_of(self.number(id)?, set);
        self.check()?;
        Ok(found
            .iter()
            .map(|member| &self.things[*member].id)
            .collect())
    }

    /// Decides the open ones among some things, and settles what follows. Earlier decisions stay as
    /// they are.
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

    /// The ids of the smallest core, the first of equal ones: open decisions that all depend on
    /// each other, and on no other open one. None if nothing is open.
    ///
    /// # Errors
    /// If a formula can't be worked out.
    pub fn core(&self) -> Result<Vec<&ImmutableString>, String> {
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
        Ok(found.iter().map(|thing| &self.things[*thing].id).collect())
    }

    /// All ways to decide these open things in which each decision comes out as it is assumed.
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
        self.assuming.set(true);
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
        self.assuming.set(false);
        self.check()?;
        Ok(found)
    }

    /// The present result of the formula that decides a thing.
    fn judged(&self, thing: usize) -> ValueSpan {
        let formula = self.deciding[thing].and_then(|number| self.formulas.decisions.get(number));
        formula.map_or(ValueSpan::just(0), |(_, formula)| {
            self.value(formula, &Surroundings::of(thing), 0)
        })
    }

    /// Keeps the value of a term of a thing if it can't change any more.
    pub(super) fn remember(&self, (term, thing): (usize, usize), value: ValueSpan) {
        let place = self.known_terms.get(term * self.things.len() + thing);
        if let (Some(place), Some(known), false) = (place, value.known(), self.assuming.get()) {
            place.set(Some(known));
        }
    }

    pub(super) fn fail(&self, why: &'static str) -> ValueSpan {
        self.fault.set(Some(why));
        ValueSpan::just(0)
    }
}
