//! Refusals of mails, and who is told of them.

use crate::campaign::{
    model::{
        events::{Reason, RefusedMail},
        rate::RateKind,
        replies::witness_of,
    },
    turn::{
        plan::{SeatLetter, UmpireLetter, WitnessLetter},
        planning,
        work::Work,
    },
};

/// Answers a refused mail, if it gets an answer.
pub(crate) fn refuse(work: &mut Work<'_>, refused: &RefusedMail) {
    if work.state.is_idle(refused, work.state.time) {
        work.state.count(RateKind::Idle);
        return;
    }
    let Some(seat) = refused
        .seat
        .clone()
        .filter(|_| refused.reason.is_answered())
    else {
        return;
    };
    if refused.reason == Reason::Held {
        work.state.hold(refused);
        planning::notice(work, UmpireLetter::Held(refused.clone()));
    }
    if !work.state.may_refuse(&seat, refused) {
        return;
    }
    let refused = refused.clone();
    match witness_of(work.context, &seat) {
        Some(witness) => {
            planning::send_to_witness(work, &witness.name, WitnessLetter::Refusal(refused))
        }
        None => planning::send(work, &seat, SeatLetter::Refusal(refused)),
    }
}
