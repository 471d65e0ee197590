//! Where a script ran away: Rhai stops it without saying where, so it is run again, watched step by
//! step.

use std::{cell::RefCell, rc::Rc};

use rhai::{
    CallFnOptions, Dynamic, EvalAltResult, Position, Scope,
    debugger::{DebuggerCommand, DebuggerEvent},
};

use super::{
    errors::RuleError,
    program::{Program, Start},
    sandbox,
};
use crate::dice::{LedgerLine, ScriptedDice};

/// Returns true if Rhai does not report the place of this error.
pub(super) fn is_one(error: &EvalAltResult) -> bool {
    let mut inner = error;
    while let EvalAltResult::ErrorInFunctionCall(_, _, next, _) = inner {
        inner = next;
    }
    matches!(
        inner,
        EvalAltResult::ErrorTerminated(..)
            | EvalAltResult::ErrorTooManyOperations(..)
            | EvalAltResult::ErrorStackOverflow(..)
            | EvalAltResult::ErrorDataTooLarge(..)
    )
}

/// The last statement that a watched run reached.
#[derive(Default)]
struct LastStatement {
    function: Option<String>,
    position: Position,
}

/// Runs the phase again with a debugger that notes every statement, and adds the last one to the
/// error.
#[allow(
    deprecated,
    reason = "not deprecated: Rhai marks its debugger as volatile that way"
)]
pub(super) fn locate(
    program: &Program,
    start: &Start<'_>,
    rolled: &[LedgerLine],
    found: &mut RuleError,
) {
    let last = Rc::new(RefCell::new(LastStatement::default()));
    let mut engine = sandbox::engine(&program.stage, &program.meter);
    let noted = Rc::clone(&last);
    engine.register_debugger(
        |_, debugger| debugger,
        move |context, event, _node, _source, position| {
            if matches!(
                event,
                DebuggerEvent::FunctionExitWithValue(_) | DebuggerEvent::FunctionExitWithError(_)
            ) {
                return Ok(DebuggerCommand::StepInto);
            }
            let stack = context.global_runtime_state().debugger().call_stack();
            let mut last = noted.borrow_mut();
            last.function = stack.last().map(|frame| frame.fn_name.to_string());
            if !position.is_none() {
                last.position = position;
            }
            Ok(DebuggerCommand::StepInto)
        },
    );
    let numbers = rolled.iter().flat_map(|line| line.result.iter().copied());
    let mut run = program.new_run(start, start.world.clone());
    run.dice = Some(Box::new(ScriptedDice::new(numbers)));
    program.stage.set(Some(run));
    // Its output has been collected already.
    let listener = program.stage.listener.take();
    program.meter.start(program.meter.limits.operations);
    let options = || CallFnOptions::new().eval_ast(false);
    let again = match start.phase.split_once('.') {
        Some((name, argument)) => engine.call_fn_with_options::<Dynamic>(
            options(),
            &mut Scope::new(),
            &program.ast,
            name,
            (argument.to_owned(),),
        ),
        None => {
            engine.call_fn_with_options(options(), &mut Scope::new(), &program.ast, start.phase, ())
        }
    };
    program.stage.set(None);
    program.stage.listener.replace(listener);
    if again.is_err_and(|error| is_one(&error)) {
        let last = last.borrow();
        found.place = program.sources.place(last.position);
        found.function = last.function.clone().or_else(|| found.function.take());
    }
}
