//! Ways over the map. The loops belong to the host; what a step may be and costs is said by the
//! script ([`StepJudge`]).

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use rhai::{
    Dynamic,
    plugin::{NativeCallContext, export_module},
};

use super::{
    areas::{Field, area_of, names},
    map::number,
    ways::StepJudge,
};
use crate::{
    game::{Area, Game},
    rules::{
        convert::text_of,
        stage::{ScriptResult, Stage, error, stage},
    },
};

/// Steps or costs by the numbers of spaces; none where nothing leads.
type StepTable = Vec<Option<i64>>;

/// A search under way: how steps are judged, and who asks.
struct Search<'a> {
    ctx: &'a NativeCallContext<'a>,
    stage: &'a Stage,
    how: StepJudge,
}

impl<'a> Search<'a> {
    fn new(ctx: &'a NativeCallContext, stage: &'a Stage, how: &Dynamic) -> ScriptResult<Self> {
        let how = StepJudge::of(stage, how)?;
        Ok(Self { ctx, stage, how })
    }

    fn game(&self) -> &Game {
        &self.stage.game
    }

    fn step(&self, ends: (usize, usize), first: bool) -> ScriptResult<Option<i64>> {
        self.how.step(self.ctx, &self.stage.game, ends, first)
    }

    /// Least number of steps from the starts to every space, whatever they cost, and to one space
    /// at most if it is named.
    fn steps(&self, starts: &Area, goal: Option<usize>) -> ScriptResult<StepTable> {
        let map = &self.game().map;
        let mut steps = vec![None; map.len()];
        let mut queue: VecDeque<(usize, i64)> = starts.iter().map(|start| (start, 0)).collect();
        for (start, _) in &queue {
            set(&mut steps, *start, 0);
        }
        let mut looked = 0;
        while let Some((here, so_far)) = queue.pop_front() {
            if goal == Some(here) {
                break;
            }
            looked += 1;
            for &next in map.neighbours(here) {
                if get(&steps, next).is_none()
                    && self.step((here, next), starts.contains(here))?.is_some()
                {
                    set(&mut steps, next, so_far + 1);
                    queue.push_back((next, so_far + 1));
                }
            }
        }
        self.stage.meter.spend(looked);
        Ok(steps)
    }

    /// Least costs from the starts to every space within the limit.
    fn costs(&self, starts: &Area, limit: i64) -> ScriptResult<StepTable> {
        let map = &self.game().map;
        let mut costs = vec![None; map.len()];
        let mut queue = BinaryHeap::new();
        for start in starts.iter() {
            set(&mut costs, start, 0);
            queue.push(Reverse((0_i64, start)));
        }
        let mut looked = 0;
        while let Some(Reverse((so_far, here))) = queue.pop() {
            if get(&costs, here).is_some_and(|known| known < so_far) {
                continue;
            }
            looked += 1;
            for &next in map.neighbours(here) {
                let Some(step) = self.step((here, next), starts.contains(here))? else {
                    continue;
                };
                let total = so_far.saturating_add(step);
                if total <= limit && get(&costs, next).is_none_or(|known| total < known) {
                    set(&mut costs, next, total);
                    queue.push(Reverse((total, next)));
                }
            }
        }
        self.stage.meter.spend(looked);
        Ok(costs)
    }

