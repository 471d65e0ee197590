//! Reads and judges a seat's words.

use std::collections::BTreeMap;

use crate::{
    campaign::model::{understanding::Understanding, verdicts::OrderVerdict},
    game::{Game, Lang},
    ids::SeatId,
    orders::{
        self, Command, Expect, Grammar, Order, OrderLine, QuestionForm, Reading, SettledWords,
        Vocabulary,
    },
    rules::{Decisions, JudgedAnswer, Judgement, Program, RuleError, Start},
    world::World,
};

/// The most lines of a mail that are looked at for other readings, and how many readings of a mail
/// the rules' checks are asked about: each costs as much as an order.
const MOST_LOOKED_AT: usize = 120;
const MOST_CHECKS: usize = 400;

/// The effort spent on guesses in a mail.
#[derive(Default)]
struct GuessBudget {
    lines: usize,
    checks: usize,
}

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
    /// Reads words before the rules judge them. Where a line is an order that the rules refuse, but
    /// that they allow if its names are read in another way, that other order is taken.
    pub(crate) fn read(
        &self,
        program: &Program,
        grammar: &Grammar,
        text: &str,
    ) -> Result<Reading, RuleError> {
        let mut reading = self.read_plainly(grammar, text);
        if grammar.names_are_guessed() {
            let lines: Vec<&str> = text.lines().collect();
            let mut spent = GuessBudget::default();
            for place in 0..reading.lines.len() {
                let Some((number, line)) = reading.lines.get(place) else {
                    continue;
                };
                let number = *number;
                let first = reading.lines.iter().position(|(known, _)| *known == number);
                let whole = lines.get(number.saturating_sub(1)).copied();
                let same = reading.lines.iter().filter(|(known, _)| *known == number);
                let part = self.part_of(
                    grammar,
                    whole.unwrap_or_default(),
                    place - first.unwrap_or(place),
                    same.count(),
                );
                let Some(text) = part else { continue };
                let guessed = self.guessed(program, grammar, (&text, line), &mut spent)?;
                if let (Some(meant), Some(known)) = (guessed, reading.lines.get_mut(place)) {
                    reading.guessed.insert(place);
                    known.1 = match meant {
                        OrderLine::Order(order) => OrderLine::Order(Order {
                            line: number,
                            ..order
                        }),
                        other => other,
                    };
                }
            }
        }
        Ok(reading)
    }

    /// Reads words as they stand.
    pub(crate) fn read_plainly(&self, grammar: &Grammar, text: &str) -> Reading {
        orders::read(grammar, self.vocabulary, &self.expect(), text)
    }

    /// The only order or answer that a line may be which the rules allow, where they don't as it
    /// stands.
    fn guessed(
        &self,
        program: &Program,
        grammar: &Grammar,
        (text, line): (&str, &OrderLine),
        spent: &mut GuessBudget,
    ) -> Result<Option<OrderLine>, RuleError> {
        match line {
            OrderLine::Command(_) => return Ok(None),
            OrderLine::Order(order) if order.guard.is_some() || order.block.is_some() => {
                return Ok(None);
            }
            OrderLine::Order(_) | OrderLine::Wrong(_) => {}
        }
        spent.lines += 1;
        if spent.lines > MOST_LOOKED_AT {
            return Ok(None);
        }
        let others = orders::other_readings(grammar, self.vocabulary, &self.expect(), text);
        if others.is_empty() || spent.checks > MOST_CHECKS {
            return Ok(None);
        }
        if let OrderLine::Order(order) = line {
            spent.checks += 1;
            if self.allows(program, order)? {
                return Ok(None);
            }
        }
        spent.checks += others.len();
        if spent.checks > MOST_CHECKS {
            return Ok(None);
        }
        let mut found = None;
        for mut other in others {
            if let OrderLine::Order(order) = &mut other {
                if !self.allows(program, order)? {
                    continue;
                }
                text.trim().clone_into(&mut order.text);
            }
            if found.is_some() {
                return Ok(None);
            }
            found = Some(other);
        }
        Ok(found)
    }

    /// The part of a line with several orders, or the line itself if it is the only one; none where
    /// it can't be told which part that is.
    fn part_of(
        &self,
        grammar: &Grammar,
        line: &str,
        number: usize,
        count: usize,
    ) -> Option<String> {
        if count == 1 {
            return Some(line.to_owned());
        }
        let parts = orders::parts_of_line(grammar, self.vocabulary, &self.expect(), line);
        let is_known = parts.len() == count;
        parts.into_iter().nth(number).filter(|_| is_known)
    }

    /// Returns true if the rules' check of an order has nothing against it, by itself.
    fn allows(&self, program: &Program, order: &Order) -> Result<bool, RuleError> {
        let judgement = self.judged(program, std::slice::from_ref(order))?;
        let refused = judgement.remarks.iter().any(|remark| remark.problem);
        Ok(!refused && judgement.unjudged.is_empty())
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

    /// Lets the rules' checks judge the orders among them, on the seat's view.
    pub(crate) fn judge(
        &self,
        program: &Program,
        reading: &Reading,
    ) -> Result<Judgement, RuleError> {
        let orders: Vec<Order> = reading.orders().cloned().collect();
        self.judged(program, &orders)
    }

    fn judged(&self, program: &Program, orders: &[Order]) -> Result<Judgement, RuleError> {
        program.check(self.seat, &self.start(&Decisions::default()), orders)
    }

    /// Returns true if there is an answer that the rules judge.
    pub(crate) fn has_judged_answers(&self, game: &Game, reading: &Reading) -> bool {
        let topics = &game.decl.orders.topics;
        let mut answers = self.answers(reading);
        answers.any(|answer| {
            topics
                .get(answer.topic)
                .is_some_and(|it| it.check.is_some())
        })
    }

    /// Lets the rules' checks judge the answers among them, on the seat's view.
    pub(crate) fn judge_answers(
        &self,
        program: &Program,
        reading: &Reading,
    ) -> Result<Judgement, RuleError> {
        let answers: Vec<JudgedAnswer<'_>> = self.answers(reading).collect();
        program.check_answers(self.seat, &self.start(&Decisions::default()), &answers)
    }

    /// The answers among words, in the order written.
    fn answers<'r>(&'r self, reading: &'r Reading) -> impl Iterator<Item = JudgedAnswer<'r>> {
        reading.commands().filter_map(|command| match command {
            Command::Answer {
                question,
                topic,
                args,
            } => {
                let asked = self.questions.iter().find(|it| it.number == *question);
                Some(JudgedAnswer {
                    topic,
                    about: asked.map(|asked| &asked.about),
                    args,
                })
            }
            _ => None,
        })
    }

    fn start<'d>(&'d self, decisions: &'d Decisions) -> Start<'d> {
        Start {
            phase: self.phases.first().copied().unwrap_or_default(),
            world: self.view,
            options: self.options,
            decisions,
        }
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
        let reading = self.read(program, grammar, text)?;
        let judgement = self.judge(program, &reading)?;
        let of_answers = self.judge_answers(program, &reading)?;
        let verdict = OrderVerdict::of(&judgement);
        let mut understood = Understanding::judged(reading, &verdict, judgement.remarks);
        understood.add_judged_answers(&OrderVerdict::of(&of_answers), of_answers.remarks);
        Ok(understood)
    }
}
