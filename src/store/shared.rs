//! Files that never change, kept once for directories that lie beside each other: each has a hard
//! link of its own, so that any of them can be copied, moved or removed alone.

use std::{
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
};

use crate::{
    bounded,
    disk::{self, DiskError, FileMark, Mode},
    game::MOST_BYTES,
    unfinished,
};

/// Writes a file that never changes, or makes it one with the file of that name in a directory
/// beside its own, if one has the same bytes.
///
/// # Errors
/// The environment.
pub(super) fn keep(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    if link_to_same(path, bytes) {
        return Ok(());
    }
    disk::write_atomically(path, bytes, Mode::Shared)
}

/// No larger file is shared, in bytes: rules are far smaller.
const LARGEST: u64 = MOST_BYTES;

/// Makes a file that is there one with the same file of a directory beside its own, if one has it.
/// If that can't be done, it stays as it is.
pub(super) fn join(path: &Path) {
    if let Ok(bytes) = bounded::read(path, LARGEST) {
        link_to_same(path, &bytes);
    }
}

/// Puts a link to a file with these bytes in its place, if there is one in a directory beside its
/// own. Returns true if that file is now in its place, on the disk.
fn link_to_same(path: &Path, bytes: &[u8]) -> bool {
    same_beside(path, bytes).is_some_and(|other| {
        let is_one = FileMark::of(path).is_some_and(|own| FileMark::of(&other) == Some(own));
        is_one || link(&other, path).is_ok()
    })
}

/// A file of the same name and owner with these bytes, in a directory beside its own.
fn same_beside(path: &Path, bytes: &[u8]) -> Option<PathBuf> {
    let own = disk::folder_of(path);
    let name = path.file_name()?;
    let folders = fs::read_dir(disk::folder_of(own)).ok()?.flatten();
    let folders = folders.map(|folder| folder.path());
    let mut files = folders
        .filter(|folder| folder != own)
        .map(|it| it.join(name));
    files.find(|other| {
        let found = fs::symlink_metadata(other);
        found.is_ok_and(|it| it.is_file() && it.len() == bytes.len() as u64 && is_ours(&it))
            && bounded::read(other, bytes.len() as u64).is_ok_and(|it| it == bytes)
    })
}

/// Returns true if nobody else may write a file.
#[cfg(unix)]
fn is_ours(found: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o022 == 0
}

/// Elsewhere files are not shared.
#[cfg(not(unix))]
fn is_ours(_found: &Metadata) -> bool {
    false
}

/// Puts a link to a file in place of another one, or where none is.
fn link(file: &Path, path: &Path) -> io::Result<()> {
    // Whoever made it may not have had it written.
    let kept = bounded::open(file).map_err(io::Error::other)?;
    kept.sync_all()?;
    // Under another name first, since a link replaces nothing.
    let beside = unfinished::create(disk::folder_of(path), None)?.into_temp_path();
    fs::remove_file(&beside)?;
    fs::hard_link(file, &beside)?;
    beside.persist(path).map_err(|refused| refused.error)?;
    disk::sync_folder(disk::folder_of(path)).map_err(io::Error::other)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;

    fn places() -> (tempfile::TempDir, [PathBuf; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let places = ["autumn", "spring"].map(|name| {
            fs::create_dir(folder.path().join(name)).unwrap();
            folder.path().join(name).join("rules.tar.gz")
        });
        (folder, places)
    }

    #[test]
    fn the_same_bytes_are_kept_once() {
        let (_folder, [one, other]) = places();
        keep(&one, b"rules").unwrap();
        fs::write(&other, b"rules").unwrap();
        join(&other);
        for _ in 0..2 {
            assert_eq!(FileMark::of(&one), FileMark::of(&other));
            keep(&other, b"rules").unwrap();
            assert_eq!(fs::read_dir(disk::folder_of(&other)).unwrap().count(), 1);
        }
        fs::remove_file(&one).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"rules");
        assert_eq!(fs::read_dir(disk::folder_of(&other)).unwrap().count(), 1);
    }

    #[test]
    fn other_bytes_links_and_folders_are_not_shared() {
        let (folder, [one, other]) = places();
        keep(&one, b"roles").unwrap();
        keep(&other, b"rules").unwrap();
        assert_ne!(FileMark::of(&one), FileMark::of(&other));
        fs::remove_file(&one).unwrap();
        let outside = folder.path().join("outside");
        fs::write(&outside, "rules").unwrap();
        std::os::unix::fs::symlink(&outside, &one).unwrap();
        keep(&other, b"rules").unwrap();
        assert_ne!(FileMark::of(&outside), FileMark::of(&other));
        assert_eq!(FileMark::of(&one), None);
        fs::remove_file(&one).unwrap();
        fs::create_dir(&one).unwrap();
        keep(&other, b"rules").unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"rules");
    }

    #[test]
    fn a_mark_tells_a_change() {
        let (_folder, [one, _]) = places();
        keep(&one, b"rules").unwrap();
        let mark = FileMark::of(&one).unwrap();
        keep(&one, b"rules").unwrap();
        fs::write(&one, b"rule").unwrap();
        assert_ne!(FileMark::of(&one), Some(mark));
    }
}
