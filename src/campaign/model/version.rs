//! The version of the program that made a record.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{LETTERS_VERSION, VERSION};

/// A version of the program, as records name it: `0.1.0+letters.1`.
///
/// Equal versions write the same letters. The number after the plus sets builds of one program
/// version apart; a test makes sure that it is raised whenever letters read differently
/// (`tests/suite/durable/versions.rs`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(String);

impl Version {
    /// The version that is running.
    #[must_use]
    pub fn running() -> Self {
        Self(format!("{VERSION}+letters.{LETTERS_VERSION}"))
    }

    /// A version by its name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
