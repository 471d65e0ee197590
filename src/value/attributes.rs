//! The attributes of a piece: a short list that is quickly copied.

use std::{cell::Cell, collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Fields, Value};

/// Attributes by name, in the order of the names. Whenever a phase changes a piece it changes a
/// copy, and all pieces have much the same attributes: so copies share the names and lie in one
/// piece of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes(Vec<(Arc<str>, Value)>);

impl Attributes {
    /// The value of an attribute, if it is known.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.place(name).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    /// Like `get`, for asking many pieces for the same attribute: looks first where the last one
    /// had it.
    #[must_use]
    pub fn get_where(&self, last: &Cell<usize>, name: &str) -> Option<&Value> {
        if let Some((known, value)) = self.0.get(last.get())
            && known.as_ref() == name
        {
            return Some(value);
        }
        let at = self.place(name).ok()?;
        last.set(at);
        self.0.get(at).map(|(_, value)| value)
    }

    /// The values of these names, which must be in order.
    pub fn among(&self, names: &[&str]) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        let mut names = names.iter().copied().peekable();
        self.iter().filter(move |(name, _)| {
            while names.next_if(|wanted| *wanted < name.as_ref()).is_some() {}
            names.peek().is_some_and(|wanted| *wanted == name.as_ref())
        })
    }

    /// A copy with those of these names alone, which must be in their order.
    #[must_use]
    pub fn only(&self, names: &[&str]) -> Self {
        let mut kept = Vec::with_capacity(names.len().min(self.len()));
        let among = self.among(names);
        kept.extend(among.map(|(name, value)| (Arc::clone(name), value.clone())));
        Self(kept)
    }

    /// Sets an attribute, known before or not.
    pub fn insert(&mut self, name: Arc<str>, value: Value) {
        match self.place(&name) {
            Ok(at) => self.replace(at, value),
            Err(at) => self.0.insert(at, (name, value)),
        }
    }

    /// Like `insert`, by a name that need not be shared.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.place(name) {
            Ok(at) => self.replace(at, value),
            Err(at) => self.0.insert(at, (name.into(), value)),
        }
    }

    /// Sets several attributes.
    pub fn extend(&mut self, others: &Fields) {
        for (name, value) in others {
            self.set(name, value.clone());
        }
    }

    /// How many attributes are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if none is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All attributes, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// The names, in their order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    /// Keeps the values for which `keep` returns true.
    pub fn retain(&mut self, keep: impl Fn(&str, &Value) -> bool) {
        self.0.retain(|(name, value)| keep(name, value));
    }

    /// Where a name is, or where it would be.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(known, _)| known.as_ref().cmp(name))
    }

    fn replace(&mut self, at: usize, value: Value) {
        if let Some((_, known)) = self.0.get_mut(at) {
            *known = value;
        }
    }
}

/// Of a name that comes several times the last value counts.
impl FromIterator<(Arc<str>, Value)> for Attributes {
    fn from_iter<T: IntoIterator<Item = (Arc<str>, Value)>>(all: T) -> Self {
        let all = all.into_iter();
        let (least, most) = all.size_hint();
        let mut attributes = Self(Vec::with_capacity(most.unwrap_or(least)));
        for (name, value) in all {
            attributes.insert(name, value);
        }
        attributes
    }
}

/// Written as a map.
impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = BTreeMap::<Arc<str>, Value>::deserialize(deserializer)?;
        Ok(Self(all.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn they_are_found_wherever_the_last_one_was() {
        let of = |names: &[&str]| -> Attributes {
            let all = names.iter().zip(1..);
            all.map(|(name, n)| ((*name).into(), Value::Int(n)))
                .collect()
        };
        let last = Cell::default();
        for (names, found) in [
            (&["cf", "sp"][..], Some(2)),
            (&["cf", "sp"], Some(2)),
            (&["sp"], Some(1)),
            (&["cf"], None),
            (&[], None),
            (&["a", "b", "c", "sp", "x"], Some(4)),
        ] {
            let known = of(names);
            assert_eq!(known.get_where(&last, "sp"), known.get("sp"));
            assert_eq!(known.get("sp"), found.map(Value::Int).as_ref());
        }
    }

    #[test]
    fn they_are_read_and_written_as_a_map_in_the_order_of_names() {
        let mut attributes = Attributes::default();
        for (name, value) in [("sp", 3), ("hits", 1), ("sp", 4), ("cf", 2)] {
            attributes.set(name, value.into());
        }
        attributes.insert("hits".into(), 2.into());
        assert_eq!(attributes.get("sp"), Some(&Value::Int(4)));
        assert_eq!(attributes.get("mp"), None);
        let only = attributes.only(&["cf", "ma", "sp"]);
        assert_eq!(only.keys().collect::<Vec<_>>(), ["cf", "sp"]);
        assert!(attributes.only(&[]).is_empty());
        let text = serde_json::to_string(&attributes).unwrap();
        assert_eq!(text, r#"{"cf":2,"hits":2,"sp":4}"#);
        let again: Attributes = serde_json::from_str(r#"{"sp":4,"cf":2,"hits":2}"#).unwrap();
        assert_eq!(again, attributes);
        let collected: Attributes = [("sp", 9), ("cf", 2), ("sp", 4), ("hits", 2)]
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        assert_eq!(collected, attributes);
    }
}
