//! A mail that is to appear together with others: whole in `tmp`, under a name that says where it
//! will go.

use std::{fs, io::ErrorKind, path::PathBuf};

use super::{DONE, Maildir, MaildirError, NEW, TMP};

/// How names of staged mails begin.
const PREFIX: &str = "staged-";
/// The folders in which mails can appear.
const FOLDERS: [&str; 2] = [NEW, DONE];

/// A mail in `tmp` that nobody sees yet.
#[derive(Clone, Debug)]
pub struct StagedMail {
    maildir: Maildir,
    folder: &'static str,
    name: String,
    pub(super) path: PathBuf,
}

impl StagedMail {
    pub(super) fn of(maildir: &Maildir, folder: &'static str, name: &str) -> Self {
        let file = format!("{PREFIX}{folder}-{name}");
        Self {
            maildir: maildir.clone(),
            folder,
            name: name.to_owned(),
            path: maildir.root.join(TMP).join(file),
        }
    }

    pub(super) fn is(&self, maildir: &Maildir, name: &str) -> bool {
        self.name == name && self.maildir.root == maildir.root
    }

    /// The key that it will appear under, as [`super::file_name`] writes it.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.name
    }

    /// Its bytes; after a power cut some may be missing, unless something stored later shows
    /// otherwise.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn bytes(&self) -> Result<Vec<u8>, MaildirError> {
        fs::read(&self.path).map_err(|error| MaildirError::new(&self.path, error))
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.maildir.root.join(self.folder)
    }

    /// Makes it appear. If there is already a mail with its name, it is removed instead.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn show(self) -> Result<(), MaildirError> {
        if self.maildir.plain(&self.name).is_some() {
            return self.discard();
        }
        self.maildir.make_ready()?;
        let folder = self.folder();
        if self.folder == DONE {
            fs::create_dir_all(&folder).map_err(|error| MaildirError::new(&folder, error))?;
        }
        let to = folder.join(&self.name);
        fs::rename(&self.path, to).map_err(|error| MaildirError::new(&self.path, error))
    }

    /// Removes it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn discard(self) -> Result<(), MaildirError> {
        fs::remove_file(&self.path).map_err(|error| MaildirError::new(&self.path, error))
    }
}

impl Maildir {
    /// The staged mails that have not appeared because their writer was stopped; none if the
    /// Maildir does not exist.
    ///
    /// # Errors
    /// When `tmp` can't be listed.
    pub fn staged(&self) -> Result<Vec<StagedMail>, MaildirError> {
        let tmp = self.root.join(TMP);
        let fail = |error| MaildirError::new(&tmp, error);
        let entries = match fs::read_dir(&tmp) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(fail)?,
        };
        let mut staged = Vec::new();
        for entry in entries {
            let name = entry.map_err(fail)?.file_name();
            let rest = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
            let found = rest.and_then(|rest| {
                let (folder, name) = rest.split_once('-')?;
                let folder = FOLDERS.into_iter().find(|known| *known == folder)?;
                Some(StagedMail::of(self, folder, name))
            });
            staged.extend(found);
        }
        Ok(staged)
    }
}
