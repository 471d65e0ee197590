//! Comparisons that can never hold, because the value is never the word that it is compared with.

use rhai::{Expr, FnCallExpr, Position};

use super::{Flow, Store, chains::only};
use crate::{
    check::{
        names::Sort,
        value::{Kinds, TextValue, Val, fits},
    },
    game::{FactAudience, Severity},
    value::Value,
};

impl Flow<'_> {
    /// An operator and its operands.
    pub(super) fn operator(&mut self, call: &FnCallExpr, sides: &[Val], at: Position) -> Val {
        match (call.name.as_str(), sides) {
            ("==" | "!=", [left, right]) => {
                self.compare_values(left, right);
                let word = |side: usize| match call.args.get(side) {
                    Some(Expr::StringConstant(word, at)) => Some((word.to_string(), *at)),
                    _ => None,
                };
                if let Some((word, at)) = word(1) {
                    self.compare_word(left, &word, at);
                } else if let Some((word, at)) = word(0) {
                    self.compare_word(right, &word, at);
                }
                self.operation(&call.name, sides)
            }
            (order @ ("<" | "<=" | ">" | ">="), [left, right]) => {
                self.compare_order(order, left, right, at);
                self.operation(order, sides)
            }
            ("contains" | "!contains", [list, item]) => {
                self.compare_item(list, item, call.args.get(1));
                Val::of(Kinds::BOOL)
            }
            _ => self.operation(&call.name, sides),
        }
    }

    /// Which of two values is more: numbers with numbers, texts with texts. Anything else is
    /// always false.
    fn compare_order(&mut self, order: &str, left: &Val, right: &Val, at: Position) {
        let (Some(one), Some(other)) = (one_sort(left), one_sort(right)) else {
            return self.report.possible(order, at);
        };
        if one == other {
            return self.report.possible(order, at);
        }
        let message = format!("{one} is never less or more than {other}: this is always false");
        let kept = left.kinds.has(Kinds::KEPT) || right.kinds.has(Kinds::KEPT);
        let severity = if kept {
            Severity::Warning
        } else {
            Severity::Error
        };
        self.report.impossible(order, at, severity, message, None);
    }

    /// A value is compared with a word: says so if it never is that.
    pub(super) fn compare_word(&mut self, val: &Val, word: &str, at: Position) {
        if word.is_empty() || val.is_nothing() {
            return;
        }
        if let Some(other) = never_text(val) {
            let message = format!("what is compared here is {other}, and never `{word}`");
            return self
                .report
                .impossible(word, at, Severity::Error, message, None);
        }
        if !val.is_told() || val.texts.is_empty() || self.may_be(val, word) {
            self.note_word(val, word);
            self.report.possible(word, at);
            return;
        }
        let sorts: Vec<Sort> = val
            .texts
            .iter()
            .filter_map(|text| match text {
                TextValue::Of(sort) => Some(*sort),
                _ => None,
            })
            .collect();
        if let [sort] = sorts.as_slice()
            && val.words().all(|(word, _)| word.is_empty())
        {
            let message = format!("there is no {} `{word}`", sort.name());
            let near = crate::game::nearest(word, self.names.all(*sort).iter().copied());
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            return self
                .report
                .impossible(word, at, Severity::Error, message, hint);
        }
        let known: Vec<&str> = val
            .words()
            .map(|(word, _)| &**word)
            .filter(|word| !word.is_empty())
            .collect();
        let near = crate::game::nearest(word, known.iter().copied());
        let hint = match near {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if known.is_empty() || known.len() > 12 || !sorts.is_empty() => None,
            None => Some(format!("it may be: {}", known.join(", "))),
        };
        let message = format!("what is compared here is never `{word}`");
        // The value of a fact or an attribute may come from a case or an umpire too.
        let severity = if val.kinds.has(Kinds::KEPT) {
            Severity::Warning
        } else {
            Severity::Error
        };
        self.report.impossible(word, at, severity, message, hint);
    }

    /// Returns true if a value may be a word.
    pub(super) fn may_be(&self, val: &Val, word: &str) -> bool {
        let holds = |sort, word: &str| self.names.holds(sort, word);
        val.texts.iter().any(|text| match text {
            TextValue::Word(known, _) => **known == *word,
            TextValue::Of(sort) => holds(*sort, word),
            TextValue::Parts(parts) => fits(parts, word, &holds),
        })
    }

    /// Notes that a word of a sort is named.
    fn note_word(&mut self, val: &Val, word: &str) {
        for text in &val.texts {
            if let TextValue::Of(sort) = text {
                self.report.uses(*sort, word);
            }
        }
        self.report.word(word);
    }

    /// Checks that a list can hold a value, a map a key, an area a space.
    pub(super) fn compare_item(&mut self, list: &Val, item: &Val, written: Option<&Expr>) {
        if only(list, Kinds::AREA.and(Kinds::FIELD)) {
            let strict = Val {
                texts: item.texts.clone(),
                ..Val::default()
            };
            for (word, place) in strict.words() {
                let known =
                    self.names.holds(Sort::Space, word) || self.names.holds(Sort::Box, word);
                if !known && !place.is_none() && !word.is_empty() {
                    self.missing(Sort::Space, word, place);
                }
            }
            return;
        }
        if let Some(Expr::StringConstant(word, place)) = written {
            if list.is_any() {
                return self.report.possible(word, *place);
            }
            if !list.maps.is_empty() && list.item.is_none() {
                return self.compare_key(list, word, *place);
            }
            if list.item.is_some() && list.maps.is_empty() {
                return self.compare_word(&list.items(), word, *place);
            }
        }
        if list.item.is_none() && written.is_some() && (list.is_any() || !list.maps.is_empty()) {
            for (word, place) in item.words() {
                if !place.is_none() {
                    self.report.key_asked(word, place);
                }
            }
        }
        if list.item.is_some() && list.maps.is_empty() {
            self.compare_values(&list.items(), item);
            // A list that is written out is compared word by word.
            for (word, place) in list.items().words() {
                if !place.is_none() {
                    let word = word.to_string();
                    self.compare_word(item, &word, place);
                }
            }
        }
    }

    /// Checks whether a map has a key: one that none of its kind ever has is a slip.
    fn compare_key(&mut self, map: &Val, key: &str, at: Position) {
        self.report.property_read(key);
        let open = map.is_any() || map.maps.iter().any(|map| map.rest.is_some());
        if open || map.maps.iter().any(|map| map.fields.contains_key(key)) {
            return self.report.possible(key, at);
        }
        self.no_such_key(map, key, at);
    }

    /// Says that maps have no such key.
    pub(super) fn no_such_key(&mut self, map: &Val, key: &str, at: Position) {
        let keys: std::collections::BTreeSet<&str> = map
            .maps
            .iter()
            .flat_map(|map| map.fields.keys())
            .map(|key| &**key)
            .collect();
        let near = crate::game::nearest(key, keys.iter().copied());
        let hint = match near {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if keys.is_empty() => None,
            None => Some(format!(
                "there are: {}",
                keys.into_iter().collect::<Vec<_>>().join(", ")
            )),
        };
        let message = format!("this map never has a key `{key}`");
        self.report
            .impossible(key, at, Severity::Error, message, hint);
    }

    /// A property is compared with a value (`having`, `units`).
    pub(super) fn compare_property(&mut self, property: &Val, val: &Val, at: Position) {
        let Some(name) = property.only_word().map(str::to_owned) else {
            return;
        };
        if !self.names.holds(Sort::Property, &name) {
            return;
        }
        let held = self.property_of_piece(&name);
        for (word, place) in val
            .words()
            .chain(val.items_of_list().iter().flat_map(Val::words))
        {
            if !place.is_none() {
                let word = word.to_string();
                self.compare_word(&held, &word, place);
            }
        }
        if let Some(declared) = self.game().decl.attributes.get(&name) {
            let lists = val.item.is_some();
            if !lists {
                self.same_type(&name, &declared.default, val, at);
            }
        }
    }

    /// A value that is given to an attribute must be of the type of its default.
    pub(super) fn same_type(&mut self, name: &str, default: &Value, val: &Val, at: Position) {
        let (fits, what) = match default {
            Value::Bool(_) => (val.kinds.has(Kinds::BOOL), "true or false"),
            Value::Int(_) => (val.kinds.has(Kinds::INT), "a number"),
            Value::Text(_) => (val.may_be_text(), "text"),
            Value::List(_) => (val.item.is_some(), "a list"),
            Value::Map(_) => (!val.maps.is_empty(), "a map"),
            Value::Null => return,
        };
        if fits || val.is_any() || val.is_nothing() || val.kinds.has(Kinds::MIXED) {
            return;
        }
        let given = if only(val, Kinds::UNIT) {
            "nothing"
        } else {
            super::calls::described(val)
        };
        let message = format!("`{name}` is {what}, as its default says, and not {given}");
        self.report.error(at, message, None);
    }

    /// The value that has been stored under a name.
    pub(super) fn kept(&mut self, store: Store, sort: Sort, names: &Val) -> Val {
        let mut val = Val::default();
        for name in self.names_meant(sort, names) {
            self.report.reads(sort, &name);
            let kept = self.kept.get(store, &name);
            let is_hidden = store == Store::Fact && self.names.is_kept_secret(&name);
            val.join(if is_hidden {
                kept.marked(Kinds::HIDDEN)
            } else {
                kept
            });
        }
        val
    }
}

