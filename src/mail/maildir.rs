//! Maildir folders as the way in and the way out.
//!
//! A Maildir is three directories, `tmp`, `new` and `cur`, with one file for each mail; the flags
//! of a read mail follow `:2,` in its name. A fourth, `done`, is our own: it holds what has been
//! worked off, large mails perhaps compressed. Those of a campaign are made when the first mail
//! needs them. Flags decide nothing, so a person may look into the folder with a mail program. No
//! mail is ever locked or lost, and anything interrupted can be done again: a mail that is not in
//! `done` is listed again, and a mail written twice under one key is there once.

mod batch;
mod compressed;
mod folders;
mod staged_mail;
mod temporary_mail;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

pub use batch::Batch;
pub use staged_mail::StagedMail;
use temporary_mail::TemporaryMail;

use crate::unfinished;

/// A Maildir.
#[derive(Clone, Debug)]
pub struct Maildir {
    root: PathBuf,
    /// True if folders are made when the first mail needs them.
    on_demand: bool,
}

/// The folders of any Maildir.
const TMP: &str = "tmp";
const NEW: &str = "new";
const CUR: &str = "cur";
/// The folder of the mails that have been worked off.
const DONE: &str = "done";

/// A mail in `new` or `cur`, which nobody has worked off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaildirEntry {
    /// Its folder.
    folder: &'static str,
    /// The file's name, flags included.
    name: OsString,
}

impl MaildirEntry {
    /// The file's name without its flags; it stays the same when the mail is marked.
    #[must_use]
    pub fn key(&self) -> String {
        split_flags(&self.name).0
    }
}

/// The outcome of writing a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOutcome {
    /// The mail has been written.
    Written,
    /// A mail with this key was there already; nothing was done.
    AlreadyThere,
}

/// Trouble with the disk: the environment's fault, never the mail's. Try again later.
#[derive(Debug, thiserror::Error)]
pub enum MaildirError {
    /// A directory is not there.
    #[error(
        "{path} is missing or is not a Maildir; create it with the directories tmp, new and cur in it"
    )]
    Missing {
        /// The directory.
        path: PathBuf,
    },
    /// No space is left, or a quota is used up.
    #[error("no space is left to write {path}; free some and run again, nothing is lost")]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Mails that were written together could not all be brought to the disk.
    #[error("some of the mails could not be written; they are written again at the next try")]
    Lost,
    /// Anything else.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
}

impl MaildirError {
    fn new(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing {
                path: path.to_owned(),
            },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full {
                path: path.to_owned(),
            },
            _ => Self::Io {
                path: path.to_owned(),
                source,
            },
        }
    }
}