    /// The cheapest way from one space to another, with its cost. Ties: fewer spaces where terms
    /// say the costs, then the way that, at the first difference, has the space earlier in the map
    /// file.
    fn cheapest(&self, from: usize, to: usize) -> ScriptResult<Option<(Vec<usize>, i64)>> {
        // Costs to the goal first, so that the way can then be chosen from its beginning. Who is
        // surely dearer than the way that is known is never looked at: no way from the start costs
        // less than its steps at the least price.
        let map = &self.game().map;
        let length = i64::from(self.how.prefers_short());
        let least = self.how.least();
        let ahead = |space: usize| {
            let steps = map
                .hexes()
                .map_or(0, |hexes| hexes.grid().distance(from, space));
            (steps.saturating_mul(least), steps * length)
        };
        let sum = |(cost, steps): (i64, i64), (more, on): (i64, i64)| {
            (cost.saturating_add(more), steps + on)
        };
        let mut left: Vec<Option<(i64, i64)>> = vec![None; map.len()];
        set(&mut left, to, (0, 0));
        let mut queue = BinaryHeap::from([Reverse((ahead(to), (0, 0), to))]);
        let mut looked = 0;
        while let Some(Reverse((whole, rest, here))) = queue.pop() {
            if get(&left, from).is_some_and(|known| known < whole) {
                break;
            }
            if get(&left, here).is_some_and(|known| known < rest) {
                continue;
            }
            looked += 1;
            for &before in map.neighbours(here) {
                let Some(step) = self.step((before, here), before == from)? else {
                    continue;
                };
                let total = sum(rest, (step, length));
                if get(&left, before).is_none_or(|known| total < known) {
                    set(&mut left, before, total);
                    queue.push(Reverse((sum(total, ahead(before)), total, before)));
                }
            }
        }
        self.stage.meter.spend(looked);
        let Some(total) = get(&left, from) else {
            return Ok(None);
        };
        let (mut way, mut here) = (Vec::new(), from);
        while here != to && way.len() <= map.len() {
            let mut onward = None;
            for &next in map.neighbours(here) {
                let Some(rest) = get(&left, next) else {
                    continue;
                };
                let Some(step) = self.step((here, next), here == from)? else {
                    continue;
                };
                if Some(sum(rest, (step, length))) == get(&left, here) && !way.contains(&next) {
                    onward = Some(next);
                    break;
                }
            }
            let Some(next) = onward else { return Ok(None) };
            way.push(next);
            here = next;
        }
        Ok(Some((way, total.0)))
    }

    /// What the steps of a way cost together, if all of them are open.
    fn along(&self, way: &[usize]) -> ScriptResult<Option<i64>> {
        self.stage.meter.spend(way.len());
        let mut sum = 0_i64;
        for (number, ends) in way.windows(2).enumerate() {
            let &[from, to] = ends else { continue };
            if !self.game().map.adjoin(from, to) {
                return Ok(None);
            }
            let Some(step) = self.step((from, to), number == 0)? else {
                return Ok(None);
            };
            sum = sum.saturating_add(step);
        }
        Ok(Some(sum))
    }
}

fn get<T: Copy>(list: &[Option<T>], number: usize) -> Option<T> {
    list.get(number).copied().flatten()
}

fn set<T>(list: &mut [Option<T>], number: usize, value: T) {
    if let Some(place) = list.get_mut(number) {
        *place = Some(value);
    }
}

fn field(reached: &StepTable) -> Field {
    Field(reached.iter().map(|found| found.unwrap_or(-1)).collect())
}

