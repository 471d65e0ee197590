//! A mail being written, in `tmp`, where nobody sees it yet.

use std::{
    fs::{File, Permissions},
    io::Write,
    path::Path,
};

use tempfile::NamedTempFile;

use super::{Maildir, MaildirError, TMP};
use crate::unfinished;

/// A mail in `tmp`, in a file of its own even if others are writing the same mail. Dropped, it
/// disappears.
#[derive(Debug)]
pub(super) struct TemporaryMail(NamedTempFile);

impl TemporaryMail {
    /// Writes it without waiting for the disk. The folders must be there.
    pub(super) fn write(to: &Maildir, bytes: &[u8]) -> Result<Self, MaildirError> {
        let tmp = to.root.join(TMP);
        let fail = |error| MaildirError::new(&tmp, error);
        let mut file = unfinished::create(&tmp, readable()).map_err(fail)?;
        let written = file.write_all(bytes);
        written.map_err(|error| MaildirError::new(file.path(), error))?;
        Ok(Self(file))
    }

    /// Waits until it is on the disk.
    pub(super) fn sync(&self) -> Result<(), MaildirError> {
        let synced = self.0.as_file().sync_all();
        synced.map_err(|error| MaildirError::new(self.0.path(), error))
    }

    /// Gives it a permanent name in the same Maildir.
    pub(super) fn rename(self, to: &Path) -> Result<File, MaildirError> {
        let renamed = self.0.persist(to);
        renamed.map_err(|refused| MaildirError::new(to, refused.error))
    }

    /// Makes the mail appear.
    pub(super) fn show(self, folder: &Path, name: &str) -> Result<(), MaildirError> {
        let shown = self.0.persist(folder.join(name));
        shown.map_err(|refused| MaildirError::new(folder, refused.error))?;
        Ok(())
    }
}

/// The permissions of a mail: the process's umask says who may read it, as in any Maildir.
fn readable() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}