impl Maildir {
    /// The Maildir in this directory, which need not exist yet.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            on_demand: false,
        }
    }

    /// The Maildir in this directory, whose folders are made when the first mail needs them. Until
    /// then it has no mails.
    #[must_use]
    pub fn on_demand(root: impl Into<PathBuf>) -> Self {
        Self {
            on_demand: true,
            ..Self::at(root)
        }
    }

    /// Removes half-written mails that killed processes have left.
    pub fn sweep(&self) {
        unfinished::sweep(&self.root.join(TMP));
    }

    /// Returns true if there is a mail in `new`; quicker than listing them.
    #[must_use]
    pub fn has_new(&self) -> bool {
        self.has_any(NEW)
    }

    /// Returns true if there is a mail in `cur`: somebody has looked at it.
    #[must_use]
    pub fn has_seen(&self) -> bool {
        self.has_any(CUR)
    }

    fn has_any(&self, folder: &str) -> bool {
        let is_mail = |file: &fs::DirEntry| {
            let is_folder = file.file_type().is_ok_and(|kind| kind.is_dir());
            !is_folder && !is_hidden(&file.file_name())
        };
        fs::read_dir(self.root.join(folder))
            .is_ok_and(|files| files.filter_map(Result::ok).any(|file| is_mail(&file)))
    }

    /// The mails that nobody has worked off, whatever their flags, sorted by name (usual names sort
    /// by time of arrival). It does not look at `done`, so listing does not slow down as that
    /// grows.
    ///
    /// # Errors
    /// When `new` or `cur` can't be listed; where it is made on demand, they need not be there.
    pub fn unprocessed(&self) -> Result<Vec<MaildirEntry>, MaildirError> {
        let mut entries: Vec<MaildirEntry> = Vec::new();
        for folder in [NEW, CUR] {
            let path = self.root.join(folder);
            let fail = |error| MaildirError::new(&path, error);
            let files = match fs::read_dir(&path) {
                Err(error) if self.on_demand && error.kind() == io::ErrorKind::NotFound => continue,
                files => files.map_err(fail)?,
            };
            for file in files {
                let file = file.map_err(fail)?;
                let (name, is_directory) = (
                    file.file_name(),
                    file.file_type().is_ok_and(|kind| kind.is_dir()),
                );
                if !is_directory && !is_hidden(&name) {
                    entries.push(MaildirEntry { folder, name });
                }
            }
        }
        entries.sort_by_cached_key(|entry| (entry.key(), entry.name.clone()));
        Ok(entries)
    }

    /// The bytes of a mail, at most one more than `limit`: enough for [`super::read`] to see that
    /// it is too large. None if the file has vanished since it was listed, because another program
    /// marked or moved it.
    ///
    /// # Errors
    /// When the file is there and can't be read.
    pub fn read(
        &self,
        entry: &MaildirEntry,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, MaildirError> {
        let path = self.path(entry);
        let fail = |error| MaildirError::new(&path, error);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(fail)?,
        };
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes).map_err(fail)?;
        Ok(Some(bytes))
    }

    /// The bytes of a worked-off mail, by its name in `done`; as [`Maildir::read`]. None for
    /// anything that is no file name.
    ///
    /// # Errors
    /// When the file is there and can't be read.
    pub fn read_done(&self, name: &str, limit: usize) -> Result<Option<Vec<u8>>, MaildirError> {
        if name.is_empty() || name.contains(['/', '\\']) || name.starts_with('.') {
            return Ok(None);
        }
        let entry = MaildirEntry {
            folder: DONE,
            name: name.into(),
        };
        self.read(&entry, limit)
    }

    /// The bytes of the mail that was written under a key, wherever in the Maildir it is now, and
    /// also if it is compressed; none if the compressed one is damaged.
    ///
    /// # Errors
    /// When a directory can't be listed, or the file can't be read.
    pub fn find(&self, key: &str) -> Result<Option<Vec<u8>>, MaildirError> {
        let name = file_name(key);
        let mut moved = false;
        loop {
            let Some(path) = self.place(&name)? else {
                return Ok(None);
            };
            match compressed::read(&path) {
                // Just now it was marked, or compressed.
                Err(error) if error.kind() == io::ErrorKind::NotFound && !moved => moved = true,
                bytes => return bytes.map_err(|error| MaildirError::new(&path, error)),
            }
        }
    }

    /// Returns true if a mail with this key is in it, done or not.
    ///
    /// # Errors
    /// When a directory can't be listed.
    pub fn has(&self, key: &str) -> Result<bool, MaildirError> {
        Ok(self.place(&file_name(key))?.is_some())
    }

    /// The keys of all mails in it that are not in `done`, sorted; none if it does not exist.
    ///
    /// # Errors
    /// When a directory can't be listed.
    pub fn keys(&self) -> Result<Vec<String>, MaildirError> {
        let mut keys = Vec::new();
        for folder in [NEW, CUR] {
            let path = self.root.join(folder);
            let entries = match fs::read_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(|error| MaildirError::new(&path, error))?,
            };
            for entry in entries {
                let name = entry
                    .map_err(|error| MaildirError::new(&path, error))?
                    .file_name();
                keys.push(split_flags(&name).0);
            }
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// When a mail arrived: the time of its file. None if it has vanished, or the system keeps no
    /// times.
    ///
    /// # Errors
    /// When the file is there and can't be looked at.
    pub fn arrived(&self, entry: &MaildirEntry) -> Result<Option<jiff::Timestamp>, MaildirError> {
        let path = self.path(entry);
        match fs::metadata(&path).and_then(|data| data.modified()) {
            Ok(time) => Ok(jiff::Timestamp::try_from(time).ok()),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(MaildirError::new(&path, error)),
        }
    }

    /// Moves a worked-off mail into `done`. One that has vanished counts as done.
    ///
    /// # Errors
    /// When the file is there and can't be renamed.
    pub fn done(&self, entry: &MaildirEntry) -> Result<(), MaildirError> {
        self.all_done(std::slice::from_ref(entry))
    }

    /// Like `done`, for several mails.
    ///
    /// # Errors
    /// As [`Maildir::done`].
    pub fn all_done(&self, entries: &[MaildirEntry]) -> Result<(), MaildirError> {
        if entries.is_empty() {
            return Ok(());
        }
        // A process that removes a whole Maildir has seen that nothing in it waits any more.
        if !self.root.exists() {
            return Ok(());
        }
        let done = self.root.join(DONE);
        if !done.exists() {
            fs::create_dir_all(&done).map_err(|error| MaildirError::new(&done, error))?;
            sync_directory(&self.root)?;
            // Whoever brought the mails may not have done this for the folders yet.
            if self.on_demand {
                sync_directory(self.parent())?;
            }
        }
        for entry in entries {
            let from = self.path(entry);
            match fs::rename(&from, free_name(&done, &entry.name)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && !from.exists() => {}
                moved => moved.map_err(|error| MaildirError::new(&from, error))?,
            }
        }
        match sync_directory(&done) {
            Err(_) if !self.root.exists() => Ok(()),
            synced => synced,
        }
    }

    /// Deletes mails that have been worked off, by their keys. One that is not there counts as
    /// deleted.
    ///
    /// # Errors
    /// When one is there and can't be deleted.
    pub fn forget(&self, keys: &[String]) -> Result<(), MaildirError> {
        for key in keys {
            let path = self.root.join(DONE).join(file_name(key));
            match fs::remove_file(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed.map_err(|error| MaildirError::new(&path, error))?,
            }
        }
        Ok(())
    }

    /// Writes a mail under a key of the caller's. A second call with the same key does nothing, so
    /// a program that died before noting its success can simply write everything again.
    ///
    /// The file is complete and on the disk before it appears in `new`.
    ///
    /// # Errors
    /// When the disk is full, a directory is missing, or the system refuses otherwise.
    pub fn put(&self, key: &str, bytes: &[u8]) -> Result<PutOutcome, MaildirError> {
        let mut batch = Batch::default();
        let put = batch.add(self, key, bytes)?;
        batch.keep()?;
        Ok(put)
    }

    /// Writes a mail under a key without waiting for the disk, for mails that are also kept
    /// elsewhere. After a power cut it may be incomplete. Nobody else may be writing the same mail.
    ///
    /// # Errors
    /// As [`Maildir::put`].
    pub fn put_copy(&self, key: &str, bytes: &[u8]) -> Result<PutOutcome, MaildirError> {
        let name = file_name(key);
        if self.place(&name)?.is_some() {
            return Ok(PutOutcome::AlreadyThere);
        }
        if self.on_demand {
            self.make_folders()?;
        }
        TemporaryMail::write(self, bytes)?.show(&self.root.join(NEW), &name)?;
        Ok(PutOutcome::Written)
    }

    /// Where the mail with this file name is: in `new`, in `done`, or in `cur` with any flags.
    fn place(&self, name: &str) -> Result<Option<PathBuf>, MaildirError> {
        match self.plain(name) {
            None => Ok(self.seen()?.remove(name)),
            found => Ok(found),
        }
    }

    /// Where it is, if it is in `new` or `done` without flags.
    fn plain(&self, name: &str) -> Option<PathBuf> {
        let plain = [NEW, DONE].map(|folder| self.root.join(folder).join(name));
        let compressed = self.root.join(DONE).join(compressed::name(name));
        plain
            .into_iter()
            .chain([compressed])
            .find(|path| path.exists())
    }

    /// The files in `cur` by their names without flags.
    fn seen(&self) -> Result<BTreeMap<String, PathBuf>, MaildirError> {
        let cur = self.root.join(CUR);
        let fail = |error| MaildirError::new(&cur, error);
        let files = match fs::read_dir(&cur) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            files => files.map_err(fail)?,
        };
        let mut seen = BTreeMap::new();
        for file in files {
            let file = file.map_err(fail)?;
            seen.insert(split_flags(&file.file_name()).0, file.path());
        }
        Ok(seen)
    }

    fn path(&self, entry: &MaildirEntry) -> PathBuf {
        self.root.join(entry.folder).join(&entry.name)
    }
}

