//! The map with its look-ups: neighbours, roads by their ends, positions in file order.

use std::collections::{BTreeMap, HashMap};

use super::model::{Map, Road, Space};
use crate::ids::PlaceId;

/// A map that answers quickly. Only looked up by key, never iterated through a hash map.
#[derive(Clone, Debug)]
pub struct MapIndex {
    map: Map,
    by_id: HashMap<PlaceId, usize>,
    neighbours: Vec<Vec<usize>>,
    roads: BTreeMap<(usize, usize), usize>,
}

impl MapIndex {
    /// Indexes a map whose roads join known spaces; the others are left out (the loader refuses them).
    #[must_use]
    pub fn new(map: Map) -> Self {
        let by_id: HashMap<_, _> = map
            .spaces
            .iter()
            .enumerate()
            .map(|(i, space)| (space.id.clone(), i))
            .collect();
        let mut neighbours = vec![Vec::new(); map.spaces.len()];
        let mut roads = BTreeMap::new();
        for (number, road) in map.roads.iter().enumerate() {
            let (Some(&a), Some(&b)) = (by_id.get(&road.a), by_id.get(&road.b)) else {
                continue;
            };
            neighbours[a].push(b);
            neighbours[b].push(a);
            roads.insert((a.min(b), a.max(b)), number);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Self {
            map,
            by_id,
            neighbours,
            roads,
        }
    }

    /// What the file says.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The position of a space in the file: its number in all look-ups here.
    #[must_use]
    pub fn number(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// A space by its number.
    #[must_use]
    pub fn space_at(&self, number: usize) -> Option<&Space> {
        self.map.spaces.get(number)
    }

    /// A space by its id.
    #[must_use]
    pub fn space(&self, id: &str) -> Option<&Space> {
        self.number(id).and_then(|number| self.space_at(number))
    }

    /// Numbers of the neighbours of a space, in file order.
    #[must_use]
    pub fn neighbours(&self, number: usize) -> &[usize] {
        self.neighbours.get(number).map_or(&[], Vec::as_slice)
    }

    /// The number of the road between two spaces, in either direction.
    #[must_use]
    pub fn road_number(&self, a: usize, b: usize) -> Option<usize> {
        self.roads.get(&(a.min(b), a.max(b))).copied()
    }

    /// The road between two spaces, in either direction.
    #[must_use]
    pub fn road(&self, a: &str, b: &str) -> Option<&Road> {
        let number = self.road_number(self.number(a)?, self.number(b)?)?;
        self.map.roads.get(number)
    }
}
