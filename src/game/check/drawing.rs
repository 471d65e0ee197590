//! Checks of how a map of areas is drawn: everything named exists, every coordinate can be
//! reckoned with.

use super::GameCheck;
use crate::game::{Atlas, Drawing, FactAudience, SheetEdges};

/// The largest coordinate, in thousandths of a degree like those of spaces.
const MOST: i64 = 180_000;
/// Most points of the longer edge of a sheet for one of the shorter.
const NARROWEST: i64 = 8;

impl GameCheck<'_> {
    pub(super) fn drawing(&mut self, drawing: &Drawing) {
        if !(1..=100).contains(&drawing.fine) {
            return self.say("drawing.fine", "it is 1 to 100");
        }
        let most = MOST * drawing.fine;
        self.frame("drawing.frame", drawing.frame, most);
        if let Some(inset) = &drawing.inset {
            self.frame("drawing.inset.frame", inset.frame, most);
        }
        for (id, outline) in &drawing.outlines {
            let path = format!("drawing.outlines.{id}");
            self.space(path.clone(), id);
            if outline.len() < 3 {
                self.say(&path, "an outline has three points at least");
            }
            let far = |value: &i64| !(-most..=most).contains(value);
            if let Some(place) = outline.iter().position(|point| point.iter().any(far)) {
                self.say(format!("{path}[{place}]"), "that is nowhere on earth");
            }
        }
        for (number, border) in drawing.borders.iter().enumerate() {
            for (end, id) in [("a", &border.a), ("b", &border.b)] {
                if !drawing.outlines.contains_key(id) {
                    let path = format!("drawing.borders[{number}].{end}");
                    self.say(path, format!("`{id}` has no outline"));
                }
            }
        }
        self.drawn_names(drawing);
        let terrains = self.game.map.map().terrains.clone();
        for (key, named) in [
            ("heights", &drawing.heights),
            ("water", &drawing.water),
            ("stretches", &drawing.stretches),
        ] {
            for (number, terrain) in named.iter().enumerate() {
                let path = format!("drawing.{key}[{number}]");
                let known = terrains.iter().map(String::as_str);
                self.known(path, "terrain", terrain, known);
            }
        }
    }

    /// The data and states that it names exist.
    fn drawn_names(&mut self, drawing: &Drawing) {
        let game = self.game;
        let map = game.map.map();
        let spaces = || map.spaces.iter().flat_map(|space| space.data.keys());
        for (path, name) in drawing.space_data() {
            let path = format!("drawing.{path}");
            self.known(path, "data of a space", name, spaces().map(String::as_str));
        }
        for (path, name) in drawing.space_states() {
            let states = game.decl.space_attributes.keys().map(String::as_str);
            self.known(format!("drawing.{path}"), "state of spaces", name, states);
        }
        if let Some(atlas) = &drawing.atlas {
            self.atlas(atlas, MOST * drawing.fine);
        }
        if let Some(roads) = &drawing.roads {
            let known = map.roads.iter().flat_map(|road| road.data.keys());
            let known = known.map(String::as_str);
            self.known("drawing.roads.data", "data of a road", &roads.data, known);
        }
    }

    /// Checks that everything the page of an atlas names exists, and that everybody may see it.
    fn atlas(&mut self, atlas: &Atlas, most: i64) {
        let decl = &self.game.decl;
        if let Some(arrows) = &atlas.arrows {
            let kinds = arrows
                .kinds
                .keys()
                .map(|event| (format!("kinds.{event}"), event));
            let lost = arrows.lost.iter().enumerate();
            let lost = lost.map(|(number, event)| (format!("lost[{number}]"), event));
            for (place, event) in kinds.chain(lost) {
                let path = format!("drawing.atlas.arrows.{place}");
                self.known(path, "event", event, decl.events.iter().map(String::as_str));
            }
        }
        for name in atlas.chart.iter().map(|chart| &chart.fact) {
            let path = "drawing.atlas.chart.fact".to_owned();
            let known = decl.facts.keys().map(String::as_str);
            self.known(path.clone(), "fact", name, known);
            let declared = decl.facts.get(name);
            if declared.is_some_and(|fact| fact.shown != FactAudience::Public) {
                self.say(path, format!("the fact `{name}` is not public"));
            }
        }
        for (number, kind) in atlas.hulls.iter().enumerate() {
            let path = format!("drawing.atlas.hulls[{number}]");
            self.known(path, "kind", kind, decl.kinds.keys().map(String::as_str));
        }
        for side in atlas.tints.keys() {
            let path = format!("drawing.atlas.tints.{side}");
            let known = decl.sides.iter().map(|side| side.id.as_str());
            self.known(path, "side", side, known);
        }
        for (number, inset) in atlas.insets.iter().enumerate() {
            let path = format!("drawing.atlas.insets[{number}].frame");
            self.frame(&path, inset.frame, most);
        }
    }

    fn frame(&mut self, path: &str, frame: SheetEdges, most: i64) {
        let edges = [frame.north, frame.south, frame.west, frame.east];
        if edges.iter().any(|edge| edge.abs() > most) {
            return self.say(path, "an edge is nowhere on earth");
        }
        let (high, wide) = (frame.north - frame.south, frame.east - frame.west);
        if high <= 0 || wide <= 0 {
            self.say(path, "north lies above south, and west before east");
        } else if high > NARROWEST * wide || wide > NARROWEST * high {
            self.say(
                path,
                format!("one edge is more than {NARROWEST} times the other"),
            );
        }
    }
}
