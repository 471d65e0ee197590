//! What a seat of the second game can't know, changed in the true state.

mod words;

use std::sync::Arc;

use estafette::{
    campaign::{Moment, State},
    ids::{PieceId, SeatId},
    orders::Order,
    value::Value,
    world::Piece,
};

use crate::table::{AFRESH, NOTHING, Own, PRIVATE, Secret, Table, Turn, UNUSED};
pub use words::random_turns;

/// What of a table is this game's own.
pub const NOVARA: Own = Own {
    game: "novara",
    templates: &["template_cup", "template_formation", "template_place"],
    prying: words::prying,
    wrong: "MOVE Nobody TO Nowhere\n",
    standing: "BREAK ALL NEVER\n",
    unsent: "CUP NONE\nPAUSE BEFORE INDEPENDENT\nRETREAT ALL NEVER\nBOX NOVARA 1\n",
};

/// The game's own kinds.
const SECRETS: &[Secret] = &[
    Secret {
        name: "levels lost of units not seen",
        outlasts: UNUSED,
        change: levels,
    },
    Secret {
        name: "printed values of units not seen",
        outlasts: UNUSED,
        change: printed,
    },
    Secret {
        name: "shaken units not seen",
        outlasts: UNUSED,
        change: shaken,
    },
    Secret {
        name: "units not seen that are out of supply",
        outlasts: UNUSED,
        change: supply,
    },
    Secret {
        name: "who has acted and fired",
        outlasts: NOTHING,
        change: acted,
    },
    Secret {
        name: "the umpire's attributes of all pieces",
        outlasts: AFRESH,
        change: umpire_attributes,
    },
    Secret {
        name: "hidden units exchanged",
        outlasts: NOTHING,
        change: exchange,
    },
    Secret {
        name: "a dummy for a hidden unit",
        outlasts: NOTHING,
        change: dummy_for_unit,
    },
    Secret {
        name: "a dummy for an independent unit in company",
        outlasts: UNUSED,
        change: dummy_for_independent,
    },
    Secret {
        name: "a hidden unit for a dummy",
        outlasts: NOTHING,
        change: unit_for_dummy,
    },
    Secret {
        name: "which of the dummies lies where",
        outlasts: UNUSED,
        change: other_dummy,
    },
    Secret {
        name: "a mask for a hidden unit alone",
        outlasts: NOTHING,
        change: mask_for_unit,
    },
    Secret {
        name: "a hidden unit for a mask",
        outlasts: NOTHING,
        change: unit_for_mask,
    },
    Secret {
        name: "the letter of a mask",
        outlasts: UNUSED,
        change: letter_of_mask,
    },
    Secret {
        name: "whom two masks stand for",
        outlasts: UNUSED,
        change: masked_exchanged,
    },
    Secret {
        name: "a unit under a mask for one on the map",
        outlasts: NOTHING,
        change: masked_for_unmasked,
    },
    Secret {
        name: "dummies and masks in the enemy's pool",
        outlasts: UNUSED,
        change: pool,
    },
    Secret {
        name: "where units off the map will come",
        outlasts: NOTHING,
        change: homes,
    },
    Secret {
        name: "reinforcements that wait",
        outlasts: NOTHING,
        change: reserve,
    },
    Secret {
        name: "plans, pauses, the cup and its order",
        outlasts: NOTHING,
        change: facts,
    },
    Secret {
        name: "standing orders for what does not happen",
        outlasts: UNUSED,
        change: idle_standing,
    },
    Secret {
        name: "standing orders",
        outlasts: NOTHING,
        change: standing,
    },
];

/// What only campaigns have in which a pontoon was seized.
pub const SEIZED: Secret = Secret {
    name: "where a seized pontoon is",
    outlasts: NOTHING,
    change: pontoon_elsewhere,
};

/// All kinds of secrets.
pub fn secrets() -> Vec<&'static Secret> {
    SECRETS.iter().chain(PRIVATE).collect()
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
    let map = &table.engine.game().map;
    piece.at.as_ref().is_some_and(|at| map.space(at).is_some())
}

pub fn is_unit(piece: &Piece) -> bool {
    !["commander", "mask", "dummy"].contains(&piece.kind.as_str())
}

fn is_enemy(piece: &Piece, reader: &SeatId) -> bool {
    piece.side.as_str() != reader.as_str()
}

/// Whether a counter stands for units that are off the map.
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

/// The enemy's pieces on the map that a seat does not see, after a fresh look; commanders and bridges are seen by all.
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

