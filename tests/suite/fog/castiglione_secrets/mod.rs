//! What a seat can't know, changed in the true state.

mod fog;

use estafette::{
    campaign::{
        self,
        model::state::{CurrentWait, State},
    },
    ids::{PieceId, SeatId},
    orders::Order,
    value::Value,
    world::Piece,
};

use crate::fog::table::{
    AFRESH, EVER, PRIVATE, Random, Secret, Table, Turn, UNMET, UNMOVED, UNUSED, standing_line,
};

pub use fog::in_fog;

/// The game's own kinds.
const SECRETS: &[Secret] = &[
    Secret {
        name: "hits of units not seen whole",
        outlasts: UNMOVED,
        change: hits,
    },
    Secret {
        name: "supply and command of enemy units",
        outlasts: UNUSED,
        change: conditions,
    },
    Secret {
        name: "the umpire's attributes of all pieces",
        outlasts: AFRESH,
        change: umpire_attributes,
    },
    Secret {
        name: "units below two leaders exchanged",
        outlasts: UNMET,
        change: exchange,
    },
    Secret {
        name: "strength of a unit below a leader",
        outlasts: UNMET,
        change: strength,
    },
    Secret {
        name: "a unit below a leader is gone",
        outlasts: UNMET,
        change: vanish,
    },
    Secret {
        name: "garrisons in the enemy's reserve",
        outlasts: EVER,
        change: reserve,
    },
    Secret {
        name: "the enemy's standing orders",
        outlasts: UNUSED,
        change: standing,
    },
    Secret {
        name: "the umpire's facts, failed attempts among them",
        outlasts: AFRESH,
        change: facts,
    },
    Secret {
        name: "marks of fights and wounds gone by",
        outlasts: UNUSED,
        change: marks,
    },
    Secret {
        name: "generic leaders in the enemy's reserve",
        outlasts: EVER,
        change: deputies,
    },
];

/// All kinds without hidden counters.
pub fn in_the_open() -> Vec<&'static Secret> {
    SECRETS.iter().chain(PRIVATE).collect()
}

fn is_enemy(piece: &Piece, reader: &SeatId) -> bool {
    piece.side.as_str() != reader.as_str()
}

/// Enemy units that lie below a leader of theirs, where nobody fights, and have not been revealed.
fn below_leaders(state: &State, reader: &SeatId) -> Vec<PieceId> {
    let world = &state.world;
    let stands = |piece: &&Piece, kind: &str| {
        (piece.kind == "leader") == (kind == "leader") && piece.kind != "garrison"
    };
    let units = world
        .pieces
        .values()
        .map(std::convert::AsRef::as_ref)
        .filter(|piece| is_enemy(piece, reader) && stands(piece, "unit") && piece.kind != "dummy");
    let led = units.filter(|unit| {
        let Some(place) = &unit.at else { return false };
        // Whether Mantua is besieged hangs on the units there, and everybody knows of the siege.
        if *unit.get("revealed") == Value::Bool(true) || place.as_str() == "mantua" {
            return false;
        }
        let quiet = world.at(place).all(|other| other.side == unit.side);
        quiet && world.at(place).any(|other| stands(&other, "leader"))
    });
    led.map(|unit| unit.id.clone()).collect()
}

fn piece<'a>(state: &'a mut State, id: &PieceId) -> &'a mut Piece {
    state.world.piece_mut(id).unwrap()
}

fn hits(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = below_leaders(state, reader);
    for id in &units {
        let hits = piece(state, id).int("hits");
        piece(state, id)
            .attributes
            .insert("hits".into(), Value::Int(i64::from(hits == 0)));
    }
    !units.is_empty()
}

fn conditions(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = below_leaders(state, reader);
    for id in &units {
        for (name, value) in [("ooc", true), ("foraged", true), ("supplied", false)] {
            piece(state, id)
                .attributes
                .insert(name.into(), Value::Bool(value));
        }
    }
    !units.is_empty()
}

fn umpire_attributes(_: &Table, state: &mut State, _: &SeatId, _: u64) -> bool {
    for piece in state.world.pieces.values_mut() {
        let piece = std::sync::Arc::make_mut(piece);
        piece.attributes.insert("came_from".into(), "goito".into());
        piece.attributes.insert("mp".into(), Value::Int(3));
        piece.attributes.insert("began".into(), "volta".into());
        for name in ["moved", "forced", "tried"] {
            piece
                .attributes
                .insert(name.into(), Value::Bool(!piece.is_at("goito")));
        }
    }
    true
}

fn exchange(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = below_leaders(state, reader);
    let Some(first) = units.first() else {
        return false;
    };
    let here = piece(state, first).at.clone();
    let Some(second) = units.iter().find(|id| state.world.pieces[*id].at != here) else {
        return false;
    };
    let there = std::mem::replace(&mut piece(state, second).at, here);
    piece(state, first).at = there;
    true
}

