//! The rules and data of a campaign, and the scripts of its bots, in its directory: an archive
//! each, or, in a bundle and in campaigns of earlier versions, a folder.

use std::path::PathBuf;

use super::{
    directory::Directory,
    error::StoreError,
    pinned::{PINNED, PinnedFiles},
    shared,
};
use crate::disk::FileMark;

const BOTS: &str = "bots";

/// The file name of an archive.
fn archived(name: &str) -> String {
    format!("{name}.tar.gz")
}

impl Directory {
    /// Where pinned files lie, `PINNED` or `BOTS`: in an archive, or in a folder.
    pub(super) fn pinned_at(&self, name: &str) -> PathBuf {
        let archive = self.root().join(archived(name));
        match archive.symlink_metadata() {
            Ok(_) => archive,
            Err(_) => self.root().join(name),
        }
    }

    /// The pinned files of this name, unless they lie there twice: nobody could say which count.
    fn read_pinned(&self, name: &str) -> Result<PinnedFiles, StoreError> {
        let (place, folder) = (self.pinned_at(name), self.root().join(name));
        if place != folder && folder.symlink_metadata().is_ok() {
            return Err(StoreError::Pinned {
                path: place,
                problem: format!(
                    "lies beside the folder {name}/, and only one of them may be there"
                ),
            });
        }
        PinnedFiles::read(&place)
    }

    /// Has it share the files of its rules and bots with a campaign beside it that has the same.
    pub fn share_rules(&self) {
        for name in [PINNED, BOTS] {
            shared::join(&self.root().join(archived(name)));
        }
    }

    /// The pinned rules and data, checked against their sums.
    ///
    /// # Errors
    /// As [`PinnedFiles::read`].
    pub fn pinned(&self) -> Result<PinnedFiles, StoreError> {
        self.read_pinned(PINNED)
    }

    /// The mark of the file of pinned rules and data, another one whenever it has changed.
    /// Campaigns that share the file have one; a folder has none.
    #[must_use]
    pub fn pinned_mark(&self) -> Option<FileMark> {
        let mark = FileMark::of(&self.root().join(archived(PINNED)));
        mark.filter(FileMark::is_of_one_place)
    }

    /// Keeps the pinned rules and data of a campaign being made.
    ///
    /// # Errors
    /// The environment.
    pub fn keep_pinned(&self, pinned: &PinnedFiles) -> Result<(), StoreError> {
        self.keep_archive(PINNED, pinned)
    }

    /// Keeps files as an archive, the one of a campaign beside this if that has the same.
    fn keep_archive(&self, name: &str, files: &PinnedFiles) -> Result<(), StoreError> {
        let path = self.root().join(archived(name));
        Ok(shared::keep(&path, &files.archive()?)?)
    }

    /// The scripts of its bots, checked against their sums; none if it was made without bots.
    ///
    /// # Errors
    /// As [`PinnedFiles::read`].
    pub fn bots(&self) -> Result<Option<PinnedFiles>, StoreError> {
        if !self.has_bots() {
            return Ok(None);
        }
        self.read_pinned(BOTS).map(Some)
    }

    /// Returns true if it has bots' scripts.
    #[must_use]
    pub fn has_bots(&self) -> bool {
        self.pinned_at(BOTS).symlink_metadata().is_ok()
    }

    /// Keeps the scripts of its bots.
    ///
    /// # Errors
    /// The environment.
    pub fn keep_bots(&self, bots: &PinnedFiles) -> Result<(), StoreError> {
        self.keep_archive(BOTS, bots)
    }

    /// Returns true if whatever it has of rules, data and bots is as it ships with the program. Of
    /// a packed campaign nobody knows.
    #[must_use]
    pub fn is_shipped(&self) -> bool {
        !self.is_packed()
            && [PINNED, BOTS].iter().all(|name| {
                let place = self.pinned_at(name);
                place.symlink_metadata().is_err() || PinnedFiles::is_shipped(&place)
            })
    }
}
