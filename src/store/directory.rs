//! The one interface of this room: a stored campaign. It is taken under a lock; records are
//! appended to its journal and read from a position on; blobs and snapshots are kept and fetched;
//! mails lie in its Maildirs. Nobody outside knows where anything is, so a database could take the
//! directory's place.
//!
//! ```text
//! campaign.yaml                the settings
//! pinned.tar.gz                the rules and data that it began with, and SHA256SUMS
//! bots.tar.gz                  the scripts of bots, which may play seats (may be missing)
//! journal.jsonl                the only truth
//! snapshots/                   a cache
//! inbox/  outbox/<seat>/       Maildirs
//! beacon/                      fetched values of the beacon (may be missing)
//! secret/master                the umpire's secret (0600)
//! addresses                    the players' addresses, if anybody has moved; made again
//! alarm                        why it can't be opened, if so
//! results-of                   the server that vouches for senders, if the host names one
//! ledger.txt  register.txt     what a replay gives, for looking at
//! lock                         held by the process that works on it
//! packed.tar.gz                all of this but the lock, once the campaign has long ended
//! ```
//!
//! Campaigns beside each other share the files of their rules and bots, which never change. In a
//! bundle they are folders, `pinned/games/` and `pinned/rules/`, and so they were in campaigns of
//! earlier versions.
//!
//! A club has `club.yaml` in place of `campaign.yaml`, no rules, and what it keeps of each member
//! in `members/`.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::de::DeserializeOwned;

use super::{
    blob::{Blob, PEOPLE},
    error::StoreError,
    journal::{self, Journal, JournalContents},
    lock::Lock,
    pinned::PINNED,
    record::{Position, Record},
    snapshot::Snapshots,
};
use crate::{
    bounded,
    disk::{self, FoundText, Mode},
    mail::maildir::Maildir,
    unfinished,
};

pub(super) const JOURNAL: &str = "journal.jsonl";
pub(super) const SETTINGS: &str = "campaign.yaml";
pub(super) const CLUB: &str = "club.yaml";
/// The file that says which process works on it; a copy of it would mean nothing.
pub(super) const LOCK: &str = "lock";
pub(super) const OUTBOXES: &str = "outbox";
pub(super) const INBOX: &str = "inbox";
const SNAPSHOTS: &str = "snapshots";
const BEACON: &str = "beacon";
pub(super) const FROM_CLUB: &str = "from-club";
/// The sheets for those who look on.
const OBSERVED: &str = "observed";

/// How long to wait for another process that has a packed campaign.
const PATIENCE: Duration = Duration::from_secs(10);

/// The parts that a replay needs, as paths below the campaign's directory.
const FOR_REPLAY: [&str; 3] = [SETTINGS, JOURNAL, PINNED];

/// The directory of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    root: PathBuf,
}

