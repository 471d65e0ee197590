//! How commands fail: an exit code and a sentence for standard error.

use std::{fmt::Display, io};

use crate::{bounded::FileError, cases::CaseFileError};

/// Why a command ended without success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// 1: the thing checked failed, 2: wrong usage, 3: the environment failed, 75: the mail must be kept by its sender.
    pub code: u8,
    /// What, where, and what to do; empty if all has been said.
    pub message: String,
}

/// What commands return.
pub type Outcome = Result<(), Failure>;

impl Failure {
    /// The thing checked failed.
    pub fn failed(message: impl Display) -> Self {
        Self {
            code: 1,
            message: message.to_string(),
        }
    }

    /// The command was not given right.
    pub fn usage(message: impl Display) -> Self {
        Self {
            code: 2,
            message: message.to_string(),
        }
    }

    /// Disk, network or another part of the machine failed.
    pub fn environment(message: impl Display) -> Self {
        Self {
            code: 3,
            message: message.to_string(),
        }
    }

    /// The sender must keep the mail and try again (`EX_TEMPFAIL` of sysexits.h).
    pub fn keep_the_mail(message: impl Display) -> Self {
        Self {
            code: 75,
            message: message.to_string(),
        }
    }

    /// All has been said on standard output.
    #[must_use]
    pub fn said() -> Self {
        Self {
            code: 1,
            message: String::new(),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        if error.is_environment() {
            Self::environment(error)
        } else {
            Self::failed(error)
        }
    }
}

impl From<CaseFileError> for Failure {
    fn from(error: CaseFileError) -> Self {
        match error {
            CaseFileError::File(error) => error.into(),
            CaseFileError::Yaml { .. } => Self::failed(error),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::environment(error)
    }
}
