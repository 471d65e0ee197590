//! A campaign on disk, open for work: journal, state, mailboxes.
//!
//! Each input goes the same way: it is judged, written to the journal and worked off, its letters
//! go into the outboxes, and then the mail leaves the inbox. If the host is killed in between, the
//! next opening does the work again and gets the same letters under the same names, so that nothing
//! acknowledged is lost and nothing is sent in two versions.
//!
//! [`Campaign`] is the entry: [`Campaign::create`], [`Campaign::open`] and [`Campaign::pass`]; and
//! [`look`] for those who only read.
//!
//! - One pass: `pass` takes mails, deadlines and rulings; `work` does an input's whole work;
//!   `delivery` puts letters into the outboxes; `beacon`, `relay` and `bots` bring further inputs,
//!   `release` a held mail.
//! - Opening: `open`, with `replay` for the records after the snapshot and `staged_letters` for
//!   what the process before told nobody; `alarm` if it fails; `renew` if the master is lost.
//! - The umpire: `umpire` for what one does under his name, `preview` for what would go out.
//! - Beside it: `host_files` (addresses, the trusted server), `from_club` (absences, seats that
//!   look for a player), `memory` (a campaign without a disk)
//!   and `comparison` (recorded outcomes against the work done again).
//! - For the club: `results` (how it ended), `needs` (what the umpire has to look after),
//!   `observed` (sheets for those who look on).

pub mod alarm;
pub mod beacon;
pub mod bots;
pub mod comparison;
mod copies;
mod delivery;
mod error;
pub mod from_club;
pub mod host_files;
pub mod memory;
pub mod needs;
pub mod observed;
mod open;
mod pass;
pub mod preview;
#[cfg(feature = "drand")]
pub mod relay;
pub mod release;
pub mod renew;
pub mod replay;
pub mod results;
mod staged_letters;
mod umpire;
pub mod work;

use std::{collections::BTreeSet, mem, path::Path, time::Duration};

use jiff::Timestamp;

pub(crate) use delivery::deliver;
pub use error::CampaignError;
pub use open::{context_of, context_with, look, look_after};
use pass::Backlog;
pub use pass::Pass;

use super::{
    model::{
        context::Context, events::Event, missing_values, settings::Settings, state::State,
        version::Version,
    },
    turn::deadlines,
    words::bot::awaited_bot,
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
    /// Notices that are given once as long as it is open.
    noticed: BTreeSet<String>,
    /// The envelope whose keys lie in the secret folder.
    pub(crate) kept: Option<u32>,
    unsaved: SnapshotCounter,
    untold: Backlog,
    /// Its bots, or the fault of their scripts; loaded when one is first awaited.
    bots: Option<Result<Option<Bots>, String>>,
    lock: Option<Lock>,
}

/// Counts how often the state needs saving: a process that stays up need not do it after every
/// input.
#[derive(Clone, Debug)]
struct SnapshotCounter {
    inputs: u32,
    most: u32,
    /// Why the last attempt failed, if it did.
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

/// Changes whenever older snapshots become unusable.
fn snapshot_format() -> String {
    format!("{}-stints", Version::running())
}

impl Campaign {
    /// Makes a campaign: its directory appears whole, with the opening letters in the outboxes, or
    /// not at all.
    ///
    /// # Errors
    /// If something is there already, the files are not sound, or the disk refuses.
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
        let mut journal = directory.new_journal()?;
        let created = context.created(pinned.digest())?;
        let record = journal.append(now, Event::Created(Box::new(created)))?;
        let (state, effects) = work::work_off(&context, None, &record)?;
        deliver(directory, &effects.mailing.letters)?;
        let done = work::done(&state, &effects);
        journal.append(record.time, Event::Done(Box::new(done)))?;
        renew::keep(directory, &context, &state)?;
        directory
            .snapshots(&snapshot_format())
            .save(journal.position(), &state)?;
        drop(journal);
        Ok(draft.finish()?)
    }

    /// Notices since the last call that are not part of the game, for the operator of the host.
    pub fn take_notices(&mut self) -> Vec<String> {
        mem::take(&mut self.notices)
    }

    /// Gives a notice unless it has been given since the campaign was opened.
    pub(super) fn notice_once(&mut self, notice: String) {
        if self.noticed.insert(notice.clone()) {
            self.notices.push(notice);
        }
    }

    /// The state after the last record.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The context, which never changes.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// When something is due by the clock from a moment on, if nothing comes before: what a
    /// deadline brings, a reminder, or a bot's orders.
    #[must_use]
    pub fn next_due(&self, from: Timestamp) -> Option<Timestamp> {
        let (context, state) = (&self.context, &self.state);
        let due = |at: &Timestamp| {
            deadlines::due_event(context, state, *at).is_some()
                || awaited_bot(context, state, *at).is_some()
        };
        let moments = deadlines::moments(context, state).into_iter();
        moments.map(|at| at.max(from)).find(due)
    }

    /// Returns true if its dice wait for a value of the beacon, for which a pass looks around.
    #[must_use]
    pub fn awaits_beacon(&self) -> bool {
        missing_values::wanted(&self.context, &self.state).is_some_and(|it| it.round.is_some())
    }

    /// Its directory.
    #[must_use]
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Saves the state only once in this many inputs, and when [`Campaign::save`] is called. The
    /// next opening works off again whatever was not saved.
    pub fn save_every(&mut self, inputs: u32) {
        self.unsaved.most = inputs;
    }

    /// Saves the state, so that the next opening is quick. If that fails, the campaign goes on
    /// without a snapshot, says so once in its notices, and tries again after as many inputs.
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

    /// Lets other processes have the campaign until [`Campaign::resume`]; do nothing with it before
    /// then.
    pub fn rest(&mut self) {
        self.lock = None;
    }

    /// Takes the campaign again after a rest. Returns false if another process has worked on it
    /// meanwhile: open it anew then.
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
