//! Reading and writing whole files so that a crash or a full disk leaves the old file or the new
//! one, never half of one.

use std::{
    fs::{self, File, Permissions},
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use tempfile::{NamedTempFile, TempDir};

use thiserror::Error;

use crate::{
    bounded::{self, FileError},
    unfinished,
};

/// The machine failed: disk full, folder missing, no permission.
#[derive(Debug, Error)]
#[error("can't {doing} {}: {source}", path.display())]
pub struct DiskError {
    /// The failed action, as a verb: `write`.
    doing: &'static str,
    /// The file or folder.
    path: PathBuf,
    /// The operating system's error.
    source: io::Error,
}

impl DiskError {
    /// For `map_err`: the operating system refused to do something with a path.
    pub(crate) fn of(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self {
            doing,
            path: path.to_owned(),
            source,
        }
    }

    /// Returns true if a file or folder is not there.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.source.kind() == io::ErrorKind::NotFound
    }
}

/// The permissions of a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Readable by everyone whom the process's umask lets.
    Shared,
    /// Only the owner (0600).
    Secret,
}

/// The room on a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct DiskSpace {
    /// Bytes that may still be written.
    pub free: u64,
    /// All bytes.
    pub total: u64,
}

impl DiskSpace {
    /// Below so many bytes a disk is nearly full, whatever its size.
    const LOW: u64 = 512 << 20;

    /// The room on the disk on which a path lies; none where the system does not say.
    #[cfg(unix)]
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let found = rustix::fs::statvfs(path).ok()?;
        let bytes = |blocks: u64| blocks.saturating_mul(found.f_frsize);
        Some(Self {
            free: bytes(found.f_bavail),
            total: bytes(found.f_blocks),
        })
    }

    /// The room on the disk on which a path lies; none where the system does not say.
    #[cfg(not(unix))]
    #[must_use]
    pub fn of(_path: &Path) -> Option<Self> {
        None
    }

    /// Returns true if less than a twentieth is free, or less than half a GiB.
    #[must_use]
    pub fn is_low(&self) -> bool {
        self.free < Self::LOW || self.free < self.total / 20
    }
}

/// What tells a file from another one, and from itself after a change: where it lies on the disk,
/// its length, and when it was last written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileMark {
    /// None where files have no number.
    inode: Option<(u64, u64)>,
    bytes: u64,
    written: SystemTime,
}

impl FileMark {
    /// When the file was last written, by the clock of the disk.
    #[must_use]
    pub fn written(&self) -> SystemTime {
        self.written
    }

    /// Returns true if it tells files in different places apart, and not only changes of one.
    #[must_use]
    pub fn is_of_one_place(&self) -> bool {
        self.inode.is_some()
    }

    /// The mark of a plain file; none of anything else.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(path).ok()?;
        found.is_file().then_some(Self {
            inode: number(&found),
            bytes: found.len(),
            written: found.modified().ok()?,
        })
    }
}

