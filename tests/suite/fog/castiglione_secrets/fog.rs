//! What a seat can't know where counters lie face down.

use std::sync::Arc;

use estafette::{
    campaign::{self, model::state::State},
    ids::{PieceId, SeatId},
    value::Value,
    world::Piece,
};

use super::{in_the_open, is_enemy, piece};
use crate::fog::table::{EVER, Secret, Table, Trial, UNMET, UNMOVED, UNUSED};

/// Secrets of the game without the option that are none here: whoever counts counters sees that one
/// is gone.
const NONE_IN_FOG: &str = "a unit below a leader is gone";

/// It tells on supply and command, but not on what is asked in a combat of others.
const UNASKED: &[Trial] = &[Trial::Battle];

/// Secrets of hidden counters.
const HIDDEN: &[Secret] = &[
    Secret {
        name: "hidden counters exchanged",
        outlasts: UNASKED,
        change: exchange,
    },
    Secret {
        name: "a dummy for a hidden counter",
        outlasts: UNASKED,
        change: dummy_for_counter,
    },
    Secret {
        name: "a hidden counter for a dummy",
        outlasts: UNASKED,
        change: unit_for_dummy,
    },
    Secret {
        name: "leaders for hidden units that lie alone",
        outlasts: UNASKED,
        change: leaders_alone,
    },
    Secret {
        name: "hidden units exchanged",
        outlasts: UNMET,
        change: exchange_units,
    },
    Secret {
        name: "a dummy for a hidden unit",
        outlasts: UNMET,
        change: dummy_for_unit,
    },
    Secret {
        name: "which of the dummies lies where",
        outlasts: UNMOVED,
        change: other_dummies,
    },
    Secret {
        name: "dummies in the enemy's pool",
        outlasts: EVER,
        change: pool,
    },
    Secret {
        name: "what the enemy would screen and show",
        outlasts: UNUSED,
        change: screen_and_show,
    },
    Secret {
        name: "values of hidden counters",
        outlasts: UNMET,
        change: values,
    },
];

/// All kinds of secrets of a campaign with hidden counters.
pub fn in_fog() -> Vec<&'static Secret> {
    in_the_open()
        .into_iter()
        .filter(|secret| secret.name != NONE_IN_FOG)
        .chain(HIDDEN)
        .collect()
}

/// Returns true if a counter of the enemy lies face down on the map.
fn is_hidden(table: &Table, piece: &Piece, reader: &SeatId) -> bool {
    let map = &table.context.game().map;
    let on_map = piece.at.as_ref().is_some_and(|at| map.space(at).is_some());
    let face_up = piece.kind == "garrison" || *piece.get("revealed") == Value::Bool(true);
    on_map && !face_up && is_enemy(piece, reader)
}

fn hidden(table: &Table, state: &State, reader: &SeatId, dummies: bool) -> Vec<PieceId> {
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| is_hidden(table, piece, reader) && (piece.kind == "dummy") == dummies)
        .map(|piece| piece.id.clone())
        .collect()
}

/// The enemy's dummies that are not on the map.
fn spare(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let on_map = hidden(table, state, reader, true);
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| is_enemy(piece, reader) && piece.kind == "dummy")
        .map(|piece| piece.id.clone())
        .filter(|id| !on_map.contains(id))
        .collect()
}

/// Two pieces change places.
fn swap(state: &mut State, a: &PieceId, b: &PieceId) {
    let here = piece(state, a).at.clone();
    let there = std::mem::replace(&mut piece(state, b).at, here);
    piece(state, a).at = there;
}

/// The enemy's hidden units outside Mantua, where their strength would tell on the siege.
pub fn hidden_units(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let mut units = hidden(table, state, reader, false);
    units.retain(|id| {
        let piece = &state.world.pieces[id];
        piece.kind != "leader" && !piece.is_at("mantua")
    });
    units
}

