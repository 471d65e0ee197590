//! An ended campaign at rest: one file in its directory has all others in it.
//!
//! What is still on its way stays beside it: mails that nobody has read, letters that have not been
//! sent. So a mail can come for a packed campaign, and opening that unpacks it
//! ([`Directory::open`]). Each step leaves either the packed file or all that is in it.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::{
    backup::{BackupError, BackupWriter, archive_in},
    directory::{Directory, FROM_CLUB, INBOX, JOURNAL, LOCK, OUTBOXES, SETTINGS},
    error::StoreError,
    unpack::{UnpackBounds, UnpackError, first_file, unpack_within},
};
use crate::{
    bounded,
    disk::{self, FileMark},
    unfinished,
};

/// The file of a packed campaign, a gzipped tar archive.
pub(super) const PACKED: &str = "packed.tar.gz";

/// Its name until it has been read once more.
const UNPROVEN: &str = ".unfinished-packed.tar.gz";

/// Where it is unpacked until all of it is there. What a killed process leaves is removed by the
/// next.
const UNPACKING: &str = ".unfinished-unpacked";

/// What a campaign may have in it: far more than any has.
const BOUNDS: UnpackBounds = UnpackBounds {
    entries: 1_000_000,
    bytes: 1 << 33,
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

    /// The mark of its journal, another one whenever somebody has worked on it; none if it is
    /// packed.
    #[must_use]
    pub fn journal_mark(&self) -> Option<FileMark> {
        FileMark::of(&self.root().join(JOURNAL))
    }

    /// Packs it, which must be one that has ended. The caller holds the lock. Folders of
    /// Maildirs that are there stay, since mails may come at any moment.
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
        let unproven = self.root().join(UNPROVEN);
        remove_if_there(&unproven)?;
        self.write(&unproven, &found)?;
        // Nothing else will be left: it is read once more before anything goes.
        if let Err(error) = self.prove(&unproven, &found) {
            remove_if_there(&unproven)?;
            return Err(error);
        }
        let packed = self.packed_file();
        fs::rename(&unproven, &packed).map_err(StoreError::io("write", &packed))?;
        disk::sync_folder(self.root())?;
        for file in &found.files {
            let path = self.root().join(file);
            fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
        }
        for folder in found.folders.iter().rev().filter(|it| !is_of_mail(it)) {
            // One in which something has just appeared stays.
            let _ = fs::remove_dir(self.root().join(folder));
        }
        Ok(disk::sync_folder(self.root())?)
    }

    /// Writes an archive. The settings come first, so that a look at them reads no more.
    fn write(&self, archive: &Path, found: &PackingList) -> Result<(), StoreError> {
        let mut writer = BackupWriter::create(archive)?;
        let (first, others): (Vec<&PathBuf>, Vec<&PathBuf>) = found
            .files
            .iter()
            .partition(|path| *path == Path::new(SETTINGS));
        for file in first {
            writer.add_file(&self.root().join(file), file)?;
        }
        for folder in &found.folders {
            writer.add_empty(&self.root().join(folder), folder)?;
        }
        for file in others {
            writer.add_file(&self.root().join(file), file)?;
        }
        writer.finish().map(|_| ())
    }

    /// Returns an error unless an archive, unpacked, has just these files, as they are here.
    fn prove(&self, archive: &Path, found: &PackingList) -> Result<(), StoreError> {
        let failed =
            |problem: String| StoreError::io("pack", self.root())(io::Error::other(problem));
        let copy = self.unpacking()?;
        // Its own words are for one that is all there is.
        unpack_file(archive, &copy).map_err(|error| match error {
            StoreError::Packed { problem, .. } => failed(problem),
            error => error,
        })?;
        let mut again = PackingList::default();
        again.look(&copy, Path::new(""))?;
        if again.files != found.files {
            return Err(failed("other files are in the archive".to_owned()));
        }
        for file in &found.files {
            let read = |root: &Path| bounded::read(&root.join(file), u64::MAX);
            if read(self.root())? != read(&copy)? {
                let problem = format!("{} is not the same in the archive", file.display());
                return Err(failed(problem));
            }
        }
        fs::remove_dir_all(&copy).map_err(StoreError::io("remove", &copy))
    }

    /// An empty folder for what is being unpacked, for the owner alone.
    fn unpacking(&self) -> Result<PathBuf, StoreError> {
        let folder = self.root().join(UNPACKING);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(StoreError::io("remove", &folder)(error))
            }
            _ => make_private(&folder).map(|()| folder),
        }
    }

    /// Puts all files back where they were. The caller holds the lock.
    ///
    /// # Errors
    /// The environment; a packed file that is damaged. It is still there then.
    pub(crate) fn unpack(&self) -> Result<(), StoreError> {
        if !self.is_packed() {
            return Ok(());
        }
        let beside = self.unpacking()?;
        unpack_file(&self.packed_file(), &beside)?;
        put_back(&beside, self.root())?;
        fs::remove_dir_all(&beside).map_err(StoreError::io("remove", &beside))?;
        let packed = self.packed_file();
        fs::remove_file(&packed).map_err(StoreError::io("remove", &packed))?;
        self.share_rules();
        Ok(disk::sync_folder(self.root())?)
    }

    /// The directory for a reader, who changes nothing: itself or, if it is packed, a copy that is
    /// unpacked elsewhere and gone when the second value is dropped. Letters on their way are in
    /// the copy, too.
    ///
    /// # Errors
    /// The environment; a packed file that is damaged.
    pub fn to_read(&self) -> Result<(Self, Option<TempDir>), StoreError> {
        if !self.is_packed() {
            return Ok((self.clone(), None));
        }
        let failed = || StoreError::io("unpack", self.root());
        let folder = tempfile::tempdir().map_err(failed())?;
        unpack_file(&self.packed_file(), folder.path())?;
        for recipient in self.outboxes()? {
            for part in ["new", "cur"] {
                let below = Path::new(OUTBOXES).join(&recipient).join(part);
                let (from, to) = (self.root().join(&below), folder.path().join(&below));
                disk::make_folder(&to)?;
                for name in disk::files_in(&from)? {
                    match fs::copy(from.join(&name), to.join(&name)) {
                        // It has just been sent.
                        Err(error) if error.kind() == ErrorKind::NotFound => {}
                        copied => drop(copied.map_err(failed())?),
                    }
                }
            }
        }
        Ok((Self::at(folder.path()), Some(folder)))
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

/// Puts all that is in a packed file into a folder.
fn unpack_file(packed: &Path, folder: &Path) -> Result<(), StoreError> {
    let archive = archive_in(packed, BOUNDS.bytes, folder).map_err(|error| match error {
        BackupError::Store(error) => error,
        BackupError::Damaged { problem, .. } => damaged(packed, problem),
    })?;
    unpack_within(archive, folder, BOUNDS).map_err(|error| match error {
        UnpackError::Io(error) => StoreError::io("unpack", packed)(error),
        error => damaged(packed, error.to_string()),
    })
}

/// Makes a folder for the owner alone.
fn make_private(folder: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(StoreError::io("make the folder", folder))
}

fn remove_if_there(file: &Path) -> Result<(), StoreError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(StoreError::io("remove", file)(error))
        }
        _ => Ok(()),
    }
}

/// Returns true if a path is a Maildir of mails that come or letters that go, or lies in one.
fn is_of_mail(path: &Path) -> bool {
    [INBOX, FROM_CLUB, OUTBOXES]
        .iter()
        .any(|folder| path.starts_with(folder))
}

/// Returns true if a path is a folder of mails that nobody has read, or letters that have not been
/// sent.
fn is_of_waiting(path: &Path) -> bool {
    is_of_mail(path)
        && ["new", "cur", "tmp"]
            .iter()
            .any(|folder| path.ends_with(folder))
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
            let is_passing = name
                .as_encoded_bytes()
                .starts_with(unfinished::PREFIX.as_bytes());
            let is_own = below == Path::new("") && (name == LOCK || name == PACKED);
            if is_passing || is_own {
                continue;
            }
            let kind = entry.file_type().map_err(failed())?;
            if kind.is_dir() {
                self.folders.push(path.clone());
                if !is_of_waiting(&path) {
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
