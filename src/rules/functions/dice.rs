//! Dice: every roll has a lane (who may see it) and a label; the host numbers repeats and keeps the
//! ledger.

use rhai::plugin::{NativeCallContext, export_module};

use rhai::{Array, Dynamic, INT};

use crate::{
    dice::{Label, Lane, Spec},
    rules::{
        convert::count,
        stage::{ScriptResult, error, stage},
    },
};

/// Throws on a lane.
fn throw(ctx: &NativeCallContext, lane: &Lane, spec: &str, label: &str) -> ScriptResult<Vec<u32>> {
    let spec: Spec = spec.parse().map_err(|wrong| error(format!("{wrong}")))?;
    let label: Label = label.parse().map_err(|wrong| error(format!("{wrong}")))?;
    let stage = stage(ctx)?;
    if !stage.game.decl.dice {
        return Err(error("game.yaml says that this game has no `dice`"));
    }
    let mut run = stage.run()?;
    let dice = run
        .dice
        .as_mut()
        .ok_or_else(|| error("no dice are thrown in a check or a look"))?;
    dice.roll(lane, &label, &spec)
        .map_err(|wrong| error(format!("{wrong}")))
}

fn numbers(result: Vec<u32>) -> Array {
    result
        .into_iter()
        .map(|die| INT::from(die).into())
        .collect()
}

/// Takes the items at positions (1 is the first) of a list.
fn picked(list: &Array, positions: &[u32]) -> Array {
    positions
        .iter()
        .filter_map(|position| list.get((*position as usize).checked_sub(1)?).cloned())
        .collect()
}

/// Draws items of a list on a lane.
fn draw_from(
    ctx: &NativeCallContext,
    lane: &Lane,
    list: &Array,
    items: i64,
    label: &str,
) -> ScriptResult<Array> {
    let items = count(items).map_err(error)?;
    let spec = format!("draw{items}/{}", list.len());
    let positions = throw(ctx, lane, &spec, label)?;
    Ok(picked(list, &positions))
}

#[export_module]
pub mod functions {
    /// Throws open dice (`"2d6"`): everybody sees label and result. The single dice, in order.
    #[rhai_fn(return_raw)]
    pub fn roll(ctx: NativeCallContext, spec: &str, label: &str) -> ScriptResult<Array> {
        throw(&ctx, &Lane::open(), spec, label).map(numbers)
    }

    /// Throws one open six-sided die.
    #[rhai_fn(return_raw)]
    pub fn d6(ctx: NativeCallContext, label: &str) -> ScriptResult<i64> {
        let result = throw(&ctx, &Lane::open(), "1d6", label)?;
        result
            .first()
            .map(|die| i64::from(*die))
            .ok_or_else(|| error("a roll of 1d6 gave no die"))
    }

    /// Throws dice that only this seat sees.
    #[rhai_fn(return_raw)]
    pub fn secret(
        ctx: NativeCallContext,
        seat: &str,
        spec: &str,
        label: &str,
    ) -> ScriptResult<Array> {
        let seat = stage(&ctx)?.seat(seat)?;
        let lane = Lane::seat(&seat).map_err(|wrong| error(format!("{wrong}")))?;
        throw(&ctx, &lane, spec, label).map(numbers)
    }

    /// The value itself, marked as one that the rules make known to all now, although it comes from
    /// dice that only a seat saw: otherwise `check` warns where such a value is told to all.
    pub fn disclose(value: Dynamic) -> Dynamic {
        value
    }

    /// Throws dice that nobody sees before the campaign's end.
    #[rhai_fn(return_raw)]
    pub fn shut(ctx: NativeCallContext, spec: &str, label: &str) -> ScriptResult<Array> {
        throw(&ctx, &Lane::shut(), spec, label).map(numbers)
    }

    /// A list in an order that open dice decide.
    #[rhai_fn(return_raw)]
    pub fn shuffle(ctx: NativeCallContext, list: Array, label: &str) -> ScriptResult<Array> {
        let positions = throw(
            &ctx,
            &Lane::open(),
            &format!("shuffle{}", list.len()),
            label,
        )?;
        Ok(picked(&list, &positions))
    }

    /// Some items of a list, in an order that open dice decide. Draw when needed, do not shuffle
    /// ahead.
    #[rhai_fn(return_raw)]
    pub fn draw(
        ctx: NativeCallContext,
        list: Array,
        items: i64,
        label: &str,
    ) -> ScriptResult<Array> {
        draw_from(&ctx, &Lane::open(), &list, items, label)
    }

    /// Some items of a list, drawn as from a cup: nobody sees the dice before the campaign's end,
    /// so that they tell neither how long the list was nor what is left in it. The items may be
    /// told.
    #[rhai_fn(return_raw)]
    pub fn draw_shut(
        ctx: NativeCallContext,
        list: Array,
        items: i64,
        label: &str,
    ) -> ScriptResult<Array> {
        draw_from(&ctx, &Lane::shut(), &list, items, label)
    }
}
