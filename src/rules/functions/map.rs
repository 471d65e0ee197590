//! The map: spaces, roads, terrain, regions, and the state of spaces and roads.

use rhai::{
    Dynamic,
    plugin::{NativeCallContext, export_module},
};

use super::lists::equal;
use crate::{
    game::{Area, Game, Road, Space, StateDecl},
    rules::stage::{ScriptResult, error},
    value::Value,
};

/// The space of that id, or an error for the script's author.
pub(super) fn space<'a>(game: &'a Game, id: &str) -> ScriptResult<&'a Space> {
    game.map
        .space(id)
        .ok_or_else(|| error(format!("there is no space `{id}`")))
}

/// The number of a space in the map file.
pub(super) fn number(game: &Game, id: &str) -> ScriptResult<usize> {
    game.map
        .number(id)
        .ok_or_else(|| error(format!("there is no space `{id}`")))
}

fn road<'a>(game: &'a Game, a: &str, b: &str) -> ScriptResult<&'a Road> {
    space(game, a)?;
    space(game, b)?;
    game.map
        .road(a, b)
        .ok_or_else(|| error(format!("there is no road between `{a}` and `{b}`")))
}

/// The key of a road's state in a world.
pub(super) fn road_key(road: &Road) -> String {
    format!("{}-{}", road.a, road.b)
}

fn declared<'a>(
    list: &'a crate::ordered::IndexMap<String, StateDecl>,
    what: &str,
    name: &str,
) -> ScriptResult<&'a StateDecl> {
    list.get(name).ok_or_else(|| {
        error(format!(
            "{what} have no state `{name}`; game.yaml declares them"
        ))
    })
}

fn ids<'a>(spaces: impl Iterator<Item = &'a Space>) -> rhai::Array {
    spaces
        .map(|space| Dynamic::from(rhai::ImmutableString::from(space.id.as_str())))
        .collect()
}

/// A state that a script sets: its value, if it may be kept.
fn state_value(value: &Dynamic) -> ScriptResult<Value> {
    crate::rules::convert::from_dynamic(value, &mut |_| Err("a piece".to_owned()))
        .map_err(|kind| error(format!("a state can't hold {kind}")))
}

#[export_module]
pub mod functions {
    use rhai::{Array, ImmutableString};

    use crate::rules::{convert::to_dynamic, stage::stage};

    /// All spaces in map-file order.
    #[rhai_fn(return_raw)]
    pub fn spaces(ctx: NativeCallContext) -> ScriptResult<Array> {
        Ok(ids(stage(&ctx)?.game.map.map().spaces.iter()))
    }

    /// The spaces of this terrain, in map-file order.
    #[rhai_fn(return_raw)]
    pub fn spaces_of(ctx: NativeCallContext, terrain: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let known = &stage.game.map.map().terrains;
        stage.strictly(
            || known.iter().any(|known| known == terrain),
            || format!("there is no terrain `{terrain}`"),
        )?;
        let spaces = stage.game.map.map().spaces.iter();
        Ok(ids(spaces.filter(|space| space.terrain == terrain)))
    }

