//! The recipients of letters. Each has a Maildir of its own in the folder `outbox`.

use std::{fmt, str::FromStr};

use crate::{by_text::written_as_text, dice::source::witness_lane, ids::SeatId};

/// The name of the first umpire, whom the settings give an address alone.
pub const FIRST_UMPIRE: &str = "umpire";

/// The recipient of a letter. Written `red`, `umpire`, `umpire/dora`, `witness/cleo`; no seat is
/// called `umpire` or has a `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient {
    /// The seat's player at the time of sending.
    Seat(SeatId),
    /// The umpire; the first of them, if there are several.
    Umpire,
    /// An umpire beside the first.
    CoUmpire(SeatId),
    /// A witness of the dice.
    Witness(SeatId),
}

impl Recipient {
    /// The seat, if it is one.
    #[must_use]
    pub fn seat(&self) -> Option<&SeatId> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Umpire | Self::CoUmpire(_) | Self::Witness(_) => None,
        }
    }

    /// The umpire of this name.
    #[must_use]
    pub fn of_umpire(name: &SeatId) -> Self {
        match name.as_str() {
            FIRST_UMPIRE => Self::Umpire,
            _ => Self::CoUmpire(name.clone()),
        }
    }

    /// Its name in addresses and Message-IDs, and as a folder: `red`, `umpire`, `u-dora`, `w-cleo`.
    /// The settings make sure that no seat shares it.
    #[must_use]
    pub fn address_name(&self) -> String {
        match self {
            Self::Seat(seat) => seat.to_string(),
            Self::Umpire => FIRST_UMPIRE.to_owned(),
            Self::CoUmpire(name) => format!("u-{name}"),
            Self::Witness(name) => witness_lane(name),
        }
    }
}

impl FromStr for Recipient {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("a letter has no recipient".into()),
            FIRST_UMPIRE => Ok(Self::Umpire),
            other => Ok(match other.split_once('/') {
                Some(("witness", name)) => Self::Witness(name.into()),
                Some((FIRST_UMPIRE, name)) => Self::CoUmpire(name.into()),
                _ => Self::Seat(other.into()),
            }),
        }
    }
}

written_as_text!(Recipient);

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => f.write_str(seat),
            Self::Umpire => f.write_str(FIRST_UMPIRE),
            Self::CoUmpire(name) => write!(f, "{FIRST_UMPIRE}/{name}"),
            Self::Witness(name) => write!(f, "witness/{name}"),
        }
    }
}
