//! The screen on which a letter's pictures are read.

use serde::{Deserialize, Serialize};

/// The width of the screen of a letter's reader. A mail can't know it; its reader tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Screen {
    /// As wide as a letter.
    #[default]
    Wide,
    /// A telephone's screen.
    Phone,
}

impl Screen {
    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Wide, Self::Phone].into_iter();
        let mut known = all.filter(|screen| screen.name() == name);
        known.next()
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Phone => "phone",
        }
    }

    /// Returns true if it is as wide as a letter.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        *self == Self::Wide
    }

    /// The width of a picture on it, in points.
    #[must_use]
    pub fn width(self) -> i64 {
        match self {
            Self::Wide => 744,
            Self::Phone => 370,
        }
    }
}
