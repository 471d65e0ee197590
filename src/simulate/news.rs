//! Compares what a seat is told with what it is shown: nobody may be told where a piece went and
//! find it, in the same dispatch, last seen where it left.

use std::collections::BTreeMap;

use crate::{dispatch::NewsItem, value::Value, world::Knowledge};

/// The pieces that stand in a seat's old sightings where its news says that they have left, a
/// sentence each.
pub(super) fn contradictions(heard: &[NewsItem], knowledge: &Knowledge) -> Vec<String> {
    let mut moves: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for item in heard {
        let place = |name: &str| item.args.get(name).and_then(|value| named(value, "space"));
        let (Some(from), Some(to)) = (place("from"), place("to")) else {
            continue;
        };
        let mut named = item.args.values().flat_map(pieces).peekable();
        if named.peek().is_none() {
            // A whole force goes on: a piece that came to where it stood may be part of it.
            for (_, at) in moves.values_mut().filter(|(_, at)| *at == from) {
                *at = to;
            }
        }
        for piece in named {
            moves.insert(piece, (from, to));
        }
    }
    let contradicted = moves.into_iter().filter(|(piece, (from, to))| {
        let sighting = knowledge.sightings.get(*piece);
        let at = sighting
            .filter(|sighting| !sighting.current)
            .and_then(|sighting| sighting.piece.at.as_deref());
        from != to && at == Some(from)
    });
    let say = |(piece, (from, to)): (&str, (&str, &str))| {
        format!(
            "{piece} is told to have gone from {from} to {to}, and shown as last seen at {from}"
        )
    };
    contradicted.map(say).collect()
}

/// The pieces that an argument names.
fn pieces(value: &Value) -> Vec<&str> {
    match value {
        Value::List(items) => items.iter().flat_map(pieces).collect(),
        value => named(value, "piece").into_iter().collect(),
    }
}

/// The names in an argument under a key.
fn named<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    match value {
        Value::Map(parts) => parts.get(key)?.as_text(),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::value::Fields;

    fn gone(piece: Option<&str>, from: &str, to: &str) -> NewsItem {
        let is = |key: &str, name: &str| {
            Value::Map(Fields::from_iter([(key.to_owned(), Value::from(name))]))
        };
        let places =
            [("from", from), ("to", to)].map(|(key, at)| (key.to_owned(), is("space", at)));
        let piece = piece.map(|piece| ("piece".to_owned(), is("piece", piece)));
        NewsItem {
            key: "gone".to_owned(),
            phase: String::new(),
            turn: 1,
            args: Arc::new(places.into_iter().chain(piece).collect()),
        }
    }

    fn last_seen(piece: &str, at: &str) -> Knowledge {
        let sighting = serde_json::json!({
            "piece": {
                "id": piece, "name": piece, "side": "red", "kind": "foot", "at": at,
                "attributes": {},
            },
            "seen": {"turn": 1, "phase": "march"},
            "current": false,
        });
        let sightings = [(piece.into(), serde_json::from_value(sighting).unwrap())];
        Knowledge {
            sightings: sightings.into(),
            ..Knowledge::default()
        }
    }

    #[test]
    fn old_sightings_contradict_news_unless_a_force_went_back() {
        let seen = last_seen("fusiliers", "mill");
        let there = gone(Some("fusiliers"), "mill", "ford");
        assert_eq!(contradictions(std::slice::from_ref(&there), &seen).len(), 1);
        let back = gone(None, "ford", "mill");
        assert_eq!(contradictions(&[there.clone(), back], &seen).len(), 0);
        let elsewhere = gone(None, "bridge", "mill");
        assert_eq!(contradictions(&[there, elsewhere], &seen).len(), 1);
    }
}
