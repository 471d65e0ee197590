//! Putting a campaign on hold: by its umpire, or because orders are missing at a deadline.

use crate::{
    campaign::{
        model::work_error::WorkError,
        turn::{plan::SeatLetter, planning, work::Work},
        words::moment,
    },
    dice::Note,
    ids::SeatId,
};

/// Puts the campaign on hold by the umpire's word: no wait ends until it goes on.
pub(crate) fn hold(work: &mut Work<'_>, why: &str) -> Result<(), WorkError> {
    stop_the_clock(work, why, "hold")
}

/// Puts the campaign on hold because orders are missing at a deadline.
pub(crate) fn hold_for_orders(work: &mut Work<'_>, why: &str) -> Result<(), WorkError> {
    stop_the_clock(work, why, "missing")
}

/// Notes why, and sends each seat the letter of this kind.
fn stop_the_clock(work: &mut Work<'_>, why: &str, what: &'static str) -> Result<(), WorkError> {
    let context = work.context;
    tell_if_over(work);
    work.state.on_hold = true;
    planning::note(work, Note::new(&format!("the campaign is held: {why}"))?);
    let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
    tell(work, &seats, what, why);
    Ok(())
}

/// Notes that all seats see the present wait as over, if they do. While the campaign is on hold no
/// wait ends for those who are asked nothing, but a seat that has seen one end must not see it open
/// again.
fn tell_if_over(work: &mut Work<'_>) {
    let context = work.context;
    let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
    let over = work
        .state
        .quiet()
        .is_some_and(|(_, known)| moment::is_over(context, known, &work.state));
    if let Some(shown) = work.state.shown.as_mut().filter(|_| over) {
        shown.aware.extend(seats);
    }
}

/// Tells seats what the umpire has decided or written.
pub(crate) fn tell(work: &mut Work<'_>, seats: &[SeatId], what: &'static str, words: &str) {
    for seat in seats {
        let words = words.to_owned();
        planning::send(work, seat, SeatLetter::UmpiresWord { what, words });
    }
}
