//! The ways of a flood: what a step from a space to a neighbour costs, and whether it is open. A
//! script says it in one map, or by a function.

use std::collections::BTreeMap;

use rhai::{Dynamic, FnPtr, Map, plugin::NativeCallContext};

use super::{
    areas::{area_of, name},
    prices::{self, Prices},
};
use crate::{
    game::{
        Area, Game,
        hex::{ROAD, SideBits},
    },
    rules::{
        convert::text_of,
        stage::{ScriptResult, Stage, error},
    },
};

/// The terms of a way, for errors.
const KEYS: &str = "not_into, not_from, not_over, not_across, bridged, unbridged, roads, table, class, slopes, \
    eased, rough, roadless, dear, surcharge, stops, leaving";

/// How steps are judged.
pub(super) enum StepJudge {
    /// A function of the script: true or a cost opens a step, false or a negative cost closes it.
    Asked(FnPtr),
    /// Terms, judged without the script.
    Terms(Box<Terms>),
}

impl StepJudge {
    /// Reads a script's terms.
    pub fn of(stage: &Stage, said: &Dynamic) -> ScriptResult<Self> {
        if let Some(terms) = said.read_lock::<Map>() {
            return Terms::of(stage, &terms).map(|terms| Self::Terms(Box::new(terms)));
        }
        let asked = said.read_lock::<FnPtr>().map(|asked| asked.clone());
        asked
            .map(Self::Asked)
            .ok_or_else(|| error("which steps are open is said by a function or by a map of terms"))
    }

    /// Tells whether a step between two neighbours is open, and what it costs; `first` is true of
    /// one from a start.
    pub fn step(
        &self,
        ctx: &NativeCallContext,
        game: &Game,
        (from, to): (usize, usize),
        first: bool,
    ) -> ScriptResult<Option<i64>> {
        let Self::Asked(asked) = self else {
            let terms = self.terms();
            return Ok(terms.and_then(|terms| terms.step(game, (from, to), first)));
        };
        let said: Dynamic = asked.call_within_context(ctx, (name(game, from), name(game, to)))?;
        if let Ok(open) = said.as_bool() {
            return Ok(open.then_some(1));
        }
        let cost = said.as_int().map_err(|kind| {
            error(format!(
                "a step is judged by a number or a truth, not {kind}"
            ))
        })?;
        Ok((cost >= 0).then_some(cost))
    }

    fn terms(&self) -> Option<&Terms> {
        match self {
            Self::Asked(_) => None,
            Self::Terms(terms) => Some(terms),
        }
    }

    /// What every open step costs at least.
    pub fn least(&self) -> i64 {
        self.terms().map_or(0, Terms::least)
    }

    /// Returns true if of equally dear ways the one with fewer spaces is the better.
    pub fn prefers_short(&self) -> bool {
        self.terms().is_some()
    }
}

/// The terms of a way: open steps and their costs.
#[derive(Default)]
pub(super) struct Terms {
    not_into: Area,
    not_from: Area,
    shut: Option<ClosedRoads>,
    not_across: SideBits,
    bridged: Vec<(usize, usize)>,
    /// Sides whose crossings are gone.
    unbridged: Vec<(usize, usize)>,
    roads: bool,
    prices: Option<Prices>,
    /// Areas that cost more to enter. The highest amount that applies is paid, once.
    dear: Vec<(Area, i64)>,
    /// Where a way ends that did not begin there.
    stops: Area,
    /// The cost of leaving a start that stops.
    leaving: i64,
}

/// Which roads a state closes.
struct ClosedRoads {
    /// The roads that the world knows to be open or closed, by their ends.
    known: BTreeMap<(usize, usize), bool>,
    /// True if all other roads are closed.
    others: bool,
}

fn pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

impl Terms {
    fn of(stage: &Stage, said: &Map) -> ScriptResult<Self> {
        let game = &stage.game;
        let mut terms = Self {
            dear: dear(stage, said)?,
            ..Self::default()
        };
        let text = |value: &Dynamic, key: &str| {
            text_of(value).ok_or_else(|| error(format!("`{key}` of a way is text")))
        };
        for (key, value) in said {
            match key.as_str() {
                "not_into" => terms.not_into = area_of(stage, value)?,
                "not_from" => terms.not_from = area_of(stage, value)?,
                "stops" => terms.stops = area_of(stage, value)?,
                "leaving" => terms.leaving = amount(value, key)?,
                "dear" | "surcharge" => {}
                "not_over" => terms.shut = Some(shut_roads(stage, &text(value, key)?)?),
                "not_across" => terms.not_across = kinds(game, value)?,
                "bridged" => terms.bridged = sides(game, value, key)?,
                "unbridged" => terms.unbridged = sides(game, value, key)?,
                "roads" => {
                    terms.roads = value.as_bool().map_err(|_| error("`roads` is a truth"))?;
                }
                "table" => {
                    let class = said.get("class").and_then(text_of);
                    let class = class.ok_or_else(|| error("a way by a table needs a `class`"))?;
                    terms.prices = Some(Prices::of(stage, said, &text(value, key)?, &class)?);
                }
                "class" if said.contains_key("table") => {}
                known if prices::KEYS.contains(&known) && said.contains_key("table") => {}
                _ => {
                    return Err(error(format!(
                        "a way has no `{key}`; there are: {KEYS} ({}, `class` with `table`)",
                        prices::KEYS.map(|key| format!("`{key}`")).join(", ")
                    )));
                }
            }
        }
        Ok(terms)
    }

