//! Values that cross the border between data, scripts and mails: JSON without fractions.

mod attributes;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use attributes::Attributes;

/// A map of named values; its order is that of the names, so that everything made from it is
/// deterministic.
pub type Fields = BTreeMap<String, Value>;

/// A value of a fact, an attribute, an order's slot or an event's argument. Whole numbers only:
/// replays are bit-exact.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(untagged)]
pub enum Value {
    /// Nothing; `()` in scripts, `null` in files.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text; ids too.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Named values.
    Map(Fields),
}

impl Value {
    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The list, if it is one.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// The named values, if it is a map.
    #[must_use]
    pub fn as_map(&self) -> Option<&Fields> {
        match self {
            Self::Map(fields) => Some(fields),
            _ => None,
        }
    }

    /// A named value of a map.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_map().and_then(|fields| fields.get(name))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<Vec<Value>> for Value {
    fn from(list: Vec<Value>) -> Self {
        Self::List(list)
    }
}

impl From<Fields> for Value {
    fn from(fields: Fields) -> Self {
        Self::Map(fields)
    }
}
