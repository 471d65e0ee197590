//! Letters between seats. They cost no token, count in no envelope, and touch nobody whom they do
//! not go to.

use crate::{
    campaign::{
        model::{
            errands::{PressTime, WaitingPress},
            rate::{PRESS, RateKind},
            recipient::Recipient,
            state::CurrentWait,
        },
        turn::{
            plan::{ErrandOutcome, SeatLetter, UmpireLetter, WordFromSeat},
            planning,
            work::Work,
        },
    },
    ids::SeatId,
};

/// Takes a seat's letter to others, and sends it or keeps it for the next dispatches.
pub(crate) fn write(
    work: &mut Work<'_>,
    from: &SeatId,
    to: &[Recipient],
    (grey, words): (bool, &str),
) -> ErrandOutcome {
    let rules = work.context.settings.press;
    let seats: Vec<SeatId> = to.iter().filter_map(Recipient::seat).cloned().collect();
    if !seats.is_empty() {
        match (rules.goes, &work.state.waiting) {
            (PressTime::Never, _) => return ErrandOutcome::NotDone("press_off"),
            (_, CurrentWait::Nothing) => return ErrandOutcome::NotDone("over"),
            _ if grey && !rules.grey => return ErrandOutcome::NotDone("press_not_grey"),
            _ => {}
        }
        // Messages that wait for the next dispatches are in the state, so they count against the
        // limit of an hour.
        let waiting = work.state.press.iter().filter(|press| press.from == *from);
        if waiting.count() >= PRESS as usize {
            return ErrandOutcome::NotDone("too_often");
        }
        for _ in &seats {
            if work.state.count(RateKind::Press(from)) > PRESS {
                return ErrandOutcome::NotDone("too_often");
            }
        }
    }
    if to.contains(&Recipient::Umpire) {
        let told = tell_umpire(work, from, "writes", words);
        if told != ErrandOutcome::Done {
            return told;
        }
    }
    let press = WaitingPress {
        from: from.clone(),
        to: seats,
        grey,
        words: words.to_owned(),
    };
    match rules.goes {
        _ if press.to.is_empty() => {}
        PressTime::WithDispatches => work.state.press.push(press),
        PressTime::Never | PressTime::AtOnce => deliver(work, &press),
    }
    ErrandOutcome::Done
}

/// Writes to the umpire for a seat.
pub(crate) fn tell_umpire(
    work: &mut Work<'_>,
    seat: &SeatId,
    what: &'static str,
    words: &str,
) -> ErrandOutcome {
    if work.context.settings.umpire.is_none() {
        return ErrandOutcome::NotDone("no_umpire");
    }
    // Counted for the seat alone: what others write to the umpire must not show in its answer.
    if work.state.count(RateKind::Press(seat)) > PRESS {
        return ErrandOutcome::NotDone("too_often");
    }
    let word = WordFromSeat {
        seat: seat.clone(),
        what,
        words: words.to_owned(),
    };
    planning::send_to_umpire(work, UmpireLetter::FromSeat(word));
    ErrandOutcome::Done
}

/// Sends the letters that have waited for the dispatches.
pub(crate) fn deliver_waiting(work: &mut Work<'_>) {
    for press in std::mem::take(&mut work.state.press) {
        deliver(work, &press);
    }
}

fn deliver(work: &mut Work<'_>, press: &WaitingPress) {
    for seat in &press.to {
        let letter = SeatLetter::Press {
            from: (!press.grey).then(|| press.from.clone()),
            to: press.to.clone(),
            words: press.words.clone(),
        };
        planning::send(work, seat, letter);
    }
}
