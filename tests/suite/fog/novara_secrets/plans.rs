//! What the enemy wants: plans, the cup, standing orders.

use std::sync::Arc;

use estafette::{
    campaign::{self, model::state::State, words::moment::Moment},
    ids::SeatId,
    orders::Order,
    value::Value,
};

use super::letter;
use crate::fog::table::Table;

pub fn facts(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
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
        ..campaign::moment(&table.context, state, &enemy)
    };
    let understood = campaign::understand(&table.context, &moment, &enemy, &words).unwrap();
    let mut said: Vec<Order> = understood.reading.orders().cloned().collect();
    assert_eq!(said.len(), lines.len(), "{words}");
    if state.decisions.standing.get(&enemy) == Some(&said) {
        said.pop();
    }
    Arc::make_mut(&mut state.decisions)
        .standing
        .insert(enemy, said);
    true
}

pub fn idle_standing(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let enemy = table.other(reader);
    let before = state.decisions.standing.get(&enemy);
    let works = |order: &&Order| {
        ["fire_policy", "losses", "priority", "enter_standing"].contains(&order.verb.as_str())
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
        "ADVANCE ALL NEVER",
        "TERRAIN 3724",
        "RECOVER ALL",
    ];
    say(table, state, reader, &lines);
    let standing = Arc::make_mut(&mut state.decisions)
        .standing
        .get_mut(&enemy)
        .unwrap();
    standing.extend(kept);
    true
}

pub fn standing(table: &Table, state: &mut State, reader: &SeatId, _: u64) -> bool {
    let own = match letter(&table.other(reader)) {
        'A' => "PRIORITY A4 A2",
        _ => "ENTER ALWAYS S5 TURN 9",
    };
    say(
        table,
        state,
        reader,
        &[
            "BOMBARD ALL BEST",
            own,
            "BREAK ALL NEVER",
            "LOSSES ALL ORDER ARTILLERY CAVALRY",
        ],
    )
}
