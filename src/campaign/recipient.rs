//! To whom letters go. Each has a Maildir of its own in the folder `outbox`.

use std::{fmt, str::FromStr};

use super::by_text::written_as_text;
use crate::ids::SeatId;

/// To whom a letter goes. Written `red`, `umpire`; no seat is called `umpire`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipient {
    /// Whoever sits there when it is sent.
    Seat(SeatId),
    /// The umpire.
    Umpire,
}

impl FromStr for Recipient {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("a letter has no recipient".into()),
            "umpire" => Ok(Self::Umpire),
            seat => Ok(Self::Seat(seat.into())),
        }
    }
}

written_as_text!(Recipient);

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Seat(seat) => seat,
            Self::Umpire => "umpire",
        })
    }
}
