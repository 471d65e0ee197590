//! Heights and lines of sight on a map of hexes.

use rhai::{
    Array, Dynamic, Map,
    plugin::{NativeCallContext, export_module},
};

use super::{
    areas::{area_of, names},
    hexes::hexes,
    map::number,
    paths::distance_between,
};
use crate::{
    game::{
        Area, Game, Table,
        hex::{Sight, TerrainCover},
    },
    rules::{
        convert::text_of,
        stage::{ScriptResult, Stage, error, stage},
    },
    value::Value,
};

/// The terms of sight, for errors.
const KEYS: &str = "table, bodies, limit";

/// Sight as a script lays it down.
struct SightTerms<'a> {
    sight: Sight<'a>,
    /// From how many steps at most a hex is seen, by its terrain; none without a limit.
    limits: Vec<Option<i64>>,
}

impl<'a> SightTerms<'a> {
    fn of(stage: &'a Stage, said: &Map) -> ScriptResult<Self> {
        if let Some(key) = said
            .keys()
            .find(|key| !KEYS.split(", ").any(|it| it == *key))
        {
            return Err(error(format!("sight has no `{key}`; there are: {KEYS}")));
        }
        let game = &stage.game;
        let text = |key: &str| said.get(key).and_then(text_of);
        let name = text("table").ok_or_else(|| error("sight needs a `table`"))?;
        let table = game.tables.get(&name);
        let table = table.ok_or_else(|| error(format!("there is no table `{name}`")))?;
        let bodies = said.get("bodies");
        let bodies = bodies.map_or_else(|| Ok(Area::default()), |it| area_of(stage, it))?;
        hexes(game)?;
        let sight = Sight::new(&game.map, covers(game, table), bodies);
        let limit = text("limit");
        let limits = limit.map_or_else(|| Ok(Vec::new()), |it| limits(game, table, &name, &it))?;
        Ok(Self {
            sight: sight.ok_or_else(|| error("the map of this game has no hexes"))?,
            limits,
        })
    }

    fn sees(&self, game: &Game, from: usize, to: usize) -> bool {
        let limit = self.limits.get(game.map.terrain(to)).copied().flatten();
        limit.is_none_or(|limit| distance_between(game, from, to) <= limit)
            && self.sight.is_clear(from, to)
    }
}

/// A table's value of this name for each terrain, in the order of the map.
fn of_terrains<'a>(
    game: &'a Game,
    table: &'a Table,
    name: &'a str,
) -> impl Iterator<Item = Option<&'a Value>> {
    let terrains = game.map.map().terrains.iter();
    terrains.map(move |terrain| table.values.get(terrain)?.get(name))
}

fn covers(game: &Game, table: &Table) -> Vec<TerrainCover> {
    let raised = of_terrains(game, table, "raised");
    let screens = of_terrains(game, table, "screens");
    let covers = raised.zip(screens).map(|(raised, screens)| TerrainCover {
        raised: raised.and_then(Value::as_int).unwrap_or(0),
        screens: screens.and_then(Value::as_bool).unwrap_or(false),
    });
    covers.collect()
}

fn limits(game: &Game, table: &Table, name: &str, limit: &str) -> ScriptResult<Vec<Option<i64>>> {
    let said = of_terrains(game, table, limit);
    let limits: Vec<_> = said.map(|value| value.and_then(Value::as_int)).collect();
    if limits.iter().all(Option::is_none) {
        let message = format!("the table `{name}` has no limit `{limit}` for any terrain");
        return Err(error(message));
    }
    Ok(limits)
}

#[export_module]
pub mod functions {
    /// The level of a hex, as the map file gives it.
    #[rhai_fn(return_raw)]
    pub fn level(ctx: NativeCallContext, space: &str) -> ScriptResult<i64> {
        let stage = stage(&ctx)?;
        let here = number(&stage.game, space)?;
        Ok(hexes(&stage.game)?.level(here))
    }

    /// By how many levels a step to a neighbour goes up; less than 0 where it goes down. Over a
    /// crest it goes up to the crest, by one level at least, from either side.
    #[rhai_fn(return_raw)]
    pub fn climb(ctx: NativeCallContext, from: &str, to: &str) -> ScriptResult<i64> {
        let stage = stage(&ctx)?;
        let (from, to) = (number(&stage.game, from)?, number(&stage.game, to)?);
        if !stage.game.map.adjoin(from, to) {
            return Err(error("a step leads to a neighbour"));
        }
        Ok(hexes(&stage.game)?.climb(from, to))
    }

    /// The hexes between two hexes through which the straight line of their centres goes, in its
    /// direction. Where it runs along a hexside, both hexes of that side are among them; a hex that
    /// it only touches at a corner is not.
    #[rhai_fn(return_raw)]
    pub fn line(ctx: NativeCallContext, a: &str, b: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let (a, b) = (number(game, a)?, number(game, b)?);
        let line = hexes(game)?.grid().sight_line(a, b);
        stage.meter.spend(line.between.len());
        Ok(names(game, line.between.into_iter()))
    }

    /// Returns true if nothing blocks the straight line between two hexes. `how` is a map of terms:
    /// - `table`: what terrains do. Under its `values` it has a map for each terrain: `raised`, by
    ///   how many levels what stands there is higher than its ground, and `screens`, true if nobody
    ///   sees through it; both may be missing;
    /// - `bodies`: spaces where somebody stands in the way.
    ///
    /// Both ends are at the level of their ground, and nothing on them blocks. A hex between, or a
    /// crest that is crossed, blocks where it is higher than both ends. A hex that screens blocks
    /// too where neither end is above it; where one is, if the hex is as near to the lower end as
    /// to the higher one, or nearer. Bodies block where neither end is above their ground.
    /// Neighbours always see each other.
    #[rhai_fn(return_raw)]
    pub fn in_sight(ctx: NativeCallContext, a: &str, b: &str, how: Map) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let (a, b) = (number(game, a)?, number(game, b)?);
        stage.meter.spend(1);
        Ok(SightTerms::of(&stage, &how)?.sees(game, a, b))
    }

    /// The hexes within this many steps of one of the starts (spaces, pieces, areas) that can be
    /// seen from there, the starts included. `how` as for `in_sight`, and `limit`: the name of a
    /// number in the table, by terrain: the most steps from which such a hex can be seen.
    #[rhai_fn(return_raw)]
    pub fn visible(
        ctx: NativeCallContext,
        starts: Dynamic,
        steps: i64,
        how: Map,
    ) -> ScriptResult<Area> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let terms = SightTerms::of(&stage, &how)?;
        let grid = hexes(game)?.grid();
        let mut seen = Area::default();
        for from in area_of(&stage, &starts)?.iter() {
            seen.insert(from);
            let near = grid.within(from, steps);
            stage.meter.spend(near.len());
            for to in near {
                if !seen.contains(to) && terms.sees(game, from, to) {
                    seen.insert(to);
                }
            }
        }
        Ok(seen)
    }
}
