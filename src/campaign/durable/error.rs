//! Why a campaign can't be made, opened or continued.

use thiserror::Error;

use crate::{
    campaign::model::work_error::WorkError, digest::Digest, mail::maildir::MaildirError,
    store::StoreError,
};

/// Why a campaign can't be made, opened or continued.
#[derive(Debug, Error)]
pub enum CampaignError {
    /// An error of the files on the disk: journal, directory, settings.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An error of a mailbox.
    #[error(transparent)]
    Mailbox(#[from] MaildirError),
    /// An error of the campaign's work.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The pinned files are not those that the journal names.
    #[error(
        "the pinned rules and data have the digest {found}, and the journal says {expected}; put the original files back"
    )]
    Rules {
        /// The digest in the journal.
        expected: Digest,
        /// The digest of the files.
        found: Digest,
    },
    /// The settings were changed after the campaign began.
    #[error(
        "campaign.yaml says something else than the journal's first record; put the original file back"
    )]
    Settings,
    /// The scripts of the campaign's bots can't be run.
    #[error("the bots of this campaign can't be run: {why}")]
    Bots {
        /// The fault of the rules or the settings.
        why: String,
    },
    /// The master is lost, and so are the keys kept beside it.
    #[error(
        "{}: the campaign's secret is not there, and neither are the keys of used envelopes; restore the folder from a copy", .0.display()
    )]
    NoMaster(std::path::PathBuf),
    /// The master is lost, and the kept keys don't reach this envelope.
    #[error(
        "the campaign's secret is lost, and nobody can seal envelope {0} without it: put it back from the drawer, or go on with \
         a new one: `estafette umpire new-master DIR --why TEXT`"
    )]
    MasterLost(u32),
    /// The secret file can't be read as one.
    #[error("{path}: {problem}")]
    Master {
        /// The file.
        path: std::path::PathBuf,
        /// The fault, without the secret.
        problem: String,
    },
    /// Doing the work again gives another result than the journal.
    #[error("record {n} of the journal: {what} is {found}, and the journal says {recorded}")]
    Differs {
        /// The number of the record.
        n: u64,
        /// The thing that differs.
        what: &'static str,
        /// The value that the work gives now.
        found: String,
        /// The value in the journal.
        recorded: String,
    },
    /// A letter lies in an outbox under the name of another one.
    #[error(
        "the outbox of {to} has another letter with the Message-ID {message_id}: the journal is older than the outbox; \
         put the newest copy of the journal back"
    )]
    OtherLetter {
        /// The recipient whose outbox it is.
        to: String,
        /// The name of both.
        message_id: String,
    },
    /// A bundle is no bundle, or would not be sound.
    #[error("{0}")]
    Bundle(String),
    /// The umpire names a held mail that is not there.
    #[error(
        "there is no mail `{file}` in inbox/done; the letter that tells of a held mail names it"
    )]
    NotHeld {
        /// The name of the mail.
        file: String,
    },
    /// There is nothing to preview.
    #[error("{0}: there is nothing to resolve")]
    NoPreview(&'static str),
    /// The journal has no records.
    #[error("the journal is empty; the campaign was never made")]
    Empty,
}

impl CampaignError {
    /// Returns true if the machine failed and trying again later is right.
    #[must_use]
    pub fn is_environment(&self) -> bool {
        match self {
            Self::Store(error) => error.is_environment(),
            Self::Mailbox(_) => true,
            Self::Work(error) => error.is_of_machine(),
            _ => false,
        }
    }
}
