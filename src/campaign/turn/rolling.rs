//! The dice of a sealed envelope wait for the values of their sources: everybody is told of them,
//! and when the last is there, the phases run.

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

/// After the seal: the dice are ready, or they wait and everybody is told for what.
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

/// When nothing is missing any more, the mix is made and the phases run, if the campaign has not
/// stopped.
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

/// Notes what a source has said.
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

/// The witnesses' time is over: those who said nothing have refused, for all to see. A beacon is
/// waited for longer.
pub(crate) fn witnesses_are_late(turn: &mut Turn<'_>) -> Result<(), WorkError> {
    if let CurrentWait::Dice { witnesses, .. } = &turn.state.waiting {
        for name in witnesses.clone() {
            say(turn, &SourceValue::Witness { name, token: None });
        }
    }
    roll_if_complete(turn)
}