impl Directory {
    /// The directory of an existing campaign. It is unpacked if it was packed.
    ///
    /// # Errors
    /// The environment, if there is no such folder; [`StoreError::NoCampaign`] if it is not a
    /// campaign's; a packed file that is damaged.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        let directory = Self::find(root)?;
        if directory.is_packed() {
            let _lock = directory.lock(PATIENCE)?;
            directory.unpack()?;
        }
        Ok(directory)
    }

    /// The directory of an existing campaign, which may be packed: then it has settings and
    /// whatever is on its way, and nothing else can be read.
    ///
    /// # Errors
    /// The environment, if there is no such folder; [`StoreError::NoCampaign`] if it is not a
    /// campaign's.
    pub fn find(root: &Path) -> Result<Self, StoreError> {
        Self::open_as(root, Blob::Settings)
    }

    /// The directory of an existing club.
    ///
    /// # Errors
    /// As [`Directory::open`].
    pub fn open_club(root: &Path) -> Result<Self, StoreError> {
        Self::open_as(root, Blob::Club)
    }

    pub(super) fn open_as(root: &Path, kind: Blob) -> Result<Self, StoreError> {
        fs::read_dir(root).map_err(StoreError::io("open the campaign", root))?;
        let directory = Self::at(root);
        if kind == Blob::Settings && directory.is_packed() {
            return Ok(directory);
        }
        let settings = if kind == Blob::Club { CLUB } else { SETTINGS };
        for missing in [settings, JOURNAL] {
            if fs::symlink_metadata(root.join(missing)).is_err() {
                return Err(StoreError::NoCampaign {
                    path: root.to_owned(),
                    missing,
                });
            }
        }
        Ok(directory)
    }

    /// The directory at a path, without any check: a bundle is laid out like a campaign.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Its path, which identifies the campaign among all others.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns true if it holds a complete campaign.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.has_settings() && self.has_journal()
    }

    /// Returns true if it has settings.
    #[must_use]
    pub fn has_settings(&self) -> bool {
        self.root.join(SETTINGS).exists() || self.is_packed()
    }

    /// Returns true if it has a journal.
    #[must_use]
    pub fn has_journal(&self) -> bool {
        self.root.join(JOURNAL).exists() || self.is_packed()
    }

    /// Takes the campaign for this process; waits up to `patience`.
    ///
    /// # Errors
    /// As [`Lock::take`].
    pub fn lock(&self, patience: Duration) -> Result<Lock, StoreError> {
        Lock::take(&self.root.join(LOCK), patience)
    }

    /// Removes what killed processes have left half-written, from all its folders.
    pub fn sweep(&self) {
        let secret = self.place(Blob::Master);
        let folders = [SNAPSHOTS, BEACON, PEOPLE].map(|name| self.root.join(name));
        unfinished::sweep(&self.root);
        unfinished::sweep(disk::folder_of(&secret));
        folders.iter().for_each(|folder| unfinished::sweep(folder));
        self.inbox().sweep();
        self.club_words().sweep();
        self.observed().sweep();
        // A folder that can't be listed can't be swept either.
        for recipient in self.outboxes().unwrap_or_default() {
            self.outbox(&recipient).sweep();
        }
    }
}

/// The journal and its snapshots.
impl Directory {
    /// Starts the journal of a new campaign.
    ///
    /// # Errors
    /// As [`Journal::create`].
    pub fn new_journal(&self) -> Result<Journal, StoreError> {
        Journal::create(&self.root.join(JOURNAL))
    }

    /// Opens the journal for appending, with the records after a position. The caller must hold the
    /// lock.
    ///
    /// # Errors
    /// As [`Journal::open_after`].
    pub fn open_journal<E: DeserializeOwned>(
        &self,
        from: Position,
    ) -> Result<(Journal, JournalContents<E>), StoreError> {
        Journal::open_after(&self.root.join(JOURNAL), from)
    }

    /// The records after a position; verifies the whole journal.
    ///
    /// # Errors
    /// As [`journal::read`].
    pub fn records<E: DeserializeOwned>(
        &self,
        from: Position,
    ) -> Result<JournalContents<E>, StoreError> {
        journal::read(&self.root.join(JOURNAL), from)
    }

    /// The first record; none in an empty journal.
    ///
    /// # Errors
    /// If the journal can't be read.
    pub fn first_record<E: DeserializeOwned>(&self) -> Result<Option<Record<E>>, StoreError> {
        journal::first(&self.root.join(JOURNAL))
    }

    /// Stores a journal that was written elsewhere, in a campaign being made.
    ///
    /// # Errors
    /// The environment.
    pub fn keep_journal(&self, text: &str) -> Result<(), StoreError> {
        Ok(disk::write_atomically(
            &self.root.join(JOURNAL),
            text.as_bytes(),
            Mode::Shared,
        )?)
    }

    /// The snapshots made by this build.
    #[must_use]
    pub fn snapshots(&self, build: &str) -> Snapshots {
        Snapshots::new(self.root.join(SNAPSHOTS), self.root.join(JOURNAL), build)
    }
}

