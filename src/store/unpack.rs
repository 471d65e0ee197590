//! Takes files out of an archive, which may come from anybody: only files and folders inside of it,
//! within bounds.

use std::{
    fs::{self, File},
    io::{self, Read, Seek},
    path::{Component, Path, PathBuf},
};

use flate2::read::GzDecoder;
use tar::{Archive, Entry, EntryType};
use thiserror::Error;

use crate::bounded;

/// The bounds of what is unpacked.
#[derive(Clone, Copy, Debug)]
pub struct UnpackBounds {
    /// The most entries, files and folders together.
    pub entries: usize,
    /// The most bytes of all files together.
    pub bytes: u64,
    /// True if files keep the permissions that they were packed with.
    pub permissions: bool,
}

/// The longest name, in bytes.
const LONGEST_NAME: u64 = 4 << 10;

/// Why a .tar file is not unpacked.
#[derive(Debug, Error)]
pub enum UnpackError {
    /// The machine failed to read it.
    #[error("{0}")]
    Io(io::Error),
    /// The file is no archive, although its name says so.
    #[error(
        "this is no tar archive, or a damaged one: its entry {entry} can't be read ({problem})"
    )]
    Damaged {
        /// The entry, counted from 1.
        entry: usize,
        /// The library's error.
        problem: String,
    },
    /// A name that leads out of the folder.
    #[error("the archive has the name `{0}`, which is no plain path inside of it")]
    Path(String),
    /// A link, a device or something else that is neither file nor folder.
    #[error("`{0}` in the archive is neither a file nor a folder, and nothing else belongs there")]
    Kind(String),
    /// A name occurs twice.
    #[error("`{0}` stands twice in the archive")]
    Twice(String),
    /// A name that is longer than any.
    #[error("a name in the archive has more than {LONGEST_NAME} bytes")]
    Name,
    /// Too many entries.
    #[error("the archive has more than {0} files and folders")]
    Many(usize),
    /// Too many bytes.
    #[error("the archive has more than {0} bytes in its files")]
    Large(u64),
}

/// An error of reading an archive: of the machine, or of the archive itself.
fn damaged(entry: usize) -> impl FnOnce(io::Error) -> UnpackError {
    move |error| match error.raw_os_error() {
        Some(_) => UnpackError::Io(error),
        None => UnpackError::Damaged {
            entry,
            problem: error.to_string(),
        },
    }
}

/// Looks at all headers before anything is taken out: names longer than a header stand in entries
/// of their own, which the library would read whole.
fn look_over(archive: impl Read + Seek, most_entries: usize) -> Result<(), UnpackError> {
    let mut archive = Archive::new(archive);
    let entries = archive.entries_with_seek().map_err(damaged(1))?;
    for (number, entry) in entries.raw(true).enumerate() {
        let entry = entry.map_err(damaged(number + 1))?;
        // Each may have one of the entries with its long name before it.
        if number >= 3 * most_entries {
            return Err(UnpackError::Many(most_entries));
        }
        let kind = entry.header().entry_type();
        let is_name = kind.is_gnu_longname()
            || kind.is_gnu_longlink()
            || kind.is_pax_local_extensions()
            || kind.is_pax_global_extensions();
        if is_name && entry.size() > LONGEST_NAME {
            return Err(UnpackError::Name);
        }
    }
    Ok(())
}

