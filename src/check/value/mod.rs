//! An abstract value: what an expression of a script may be, as far as its text tells.
//!
//! A value is a union of alternatives: kinds, texts, lists, maps, functions. It may say too much (a
//! text that in truth never comes), but never too little: anything unknown is [`Kinds::ANY`] or an
//! open set of texts.

mod kinds;
mod text;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use rhai::Position;

pub(super) use self::{
    kinds::Kinds,
    text::{TextPart, TextValue, fits, joined, shown},
};
use super::names::Sort;
use crate::value::Value;

/// The most texts that are told apart; more are any text.
const MOST_TEXTS: usize = 64;
/// The most maps that are told apart; more are joined.
const MOST_MAPS: usize = 64;
/// The depth to which lists and maps are followed.
const DEEPEST: u8 = 7;

/// A map that a value may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MapValue {
    /// Its entries.
    pub fields: BTreeMap<Rc<str>, MapField>,
    /// The values under other keys, if there may be any.
    pub rest: Option<Rc<Val>>,
    /// True if it stands for too many maps to tell them apart.
    pub many: bool,
}

/// An entry of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MapField {
    pub val: Val,
    /// True if the map always has it.
    pub sure: bool,
}

/// A function used as a value, with its bound arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub name: Rc<str>,
    pub bound: Vec<Val>,
}

/// The possible values of an expression. The default is nothing at all: an expression that is never
/// reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Val {
    pub kinds: Kinds,
    pub texts: BTreeSet<TextValue>,
    /// True if it may be another text too.
    pub open: bool,
    /// The items, if it may be a list.
    pub item: Option<Rc<Val>>,
    /// The maps that it may be.
    pub maps: Vec<Rc<MapValue>>,
    /// The functions that it may be.
    pub calls: Vec<Rc<Call>>,
}

impl Val {
    pub fn of(kinds: Kinds) -> Self {
        Self {
            kinds,
            ..Self::default()
        }
    }

    pub fn any() -> Self {
        Self::of(Kinds::ANY)
    }

    pub fn bool(truth: Option<bool>) -> Self {
        Self::of(match truth {
            Some(true) => Kinds::TRUE,
            Some(false) => Kinds::FALSE,
            None => Kinds::BOOL,
        })
    }

    /// Returns the truth value if it is certain.
    pub fn certain(&self) -> Option<bool> {
        let plain =
            self.texts.is_empty() && !self.open && self.item.is_none() && self.maps.is_empty();
        self.kinds.certain().filter(|_| plain)
    }

    pub fn unit() -> Self {
        Self::of(Kinds::UNIT)
    }

    pub fn word(word: &str, at: Position) -> Self {
        Self {
            texts: BTreeSet::from([TextValue::Word(word.into(), at)]),
            ..Self::default()
        }
    }

    pub fn name(sort: Sort) -> Self {
        Self {
            texts: BTreeSet::from([TextValue::Of(sort)]),
            ..Self::default()
        }
    }

    pub fn open_text() -> Self {
        Self {
            open: true,
            ..Self::default()
        }
    }

    pub fn list(item: Val) -> Self {
        if item.depth() >= DEEPEST {
            return Self::list(Self::any());
        }
        Self {
            item: Some(Rc::new(item)),
            ..Self::default()
        }
    }

    pub fn map(record: MapValue) -> Self {
        let deep = record.values().any(|val| val.depth() >= DEEPEST);
        let record = if deep {
            MapValue {
                rest: Some(Rc::new(Self::any())),
                ..MapValue::default()
            }
        } else {
            record
        };
        Self {
            maps: vec![Rc::new(record)],
            ..Self::default()
        }
    }

    /// A map with any keys.
    pub fn open_map(rest: Val) -> Self {
        Self::map(MapValue {
            rest: Some(Rc::new(rest)),
            ..MapValue::default()
        })
    }

    /// A value of a file.
    pub fn of_data(value: &Value) -> Self {
        match value {
            Value::Null => Self::unit(),
            Value::Bool(_) => Self::of(Kinds::BOOL),
            Value::Int(_) => Self::of(Kinds::INT),
            Value::Text(text) => Self::word(text, Position::NONE),
            Value::List(list) => {
                let items = list.iter().map(Self::of_data);
                Self::list(items.fold(Self::default(), Self::or))
            }
            Value::Map(fields) => {
                let entries = fields.iter();
                Self::map(MapValue::sure(
                    entries.map(|(name, value)| (name.as_str(), Self::of_data(value))),
                ))
            }
        }
    }

    fn depth(&self) -> u8 {
        let items = self.item.iter().map(|item| item.depth());
        let fields = self
            .maps
            .iter()
            .flat_map(|map| map.values().map(Self::depth));
        items.chain(fields).max().map_or(0, |deepest| deepest + 1)
    }

    /// Returns true if nothing can be told of it.
    pub fn is_any(&self) -> bool {
        self.kinds.has(Kinds::ANY)
    }

