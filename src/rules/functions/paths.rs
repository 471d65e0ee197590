//! Ways over the map. The loops belong to the host, the decision about each road to the script.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rhai::{
    Dynamic, FnPtr, ImmutableString, Map,
    plugin::{NativeCallContext, export_module},
};

use super::map::{number, road_key};
use crate::{
    game::Game,
    rules::{
        convert::text_of,
        stage::{RhaiResultOf, Run, Stage, error, stage},
    },
};

fn name(game: &Game, number: usize) -> ImmutableString {
    game.map
        .space_at(number)
        .map_or_else(ImmutableString::default, |space| space.id.as_str().into())
}

/// Least number of roads from the starts to every space, over roads that `open` allows; `None` where none leads.
fn spread(
    game: &Game,
    starts: &[usize],
    mut open: impl FnMut(usize, usize) -> RhaiResultOf<bool>,
) -> RhaiResultOf<Vec<Option<i64>>> {
    let mut steps = vec![None; game.map.map().spaces.len()];
    let mut queue = VecDeque::new();
    for start in starts {
        if steps[*start].is_none() {
            steps[*start] = Some(0);
            queue.push_back((*start, 0));
        }
    }
    while let Some((here, so_far)) = queue.pop_front() {
        for &next in game.map.neighbours(here) {
            if steps[next].is_none() && open(here, next)? {
                steps[next] = Some(so_far + 1);
                queue.push_back((next, so_far + 1));
            }
        }
    }
    Ok(steps)
}

/// What closes roads, without asking the script about each of them.
#[derive(Default)]
struct Barriers {
    into: BTreeSet<usize>,
    from: BTreeSet<usize>,
    over: Option<String>,
}

impl Barriers {
    /// Reads what a script wrote; anything unknown in it is an error.
    fn of(game: &Game, written: &Map) -> RhaiResultOf<Self> {
        let spaces = |set: &Dynamic| -> RhaiResultOf<BTreeSet<usize>> {
            // A box is no space, and no road leads to it.
            if let Some(list) = set.read_lock::<rhai::Array>() {
                let ids = list.iter().filter_map(text_of);
                return Ok(ids.filter_map(|id| game.map.number(&id)).collect());
            }
            let set = set.read_lock::<Map>().ok_or_else(|| {
                error("barriers are lists of spaces, or maps whose keys are spaces")
            })?;
            Ok(set.keys().filter_map(|id| game.map.number(id)).collect())
        };
        let mut barriers = Self::default();
        for (key, value) in written {
            match key.as_str() {
                "not_into" => barriers.into = spaces(value)?,
                "not_from" => barriers.from = spaces(value)?,
                "not_over" => barriers.over = text_of(value),
                _ => {
                    return Err(error(format!(
                        "there is no barrier `{key}`; there are: not_into, not_from, not_over"
                    )));
                }
            }
        }
        Ok(barriers)
    }

    fn open(&self, stage: &Stage, run: &Run, a: usize, b: usize) -> bool {
        let shut = |state: &String| is_so(stage, run, state, a, b);
        !self.from.contains(&a) && !self.into.contains(&b) && !self.over.as_ref().is_some_and(shut)
    }
}

/// Whether a state of a road is true.
fn is_so(stage: &Stage, run: &Run, state: &str, a: usize, b: usize) -> bool {
    let map = &stage.game.map;
    let spaces = map.space_at(a).zip(map.space_at(b));
    let road = spaces.and_then(|(a, b)| map.road(&a.id, &b.id));
    let states = road.and_then(|road| run.world.roads.get(&road_key(road)));
    let found = states.and_then(|states| states.get(state)?.as_bool());
    found == Some(true)
}

/// What roads cost, without asking the script about each of them.
struct Prices {
    barriers: Barriers,
    /// The table whose values are the prices of terrains.
    table: String,
    /// Spaces with a price of their own.
    into: BTreeMap<usize, i64>,
    /// What a state of a road costs besides.
    over: Vec<(String, i64)>,
}

impl Prices {
    /// Reads what a script wrote: `terrain`, `into`, `over`, and barriers.
    fn of(game: &Game, written: &Map) -> RhaiResultOf<Self> {
        let mut rest = written.clone();
        let table = rest.remove("terrain").as_ref().and_then(text_of);
        let table = table.ok_or_else(|| {
            error("prices of ways need `terrain`, the table that has a price for each terrain")
        })?;
        let (into, over) = (numbers(rest.remove("into"))?, numbers(rest.remove("over"))?);
        let into = into.into_iter();
        Ok(Self {
            barriers: Barriers::of(game, &rest)?,
            table,
            into: into
                .map(|(space, price)| Ok((number(game, &space)?, price)))
                .collect::<RhaiResultOf<_>>()?,
            over,
        })
    }

