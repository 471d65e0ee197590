//! Files beside a campaign's journal that others read: the players' present addresses, and the
//! server that vouches for senders.
//!
//! A host of many campaigns uses the first to sort mails that name no campaign, without opening
//! any. The second is the host's choice, and also applies to `estafette run DIR` and `umpire`,
//! which know no host. Neither decides what is in the journal.

use crate::{
    campaign::{
        durable::{Campaign, CampaignError},
        model::{players, seats::Address, trust::check_server},
    },
    store::{Blob, Directory, StoreError},
};

/// The players' addresses, if any has changed since the settings were written; else none.
///
/// # Errors
/// The environment, and a line that is no address: somebody put it there by hand, and the next
/// opening of the campaign rewrites the file.
pub fn moved(directory: &Directory) -> Result<Option<Vec<Address>>, StoreError> {
    let Some(text) = directory.fetch(Blob::Addresses)? else {
        return Ok(None);
    };
    let addresses = text.lines().enumerate().map(|(index, line)| {
        line.parse().map_err(|problem| StoreError::Line {
            path: directory.place(Blob::Addresses),
            line: index + 1,
            problem,
        })
    });
    addresses.collect::<Result<_, _>>().map(Some)
}

/// The server whose `Authentication-Results` count where the settings name none; the host names it.
///
/// # Errors
/// The environment, and a name that no server has.
pub(crate) fn results_of(directory: &Directory) -> Result<Option<String>, StoreError> {
    let Some(text) = directory.fetch(Blob::ResultsOf)? else {
        return Ok(None);
    };
    let name = text.trim();
    if name.is_empty() {
        return Ok(None);
    }
    check_server(name).map_err(|problem| StoreError::Line {
        path: directory.place(Blob::ResultsOf),
        line: 1,
        problem,
    })?;
    Ok(Some(name.to_owned()))
}

impl Campaign {
    /// Writes down where players are reached, if that has changed.
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
        let directory = self.directory();
        if directory.fetch(Blob::Addresses)?.as_ref() != Some(&text) {
            directory.keep(Blob::Addresses, &text)?;
        }
        Ok(())
    }

    /// Sets, from now on and for every process, the server whose `Authentication-Results` count
    /// where the settings name none. Only the host decides this.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn trust_results_of(&mut self, server: Option<&str>) -> Result<(), CampaignError> {
        if self.context().results_of.as_deref() == server {
            return Ok(());
        }
        let directory = self.directory();
        if let Some(server) = server {
            directory.keep(Blob::ResultsOf, &format!("{server}\n"))?;
        } else {
            directory.remove(Blob::ResultsOf)?;
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
        let keep = |text| directory.keep(Blob::Addresses, text).unwrap();
        keep("ada@example.org\nbert@example.org\n");
        assert_eq!(moved(&directory).unwrap().unwrap().len(), 2);
        keep("ada@example.org\nbert at home\n");
        let error = moved(&directory).unwrap_err();
        assert!(error.to_string().contains("addresses, line 2: "), "{error}");
        assert!(!error.is_environment());
    }
}
