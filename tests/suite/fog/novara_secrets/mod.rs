//! What a seat of the second game can't know, changed in the true state.

mod afar;
mod counters;
pub mod follows;
mod guns;
mod plans;
mod planted;
mod units;
mod words;

use estafette::{
    campaign::model::state::State,
    ids::{PieceId, SeatId},
    value::Value,
    world::Piece,
};

use crate::fog::table::{AFRESH, NOTHING, Options, Own, PRIVATE, Secret, Table, Trial, UNUSED};
pub use afar::told_of_far_orders;
pub use guns::with_guns_in_range;
pub use planted::{EVERYWHERE, PLANTED, silent_places};
pub use units::{bystanders, wear, with_a_seized_pontoon};
pub use words::{first, random_turn, random_turns};

/// What of a table is this game's own.
pub const NOVARA: Own = Own {
    game: "novara",
    templates: &["template_cup", "template_formation", "template_place"],
    prying: words::prying,
    wrong: "MOVE Nobody TO Nowhere\n",
    standing: "BREAK ALL NEVER\n",
    unsent: "CUP NONE\nPAUSE BEFORE INDEPENDENT\nRETREAT ALL NEVER\nBOX NOVARA 1\n",
};

/// A kind of secret: its name, what it outlasts, how it is changed.
const fn secret(
    name: &'static str,
    outlasts: &'static [Trial],
    change: fn(&Table, &mut State, &SeatId, u64) -> bool,
) -> Secret {
    Secret {
        name,
        outlasts,
        change,
    }
}

/// What decides who dies of the next loss.
pub const LEVELS: &str = "levels lost of units not seen";

/// The game's own kinds.
const SECRETS: &[Secret] = &[
    secret(LEVELS, UNUSED, units::levels),
    secret(
        "levels lost of units off the map",
        UNUSED,
        units::levels_off_map,
    ),
    secret(
        "forced marches of units not seen",
        UNUSED,
        units::forced_march,
    ),
    secret("printed values of units not seen", UNUSED, units::printed),
    secret("shaken units not seen", UNUSED, units::shaken),
    secret(
        "units not seen that are out of supply",
        UNUSED,
        units::supply,
    ),
    secret("who has acted and fired", NOTHING, units::acted),
    secret(
        "the umpire's attributes of all pieces",
        AFRESH,
        units::umpire_attributes,
    ),
    secret("hidden units exchanged", NOTHING, units::exchange),
    secret(
        "a dummy for a hidden unit",
        NOTHING,
        counters::dummy_for_unit,
    ),
    secret(
        "a dummy for an independent unit in company",
        UNUSED,
        counters::dummy_for_independent,
    ),
    secret(
        "a hidden unit for a dummy",
        NOTHING,
        counters::unit_for_dummy,
    ),
    secret(
        "which of the dummies lies where",
        UNUSED,
        counters::other_dummy,
    ),
    secret(
        "a mask for a hidden unit alone",
        NOTHING,
        counters::mask_for_unit,
    ),
    secret("a hidden unit for a mask", NOTHING, counters::unit_for_mask),
    secret("the letter of a mask", UNUSED, counters::letter_of_mask),
    secret(
        "whom two masks stand for",
        UNUSED,
        counters::masked_exchanged,
    ),
    secret(
        "a unit under a mask for one on the map",
        NOTHING,
        counters::masked_for_unmasked,
    ),
    secret(
        "dummies and masks in the enemy's pool",
        UNUSED,
        counters::pool,
    ),
    secret("where units off the map will come", NOTHING, units::homes),
    secret("reinforcements that wait", NOTHING, units::reserve),
    secret(
        "plans, pauses, the cup and its order",
        NOTHING,
        plans::facts,
    ),
    secret(
        "standing orders for what does not happen",
        UNUSED,
        plans::idle_standing,
    ),
    secret("standing orders", NOTHING, plans::standing),
];

/// What only campaigns have in which a pontoon was seized.
pub const SEIZED: Secret = secret(
    "where a seized pontoon is",
    NOTHING,
    units::pontoon_elsewhere,
);

