//! A campaign on disk, open for work: journal, state, mailboxes.
//!
//! Each input goes the same way: judged, written into the journal, worked off, its letters put into
//! the outboxes, and then the mail is moved out of the inbox. If the host is killed between, the
//! work is done again on the next opening and gives the same letters under the same names, so that
//! nothing acknowledged is lost and nothing is sent in two versions.

pub mod alarm;
pub mod beside;
pub mod bots;
pub mod bring;
pub mod compare;
mod delivery;
mod error;
pub mod memory;
mod open;
mod pass;
#[cfg(feature = "drand")]
pub mod relay;
pub mod release;
pub mod renew;
pub mod replay;
mod untold;
pub mod work;

use std::{mem, path::Path, time::Duration};

use jiff::Timestamp;

pub(crate) use delivery::deliver;
pub use error::CampaignError;
pub use open::{context_of, context_with, look, look_after};
use pass::Backlog;
pub use pass::Pass;

use super::model::{
    context::Context, events::Event, settings::Settings, state::State, version::Version,
};
use crate::store::{Directory, DirectoryDraft, Journal, Lock, PinnedFiles, Snapshots};
use crate::{dice::Master, game::GameFiles, rules::Bots};

/// A campaign, open for work.
pub struct Campaign {
    directory: Directory,
    pub(crate) context: Context,
    pub(crate) journal: Journal,
    state: State,
    snapshots: Snapshots,
    notices: Vec<String>,
    /// The envelope whose keys lie in the secret folder.
    pub(crate) kept: Option<u32>,
    unsaved: SnapshotCounter,
    untold: Backlog,
    /// Its bots, when one has been waited for, or what is wrong with their scripts.
    bots: Option<Result<Option<Bots>, String>>,
    lock: Option<Lock>,
}

/// How often the state is written down: a process that stays up need not do it with every input.
#[derive(Clone, Debug)]
struct SnapshotCounter {
    inputs: u32,
    most: u32,
    /// Why it could not be, when that was tried last.
    problem: Option<String>,
}

impl Default for SnapshotCounter {
    fn default() -> Self {
        Self {
            inputs: 0,
            most: 1,
            problem: None,
        }
    }
}

/// Changes whenever an older snapshot can't be used any more.
fn snapshot_format() -> String {
    format!("{}-register", Version::running())
}

impl Campaign {
    /// Makes a campaign: its directory appears whole, with the opening letters in the outboxes, or
    /// not at all.
    ///
    /// # Errors
    /// If anything is there already, the files are not sound, or the disk refuses.
    pub fn create(
        target: &Path,
        settings: &Settings,
        game: &GameFiles,
        master: &Master,
        now: Timestamp,
    ) -> Result<Directory, CampaignError> {
        Self::create_with_bots(target, settings, (game, &GameFiles::default()), master, now)
    }

    /// Like `create`, with the scripts of the game's bots.
    ///
    /// # Errors
    /// As [`Campaign::create`].
    pub fn create_with_bots(
        target: &Path,
        settings: &Settings,
        (game, bots): (&GameFiles, &GameFiles),
        master: &Master,
        now: Timestamp,
    ) -> Result<Directory, CampaignError> {
        let pinned = PinnedFiles::new(game.0.clone())?;
        let draft = DirectoryDraft::begin(target, &settings.to_yaml()?, &pinned, &master.to_hex())?;
        let directory = draft.directory();
        if !bots.0.is_empty() {
            bots::lay_down(directory, bots)?;
        }
        let context = context_of(directory)?;
        directory.inbox().create()?;
        let mut journal = directory.new_journal()?;
        let created = context.created(pinned.digest())?;
        let record = journal.append(now, Event::Created(Box::new(created)))?;
        let (state, effects) = work::apply(&context, None, &record)?;
        deliver(directory, &effects.mailing.letters)?;
        let done = work::done(&state, &effects);
        journal.append(record.time, Event::Done(done))?;
        renew::keep(directory, &context, &state)?;
        directory
            .snapshots(&snapshot_format())
            .save(journal.position(), &state)?;
        drop(journal);
        Ok(draft.finish()?)
    }

    /// What has come to light since the last call and is no part of the game, for whoever looks
    /// after the host.
    pub fn take_notices(&mut self) -> Vec<String> {
        mem::take(&mut self.notices)
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What never changes in it.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Its directory.
    #[must_use]
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Writes the state down only with every so many inputs, and when [`Campaign::save`] is called.
    /// What is not written down is worked off again from the journal at the next opening.
    pub fn save_every(&mut self, inputs: u32) {
        self.unsaved.most = inputs;
    }

    /// Writes the state down, so that the next opening is quick. If that can't be done, the
    /// campaign goes on without and says so once among its notices; it is tried again after as many
    /// inputs.
    pub fn save(&mut self) {
        if self.unsaved.inputs == 0 {
            return;
        }
        let saved = self.snapshots.save(self.journal.position(), &self.state);
        let problem = saved.err().map(|error| format!(
            "where it stands can't be noted, so that opening it takes longer; nothing is lost: {error}"
        ));
        if problem != self.unsaved.problem {
            self.notices.extend(problem.clone());
        }
        (self.unsaved.inputs, self.unsaved.problem) = (0, problem);
    }

    fn save_if_due(&mut self) {
        if self.unsaved.inputs >= self.unsaved.most {
            self.save();
        }
    }

    /// Lets other processes have the campaign until [`Campaign::resume`]; nothing may be done with
    /// it before.
    pub fn rest(&mut self) {
        self.lock = None;
    }

    /// Takes the campaign again after a rest. `false` if another process has worked on it
    /// meanwhile: it must be opened anew.
    ///
    /// # Errors
    /// As [`Campaign::open`].
    pub fn resume(&mut self, patience: Duration) -> Result<bool, CampaignError> {
        if self.lock.is_none() {
            let lock = self.directory.lock(patience)?;
            if !self.journal.is_as_left()? {
                return Ok(false);
            }
            self.lock = Some(lock);
        }
        Ok(true)
    }
}
