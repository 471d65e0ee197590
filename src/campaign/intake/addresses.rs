//! A player moves to another address: `ADDRESS new@example.org` in a mail with the seat's token,
//! from any address.
//!
//! A code goes to the new address, and word of it to the old one. Only a mail with the code that
//! comes from the new address makes the change; until then nothing is different. The owner of the
//! new address may never have heard of the campaign. So nobody gets a second code, a seat can have
//! only a few sent in a day, and none is answered.

use crate::{
    campaign::{
        intake::{
            arrival::{Arrival, is_awaited, mail_in},
            counted_words::counted_words,
            senders,
        },
        model::{
            context::Context,
            events::{AddressMail, AddressStep, Event, Reason, SeatMail},
            players,
            replies::code_label,
            seats::Address,
            state::State,
            trust::Trust,
        },
        words::errand_words::{ErrandWord, WORDS},
    },
    dice::canonical_orders,
    ids::SeatId,
    mail::{Claim, Incoming, TOKEN_CHARS, Token},
    orders::fold,
};

/// A line about an address.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AddressLine {
    /// Letters shall go there; it need not be an address.
    To(String),
    /// The code of a change.
    Code(String),
}

/// `ADDRESS new@example.org`, `ADDRESS <code>`, in any language; none if a line is neither.
fn address_line(line: &str) -> Option<AddressLine> {
    let edges = ['<', '>', '.', ',', ';', ':', '(', ')', '[', ']'];
    let mut words = line.split_whitespace();
    let verb = words.next()?.trim_end_matches(':');
    if !WORDS.is(ErrandWord::Address, &fold(verb)) {
        return None;
    }
    let bare = |word: &str| {
        let word = word.trim_matches(edges);
        word.strip_prefix("mailto:").unwrap_or(word).to_owned()
    };
    let mut words = words.map(bare).filter(|word| !word.is_empty());
    let said = words.next()?;
    // Mail programs write an address a second time, as a link.
    if words.any(|more| more != said) {
        return None;
    }
    if said.contains('@') {
        return Some(AddressLine::To(said));
    }
    let code: String = said.chars().filter(|c| *c != '-').collect();
    let is_code =
        code.len() == TOKEN_CHARS && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_code.then(|| AddressLine::Code(code.to_ascii_lowercase()))
}

/// Judges a mail with a line about the seat's address; none for any other mail, and for one that
/// may not speak of it.
pub(crate) fn judge_address(
    context: &Context,
    state: &State,
    came: &Arrival<'_>,
    claims: &[Claim],
    good: Option<&Claim>,
    least: Trust,
) -> Option<Event> {
    let Arrival { file, incoming, .. } = *came;
    let own = came.words_of_player()?;
    let given = |seat: &SeatId, step, address, orders| {
        Event::Address(Box::new(AddressMail {
            seat: seat.clone(),
            step,
            address,
            message_id: incoming.message_id.clone(),
            digest: incoming.digest,
            file: file.to_owned(),
            orders,
        }))
    };
    let refused = |seat: &SeatId, reason, detail| came.refused(reason, Some(seat.clone()), detail);
    match own.lines().find_map(address_line)? {
        AddressLine::Code(code) => {
            let from: Option<Address> = incoming.from.email.parse().ok();
            let named = good.or_else(|| claims.first());
            let named = named.map(|claim| SeatId::from(claim.seat.as_str()));
            let claimed = named.or_else(|| seat_asked_for(state, from.as_ref()?))?;
            let confirmed = from.filter(|from| is_code(context, state, &claimed, from, &code));
            Some(match confirmed {
                Some(address) => given(&claimed, AddressStep::Confirmed, address, None),
                None => refused(&claimed, Reason::AddressCode, String::new()),
            })
        }
        AddressLine::To(text) => {
            let seat: SeatId = good?.seat.as_str().into();
            let trust = senders::trust_in(context, state, &seat, incoming);
            if trust < least {
                let found = format!("{trust}, from {}", incoming.from.email);
                return Some(refused(&seat, Reason::Held, found));
            }
            let step = step_to(context, state, &seat, &text);
            let is_about = |line: &str| address_line(line).is_some();
            let orders = || orders_beside(context, state, &seat, (file, incoming), is_about);
            Some(match step {
                Some((step, address)) => given(&seat, step, address, orders()),
                None => refused(&seat, Reason::AddressUnfit, String::new()),
            })
        }
    }
}

