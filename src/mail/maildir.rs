//! Maildir folders as the way in and the way out.
//!
//! A Maildir is three directories, `tmp`, `new` and `cur`, with one file a mail; the flags of a read mail follow `:2,` in its
//! name. Nothing is locked, nothing is ever deleted, and whatever happens half-way can be done again: a mail that was
//! not marked as done is listed again, and a mail written twice under one key is written once.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// A Maildir.
#[derive(Clone, Debug)]
pub struct Maildir {
    root: PathBuf,
}

/// A mail in `new` or `cur` that has not been marked as done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `new` or `cur`.
    folder: &'static str,
    /// The file's name, flags included.
    name: OsString,
}

impl Entry {
    /// The file's name without its flags: stays the same when the mail is marked.
    #[must_use]
    pub fn key(&self) -> String {
        split_flags(&self.name).0
    }
}

/// What became of a mail that was to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// It has been written.
    Written,
    /// A mail with this key was there already; nothing was done.
    AlreadyThere,
}

/// Trouble with the disk: the environment's fault, never the mail's. Trying again later is right.
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
    /// No space left, or a quota is used up.
    #[error("no space is left to write {path}; free some and run again, nothing is lost")]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Anything else.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
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
        Self { root: root.into() }
    }

    /// Makes the directories that are missing.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn create(&self) -> Result<(), MaildirError> {
        for folder in ["tmp", "new", "cur"] {
            let path = self.root.join(folder);
            fs::create_dir_all(&path).map_err(|error| MaildirError::new(&path, error))?;
        }
        Ok(())
    }

    /// The mails that have not been marked as done, sorted by name: for the usual names, by time of arrival.
    ///
    /// # Errors
    /// When `new` or `cur` can't be listed.
    pub fn unprocessed(&self) -> Result<Vec<Entry>, MaildirError> {
        let mut entries: Vec<Entry> = Vec::new();
        for folder in ["new", "cur"] {
            let path = self.root.join(folder);
            let fail = |error| MaildirError::new(&path, error);
            for file in fs::read_dir(&path).map_err(fail)? {
                let file = file.map_err(fail)?;
                let (name, is_directory) = (
                    file.file_name(),
                    file.file_type().is_ok_and(|kind| kind.is_dir()),
                );
                if !is_directory && !is_hidden(&name) && !split_flags(&name).1.contains('S') {
                    entries.push(Entry { folder, name });
                }
            }
        }
        entries.sort_by_cached_key(|entry| (entry.key(), entry.name.clone()));
        Ok(entries)
    }

    /// The bytes of a mail, one more than `limit` at most: enough for [`super::read`] to see that it is too large.
    /// Nothing if the file has vanished since it was listed, because another program marked or moved it.
    ///
    /// # Errors
    /// When the file is there and can't be read.
    pub fn read(&self, entry: &Entry, limit: usize) -> Result<Option<Vec<u8>>, MaildirError> {
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

    /// The bytes of a mail that was written under a key, wherever in the Maildir it lies now.
    ///
    /// # Errors
    /// When a directory can't be listed, or the file can't be read.
    pub fn find(&self, key: &str) -> Result<Option<Vec<u8>>, MaildirError> {
        let name = file_name(key);
        for folder in ["new", "cur"] {
            let path = self.root.join(folder);
            let entries = match fs::read_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(|error| MaildirError::new(&path, error))?,
            };
            for entry in entries.filter_map(Result::ok) {
                if split_flags(&entry.file_name()).0 == name {
                    let path = entry.path();
                    return fs::read(&path)
                        .map(Some)
                        .map_err(|error| MaildirError::new(&path, error));
                }
            }
        }
        Ok(None)
    }

    /// When a mail arrived: the time of its file. Nothing if it has vanished, or the system keeps no times.
    ///
    /// # Errors
    /// When the file is there and can't be looked at.
    pub fn arrived(&self, entry: &Entry) -> Result<Option<jiff::Timestamp>, MaildirError> {
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

    /// Marks a mail as done: moves it to `cur` with the flag S (seen). A mail that has vanished counts as done.
    ///
    /// # Errors
    /// When the file is there and can't be renamed.
    pub fn done(&self, entry: &Entry) -> Result<(), MaildirError> {
        self.mark(entry, "S")
    }

    /// The same with flags of the caller's choice, `S` among them if the mail is not to be listed again.
    ///
    /// # Errors
    /// As [`Maildir::done`].
    pub fn mark(&self, entry: &Entry, flags: &str) -> Result<(), MaildirError> {
        let from = self.path(entry);
        let cur = self.root.join("cur");
        match fs::rename(&from, cur.join(flagged(&entry.name, flags))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !from.exists() => Ok(()),
            result => result.map_err(|error| MaildirError::new(&from, error)),
        }?;
        sync_directory(&cur)
    }

    /// Writes a mail under a key of the caller's. A second call with the same key does nothing, so that a program
    /// which died before it could note its success simply writes everything again.
    ///
    /// The file is complete and on the disk before it appears in `new`.
    ///
    /// # Errors
    /// When the disk is full, a directory is missing, or the system refuses otherwise.
    pub fn put(&self, key: &str, bytes: &[u8]) -> Result<Put, MaildirError> {
        let name = file_name(key);
        let new = self.root.join("new");
        if self.has(&name)? {
            return Ok(Put::AlreadyThere);
        }
        let temporary = self.root.join("tmp").join(&name);
        let fail = |error| MaildirError::new(&temporary, error);
        // What a crash may have left there is overwritten.
        let mut file = File::create(&temporary).map_err(fail)?;
        file.write_all(bytes)
            .and_then(|()| file.sync_all())
            .map_err(fail)?;
        fs::rename(&temporary, new.join(&name)).map_err(|error| MaildirError::new(&new, error))?;
        sync_directory(&new)?;
        Ok(Put::Written)
    }

    /// Whether a mail with this file name is in `new`, or in `cur` with any flags.
    fn has(&self, name: &str) -> Result<bool, MaildirError> {
        if self.root.join("new").join(name).exists() {
            return Ok(true);
        }
        let cur = self.root.join("cur");
        let fail = |error| MaildirError::new(&cur, error);
        for file in fs::read_dir(&cur).map_err(fail)? {
            if split_flags(&file.map_err(fail)?.file_name()).0 == name {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn path(&self, entry: &Entry) -> PathBuf {
        self.root.join(entry.folder).join(&entry.name)
    }
}

/// A renamed file is only safe when its directory is on the disk, too.
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

/// The name with these flags, in the order of the alphabet. A name that is not UTF-8 keeps its bytes.
fn flagged(name: &OsStr, more: &str) -> OsString {
    let Some(text) = name.to_str() else {
        let mut marked = name.to_owned();
        marked.push(":2,");
        marked.push(more);
        return marked;
    };
    let (key, flags) = text.split_once(":2,").unwrap_or((text, ""));
    let mut flags: Vec<char> = flags.chars().chain(more.chars()).collect();
    flags.sort_unstable();
    flags.dedup();
    format!("{key}:2,{}", flags.into_iter().collect::<String>()).into()
}

/// A file name for a key: the key itself if it can be one, else what can, with a digest of the whole.
fn file_name(key: &str) -> String {
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
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    fn maildir() -> (tempfile::TempDir, Maildir) {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::at(folder.path().join("mail"));
        maildir.create().unwrap();
        (folder, maildir)
    }

    fn keys(maildir: &Maildir) -> Vec<String> {
        maildir
            .unprocessed()
            .unwrap()
            .iter()
            .map(Entry::key)
            .collect()
    }

    #[test]
    fn mails_are_listed_by_name_and_only_until_done() {
        let (_folder, maildir) = maildir();
        for (place, name) in [
            ("cur", "2.b:2,F"),
            ("new", "3.c"),
            ("new", "1.a"),
            ("cur", "0.z:2,S"),
            ("new", ".hidden"),
            ("tmp", "9.t"),
        ] {
            fs::write(maildir.root.join(place).join(name), name).unwrap();
        }
        fs::create_dir(maildir.root.join("new/folder")).unwrap();
        assert_eq!(keys(&maildir), ["1.a", "2.b", "3.c"]);
        for entry in maildir.unprocessed().unwrap() {
            maildir.done(&entry).unwrap();
            maildir.done(&entry).unwrap();
        }
        assert_eq!(keys(&maildir), [""; 0]);
        assert!(maildir.root.join("cur/1.a:2,S").exists());
        assert!(maildir.root.join("cur/2.b:2,FS").exists());
    }

    #[test]
    fn no_more_is_read_than_the_limit_and_one() {
        let (_folder, maildir) = maildir();
        fs::write(maildir.root.join("new/1"), [b'x'; 1000]).unwrap();
        let entry = maildir.unprocessed().unwrap().remove(0);
        assert_eq!(maildir.read(&entry, 99).unwrap().unwrap().len(), 100);
        assert_eq!(maildir.read(&entry, 5000).unwrap().unwrap().len(), 1000);
    }

    #[test]
    fn a_vanished_mail_is_no_error() {
        let (_folder, maildir) = maildir();
        fs::write(maildir.root.join("new/1"), "x").unwrap();
        let entry = maildir.unprocessed().unwrap().remove(0);
        fs::remove_file(maildir.root.join("new/1")).unwrap();
        assert_eq!(maildir.read(&entry, 10).unwrap(), None);
        maildir.done(&entry).unwrap();
    }

    #[test]
    fn a_mail_is_written_once_whatever_became_of_it() {
        let (_folder, maildir) = maildir();
        assert_eq!(maildir.put("north.red.1", b"first").unwrap(), Put::Written);
        assert_eq!(
            maildir.put("north.red.1", b"second").unwrap(),
            Put::AlreadyThere
        );
        let entry = maildir.unprocessed().unwrap().remove(0);
        assert_eq!(maildir.read(&entry, 10).unwrap().unwrap(), b"first");
        maildir.done(&entry).unwrap();
        assert_eq!(
            maildir.put("north.red.1", b"third").unwrap(),
            Put::AlreadyThere
        );
        assert_eq!(maildir.put("north.red.10", b"other").unwrap(), Put::Written);
    }

    #[test]
    fn what_a_crash_left_in_tmp_is_overwritten() {
        let (_folder, maildir) = maildir();
        fs::write(maildir.root.join("tmp/k"), "half a mail that is longer").unwrap();
        assert_eq!(maildir.put("k", b"whole").unwrap(), Put::Written);
        assert_eq!(fs::read(maildir.root.join("new/k")).unwrap(), b"whole");
    }

    #[test]
    fn any_key_is_a_safe_and_distinct_name() {
        let keys = [
            "../../etc/x",
            ".",
            "..",
            "a:2,S",
            "a/b",
            "a_b",
            "",
            "é",
            "a\nb",
            &"k".repeat(500),
        ];
        let mut names: Vec<String> = keys.iter().map(|key| file_name(key)).collect();
        assert!(names.iter().all(|name| !name.contains(['/', ':', '\n'])
            && !name.starts_with('.')
            && name.len() < 200));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), keys.len());
    }

    #[test]
    fn a_missing_directory_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::at(folder.path().join("nowhere"));
        assert!(matches!(
            maildir.unprocessed(),
            Err(MaildirError::Missing { .. })
        ));
        assert!(matches!(
            maildir.put("k", b"x"),
            Err(MaildirError::Missing { .. })
        ));
    }

    #[test]
    fn a_full_disk_is_told_apart() {
        let error = MaildirError::new(Path::new("x"), io::Error::from(io::ErrorKind::StorageFull));
        assert!(matches!(error, MaildirError::Full { .. }));
        let error = MaildirError::new(
            Path::new("x"),
            io::Error::from(io::ErrorKind::PermissionDenied),
        );
        assert!(matches!(error, MaildirError::Io { .. }));
    }
}