/// The enemy's pieces in a box.
fn in_box(state: &State, reader: &SeatId, place: &str) -> Vec<PieceId> {
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| is_enemy(piece, reader) && piece.is_at(place))
        .map(|piece| piece.id.clone())
        .collect()
}

/// The reader's pontoons that the enemy has.
fn seized(state: &State, reader: &SeatId) -> Vec<PieceId> {
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| !is_enemy(piece, reader) && *piece.get("captor") != Value::from(""))
        .map(|piece| piece.id.clone())
        .collect()
}

/// Counters that the enemy could lay: dummies and lettered ones alike, or these alone.
fn spare(table: &Table, state: &State, reader: &SeatId, lettered: bool) -> Vec<PieceId> {
    let option = if lettered { "masks" } else { "dummies" };
    let on = table.engine.settings().options.get(option);
    let mut spare = in_box(state, reader, "spare");
    spare.retain(|id| !lettered || state.world.pieces[id].kind == "mask");
    if on.is_none_or(|on| on != "on") {
        spare.clear();
    }
    spare
}

/// Pieces of a side in one hex.
fn company(state: &State, reader: &SeatId, id: &PieceId) -> usize {
    let here = state.world.pieces[id].at.clone();
    let pieces = state.world.pieces.values();
    pieces
        .filter(|piece| is_enemy(piece, reader) && piece.at == here && piece.kind != "commander")
        .count()
}

