//! Mails that are written together: waiting for the disk happens in parallel, not once for each
//! mail.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, mem, panic,
    path::PathBuf,
    thread,
};

use super::{
    DONE, Maildir, MaildirError, NEW, PutOutcome, file_name, staged_mail::StagedMail,
    sync_directory, temporary_mail::TemporaryMail,
};

/// How many threads wait for the disk, which completes simultaneous requests together.
const SIDE_BY_SIDE: usize = 8;
/// The most files that are open at the same time.
const MOST_OPEN: usize = 64;

/// Mails on their way into Maildirs. Nobody sees them before [`Batch::show`], and nobody may be
/// told of them before [`Batch::keep`]. A batch dropped before can be written again.
#[derive(Debug, Default)]
pub struct Batch {
    written: Vec<PendingMail>,
    /// The mails that are whole and on the disk.
    staged: Vec<StagedMail>,
    /// True if none may appear before all are staged.
    together: bool,
    /// The folders in which something has been made or shown: on the disk before the mails count as
    /// kept.
    pub(super) folders: BTreeSet<PathBuf>,
    /// The Maildirs whose folders may not be on the disk yet; they get `cur` after that.
    begun: BTreeMap<PathBuf, Maildir>,
    /// True if mails were lost, although their writers believe them written.
    failed: bool,
    /// The keys in `cur` of each Maildir, listed once: somebody's mail program may have put any
    /// number of letters there.
    seen: BTreeMap<PathBuf, BTreeSet<String>>,
}

/// A mail in `tmp`, and the place where it is to appear.
#[derive(Debug)]
struct PendingMail {
    mail: TemporaryMail,
    maildir: Maildir,
    folder: &'static str,
    name: String,
}

impl Batch {
    /// A batch whose mails appear only after [`Batch::stage`] has brought all of them to the disk,
    /// where a later process finds them ([`Maildir::staged`]). Nobody else may be writing the same
    /// mails.
    #[must_use]
    pub fn together() -> Self {
        Self {
            together: true,
            ..Self::default()
        }
    }

    /// Writes a mail under a key, as [`Maildir::put`] does.
    ///
    /// # Errors
    /// As [`Maildir::put`]; the mails before it are not harmed.
    pub fn add(
        &mut self,
        to: &Maildir,
        key: &str,
        bytes: &[u8],
    ) -> Result<PutOutcome, MaildirError> {
        self.add_into(NEW, to, key, bytes)
    }

    /// Writes a mail as done: it is kept, but not sent by a sender that takes the mails of `new`.
    ///
    /// # Errors
    /// As [`Maildir::put`]; the mails before it are not harmed.
    pub fn add_aside(
        &mut self,
        to: &Maildir,
        key: &str,
        bytes: &[u8],
    ) -> Result<PutOutcome, MaildirError> {
        self.add_into(DONE, to, key, bytes)
    }

    fn add_into(
        &mut self,
        folder: &'static str,
        to: &Maildir,
        key: &str,
        bytes: &[u8],
    ) -> Result<PutOutcome, MaildirError> {
        let name = file_name(key);
        if self.is_there(to, &name)? {
            // Whoever brought it may not have brought its folders to the disk yet.
            let path = to.root.join(folder);
            if path.is_dir() {
                self.folders.insert(path);
                if to.on_demand {
                    self.sync_later(to, to.unsure_folders());
                }
            }
            return Ok(PutOutcome::AlreadyThere);
        }
        self.make_folders(folder, to)?;
        if self.written.len() >= MOST_OPEN {
            if self.together {
                self.stage()?;
            } else {
                self.show()?;
            }
        }
        self.written.push(PendingMail {
            mail: TemporaryMail::write(to, bytes)?,
            maildir: to.clone(),
            folder,
            name,
        });
        Ok(PutOutcome::Written)
    }

    fn make_folders(&mut self, folder: &str, to: &Maildir) -> Result<(), MaildirError> {
        if to.on_demand {
            self.sync_later(to, to.make_folders()?);
        }
        let path = to.root.join(folder);
        if folder == DONE && !path.is_dir() {
            fs::create_dir_all(&path).map_err(|error| MaildirError::new(&path, error))?;
            self.folders.insert(to.root.clone());
        }
        Ok(())
    }

