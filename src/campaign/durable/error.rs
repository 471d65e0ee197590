//! Why a campaign can't be made, opened or continued.

use thiserror::Error;

use crate::{
    campaign::model::work_error::WorkError, digest::Digest, mail::maildir::MaildirError,
    store::error::StoreError,
};

/// Why a campaign can't be made, opened or continued.
#[derive(Debug, Error)]
pub enum CampaignError {
    /// What lies on the disk: journal, directory, settings.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A mailbox.
    #[error(transparent)]
    Mailbox(#[from] MaildirError),
    /// Its work.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The pinned files are not those that the journal names.
    #[error(
        "the pinned rules and data have the digest {found}, and the journal says {expected}; put the original files back"
    )]
    Rules {
        /// The journal's.
        expected: Digest,
        /// The files'.
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
        /// What is wrong with them.
        why: String,
    },
    /// The master is lost, and so are the keys beside it.
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
    /// The secret file is not what it should be.
    #[error("{path}: {problem}")]
    Master {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong, without the secret.
        problem: String,
    },
    /// Doing the work again does not give what the journal says.
    #[error("record {n} of the journal: {what} is {found}, and the journal says {recorded}")]
    Differs {
        /// The record.
        n: u64,
        /// What differs.
        what: &'static str,
        /// What the work gives now.
        found: String,
        /// What the journal says.
        recorded: String,
    },
    /// A letter lies in an outbox under the name of another one.
    #[error(
        "the outbox of {to} has another letter with the Message-ID {message_id}: the journal is older than the outbox; \
         put the newest copy of the journal back"
    )]
    OtherLetter {
        /// Whose outbox.
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
        /// Its name.
        file: String,
    },
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
