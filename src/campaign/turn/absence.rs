//! Players who are away, and seats whose players have gone.
//!
//! An absence moves the deadlines at which its player is awaited, within the campaign's limit;
//! everybody who knows of the wait is told that nothing is awaited before, and neither who is away
//! nor why. Or it moves none, and standing orders or a bot act for him.

use jiff::{SignedDuration, Timestamp};

use crate::{
    campaign::{
        model::{
            absence::{Absence, AbsenceAct, ClubNotice, ClubWord, WrittenAbsence},
            context::Context,
            player_address::Address,
            players,
            seats::Seat,
            state::{CurrentWait, State},
            stints::StintOrigin,
            work_error::WorkError,
        },
        turn::{
            attendance, handover,
            plan::{ErrandOutcome, SeatLetter},
            planning, press, sealing,
            work::Work,
        },
    },
    dice::Note,
    digest::Digest,
    ids::SeatId,
};

/// Why a seat is handed over, in the note.
const TAKEN_OVER: &str = "a member of the club takes over";

/// A player says that he will be away.
pub(crate) fn announce(
    work: &mut Work<'_>,
    seat: &SeatId,
    written: &WrittenAbsence,
    reason: &str,
) -> Result<ErrandOutcome, WorkError> {
    let context = work.context;
    let no = |why| Ok(ErrandOutcome::NotDone(why));
    if work.state.waiting == CurrentWait::Nothing {
        return no("ended");
    }
    if context.settings.club.is_some() {
        return no("absent_club");
    }
    let zone = players::zone(context, &work.state, seat);
    let absence = match written.meant(work.state.time, zone) {
        Ok(absence) => absence,
        Err(why) => return no(why),
    };
    let rules = context.settings.absence;
    let attendance = work.state.seats.get(seat).map(|entry| &entry.attendance);
    let left = attendance.map_or(SignedDuration::ZERO, |it| rules.left(it));
    match absence.acts {
        AbsenceAct::Waits if rules.days == 0 => return no("absent_fixed"),
        AbsenceAct::Waits if left.is_zero() => return no("absent_used"),
        _ => {}
    }
    if context.settings.has_umpire() {
        let told = press::tell_umpire(work, seat, "away", reason);
        if told != ErrandOutcome::Done {
            return Ok(told);
        }
    }
    set(work, seat, Some(absence))?;
    Ok(ErrandOutcome::Done)
}

/// A player is back before his time. Returns false if he was not away.
pub(crate) fn come_back(work: &mut Work<'_>, seat: &SeatId) -> Result<bool, WorkError> {
    let now = work.state.time;
    let entry = work.state.seats.get(seat);
    let absence = entry.and_then(|entry| entry.attendance.absence.as_ref());
    let was_away = absence.is_some_and(|absence| absence.until > now);
    if was_away {
        set(work, seat, None)?;
    }
    Ok(was_away)
}

/// What the club tells.
pub(crate) fn hear(work: &mut Work<'_>, notice: &ClubNotice) -> Result<(), WorkError> {
    work.state.taken.insert(mark(&notice.file));
    if work.state.waiting == CurrentWait::Nothing {
        return Ok(());
    }
    match &notice.word {
        ClubWord::Absent { addresses, absence } => {
            for seat in seats_at(work, addresses) {
                set(work, &seat, Some(absence.clone()))?;
            }
        }
        ClubWord::Back { addresses } => {
            for seat in seats_at(work, addresses) {
                set(work, &seat, None)?;
            }
        }
        ClubWord::TakeOver { player } => {
            let player = &Seat {
                lang: work.context.game.language(player.lang),
                ..player.clone()
            };
            let is_free = offered(work.context, &work.state).contains(&player.id);
            if is_free && handover::may_replace(work.context, &work.state, player).is_ok() {
                handover::replace(
                    work,
                    player,
                    StintOrigin::Club(notice.file.clone()),
                    TAKEN_OVER,
                )?;
            }
        }
    }
    sealing::close_if_ready(work)
}

/// What is kept of a word of the club that was heard, by its file.
pub(crate) fn mark(file: &str) -> Digest {
    Digest::of(format!("a word of the club|{file}").as_bytes())
}

/// The seats of the player at one of these addresses.
fn seats_at(work: &Work<'_>, addresses: &[Address]) -> Vec<SeatId> {
    let players = players::players(work.context, &work.state);
    let is_his = |player: &&Seat| {
        let mut addresses = addresses.iter();
        addresses.any(|address| player.address.is(address.as_str()))
    };
    let own = players.filter(is_his);
    own.map(|player| player.id.clone()).collect()
}

/// The seats that look for another player: theirs has left, or has missed too many deadlines.
pub(crate) fn offered(context: &Context, state: &State) -> Vec<SeatId> {
    if state.is_over() {
        return Vec::new();
    }
    let most = context.settings.absence.offered_after;
    let is_free = |seat: &&SeatId| {
        state.seats.get(*seat).is_some_and(|entry| {
            entry.resigned.is_some() || most > 0 && entry.attendance.missed >= most
        })
    };
    let seats = context.settings.seats.ids();
    seats.filter(is_free).cloned().collect()
}

/// Notes an absence, and moves the deadline of the present wait for it.
fn set(work: &mut Work<'_>, seat: &SeatId, absence: Option<Absence>) -> Result<(), WorkError> {
    if let Some(entry) = work.state.seats.get_mut(seat) {
        entry.attendance.absence = absence;
    }
    match attendance::move_deadline(work) {
        Some(moved) => tell(work, moved),
        None => Ok(()),
    }
}

/// Tells the seats that know of the wait that nothing is awaited before its new deadline. A note in
/// the register says so before the old one passes, as for an umpire's extension (dice.md, section
/// 9).
fn tell(work: &mut Work<'_>, (before, until): (Timestamp, Timestamp)) -> Result<(), WorkError> {
    let now = work.state.time;
    if let CurrentWait::Orders { progress, .. } | CurrentWait::Answers { progress, .. } =
        &mut work.state.waiting
    {
        progress.begin_anew(now);
    }
    if let Some((questions, _)) = work.state.quiet() {
        let mut seats: Vec<SeatId> = questions.iter().map(|asked| asked.seat.clone()).collect();
        seats.sort();
        seats.dedup();
        for seat in seats {
            planning::send(work, &seat, SeatLetter::Later);
        }
        return Ok(());
    }
    let text = format!("the deadline is moved from {before} to {until}");
    planning::note(work, Note::new(&text)?);
    planning::send_to_all(work, || SeatLetter::Later);
    Ok(())
}