    /// The spaces with this value under `data` in the map file, in map-file order.
    #[rhai_fn(return_raw)]
    pub fn spaces_with(ctx: NativeCallContext, name: &str, value: Dynamic) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let spaces = stage.game.map.map().spaces.iter();
        Ok(ids(spaces.filter(|space| {
            let said = space.data.get(name);
            said.is_some_and(|said| equal(&to_dynamic(said), &value))
        })))
    }

    /// The spaces with any value of this name under `data` in the map file, in map-file order.
    #[rhai_fn(name = "spaces_with", return_raw)]
    pub fn spaces_with_any(ctx: NativeCallContext, name: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let spaces = stage.game.map.map().spaces.iter();
        Ok(ids(spaces.filter(|space| space.data.contains_key(name))))
    }

    /// The spaces where a state that has been set, or a note of the viewer, has this value.
    #[rhai_fn(return_raw)]
    pub fn spaces_where(ctx: NativeCallContext, name: &str, value: Dynamic) -> ScriptResult<Area> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        stage.meter.spend(run.world.spaces.len());
        let found = run.world.spaces.iter().filter(|(_, state)| {
            let said = state.get(name);
            said.is_some_and(|said| equal(&to_dynamic(said), &value))
        });
        let numbers = found.filter_map(|(space, _)| stage.game.map.number(space));
        Ok(numbers.collect())
    }

    /// The neighbours of a space in map-file order: the spaces that roads join to it, or the hexes
    /// that adjoin.
    #[rhai_fn(return_raw)]
    pub fn neighbours(ctx: NativeCallContext, space: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let map = &stage.game.map;
        let near = map.neighbours(number(&stage.game, space)?);
        Ok(ids(near.iter().filter_map(|near| map.space_at(*near))))
    }

    /// The terrain of a space.
    #[rhai_fn(return_raw)]
    pub fn terrain(ctx: NativeCallContext, space: &str) -> ScriptResult<ImmutableString> {
        Ok(super::space(&stage(&ctx)?.game, space)?
            .terrain
            .as_str()
            .into())
    }

    /// The place of a space in the map file, 0 for the first: what breaks ties.
    #[rhai_fn(return_raw)]
    pub fn index_of(ctx: NativeCallContext, space: &str) -> ScriptResult<i64> {
        let index = number(&stage(&ctx)?.game, space)?;
        Ok(i64::try_from(index).unwrap_or(i64::MAX))
    }

    /// A space's value under `data` in the map file, or `()`.
    #[rhai_fn(return_raw)]
    pub fn space_data(ctx: NativeCallContext, space: &str, name: &str) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        Ok(super::space(&stage.game, space)?
            .data
            .get(name)
            .map_or(Dynamic::UNIT, to_dynamic))
    }

    /// Returns true if a road joins two spaces.
    #[rhai_fn(return_raw)]
    pub fn is_road(ctx: NativeCallContext, a: &str, b: &str) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        super::space(&stage.game, a)?;
        super::space(&stage.game, b)?;
        Ok(stage.game.map.road(a, b).is_some())
    }

    /// A road's value under `data` in the map file, or `()`.
    #[rhai_fn(return_raw)]
    pub fn road_data(
        ctx: NativeCallContext,
        a: &str,
        b: &str,
        name: &str,
    ) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        Ok(road(&stage.game, a, b)?
            .data
            .get(name)
            .map_or(Dynamic::UNIT, to_dynamic))
    }

    /// The spaces of a region.
    #[rhai_fn(return_raw)]
    pub fn region(ctx: NativeCallContext, name: &str) -> ScriptResult<Area> {
        let stage = stage(&ctx)?;
        let found = stage.game.map.region(name);
        found
            .cloned()
            .ok_or_else(|| error(format!("there is no region `{name}`")))
    }

    /// Returns true if a space belongs to a region; a box never does.
    #[rhai_fn(return_raw)]
    pub fn in_region(ctx: NativeCallContext, space: &str, name: &str) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        let found = stage.game.map.region(name);
        let region = found.ok_or_else(|| error(format!("there is no region `{name}`")))?;
        let number = stage.game.map.number(space);
        Ok(number.is_some_and(|number| region.contains(number)))
    }

    /// A state of a space.
    #[rhai_fn(return_raw)]
    pub fn get_space(ctx: NativeCallContext, space: &str, name: &str) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let id = &super::space(&stage.game, space)?.id;
        let fact = declared(&stage.game.decl.space_attributes, "spaces", name)?;
        let run = stage.run()?;
        let state = run.world.spaces.get(id).and_then(|state| state.get(name));
        Ok(to_dynamic(state.unwrap_or(&fact.default)))
    }

    /// Sets a state of a space.
    #[rhai_fn(return_raw)]
    pub fn set_space(
        ctx: NativeCallContext,
        space: &str,
        name: &str,
        value: Dynamic,
    ) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let id = super::space(&stage.game, space)?.id.clone();
        declared(&stage.game.decl.space_attributes, "spaces", name)?;
        let value = state_value(&value)?;
        let mut run = stage.run_to_change()?;
        run.keep(&value).map_err(error)?;
        run.world
            .spaces_mut()
            .entry(id)
            .or_default()
            .insert(name.to_owned(), value);
        Ok(())
    }

    /// A state of a road.
    #[rhai_fn(return_raw)]
    pub fn get_road(ctx: NativeCallContext, a: &str, b: &str, name: &str) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let key = road_key(road(&stage.game, a, b)?);
        let fact = declared(&stage.game.decl.road_attributes, "roads", name)?;
        let run = stage.run()?;
        let state = run.world.roads.get(&key).and_then(|state| state.get(name));
        Ok(to_dynamic(state.unwrap_or(&fact.default)))
    }

    /// Sets a state of a road.
    #[rhai_fn(return_raw)]
    pub fn set_road(
        ctx: NativeCallContext,
        a: &str,
        b: &str,
        name: &str,
        value: Dynamic,
    ) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let key = road_key(road(&stage.game, a, b)?);
        declared(&stage.game.decl.road_attributes, "roads", name)?;
        let value = state_value(&value)?;
        let mut run = stage.run_to_change()?;
        run.keep(&value).map_err(error)?;
        run.world
            .roads_mut()
            .entry(key)
            .or_default()
            .insert(name.to_owned(), value);
        Ok(())
    }
}
