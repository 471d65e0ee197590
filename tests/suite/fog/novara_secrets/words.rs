//! What players of the second game write: by its own bots, with dummies, masks, pauses and
//! questions, and to pry.

use std::{collections::BTreeMap, sync::Arc};

use estafette::{
    campaign::model::state::State,
    ids::{PlaceId, SeatId},
    value::Value,
    world::Piece,
};

use super::{hexes_of_others, letter, on_map};
use crate::fog::table::{Random, Table, Turn};

/// Lines that fit any turn: standing orders that work on what happens.
const ALWAYS: &[&str] = &[
    "BREAK ALL ALWAYS",
    "BREAK CAVALRY NEVER",
    "RETREAT ALL PREFER",
    "RETREAT ALL NEVER",
    "LOSSES ALL ORDER CAVALRY ARTILLERY",
    "BOMBARD ALL BEST",
    "ADVANCE ALL ALWAYS",
    "SURPRISE",
];

/// What a seat writes: what a bot with plain good sense or one that tries everything would, with
/// dummies on its stacks, a pause and masks for units.
pub fn words(table: &Table, state: &State, seat: &SeatId, random: &mut Random) -> String {
    let luck = random.below(1 << 30).to_string();
    let setting_up = state.phase.starts_with("deploy");
    let bot = match random.below(3) {
        0 => "random",
        _ if setting_up => "random",
        _ => "sensible",
    };
    let own = own_units(state, seat, table);
    let mut lines = Vec::new();
    if setting_up {
        for mask in ["A", "B", "C"] {
            if let Some(unit) = random.pick(&own) {
                let at = unit.at.as_ref().unwrap();
                lines.push(format!("MASK {mask} HOLDS {} AT {at}", unit.id));
            }
        }
    } else {
        lines.push("ASK BREAK, RETREAT, TERRAIN, LOSSES, ADVANCE, RECOVER".to_owned());
        lines.push(random.pick(ALWAYS).unwrap().to_string());
        for _ in 0..4 {
            if let Some(unit) = random.pick(&own) {
                let count = 1 + random.below(2);
                lines.push(format!("DUMMY {count} ON {}", unit.at.as_ref().unwrap()));
            }
        }
        let formation = random.pick(&own).and_then(|unit| unit.formation.clone());
        if let Some(formation) = formation.filter(|formation| formation.starts_with(letter(seat))) {
            lines.push(format!("PAUSE BEFORE {formation}"));
        }
    }
    for line in table.bot_words(bot, state, seat, &luck) {
        let formation = line.strip_prefix("FORMATION ").map(str::to_owned);
        lines.push(line);
        if let Some(formation) = formation {
            lines.extend(strikes(table, state, seat, &formation, random));
        }
    }
    table.in_language(state, seat, &lines).join("\n") + "\n"
}

/// Attacks and charges for a block, by some of its stacks that stand next to an enemy: bots dare
/// them seldom.
fn strikes(
    table: &Table,
    state: &State,
    seat: &SeatId,
    formation: &str,
    random: &mut Random,
) -> Vec<String> {
    let enemies = hexes_of_others(table, state, seat);
    let mut stacks: BTreeMap<&PlaceId, Vec<&Arc<Piece>>> = BTreeMap::new();
    for unit in own_units(state, seat, table) {
        let of = unit.formation.as_ref();
        if of.is_some_and(|of| formation.split(' ').next() == Some(of.as_str())) {
            stacks
                .entry(unit.at.as_ref().unwrap())
                .or_default()
                .push(unit);
        }
    }
    let mut lines = Vec::new();
    for (here, stack) in stacks {
        let mut near = neighbours(table, here);
        near.retain(|hex| enemies.iter().any(|enemy| enemy == hex));
        let Some(target) = random.pick(&near) else {
            continue;
        };
        let names = |units: &[&Arc<Piece>]| {
            let names = units.iter().map(|unit| unit.id.as_str());
            names.collect::<Vec<_>>().join(" ")
        };
        let (riders, others): (Vec<_>, Vec<_>) =
            stack.into_iter().partition(|unit| unit.kind == "cavalry");
        if !riders.is_empty() {
            lines.push(format!("CHARGE {target} WITH {}", names(&riders)));
        }
        if !others.is_empty() && random.below(2) == 0 {
            lines.push(format!("ATTACK {} WITH {}", near.join(" "), names(&others)));
        }
    }
    lines
}

/// The labels of the hexes next to one.
fn neighbours(table: &Table, hex: &PlaceId) -> Vec<String> {
    let map = &table.context.game().map;
    let near = map.neighbours(map.number(hex).unwrap()).iter();
    near.map(|number| map.space_at(*number).unwrap().id.to_string())
        .collect()
}

pub fn own_units<'a>(state: &'a State, seat: &SeatId, table: &Table) -> Vec<&'a Arc<Piece>> {
    let pieces = state.world.pieces.values();
    let own = pieces.filter(|piece| piece.side.as_str() == seat.as_str());
    // A seized pontoon does not do what its side writes.
    let obeys = |piece: &Piece| *piece.get("captor") == Value::from("");
    own.filter(|piece| on_map(table, piece) && super::is_unit(piece) && obeys(piece))
        .collect()
}

