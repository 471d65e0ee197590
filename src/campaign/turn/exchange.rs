//! The exchange that changes a seat's address: a code goes to the new address and word of it to the
//! old one; the change follows when the code comes back.

use jiff::SignedDuration;

use crate::{
    campaign::{
        model::{
            contact::{AddressRequest, IssuedCode},
            events::{
                AddressMail, AddressStep, Bounce, Reason, RefusedMail, ScreenMail, SeatMail,
                ZoneMail,
            },
            players, replies,
            seats::{Screen, Seat},
            state::State,
            work_error::WorkError,
        },
        turn::{
            handover,
            plan::{AddressNews, AddressPlan, RepeatReason, SeatLetter},
            planning, taking,
            work::Work,
        },
    },
    ids::SeatId,
    mail,
};

/// The time that a code stays good.
pub const CODE_LASTS: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The most codes that a seat can request in a day.
pub const CODES_A_DAY: usize = 3;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Takes a step of the exchange.
pub(crate) fn exchange(work: &mut Work<'_>, given: &AddressMail) -> Result<(), WorkError> {
    work.state.taken.insert(given.digest);
    match given.step {
        AddressStep::Asked if may_ask(&work.state, given) => {
            send_code(work, given);
        }
        AddressStep::Asked => {
            not_changed(work, given, Reason::AddressTooOften);
        }
        AddressStep::Kept => {
            let answers = given.message_id.clone();
            no_change(work, &given.seat, answers);
        }
        AddressStep::Confirmed => change(work, given)?,
    }
    match &given.orders {
        Some(orders) => taking::take(work, orders),
        None => Ok(()),
    }
}

/// Times are told to a seat in the zone that it names.
pub(crate) fn tell_in_zone(work: &mut Work<'_>, given: &ZoneMail) -> Result<(), WorkError> {
    work.state.taken.insert(given.digest);
    let news = AddressNews::Zone {
        zone: given.zone.to_string(),
        now: work.state.time,
    };
    let zone = Some(given.zone.clone());
    let with = |player| Seat { zone, ..player };
    let (seat, orders) = (&given.seat, given.orders.as_deref());
    let answers = || given.message_id.clone();
    match given.screen {
        None => fulfil(work, seat, with, news, answers(), orders),
        Some(screen) => {
            fulfil(work, seat, with, news, answers(), None)?;
            fulfil_screen(work, seat, screen, answers(), orders)
        }
    }
}

/// The maps of a seat's letters are laid out for the screen that it names.
pub(crate) fn draw_for_screen(work: &mut Work<'_>, given: &ScreenMail) -> Result<(), WorkError> {
    work.state.taken.insert(given.digest);
    let (answers, orders) = (given.message_id.clone(), given.orders.as_deref());
    fulfil_screen(work, &given.seat, given.screen, answers, orders)
}

fn fulfil_screen(
    work: &mut Work<'_>,
    seat: &SeatId,
    screen: Screen,
    answers: Option<String>,
    orders: Option<&SeatMail>,
) -> Result<(), WorkError> {
    let with = |player| Seat { screen, ..player };
    fulfil(
        work,
        seat,
        with,
        AddressNews::Screen(screen),
        answers,
        orders,
    )
}

/// Sets what a player asked for and confirms it; orders beside it count as usual.
fn fulfil(
    work: &mut Work<'_>,
    seat: &SeatId,
    with: impl FnOnce(Seat) -> Seat,
    news: AddressNews,
    answers: Option<String>,
    orders: Option<&SeatMail>,
) -> Result<(), WorkError> {
    if let Some(player) = players::player(work.context, &work.state, seat).cloned() {
        let player = with(player);
        let contact = work.state.contacts.entry(seat.clone()).or_default();
        contact.player = Some(player.clone());
        let letter = SeatLetter::Address(Box::new(AddressPlan {
            player,
            news,
            answers,
        }));
        planning::send(work, seat, letter);
    }
    match orders {
        Some(orders) => taking::take(work, orders),
        None => Ok(()),
    }
}

