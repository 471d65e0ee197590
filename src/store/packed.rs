//! An ended campaign at rest: one file in its directory has all others in it.
//!
//! What is still on its way stays beside it: mails that nobody has read, letters that have not been
//! sent. So a mail can come for a packed campaign, and opening that unpacks it
//! ([`Directory::open`]). Each step leaves either the packed file or all that is in it.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    time::SystemTime,
};

use tempfile::TempDir;

use super::{
    backup::{BackupError, BackupWriter, archive_in},
    directory::{Directory, JOURNAL, LOCK, SETTINGS},
    error::StoreError,
    unpack::{UnpackBounds, UnpackError, first_file, unpack_within},
};
use crate::{disk, unfinished};

/// The file of a packed campaign, a gzipped tar archive.
pub(super) const PACKED: &str = "packed.tar.gz";

/// Where it is unpacked until all of it is there.
const UNPACKING: &str = ".unfinished-unpacked";

/// What a campaign may have in it: far more than any has.
const BOUNDS: UnpackBounds = UnpackBounds {
    entries: 2_000_000,
    bytes: 1 << 36,
    permissions: true,
};

/// The largest settings, in bytes.
const LARGEST_SETTINGS: u64 = 4 << 20;

impl Directory {
    fn packed_file(&self) -> PathBuf {
        self.root().join(PACKED)
    }

    /// Returns true if it is packed.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        fs::symlink_metadata(self.packed_file()).is_ok_and(|found| found.is_file())
    }

    /// When its journal was last written, or unpacked, by the clock of the disk; none if it is
    /// packed.
    #[must_use]
    pub fn touched(&self) -> Option<SystemTime> {
        let journal = fs::metadata(self.root().join(JOURNAL)).ok()?;
        journal.modified().ok()
    }

    /// Packs it, which must be one that has ended. The caller holds the lock.
    ///
    /// # Errors
    /// The environment: then it is as it was, or packed already and what is left beside the file
    /// does no harm.
    pub fn pack(&self) -> Result<(), StoreError> {
        if self.is_packed() {
            return Ok(());
        }
        let mut found = PackingList::default();
        found.look(self.root(), Path::new(""))?;
        let mut writer = BackupWriter::create(&self.packed_file())?;
        // First, so that a look at them reads no more.
        let is_settings = |path: &PathBuf| path == Path::new(SETTINGS);
        found.files.sort_by_key(|path| !is_settings(path));
        for folder in &found.folders {
            writer.add_empty(&self.root().join(folder), folder)?;
        }
        for file in &found.files {
            writer.add_file(&self.root().join(file), file)?;
        }
        writer.finish()?;
        for file in &found.files {
            let path = self.root().join(file);
            fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
        }
        for folder in found.folders.iter().rev() {
            // One with a mail that has just come stays.
            let _ = fs::remove_dir(self.root().join(folder));
        }
        Ok(disk::sync_folder(self.root())?)
    }

    /// Puts all files back where they were. The caller holds the lock.
    ///
    /// # Errors
    /// The environment; a packed file that is damaged. It is still there then.
    pub(super) fn unpack(&self) -> Result<(), StoreError> {
        if !self.is_packed() {
            return Ok(());
        }
        let beside = self.root().join(UNPACKING);
        // What a killed process has left.
        match fs::remove_dir_all(&beside) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(StoreError::io("remove", &beside)(error));
            }
            _ => disk::make_folder(&beside)?,
        }
        self.unpack_into(&beside)?;
        put_back(&beside, self.root())?;
        fs::remove_dir_all(&beside).map_err(StoreError::io("remove", &beside))?;
        let packed = self.packed_file();
        fs::remove_file(&packed).map_err(StoreError::io("remove", &packed))?;
        Ok(disk::sync_folder(self.root())?)
    }

    /// A copy of a packed campaign, unpacked elsewhere, for who only reads it. It is gone when it
    /// is dropped.
    ///
    /// # Errors
    /// The environment; a packed file that is damaged.
    pub fn unpacked_copy(&self) -> Result<TempDir, StoreError> {
        let folder = tempfile::tempdir();
        let folder = folder.map_err(StoreError::io("unpack", &self.packed_file()))?;
        self.unpack_into(folder.path())?;
        Ok(folder)
    }

    fn unpack_into(&self, folder: &Path) -> Result<(), StoreError> {
        let packed = self.packed_file();
        let archive = archive_in(&packed, BOUNDS.bytes, folder).map_err(|error| match error {
            BackupError::Store(error) => error,
            BackupError::Damaged { problem, .. } => damaged(&packed, problem),
        })?;
        unpack_within(archive, folder, BOUNDS).map_err(|error| match error {
            UnpackError::Io(error) => StoreError::io("unpack", &packed)(error),
            error => damaged(&packed, error.to_string()),
        })
    }

    /// The settings of a packed campaign.
    ///
    /// # Errors
    /// The environment; a packed file that is damaged.
    pub(super) fn packed_settings(&self) -> Result<String, StoreError> {
        let packed = self.packed_file();
        let found = first_file(&packed, Path::new(SETTINGS), LARGEST_SETTINGS);
        found.map_err(|error| match error {
            UnpackError::Io(error) => StoreError::io("read", &packed)(error),
            error => damaged(&packed, error.to_string()),
        })
    }
}

