//! Checks of `game.yaml`: sides, seats, phases, options, the order language.

use super::GameCheck;
use crate::{
    game::{OptionDecl, SYMBOLS, Scope, SeatDecl, VerbDecl},
    ids::SideId,
};

impl GameCheck<'_> {
    pub(super) fn decl(&mut self) {
        self.turn_to("game.yaml");
        let decl = &self.game.decl;
        if decl.id != self.id {
            let message = format!("the id is `{}`, the folder's name `{}`", decl.id, self.id);
            self.say("id", message);
        }
        self.in_all_languages("title", &decl.title);
        if !decl.about.is_empty() {
            self.in_all_languages("about", &decl.about);
        }
        self.seats();
        let scenarios = self.game.scenarios.keys().map(String::as_str);
        self.known(
            "default_scenario",
            "scenario",
            &decl.default_scenario,
            scenarios,
        );
        if !decl.facts.contains_key("turn") {
            self.say("facts", "the fact `turn` is missing");
        }
        let turn = decl.facts.get("turn").map(|fact| &fact.default);
        self.turn("facts.turn.default", turn);
        self.phases();
        self.scopes();
        for (id, kind) in &decl.kinds {
            let path = format!("kinds.{id}.symbol");
            self.known(path, "symbol", &kind.symbol, SYMBOLS.into_iter());
        }
        self.unique("events", decl.events.iter().map(String::as_str));
        for (name, option) in &decl.options {
            self.option(name, option);
        }
        self.language();
    }

    /// No box has the id of a space.
    pub(super) fn boxes(&mut self) {
        self.turn_to("game.yaml");
        for id in self.game.decl.boxes.keys() {
            if self.game.map.number(id).is_some() {
                self.say(format!("boxes.{id}"), "a space of the map has this id");
            }
        }
    }

    fn seats(&mut self) {
        let decl = &self.game.decl;
        self.unique("sides", self.sides());
        for (number, side) in decl.sides.iter().enumerate() {
            self.in_all_languages(&format!("sides[{number}].name"), &side.name);
            let digits = side.colour.strip_prefix('#').unwrap_or_default();
            if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                self.say_hint(
                    format!("sides[{number}].colour"),
                    format!("`{}` is no colour", side.colour),
                    "write it as \"#rrggbb\"",
                );
            }
        }
        self.parties();
        if decl.rosters.is_empty() {
            self.roster("seats", &decl.seats);
        }
        for (name, seats) in &decl.rosters {
            self.roster(&format!("rosters.{name}"), seats);
        }
    }

    fn parties(&mut self) {
        let decl = &self.game.decl;
        let parties = decl.parties.iter().map(|party| party.id.as_str());
        self.unique("parties", parties.clone());
        for (number, party) in decl.parties.iter().enumerate() {
            self.in_all_languages(&format!("parties[{number}].name"), &party.name);
            if decl.side(&party.id).is_some() {
                self.say(format!("parties[{number}].id"), "a side has this id");
            }
        }
        for (number, side) in decl.sides.iter().enumerate() {
            if let Some(party) = &side.party {
                let path = format!("sides[{number}].party");
                self.known(path, "party", party, parties.clone());
            }
        }
    }

    /// The seats of a roster: each plays sides of one party, and each side has a seat.
    fn roster(&mut self, path: &str, seats: &[SeatDecl]) {
        let decl = &self.game.decl;
        self.unique(path, seats.iter().map(|seat| seat.id.as_str()));
        for (number, seat) in seats.iter().enumerate() {
            let path = format!("{path}[{number}]");
            if !seat.name.is_empty() {
                self.in_all_languages(&format!("{path}.name"), &seat.name);
            }
            for side in &seat.sides {
                self.known(format!("{path}.side"), "side", side, self.sides());
            }
            self.unique(
                &format!("{path}.side"),
                seat.sides.iter().map(|side| side.as_str()),
            );
            match seat.sides.split_first() {
                None => self.say(format!("{path}.side"), "a seat plays at least one side"),
                Some((first, others)) => {
                    if let Some(enemy) = others.iter().find(|it| !decl.are_allies(first, it)) {
                        let message = format!("`{enemy}` is of another party than `{first}`");
                        self.say(format!("{path}.side"), message);
                    }
                }
            }
        }
        for side in &decl.sides {
            if !seats.iter().any(|seat| seat.plays(&side.id)) {
                self.say(path, format!("side `{}` has no seat", side.id));
            }
        }
    }

    fn phases(&mut self) {
        let decl = &self.game.decl;
        self.unique("phases", decl.phases.iter().map(|phase| phase.id.as_str()));
        for (number, phase) in decl.phases.iter().enumerate() {
            if let Some(of) = &phase.of {
                let path = format!("phases[{number}].of");
                self.known(path, "kind of phase", of, ["side", "space"].into_iter());
            }
        }
    }

    /// Checks that the scope of a fact ends with an existing phase.
    fn scopes(&mut self) {
        let decl = &self.game.decl;
        let words = ["campaign", "turn", "phase"].into_iter();
        let ends = words.chain(decl.phases.iter().map(|phase| phase.id.as_str()));
        for (name, fact) in &decl.facts {
            if let Scope::Until(phase) = &fact.scope {
                self.known(
                    format!("facts.{name}.scope"),
                    "phase or scope",
                    phase,
                    ends.clone(),
                );
            }
        }
    }

    /// Checks the sides that a verb or topic belongs to.
    fn of_sides(&mut self, path: &str, key: &str, sides: &[SideId]) {
        for (number, side) in sides.iter().enumerate() {
            self.known(
                format!("{path}.{key}[{number}]"),
                "side",
                side,
                self.sides(),
            );
        }
    }

    fn option(&mut self, name: &str, option: &OptionDecl) {
        let path = format!("options.{name}.default");
        if !option.values.is_empty() {
            let values = option.values.iter().map(String::as_str);
            self.known(path, "value", &option.default, values);
        } else if option.default.parse::<i64>().is_err() {
            self.say_hint(
                path,
                format!("`{}` is no whole number", option.default),
                "list the legal `values` of an option that takes words",
            );
        }
    }

    fn language(&mut self) {
        let decl = &self.game.decl;
        let orders = &decl.orders;
        for (id, spellings) in &orders.keywords {
            for lang in self.game.languages() {
                let listed = spellings.get(&lang).map_or(&[][..], Vec::as_slice);
                if listed.is_empty() || listed.iter().any(|one| one.trim().is_empty()) {
                    let message = format!("the keyword has no spelling in `{}`", lang.code());
                    self.say(format!("orders.keywords.{id}"), message);
                }
            }
        }
        if let Some(attribute) = &orders.obeys {
            let attributes = decl.attributes.keys().map(String::as_str);
            self.known("orders.obeys", "attribute", attribute, attributes);
        }
        for (id, verb) in &orders.verbs {
            let path = format!("orders.verbs.{id}");
            for (number, phase) in verb.phases.iter().enumerate() {
                let phases = decl.phases.iter().map(|phase| phase.id.as_str());
                self.known(format!("{path}.phases[{number}]"), "phase", phase, phases);
            }
            if verb.standing && !verb.phases.is_empty() {
                self.say(
                    &path,
                    "a standing order is taken always: it has no `phases`",
                );
            }
            if let Some(phase) = &verb.at_once {
                self.at_once(&path, verb, phase);
            }
            if let Some(option) = &verb.option {
                let options = decl.options.keys().map(String::as_str);
                self.known(format!("{path}.option"), "option", option, options);
            }
            self.of_sides(&path, "only", &verb.only);
            self.of_sides(&path, "sides", &verb.sides);
            for (number, scenario) in verb.scenarios.iter().enumerate() {
                let scenarios = self.game.scenarios.keys().map(String::as_str);
                self.known(
                    format!("{path}.scenarios[{number}]"),
                    "scenario",
                    scenario,
                    scenarios,
                );
            }
            let blocks = orders
                .verbs
                .values()
                .filter_map(|verb| verb.opens.as_deref());
            for within in &verb.within {
                self.known(format!("{path}.within"), "block", within, blocks.clone());
            }
            if verb.standing && (verb.opens.is_some() || !verb.within.is_empty()) {
                self.say(
                    path.clone(),
                    "a standing order opens no block and stands in none",
                );
            }
            self.forms(&path, &verb.forms);
        }
        for (id, topic) in &orders.topics {
            let path = format!("orders.topics.{id}");
            if let Some(keyword) = &topic.keyword {
                let keywords = orders.keywords.keys().map(String::as_str);
                self.known(format!("{path}.keyword"), "keyword", keyword, keywords);
            }
            if let Some(option) = &topic.option {
                let options = decl.options.keys().map(String::as_str);
                self.known(format!("{path}.option"), "option", option, options);
            }
            self.of_sides(&path, "sides", &topic.sides);
            self.forms(&path, &topic.forms);
        }
        if let Some(option) = decl.courier.as_ref().and_then(|it| it.option.as_ref()) {
            let options = decl.options.keys().map(String::as_str);
            self.known("courier.option".to_owned(), "option", option, options);
        }
        for (id, condition) in &orders.conditions {
            self.forms(&format!("orders.conditions.{id}"), &condition.forms);
        }
    }

    /// Checks that an order carried out at once is always taken, and names a phase of a side.
    fn at_once(&mut self, path: &str, verb: &VerbDecl, phase: &str) {
        if !verb.standing {
            self.say(
                path,
                "what is carried out `at_once` is a standing order: it is taken always",
            );
        }
        let phases = &self.game.decl.phases;
        let of_sides = phases
            .iter()
            .filter(|known| known.of.as_deref() == Some("side"));
        let ids = of_sides.map(|phase| phase.id.as_str());
        self.known(format!("{path}.at_once"), "phase of a side", phase, ids);
    }

    fn forms(&mut self, path: &str, forms: &[String]) {
        if forms.is_empty() {
            self.say(format!("{path}.forms"), "there must be at least one form");
        }
    }
}