#[cfg(unix)]
fn number(found: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn number(_found: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Writes a file whole: under another name in the same folder, flushed to the disk, then renamed
/// into place.
///
/// # Errors
/// The environment, when the folder is missing, the disk is full and so on; the old file stays.
pub fn write_atomically(path: &Path, bytes: &[u8], mode: Mode) -> Result<(), DiskError> {
    let file = beside(path, bytes, mode)?;
    file.as_file()
        .sync_all()
        .map_err(DiskError::of("write", path))?;
    put_in_place(file, path)?;
    sync_folder(folder_of(path))
}

/// Like `write_atomically`, for what can be made again: the file is whole or not there, but after a
/// crash perhaps not on the disk.
///
/// # Errors
/// The environment.
pub fn write_cache(path: &Path, bytes: &[u8], mode: Mode) -> Result<(), DiskError> {
    put_in_place(beside(path, bytes, mode)?, path)
}

/// Writes the bytes into an unfinished file in the same folder.
fn beside(path: &Path, bytes: &[u8], mode: Mode) -> Result<NamedTempFile, DiskError> {
    let failed = || DiskError::of("write", path);
    let mut file = unfinished::create(folder_of(path), permissions(mode)).map_err(failed())?;
    file.write_all(bytes).map_err(failed())?;
    Ok(file)
}

fn put_in_place(file: NamedTempFile, path: &Path) -> Result<(), DiskError> {
    file.persist(path)
        .map_err(|refused| DiskError::of("write", path)(refused.error))?;
    Ok(())
}

/// Makes the entries of a folder durable, after a file was made, renamed or removed in it.
///
/// # Errors
/// The environment.
pub fn sync_folder(folder: &Path) -> Result<(), DiskError> {
    // Only Unix lets a program open and flush a folder.
    if cfg!(unix) {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(DiskError::of("flush to the disk", folder))?;
    }
    Ok(())
}

/// Makes a folder, which may exist already, with those above it.
///
/// # Errors
/// The environment.
pub fn make_folder(folder: &Path) -> Result<(), DiskError> {
    fs::create_dir_all(folder).map_err(DiskError::of("make the folder", folder))
}

/// Makes a folder with a new name inside another, for the owner alone (0700). It disappears when
/// dropped.
///
/// # Errors
/// Those of the operating system.
pub(crate) fn private_folder(inside: &Path) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(unfinished::PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(inside)
}

/// A file's place and its text, or why it can't be read.
pub type FoundText = (PathBuf, Result<String, FileError>);

/// The text files of a folder in the order of their names; none if there is no such folder. Leaves
/// out folders and hidden files.
///
/// # Errors
/// The environment.
pub fn texts_in(folder: &Path, limit: u64) -> Result<Vec<FoundText>, DiskError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(DiskError::of("read", folder))?,
    };
    let entries: io::Result<Vec<_>> = entries.collect();
    let entries = entries.map_err(DiskError::of("read", folder))?;
    let mut paths: Vec<PathBuf> = entries
        .iter()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = bounded::read_text(&path, limit);
        (path, text)
    };
    Ok(paths.into_iter().map(read).collect())
}

/// The names of the folders in a folder, sorted; none if there is no such folder.
///
/// # Errors
/// The environment.
pub fn folders_in(folder: &Path) -> Result<Vec<String>, DiskError> {
    names_in(folder, |kind| kind.is_dir())
}

/// The names of the files in a folder, sorted; none if there is no such folder.
///
/// # Errors
/// The environment.
pub fn files_in(folder: &Path) -> Result<Vec<String>, DiskError> {
    names_in(folder, |kind| kind.is_file())
}

fn names_in(
    folder: &Path,
    wanted: impl Fn(fs::FileType) -> bool,
) -> Result<Vec<String>, DiskError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(DiskError::of("read", folder))?,
    };
    let entries: io::Result<Vec<_>> = entries.collect();
    let entries = entries.map_err(DiskError::of("read", folder))?;
    let mut names: Vec<String> = entries
        .iter()
        .filter(|entry| entry.file_type().is_ok_and(&wanted))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// The folder of a path; `.` for a bare name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The permissions of a new file; `None` where the system has none.
#[cfg(unix)]
fn permissions(mode: Mode) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(match mode {
        Mode::Shared => 0o666, // the umask takes its part off
        Mode::Secret => 0o600,
    }))
}

#[cfg(not(unix))]
fn permissions(_mode: Mode) -> Option<Permissions> {
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.txt");
        write_atomically(&path, b"one", Mode::Shared).unwrap();
        write_atomically(&path, b"two", Mode::Shared).unwrap();
        assert_eq!(bounded::read_text(&path, 3).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn secrets_are_for_the_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("master");
        write_atomically(&path, b"shared first", Mode::Shared).unwrap();
        write_atomically(&path, b"secret", Mode::Secret).unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }

    #[test]
    fn a_missing_folder_is_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone").join("file");
        assert!(
            write_atomically(&path, b"", Mode::Shared)
                .unwrap_err()
                .is_missing()
        );
    }
}