fn strength(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = below_leaders(state, reader);
    for id in &units {
        for (name, value) in [("sp", 9), ("cf", 1), ("ma", 5)] {
            piece(state, id)
                .attributes
                .insert(name.into(), Value::Int(value));
        }
    }
    !units.is_empty()
}

/// One of at least two units below a leader, so that there still is more below.
fn vanish(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let units = below_leaders(state, reader);
    let at = |id: &PieceId| state.world.pieces[id].at.clone();
    let Some(id) = units
        .iter()
        .find(|id| units.iter().filter(|other| at(other) == at(id)).count() > 1)
    else {
        return false;
    };
    piece(state, id).at = Some("pool".into());
    true
}

fn reserve(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let pool = state
        .world
        .pieces
        .values_mut()
        .filter(|piece| is_enemy(piece, reader) && piece.is_at("pool"));
    pool.last()
        .map(|piece| std::sync::Arc::make_mut(piece).at = None)
        .is_some()
}

fn standing(table: &Table, state: &mut State, reader: &SeatId, seed: u64) -> bool {
    let enemy = table.other(reader);
    let mut random = Random(seed ^ 99);
    let words: String = (0..5)
        .map(|_| format!("{}\n", standing_line(&mut random)))
        .filter(|line| !line.starts_with("INITIATIVE"))
        .collect();
    let moment = campaign::moment(&table.context, state, &enemy);
    let understood = campaign::understand(&table.context, &moment, &enemy, &words).unwrap();
    let mut lines: Vec<Order> = understood.reading.orders().cloned().collect();
    if state.decisions.standing.get(&enemy) == Some(&lines) {
        lines.pop();
    }
    std::sync::Arc::make_mut(&mut state.decisions)
        .standing
        .insert(enemy, lines);
    true
}

fn facts(_: &Table, state: &mut State, _: &SeatId, _: u64) -> bool {
    let tried = Value::List(vec![
        "destroy:goito-volta".into(),
        "repair:rezzato-lonato".into(),
    ]);
    state.world.set_fact("bridges_tried", tried);
    for name in ["entered", "fought", "scouted", "scouted_from"] {
        let areas = Value::List(vec!["goito".into(), "lonato".into()]);
        state.world.set_fact(name, areas);
    }
    let attacker = Value::from(if state.world.turn() % 2 == 0 {
        "french"
    } else {
        "austrian"
    });
    state.world.set_fact("attacker", attacker);
    matches!(state.waiting, CurrentWait::Orders { .. })
}

fn marks(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let map = &table.context.game().map;
    let on_map = |piece: &Piece| piece.at.as_ref().is_some_and(|at| map.space(at).is_some());
    for piece in state.world.pieces.values_mut() {
        if is_enemy(piece, reader) && on_map(piece) {
            let piece = std::sync::Arc::make_mut(piece);
            piece.attributes.insert("marched".into(), Value::Bool(true));
            piece.attributes.insert("rest".into(), Value::Int(2));
        }
    }
    true
}

/// Generic leaders who have not been needed, or whose commander is back: nobody knows which.
fn deputies(_: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let off = |piece: &Piece| piece.at.is_none() || piece.is_at("reserve");
    let deputies = state.world.pieces.values_mut();
    let mut changed = false;
    for piece in deputies {
        if is_enemy(piece, reader) && piece.kind == "leader" && off(piece) {
            let piece = std::sync::Arc::make_mut(piece);
            piece.at = piece.at.is_none().then(|| "reserve".into());
            changed = true;
        }
    }
    changed
}

/// Enemy units that a seat meets nowhere in a turn: they lie hidden where they lay, and nobody has
/// written of them.
pub fn bystanders(table: &Table, turn: &Turn, reader: &SeatId) -> Vec<PieceId> {
    let (start, end) = (&turn.waits[0], turn.end.as_ref().unwrap());
    let met = |id: &PieceId| {
        let known = &end.world.knowledge[reader].sightings;
        known
            .get(id)
            .is_some_and(|sighting| sighting.seen.turn >= start.world.turn())
    };
    let mut units = below_leaders(start, reader);
    if table.is_foggy() {
        units = fog::hidden_units(table, start, reader);
    }
    let stayed = |id: &PieceId| {
        let (before, after) = (&start.world.pieces[id], &end.world.pieces[id]);
        before.at == after.at && !met(id)
    };
    let written = |id: &PieceId| {
        turn.words
            .iter()
            .any(|(_, words)| words.contains(id.as_str()))
    };
    units.retain(|id| stayed(id) && !written(id));
    units
}

/// Changes what tests of cohesion would be about.
pub fn wear(state: &mut State, units: &[PieceId]) {
    for id in units {
        let hits = piece(state, id).int("hits");
        let attributes = &mut piece(state, id).attributes;
        attributes.insert("hits".into(), Value::Int(i64::from(hits == 0)));
        attributes.insert("cf".into(), Value::Int(3));
    }
}
