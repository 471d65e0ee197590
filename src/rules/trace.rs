//! Tracing scripts: the places of everything executed, noted by Rhai's debugging interface.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use rhai::{
    Engine, Position,
    debugger::{DebuggerCommand, DebuggerEvent},
};

use super::sources::{Sources, Spot};

/// The places that a traced program has executed since the last call of `take`.
#[derive(Clone, Default)]
pub struct Trace {
    notes: Rc<RefCell<Notes>>,
    sources: Sources,
}

#[derive(Default)]
struct Notes {
    places: BTreeSet<Position>,
    steps: u64,
}

impl Trace {
    pub(super) fn new(sources: Sources) -> Self {
        Self {
            notes: Rc::default(),
            sources,
        }
    }

    /// Makes an engine note every statement and expression that it executes.
    #[allow(
        deprecated,
        reason = "not deprecated: Rhai marks its debugger as volatile that way"
    )]
    pub(super) fn watch(&self, engine: &mut Engine) {
        let notes = Rc::clone(&self.notes);
        engine.register_debugger(
            |_, debugger| debugger,
            move |_, event, _node, _source, position| {
                if let DebuggerEvent::Start | DebuggerEvent::Step = event {
                    let mut notes = notes.borrow_mut();
                    notes.steps += 1;
                    if !position.is_none() {
                        notes.places.insert(position);
                    }
                }
                Ok(DebuggerCommand::StepInto)
            },
        );
    }

    /// Takes the executed places, in the order of the scripts, and the number of steps; the next
    /// call begins anew.
    #[must_use]
    pub fn take(&self) -> (Vec<Spot>, u64) {
        let notes = self.notes.take();
        let places = notes.places.into_iter();
        let spots = places.filter_map(|position| self.sources.spot(position));
        (spots.collect(), notes.steps)
    }
}
