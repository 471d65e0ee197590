//! Refused mails, and who is told of them.

use crate::{
    campaign::{
        model::{
            events::{Reason, RefusedMail},
            rate::IDLE_MAILS,
        },
        turn::{
            plan::{SeatLetter, UmpireLetter, WitnessLetter},
            planning,
            value::Turn,
        },
    },
    ids::SeatId,
};

/// Answers a refused mail, if it gets an answer.
pub(crate) fn refuse(turn: &mut Turn<'_>, refused: &RefusedMail) {
    if turn.state.is_idle(refused, turn.state.time) {
        turn.state.count(IDLE_MAILS, "");
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
        turn.state.hold(refused);
        planning::notice(turn, UmpireLetter::Held(refused.clone()));
    }
    if !turn.state.may_refuse(&seat, refused) {
        return;
    }
    let refused = refused.clone();
    let witness = seat.strip_prefix("w-").map(SeatId::from);
    match witness.filter(|name| turn.context.witness(name).is_some()) {
        Some(name) => planning::send_to_witness(turn, &name, WitnessLetter::Refusal(refused)),
        None => planning::send(turn, &seat, SeatLetter::Refusal(refused)),
    }
}
