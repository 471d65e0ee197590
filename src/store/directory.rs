//! A campaign on the disk: where everything stands, and how a new one comes into being whole or not
//! at all.
//!
//! ```text
//! campaign.yaml                the settings
//! pinned/games/ pinned/rules/  the rules and data that it began with, and SHA256SUMS
//! bots/rules/                  the scripts of bots, which may play seats (may be missing)
//! journal.jsonl                the only truth
//! snapshots/                   a cache
//! inbox/  outbox/<seat>/       Maildirs
//! beacon/                      values of the beacon, from whoever fetches them (may be missing)
//! secret/master                the umpire's secret (0600)
//! addresses                    where players are reached, if anybody has moved; made again
//! alarm                        why it can't be opened, if so
//! results-of                   the server whose word on senders counts, if the host names one
//! ledger.txt  register.txt     what a replay gives, for looking at
//! lock                         held by the process that works on it
//! ```

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::TempDir;

use super::{
    error::StoreError,
    files::{self, Mode},
    lock::Lock,
    pinned::PinnedFiles,
};
use crate::{mail::maildir::Maildir, unfinished};

const SETTINGS: &str = "campaign.yaml";
const JOURNAL: &str = "journal.jsonl";

/// The directory of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    root: PathBuf,
}

impl Directory {
    /// The directory of an existing campaign.
    ///
    /// # Errors
    /// The environment, when there is no such folder; [`StoreError::NoCampaign`] when it is
    /// something else.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        fs::read_dir(root).map_err(StoreError::io("open the campaign", root))?;
        let directory = Self {
            root: root.to_owned(),
        };
        for missing in [SETTINGS, JOURNAL] {
            if fs::symlink_metadata(root.join(missing)).is_err() {
                return Err(StoreError::NoCampaign {
                    path: root.to_owned(),
                    missing,
                });
            }
        }
        Ok(directory)
    }

    /// The directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `campaign.yaml`.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.root.join(SETTINGS)
    }

    /// The folder of the pinned rules and data.
    #[must_use]
    pub fn pinned(&self) -> PathBuf {
        self.root.join("pinned")
    }

    /// The folder of the scripts of bots.
    #[must_use]
    pub fn bots(&self) -> PathBuf {
        self.root.join("bots")
    }

    /// The journal.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.root.join(JOURNAL)
    }

    /// The folder of the snapshots.
    #[must_use]
    pub fn snapshots(&self) -> PathBuf {
        self.root.join("snapshots")
    }

    /// The Maildir of incoming mails.
    #[must_use]
    pub fn inbox(&self) -> PathBuf {
        self.root.join("inbox")
    }

    /// The folder of all outgoing mails.
    #[must_use]
    pub fn outboxes(&self) -> PathBuf {
        self.root.join("outbox")
    }

    /// The Maildir of mails to a recipient: one for each seat and one for the umpire.
    #[must_use]
    pub fn outbox(&self, name: &str) -> PathBuf {
        self.outboxes().join(name)
    }

    /// The keys that are kept beside the umpire's secret.
    #[must_use]
    pub fn keys(&self) -> PathBuf {
        self.root.join("secret").join("keys")
    }

    /// The keys of an era whose master was lost; eras count from 1.
    #[must_use]
    pub fn lost_keys(&self, era: usize) -> PathBuf {
        self.root.join("secret").join(format!("lost-{era}"))
    }

    /// The places below a folder, whatever is there: a bundle is laid out as a campaign.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The file of the umpire's secret.
    #[must_use]
    pub fn master(&self) -> PathBuf {
        self.root.join("secret").join("master")
    }

    /// Where the players are reached now, if that is not as the settings say.
    #[must_use]
    pub fn addresses(&self) -> PathBuf {
        self.root.join("addresses")
    }

    /// Why it can't be opened, if so.
    #[must_use]
    pub fn alarm(&self) -> PathBuf {
        self.root.join("alarm")
    }

    /// The server whose word on senders counts, as the host says.
    #[must_use]
    pub fn results_of(&self) -> PathBuf {
        self.root.join("results-of")
    }

    /// The folder in which values of the beacon are looked for.
    #[must_use]
    pub fn beacon(&self) -> PathBuf {
        self.root.join("beacon")
    }

    /// Removes what killed processes have left half-written, wherever in it something is written.
    pub fn sweep(&self) {
        let secret = self.keys();
        let (snapshots, beacon) = (self.snapshots(), self.beacon());
        for folder in [&self.root, files::folder_of(&secret), &snapshots, &beacon] {
            unfinished::sweep(folder);
        }
        Maildir::at(self.inbox()).sweep();
        // What can't be listed can't be swept either.
        for recipient in files::folders_in(&self.outboxes()).unwrap_or_default() {
            Maildir::at(self.outboxes().join(recipient)).sweep();
        }
    }

    /// Takes the campaign for this process; waits for at most `patience`.
    ///
    /// # Errors
    /// As [`Lock::take`].
    pub fn lock(&self, patience: Duration) -> Result<Lock, StoreError> {
        Lock::take(&self.root.join("lock"), patience)
    }
}

