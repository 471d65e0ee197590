//! Sending out dispatches, with their dice.

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    campaign::{
        model::{
            context::Context,
            dispatch_policy::DispatchPolicy,
            players,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        turn::{
            plan::{Circular, DicePlan, Plan, RulingNotice, SeatLetter},
            planning, press,
            work::Work,
        },
    },
    dice::{Form, Note, ReceiptNumber},
    ids::SeatId,
};

/// A ruling by the umpire, where dispatches report it.
pub(crate) struct Word {
    /// The note in the register.
    pub note: Note,
    /// The ruling as the dispatches tell it.
    pub ruled: RulingNotice,
    /// Receipts of an empty text, for the seats whose orders were laid aside.
    pub receipts: BTreeMap<SeatId, ReceiptNumber>,
}

/// Sends every seat its dispatch: what happened, the questions, and the dice of the past envelope.
pub(crate) fn publish(work: &mut Work<'_>, word: Option<&Word>) -> Result<(), WorkError> {
    let context = work.context;
    press::deliver_waiting(work);
    let new_token = work.state.dice.envelope > 0 || word.is_some();
    let notes = notes(context, &work.state, word)?;
    let state = work.now();
    let passed_over: Vec<SeatId> = match &state.waiting {
        CurrentWait::Orders { seats, .. } if word.is_none() => {
            passed_over(context, &state, |seat| seats.contains(seat))
        }
        _ => Vec::new(),
    };
    let seats = context.settings.seats.ids();
    let seats: Vec<&SeatId> = seats.filter(|seat| !passed_over.contains(seat)).collect();
    if word.is_some() {
        // Orders given so far are dropped, and their receipts can no longer be answered.
        for entry in work.state.seats.values_mut() {
            entry.receipt_tokens.clear();
        }
    }
    for seat in &seats {
        dispatch_counts(work, seat, new_token);
    }
    let letters = seats.into_iter().filter_map(|seat| {
        let receipt = word.and_then(|word| word.receipts.get(seat));
        let about = SeatLetter::Dispatch {
            ruled: word.map(|word| word.ruled.clone()),
            receipt: receipt.cloned(),
        };
        planning::to_seat(work, seat, &state, about)
    });
    let letters = letters.collect();
    let circular = Circular {
        notes,
        passed_over: passed_over.clone(),
        ..Circular::of(letters)
    };
    send_with_dice(work, &state, circular, false);
    Ok(())
}

/// The seats to which no letter of a circular goes, if the campaign saves such letters: they are
/// asked nothing, and there is no news for them.
pub(crate) fn passed_over(
    context: &Context,
    state: &State,
    is_asked: impl Fn(&SeatId) -> bool,
) -> Vec<SeatId> {
    let mut passed_over = unasked(context, state, is_asked);
    passed_over.retain(|seat| {
        let entry = state.seats.get(seat);
        entry.is_none_or(|entry| !entry.missed && entry.heard.is_empty())
    });
    passed_over
}

/// The seats to which no letter about questions to others goes, if the campaign saves such letters.
/// It would bring no other news, except the end of an envelope of dice.
pub(crate) fn not_told_who_is_asked(
    context: &Context,
    state: &State,
    asked: &[SeatId],
) -> Vec<SeatId> {
    let is_asked = |seat: &SeatId| asked.contains(seat);
    if context.game.decl.dice {
        passed_over(context, state, is_asked)
    } else {
        unasked(context, state, is_asked)
    }
}

/// The seats that are asked nothing, if the campaign writes only to those that need a letter.
fn unasked(context: &Context, state: &State, is_asked: impl Fn(&SeatId) -> bool) -> Vec<SeatId> {
    let rare = context.settings.dispatches == DispatchPolicy::News
        && state.form == Form::Letters
        && state.dice.envelope > 0;
    let is_played = |seat: &SeatId| players::player(context, state, seat).is_some();
    let seats = context
        .settings
        .seats
        .ids()
        .filter(|seat| rare && is_played(seat) && !is_asked(seat));
    seats.cloned().collect()
}

/// Plans letters to all seats, with the dice entry of the envelope in use if there is one: no
/// envelope is closed twice, and none before the first seal.
pub(crate) fn send_with_dice(
    work: &mut Work<'_>,
    state: &Rc<State>,
    circular: Circular,
    keep_back: bool,
) {
    let dice = state.dice.is_in_use().then(|| DicePlan {
        state: Rc::clone(state),
        keep_back,
    });
    work.state.dice.spend(keep_back);
    work.plans
        .push(Plan::Circular(Circular { dice, ..circular }));
}

/// The notes that go out after the dice.
fn notes(context: &Context, state: &State, word: Option<&Word>) -> Result<Vec<Note>, WorkError> {
    let mut notes: Vec<Note> = word.iter().map(|word| word.note.clone()).collect();
    if let CurrentWait::Disclosure { at } = &state.waiting {
        // Receipts must be on the table before the master is published (dice.md, section 8).
        let day = at.to_zoned(context.settings.schedule.zone().clone()).date();
        let text =
            format!("the campaign has ended; the master is published on {day}, keep all receipts");
        notes.push(Note::new(&text)?);
    }
    Ok(notes)
}

/// Counts a dispatch for its seat: it has now heard everything, and its next answer carries a new
/// token. The opening letter and the first dispatch ask for the same orders, so one token is good
/// for both.
fn dispatch_counts(work: &mut Work<'_>, seat: &SeatId, new_token: bool) {
    let now = work.state.time;
    if let Some(entry) = work.state.seats.get_mut(seat) {
        entry.told = std::mem::take(&mut entry.heard);
        entry.missed = false;
        if new_token {
            entry.renew_token(now);
        }
    }
}
