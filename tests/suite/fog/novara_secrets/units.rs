//! Units that a seat does not see.

use std::sync::Arc;

use estafette::{
    campaign::model::state::State,
    ids::{PieceId, SeatId},
    value::Value,
    world::Piece,
};

use super::{in_box, is_enemy, is_unit, on_map, one_of, put, set, swap, unseen_units};
use crate::fog::table::{Table, Turn};

pub fn levels(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = unseen_units(table, state, reader);
    other_levels(state, &units)
}

/// Of units under masks, and of those that have yet to come.
pub fn levels_off_map(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = ["masked", "reserve"].map(|place| in_box(state, reader, place));
    other_levels(state, &units.concat())
}

/// Whoever is whole has lost a level, and the other way round.
fn other_levels(state: &mut State, units: &[PieceId]) -> bool {
    let mut changed = false;
    for id in units {
        let (lost, most) = (
            state.world.pieces[id].int("lost"),
            state.world.pieces[id].int("levels"),
        );
        let other = i64::from(lost == 0 && most > 1);
        changed |= other != lost;
        set(state, id, "lost", other);
    }
    changed
}

pub fn printed(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = unseen_units(table, state, reader);
    for id in &units {
        for (name, value) in [("cp", 17), ("reduced", 13), ("ma", 3), ("elite", 4)] {
            set(state, id, name, value);
        }
    }
    !units.is_empty()
}

/// Every other unit that is in neither state gets into one, for who is in both dies by night, and
/// that is seen.
fn weaken(
    table: &Table,
    state: &mut State,
    reader: &SeatId,
    name: &'static str,
    which: usize,
) -> bool {
    let units = unseen_units(table, state, reader);
    let mut changed = false;
    for (number, id) in units.iter().enumerate() {
        let unit = &state.world.pieces[id];
        let well = ["shaken", "oos"]
            .iter()
            .all(|name| *unit.get(name) == Value::Bool(false));
        if well && number % 2 == which {
            set(state, id, name, true);
            changed = true;
        }
    }
    changed
}

pub fn shaken(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    weaken(table, state, reader, "shaken", 0)
}

pub fn supply(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    weaken(table, state, reader, "oos", 1)
}

/// The marker lies on the commander; whom he leads is known of those who are seen.
pub fn forced_march(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = unseen_units(table, state, reader);
    for id in &units {
        let other = *state.world.pieces[id].get("forced") != Value::Bool(true);
        set(state, id, "forced", other);
    }
    !units.is_empty()
}

pub fn acted(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    for piece in state.world.pieces.values_mut() {
        if is_enemy(piece, reader) && is_unit(piece) {
            let attributes = &mut Arc::make_mut(piece).attributes;
            attributes.insert("acted".into(), Value::Bool(true));
            attributes.insert("fired".into(), Value::Bool(true));
        }
    }
    true
}

/// What nobody sees, not even the owner; each activation begins with a clean slate.
pub fn umpire_attributes(_: &Table, state: &mut State, _: &SeatId, _: u64) -> bool {
    for piece in state
        .world
        .pieces
        .values_mut()
        .filter(|piece| is_unit(piece))
    {
        let attributes = &mut Arc::make_mut(piece).attributes;
        for name in ["entered", "done", "off_road", "charged", "exited_ok"] {
            attributes.insert(name.into(), Value::Bool(true));
        }
        attributes.insert("spent".into(), Value::Int(4));
        attributes.insert("began_lost".into(), Value::Int(1));
    }
    true
}

pub fn exchange(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let units = unseen_units(table, state, reader);
    let Some(first) = one_of(&units, seed) else {
        return false;
    };
    let here = state.world.pieces[first].at.clone();
    let other = units.iter().find(|id| state.world.pieces[*id].at != here);
    other.map(|other| swap(state, first, other)).is_some()
}

pub fn reserve(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let waiting = in_box(state, reader, "reserve");
    for id in &waiting {
        put(state, id, "unused");
    }
    !waiting.is_empty()
}

pub fn homes(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let waiting = in_box(state, reader, "reserve");
    let place = table.context.game().map.map().spaces[0].id.clone();
    for id in &waiting {
        set(state, id, "stay", place.as_str());
    }
    !waiting.is_empty()
}

/// The reader's pontoons that the enemy has.
fn seized(state: &State, reader: &SeatId) -> Vec<PieceId> {
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| !is_enemy(piece, reader) && *piece.get("captor") != Value::from(""))
        .map(|piece| piece.id.clone())
        .collect()
}

/// The state in which the enemy has seized a pontoon of the reader's, and taken it along with a
/// stack that the reader does not see.
pub fn with_a_seized_pontoon(table: &Table, state: &State, reader: &SeatId) -> State {
    let mut state = state.clone();
    let units = unseen_units(table, &state, reader);
    let there = state.world.pieces[&units[0]].at.clone().unwrap();
    let mut pieces = state.world.pieces.values();
    let own = pieces.find(|piece| piece.kind == "pontoon" && !is_enemy(piece, reader));
    let pontoon = own.unwrap().id.clone();
    put(&mut state, &pontoon, &there);
    set(&mut state, &pontoon, "captor", table.other(reader).as_str());
    state.world.set_fact("captures", Value::Int(1));
    state.world = table.look(&state);
    state
}

pub fn pontoon_elsewhere(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = unseen_units(table, state, reader);
    let seized = seized(state, reader);
    let Some(pontoon) = seized.first() else {
        return false;
    };
    let here = state.world.pieces[pontoon].at.clone();
    let unit = units.iter().find(|id| state.world.pieces[*id].at != here);
    unit.map(|unit| swap(state, pontoon, unit)).is_some()
}

/// Units of the others whom a seat meets nowhere in a turn, whether they march or not: it has not
/// seen them, and nothing has become of them or of those with them. Guns fire from afar.
pub fn bystanders(table: &Table, turn: &Turn, reader: &SeatId) -> Vec<PieceId> {
    let (start, end) = (&turn.waits[0], turn.end.as_ref().unwrap());
    let met = |id: &PieceId| {
        let known = end.world.knowledge.get(reader);
        let sighting = known.and_then(|known| known.sightings.get(id));
        sighting.is_some_and(|sighting| sighting.seen.turn >= start.world.turn())
    };
    let touched = |piece: &Piece| {
        let after = &end.world.pieces[&piece.id];
        let same = |name: &&str| piece.get(name) == after.get(name);
        !on_map(table, after) || !["lost", "shaken", "oos"].iter().all(same) || met(&piece.id)
    };
    let together = |state: &State, id: &PieceId| {
        let here = state.world.pieces[id].at.clone();
        let mut pieces = start.world.pieces.values();
        pieces.any(|piece| state.world.pieces[&piece.id].at == here && touched(piece))
    };
    let mut units = unseen_units(table, start, reader);
    units.retain(|id| {
        let guns = start.world.pieces[id].kind.ends_with("artillery");
        !guns && !together(start, id) && !together(end, id)
    });
    units
}

/// Changes what fights of theirs would be about.
pub fn wear(state: &mut State, units: &[PieceId]) {
    for id in units {
        let (lost, most) = (
            state.world.pieces[id].int("lost"),
            state.world.pieces[id].int("levels"),
        );
        set(state, id, "lost", i64::from(lost == 0 && most > 1));
        set(state, id, "cp", 19);
    }
}