/// All kinds of secrets.
pub fn secrets() -> Vec<&'static Secret> {
    SECRETS.iter().chain(PRIVATE).collect()
}

/// The secrets that last through something.
pub fn lasting(trial: Trial) -> Vec<&'static Secret> {
    let mut secrets = secrets();
    secrets.retain(|secret| secret.outlasts.contains(&trial));
    secrets
}

/// A campaign of this game.
pub fn table(scenario: &'static str, options: Options<'_>) -> Table {
    Table::of(&NOVARA, scenario, options, |_| {}, |_| {})
}

// Who is who

/// The letter with which the ids of a side's formations begin.
pub fn letter(seat: &SeatId) -> char {
    if seat.as_str() == "austrian" {
        'A'
    } else {
        'S'
    }
}

pub fn on_map(table: &Table, piece: &Piece) -> bool {
    let map = &table.context.game().map;
    piece.at.as_ref().is_some_and(|at| map.space(at).is_some())
}

pub fn is_unit(piece: &Piece) -> bool {
    !["commander", "mask", "dummy"].contains(&piece.kind.as_str())
}

fn is_enemy(piece: &Piece, reader: &SeatId) -> bool {
    piece.side.as_str() != reader.as_str()
}

/// The enemy's pieces on the map that a seat does not see, after a fresh look; commanders and
/// bridges are seen by all.
fn unseen(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let looked = table.look(state);
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| is_enemy(piece, reader) && on_map(table, piece))
        .filter(|piece| piece.kind != "commander" && !looked.sees(reader, &piece.id))
        .map(|piece| piece.id.clone())
        .collect()
}

fn unseen_units(table: &Table, state: &State, reader: &SeatId) -> Vec<PieceId> {
    let mut units = unseen(table, state, reader);
    units.retain(|id| is_unit(&state.world.pieces[id]));
    units
}

/// The enemy's pieces in a box.
fn in_box(state: &State, reader: &SeatId, place: &str) -> Vec<PieceId> {
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| is_enemy(piece, reader) && piece.is_at(place))
        .map(|piece| piece.id.clone())
        .collect()
}

/// The hexes in which a seat knows enemies to be, by their labels.
pub fn hexes_of_others(table: &Table, state: &State, seat: &SeatId) -> Vec<String> {
    let view = state.world.seen_by(table.context.game(), seat);
    let noted = view.spaces.iter();
    let noted = noted.filter(|(_, noted)| noted.contains_key("hidden"));
    let seen = view.pieces.values().filter(|piece| is_enemy(piece, seat));
    let seen = seen.filter(|piece| piece.ghost.is_none() && on_map(table, piece));
    let mut hexes: Vec<String> = noted.map(|(hex, _)| hex.to_string()).collect();
    hexes.extend(seen.map(|piece| piece.at.as_ref().unwrap().to_string()));
    hexes.sort();
    hexes.dedup();
    hexes
}

// Changes

fn piece<'a>(state: &'a mut State, id: &PieceId) -> &'a mut Piece {
    state.world.piece_mut(id).unwrap()
}

fn set(state: &mut State, id: &PieceId, name: &'static str, value: impl Into<Value>) {
    piece(state, id)
        .attributes
        .insert(name.into(), value.into());
}

fn put(state: &mut State, id: &PieceId, place: &str) {
    piece(state, id).at = Some(place.into());
}

/// Two pieces change places.
fn swap(state: &mut State, a: &PieceId, b: &PieceId) {
    let here = piece(state, a).at.clone();
    let there = std::mem::replace(&mut piece(state, b).at, here);
    piece(state, a).at = there;
}

/// One of a list by the seed.
fn one_of(list: &[PieceId], seed: u64) -> Option<&PieceId> {
    list.get(usize::try_from(seed).unwrap() % list.len().max(1))
}

/// A value with named parts, as scripts have them.
fn map_of<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let entries = entries.map(|(name, value)| (name.to_owned(), value));
    Value::Map(entries.into())
}
