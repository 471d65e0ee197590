//! Errands: what a mail asks of the host beside orders, such as `STATUS`, `RESEND 3`, `PRESS TO
//! ...`.
//!
//! Questions are answered even without a good token if the mail comes from the seat's registered
//! address, since the answer goes there and nowhere else: players who have lost their letters have
//! lost their token too. Everything else needs the token, and the same trust as orders.

use std::cell::LazyCell;

use crate::{
    campaign::{
        intake::arrival::Arrival,
        model::{
            context::Context,
            errands::ErrandLine,
            events::{ErrandMail, Event},
            players,
            rate::{RateKind, UNPROVEN},
            replies::copy_digest,
            state::State,
        },
        words::{addressees::addressees, errand_lines::read_errands, moment},
    },
    dice::canonical_orders,
    ids::SeatId,
    mail::{Claim, Incoming, MailWords},
};

/// A mail with errands, and the mail that remains without them.
pub(super) struct MixedMail {
    /// The errands.
    pub mail: ErrandMail,
    /// The rest of it; none if nothing is left that could be meant for the campaign.
    pub rest: Option<Incoming>,
    /// True if it does something that needs the same trust as orders.
    pub changes: bool,
}

/// The errands of a mail; none if it has none, or may not have those that it has.
pub(super) fn errands(
    context: &Context,
    state: &State,
    came: &Arrival<'_>,
    claims: &[Claim],
    good: Option<&Claim>,
) -> Option<MixedMail> {
    let incoming = came.incoming;
    if incoming.automatic.is_some() || incoming.words.text.is_empty() {
        return None;
    }
    let seat = match good.or_else(|| claims.first()) {
        Some(claim) => SeatId::from(claim.seat.as_str()),
        None => seat_of_sender(context, state, incoming)?,
    };
    // Most mails have no line that asks, and need no view.
    let moment = LazyCell::new(|| moment::moment(context, state, &seat));
    let is_order = |line: &str| moment::is_order(context, &moment, &seat, line);
    let resolve = |name: &str| addressees(context, &seat, name);
    let found = read_errands(&incoming.words.text, resolve, is_order);
    if found.errands.is_empty() {
        return None;
    }
    let changes = |line: &ErrandLine| !line.errand.is_question();
    let changes = found.errands.iter().any(changes);
    let proven = good.is_some();
    if !proven && (changes || !may_ask_unproven(context, state, came, &seat)) {
        return None;
    }
    let rest = rest_of(context, &moment, &seat, incoming, found.rest);
    let words = canonical_orders(&incoming.words.text);
    let mail = ErrandMail {
        copy: copy_digest(&seat, incoming.message_id.as_deref(), &words),
        seat,
        errands: found.errands,
        proven,
        message_id: incoming.message_id.clone(),
        digest: incoming.digest,
        file: came.file.to_owned(),
        gone: Vec::new(),
        beside: None,
    };
    Some(MixedMail {
        mail,
        rest,
        changes,
    })
}

/// The seat of the player with the sender's address, if it is the only one.
fn seat_of_sender(context: &Context, state: &State, incoming: &Incoming) -> Option<SeatId> {
    let players = players::players(context, state);
    let mut own = players.filter(|player| player.address.is(&incoming.from.email));
    let first = own.next()?;
    own.next().is_none().then(|| first.id.clone())
}

/// Returns true if questions are answered without a good token: they come from the registered
/// address, and not too many of them.
fn may_ask_unproven(context: &Context, state: &State, came: &Arrival<'_>, seat: &SeatId) -> bool {
    let player = players::player(context, state, seat);
    player.is_some_and(|player| player.address.is(&came.incoming.from.email))
        && state.counted(RateKind::Unproven(seat), came.at) < UNPROVEN
}

/// The mail without its errands; none if it says nothing any more, or only greets.
fn rest_of(
    context: &Context,
    moment: &moment::Moment,
    seat: &SeatId,
    incoming: &Incoming,
    rest: String,
) -> Option<Incoming> {
    let words = canonical_orders(&rest);
    let mut verdicts = Default::default();
    let says_something = !words.is_empty()
        && moment::judge_mail(context, moment, seat, &words, &mut verdicts).is_ok_and(
            |(settled, first)| {
                first.says_something() || settled.is_none_or(|it| !it.text.trim().is_empty())
            },
        );
    let has_files = !incoming.words.attached.is_empty() || !incoming.words.unread.is_empty();
    (says_something || has_files).then(|| Incoming {
        words: MailWords {
            text: rest,
            ..incoming.words.clone()
        },
        ..incoming.clone()
    })
}

impl MixedMail {
    /// Joins the errands with the event of the rest of the mail.
    pub(super) fn with(mut self, beside: Option<Event>) -> Event {
        self.mail.beside = beside.map(Box::new);
        Event::Errands(Box::new(self.mail))
    }

    /// Returns true if a copy of the mail has come before.
    pub(super) fn is_copy(&self, state: &State) -> bool {
        self.mail
            .copy
            .is_some_and(|copy| state.taken.contains(&copy))
    }

    /// The seat that asks.
    pub(super) fn seat(&self) -> &SeatId {
        &self.mail.seat
    }

    /// Returns true if the mail has its seat's token.
    pub(super) fn is_proven(&self) -> bool {
        self.mail.proven
    }
}