/// Unpacks an archive into an empty folder, within bounds. Its owners and times are ignored.
///
/// # Errors
/// See [`UnpackError`]; files that have been unpacked by then stay in the folder.
pub fn unpack_within(
    mut archive: impl Read + Seek,
    folder: &Path,
    bounds: UnpackBounds,
) -> Result<(), UnpackError> {
    look_over(&mut archive, bounds.entries)?;
    archive.rewind().map_err(UnpackError::Io)?;
    let mut archive = Archive::new(archive);
    let mut left = bounds.bytes;
    let entries = archive.entries().map_err(damaged(1))?;
    for (number, entry) in entries.enumerate() {
        let mut entry = entry.map_err(damaged(number + 1))?;
        if number >= bounds.entries {
            return Err(UnpackError::Many(bounds.entries));
        }
        let name = entry.path().map_err(damaged(number + 1))?.into_owned();
        let shown = || name.display().to_string();
        let path = folder.join(inside(&name).ok_or_else(|| UnpackError::Path(shown()))?);
        match entry.header().entry_type() {
            EntryType::Directory => fs::create_dir_all(&path).map_err(UnpackError::Io)?,
            EntryType::Regular => {
                left = (left.checked_sub(entry.size())).ok_or(UnpackError::Large(bounds.bytes))?;
                if let Some(above) = path.parent() {
                    fs::create_dir_all(above).map_err(UnpackError::Io)?;
                }
                let mut file = File::create_new(&path).map_err(|error| match error.kind() {
                    io::ErrorKind::AlreadyExists => UnpackError::Twice(shown()),
                    _ => UnpackError::Io(error),
                })?;
                io::copy(&mut entry, &mut file).map_err(damaged(number + 1))?;
            }
            _ => return Err(UnpackError::Kind(shown())),
        }
        if bounds.permissions {
            keep_permissions(&entry, &path).map_err(UnpackError::Io)?;
        }
    }
    Ok(())
}

/// The text of the first file in a gzipped archive, which must have this name.
///
/// # Errors
/// [`UnpackError`]: another name, a text with more than `most` bytes, or none.
pub(super) fn first_file(archive: &Path, name: &Path, most: u64) -> Result<String, UnpackError> {
    let archive =
        bounded::open(archive).map_err(|error| UnpackError::Io(io::Error::other(error)))?;
    let mut archive = Archive::new(GzDecoder::new(archive));
    // Raw: a long name in an entry of its own would be read whole.
    let mut entries = archive.entries().map_err(damaged(1))?.raw(true);
    let Some(entry) = entries.next() else {
        return Err(UnpackError::Damaged {
            entry: 1,
            problem: "no file is in it".to_owned(),
        });
    };
    let entry = entry.map_err(damaged(1))?;
    let found = entry.path().map_err(damaged(1))?.into_owned();
    if found != name {
        return Err(UnpackError::Path(found.display().to_string()));
    }
    if entry.size() > most {
        return Err(UnpackError::Large(most));
    }
    let mut text = String::new();
    let read = entry.take(most).read_to_string(&mut text);
    read.map(|_| text).map_err(damaged(1))
}

/// Gives a file or folder the permissions that it was packed with; its new owner keeps his own.
#[cfg(unix)]
fn keep_permissions(entry: &Entry<'_, impl Read>, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let owner = if path.is_dir() { 0o700 } else { 0o600 };
    let mode = entry.header().mode()? & 0o777 | owner;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Permissions are another matter elsewhere.
#[cfg(not(unix))]
fn keep_permissions(_entry: &Entry<'_, impl Read>, _path: &Path) -> io::Result<()> {
    Ok(())
}

/// The path without `.` in it, if all its parts are plain names.
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

    use std::io::Cursor;

    use super::*;

    /// An archive with one entry, whose name is written unchecked.
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

    fn bounds(entries: usize, bytes: u64) -> UnpackBounds {
        UnpackBounds {
            entries,
            bytes,
            permissions: false,
        }
    }

    fn tried(name: &str, kind: EntryType, bytes: &[u8], entries: usize, most: u64) -> String {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let archive = archive(name, kind, bytes);
        let result = unpack_within(Cursor::new(archive), &inner, bounds(entries, most));
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
        let error = unpack_within(Cursor::new(cut), folder.path(), bounds(9, 99)).unwrap_err();
        assert!(matches!(error, UnpackError::Damaged { .. }), "{error}");
        let noise = Cursor::new([0x5a; 2_000]);
        let error = unpack_within(noise, folder.path(), bounds(9, 99)).unwrap_err();
        assert!(error.to_string().contains("no tar archive"), "{error}");
    }

    #[test]
    fn a_long_name_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        for kind in [
            EntryType::GNULongName,
            EntryType::GNULongLink,
            EntryType::XHeader,
        ] {
            let archive = archive("long", kind, &[b'a'; 5_000]);
            let error =
                unpack_within(Cursor::new(archive), folder.path(), bounds(9, 99)).unwrap_err();
            assert!(matches!(error, UnpackError::Name), "{error}");
        }
    }
}