    /// What it costs to go from one space to the next; negative where that is closed.
    fn price(&self, stage: &Stage, run: &Run, a: usize, b: usize) -> RhaiResultOf<i64> {
        if !self.barriers.open(stage, run, a, b) {
            return Ok(-1);
        }
        let of_terrain = || {
            let space = stage.game.map.space_at(b)?;
            let table = stage.game.tables.get(&self.table)?;
            table.values.get(&space.terrain)?.as_int()
        };
        let own = self.into.get(&b).copied();
        let price = own.or_else(of_terrain).ok_or_else(|| {
            let (table, space) = (&self.table, name(&stage.game, b));
            error(format!(
                "the table `{table}` has no price for the terrain of `{space}`"
            ))
        })?;
        let over = self.over.iter();
        let besides = over.filter(|(state, _)| is_so(stage, run, state, a, b));
        Ok(besides.fold(price, |sum, (_, more)| sum.saturating_add(*more)))
    }
}

/// Whole numbers by name, as a script wrote them.
fn numbers(written: Option<Dynamic>) -> RhaiResultOf<Vec<(String, i64)>> {
    let Some(written) = written else {
        return Ok(Vec::new());
    };
    let map = written.read_lock::<Map>();
    let map = map.ok_or_else(|| error("prices are maps with whole numbers"))?;
    map.iter()
        .map(|(name, price)| {
            let price = price.as_int();
            let price = price.map_err(|kind| error(format!("a price is no {kind}")))?;
            Ok((name.to_string(), price))
        })
        .collect()
}

/// [`cheapest_way`] by the script's prices: a function, or a map.
fn cheapest_by(
    ctx: &NativeCallContext,
    from: &str,
    to: &str,
    cost: &Dynamic,
) -> RhaiResultOf<Option<(Vec<usize>, i64)>> {
    let stage = stage(ctx)?;
    let game = &stage.game;
    let (from, to) = (number(game, from)?, number(game, to)?);
    if let Some(prices) = cost.read_lock::<Map>() {
        let prices = Prices::of(game, &prices)?;
        let run = stage.run()?;
        return cheapest_way(game, from, to, |a, b| prices.price(&stage, &run, a, b));
    }
    let cost = cost
        .read_lock::<FnPtr>()
        .ok_or_else(|| error("what roads cost is said by a function or a map of prices"))?
        .clone();
    cheapest_way(game, from, to, |a, b| judge(ctx, game, &cost, a, b))
}

/// [`spread`] over the roads that a script leaves open: by a function, or by barriers.
fn spread_over(
    ctx: &NativeCallContext,
    stage: &Stage,
    starts: &[usize],
    open: &Dynamic,
) -> RhaiResultOf<Vec<Option<i64>>> {
    let game = &stage.game;
    if let Some(barriers) = open.read_lock::<Map>() {
        let barriers = Barriers::of(game, &barriers)?;
        let run = stage.run()?;
        return spread(game, starts, |a, b| Ok(barriers.open(stage, &run, a, b)));
    }
    let open = open
        .read_lock::<FnPtr>()
        .ok_or_else(|| error("which roads are open is said by a function or a map of barriers"))?
        .clone();
    spread(game, starts, |a, b| judge(ctx, game, &open, a, b))
}

/// The script's opinion of a road.
fn judge<T: rhai::Variant + Clone>(
    ctx: &NativeCallContext,
    game: &Game,
    f: &FnPtr,
    a: usize,
    b: usize,
) -> RhaiResultOf<T> {
    f.call_within_context(ctx, (name(game, a), name(game, b)))
}

/// The cheapest way from one space to another, with its cost. Ties: the way that, at the first difference, has the
/// space earlier in the map file.
fn cheapest_way(
    game: &Game,
    from: usize,
    to: usize,
    mut cost: impl FnMut(usize, usize) -> RhaiResultOf<i64>,
) -> RhaiResultOf<Option<(Vec<usize>, i64)>> {
    // Costs to the goal first, so that the way can then be chosen from its beginning. A road is priced when it is looked at.
    let count = game.map.map().spaces.len();
    let mut costs = std::collections::BTreeMap::new();
    let mut left: Vec<Option<i64>> = vec![None; count];
    left[to] = Some(0);
    let mut queue = std::collections::BTreeSet::from([(0_i64, to)]);
    while let Some((price, here)) = queue.pop_first() {
        if left[from].is_some_and(|known| known < price) {
            break;
        }
        if left[here].is_some_and(|known| known < price) {
            continue;
        }
        for &before in game.map.neighbours(here) {
            let step = cost(before, here)?;
            if step < 0 {
                continue;
            }
            costs.insert((before, here), step);
            let total = price.saturating_add(step);
            if left[before].is_none_or(|known| total < known) {
                left[before] = Some(total);
                queue.insert((total, before));
            }
        }
    }
    let Some(total) = left[from] else {
        return Ok(None);
    };
    let (mut way, mut here) = (Vec::new(), from);
    while here != to && way.len() <= count {
        let onward = game.map.neighbours(here).iter().copied().find(|next| {
            let step = costs.get(&(here, *next));
            step.zip(left[*next])
                .is_some_and(|(step, rest)| Some(step.saturating_add(rest)) == left[here])
                && !way.contains(next)
        });
        let Some(next) = onward else { return Ok(None) };
        way.push(next);
        here = next;
    }
    Ok(Some((way, total)))
}

