//! Orders judged by the check functions of their verbs, answers by those of their topics: remarks
//! for the receipt.

use std::sync::Arc;

use rhai::Dynamic;

use super::{
    errors::RuleError,
    functions::{answer_map, heard_fields, order_map},
    outcome::{JudgedAnswer, Judgement, Remark},
    program::{Program, Start},
};
use crate::{ids::SeatId, orders::Order, value::Value};

impl Program {
    /// Judges orders on a seat's view, in the order written: what they would cost and where they
    /// would stop, as far as the seat can know. Each order changes the view, which is then thrown
    /// away.
    ///
    /// If an order's check fails, or the mail's allowance of operations is used up, the order is
    /// reported as one that could not be judged: what a player writes never stops anything.
    ///
    /// # Errors
    /// Only if the machine does not keep up.
    pub fn check(
        &self,
        seat: &SeatId,
        start: &Start<'_>,
        orders: &[Order],
    ) -> Result<Judgement, RuleError> {
        let verbs: rhai::Array = orders.iter().map(|it| it.verb.as_str().into()).collect();
        let checks = orders.iter().enumerate().filter_map(|(index, order)| {
            let verb = self.stage.game.decl.orders.verbs.get(&order.verb);
            let function = verb.and_then(|verb| verb.check.as_deref())?;
            let mut judged = order_map(order, seat);
            let opener = order.block.and_then(|line| {
                let before = orders.iter().take(index).rev();
                before
                    .into_iter()
                    .find(|opener| opener.line == line && opener.block.is_none())
            });
            if let Some(opener) = opener {
                judged.insert("block".into(), order_map(opener, seat).into());
            } else {
                judged.insert("mail".into(), verbs.clone().into());
            }
            Some((index, function, judged))
        });
        self.judge_each(seat, start, checks)
    }

    /// Judges the answers of a seat to its questions by the check functions of their topics, like
    /// orders.
    ///
    /// # Errors
    /// Only if the machine does not keep up.
    pub fn check_answers(
        &self,
        seat: &SeatId,
        start: &Start<'_>,
        answers: &[JudgedAnswer<'_>],
    ) -> Result<Judgement, RuleError> {
        let checks = answers.iter().enumerate().filter_map(|(index, answer)| {
            let topic = self.stage.game.decl.orders.topics.get(answer.topic);
            let function = topic.and_then(|topic| topic.check.as_deref())?;
            Some((index, function, answer_map(answer, seat)))
        });
        self.judge_each(seat, start, checks)
    }

    /// Calls check functions one after the other, each for the order or answer at a position.
    fn judge_each<'f>(
        &self,
        seat: &SeatId,
        start: &Start<'_>,
        checks: impl Iterator<Item = (usize, &'f str, rhai::Map)>,
    ) -> Result<Judgement, RuleError> {
        let mut judgement = Judgement::default();
        let mut checks = checks.peekable();
        if checks.peek().is_none() {
            return Ok(judgement);
        }
        self.stage
            .set(Some(self.new_run(start, start.world.clone())));
        self.meter.start(self.meter.limits.check_operations);
        for (index, function, judged) in checks {
            let judged = self
                .call::<rhai::Array>(function, (judged,))
                .map_err(|error| self.explain_in(function, &error))
                .and_then(|found| self.remarks(index, &found, function, seat));
            match judged {
                Ok(found) => judgement.remarks.extend(found),
                Err(error) if error.of_machine => {
                    self.stage.set(None);
                    return Err(error);
                }
                Err(error) => {
                    judgement.unjudged.insert(index, error);
                }
            }
        }
        self.stage.set(None);
        Ok(judgement)
    }

    /// The result of a check function, as remarks on an order.
    fn remarks(
        &self,
        order: usize,
        found: &rhai::Array,
        function: &str,
        seat: &SeatId,
    ) -> Result<Vec<Remark>, RuleError> {
        let remarks = found.iter().map(|item| self.remark(order, item, seat));
        remarks
            .collect::<Result<_, String>>()
            .map_err(|what| self.fault_of(function, &what))
    }

    fn remark(&self, order: usize, item: &Dynamic, seat: &SeatId) -> Result<Remark, String> {
        let map = item.read_lock::<rhai::Map>().ok_or_else(|| {
            let kind = item.type_name();
            format!("a remark is a map with its `key` and `level`, not {kind}")
        })?;
        let run = self.stage.run().map_err(|error| error.to_string())?;
        let mut args = heard_fields(&self.stage.game, &run, &map, Some(seat))
            .map_err(|kind| format!("a remark can't carry {kind}"))?;
        let key = args.remove("key");
        let key = key.and_then(|key| key.as_text().map(str::to_owned));
        let key = key.ok_or("a remark has no `key`, which names its text")?;
        let problem = match args.remove("level").as_ref().map(Value::as_text) {
            Some(Some("problem")) => true,
            None | Some(Some("note")) => false,
            Some(level) => {
                let level = level.unwrap_or("no text");
                return Err(format!(
                    "the level of the remark `{key}` is `problem` or `note`, not `{level}`"
                ));
            }
        };
        let texts = self.stage.game.text.values();
        let lacking = |text: &&Arc<crate::game::Text>| !text.remarks.contains_key(&key);
        if self.stage.strict.get() && texts.clone().any(|text| lacking(&text)) {
            return Err(format!("there is no text for the remark `{key}`"));
        }
        Ok(Remark {
            order,
            key,
            problem,
            args,
        })
    }
}
