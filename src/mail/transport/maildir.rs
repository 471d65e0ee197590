//! Mails from a Maildir, where a server on this machine puts them; letters into Maildirs, one for
//! each address.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;

use super::{
    LetterHead, MailEnvelope, MailSource, Observation, RawMail, SendError, Sink, Stop,
    TransportError, watch::Watch,
};
use crate::mail::{
    clean_line,
    maildir::{Maildir, MaildirEntry},
};

/// A Maildir of `estafette.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaildirAccount {
    /// The Maildir; for letters, the folder with a Maildir for each address.
    pub path: PathBuf,
}

impl MaildirAccount {
    /// Makes a relative folder relative to this one.
    pub fn settle(&mut self, folder: &Path) {
        self.path = folder.join(&self.path);
    }
}

/// A Maildir as a source.
pub struct MaildirSource {
    name: String,
    path: PathBuf,
    watch: Watch,
    /// Mails that are listed but not done. Listing many mails takes long, so it happens anew only
    /// when none is left, or when fetched mails have not been taken.
    listed: BTreeMap<String, MaildirEntry>,
    /// The mails fetched last.
    fetched: Vec<String>,
}

impl MaildirSource {
    /// The source of a Maildir.
    #[must_use]
    pub fn new(account: MaildirAccount) -> Self {
        Self {
            name: format!("maildir {}", account.path.display()),
            watch: Watch::on(&account.path.join("new")),
            path: account.path,
            listed: BTreeMap::new(),
            fetched: Vec::new(),
        }
    }

    fn read_listed(&mut self, limit: usize, most: usize) -> Result<Vec<RawMail>, TransportError> {
        let maildir = Maildir::at(&self.path);
        let (mut mails, mut vanished) = (Vec::new(), Vec::new());
        for (key, entry) in &self.listed {
            if mails.len() == most {
                break;
            }
            match maildir.read(entry, limit)? {
                Some(bytes) => mails.push(RawMail {
                    key: format!("maildir-{key}"),
                    bytes,
                    handle: key.clone(),
                }),
                // Moved by another program, perhaps from `new` to `cur`: the next listing tells.
                None => vanished.push(key.clone()),
            }
        }
        for key in vanished {
            self.listed.remove(&key);
        }
        Ok(mails)
    }
}

impl MailSource for MaildirSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn fetch(&mut self, limit: usize, most: usize) -> Result<Vec<RawMail>, TransportError> {
        let is_left = |key: &String| self.listed.contains_key(key);
        if self.fetched.iter().any(is_left) {
            self.listed.clear();
        }
        loop {
            let anew = self.listed.is_empty();
            if anew {
                self.watch.begin();
                let entries = Maildir::at(&self.path).unprocessed()?.into_iter();
                self.listed = entries.map(|entry| (entry.key(), entry)).collect();
            }
            let mails = self.read_listed(limit, most)?;
            self.fetched = mails.iter().map(|mail| mail.handle.clone()).collect();
            if anew || !mails.is_empty() {
                return Ok(mails);
            }
        }
    }

    fn done(&mut self, mails: &[&RawMail]) -> Result<(), TransportError> {
        let entries = mails
            .iter()
            .filter_map(|mail| self.listed.get(&mail.handle));
        let entries: Vec<MaildirEntry> = entries.cloned().collect();
        Maildir::at(&self.path).all_done(&entries)?;
        for mail in mails {
            self.listed.remove(&mail.handle);
        }
        Ok(())
    }

    fn wait(&mut self, most: Duration, stop: &Stop) -> Result<(), TransportError> {
        self.watch.wait(most, stop);
        Ok(())
    }

    fn probe(&mut self) -> Vec<Observation> {
        vec![match Maildir::at(&self.path).unprocessed() {
            Ok(waiting) => {
                Observation::good(format!("{}: {} mails wait", self.name, waiting.len()))
            }
            Err(error) => Observation::wrong(format!("{}: {error}", self.name)),
        }]
    }
}

/// Maildirs as a sink: letters lie in `PATH/ADDRESS/new`.
pub struct MaildirSink(MaildirAccount);

impl MaildirSink {
    /// The sink of a folder.
    #[must_use]
    pub fn new(account: MaildirAccount) -> Self {
        Self(account)
    }
}

impl Sink for MaildirSink {
    fn send(&mut self, envelope: &MailEnvelope, bytes: &[u8]) -> Result<String, SendError> {
        let to = &envelope.to;
        if to.contains(['/', '\0']) || to.starts_with('.') {
            return Err(SendError::Refused {
                status: "5.1.3".to_owned(),
                said: format!("`{}` can't name a folder", clean_line(to)),
            });
        }
        let maildir = Maildir::at(self.0.path.join(to));
        // The same letter twice is one file.
        let key = LetterHead::read(bytes).message_id.unwrap_or_default();
        maildir
            .create()
            .and_then(|()| maildir.put(&key, bytes))
            .map(|_| "written".to_owned())
            .map_err(|error| SendError::Down {
                said: error.to_string(),
            })
    }

    fn probe(&mut self) -> Vec<Observation> {
        let path = &self.0.path;
        vec![match fs::create_dir_all(path) {
            Ok(()) => Observation::good(format!("letters go into Maildirs in {}", path.display())),
            Err(error) => Observation::wrong(format!("{}: {error}", path.display())),
        }]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use std::time::Instant;

    use super::*;

    #[test]
    fn a_maildir_gives_its_mails_until_they_are_done() {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::at(folder.path());
        maildir.create().unwrap();
        let mut source = MaildirSource::new(MaildirAccount {
            path: folder.path().to_owned(),
        });
        maildir.put("1", b"first").unwrap();
        maildir.put("2", b"second").unwrap();
        let mails = source.fetch(10, 10).unwrap();
        assert_eq!(
            mails
                .iter()
                .map(|mail| mail.key.as_str())
                .collect::<Vec<_>>(),
            ["maildir-1", "maildir-2"]
        );
        source.done(&[&mails[0]]).unwrap();
        assert_eq!(source.fetch(10, 10).unwrap(), mails[1..]);
    }

    #[test]
    fn waiting_ends_with_a_new_mail_or_the_wish_to_stop() {
        let folder = tempfile::tempdir().unwrap();
        let maildir = Maildir::at(folder.path());
        maildir.create().unwrap();
        let mut source = MaildirSource::new(MaildirAccount {
            path: folder.path().to_owned(),
        });
        source.fetch(10, 10).unwrap();
        let stop = Stop::new();
        maildir.put("1", b"first").unwrap();
        let start = Instant::now();
        let long = Duration::from_secs(600);
        source.wait(long, &stop).unwrap();
        source.fetch(10, 10).unwrap();
        stop.stop();
        source.wait(long, &stop).unwrap();
        assert!(start.elapsed() < long, "nothing ended the wait");
    }

    #[test]
    fn letters_lie_in_the_recipients_maildir_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut sink = MaildirSink::new(MaildirAccount {
            path: folder.path().to_owned(),
        });
        let envelope = |to: &str| MailEnvelope {
            from: None,
            to: to.to_owned(),
        };
        for _ in 0..2 {
            sink.send(&envelope("ada@example.org"), b"Message-ID: <a@b>\r\n\r\nx")
                .unwrap();
        }
        let new = folder.path().join("ada@example.org/new");
        assert_eq!(fs::read_dir(new).unwrap().count(), 1);
        assert!(sink.send(&envelope("../x@y"), b"").is_err());
    }
}
