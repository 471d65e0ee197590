//! Making the folders of a Maildir. `cur` comes last, and goes first: it shows that the others are
//! on the disk.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{CUR, Maildir, MaildirError, NEW, TMP, sync_directory};

impl Maildir {
    /// Makes the directories that are missing, and waits until those in which mails are written are
    /// on the disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn create(&self) -> Result<(), MaildirError> {
        for folder in self.make_folders()? {
            sync_directory(&folder)?;
        }
        self.make_last_folder()
    }

    /// Creates it if its directories are made on demand.
    pub(super) fn make_ready(&self) -> Result<(), MaildirError> {
        if self.on_demand {
            self.create()
        } else {
            Ok(())
        }
    }

    /// Makes the directories in which mails are written, and returns those that have to be on the
    /// disk before a mail counts as kept: in a folder that a power cut takes away it would be lost.
    /// Whoever has brought them there calls [`Maildir::make_last_folder`].
    pub(super) fn make_folders(&self) -> Result<Vec<PathBuf>, MaildirError> {
        let unsure = self.unsure_folders();
        if unsure.is_empty() {
            return Ok(unsure);
        }
        for folder in [TMP, NEW] {
            let path = self.root.join(folder);
            fs::create_dir_all(&path).map_err(|error| MaildirError::new(&path, error))?;
        }
        // Somebody took the others away, and left the one that everybody relies on.
        if self.has_folder(CUR) {
            unsure
                .iter()
                .try_for_each(|folder| sync_directory(folder))?;
            return Ok(Vec::new());
        }
        Ok(unsure)
    }

    /// The folders that may not be on the disk yet. Until somebody has brought them there everybody
    /// has to do it, since nobody knows how far another process has come.
    pub(super) fn unsure_folders(&self) -> Vec<PathBuf> {
        if [TMP, NEW, CUR].iter().all(|folder| self.has_folder(folder)) {
            return Vec::new();
        }
        let mut unsure = vec![self.root.clone()];
        // The folder of somebody's own Maildir may not be ours to read.
        if self.on_demand || !self.root.is_dir() {
            unsure.push(self.parent().to_owned());
        }
        unsure
    }

    /// Makes `cur`; nothing if the others are not there.
    pub(super) fn make_last_folder(&self) -> Result<(), MaildirError> {
        if ![TMP, NEW].iter().all(|folder| self.has_folder(folder)) {
            return Ok(());
        }
        let cur = self.root.join(CUR);
        fs::create_dir_all(&cur).map_err(|error| MaildirError::new(&cur, error))
    }

    /// The folder that it lies in; `.` for a bare name.
    pub(super) fn parent(&self) -> &Path {
        let parent = self.root.parent();
        let named = parent.filter(|parent| !parent.as_os_str().is_empty());
        named.unwrap_or(Path::new("."))
    }

    fn has_folder(&self, folder: &str) -> bool {
        self.root.join(folder).is_dir()
    }
}
