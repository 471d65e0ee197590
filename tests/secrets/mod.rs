//! What a seat can't know, changed in the true state.

use estafette::{
    campaign::{State, Waiting},
    dice::LedgerLine,
    ids::{PieceId, SeatId},
    orders::Order,
    value::Value,
    world::Piece,
};

use crate::table::{Random, Table, standing_line};

/// A kind of secret.
pub struct Secret {
    /// What it is.
    pub name: &'static str,
    /// Whether it can't become visible in a turn in which nobody orders anything.
    pub stays_hidden: bool,
    /// Changes it; false if there is nothing of the kind in this state.
    pub change: fn(&Table, &mut State, &SeatId, u64) -> bool,
}

/// All kinds.
pub const SECRETS: &[Secret] = &[
    Secret {
        name: "hits of units not seen whole",
        stays_hidden: true,
        change: hits,
    },
    Secret {
        name: "supply and command of enemy units",
        stays_hidden: false,
        change: conditions,
    },
    Secret {
        name: "the umpire's attributes of all pieces",
        stays_hidden: true,
        change: umpire_attributes,
    },
    Secret {
        name: "units below two leaders exchanged",
        stays_hidden: false,
        change: exchange,
    },
    Secret {
        name: "strength of a unit below a leader",
        stays_hidden: false,
        change: strength,
    },
    Secret {
        name: "a unit below a leader is gone",
        stays_hidden: false,
        change: vanish,
    },
    Secret {
        name: "garrisons in the enemy's reserve",
        stays_hidden: true,
        change: reserve,
    },
    Secret {
        name: "the enemy's standing orders",
        stays_hidden: true,
        change: standing,
    },
    Secret {
        name: "what the enemy wants to be asked",
        stays_hidden: true,
        change: asks,
    },
    Secret {
        name: "orders that the enemy has sent",
        stays_hidden: false,
        change: words_in,
    },
    Secret {
        name: "what the enemy has heard and been asked",
        stays_hidden: true,
        change: heard,
    },
    Secret {
        name: "what the enemy has seen",
        stays_hidden: true,
        change: knowledge,
    },
    Secret {
        name: "the enemy's secret dice",
        stays_hidden: true,
        change: dice,
    },
    Secret {
        name: "the umpire's facts, failed attempts among them",
        stays_hidden: true,
        change: facts,
    },
    Secret {
        name: "letters that the enemy has had",
        stays_hidden: true,
        change: letters,
    },
];

fn is_enemy(piece: &Piece, reader: &SeatId) -> bool {
    piece.side.as_str() != reader.as_str()
}

/// Enemy units that lie below a leader of theirs, where nobody fights.
fn below_leaders(state: &State, reader: &SeatId) -> Vec<PieceId> {
    let world = &state.world;
    let stands = |piece: &&Piece, kind: &str| {
        (piece.kind == "leader") == (kind == "leader") && piece.kind != "garrison"
    };
    let units = world
        .pieces
        .values()
        .map(std::convert::AsRef::as_ref)
        .filter(|piece| is_enemy(piece, reader) && stands(piece, "unit"));
    let led = units.filter(|unit| {
        let Some(place) = &unit.at else { return false };
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
    let moment = table.engine.moment(state, &enemy);
    let understood = table.engine.understand(&moment, &enemy, &words).unwrap();
    let mut lines: Vec<Order> = understood.reading.orders().cloned().collect();
    if state.decisions.standing.get(&enemy) == Some(&lines) {
        lines.pop();
    }
    state.decisions.standing.insert(enemy, lines);
    true
}

fn asks(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = table.other(reader);
    let topics = table.engine.game().decl.orders.topics.keys().cloned();
    let asks = state.decisions.asks.entry(enemy).or_default();
    let before = asks.len();
    asks.extend(topics);
    asks.len() > before
}

fn words_in(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = state.seats.get_mut(&table.other(reader)).unwrap();
    enemy.words = "RETREAT NEVER\nMOVE ALL: Goito\n".to_owned();
    enemy.receipts += 3;
    true
}

fn heard(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let own = state.seats[reader].heard.clone();
    let turn = state.world.turn();
    let enemy = state.seats.get_mut(&table.other(reader)).unwrap();
    enemy.heard.extend(own);
    enemy.questions = (turn, enemy.questions.1 + 1);
    true
}

fn knowledge(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let knowledge = state.world.knowledge.get_mut(&table.other(reader)).unwrap();
    let before = knowledge.sightings.len();
    knowledge.sightings.clear();
    before > 0
}

fn dice(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let lane = table.other(reader).to_string();
    let secret: LedgerLine = format!(
        "roll {} {lane} t9/planted/nothing#1 1d6 = 5",
        state.dice.envelope
    )
    .parse()
    .unwrap();
    state.dice.rolled.push(secret.to_string());
    true
}

fn facts(_: &Table, state: &mut State, _: &SeatId, _: u64) -> bool {
    let tried = Value::List(vec![
        "destroy:goito-volta".into(),
        "repair:rezzato-lonato".into(),
    ]);
    state.world.facts.insert("bridges_tried".into(), tried);
    for name in ["entered", "fought"] {
        state.world.facts.insert(
            name.into(),
            Value::List(vec!["goito".into(), "lonato".into()]),
        );
    }
    matches!(state.waiting, Waiting::Orders { .. })
}

fn letters(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = table.other(reader);
    *state.mails.entry(enemy.to_string()).or_default() += 5;
    *state.mails.entry("umpire".to_owned()).or_default() += 1;
    let seat = state.seats.get_mut(&enemy).unwrap();
    seat.token += 2;
    seat.thread = None;
    true
}
