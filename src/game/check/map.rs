//! Checks of a `map.yaml` of points: spaces, roads, regions, and that roads cross the rivers that
//! they name and no others.

use std::collections::{BTreeMap, BTreeSet};

use super::{GameCheck, geometry};
use crate::game::{Road, Water};

impl GameCheck<'_> {
    pub(super) fn map(&mut self) {
        self.turn_to_ground("map.yaml");
        if let Some(hexes) = self.game.map.hexes() {
            return self.hexes(hexes);
        }
        let map = self.game.map.map();
        self.unique("spaces", map.spaces.iter().map(|space| space.id.as_str()));
        self.unique("terrains", map.terrains.iter().map(String::as_str));
        for (number, space) in map.spaces.iter().enumerate() {
            let terrains = map.terrains.iter().map(String::as_str);
            let path = format!("spaces[{number}].terrain");
            self.known(path, "terrain", &space.terrain, terrains);
        }
        self.roads();
        self.connected();
        for (name, region) in &map.regions {
            let path = format!("regions.{name}.spaces");
            self.unique(&path, region.spaces.iter().map(|space| &**space));
            for (number, space) in region.spaces.iter().enumerate() {
                self.space(format!("{path}[{number}]"), space);
            }
        }
        if let Some(drawing) = &map.drawing {
            self.drawing(drawing);
        }
        for (number, road) in map.roads.iter().enumerate() {
            self.crossings(&format!("roads[{number}]"), road);
        }
    }

    /// Returns true if a space exists; says so if not.
    pub(super) fn space(&mut self, path: String, space: &str) -> bool {
        if self.game.map.number(space).is_some() {
            return true;
        }
        let spaces = self.game.map.map().spaces.iter();
        self.known(path, "space", space, spaces.map(|space| space.id.as_str()))
    }

    fn roads(&mut self) {
        let mut seen = BTreeMap::new();
        for (number, road) in self.game.map.map().roads.iter().enumerate() {
            let path = format!("roads[{number}]");
            self.space(format!("{path}.a"), &road.a);
            self.space(format!("{path}.b"), &road.b);
            if road.a == road.b {
                self.say(&path, format!("the road joins `{}` to itself", road.a));
            }
            let ends = (
                road.a.clone().min(road.b.clone()),
                road.a.clone().max(road.b.clone()),
            );
            if let Some(first) = seen.insert(ends, number) {
                let message = format!("{} - {} is already roads[{first}]", road.a, road.b);
                self.say(path, message);
            }
        }
    }

    fn connected(&mut self) {
        let index = &self.game.map;
        let mut reached = BTreeSet::from([0]);
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            let new = index
                .neighbours(number)
                .iter()
                .filter(|next| reached.insert(**next));
            open.extend(new);
        }
        for (number, space) in index.map().spaces.iter().enumerate() {
            if !reached.contains(&number) {
                let message = format!("no road leads from the first space to `{}`", space.id);
                self.say(format!("spaces[{number}]"), message);
            }
        }
    }

    /// A road crosses the river that it names and no other water, unless `data: {over: "reason"}`
    /// says why.
    fn crossings(&mut self, path: &str, road: &Road) {
        let index = &self.game.map;
        let (Some(a), Some(b)) = (index.space(&road.a), index.space(&road.b)) else {
            return;
        };
        let ends = [[a.lat, a.lon], [b.lat, b.lon]];
        let crossed = |water: &Water| geometry::crosses(ends, &water.points, water.lake);
        let waters = &index.map().waters;
        if let Some(river) = &road.river {
            let names = waters.keys().map(String::as_str);
            let drawn = self.known(format!("{path}.river"), "water", river, names);
            if drawn && !waters.get(river).is_some_and(crossed) {
                let message =
                    format!("the road names `{river}`, but the drawn river does not cross it");
                self.say(format!("{path}.river"), message);
            }
        }
        let over = road.data.get("over");
        if over.is_some_and(|reason| reason.as_text().is_none()) {
            self.say(format!("{path}.data.over"), "give the reason, as text");
        }
        for (id, water) in waters {
            let named = road.river.as_deref() == Some(id);
            if !named && over.is_none() && crossed(water) {
                self.say_hint(
                    path,
                    format!("{} - {} crosses `{id}` without naming it", road.a, road.b),
                    "if that is meant, say why in `data: {over: \"...\"}`",
                );
            }
        }
    }
}
