//! A mail that is written and that nobody sees yet: it lies in `tmp`.

use std::{
    fs::{File, Permissions},
    io::Write,
    path::Path,
};

use tempfile::NamedTempFile;

use super::{Maildir, MaildirError};
use crate::unfinished;

/// A mail in `tmp`, in a file of its own, whoever else may be writing the same mail at this moment.
/// Dropped, it disappears.
#[derive(Debug)]
pub(super) struct TemporaryMail(NamedTempFile);

impl TemporaryMail {
    /// Writes it without waiting for the disk.
    pub(super) fn write(to: &Maildir, bytes: &[u8]) -> Result<Self, MaildirError> {
        let tmp = to.root.join("tmp");
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

    /// Gives it another name in the same Maildir, by which it stays.
    pub(super) fn rename(self, to: &Path) -> Result<File, MaildirError> {
        let renamed = self.0.persist(to);
        renamed.map_err(|refused| MaildirError::new(to, refused.error))
    }

    /// Lets it appear.
    pub(super) fn show(self, folder: &Path, name: &str) -> Result<(), MaildirError> {
        let shown = self.0.persist(folder.join(name));
        shown.map_err(|refused| MaildirError::new(folder, refused.error))?;
        Ok(())
    }
}

/// Whoever the process's umask lets may read a mail, as in any Maildir.
fn readable() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}
