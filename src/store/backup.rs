//! A backup: directories of campaigns and clubs as they stand between two passes, in one file.
//!
//! The file is a gzipped tar archive. It has their secrets too, so only its owner may read it.

use std::{
    fs::{self, File, Metadata},
    io::{self, ErrorKind, Read, Seek},
    path::{Path, PathBuf},
    time::Duration,
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use tar::{Builder, Header};
use tempfile::NamedTempFile;

use super::{
    directory::{Directory, LOCK},
    error::StoreError,
};
use crate::{bounded, disk, unfinished};

/// A backup that is being written: under a name that says so, until it is whole.
pub struct BackupWriter {
    archive: Builder<GzEncoder<NamedTempFile>>,
    to: PathBuf,
    /// The folders that were added, and their names.
    roots: Vec<(PathBuf, PathBuf)>,
    files: usize,
}

impl BackupWriter {
    /// Begins a backup that will have this path.
    ///
    /// # Errors
    /// The environment; a file of that name that is there already.
    pub fn create(to: &Path) -> Result<Self, StoreError> {
        let failed = StoreError::io("write the backup", to);
        if fs::symlink_metadata(to).is_ok() {
            return Err(failed(ErrorKind::AlreadyExists.into()));
        }
        let file = unfinished::create(disk::folder_of(to), None).map_err(failed)?;
        let archive = Builder::new(GzEncoder::new(file, Compression::default()));
        Ok(Self {
            archive,
            to: to.to_owned(),
            roots: Vec::new(),
            files: 0,
        })
    }

    /// Adds a directory under a name, with all that is in it. It is locked meanwhile, so that no
    /// pass is half in it; waits up to `patience` for one that goes on.
    ///
    /// # Errors
    /// [`StoreError::Locked`]; the environment.
    pub fn add(
        &mut self,
        directory: &Directory,
        name: &Path,
        patience: Duration,
    ) -> Result<(), StoreError> {
        let _lock = directory.lock(patience)?;
        self.add_folder(directory.root(), name)
    }

    /// Adds a folder under a name, as it is at this moment.
    ///
    /// # Errors
    /// The environment; a folder or name that lies in one that was added, or the other way round.
    pub fn add_folder(&mut self, folder: &Path, name: &Path) -> Result<(), StoreError> {
        let failed = || StoreError::io("back up", folder);
        // The folder itself may be a link; nothing in it is.
        let whole = folder.canonicalize().map_err(failed())?;
        let is_in = |one: &Path, other: &Path| one.starts_with(other) || other.starts_with(one);
        for (known, known_name) in &self.roots {
            if is_in(&whole, known) || is_in(name, known_name) {
                let problem = format!(
                    "it, or its name `{}` there, lies within {}, or the other way round; name them apart",
                    name.display(),
                    known.display()
                );
                return Err(failed()(io::Error::new(ErrorKind::InvalidInput, problem)));
            }
        }
        self.roots.push((whole.clone(), name.to_owned()));
        self.append_folder(&whole, name, true)
    }

    fn append_folder(
        &mut self,
        folder: &Path,
        name: &Path,
        is_root: bool,
    ) -> Result<(), StoreError> {
        let failed = || StoreError::io("back up", folder);
        let metadata = fs::symlink_metadata(folder).map_err(failed())?;
        self.append(&metadata, name, &[])?;
        let entries = fs::read_dir(folder).map_err(failed())?;
        let mut entries = entries.collect::<io::Result<Vec<_>>>().map_err(failed())?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), name.join(entry.file_name()));
            let kind = entry.file_type().map_err(failed())?;
            let own = entry.file_name();
            let is_passing = own
                .as_encoded_bytes()
                .starts_with(unfinished::PREFIX.as_bytes());
            if is_passing || is_root && own == LOCK {
                continue;
            }
            if kind.is_dir() {
                self.append_folder(&path, &name, false)?;
            } else if kind.is_file() {
                self.add_file(&path, &name)?;
            } else {
                let problem = "it is neither a file nor a folder, so the backup would lack it";
                let error = io::Error::new(ErrorKind::InvalidInput, problem);
                return Err(StoreError::io("back up", &path)(error));
            }
        }
        Ok(())
    }

    /// Adds a folder under a name, without what is in it.
    ///
    /// # Errors
    /// The environment.
    pub(super) fn add_empty(&mut self, folder: &Path, name: &Path) -> Result<(), StoreError> {
        let metadata = fs::symlink_metadata(folder).map_err(StoreError::io("read", folder))?;
        self.append(&metadata, name, &[])
    }

    /// Adds a file under a name; nothing if it is gone, as a mail may be that has been moved.
    ///
    /// # Errors
    /// The environment.
    pub fn add_file(&mut self, path: &Path, name: &Path) -> Result<(), StoreError> {
        let metadata = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            metadata => metadata.map_err(StoreError::io("read", path))?,
        };
        match bounded::read(path, u64::MAX) {
            Err(error) if error.is_missing() => Ok(()),
            bytes => {
                self.files += 1;
                self.append(&metadata, name, &bytes?)
            }
        }
    }

    fn append(&mut self, metadata: &Metadata, name: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let mut header = Header::new_gnu();
        header.set_metadata(metadata);
        header.set_size(bytes.len() as u64);
        // Who restores it is the owner, whatever he is called there.
        header.set_uid(0);
        header.set_gid(0);
        let written = self.archive.append_data(&mut header, name, bytes);
        written.map_err(StoreError::io("write the backup", &self.to))
    }

    /// Ends the backup and gives it its name. Returns the number of files in it.
    ///
    /// # Errors
    /// The environment; a file of that name that has come meanwhile.
    pub fn finish(self) -> Result<usize, StoreError> {
        let failed = || StoreError::io("write the backup", &self.to);
        let packed = self.archive.into_inner().map_err(failed())?;
        let file = packed.finish().map_err(failed())?;
        file.as_file().sync_all().map_err(failed())?;
        let kept = file.persist_noclobber(&self.to);
        kept.map_err(|error| failed()(error.error))?;
        disk::sync_folder(disk::folder_of(&self.to))?;
        Ok(self.files)
    }
}

/// Why a backup can't be read.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The environment.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file is none, or a part of one.
    #[error("{}: this is no backup, or a damaged one ({problem})", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

/// The archive in a backup, unpacked into a file without a name, in a folder of the disk on which
/// its files will be.
///
/// # Errors
/// See [`BackupError`]; a file that has `most` bytes in it or more is none.
pub fn archive_in(backup: &Path, most: u64, beside: &Path) -> Result<File, BackupError> {
    let failed = |error: io::Error| match error.raw_os_error() {
        Some(_) => StoreError::io("read the backup", backup)(error).into(),
        None => BackupError::Damaged {
            path: backup.to_owned(),
            problem: error.to_string(),
        },
    };
    let file = bounded::open(backup).map_err(StoreError::from)?;
    let mut archive = tempfile::tempfile_in(beside).map_err(failed)?;
    let mut unpacked = GzDecoder::new(file).take(most);
    if io::copy(&mut unpacked, &mut archive).map_err(failed)? == most {
        return Err(failed(io::Error::other("more is in it than a backup has")));
    }
    archive.rewind().map_err(failed)?;
    Ok(archive)
}