    /// Returns true if no expression can have given it: it stands where nothing is reached.
    pub fn is_nothing(&self) -> bool {
        self.kinds.bare() == Kinds::default() && self.is_no_text_list_or_map()
    }

    fn is_no_text_list_or_map(&self) -> bool {
        self.texts.is_empty()
            && !self.open
            && self.item.is_none()
            && self.maps.is_empty()
            && self.calls.is_empty()
    }

    /// Returns true if it may be a text.
    pub fn may_be_text(&self) -> bool {
        self.is_any() || self.open || !self.texts.is_empty()
    }

    /// Returns true if all texts that it may be are told.
    pub fn is_told(&self) -> bool {
        !self.is_any() && !self.open
    }

    /// The words among its texts.
    pub fn words(&self) -> impl Iterator<Item = (&Rc<str>, Position)> {
        self.texts.iter().filter_map(|text| match text {
            TextValue::Word(word, at) => Some((word, *at)),
            _ => None,
        })
    }

    /// Returns true if it is certainly one of its texts.
    fn is_plain_text(&self) -> bool {
        self.is_told()
            && self.kinds.bare() == Kinds::default()
            && self.item.is_none()
            && self.maps.is_empty()
            && self.calls.is_empty()
    }

    /// The only word that it may be.
    pub fn only_word(&self) -> Option<&str> {
        let mut texts = self.texts.iter();
        match (texts.next(), texts.next()) {
            (Some(TextValue::Word(word, _)), None) if self.is_plain_text() => Some(word),
            _ => None,
        }
    }

    /// The items, if it is a list; anything if they are not known.
    pub fn items(&self) -> Val {
        match &self.item {
            Some(item) => {
                let mut item = Val::clone(item);
                if self.is_any() {
                    item.join(Self::any());
                }
                item.marked(self.kinds.marks())
            }
            None if self.is_any() => Self::any().marked(self.kinds.marks()),
            None => Self::default(),
        }
    }

    /// Like `items`, with marks.
    pub fn marked(mut self, marks: Kinds) -> Self {
        self.kinds = self.kinds.and(marks.marks());
        self
    }

    /// Like this, decided by secret dice if these marks say so.
    pub fn decided_by(self, marks: Kinds) -> Self {
        if marks.has(Kinds::SECRET.and(Kinds::DECIDED)) {
            self.marked(Kinds::DECIDED)
        } else {
            self
        }
    }

    /// All marks on the value and on its contents.
    pub fn marks_inside(&self) -> Kinds {
        let items = self.item.iter().map(|item| item.marks_inside());
        let fields = self
            .maps
            .iter()
            .flat_map(|map| map.values().map(Self::marks_inside));
        items.chain(fields).fold(self.kinds.marks(), Kinds::and)
    }

    /// The value as something that everybody may see.
    #[must_use]
    pub fn disclosed(self) -> Self {
        self.unmarked(Kinds::SECRET.and(Kinds::DECIDED).and(Kinds::HIDDEN))
    }

    /// Without marks, inside too.
    #[must_use]
    pub fn unmarked(mut self, marks: Kinds) -> Self {
        if !self.marks_inside().has(marks) {
            return self;
        }
        self.kinds = self.kinds.without(marks);
        let plain = |val: Rc<Self>| Rc::new(Self::clone(&val).unmarked(marks));
        self.item = self.item.map(plain);
        for map in &mut self.maps {
            let map = Rc::make_mut(map);
            for field in map.fields.values_mut() {
                field.val = std::mem::take(&mut field.val).unmarked(marks);
            }
            map.rest = map.rest.take().map(plain);
        }
        self
    }