fn damaged(path: &Path, problem: String) -> StoreError {
    StoreError::Packed {
        path: path.to_owned(),
        problem,
    }
}

/// What is packed, below the campaign's directory; each folder comes before what is in it.
#[derive(Default)]
struct PackingList {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl PackingList {
    fn look(&mut self, root: &Path, below: &Path) -> Result<(), StoreError> {
        let folder = root.join(below);
        let failed = || StoreError::io("pack", &folder);
        let entries = fs::read_dir(&folder).map_err(failed())?;
        let mut entries = entries.collect::<io::Result<Vec<_>>>().map_err(failed())?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let path = below.join(&name);
            let passes = name
                .as_encoded_bytes()
                .starts_with(unfinished::PREFIX.as_bytes());
            let is_own = below == Path::new("") && (name == LOCK || name == PACKED);
            let kind = entry.file_type().map_err(failed())?;
            // In a Maildir: what is on its way.
            let waits = kind.is_dir() && ["new", "cur", "tmp"].iter().any(|folder| name == *folder);
            if passes || is_own {
                continue;
            }
            if kind.is_dir() {
                self.folders.push(path.clone());
                if !waits {
                    self.look(root, &path)?;
                }
            } else if kind.is_file() {
                self.files.push(path);
            } else {
                let problem = "it is neither a file nor a folder, and would be lost";
                let error = io::Error::new(ErrorKind::InvalidInput, problem);
                return Err(StoreError::io("pack", &root.join(path))(error));
            }
        }
        Ok(())
    }
}

/// Moves all that is in a folder into another, in place of what has its name there. All of it is on
/// the disk then.
fn put_back(from: &Path, to: &Path) -> Result<(), StoreError> {
    let failed = || StoreError::io("unpack", from);
    for entry in fs::read_dir(from).map_err(failed())? {
        let entry = entry.map_err(failed())?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let failed = || StoreError::io("unpack", &target);
        if entry.file_type().map_err(failed())?.is_dir() {
            disk::make_folder(&target)?;
            let mode = fs::metadata(&path).map_err(failed())?.permissions();
            fs::set_permissions(&target, mode).map_err(failed())?;
            put_back(&path, &target)?;
        } else {
            let file = fs::File::open(&path).map_err(failed())?;
            file.sync_all().map_err(failed())?;
            fs::rename(&path, &target).map_err(failed())?;
        }
    }
    Ok(disk::sync_folder(to)?)
}
