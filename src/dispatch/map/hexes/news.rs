//! Arrows for the reader's news: an event that it was not told of is not drawn.

use super::{At, HexArrow};
use crate::{
    dispatch::{NewsItem, build::Builder},
    game::{ArrowStyle, EventArrow, hex::HexMap},
    value::{Fields, Value},
};

/// The most arrows of one letter: beyond that the shortest moves go first.
const MOST: usize = 60;

/// An arrow with the piece that moved, if it is known by its name.
struct ArrowNews {
    arrow: HexArrow,
    who: Option<String>,
}

/// The arrows of a letter.
pub(super) fn arrows(
    builder: &Builder<'_>,
    map: &HexMap,
    at: &impl Fn(usize) -> At,
) -> Vec<HexArrow> {
    let declared = &builder.briefing.display.arrows;
    let spot = |space: &str| map.number(space).map(at);
    let side = |id: &str| {
        let mut sides = builder.briefing.game.decl.sides.iter();
        sides.position(|side| side.id.as_str() == id)
    };
    let mut moved: Vec<ArrowNews> = Vec::new();
    for heard in builder.briefing.events {
        let drawn = declared.iter().filter(|arrow| arrow.event == heard.key);
        for arrow in drawn.filter(|arrow| has_effect(arrow, heard)) {
            for one in told(arrow, &heard.args, &spot, &side) {
                join(&mut moved, one);
            }
        }
    }
    let mut arrows: Vec<HexArrow> = Vec::new();
    for ArrowNews { arrow, .. } in moved {
        let alike = |known: &&mut HexArrow| {
            (known.style, known.side) == (arrow.style, arrow.side) && known.path == arrow.path
        };
        match arrows.iter_mut().find(alike) {
            Some(known) => known.count += arrow.count,
            None => arrows.push(arrow),
        }
    }
    // Repeated fire is one line, however many have fired.
    for arrow in arrows.iter_mut().filter(|it| it.style >= ArrowStyle::Fire) {
        arrow.count = 1;
    }
    arrows.sort_by_key(|arrow| std::cmp::Reverse((arrow.style, arrow.path.len())));
    arrows.truncate(MOST);
    arrows
}

fn has_effect(arrow: &EventArrow, heard: &NewsItem) -> bool {
    let mut unless = arrow.unless.iter();
    !unless.any(|(name, value)| heard.args.get(name) == Some(value))
}

/// The arrows of one event: one from each space where it began.
fn told(
    declared: &EventArrow,
    args: &Fields,
    spot: &impl Fn(&str) -> Option<At>,
    side: &impl Fn(&str) -> Option<usize>,
) -> Vec<ArrowNews> {
    let who = all(args.get(&declared.who));
    let whose = who.first().and_then(|one| text(one, "side")).and_then(side);
    let space = |fields: &&Fields| text(fields, "space").and_then(spot);
    let ends = all(args.get(&declared.to));
    let (Some(whose), Some(to)) = (whose, ends.iter().find_map(space)) else {
        return Vec::new();
    };
    let via = all(declared.via.as_ref().and_then(|via| args.get(via)));
    let via: Vec<At> = via.iter().filter_map(space).collect();
    let named = match &*who {
        [one] => text(one, "piece").map(str::to_owned),
        _ => None,
    };
    let starts = all(args.get(&declared.from));
    let starts = starts.iter().filter_map(space).filter(|from| *from != to);
    starts
        .map(|from| {
            let mut path = vec![from];
            path.extend(via.iter().copied().chain([to]));
            path.dedup();
            ArrowNews {
                arrow: HexArrow {
                    style: declared.drawn,
                    side: whose,
                    path,
                    count: i64::try_from(who.len()).unwrap_or(1),
                },
                who: named.clone(),
            }
        })
        .collect()
}

/// A move goes on where the last one of its kind and of the same piece has ended.
fn join(moved: &mut Vec<ArrowNews>, one: ArrowNews) {
    let goes_on = one.arrow.style <= ArrowStyle::Retreat && one.who.is_some();
    let mut same = moved.iter_mut().rev();
    let last =
        same.find(|last| goes_on && last.who == one.who && last.arrow.style == one.arrow.style);
    match last {
        Some(last) if last.arrow.path.last() == one.arrow.path.first() => {
            last.arrow.path.extend(one.arrow.path.into_iter().skip(1));
        }
        _ => moved.push(one),
    }
}

/// A value's maps: itself, or those of the list that it is.
fn all(value: Option<&Value>) -> Vec<&Fields> {
    match value {
        Some(Value::Map(fields)) => vec![fields],
        Some(Value::List(list)) => list.iter().filter_map(Value::as_map).collect(),
        _ => Vec::new(),
    }
}

fn text<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name)?.as_text()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn map<const N: usize>(fields: [(&str, Value); N]) -> Value {
        let fields = fields.map(|(name, value)| (name.to_owned(), value));
        Value::Map(fields.into_iter().collect())
    }

    fn event(from: &[&str], to: &str) -> Fields {
        let space = |id: &str| map([("space", id.into())]);
        let from = from.iter().map(|id| space(id)).collect();
        let unit = map([("side", "red".into()), ("piece", "ada".into())]);
        let args = map([
            ("unit", unit),
            ("from", Value::List(from)),
            ("to", space(to)),
        ]);
        args.as_map().unwrap().clone()
    }

    fn declared() -> EventArrow {
        EventArrow {
            event: "went".to_owned(),
            drawn: ArrowStyle::Move,
            who: "unit".to_owned(),
            from: "from".to_owned(),
            to: "to".to_owned(),
            via: None,
            unless: [("spent".to_owned(), 0.into())].into_iter().collect(),
        }
    }

    fn arrows_of(args: &Fields) -> Vec<ArrowNews> {
        let spot = |id: &str| id.parse().ok().map(|half| [0, half]);
        told(&declared(), args, &spot, &|id| (id == "red").then_some(0))
    }

    #[test]
    fn an_arrow_begins_in_each_space_that_is_told() {
        let found = arrows_of(&event(&["2", "4"], "6"));
        let paths: Vec<_> = found.iter().map(|one| one.arrow.path.clone()).collect();
        assert_eq!(paths, [vec![[0, 2], [0, 6]], vec![[0, 4], [0, 6]]]);
        // Without the argument nobody was told where it began.
        assert!(arrows_of(&event(&[], "6")).is_empty());
        assert!(arrows_of(&event(&["6"], "6")).is_empty());
    }

    #[test]
    fn moves_of_one_piece_are_one_arrow() {
        let mut moved = Vec::new();
        for (from, to) in [("2", "4"), ("4", "6"), ("8", "10")] {
            for one in arrows_of(&event(&[from], to)) {
                join(&mut moved, one);
            }
        }
        let paths: Vec<_> = moved.iter().map(|one| one.arrow.path.clone()).collect();
        assert_eq!(paths, [vec![[0, 2], [0, 4], [0, 6]], vec![[0, 8], [0, 10]]]);
    }

    #[test]
    fn what_had_no_effect_is_not_drawn() {
        let heard = |spent: i64| NewsItem {
            key: "went".to_owned(),
            phase: String::new(),
            turn: 1,
            args: Arc::new([("spent".to_owned(), spent.into())].into_iter().collect()),
        };
        assert!(has_effect(&declared(), &heard(1)));
        assert!(!has_effect(&declared(), &heard(0)));
    }
}
