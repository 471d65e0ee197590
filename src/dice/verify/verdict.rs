//! The verdict of an audit.

use std::fmt;

use serde::Serialize;

/// The verdict of an audit, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything that such texts can show was checked, and it fits.
    Fits,
    /// Nothing is wrong, but something that such texts should prove is unproven, or nothing was
    /// checked at all.
    Incomplete,
    /// Something does not fit.
    Wrong,
}

impl Verdict {
    /// The verdict for these numbers of wrong and unproven things and of passed checks. There is no
    /// other way to get one.
    #[must_use]
    pub const fn of(wrong: usize, unproven: usize, passed: u64) -> Self {
        match (wrong, unproven, passed) {
            (0, 0, 1..) => Self::Fits,
            (0, ..) => Self::Incomplete,
            _ => Self::Wrong,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fits => "fits",
            Self::Incomplete => "incomplete",
            Self::Wrong => "wrong",
        })
    }
}

/// Why a check was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipReason {
    /// Nobody with such texts could make it: it takes a key that is still secret, a text of another
    /// seat, or the final bundle.
    Hidden,
    /// These texts should have allowed it, but don't: mails are lost, parts were removed, or more
    /// is named than can be checked.
    Unproven,
}
