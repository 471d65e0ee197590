//! A bundle as a .tar file, and what else a file can be instead: its first bytes tell.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use crate::store::{UnpackBounds, UnpackError, unpack_within};

/// A bundle's.
const BUNDLE: UnpackBounds = UnpackBounds {
    entries: 100_000,
    bytes: 1 << 30,
    permissions: false,
};

/// The format of a file, judged by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveKind {
    /// A tar archive, plain.
    Tar,
    /// An archive or a compressed file of another kind.
    Packed {
        /// The name of the compression.
        with: &'static str,
        /// The command that unpacks it.
        by: &'static str,
    },
    /// Neither one of these nor text.
    Unknown,
    /// Text: a mail, a register.
    Text,
}

/// First bytes of files that hold others.
const PACKED: &[(&[u8], &str, &str)] = &[
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"\x1f\x9d", "compress", "uncompress"),
    (b"PK\x03\x04", "zip", "unzip"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x"),
    (b"Rar!\x1a\x07", "RAR", "unrar x"),
];

/// The kind of a file. One whose name ends in `.tar` and that is of no other known kind counts as
/// an archive.
///
/// # Errors
/// If it can't be read.
pub fn kind_of(path: &Path) -> io::Result<ArchiveKind> {
    let mut start = Vec::new();
    File::open(path)?.take(512).read_to_end(&mut start)?;
    let packed = PACKED.iter().find(|(magic, ..)| start.starts_with(magic));
    if let Some(&(_, with, by)) = packed {
        return Ok(ArchiveKind::Packed { with, by });
    }
    let named = path.extension().is_some_and(|end| end == "tar");
    if named || start.get(257..262) == Some(b"ustar") {
        return Ok(ArchiveKind::Tar);
    }
    if start.contains(&0) {
        return Ok(ArchiveKind::Unknown);
    }
    Ok(ArchiveKind::Text)
}

/// Unpacks a .tar file into an empty folder. Its owners, permissions and times are ignored.
///
/// # Errors
/// See [`UnpackError`]; files that have been unpacked by then stay in the folder.
pub fn unpack(archive: &Path, folder: &Path) -> Result<(), UnpackError> {
    let archive = File::open(archive).map_err(UnpackError::Io)?;
    unpack_within(archive, folder, BUNDLE)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use std::fs;

    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let kind = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            kind_of(&path).unwrap()
        };
        let mut tar = [0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(kind("bundle", &tar), ArchiveKind::Tar);
        assert_eq!(kind("noise.tar", b"noise"), ArchiveKind::Tar);
        assert_eq!(
            kind("mail.eml", b"From: a@example.org\n"),
            ArchiveKind::Text
        );
        assert_eq!(kind("picture.png", b"\x89PNG\0"), ArchiveKind::Unknown);
        let packed = |with, by| ArchiveKind::Packed { with, by };
        assert_eq!(
            kind("bundle.tar", b"\x1f\x8b\x08"),
            packed("gzip", "gunzip")
        );
        assert_eq!(kind("bundle.zip", b"PK\x03\x04"), packed("zip", "unzip"));
    }
}
