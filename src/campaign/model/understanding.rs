//! The meaning of a seat's words, and how it becomes decisions.

use crate::{
    campaign::model::verdicts::OrderVerdict,
    game::Game,
    ids::SeatId,
    orders::{Command, Diagnostic, Order, OrderLine, Reading},
    rules::{Decisions, Remark},
    value::{Fields, Value},
};
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The meaning of a seat's words, read and judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Understanding {
    /// Every line as read.
    pub reading: Reading,
    /// The orders that the checks of the rules refuse, by their positions among those of the
    /// reading.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub refused: BTreeSet<usize>,
    /// The checks' remarks on the orders, for the receipt alone; empty if there is none to write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// The answers that the checks of their topics refuse, by their positions among those of the
    /// reading: they leave their questions open.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub refused_answers: BTreeSet<usize>,
    /// The checks' remarks on the answers, for the receipt alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answer_remarks: Vec<Remark>,
    /// Errors of the rules' check functions, with function, file and line. They are not the
    /// player's fault: the maintainer of the rules must hear of them.
    #[serde(skip)]
    pub faults: Vec<String>,
}

impl Understanding {
    /// Words with the checks' verdict on their orders.
    pub(crate) fn judged(reading: Reading, verdict: &OrderVerdict, remarks: Vec<Remark>) -> Self {
        let mut understood = Self {
            reading,
            refused: verdict.refused.clone(),
            remarks,
            faults: verdict.faults.clone(),
            ..Self::default()
        };
        understood.set_aside(&verdict.unjudged);
        understood
    }

    /// The understanding without the parts that only a receipt needs.
    pub(crate) fn without_remarks(&self) -> Self {
        let lines = self.reading.lines.clone();
        Self {
            reading: Reading {
                lines,
                ..Reading::default()
            },
            refused: self.refused.clone(),
            refused_answers: self.refused_answers.clone(),
            ..Self::default()
        }
    }

    /// Adds the checks' verdict on the answers. One that could not be judged is taken: the phase
    /// that asked decides what it is worth, and the maintainer of the rules hears of the fault.
    pub(crate) fn add_judged_answers(&mut self, verdict: &OrderVerdict, remarks: Vec<Remark>) {
        self.refused_answers.clone_from(&verdict.refused);
        self.answer_remarks = remarks;
        self.faults.extend(verdict.faults.iter().cloned());
    }

    /// Turns orders that could not be judged into wrong lines.
    fn set_aside(&mut self, unjudged: &BTreeSet<usize>) {
        if unjudged.is_empty() {
            return;
        }
        let mut number = 0;
        let mut position = BTreeMap::new();
        for (line_number, line) in &mut self.reading.lines {
            let OrderLine::Order(order) = line else {
                continue;
            };
            if unjudged.contains(&number) {
                *line = wrong_as_a_whole(*line_number, order.text.clone(), "not_judged");
            } else {
                position.insert(number, position.len());
            }
            number += 1;
        }
        let refused = self.refused.iter();
        self.refused = refused
            .filter_map(|order| position.get(order).copied())
            .collect();
        self.remarks
            .retain(|remark| position.contains_key(&remark.order));
        for remark in &mut self.remarks {
            remark.order = position.get(&remark.order).copied().unwrap_or(remark.order);
        }
    }

    /// The phase that one of the orders runs at once, for the first side of its seat
    /// (`concede.red`).
    #[must_use]
    pub fn at_once(&self, game: &Game, seat: &SeatId) -> Option<String> {
        let phases = self.accepted().filter_map(|order| at_once(game, order));
        let side = game.decl.seat(seat)?.first_side()?;
        let phase = phases.into_iter().next()?;
        Some(format!("{phase}.{side}"))
    }

    /// The understanding where only answers are taken: every other line is wrong, except orders
    /// that run at once.
    #[must_use]
    pub fn answers_only(mut self, game: &Game) -> Self {
        for (number, line) in &mut self.reading.lines {
            let text = match line {
                OrderLine::Order(order) if at_once(game, order).is_some() => continue,
                OrderLine::Order(order) => order.text.clone(),
                OrderLine::Command(Command::Answer { .. } | Command::Nothing | Command::End)
                | OrderLine::Wrong(_) => {
                    continue;
                }
                OrderLine::Command(_) => String::new(),
            };
            *line = wrong_as_a_whole(*number, text, "answers_only");
        }
        self.refused.clear();
        self.remarks.clear();
        self
    }

