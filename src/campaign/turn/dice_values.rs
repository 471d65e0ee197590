//! Taking a value that the dice wait for.

use crate::{
    campaign::{
        model::{
            events::{DiceValue, Reason},
            missing_values::{MissingValues, check_value, wanted},
            work_error::WorkError,
        },
        turn::{
            plan::{SeatLetter, WitnessLetter},
            planning, rolling, taking,
            value::Turn,
        },
    },
    ids::SeatId,
};

/// Takes a value, after checking it again: a journal written by hand must not bring in a false one.
pub(crate) fn bring(turn: &mut Turn<'_>, brought: &DiceValue) -> Result<(), WorkError> {
    let context = turn.context;
    if let Some(mail) = &brought.mail {
        turn.state.taken.insert(mail.digest);
    }
    let value = brought.value.clone();
    if let Err(reason) = check_value(context, &turn.state, &value, turn.state.time) {
        return Err(WorkError::Value {
            value: brought.value.to_string(),
            why: fault(reason),
        });
    }
    if let Some(orders) = &brought.orders {
        taking::take(turn, orders)?;
    }
    rolling::say(turn, &value);
    if let (Some(mail), Some(wanted)) = (&brought.mail, wanted(context, &turn.state))
        && !wanted.is_nothing()
    {
        send_wanted(turn, &mail.who, wanted);
    }
    rolling::roll_if_complete(turn)
}

/// What is wrong with a value, in words.
fn fault(reason: Reason) -> &'static str {
    match reason {
        Reason::ValueEarly => "it is of an earlier round or envelope",
        Reason::ValueLate => "it is of a later round or envelope",
        Reason::ValueTooSoon => "the moment of its round had not come",
        Reason::ValueWrong => "it is not genuine",
        _ => "nobody had asked for it",
    }
}

/// Tells a seat or a witness that the value was taken, and what the dice still wait for.
fn send_wanted(turn: &mut Turn<'_>, who: &SeatId, wanted: MissingValues) {
    let witness = who.strip_prefix("w-").map(SeatId::from);
    match witness.filter(|name| turn.context.witness(name).is_some()) {
        Some(name) => planning::send_to_witness(turn, &name, WitnessLetter::ValueTaken(wanted)),
        None => planning::send(turn, who, SeatLetter::ValueTaken(wanted)),
    }
}
