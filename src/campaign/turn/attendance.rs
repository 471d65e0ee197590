//! What a deadline means for players who are away: it moves for those who said so, and one that is
//! missed without a word counts.

use jiff::Timestamp;

use crate::{
    campaign::{
        model::{
            absence::{AbsenceAct, Attendance},
            state::CurrentWait,
        },
        turn::{
            awaited_seats::awaited,
            plan::{UmpireLetter, WordFromSeat},
            planning,
            work::Work,
        },
    },
    ids::SeatId,
};

/// Counts a missed deadline against the awaited seats that have sent nothing and did not say that
/// they would be away. The umpire hears of a seat that has missed too many.
pub(crate) fn count_missed(work: &mut Work<'_>, silent: &[SeatId]) {
    let now = work.state.time;
    let most = work.context.settings.absence.offered_after;
    for seat in silent {
        let Some(entry) = work.state.seats.get_mut(seat) else {
            continue;
        };
        let attendance = &mut entry.attendance;
        if attendance.away(now).is_some() {
            continue;
        }
        attendance.missed = attendance.missed.saturating_add(1);
        attendance.missed_ever = attendance.missed_ever.saturating_add(1);
        if most > 0 && attendance.missed == most && entry.resigned.is_none() {
            let word = WordFromSeat {
                seat: seat.clone(),
                what: "gone",
                words: String::new(),
            };
            planning::notice(work, UmpireLetter::FromSeat(word));
        }
    }
}

/// Counts a wait that ends for the seats whose words are in.
pub(crate) fn count_kept<'s>(work: &mut Work<'_>, seats: impl Iterator<Item = &'s SeatId>) {
    for seat in seats {
        if let Some(entry) = work.state.seats.get_mut(seat) {
            entry.attendance.kept = entry.attendance.kept.saturating_add(1);
        }
    }
}

/// Moves the deadline of the present wait for those who are awaited and away when it comes, each
/// within his limit. Returns the deadline before, and the new one.
pub(crate) fn move_deadline(work: &mut Work<'_>) -> Option<(Timestamp, Timestamp)> {
    let schedule = &work.context.settings.schedule;
    let rules = work.context.settings.absence;
    let before = match &work.state.waiting {
        CurrentWait::Orders { deadline, .. } | CurrentWait::Answers { deadline, .. } => *deadline,
        _ => None,
    };
    let before = before.filter(|before| *before >= work.state.time)?;
    // The moment of the dispatches waits for nobody.
    let dispatch = work
        .state
        .dispatch_at
        .filter(|_| work.state.waits_in_quiet());
    let mut latest = before;
    for seat in awaited(&work.state) {
        let Some(entry) = work.state.seats.get_mut(&seat) else {
            continue;
        };
        let until = wanted(&entry.attendance, before).and_then(|it| schedule.after_absence(it));
        let most = before.checked_add(rules.left(&entry.attendance)).ok();
        let granted = until.into_iter().chain(most).chain(dispatch).min();
        let granted = granted.filter(|granted| until.is_some() && *granted > before);
        if let Some(granted) = granted {
            entry.attendance.moved += granted.duration_since(before).as_secs();
            latest = latest.max(granted);
        }
    }
    if latest == before {
        return None;
    }
    if let CurrentWait::Answers {
        known,
        public: true,
        ..
    } = &mut work.state.waiting
    {
        *known = Some(latest);
    }
    if let CurrentWait::Orders { deadline, .. } | CurrentWait::Answers { deadline, .. } =
        &mut work.state.waiting
    {
        *deadline = Some(latest);
    }
    Some((before, latest))
}

/// Until when a player is away who wants deadlines to move, if this one finds him away.
fn wanted(attendance: &Attendance, deadline: Timestamp) -> Option<Timestamp> {
    let absence = attendance.absence.as_ref()?;
    let waits = absence.acts == AbsenceAct::Waits && deadline >= absence.from;
    waits.then_some(absence.until)
}
