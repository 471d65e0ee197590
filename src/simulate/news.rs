//! What a seat is told against what it is shown: nobody may be told where a piece went and find it,
//! in the same dispatch, last seen where it left.

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
        for piece in item.args.values().flat_map(pieces) {
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

/// What an argument names under a key.
fn named<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    match value {
        Value::Map(parts) => parts.get(key)?.as_text(),
        _ => None,
    }
}
