//! What lies beside a campaign's journal for others to read: where players are reached now, and
//! whose word on senders counts.
//!
//! The host that serves many campaigns asks the first of mails that name none, without opening any;
//! the second is the host's to say, and holds for `estafette run DIR` and `umpire` too, which know
//! no host. Neither decides what is in the journal.

use std::{fs, io::ErrorKind};

use crate::{
    bounded,
    campaign::{
        durable::{Campaign, CampaignError},
        model::{players, seats::Address, trust::check_server},
    },
    store::{
        directory::Directory,
        error::StoreError,
        files::{self, Mode},
    },
};

/// Longest file of either kind, in bytes.
const LONGEST: u64 = 64 << 10;

/// Where the players are reached, if any of them is elsewhere than the settings say; else nothing.
///
/// # Errors
/// The environment, and a line that is no address: it can only have been put there by hand, and the
/// next opening of the campaign writes the file anew.
pub fn moved(directory: &Directory) -> Result<Option<Vec<Address>>, StoreError> {
    let path = directory.addresses();
    let Some(text) = text_of(&path)? else {
        return Ok(None);
    };
    let addresses = text.lines().enumerate().map(|(index, line)| {
        line.parse().map_err(|problem| StoreError::Line {
            path: path.clone(),
            line: index + 1,
            problem,
        })
    });
    addresses.collect::<Result<_, _>>().map(Some)
}

/// The server whose `Authentication-Results` count where the settings name none, as the host has
/// said.
///
/// # Errors
/// The environment.
pub(crate) fn results_of(directory: &Directory) -> Result<Option<String>, StoreError> {
    let text = text_of(&directory.results_of())?;
    let name = text.map(|text| text.trim().to_owned());
    Ok(name.filter(|name| check_server(name).is_ok()))
}

fn text_of(path: &std::path::Path) -> Result<Option<String>, StoreError> {
    match bounded::read_text(path, LONGEST) {
        Err(error) if error.is_missing() => Ok(None),
        text => Ok(Some(text?)),
    }
}

impl Campaign {
    /// Writes down where players are reached, when that has changed since it was written last.
    pub(crate) fn keep_addresses(&self) -> Result<(), CampaignError> {
        let mut contacts = self.state().contacts.values();
        if contacts.all(|contact| contact.player.is_none()) {
            return Ok(());
        }
        let players = players::players(self.context(), self.state());
        let text: String = players
            .filter_map(|player| player.address.mail())
            .map(|address| format!("{address}\n"))
            .collect();
        let path = self.directory().addresses();
        if text_of(&path)?.as_ref() != Some(&text) {
            files::write_atomically(&path, text.as_bytes(), Mode::Secret)?;
        }
        Ok(())
    }

    /// Names the server whose `Authentication-Results` count where the settings name none, from now
    /// on and for every process. This is the host's to say.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn trust_results_of(&mut self, server: Option<&str>) -> Result<(), CampaignError> {
        if self.context().results_of.as_deref() == server {
            return Ok(());
        }
        let path = self.directory().results_of();
        match server {
            Some(server) => {
                files::write_atomically(&path, format!("{server}\n").as_bytes(), Mode::Shared)?;
            }
            None => match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(StoreError::io("remove", &path)(error).into());
                }
                _ => {}
            },
        }
        self.context.results_of = server.map(str::to_owned);
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_address_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::at(folder.path());
        assert_eq!(moved(&directory).unwrap(), None);
        fs::write(directory.addresses(), "ada@example.org\nbert@example.org\n").unwrap();
        assert_eq!(moved(&directory).unwrap().unwrap().len(), 2);
        fs::write(directory.addresses(), "ada@example.org\nbert at home\n").unwrap();
        let error = moved(&directory).unwrap_err();
        assert!(error.to_string().contains("addresses, line 2: "), "{error}");
        assert!(!error.is_environment());
    }
}
