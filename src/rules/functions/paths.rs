//! Ways over the map. The loops belong to the host, the decision about each road to the script.

use std::collections::VecDeque;

use rhai::{
    Dynamic,
    plugin::{NativeCallContext, export_module},
};
use rhai::{FnPtr, ImmutableString};

use super::map::number;
use crate::{
    game::Game,
    rules::stage::{RhaiResultOf, stage},
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
    // Costs to the goal first, so that the way can then be chosen from its beginning.
    let count = game.map.map().spaces.len();
    let mut costs = std::collections::BTreeMap::new();
    for here in 0..count {
        for &next in game.map.neighbours(here) {
            let price = cost(here, next)?;
            if price >= 0 {
                costs.insert((here, next), price);
            }
        }
    }
    let mut left: Vec<Option<i64>> = vec![None; count];
    left[to] = Some(0);
    let mut queue = std::collections::BTreeSet::from([(0_i64, to)]);
    while let Some((price, here)) = queue.pop_first() {
        if left[here].is_some_and(|known| known < price) {
            continue;
        }
        for &before in game.map.neighbours(here) {
            let Some(step) = costs.get(&(before, here)) else {
                continue;
            };
            let total = price.saturating_add(*step);
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
    use rhai::{Array, Map};

    use crate::rules::convert::text_of;

    /// The least number of roads between two spaces, whatever stands on them; -1 when no way leads.
    #[rhai_fn(return_raw)]
    pub fn distance(ctx: NativeCallContext, a: &str, b: &str) -> RhaiResultOf<i64> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let steps = spread(game, &[number(game, a)?], |_, _| Ok(true))?;
        Ok(steps[number(game, b)?].unwrap_or(-1))
    }

    /// The spaces that can be reached from the starts over the roads that `open(from, to)` allows, the starts
    /// included, in map-file order.
    #[rhai_fn(return_raw)]
    pub fn flood(ctx: NativeCallContext, starts: Array, open: FnPtr) -> RhaiResultOf<Array> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let starts = starts
            .iter()
            .map(|start| number(game, &text_of(start).unwrap_or_default()))
            .collect::<RhaiResultOf<Vec<_>>>()?;
        let steps = spread(game, &starts, |a, b| judge(&ctx, game, &open, a, b))?;
        let reached = steps
            .iter()
            .enumerate()
            .filter(|(_, steps)| steps.is_some());
        Ok(reached.map(|(space, _)| name(game, space).into()).collect())
    }

    /// The least number of roads from one space to another over the roads that `open(from, to)` allows; -1 when no
    /// way leads.
    #[rhai_fn(return_raw)]
    pub fn steps(ctx: NativeCallContext, from: &str, to: &str, open: FnPtr) -> RhaiResultOf<i64> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let steps = spread(game, &[number(game, from)?], |a, b| {
            judge(&ctx, game, &open, a, b)
        })?;
        Ok(steps[number(game, to)?].unwrap_or(-1))
    }

    /// The same to every space that can be reached: a map from space to number of roads.
    #[rhai_fn(return_raw)]
    pub fn steps_from(ctx: NativeCallContext, start: &str, open: FnPtr) -> RhaiResultOf<Map> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let steps = spread(game, &[number(game, start)?], |a, b| {
            judge(&ctx, game, &open, a, b)
        })?;
        let reached = steps
            .iter()
            .enumerate()
            .filter_map(|(space, steps)| Some((space, (*steps)?)));
        Ok(reached
            .map(|(space, steps)| (name(game, space).as_str().into(), steps.into()))
            .collect())
    }

    /// The cheapest way by `cost(from, to)` (negative: closed): the spaces after the start, or `()` when no way
    /// leads. Of equal ways the one that, at the first difference, has the space earlier in the map file.
    #[rhai_fn(return_raw)]
    pub fn cheapest(
        ctx: NativeCallContext,
        from: &str,
        to: &str,
        cost: FnPtr,
    ) -> RhaiResultOf<Dynamic> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let way = cheapest_way(game, number(game, from)?, number(game, to)?, |a, b| {
            judge(&ctx, game, &cost, a, b)
        })?;
        Ok(way.map_or(Dynamic::UNIT, |(way, _)| {
            way.into_iter()
                .map(|space| Dynamic::from(name(game, space)))
                .collect::<Array>()
                .into()
        }))
    }

    /// What the cheapest way costs, -1 when no way leads.
    #[rhai_fn(return_raw)]
    pub fn path_cost(
        ctx: NativeCallContext,
        from: &str,
        to: &str,
        cost: FnPtr,
    ) -> RhaiResultOf<i64> {
        let stage = stage(&ctx)?;
        let game = &stage.game;
        let way = cheapest_way(game, number(game, from)?, number(game, to)?, |a, b| {
            judge(&ctx, game, &cost, a, b)
        })?;
        Ok(way.map_or(-1, |(_, cost)| cost))
    }
}
