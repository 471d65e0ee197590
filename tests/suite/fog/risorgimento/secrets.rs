//! What of a battle a seat can't know: where hidden units are and what state they are in, what
//! owners alone know of theirs, plans, and what the rules keep for themselves.

use estafette::{
    campaign::model::state::State,
    ids::{PieceId, SeatId},
    orders::Order,
    value::{Fields, Value},
    world::Piece,
};

use super::{
    super::table::{EVER, NOTHING, PRIVATE, Secret, Table, Trial, WISHES},
    is_enemy,
};

const QUIET: &[Trial] = &[Trial::QuietTurn];

/// Enemies on the map that are not in a seat's view after a fresh look.
pub(super) fn unseen<'s>(table: &Table, state: &'s State, reader: &SeatId) -> Vec<&'s Piece> {
    let game = table.context.game();
    let looked = table.look(state);
    let view = looked.seen_by(game, reader);
    let known = state.world.seen_by(game, reader);
    let pieces = state.world.pieces.values().map(AsRef::as_ref);
    let hidden = pieces.filter(|piece: &&Piece| {
        let at = piece.at.as_ref().and_then(|at| game.map.space(at));
        let is_seen = |world: &estafette::world::World| {
            let known = world.piece(&piece.id);
            known.is_some_and(|known| known.ghost.is_none())
        };
        is_enemy(piece, reader) && at.is_some() && !is_seen(&view) && !is_seen(&known)
    });
    hidden.collect()
}

/// Of these the units, by their ids.
fn unseen_units(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let kinds = &table.context.game().decl.kinds;
    let hidden = unseen(table, state, reader).into_iter();
    let units = hidden.filter(|piece| kinds[&piece.kind].unit);
    units.map(|piece| piece.id.clone()).collect()
}

/// Two units that the reader does not see, and of which he has no old sighting, change places.
fn places(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let view = state.world.seen_by(table.context.game(), reader);
    let mut hidden = unseen_units(table, state, reader);
    hidden.retain(|id| view.piece(id).is_none());
    let at = |id: &PieceId| state.world.piece(id).unwrap().at.clone();
    let start = usize::try_from(seed).unwrap() % hidden.len().max(1);
    hidden.rotate_left(start);
    let pair = hidden.first().and_then(|one| {
        let other = hidden.iter().rev().find(|other| at(other) != at(one))?;
        Some((one, other))
    });
    let Some((one, other)) = pair else {
        return false;
    };
    let spots = [at(other), at(one)];
    for (id, at) in [one, other].into_iter().zip(spots) {
        state.world.piece_mut(id).unwrap().at = at;
    }
    true
}

fn set_all(state: &mut State, ids: &[PieceId], values: &[(&str, Value)]) -> bool {
    for id in ids {
        let piece = state.world.piece_mut(id).unwrap();
        for (name, value) in values {
            piece.attributes.insert((*name).into(), value.clone());
        }
    }
    !ids.is_empty()
}

/// Losses, order and fronts of what the reader does not see.
fn states(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let ids = unseen_units(table, state, reader);
    let values = [
        ("lost", 1.into()),
        ("disordered", true.into()),
        ("strategic", true.into()),
    ];
    set_all(state, &ids, &values)
}

fn fronts(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let ids = unseen_units(table, state, reader);
    for id in &ids {
        let piece = state.world.piece_mut(id).unwrap();
        let facing = piece.get("facing").as_int().unwrap_or(1);
        let turned = (facing % 6 + 1).into();
        piece.attributes.insert("facing".into(), turned);
    }
    !ids.is_empty()
}

fn enemies(state: &State, reader: &SeatId) -> Vec<PieceId> {
    let pieces = state.world.pieces.values();
    let enemies = pieces.filter(|piece| is_enemy(piece, reader));
    enemies.map(|piece| piece.id.clone()).collect()
}

/// What of the enemy's pieces only he knows.
fn owners_marks(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let ids = enemies(state, reader);
    let mut values = vec![("spent", 3.into())];
    for name in [
        "moved",
        "acted",
        "halted",
        "fired",
        "withdrawing",
        "reserve",
    ] {
        values.push((name, true.into()));
    }
    set_all(state, &ids, &values)
}

/// What of all pieces the rules alone know.
fn rules_marks(_: &Table, state: &mut State, _: &SeatId, _: u64) -> bool {
    let ids: Vec<PieceId> = state.world.pieces.keys().cloned().collect();
    let values = [
        ("began", "planted".into()),
        ("offered", "planted".into()),
        ("joined", "planted".into()),
        ("squared", 9.into()),
        ("pinned", true.into()),
        ("commanded", true.into()),
        ("fought", true.into()),
        ("reacted", true.into()),
    ];
    set_all(state, &ids, &values)
}

