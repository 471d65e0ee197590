//! `estafette.yaml`: the accounts and campaigns of a host. Strict: an unknown or wrong line is an
//! error with its place.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Deserializer, de};

use crate::{
    bounded::{self, FileError},
    campaign::model::trust::check_server,
    isolation::ProcessBounds,
    mail::{
        Mailbox,
        transport::{
            FolderAccount, FolderSource, ImapAccount, ImapSource, MailSource, MaildirAccount,
            MaildirSink, MaildirSource, SendmailAccount, SendmailSink, Sink, SmtpAccount, SmtpSink,
            Stop,
        },
    },
    store::Directory,
    yaml,
};

/// The largest configuration that is read, in bytes.
const LARGEST: u64 = 256 << 10;

/// Why a configuration can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file or folder can't be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The configuration is wrong, at this place if it is known.
    #[error("{}: {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The fault, and what to write instead.
        problem: String,
    },
}

/// The configuration of a host. All paths are complete once it has been read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostConfig {
    /// The mailbox of all campaigns, written `local@domain`.
    #[serde(deserialize_with = "mailbox")]
    pub mailbox: Mailbox,
    /// The delimiter between mailbox and campaign in reply addresses; the mailbox has it once the
    /// configuration is read.
    #[serde(default = "plus")]
    delimiter: char,
    /// The host's own folder: its lock, and mails that are for no campaign.
    pub state: PathBuf,
    /// Campaign directories; `FOLDER/*` means every campaign in a folder.
    #[serde(default)]
    pub campaigns: Vec<PathBuf>,
    /// The directory of the club around the campaigns.
    #[serde(default)]
    pub club: Option<PathBuf>,
    /// The sources of mails.
    #[serde(default, rename = "in")]
    pub sources: Vec<SourceConfig>,
    /// The way out for letters; without a sink they stay in the outboxes.
    #[serde(default, rename = "out")]
    pub sink: Option<SinkConfig>,
    /// The host's ways of being sure who sent a mail.
    #[serde(default)]
    pub trust: TrustConfig,
    /// The bounds for the processes of campaigns whose rules do not ship.
    #[serde(default)]
    pub isolation: IsolationConfig,
    /// After how many days of rest an ended campaign is packed into one file; null for never.
    #[serde(default = "a_month")]
    pub pack_after_days: Option<u16>,
    /// The amount and form of the log.
    #[serde(default)]
    pub log: LogConfig,
}

fn a_month() -> Option<u16> {
    Some(30)
}

fn plus() -> char {
    '+'
}

fn mailbox<'de, D: Deserializer<'de>>(text: D) -> Result<Mailbox, D::Error> {
    let text = String::deserialize(text)?;
    text.parse().map_err(de::Error::custom)
}

/// A source. It has exactly one of these keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceConfig {
    /// An IMAP account.
    pub imap: Option<ImapAccount>,
    /// A Maildir.
    pub maildir: Option<MaildirAccount>,
    /// A folder of `.eml` files.
    pub folder: Option<FolderAccount>,
}

/// The sink. It has exactly one of these keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SinkConfig {
    /// An SMTP account.
    pub smtp: Option<SmtpAccount>,
    /// A program.
    pub sendmail: Option<SendmailAccount>,
    /// A folder with a Maildir for each address.
    pub maildir: Option<MaildirAccount>,
}

/// The host's ways of being sure who sent a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustConfig {
    /// The server whose `Authentication-Results` count (RFC 8601), by the name that it gives itself
    /// there, for campaigns that name none. It must write such a field on top of each mail.
    pub authentication_results: Option<String>,
}

/// The bounds for the processes of campaigns whose pinned files do not ship with this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct IsolationConfig {
    /// The number of them that work at once.
    pub at_once: usize,
    /// MiB of memory that each process may map.
    pub memory_mib: u64,
    /// Seconds after which a process is ended.
    pub seconds: u64,
}

impl Default for IsolationConfig {
    fn default() -> Self {
        let ProcessBounds { memory, seconds } = ProcessBounds::default();
        Self {
            at_once: 2,
            memory_mib: memory >> 20,
            seconds: seconds.unwrap_or(u64::MAX),
        }
    }
}

impl IsolationConfig {
    /// The bounds of one process.
    #[must_use]
    pub fn bounds(&self) -> ProcessBounds {
        ProcessBounds {
            memory: self.memory_mib.saturating_mul(1 << 20),
            seconds: Some(self.seconds),
        }
    }

    fn check(&self) -> Result<(), String> {
        let wrong = |key: &str, least: u64, most: u64| {
            format!("`isolation`: `{key}` is a number from {least} to {most}")
        };
        if !(1..=64).contains(&self.at_once) {
            return Err(wrong("at_once", 1, 64));
        }
        if !(256..=1 << 20).contains(&self.memory_mib) {
            return Err(wrong("memory_mib", 256, 1 << 20));
        }
        if !(1..=86_400).contains(&self.seconds) {
            return Err(wrong("seconds", 1, 86_400));
        }
        Ok(())
    }
}

/// The settings of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogConfig {
    /// The form of a line.
    pub format: LogFormat,
    /// The lowest level that is logged.
    pub level: LogLevel,
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// A JSON object for each line.
    Json,
}

/// The amount of logging.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the words say it")]
pub enum LogLevel {
    Error,
    Warn,
    #[default]
    Info,
    Debug,
    Trace,
}

