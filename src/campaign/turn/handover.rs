//! Handing a seat over to another player, or its player to another address: what the seat knows is
//! sent again.

use std::rc::Rc;

use crate::{
    campaign::{
        model::{
            absence::Attendance,
            context::Context,
            players,
            replies::OLD_TOKENS,
            ruling_error::RulingError,
            seats::Seat,
            state::{CurrentWait, SeatState, State},
            stints::StintOrigin,
            work_error::WorkError,
        },
        turn::{
            leaving,
            plan::{AddressNews, AddressPlan, RepeatReason, SeatLetter},
            planning, running,
            work::Work,
        },
        words::knowledge::as_told,
    },
    dice::Note,
    ids::SeatId,
    rules::Outcome,
};

/// Puts a player into a seat for the umpire or the club. The note goes out with the next letter to
/// everybody; it names no address.
pub(crate) fn replace(
    work: &mut Work<'_>,
    new: &Seat,
    origin: StintOrigin,
    why: &str,
) -> Result<(), WorkError> {
    let context = work.context;
    let seat = &new.id;
    let note = Note::new(&format!("the player of {seat} is replaced: {why}"))?;
    planning::note(work, note);
    let old = players::player(context, &work.state, seat);
    let stays = old.is_some_and(|old| old.address == new.address);
    let is_named_alike = old.is_some_and(|old| !old.name.is_empty() && old.name == new.name);
    if !stays {
        let why = why.to_owned();
        farewell(work, seat, AddressNews::Replaced { why });
    }
    if !(stays || is_named_alike) {
        begin_stint(work, seat, origin);
        leaving::strike(work, seat, |verb| verb.personal);
    }
    hand_over(work, new.clone());
    planning::send(work, seat, SeatLetter::Opening);
    send_again(work, seat, RepeatReason::NewPlayer)
}

/// Ends the time of a seat's player, and begins that of the next.
fn begin_stint(work: &mut Work<'_>, seat: &SeatId, origin: StintOrigin) {
    if let Some(entry) = work.state.seats.get_mut(seat) {
        entry.former.push(entry.stint());
        entry.origin = origin;
        (entry.attendance.kept, entry.attendance.missed_ever) = (0, 0);
    }
}

/// Gives a seat to its new player: a new token, and a clean slate for the address. Orders that have
/// come for the seat stay, since they have been acknowledged.
pub(crate) fn hand_over(work: &mut Work<'_>, player: Seat) {
    let seat = player.id.clone();
    if let Some(entry) = work.state.seats.get_mut(&seat) {
        // Far enough that no token of a letter to the old address counts even as an old one.
        entry.token += OLD_TOKENS + 1;
        entry.receipt_tokens.clear();
        entry.failed.clear();
        entry.answered = false;
        entry.resigned = None;
        // The days by which its deadlines have moved count for the seat, whoever its player is.
        entry.attendance = Attendance {
            moved: entry.attendance.moved,
            kept: entry.attendance.kept,
            missed_ever: entry.attendance.missed_ever,
            ..Attendance::default()
        };
        // It was the other player's word.
        entry.said_ready = false;
        entry.thread = None;
    }
    work.state.came_back.remove(&seat);
    let since = work.state.mails.get(seat.as_str()).copied().unwrap_or(0);
    let contact = work.state.contacts.entry(seat).or_default();
    // The player has shown that the address is read, or the umpire vouches for it: it is no
    // stranger's any more.
    contact
        .codes
        .retain(|coded| player.address.mail() != Some(&coded.address));
    (contact.since, contact.asked) = (since, None);
    contact.player = Some(player);
}

/// Plans the last letter to the address that a seat has had until now.
pub(crate) fn farewell(work: &mut Work<'_>, seat: &SeatId, news: AddressNews) {
    let Some(player) = players::player(work.context, &work.state, seat).cloned() else {
        return;
    };
    let entry = work.state.seats.get(seat);
    let given_up = entry.is_some_and(SeatState::is_unreachable) || player.address.bot().is_some();
    let cover = (player.in_header(), None);
    let letter = SeatLetter::Address(Box::new(AddressPlan {
        player,
        news,
        answers: None,
    }));
    planning::send_elsewhere(work, seat, cover, given_up, letter);
}

/// Sends a seat its newest dispatch again, and its questions.
pub(crate) fn send_again(
    work: &mut Work<'_>,
    seat: &SeatId,
    why: RepeatReason,
) -> Result<(), WorkError> {
    planning::send(work, seat, SeatLetter::Again(why));
    questions_again(work, seat)
}

/// Sends a seat its questions again, by running the phase up to them with the same dice.
fn questions_again(work: &mut Work<'_>, seat: &SeatId) -> Result<(), WorkError> {
    let context = work.context;
    let mut before = as_told(context, &work.state, seat).into_owned();
    let CurrentWait::Answers { questions, .. } = before.waiting.clone() else {
        return Ok(());
    };
    if !questions.iter().any(|asked| asked.seat == *seat) {
        return Ok(());
    }
    // The questions of this wait have been counted already; the phase must still be able to ask
    // them.
    for (asked, entry) in &mut before.seats {
        if questions.iter().any(|question| question.seat == *asked) {
            entry.questions.1 = entry.questions.1.saturating_sub(1);
        }
    }
    if let Outcome::Waiting(suspended) = running::run_phase(context, &mut before).0? {
        let letter = SeatLetter::Questions(Rc::new(*suspended));
        planning::send_from(work, seat, &Rc::new(before), letter);
    }
    Ok(())
}

/// Checks that a player can be put into a seat.
///
/// # Errors
/// Why not.
pub(crate) fn may_replace(
    context: &Context,
    state: &State,
    player: &Seat,
) -> Result<(), RulingError> {
    if state.waiting == CurrentWait::Nothing {
        return Err(RulingError::Over);
    }
    if context.settings.seats.get(&player.id).is_none() {
        return Err(RulingError::NoSeat(player.id.clone()));
    }
    match player.address.mail() {
        Some(address) if context.mailbox().owns(address.as_str()) => {
            Err(RulingError::OwnAddress(address.to_string()))
        }
        _ => Ok(()),
    }
}
