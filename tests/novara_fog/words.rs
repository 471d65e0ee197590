//! What players of the second game write: by its own bots, with dummies, masks, pauses and questions, and to pry.

use std::sync::Arc;

use estafette::{campaign::State, ids::SeatId, world::Piece};

use super::{hexes_of_others, letter, on_map};
use crate::table::{Random, Table, Turn};

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

/// What a seat writes: what a bot with plain good sense or one that tries everything would, with dummies on its stacks, a pause and
/// masks for units.
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
    let mut lines = table.in_language(state, seat, &lines);
    lines.extend(table.bot_words(bot, state, seat, &luck));
    lines.push(String::new());
    lines.join("\n")
}

fn own_units<'a>(state: &'a State, seat: &SeatId, table: &Table) -> Vec<&'a Arc<Piece>> {
    let pieces = state.world.pieces.values();
    let own = pieces.filter(|piece| piece.side.as_str() == seat.as_str());
    own.filter(|piece| on_map(table, piece) && super::is_unit(piece))
        .collect()
}

/// Random turns from the beginning, after the set-up, which goes before them as a turn of its own if there is one.
pub fn random_turns(table: &Table, seed: u64, turns: i64) -> Vec<Turn> {
    let mut random = Random(seed);
    let mut state = table.begin();
    let mut played = Vec::new();
    let mut left = turns;
    while left > 0 && state.world.ended.is_none() {
        let number = state.world.turn();
        left -= number.min(1);
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
pub fn random_turn(table: &Table, seed: u64, turns: i64) -> Turn {
    random_turns(table, seed, turns).pop().unwrap()
}

/// Orders that try to find something out: attacks, fire, marches and conditions on hexes where the enemy is known to be, the enemy's
/// pieces by name, more than there are points for.
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
    let near = goals.iter().step_by(goals.len().div_ceil(5));
    let near: Vec<&str> = near.map(String::as_str).collect();
    let mut block = vec![format!("FORMATION {formation}"), "JOIN ALL".to_owned()];
    let mut guarded = vec![format!("FORMATION {formation} FORCED AT {goal}")];
    for (hex, unit) in near.iter().zip(own.iter().rev()) {
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
    let enemies = table.engine.game().forces.pieces.iter();
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
