//! The transport of mails: bytes and addresses, nothing of games or campaigns.
//!
//! A [`MailSource`] lists mails and changes nothing until it is told that they are kept
//! ([`MailSource::done`]): after a stop in between, the same mails come again under the same keys.
//! A [`Sink`] sends the bytes as they are, and says whether trying again later can help. All calls
//! block; threads are up to the caller.

mod backoff;
mod folder;
mod head;
mod imap;
mod maildir;
mod secret;
mod sendmail;
mod smtp;
mod stop;
mod tls;
mod watch;
mod wire;

use std::{path::PathBuf, time::Duration};

use serde::Serialize;

pub use backoff::Backoff;
pub use folder::{FolderAccount, FolderSource};
pub use head::LetterHead;
pub use imap::{ImapAccount, ImapSource};
pub use maildir::{MaildirAccount, MaildirSink, MaildirSource};
pub use secret::Secret;
pub use sendmail::{SendmailAccount, SendmailSink};
pub use smtp::{SmtpAccount, SmtpSink};
pub use stop::Stop;
pub use tls::{Security, is_loopback};

/// A mail as it lies at a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawMail {
    /// A name that stays the same however often this mail is fetched, and that no other mail from
    /// any source has.
    pub key: String,
    /// Its bytes: at most one more than the requested limit.
    pub bytes: Vec<u8>,
    /// How the source itself finds it.
    handle: String,
}

/// Where mails come from.
pub trait MailSource: Send {
    /// Its name in logs and keys.
    fn name(&self) -> &str;

    /// The next mails, oldest first: at most `most`, each with at most `limit` + 1 bytes. Changes
    /// nothing at the source.
    ///
    /// # Errors
    /// If the source can't be reached or read; try again later.
    fn fetch(&mut self, limit: usize, most: usize) -> Result<Vec<RawMail>, TransportError>;

    /// Marks mails as taken. Call this only once they are on the disk.
    ///
    /// # Errors
    /// If the source can't be reached; the mails may then come again.
    fn done(&mut self, mails: &[&RawMail]) -> Result<(), TransportError>;

    /// Waits until there may be news, at most this long, or until the sign to stop.
    ///
    /// # Errors
    /// If the connection is lost.
    fn wait(&mut self, most: Duration, stop: &Stop) -> Result<(), TransportError>;

    /// Checks whether everything is as it should be, for `estafette doctor`.
    fn probe(&mut self) -> Vec<Observation>;
}

/// A way out for letters.
pub trait Sink: Send {
    /// Sends a letter; returns what the other side said.
    ///
    /// # Errors
    /// See [`SendError`].
    fn send(&mut self, envelope: &MailEnvelope, bytes: &[u8]) -> Result<String, SendError>;

    /// Checks whether everything is as it should be, for `estafette doctor`.
    fn probe(&mut self) -> Vec<Observation>;
}

/// The sender and recipient of a letter, as servers are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailEnvelope {
    /// Where reports of failure go; nothing for a letter that must never cause one (`<>`, RFC 3834
    /// section 3.3).
    pub from: Option<String>,
    /// The recipient.
    pub to: String,
}

/// Why a letter was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// It never will be: there is no such mailbox, or its content is unwanted.
    #[error("refused for good: {said}")]
    Refused {
        /// The enhanced status or reply code, `5.0.0` if there is none.
        status: String,
        /// The server's words.
        said: String,
    },
    /// This letter is not taken now; trying it again later may help.
    #[error("{said}")]
    Later {
        /// The server's words.
        said: String,
    },
    /// Nobody takes any letter now: no connection, no login.
    #[error("{said}")]
    Down {
        /// The error's words.
        said: String,
    },
}

/// An observation, in plain words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Observation {
    /// True if the check passed.
    pub ok: bool,
    /// The check and its result.
    pub what: String,
}

impl Observation {
    /// An observation that all is well.
    #[must_use]
    pub fn good(what: impl Into<String>) -> Self {
        Self {
            ok: true,
            what: what.into(),
        }
    }

    /// Something is wrong; the text says what to do.
    #[must_use]
    pub fn wrong(what: impl Into<String>) -> Self {
        Self {
            ok: false,
            what: what.into(),
        }
    }
}

/// Trouble with a source or sink: always the environment's fault, never a mail's.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The name of the server has no address.
    #[error("{host}: no such host ({source}); look at `host` and at this machine's name service")]
    Resolve {
        /// The server.
        host: String,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The server can't be reached.
    #[error(
        "{host} port {port}: {source}; look at `host` and `port`, whether the server runs, and at firewalls"
    )]
    Connect {
        /// The server.
        host: String,
        /// Its port.
        port: u16,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The server's certificate is not trusted, or no TLS is spoken there.
    #[error("{host}: {problem}")]
    Tls {
        /// The server.
        host: String,
        /// The fault, and how to mend it.
        problem: String,
    },
    /// The server does not let us in.
    #[error("{host}: the login of `{user}` was refused ({said}); look at `user` and `password`")]
    Login {
        /// The server.
        host: String,
        /// The account.
        user: String,
        /// The server's words.
        said: String,
    },
    /// A conversation went wrong.
    #[error("{host}: {doing}: {said}")]
    Talk {
        /// The server.
        host: String,
        /// The step that failed.
        doing: String,
        /// The server's words, or its behaviour.
        said: String,
    },
    /// A secret can't be read.
    #[error("the secret {place}: {problem}")]
    Secret {
        /// Where it should be.
        place: String,
        /// The fault, without the secret.
        problem: String,
    },
    /// A file or folder.
    #[error("{path}: {source}", path = .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// A Maildir.
    #[error(transparent)]
    Maildir(#[from] crate::mail::maildir::MaildirError),
    /// We were told to stop.
    #[error("stopped")]
    Stopped,
}
