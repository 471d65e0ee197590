//! The working value of the functions of this room, and what is left of it at the end.

use std::rc::Rc;

use crate::campaign::{
    model::{
        context::Context, errands::LetterCopy, state::State, understanding::Understanding,
        verdicts::Verdicts,
    },
    turn::plan::Plan,
};
use crate::dice::LedgerLine;

/// An input being worked off: the state as it changes, and the results so far.
pub(crate) struct Work<'a> {
    pub context: &'a Context,
    pub state: State,
    /// Plans to be written, in order.
    pub plans: Vec<Plan>,
    /// Letters that go out again.
    pub copies: Vec<LetterCopy>,
    /// New lines of the ledger.
    pub ledger: Vec<LedgerLine>,
    /// The checks' verdicts on the words that are taken.
    pub verdicts: Verdicts,
    /// How a mail's words were understood, for statistics.
    pub understood: Option<Understanding>,
    /// The acts of an umpire that could not be done, by their places.
    pub not_done: Vec<usize>,
}

/// What came of an input beside the next state.
pub(crate) struct WorkOutcome {
    /// Plans to be written, in order.
    pub plans: Vec<Plan>,
    /// Letters that go out again.
    pub copies: Vec<LetterCopy>,
    /// New lines of the ledger.
    pub ledger: Vec<LedgerLine>,
    /// What the checks decided about the words that were taken.
    pub verdicts: Verdicts,
    /// How a mail's words were understood, for statistics.
    pub understood: Option<Understanding>,
    /// The acts of an umpire that could not be done, by their places.
    pub not_done: Vec<usize>,
}

impl<'a> Work<'a> {
    /// Work that begins with this state.
    pub fn new(context: &'a Context, state: State, verdicts: Verdicts) -> Self {
        Self {
            context,
            state,
            plans: Vec::new(),
            copies: Vec::new(),
            ledger: Vec::new(),
            verdicts,
            understood: None,
            not_done: Vec::new(),
        }
    }

    /// The next state, and what came of the input beside it.
    pub fn finish(self) -> (State, WorkOutcome) {
        let outcome = WorkOutcome {
            plans: self.plans,
            copies: self.copies,
            ledger: self.ledger,
            verdicts: self.verdicts,
            understood: self.understood,
            not_done: self.not_done,
        };
        (self.state, outcome)
    }

    /// The present state, for letters that are planned now.
    pub fn now(&self) -> Rc<State> {
        Rc::new(self.state.clone())
    }
}