/// Returns true if a code can be sent to this address now.
fn may_ask(state: &State, given: &AddressMail) -> bool {
    let mut all = state.contacts.values().flat_map(|contact| &contact.codes);
    let known = all.any(|coded| coded.address == given.address);
    let own = state.contacts.get(&given.seat);
    let codes = own.map_or(&[][..], |contact| &contact.codes);
    let today = codes
        .iter()
        .filter(|coded| state.time.duration_since(coded.at) < DAY);
    !known && today.count() < CODES_A_DAY
}

/// Sends a code to the new address, and word of it to the present one.
fn send_code(work: &mut Work<'_>, given: &AddressMail) {
    let context = work.context;
    let (seat, address) = (&given.seat, &given.address);
    let Some(player) = players::player(context, &work.state, seat).cloned() else {
        return;
    };
    let until = work
        .state
        .time
        .checked_add(CODE_LASTS)
        .unwrap_or(work.state.time);
    let letter = work.state.mails.get(seat.as_str()).copied().unwrap_or(0) + 1;
    let contact = work.state.contacts.entry(seat.clone()).or_default();
    contact.asked = Some(AddressRequest {
        address: address.clone(),
        until,
        letter,
    });
    contact.codes.push(IssuedCode {
        address: address.clone(),
        at: work.state.time,
        letter,
    });
    let code = replies::code(context, seat, letter);
    let answers = replies::code_address(context, seat, &code);
    let to = mail::NamedAddress {
        name: None,
        email: address.to_string(),
    };
    let about = |news, answers| {
        SeatLetter::Address(Box::new(AddressPlan {
            player: player.clone(),
            news,
            answers,
        }))
    };
    let letter = about(AddressNews::Code { code, until }, None);
    planning::send_elsewhere(work, seat, (to, Some(answers)), false, letter);
    let new = address.to_string();
    let letter = about(AddressNews::Asked { new, until }, given.message_id.clone());
    planning::send(work, seat, letter);
}

/// Changes the address if the code has come back from it in time.
fn change(work: &mut Work<'_>, given: &AddressMail) -> Result<(), WorkError> {
    let context = work.context;
    let seat = &given.seat;
    let asked = work.state.contacts.get(seat);
    let asked = asked.and_then(|contact| contact.asked.as_ref());
    let good =
        asked.is_some_and(|asked| asked.address == given.address && work.state.time <= asked.until);
    let player = players::player(context, &work.state, seat).cloned();
    let Some(player) = player.filter(|_| good) else {
        not_changed(work, given, Reason::AddressCode);
        return Ok(());
    };
    handover::farewell(work, seat, AddressNews::Moved);
    let address = given.address.clone().into();
    handover::hand_over(work, Seat { address, ..player });
    handover::send_again(work, seat, RepeatReason::NewAddress)
}

/// Calls off a requested change.
fn no_change(work: &mut Work<'_>, seat: &SeatId, answers: Option<String>) {
    if let Some(contact) = work.state.contacts.get_mut(seat) {
        contact.asked = None;
    }
    if let Some(player) = players::player(work.context, &work.state, seat).cloned() {
        let letter = SeatLetter::Address(Box::new(AddressPlan {
            player,
            news: AddressNews::Kept,
            answers,
        }));
        planning::send(work, seat, letter);
    }
}

/// Tells the seat's present address why nothing has changed.
fn not_changed(work: &mut Work<'_>, given: &AddressMail, reason: Reason) {
    let refused = RefusedMail {
        reason,
        seat: Some(given.seat.clone()),
        message_id: given.message_id.clone(),
        digest: given.digest,
        file: given.file.clone(),
        detail: String::new(),
    };
    if work.state.may_refuse(&given.seat, &refused) {
        planning::send(work, &given.seat, SeatLetter::Refusal(refused));
    }
}

/// Returns true if a letter that came back had not gone to the seat's present address, and so says
/// nothing about that. An undeliverable code becomes invalid.
pub(crate) fn bounced_elsewhere(work: &mut Work<'_>, bounced: &Bounce) -> bool {
    let Some(contact) = work.state.contacts.get(&bounced.to) else {
        return false;
    };
    let asked = contact.asked.as_ref().map(|asked| asked.letter);
    if bounced.permanent && asked == Some(bounced.number) {
        no_change(work, &bounced.to, None);
        return true;
    }
    let coded = contact
        .codes
        .iter()
        .any(|coded| coded.letter == bounced.number);
    coded || bounced.number <= contact.since
}
