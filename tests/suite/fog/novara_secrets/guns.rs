//! Guns that fire from afar at stacks that they do not see.

use std::collections::BTreeMap;

use estafette::{
    campaign::model::state::State,
    ids::{PieceId, PlaceId, SeatId},
    value::Value,
};

use super::{is_enemy, is_unit, map_of, on_map, put, set, unseen_units};
use crate::fog::table::Table;

/// States in which four of the reader's guns are about to fire at a stack two hexes away that he
/// does not see, and of which no unit dies of the loss of a level.
pub fn with_guns_in_range<'a>(
    table: &'a Table,
    state: &'a State,
    reader: &'a SeatId,
) -> impl Iterator<Item = State> + 'a {
    let mut stacks: BTreeMap<PlaceId, Vec<PieceId>> = BTreeMap::new();
    for unit in unseen_units(table, state, reader) {
        let here = state.world.pieces[&unit].at.clone().unwrap();
        stacks.entry(here).or_default().push(unit);
    }
    let robust = |id: &PieceId| {
        let unit = &state.world.pieces[id];
        unit.int("levels") - unit.int("lost") > 1
    };
    stacks.retain(|_, stack| stack.len() > 1 && stack.iter().all(robust));
    let targets = stacks.into_keys();
    targets.filter_map(move |target| with_guns_at(table, state, reader, &target))
}

/// The same for one target, if there is a hex from which the guns don't see it.
fn with_guns_at(table: &Table, state: &State, reader: &SeatId, target: &PlaceId) -> Option<State> {
    let map = &table.context.game().map;
    let grid = map.hexes()?.grid();
    let goal = grid.number(target)?;
    let free = |hex: &PlaceId| !state.world.pieces.values().any(|piece| piece.is_at(hex));
    let mut around = grid.within(goal, 2).into_iter();
    let from = around.find_map(|number| {
        let hex = &map.space_at(number)?.id;
        (grid.distance(number, goal) == 2 && free(hex)).then_some(hex)
    })?;
    let mut state = state.clone();
    let guns = guns_of(table, &state, reader);
    for gun in &guns {
        put(&mut state, gun, from);
        for mark in ["shaken", "forced", "fired"] {
            set(&mut state, gun, mark, false);
        }
    }
    let names = Value::List(guns.iter().map(|gun| gun.as_str().into()).collect());
    let shot = map_of([
        ("verb", "bombard".into()),
        ("seat", reader.as_str().into()),
        ("target", target.as_str().into()),
        ("guns", map_of([("list", names.clone())])),
    ]);
    let active = map_of([
        ("side", reader.as_str().into()),
        ("chit", "".into()),
        ("forced", Value::Bool(false)),
        ("units", names),
    ]);
    state.world.set_fact("active", active);
    let block = map_of([("orders", Value::List(vec![shot]))]);
    state.world.set_fact("block", block);
    state.world = table.look(&state);
    let unseen = unseen_units(table, &state, reader);
    let hides = |id: &PieceId| state.world.pieces[id].is_at(target);
    unseen.iter().any(hides).then_some(state)
}

/// The reader's first batteries on the map.
fn guns_of(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let own = state.world.pieces.values().filter(|piece| {
        !is_enemy(piece, reader) && is_unit(piece) && piece.kind.ends_with("artillery")
    });
    let there = own.filter(|piece| on_map(table, piece));
    there.take(4).map(|piece| piece.id.clone()).collect()
}
