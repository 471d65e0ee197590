//! Checks of `scenarios/*.yaml`.

use std::collections::BTreeMap;

use super::GameCheck;
use crate::game::Scenario;

impl GameCheck<'_> {
    pub(super) fn scenarios(&mut self) {
        let theatre = &self.game.theatre;
        let here = self.game.scenarios.iter();
        for (name, scenario) in here.filter(|(_, scenario)| scenario.theatre == *theatre) {
            self.turn_to(&format!("scenarios/{name}.yaml"));
            self.scenario(name, scenario);
        }
    }

    /// Every scenario has a theatre where there are any, and no other has one.
    pub(super) fn theatres(&mut self) {
        let theatres = &self.game.theatres;
        for (name, scenario) in &self.game.scenarios {
            self.turn_to(&format!("scenarios/{name}.yaml"));
            match &scenario.theatre {
                Some(theatre) => {
                    self.known(
                        "theatre",
                        "theatre",
                        theatre,
                        theatres.keys().map(String::as_str),
                    );
                }
                None if theatres.is_empty() => {}
                None => self.say("theatre", "a scenario of this game names its theatre"),
            }
        }
    }

    fn scenario(&mut self, name: &str, scenario: &Scenario) {
        let decl = &self.game.decl;
        if scenario.id != name {
            self.say(
                "id",
                format!("the id is `{}`, the file's name `{name}`", scenario.id),
            );
        }
        self.in_all_languages("title", &scenario.title);
        self.phase("first_phase", &scenario.first_phase);
        self.turn("facts.turn", scenario.facts.get("turn"));
        for (number, roster) in scenario.rosters.iter().enumerate() {
            let rosters = decl.rosters.keys().map(String::as_str);
            self.known(format!("rosters[{number}]"), "roster", roster, rosters);
        }
        self.declared("facts", "fact", &scenario.facts, &decl.facts, |fact| {
            &fact.default
        });
        for (space, state) in &scenario.spaces {
            let path = format!("spaces.{space}");
            self.space(path.clone(), space);
            let attributes = &decl.space_attributes;
            self.declared(&path, "space attribute", state, attributes, |found| {
                &found.default
            });
        }
        for (road, state) in &scenario.roads {
            let path = format!("roads.{road}");
            self.road(&path, road);
            let attributes = &decl.road_attributes;
            self.declared(&path, "road attribute", state, attributes, |found| {
                &found.default
            });
        }
        self.positions(scenario);
        for (piece, values) in &scenario.pieces {
            let path = format!("pieces.{piece}");
            self.piece_exists(path.clone(), piece);
            self.piece_attributes(&path, values);
        }
    }

    /// A road's name is its two ends as the map file has them.
    fn road(&mut self, path: &str, name: &str) {
        let roads = &self.game.map.map().roads;
        if self.is_full() {
            return;
        }
        let reversed = |(a, b): (&str, &str)| roads.iter().any(|road| road.a == *b && road.b == *a);
        match name.split_once('-') {
            Some((a, b)) if reversed((a, b)) => {
                let hint = format!("write `{b}-{a}`");
                self.say_hint(path, "the map has this road the other way round", hint);
            }
            _ => {
                let names = roads.iter().map(|road| format!("{}-{}", road.a, road.b));
                let names: Vec<_> = names.collect();
                self.known(path, "road", name, names.iter().map(String::as_str));
            }
        }
    }

    fn positions(&mut self, scenario: &Scenario) {
        let game = self.game;
        let mut placed = BTreeMap::new();
        for (place, pieces) in &scenario.positions {
            let path = format!("positions.{place}");
            if game.map.number(place).is_none() {
                let spaces = game.map.map().spaces.iter().map(|space| space.id.as_str());
                let places = spaces.chain(game.decl.boxes.keys().map(|id| id.as_str()));
                self.known(path.clone(), "space or box", place, places);
            }
            for (number, piece) in pieces.iter().enumerate() {
                let path = format!("{path}[{number}]");
                self.piece_exists(path.clone(), piece);
                if let Some(first) = placed.insert(piece, place) {
                    self.say(path, format!("`{piece}` already stands in `{first}`"));
                }
            }
        }
    }
}