    /// The union of two values.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        self.join(other);
        self
    }

    /// Adds the alternatives of another value. Returns true if there are new ones.
    pub fn join(&mut self, other: Self) -> bool {
        if self.is_nothing() {
            let before = self.kinds;
            let marks = before.marks();
            let more = !other.is_nothing();
            *self = other.marked(marks);
            return more || self.kinds != before;
        }
        let before = (self.kinds, self.texts.len(), self.open);
        self.kinds = self.kinds.and(other.kinds);
        self.open |= other.open;
        if !self.kinds.has(Kinds::FULL) {
            self.texts.extend(other.texts);
        }
        if self.texts.len() > MOST_TEXTS || self.kinds.has(Kinds::FULL) {
            self.texts.clear();
            self.open = true;
            self.kinds = self.kinds.and(Kinds::FULL);
        }
        let mut more = before != (self.kinds, self.texts.len(), self.open);
        if let Some(theirs) = other.item {
            more |= match &mut self.item {
                None => {
                    self.item = Some(theirs);
                    true
                }
                Some(ours) if Rc::ptr_eq(ours, &theirs) => false,
                Some(ours) => Rc::make_mut(ours).join(Val::clone(&theirs)),
            };
        }
        for map in other.maps {
            more |= self.join_map(map);
        }
        for call in other.calls {
            if !self.calls.contains(&call) && self.calls.len() < MOST_MAPS {
                self.calls.push(call);
                more = true;
            }
        }
        more
    }

    fn join_map(&mut self, theirs: Rc<MapValue>) -> bool {
        if self.maps.contains(&theirs) {
            return false;
        }
        let alike = self.maps.iter_mut();
        let mut alike = alike.filter(|ours| ours.many || ours.is_like(&theirs));
        let alike = alike.next();
        if let Some(ours) = alike {
            return Rc::make_mut(ours).join(&theirs);
        }
        if self.maps.len() < MOST_MAPS {
            self.maps.push(theirs);
            return true;
        }
        // Too many to be told apart.
        let mut all = self.maps.drain(..);
        let mut joined = all
            .next()
            .map_or_else(MapValue::default, |first| MapValue::clone(&first));
        for map in all {
            joined.join(&map);
        }
        joined.join(&theirs);
        joined.many = true;
        self.maps.push(Rc::new(joined));
        true
    }

    /// A field of the maps that it may be; none if no such map has it.
    pub fn field(&self, name: &str) -> Option<Val> {
        let mut found: Option<Val> = None;
        for map in &self.maps {
            let field = map.fields.get(name).map(|field| &field.val);
            if let Some(val) = field.or(map.rest.as_deref()) {
                found.get_or_insert_default().join(val.clone());
            }
        }
        if self.is_any() {
            found.get_or_insert_default().join(Self::any());
        }
        found.map(|val| val.marked(self.kinds.marks()))
    }
}

/// Keys whose values tell maps apart: an order's verb, a remark's key, a reason's id.
const TAGS: [&str; 5] = ["verb", "key", "kind", "id", "is"];

impl MapValue {
    /// A map that always has these entries.
    pub fn sure<'a>(entries: impl Iterator<Item = (&'a str, Val)>) -> Self {
        let field = |(name, val): (&str, Val)| (name.into(), MapField { val, sure: true });
        Self {
            fields: entries.map(field).collect(),
            ..Self::default()
        }
    }

    /// With an entry that it may have.
    #[must_use]
    pub fn maybe(mut self, name: &str, val: Val) -> Self {
        self.fields
            .insert(name.into(), MapField { val, sure: false });
        self
    }

    pub fn values(&self) -> impl Iterator<Item = &Val> {
        let fields = self.fields.values().map(|field| &field.val);
        fields.chain(self.rest.as_deref())
    }

    /// The texts that tell it from maps with the same keys.
    pub fn tag(&self) -> Option<BTreeSet<TextValue>> {
        let mut tags = TAGS.iter();
        tags.find_map(|tag| Some(self.fields.get(*tag)?.val.texts.clone()))
    }

    /// Returns true if two maps have the same keys and are of one kind, so that nothing is lost
    /// when they are joined.
    fn is_like(&self, other: &Self) -> bool {
        self.rest.is_some() == other.rest.is_some()
            && self.fields.keys().eq(other.fields.keys())
            && self.tag() == other.tag()
    }

    fn join(&mut self, other: &Self) -> bool {
        let mut more = false;
        for (name, field) in &mut self.fields {
            if field.sure && other.fields.get(name).is_none_or(|theirs| !theirs.sure) {
                field.sure = false;
                more = true;
            }
        }
        for (name, theirs) in &other.fields {
            match self.fields.get_mut(name) {
                Some(ours) => more |= ours.val.join(theirs.val.clone()),
                None => {
                    let val = theirs.val.clone();
                    self.fields
                        .insert(Rc::clone(name), MapField { val, sure: false });
                    more = true;
                }
            }
        }
        if let Some(theirs) = &other.rest {
            more |= match &mut self.rest {
                Some(ours) => Rc::make_mut(ours).join(Val::clone(theirs)),
                None => {
                    self.rest = Some(Rc::clone(theirs));
                    true
                }
            };
        }
        more
    }

    /// This map with the entries of another laid over it, as `+` does.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut both = self.clone();
        for (name, theirs) in &other.fields {
            let ours = both.fields.entry(Rc::clone(name)).or_default();
            if theirs.sure {
                *ours = theirs.clone();
            } else {
                ours.val.join(theirs.val.clone());
            }
        }
        if let Some(theirs) = &other.rest {
            for field in both.fields.values_mut() {
                field.val.join(Val::clone(theirs));
            }
            match &mut both.rest {
                Some(ours) => {
                    Rc::make_mut(ours).join(Val::clone(theirs));
                }
                None => both.rest = Some(Rc::clone(theirs)),
            }
        }
        both
    }

    /// Sets an entry.
    pub fn set(&mut self, name: &str, val: Val) {
        self.fields
            .insert(name.into(), MapField { val, sure: true });
    }
}
