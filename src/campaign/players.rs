//! Who plays a seat now. The settings say who began; since then a player may have moved to another address
//! (`addresses.rs`), and the umpire may have put somebody else into the seat.
//!
//! Whoever is reached at a new address gets a new token, and what was sent to an old address is as good as unsent: its token
//! counts as none of the seat's, and reports on it do not count against the new one.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Address, RulingError, Seat,
    again::Taken,
    drafts::{Content, named},
    engine::{Effects, Engine, EngineError},
    intake::OLD_TOKENS,
    state::{State, Waiting},
};
use crate::{
    dice::{Body, Note},
    dispatch::{self, AddressLetter, AddressWhat},
    game::Lang,
    ids::SeatId,
};

/// How a seat's player is reached, where that is not as the settings have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// The player; none if still the one of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Seat>,
    /// The seat's letters up to this number went to an earlier address.
    #[serde(default)]
    pub since: u64,
    /// The change of address that has been asked for and not been confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// The addresses that have got a code, in the order of the codes: each gets one only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<Coded>,
}

/// A change of address that waits for its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The new address.
    pub address: Address,
    /// Until when the code is good.
    pub until: Timestamp,
    /// The number of the letter with the code, which the code is made from.
    pub letter: u64,
}

/// An address that has got a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coded {
    /// The address.
    pub address: Address,
    /// When.
    pub at: Timestamp,
    /// The number of the letter among those of the seat.
    pub letter: u64,
}

impl Engine {
    /// Who plays a seat; none if there is no such seat.
    #[must_use]
    pub fn player<'a>(&'a self, state: &'a State, seat: &str) -> Option<&'a Seat> {
        let changed = state.contacts.get(seat);
        changed
            .and_then(|contact| contact.player.as_ref())
            .or_else(|| self.settings.seats.get(seat))
    }

    /// The players in the order of the seats.
    pub fn players<'a>(&'a self, state: &'a State) -> impl Iterator<Item = &'a Seat> {
        let seats = self.settings.seats.ids();
        seats.filter_map(|seat| self.player(state, seat))
    }

    /// The language of a seat.
    #[must_use]
    pub fn lang(&self, state: &State, seat: &SeatId) -> Lang {
        self.player(state, seat)
            .map_or(Lang::En, |player| player.lang)
    }

    /// Whether a player can be put into a seat.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn may_replace(&self, state: &State, player: &Seat) -> Result<(), RulingError> {
        if state.waiting == Waiting::Nothing {
            return Err(RulingError::Over);
        }
        if self.settings.seats.get(&player.id).is_none() {
            return Err(RulingError::NoSeat(player.id.clone()));
        }
        if self.host().owns(player.address.as_str()) {
            return Err(RulingError::OwnAddress(player.address.to_string()));
        }
        Ok(())
    }

    /// The umpire puts a player into a seat. The note goes out with what everybody gets next; it names no address.
    pub(super) fn replace(
        &self,
        state: &mut State,
        player: &Seat,
        why: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let seat = &player.id;
        let note = Note::new(&format!("the player of {seat} is replaced: {why}"))?;
        let note = self.enter(state, Body::Note(note), effects)?;
        state.dice.unsent.push(note);
        let stays = self.player(state, seat).map(|old| &old.address) == Some(&player.address);
        if !stays {
            let what = AddressWhat::Replaced { why };
            self.farewell(state, seat, what, effects)?;
        }
        self.hand_over(state, player.clone());
        self.opening_again(state, seat, effects)?;
        self.dispatch_again(state, seat, Taken::Over, effects)
    }

    /// The seat is its new player's: another token, and a clean slate for his address. Orders that have come for the seat
    /// stay, since they have been acknowledged.
    pub(super) fn hand_over(&self, state: &mut State, player: Seat) {
        let seat = player.id.clone();
        if let Some(entry) = state.seats.get_mut(&seat) {
            // So far that no token of a letter to the old address counts even as an old one.
            entry.token += OLD_TOKENS + 1;
            entry.failed.clear();
            entry.thread = None;
        }
        state.came_back.remove(&seat);
        let since = state.mails.get(seat.as_str()).copied().unwrap_or(0);
        let contact = state.contacts.entry(seat).or_default();
        // He has shown that he reads it, or the umpire has: it is no stranger's any more.
        contact
            .codes
            .retain(|coded| coded.address != player.address);
        (contact.since, contact.asked) = (since, None);
        contact.player = Some(player);
    }

    /// The last letter to the address that a seat has had until now.
    pub(super) fn farewell(
        &self,
        state: &mut State,
        seat: &SeatId,
        what: AddressWhat<'_>,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Some(old) = self.player(state, seat).cloned() else {
            return Ok(());
        };
        let content = self.address_content(&old, what, None);
        let given_up = (state.seats.get(seat)).is_some_and(|seat| seat.is_unreachable());
        self.send_elsewhere(state, seat, (named(&old), None), content, effects)?;
        if let Some(letter) = effects.letters.last_mut().filter(|_| given_up) {
            letter.aside = true;
        }
        Ok(())
    }

    /// A letter about the address of a seat, in the language of its player.
    pub(super) fn address_content(
        &self,
        player: &Seat,
        what: AddressWhat<'_>,
        answers: Option<String>,
    ) -> Content {
        let letter = AddressLetter {
            lang: player.lang,
            game: &self.game,
            campaign: self.settings.campaign.as_str(),
            seat: &player.id,
            umpire: self.umpire(),
            zone: self.settings.schedule.zone(),
            what,
        };
        let text = dispatch::about_address(&letter);
        let phrase = match player.lang {
            Lang::En => "Your address",
            Lang::Fr => "Votre adresse",
        };
        let subject = format!("[{}] {phrase}", self.settings.campaign);
        Content::plain(subject, text, answers)
    }
}
