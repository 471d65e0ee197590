//! A new campaign, which appears whole or not at all.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::{blob::Blob, directory::Directory, error::StoreError, pinned::PinnedFiles};
use crate::disk;

/// A campaign being made, in a hidden folder beside its place. Only the owner may read it: the
/// journal and the mailboxes hold what players must not know. Dropped unfinished, it disappears.
#[derive(Debug)]
pub struct DirectoryDraft {
    folder: TempDir,
    /// Its settings, which say what it is.
    kind: Blob,
    target: PathBuf,
    directory: Directory,
}

impl DirectoryDraft {
    /// Begins a campaign that will be at `target`, which must be an empty folder or not exist:
    /// writes settings, pinned files, the master (one line of text) and empty folders. The caller
    /// makes the journal.
    ///
    /// # Errors
    /// [`StoreError::Exists`]; the environment, also when the folder above `target` is missing.
    pub fn begin(
        target: &Path,
        settings: &str,
        pinned: &PinnedFiles,
        master: &str,
    ) -> Result<Self, StoreError> {
        let draft = Self::empty(target, Blob::Settings, settings, master)?;
        draft.directory.keep_pinned(pinned)?;
        Ok(draft)
    }

    /// Begins a club that will be at `target`, as [`DirectoryDraft::begin`] does a campaign: a club
    /// has no rules.
    ///
    /// # Errors
    /// As [`DirectoryDraft::begin`].
    pub fn begin_club(target: &Path, settings: &str, master: &str) -> Result<Self, StoreError> {
        Self::empty(target, Blob::Club, settings, master)
    }

    fn empty(target: &Path, kind: Blob, settings: &str, master: &str) -> Result<Self, StoreError> {
        if is_taken(target)? {
            return Err(StoreError::Exists {
                path: target.to_owned(),
            });
        }
        let folder = disk::private_folder(disk::folder_of(target))
            .map_err(StoreError::io("make the campaign", target))?;
        let directory = Directory::at(folder.path());
        directory.make_folders()?;
        directory.keep(kind, settings)?;
        directory.keep(Blob::Master, &format!("{master}\n"))?;
        Ok(Self {
            folder,
            kind,
            target: target.to_owned(),
            directory,
        })
    }

    /// Where it is until it is finished.
    #[must_use]
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Moves the campaign to its place. Close its open files before this and open them again
    /// afterwards.
    ///
    /// # Errors
    /// [`StoreError::Exists`]; [`StoreError::NoCampaign`] when it has no journal yet; the
    /// environment.
    pub fn finish(self) -> Result<Directory, StoreError> {
        let made = self.directory.root();
        Directory::open_as(made, self.kind)?;
        sync_folders(made)?;
        fs::rename(made, &self.target).map_err(|error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                StoreError::Exists {
                    path: self.target.clone(),
                }
            }
            _ => StoreError::io("make the campaign", &self.target)(error),
        })?;
        // Its old name is gone; nothing is left to clean up.
        let _ = self.folder.keep();
        disk::sync_folder(disk::folder_of(&self.target))?;
        Directory::open_as(&self.target, self.kind)
    }
}

/// Returns true if there is anything but an empty folder.
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
    Ok(disk::sync_folder(folder)?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;
    use crate::store::{directory::JOURNAL, pinned};
    use std::time::Duration;

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
        draft.directory().new_journal().unwrap();
        let directory = draft.finish().unwrap();
        assert_eq!(directory.root(), target);
        assert_eq!(entries(folder.path()), 1);
        assert_eq!(
            directory.fetch(Blob::Settings).unwrap().as_deref(),
            Some(EXAMPLE)
        );
        assert_eq!(directory.pinned().unwrap(), pinned::tests::example());
        assert_eq!(
            directory.fetch(Blob::Master).unwrap().as_deref(),
            Some("the master\n")
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
        draft.directory().new_journal().unwrap();
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
    fn a_missing_folder_is_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none").join("spring");
        assert!(begin(&missing).unwrap_err().is_environment());
    }

    #[cfg(unix)]
    #[test]
    fn the_secret_is_the_owners() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let draft = begin(&folder.path().join("spring")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&draft.directory().place(Blob::Master)), 0o600);
        assert_eq!(mode(draft.directory().root()), 0o700);
    }
}
