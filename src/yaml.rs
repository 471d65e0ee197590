//! YAML that anybody may have written, read in a time that the length of the text alone decides.
//!
//! The reader's own time grows with the square of the brackets that stand inside one another, and a
//! value that has a name (`&a`) may be repeated by it (`*a`) as often as somebody likes: both are
//! bounded before anything is made of a text.

use std::{cell::Cell, collections::BTreeSet, fmt};

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor,
};
use serde_yaml::Error;

/// The most brackets that may be open at once. The reader gives up far below that, but only after
/// it has looked at all of them.
const MOST_OPEN: usize = 1_000;

/// The most letters and values of a text, repeated ones counted each time.
const LONGEST: usize = 4 << 20;

/// Longest key of a map, in bytes.
const LONGEST_KEY: usize = 200;

/// Why a text is not read at all.
const TOO_DEEP: &str = "more lists and maps stand inside one another than any file needs";

/// Why the values of a text are not read.
const TOO_LONG: &str = "the names of values (`*name`) make this text longer than any file needs";

/// Reads one document.
///
/// # Errors
/// If it is no YAML, or does not fit the type.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    check(text)?;
    serde_yaml::from_str(text)
}

/// Reads several documents, divided by `---`.
///
/// # Errors
/// If one of them is no YAML, or does not fit the type.
pub fn documents<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, Error> {
    check(text)?;
    serde_yaml::Deserializer::from_str(text)
        .map(T::deserialize)
        .collect()
}

/// Refuses a text whose values would take long.
///
/// # Errors
/// Where it becomes too long, or too deep.
pub fn check(text: &str) -> Result<(), Error> {
    if is_too_deep(text) {
        return Err(de::Error::custom(TOO_DEEP));
    }
    // Without a name for a value a text has no more of them than letters.
    if text.contains('*') {
        walk(text, false)?;
    }
    Ok(())
}

/// Checks that a text is YAML within the limits, and refuses a map with a key that stands twice, or
/// is longer than any name.
///
/// # Errors
/// The first place that breaks a rule.
pub fn check_strictly(text: &str) -> Result<(), Error> {
    if is_too_deep(text) {
        return Err(de::Error::custom(TOO_DEEP));
    }
    walk(text, true)
}

/// Returns true if a text has more open brackets at some place than may be. Those in quotations and
/// comments count too: a text that has a thousand of them in a row is none that anybody wrote for a
/// reader.
fn is_too_deep(text: &str) -> bool {
    let opens = |byte: &&u8| matches!(byte, b'[' | b'{');
    if text.as_bytes().iter().filter(opens).count() <= MOST_OPEN {
        return false;
    }
    let mut open = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > MOST_OPEN
    })
}

fn walk(text: &str, strict: bool) -> Result<(), Error> {
    let left = Cell::new(LONGEST);
    let walk = Walk {
        left: &left,
        strict,
    };
    serde_yaml::Deserializer::from_str(text).try_for_each(|document| walk.deserialize(document))
}

/// Walks over every node, aliases as often as they are repeated.
#[derive(Clone, Copy)]
struct Walk<'a> {
    /// The letters and values that it may still take.
    left: &'a Cell<usize>,
    /// True if keys are checked.
    strict: bool,
}

impl Walk<'_> {
    fn take<E: de::Error>(self, length: usize) -> Result<(), E> {
        let left = self.left.get().checked_sub(length + 1);
        self.left.set(left.ok_or_else(|| E::custom(TOO_LONG))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.take(0)?;
        if !self.strict {
            while map.next_entry_seed(self, self)?.is_some() {}
            return Ok(());
        }
        let mut keys = BTreeSet::new();
        loop {
            let key = NewKey {
                keys: &mut keys,
                walk: self,
            };
            if map.next_key_seed(key)?.is_none() {
                return Ok(());
            }
            map.next_value_seed(self)?;
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.take(0)?;
        while list.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        self.take(text.len())
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.take(0)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        self.take(0)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        self.take(0)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        self.take(0)
    }

    fn visit_i128<E: de::Error>(self, _: i128) -> Result<(), E> {
        self.take(0)
    }

    fn visit_u128<E: de::Error>(self, _: u128) -> Result<(), E> {
        self.take(0)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        self.take(0)
    }
}

/// A key that its map has not named yet.
struct NewKey<'k, 'w> {
    keys: &'k mut BTreeSet<String>,
    walk: Walk<'w>,
}

impl<'de> DeserializeSeed<'de> for NewKey<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NewKey<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<(), E> {
        self.walk.take(key.len())?;
        if key.len() > LONGEST_KEY {
            return Err(E::custom(format_args!(
                "a key here has {} letters; it may have {LONGEST_KEY}",
                key.len()
            )));
        }
        if self.keys.insert(key.to_owned()) {
            return Ok(());
        }
        Err(E::custom(format_args!("`{key}` stands here twice")))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use serde_yaml::Value;

    use super::*;

    #[test]
    fn brackets_without_end_are_not_read() {
        for deep in ["[".repeat(1 << 20), "{a: ".repeat(1 << 20)] {
            let error = from_str::<Value>(&deep).unwrap_err();
            assert_eq!(error.to_string(), TOO_DEEP);
        }
    }

    #[test]
    fn many_brackets_beside_each_other_are_no_trouble() {
        let list: Vec<Vec<u8>> = from_str(&format!("[{}]", "[1], ".repeat(5_000))).unwrap();
        assert_eq!(list.len(), 5_000);
    }

    #[test]
    fn names_of_values_may_repeat_a_little_and_not_much() {
        let list: Vec<u8> = from_str("[&a 1, *a, *a]").unwrap();
        assert_eq!(list, [1, 1, 1]);
        let times = |word: &str, times: usize| vec![word; times].join(", ");
        let many = format!("[&a [{}], {}]", times("1", 3_000), times("*a", 3_000));
        let letters = format!("[&a {}, {}]", "x".repeat(3_000), times("*a", 3_000));
        for bomb in [many, letters] {
            for checked in [check(&bomb), check_strictly(&bomb)] {
                assert!(checked.unwrap_err().to_string().contains(TOO_LONG));
            }
            assert!(documents::<Value>(&bomb).is_err());
        }
        // The reader itself stops where names repeat names without end.
        let doubled: String = (1..40)
            .map(|n| format!("- &a{n} [*a{0}, *a{0}]\n", n - 1))
            .collect();
        assert!(from_str::<Value>(&format!("- &a0 1\n{doubled}")).is_err());
    }

    #[test]
    fn keys_are_looked_at_where_that_is_asked_for() {
        for (text, wrong) in [
            (
                "a: {b: 1,\n b: 2}\nc: 1\n",
                "a: `b` stands here twice at line 2 column 2",
            ),
            (
                "a: 1\n---\nb: {c: 1, c: 2}",
                "b: `c` stands here twice at line 3 column 11",
            ),
            ("? [a]\n: 1", "invalid type: sequence, expected a key"),
        ] {
            assert!(check(text).is_ok());
            let error = check_strictly(text).unwrap_err().to_string();
            assert!(error.contains(wrong), "{error}");
        }
        let long = format!("{{? {} : 1}}", "k".repeat(201));
        let error = check_strictly(&long).unwrap_err().to_string();
        assert!(error.contains("201 letters; it may have 200"), "{error}");
        assert!(check_strictly(&long.replace("kk", "k")).is_ok());
    }
}