    /// Returns true if a check refused the order at this position of the reading, or the one that
    /// opens its block.
    #[must_use]
    pub fn is_refused(&self, order: usize) -> bool {
        let opener = self.reading.opener(order);
        let is_refused = |order: &usize| self.refused.contains(order);
        is_refused(&order) || opener.is_some_and(|opener| is_refused(&opener))
    }

    /// The orders that are neither wrong nor refused, in the order written.
    pub fn accepted(&self) -> impl Iterator<Item = &Order> {
        let orders = self.reading.orders().enumerate();
        orders
            .filter(|(index, _)| !self.is_refused(*index))
            .map(|(_, order)| order)
    }

    /// Returns true if every line was understood and accepted. Only such words end a wait before
    /// its deadline, so that a slip of the pen can still be corrected.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let is_refused = !self.refused.is_empty() || !self.refused_answers.is_empty();
        self.reading.wrong().next().is_none() && !is_refused
    }

    /// Returns true if there is nothing in it but lines that are said beside orders: a vote.
    #[must_use]
    pub fn is_aside(&self, game: &Game) -> bool {
        let is_aside = |order: &Order| {
            let verb = game.decl.orders.verbs.get(&order.verb);
            verb.is_some_and(|verb| verb.aside)
        };
        let (aside, orders): (Vec<_>, Vec<_>) = self.accepted().partition(|order| is_aside(order));
        let nothing = self.reading.commands().any(|it| *it == Command::Nothing);
        !aside.is_empty() && orders.is_empty() && !nothing
    }

    /// The numbers of the lines with something that was not understood or not accepted, in the
    /// order written.
    #[must_use]
    pub fn faulty_lines(&self) -> Vec<usize> {
        let (mut orders, mut answers) = (0.., 0..);
        let is_faulty = |line: &OrderLine| match line {
            OrderLine::Command(Command::Answer { .. }) => answers
                .next()
                .is_some_and(|answer| self.refused_answers.contains(&answer)),
            OrderLine::Order(_) => orders.next().is_some_and(|order| self.is_refused(order)),
            OrderLine::Wrong(_) => true,
            OrderLine::Command(_) => false,
        };
        let lines = self.reading.lines.iter();
        lines
            .scan(is_faulty, |is_faulty, (number, line)| {
                Some((*number, is_faulty(line)))
            })
            .filter_map(|(number, faulty)| faulty.then_some(number))
            .collect()
    }

    /// Returns true if there is anything in it: an order, or a command other than ADD and END.
    #[must_use]
    pub fn says_something(&self) -> bool {
        self.reading.lines.iter().any(|(_, line)| match line {
            OrderLine::Order(_) => true,
            OrderLine::Command(command) => !matches!(command, Command::Add | Command::End),
            OrderLine::Wrong(_) => false,
        })
    }

    /// The answers to questions, by the question's number: the last of several lines that is
    /// accepted, or all of them as a list `lines` if the topic takes several.
    #[must_use]
    pub fn answers(&self, game: &Game) -> BTreeMap<usize, GivenAnswer> {
        let mut answers = BTreeMap::new();
        let given = self.reading.commands().filter_map(|command| match command {
            Command::Answer {
                question,
                topic,
                args,
            } => Some((question, topic, args)),
            _ => None,
        });
        for (position, (question, topic, args)) in given.enumerate() {
            let is_refused = self.refused_answers.contains(&position);
            let topic = game.decl.orders.topics.get(topic);
            if !topic.is_some_and(|topic| topic.several) {
                let before = answers.get(question);
                if !is_refused || !matches!(before, Some(GivenAnswer::Accepted(_))) {
                    answers.insert(*question, GivenAnswer::new(args.clone(), is_refused));
                }
                continue;
            }
            let (mut lines, before) = match answers.remove(question) {
                Some(GivenAnswer::Accepted(given)) => (given, false),
                Some(GivenAnswer::Refused(given)) => (given, true),
                None => (Fields::new(), false),
            };
            let list = lines.entry("lines".to_owned());
            if let Value::List(list) = list.or_insert_with(|| Value::List(Vec::new())) {
                list.push(Value::Map(args.clone()));
            }
            answers.insert(*question, GivenAnswer::new(lines, is_refused || before));
        }
        answers
    }

    /// Enters the seat's words into the decisions: orders, standing orders, what it wants to be
    /// asked.
    pub fn decide(&self, game: &Game, seat: &SeatId, decisions: &mut Decisions) {
        let is_standing = |order: &&Order| {
            game.decl
                .orders
                .verbs
                .get(&order.verb)
                .is_some_and(|verb| verb.standing)
        };
        let given = self
            .accepted()
            .filter(|order| !is_standing(order))
            .cloned()
            .collect();
        decisions.latest.insert(seat.clone(), given);
        let standing = decisions.standing.entry(seat.clone()).or_default();
        decisions.asks.entry(seat.clone()).or_default();
        let (mut written_anew, mut number) = (BTreeSet::new(), 0);
        for (_, line) in &self.reading.lines {
            match line {
                OrderLine::Order(order) => {
                    let refused = self.is_refused(number);
                    number += 1;
                    if refused || !is_standing(&order) || at_once(game, order).is_some() {
                        continue;
                    }
                    let group = group_of(game, &order.verb);
                    if written_anew.insert(group.to_owned()) {
                        standing.retain(|known| group_of(game, &known.verb) != group);
                    }
                    standing.push(order.clone());
                }
                OrderLine::Command(Command::Cancel { group }) => {
                    standing.retain(|known| {
                        group
                            .as_ref()
                            .is_some_and(|group| group_of(game, &known.verb) != group)
                    });
                    if group.is_none() {
                        decisions.asks.entry(seat.clone()).or_default().clear();
                        decisions.declined.remove(seat);
                    }
                }
                OrderLine::Command(Command::Ask { topics, on }) => {
                    for topic in topics {
                        let declared = game.decl.orders.topics.get(topic);
                        let (list, add) = match declared {
                            Some(declared) if declared.asked => {
                                (decisions.declined.entry(seat.clone()).or_default(), !*on)
                            }
                            _ => (decisions.asks.entry(seat.clone()).or_default(), *on),
                        };
                        if add {
                            list.insert(topic.clone());
                        } else {
                            list.remove(topic);
                        }
                    }
                    decisions.declined.retain(|_, topics| !topics.is_empty());
                }
                OrderLine::Command(_) | OrderLine::Wrong(_) => {}
            }
        }
    }
}