/// A campaign that is being made, in a hidden folder beside its place, for the owner alone: the
/// journal and the mailboxes hold what players must not know. Dropped unfinished, it disappears.
#[derive(Debug)]
pub struct DirectoryDraft {
    folder: TempDir,
    target: PathBuf,
    directory: Directory,
}

impl DirectoryDraft {
    /// Begins a campaign that will stand at `target`, which must not exist or be an empty folder:
    /// writes settings, pinned files, the master (one line of text) and empty folders. The journal
    /// is the caller's to make.
    ///
    /// # Errors
    /// [`StoreError::Exists`]; the environment, also when the folder above `target` is missing.
    pub fn begin(
        target: &Path,
        settings: &str,
        pinned: &PinnedFiles,
        master: &str,
    ) -> Result<Self, StoreError> {
        if is_taken(target)? {
            return Err(StoreError::Exists {
                path: target.to_owned(),
            });
        }
        let folder = files::private_folder(files::folder_of(target))
            .map_err(StoreError::io("make the campaign", target))?;
        let directory = Directory {
            root: folder.path().to_owned(),
        };
        files::write_atomically(&directory.settings(), settings.as_bytes(), Mode::Shared)?;
        pinned.write(&directory.pinned())?;
        for folder in [
            directory.snapshots(),
            directory.inbox(),
            directory.outboxes(),
        ] {
            files::make_folder(&folder)?;
        }
        files::make_folder(files::folder_of(&directory.master()))?;
        files::write_atomically(
            &directory.master(),
            format!("{master}\n").as_bytes(),
            Mode::Secret,
        )?;
        Ok(Self {
            folder,
            target: target.to_owned(),
            directory,
        })
    }

    /// Where it stands until it is finished.
    #[must_use]
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Puts the campaign in its place. Files of it that are open must be closed before and opened
    /// again after this.
    ///
    /// # Errors
    /// [`StoreError::Exists`]; [`StoreError::NoCampaign`] when it has no journal yet; the
    /// environment.
    pub fn finish(self) -> Result<Directory, StoreError> {
        Directory::open(&self.directory.root)?;
        sync_folders(&self.directory.root)?;
        fs::rename(&self.directory.root, &self.target).map_err(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                StoreError::Exists {
                    path: self.target.clone(),
                }
            }
            _ => StoreError::io("make the campaign", &self.target)(error),
        })?;
        // Its old name is gone; nothing is left to clean up.
        let _ = self.folder.keep();
        files::sync_folder(files::folder_of(&self.target))?;
        Directory::open(&self.target)
    }
}