/// Searches from the starts that a script names.
fn from_starts(
    ctx: &NativeCallContext,
    starts: &Dynamic,
    how: &Dynamic,
    find: impl FnOnce(&Search<'_>, &Area) -> ScriptResult<StepTable>,
) -> ScriptResult<StepTable> {
    let stage = stage(ctx)?;
    let starts = area_of(&stage, starts)?;
    find(&Search::new(ctx, &stage, how)?, &starts)
}

/// Searches between two spaces that a script names.
fn between<T>(
    ctx: &NativeCallContext,
    (from, to): (&str, &str),
    how: &Dynamic,
    find: impl FnOnce(&Search<'_>, (usize, usize)) -> ScriptResult<T>,
) -> ScriptResult<T> {
    let stage = stage(ctx)?;
    let ends = (number(&stage.game, from)?, number(&stage.game, to)?);
    find(&Search::new(ctx, &stage, how)?, ends)
}

/// The least number of steps between two spaces, whatever lies on them and between; -1 when no way
/// leads.
pub(super) fn distance_between(game: &Game, a: usize, b: usize) -> i64 {
    if let Some(hexes) = game.map.hexes() {
        return hexes.grid().distance(a, b);
    }
    let mut steps = vec![None; game.map.len()];
    set(&mut steps, a, 0);
    let mut queue = VecDeque::from([(a, 0_i64)]);
    while let Some((here, so_far)) = queue.pop_front() {
        if here == b {
            return so_far;
        }
        for &next in game.map.neighbours(here) {
            if get(&steps, next).is_none() {
                set(&mut steps, next, so_far + 1);
                queue.push_back((next, so_far + 1));
            }
        }
    }
    -1
}

#[export_module]
pub mod functions {
    use rhai::Array;

    /// The least number of steps from neighbour to neighbour between two spaces, whatever lies
    /// between; -1 when none leads.
    #[rhai_fn(return_raw)]
    pub fn distance(ctx: NativeCallContext, a: &str, b: &str) -> ScriptResult<i64> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        Ok(distance_between(game, number(game, a)?, number(game, b)?))
    }

    /// The spaces that can be reached from the starts (spaces, an area), the starts included.
    ///
    /// `how` says which steps to a neighbour are open and what they cost. It is a function
    /// `how(from, to)` that gives a truth, or a cost (negative: closed); or a map of terms, all of
    /// them optional:
    /// - `not_into`, `not_from`: areas that may not be entered or left (a start is never entered);
    /// - `not_over`: a state of roads (`"broken"`) that closes those where it is true;
    /// - `not_across`: kinds of hexsides that may not be crossed; `bridged`: sides
    ///   (`[["a", "b"], ...]`) that are open all the same, whatever lies on them, and count as
    ///   roads; `unbridged`: sides whose crossings are gone, so that what they lie over counts and
    ///   no road leads across; `roads`: true for steps along roads only;
    /// - `table` and `class`: what steps cost. Under its `values` the table has a map of classes
    ///   for each terrain, which is paid to enter, for each kind of hexside, which is paid besides,
    ///   and for `road` and `bridged`, which are paid in place of both. A step without
    ///   a number there is closed. Without a table each step costs 1;
    /// - a table may also have a row for a class of roads. It is paid along such roads in place of
    ///   the ground alone: a number; `half` for half of what the ground costs, rounded down and 1
    ///   at least; `[half, 2]` for 2 where the ground is closed. Of several roads the cheapest
    ///   counts, and of the road and the ground;
    /// - with a table: `slopes`, the rows that are paid besides for one level up or down, for two,
    ///   and so on, the last for all that are higher; `eased`, classes of roads along which a slope
    ///   counts one level less; `rough`, an area whose row `rough` is paid with the ground;
    ///   `roadless`, an area that no road helps to enter;
    /// - `dear` and `surcharge`: an area that costs this much more to enter (1 if not given); or
    ///   `dear` as a list of pairs (`[[area, 2], [other, 1]]`), of which the highest that applies
    ///   is paid, once;
    /// - `stops`: an area in which a way ends; from a start within it, it leads on, but not
    ///   directly into this area again, and the first step costs `leaving` more.
    #[rhai_fn(return_raw)]
    pub fn flood(ctx: NativeCallContext, starts: Dynamic, how: Dynamic) -> ScriptResult<Area> {
        let steps = from_starts(&ctx, &starts, &how, |search, starts| {
            search.steps(starts, None)
        })?;
        let reached = steps.iter().enumerate();
        Ok(reached
            .filter_map(|(space, steps)| steps.map(|_| space))
            .collect())
    }

    /// The least number of steps from one space to another (`how` as for `flood`); -1 when no way
    /// leads.
    #[rhai_fn(return_raw)]
    pub fn steps(ctx: NativeCallContext, from: &str, to: &str, how: Dynamic) -> ScriptResult<i64> {
        between(&ctx, (from, to), &how, |search, (from, to)| {
            let steps = search.steps(&Area::from_iter([from]), Some(to))?;
            Ok(get(&steps, to).unwrap_or(-1))
        })
    }

    /// The number of steps from a space, or from the nearest of several, to every space that can be
    /// reached.
    #[rhai_fn(return_raw)]
    pub fn steps_from(
        ctx: NativeCallContext,
        starts: Dynamic,
        how: Dynamic,
    ) -> ScriptResult<Field> {
        let steps = from_starts(&ctx, &starts, &how, |search, starts| {
            search.steps(starts, None)
        })?;
        Ok(field(&steps))
    }

    /// The cost of the cheapest way from a space, or from one of several, to every space that can
    /// be reached (`how` as for `flood`).
    #[rhai_fn(return_raw)]
    pub fn costs_from(
        ctx: NativeCallContext,
        starts: Dynamic,
        how: Dynamic,
    ) -> ScriptResult<Field> {
        reach(ctx, starts, i64::MAX, how)
    }

    /// The cost of the cheapest way to every space that can be reached for at most this many
    /// points.
    #[rhai_fn(return_raw)]
    pub fn reach(
        ctx: NativeCallContext,
        starts: Dynamic,
        points: i64,
        how: Dynamic,
    ) -> ScriptResult<Field> {
        let costs = from_starts(&ctx, &starts, &how, |search, starts| {
            search.costs(starts, points)
        })?;
        Ok(field(&costs))
    }

    /// The cost of one step to a neighbour (`how` as for `flood`), -1 if it is closed or they do
    /// not adjoin.
    #[rhai_fn(return_raw)]
    pub fn step_cost(
        ctx: NativeCallContext,
        from: &str,
        to: &str,
        how: Dynamic,
    ) -> ScriptResult<i64> {
        between(&ctx, (from, to), &how, |search, (from, to)| {
            if !search.game().map.adjoin(from, to) {
                return Ok(-1);
            }
            Ok(search.step((from, to), true)?.unwrap_or(-1))
        })
    }

    /// The cheapest way (`how` as for `flood`): the spaces after the start, or `()` when no way
    /// leads. Of equally dear ways by terms the one with the fewest spaces; then the one that, at
    /// the first difference, has the space earlier in the map file.
    #[rhai_fn(return_raw)]
    pub fn cheapest(
        ctx: NativeCallContext,
        from: &str,
        to: &str,
        how: Dynamic,
    ) -> ScriptResult<Dynamic> {
        between(&ctx, (from, to), &how, |search, (from, to)| {
            let way = search.cheapest(from, to)?;
            let way: Option<Array> = way.map(|(way, _)| names(search.game(), way.into_iter()));
            Ok(way.map_or(Dynamic::UNIT, Dynamic::from))
        })
    }

    /// The cost of the cheapest way, -1 if there is none.
    #[rhai_fn(return_raw)]
    pub fn path_cost(
        ctx: NativeCallContext,
        from: &str,
        to: &str,
        how: Dynamic,
    ) -> ScriptResult<i64> {
        between(&ctx, (from, to), &how, |search, (from, to)| {
            let way = search.cheapest(from, to)?;
            Ok(way.map_or(-1, |(_, cost)| cost))
        })
    }

    /// What it costs to go along a way (the spaces after the start, as `cheapest` gives them), -1
    /// where a step of it is closed or leads to no neighbour.
    #[rhai_fn(return_raw)]
    pub fn way_cost(
        ctx: NativeCallContext,
        from: &str,
        way: Array,
        how: Dynamic,
    ) -> ScriptResult<i64> {
        let stage = stage(&ctx)?;
        let mut spaces = vec![number(&stage.game, from)?];
        for space in &way {
            let id = text_of(space).ok_or_else(|| error("a way is a list of spaces"))?;
            spaces.push(number(&stage.game, &id)?);
        }
        let cost = Search::new(&ctx, &stage, &how)?.along(&spaces)?;
        Ok(cost.unwrap_or(-1))
    }
}
