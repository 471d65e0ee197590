//! Planning letters: each gets its Message-ID, its address and its place in a thread, and is
//! thereby counted.

use std::rc::Rc;

use crate::{
    campaign::{
        model::{
            context::Context,
            errands::SentLetter,
            players,
            rate::{NOTICES, RateKind},
            replies::{receipt_address, reply_address, umpire_address, witness_address},
            state::{SeatState, State},
            umpires::Umpire,
        },
        turn::{
            plan::{
                Addressee, Circular, Cover, EntryPlan, LetterPlan, Plan, SeatLetter, UmpireLetter,
                WitnessLetter,
            },
            work::Work,
        },
    },
    dice::Note,
    game::Lang,
    ids::SeatId,
    mail::{self, MessageName, NamedAddress},
};

/// Plans an entry of the register. It goes out with the next circular.
pub(crate) fn enter(work: &mut Work<'_>, entry: EntryPlan) {
    work.plans.push(Plan::Entry(entry));
}

/// Plans a note in the register.
pub(crate) fn note(work: &mut Work<'_>, note: Note) {
    enter(work, EntryPlan::Note(note));
}

/// Plans a letter to a seat.
pub(crate) fn send(work: &mut Work<'_>, seat: &SeatId, letter: SeatLetter) {
    let state = work.now();
    send_from(work, seat, &state, letter);
}

/// Plans a letter to a seat, made from this state.
pub(crate) fn send_from(work: &mut Work<'_>, seat: &SeatId, state: &Rc<State>, letter: SeatLetter) {
    let letter = to_seat(work, seat, state, letter);
    work.plans.extend(letter.map(Plan::Letter));
}

/// Plans a circular to all seats, made from the present state.
pub(crate) fn send_to_all(work: &mut Work<'_>, letter: impl Fn() -> SeatLetter) {
    let state = work.now();
    let seats = work.context.settings.seats.ids();
    let letters = seats.filter_map(|seat| to_seat(work, seat, &state, letter()));
    let letters = letters.collect();
    work.plans.push(Plan::Circular(Circular::of(letters)));
}

/// A letter to a seat, made from this state; none if nobody plays the seat.
pub(crate) fn to_seat(
    work: &mut Work<'_>,
    seat: &SeatId,
    state: &Rc<State>,
    letter: SeatLetter,
) -> Option<LetterPlan> {
    let player = players::player(work.context, &work.state, seat)?.clone();
    let entry = work.state.seats.get(seat);
    let umpire = work.context.settings.umpires_address();
    let umpire = umpire.filter(|_| letter.is_umpires());
    let cover = Cover {
        lang: player.lang,
        address: player.in_header(),
        reply_to: Some(match umpire {
            Some(umpire) => umpire.to_string(),
            None if letter.is_beside() => receipt_address(work.context, &work.state, seat),
            None => reply_address(work.context, &work.state, seat),
        }),
        thread: entry.and_then(|entry| entry.thread.clone()),
        aside: entry.is_some_and(SeatState::is_unreachable) || player.address.bot().is_some(),
        message_id: message_id(work.context, &mut work.state, seat),
    };
    let now = work.state.time;
    let number = work.state.mails.get(seat.as_str()).copied();
    if let Some(entry) = work.state.seats.get_mut(seat) {
        if let (Some(kind), Some(number)) = (letter.sent_kind(), number) {
            entry.sent.push(SentLetter {
                number,
                kind,
                turn: state.world.turn(),
                at: now,
            });
        }
        if letter.starts_thread() {
            entry.thread = Some(cover.message_id.clone());
        }
        if letter.is_beside() {
            entry.receipt_tokens.insert(entry.token, now);
        }
    }
    Some(LetterPlan {
        cover,
        to: Addressee::Seat(seat.clone(), letter),
        state: Rc::clone(state),
    })
}