/// The seat whose letters shall go to this address.
fn seat_asked_for(state: &State, address: &Address) -> Option<SeatId> {
    let mut contacts = state.contacts.iter();
    let found = contacts.find(|(_, contact)| {
        (contact.asked.as_ref()).is_some_and(|asked| asked.address == *address)
    });
    found.map(|(seat, _)| seat.clone())
}

/// The step that naming this address means for a seat; none if letters can't go there, or go there
/// already.
fn step_to(
    context: &Context,
    state: &State,
    seat: &SeatId,
    text: &str,
) -> Option<(AddressStep, Address)> {
    let address: Address = text.parse().ok()?;
    if context.mailbox().owns(address.as_str()) {
        return None;
    }
    let player = players::player(context, state, seat)?;
    let stays = player.address.is(address.as_str());
    let waits = (state.contacts.get(seat)).is_some_and(|contact| contact.asked.is_some());
    match (stays, waits) {
        (true, true) => Some((AddressStep::Kept, address)),
        (true, false) => None,
        (false, _) => Some((AddressStep::Asked, address)),
    }
}

/// The orders of a mail that has lines about something else as well.
pub(super) fn orders_beside(
    context: &Context,
    state: &State,
    seat: &SeatId,
    (file, incoming): (&str, &Incoming),
    is_about: impl Fn(&str) -> bool,
) -> Option<Box<SeatMail>> {
    if !is_awaited(state) {
        return None;
    }
    let (words, files) = counted_words(context, state, seat, incoming);
    let rest = words.lines().filter(|line| !is_about(line));
    let rest: String = rest.map(|line| format!("{line}\n")).collect();
    let words = canonical_orders(&rest);
    (!words.is_empty()).then(|| Box::new(mail_in(seat, words, files, file, incoming)))
}

/// Returns true if this is the code that was sent to this address for this seat; in constant time.
fn is_code(context: &Context, state: &State, seat: &SeatId, from: &Address, code: &str) -> bool {
    let asked = state.contacts.get(seat);
    let asked = asked.and_then(|contact| contact.asked.as_ref());
    asked.is_some_and(|asked| {
        let key = context.eras.letters.token.bytes();
        let campaign = context.settings.campaign.as_str();
        asked.address == *from && Token::check(key, campaign, &code_label(seat), asked.letter, code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_about_an_address_is_known_in_both_languages() {
        let to = |text: &str| Some(AddressLine::To(text.to_owned()));
        let code = |text: &str| Some(AddressLine::Code(text.to_owned()));
        for (line, said) in [
            ("ADDRESS ada@example.net", to("ada@example.net")),
            ("adresse : ada@example.net", to("ada@example.net")),
            ("Adresse: <ada@example.net>", to("ada@example.net")),
            (
                "ADDRESS ada@example.net <mailto:ada@example.net>",
                to("ada@example.net"),
            ),
            ("ADDRESS ada@example.net please", None),
            ("ADDRESS qyqtfpdmfae2abxm", code("qyqtfpdmfae2abxm")),
            ("address QYQT-FPDM-FAE2-ABXM.", code("qyqtfpdmfae2abxm")),
            ("ADDRESS unknown", None),
            ("ADDRESS", None),
            ("", None),
            ("My address ada@example.net", None),
            ("ADDRESSES ada@example.net", None),
        ] {
            assert_eq!(address_line(line), said, "{line}");
        }
    }
}
