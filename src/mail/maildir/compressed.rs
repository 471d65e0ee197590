//! Mails that have been worked off and that hardly anybody will read again: kept compressed.
//!
//! `NAME,.gz` in `done` is the mail `NAME`; no key makes a name with a comma. A mail may be there
//! in both forms, if its writer was stopped: they have the same bytes. One that is damaged counts
//! as gone.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};

use super::{
    CUR, DONE, Maildir, MaildirError, NEW, TMP, sync_directory, temporary_mail::TemporaryMail,
};

/// How names of compressed mails end.
const SUFFIX: &str = ",.gz";
/// A mail up to this size takes one block of the disk, compressed or not.
const BLOCK: u64 = 4096;
/// The most mails that are compressed at a time: somebody may be waiting to write.
const MOST: usize = 8;
/// A larger mail is never sent, so none is compressed, in bytes; a file that holds more is damaged.
const LARGEST: u64 = 64 << 20;

/// The name of a compressed mail.
pub(super) fn name(plain: &str) -> String {
    format!("{plain}{SUFFIX}")
}

/// Where the compressed form of a mail is.
pub(super) fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(SUFFIX);
    name.into()
}

fn is_compressed(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().ends_with(SUFFIX.as_bytes())
}

/// The bytes of a mail, compressed or not; none if it is damaged.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    if !is_compressed(path) {
        return fs::read(path).map(Some);
    }
    let mut bytes = Vec::new();
    let decoder = GzDecoder::new(File::open(path)?);
    match decoder.take(LARGEST + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > LARGEST => Ok(None),
        Ok(_) => Ok(Some(bytes)),
        Err(error) => match error.kind() {
            ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => Ok(None),
            _ => Err(error),
        },
    }
}

impl Maildir {
    /// Compresses mails that have been worked off, a few at a time, and removes folders in which
    /// nothing is left: they are made again when the next mail needs them. Nobody else may be
    /// writing mails into this Maildir. Returns true if none is left to be compressed.
    ///
    /// # Errors
    /// When the disk refuses; each mail is still there.
    pub fn put_away(&self) -> Result<bool, MaildirError> {
        let done = self.root.join(DONE);
        let mut left = large_files(&done)?;
        let compressed: Vec<PathBuf> = left.drain(..left.len().min(MOST)).collect();
        for path in &compressed {
            self.compress(path)?;
        }
        if !compressed.is_empty() {
            // The compressed ones are safe before the others go.
            sync_directory(&done)?;
        }
        for path in compressed {
            fs::remove_file(&path).map_err(|error| MaildirError::new(&path, error))?;
        }
        // While something lies in `tmp`, it may yet have to appear.
        let is_empty = |folder: &str| {
            fs::read_dir(self.root.join(folder)).is_ok_and(|mut files| files.next().is_none())
        };
        if is_empty(TMP) {
            // `cur` says that the others are on the disk: it goes first, and if it stays, so do
            // they.
            let is_gone = |folder: &str| fs::remove_dir(self.root.join(folder)).is_ok();
            let _ = is_gone(CUR) && is_gone(NEW) && is_gone(TMP);
        }
        Ok(left.is_empty())
    }

    fn compress(&self, path: &Path) -> Result<(), MaildirError> {
        let fail = |error| MaildirError::new(path, error);
        let bytes = fs::read(path).map_err(fail)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let compressed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
        self.make_ready()?;
        let mail = TemporaryMail::write(self, &compressed.map_err(fail)?)?;
        mail.sync()?;
        mail.rename(&beside(path))?;
        Ok(())
    }
}

/// The files in a folder that are worth compressing; none if it does not exist.
fn large_files(folder: &Path) -> Result<Vec<PathBuf>, MaildirError> {
    let fail = |error| MaildirError::new(folder, error);
    let files = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        files => files.map_err(fail)?,
    };
    let mut found = Vec::new();
    for file in files {
        let file = file.map_err(fail)?;
        let path = file.path();
        let is_large =
            |data: fs::Metadata| data.is_file() && (BLOCK + 1..=LARGEST).contains(&data.len());
        if !is_compressed(&path) && file.metadata().is_ok_and(is_large) {
            found.push(path);
        }
    }
    found.sort_unstable();
    Ok(found)
}
