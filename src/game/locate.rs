//! Places in a YAML text: where a path stands, and whether a map names a key twice.
//!
//! The reader's errors carry a place, so a walk over the text that fails on purpose finds one.

use std::{collections::BTreeSet, fmt};

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{Problem, read};

/// The scalar visits of a visitor, all answered by one expression.
macro_rules! scalars {
    (|$self:ident| $answer:expr) => {
        fn visit_unit<E: de::Error>($self) -> Result<(), E> {
            $answer
        }
        fn visit_bool<E: de::Error>($self, _: bool) -> Result<(), E> {
            $answer
        }
        fn visit_i64<E: de::Error>($self, _: i64) -> Result<(), E> {
            $answer
        }
        fn visit_u64<E: de::Error>($self, _: u64) -> Result<(), E> {
            $answer
        }
        fn visit_f64<E: de::Error>($self, _: f64) -> Result<(), E> {
            $answer
        }
        fn visit_str<E: de::Error>($self, _: &str) -> Result<(), E> {
            $answer
        }
    };
}

/// One step of a path: `.name` or `[number]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// Fills in line and column of a problem from its path, as near as the text has it.
pub(super) fn place(problem: &mut Problem, text: &str) {
    let steps = steps(&problem.path);
    for length in (1..=steps.len()).rev() {
        let walk = Walk(steps.get(..length).unwrap_or_default());
        let document = serde_yaml::Deserializer::from_str(text);
        let found = walk.deserialize(document).err();
        if let Some(location) = found.and_then(|error| error.location()) {
            problem.line = location.line();
            problem.column = location.column();
            return;
        }
    }
}

/// The steps of a path.
pub(super) fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let (name, indices) = part.split_once('[').unwrap_or((part, ""));
        if !name.is_empty() {
            steps.push(Step::Key(name.to_owned()));
        }
        let numbers = indices.split(['[', ']']).filter_map(|n| n.parse().ok());
        steps.extend(numbers.map(Step::Index));
    }
    steps
}

/// Walks along a path and fails where it ends; succeeds if the text has no such path.
struct Walk<'a>(&'a [Step]);

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.0.is_empty() {
            deserializer.deserialize_any(Stop)
        } else {
            deserializer.deserialize_any(self)
        }
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.0 {
                [Step::Key(name), rest @ ..] if *name == key => map.next_value_seed(Walk(rest))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut number = 0;
        loop {
            let on_path = matches!(self.0, [Step::Index(index), ..] if *index == number);
            let more = if on_path {
                list.next_element_seed(Walk(self.0.get(1..).unwrap_or_default()))?
            } else {
                list.next_element::<IgnoredAny>()?.map(|_| ())
            };
            if more.is_none() {
                return Ok(());
            }
            number += 1;
        }
    }

    scalars!(|self| Ok(()));
}

/// Fails on whatever it meets: the error carries the place.
struct Stop;

impl<'de> Visitor<'de> for Stop {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(de::Error::custom("here"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(de::Error::custom("here"))
    }

    scalars!(|self| Err(de::Error::custom("here")));
}

/// Refuses a text in which a map names a key twice.
pub(super) fn no_duplicates(file: &str, text: &str) -> Result<(), Problem> {
    let document = serde_yaml::Deserializer::from_str(text);
    Once.deserialize(document)
        .map_err(|error| read::describe(file, &error))
}

/// Walks over everything and fails at the second of two equal keys.
struct Once;

impl<'de> DeserializeSeed<'de> for Once {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut keys = BTreeSet::new();
        while map.next_key_seed(NewKey(&mut keys))?.is_some() {
            map.next_value_seed(Once)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Once)?.is_some() {}
        Ok(())
    }

    scalars!(|self| Ok(()));
}

/// A key that its map has not named yet.
struct NewKey<'a>(&'a mut BTreeSet<String>);

impl<'de> DeserializeSeed<'de> for NewKey<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NewKey<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<(), E> {
        if self.0.insert(key.to_owned()) {
            return Ok(());
        }
        Err(E::custom(format_args!("`{key}` stands here twice")))
    }
}
