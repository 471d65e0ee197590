//! Functions for maps of hexes alone: directions, rings, hexsides, rivers; and the names of places.

use rhai::{
    Array, Dynamic, ImmutableString,
    plugin::{NativeCallContext, export_module},
};

use super::{
    areas::{name, names},
    map::number,
    paths::distance_between,
};
use crate::{
    game::{Area, Game, hex::HexMap},
    rules::stage::{ScriptResult, error, stage},
};

/// The hexes of the map, or an error for the script's author.
pub(super) fn hexes(game: &Game) -> ScriptResult<&HexMap> {
    let hexes = game.map.hexes();
    hexes.ok_or_else(|| error("the map of this game has no hexes"))
}

/// A space as a script has it.
fn name_of(game: &Game, space: usize) -> Dynamic {
    name(game, space).into()
}

/// The name of a space, or `""` for none.
fn name_or_nothing(game: &Game, space: Option<usize>) -> ImmutableString {
    space.map_or_else(ImmutableString::default, |space| name(game, space))
}

/// The spaces at distances in a range from a space.
fn at_distance(
    ctx: &NativeCallContext,
    space: &str,
    steps: std::ops::RangeInclusive<i64>,
) -> ScriptResult<Area> {
    let stage = stage(ctx)?;
    let game = &stage.game;
    let here = number(game, space)?;
    let all = match game.map.hexes() {
        Some(hexes) => hexes.grid().within(here, *steps.end()),
        None => (0..game.map.len()).collect(),
    };
    stage.meter.spend(all.len());
    let near = all
        .into_iter()
        .filter(|there| steps.contains(&distance_between(game, here, *there)));
    Ok(near.collect())
}

/// A direction as the grid counts, of one as scripts do.
fn direction_number(direction: i64) -> ScriptResult<usize> {
    let number = usize::try_from(direction - 1).ok().filter(|it| *it < 6);
    number.ok_or_else(|| error(format!("{direction} is no direction; there are 1 to 6")))
}

