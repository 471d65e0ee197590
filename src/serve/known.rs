//! Which campaigns the running host knows, and the mails that came before it knew them.
//!
//! The names are in the file `known` in the host's folder; a start, or a look for new campaigns,
//! compares with them. For new campaigns, mails that were put aside are sorted again, and only then
//! are the names written. So a host that is killed in between does it again, which changes nothing:
//! a mail arrives once, under one name.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{LetterBox, MailRoute, Member, Roster};
use crate::{
    bounded,
    disk::{self, Mode},
    mail::{
        MailLimits,
        maildir::{Batch, Maildir, MaildirError},
    },
    store::{Directory, StoreError},
};

/// The largest file of names, in bytes.
const LARGEST: u64 = 1 << 20;

/// The names of the campaigns that a host serves, from its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownNames(BTreeSet<String>);

impl KnownNames {
    /// The names of the host that works in this folder, or worked there last; none if there has
    /// been none.
    ///
    /// # Errors
    /// If its list is there and can't be read.
    pub fn read(state: &Path) -> Result<Self, StoreError> {
        match bounded::read_text(&file(state), LARGEST) {
            Ok(text) => Ok(Self(text.lines().map(str::to_owned).collect())),
            Err(error) if error.is_missing() => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// The names of these campaigns, and of the club.
    #[must_use]
    pub fn of(roster: &Roster) -> Self {
        let boxes = (0..roster.places()).filter_map(|place| roster.letter_box(place));
        Self(boxes.map(|it| it.name.to_owned()).collect())
    }

    /// Returns true if this campaign is among them.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Writes them down.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn write(&self, state: &Path) -> Result<(), StoreError> {
        let lines: String = self.0.iter().map(|name| format!("{name}\n")).collect();
        Ok(disk::write_atomically(
            &file(state),
            lines.as_bytes(),
            Mode::Secret,
        )?)
    }
}

fn file(state: &Path) -> PathBuf {
    state.join("known")
}

/// Moves mails that were put aside to the campaigns that were not `known` then; returns how many.
///
/// # Errors
/// If the disk refuses.
pub fn sort_again(
    roster: &Roster,
    known: &KnownNames,
    aside: &Maildir,
) -> Result<usize, MaildirError> {
    let is_new = |place: &usize| {
        let place = roster.letter_box(*place);
        place.filter(|place| !known.has(place.name))
    };
    if (0..roster.places()).all(|place| is_new(&place).is_none()) {
        return Ok(0);
    }
    let router = roster.router();
    let (mut batch, mut taken) = (Batch::default(), Vec::new());
    for entry in aside.unprocessed()? {
        let Some(bytes) = aside.read(&entry, MailLimits::default().bytes)? else {
            continue;
        };
        let MailRoute::To(places) = router.route(&bytes) else {
            continue;
        };
        let new: Vec<LetterBox<'_>> = places.iter().filter_map(is_new).collect();
        for place in &new {
            let inbox = place.directory.inbox();
            batch.add(&inbox, &entry.key(), &bytes)?;
            tracing::info!(
                mail = entry.key(),
                campaign = place.name,
                "taken from aside"
            );
        }
        if !new.is_empty() {
            taken.push(entry);
        }
    }
    batch.show()?;
    batch.keep()?;
    aside.all_done(&taken)?;
    Ok(taken.len())
}

/// Looks for campaigns that have been made since the host started.
#[derive(Debug, Default)]
pub struct Lookout {
    /// Directories that have been reported as impossible to serve.
    told: BTreeSet<PathBuf>,
}

impl Lookout {
    /// Returns true if one of these directories is a campaign that is not in the roster. One being
    /// made has no journal yet, and is looked at again.
    pub fn finds_more(&mut self, directories: &[PathBuf], roster: &Roster) -> bool {
        let mut more = false;
        let members = roster.members.iter();
        let known: BTreeSet<&Path> = members.map(|member| member.directory.root()).collect();
        for root in directories {
            if known.contains(root.as_path()) || !Directory::at(root).has_journal() {
                continue;
            }
            match Member::read(root) {
                Ok(new) => {
                    let same = |member: &Member| member.name() == new.name();
                    if !roster.members.iter().any(same) {
                        tracing::info!(campaign = new.name(), "a new campaign");
                        more = true;
                    }
                }
                Err(error) if self.told.insert(root.clone()) => {
                    tracing::error!(campaign = %root.display(), "left out: {error}");
                }
                Err(_) => {}
            }
        }
        more
    }
}
