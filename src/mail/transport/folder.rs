//! Mails from a folder of `.eml` files, as mail programs save them.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{MailSource, Observation, RawMail, Stop, TransportError};

/// A file that was changed less than this ago may still be being written.
const SETTLED: Duration = Duration::from_secs(1);
/// How often to look.
const LOOK: Duration = Duration::from_secs(1);

/// A folder of `estafette.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FolderAccount {
    /// The folder; its files `*.eml` are the mails.
    pub path: PathBuf,
    /// Where they are moved when they are kept here; on the same disk. Without it: the folder
    /// `done` inside.
    pub done: Option<PathBuf>,
}

impl FolderAccount {
    /// Makes relative folders relative to this one.
    pub fn settle(&mut self, folder: &Path) {
        self.path = folder.join(&self.path);
        self.done = Some(match self.done.take() {
            Some(done) => folder.join(done),
            None => self.path.join("done"),
        });
    }
}

/// A folder as a source.
pub struct FolderSource {
    name: String,
    path: PathBuf,
    done: PathBuf,
}

impl FolderSource {
    /// The source of a folder.
    #[must_use]
    pub fn new(account: FolderAccount) -> Self {
        let done = account.done.unwrap_or_else(|| account.path.join("done"));
        Self {
            name: format!("folder {}", account.path.display()),
            path: account.path,
            done,
        }
    }

    fn files(&self) -> Result<Vec<PathBuf>, TransportError> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(|source| failed(&self.path, source))? {
            let entry = entry.map_err(|source| failed(&self.path, source))?;
            let (path, hidden) = (
                entry.path(),
                entry.file_name().as_encoded_bytes().starts_with(b"."),
            );
            let is_mail = path
                .extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("eml"));
            let is_settled = entry.metadata().is_ok_and(|data| {
                data.is_file()
                    && data
                        .modified()
                        .is_ok_and(|time| time.elapsed().is_ok_and(|age| age >= SETTLED))
            });
            if is_mail && is_settled && !hidden {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }
}

fn failed(path: &Path, source: io::Error) -> TransportError {
    TransportError::File {
        path: path.to_owned(),
        source,
    }
}

impl MailSource for FolderSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn fetch(&mut self, limit: usize, most: usize) -> Result<Vec<RawMail>, TransportError> {
        let mut mails = Vec::new();
        for path in self.files()?.into_iter().take(most) {
            let bytes = match read_some(&path, limit) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                bytes => bytes.map_err(|source| failed(&path, source))?,
            };
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            mails.push(RawMail {
                // Another mail may come under an earlier name.
                key: format!("file-{}-{name}", HEXLOWER.encode(&Sha256::digest(&bytes))),
                bytes,
                handle: name,
            });
        }
        Ok(mails)
    }

    fn done(&mut self, mails: &[&RawMail]) -> Result<(), TransportError> {
        fs::create_dir_all(&self.done).map_err(|source| failed(&self.done, source))?;
        for mail in mails {
            let from = self.path.join(&mail.handle);
            let mut to = self.done.join(&mail.handle);
            if to.exists() {
                to = self.done.join(&mail.key);
            }
            match fs::rename(&from, &to) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                moved => moved.map_err(|source| failed(&from, source))?,
            }
        }
        Ok(())
    }

    fn wait(&mut self, most: Duration, stop: &Stop) -> Result<(), TransportError> {
        stop.sleep(most.min(LOOK));
        Ok(())
    }

    fn probe(&mut self) -> Vec<Observation> {
        let looked = self.files().and_then(|files| {
            fs::create_dir_all(&self.done).map_err(|source| failed(&self.done, source))?;
            Ok(files.len())
        });
        vec![match looked {
            Ok(count) => Observation::good(format!("{}: {count} mails wait", self.name)),
            Err(error) => Observation::wrong(format!(
                "{}: {error}; make the folder, or look at `path`",
                self.name
            )),
        }]
    }
}

fn read_some(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(limit as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    fn write(folder: &Path, name: &str, bytes: &[u8]) {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        let file = fs::File::options().append(true).open(path).unwrap();
        let now = file.metadata().unwrap().modified().unwrap();
        file.set_modified(now - Duration::from_secs(5)).unwrap();
    }

    #[test]
    fn mails_come_until_they_are_done() {
        let folder = tempfile::tempdir().unwrap();
        let mut account: FolderAccount = serde_yaml::from_str("path: .").unwrap();
        account.settle(folder.path());
        let mut source = FolderSource::new(account);
        for name in ["b.eml", "a.EML", ".c.eml", "d.txt"] {
            write(folder.path(), name, name.as_bytes());
        }
        fs::write(folder.path().join("fresh.eml"), "half a").unwrap();
        let mails = source.fetch(3, 10).unwrap();
        assert_eq!(
            mails
                .iter()
                .map(|mail| mail.handle.as_str())
                .collect::<Vec<_>>(),
            ["a.EML", "b.eml"]
        );
        assert_eq!(mails[0].bytes, b"a.EM");
        assert_eq!(source.fetch(3, 10).unwrap(), mails, "nothing was changed");
        source.done(&[&mails[0]]).unwrap();
        source.done(&[&mails[0]]).unwrap();
        assert_eq!(source.fetch(3, 1).unwrap(), mails[1..]);
        // The same name again, but other bytes: this is another mail, and both are kept.
        write(folder.path(), "a.EML", b"new");
        let again = source.fetch(3, 1).unwrap();
        assert_ne!(again[0].key, mails[0].key);
        source.done(&[&again[0]]).unwrap();
        assert_eq!(fs::read_dir(folder.path().join("done")).unwrap().count(), 2);
    }

    #[test]
    fn a_missing_folder_is_told() {
        let account: FolderAccount = serde_yaml::from_str("path: /no/such/folder").unwrap();
        let mut source = FolderSource::new(account);
        assert!(source.fetch(1, 1).is_err());
        assert!(
            source
                .probe()
                .iter()
                .any(|finding| !finding.ok && finding.what.contains("/no/such/folder"))
        );
    }
}