impl Flow<'_> {
    /// Returns true if everybody is shown a fact.
    pub(super) fn is_public(&self, fact: &str) -> bool {
        let declared = self.game().decl.facts.get(fact);
        declared.is_none_or(|fact| fact.shown == FactAudience::Public)
    }
}

/// The kind of a value that is certainly of one sort.
fn one_sort(val: &Val) -> Option<&'static str> {
    if val.kinds.has(Kinds::ANY.and(Kinds::MIXED).and(Kinds::UNIT)) || !val.calls.is_empty() {
        return None;
    }
    let no_kind = val.kinds.bare() == Kinds::default();
    let text = val.open || !val.texts.is_empty();
    let one = match (text, val.item.is_some(), !val.maps.is_empty()) {
        (true, false, false) | (false, true, false) | (false, false, true) => no_kind,
        (false, false, false) => [Kinds::INT, Kinds::BOOL, Kinds::PIECE]
            .into_iter()
            .any(|kind| only(val, kind)),
        _ => false,
    };
    one.then(|| super::calls::described(val))
}

/// The kind of a value that is certainly a list, a number or a piece, and no text.
fn never_text(val: &Val) -> Option<&'static str> {
    let unsure = Kinds::ANY
        .and(Kinds::KEPT)
        .and(Kinds::MIXED)
        .and(Kinds::UNIT);
    let text = val.open || !val.texts.is_empty() || !val.maps.is_empty();
    if text || val.kinds.has(unsure) || !val.calls.is_empty() {
        return None;
    }
    let list = val.item.is_some() && val.kinds.bare() == Kinds::default();
    (list || only(val, Kinds::INT) || only(val, Kinds::PIECE)).then(|| super::calls::described(val))
}

impl Val {
    /// Its items, if it is a list.
    fn items_of_list(&self) -> Option<Val> {
        self.item.as_deref().cloned()
    }
}