/// Blobs, values of the beacon.
impl Directory {
    /// A blob's text; none if it is not there.
    ///
    /// # Errors
    /// The environment; a blob that is no file, no text, or too large.
    pub fn fetch(&self, blob: Blob) -> Result<Option<String>, StoreError> {
        match bounded::read_text(&self.place(blob), blob.limit()) {
            Err(error) if error.is_missing() => match blob {
                Blob::Settings if self.is_packed() => self.packed_settings().map(Some),
                _ => Ok(None),
            },
            text => Ok(Some(text?)),
        }
    }

    /// Keeps a blob, replacing the one before.
    ///
    /// # Errors
    /// The environment; the old blob is then still there.
    pub fn keep(&self, blob: Blob, text: &str) -> Result<(), StoreError> {
        let path = self.place(blob);
        disk::make_folder(disk::folder_of(&path))?;
        Ok(disk::write_atomically(&path, text.as_bytes(), blob.mode())?)
    }

    /// Removes a blob. Returns true if it was there.
    ///
    /// # Errors
    /// The environment.
    pub fn remove(&self, blob: Blob) -> Result<bool, StoreError> {
        let path = self.place(blob);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::io("remove", &path)(error)),
        }
    }

    /// The files that a club keeps of its members, each with its version, sorted.
    ///
    /// # Errors
    /// The environment.
    pub fn persons(&self) -> Result<Vec<Blob>, StoreError> {
        let names = disk::files_in(&self.root.join(PEOPLE))?;
        let mut found: Vec<(u32, u32)> = (names.iter())
            .filter_map(|name| {
                let (member, version) = name.split_once('-')?;
                Some((member.parse().ok()?, version.parse().ok()?))
            })
            .collect();
        found.sort_unstable();
        let blobs = found.into_iter();
        Ok(blobs
            .map(|(member, version)| Blob::Person { member, version })
            .collect())
    }

    /// The path of a blob, for messages.
    #[must_use]
    pub fn place(&self, blob: Blob) -> PathBuf {
        self.root.join(blob.file())
    }

    /// Texts in which somebody has fetched values of the beacon, by their places; one longer than
    /// `limit` bytes is an error of its own.
    ///
    /// # Errors
    /// The environment.
    pub fn beacon(&self, limit: u64) -> Result<Vec<FoundText>, StoreError> {
        Ok(disk::texts_in(&self.root.join(BEACON), limit)?)
    }
}

/// The Maildirs of a campaign, each made with its first mail.
impl Directory {
    /// The Maildir of incoming mails.
    #[must_use]
    pub fn inbox(&self) -> Maildir {
        Maildir::on_demand(self.root.join(INBOX))
    }

    /// The Maildir of letters to a recipient: one for each seat and one for the umpire.
    #[must_use]
    pub fn outbox(&self, name: &str) -> Maildir {
        Maildir::on_demand(self.root.join(OUTBOXES).join(name))
    }

    /// The Maildir of what the club around the campaigns tells.
    #[must_use]
    pub fn club_words(&self) -> Maildir {
        Maildir::on_demand(self.root.join(FROM_CLUB))
    }

    /// The sheets for those who look on.
    #[must_use]
    pub fn observed(&self) -> Maildir {
        Maildir::on_demand(self.root.join(OBSERVED))
    }

    /// The names of all outboxes, sorted.
    ///
    /// # Errors
    /// The environment.
    pub fn outboxes(&self) -> Result<Vec<String>, StoreError> {
        Ok(disk::folders_in(&self.root.join(OUTBOXES))?)
    }

    /// Removes an outbox with all its letters.
    ///
    /// # Errors
    /// The environment.
    pub fn remove_outbox(&self, name: &str) -> Result<(), StoreError> {
        let path = self.root.join(OUTBOXES).join(name);
        fs::remove_dir_all(&path).map_err(StoreError::io("remove", &path))
    }

