//! Files from a disk that anybody may have filled: a bundle to be audited, somebody's game, numbers
//! to be laid over one.
//!
//! Below a folder that a user names, nothing but folders and regular files is opened: a link would
//! lead out of it, and a pipe or a device never ends. How large a file is, is known before it is
//! read; how many there are, before they are listed.

use std::{
    fs::{self, File, FileType, OpenOptions},
    io::{self, Read},
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Why a file or folder is not read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The machine failed: no such file, no permission.
    #[error("can't read {}: {source}", path.display())]
    Environment {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A symbolic link.
    #[error("{} is a symbolic link, which is not followed; put what it leads to in its place", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// A pipe, a socket, a device; a folder in the place of a file, or a file in that of a folder.
    #[error("{} is no regular {wanted}", path.display())]
    Kind {
        /// The file's path.
        path: PathBuf,
        /// The kind that was wanted: `file` or `folder`.
        wanted: &'static str,
    },
    /// A file is larger than it may be.
    #[error("{} is larger than {limit} bytes, which no such file is; look whether it is the right file", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The greatest size in bytes.
        limit: u64,
    },
    /// All files of a folder together are larger than they may be.
    #[error("the files in {} have more than {limit} bytes together, which no such folder has; look whether it is the right one", path.display())]
    TooMuch {
        /// The folder.
        path: PathBuf,
        /// The greatest size in bytes.
        limit: u64,
    },
    /// A folder has more in it than it may have.
    #[error("{} has more than {limit} files and folders in it, which no such folder has; look whether it is the right one", path.display())]
    TooMany {
        /// The folder.
        path: PathBuf,
        /// The greatest number.
        limit: usize,
    },
    /// Folders are nested too deep.
    #[error("{} lies deeper than {limit} folders, which no such file does", path.display())]
    TooDeep {
        /// The folder.
        path: PathBuf,
        /// The greatest depth.
        limit: usize,
    },
    /// A name that is no text.
    #[error("the name of {} is not UTF-8 text; give it another", path.display())]
    Name {
        /// The file or folder.
        path: PathBuf,
    },
    /// A file should be text and is not.
    #[error("{} is not UTF-8 text (byte {offset}); save it as UTF-8", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The first byte that is wrong, counted from 0.
        offset: usize,
    },
}

impl FileError {
    /// Returns true if the machine failed (exit code 3), rather than the contents being wrong.
    #[must_use]
    pub fn is_environment(&self) -> bool {
        matches!(self, Self::Environment { .. })
    }

    /// Returns true if there is no such file or folder.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Environment { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// A file that is not there.
    #[must_use]
    pub fn missing(path: &Path) -> Self {
        Self::Environment {
            path: path.to_owned(),
            source: io::ErrorKind::NotFound.into(),
        }
    }

    /// For `map_err`: the operating system refused to read something.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Environment {
            path: path.to_owned(),
            source,
        }
    }

    fn kind(path: &Path, wanted: &'static str) -> Self {
        let path = path.to_owned();
        Self::Kind { path, wanted }
    }
}

/// Opens a file that a user has not named himself: a regular one, and no link.
///
/// # Errors
/// If it is something else, or can't be opened.
pub fn open(path: &Path) -> Result<File, FileError> {
    open_as(path, OpenOptions::new().read(true))
}

/// Like `open`, for more than reading.
///
/// # Errors
/// As [`open`].
pub fn open_as(path: &Path, options: &mut OpenOptions) -> Result<File, FileError> {
    regular(path, kind_of(path)?)?;
    // The path may have changed since it was looked at. So no link is followed, and opening a pipe
    // does not wait for a writer.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    let file = options.open(path).map_err(FileError::io(path))?;
    regular(
        path,
        file.metadata().map_err(FileError::io(path))?.file_type(),
    )?;
    Ok(file)
}

/// Reads a file that a user has not named himself: a regular one of at most `limit` bytes, and no
/// link.
///
/// # Errors
/// If it is something else, or can't be read.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    read_within(open(path)?, path, limit)
}

/// Like `read`, for text.
///
/// # Errors
/// As [`read`]; [`FileError::NotText`].
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    text(read(path, limit)?, path)
}

/// Reads text of at most `limit` bytes that a user has named, through a link or from a pipe too.
///
/// # Errors
/// If it is larger or no text, or can't be read.
pub fn read_named(path: &Path, limit: u64) -> Result<String, FileError> {
    let file = File::open(path).map_err(FileError::io(path))?;
    text(read_within(file, path, limit)?, path)
}

