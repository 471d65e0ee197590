//! `print` and `debug`, with which authors look into their scripts.
//!
//! Rhai calls back for both, for `print` without a place; so both are functions of the host, which
//! know where they are called.

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FuncRegistration, ImmutableString, Map, Module,
    NativeCallContext, Variant,
};

use crate::rules::stage::{ScriptResult, stage};

/// The words in place of a text that is longer than texts may be.
const TOO_LONG: &str = "(too long to be shown)";

/// Adds both for values of every type.
pub(in crate::rules) fn register(module: &mut Module) {
    FuncRegistration::new("print")
        .with_params_info(["value: Dynamic", "()"])
        .with_comments(["/// Shows the author a value, a text as it is: with `--trace`, script and line. In campaigns nothing."])
        .set_into_module(module, |ctx: NativeCallContext, value: Dynamic| {
            show(&ctx, value, true)
        });
    FuncRegistration::new("debug")
        .with_params_info(["value: Dynamic", "()"])
        .with_comments(["/// The same as `print`, with the quotes of a text."])
        .set_into_module(module, |ctx: NativeCallContext, value: Dynamic| {
            show(&ctx, value, false)
        });
}

/// Puts them before those that Rhai has for some types alone, which would be found first.
pub(in crate::rules) fn take_over(engine: &mut Engine) {
    of::<()>(engine);
    of::<bool>(engine);
    of::<char>(engine);
    of::<i64>(engine);
    of::<ImmutableString>(engine);
    of::<Array>(engine);
    of::<Map>(engine);
}

fn of<T: Variant + Clone>(engine: &mut Engine) {
    for (name, plain) in [("print", true), ("debug", false)] {
        engine.register_fn(name, move |ctx: NativeCallContext, value: T| {
            show(&ctx, Dynamic::from(value), plain)
        });
    }
}

/// Passes a value to the listener, if there is one. Rhai expects functions of these names to return
/// a text, and gives scripts `()`.
fn show(ctx: &NativeCallContext, value: Dynamic, plain: bool) -> ScriptResult<ImmutableString> {
    let listener = stage(ctx)?.listener.borrow().clone();
    if let Some(listener) = listener {
        let text = written(ctx, value, plain)?;
        listener.hear(ctx.call_position(), &text);
    }
    Ok(ImmutableString::new())
}

/// A value as a text. What can't be written is said; only what ends the script goes on.
fn written(ctx: &NativeCallContext, value: Dynamic, plain: bool) -> ScriptResult<ImmutableString> {
    if plain && value.is_string() {
        return Ok(value.into_immutable_string().unwrap_or_default());
    }
    match ctx.call_native_fn("to_debug", (value,)) {
        Err(error) => match *error {
            EvalAltResult::ErrorDataTooLarge(..) => Ok(TOO_LONG.into()),
            EvalAltResult::ErrorTerminated(..) | EvalAltResult::ErrorTooManyOperations(..) => {
                Err(error)
            }
            _ => Ok(format!("({error})").into()),
        },
        text => text,
    }
}