    fn least(&self) -> i64 {
        self.prices.as_ref().map_or(1, Prices::least)
    }

    fn step(&self, game: &Game, (from, to): (usize, usize), first: bool) -> Option<i64> {
        let held = self.stops.contains(from);
        if self.not_from.contains(from)
            || self.not_into.contains(to)
            || held && (!first || self.stops.contains(to))
        {
            return None;
        }
        let ends = pair(from, to);
        let across = match game.map.hexes() {
            Some(hexes) if self.unbridged.contains(&ends) => {
                hexes.beneath(hexes.side_between(from, to)?)
            }
            Some(hexes) => hexes.side_between(from, to)?,
            None => ROAD,
        };
        let bridged = self.bridged.contains(&ends);
        let road = across & ROAD != 0;
        let shut = |shut: &ClosedRoads| road && *shut.known.get(&ends).unwrap_or(&shut.others);
        if self.roads && !road && !bridged
            || across & self.not_across != 0 && !bridged
            || self.shut.as_ref().is_some_and(shut)
        {
            return None;
        }
        let price = match &self.prices {
            None => 1,
            Some(prices) => prices.step(game, (from, to), across, bridged)?,
        };
        let dear = self.dear.iter().filter(|(area, _)| area.contains(to));
        let more = dear.map(|(_, cost)| *cost).max().unwrap_or(0);
        let leaving = if held { self.leaving } else { 0 };
        Some(price.saturating_add(more).saturating_add(leaving))
    }
}

/// A number of points that a script says.
fn amount(said: &Dynamic, key: &str) -> ScriptResult<i64> {
    let cost = said.as_int().ok().filter(|cost| *cost >= 0);
    cost.ok_or_else(|| error(format!("`{key}` of a way is a number, 0 or more")))
}

/// Reads the dear spaces: an area with a `surcharge`, or a list of pairs of both.
fn dear(stage: &Stage, said: &Map) -> ScriptResult<Vec<(Area, i64)>> {
    let more = said.get("surcharge");
    let more = more.map(|said| amount(said, "surcharge")).transpose()?;
    let Some(dear) = said.get("dear") else {
        return Ok(Vec::new());
    };
    let pair = |item: &Dynamic| {
        let pair = item.read_lock::<rhai::Array>()?;
        match pair.as_slice() {
            [area, cost] if cost.is_int() => Some((area.clone(), cost.clone())),
            _ => None,
        }
    };
    let list = dear.read_lock::<rhai::Array>();
    let pairs = list.map(|list| list.iter().map(pair).collect::<Option<Vec<_>>>());
    match pairs.flatten().filter(|pairs| !pairs.is_empty()) {
        Some(_) if more.is_some() => Err(error("`dear` says its own surcharges already")),
        Some(pairs) => {
            let read = pairs
                .iter()
                .map(|(area, cost)| Ok((area_of(stage, area)?, amount(cost, "dear")?)));
            read.collect()
        }
        None => Ok(vec![(area_of(stage, dear)?, more.unwrap_or(1))]),
    }
}

/// The bits of kinds of sides that a script names.
fn kinds(game: &Game, said: &Dynamic) -> ScriptResult<SideBits> {
    let list = said.read_lock::<rhai::Array>();
    let list = list.ok_or_else(|| error("`not_across` is a list of kinds of hexsides"))?;
    let mut bits = 0;
    for item in list.iter() {
        let id = text_of(item).unwrap_or_default();
        let bit = game.map.hexes().and_then(|hexes| hexes.kind(&id));
        bits |= bit.ok_or_else(|| error(format!("there is no kind of hexside `{id}`")))?;
    }
    Ok(bits)
}

/// Sides that a script names: a list of pairs of neighbours.
fn sides(game: &Game, said: &Dynamic, key: &str) -> ScriptResult<Vec<(usize, usize)>> {
    let wrong = || {
        let list = "is a list of sides, each a list of two neighbours";
        error(format!("`{key}` {list}"))
    };
    let list = said.read_lock::<rhai::Array>().ok_or_else(wrong)?;
    let side = |item: &Dynamic| {
        let ends = item.read_lock::<rhai::Array>().ok_or_else(wrong)?;
        let number = |end: &Dynamic| game.map.number(&text_of(end)?);
        match ends.as_slice() {
            [a, b] => number(a)
                .zip(number(b))
                .filter(|(a, b)| game.map.adjoin(*a, *b))
                .map(|(a, b)| pair(a, b))
                .ok_or_else(wrong),
            _ => Err(wrong()),
        }
    };
    list.iter().map(side).collect()
}

/// Which roads a state closes now.
fn shut_roads(stage: &Stage, state: &str) -> ScriptResult<ClosedRoads> {
    let game = &stage.game;
    let declared = game.decl.road_attributes.get(state);
    let declared = declared.ok_or_else(|| {
        error(format!(
            "roads have no state `{state}`; game.yaml declares them"
        ))
    })?;
    let run = stage.run()?;
    let ends = |key: &str| {
        let (a, b) = key.split_once('-')?;
        Some(pair(game.map.number(a)?, game.map.number(b)?))
    };
    let roads = run.world.roads.iter().filter_map(|(key, states)| {
        let shut = states.get(state)?.as_bool().unwrap_or(false);
        Some((ends(key)?, shut))
    });
    Ok(ClosedRoads {
        known: roads.collect(),
        others: declared.default.as_bool().unwrap_or(false),
    })
}