#[export_module]
pub mod functions {
    /// The layout of a region of a map of hexes, as players are told it: `#{within, of}` for all
    /// hexes within this many steps of one of a list of spaces; `()` for one that is laid out
    /// otherwise.
    #[rhai_fn(return_raw)]
    pub fn region_round(ctx: NativeCallContext, name: &str) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let map = hexes(&stage.game)?;
        let zone = map.file().regions.get(name);
        let zone = zone.ok_or_else(|| error(format!("the map has no region `{name}`")))?;
        let Some(within) = zone.within else {
            return Ok(Dynamic::UNIT);
        };
        let of = zone.of.iter().filter_map(|place| map.number(place));
        let of: Array = of.map(|hex| name_of(&stage.game, hex)).collect();
        let mut said = rhai::Map::new();
        said.insert("within".into(), within.into());
        said.insert("of".into(), of.into());
        Ok(said.into())
    }

    /// Returns true if two spaces are neighbours.
    #[rhai_fn(return_raw)]
    pub fn adjacent(ctx: NativeCallContext, a: &str, b: &str) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        Ok(game.map.adjoin(number(game, a)?, number(game, b)?))
    }

    /// The spaces within this many steps of a space, the space itself included, whatever lies
    /// between.
    #[rhai_fn(return_raw)]
    pub fn within(ctx: NativeCallContext, space: &str, steps: i64) -> ScriptResult<Area> {
        at_distance(&ctx, space, 0..=steps)
    }

    /// The spaces exactly this many steps from a space, whatever lies between.
    #[rhai_fn(return_raw)]
    pub fn ring(ctx: NativeCallContext, space: &str, steps: i64) -> ScriptResult<Area> {
        at_distance(&ctx, space, steps..=steps)
    }

    /// The spaces that lie on shortest ways between two spaces, these left out: at distance 2 their
    /// common neighbours.
    #[rhai_fn(return_raw)]
    pub fn between(ctx: NativeCallContext, a: &str, b: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let (from, to) = (number(game, a)?, number(game, b)?);
        let whole = distance_between(game, from, to);
        let near = at_distance(&ctx, a, 1..=whole - 1)?;
        let on_the_way = |space: &usize| {
            let ways = [(from, *space), (*space, to)];
            let parts = ways.map(|(a, b)| distance_between(game, a, b));
            parts[0] + parts[1] == whole
        };
        Ok(names(game, near.iter().filter(on_the_way)))
    }

    /// The direction from a hex to its neighbour, 1 to 6 clockwise from the top of the sheet; 0 if
    /// they do not adjoin.
    #[rhai_fn(return_raw)]
    pub fn direction(ctx: NativeCallContext, from: &str, to: &str) -> ScriptResult<i64> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let found = hexes(game)?
            .grid()
            .direction(number(game, from)?, number(game, to)?);
        let found = found.and_then(|direction| i64::try_from(direction + 1).ok());
        Ok(found.unwrap_or(0))
    }

    /// The neighbours of a hex in a direction (as `direction` counts) and in so many directions to
    /// each side of it, from left to right: with 0 one, with 1 three, with 2 five. None beyond the
    /// edge of the map.
    #[rhai_fn(return_raw)]
    pub fn neighbours_ahead(
        ctx: NativeCallContext,
        space: &str,
        direction: i64,
        sides: i64,
    ) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let (grid, here) = (hexes(game)?.grid(), number(game, space)?);
        let ahead = direction_number(direction)?;
        let sides = usize::try_from(sides).ok().filter(|it| *it <= 2);
        let sides =
            sides.ok_or_else(|| error("to each side of a direction there are 0 to 2 more"))?;
        let turns = 6 - sides..=6 + sides;
        let near = turns.filter_map(|turn| grid.neighbour(here, (ahead + turn) % 6));
        Ok(names(game, near))
    }

    /// The neighbour of a hex in a direction (as `direction` counts), `""` beyond the edge of the
    /// map.
    #[rhai_fn(return_raw)]
    pub fn neighbour(
        ctx: NativeCallContext,
        space: &str,
        direction: i64,
    ) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let direction = direction_number(direction)?;
        let there = hexes(game)?
            .grid()
            .neighbour(number(game, space)?, direction);
        Ok(name_or_nothing(game, there))
    }

    /// The neighbour of `centre` that lies across from `space`, another neighbour of it; `""` if
    /// there is none.
    #[rhai_fn(return_raw)]
    pub fn opposite(
        ctx: NativeCallContext,
        space: &str,
        centre: &str,
    ) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let grid = hexes(game)?.grid();
        let (space, centre) = (number(game, space)?, number(game, centre)?);
        let direction = grid.direction(centre, space);
        let there = direction.and_then(|it| grid.neighbour(centre, (it + 3) % 6));
        Ok(name_or_nothing(game, there))
    }

    /// The things on the hexside between two hexes: kinds in the order of the map file. A crossing
    /// stands for what it lies over. `[]` if there is nothing, or if they do not adjoin.
    #[rhai_fn(name = "sides", return_raw)]
    pub fn sides_between(ctx: NativeCallContext, a: &str, b: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let hexes = hexes(game)?;
        let sides = hexes.side_between(number(game, a)?, number(game, b)?);
        let kinds = hexes.kinds(sides.unwrap_or_default());
        Ok(kinds
            .map(|kind| Dynamic::from(ImmutableString::from(kind)))
            .collect())
    }

    /// The classes of the roads that join two hexes, in the order of the map file; `[]` if none
    /// does, or none that has a class.
    #[rhai_fn(return_raw)]
    pub fn roads_between(ctx: NativeCallContext, a: &str, b: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let hexes = hexes(game)?;
        let sides = hexes.side_between(number(game, a)?, number(game, b)?);
        let classes = hexes.road_classes(sides.unwrap_or_default());
        Ok(classes
            .map(|class| Dynamic::from(ImmutableString::from(class)))
            .collect())
    }

    /// The hexes on both banks of a river (or along another line of the map file), by its id.
    #[rhai_fn(return_raw)]
    pub fn along(ctx: NativeCallContext, line: &str) -> ScriptResult<Area> {
        let stage = stage(&ctx)?;
        let hexes = hexes(&stage.game)?;
        let found = hexes.line(line);
        let found = found.ok_or_else(|| error(format!("the map has no line `{line}`")))?;
        let ends = found.sides.iter().filter_map(|side| hexes.ends(side));
        Ok(ends.flat_map(|(a, b)| [a, b]).collect())
    }

    /// The space of a place, by the place's id; a space is its own.
    #[rhai_fn(return_raw)]
    pub fn space_of(ctx: NativeCallContext, place: &str) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let map = &stage.game.map;
        let named = || map.hexes().and_then(|hexes| hexes.number(place));
        let found = map.number(place).or_else(named);
        let found = found.ok_or_else(|| error(format!("there is no place `{place}`")))?;
        Ok(name(&stage.game, found))
    }

    /// The id of the place in a hex, `""` if it has none.
    #[rhai_fn(return_raw)]
    pub fn place_of(ctx: NativeCallContext, space: &str) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let here = number(&stage.game, space)?;
        let place = hexes(&stage.game)?.place(here);
        Ok(place.map_or_else(ImmutableString::default, |place| place.id.as_str().into()))
    }
}
