//! The recipients of letters. Each has a Maildir of its own in the folder `outbox`.

use std::{fmt, str::FromStr};

use crate::{by_text::written_as_text, dice::source::witness_lane, ids::SeatId};

/// The recipient of a letter. Written `red`, `umpire`, `witness/cleo`; no seat is called `umpire`
/// or has a `/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient {
    /// The seat's player at the time of sending.
    Seat(SeatId),
    /// The umpire.
    Umpire,
    /// A witness of the dice.
    Witness(SeatId),
}

impl Recipient {
    /// The seat, if it is one.
    #[must_use]
    pub fn seat(&self) -> Option<&SeatId> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Umpire | Self::Witness(_) => None,
        }
    }

    /// Its name in addresses and Message-IDs, and as a folder: `red`, `umpire`, `w-cleo`. The
    /// settings make sure that no seat shares it.
    #[must_use]
    pub fn address_name(&self) -> String {
        match self {
            Self::Seat(seat) => seat.to_string(),
            Self::Umpire => "umpire".to_owned(),
            Self::Witness(name) => witness_lane(name),
        }
    }
}

impl FromStr for Recipient {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("a letter has no recipient".into()),
            "umpire" => Ok(Self::Umpire),
            other => Ok(match other.strip_prefix("witness/") {
                Some(name) => Self::Witness(name.into()),
                None => Self::Seat(other.into()),
            }),
        }
    }
}

written_as_text!(Recipient);

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => f.write_str(seat),
            Self::Umpire => f.write_str("umpire"),
            Self::Witness(name) => write!(f, "witness/{name}"),
        }
    }
}
