//! Dummies and masks.

use estafette::{
    campaign::model::state::State,
    ids::{PieceId, SeatId},
    value::Value,
    world::Piece,
};

use super::{in_box, is_enemy, is_unit, one_of, put, set, swap, unseen, unseen_units};
use crate::fog::table::Table;

/// Counters that the enemy could lay: dummies and lettered ones alike, or these alone.
fn spare(table: &Table, state: &State, reader: &SeatId, lettered: bool) -> Vec<PieceId> {
    let option = if lettered { "masks" } else { "dummies" };
    let on = table.context.settings().options.get(option);
    let mut spare = in_box(state, reader, "spare");
    spare.retain(|id| !lettered || state.world.pieces[id].kind == "mask");
    if on.is_none_or(|on| on != "on") {
        spare.clear();
    }
    spare
}

fn unseen_dummies(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let mut dummies = unseen(table, state, reader);
    dummies.retain(|id| {
        let piece = &state.world.pieces[id];
        !is_unit(piece) && !is_mask(state, piece)
    });
    dummies
}

fn unseen_masks(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let mut masks = unseen(table, state, reader);
    masks.retain(|id| is_mask(state, &state.world.pieces[id]));
    masks
}

/// Returns true if a counter stands for units that are off the map.
fn is_mask(state: &State, piece: &Piece) -> bool {
    piece.kind == "mask" && !masked_by(state, &piece.id).is_empty()
}

/// The units for which a mask stands.
fn masked_by(state: &State, mask: &PieceId) -> Vec<PieceId> {
    let masked = state.world.pieces.values();
    masked
        .filter(|unit| unit.is_at("masked") && *unit.get("stay") == Value::from(mask.as_str()))
        .map(|unit| unit.id.clone())
        .collect()
}

/// Pieces of a side in one hex.
fn company(state: &State, reader: &SeatId, id: &PieceId) -> usize {
    let here = state.world.pieces[id].at.clone();
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| is_enemy(piece, reader) && piece.at == here && piece.kind != "commander")
        .count()
}

/// A dummy lies in place of a unit, which is off the map.
fn replace(table: &Table, state: &mut State, reader: &SeatId, unit: Option<&PieceId>) -> bool {
    let Some((unit, dummy)) = unit.zip(spare(table, state, reader, false).pop()) else {
        return false;
    };
    swap(state, unit, &dummy);
    put(state, unit, "reserve");
    true
}

pub fn dummy_for_unit(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let units = unseen_units(table, state, reader);
    replace(table, state, reader, one_of(&units, seed))
}

pub fn dummy_for_independent(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let mut units = unseen_units(table, state, reader);
    let all = units.clone();
    let at = |id: &PieceId| state.world.pieces[id].at.clone();
    units.retain(|id| {
        let in_company = all.iter().filter(|other| at(other) == at(id)).count() > 1;
        in_company && state.world.pieces[id].formation.is_none()
    });
    replace(table, state, reader, one_of(&units, seed))
}

pub fn unit_for_dummy(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let dummies = unseen_dummies(table, state, reader);
    let Some(dummy) = one_of(&dummies, seed) else {
        return false;
    };
    let here = state.world.pieces[dummy].at.clone();
    let units = unseen_units(table, state, reader);
    let unit = units.iter().find(|id| state.world.pieces[*id].at != here);
    unit.map(|unit| swap(state, unit, dummy)).is_some()
}

pub fn other_dummy(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let dummies = unseen_dummies(table, state, reader);
    let pair = one_of(&dummies, seed).zip(spare(table, state, reader, false).pop());
    pair.map(|(dummy, other)| swap(state, dummy, &other))
        .is_some()
}

pub fn mask_for_unit(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let mut units = unseen_units(table, state, reader);
    units.retain(|id| company(state, reader, id) == 1);
    let Some((unit, mask)) = one_of(&units, seed).zip(spare(table, state, reader, true).pop())
    else {
        return false;
    };
    swap(state, unit, &mask);
    put(state, unit, "masked");
    set(state, unit, "stay", mask.as_str());
    true
}

pub fn unit_for_mask(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let masks = unseen_masks(table, state, reader);
    let Some(mask) = one_of(&masks, seed) else {
        return false;
    };
    let units = masked_by(state, mask);
    swap(state, mask, &units[0]);
    put(state, mask, "spare");
    set(state, &units[0], "stay", "");
    for unit in &units[1..] {
        put(state, unit, "reserve");
        set(state, unit, "stay", "");
    }
    true
}

pub fn letter_of_mask(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let masks = unseen_masks(table, state, reader);
    let Some((mask, other)) = one_of(&masks, seed).zip(spare(table, state, reader, true).pop())
    else {
        return false;
    };
    for unit in masked_by(state, mask) {
        set(state, &unit, "stay", other.as_str());
    }
    swap(state, mask, &other);
    true
}

pub fn masked_exchanged(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let masked = in_box(state, reader, "masked");
    let stay = |id: &PieceId| state.world.pieces[id].get("stay").clone();
    let Some(first) = masked.first() else {
        return false;
    };
    let Some(other) = masked.iter().find(|id| stay(id) != stay(first)) else {
        return false;
    };
    let (a, b) = (stay(first), stay(other));
    set(state, first, "stay", b);
    set(state, other, "stay", a);
    true
}

pub fn masked_for_unmasked(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let masked = in_box(state, reader, "masked");
    let units = unseen_units(table, state, reader);
    let Some((masked, unit)) = masked.last().zip(one_of(&units, seed)) else {
        return false;
    };
    swap(state, masked, unit);
    let stay = state.world.pieces[masked].get("stay").clone();
    set(state, masked, "stay", "");
    set(state, unit, "stay", stay);
    true
}

pub fn pool(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let mut spare = spare(table, state, reader, false);
    // One is left for those secrets that need it.
    spare.pop();
    for id in &spare {
        put(state, id, "unused");
    }
    !spare.is_empty()
}