    fn sync_later(&mut self, maildir: &Maildir, folders: Vec<PathBuf>) {
        if !folders.is_empty() {
            self.begun.insert(maildir.root.clone(), maildir.clone());
            self.folders.extend(folders);
        }
    }

    /// Returns true if a mail with this file name is in the Maildir, or on its way into it.
    fn is_there(&mut self, to: &Maildir, name: &str) -> Result<bool, MaildirError> {
        let is_written = |other: &PendingMail| other.name == name && other.maildir.root == to.root;
        let is_staged = |other: &StagedMail| other.is(to, name);
        if self.written.iter().any(is_written)
            || self.staged.iter().any(is_staged)
            || to.plain(name).is_some()
        {
            return Ok(true);
        }
        if !self.seen.contains_key(&to.root) {
            let keys = to.seen()?.into_keys().collect();
            self.seen.insert(to.root.clone(), keys);
        }
        Ok((self.seen.get(&to.root)).is_some_and(|keys| keys.contains(name)))
    }

    /// Brings the mails to the disk, with the folders made for them, each complete and under a name
    /// by which it can be found. None appears yet.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn stage(&mut self) -> Result<(), MaildirError> {
        let staged = self.stage_all();
        self.failed |= staged.is_err();
        staged
    }

    fn stage_all(&mut self) -> Result<(), MaildirError> {
        let mut files = Vec::new();
        for written in self.written.drain(..) {
            let staged = StagedMail::of(&written.maildir, written.folder, &written.name);
            files.push((written.mail.rename(&staged.path)?, staged.path.clone()));
            self.staged.push(staged);
        }
        side_by_side(&files, |(file, path)| {
            file.sync_all()
                .map_err(|error| MaildirError::new(path, error))
        })?;
        self.sync_folders()
    }

    /// Makes the mails appear, each complete and on the disk.
    ///
    /// # Errors
    /// When the disk refuses; some may have appeared.
    pub fn show(&mut self) -> Result<(), MaildirError> {
        let shown = self.show_all();
        self.failed |= shown.is_err();
        shown
    }

    fn show_all(&mut self) -> Result<(), MaildirError> {
        side_by_side(&self.written, |written| written.mail.sync())?;
        for written in self.written.drain(..) {
            let folder = written.maildir.root.join(written.folder);
            // Another process may have brought the same mail since this one was begun.
            if written.maildir.plain(&written.name).is_none() {
                written.mail.show(&folder, &written.name)?;
            }
            self.folders.insert(folder);
        }
        for staged in self.staged.drain(..) {
            self.folders.insert(staged.folder());
            staged.show()?;
        }
        Ok(())
    }

    /// Makes the mails appear and brings the folders to the disk, too: from now on they survive a
    /// power cut.
    ///
    /// # Errors
    /// When the disk refuses, or has refused before.
    pub fn keep(mut self) -> Result<(), MaildirError> {
        self.show()?;
        if self.failed {
            return Err(MaildirError::Lost);
        }
        self.sync_folders()
    }

    fn sync_folders(&mut self) -> Result<(), MaildirError> {
        let folders: Vec<PathBuf> = self.folders.iter().cloned().collect();
        side_by_side(&folders, |folder| sync_directory(folder))?;
        self.folders.clear();
        for maildir in mem::take(&mut self.begun).into_values() {
            maildir.make_last_folder()?;
        }
        Ok(())
    }
}

/// Does the same with all items, on several threads; returns an error if there is one.
fn side_by_side<T: Sync>(
    items: &[T],
    work: impl Fn(&T) -> Result<(), MaildirError> + Sync,
) -> Result<(), MaildirError> {
    let in_turn = |part: &[T]| part.iter().try_for_each(&work);
    if items.len() < 2 {
        return in_turn(items);
    }
    thread::scope(|scope| {
        let parts = items.chunks(items.len().div_ceil(SIDE_BY_SIDE));
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || in_turn(part)))
            .collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| panic::resume_unwind(panic))
        })
    })
}
