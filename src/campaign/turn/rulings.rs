//! The umpire's powers over a running campaign. Each ruling is a record of the journal and a note
//! in the register, so that every player sees it and an audit repeats it.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;

use crate::{
    campaign::{
        model::{
            checkpoints::{Checkpoint, WaitStart},
            context::Context,
            events::Ruling,
            leeway::WaitProgress,
            renewal,
            ruling_error::RulingError,
            state::{CurrentWait, State},
            stints::StintOrigin,
            work_error::WorkError,
        },
        turn::{
            amendment, attendance, handover, holding,
            plan::{EntryPlan, RulingNotice, SeatLetter},
            planning,
            publishing::{self, Word},
            receipts::{self, ReceiptPurpose},
            rolling, running, steering,
            work::Work,
        },
    },
    dice::{Note, ReceiptNumber, SourceValue},
    ids::SeatId,
};

/// Checks whether a ruling can be made now.
///
/// `at` is the time of the ruling.
///
/// # Errors
/// Why not.
pub fn check_ruling(
    context: &Context,
    state: &State,
    ruling: &Ruling,
    at: Timestamp,
) -> Result<(), RulingError> {
    ruling.why().map_or(Ok(()), check_why)?;
    match ruling {
        Ruling::NewMaster { anchors, why } => {
            may_renew(state, why)?;
            if context.eras.lost() <= state.lost {
                return Err(RulingError::NotLost);
            }
            let begins = context.eras.last_of(state.lost) == Some(state.dice.envelope);
            let right = context
                .anchors(state.lost + 1)
                .is_ok_and(|own| own == *anchors);
            (begins && right).then_some(()).ok_or(RulingError::Anchors)
        }
        Ruling::Hold { .. } if state.is_over() => Err(RulingError::Over),
        Ruling::Hold { .. } if state.on_hold => Err(RulingError::Held),
        Ruling::Resume { .. } if !state.on_hold => Err(RulingError::NotHeld),
        Ruling::Hold { .. } | Ruling::Resume { .. } => Ok(()),
        Ruling::Extend { until, .. } => steering::may_extend(state, *until, at),
        Ruling::Rule { changes, .. } => amendment::changed(context, state, changes).map(|_| ()),
        Ruling::Say { to, words } => may_say(context, to, words),
        Ruling::Replace { player, .. } => handover::may_replace(context, state, player),
        Ruling::Silent { witness, .. } => match state.missing() {
            CurrentWait::Dice { witnesses, .. } if witnesses.contains(witness) => Ok(()),
            _ => Err(RulingError::Witness(witness.clone())),
        },
        Ruling::Rollback { envelope, .. } => {
            if state.waiting == CurrentWait::Nothing {
                return Err(RulingError::Over);
            }
            let dice = &state.dice;
            if dice.envelope > 0 && !dice.spent && dice.mix.is_none() {
                return Err(RulingError::Unrolled(dice.envelope));
            }
            match state.checkpoints.find(*envelope) {
                Some(point) if point.stood.is_some() => Ok(()),
                Some(_) => Err(RulingError::NotAtHand),
                None => Err(RulingError::Checkpoint {
                    envelope: *envelope,
                    known: known(state),
                }),
            }
        }
    }
}

/// Checks that a new era can begin now: between two envelopes, and before any receipt whose code
/// the old master made for the next one.
///
/// # Errors
/// Why not.
pub fn may_renew(state: &State, why: &str) -> Result<(), RulingError> {
    check_why(why)?;
    let next = state.seals_next();
    let receipts = state.seats.values().any(|seat| seat.receipts > 0);
    if next && !receipts {
        Ok(())
    } else {
        Err(RulingError::NotYet(state.dice.envelope + u32::from(next)))
    }
}

fn may_say(context: &Context, to: &[SeatId], words: &str) -> Result<(), RulingError> {
    if let Some(unknown) = to
        .iter()
        .find(|seat| context.settings.seats.get(seat).is_none())
    {
        return Err(RulingError::NoSeat(unknown.clone()));
    }
    check_words(words)
}

/// Checks that words can stand in a letter of an umpire.
pub(crate) fn check_words(words: &str) -> Result<(), RulingError> {
    let odd = |letter: char| letter.is_control() && letter != '\n';
    let fits = words.chars().count() <= Ruling::LONGEST_LETTER && !words.chars().any(odd);
    let says = !words.trim().is_empty();
    (fits && says).then_some(()).ok_or(RulingError::Letter)
}

