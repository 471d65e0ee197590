//! The printout: what scripts show their authors with `print(x)` and `debug(x)`, with script and
//! line.
//!
//! Somebody has to listen ([`Program::listen`](super::Program::listen)): cases, checks, simulations
//! and trials of orders do on request. In a campaign that people play nobody does, and the two
//! functions do nothing.
//!
//! A phase that has waited for players runs again from its start. It does not repeat what it had
//! shown before it waited.

use std::{cell::RefCell, rc::Rc};

use rhai::Position;

use super::{sources::Sources, stage::Stage};

/// The most lines that are shown at a time.
const MOST_LINES: usize = 1000;
/// The longest line, in characters.
const LONGEST_LINE: usize = 1000;

/// The lines that scripts have shown since they were last taken. Clones are the same printout, so
/// that several programs can share it.
#[derive(Clone, Debug, Default)]
pub struct Printout(Rc<RefCell<PrintoutPage>>);

#[derive(Debug, Default)]
struct PrintoutPage {
    lines: Vec<String>,
    /// True if there were more lines.
    is_cut: bool,
    /// The lines that the waiting phase has already shown.
    known: Vec<String>,
    /// While a phase runs, how many of its lines were already known.
    met: Option<usize>,
}

impl Printout {
    /// Takes what scripts have shown, a line each: script, line, and value. The next call begins
    /// anew.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        let page = self.0.take();
        let mut lines = page.lines;
        if page.is_cut {
            lines.push(format!("no more than {MOST_LINES} lines are shown"));
        }
        lines
    }

    fn add(&self, line: String) {
        let mut page = self.0.borrow_mut();
        if let Some(met) = page.met {
            if page.known.get(met) == Some(&line) {
                page.met = Some(met + 1);
                return;
            }
            if met < MOST_LINES {
                page.known.truncate(met);
                page.known.push(line.clone());
                page.met = Some(met + 1);
            }
        }
        if page.lines.len() < MOST_LINES {
            page.lines.push(line);
        } else {
            page.is_cut = true;
        }
    }

    fn phase_begins(&self, anew: bool) {
        let mut page = self.0.borrow_mut();
        if anew {
            page.known.clear();
        }
        page.met = Some(0);
    }

    fn phase_ends(&self, waits: bool) {
        let mut page = self.0.borrow_mut();
        if !waits {
            page.known.clear();
        }
        page.met = None;
    }
}

/// A listener to the scripts of one program.
pub(super) struct Listener {
    printout: Printout,
    sources: Sources,
}

impl Listener {
    pub fn new(printout: &Printout, sources: &Sources) -> Rc<Self> {
        Rc::new(Self {
            printout: printout.clone(),
            sources: sources.clone(),
        })
    }

    /// Adds what was shown at a place in the scripts.
    pub fn hear(&self, at: Position, text: &str) {
        let place = self.sources.place(at);
        let mut letters = text.chars();
        let mut shown: String = letters.by_ref().take(LONGEST_LINE).collect();
        if letters.next().is_some() {
            shown.push('…');
        }
        let line = format!("rules/{}:{}: {shown}", place.script, place.line);
        self.printout.add(line);
    }
}

impl Stage {
    /// Notes that a phase begins: anew, or again because what it waited for has come.
    pub(super) fn phase_is_heard(&self, anew: bool) {
        if let Some(listener) = self.listener.borrow().as_ref() {
            listener.printout.phase_begins(anew);
        }
    }

    /// Notes that the phase is over, or waits for players.
    pub(super) fn phase_was_heard(&self, waits: bool) {
        if let Some(listener) = self.listener.borrow().as_ref() {
            listener.printout.phase_ends(waits);
        }
    }
}
