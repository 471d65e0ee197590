//! The wait for the values that a sealed envelope's dice need: everybody is told, and when the last
//! value is there the phases run.

use crate::{
    campaign::{
        model::{
            context::Context,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{
            phases,
            plan::{Circular, Plan, SeatLetter, WitnessLetter},
            planning,
            value::Turn,
        },
    },
    dice::{BoundText, Digest, Mix, SourceValue},
    ids::SeatId,
};
use jiff::SignedDuration;

/// Goes on after the seal: with the dice if they are ready; else they wait, and everybody is told
/// for what.
pub(crate) fn await_values(turn: &mut Turn<'_>) -> Result<(), WorkError> {
    let context = turn.context;
    let witnesses: Vec<SeatId> = context
        .settings
        .witnesses()
        .map(|w| w.name.clone())
        .collect();
    let hours = context
        .settings
        .witnesses()
        .map(|witness| witness.hours)
        .max();
    let deadline = hours.and_then(|hours| {
        let patience = SignedDuration::from_hours(hours.into());
        turn.state.time.checked_add(patience).ok()
    });
    let round = context.round_for(turn.state.time);
    if round.is_some() || !witnesses.is_empty() {
        turn.state.waiting = CurrentWait::Dice {
            round,
            witnesses,
            deadline,
        };
        turn.state.tell_of_the_seal();
        send_seal(turn);
    }
    roll_if_complete(turn)
}

/// The blinded digests of the sealed orders, in the order of the seats.
pub(crate) fn order_digests(
    context: &Context,
    state: &State,
) -> Result<Vec<(SeatId, Digest)>, WorkError> {
    let texts = &state.dice.orders;
    let digest = |(seat, words): (&SeatId, &String)| {
        let what = BoundText::Orders(seat.clone());
        let envelope = state.dice.envelope;
        let digest = context.chains(envelope).digest(envelope, &what, words)?;
        Ok((seat.clone(), digest))
    };
    context
        .settings
        .seats
        .ids()
        .filter_map(|seat| texts.get_key_value(seat))
        .map(digest)
        .collect()
}

/// Tells every seat that orders are closed, with the seal that binds them, and asks the witnesses
/// for their tokens.
fn send_seal(turn: &mut Turn<'_>) {
    let (context, state) = (turn.context, turn.now());
    let seats = context.settings.seats.ids();
    let seats = seats.filter_map(|seat| planning::to_seat(turn, seat, &state, SeatLetter::Seal));
    let mut letters: Vec<_> = seats.collect();
    for witness in context.settings.witnesses() {
        let letter = planning::to_witness(turn, &witness.name, &state, WitnessLetter::Seal);
        letters.extend(letter);
    }
    turn.plans.push(Plan::Circular(Circular::of(letters)));
}

/// Makes the mix and runs the phases, if no value is missing and the campaign has not stopped.
pub(crate) fn roll_if_complete(turn: &mut Turn<'_>) -> Result<(), WorkError> {
    let context = turn.context;
    if let CurrentWait::Dice {
        round, witnesses, ..
    } = turn.state.missing()
        && (round.is_some() || !witnesses.is_empty())
    {
        return Ok(());
    }
    let orders = order_digests(context, &turn.state)?;
    let mix = Mix::new(
        &context.name,
        turn.state.dice.envelope,
        &context.sources,
        &turn.state.dice.values,
        &orders,
    )?;
    mix.as_str().clone_into(&mut turn.state.dice.mix);
    match turn.state.stopped() {
        Some(_) => Ok(()),
        None => {
            turn.state.dispatch_at = context.settings.schedule.dispatch_at(turn.state.time);
            phases::run_on(turn)
        }
    }
}

/// Notes the value of a source.
pub(crate) fn say(turn: &mut Turn<'_>, value: &SourceValue) {
    turn.state.dice.values.push(value.clone());
    if let CurrentWait::Dice {
        round, witnesses, ..
    } = turn.state.missing_mut()
    {
        match value {
            SourceValue::Drand { .. } => *round = None,
            SourceValue::Witness { name, .. } => witnesses.retain(|silent| silent != name),
        }
    }
}

/// Ends the witnesses' time: those who said nothing have refused, for all to see. The wait for a
/// beacon goes on.
pub(crate) fn witnesses_are_late(turn: &mut Turn<'_>) -> Result<(), WorkError> {
    if let CurrentWait::Dice { witnesses, .. } = &turn.state.waiting {
        for name in witnesses.clone() {
            say(turn, &SourceValue::Witness { name, token: None });
        }
    }
    roll_if_complete(turn)
}