/// Carries out a ruling, after checking it again: a journal written by hand must not bring in a
/// false one.
pub(crate) fn rule(work: &mut Work<'_>, ruling: &Ruling) -> Result<(), WorkError> {
    let context = work.context;
    check_ruling(context, &work.state, ruling, work.state.time)?;
    match ruling {
        Ruling::Hold { why } => holding::hold(work, why),
        Ruling::Resume { why } => steering::go_on(work, why),
        Ruling::Extend { until, why } => steering::extend(work, *until, why),
        Ruling::Rule { changes, why } => amendment::amend(work, changes, why),
        Ruling::Say { to, words } => {
            steering::say_to(work, to, words);
            Ok(())
        }
        Ruling::NewMaster { why, .. } => new_era(work, why),
        Ruling::Replace { player, why } => {
            handover::replace(work, player, StintOrigin::Umpire, why)
        }
        Ruling::Silent { witness, why } => silent(work, witness, why),
        Ruling::Rollback { envelope, why } => {
            let point = work.state.checkpoints.find(*envelope).cloned();
            let point = point.ok_or(RulingError::NotAtHand)?;
            let stood = point.stood.clone().ok_or(RulingError::NotAtHand)?;
            back_to(work, point, &stood, why)
        }
    }
}

/// Counts a witness as having refused. The note goes out with the dispatches, since the seal has
/// already been sent.
fn silent(work: &mut Work<'_>, witness: &SeatId, why: &str) -> Result<(), WorkError> {
    let envelope = work.state.dice.envelope;
    let text = format!("witness {witness} gives no token for envelope {envelope}: {why}");
    planning::note(work, Note::new(&text)?);
    let name = witness.clone();
    rolling::say(work, &SourceValue::Witness { name, token: None });
    rolling::roll_if_complete(work)
}

/// Begins a new era: a note and a new opening, with the anchors of all dice from now on.
fn new_era(work: &mut Work<'_>, why: &str) -> Result<(), WorkError> {
    let context = work.context;
    let last = work.state.dice.envelope;
    let text = format!("the master is lost after envelope {last}; a new opening follows: {why}");
    planning::note(work, Note::new(&text)?);
    work.state.lost += 1;
    let opening = renewal::opening(context, &work.state, work.state.lost)?;
    planning::enter(work, EntryPlan::Opening(opening));
    let why = why.to_owned();
    planning::send_to_all(work, || SeatLetter::NewSecret { why: why.clone() });
    Ok(())
}

/// Restores the world, the phase and the players' decisions to what they were when a wait began.
/// The dice are not restored: what was rolled is shown, and the new orders are for an unused
/// envelope.
fn back_to(
    work: &mut Work<'_>,
    point: Checkpoint,
    stood: &WaitStart,
    why: &str,
) -> Result<(), WorkError> {
    let context = work.context;
    let rolled = std::mem::take(&mut work.state.dice.so_far);
    running::keep_rolled(work, rolled);
    let anew = work.state.dice.envelope + 1;
    let note = format!(
        "rollback to the orders for envelope {}, turn {}, {}; they are given anew for envelope {anew}: {why}",
        point.envelope, point.turn, point.phase
    );
    work.state.checkpoints.forget_from(point.envelope);
    work.state.waiting = CurrentWait::Orders {
        seats: stood.seats.clone(),
        invited: stood.invited.clone(),
        phase: stood.orders_for.clone(),
        deadline: context.settings.schedule.next_deadline(work.state.time),
        progress: WaitProgress::beginning(context.settings.schedule.leeway(), work.state.time),
    };
    (work.state.shown, work.state.dispatch_at) = (None, None);
    attendance::move_deadline(work);
    work.state.world = stood.world.clone();
    work.state.phase.clone_from(&point.phase);
    work.state.decisions = stood.decisions.clone();
    work.state.checkpoints.keep(Checkpoint {
        envelope: anew,
        ..point
    });
    let word = Word {
        note: Note::new(&note)?,
        ruled: RulingNotice {
            notice: "taken_back",
            why: why.to_owned(),
        },
        receipts: laid_aside(work)?,
    };
    publishing::publish(work, Some(&word))
}

/// Lays aside the orders that seats have sent for the next seal. Their last receipt must be for
/// what the seal binds (dice.md, section 8), so they get one of an empty text.
fn laid_aside(work: &mut Work<'_>) -> Result<BTreeMap<SeatId, ReceiptNumber>, WorkError> {
    let context = work.context;
    let mut receipts = BTreeMap::new();
    for seat in context.settings.seats.ids() {
        let entry = work.state.seats.entry(seat.clone()).or_default();
        entry.heard = Arc::default();
        for text in [&mut entry.words, &mut entry.carried, &mut entry.late] {
            text.clear();
        }
        (entry.read, entry.ready, entry.said_ready) = (None, false, false);
        if entry.receipts > 0 {
            let receipt = receipts::next_receipt(work, seat, ReceiptPurpose::NextSeal)?;
            receipts.insert(seat.clone(), receipt);
        }
    }
    Ok(receipts)
}

pub(crate) fn check_why(why: &str) -> Result<(), RulingError> {
    if why.chars().count() > Ruling::LONGEST || Note::new(why).is_err() {
        return Err(RulingError::Why);
    }
    Ok(())
}

/// The waits that a rollback can return to, in words.
fn known(state: &State) -> String {
    let points = state
        .checkpoints
        .iter()
        .map(|point| format!("{} (turn {}, {})", point.envelope, point.turn, point.phase));
    let points: Vec<String> = points.collect();
    if points.is_empty() {
        "none".to_owned()
    } else {
        points.join(", ")
    }
}