#[export_module]
pub mod functions {
    use rhai::Array;

    /// The least number of roads between two spaces, whatever stands on them; -1 when no way leads.
    #[rhai_fn(return_raw)]
    pub fn distance(ctx: NativeCallContext, a: &str, b: &str) -> RhaiResultOf<i64> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let steps = spread(game, &[number(game, a)?], |_, _| Ok(true))?;
        Ok(steps[number(game, b)?].unwrap_or(-1))
    }

    /// The spaces that can be reached from the starts, the starts included, in map-file order. The last argument says which
    /// roads are open: a function `open(from, to)`, or a map of what closes them: `not_into` and `not_from`, the spaces that
    /// may not be entered or left as a list or as the keys of a map, and `not_over`, a state of roads (`"broken"`) that closes those where it is true.
    #[rhai_fn(return_raw)]
    pub fn flood(ctx: NativeCallContext, starts: Array, open: Dynamic) -> RhaiResultOf<Array> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let starts = starts
            .iter()
            .map(|start| number(game, &text_of(start).unwrap_or_default()))
            .collect::<RhaiResultOf<Vec<_>>>()?;
        let steps = spread_over(&ctx, &stage, &starts, &open)?;
        let reached = steps
            .iter()
            .enumerate()
            .filter(|(_, steps)| steps.is_some());
        Ok(reached.map(|(space, _)| name(game, space).into()).collect())
    }

    /// The least number of roads from one space to another over the open roads (as for `flood`); -1 when no way leads.
    #[rhai_fn(return_raw)]
    pub fn steps(ctx: NativeCallContext, from: &str, to: &str, open: Dynamic) -> RhaiResultOf<i64> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let steps = spread_over(&ctx, &stage, &[number(game, from)?], &open)?;
        Ok(steps[number(game, to)?].unwrap_or(-1))
    }

    /// The same to every space that can be reached: a map from space to number of roads.
    #[rhai_fn(return_raw)]
    pub fn steps_from(ctx: NativeCallContext, start: &str, open: Dynamic) -> RhaiResultOf<Map> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let steps = spread_over(&ctx, &stage, &[number(game, start)?], &open)?;
        let reached = steps
            .iter()
            .enumerate()
            .filter_map(|(space, steps)| Some((space, (*steps)?)));
        Ok(reached
            .map(|(space, steps)| (name(game, space).as_str().into(), steps.into()))
            .collect())
    }

    /// The spaces within so many roads of one, itself included, over the open roads (as for `flood`), in map-file order.
    #[rhai_fn(return_raw)]
    pub fn within(
        ctx: NativeCallContext,
        start: &str,
        most: i64,
        open: Dynamic,
    ) -> RhaiResultOf<Array> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let steps = spread_over(&ctx, &stage, &[number(game, start)?], &open)?;
        let near = steps.iter().enumerate();
        let near = near.filter(|(_, steps)| steps.is_some_and(|steps| steps <= most));
        Ok(near.map(|(space, _)| name(game, space).into()).collect())
    }

    /// The cheapest way: the spaces after the start, or `()` when no way leads. Of equal ways the one that, at the first difference,
    /// has the space earlier in the map file. The last argument says what roads cost: a function `cost(from, to)` (negative:
    /// closed), or a map with `terrain`, the name of the table whose values are the prices of entering each terrain, and if need be
    /// `into`, a map of spaces with a price of their own, `over`, a map of states of roads that cost more where they are true
    /// (`#{broken: 2}`), and what closes roads as for `flood`.
    #[rhai_fn(return_raw)]
    pub fn cheapest(
        ctx: NativeCallContext,
        from: &str,
        to: &str,
        cost: Dynamic,
    ) -> RhaiResultOf<Dynamic> {
        let stage = stage(&ctx)?;
        let way = cheapest_by(&ctx, from, to, &cost)?;
        Ok(way.map_or(Dynamic::UNIT, |(way, _)| {
            way.into_iter()
                .map(|space| Dynamic::from(name(&stage.game, space)))
                .collect::<Array>()
                .into()
        }))
    }

    /// What the cheapest way costs (as for `cheapest`), -1 when no way leads.
    #[rhai_fn(return_raw)]
    pub fn path_cost(
        ctx: NativeCallContext,
        from: &str,
        to: &str,
        cost: Dynamic,
    ) -> RhaiResultOf<i64> {
        let way = cheapest_by(&ctx, from, to, &cost)?;
        Ok(way.map_or(-1, |(_, cost)| cost))
    }
}
