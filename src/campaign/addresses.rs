//! A player moves to another address: `ADDRESS new@example.org` in a mail with the seat's token, from whatever address.
//!
//! A code goes to the new address, and word of it to the old one. Only a mail with the code that comes from the new address
//! makes the change; until then nothing is different. Whoever is written to has perhaps never heard of the campaign, so
//! nobody gets a second code, a seat can have a few sent in a day, and none is answered.

use jiff::SignedDuration;

use super::{
    Address, Seat, Trust,
    again::Taken,
    engine::{Effects, Engine, EngineError},
    events::{AddressIn, AddressStep, Bounced, Event, MailIn, Reason, Refused},
    intake::{is_awaited, mail_in},
    players::{Asked, Coded},
    state::State,
};
use crate::{
    dice::canonical_orders,
    dispatch::AddressWhat,
    ids::SeatId,
    mail::{self, Claim, Incoming, ReplyAddress, TOKEN_CHARS, Token},
};

/// How long a code is good.
pub const CODE_LASTS: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How many codes a seat can have sent in a day.
pub const CODES_A_DAY: usize = 3;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// What a line says about an address.
#[derive(Clone, Debug, PartialEq, Eq)]
enum AddressLine {
    /// Letters shall go there; it need not be an address.
    To(String),
    /// The code of a change.
    Code(String),
}

