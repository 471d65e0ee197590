//! A campaign is held: by its umpire, or because orders are missing at a deadline.

use crate::{
    campaign::{
        model::work_error::WorkError,
        turn::{plan::SeatLetter, planning, value::Turn},
        words::moment,
    },
    dice::Note,
    ids::SeatId,
};

/// No wait ends until the campaign goes on.
pub(crate) fn hold(turn: &mut Turn<'_>, why: &str) -> Result<(), WorkError> {
    let context = turn.context;
    tell_if_over(turn);
    turn.state.on_hold = true;
    planning::note(turn, Note::new(&format!("the campaign is held: {why}"))?);
    let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
    tell(turn, &seats, "hold", why);
    Ok(())
}

/// While the campaign is held, no wait ends in the eyes of those who are asked nothing: whoever
/// sees this one over by now must go on seeing it so.
fn tell_if_over(turn: &mut Turn<'_>) {
    let context = turn.context;
    let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
    let over = turn
        .state
        .quiet()
        .is_some_and(|(_, known)| moment::is_over(context, known, &turn.state));
    if let Some(shown) = turn.state.shown.as_mut().filter(|_| over) {
        shown.aware.extend(seats);
    }
}

/// Tells seats what the umpire has decided or written.
pub(crate) fn tell(turn: &mut Turn<'_>, seats: &[SeatId], what: &'static str, words: &str) {
    for seat in seats {
        let words = words.to_owned();
        planning::send(turn, seat, SeatLetter::UmpiresWord { what, words });
    }
}
