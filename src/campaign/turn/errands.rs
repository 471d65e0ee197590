//! Runs a seat's errands: what it asks of the host beside orders. Nothing here touches orders,
//! envelopes or dice, but for READY, which may close a wait.

use crate::{
    campaign::{
        model::{
            errands::{Errand, ErrandLine, LetterChoice, LetterCopy, SentKind, SentLetter},
            events::{ErrandMail, Event, Reason, RefusedMail},
            players,
            rate::{COPIES, MAILS, RateKind},
            seats::Seat,
            state::State,
            work_error::WorkError,
        },
        turn::{
            absence, leaving, opponent,
            plan::{ErrandOutcome, ErrandsPlan, SeatLetter},
            planning, press, sealing,
            work::Work,
        },
        words::moment,
    },
    ids::SeatId,
};

/// The most letters that one errand brings again.
const MOST_COPIES: usize = 8;

/// Carries out a mail's errands, and answers them in one letter.
pub(crate) fn run(work: &mut Work<'_>, given: &ErrandMail) -> Result<(), WorkError> {
    let seat = &given.seat;
    if !may_run(work, given) {
        return Ok(());
    }
    work.state.taken.insert(given.digest);
    work.state.taken.extend(given.copy);
    let mut done = Vec::new();
    for line in &given.errands {
        let outcome = if given.proven || line.errand.is_question() {
            errand(work, given, line)?
        } else {
            ErrandOutcome::NotDone("unproven")
        };
        done.push((line.clone(), outcome));
    }
    let answers = given.message_id.clone();
    let letter = SeatLetter::Errands(Box::new(ErrandsPlan {
        gone: given.gone.clone(),
        answers,
        has_orders: matches!(given.beside.as_deref(), Some(Event::Mail(_))),
        done,
    }));
    planning::send(work, seat, letter);
    let is_absence = |line: &ErrandLine| matches!(line.errand, Errand::Absent { .. });
    if given.beside.is_none() && given.errands.iter().any(is_absence) {
        // Perhaps his orders were all that was missing.
        sealing::close_if_ready(work)?;
    }
    Ok(())
}

/// Counts a mail. Returns true if there have not been too many.
fn may_run(work: &mut Work<'_>, given: &ErrandMail) -> bool {
    let seat = &given.seat;
    if !given.proven {
        work.state.count(RateKind::Unproven(seat));
        return true;
    }
    if let Some(entry) = work.state.seats.get_mut(seat) {
        // A player who answers a letter has received it.
        entry.failed.clear();
    }
    if matches!(given.beside.as_deref(), Some(Event::Mail(_))) {
        // The mail is counted when its orders are taken.
        return work.state.counted(RateKind::Mails(seat), work.state.time) < MAILS;
    }
    let count = work.state.count(RateKind::Mails(seat));
    if count == MAILS + 1 {
        let refused = RefusedMail {
            reason: Reason::TooMany,
            seat: Some(seat.clone()),
            message_id: given.message_id.clone(),
            digest: given.digest,
            file: given.file.clone(),
            detail: String::new(),
        };
        planning::send(work, seat, SeatLetter::Refusal(refused));
    }
    count <= MAILS
}

