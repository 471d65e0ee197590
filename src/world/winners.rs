//! The winners of a campaign.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::WinnerId;

/// The winners of a campaign, as a world keeps them: `null`, a name, or a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Winners {
    /// Nobody: a draw.
    #[default]
    Nobody,
    /// A side or a party.
    One(WinnerId),
    /// Seats, each for itself.
    Seats(Vec<WinnerId>),
}

impl Winners {
    /// All winners.
    #[must_use]
    pub fn ids(&self) -> &[WinnerId] {
        match self {
            Self::Nobody => &[],
            Self::One(winner) => std::slice::from_ref(winner),
            Self::Seats(seats) => seats,
        }
    }
}

impl fmt::Display for Winners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ids().is_empty() {
            return f.write_str("nobody");
        }
        let names: Vec<&str> = self.ids().iter().map(WinnerId::as_str).collect();
        f.write_str(&names.join(", "))
    }
}