/// Two pieces of a list that stand in different areas change places.
fn exchange_two(state: &mut State, all: &[PieceId], seed: u64) -> bool {
    let first = all.get(usize::try_from(seed).unwrap() % all.len().max(1));
    let Some(first) = first else { return false };
    let here = state.world.pieces[first].at.clone();
    let other = all.iter().find(|id| state.world.pieces[*id].at != here);
    other.map(|other| swap(state, first, other)).is_some()
}

fn exchange(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let all = hidden(table, state, reader, false);
    exchange_two(state, &all, seed)
}

fn exchange_units(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let all = hidden_units(table, state, reader);
    exchange_two(state, &all, seed)
}

fn dummy_for(
    table: &Table,
    state: &mut State,
    reader: &SeatId,
    all: &[PieceId],
    seed: u64,
) -> bool {
    let Some(dummy) = spare(table, state, reader).pop() else {
        return false;
    };
    let unit = all.get(usize::try_from(seed).unwrap() % all.len().max(1));
    unit.map(|unit| swap(state, unit, &dummy)).is_some()
}

fn dummy_for_counter(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let all = hidden(table, state, reader, false);
    dummy_for(table, state, reader, &all, seed)
}

fn dummy_for_unit(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let all = hidden_units(table, state, reader);
    dummy_for(table, state, reader, &all, seed)
}

/// Leaders alone bar no way: each unit that lies alone changes places with a leader who lies in
/// company.
fn leaders_alone(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let counters = hidden(table, state, reader, false);
    let company = |id: &PieceId| {
        let place = state.world.pieces[id].at.as_ref().unwrap();
        state.world.at(place).count() > 1
    };
    let leads = |id: &PieceId| state.world.pieces[id].kind == "leader";
    let leaders = counters.iter().filter(|id| leads(id) && company(id));
    let units = counters.iter().filter(|id| !leads(id) && !company(id));
    let pairs: Vec<_> = leaders.cloned().zip(units.cloned()).collect();
    for (leader, unit) in &pairs {
        swap(state, leader, unit);
    }
    !pairs.is_empty()
}

fn unit_for_dummy(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = hidden(table, state, reader, false);
    let Some(dummy) = hidden(table, state, reader, true).pop() else {
        return false;
    };
    let here = state.world.pieces[&dummy].at.clone();
    let elsewhere = |id: &&PieceId| state.world.pieces[*id].at != here;
    let unit = units.iter().rfind(elsewhere).cloned();
    unit.map(|unit| swap(state, &unit, &dummy)).is_some()
}

fn other_dummies(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let dummies = hidden(table, state, reader, true);
    let Some((dummy, other)) = dummies
        .first()
        .cloned()
        .zip(spare(table, state, reader).pop())
    else {
        return false;
    };
    swap(state, &dummy, &other);
    true
}

fn pool(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let spare = spare(table, state, reader);
    for id in &spare {
        let away = piece(state, id).at.is_none();
        piece(state, id).at = away.then(|| "dummy_pool".into());
    }
    !spare.is_empty()
}

fn screen_and_show(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = table.other(reader);
    let moment = campaign::moment(&table.context, state, &enemy);
    let words = "SCREEN YES\nSCREEN NO\nSHOW LEADERS, DUMMIES\nSHOW LEADERS\n";
    let understood = campaign::understand(&table.context, &moment, &enemy, words).unwrap();
    let lines = Arc::make_mut(&mut state.decisions)
        .standing
        .entry(enemy)
        .or_default();
    lines.retain(|line| line.verb != "screen" && line.verb != "show");
    lines.extend(understood.reading.orders().cloned());
    true
}

fn values(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let all = hidden(table, state, reader, false);
    for id in &all {
        let leader = piece(state, id).kind == "leader";
        let names = if leader {
            ["sr", "cr", "tr"]
        } else {
            ["hits", "sp", "cf"]
        };
        for (name, value) in names.into_iter().zip([2, 7, 1]) {
            piece(state, id)
                .attributes
                .insert(name.into(), Value::Int(value));
        }
    }
    !all.is_empty()
}