/// `ADDRESS new@example.org`, `ADDRESS <code>`, in English or French; none if a line is neither.
fn address_line(line: &str) -> Option<AddressLine> {
    let edges = ['<', '>', '.', ',', ';', ':', '(', ')', '[', ']'];
    let mut words = line.split_whitespace();
    let verb = words.next()?.trim_end_matches(':');
    if !["address", "adresse"]
        .iter()
        .any(|known| verb.eq_ignore_ascii_case(known))
    {
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

impl Engine {
    /// Judges a mail with a line about the seat's address; none for any other mail, and for one that may not speak of it.
    pub(super) fn judge_address(
        &self,
        state: &State,
        file: &str,
        incoming: &Incoming,
        claims: &[Claim],
        good: Option<&Claim>,
        least: Trust,
    ) -> Option<Event> {
        // What a list has passed on changes nobody's address.
        if incoming.automatic.is_some() {
            return None;
        }
        let own = canonical_orders(&incoming.words.text);
        let given = |seat: &SeatId, step, address, orders| {
            Event::Address(Box::new(AddressIn {
                seat: seat.clone(),
                step,
                address,
                message_id: incoming.message_id.clone(),
                digest: incoming.digest.clone(),
                file: file.to_owned(),
                orders,
            }))
        };
        let refused = |seat: &SeatId, reason, detail| {
            Event::Refused(Refused {
                reason,
                seat: Some(seat.clone()),
                message_id: incoming.message_id.clone(),
                digest: incoming.digest.clone(),
                file: file.to_owned(),
                detail,
            })
        };
        match own.lines().find_map(address_line)? {
            AddressLine::Code(code) => {
                let from: Option<Address> = incoming.from.email.parse().ok();
                let named = good.or_else(|| claims.first());
                let named = named.map(|claim| SeatId::from(claim.seat.as_str()));
                let claimed = named.or_else(|| self.seat_asked_for(state, from.as_ref()?))?;
                let confirmed = from.filter(|from| self.is_code(state, &claimed, from, &code));
                Some(match confirmed {
                    Some(address) => given(&claimed, AddressStep::Confirmed, address, None),
                    None => refused(&claimed, Reason::AddressCode, String::new()),
                })
            }
            AddressLine::To(text) => {
                let seat: SeatId = good?.seat.as_str().into();
                let trust = self.trust_in(state, &seat, incoming);
                if trust < least {
                    let found = format!("{trust}, from {}", incoming.from.email);
                    return Some(refused(&seat, Reason::Held, found));
                }
                let step = self.step_to(state, &seat, &text);
                let orders = || self.orders_beside(state, &seat, file, incoming);
                Some(match step {
                    Some((step, address)) => given(&seat, step, address, orders()),
                    None => refused(&seat, Reason::AddressUnfit, String::new()),
                })
            }
        }
    }

    /// The seat whose letters shall go to this address.
    fn seat_asked_for(&self, state: &State, address: &Address) -> Option<SeatId> {
        let mut contacts = state.contacts.iter();
        let found = contacts.find(|(_, contact)| {
            (contact.asked.as_ref()).is_some_and(|asked| asked.address == *address)
        });
        found.map(|(seat, _)| seat.clone())
    }

    /// What naming this address means for a seat; none if letters can't go there, or go there already.
    fn step_to(&self, state: &State, seat: &SeatId, text: &str) -> Option<(AddressStep, Address)> {
        let address: Address = text.parse().ok()?;
        if self.host().owns(address.as_str()) {
            return None;
        }
        let stays = self.player(state, seat)?.address == address;
        let waits = (state.contacts.get(seat)).is_some_and(|contact| contact.asked.is_some());
        match (stays, waits) {
            (true, true) => Some((AddressStep::Kept, address)),
            (true, false) => None,
            (false, _) => Some((AddressStep::Asked, address)),
        }
    }

    /// The orders of a mail that speaks of an address as well.
    fn orders_beside(
        &self,
        state: &State,
        seat: &SeatId,
        file: &str,
        incoming: &Incoming,
    ) -> Option<Box<MailIn>> {
        if !is_awaited(state) {
            return None;
        }
        let (words, files) = self.counted_words(state, seat, incoming);
        let rest = words.lines().filter(|line| address_line(line).is_none());
        let rest: String = rest.map(|line| format!("{line}\n")).collect();
        let words = canonical_orders(&rest);
        (!words.is_empty()).then(|| Box::new(mail_in(seat, words, files, file, incoming)))
    }

    /// Whether this is the code that was sent to this address for this seat; in constant time.
    fn is_code(&self, state: &State, seat: &SeatId, from: &Address, code: &str) -> bool {
        let asked = state.contacts.get(seat);
        let asked = asked.and_then(|contact| contact.asked.as_ref());
        asked.is_some_and(|asked| {
            let key = self.eras.letters.token.bytes();
            let campaign = self.settings.campaign.as_str();
            asked.address == *from && Token::check(key, campaign, &label(seat), asked.letter, code)
        })
    }

    /// Takes a step of the exchange.
    pub(super) fn exchange(
        &self,
        state: &mut State,
        given: &AddressIn,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        state.taken.insert(given.digest.clone());
        match given.step {
            AddressStep::Asked if self.may_ask(state, given) => {
                self.send_code(state, given, effects)?;
            }
            AddressStep::Asked => {
                self.not_changed(state, given, Reason::AddressTooOften, effects)?;
            }
            AddressStep::Kept => {
                let answers = given.message_id.clone();
                self.no_change(state, &given.seat, answers, effects)?;
            }
            AddressStep::Confirmed => self.change(state, given, effects)?,
        }
        match &given.orders {
            Some(orders) => self.take(state, orders, head, effects),
            None => Ok(()),
        }
    }

    /// Whether a code can be sent to this address now.
    fn may_ask(&self, state: &State, given: &AddressIn) -> bool {
        let mut all = state.contacts.values().flat_map(|contact| &contact.codes);
        let known = all.any(|coded| coded.address == given.address);
        let own = state.contacts.get(&given.seat);
        let codes = own.map_or(&[][..], |contact| &contact.codes);
        let today = codes
            .iter()
            .filter(|coded| state.time.duration_since(coded.at) < DAY);
        !known && today.count() < CODES_A_DAY
    }

    /// A code to the new address, and word of it to the present one.
    fn send_code(
        &self,
        state: &mut State,
        given: &AddressIn,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let (seat, address) = (&given.seat, &given.address);
        let Some(player) = self.player(state, seat).cloned() else {
            return Ok(());
        };
        let until = state.time.checked_add(CODE_LASTS).unwrap_or(state.time);
        let letter = state.mails.get(seat.as_str()).copied().unwrap_or(0) + 1;
        let contact = state.contacts.entry(seat.clone()).or_default();
        contact.asked = Some(Asked {
            address: address.clone(),
            until,
            letter,
        });
        contact.codes.push(Coded {
            address: address.clone(),
            at: state.time,
            letter,
        });
        let code = self.code(seat, letter);
        let answers = self.code_address(seat, &code);
        let what = AddressWhat::Code { code: &code, until };
        let content = self.address_content(&player, what, None);
        let to = mail::Address {
            name: None,
            email: address.to_string(),
        };
        self.send_elsewhere(state, seat, (to, Some(answers)), content, effects)?;
        let new = address.as_str();
        let what = AddressWhat::Asked { new, until };
        let content = self.address_content(&player, what, given.message_id.clone());
        self.send_to_seat(state, seat, content, effects)
    }

    /// The code has come back from the new address in time: letters go there.
    fn change(
        &self,
        state: &mut State,
        given: &AddressIn,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let seat = &given.seat;
        let asked = state.contacts.get(seat);
        let asked = asked.and_then(|contact| contact.asked.as_ref());
        let good =
            asked.is_some_and(|asked| asked.address == given.address && state.time <= asked.until);
        let player = self.player(state, seat).cloned();
        let Some(player) = player.filter(|_| good) else {
            return self.not_changed(state, given, Reason::AddressCode, effects);
        };
        self.farewell(state, seat, AddressWhat::Moved, effects)?;
        let address = given.address.clone();
        self.hand_over(state, Seat { address, ..player });
        self.dispatch_again(state, seat, Taken::Along, effects)
    }

    /// A change that was asked for is off.
    fn no_change(
        &self,
        state: &mut State,
        seat: &SeatId,
        answers: Option<String>,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if let Some(contact) = state.contacts.get_mut(seat) {
            contact.asked = None;
        }
        let Some(player) = self.player(state, seat).cloned() else {
            return Ok(());
        };
        let content = self.address_content(&player, AddressWhat::Kept, answers);
        self.send_to_seat(state, seat, content, effects)
    }

    /// Tells the seat's present address why nothing is changed.
    fn not_changed(
        &self,
        state: &mut State,
        given: &AddressIn,
        reason: Reason,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let refused = Refused {
            reason,
            seat: Some(given.seat.clone()),
            message_id: given.message_id.clone(),
            digest: given.digest.clone(),
            file: given.file.clone(),
            detail: String::new(),
        };
        if !state.may_refuse(&given.seat, &refused) {
            return Ok(());
        }
        self.refusal_letter(state, &given.seat, &refused, effects)
    }

    /// Whether a letter that has come back did not go to the seat's present address: then it says nothing about that. A code
    /// that can't be delivered is no good any more.
    pub(super) fn bounced_elsewhere(
        &self,
        state: &mut State,
        bounced: &Bounced,
        effects: &mut Effects,
    ) -> Result<bool, EngineError> {
        let Some(contact) = state.contacts.get(&bounced.to) else {
            return Ok(false);
        };
        let asked = contact.asked.as_ref().map(|asked| asked.letter);
        if bounced.permanent && asked == Some(bounced.number) {
            self.no_change(state, &bounced.to, None, effects)?;
            return Ok(true);
        }
        let coded = contact
            .codes
            .iter()
            .any(|coded| coded.letter == bounced.number);
        Ok(coded || bounced.number <= contact.since)
    }

    fn code(&self, seat: &SeatId, letter: u64) -> String {
        let key = self.eras.letters.token.bytes();
        Token::make(key, self.settings.campaign.as_str(), &label(seat), letter)
    }

    /// Where the code is answered to: an address that tells which campaign it is for.
    fn code_address(&self, seat: &SeatId, code: &str) -> String {
        let address = ReplyAddress {
            host: self.host(),
            campaign: self.settings.campaign.to_string(),
            seat: seat.to_string(),
            token: code.to_owned(),
        };
        address.to_string()
    }
}

/// For whom a code is made, so that it is no token of orders: no seat can be called so.
fn label(seat: &SeatId) -> String {
    format!("{seat}/address")
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