impl HostConfig {
    /// Reads a configuration.
    ///
    /// # Errors
    /// See [`ConfigError`].
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = bounded::read_named(path, LARGEST)?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        Self::parse(&text, folder).map_err(|problem| ConfigError::Wrong {
            path: path.to_owned(),
            problem,
        })
    }

    /// Reads the text of a configuration; relative paths start from this folder.
    ///
    /// # Errors
    /// The fault, with line and column if it is in the text itself.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, String> {
        let mut config: Self = yaml::from_str(text).map_err(|error| error.to_string())?;
        config.settle(folder);
        config.check()?;
        Ok(config)
    }

    fn settle(&mut self, folder: &Path) {
        self.mailbox.delimiter = self.delimiter;
        self.state = folder.join(&self.state);
        for campaign in &mut self.campaigns {
            *campaign = folder.join(&*campaign);
        }
        if let Some(club) = &mut self.club {
            *club = folder.join(&*club);
        }
        for source in &mut self.sources {
            let SourceConfig {
                imap,
                maildir,
                folder: files,
            } = source;
            imap.iter_mut().for_each(|account| account.settle(folder));
            maildir
                .iter_mut()
                .for_each(|account| account.settle(folder));
            files.iter_mut().for_each(|account| account.settle(folder));
        }
        if let Some(SinkConfig {
            smtp,
            sendmail,
            maildir,
        }) = &mut self.sink
        {
            smtp.iter_mut().for_each(|account| account.settle(folder));
            sendmail
                .iter_mut()
                .for_each(|account| account.settle(folder));
            maildir
                .iter_mut()
                .for_each(|account| account.settle(folder));
        }
    }

    fn check(&self) -> Result<(), String> {
        if let Some(server) = &self.trust.authentication_results {
            check_server(server).map_err(|problem| format!("`trust`: {problem}"))?;
        }
        self.isolation.check()?;
        let mut names = std::collections::BTreeSet::new();
        for (index, source) in self.sources.iter().enumerate() {
            let place = format!("`in`, entry {}", index + 1);
            let kinds = [
                source.imap.is_some(),
                source.maildir.is_some(),
                source.folder.is_some(),
            ];
            one_of(&kinds).map_err(|()| {
                format!("{place}: write exactly one of `imap`, `maildir`, `folder`")
            })?;
            if let Some(account) = &source.imap {
                account
                    .check()
                    .map_err(|problem| format!("{place}: {problem}"))?;
                if !names.insert(&account.name) {
                    return Err(format!(
                        "{place}: another account is called `{}` already; give each a `name`",
                        account.name
                    ));
                }
            }
        }
        if let Some(sink) = &self.sink {
            let kinds = [
                sink.smtp.is_some(),
                sink.sendmail.is_some(),
                sink.maildir.is_some(),
            ];
            one_of(&kinds)
                .map_err(|()| "`out`: write exactly one of `smtp`, `sendmail`, `maildir`")?;
            if let Some(account) = &sink.smtp {
                account
                    .check()
                    .map_err(|problem| format!("`out`: {problem}"))?;
            }
        }
        Ok(())
    }

    /// The campaign directories, `FOLDER/*` resolved, with those that a command names; each once,
    /// sorted.
    ///
    /// # Errors
    /// If a folder can't be listed.
    pub fn directories(&self, more: &[PathBuf]) -> Result<Vec<PathBuf>, ConfigError> {
        let mut found = Vec::new();
        for path in self.campaigns.iter().chain(more) {
            if !is_folder(path) {
                found.push(path.clone());
                continue;
            }
            let folder = path.parent().unwrap_or(path);
            let failed = || FileError::io(folder);
            for entry in fs::read_dir(folder).map_err(failed())? {
                let path = entry.map_err(failed())?.path();
                // A campaign being made is hidden, or has no journal yet.
                let hidden = path
                    .file_name()
                    .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
                if !hidden && Directory::at(&path).has_settings() {
                    found.push(path);
                }
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Returns true if all campaigns in this folder are served.
    #[must_use]
    pub fn serves_folder(&self, folder: &Path) -> bool {
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut folders = self.campaigns.iter().filter(|path| is_folder(path));
        folders.any(|path| {
            path.parent()
                .is_some_and(|it| canonical(it) == canonical(folder))
        })
    }

    /// Returns true if a whole folder is served, in which campaigns may be made at any time.
    #[must_use]
    pub fn has_folders(&self) -> bool {
        self.campaigns.iter().any(|path| is_folder(path))
    }

    /// The sources, ready to be used.
    #[must_use]
    pub fn open_sources(&self, stop: &Stop) -> Vec<Box<dyn MailSource>> {
        let mut sources: Vec<Box<dyn MailSource>> = Vec::new();
        for SourceConfig {
            imap,
            maildir,
            folder,
        } in self.sources.clone()
        {
            if let Some(account) = imap {
                sources.push(Box::new(ImapSource::new(account, stop)));
            }
            if let Some(account) = maildir {
                sources.push(Box::new(MaildirSource::new(account)));
            }
            if let Some(account) = folder {
                sources.push(Box::new(FolderSource::new(account)));
            }
        }
        sources
    }

    /// The sink, ready to be used.
    #[must_use]
    pub fn open_sink(&self) -> Option<Box<dyn Sink>> {
        match self.sink.clone()? {
            SinkConfig {
                smtp: Some(account),
                ..
            } => Some(Box::new(SmtpSink::new(account))),
            SinkConfig {
                sendmail: Some(account),
                ..
            } => Some(Box::new(SendmailSink::new(account))),
            SinkConfig {
                maildir: Some(account),
                ..
            } => Some(Box::new(MaildirSink::new(account))),
            _ => None,
        }
    }
}

/// Returns true if a path of `campaigns` means all campaigns in a folder.
fn is_folder(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "*")
}

fn one_of(kinds: &[bool]) -> Result<(), ()> {
    let count = kinds.iter().filter(|kind| **kind).count();
    if count == 1 { Ok(()) } else { Err(()) }
}
