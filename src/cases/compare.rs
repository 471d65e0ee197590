//! Compares the outcome of a case with the expected one.

use super::{
    case::{Case, Expectation},
    run::CaseOutcome,
};
use crate::{
    game::{Game, StateDecl},
    value::{Fields, Value},
    world::{Piece, Winners, World, names},
};

/// All differences, one line each; none if the case passes.
#[must_use]
pub fn differences(game: &Game, case: &Case, played: &CaseOutcome) -> Vec<String> {
    let expected = &case.expect;
    let mut found = Vec::new();
    world(game, expected, &played.world, &mut found);
    if let Some(next) = &expected.next
        && played.next.as_ref() != Some(next)
    {
        found.push(format!(
            "next: expected {next}, got {}",
            played.next.as_deref().unwrap_or("the end")
        ));
    }
    events(game, expected, played, &mut found);
    rolls(expected, played, &mut found);
    waits(expected, played, &mut found);
    questions(game, expected, played, &mut found);
    rejected(expected, played, &mut found);
    if !played.dice_left.is_empty() {
        found.push(format!("dice: {:?} were not rolled", played.dice_left));
    }
    if let Some(ended) = &expected.ended {
        let got = played.world.ended.as_ref().map_or(Value::Null, |ending| {
            let side = match &ending.side {
                Winners::Nobody => Value::Null,
                Winners::One(side) => side.as_str().into(),
                Winners::Seats(seats) => {
                    Value::List(seats.iter().map(|seat| seat.as_str().into()).collect())
                }
            };
            Value::Map(Fields::from([
                ("side".into(), side),
                ("level".into(), ending.level.clone().into()),
            ]))
        });
        if got != *ended {
            found.push(format!(
                "ended: expected {}, got {}",
                show(ended),
                show(&got)
            ));
        }
    }
    views(game, expected, &played.world, &mut found);
    found
}

