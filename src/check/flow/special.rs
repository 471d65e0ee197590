//! Host functions whose results depend on the names they are given: facts, tables, orders, answers.

use rhai::Position;

use super::{Flow, Store};
use crate::{
    check::{
        host::QUESTION,
        names::Sort,
        value::{Kinds, MapValue, TextValue, Val},
    },
    game::{Offer, Side},
};

impl Flow<'_> {
    pub(super) fn special(
        &mut self,
        name: &str,
        arguments: &[Val],
        places: &[Position],
        at: Position,
    ) -> Val {
        let unit = Val::unit();
        let place = |number: usize| places.get(number).copied().unwrap_or(at);
        match (name, arguments) {
            ("seat_of", [side]) => self.of_sides(side, Sort::Seat),
            ("side_of", [seat]) => self.of_seats(seat),
            ("party_of", [side]) => self.parties(side),
            ("enemy_of", [side]) => self.enemies(side),
            ("disclose", [value]) => value.clone().disclosed(),
            ("on_view" | "once", [_, function]) | ("remembered", [_, _, function]) => {
                self.called(function, &[])
            }
            ("note", [_, _, key, value]) => {
                self.keep(Store::SpaceState, Sort::SpaceState, key, value);
                unit
            }
            ("each", [pieces, property]) => {
                let mut val = Val::default();
                for name in self.names_meant(Sort::Property, property) {
                    val.join(self.property_of_piece(&name));
                }
                Val::list(val.marked(pieces.kinds.marks()))
            }
            ("set_all", [_, attribute, value]) => {
                let surely = attribute.only_word().is_some();
                for name in self.names_meant(Sort::Attribute, attribute) {
                    self.set_attribute(&name, value.clone(), place(2), surely);
                }
                unit
            }
            ("space_data", [_, key]) => self.data(Sort::SpaceData, key),
            ("road_data", [_, _, key]) => self.data(Sort::RoadData, key),
            ("scenario_data", [key]) => self.data(Sort::ScenarioData, key),
            ("scenario_data", [name, key]) => self.scenario_entry(name, key, place(0)),
            ("get_space", [_, key]) => self.kept(Store::SpaceState, Sort::SpaceState, key),
            ("get_road", [_, _, key]) => self.kept(Store::RoadState, Sort::RoadState, key),
            ("set_space", [_, key, value]) => {
                self.keep(Store::SpaceState, Sort::SpaceState, key, value);
                unit
            }
            ("set_road", [_, _, key, value]) => {
                self.keep(Store::RoadState, Sort::RoadState, key, value);
                unit
            }
            ("region_round", _) => {
                let entries = [
                    ("within", Val::of(Kinds::INT)),
                    ("of", Val::list(Val::name(Sort::Space))),
                ];
                Val::map(MapValue::sure(entries.into_iter())).or(unit)
            }
            ("fact", [name]) => self.kept(Store::Fact, Sort::Fact, name),
            ("set_fact", [name, value]) => {
                if let Some(fact) = name.only_word()
                    && let Some(declared) = self.game().decl.facts.get(fact)
                {
                    let default = &declared.default;
                    let nothing = value.kinds.has(Kinds::UNIT);
                    if !nothing {
                        self.same_type(fact, default, value, place(1));
                    }
                }
                for fact in self.names_meant(Sort::Fact, name) {
                    if self.is_public(&fact) {
                        self.not_from_secret_dice(&fact, value, place(1));
                    }
                }
                self.keep(Store::Fact, Sort::Fact, name, value);
                unit
            }
            ("option", [name]) => self.option(name),
            ("victory", [winner, _]) => {
                if winner.may_be_text() && !winner.is_any() {
                    self.name(Sort::Owner, winner, place(0));
                }
                if let Some(seat) = &winner.item {
                    self.name(Sort::Seat, &Val::clone(seat), place(0));
                }
                let here = self.stack.last().map(|frame| frame.function);
                self.report.endings.extend(here);
                unit
            }
            ("tell", [seats, key, args @ ..]) => {
                let none = Val::map(MapValue::default());
                let args = args.first().unwrap_or(&none);
                self.told(seats, key, args, place(1), false);
                unit
            }
            ("tell_of", [thing, seats, key, names]) => {
                let names = names.items();
                let args = if names.is_told() {
                    let words = names.words().map(|(word, _)| &**word);
                    let field = |name| Some((name, thing.field(name)?));
                    Val::map(MapValue::sure(words.filter_map(field)))
                } else {
                    Val::any()
                };
                self.told(seats, key, &args, place(2), false);
                unit
            }
            ("refuse", [order, key, args]) => {
                let seat = order.field("seat").unwrap_or_else(Val::any);
                self.told(&seat, key, args, place(1), true);
                unit
            }
            ("orders", [_, phase]) => {
                self.report.waits(phase);
                Val::list(self.orders_of_phases(phase))
            }
            ("orders_all", [_, phase, ..]) => {
                self.report.waits(phase);
                Val::list(self.orders_of_phases(phase))
            }
            ("orders_each", [_, phase, ..]) => {
                self.report.waits(phase);
                Val::open_map(Val::list(self.orders_of_phases(phase)))
            }
            ("told", [_, verb]) => {
                let verbs = self.names_meant(Sort::Verb, verb);
                Val::list(self.orders_of(&verbs))
            }
            ("told_group", [_, group]) => {
                let groups = self.names_meant(Sort::Group, group);
                let verbs = self.game().decl.orders.verbs.iter();
                let verbs = verbs.filter(|(name, verb)| {
                    verb.standing && groups.contains(verb.group.as_ref().unwrap_or(name))
                });
                let verbs: Vec<String> = verbs.map(|(name, _)| name.clone()).collect();
                verbs
                    .iter()
                    .for_each(|verb| self.report.uses(Sort::Verb, verb));
                Val::list(self.orders_of(&verbs))
            }
            ("alternatives", [order]) => {
                let found = order.field("otherwise").unwrap_or_default();
                if found.item.is_some() {
                    found
                } else {
                    Val::list(order.clone())
                }
            }
            ("ask", [_, topic, question]) => self.asked(topic, question, at),
            ("ask_each", [questions]) => {
                let items = questions.items();
                let mut answers = Val::default();
                for map in items.maps.clone() {
                    let topic = map.fields.get("topic").map(|field| field.val.clone());
                    let topic = topic.unwrap_or_else(Val::any);
                    self.name(Sort::Topic, &topic, at);
                    let alone = Val {
                        maps: vec![map],
                        ..Val::default()
                    };
                    answers.join(self.asked(&topic, &alone, at));
                }
                if items.is_any() {
                    answers.join(Val::any());
                }
                Val::list(answers)
            }
            ("value", [table, name]) => self.table_value(table, name, place(1)),
            ("lookup", [table, _]) => {
                let results = self.results(table, place(0));
                Val::list(results)
            }
            ("lookup", [table, _, _]) => self.results(table, place(0)),
            ("column", [table, _]) => self.columns(table, place(0)),
            ("reason", [table, id]) => self.reason(table, id, place(1)),
            _ => Val::any(),
        }
    }

    /// The seats of sides.
    fn of_sides(&self, sides: &Val, sort: Sort) -> Val {
        let seats = &self.game().decl.seats;
        let mut val = Val::default();
        for text in &sides.texts {
            match text {
                TextValue::Word(side, _) => {
                    let seat = seats.iter().find(|seat| seat.plays(side));
                    seat.iter().for_each(|seat| {
                        val.join(Val::word(&seat.id, Position::NONE));
                    });
                }
                _ => {
                    val.join(Val::name(sort));
                }
            }
        }
        if !sides.is_told() {
            val.join(Val::name(sort));
        }
        val
    }

    fn of_seats(&self, seats: &Val) -> Val {
        let known = &self.game().decl.seats;
        let mut val = Val::default();
        for text in &seats.texts {
            match text {
                TextValue::Word(id, _) => {
                    let seat = known.iter().find(|seat| seat.id == **id);
                    seat.iter().flat_map(|seat| &seat.sides).for_each(|side| {
                        val.join(Val::word(side, Position::NONE));
                    });
                }
                _ => {
                    val.join(Val::name(Sort::Side));
                }
            }
        }
        if !seats.is_told() {
            val.join(Val::name(Sort::Side));
        }
        val
    }

    /// The parties of sides; of a side that stands alone, itself.
    fn parties(&self, sides: &Val) -> Val {
        let decl = &self.game().decl;
        let word = |id: &str| Val::word(id, Position::NONE);
        let all = || {
            let parties = decl.parties.iter().map(|party| word(&party.id));
            let all = parties.fold(Val::default(), Val::or);
            let alone = |side: &Side| decl.party_of(&side.id).is_none();
            if decl.sides.iter().any(alone) {
                all.or(Val::name(Sort::Side))
            } else {
                all
            }
        };
        let mut val = Val::default();
        for text in &sides.texts {
            let side = match text {
                TextValue::Word(side, _) => decl.sides.iter().find(|known| known.id == **side),
                _ => None,
            };
            val.join(match side {
                Some(side) => word(decl.party_of(&side.id).map_or(&*side.id, |party| &**party)),
                None => all(),
            });
        }
        if !sides.is_told() {
            val.join(all());
        }
        val
    }

    fn enemies(&self, sides: &Val) -> Val {
        let known = &self.game().decl.sides;
        let mut val = Val::default();
        for text in &sides.texts {
            let enemy = match text {
                TextValue::Word(side, _) => known.iter().find(|known| known.id != **side),
                _ => None,
            };
            val.join(match enemy {
                Some(enemy) => Val::word(&enemy.id, Position::NONE),
                None => Val::name(Sort::Side),
            });
        }
        if !sides.is_told() {
            val.join(Val::name(Sort::Side));
        }
        val
    }

    /// Something is kept under a name.
    fn keep(&mut self, store: Store, sort: Sort, names: &Val, value: &Val) {
        for name in self.names_meant(sort, names) {
            self.report.writes(sort, &name);
            // The script that puts something into a public fact has been warned there.
            let is_shown = store == Store::Fact && self.is_public(&name);
            let value = value.clone();
            self.kept.add(
                store,
                &name,
                if is_shown { value.disclosed() } else { value },
            );
        }
    }

    /// The value under `data` in the files, or nothing.
    fn data(&mut self, sort: Sort, keys: &Val) -> Val {
        let game = self.game();
        let maps = game.maps().map(|map| map.map());
        let mut val = Val::unit();
        for key in self.names_meant(sort, keys) {
            self.report.reads(sort, &key);
            match sort {
                Sort::SpaceData => {
                    let spaces = maps.clone().flat_map(|map| &map.spaces);
                    let data = spaces.filter_map(|space| space.data.get(&key));
                    data.for_each(|value| {
                        val.join(Val::of_data(value));
                    });
                }
                Sort::RoadData => {
                    let roads = maps.clone().flat_map(|map| &map.roads);
                    let data = roads.filter_map(|road| road.data.get(&key));
                    data.for_each(|value| {
                        val.join(Val::of_data(value));
                    });
                }
                _ => {
                    let data = game
                        .scenarios
                        .values()
                        .filter_map(|scenario| scenario.data.get(&key));
                    data.for_each(|value| {
                        val.join(Val::of_data(value));
                    });
                }
            }
        }
        val
    }

    /// The value under a key of a map in `data` of the scenarios' files, or nothing. There must be
    /// such a map in one of them.
    fn scenario_entry(&mut self, names: &Val, keys: &Val, at: Position) -> Val {
        let game = self.game();
        let mut val = Val::unit();
        for name in self.names_meant(Sort::ScenarioData, names) {
            self.report.reads(Sort::ScenarioData, &name);
            let scenarios = game.scenarios.values();
            let maps = scenarios.filter_map(|scenario| scenario.data.get(&name)?.as_map());
            let maps: Vec<_> = maps.collect();
            if maps.is_empty() && names.words().any(|(word, _)| **word == *name) {
                let message = format!("`{name}` is a map in no scenario's data");
                self.report.error(at, message, None);
            }
            for (key, value) in maps.into_iter().flatten() {
                if keys.only_word().is_none_or(|wanted| wanted == *key) {
                    val.join(Val::of_data(value));
                }
            }
        }
        val
    }

    fn option(&mut self, names: &Val) -> Val {
        let mut val = Val::default();
        for name in self.names_meant(Sort::Option, names) {
            let Some(declared) = self.game().decl.options.get(&name) else {
                continue;
            };
            if declared.values.is_empty() {
                val.join(Val::open_text());
            }
            for value in &declared.values {
                val.join(Val::word(value, Position::NONE));
            }
        }
        val.marked(Kinds::FIXED)
    }

    /// The orders of verbs that phases take.
    fn orders_of_phases(&mut self, phases: &Val) -> Val {
        let phases = self.names_meant(Sort::Phase, phases);
        let verbs = self.game().decl.orders.verbs.iter();
        let verbs =
            verbs.filter(|(_, verb)| verb.phases.iter().any(|phase| phases.contains(phase)));
        let verbs: Vec<String> = verbs.map(|(name, _)| name.clone()).collect();
        self.orders_of(&verbs)
    }

    /// Orders of verbs, as scripts have them. An order that opens a block has those of the block in
    /// it.
    pub(super) fn orders_of(&mut self, verbs: &[String]) -> Val {
        let mut val = Val::default();
        for verb in verbs {
            val.join(self.answers.order(verb, self.names.game));
        }
        val
    }

    /// The result of a question: an answer in one of the topic's forms, or its `otherwise`.
    fn asked(&mut self, topic: &Val, question: &Val, at: Position) -> Val {
        let topics = self.names_meant(Sort::Topic, topic);
        let mut val = question.field("otherwise").unwrap_or_else(|| {
            self.report.warning(
                at,
                "this question does not say what happens without an answer".to_owned(),
                Some("give it `otherwise`".to_owned()),
            );
            Val::unit()
        });
        for map in &question.maps {
            for key in map.fields.keys().filter(|key| !QUESTION.contains(&&***key)) {
                let near = crate::game::nearest(key, QUESTION.iter().copied());
                let hint = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are: {}", QUESTION.join(", ")),
                };
                self.report
                    .error(at, format!("a question has no `{key}`"), Some(hint));
            }
        }
        let about = question
            .field("about")
            .unwrap_or_else(|| Val::map(MapValue::default()));
        let has_options = question
            .field("options")
            .is_some_and(|options| !options.items().is_nothing());
        for topic in &topics {
            let declared = self.names.game.decl.orders.topics.get(topic);
            if has_options && declared.is_some_and(|topic| topic.options.is_none()) {
                self.report.error(
                    at,
                    format!("game.yaml does not say what the options are to an answer on `{topic}`"),
                    Some("give the topic `options: only`, or `options: also` if the answer may name others".to_owned()),
                );
            }
            let only = declared.is_some_and(|topic| topic.options == Some(Offer::Only));
            let may_have_options = has_options
                || question.is_any()
                || question.maps.iter().any(|map| map.rest.is_some())
                || question
                    .field("options")
                    .is_some_and(|options| options.is_any());
            if only && !may_have_options {
                self.report.warning(
                    at,
                    format!("an answer on `{topic}` is one of the options, and this question has none: any answer counts"),
                    Some("give it `options`".to_owned()),
                );
            }
            let answers = self.answers.topic(topic);
            if topics.len() == 1 {
                let several = declared.is_some_and(|topic| topic.several);
                self.as_answered(topic, &val, &answers, (several, at));
            }
            val.join(answers);
            self.report.asks(topic);
            if topics.len() == 1 {
                self.question_told(topic, &about, at);
            } else {
                self.may_be_all(&self.templates.of("topics", topic));
            }
        }
        val
    }

    /// All attributes and facts as files have them: defaults, force list, scenarios.
    pub(super) fn keep_what_files_say(&mut self) {
        let game = self.game();
        let decl = &game.decl;
        let facts = decl.facts.iter().map(|(name, fact)| (name, &fact.default));
        let given = game.scenarios.values().flat_map(|scenario| &scenario.facts);
        for (name, value) in facts.chain(given) {
            self.kept.add(Store::Fact, name, Val::of_data(value));
        }
        let defaults = decl
            .attributes
            .iter()
            .map(|(name, attribute)| (name, &attribute.default));
        let listed = game
            .forces
            .pieces
            .iter()
            .flat_map(|piece| &piece.attributes);
        let given = game
            .scenarios
            .values()
            .flat_map(|scenario| scenario.pieces.values().flatten());
        for (name, value) in defaults.chain(listed).chain(given) {
            self.kept.add(Store::Attribute, name, Val::of_data(value));
        }
        let defaults = decl
            .space_attributes
            .iter()
            .map(|(name, state)| (name, &state.default));
        let given = game
            .scenarios
            .values()
            .flat_map(|scenario| scenario.spaces.values().flatten());
        for (name, value) in defaults.chain(given) {
            self.kept.add(Store::SpaceState, name, Val::of_data(value));
        }
        let defaults = decl
            .road_attributes
            .iter()
            .map(|(name, state)| (name, &state.default));
        let given = game
            .scenarios
            .values()
            .flat_map(|scenario| scenario.roads.values().flatten());
        for (name, value) in defaults.chain(given) {
            self.kept.add(Store::RoadState, name, Val::of_data(value));
        }
    }
}
