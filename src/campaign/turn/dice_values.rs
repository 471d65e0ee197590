//! Taking a value that the dice wait for.

use crate::{
    campaign::{
        model::{
            events::{DiceValue, Reason},
            missing_values::{MissingValues, check_value, wanted},
            replies::witness_of,
            work_error::WorkError,
        },
        turn::{
            plan::{SeatLetter, WitnessLetter},
            planning, rolling, taking,
            work::Work,
        },
    },
    ids::SeatId,
};

/// Takes a value, after checking it again: a journal written by hand must not bring in a false one.
pub(crate) fn bring(work: &mut Work<'_>, brought: &DiceValue) -> Result<(), WorkError> {
    let context = work.context;
    if let Some(mail) = &brought.mail {
        work.state.taken.insert(mail.digest);
    }
    let value = brought.value.clone();
    if let Err(reason) = check_value(context, &work.state, &value, work.state.time) {
        return Err(WorkError::Value {
            value: brought.value.to_string(),
            why: fault(reason),
        });
    }
    if let Some(orders) = &brought.orders {
        taking::take(work, orders)?;
    }
    rolling::say(work, &value);
    if let (Some(mail), Some(wanted)) = (&brought.mail, wanted(context, &work.state))
        && !wanted.is_nothing()
    {
        send_wanted(work, &mail.who, wanted);
    }
    rolling::roll_if_complete(work)
}

/// A reason against a value, in words.
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
fn send_wanted(work: &mut Work<'_>, who: &SeatId, wanted: MissingValues) {
    match witness_of(work.context, who) {
        Some(witness) => {
            planning::send_to_witness(work, &witness.name, WitnessLetter::ValueTaken(wanted))
        }
        None => planning::send(work, who, SeatLetter::ValueTaken(wanted)),
    }
}
