//! Judging a mail: who speaks, and whether it counts.

use jiff::Timestamp;

use super::arrival::{Arrival, is_awaited, mail_in};
use crate::{
    campaign::{
        intake::{
            addresses,
            counted_words::counted_words,
            errands::{self, MixedMail},
            judge_values::{self, beacon_and_rest},
            reports, senders, umpires, wishes,
        },
        model::{
            context::Context,
            events::{Event, Reason, RefusedMail},
            players,
            rate::{IDLE, RateKind},
            replies::{OLD_TOKENS, copy_digest, receipt_label},
            state::State,
            trust::Trust,
        },
    },
    digest::Digest,
    ids::SeatId,
    mail::{self, Claim, Incoming, MailLimits, ReadError, Token, WordsProblem},
};

/// Judges the bytes of a mail: returns the event to be recorded for it at this moment. Changes
/// nothing.
#[must_use]
pub fn judge(context: &Context, state: &State, file: &str, bytes: &[u8], at: Timestamp) -> Event {
    judge_for(
        context,
        state,
        file,
        bytes,
        context.settings.trust.least,
        at,
    )
}

/// Judges a held mail again that the umpire has released.
#[must_use]
pub fn judge_released(
    context: &Context,
    state: &State,
    file: &str,
    bytes: &[u8],
    at: Timestamp,
) -> Event {
    judge_for(context, state, file, bytes, Trust::Token, at)
}

fn judge_for(
    context: &Context,
    state: &State,
    file: &str,
    bytes: &[u8],
    least: Trust,
    at: Timestamp,
) -> Event {
    match mail::read(bytes, &MailLimits::default()) {
        Ok(incoming) => {
            let came = Arrival {
                file,
                incoming: &incoming,
                at,
            };
            without_answer(judge_mail(context, state, &came, least), &incoming)
        }
        Err(error) => {
            let reason = match error {
                ReadError::TooLarge { .. } => Reason::TooLarge,
                ReadError::Empty => Reason::Empty,
                _ => Reason::Unreadable,
            };
            // The beginning of a mail that is too large still names its seat, so the seat can be
            // told.
            let claimed = (reason == Reason::TooLarge)
                .then(|| claimed_by_head(context, state, bytes))
                .flatten();
            Event::Refused(RefusedMail {
                reason,
                seat: claimed,
                message_id: None,
                digest: Digest::of(bytes),
                file: file.to_owned(),
                detail: error.to_string(),
            })
        }
    }
}

/// The seat that a mail's header speaks for, when its body is not read.
fn claimed_by_head(context: &Context, state: &State, bytes: &[u8]) -> Option<SeatId> {
    let end = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .map(|at| at + 4);
    let end = end.or_else(|| {
        bytes
            .windows(2)
            .position(|two| two == b"\n\n")
            .map(|at| at + 2)
    })?;
    let head = bytes.get(..end.min(64 << 10))?;
    let incoming = mail::read(head, &MailLimits::default()).ok()?;
    if incoming.automatic.is_some() {
        return None;
    }
    let claims = own_claims(context, &incoming);
    let named = claims
        .first()
        .map(|claim| SeatId::from(claim.seat.as_str()));
    named.or_else(|| seat_of(context, state, &incoming.from.email))
}

/// The first seat of a player with this address.
fn seat_of(context: &Context, state: &State, email: &str) -> Option<SeatId> {
    let mut players = players::players(context, state);
    let own = players.find(|player| player.address.is(email))?;
    Some(own.id.clone())
}

fn own_claims(context: &Context, incoming: &Incoming) -> Vec<Claim> {
    let mut claims = mail::claims(incoming, context.mailbox());
    claims.retain(|claim| {
        claim.campaign == context.settings.campaign.as_str()
            && context.settings.seats.get(&claim.seat).is_some()
    });
    claims
}

