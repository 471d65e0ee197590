//! The prices of steps in a table for one class of units: ground, hexsides, slopes, roads.

use rhai::{Dynamic, Map};

use crate::{
    game::{
        Area, Game, Table,
        hex::{HexMap, ROAD, SideBits},
    },
    rules::{
        convert::text_of,
        functions::areas::area_of,
        stage::{ScriptResult, Stage, error},
    },
    value::Value,
};

/// The keys of terms that say more of a table's prices.
pub(super) const KEYS: [&str; 4] = ["slopes", "eased", "rough", "roadless"];

/// The price of a step along a class of roads, in place of the ground's.
#[derive(Clone, Copy, Debug)]
enum RoadPrice {
    /// A fixed price.
    Fixed(i64),
    /// Half of the price of the ground, rounded down and 1 at least; or this number where the
    /// ground is closed but the road still open.
    Half(Option<i64>),
}

impl RoadPrice {
    /// Reads a table's value: a number, `half`, or `[half, number]`.
    fn of(said: &Value) -> Option<Self> {
        let number = |value: &Value| value.as_int().filter(|cost| *cost >= 0);
        let half = |value: &Value| value.as_text() == Some("half");
        match said {
            Value::List(both) => match both.as_slice() {
                [first, closed] if half(first) => Some(Self::Half(Some(number(closed)?))),
                _ => None,
            },
            _ if half(said) => Some(Self::Half(None)),
            _ => number(said).map(Self::Fixed),
        }
    }

    /// The least that it can be, whatever the ground costs.
    fn least(self) -> i64 {
        match self {
            Self::Fixed(cost) => cost,
            Self::Half(closed) => closed.map_or(1, |cost| cost.min(1)),
        }
    }

    fn of_ground(self, ground: Option<i64>) -> Option<i64> {
        match (self, ground) {
            (Self::Fixed(cost), _) => Some(cost),
            (Self::Half(_), Some(ground)) => Some((ground / 2).max(1)),
            (Self::Half(closed), None) => closed,
        }
    }
}

/// The costs of steps for one class of units, by a table.
pub(super) struct Prices {
    terrains: Vec<Option<i64>>,
    kinds: Vec<Option<i64>>,
    road: Option<i64>,
    bridged: Option<i64>,
    /// Classes of roads that have a price, with their bits.
    classes: Vec<(SideBits, RoadPrice)>,
    /// The prices of slopes, by levels: the first for one level, the last for all that are higher.
    slopes: Vec<Option<i64>>,
    /// The classes of roads along which a slope counts one level less.
    eased: SideBits,
    rough: Area,
    rough_price: Option<i64>,
    roadless: Area,
}

/// The column of a table for one class of units.
struct PriceColumn<'a> {
    table: &'a Table,
    class: &'a str,
}

impl PriceColumn<'_> {
    fn said(&self, name: &str) -> Option<&Value> {
        self.table.values.get(name)?.get(self.class)
    }

    fn price(&self, name: &str) -> Option<i64> {
        self.said(name)?.as_int().filter(|cost| *cost >= 0)
    }
}

impl Prices {
    /// Reads a table: under `values` a map of classes for each terrain and kind of side, for `road`
    /// and for `bridged`, and for what the terms `said` name besides. Anything that the table does
    /// not name can't be entered or crossed.
    pub fn of(stage: &Stage, said: &Map, table: &str, class: &str) -> ScriptResult<Self> {
        let game = &stage.game;
        let found = game.tables.get(table);
        let found = found.ok_or_else(|| error(format!("there is no table `{table}`")))?;
        if !found.values.values().any(|row| row.get(class).is_some()) {
            return Err(error(format!("the table `{table}` has no class `{class}`")));
        }
        let column = PriceColumn {
            table: found,
            class,
        };
        let hexes = game.map.hexes();
        let features = hexes.map_or(&[][..], |hexes| &hexes.file().features);
        let terrains = game.map.map().terrains.iter();
        let area = |key: &str| {
            let said = said.get(key);
            said.map_or_else(|| Ok(Area::default()), |said| area_of(stage, said))
        };
        let slopes = match said.get("slopes") {
            Some(said) => listed(said, "slopes")?,
            None => Vec::new(),
        };
        let unknown = slopes.iter().find(|name| !found.values.contains_key(*name));
        if let Some(name) = unknown {
            return Err(error(format!("the table `{table}` has no slope `{name}`")));
        }
        let eased = match said.get("eased") {
            Some(said) => road_classes(game, &listed(said, "eased")?)?,
            None => 0,
        };
        Ok(Self {
            terrains: terrains.map(|name| column.price(name)).collect(),
            kinds: features.iter().map(|kind| column.price(&kind.id)).collect(),
            road: column.price("road"),
            bridged: column.price("bridged"),
            classes: hexes.map_or_else(Vec::new, |hexes| class_prices(hexes, &column)),
            slopes: slopes.iter().map(|name| column.price(name)).collect(),
            eased,
            rough: area("rough")?,
            rough_price: column.price("rough"),
            roadless: area("roadless")?,
        })
    }

