//! Areas and fields: sets of spaces, and numbers of spaces, as scripts hold them.

use std::rc::Rc;

use rhai::{
    Array, Dynamic, ImmutableString,
    plugin::{NativeCallContext, export_module},
};

use super::map::number;
use crate::{
    game::{Area, Game},
    rules::{
        convert::text_of,
        stage::{PieceHandle, ScriptResult, Stage, error, stage},
    },
};

/// A number for each space that was reached; -1 for the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field(pub(super) Rc<[i64]>);

impl Field {
    /// The spaces that were reached.
    fn reached(&self) -> impl Iterator<Item = usize> + '_ {
        let numbers = self.0.iter().enumerate();
        numbers
            .filter(|(_, found)| **found >= 0)
            .map(|(space, _)| space)
    }

    fn get(&self, space: usize) -> i64 {
        self.0.get(space).copied().unwrap_or(-1)
    }
}

/// The id of a space as a script has it.
pub(super) fn name(game: &Game, number: usize) -> ImmutableString {
    game.map
        .space_at(number)
        .map_or_else(ImmutableString::default, |space| space.id.as_str().into())
}

/// Spaces as an array of ids, in the order given.
pub(super) fn names(game: &Game, numbers: impl Iterator<Item = usize>) -> Array {
    numbers.map(|space| name(game, space).into()).collect()
}

/// The spaces that a script means: an area, one space, or a list of spaces, pieces, areas. Pieces
/// in boxes are left out.
pub(super) fn area_of(stage: &Stage, value: &Dynamic) -> ScriptResult<Area> {
    let game = &stage.game;
    if let Some(area) = value.read_lock::<Area>() {
        return Ok(area.clone());
    }
    if let Some(field) = value.read_lock::<Field>() {
        return Ok(field.reached().collect());
    }
    if let Some(list) = value.read_lock::<Array>() {
        stage.meter.spend(list.len());
        let mut all = Area::default();
        for item in list.iter() {
            for space in area_of(stage, item)?.iter() {
                all.insert(space);
            }
        }
        return Ok(all);
    }
    if let Some(handle) = value.read_lock::<PieceHandle>() {
        let run = stage.run()?;
        let at = run.piece(&handle).map_err(error)?.at.as_deref();
        return Ok(at.and_then(|at| game.map.number(at)).into_iter().collect());
    }
    let id = text_of(value).ok_or_else(|| {
        let kind = value.type_name();
        error(format!(
            "an area is made of spaces or pieces, not of {kind}"
        ))
    })?;
    Ok(Area::from_iter([number(game, &id)?]))
}

#[export_module]
#[allow(
    clippy::unwrap_used,
    reason = "in the code that the macro writes for arguments whose type Rhai has checked"
)]
pub mod functions {
    /// A set of spaces: of spaces, of pieces (where they stand; boxes are left out), of other
    /// areas, in a list or one alone, or what a field has reached. Ask with `space in area`;
    /// `area[space] = true` adds a space, `false` takes it out.
    #[rhai_fn(name = "area_of", return_raw)]
    pub fn new_area(ctx: NativeCallContext, of: Dynamic) -> ScriptResult<Area> {
        area_of(&*stage(&ctx)?, &of)
    }

    /// The spaces of either area.
    #[rhai_fn(name = "+", pure)]
    pub fn either(a: &mut Area, b: Area) -> Area {
        a.union(&b)
    }

    /// The spaces of the first area that the second does not have.
    #[rhai_fn(name = "-", pure)]
    pub fn without(a: &mut Area, b: Area) -> Area {
        a.difference(&b)
    }

    /// The spaces of both areas.
    #[rhai_fn(name = "&", pure)]
    pub fn both(a: &mut Area, b: Area) -> Area {
        a.intersection(&b)
    }

    /// Areas of the same spaces are equal.
    #[rhai_fn(name = "==", pure)]
    pub fn same(a: &mut Area, b: Area) -> bool {
        *a == b
    }

