//! Where letters are answered, and the codes of changes of address.

use crate::{
    campaign::model::{context::Context, state::State},
    dice::source::witness_lane,
    ids::SeatId,
    mail::{ReplyAddress, Token},
};

/// Where a seat's answers go now.
#[must_use]
pub fn reply_address(context: &Context, state: &State, seat: &SeatId) -> String {
    let campaign = context.settings.campaign.as_str();
    let number = state.seats.get(seat).map_or(0, |seat| seat.token);
    let token = Token::make(context.eras.letters.token.bytes(), campaign, seat, number);
    let address = ReplyAddress {
        mailbox: context.mailbox(),
        campaign: campaign.to_owned(),
        seat: seat.to_string(),
        token,
    };
    address.to_string()
}

/// Where a witness's answer to the present seal goes.
pub(crate) fn witness_address(context: &Context, state: &State, name: &SeatId) -> String {
    let campaign = context.settings.campaign.as_str();
    let seat = witness_lane(name);
    let token = Token::make(
        context.eras.letters.token.bytes(),
        campaign,
        &seat,
        state.dice.envelope.into(),
    );
    let address = ReplyAddress {
        mailbox: context.mailbox(),
        campaign: campaign.to_owned(),
        seat,
        token,
    };
    address.to_string()
}

/// The code that is sent to a new address of a seat, in the letter of this number.
pub(crate) fn code(context: &Context, seat: &SeatId, letter: u64) -> String {
    let key = context.eras.letters.token.bytes();
    Token::make(
        key,
        context.settings.campaign.as_str(),
        &code_label(seat),
        letter,
    )
}

/// Where the code is answered to: an address that tells which campaign it is for.
pub(crate) fn code_address(context: &Context, seat: &SeatId, code: &str) -> String {
    let address = ReplyAddress {
        mailbox: context.mailbox(),
        campaign: context.settings.campaign.to_string(),
        seat: seat.to_string(),
        token: code.to_owned(),
    };
    address.to_string()
}

/// For whom a code is made, so that it is no token of orders: no seat can be called so.
pub(crate) fn code_label(seat: &SeatId) -> String {
    format!("{seat}/address")
}