fn show(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn fields(what: &str, expected: &Fields, got: impl Fn(&str) -> Value, found: &mut Vec<String>) {
    for (name, value) in expected {
        let got = got(name);
        if got != *value {
            found.push(format!(
                "{what}.{name}: expected {}, got {}",
                show(value),
                show(&got)
            ));
        }
    }
}

fn world(game: &Game, expected: &Expectation, world: &World, found: &mut Vec<String>) {
    for (name, wanted) in &expected.pieces {
        match names::piece(world, game, name).and_then(|id| world.piece(&id)) {
            Some(piece) => piece_fields(game, &format!("pieces.{name}"), piece, wanted, found),
            None => found.push(format!("pieces.{name}: there is no such piece")),
        }
    }
    fields(
        "facts",
        &expected.facts,
        |name| world.fact(name).clone(),
        found,
    );
    for (name, wanted) in &expected.spaces {
        let Some(space) = names::place(game, name) else {
            found.push(format!("spaces.{name}: there is no such space"));
            continue;
        };
        fields(
            &format!("spaces.{name}"),
            wanted,
            |state| match world.space_state(&space, state) {
                Value::Null => default(&game.decl.space_attributes, state),
                known => known.clone(),
            },
            found,
        );
    }
    for (name, wanted) in &expected.roads {
        let state = names::road(game, name).and_then(|key| world.roads.get(&key));
        let got = |name: &str| {
            let known = state.and_then(|state| state.get(name)).cloned();
            known.unwrap_or_else(|| default(&game.decl.road_attributes, name))
        };
        fields(&format!("roads.{name}"), wanted, got, found);
    }
}

/// The default value of a declared state.
fn default(declared: &crate::ordered::IndexMap<String, StateDecl>, name: &str) -> Value {
    declared
        .get(name)
        .map(|state| state.default.clone())
        .unwrap_or_default()
}

fn piece_fields(game: &Game, what: &str, piece: &Piece, wanted: &Fields, found: &mut Vec<String>) {
    let mut wanted = wanted.clone();
    if let Some(Value::Text(place)) = wanted.get_mut("at")
        && let Some(id) = names::place(game, place)
    {
        *place = id.as_str().into();
    }
    let got = |name: &str| match name {
        "at" => piece
            .at
            .as_ref()
            .map_or(Value::Null, |place| place.as_str().into()),
        "ghost" => Value::Bool(piece.ghost.is_some()),
        "name" => piece.name.as_str().into(),
        _ => piece.get(name).clone(),
    };
    fields(what, &wanted, got, found);
}

/// Returns true if an event has what a case says of it: its key, and arguments; pieces and spaces
/// by id or name.
fn is_event(key: &str, full: &Fields, phase: &str, wanted: &Fields) -> bool {
    wanted.iter().all(|(name, value)| match name.as_str() {
        "key" => *value == Value::from(key),
        "phase" => *value == Value::from(phase),
        _ => full.get(name).is_some_and(|got| matches(got, value)),
    })
}

fn matches(got: &Value, wanted: &Value) -> bool {
    match (got, wanted) {
        (Value::Map(fields), Value::Text(name)) => ["piece", "name", "space"].iter().any(|key| {
            fields
                .get(*key)
                .and_then(Value::as_text)
                .is_some_and(|text| text.eq_ignore_ascii_case(name))
        }),
        (Value::Map(fields), Value::Map(wanted)) => wanted
            .iter()
            .all(|(name, value)| fields.get(name).is_some_and(|got| matches(got, value))),
        (Value::List(got), Value::List(wanted)) => {
            got.len() == wanted.len()
                && got
                    .iter()
                    .zip(wanted)
                    .all(|(got, wanted)| matches(got, wanted))
        }
        _ => got == wanted,
    }
}

fn events(_: &Game, expected: &Expectation, played: &CaseOutcome, found: &mut Vec<String>) {
    let mut rest = played.events.iter();
    for wanted in &expected.events {
        let wanted_seats = wanted.get("heard_by").cloned();
        let plain: Fields = wanted
            .iter()
            .filter(|(name, _)| *name != "heard_by")
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        let hit = rest.find(|event| is_event(&event.key, &event.full, &event.phase, &plain));
        match (hit, wanted_seats) {
            (None, _) => {
                let list: Vec<_> = played
                    .events
                    .iter()
                    .map(|event| {
                        format!(
                            "{} {}",
                            event.key,
                            show(&Value::Map(Fields::clone(&event.full)))
                        )
                    })
                    .collect();
                found.push(format!(
                    "events: {} did not happen (in this order); there were:\n    {}",
                    show(&Value::Map(wanted.clone())),
                    list.join("\n    ")
                ));
                return;
            }
            (Some(event), Some(seats)) => {
                let heard: Value = event
                    .heard
                    .seats()
                    .map(|seat| Value::from(seat.as_str()))
                    .collect::<Vec<_>>()
                    .into();
                if heard != seats {
                    found.push(format!(
                        "events: {} was heard by {}, expected {}",
                        event.key,
                        show(&heard),
                        show(&seats)
                    ));
                }
            }
            (Some(_), None) => {}
        }
    }
    for unwanted in &expected.absent {
        if let Some(event) = played
            .events
            .iter()
            .find(|event| is_event(&event.key, &event.full, &event.phase, unwanted))
        {
            found.push(format!(
                "absent: {} {} happened",
                event.key,
                show(&Value::Map(Fields::clone(&event.full)))
            ));
        }
    }
}

fn rolls(expected: &Expectation, played: &CaseOutcome, found: &mut Vec<String>) {
    let mut rest = played.rolls.iter();
    if let Some(missing) = expected
        .rolls
        .iter()
        .find(|wanted| !rest.any(|label| label == *wanted))
    {
        found.push(format!(
            "rolls: {missing} was not rolled (in this order); there were: {}",
            played.rolls.join(", ")
        ));
    }
}

fn waits(expected: &Expectation, played: &CaseOutcome, found: &mut Vec<String>) {
    let Some(wanted) = &expected.waits else {
        return;
    };
    let got: Vec<&str> = played.waits.iter().map(|seat| seat.as_str()).collect();
    if got != *wanted {
        found.push(format!(
            "waits: expected {}, got {}",
            wanted.join(", "),
            got.join(", ")
        ));
    }
}

fn questions(_: &Game, expected: &Expectation, played: &CaseOutcome, found: &mut Vec<String>) {
    let Some(wanted) = &expected.questions else {
        return;
    };
    let asked: Vec<Fields> = played
        .questions
        .iter()
        .map(|question| {
            let mut fields = question.about.clone();
            fields.insert("seat".into(), question.seat.as_str().into());
            fields.insert("topic".into(), question.topic.as_str().into());
            fields.insert("otherwise".into(), question.otherwise.clone());
            fields.insert("options".into(), question.options.clone().into());
            fields
        })
        .collect();
    let same = asked.len() == wanted.len()
        && asked.iter().zip(wanted).all(|(got, wanted)| {
            wanted
                .iter()
                .all(|(name, value)| got.get(name).is_some_and(|got| matches(got, value)))
        });
    if !same {
        let list: Vec<_> = asked
            .iter()
            .map(|fields| show(&Value::Map(fields.clone())))
            .collect();
        found.push(format!(
            "questions: expected {} of them, got:\n    {}",
            wanted.len(),
            list.join("\n    ")
        ));
    }
}

fn rejected(expected: &Expectation, played: &CaseOutcome, found: &mut Vec<String>) {
    let Some(wanted) = &expected.rejected else {
        return;
    };
    let mut rest: Vec<_> = played.refused.iter().collect();
    for want in wanted {
        let hit = rest.iter().position(|got| {
            got.seat == *want.seat.as_str()
                && got.reason == want.reason
                && got.order.contains(&want.order)
        });
        match hit {
            Some(index) => {
                rest.remove(index);
            }
            None => found.push(format!(
                "rejected: `{}` of {} was not refused as {}",
                want.order, want.seat, want.reason
            )),
        }
    }
    for refusal in rest {
        found.push(format!(
            "rejected: `{}` of {} was refused as {}",
            refusal.order, refusal.seat, refusal.reason
        ));
    }
}

fn views(game: &Game, expected: &Expectation, world: &World, found: &mut Vec<String>) {
    for (seat, pieces) in &expected.views {
        let view = world.seen_by(game, seat);
        for (name, wanted) in pieces {
            let known = names::piece(world, game, name).and_then(|id| view.piece(&id).cloned());
            match (wanted, known) {
                (Value::Null, None) => {}
                (Value::Null, Some(_)) => found.push(format!("views.{seat}.{name}: is known")),
                (Value::Map(wanted), Some(piece)) => {
                    piece_fields(game, &format!("views.{seat}.{name}"), &piece, wanted, found);
                }
                (_, None) => found.push(format!("views.{seat}.{name}: is not known")),
                _ => found.push(format!(
                    "views.{seat}.{name}: write attributes, or null for unknown"
                )),
            }
        }
    }
    for (seat, spaces) in &expected.notes {
        let view = world.seen_by(game, seat);
        for (name, wanted) in spaces {
            let Some(space) = names::place(game, name) else {
                found.push(format!("notes.{seat}.{name}: there is no such space"));
                continue;
            };
            fields(
                &format!("notes.{seat}.{name}"),
                wanted,
                |key| view.space_state(&space, key).clone(),
                found,
            );
        }
    }
}
