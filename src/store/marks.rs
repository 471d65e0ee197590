//! Marks by which campaigns tell the club around them that a file of theirs has changed, so that a
//! pass of the club looks at those alone. They lie in a hidden folder beside the campaigns, each
//! named after its campaign and the digest of what it says now.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use crate::{digest::Digest, disk, store::error::StoreError};

/// The folder's name: a hidden one is no campaign.
const FOLDER: &str = ".changed";

/// The marks of the campaigns in a folder.
#[derive(Clone, Debug)]
pub struct ClubMarks(PathBuf);

impl ClubMarks {
    /// The marks of a folder of campaigns.
    #[must_use]
    pub fn of_folder(campaigns: &Path) -> Self {
        Self(campaigns.join(FOLDER))
    }

    /// The marks beside a campaign, and the name under which it stands there; none if no club keeps
    /// any.
    #[must_use]
    pub fn beside(campaign: &Path) -> Option<(Self, String)> {
        let root = campaign.canonicalize().ok()?;
        let marks = Self::of_folder(root.parent()?);
        let name = root.file_name()?.to_str()?.to_owned();
        marks.are_kept().then_some((marks, name))
    }

    /// Returns true if a club keeps them.
    #[must_use]
    pub fn are_kept(&self) -> bool {
        self.0.is_dir()
    }

    /// Keeps marks from now on.
    ///
    /// # Errors
    /// The environment.
    pub fn keep(&self) -> Result<(), StoreError> {
        Ok(disk::make_folder(&self.0)?)
    }

    /// Marks a campaign as changed.
    ///
    /// # Errors
    /// The environment.
    pub fn put(&self, campaign: &str, says: Digest) -> Result<(), StoreError> {
        let path = self.place(campaign, says);
        File::create(&path).map_err(StoreError::io("write", &path))?;
        Ok(disk::sync_folder(&self.0)?)
    }

    /// Removes a mark, if it is there.
    ///
    /// # Errors
    /// The environment.
    pub fn remove(&self, campaign: &str, says: Digest) -> Result<(), StoreError> {
        let path = self.place(campaign, says);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::io("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    /// The campaigns that have marks.
    ///
    /// # Errors
    /// The environment.
    pub fn campaigns(&self) -> Result<BTreeSet<String>, StoreError> {
        let names = disk::files_in(&self.0)?.into_iter();
        let campaigns = names.filter_map(|name| {
            let (campaign, says) = name.rsplit_once('.')?;
            says.parse::<Digest>().ok()?;
            Some(campaign.to_owned())
        });
        Ok(campaigns.collect())
    }

    fn place(&self, campaign: &str, says: Digest) -> PathBuf {
        self.0.join(format!("{campaign}.{says}"))
    }
}