/// Judges a mail: first whether it is a player's mail at all, then what counts even when no orders
/// are awaited, then the words of the seat whose token is good.
fn judge_mail(context: &Context, state: &State, came: &Arrival<'_>, least: Trust) -> Event {
    let Arrival { file, incoming, .. } = *came;
    if let Some(event) = reports::judge_report(context, state, file, incoming) {
        return event;
    }
    if let Some(automatic) = &incoming.automatic
        && !automatic.may_carry_orders()
    {
        return came.refused(Reason::Automatic, None, format!("{automatic:?}"));
    }
    if state.taken.contains(&incoming.digest) || state.refused.contains(&incoming.digest) {
        return came.refused(Reason::Duplicate, None, String::new());
    }
    let claims = own_claims(context, incoming);
    let good = claims.iter().find(|claim| is_good(context, claim, state));
    // What comes with a seat's token is the seat's, whoever else gets a copy.
    if good.is_none()
        && let Some(event) = umpires::judge_umpire(context, state, came)
    {
        return event;
    }
    // Orders don't become a witness's mail because a copy goes to a witness, or because a witness
    // began the thread.
    if good.is_none()
        && let Some(event) = judge_values::judge_witness(context, state, came)
    {
        return event;
    }
    if let Some(found) = errands::errands(context, state, came, &claims, good) {
        return judge_errands(context, state, came, (&claims, good, least), found);
    }
    judge_rest(context, state, came, (&claims, good, least))
}

/// Judges a mail with errands. If the words beside them must wait for the umpire, or the errands
/// need more trust than there is, the whole mail waits.
fn judge_errands(
    context: &Context,
    state: &State,
    came: &Arrival<'_>,
    (claims, good, least): (&[Claim], Option<&Claim>, Trust),
    found: MixedMail,
) -> Event {
    let seat = found.seat();
    if found.is_copy(state) {
        return came.refused(Reason::Duplicate, None, String::new());
    }
    let trust = senders::trust_in(context, state, seat, came.incoming);
    if found.changes && found.is_proven() && trust < least {
        let detail = format!("{trust}, from {}", came.incoming.from.email);
        return came.refused(Reason::Held, Some(seat.clone()), detail);
    }
    let beside = found.rest.as_ref().map(|incoming| {
        let came = Arrival { incoming, ..*came };
        judge_rest(context, state, &came, (claims, good, least))
    });
    match beside {
        Some(Event::Refused(refused)) if refused.reason == Reason::Held => Event::Refused(refused),
        // The mail holds only files without orders, so the errands are what was meant.
        Some(Event::Refused(refused)) if refused.reason == Reason::Empty => found.with(None),
        beside => found.with(beside),
    }
}

/// Judges a mail without errands.
fn judge_rest(
    context: &Context,
    state: &State,
    came: &Arrival<'_>,
    (claims, good, least): (&[Claim], Option<&Claim>, Trust),
) -> Event {
    if let Some(claim) = claims.first().filter(|_| state.is_over()) {
        let seat = SeatId::from(claim.seat.as_str());
        return came.refused(Reason::Finished, Some(seat), String::new());
    }
    if let Some(event) = addresses::judge_address(context, state, came, claims, good, least) {
        return event;
    }
    if let Some(event) = wishes::judge_wish(context, state, came, good, least) {
        return event;
    }
    match good {
        Some(claim) => judge_words(context, state, came, &claim.seat, least),
        None => {
            let (reason, seat) = fault_of_claims(context, state, came, claims);
            came.refused(reason, seat, String::new())
        }
    }
}

/// Why no claim of a mail is good, and which seat it is refused for.
fn fault_of_claims(
    context: &Context,
    state: &State,
    came: &Arrival<'_>,
    claims: &[Claim],
) -> (Reason, Option<SeatId>) {
    let seat = |claim: &Claim| Some(SeatId::from(claim.seat.as_str()));
    let is_outdated =
        |claim: &&Claim| (1..=OLD_TOKENS).any(|back| is_old(context, claim, state, back));
    if let Some(claim) = claims.iter().find(is_outdated) {
        return (Reason::OldToken, seat(claim));
    }
    if let Some(claim) = claims.iter().find(|claim| claim.token.is_some()) {
        return (Reason::WrongToken, seat(claim));
    }
    if let Some(claim) = claims.first() {
        return (Reason::NoToken, seat(claim));
    }
    match seat_of(context, state, &came.incoming.from.email) {
        Some(seat) => (Reason::NoToken, Some(seat)),
        None => (Reason::Stranger, None),
    }
}

