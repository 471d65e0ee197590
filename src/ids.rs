//! The names of things: one newtype for each kind, so that a seat can't be used as a space.

use std::{borrow::Borrow, ops::Deref, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Shows a newtype around a text as that text, for people and in `Debug` alike.
macro_rules! shown_as_text {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}
pub(crate) use shown_as_text;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = str;
            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        shown_as_text!($name);

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                &*self.0 == *other
            }
        }
    };
}

id! {
    /// A side in the rules, which owns pieces: a nation, an army.
    SideId
}
id! {
    /// Sides that are allies.
    PartyId
}
id! {
    /// The winner: a side, a party, or a seat.
    WinnerId
}
id! {
    /// One player's place. Knowledge belongs to seats.
    SeatId
}
id! {
    /// A place: a space of the map, or a box beside it (eliminated, pool ...).
    PlaceId
}
id! {
    /// Anything that stands in a place.
    PieceId
}