fn read_within(file: File, path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let too_large = || FileError::TooLarge {
        path: path.to_owned(),
        limit,
    };
    let size = file.metadata().map_err(FileError::io(path))?.len();
    if size > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    // It may have grown since, and a pipe has no size at all.
    if read.map_err(FileError::io(path))? as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// [`FileError::NotText`].
pub fn text(bytes: Vec<u8>, path: &Path) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|wrong| FileError::NotText {
        path: path.to_owned(),
        offset: wrong.utf8_error().valid_up_to(),
    })
}

/// The bytes that the files of a folder may still have together.
#[derive(Clone, Debug)]
pub struct Allowance {
    folder: PathBuf,
    limit: u64,
    left: u64,
}

impl Allowance {
    /// A budget of `limit` bytes for the files of a folder.
    #[must_use]
    pub fn new(folder: &Path, limit: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            limit,
            left: limit,
        }
    }

    /// Reads one of the files, as [`read()`] does.
    ///
    /// # Errors
    /// As there; [`FileError::TooMuch`] when nothing is left for it.
    pub fn read(&mut self, path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
        match read(path, limit.min(self.left)) {
            Err(FileError::TooLarge { limit: most, .. }) if most < limit => {
                Err(FileError::TooMuch {
                    path: self.folder.clone(),
                    limit: self.limit,
                })
            }
            read => {
                let bytes = read?;
                self.left = self.left.saturating_sub(bytes.len() as u64);
                Ok(bytes)
            }
        }
    }
}

/// The bounds of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FolderBounds {
    /// The most files and folders.
    pub entries: usize,
    /// The most folders inside one another.
    pub depth: usize,
}

/// A file below a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// The path of the file or folder.
    pub path: PathBuf,
    /// Its path below the folder, with `/` on every system.
    pub name: String,
}

/// The regular files below a folder, sorted by name. Files and folders of whose names `keep` does
/// not hold are passed over, whatever they are. The folder itself may not be a link either.
///
/// # Errors
/// If there is anything else, or more than may be, or a folder can't be read.
pub fn files_below(
    folder: &Path,
    bounds: FolderBounds,
    keep: impl Fn(&str) -> bool,
) -> Result<Vec<FolderEntry>, FileError> {
    if !has_folder(folder)? {
        return Err(FileError::missing(folder));
    }
    files_below_named(folder, bounds, keep)
}

