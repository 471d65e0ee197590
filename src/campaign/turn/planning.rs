//! Planning letters: each gets its Message-ID, its address and its place in a thread, and is
//! thereby counted.

use std::rc::Rc;

use crate::{
    campaign::{
        model::{
            context::Context,
            players,
            rate::NOTICES,
            replies::{receipt_address, reply_address, witness_address},
            state::{SeatState, State},
        },
        turn::{
            plan::{
                Addressee, Circular, Cover, EntryPlan, LetterPlan, Plan, SeatLetter, UmpireLetter,
                WitnessLetter,
            },
            value::Turn,
        },
    },
    dice::Note,
    game::Lang,
    ids::SeatId,
    mail::{MessageName, NamedAddress},
};

/// Plans an entry of the register. It goes out with the next circular.
pub(crate) fn enter(turn: &mut Turn<'_>, entry: EntryPlan) {
    turn.plans.push(Plan::Entry(entry));
}

/// Plans a note in the register.
pub(crate) fn note(turn: &mut Turn<'_>, note: Note) {
    enter(turn, EntryPlan::Note(note));
}

/// Plans a letter to a seat.
pub(crate) fn send(turn: &mut Turn<'_>, seat: &SeatId, letter: SeatLetter) {
    let state = turn.now();
    send_from(turn, seat, &state, letter);
}

/// Plans a letter to a seat, made from this state.
pub(crate) fn send_from(turn: &mut Turn<'_>, seat: &SeatId, state: &Rc<State>, letter: SeatLetter) {
    let letter = to_seat(turn, seat, state, letter);
    turn.plans.extend(letter.map(Plan::Letter));
}

/// Plans a circular to all seats, made from the present state.
pub(crate) fn send_to_all(turn: &mut Turn<'_>, letter: impl Fn() -> SeatLetter) {
    let state = turn.now();
    let seats = turn.context.settings.seats.ids();
    let letters = seats.filter_map(|seat| to_seat(turn, seat, &state, letter()));
    let letters = letters.collect();
    turn.plans.push(Plan::Circular(Circular::of(letters)));
}

/// A letter to a seat, made from this state; none if nobody plays the seat.
pub(crate) fn to_seat(
    turn: &mut Turn<'_>,
    seat: &SeatId,
    state: &Rc<State>,
    letter: SeatLetter,
) -> Option<LetterPlan> {
    let player = players::player(turn.context, &turn.state, seat)?.clone();
    let entry = turn.state.seats.get(seat);
    let umpire = turn.context.settings.umpire.as_ref();
    let umpire = umpire.filter(|_| letter.is_umpires());
    let cover = Cover {
        lang: player.lang,
        address: player.in_header(),
        reply_to: Some(match umpire {
            Some(umpire) => umpire.to_string(),
            None if letter.is_receipt() => receipt_address(turn.context, &turn.state, seat),
            None => reply_address(turn.context, &turn.state, seat),
        }),
        thread: entry.and_then(|entry| entry.thread.clone()),
        aside: entry.is_some_and(SeatState::is_unreachable) || player.address.bot().is_some(),
        message_id: message_id(turn.context, &mut turn.state, seat),
    };
    let now = turn.state.time;
    if let Some(entry) = turn.state.seats.get_mut(seat) {
        if letter.starts_thread() {
            entry.thread = Some(cover.message_id.clone());
        }
        if letter.is_receipt() {
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
    turn: &mut Turn<'_>,
    seat: &SeatId,
    cover: (NamedAddress, Option<String>),
    aside: bool,
    letter: SeatLetter,
) {
    let (address, reply_to) = cover;
    let state = turn.now();
    let cover = Cover {
        lang: players::lang(turn.context, &turn.state, seat),
        address,
        reply_to,
        thread: None,
        aside,
        message_id: message_id(turn.context, &mut turn.state, seat),
    };
    let to = Addressee::Seat(seat.clone(), letter);
    turn.plans
        .push(Plan::Letter(LetterPlan { cover, to, state }));
}

/// A letter to a witness, whose reply address is for the present seal; none if there is no such
/// witness.
pub(crate) fn to_witness(
    turn: &mut Turn<'_>,
    name: &SeatId,
    state: &Rc<State>,
    letter: WitnessLetter,
) -> Option<LetterPlan> {
    let email = turn.context.witness(name)?.address.to_string();
    let reply_to = witness_address(turn.context, &turn.state, name);
    let to = Addressee::Witness(name.clone(), letter);
    Some(to_other(turn, to, (email, Some(reply_to)), state))
}

/// Plans a letter to a witness.
pub(crate) fn send_to_witness(turn: &mut Turn<'_>, name: &SeatId, letter: WitnessLetter) {
    let state = turn.now();
    let letter = to_witness(turn, name, &state, letter);
    turn.plans.extend(letter.map(Plan::Letter));
}

/// Plans a letter to the umpire, if there is one.
pub(crate) fn send_to_umpire(turn: &mut Turn<'_>, letter: UmpireLetter) {
    if let Some(umpire) = &turn.context.settings.umpire {
        let state = turn.now();
        let to = Addressee::Umpire(letter);
        let letter = to_other(turn, to, (umpire.to_string(), None), &state);
        turn.plans.push(Plan::Letter(letter));
    }
}

/// Sends the umpire a notice, unless he has had as many within the hour as a person reads.
pub(crate) fn notice(turn: &mut Turn<'_>, letter: UmpireLetter) {
    let wanted = turn.context.settings.umpire.is_some();
    if wanted && turn.state.count("notices", "umpire") <= NOTICES {
        send_to_umpire(turn, letter);
    }
}

/// A letter to somebody who has no seat.
fn to_other(
    turn: &mut Turn<'_>,
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
    letter.cover.message_id = message_id(turn.context, &mut turn.state, &name);
    letter
}

/// The next Message-ID for a recipient. It counts that recipient's letters alone, and its mark is a
/// keyed digest.
fn message_id(context: &Context, state: &mut State, to: &str) -> String {
    let count = state.mails.entry(to.to_owned()).or_insert(0);
    *count += 1;
    let name = MessageName {
        campaign: context.settings.campaign.to_string(),
        seat: to.to_owned(),
        number: *count,
        mark: context.mark(to, *count),
        domain: context.settings.host.domain.clone(),
    };
    name.to_string()
}
