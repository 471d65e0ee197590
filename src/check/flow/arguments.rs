//! Arguments of the host's functions: names of a sort, spaces, seats, terms of ways.

use rhai::Position;

use super::{Flow, calls::described, chains::only};
use crate::check::{
    host::{ParameterType, SIGHT_TERMS, TERMS},
    names::Sort,
    value::{Kinds, TextValue, Val, fits, shown},
};

impl Flow<'_> {
    /// Checks whether an argument is what the function takes.
    pub(super) fn argument(
        &mut self,
        function: &str,
        takes: ParameterType,
        val: &Val,
        before: Option<&Val>,
        at: Position,
    ) {
        let text = val.may_be_text();
        let (fits, what) = match takes {
            ParameterType::Name(sort) => {
                self.name(sort, val, at);
                (text, sort.name())
            }
            ParameterType::Place => {
                self.place(val, at);
                (text, "space or box")
            }
            ParameterType::Word(words) => {
                self.one_of(words, val);
                (text, "text")
            }
            ParameterType::Dice => {
                self.dice(val);
                (text, "text")
            }
            ParameterType::Label => {
                self.label(val, at);
                (text, "text")
            }
            ParameterType::Text => (text, "text"),
            ParameterType::Piece => (val.kinds.has(Kinds::PIECE), "piece"),
            ParameterType::Pieces => {
                let items = val.items();
                let pieces = items.is_nothing() || items.is_any() || items.kinds.has(Kinds::PIECE);
                (val.item.is_some() && pieces, "list of pieces")
            }
            ParameterType::List => (val.item.is_some(), "list"),
            ParameterType::Map => (!val.maps.is_empty(), "map"),
            ParameterType::Function => (!val.calls.is_empty(), "function"),
            ParameterType::Int => (val.kinds.has(Kinds::INT), "whole number"),
            ParameterType::Area => (val.kinds.has(Kinds::AREA), "area"),
            ParameterType::Seats => {
                self.seats(val, at);
                return;
            }
            ParameterType::SpaceOrSpaces | ParameterType::Spaces => return self.spaces(val, at),
            ParameterType::How => return self.terms(val, at),
            ParameterType::Sight => return self.sight(val, at),
            ParameterType::ValueOf => {
                if let Some(property) = before {
                    self.compare_property(property, val, at);
                }
                return;
            }
            ParameterType::PieceOrPieces | ParameterType::Any => return,
        };
        let nothing = val.is_any()
            || val.is_nothing()
            || only(val, Kinds::UNIT)
            || val.kinds.has(Kinds::MIXED);
        if !fits && !nothing {
            let article = if what.starts_with(['a', 'e', 'i', 'o']) {
                "an"
            } else {
                "a"
            };
            let given = described(val);
            let message = format!("`{function}` takes {article} {what} here, not {given}");
            self.report.error(at, message, None);
        }
    }

    /// Names of a sort that a value may be: what the game does not have is an error where a script
    /// has written it.
    pub(super) fn name(&mut self, sort: Sort, val: &Val, at: Position) {
        let mut fitting = false;
        let mut strange = None;
        let mixed = val.kinds.has(Kinds::MIXED) && (val.texts.len() > 1 || !val.is_told());
        for text in &val.texts {
            match text {
                TextValue::Word(word, place) => {
                    if self.names.holds(sort, word) {
                        fitting = true;
                        self.report.uses(sort, word);
                    } else if word.is_empty() {
                        // Nothing yet: what comes here is asked for before.
                        fitting = true;
                    } else if place.is_none() || mixed {
                        strange = Some(word.to_string());
                    } else {
                        self.missing(sort, word, *place);
                        fitting = true;
                    }
                }
                TextValue::Of(other) if sort.takes(*other) => {
                    fitting = true;
                    self.report.uses_all(sort);
                }
                TextValue::Of(other) => {
                    // Names of one sort may be names of another too: a city that gives points.
                    let known: Vec<&str> = self.names.all(sort).iter().copied().collect();
                    for word in known {
                        if self.names.holds(*other, word) {
                            self.report.uses(sort, word);
                            fitting = true;
                        }
                    }
                    self.report.unproven(sort, at);
                }
                TextValue::Parts(parts) => {
                    let holds = |sort, word: &str| self.names.holds(sort, word);
                    let known = self.names.all(sort).iter();
                    let known: Vec<String> = known
                        .filter(|word| fits(parts, word, &holds))
                        .map(|word| (*word).to_owned())
                        .collect();
                    if known.is_empty() {
                        let what = sort.name();
                        let message = format!("there is no {what} like `{}`", shown(parts));
                        self.report.error(at, message, None);
                    }
                    for word in &known {
                        self.report.uses(sort, word);
                    }
                    self.report.unproven(sort, at);
                    fitting = true;
                }
            }
        }
        if !val.is_told() {
            self.report.uses_all(sort);
            self.report.unproven(sort, at);
            fitting = true;
        }
        if let (Some(word), false) = (strange, fitting) {
            self.missing(sort, &word, at);
        }
        if let Some(other) = self.other_sort(val, |word| self.names.holds(sort, word)) {
            let message = format!("a {} is no {}", other.name(), sort.name());
            self.report.error(at, message, None);
        }
    }

    /// Says that the game has no such name.
    pub(super) fn missing(&mut self, sort: Sort, name: &str, at: Position) {
        let near = crate::game::nearest(name, self.names.all(sort).iter().copied());
        let hint = match near {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None => Some(format!("{} says what there is", sort.declared())),
        };
        let message = match sort {
            Sort::SpaceData => format!("no space has `{name}` among its data"),
            Sort::RoadData => format!("no road has `{name}` among its data"),
            Sort::ScenarioData => format!("no scenario has `{name}` among its data"),
            _ => format!("there is no {} `{name}`", sort.name()),
        };
        self.report.error(at, message, hint);
    }

    /// The names of a sort that a value means, as far as it tells.
    pub(super) fn names_meant(&self, sort: Sort, val: &Val) -> Vec<String> {
        let all = self.names.all(sort);
        if !val.is_told() {
            return all.iter().map(|name| (*name).to_owned()).collect();
        }
        let holds = |sort, word: &str| self.names.holds(sort, word);
        let means = |name: &&&str| {
            val.texts.iter().any(|text| match text {
                TextValue::Word(word, _) => **word == ***name,
                TextValue::Of(other) => holds(*other, name),
                TextValue::Parts(parts) => fits(parts, name, &holds),
            })
        };
        all.iter()
            .filter(means)
            .map(|name| (*name).to_owned())
            .collect()
    }

    /// A space or a box.
    fn place(&mut self, val: &Val, at: Position) {
        for (word, place) in val.words() {
            let known = self.names.holds(Sort::Space, word) || self.names.holds(Sort::Box, word);
            if self.names.holds(Sort::Box, word) {
                self.report.uses(Sort::Box, word);
            }
            let mixed = val.kinds.has(Kinds::MIXED) && val.texts.len() > 1;
            if !known && !place.is_none() && !word.is_empty() && !mixed {
                let all = self
                    .names
                    .all(Sort::Space)
                    .iter()
                    .chain(self.names.all(Sort::Box));
                let near = crate::game::nearest(word, all.copied());
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                self.report
                    .error(place, format!("there is no space or box `{word}`"), hint);
            }
        }
        if !val.is_told() || val.texts.contains(&TextValue::Of(Sort::Box)) {
            self.report.uses_all(Sort::Box);
        }
        let holds =
            |word: &str| self.names.holds(Sort::Space, word) || self.names.holds(Sort::Box, word);
        let strange = self.other_sort(val, holds);
        if let Some(sort) = strange {
            let message = format!("a {} is no space or box", sort.name());
            self.report.error(at, message, None);
        }
    }

    /// The sort of a value's names, if it is certainly names and none of them is wanted.
    fn other_sort(&self, val: &Val, is_wanted: impl Fn(&str) -> bool) -> Option<Sort> {
        let mut texts = val.texts.iter();
        let (Some(TextValue::Of(sort)), None, true) = (texts.next(), texts.next(), val.is_told())
        else {
            return None;
        };
        let all = self.names.all(*sort);
        let mixed = val.kinds.has(Kinds::MIXED);
        (!mixed && !all.is_empty() && !all.iter().any(|word| is_wanted(word))).then_some(*sort)
    }

    /// A seat, seats, or all of them.
    pub(super) fn seats(&mut self, val: &Val, at: Position) {
        let mut others = val.clone();
        others
            .texts
            .retain(|text| !matches!(text, TextValue::Word(word, _) if &**word == "all"));
        self.name(Sort::Seat, &others, at);
        if let Some(item) = &val.item {
            self.name(Sort::Seat, &Val::clone(item), at);
        }
    }

    /// Wants one of these words.
    fn one_of(&mut self, words: &[&str], val: &Val) {
        for (word, place) in val.words() {
            if !place.is_none() && !words.contains(&&**word) {
                let message = format!("this is one of {}, not `{word}`", words.join(", "));
                let near = crate::game::nearest(word, words.iter().copied());
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                self.report.error(place, message, hint);
            }
        }
    }

    /// Spaces, alone or in a list.
    fn spaces(&mut self, val: &Val, at: Position) {
        let texts = |val: &Val| Val {
            texts: val.texts.clone(),
            ..Val::default()
        };
        self.name(Sort::Space, &texts(val), at);
        if let Some(item) = &val.item {
            self.name(Sort::Space, &texts(item), at);
        }
    }

    /// The terms of a way.
    fn terms(&mut self, val: &Val, at: Position) {
        for call in &val.calls {
            let here = vec![Val::name(Sort::Space), Val::name(Sort::Space)];
            self.call_value(call, here);
        }
        for map in val.maps.clone() {
            for (key, field) in &map.fields {
                self.term("a way", TERMS, key, &field.val, at);
                match &**key {
                    "not_across" => self.name(Sort::Hexside, &field.val.items(), at),
                    "bridged" | "unbridged" => self.spaces(&field.val.items(), at),
                    "eased" => self.name(Sort::RoadClass, &field.val.items(), at),
                    "dear" => self.dear(&field.val, at),
                    _ => {}
                }
            }
            let part = |name: &str| map.fields.get(name).map(|field| field.val.clone());
            if let (Some(table), Some(class)) = (part("table"), part("class")) {
                self.classes(&table, &class, part("not_across").as_ref(), at);
            }
        }
    }

    /// Wants spaces that cost more to enter, or pairs of spaces and numbers.
    fn dear(&mut self, val: &Val, at: Position) {
        let items = val.items();
        let pairs = !items.is_any() && items.item.is_some();
        if !pairs {
            self.spaces(val, at);
        }
    }

    /// The terms of sight.
    fn sight(&mut self, val: &Val, at: Position) {
        for map in val.maps.clone() {
            for (key, field) in &map.fields {
                self.term("sight", SIGHT_TERMS, key, &field.val, at);
            }
            if let Some(field) = map.fields.get("table") {
                self.covers(&field.val);
            }
        }
    }

    /// Wants one of the known terms.
    fn term(
        &mut self,
        what: &str,
        terms: &[(&str, ParameterType)],
        key: &str,
        val: &Val,
        at: Position,
    ) {
        if let Some((_, takes)) = terms.iter().find(|(term, _)| *term == key) {
            return self.argument(what, *takes, val, None, at);
        }
        let terms: Vec<&str> = terms.iter().map(|(term, _)| *term).collect();
        let hint = match crate::game::nearest(key, terms.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", terms.join(", ")),
        };
        let message = format!("{what} has no `{key}`");
        self.report.error(at, message, Some(hint));
    }
}
