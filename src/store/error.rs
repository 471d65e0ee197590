//! Errors of a campaign's directory.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use crate::{bounded::FileError, digest::Digest, disk::DiskError};

/// Why something can't be read from or written to a campaign's directory.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The machine failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Another process works on the campaign.
    #[error(
        "{} is in use by another process{holder}; wait until it has ended, or end it, and try again",
        path.display()
    )]
    Locked {
        /// The campaign's directory.
        path: PathBuf,
        /// ` (process 1234)`, or nothing when that is not known.
        holder: String,
    },
    /// The journal can no longer be written to.
    #[error(
        "the journal {} can't be written any more: an earlier write failed; \
         make room on the disk and start again",
        path.display()
    )]
    JournalBroken {
        /// The journal.
        path: PathBuf,
    },
    /// A file can't be read, or must not be.
    #[error(transparent)]
    File(#[from] FileError),
    /// The settings can't be used.
    #[error("{}: {problem}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The fault, with line and column if they are known.
        problem: String,
    },
    /// A line of a file beside the journal can't be read.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The fault.
        problem: String,
    },
    /// Making a campaign would overwrite something.
    #[error("{} exists and is not an empty folder; choose another name for the new campaign", path.display())]
    Exists {
        /// The directory asked for.
        path: PathBuf,
    },
    /// A folder is no campaign.
    #[error("{} is no campaign: it has no {missing}; `estafette new` makes one", path.display())]
    NoCampaign {
        /// The folder.
        path: PathBuf,
        /// The name of the missing part.
        missing: &'static str,
    },
    /// A pinned file is not what it was when the campaign began.
    #[error(
        "{}: {problem}; a campaign keeps the rules that it began with: put the old file back from a copy",
        path.display()
    )]
    Pinned {
        /// The file.
        path: PathBuf,
        /// The fault.
        problem: String,
    },
    /// The file of a packed campaign is not whole.
    #[error("{}: {problem}; all of the campaign is in it: put it back from a backup", path.display())]
    Packed {
        /// The file.
        path: PathBuf,
        /// The fault.
        problem: String,
    },
    /// A record of the journal is wrong.
    #[error("{}, line {line}: {fault}", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// The line, counted from 1; 0 when the file as a whole is meant.
        line: u64,
        /// The fault.
        fault: JournalFault,
    },
    /// A value can't be written down as JSON.
    #[error("this {what} can't be written as JSON: {problem}")]
    Unwritable {
        /// The kind of text: `event`, `snapshot`.
        what: &'static str,
        /// The reason.
        problem: String,
    },
}

/// A fault in a line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JournalFault {
    /// The line does not end with a head.
    #[error("no complete record: it does not end in \"head\" and 64 hexadecimal digits")]
    NoHead,
    /// The head is not the digest of the line.
    #[error("the record was changed: its head is {found}, its text gives {computed}")]
    Head {
        /// The digest in the line.
        found: Digest,
        /// The digest of its text.
        computed: Digest,
    },
    /// The record does not follow the one before.
    #[error("the chain is broken: prev is {found}, the record before has the head {expected}")]
    Prev {
        /// The digest in the line.
        found: Digest,
        /// The head of the record before.
        expected: Digest,
    },
    /// A record is missing or stands twice.
    #[error("this is record {found}, expected was record {expected}")]
    Number {
        /// The number in the line.
        found: u64,
        /// The number after that of the record before.
        expected: u64,
    },
    /// The JSON of the line can't be read as a record of this version.
    #[error("the record can't be read: {0}")]
    Content(String),
    /// A line is longer than any record.
    #[error("the line is longer than {0} bytes, which no record is")]
    TooLong(u64),
    /// The file does not have the record that a snapshot was made at.
    #[error(
        "record {n} with head {head} does not end at byte {offset}: the snapshot is not of this journal"
    )]
    OtherJournal {
        /// The record's number.
        n: u64,
        /// Its head.
        head: Digest,
        /// Where it should end.
        offset: u64,
    },
    /// Somebody else wrote to the file.
    #[error("the file has {found} bytes, expected were {expected}: another program wrote to it")]
    Length {
        /// Bytes in the file.
        found: u64,
        /// Bytes that should be there.
        expected: u64,
    },
}

impl StoreError {
    /// Returns true if the machine failed (exit code 3), rather than what was read being wrong.
    #[must_use]
    pub fn is_environment(&self) -> bool {
        match self {
            Self::Disk(_) | Self::Locked { .. } | Self::JournalBroken { .. } => true,
            Self::File(error) => error.is_environment(),
            _ => false,
        }
    }

    /// Returns true if a file or folder is not there.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        match self {
            Self::Disk(error) => error.is_missing(),
            Self::File(error) => error.is_missing(),
            _ => false,
        }
    }

    /// For `map_err`: the operating system refused to do something with a path.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| DiskError::of(doing, path)(source).into()
    }
}
