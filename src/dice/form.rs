//! The forms of the protocol: what the register of a campaign binds (docs/dice.md, section 4).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::keys::BoundText;
use crate::ids::SeatId;

/// The form of a register: what it binds, from the opening to the end of a campaign.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum Form {
    /// The first: binds only the plain text of dispatches. Old campaigns have it, and openings do
    /// not name it.
    #[default]
    Texts,
    /// The second: binds whole letters, and gives answers receipts of their own.
    Letters,
}

impl Form {
    /// The number in the register.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::Texts => 1,
            Self::Letters => 2,
        }
    }

    /// Returns true if it is the first.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    #[must_use]
    pub fn is_first(&self) -> bool {
        *self == Self::Texts
    }

    /// The texts that a dice entry binds, in the order of its lines.
    #[must_use]
    pub fn bound(self, seats: &[SeatId]) -> Vec<BoundText> {
        let mut bound = vec![BoundText::Ledger, BoundText::Journal];
        bound.extend(seats.iter().cloned().map(BoundText::Dispatch));
        if self == Self::Letters {
            bound.extend(seats.iter().cloned().map(BoundText::Letters));
        }
        bound
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "form {}", self.number())
    }
}

impl From<Form> for u32 {
    fn from(form: Form) -> Self {
        form.number()
    }
}

impl TryFrom<u32> for Form {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        [Self::Texts, Self::Letters]
            .into_iter()
            .find(|form| form.number() == number)
            .ok_or_else(|| {
                format!(
                    "the form {number} of the register is not known; another version may know it"
                )
            })
    }
}