/// Returns true if anything but an empty folder stands there.
fn is_taken(target: &Path) -> Result<bool, StoreError> {
    match fs::read_dir(target) {
        Ok(mut entries) => Ok(entries.next().is_some()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(target.is_symlink()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(true),
        Err(error) => Err(StoreError::io("look at", target)(error)),
    }
}

/// Flushes a folder and all those below it.
fn sync_folders(folder: &Path) -> Result<(), StoreError> {
    let failed = || StoreError::io("read", folder);
    for entry in fs::read_dir(folder).map_err(failed())? {
        let entry = entry.map_err(failed())?;
        if entry.file_type().map_err(failed())?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    files::sync_folder(folder)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;
    use crate::store::{journal::Journal, pinned};

    const EXAMPLE: &str = "campaign: spring\n";

    fn begin(target: &Path) -> Result<DirectoryDraft, StoreError> {
        DirectoryDraft::begin(target, EXAMPLE, &pinned::tests::example(), "the master")
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_campaign_is_made_whole() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("spring");
        let draft = begin(&target).unwrap();
        assert!(!target.exists());
        Journal::create(&draft.directory().journal()).unwrap();
        let directory = draft.finish().unwrap();
        assert_eq!(directory.root(), target);
        assert_eq!(entries(folder.path()), 1);
        assert_eq!(fs::read_to_string(directory.settings()).unwrap(), EXAMPLE);
        assert_eq!(
            PinnedFiles::read(&directory.pinned()).unwrap(),
            pinned::tests::example()
        );
        assert_eq!(
            crate::bounded::read_text(&directory.master(), 100).unwrap(),
            "the master\n"
        );
        let _lock = directory.lock(Duration::ZERO).unwrap();
        assert!(matches!(
            directory.lock(Duration::ZERO),
            Err(StoreError::Locked { .. })
        ));
    }

    #[test]
    fn an_unfinished_campaign_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("spring");
        drop(begin(&target).unwrap());
        assert_eq!(entries(folder.path()), 0);
        let without_journal = begin(&target).unwrap().finish();
        assert!(matches!(
            without_journal,
            Err(StoreError::NoCampaign {
                missing: JOURNAL,
                ..
            })
        ));
        assert_eq!(entries(folder.path()), 0);
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("spring");
        fs::create_dir(&target).unwrap();
        let draft = begin(&target).expect("an empty folder is as good as none");
        Journal::create(&draft.directory().journal()).unwrap();
        fs::write(target.join("letter"), "mine").unwrap();
        assert!(matches!(begin(&target), Err(StoreError::Exists { .. })));
        assert!(
            matches!(draft.finish(), Err(StoreError::Exists { .. })),
            "even what came meanwhile"
        );
        assert_eq!(entries(folder.path()), 1);
        assert!(matches!(
            begin(&target.join("letter")),
            Err(StoreError::Exists { .. })
        ));
        assert_eq!(fs::read_to_string(target.join("letter")).unwrap(), "mine");
    }

    #[test]
    fn missing_folders_are_the_environment_others_are_no_campaign() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none");
        assert!(Directory::open(&missing).unwrap_err().is_environment());
        assert!(begin(&missing.join("spring")).unwrap_err().is_environment());
        assert!(matches!(
            Directory::open(folder.path()),
            Err(StoreError::NoCampaign {
                missing: SETTINGS,
                ..
            })
        ));
    }

    #[cfg(unix)]
    #[test]
    fn the_secret_is_the_owners() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let draft = begin(&folder.path().join("spring")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&draft.directory().master()), 0o600);
        assert_eq!(mode(draft.directory().root()), 0o700);
    }

    #[test]
    fn every_recipient_has_one_box() {
        let directory = Directory {
            root: "spring".into(),
        };
        let boxes = ["red", "umpire"].map(|to| directory.outbox(to));
        assert_eq!(
            boxes,
            ["red", "umpire"].map(|name| Path::new("spring/outbox").join(name))
        );
    }
}