/// Plans a letter of a seat's series to an address that is not, or no longer, the seat's. Its
/// header reveals nothing of the seat's other letters, nor the seat's reply address.
pub(crate) fn send_elsewhere(
    work: &mut Work<'_>,
    seat: &SeatId,
    cover: (NamedAddress, Option<String>),
    aside: bool,
    letter: SeatLetter,
) {
    let (address, reply_to) = cover;
    let state = work.now();
    let cover = Cover {
        lang: players::lang(work.context, &work.state, seat),
        address,
        reply_to,
        thread: None,
        aside,
        message_id: message_id(work.context, &mut work.state, seat),
    };
    let to = Addressee::Seat(seat.clone(), letter);
    work.plans
        .push(Plan::Letter(LetterPlan { cover, to, state }));
}

/// Plans a letter to a witness, whose reply address is for the present seal; none if there is no
/// such witness.
pub(crate) fn to_witness(
    work: &mut Work<'_>,
    name: &SeatId,
    state: &Rc<State>,
    letter: WitnessLetter,
) -> Option<LetterPlan> {
    let email = work.context.witness(name)?.address.to_string();
    let reply_to = witness_address(work.context, &work.state, name);
    let to = Addressee::Witness(name.clone(), letter);
    Some(to_other(work, to, (email, Some(reply_to)), state))
}

/// Plans a letter to a witness.
pub(crate) fn send_to_witness(work: &mut Work<'_>, name: &SeatId, letter: WitnessLetter) {
    let state = work.now();
    let letter = to_witness(work, name, &state, letter);
    work.plans.extend(letter.map(Plan::Letter));
}

/// Plans a letter to every umpire who reads letters.
pub(crate) fn send_to_umpire(work: &mut Work<'_>, letter: UmpireLetter) {
    let all = work.context.settings.all_umpires();
    for umpire in all.filter(|umpire| !umpire.silent) {
        send_to_this_umpire(work, &umpire, letter.clone());
    }
}

/// Plans a letter to one umpire. An answer goes to the address for his rulings.
pub(crate) fn send_to_this_umpire(work: &mut Work<'_>, umpire: &Umpire, letter: UmpireLetter) {
    let state = work.now();
    let to = Addressee::Umpire(umpire.name.clone(), letter);
    // In a campaign of an earlier version it may be longer than an address may be.
    let reply_to = Some(umpire_address(work.context, &umpire.name));
    let reply_to = reply_to.filter(|address| mail::check_address(address).is_ok());
    let cover = (umpire.address.to_string(), reply_to);
    let letter = to_other(work, to, cover, &state);
    work.plans.push(Plan::Letter(letter));
}

/// Sends the umpire a notice, unless he has had as many within the hour as a person reads.
pub(crate) fn notice(work: &mut Work<'_>, letter: UmpireLetter) {
    let wanted = work.context.settings.has_umpire();
    if wanted && work.state.count(RateKind::Notices) <= NOTICES {
        send_to_umpire(work, letter);
    }
}

/// Plans a letter to somebody without a seat.
fn to_other(
    work: &mut Work<'_>,
    to: Addressee,
    (email, reply_to): (String, Option<String>),
    state: &Rc<State>,
) -> LetterPlan {
    let cover = Cover {
        lang: Lang::En,
        address: NamedAddress { name: None, email },
        reply_to,
        thread: None,
        message_id: String::new(),
        aside: false,
    };
    let state = Rc::clone(state);
    let mut letter = LetterPlan { cover, to, state };
    let name = letter.recipient().address_name();
    letter.cover.message_id = message_id(work.context, &mut work.state, &name);
    letter
}

/// The next Message-ID for a recipient. It counts that recipient's letters alone, and its mark is a
/// keyed digest.
fn message_id(context: &Context, state: &mut State, to: &str) -> String {
    let count = state.mails.entry(to.to_owned()).or_insert(0);
    *count += 1;
    message_id_of(context, to, *count)
}

/// The Message-ID of a recipient's letter with this number.
pub(crate) fn message_id_of(context: &Context, to: &str, number: u64) -> String {
    let name = MessageName {
        campaign: context.settings.campaign.to_string(),
        seat: to.to_owned(),
        number,
        mark: context.mark(to, number),
        domain: context.settings.mailbox.domain.clone(),
    };
    name.to_string()
}