    /// What every open step costs at least.
    pub fn least(&self) -> i64 {
        let grounds = self.terrains.iter().copied().flatten();
        let roads = self.classes.iter().map(|(_, price)| price.least());
        let flat = [self.road, self.bridged].into_iter().flatten();
        grounds.chain(roads).chain(flat).min().unwrap_or(0)
    }

    /// The price of a step to a neighbour, if it is open.
    pub fn step(
        &self,
        game: &Game,
        ends: (usize, usize),
        across: SideBits,
        bridged: bool,
    ) -> Option<i64> {
        if bridged {
            return self.bridged;
        }
        let (from, to) = ends;
        let by_road = across & ROAD != 0 && !self.roadless.contains(to);
        if by_road && self.road.is_some() {
            return self.road;
        }
        let roads = if by_road { across } else { 0 };
        let ground = self.entered(game, to, roads)?;
        let kinds = self.kinds.iter().enumerate();
        let mut cost = ground.saturating_add(self.slope(game, from, to, roads)?);
        for (_, price) in kinds.filter(|(bit, _)| across & (1 << bit) != 0) {
            cost = cost.saturating_add((*price)?);
        }
        Some(cost)
    }

    /// The price of a space's ground along these roads: the cheapest, or none.
    fn entered(&self, game: &Game, to: usize, roads: SideBits) -> Option<i64> {
        let terrain = self.terrains.get(game.map.terrain(to)).copied().flatten();
        let ground = match self.rough.contains(to) {
            true => terrain
                .zip(self.rough_price)
                .map(|(a, b)| a.saturating_add(b)),
            false => terrain,
        };
        let by_road = self.classes.iter().filter(|(class, _)| roads & class != 0);
        let by_road = by_road.filter_map(|(_, price)| price.of_ground(ground));
        by_road.chain(ground).min()
    }

    /// The price of the slope between two hexes, up or down; none if the terms name no slopes.
    fn slope(&self, game: &Game, from: usize, to: usize, roads: SideBits) -> Option<i64> {
        let Some(most) = self.slopes.len().checked_sub(1) else {
            return Some(0);
        };
        let climb = game.map.hexes()?.climb(from, to).unsigned_abs();
        let levels = climb.saturating_sub(u64::from(roads & self.eased != 0));
        let Some(over_one) = levels.checked_sub(1) else {
            return Some(0);
        };
        let at = usize::try_from(over_one).unwrap_or(most).min(most);
        self.slopes.get(at).copied().flatten()
    }
}

/// The prices of the classes of roads that a table names.
fn class_prices(hexes: &HexMap, column: &PriceColumn<'_>) -> Vec<(SideBits, RoadPrice)> {
    let classes = hexes.file().road_classes.iter();
    let prices = classes.filter_map(|class| {
        let price = RoadPrice::of(column.said(&class.id)?)?;
        Some((hexes.road_class(&class.id)?, price))
    });
    prices.collect()
}

/// The bits of classes of roads that a script names.
fn road_classes(game: &Game, names: &[String]) -> ScriptResult<SideBits> {
    let mut bits = 0;
    for name in names {
        let class = game.map.hexes().and_then(|hexes| hexes.road_class(name));
        bits |= class.ok_or_else(|| error(format!("there is no class of roads `{name}`")))?;
    }
    Ok(bits)
}

/// A list of names.
fn listed(said: &Dynamic, key: &str) -> ScriptResult<Vec<String>> {
    let wrong = || error(format!("`{key}` of a way is a list of names"));
    let list = said.read_lock::<rhai::Array>().ok_or_else(wrong)?;
    let names = list.iter().map(|item| text_of(item).ok_or_else(wrong));
    names.collect()
}
