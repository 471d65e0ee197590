//! Places in a YAML text: where a path stands.
//!
//! The reader's errors carry a place, so a walk over the text that fails on purpose finds one.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Problem;

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

/// Fills in line and column of a problem from its path, as near as the text has it.
pub(super) fn place(problem: &mut Problem, text: &str) {
    let mut path = problem.path.as_str();
    while !path.is_empty() {
        let document = serde_yaml::Deserializer::from_str(text);
        let found = PathWalk(path).deserialize(document).err();
        if let Some(location) = found.and_then(|error| error.location()) {
            (problem.line, problem.column) = (location.line(), location.column());
            return;
        }
        let end = path.rfind(['.', '[']).unwrap_or(0);
        path = path.get(..end).unwrap_or_default();
    }
}

/// The rest of a path that begins with a key. Keys may have dots themselves.
pub(super) fn after_key<'a>(path: &'a str, key: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(key)?;
    match rest.strip_prefix('.') {
        Some(rest) => Some(rest),
        None => (rest.is_empty() || rest.starts_with('[')).then_some(rest),
    }
}

/// The number and the rest of a path that begins with `[number]`.
pub(super) fn after_index(path: &str) -> Option<(usize, &str)> {
    let (number, rest) = path.strip_prefix('[')?.split_once(']')?;
    Some((number.parse().ok()?, rest.strip_prefix('.').unwrap_or(rest)))
}

/// Walks along a path and fails where it ends; succeeds if the text has no such path.
struct PathWalk<'a>(&'a str);

impl<'de> DeserializeSeed<'de> for PathWalk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.0.is_empty() {
            deserializer.deserialize_any(Halt)
        } else {
            deserializer.deserialize_any(self)
        }
    }
}

impl<'de> Visitor<'de> for PathWalk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match after_key(self.0, &key) {
                Some(rest) => map.next_value_seed(PathWalk(rest))?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some((wanted, rest)) = after_index(self.0) else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        };
        let mut number = 0;
        loop {
            let more = if number == wanted {
                list.next_element_seed(PathWalk(rest))?
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
struct Halt;

impl<'de> Visitor<'de> for Halt {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;

    const TEXT: &str = "a:\n  x: 1\n  x.y: [p, {q: 2}]\nlist:\n  - n: 5\n  - [6,\n     7]\n";

    fn found(path: &str) -> (usize, usize) {
        let mut problem = Problem::new("file", path, "");
        place(&mut problem, TEXT);
        (problem.line, problem.column)
    }

    #[test]
    fn paths_lead_to_their_places() {
        assert_eq!(found("a.x"), (2, 6));
        assert_eq!(found("list[0].n"), (5, 8));
        assert_eq!(found("list[1][1]"), (7, 6));
    }

    #[test]
    fn keys_may_have_dots() {
        assert_eq!(found("a.x.y"), (3, 8));
        assert_eq!(found("a.x.y[1].q"), (3, 16));
    }

    #[test]
    fn a_path_that_is_not_there_ends_as_near_as_it_can() {
        assert_eq!(found("list[0].missing"), (5, 5));
        assert_eq!(found("list[9]"), (5, 3));
        assert_eq!(found("nothing.at.all"), (0, 0));
    }
}
