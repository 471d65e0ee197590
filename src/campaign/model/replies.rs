//! Reply addresses, digests that identify copies of one mail, and codes for changes of address.

use crate::{
    campaign::model::{context::Context, recipient::Recipient, settings::Witness, state::State},
    dice::{hash, source::witness_lane},
    digest::Digest,
    ids::SeatId,
    mail::{ReplyAddress, Token},
};

/// The number of tokens back up to which a mail is told that it answers an earlier dispatch.
pub(crate) const OLD_TOKENS: u64 = 3;

/// The digest of seat, Message-ID and words, which copies of one mail share even if they came by
/// different ways. None without an id.
pub(crate) fn copy_digest(seat: &str, message_id: Option<&str>, words: &str) -> Option<Digest> {
    Some(hash(&format!("{seat} {} {}", message_id?, hash(words))))
}

/// The address for a seat's answers now.
#[must_use]
pub fn reply_address(context: &Context, state: &State, seat: &SeatId) -> String {
    let number = state.seats.get(seat).map_or(0, |seat| seat.token);
    reply_address_of(context, seat, number)
}

/// The address for a seat's answers under the token with this number.
pub(crate) fn reply_address_of(context: &Context, seat: &SeatId, number: u64) -> String {
    let campaign = context.settings.campaign.as_str();
    let token = Token::make(context.eras.letters.token.bytes(), campaign, seat, number);
    address(context, seat.to_string(), token)
}

/// The address for answers to a seat's receipts. It does not reveal whether the acknowledged orders
/// have been sealed, and it stays good if the next letter goes out together with the receipt.
pub(crate) fn receipt_address(context: &Context, state: &State, seat: &SeatId) -> String {
    let campaign = context.settings.campaign.as_str();
    let number = state.seats.get(seat).map_or(0, |seat| seat.token);
    let key = context.eras.letters.token.bytes();
    let token = Token::make(key, campaign, &receipt_label(seat), number);
    address(context, seat.to_string(), token)
}

/// The label for tokens of receipts: no seat can have this name.
pub(crate) fn receipt_label(seat: &str) -> String {
    format!("{seat}/receipt")
}

/// Returns true if letters to this name go to a witness of the dice.
pub(crate) fn is_witness(context: &Context, name: &str) -> bool {
    witness_of(context, name).is_some()
}

/// The witness whose letters go to this name; none if it is a seat's or the umpire's.
pub(crate) fn witness_of<'a>(context: &'a Context, name: &str) -> Option<&'a Witness> {
    let mut witnesses = context.settings.witnesses();
    witnesses.find(|witness| witness_lane(&witness.name) == name)
}

/// The address for a witness's answer to the present seal.
pub(crate) fn witness_address(context: &Context, state: &State, name: &SeatId) -> String {
    let campaign = context.settings.campaign.as_str();
    let seat = witness_lane(name);
    let token = Token::make(
        context.eras.letters.token.bytes(),
        campaign,
        &seat,
        state.dice.envelope.into(),
    );
    address(context, seat, token)
}

/// The address for mails with a token.
fn address(context: &Context, seat: String, token: String) -> String {
    let address = ReplyAddress {
        mailbox: context.mailbox().clone(),
        campaign: context.settings.campaign.as_str().to_owned(),
        seat,
        token,
    };
    address.to_string()
}

/// The address for the mails of an umpire. His token is his own, and stays the same: his mails
/// count only from his registered address.
pub(crate) fn umpire_address(context: &Context, name: &SeatId) -> String {
    let campaign = context.settings.campaign.as_str();
    let seat = Recipient::of_umpire(name).address_name();
    let key = context.eras.letters.token.bytes();
    let token = Token::make(key, campaign, &umpire_label(name), 0);
    address(context, seat, token)
}

/// The label for tokens of umpires: no seat can have this name.
pub(crate) fn umpire_label(name: &str) -> String {
    format!("{name}/umpire")
}

/// The code that is sent to a seat's new address, in the letter with this number.
pub(crate) fn code(context: &Context, seat: &SeatId, letter: u64) -> String {
    let key = context.eras.letters.token.bytes();
    Token::make(
        key,
        context.settings.campaign.as_str(),
        &code_label(seat),
        letter,
    )
}

/// The address for mails with the code, which says which campaign they are for.
pub(crate) fn code_address(context: &Context, seat: &SeatId, code: &str) -> String {
    address(context, seat.to_string(), code.to_owned())
}

/// The label for codes, so that none is a token for orders: no seat can have this name.
pub(crate) fn code_label(seat: &SeatId) -> String {
    format!("{seat}/address")
}
