//! The policy that decides who gets a dispatch.

use serde::{Deserialize, Serialize};

/// The policy that decides who gets a dispatch, and the letters about seals and public questions
/// that go to all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DispatchPolicy {
    /// Every seat, each time.
    #[default]
    All,
    /// Only seats that are asked something or have news; what proves the dice comes with the
    /// others' next letter.
    News,
}

impl DispatchPolicy {
    /// Returns true if it is the default, which settings leave out.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
