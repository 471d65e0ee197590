//! What of Toulon a seat can't know, whether an enemy, an ally or the other wing has it.

use estafette::{
    campaign::model::state::State,
    ids::SeatId,
    value::{Fields, Value},
    world::Piece,
};

use super::{
    super::table::{EVER, NOTHING, PRIVATE, Secret, Table},
    sides,
};

/// The pieces that a seat neither has nor has been lent.
fn others_pieces<'s>(
    table: &Table,
    state: &'s State,
    reader: &SeatId,
) -> impl Iterator<Item = &'s Piece> {
    let own = sides(table, reader);
    let pieces = state.world.pieces.values().map(AsRef::as_ref);
    pieces.filter(move |piece: &&Piece| {
        let lent = piece.get("lent");
        let is_lent = lent.as_text().is_some_and(|to| own.contains(to));
        !own.contains(piece.side.as_str()) && !is_lent
    })
}

/// Pieces on the map that are not in a seat's view.
fn unseen<'s>(table: &Table, state: &'s State, reader: &SeatId) -> Vec<&'s Piece> {
    let game = table.context.game();
    let looked = table.look(state);
    let view = looked.seen_by(game, reader);
    let hidden = others_pieces(table, state, reader).filter(|piece| {
        let at = piece.at.as_ref().and_then(|at| game.map.space(at));
        at.is_some() && view.piece(&piece.id).is_none()
    });
    hidden.collect()
}

/// Two units of one nation that the reader does not see change places, in and out of forts too.
fn places(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let game = table.context.game();
    let is_unit = |piece: &Piece| game.decl.kinds[&piece.kind].unit;
    let hidden: Vec<_> = unseen(table, state, reader)
        .into_iter()
        .filter(|piece| is_unit(piece))
        .map(|piece| (piece.id.clone(), piece.side.clone(), piece.at.clone()))
        .collect();
    let start = usize::try_from(seed).unwrap() % hidden.len().max(1);
    let first = hidden.iter().cycle().skip(start).take(hidden.len());
    let mut pairs = first.flat_map(|one| hidden.iter().map(move |other| (one, other)));
    let Some((one, other)) = pairs.find(|(one, other)| one.1 == other.1 && one.2 != other.2) else {
        return false;
    };
    let inside = |id: &str| state.world.piece(id).unwrap().get("inside").clone();
    let (first, second) = (inside(&one.0), inside(&other.0));
    for (id, at, inside) in [(&one.0, &other.2, second), (&other.0, &one.2, first)] {
        let piece = state.world.piece_mut(id).unwrap();
        piece.at.clone_from(at);
        piece.attributes.insert("inside".into(), inside);
    }
    true
}

/// The losses of what the reader does not see, and of allies' pieces that he knows as printed
/// (K.b).
fn losses(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let view = table.look(state).seen_by(table.context.game(), reader);
    let is_known_whole = |piece: &Piece| {
        let known = view.piece(&piece.id);
        known.is_some_and(|known| known.attributes.get("perm").is_some())
    };
    let ids: Vec<_> = others_pieces(table, state, reader)
        .filter(|piece| !is_known_whole(piece))
        .map(|piece| piece.id.clone())
        .collect();
    for id in &ids {
        let piece = state.world.piece_mut(id).unwrap();
        for (name, by) in [("temp", 1), ("perm", 1), ("marked", 2)] {
            let count = piece.get(name).as_int().unwrap_or(0);
            piece.attributes.insert(name.into(), (count + by).into());
        }
    }
    !ids.is_empty()
}

/// What of others' pieces only their owner knows, allies' too.
fn owners_marks(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let others = others_pieces(table, state, reader);
    let ids: Vec<_> = others.map(|piece| piece.id.clone()).collect();
    for id in &ids {
        let piece = state.world.piece_mut(id).unwrap();
        for name in ["supplied", "delayed", "fought", "forced_back"] {
            let is = piece.get(name).as_bool().unwrap_or(false);
            piece.attributes.insert(name.into(), (!is).into());
        }
        piece.attributes.insert("landed".into(), 7.into());
        piece.attributes.insert("entered".into(), 3.into());
    }
    !ids.is_empty()
}

/// Points of other nations, and of Bonaparte. Everybody sees them at the end of a player turn.
fn purses(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let own = sides(table, reader);
    let mut changed = false;
    for (fact, more) in [("op", 11), ("op_bonaparte", 5)] {
        let mut kept = shares(state, fact);
        for (_, points) in kept
            .iter_mut()
            .filter(|(side, _)| !own.contains(side.as_str()))
        {
            *points = (points.as_int().unwrap_or(0) + more).into();
            changed = true;
        }
        state.world.set_fact(fact, Value::Map(kept));
    }
    changed
}

/// Personal victory points of others (N.7); who has none has no entry.
fn glory(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let mut kept = shares(state, "glory");
    for seat in table.others(reader) {
        let points = kept.entry(seat.as_str().into()).or_insert(Value::from(0));
        *points = (points.as_int().unwrap_or(0) + 70).into();
    }
    state.world.set_fact("glory", Value::Map(kept));
    true
}

/// A fact that is shared out.
fn shares(state: &State, fact: &str) -> Fields {
    state.world.fact(fact).as_map().cloned().unwrap_or_default()
}

/// What others have planned and lent, and who sends the spy.
fn intents(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let others = table.others(reader);
    let other: Value = others[0].as_str().into();
    state.world.set_fact("spymaster", other.clone());
    state
        .world
        .set_fact("wrote", Value::List(vec![other.clone()]));
    let mut next = shares(state, "next_lines");
    next.retain(|seat, _| seat.as_str() == reader.as_str());
    next.insert(others[0].as_str().into(), Value::List(vec![other]));
    state.world.set_fact("next_lines", Value::Map(next));
    true
}

const SECRETS: &[Secret] = &[
    Secret {
        name: "where hidden units of a nation are",
        outlasts: NOTHING,
        change: places,
    },
    Secret {
        name: "losses of hidden pieces",
        outlasts: NOTHING,
        change: losses,
    },
    Secret {
        name: "what owners alone know of their pieces",
        outlasts: NOTHING,
        change: owners_marks,
    },
    Secret {
        name: "points of others",
        outlasts: NOTHING,
        change: purses,
    },
    Secret {
        name: "glory of others",
        outlasts: EVER,
        change: glory,
    },
    Secret {
        name: "intents of others",
        outlasts: NOTHING,
        change: intents,
    },
];

/// All that a seat can't know.
pub(super) fn secrets() -> Vec<&'static Secret> {
    SECRETS.iter().chain(PRIVATE).collect()
}
