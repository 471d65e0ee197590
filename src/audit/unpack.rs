//! A bundle as a .tar file comes from anybody: only what a bundle can have is taken out of it, within bounds.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use tar::{Archive, EntryType};
use thiserror::Error;

/// The most entries, files and folders together.
const MOST_ENTRIES: usize = 100_000;
/// The most bytes of all files together.
const MOST_BYTES: u64 = 1 << 30;

/// Why a .tar file is not unpacked.
#[derive(Debug, Error)]
pub enum UnpackError {
    /// The machine failed, or the file is no whole archive.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A name that leads out of the folder.
    #[error("the archive has the name `{0}`, which is no plain path inside of a bundle")]
    Path(String),
    /// A link, a device or something else that is neither file nor folder.
    #[error("`{0}` in the archive is neither a file nor a folder; a bundle has nothing else")]
    Kind(String),
    /// A name that stands twice.
    #[error("`{0}` stands twice in the archive")]
    Twice(String),
    /// Too many entries.
    #[error("the archive has more than {MOST_ENTRIES} files and folders, which no bundle has")]
    Many,
    /// Too many bytes.
    #[error("the archive has more than {MOST_BYTES} bytes in its files, which no bundle has")]
    Large,
}

/// Unpacks a .tar file into an empty folder. Owners, permissions and times in it do not count.
///
/// # Errors
/// See [`UnpackError`]; what has been unpacked until then stays in the folder.
pub fn unpack(archive: &Path, folder: &Path) -> Result<(), UnpackError> {
    unpack_within(File::open(archive)?, folder, MOST_ENTRIES, MOST_BYTES)
}

fn unpack_within(
    archive: impl Read,
    folder: &Path,
    most_entries: usize,
    most_bytes: u64,
) -> Result<(), UnpackError> {
    let mut archive = Archive::new(archive);
    let mut left = most_bytes;
    for (number, entry) in archive.entries()?.enumerate() {
        let mut entry = entry?;
        if number >= most_entries {
            return Err(UnpackError::Many);
        }
        let name = entry.path()?.into_owned();
        let shown = || name.display().to_string();
        let path = folder.join(inside(&name).ok_or_else(|| UnpackError::Path(shown()))?);
        match entry.header().entry_type() {
            EntryType::Directory => fs::create_dir_all(&path)?,
            EntryType::Regular => {
                left = (left.checked_sub(entry.size())).ok_or(UnpackError::Large)?;
                if let Some(above) = path.parent() {
                    fs::create_dir_all(above)?;
                }
                let mut file = File::create_new(&path).map_err(|error| match error.kind() {
                    io::ErrorKind::AlreadyExists => UnpackError::Twice(shown()),
                    _ => error.into(),
                })?;
                io::copy(&mut entry, &mut file)?;
            }
            _ => return Err(UnpackError::Kind(shown())),
        }
    }
    Ok(())
}

/// The path without `.` in it, if it has nothing but plain names.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut inside = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => inside.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(inside)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    /// An archive with one entry; its name is put in as it is.
    fn archive(name: &str, kind: EntryType, bytes: &[u8]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for _ in 0..2 {
            let mut header = tar::Header::new_ustar();
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(kind);
            header.set_size(bytes.len() as u64);
            if kind == EntryType::Symlink {
                header.set_link_name("/etc").unwrap();
            }
            header.set_cksum();
            builder.append(&header, bytes).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn tried(name: &str, kind: EntryType, bytes: &[u8], entries: usize, most: u64) -> String {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let archive = archive(name, kind, bytes);
        let result = unpack_within(archive.as_slice(), &inner, entries, most);
        let around = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(around, 1, "nothing is written beside the folder");
        result.unwrap_err().to_string()
    }

    #[test]
    fn only_files_and_folders_inside_are_taken() {
        use EntryType::{Char, Link, Regular, Symlink};
        for (name, kind, problem) in [
            ("../out", Regular, "no plain path"),
            ("dice/../../out", Regular, "no plain path"),
            ("/out", Regular, "no plain path"),
            ("dice", Symlink, "neither a file nor a folder"),
            ("dice", Link, "neither a file nor a folder"),
            ("dice", Char, "neither a file nor a folder"),
            ("dice/register.txt", Regular, "stands twice"),
        ] {
            let error = tried(name, kind, b"", 9, 9);
            assert!(error.contains(problem), "{name}: {error}");
        }
    }

    #[test]
    fn number_and_size_have_bounds() {
        use EntryType::{Directory, Regular};
        assert!(tried("dice", Directory, b"", 1, 9).contains("files and folders"));
        assert!(tried("text", Regular, b"0123456789", 9, 9).contains("bytes in its files"));
    }

    #[test]
    fn a_file_that_is_cut_short_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let archive = archive("text", EntryType::Regular, b"0123456789");
        let cut = archive.get(..515).unwrap();
        assert!(unpack_within(cut, folder.path(), 9, 99).is_err());
    }
}
