//! The umpire's decisions in a running campaign.

use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::seats::Seat, dice::Lane, digest::Digest, ids::SeatId, world::Changes,
};

/// A decision of the umpire in a running campaign. A note in the register tells everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ruling {
    /// A witness who does not answer has refused.
    Silent {
        /// The witness.
        witness: SeatId,
        /// Why, for everybody to read.
        why: String,
    },
    /// The campaign goes back to an earlier wait for orders.
    Rollback {
        /// The envelope that the orders of that wait sealed.
        envelope: u32,
        /// Why, for everybody to read.
        why: String,
    },
    /// The master is lost, and a new one begins a new opening.
    NewMaster {
        /// The anchors of the new chains by lane, in the order of the register's opening.
        anchors: Vec<(Lane, Digest)>,
        /// Why, for everybody to read.
        why: String,
    },
    /// The clock is stopped.
    Hold {
        /// Why, for everybody to read.
        why: String,
    },
    /// The clock goes on.
    Resume {
        /// Why, for everybody to read.
        why: String,
    },
    /// The present wait has a later deadline.
    Extend {
        /// The new deadline.
        until: jiff::Timestamp,
        /// Why, for those who know of the wait to read.
        why: String,
    },
    /// The position is changed by hand.
    Rule {
        /// The changes.
        changes: Box<Changes>,
        /// Why, for everybody to read.
        why: String,
    },
    /// A letter to seats. It is not a decision, so no note tells of it.
    Say {
        /// To whom; to all if empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<SeatId>,
        /// The umpire's words.
        words: String,
    },
    /// Another player takes over a seat, or the same one is reached elsewhere.
    Replace {
        /// The player.
        player: Seat,
        /// Why, for everybody to read.
        why: String,
    },
}

impl Ruling {
    /// The longest letter of an umpire, in characters.
    pub const LONGEST_LETTER: usize = 8000;

    /// The longest reason, in characters: it must fit into a note with the words around it.
    pub const LONGEST: usize = 110;

    /// The reason given; a letter has none.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Silent { why, .. }
            | Self::Rollback { why, .. }
            | Self::NewMaster { why, .. }
            | Self::Hold { why }
            | Self::Resume { why }
            | Self::Extend { why, .. }
            | Self::Rule { why, .. }
            | Self::Replace { why, .. } => Some(why),
            Self::Say { .. } => None,
        }
    }
}
