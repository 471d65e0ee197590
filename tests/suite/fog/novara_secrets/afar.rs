//! Orders of an activation that reach for enemies far away, and come to nothing.

use std::collections::BTreeSet;

use estafette::{campaign::model::state::State, ids::SeatId, value::Value, world::Piece};

use super::{
    hexes_of_others, is_enemy, letter, map_of, on_map, put, unseen_units, words::own_units,
};
use crate::fog::table::{Leak, Sent, Table, differences, letters_of};

/// How far from the enemies who are meant everybody of the reader's is: nobody sees a mask there
/// for what it is.
const FAR: i64 = 4;

/// What makes lone pieces out of sight something else: which one, depends on the seed.
const EXCHANGES: &[&str] = &["a mask for a hidden unit alone", "a hidden unit for a mask"];

/// What a reader hears otherwise of what he has ordered afar, if the lone enemy whom he means were
/// something else; and how often one was.
pub fn told_of_far_orders(
    honest: &Table,
    played: &Table,
    start: &State,
    reader: &SeatId,
) -> (usize, Vec<String>) {
    let (mut tried, mut found) = (0, BTreeSet::new());
    let start = with_a_lone_pontoon(honest, start, reader);
    for hex in far_loners(honest, &start, reader).iter().take(6) {
        let others: Vec<State> = exchanged_at(honest, &start, reader, hex).collect();
        tried += others.len();
        for block in blocks(honest, &start, reader, hex) {
            let told = |state: &State| -> Vec<Sent> {
                let letters = played.run_to_orders(&about_to_act(state, &block), "activation");
                letters_of("the dispatch", &letters, reader, Leak::NONE)
            };
            let before = told(&start);
            for other in &others {
                found.extend(differences(&before, &told(other)));
            }
        }
    }
    (tried, found.into_iter().collect())
}

/// Hexes far away in which a reader knows of a single piece, that of a pontoon first.
fn far_loners(table: &Table, state: &State, reader: &SeatId) -> Vec<String> {
    let grid = table.context.game().map.hexes().unwrap().grid();
    let number = |hex: &str| grid.number(hex).unwrap();
    let own = own_units(state, reader, table);
    let is_far = |hex: &String| {
        let from = |unit: &Piece| number(unit.at.as_ref().unwrap());
        let mut own = own.iter();
        own.all(|unit| grid.distance(from(unit), number(hex)) > FAR)
    };
    let alone = |hex: &String| pieces_in(state, hex).count() == 1;
    let mut hexes = hexes_of_others(table, state, reader);
    hexes.retain(|hex| is_far(hex) && alone(hex));
    hexes.sort_by_key(|hex| pieces_in(state, hex).all(|one| one.kind != "pontoon"));
    hexes
}

fn pieces_in<'a>(state: &'a State, hex: &str) -> impl Iterator<Item = &'a Piece> {
    let pieces = state.world.pieces.values().map(AsRef::as_ref);
    pieces.filter(move |one| one.is_at(hex))
}

/// The state with something else in a hex, for each exchange that can be made there.
fn exchanged_at<'a>(
    table: &'a Table,
    start: &'a State,
    reader: &'a SeatId,
    hex: &'a str,
) -> impl Iterator<Item = State> + 'a {
    let who = |state: &State| pieces_in(state, hex).next().map(|one| one.id.clone());
    let secrets = super::secrets().into_iter();
    let exchanges = secrets.filter(|one| EXCHANGES.contains(&one.name));
    exchanges.filter_map(move |one| {
        let mut others = (0..40).filter_map(|seed| {
            let mut other = start.clone();
            (one.change)(table, &mut other, reader, seed).then_some(other)
        });
        others.find(|other| who(other) != who(start))
    })
}

/// What a chit of the reader is to do, and the chit: attack a hex and take up the enemy's pontoons;
/// the Independent chit is placed there.
fn blocks(table: &Table, state: &State, reader: &SeatId, hex: &str) -> [(String, Value); 2] {
    let own = own_units(state, reader, table);
    let names = own.iter().map(|unit| unit.id.as_str().into()).collect();
    let who = map_of([("list", Value::List(names))]);
    let pieces = state.world.pieces.values();
    let theirs = pieces.filter(|one| is_enemy(one, reader) && one.kind == "pontoon");
    let pontoons = theirs.map(|one| one.id.as_str().into()).collect();
    let targets = Value::List(vec![hex.into()]);
    let orders = vec![
        order(
            reader,
            "attack",
            [("targets", targets), ("who", who.clone())],
        ),
        order(reader, "unbridge", [("who", Value::List(pontoons))]),
    ];
    let formation = own.iter().find_map(|unit| unit.formation.as_ref()).unwrap();
    let formation = formation.as_str();
    let block = [("of", formation.into()), ("orders", Value::List(orders))];
    let nothing = Value::List(Vec::new());
    let placed = [("at", hex.into()), ("units", who), ("orders", nothing)];
    [
        (formation.to_owned(), order(reader, "formation", block)),
        (
            format!("{}-IND", letter(reader)),
            order(reader, "independent", placed),
        ),
    ]
}

fn about_to_act(state: &State, (chit, block): &(String, Value)) -> State {
    let mut state = state.clone();
    state.world.set_fact("chit", chit.as_str().into());
    state.world.set_fact("block", block.clone());
    state
}

/// An enemy's pontoon takes the place of a lone unit that nobody sees.
fn with_a_lone_pontoon(table: &Table, start: &State, reader: &SeatId) -> State {
    let mut state = start.clone();
    let pieces = start.world.pieces.values();
    let mut theirs = pieces.filter(|one| is_enemy(one, reader) && one.kind == "pontoon");
    let pontoon = theirs.find(|one| on_map(table, one) && *one.get("built") == Value::from(""));
    let alone = unseen_units(table, start, reader).into_iter().find(|id| {
        let here = &start.world.pieces[id].at;
        let there = start.world.pieces.values().filter(|one| one.at == *here);
        there.count() == 1
    });
    if let Some((pontoon, unit)) = pontoon.zip(alone) {
        let here = start.world.pieces[&unit].at.clone().unwrap();
        put(&mut state, &unit, "reserve");
        put(&mut state, &pontoon.id, here.as_str());
    }
    state.world = table.look(&state);
    state
}

fn order<const N: usize>(seat: &SeatId, verb: &str, slots: [(&str, Value); N]) -> Value {
    let Value::Map(mut map) = map_of(slots) else {
        unreachable!("it is a map");
    };
    map.insert("verb".to_owned(), verb.into());
    map.insert("seat".to_owned(), seat.as_str().into());
    Value::Map(map)
}
