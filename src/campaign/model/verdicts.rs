//! The verdicts of the rules' checks on the words that are taken: they go on record, and a recall
//! takes them from there.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::{
    ids::SeatId,
    rules::{Judgement, Remark, RuleError},
};

/// The checks' verdict on the orders of a text, or on its answers, by their positions. It stands in
/// the journal, so that a recall need not judge them again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderVerdict {
    /// The orders that are refused.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub refused: BTreeSet<usize>,
    /// The orders that could not be judged.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unjudged: BTreeSet<usize>,
    /// Errors of the check functions, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

impl OrderVerdict {
    pub(crate) fn of(judgement: &Judgement) -> Self {
        let problems = judgement.remarks.iter().filter(|remark| remark.problem);
        let mut faults: Vec<String> = Vec::new();
        for fault in judgement.unjudged.values().map(ToString::to_string) {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        Self {
            refused: problems.map(|remark| remark.order).collect(),
            unjudged: judgement.unjudged.keys().copied().collect(),
            faults,
        }
    }
}

impl OrderVerdict {
    /// The verdict without the words of its errors.
    #[must_use]
    pub fn without_words(&self) -> Self {
        Self {
            faults: self.faults.iter().map(|_| String::new()).collect(),
            ..self.clone()
        }
    }
}

/// The verdicts on the words that an input brings: those of the program, or those on record.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// The verdicts on record, to be taken in their order.
    on_record: VecDeque<OrderVerdict>,
    /// The verdicts reached now, in their order.
    pub reached: Vec<OrderVerdict>,
    /// Errors of the rules' check functions over seats' words, each once: the umpire hears of them.
    pub faults: Vec<(SeatId, String)>,
}

impl Verdicts {
    /// Verdicts that are on record.
    #[must_use]
    pub fn on_record(verdicts: &[OrderVerdict]) -> Self {
        Self {
            on_record: verdicts.iter().cloned().collect(),
            ..Self::default()
        }
    }

    /// The next verdict, on words of a seat, with the checks' remarks for the receipt; a verdict on
    /// record has none.
    ///
    /// # Errors
    /// If a check function of the rules fails.
    pub(crate) fn next(
        &mut self,
        seat: &SeatId,
        judge: impl FnOnce() -> Result<Judgement, RuleError>,
    ) -> Result<(OrderVerdict, Vec<Remark>), RuleError> {
        let (verdict, remarks) = match self.on_record.pop_front() {
            Some(verdict) => (verdict, Vec::new()),
            None => {
                let judgement = judge()?;
                let verdict = OrderVerdict::of(&judgement);
                self.reached.push(verdict.clone());
                (verdict, judgement.remarks)
            }
        };
        for fault in &verdict.faults {
            let fault = (seat.clone(), fault.clone());
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
        Ok((verdict, remarks))
    }
}
