//! Checks of a `map.yaml` with a grid: every label is on it, every hexside parts neighbours, every
//! road goes from neighbour to neighbour, every crossing lies where a road meets its river.

use std::collections::{BTreeMap, BTreeSet};

use super::GameCheck;
use crate::game::hex::{Crossing, HexFile, HexMap, HexSide, MOST_CLASSES, Route, Zone};

/// Most kinds of hexsides that a map may have.
const MOST_KINDS: usize = 24;

impl GameCheck<'_> {
    pub(super) fn hexes(&mut self, map: &HexMap) {
        let file = map.file();
        self.letters(file);
        self.levels(file);
        self.features(file);
        self.unique("lines", file.lines.iter().map(|line| line.id.as_str()));
        for (number, line) in file.lines.iter().enumerate() {
            let path = format!("lines[{number}]");
            let kinds = file.features.iter().filter(|kind| kind.over.is_none());
            let kinds = kinds.map(|kind| kind.id.as_str());
            self.known(format!("{path}.kind"), "kind of line", &line.kind, kinds);
            let mut known = BTreeSet::new();
            for (number, side) in line.sides.iter().enumerate() {
                let path = format!("{path}.sides[{number}]");
                if let Some(ends) = self.side(&path, map, side)
                    && !known.insert(ends)
                {
                    self.say(path, format!("{side} stands here twice"));
                }
            }
        }
        for (number, crossing) in file.crossings.iter().enumerate() {
            self.crossing(&format!("crossings[{number}]"), map, crossing);
        }
        self.routes(map);
        self.places(map);
        self.zones(map);
    }

    fn letters(&mut self, file: &HexFile) {
        let (columns, rows) = (file.grid.columns, file.grid.rows);
        if file.rows.len() != rows {
            let message = format!("there are {} rows of terrain for {rows}", file.rows.len());
            self.say("rows", message);
        }
        for letter in file.terrains.keys().filter(|letter| !letter.is_ascii()) {
            let path = format!("terrains.{letter}");
            self.say(path, "letters of terrains are ASCII");
        }
        for (number, row) in file.rows.iter().enumerate() {
            let path = format!("rows[{number}]");
            let count = row.chars().count();
            if count != columns {
                let message = format!("this row has {count} letters for {columns} columns");
                self.say(&path, message);
            }
            let strange = row.chars().find(|it| !file.terrains.contains_key(it));
            if let Some(letter) = strange {
                self.say(path, format!("no terrain has the letter `{letter}`"));
            }
        }
    }

    /// A level for each hex, or none for any.
    fn levels(&mut self, file: &HexFile) {
        let (columns, rows) = (file.grid.columns, file.grid.rows);
        if !file.levels.is_empty() && file.levels.len() != rows {
            let message = format!("there are {} rows of levels for {rows}", file.levels.len());
            self.say("levels", message);
        }
        for (number, row) in file.levels.iter().enumerate() {
            if row.columns() != columns {
                let count = row.columns();
                let message = format!("this row has {count} levels for {columns} columns");
                self.say(format!("levels[{number}]"), message);
            }
        }
        let mut known = BTreeMap::new();
        for (number, line) in file.lines.iter().enumerate() {
            let sides = line.sides.iter().filter(|_| line.level.is_some());
            for (at, side) in sides.enumerate() {
                let ends = (
                    side.a.clone().min(side.b.clone()),
                    side.a.clone().max(side.b.clone()),
                );
                if let Some(first) = known.insert(ends, &line.id) {
                    let message = format!("the crest `{first}` stands on {side} already");
                    self.say(format!("lines[{number}].sides[{at}]"), message);
                }
            }
        }
    }

    fn features(&mut self, file: &HexFile) {
        self.unique(
            "features",
            file.features.iter().map(|kind| kind.id.as_str()),
        );
        if file.features.len() > MOST_KINDS {
            self.say(
                "features",
                format!("there may be {MOST_KINDS} kinds at most"),
            );
        }
        let plain = file.features.iter().filter(|kind| kind.over.is_none());
        let plain = plain.map(|kind| kind.id.as_str());
        for (number, kind) in file.features.iter().enumerate() {
            if let Some(over) = &kind.over {
                let path = format!("features[{number}].over");
                self.known(path, "kind to lie over", over, plain.clone());
            }
        }
    }

    /// The hexes of a side in ascending order; reports a side that doesn't exist.
    fn side(&mut self, path: &str, map: &HexMap, side: &HexSide) -> Option<(usize, usize)> {
        let a = self.hex(path, map, &side.a)?;
        let b = self.hex(path, map, &side.b)?;
        if map.grid().direction(a, b).is_none() {
            self.say(path, format!("{} and {} are no neighbours", side.a, side.b));
            return None;
        }
        Some((a.min(b), a.max(b)))
    }

    /// The number of a hex by its label; says so if the grid has none.
    fn hex(&mut self, path: &str, map: &HexMap, label: &str) -> Option<usize> {
        let found = map.grid().number(label);
        if found.is_none_or(|number| map.grid().label(number) != *label) {
            self.say(path, format!("there is no hex `{label}`"));
            return None;
        }
        found
    }

    /// A crossing lies on a side of the line that it names, whose kind its own kind lies over, and
    /// a road leads over it.
    fn crossing(&mut self, path: &str, map: &HexMap, crossing: &Crossing) {
        let file = map.file();
        let kinds = file.features.iter().filter(|kind| kind.over.is_some());
        let names = kinds.clone().map(|kind| kind.id.as_str());
        let known = self.known(format!("{path}.kind"), "crossing", &crossing.kind, names);
        let lines = file.lines.iter().map(|line| line.id.as_str());
        self.known(format!("{path}.line"), "line", &crossing.line, lines);
        let ends = self.side(&format!("{path}.side"), map, &crossing.side);
        let (Some(ends), Some(line), true) = (ends, map.line(&crossing.line), known) else {
            return;
        };
        let over = kinds.clone().find(|kind| kind.id == crossing.kind);
        if over.and_then(|kind| kind.over.as_ref()) != Some(&line.kind) {
            let message = format!("`{}` does not lie over a {}", crossing.kind, line.kind);
            self.say(format!("{path}.kind"), message);
        }
        let pair = |(a, b): (usize, usize)| (a.min(b), a.max(b));
        let mut sides = line.sides.iter().filter_map(|side| map.ends(side));
        if !sides.any(|side| pair(side) == ends) {
            let message = format!("{} is no side of `{}`", crossing.side, crossing.line);
            self.say(format!("{path}.side"), message);
        }
        if self.game.map.road_number(ends.0, ends.1).is_none() {
            let message = format!("no road leads over {}", crossing.side);
            self.say(format!("{path}.side"), message);
        }
    }

    /// Each hex of a road is a neighbour of the one before, and where a road meets a line that can
    /// be crossed there is a crossing.
    fn routes(&mut self, map: &HexMap) {
        let file = map.file();
        let over = file.features.iter().filter_map(|kind| kind.over.as_ref());
        let classes = &file.road_classes;
        self.unique(
            "road_classes",
            classes.iter().map(|class| class.id.as_str()),
        );
        if classes.len() > MOST_CLASSES {
            let message = format!("there may be {MOST_CLASSES} classes at most");
            self.say("road_classes", message);
        }
        for (number, class) in classes.iter().enumerate() {
            let mut kinds = file.features.iter().map(|kind| &kind.id);
            if kinds.any(|kind| *kind == class.id)
                || file.terrains.values().any(|it| *it == class.id)
            {
                let message = format!("a terrain or a hexside is called `{}` too", class.id);
                self.say(format!("road_classes[{number}].id"), message);
            }
        }
        let crossed = over.filter_map(|kind| map.kind(kind)).fold(0, |a, b| a | b);
        for (number, route) in file.roads.iter().enumerate() {
            let wades = self.road_class(&format!("roads[{number}].class"), file, route);
            let path = format!("roads[{number}].hexes");
            if route.hexes.len() < 2 {
                self.say(&path, "a road has two hexes at least");
            }
            let mut before: Option<(usize, &str)> = None;
            for (step, label) in route.hexes.iter().enumerate() {
                let path = format!("{path}[{step}]");
                let here = self.hex(&path, map, label);
                if let (Some((from, name)), Some(to)) = (before, here) {
                    match map.side_between(from, to) {
                        None => self.say(&path, format!("{name} and {label} are no neighbours")),
                        Some(side) if side & crossed != 0 && !wades => {
                            let kinds: Vec<_> = map.kinds(side & crossed).collect();
                            let message = format!(
                                "the road from {name} to {label} meets a {} without a crossing",
                                kinds.join(", ")
                            );
                            self.say(&path, message);
                        }
                        Some(_) => {}
                    }
                }
                before = here.map(|here| (here, label.as_str()));
            }
        }
    }

    /// A road has a class of the map's, if the map has classes. Returns true if it wades.
    fn road_class(&mut self, path: &str, file: &HexFile, route: &Route) -> bool {
        let classes = &file.road_classes;
        let Some(class) = &route.class else {
            if !classes.is_empty() {
                self.say(
                    path,
                    "the map has `road_classes`, and this road has no `class`",
                );
            }
            return false;
        };
        let ids = classes.iter().map(|class| class.id.as_str());
        self.known(path, "class of roads", class, ids);
        classes.iter().any(|it| it.id == *class && it.wades)
    }

    /// Places have ids and names of their own, and hexes of their own.
    fn places(&mut self, map: &HexMap) {
        let places = &map.file().places;
        self.unique("places", places.iter().map(|place| place.id.as_str()));
        let (mut hexes, mut names) = (BTreeMap::new(), BTreeMap::new());
        for (number, place) in places.iter().enumerate() {
            let path = format!("places[{number}]");
            if map.grid().number(&place.id).is_some() {
                let message = format!("`{}` is the label of a hex", place.id);
                self.say(format!("{path}.id"), message);
            }
            if let Some(hex) = self.hex(&format!("{path}.hex"), map, &place.hex)
                && let Some(first) = hexes.insert(hex, &place.id)
            {
                let message = format!("`{first}` is in hex {} already", place.hex);
                self.say(format!("{path}.hex"), message);
            }
            let others = place.names.values().filter(|name| **name != place.name);
            for name in place.aliases.iter().chain(others).chain([&place.name]) {
                if let Some(first) = names.insert(name.to_lowercase(), &place.id) {
                    let message = format!("`{first}` is called `{name}` too");
                    self.say(&path, message);
                }
            }
        }
        for (label, _) in &map.file().data {
            self.hex(&format!("data.{label}"), map, label);
        }
    }

    fn zones(&mut self, map: &HexMap) {
        let mut before: Vec<&str> = Vec::new();
        for (name, zone) in &map.file().regions {
            let path = format!("regions.{name}");
            self.zone(&path, map, zone, &before);
            if self
                .game
                .map
                .region(name)
                .is_none_or(|area| area.is_empty())
            {
                self.say(path, "no hex belongs to this region");
            }
            before.push(name);
        }
    }

    fn zone(&mut self, path: &str, map: &HexMap, zone: &Zone, before: &[&str]) {
        if zone.source.is_none() {
            self.say(path, "it does not say its `source`");
        }
        let listed = zone.spaces.iter().flatten().enumerate();
        let centres = zone.of.iter().enumerate();
        let listed = listed.map(|(at, name)| (format!("spaces[{at}]"), name));
        let centres = centres.map(|(at, name)| (format!("of[{at}]"), name));
        let start = zone.from.iter().map(|name| ("from".to_owned(), name));
        for (key, name) in listed.chain(centres).chain(start) {
            if map.number(name).is_none() {
                let message = format!("there is no place or hex `{name}`");
                self.say(format!("{path}.{key}"), message);
            }
        }
        if zone.within.is_some() == zone.of.is_empty() {
            self.say(path, "`within` and `of` go together");
        }
        if zone.from.is_none() && !zone.without_crossing.is_empty() {
            self.say(path, "`without_crossing` needs a hex to begin `from`");
        }
        if let Some(outer) = &zone.inside {
            let known = before.iter().copied();
            self.known(format!("{path}.in"), "region before this one", outer, known);
        }
        let lines = map.file().lines.iter().map(|line| line.id.as_str());
        for (at, line) in zone.without_crossing.iter().enumerate() {
            let path = format!("{path}.without_crossing[{at}]");
            self.known(path, "line", line, lines.clone());
        }
    }
}
