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
            planning, publishing,
            work::Work,
        },
    },
    dice::{BoundText, Digest, Mix, SourceValue},
    ids::SeatId,
};
use jiff::SignedDuration;

/// Goes on after the seal: with the dice if they are ready; else they wait, and everybody is told
/// for what.
pub(crate) fn await_values(work: &mut Work<'_>) -> Result<(), WorkError> {
    let context = work.context;
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
        work.state.time.checked_add(patience).ok()
    });
    let round = context.round_for(work.state.time);
    if context.mix.is_none() && (round.is_some() || !witnesses.is_empty()) {
        work.state.waiting = CurrentWait::Dice {
            round,
            witnesses,
            deadline,
        };
        work.state.tell_of_the_seal();
        send_seal(work);
    }
    roll_if_complete(work)
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
/// for their tokens. Nobody whose orders were asked for is passed over.
fn send_seal(work: &mut Work<'_>) {
    let (context, state) = (work.context, work.now());
    let passed_over = publishing::passed_over(context, &state, |seat| match &state.shown {
        Some(shown) => {
            let mut questions = shown.questions.iter();
            shown.takes_orders_of(seat) || questions.any(|asked| asked.seat == *seat)
        }
        None => true,
    });
    let seats = context.settings.seats.ids();
    let seats = seats.filter(|seat| !passed_over.contains(seat));
    let seats = seats.filter_map(|seat| planning::to_seat(work, seat, &state, SeatLetter::Seal));
    let mut letters: Vec<_> = seats.collect();
    for witness in context.settings.witnesses() {
        let letter = planning::to_witness(work, &witness.name, &state, WitnessLetter::Seal);
        letters.extend(letter);
    }
    work.plans.push(Plan::Circular(Circular {
        passed_over,
        ..Circular::of(letters)
    }));
}

/// Makes the mix and runs the phases, if no value is missing and the campaign has not stopped.
pub(crate) fn roll_if_complete(work: &mut Work<'_>) -> Result<(), WorkError> {
    let context = work.context;
    if let CurrentWait::Dice {
        round, witnesses, ..
    } = work.state.missing()
        && context.mix.is_none()
        && (round.is_some() || !witnesses.is_empty())
    {
        return Ok(());
    }
    work.state.dice.mix = Some(mix(context, &work.state)?);
    match work.state.stopped() {
        Some(_) => Ok(()),
        None => {
            work.state.dispatch_at = context.settings.schedule.dispatch_at(work.state.time);
            phases::run_on(work)
        }
    }
}

/// The mix of the sealed envelope.
fn mix(context: &Context, state: &State) -> Result<Mix, WorkError> {
    if let Some(mix) = &context.mix {
        return Ok(mix.clone());
    }
    let orders = order_digests(context, state)?;
    let (sources, values) = (&context.sources, &state.dice.values);
    Ok(Mix::new(
        &context.name,
        state.dice.envelope,
        sources,
        values,
        &orders,
    )?)
}

/// Notes the value of a source.
pub(crate) fn say(work: &mut Work<'_>, value: &SourceValue) {
    work.state.dice.values.push(value.clone());
    if let CurrentWait::Dice {
        round, witnesses, ..
    } = work.state.missing_mut()
    {
        match value {
            SourceValue::Drand { .. } => *round = None,
            SourceValue::Witness { name, .. } => witnesses.retain(|silent| silent != name),
        }
    }
}

/// Ends the witnesses' time: those who said nothing have refused, for all to see. The wait for a
/// beacon goes on.
pub(crate) fn witnesses_are_late(work: &mut Work<'_>) -> Result<(), WorkError> {
    if let CurrentWait::Dice { witnesses, .. } = &work.state.waiting {
        for name in witnesses.clone() {
            say(work, &SourceValue::Witness { name, token: None });
        }
    }
    roll_if_complete(work)
}