/// Like `files_below`, below a folder that a user has named: it may be a link itself.
///
/// # Errors
/// As [`files_below`].
pub fn files_below_named(
    folder: &Path,
    bounds: FolderBounds,
    keep: impl Fn(&str) -> bool,
) -> Result<Vec<FolderEntry>, FileError> {
    let mut found = Vec::new();
    let mut left = bounds.entries;
    let mut open = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((here, below, depth)) = open.pop() {
        if depth > bounds.depth {
            let limit = bounds.depth;
            return Err(FileError::TooDeep { path: here, limit });
        }
        for entry in fs::read_dir(&here).map_err(FileError::io(&here))? {
            let entry = entry.map_err(FileError::io(&here))?;
            let (path, name) = (entry.path(), entry.file_name());
            left = left.checked_sub(1).ok_or_else(|| FileError::TooMany {
                path: folder.to_owned(),
                limit: bounds.entries,
            })?;
            let Some(name) = name.to_str() else {
                return Err(FileError::Name { path });
            };
            if !keep(name) {
                continue;
            }
            let name = format!("{below}{name}");
            let kind = entry.file_type().map_err(FileError::io(&path))?;
            if kind.is_dir() {
                open.push((path, format!("{name}/"), depth + 1));
            } else {
                regular(&path, kind)?;
                found.push(FolderEntry { path, name });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The names of a folder's entries, sorted; names that are not UTF-8 are left out.
///
/// # Errors
/// If it has more than `most` entries, or can't be read.
pub fn names_in(folder: &Path, most: usize) -> Result<Vec<String>, FileError> {
    let mut names = Vec::new();
    for (number, entry) in fs::read_dir(folder)
        .map_err(FileError::io(folder))?
        .enumerate()
    {
        if number >= most {
            return Err(FileError::TooMany {
                path: folder.to_owned(),
                limit: most,
            });
        }
        let entry = entry.map_err(FileError::io(folder))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}

/// Returns true if there is a folder of this name; a link to one is an error.
///
/// # Errors
/// If there is something else, or that can't be found out.
pub fn has_folder(path: &Path) -> Result<bool, FileError> {
    match kind_of(path) {
        Ok(kind) if kind.is_dir() => Ok(true),
        Ok(kind) if kind.is_symlink() => Err(FileError::Link {
            path: path.to_owned(),
        }),
        Ok(_) => Err(FileError::kind(path, "folder")),
        Err(error) if error.is_missing() => Ok(false),
        Err(error) => Err(error),
    }
}

fn kind_of(path: &Path) -> Result<FileType, FileError> {
    let data = fs::symlink_metadata(path).map_err(FileError::io(path))?;
    Ok(data.file_type())
}

fn regular(path: &Path, kind: FileType) -> Result<(), FileError> {
    if kind.is_file() {
        Ok(())
    } else if kind.is_symlink() {
        let path = path.to_owned();
        Err(FileError::Link { path })
    } else {
        Err(FileError::kind(path, "file"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    const BOUNDS: FolderBounds = FolderBounds {
        entries: 4,
        depth: 1,
    };

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        folder
    }

    fn names(folder: &Path) -> Result<Vec<String>, FileError> {
        let found = files_below(folder, BOUNDS, |name| !name.starts_with('.'))?;
        Ok(found.into_iter().map(|entry| entry.name).collect())
    }

    #[test]
    fn files_come_with_their_names() {
        let folder = folder(&["b", "a/c", ".hidden"]);
        assert_eq!(names(folder.path()).unwrap(), ["a/c", "b"]);
        assert_eq!(names_in(folder.path(), 3).unwrap(), [".hidden", "a", "b"]);
    }

    #[test]
    fn number_and_depth_have_bounds() {
        let many = folder(&["a", "b", "c", "d", "e"]);
        let error = names(many.path()).unwrap_err();
        assert!(matches!(error, FileError::TooMany { limit: 4, .. }));
        assert!(names_in(many.path(), 4).is_err());
        let deep = folder(&["a/b/c"]);
        let error = names(deep.path()).unwrap_err();
        assert!(matches!(error, FileError::TooDeep { limit: 1, .. }));
    }

    #[test]
    fn size_and_encoding_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"ab\xff").unwrap();
        let error = read(&path, 2).unwrap_err();
        assert!(matches!(error, FileError::TooLarge { limit: 2, .. }));
        let error = read_text(&path, 3).unwrap_err();
        assert!(matches!(error, FileError::NotText { offset: 2, .. }));
        assert!(!error.is_environment());
        let error = read(&folder.path().join("none"), 1).unwrap_err();
        assert!(error.is_environment() && error.is_missing());
    }

    #[test]
    fn files_share_what_they_may_have_together() {
        let folder = folder(&["four", "five5", "six666"]);
        let mut allowance = Allowance::new(folder.path(), 10);
        let mut read = |name: &str, limit| allowance.read(&folder.path().join(name), limit);
        assert_eq!(read("four", 5).unwrap(), b"four");
        assert!(matches!(
            read("six666", 5).unwrap_err(),
            FileError::TooLarge { limit: 5, .. }
        ));
        assert_eq!(read("five5", 5).unwrap(), b"five5");
        assert!(matches!(
            read("four", 5).unwrap_err(),
            FileError::TooMuch { limit: 10, .. }
        ));
    }

    #[cfg(unix)]
    #[test]
    fn neither_links_nor_pipes_nor_devices_are_opened() {
        use std::os::unix::fs::symlink;

        let folder = folder(&["file", "inner/file"]);
        let root = folder.path();
        for (name, target) in [
            ("a", "file"),
            ("b", "/dev/zero"),
            ("c", "inner"),
            ("d", "none"),
        ] {
            let link = root.join(name);
            symlink(target, &link).unwrap();
            assert!(
                matches!(read(&link, 9), Err(FileError::Link { .. })),
                "{target}"
            );
            assert!(
                matches!(names(root), Err(FileError::Link { .. })),
                "{target}"
            );
            fs::remove_file(&link).unwrap();
        }
        symlink(root, root.join("inner/up")).unwrap();
        assert!(matches!(
            names(&root.join("inner/up")),
            Err(FileError::Link { .. })
        ));
        let named = files_below_named(&root.join("inner/up/inner"), BOUNDS, |name| name != "up");
        assert_eq!(named.unwrap().len(), 1, "a user may name what he likes");
        fs::remove_file(root.join("inner/up")).unwrap();

        let kind = |path: &Path| matches!(read(path, 9), Err(FileError::Kind { .. }));
        assert!(kind(Path::new("/dev/zero")) && kind(root));
        let pipe = root.join("pipe");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let there =
            rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0);
        if there.is_ok() {
            assert!(kind(&pipe) && matches!(names(root), Err(FileError::Kind { .. })));
        }
    }
}