/// The hexes in which a seat knows enemies to be, by their labels.
pub fn hexes_of_others(table: &Table, state: &State, seat: &SeatId) -> Vec<String> {
    let view = state.world.seen_by(table.engine.game(), seat);
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

fn levels(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = unseen_units(table, state, reader);
    let mut changed = false;
    for id in &units {
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

fn printed(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = unseen_units(table, state, reader);
    for id in &units {
        for (name, value) in [("cp", 17), ("reduced", 13), ("ma", 3), ("elite", 4)] {
            set(state, id, name, value);
        }
    }
    !units.is_empty()
}

/// Every other unit that is in neither state gets into one, for who is in both dies by night, and that is seen.
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

fn shaken(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    weaken(table, state, reader, "shaken", 0)
}

fn supply(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    weaken(table, state, reader, "oos", 1)
}

fn acted(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
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
fn umpire_attributes(_: &Table, state: &mut State, _: &SeatId, _: u64) -> bool {
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

fn exchange(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let units = unseen_units(table, state, reader);
    let Some(first) = one_of(&units, seed) else {
        return false;
    };
    let here = state.world.pieces[first].at.clone();
    let other = units.iter().find(|id| state.world.pieces[*id].at != here);
    other.map(|other| swap(state, first, other)).is_some()
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

fn dummy_for_unit(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let units = unseen_units(table, state, reader);
    replace(table, state, reader, one_of(&units, seed))
}

fn dummy_for_independent(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let mut units = unseen_units(table, state, reader);
    let all = units.clone();
    let at = |id: &PieceId| state.world.pieces[id].at.clone();
    units.retain(|id| {
        let in_company = all.iter().filter(|other| at(other) == at(id)).count() > 1;
        in_company && state.world.pieces[id].formation.is_none()
    });
    replace(table, state, reader, one_of(&units, seed))
}

fn unit_for_dummy(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let dummies = unseen_dummies(table, state, reader);
    let Some(dummy) = one_of(&dummies, seed) else {
        return false;
    };
    let here = state.world.pieces[dummy].at.clone();
    let units = unseen_units(table, state, reader);
    let unit = units.iter().find(|id| state.world.pieces[*id].at != here);
    unit.map(|unit| swap(state, unit, dummy)).is_some()
}

fn other_dummy(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let dummies = unseen_dummies(table, state, reader);
    let pair = one_of(&dummies, seed).zip(spare(table, state, reader, false).pop());
    pair.map(|(dummy, other)| swap(state, dummy, &other))
        .is_some()
}

fn mask_for_unit(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
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

fn unit_for_mask(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
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

fn letter_of_mask(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
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

fn masked_exchanged(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
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

/// The state in which the enemy has seized a pontoon of the reader's, and taken it along with a stack that the reader does not see.
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

fn pontoon_elsewhere(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = unseen_units(table, state, reader);
    let seized = seized(state, reader);
    let Some(pontoon) = seized.first() else {
        return false;
    };
    let here = state.world.pieces[pontoon].at.clone();
    let unit = units.iter().find(|id| state.world.pieces[*id].at != here);
    unit.map(|unit| swap(state, pontoon, unit)).is_some()
}

fn masked_for_unmasked(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
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

fn pool(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let mut spare = spare(table, state, reader, false);
    // One is left for those secrets that need it.
    spare.pop();
    for id in &spare {
        put(state, id, "unused");
    }
    !spare.is_empty()
}

fn reserve(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let waiting = in_box(state, reader, "reserve");
    for id in &waiting {
        put(state, id, "unused");
    }
    !waiting.is_empty()
}

fn homes(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let waiting = in_box(state, reader, "reserve");
    let place = table.engine.game().map.map().spaces[0].id.clone();
    for id in &waiting {
        set(state, id, "stay", place.as_str());
    }
    !waiting.is_empty()
}

fn facts(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = letter(&table.other(reader));
    let chits = |numbers: &[i64]| -> Value {
        let names = numbers
            .iter()
            .map(|number| format!("{enemy}{number}").into());
        Value::List(names.collect())
    };
    let side = table.other(reader).to_string();
    let by_side = |value: Value| Value::Map([(side.clone(), value)].into());
    let world = &mut state.world;
    let cup = world.fact("cup");
    let mut turned = match cup {
        Value::List(chits) => chits.clone(),
        _ => Default::default(),
    };
    turned.reverse();
    turned.push(format!("{enemy}-SUP").into());
    world.set_fact("cup", Value::List(turned));
    world.set_fact("plans", by_side(chits(&[1])));
    world.set_fact("filled", chits(&[1, 2]));
    world.set_fact("drawn", chits(&[2]));
    world.set_fact("staffs", by_side(chits(&[3])));
    world.set_fact("paused", Value::List(vec![side.as_str().into()]));
    world.set_fact("withdrawing", Value::List(vec![side.as_str().into()]));
    world.set_fact("surprise", by_side(chits(&[2])));
    world.set_fact("active", by_side(chits(&[2])));
    world.set_fact("block", by_side(chits(&[2])));
    world.set_fact("fights", chits(&[4]));
    world.set_fact("wanted", Value::Int(7));
    world.set_fact("unsure", chits(&[1]));
    true
}

/// Other standing orders of the enemy.
fn say(table: &Table, state: &mut State, reader: &SeatId, lines: &[&str]) -> bool {
    let enemy = table.other(reader);
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let words = table.in_language(state, &enemy, &lines).join("\n");
    // Who is asked something is read for answers.
    let moment = Moment {
        questions: Vec::new(),
        ..table.engine.moment(state, &enemy)
    };
    let understood = table.engine.understand(&moment, &enemy, &words).unwrap();
    let mut said: Vec<Order> = understood.reading.orders().cloned().collect();
    assert_eq!(said.len(), lines.len(), "{words}");
    if state.decisions.standing.get(&enemy) == Some(&said) {
        said.pop();
    }
    state.decisions.standing.insert(enemy, said);
    true
}

fn idle_standing(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = table.other(reader);
    let before = state.decisions.standing.get(&enemy);
    let works = |order: &&Order| {
        ["fire_policy", "priority", "enter_standing"].contains(&order.verb.as_str())
    };
    let kept: Vec<Order> = before
        .into_iter()
        .flatten()
        .filter(works)
        .cloned()
        .collect();
    let lines = [
        "BREAK ALL ALWAYS BY 2 TOWARD 2833",
        "RETREAT ALL MAX 1",
        "LOSSES ALL ORDER ARTILLERY CAVALRY",
        "ADVANCE ALL NEVER",
        "TERRAIN 3724",
        "RECOVER ALL",
    ];
    say(table, state, reader, &lines);
    let standing = state.decisions.standing.get_mut(&enemy).unwrap();
    standing.extend(kept);
    true
}

fn standing(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let own = match letter(&table.other(reader)) {
        'A' => "PRIORITY A4 A2",
        _ => "ENTER ALWAYS S5 TURN 9",
    };
    say(
        table,
        state,
        reader,
        &["BOMBARD ALL BEST", own, "BREAK ALL NEVER"],
    )
}

/// Units of the others whom a seat meets nowhere in a turn, whether they march or not: it has not seen them, and nothing has become of
/// them or of those with them. Guns fire from afar.
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
        let pieces = start.world.pieces.values();
        let there = pieces.filter(|piece| state.world.pieces[&piece.id].at == here);
        there.map(|piece| touched(piece)).any(|touched| touched)
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
