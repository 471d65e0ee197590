//! Seats: their players' addresses, and whom a mail speaks for.

use std::{collections::BTreeSet, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize};

pub use super::player_address::Address;
use super::{clock::ClockZone, player_address::PlayerAddress};
pub use crate::mail::Screen;
use crate::{by_text, game::Lang, ids::SeatId, mail};

/// A seat and the player in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// Its id, one of the game's.
    #[serde(deserialize_with = "seat_id")]
    pub id: SeatId,
    /// The address of its dispatches.
    pub address: PlayerAddress,
    /// The language of its dispatches.
    pub lang: Lang,
    /// The player's name, for salutations; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The player's time zone; none for the campaign's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<ClockZone>,
    /// The screen on which the player reads letters.
    #[serde(default, skip_serializing_if = "Screen::is_wide")]
    pub screen: Screen,
}

impl Seat {
    /// The player's address as a header has it.
    #[must_use]
    pub fn in_header(&self) -> mail::NamedAddress {
        mail::NamedAddress {
            name: (!self.name.is_empty()).then(|| self.name.clone()),
            email: self.address.in_header(),
        }
    }
}

/// A seat's name, as hashes and addresses allow it (dice.md, section 2).
struct SeatName(SeatId);

impl FromStr for SeatName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=24).contains(&text.len()) && text.bytes().all(plain) && !RESERVED.contains(&text) {
            return Ok(Self(text.into()));
        }
        Err(format!(
            "`{text}` can't be a seat: 1 to 24 of a-z, 0-9 and -, and none of {}",
            RESERVED.join(", ")
        ))
    }
}

fn seat_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SeatId, D::Error> {
    by_text::read(deserializer).map(|SeatName(id)| id)
}

/// Names that mean something else where seats are named: two lanes of the dice, the umpire, all
/// seats.
const RESERVED: [&str; 4] = ["open", "shut", "umpire", "all"];

/// The seats of a campaign, in their fixed order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Seat>", into = "Vec<Seat>")]
pub struct Seats(Vec<Seat>);

impl Seats {
    /// Makes the seats, in this order.
    ///
    /// # Errors
    /// If there is none, or two have the same id.
    pub fn new(seats: Vec<Seat>) -> Result<Self, String> {
        let mut ids = BTreeSet::new();
        match seats.iter().find(|seat| !ids.insert(&seat.id)) {
            _ if seats.is_empty() => Err("a campaign needs at least one seat".into()),
            Some(twice) => Err(format!("the seat `{}` stands there twice", twice.id)),
            None => Ok(Self(seats)),
        }
    }

    /// All seats, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Seat> {
        self.0.iter()
    }

    /// The ids of all seats.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = &SeatId> {
        self.0.iter().map(|seat| &seat.id)
    }

    /// The seat with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Seat> {
        self.0.iter().find(|seat| seat.id == *id)
    }

    /// The seats with this address: several if one player has them.
    pub fn at<'a>(&'a self, address: &'a str) -> impl Iterator<Item = &'a Seat> {
        self.0.iter().filter(move |seat| seat.address.is(address))
    }

    /// Puts another player into a seat, which keeps its id and its knowledge.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn replace(&mut self, seat: Seat) -> Result<(), String> {
        match self.0.iter_mut().find(|old| old.id == seat.id) {
            Some(old) => *old = seat,
            None => return Err(format!("there is no seat `{}`", seat.id)),
        }
        Ok(())
    }
}

impl TryFrom<Vec<Seat>> for Seats {
    type Error = String;

    fn try_from(seats: Vec<Seat>) -> Result<Self, String> {
        Self::new(seats)
    }
}

impl From<Seats> for Vec<Seat> {
    fn from(seats: Seats) -> Self {
        seats.0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    fn seat(id: &str, address: &str) -> Seat {
        Seat {
            id: id.into(),
            address: address.parse().unwrap(),
            lang: Lang::En,
            name: String::new(),
            zone: None,
            screen: Screen::Wide,
        }
    }

    fn seats() -> Seats {
        Seats::new(vec![
            seat("red", "Ada@Example.org"),
            seat("blue", "bert@example.org"),
            seat("grey", "ada@example.org"),
        ])
        .unwrap()
    }

    #[test]
    fn addresses_are_equal_in_any_case() {
        assert!(
            seat("red", "Ada@Example.org")
                .address
                .is(" ada@EXAMPLE.ORG ")
        );
        assert!(!seat("red", "ada@example.org").address.is("ada@example.com"));
        assert_eq!(
            seat("red", "Ada@Example.org").address.to_string(),
            "Ada@Example.org",
            "kept as written"
        );
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for wrong in [
            "",
            "ada",
            "@example.org",
            "ada@",
            "a b@example.org",
            "a@b@c",
            "a@b\nBcc: c@d",
            "<a@b>",
            "a@b,c@d",
        ] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
        assert!(
            format!("{}@example.org", "a".repeat(243))
                .parse::<Address>()
                .is_err()
        );
        assert!("élodie@exämple.org".parse::<Address>().is_ok());
    }

    #[test]
    fn seats_are_there_once_and_keep_their_place() {
        assert!(Seats::new(vec![]).is_err());
        assert!(Seats::new(vec![seat("red", "a@b"), seat("red", "c@d")]).is_err());
        let mut seats = seats();
        seats.replace(seat("blue", "carol@example.org")).unwrap();
        assert_eq!(
            seats.ids().map(SeatId::as_str).collect::<Vec<_>>(),
            ["red", "blue", "grey"]
        );
        assert!(seats.get("blue").unwrap().address.is("carol@example.org"));
        assert!(seats.replace(seat("white", "a@b")).is_err());
    }

    #[test]
    fn reserved_names_are_refused() {
        for (id, good) in [
            ("red", true),
            ("north-2", true),
            ("open", false),
            ("umpire", false),
            ("Red", false),
            ("", false),
        ] {
            let text = format!("{{id: '{id}', address: ada@example.org, lang: en}}");
            assert_eq!(serde_yaml::from_str::<Seat>(&text).is_ok(), good, "{id}");
        }
    }
}