/// Random turns from the beginning, after the set-up, which goes before them as a turn of its own
/// if there is one.
pub fn random_turns(table: &Table, seed: u64, turns: usize) -> Vec<Turn> {
    let mut random = Random(seed);
    let mut state = table.begin();
    let mut played = Vec::new();
    while played.iter().filter(|turn| is_played(turn)).count() < turns
        && state.world.ended.is_none()
    {
        let number = state.world.turn();
        let mut turn = table.play_turn(state, &mut |state, seat| {
            words(table, state, seat, &mut random)
        });
        turn.name = format!("{}, seed {seed}, turn {number}", table.label());
        turn.seed = seed + played.len() as u64;
        state = turn.end.clone().unwrap();
        played.push(turn);
    }
    played
}

/// The last of them.
pub fn random_turn(table: &Table, seed: u64, turns: usize) -> Turn {
    random_turns(table, seed, turns).pop().unwrap()
}

/// The first so many of these turns, and the set-up.
pub fn first(all: &[Turn], turns: usize) -> &[Turn] {
    let counts = all.iter().scan(0, |count, turn| {
        *count += usize::from(is_played(turn));
        Some(*count)
    });
    &all[..counts.take_while(|count| *count <= turns).count()]
}

/// Returns true unless it is the set-up.
fn is_played(turn: &Turn) -> bool {
    turn.waits.iter().any(|state| state.world.turn() > 0)
}

/// The hexes of a list that are nearest to a unit of one's own, each with it, the nearest first.
fn nearest<'a>(
    table: &Table,
    own: &[&'a Arc<Piece>],
    hexes: &'a [String],
) -> Vec<(&'a str, &'a Arc<Piece>)> {
    let grid = table.context.game().map.hexes().unwrap().grid();
    let number = |label: &str| grid.number(label).unwrap();
    let far = |hex: &str, unit: &Piece| {
        let here = unit.at.as_ref().unwrap();
        grid.distance(number(hex), number(here))
    };
    let mut pairs: Vec<_> = hexes
        .iter()
        .filter_map(|hex| Some((hex.as_str(), *own.iter().min_by_key(|unit| far(hex, unit))?)))
        .collect();
    pairs.sort_by_key(|(hex, unit)| far(hex, unit));
    pairs
}

/// Orders that try to find something out: attacks, fire, marches and conditions on hexes where the
/// enemy is known to be, the enemy's pieces by name, more than there are points for.
pub fn prying(table: &Table, state: &State, seat: &SeatId) -> Vec<String> {
    let own = own_units(state, seat, table);
    let goals = hexes_of_others(table, state, seat);
    let (Some(unit), Some(goal)) = (own.first(), goals.first()) else {
        return vec!["CUP NONE\nMASK A TO 3724\nREVEAL A\nDUMMY 1 ON 3724\n".to_owned()];
    };
    let names = own.iter().take(4).map(|unit| unit.id.as_str());
    let names = names.collect::<Vec<_>>().join(" ");
    let formation = own.iter().find_map(|unit| unit.formation.as_ref());
    let formation = formation.map_or("", |formation| formation.as_str());
    let far = goals.iter().step_by(goals.len().div_ceil(3));
    let far = far.map(String::as_str).zip(own.iter().rev().copied());
    let near = nearest(table, &own, &goals).into_iter().take(4);
    let mut block = vec![format!("FORMATION {formation}"), "JOIN ALL".to_owned()];
    let mut guarded = vec![format!("FORMATION {formation} FORCED AT {goal}")];
    for (hex, unit) in near.chain(far) {
        block.push(format!("MOVE {} TO {hex}", unit.id));
        block.push(format!("CHARGE {hex} WITH {}", unit.id));
        block.push(format!("BOMBARD {hex} WITH {names}"));
        block.push(format!("ATTACK {hex} WITH {names} ODDS 1:3"));
        let here = unit.at.as_ref().unwrap();
        for condition in [
            format!("ODDS {hex} WITH {names} >= 1:3"),
            format!("ENEMY SHAKEN {hex}"),
            format!("ENEMY WITHIN 2 OF {here}"),
        ] {
            guarded.push(format!(
                "IF {condition} THEN MOVE {} STOP BEFORE CONTACT TO {hex} END",
                unit.id
            ));
        }
    }
    let enemies = table.context.game().forces.pieces.iter();
    let enemies = enemies.filter(|piece| piece.side.as_str() != seat.as_str());
    let enemies: Vec<String> = enemies
        .step_by(7)
        .flat_map(|piece| {
            [
                format!("HOLD {}", piece.id),
                format!("IF SHAKEN {} THEN HOLD ALL END", piece.id),
            ]
        })
        .collect();
    let choice = vec![
        format!("CUP {formation}"),
        format!("SUPREME {formation} AT {goal}"),
        format!("DUMMY 2 ON {goal}"),
        format!("DUMMY 2 ON {}", unit.at.as_ref().unwrap()),
        format!("PLACE {} AT {goal}", unit.id),
        format!("MASK A HOLDS {} AT {goal}", unit.id),
        "REVEAL A B".to_owned(),
        "ENTER S5".to_owned(),
        format!("GENERAL RETREAT {formation}"),
        format!("MOVE ALL TO {goal}"),
    ];
    let all = [
        choice,
        block,
        guarded,
        [vec!["FORMATION A1".to_owned()], enemies].concat(),
    ];
    all.iter()
        .map(|lines| table.in_language(state, seat, lines).join("\n") + "\n")
        .collect()
}
