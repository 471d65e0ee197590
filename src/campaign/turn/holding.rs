//! Putting a campaign on hold: by its umpire, or because orders are missing at a deadline.

use crate::{
    campaign::{
        model::work_error::WorkError,
        turn::{plan::SeatLetter, planning, value::Turn},
        words::moment,
    },
    dice::Note,
    ids::SeatId,
};

/// Puts the campaign on hold: no wait ends until it goes on.
pub(crate) fn hold(turn: &mut Turn<'_>, why: &str) -> Result<(), WorkError> {
    let context = turn.context;
    tell_if_over(turn);
    turn.state.on_hold = true;
    planning::note(turn, Note::new(&format!("the campaign is held: {why}"))?);
    let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
    tell(turn, &seats, "hold", why);
    Ok(())
}

/// Notes that all seats see the present wait as over, if they do. While the campaign is on hold no
/// wait ends for those who are asked nothing, but whoever has seen one end must not see it open
/// again.
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
