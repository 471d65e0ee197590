//! How a seat's words are read and judged.

use std::collections::BTreeMap;

use crate::{
    campaign::model::{understanding::Understanding, verdicts::OrderVerdict},
    game::Lang,
    ids::SeatId,
    orders::{self, Expect, Grammar, Order, QuestionForm, Reading, SettledWords, Vocabulary},
    rules::{Decisions, Judgement, Program, RuleError, Start},
    world::World,
};

/// The setting in which a seat's words are read.
#[derive(Clone, Copy, Debug)]
pub struct ReadingContext<'a> {
    /// The seat.
    pub seat: &'a SeatId,
    /// Its language.
    pub lang: Lang,
    /// The world as it sees it.
    pub view: &'a World,
    /// The names that it knows from there.
    pub vocabulary: &'a Vocabulary,
    /// The phases that wait for its orders; none if only standing orders are taken.
    pub phases: &'a [&'a str],
    /// The questions that wait for its answer.
    pub questions: &'a [QuestionForm],
    /// The campaign's options.
    pub options: &'a BTreeMap<String, String>,
}

impl ReadingContext<'_> {
    /// What words say, before the rules have judged them.
    pub(crate) fn read(&self, grammar: &Grammar, text: &str) -> Reading {
        orders::read(grammar, self.vocabulary, &self.expect(), text)
    }

    /// Settles which lines of words with this reading are orders, or were meant to be; none if all
    /// are.
    pub(crate) fn settle(
        &self,
        grammar: &Grammar,
        text: &str,
        reading: &Reading,
    ) -> Option<SettledWords> {
        orders::settle(grammar, self.vocabulary, &self.expect(), text, reading)
    }

    fn expect(&self) -> Expect<'_> {
        Expect {
            phases: self.phases,
            questions: self.questions,
            lang: self.lang,
        }
    }

    /// What the rules' checks say of the orders among them, on the seat's view.
    pub(crate) fn judge(
        &self,
        program: &Program,
        reading: &Reading,
    ) -> Result<Judgement, RuleError> {
        let orders: Vec<Order> = reading.orders().cloned().collect();
        let decisions = Decisions::default();
        let start = Start {
            phase: self.phases.first().copied().unwrap_or_default(),
            world: self.view,
            options: self.options,
            decisions: &decisions,
        };
        program.check(self.seat, &start, &orders)
    }

    /// Reads words and judges their orders on the seat's view.
    ///
    /// # Errors
    /// If a check function of the rules fails.
    pub fn understand(
        &self,
        program: &Program,
        grammar: &Grammar,
        text: &str,
    ) -> Result<Understanding, RuleError> {
        let reading = self.read(grammar, text);
        let judgement = self.judge(program, &reading)?;
        let verdict = OrderVerdict::of(&judgement);
        Ok(Understanding::judged(reading, &verdict, judgement.remarks))
    }
}
