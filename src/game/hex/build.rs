//! Builds the map from the file: spaces, roads and regions as every map has them, and the table of
//! hexsides.
//!
//! Names in the file that the grid does not have are passed over here; the check of the game
//! reports them.

use std::collections::{HashMap, HashSet};

use super::{Grid, HexFile, HexMap, ROAD, SideBits, Zone};
use crate::{
    game::{Area, Map, Provenance, Region, Road, Space},
    ids::PlaceId,
    ordered::IndexMap,
};

impl HexMap {
    /// Builds the map of a file.
    pub(crate) fn new(file: HexFile) -> (Self, Map) {
        let grid = Grid::new(file.grid.clone());
        let mut map = Self {
            sides: vec![0; grid.len() * 6],
            levels: vec![0; grid.len()],
            crests: HashMap::new(),
            places: HashMap::with_capacity(file.places.len()),
            named: HashMap::with_capacity(file.places.len()),
            grid,
            file,
        };
        map.take_places();
        let roads = map.take_roads();
        map.take_sides();
        map.take_levels();
        let spaces = map.spaces();
        let regions = map.regions(&spaces);
        let known = map.file.terrains.values().cloned();
        let all = Map {
            terrains: known.collect(),
            roads: roads_between(&roads, &spaces),
            spaces,
            regions,
            waters: IndexMap::default(),
            drawing: None,
        };
        (map, all)
    }

    fn take_places(&mut self) {
        for (position, place) in self.file.places.iter().enumerate() {
            if let Some(hex) = self.grid.number(&place.hex) {
                self.places.insert(place.id.clone(), hex);
                self.named.entry(hex).or_insert(position);
            }
        }
    }

    /// Puts bits on both faces of a hexside.
    fn put(&mut self, a: usize, b: usize, bits: impl Fn(SideBits) -> SideBits) -> bool {
        let directions = (self.grid.direction(a, b), self.grid.direction(b, a));
        let (Some(there), Some(back)) = directions else {
            return false;
        };
        for place in [a * 6 + there, b * 6 + back] {
            if let Some(side) = self.sides.get_mut(place) {
                *side = bits(*side);
            }
        }
        true
    }

    /// Steps along roads, each once, in the order of the file, with where they come from.
    fn take_roads(&mut self) -> Vec<(usize, usize, Provenance)> {
        let mut steps = Vec::new();
        let mut known = HashSet::new();
        let routes = std::mem::take(&mut self.file.roads);
        for route in &routes {
            let hexes: Vec<_> = route
                .hexes
                .iter()
                .map(|hex| self.grid.number(hex))
                .collect();
            for pair in hexes.windows(2) {
                let &[Some(a), Some(b)] = pair else { continue };
                let class = route.class.as_ref().and_then(|id| self.road_class(id));
                let bits = ROAD | class.unwrap_or(0);
                let new = known.insert((a.min(b), a.max(b)));
                if self.put(a, b, |side| side | bits) && new {
                    steps.push((a.min(b), a.max(b), route.source));
                }
            }
        }
        self.file.roads = routes;
        steps
    }

    /// Rivers first, then what lies over them: a crossing hides the river on its side.
    fn take_sides(&mut self) {
        let mut found = Vec::new();
        for line in &self.file.lines {
            let bit = self.kind(&line.kind).unwrap_or(0);
            let ends = line.sides.iter().filter_map(|side| self.ends(side));
            found.extend(ends.map(|ends| (ends, bit, 0)));
        }
        for crossing in &self.file.crossings {
            let kinds = &mut self.file.features.iter();
            let over = kinds.find(|kind| kind.id == crossing.kind);
            let over = over.and_then(|kind| self.kind(kind.over.as_ref()?));
            let bit = self.kind(&crossing.kind).unwrap_or(0);
            let ends = self.ends(&crossing.side);
            found.extend(ends.map(|ends| (ends, bit, over.unwrap_or(0))));
        }
        for ((a, b), bit, hidden) in found {
            self.put(a, b, |side| (side | bit) & !hidden);
        }
    }

    fn take_levels(&mut self) {
        for number in 0..self.grid.len() {
            let (column, row) = self.grid.column_and_row(number);
            let level = self.file.levels.get(row).and_then(|row| row.level(column));
            if let (Some(place), Some(level)) = (self.levels.get_mut(number), level) {
                *place = level;
            }
        }
        let lines = self.file.lines.iter();
        let sides = lines.flat_map(|line| line.sides.iter().zip(std::iter::repeat(line.level)));
        let crests = sides.filter_map(|(side, level)| {
            let (a, b) = self.ends(side)?;
            Some(((a.min(b), a.max(b)), level?.into()))
        });
        self.crests = crests.collect();
    }