    /// Returns true if letters go out from here; none do from an unpacked bundle.
    #[must_use]
    pub fn has_outboxes(&self) -> bool {
        self.root.join(OUTBOXES).is_dir()
    }
}

/// A bundle: what an ended campaign hands on.
impl Directory {
    /// The parts that a replay needs, by name, and whether they are there.
    pub fn for_replay(&self) -> impl Iterator<Item = (&'static str, bool)> {
        FOR_REPLAY
            .into_iter()
            .map(|name| (name, self.pinned_at(name).exists()))
    }

    /// Copies what a replay needs, and these blobs. Returns the number of files.
    ///
    /// # Errors
    /// The environment; a blob that is not there; pinned files that were changed.
    pub fn copy_into(&self, bundle: &Self, blobs: &[Blob]) -> Result<usize, StoreError> {
        let journal = bounded::read(&self.root.join(JOURNAL), u64::MAX)?;
        disk::make_folder(&bundle.root)?;
        disk::write_cache(&bundle.root.join(JOURNAL), &journal, Mode::Shared)?;
        for blob in blobs.iter().chain(&[Blob::Settings]) {
            let text = bounded::read(&self.place(*blob), blob.limit())?;
            let path = bundle.place(*blob);
            disk::make_folder(disk::folder_of(&path))?;
            // Auditors read them: they are no longer secret.
            disk::write_cache(&path, &text, Mode::Shared)?;
        }
        let pinned = self.pinned()?;
        pinned.write(&bundle.root.join(PINNED))?;
        // The journal, the settings and the sums of the pinned files, besides the pinned files
        // themselves.
        Ok(blobs.len() + 3 + pinned.iter().len())
    }

    /// Makes the folders of a new campaign.
    pub(super) fn make_folders(&self) -> Result<(), StoreError> {
        let secret = self.place(Blob::Master);
        for folder in [SNAPSHOTS, OUTBOXES] {
            disk::make_folder(&self.root.join(folder))?;
        }
        Ok(disk::make_folder(disk::folder_of(&secret))?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn folders_without_a_campaign_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none");
        assert!(Directory::open(&missing).unwrap_err().is_environment());
        assert!(matches!(
            Directory::open(folder.path()),
            Err(StoreError::NoCampaign {
                missing: SETTINGS,
                ..
            })
        ));
    }

    #[test]
    fn a_blob_is_kept_fetched_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::at(folder.path());
        for blob in [
            Blob::Settings,
            Blob::Master,
            Blob::Keys,
            Blob::LostKeys(2),
            Blob::Addresses,
            Blob::Alarm,
            Blob::ResultsOf,
        ] {
            assert_eq!(directory.fetch(blob).unwrap(), None);
            assert!(!directory.remove(blob).unwrap());
            let text = format!("{blob:?}");
            directory.keep(blob, "the one before").unwrap();
            directory.keep(blob, &text).unwrap();
            assert_eq!(directory.fetch(blob).unwrap(), Some(text));
            assert!(directory.remove(blob).unwrap());
            assert_eq!(directory.fetch(blob).unwrap(), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn secrets_are_the_owners() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::at(folder.path());
        for blob in [
            Blob::Master,
            Blob::Keys,
            Blob::LostKeys(1),
            Blob::Addresses,
            Blob::Alarm,
        ] {
            directory.keep(blob, "secret").unwrap();
            let mode = fs::metadata(directory.place(blob)).unwrap().permissions();
            assert_eq!(mode.mode() & 0o777, 0o600, "{blob:?}");
        }
    }

    #[test]
    fn every_recipient_has_one_box() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::at(folder.path());
        assert!(!directory.has_outboxes());
        for name in ["umpire", "red"] {
            directory.outbox(name).create().unwrap();
        }
        assert_eq!(directory.outboxes().unwrap(), ["red", "umpire"]);
    }
}
