//! The names of the protocol: campaign, label, lane. Each is checked once, when it is made.

use std::{str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use super::error::DiceError;
use crate::ids::{SeatId, shown_as_text};

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $rule:literal, $valid:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = DiceError;

            fn from_str(text: &str) -> Result<Self, DiceError> {
                if $valid(text) { Ok(Self(text.into())) } else { Err(DiceError::malformed($what, text, $rule)) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = DiceError;

            fn try_from(text: String) -> Result<Self, DiceError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0.as_ref().into()
            }
        }

        shown_as_text!($name);
    };
}

name! {
    /// The name of a campaign, new for every campaign: it stands in all hashes (dice.md, section
    /// 2).
    CampaignName, "a campaign's name", "1 to 32 of a-z, 0-9 and -", is_campaign
}
name! {
    /// The purpose of a roll: `t3/combat/0307`. It is public for open rolls, and so may hold only
    /// what every seat may know.
    Label, "a label", "1 to 80 of A-Z a-z 0-9 . _ / + : -", is_label
}
name! {
    /// An audience of rolls: `open`, `shut`, a seat, or several seats joined by `+` in seat order.
    Lane, "a lane", "`open`, `shut`, a seat (1 to 24 of a-z, 0-9 and -), or different seats joined by +", is_lane
}

fn is_campaign(text: &str) -> bool {
    consists_of(text, 32, is_plain)
}

fn is_label(text: &str) -> bool {
    consists_of(text, 80, |byte| {
        byte.is_ascii_alphanumeric() || b"._/+:-".contains(&byte)
    })
}

fn is_lane(text: &str) -> bool {
    if text == Lane::OPEN || text == Lane::SHUT {
        return true;
    }
    let seats: Vec<&str> = text.split('+').collect();
    seats.iter().all(|seat| is_seat(seat))
        && seats
            .iter()
            .enumerate()
            .all(|(i, seat)| !seats[..i].contains(seat))
}

fn is_seat(text: &str) -> bool {
    consists_of(text, 24, is_plain) && text != Lane::OPEN && text != Lane::SHUT
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

fn consists_of(text: &str, longest: usize, allowed: impl Fn(u8) -> bool) -> bool {
    (1..=longest).contains(&text.len()) && text.bytes().all(allowed)
}

impl Lane {
    const OPEN: &str = "open";
    const SHUT: &str = "shut";

    /// The lane of rolls that everybody may see.
    #[must_use]
    pub fn open() -> Self {
        Self(Self::OPEN.into())
    }

    /// The lane of rolls that nobody may see before the end, and of all blinds and receipt codes.
    #[must_use]
    pub fn shut() -> Self {
        Self(Self::SHUT.into())
    }

    /// The lane of one seat.
    ///
    /// # Errors
    /// When the seat's name is not 1 to 24 of a-z, 0-9 and -, or is `open` or `shut`.
    pub fn seat(seat: &str) -> Result<Self, DiceError> {
        checked_seat(seat).map(|seat| Self(seat.as_str().into()))
    }

    /// `open`, `shut`, and the lane of each seat in their order.
    ///
    /// # Errors
    /// As [`Lane::seat`].
    pub fn all(seats: &[SeatId]) -> Result<Vec<Self>, DiceError> {
        let seats = seats.iter().map(|seat| Self::seat(seat));
        [Ok(Self::open()), Ok(Self::shut())]
            .into_iter()
            .chain(seats)
            .collect()
    }

    /// Returns true if it is the lane that everybody may see.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.as_str() == Self::OPEN
    }

    /// Returns true if it is the lane that nobody may see before the end.
    #[must_use]
    pub fn is_shut(&self) -> bool {
        self.as_str() == Self::SHUT
    }

    /// The seats of the lane; none for `open` and `shut`.
    pub fn seats(&self) -> impl Iterator<Item = &str> {
        let of_seats = !self.is_open() && !self.is_shut();
        self.as_str().split('+').filter(move |_| of_seats)
    }
}

/// The text as a seat's name.
///
/// # Errors
/// If it is not 1 to 24 of a-z, 0-9 and -, or is `open` or `shut`.
pub fn checked_seat(text: &str) -> Result<SeatId, DiceError> {
    if is_seat(text) {
        return Ok(text.into());
    }
    Err(DiceError::malformed(
        "a seat's name",
        text,
        "1 to 24 of a-z, 0-9 and -, and neither `open` nor `shut`",
    ))
}

/// Reads a number as the protocol writes it: decimal digits without leading zeros or sign.
///
/// # Errors
/// When it is anything else, or too large for `T`.
pub(super) fn number<T: FromStr>(text: &str) -> Result<T, DiceError> {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| plain).ok_or_else(|| {
        DiceError::malformed("a number", text, "decimal digits without leading zeros")
    })
}

/// Reads a number that counts from 1: an envelope, a repeat, a round.
///
/// # Errors
/// As [`number`], and for 0.
pub(super) fn ordinal<T: FromStr + From<u8> + PartialOrd>(text: &str) -> Result<T, DiceError> {
    let found: T = number(text)?;
    if found >= T::from(1) {
        Ok(found)
    } else {
        Err(DiceError::malformed("a number", text, "1 or more"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lanes() {
        for good in ["open", "shut", "red", "a+b", "a+b+c-9"] {
            assert_eq!(good.parse::<Lane>().unwrap().as_str(), good);
        }
        for wrong in [
            "",
            "Red",
            "a+",
            "+a",
            "a+a",
            "a+open",
            "red blue",
            &"r".repeat(25),
        ] {
            assert!(wrong.parse::<Lane>().is_err(), "{wrong}");
        }
        assert!(Lane::seat("open").is_err() && Lane::seat("a+b").is_err());
        assert_eq!(
            "a+b".parse::<Lane>().unwrap().seats().collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(Lane::open().seats().count(), 0);
    }

    #[test]
    fn labels() {
        assert!("t1/combat/B7+C8:x_y.z-1".parse::<Label>().is_ok());
        for wrong in ["", "a b", "a#1", "a|b", "ä", &"x".repeat(81)] {
            assert!(wrong.parse::<Label>().is_err(), "{wrong}");
        }
        assert!(serde_json::from_str::<Label>("\"a b\"").is_err());
    }

    #[test]
    fn numbers_have_one_form() {
        assert_eq!(number::<u32>("0").unwrap(), 0);
        assert_eq!(number::<u32>("4294967295").unwrap(), u32::MAX);
        for wrong in ["", "01", "+1", "-1", "1 ", "4294967296"] {
            assert!(number::<u32>(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_kept(text in "\\PC{0,90}|[a-z+/#-]{0,30}") {
            for kept in [
                text.parse::<Label>().map(String::from),
                text.parse::<Lane>().map(String::from),
                text.parse::<CampaignName>().map(String::from),
            ] {
                prop_assert!(kept.is_err() || kept.as_deref() == Ok(text.as_str()));
            }
        }
    }
}