/// Lines that the enemy has planned, and what he wrote.
fn plans(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = enemy_of(reader);
    let planted = Value::List(vec!["planted".into()]);
    state
        .world
        .set_fact(&format!("plan_{enemy}"), planted.clone());
    for fact in ["turn_plan", "later"] {
        let mut kept = map_of(state, fact);
        kept.insert(enemy.to_owned(), planted.clone());
        state.world.set_fact(fact, Value::Map(kept));
    }
    true
}

/// A standing order of the enemy that has decided nothing yet.
fn standing_orders(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let decisions = std::sync::Arc::make_mut(&mut state.decisions);
    let enemy = SeatId::from(enemy_of(reader));
    let planted = Order {
        verb: "retreat".to_owned(),
        args: [
            ("all".to_owned(), true.into()),
            ("toward".to_owned(), "S3845".into()),
        ]
        .into(),
        line: 7,
        text: "RETREAT ALL TOWARD S3845".to_owned(),
        guard: None,
        block: None,
    };
    decisions.standing.entry(enemy).or_default().push(planted);
    true
}

/// What the rules note for the enemy's letters.
fn shares(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    for (fact, value) in [
        ("last_plan", Value::List(vec!["planted".into()])),
        ("told_plan", Value::List(vec!["planted".into()])),
        ("told_resting", Value::List(vec!["planted".into()])),
        ("ordered", Value::List(vec!["planted".into()])),
        ("told_flags", Value::Map(Fields::new())),
    ] {
        let mut kept = map_of(state, fact);
        kept.insert(enemy_of(reader).to_owned(), value);
        state.world.set_fact(fact, Value::Map(kept));
    }
    true
}

/// What the sequence of play counts, which nobody is told.
fn counts(_: &Table, state: &mut State, _: &SeatId, _: u64) -> bool {
    let planted = Value::List(vec!["planted".into()]);
    for fact in [
        "done",
        "tried",
        "massed",
        "asked",
        "entered",
        "demoralised",
        "hdc",
    ] {
        state.world.set_fact(fact, planted.clone());
    }
    for fact in ["used", "solo", "segment", "ground", "shown", "bridging"] {
        let fields = [("planted".to_owned(), planted.clone())];
        state
            .world
            .set_fact(fact, Value::Map(fields.into_iter().collect()));
    }
    for fact in ["step", "tries"] {
        state.world.set_fact(fact, 41.into());
    }
    true
}

fn map_of(state: &State, fact: &str) -> Fields {
    state.world.fact(fact).as_map().cloned().unwrap_or_default()
}

fn enemy_of(reader: &SeatId) -> &'static str {
    if reader.as_str() == "allied" {
        "austrian"
    } else {
        "allied"
    }
}

pub(super) const PLACES: &str = "where hidden units are";
pub(super) const STATES: &str = "losses and order of hidden units";
pub(super) const PLANS: &str = "plans of the enemy";

/// Those that there are with fog alone.
const HIDDEN: &[Secret] = &[
    Secret {
        name: PLACES,
        outlasts: QUIET,
        change: places,
    },
    Secret {
        name: STATES,
        outlasts: NOTHING,
        change: states,
    },
    Secret {
        name: "fronts of hidden units",
        outlasts: QUIET,
        change: fronts,
    },
];

const ALWAYS: &[Secret] = &[
    Secret {
        name: "what owners alone know of their pieces",
        outlasts: NOTHING,
        change: owners_marks,
    },
    Secret {
        name: "what the rules alone know of pieces",
        outlasts: NOTHING,
        change: rules_marks,
    },
    Secret {
        name: PLANS,
        outlasts: NOTHING,
        change: plans,
    },
    Secret {
        name: "standing orders of the enemy",
        outlasts: QUIET,
        change: standing_orders,
    },
    Secret {
        name: "what the enemy is told of his own",
        outlasts: EVER,
        change: shares,
    },
    Secret {
        name: "what the sequence of play counts",
        outlasts: NOTHING,
        change: counts,
    },
];

pub(super) fn in_fog() -> Vec<&'static Secret> {
    HIDDEN.iter().chain(without_fog()).collect()
}

/// What the host keeps to itself, but for wishes to be asked: there are no questions.
pub(super) fn without_fog() -> Vec<&'static Secret> {
    let host = PRIVATE.iter().filter(|secret| secret.name != WISHES);
    ALWAYS.iter().chain(host).collect()
}

/// One of them by its name.
pub(super) fn named(name: &str) -> &'static Secret {
    in_fog().into_iter().find(|one| one.name == name).unwrap()
}