    fn spaces(&self) -> Vec<Space> {
        let letters: Vec<&[u8]> = self.file.rows.iter().map(String::as_bytes).collect();
        let terrain = |column: usize, row: usize| {
            let letter = letters.get(row).and_then(|line| line.get(column));
            let found = letter.and_then(|letter| self.file.terrains.get(&char::from(*letter)));
            found.cloned().unwrap_or_default()
        };
        let hexes = (0..self.grid.len()).map(|number| {
            let (column, row) = self.grid.column_and_row(number);
            let label = self.grid.label(number);
            let place = self.place(number);
            let mut data = place.map(|place| place.data.clone()).unwrap_or_default();
            if let Some(more) = self.file.data.get(label.as_str()) {
                data.extend(more.clone());
            }
            Space {
                name: place.map_or_else(|| label.clone(), |place| place.name.clone()),
                id: label.into(),
                names: place.map(|place| place.names.clone()).unwrap_or_default(),
                aliases: place.map(|place| place.aliases.clone()).unwrap_or_default(),
                terrain: terrain(column, row),
                lat: 0,
                lon: 0,
                data,
                source: place.map_or(self.file.source, |place| place.source),
            }
        });
        hexes.collect()
    }

    fn regions(&self, spaces: &[Space]) -> IndexMap<String, Region> {
        let mut areas: IndexMap<&str, Area> = IndexMap::default();
        for (name, zone) in &self.file.regions {
            let area = self.area(zone, &areas);
            areas.insert(name, area);
        }
        let ids = |area: &Area| -> Vec<PlaceId> {
            let spaces = area.iter().filter_map(|hex| spaces.get(hex));
            spaces.map(|space| space.id.clone()).collect()
        };
        let regions = self.file.regions.iter().zip(areas.values());
        regions
            .map(|((name, zone), area)| {
                let region = Region {
                    spaces: ids(area),
                    source: zone.source.unwrap_or(self.file.source),
                };
                (name.clone(), region)
            })
            .collect()
    }

    /// The hexes of a zone; `known` are those before it.
    fn area(&self, zone: &Zone, known: &IndexMap<&str, Area>) -> Area {
        let mut area: Area = match &zone.spaces {
            Some(names) => names.iter().filter_map(|name| self.number(name)).collect(),
            None => (0..self.grid.len()).collect(),
        };
        if let Some(steps) = zone.within {
            let starts: Area = zone
                .of
                .iter()
                .filter_map(|name| self.number(name))
                .collect();
            let near = starts
                .iter()
                .flat_map(|start| self.grid.within(start, steps));
            area = area.intersection(&near.collect());
        }
        if let Some(inside) = &zone.inside {
            let outer = known.get(inside.as_str()).cloned().unwrap_or_default();
            area = area.intersection(&outer);
        }
        let between =
            |at: usize, range: Option<[usize; 2]>| range.is_none_or(|[a, b]| (a..=b).contains(&at));
        let in_frame = |hex: &usize| {
            let (column, row) = self.grid.column_and_row(*hex);
            between(column + 1, zone.columns) && between(row + 1, zone.rows)
        };
        area = area.iter().filter(in_frame).collect();
        match zone.from.as_ref().and_then(|name| self.number(name)) {
            Some(start) => self.connected(start, &area, &zone.without_crossing),
            None => area,
        }
    }

    /// The hexes of an area that are connected with one without crossing lines, bridged or not.
    fn connected(&self, start: usize, area: &Area, lines: &[String]) -> Area {
        let lines = lines.iter().filter_map(|id| self.line(id));
        let ends = lines.flat_map(|line| line.sides.iter().filter_map(|side| self.ends(side)));
        let closed: HashSet<_> = ends.map(|(a, b)| (a.min(b), a.max(b))).collect();
        let mut reached = Area::default();
        let mut open: Vec<_> = area.contains(start).then_some(start).into_iter().collect();
        for start in &open {
            reached.insert(*start);
        }
        while let Some(here) = open.pop() {
            for next in (0..6).filter_map(|direction| self.grid.neighbour(here, direction)) {
                let crosses = closed.contains(&(here.min(next), here.max(next)));
                if !crosses && area.contains(next) && reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }
}

fn roads_between(steps: &[(usize, usize, Provenance)], spaces: &[Space]) -> Vec<Road> {
    let roads = steps.iter().filter_map(|(a, b, source)| {
        let (a, b) = (spaces.get(*a)?, spaces.get(*b)?);
        Some(Road {
            a: a.id.clone(),
            b: b.id.clone(),
            river: None,
            data: crate::value::Fields::new(),
            source: *source,
        })
    });
    roads.collect()
}
