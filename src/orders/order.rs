//! What orders are once they are read: lines, orders, diagnostics.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::value::Fields;

/// An order as understood. `args` holds the slots of its form by label, see docs/orders.md.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Its verb, a key of `orders.verbs` in game.yaml.
    pub verb: String,
    /// The slots of its form.
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub args: Fields,
    /// The line of the mail that it comes from, 1 for the first; 0 for none.
    pub line: usize,
    /// The line as written, trimmed.
    pub text: String,
    /// The condition for carrying it out; none for always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
    /// The line of the order that opened the block in which it stands; none outside blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<usize>,
}

/// A condition on an order, judged on the seat's view at the moment of execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// What must hold.
    pub test: Test,
    /// What is carried out instead if it does not hold (the `ELSE :` lines that follow).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<Order>,
}

/// Conditions joined by AND, OR and NOT. AND binds closer than OR.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// A condition of the game.
    Is {
        /// Its name, a key of `orders.conditions` in game.yaml.
        condition: String,
        /// The slots of its form.
        #[serde(default, skip_serializing_if = "Fields::is_empty")]
        args: Fields,
    },
    /// NOT.
    Not(Box<Test>),
    /// AND.
    All(Vec<Test>),
    /// OR.
    Any(Vec<Test>),
}

impl Test {
    /// Returns true if a condition of the game stands anywhere in it.
    #[must_use]
    pub fn names(&self, wanted: &str) -> bool {
        match self {
            Self::Is { condition, .. } => condition == wanted,
            Self::Not(test) => test.names(wanted),
            Self::All(tests) | Self::Any(tests) => tests.iter().any(|test| test.names(wanted)),
        }
    }
}

/// Commands of the language itself, the same in every game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "command")]
pub enum Command {
    /// `ADD`: the mail adds to the earlier ones instead of replacing them. First line only.
    Add,
    /// `NOTHING`: no orders, as an explicit answer.
    Nothing,
    /// `END`: the block, or the guarded order, that is open ends here.
    End,
    /// `CANCEL group`: standing orders of a group end; all of them without a group.
    Cancel {
        /// The group, or none for all.
        group: Option<String>,
    },
    /// `ASK topic, ...` and `DONT ASK topic, ...`.
    Ask {
        /// The topics.
        topics: Vec<String>,
        /// True for ASK, false for DONT ASK.
        on: bool,
    },
    /// `ANSWER n: ...` or `n: ...`: the answer to question n of the last question mail.
    Answer {
        /// The question's number in that mail, from 1.
        question: usize,
        /// The topic that the question was about.
        topic: String,
        /// The slots of the topic's form.
        args: Fields,
    },
}

/// A line of a mail, as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderLine {
    /// An order or a standing order.
    Order(Order),
    /// A command of the language.
    Command(Command),
    /// Not understood, or not legal for this seat now.
    Wrong(Diagnostic),
}

/// What is wrong with a line: a key of the host's words with arguments, never finished text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The line of the mail, 1 for the first.
    pub line: usize,
    /// The line as written.
    pub text: String,
    /// Where the trouble is, in characters of `text`: start and end (exclusive),
    /// `start <= end <= chars`.
    pub span: (usize, usize),
    /// The reason, a key of `templates/<lang>/orders.yaml`.
    pub reason: String,
    /// Arguments of the reason.
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub args: Fields,
    /// The nearest valid spellings that the seat may know, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
}

/// A mail's own words as read: each line that is not empty and no comment, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The lines with their numbers.
    pub lines: Vec<(usize, OrderLine)>,
    /// The positions of the lines whose names were guessed: as they stand they are nothing, or
    /// something else. Only a receipt needs to know.
    #[serde(skip)]
    pub guessed: BTreeSet<usize>,
}

impl Reading {
    /// Orders in the order written.
    pub fn orders(&self) -> impl Iterator<Item = &Order> {
        self.lines.iter().filter_map(|(_, line)| match line {
            OrderLine::Order(order) => Some(order),
            _ => None,
        })
    }

    /// The position of the order that opened the block of the order at a position, if it stands in
    /// one.
    #[must_use]
    pub fn opener(&self, order: usize) -> Option<usize> {
        let block = self.orders().nth(order)?.block?;
        let before = self.orders().take(order).enumerate();
        before
            .filter(|(_, opener)| opener.line == block && opener.block.is_none())
            .map(|(position, _)| position)
            .last()
    }

    /// Commands in the order written.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.lines.iter().filter_map(|(_, line)| match line {
            OrderLine::Command(command) => Some(command),
            _ => None,
        })
    }

    /// Wrong lines in the order written.
    pub fn wrong(&self) -> impl Iterator<Item = &Diagnostic> {
        self.lines.iter().filter_map(|(_, line)| match line {
            OrderLine::Wrong(diagnostic) => Some(diagnostic),
            _ => None,
        })
    }

    /// Returns true if the mail begins with ADD.
    #[must_use]
    pub fn adds(&self) -> bool {
        matches!(
            self.lines.first(),
            Some((_, OrderLine::Command(Command::Add)))
        )
    }
}
