//! How commands fail: an exit code and a sentence for standard error.

use std::{fmt::Display, io};

use crate::{bounded::FileError, cases::CaseFileError, visible::visible};

/// Why a command ended without success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// 1: the thing checked failed, 2: wrong usage, 3: the environment failed, 4: what was checked
    /// is incomplete, 75: the mail must be kept by its sender.
    pub code: u8,
    /// What, where, and what to do, ready to be printed; empty if all has been said.
    pub message: String,
}

/// The result of a command.
pub type CommandResult = Result<(), Failure>;

impl Failure {
    /// The thing checked failed.
    pub fn failed(message: impl Display) -> Self {
        Self::new(1, [message])
    }

    /// Several things failed, a line each.
    pub fn failed_in(messages: impl IntoIterator<Item = impl Display>) -> Self {
        Self::new(1, messages)
    }

    /// The command was not given right.
    pub fn usage(message: impl Display) -> Self {
        Self::new(2, [message])
    }

    /// Like `usage`, with details, a line each.
    pub fn usage_in(messages: impl IntoIterator<Item = impl Display>) -> Self {
        Self::new(2, messages)
    }

    /// Disk, network or another part of the machine failed.
    pub fn environment(message: impl Display) -> Self {
        Self::new(3, [message])
    }

    /// The thing checked has nothing wrong, and is not proven.
    pub fn incomplete(message: impl Display) -> Self {
        Self {
            code: 4,
            message: message.to_string(),
        }
    }

    /// The sender must keep the mail and try again (`EX_TEMPFAIL` of sysexits.h).
    pub fn keep_the_mail(message: impl Display) -> Self {
        Self::new(75, [message])
    }

    /// A failure with these messages. They may quote anybody's words, so each is one line, and has
    /// nothing in it that a terminal would obey.
    fn new(code: u8, messages: impl IntoIterator<Item = impl Display>) -> Self {
        let lines = messages.into_iter().map(|message| message.to_string());
        let lines: Vec<_> = lines.map(|line| visible(&line).into_owned()).collect();
        Self {
            code,
            message: lines.join("\n"),
        }
    }

    /// A failure with this code, whose message is already on standard error.
    #[must_use]
    pub fn of_code(code: u8) -> Self {
        Self {
            code,
            message: String::new(),
        }
    }

    /// All has been said on standard output.
    #[must_use]
    pub fn said() -> Self {
        Self::of_code(1)
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