fn errand(
    work: &mut Work<'_>,
    given: &ErrandMail,
    line: &ErrandLine,
) -> Result<ErrandOutcome, WorkError> {
    let seat = &given.seat;
    Ok(match &line.errand {
        Errand::Help { .. }
        | Errand::Status
        | Errand::Deadline
        | Errand::Who
        | Errand::Orders
        | Errand::Rules
        | Errand::Club
        | Errand::Map { turn: None, .. }
        | Errand::History { .. }
        | Errand::Faulty { .. } => ErrandOutcome::Done,
        Errand::Resend { .. } | Errand::Map { turn: Some(_), .. } => {
            resend(work, given, &line.errand)
        }
        Errand::Language { lang } => {
            if let Some(player) = players::player(work.context, &work.state, seat).cloned() {
                let player = Seat {
                    lang: *lang,
                    ..player
                };
                let contact = work.state.contacts.entry(seat.clone()).or_default();
                contact.player = Some(player);
            }
            ErrandOutcome::Done
        }
        Errand::Umpire { words } => press::tell_umpire(work, seat, "writes", words),
        Errand::Press { to, grey, words } => press::write(work, seat, to, (*grey, words))?,
        Errand::Absent { absence, reason } => absence::announce(work, seat, absence, reason)?,
        Errand::Ready { on } => ready(work, seat, *on),
        Errand::Request { remedy, seat: of } => {
            opponent::request(work, seat, *remedy, of.as_ref())?
        }
        Errand::Resign => leaving::leave(work, seat, true),
        Errand::Back => {
            let has_left = work.state.seats.get(seat).and_then(|entry| entry.resigned);
            if has_left.is_none() && absence::come_back(work, seat)? {
                ErrandOutcome::DoneAs("is_back")
            } else {
                leaving::leave(work, seat, false)
            }
        }
    })
}

/// A seat says that its orders are final, or takes it back. Whether it is waited for is judged by
/// what it knows.
fn ready(work: &mut Work<'_>, seat: &SeatId, on: bool) -> ErrandOutcome {
    if !work.context.settings.schedule.when_ready() {
        return ErrandOutcome::NotDone("ready_not_needed");
    }
    let moment = moment::moment(work.context, &work.state, seat);
    if moment.phases.is_empty() {
        return ErrandOutcome::NotDone("ready_for_nothing");
    }
    if let Some(entry) = work.state.seats.get_mut(seat) {
        entry.said_ready = on;
    }
    ErrandOutcome::Done
}

/// The letters that an errand asks for once more, the newest of them if there are too many.
pub(crate) fn wanted_letters(state: &State, seat: &SeatId, errand: &Errand) -> Vec<SentLetter> {
    let wanted = match errand {
        Errand::Resend { letters } => *letters,
        Errand::Map {
            turn: Some(turn), ..
        } => LetterChoice::Turn(*turn),
        _ => return Vec::new(),
    };
    let entry = state.seats.get(seat);
    let sent = entry.map_or(&[][..], |entry| &entry.sent);
    let since = sent.iter().rposition(|it| it.kind == SentKind::Dispatch);
    let numbered = sent.iter().enumerate();
    let chosen = numbered.filter(|(at, letter)| match wanted {
        LetterChoice::Newest => *at >= since.unwrap_or(0),
        LetterChoice::Opening => letter.kind == SentKind::Opening,
        LetterChoice::Turn(turn) => letter.turn == turn && letter.kind != SentKind::Opening,
        LetterChoice::Number(number) => letter.number == number,
    });
    let chosen: Vec<SentLetter> = chosen.map(|(_, letter)| letter.clone()).collect();
    let first = chosen.len().saturating_sub(MOST_COPIES);
    chosen.get(first..).unwrap_or_default().to_vec()
}

/// Letters go out once more, but those that are kept no longer.
fn resend(work: &mut Work<'_>, given: &ErrandMail, errand: &Errand) -> ErrandOutcome {
    let seat = &given.seat;
    let mut chosen = wanted_letters(&work.state, seat, errand);
    if chosen.is_empty() {
        return ErrandOutcome::NotDone("no_such_letter");
    }
    chosen.retain(|letter| !given.gone.contains(&letter.number));
    if chosen.is_empty() {
        return ErrandOutcome::NotDone("gone");
    }
    for _ in &chosen {
        if work.state.count(RateKind::Copies(seat)) > COPIES {
            return ErrandOutcome::NotDone("too_often");
        }
    }
    for letter in &chosen {
        let message_id = planning::message_id_of(work.context, seat, letter.number);
        let entry = work.state.seats.entry(seat.clone()).or_default();
        entry.copies += 1;
        work.copies.push(LetterCopy {
            to: seat.clone(),
            key: format!("again-{}-{message_id}", entry.copies),
            token: entry.token,
            message_id,
        });
    }
    ErrandOutcome::Again(chosen)
}