/// A renamed file is safe only once its directory is on the disk, too.
fn sync_directory(path: &Path) -> Result<(), MaildirError> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(|error| MaildirError::new(path, error))
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// A file's name without flags, and its flags.
fn split_flags(name: &OsStr) -> (String, String) {
    let name = name.to_string_lossy();
    match name.split_once(":2,") {
        Some((key, flags)) => (key.to_owned(), flags.to_owned()),
        None => (name.into_owned(), String::new()),
    }
}

/// A free path in a folder for a mail with this name, without its flags, so that nothing there is
/// overwritten.
fn free_name(folder: &Path, name: &OsStr) -> PathBuf {
    let name: OsString = match name.to_str() {
        Some(text) => split_flags(OsStr::new(text)).0.into(),
        // A name that is not UTF-8 keeps its bytes.
        None => name.to_owned(),
    };
    let mut path = folder.join(&name);
    let mut copy = 1;
    while path.exists() || compressed::beside(&path).exists() {
        copy += 1;
        let mut other = name.clone();
        other.push(format!(".{copy}"));
        path = folder.join(other);
    }
    path
}

/// A file name for a key: the key itself if it is usable, else its usable characters with a digest
/// of the whole.
#[must_use]
pub fn file_name(key: &str) -> String {
    const LONGEST: usize = 120;
    let allowed =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '=' | '@');
    if (1..=LONGEST).contains(&key.len()) && key.chars().all(allowed) && !key.starts_with('.') {
        return key.to_owned();
    }
    let readable: String = key
        .chars()
        .filter(|c| allowed(*c) && *c != '.')
        .take(LONGEST / 2)
        .collect();
    format!("{readable}_{}", HEXLOWER.encode(&Sha256::digest(key)))
}

#[cfg(test)]
mod tests;