/// An answer to a question: the slots of the topic's form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenAnswer {
    /// It is taken.
    Accepted(Fields),
    /// The check of its topic refuses it, or a line of it: the question stays open.
    Refused(Fields),
}

impl GivenAnswer {
    fn new(fields: Fields, is_refused: bool) -> Self {
        match is_refused {
            true => Self::Refused(fields),
            false => Self::Accepted(fields),
        }
    }

    /// The slots.
    #[must_use]
    pub fn into_fields(self) -> Fields {
        let (Self::Accepted(fields) | Self::Refused(fields)) = self;
        fields
    }
}

/// The phase that an order runs at once.
fn at_once<'a>(game: &'a Game, order: &Order) -> Option<&'a str> {
    game.decl.orders.verbs.get(&order.verb)?.at_once.as_deref()
}

/// A line that is wrong from end to end.
fn wrong_as_a_whole(line: usize, text: String, reason: &str) -> OrderLine {
    OrderLine::Wrong(Diagnostic {
        line,
        span: (0, text.chars().count()),
        text,
        reason: reason.to_owned(),
        args: Fields::new(),
        suggestions: Vec::new(),
    })
}

/// The group of a standing order's verb: a new mail replaces a whole group.
#[must_use]
pub fn group_of<'a>(game: &'a Game, verb: &'a str) -> &'a str {
    let declared = game.decl.orders.verbs.get(verb);
    declared
        .and_then(|verb| verb.group.as_deref())
        .unwrap_or(verb)
}