    /// Areas of other spaces differ.
    #[rhai_fn(name = "!=", pure)]
    pub fn other(a: &mut Area, b: Area) -> bool {
        *a != b
    }

    /// Returns true if a space belongs to an area: what `in` asks. A box never does.
    #[rhai_fn(name = "contains", return_raw, pure)]
    pub fn has_space(ctx: NativeCallContext, area: &mut Area, space: &str) -> ScriptResult<bool> {
        let number = stage(&ctx)?.game.map.number(space);
        Ok(number.is_some_and(|number| area.contains(number)))
    }

    /// Returns true if a space is in the area, as `area[space]`.
    #[rhai_fn(index_get, return_raw, pure)]
    pub fn get_space(ctx: NativeCallContext, area: &mut Area, space: &str) -> ScriptResult<bool> {
        Ok(area.contains(number(&stage(&ctx)?.game, space)?))
    }

    /// Adds a space to an area, or takes it out.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_space(
        ctx: NativeCallContext,
        area: &mut Area,
        space: &str,
        belongs: bool,
    ) -> ScriptResult<()> {
        let number = number(&stage(&ctx)?.game, space)?;
        if belongs {
            area.insert(number);
        } else {
            area.remove(number);
        }
        Ok(())
    }

    /// Takes a space out of an area.
    #[rhai_fn(name = "remove", return_raw)]
    pub fn remove_space(ctx: NativeCallContext, area: &mut Area, space: &str) -> ScriptResult<()> {
        if let Some(number) = stage(&ctx)?.game.map.number(space) {
            area.remove(number);
        }
        Ok(())
    }

    /// The spaces of an area in map-file order.
    #[rhai_fn(name = "list", return_raw, pure)]
    pub fn area_list(ctx: NativeCallContext, area: &mut Area) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        stage.meter.spend(area.len());
        Ok(names(&stage.game, area.iter()))
    }

    /// How many spaces an area has.
    #[rhai_fn(name = "len", pure)]
    pub fn area_len(area: &mut Area) -> i64 {
        i64::try_from(area.len()).unwrap_or(i64::MAX)
    }

    /// Returns true if an area has no space.
    #[rhai_fn(name = "is_empty", pure)]
    pub fn area_is_empty(area: &mut Area) -> bool {
        area.is_empty()
    }

    /// The spaces that adjoin a space of an area; its own only where they adjoin another of its
    /// spaces.
    #[rhai_fn(return_raw, pure)]
    pub fn around(ctx: NativeCallContext, area: &mut Area) -> ScriptResult<Area> {
        let stage = stage(&ctx)?;
        stage.meter.spend(area.len());
        let map = &stage.game.map;
        let near = area.iter().flat_map(|space| map.neighbours(space));
        Ok(near.copied().collect())
    }

    /// An area in a script author's log: its spaces.
    #[rhai_fn(name = "to_debug", return_raw, pure)]
    pub fn area_debug(ctx: NativeCallContext, area: &mut Area) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let names: Vec<_> = area.iter().map(|space| name(&stage.game, space)).collect();
        Ok(names.join(" ").into())
    }

    /// The number of a space in a field, -1 if it was not reached.
    #[rhai_fn(index_get, return_raw, pure)]
    pub fn field_get(ctx: NativeCallContext, field: &mut Field, space: &str) -> ScriptResult<i64> {
        Ok(field.get(number(&stage(&ctx)?.game, space)?))
    }

    /// Returns true if a field has reached a space: what `in` asks. It never reaches a box.
    #[rhai_fn(name = "contains", return_raw, pure)]
    pub fn field_has(ctx: NativeCallContext, field: &mut Field, space: &str) -> ScriptResult<bool> {
        let number = stage(&ctx)?.game.map.number(space);
        Ok(number.is_some_and(|number| field.get(number) >= 0))
    }

    /// The spaces that a field has reached, in map-file order.
    #[rhai_fn(name = "list", return_raw, pure)]
    pub fn field_list(ctx: NativeCallContext, field: &mut Field) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        stage.meter.spend(field.0.len());
        Ok(names(&stage.game, field.reached()))
    }
}