/// Judges the words of a mail whose token is good: orders, and perhaps a value of the beacon.
fn judge_words(
    context: &Context,
    state: &State,
    came: &Arrival<'_>,
    seat: &str,
    least: Trust,
) -> Event {
    let Arrival { file, incoming, .. } = *came;
    let refused = |reason, detail| came.refused(reason, Some(seat.into()), detail);
    if !is_awaited(state) {
        return refused(Reason::Closed, String::new());
    }
    let (words, files) = counted_words(context, state, &seat.into(), incoming);
    if words.is_empty() {
        return match &incoming.words.problem {
            Some(WordsProblem::Encrypted) => refused(Reason::Encrypted, String::new()),
            // Its receipt says which files can't be read.
            _ if !incoming.words.unread.is_empty() => {
                Event::Mail(Box::new(mail_in(seat, words, files, file, incoming)))
            }
            problem => {
                let problem = problem.as_ref().map(|problem| format!("{problem:?}"));
                refused(Reason::Empty, problem.unwrap_or_default())
            }
        };
    }
    let (value, words) = beacon_and_rest(words);
    let trust = senders::trust_in(context, state, seat, incoming);
    // A value proves itself, so its sender doesn't matter.
    if trust < least && !words.is_empty() {
        let found = format!("{trust}, from {}", incoming.from.email);
        return refused(Reason::Held, found);
    }
    if let Some(value) = value {
        let rest = (!words.is_empty()).then(|| mail_in(seat, words, files, file, incoming));
        return judge_values::judge_beacon(context, state, seat, value, rest, came);
    }
    let copy = copy_digest(seat, incoming.message_id.as_deref(), &words);
    if copy.is_some_and(|copy| state.taken.contains(&copy)) {
        return came.refused(Reason::Duplicate, None, String::new());
    }
    Event::Mail(Box::new(mail_in(seat, words, files, file, incoming)))
}

/// Returns true if a claim carries a good token of its seat: that of its last letter, or of a
/// receipt that can still be answered.
fn is_good(context: &Context, claim: &Claim, state: &State) -> bool {
    let Some(seat) = state.seats.get(claim.seat.as_str()) else {
        return false;
    };
    is_token(context, claim, &claim.seat, seat.token)
        || is_receipts(context, claim, seat.receipt_tokens.keys().copied())
}

/// Returns true if a claim's token is `back` tokens old, or that of a receipt of that time.
fn is_old(context: &Context, claim: &Claim, state: &State, back: u64) -> bool {
    let seat = state.seats.get(claim.seat.as_str());
    let number = seat.and_then(|seat| seat.token.checked_sub(back));
    number.is_some_and(|number| {
        is_token(context, claim, &claim.seat, number) || is_receipts(context, claim, [number])
    })
}

fn is_receipts(context: &Context, claim: &Claim, numbers: impl IntoIterator<Item = u64>) -> bool {
    let label = receipt_label(&claim.seat);
    let mut numbers = numbers.into_iter();
    numbers.any(|number| is_token(context, claim, &label, number))
}

/// Returns true if a claim carries the token of this label and number; in constant time.
fn is_token(context: &Context, claim: &Claim, label: &str, number: u64) -> bool {
    let key = context.eras.letters.token.bytes();
    let campaign = context.settings.campaign.as_str();
    (claim.token.as_ref()).is_some_and(|token| Token::check(key, campaign, label, number, token))
}

/// Returns true if recording a mail now would change nothing, and too many such mails have been
/// recorded within the hour.
pub(crate) fn passes_over(state: &State, event: &Event, now: Timestamp) -> bool {
    matches!(event, Event::Refused(refused) if state.is_idle(refused, now))
        && state.counted(RateKind::Idle, now) >= IDLE
}

/// Refuses a mail from a list or a mass mailing without an answer (RFC 3834, 2): its record names
/// no seat.
fn without_answer(event: Event, incoming: &Incoming) -> Event {
    match event {
        Event::Refused(mut refused) if incoming.automatic.is_some() => {
            if let Some(seat) = refused.seat.take() {
                refused.detail = format!("for {seat}, by a list; {}", refused.detail);
            }
            Event::Refused(refused)
        }
        event => event,
    }
}
