//! The map with its look-ups: neighbours, roads by their ends, positions in file order.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Area,
    hex::{HexFile, HexMap},
    model::{Map, Road, Space},
};
use crate::{ids::PlaceId, ordered::IndexMap};

/// A map that answers quickly; copies share what they know.
///
/// A map is of points, joined by roads, or of hexes; both have numbered spaces with neighbours,
/// roads and regions.
#[derive(Clone, Debug)]
pub struct MapIndex(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    map: Map,
    hexes: Option<HexMap>,
    /// Empty for a hex map, whose labels are read.
    by_id: IndexMap<PlaceId, usize>,
    /// The neighbours of a space are those from its start to the next one's.
    neighbours: Vec<usize>,
    starts: Vec<usize>,
    roads: BTreeMap<(usize, usize), usize>,
    /// Terrains of spaces, by their positions in the map's list.
    terrains: Vec<usize>,
    regions: IndexMap<String, Area>,
}

impl MapIndex {
    /// Indexes a map whose roads join known spaces; the others are left out (the loader refuses
    /// them).
    #[must_use]
    pub fn new(map: Map) -> Self {
        let by_id: IndexMap<_, _> = map
            .spaces
            .iter()
            .enumerate()
            .map(|(i, space)| (space.id.clone(), i))
            .collect();
        let mut neighbours = vec![Vec::new(); map.spaces.len()];
        for road in &map.roads {
            if let (Some(&a), Some(&b)) = (by_id.get(&road.a), by_id.get(&road.b)) {
                neighbours[a].push(b);
                neighbours[b].push(a);
            }
        }
        Self::indexed(map, None, by_id, neighbours.into_iter())
    }

    /// Indexes a map of hexes. Names in its file that its grid does not have are left out (the
    /// loader refuses them).
    #[must_use]
    pub fn of_hexes(file: HexFile) -> Self {
        let (hexes, map) = HexMap::new(file);
        let grid = hexes.grid().clone();
        let near = (0..map.spaces.len()).map(move |hex| {
            let six = (0..6).filter_map(|direction| grid.neighbour(hex, direction));
            six.collect()
        });
        Self::indexed(map, Some(hexes), IndexMap::default(), near)
    }

    fn indexed(
        map: Map,
        hexes: Option<HexMap>,
        by_id: IndexMap<PlaceId, usize>,
        lists: impl Iterator<Item = Vec<usize>>,
    ) -> Self {
        let (mut neighbours, mut starts) = (Vec::new(), vec![0]);
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            neighbours.extend(list);
            starts.push(neighbours.len());
        }
        let terrain = |space: &Space| map.terrains.iter().position(|it| *it == space.terrain);
        let terrains = map.spaces.iter().map(|it| terrain(it).unwrap_or(0));
        let mut inner = Inner {
            terrains: terrains.collect(),
            map,
            hexes,
            by_id,
            neighbours,
            starts,
            roads: BTreeMap::new(),
            regions: IndexMap::default(),
        };
        let number = |id: &PlaceId| inner.number(id);
        let ends = |road: &Road| Some((number(&road.a)?, number(&road.b)?));
        let roads = inner.map.roads.iter().enumerate();
        let roads = roads.filter_map(|(at, road)| {
            let (a, b) = ends(road)?;
            Some(((a.min(b), a.max(b)), at))
        });
        let regions = inner.map.regions.iter().map(|(name, region)| {
            let spaces = region.spaces.iter().filter_map(number);
            (name.clone(), spaces.collect())
        });
        let (roads, regions) = (roads.collect(), regions.collect());
        (inner.roads, inner.regions) = (roads, regions);
        Self(Arc::new(inner))
    }

    /// The map as the file has it.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.0.map
    }

    /// The grid and the hexsides, if it is a map of hexes.
    #[must_use]
    pub fn hexes(&self) -> Option<&HexMap> {
        self.0.hexes.as_ref()
    }

    /// How many spaces there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.map.spaces.len()
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.map.spaces.is_empty()
    }

    /// The position of a space in the file: its number in all look-ups here.
    #[must_use]
    pub fn number(&self, id: &str) -> Option<usize> {
        self.0.number(id)
    }

    /// A space by its number.
    #[must_use]
    pub fn space_at(&self, number: usize) -> Option<&Space> {
        self.0.map.spaces.get(number)
    }

    /// A space by its id.
    #[must_use]
    pub fn space(&self, id: &str) -> Option<&Space> {
        self.number(id).and_then(|number| self.space_at(number))
    }

    /// Numbers of the neighbours of a space, in file order: the spaces that roads lead to, the
    /// hexes that adjoin.
    #[must_use]
    pub fn neighbours(&self, number: usize) -> &[usize] {
        let bound = |at: usize| self.0.starts.get(at).copied();
        let range = bound(number).zip(bound(number + 1));
        range
            .and_then(|(start, end)| self.0.neighbours.get(start..end))
            .unwrap_or_default()
    }

    /// Returns true if two spaces are neighbours.
    #[must_use]
    pub fn adjoin(&self, a: usize, b: usize) -> bool {
        self.neighbours(a).binary_search(&b).is_ok()
    }

    /// The terrain of a space, a position in the map's list.
    #[must_use]
    pub fn terrain(&self, number: usize) -> usize {
        self.0.terrains.get(number).copied().unwrap_or_default()
    }

    /// The number of the road between two spaces, in either direction.
    #[must_use]
    pub fn road_number(&self, a: usize, b: usize) -> Option<usize> {
        self.0.roads.get(&(a.min(b), a.max(b))).copied()
    }

    /// The road between two spaces, in either direction.
    #[must_use]
    pub fn road(&self, a: &str, b: &str) -> Option<&Road> {
        let number = self.road_number(self.number(a)?, self.number(b)?)?;
        self.0.map.roads.get(number)
    }

    /// The spaces of a region.
    #[must_use]
    pub fn region(&self, name: &str) -> Option<&Area> {
        self.0.regions.get(name)
    }
}

impl Inner {
    fn number(&self, id: &str) -> Option<usize> {
        match &self.hexes {
            // Labels are written in one way only: an id is what a world keeps.
            Some(hexes) => {
                let number = hexes.grid().number(id)?;
                (self.map.spaces.get(number)?.id == *id).then_some(number)
            }
            None => self.by_id.get(id).copied(),
        }
    }
}
