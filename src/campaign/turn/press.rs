//! Letters between seats. They cost no token, count in no envelope, and touch nobody whom they do
//! not go to. Where the game has couriers they ride: the sender is not told how long, nor that one
//! was taken or lost, which would tell where others stand.

use std::collections::BTreeMap;

use crate::{
    campaign::{
        model::{
            errands::{PressRide, PressTime, WaitingPress},
            rate::{PRESS, RateKind},
            recipient::Recipient,
            state::CurrentWait,
            work_error::WorkError,
        },
        turn::{
            plan::{ErrandOutcome, SeatLetter, UmpireLetter, WordFromSeat},
            planning,
            work::Work,
        },
    },
    ids::SeatId,
    rules::{Ride, Start},
};

/// Takes a seat's letter to others, and sends it or keeps it for the next dispatches.
pub(crate) fn write(
    work: &mut Work<'_>,
    from: &SeatId,
    to: &[Recipient],
    (grey, words): (bool, &str),
) -> Result<ErrandOutcome, WorkError> {
    match may_write(work, from, to, grey) {
        ErrandOutcome::Done => {}
        no => return Ok(no),
    }
    let rules = work.context.settings.press;
    let seats: Vec<SeatId> = to.iter().filter_map(Recipient::seat).cloned().collect();
    if to.contains(&Recipient::Umpire) {
        let told = tell_umpire(work, from, "writes", words);
        if told != ErrandOutcome::Done {
            return Ok(told);
        }
    }
    let press = WaitingPress {
        from: from.clone(),
        to: seats,
        grey,
        words: words.to_owned(),
        rides: BTreeMap::new(),
    };
    match (rules.goes, work.context.courier()) {
        _ if press.to.is_empty() => {}
        (_, Some(courier)) => ride(work, press, courier)?,
        (PressTime::WithDispatches, None) => work.state.press.push(press),
        (PressTime::Never | PressTime::AtOnce, None) => deliver(work, &press),
    }
    Ok(ErrandOutcome::Done)
}

/// Returns whether a seat may write to these now, and counts its letter.
fn may_write(work: &mut Work<'_>, from: &SeatId, to: &[Recipient], grey: bool) -> ErrandOutcome {
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
    ErrandOutcome::Done
}

/// Sends a letter off with couriers, one to each reader. Those that will be lost do not set out.
fn ride(work: &mut Work<'_>, mut press: WaitingPress, courier: &str) -> Result<(), WorkError> {
    for to in press.to.clone() {
        let start = Start {
            phase: &work.state.phase,
            world: &work.state.world,
            options: &work.context.settings.options,
            decisions: &work.state.decisions,
        };
        let found = work
            .context
            .program
            .ride(&start, (&press.from, &to), courier);
        let found = match found {
            Err(error) if error.of_machine => return Err(error.into()),
            // The letter comes with the next dispatches, and the umpire hears of the script.
            Err(error) => {
                let fault = (press.from.clone(), error.to_string());
                planning::notice(work, UmpireLetter::ChecksFailed(vec![fault]));
                let taken = None;
                Some(Ride { turns: 0, taken })
            }
            Ok(found) => found,
        };
        if let Some(Ride { turns, taken }) = found {
            let arrives = work.state.world.turn().saturating_add(turns);
            let taken = taken.filter(|taken| *taken != press.from && *taken != to);
            press.rides.insert(to, PressRide { arrives, taken });
        }
    }
    if !press.rides.is_empty() {
        work.state.press.push(press);
    }
    Ok(())
}

/// Writes to the umpire for a seat.
pub(crate) fn tell_umpire(
    work: &mut Work<'_>,
    seat: &SeatId,
    what: &'static str,
    words: &str,
) -> ErrandOutcome {
    if !work.context.settings.has_umpire() {
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

/// Sends the letters that have waited for the dispatches, and those whose rides are over.
pub(crate) fn deliver_waiting(work: &mut Work<'_>) {
    let turn = work.state.world.turn();
    for mut press in std::mem::take(&mut work.state.press) {
        if press.rides.is_empty() {
            deliver(work, &press);
            continue;
        }
        let (over, under_way) = std::mem::take(&mut press.rides)
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(_, ride)| ride.arrives <= turn);
        for (seat, ride) in over {
            let is_taken = ride.taken.is_some();
            send(work, &press, &ride.taken.unwrap_or(seat), is_taken);
        }
        press.rides = under_way;
        if !press.rides.is_empty() && work.state.world.ended.is_none() {
            work.state.press.push(press);
        }
    }
}

fn deliver(work: &mut Work<'_>, press: &WaitingPress) {
    for seat in &press.to {
        send(work, press, seat, false);
    }
}

/// Sends a letter to a reader: one of those whom it is for, or the seat that has taken it.
fn send(work: &mut Work<'_>, press: &WaitingPress, reader: &SeatId, taken: bool) {
    let letter = SeatLetter::Press {
        from: (!press.grey).then(|| press.from.clone()),
        to: press.to.clone(),
        words: press.words.clone(),
        taken,
    };
    planning::send(work, reader, letter);
}
