//! The changes that a file of tables allows: each whole number one higher or lower, each truth
//! value turned round.
//!
//! The reader's errors carry a place, so a walk over the text that fails on purpose at the n-th
//! figure finds it.

use std::{cell::Cell, fmt};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::change::{Change, ChangeKind};

/// All changes of a text's figures, in its order. A text that is no YAML has none.
pub(super) fn changes(text: &str) -> Vec<Change> {
    (0..)
        .map_while(|number| figure(text, number))
        .flatten()
        .collect()
}

/// The changes of the figure with this number; none behind the last one.
fn figure(text: &str, number: usize) -> Option<Vec<Change>> {
    let left = Cell::new(Some(number));
    let document = serde_yaml::Deserializer::from_str(text);
    let place = FigureWalk(&left).deserialize(document).err()?.location()?;
    if left.get().is_some() {
        return None;
    }
    let (line, column) = (place.line(), place.column());
    let start = place.index();
    let rest = text.get(start..).unwrap_or_default();
    let length = rest
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .unwrap_or(rest.len());
    let written = rest.get(..length).unwrap_or_default();
    let others: Vec<(ChangeKind, String)> = match (written, written.parse::<i64>()) {
        ("true", _) => vec![(ChangeKind::Boolean, "false".to_owned())],
        ("false", _) => vec![(ChangeKind::Boolean, "true".to_owned())],
        (_, Ok(figure)) => [figure.checked_add(1), figure.checked_sub(1)]
            .into_iter()
            .flatten()
            .map(|other| (ChangeKind::Number, other.to_string()))
            .collect(),
        // Written in another way (`0x10`, an anchor's): it is left alone.
        _ => Vec::new(),
    };
    let change = |(kind, after)| Change {
        kind,
        start,
        end: start + length,
        after,
        line,
        column,
        statement: None,
    };
    Some(others.into_iter().map(change).collect())
}

/// Walks over a document and stops with an error at the n-th number.
struct FigureWalk<'a>(&'a Cell<Option<usize>>);

impl FigureWalk<'_> {
    fn figure<E: de::Error>(&self) -> Result<(), E> {
        self.0
            .set(self.0.get().and_then(|left| left.checked_sub(1)));
        match self.0.get() {
            Some(_) => Ok(()),
            None => Err(E::custom("here")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for FigureWalk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FigureWalk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        self.figure()
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        self.figure()
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        self.figure()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(FigureWalk(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key::<de::IgnoredAny>()?.is_some() {
            map.next_value_seed(FigureWalk(self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_where_they_stand() {
        let text = "# 1 of 2\ntable:\n  rule: \"9.3\"\n  name: é\n  4: {cost: -1, free: true}  # 3\n  \
                    rows: [[1d6, 7], x3]\n";
        let found = changes(text);
        let said: Vec<_> = found
            .iter()
            .map(|it| (it.line, it.column, it.before(text), it.after.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                (5, 13, "-1", "0"),
                (5, 13, "-1", "-2"),
                (5, 23, "true", "false"),
                (6, 16, "7", "8"),
                (6, 16, "7", "6"),
            ]
        );
        for change in &found {
            assert_ne!(change.apply(text), text);
        }
    }

    #[test]
    fn what_is_no_yaml_has_no_figures_behind_its_fault() {
        let found = changes("a: 1\nb: }\nc: 3");
        assert!(found.iter().all(|change| change.line == 1));
        assert!(changes("").is_empty());
    }
}
