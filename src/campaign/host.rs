//! A campaign on disk, open for work: journal, state, mailboxes.
//!
//! Each input goes the same way: judged, written into the journal, worked off, its letters put into the outboxes, and
//! then a record that it is done. If the host is killed between, the work is done again on the next opening and gives the
//! same letters under the same names, so that nothing acknowledged is lost and nothing is sent in two versions.

use std::{path::Path, thread, time::Duration};

use jiff::Timestamp;
use thiserror::Error;

use super::{
    CampaignError, Digest, Directory, Draft, Journal, Letter, Lock, Pinned, Position, Secrets,
    Settings, Snapshots,
    compiled::Compiled,
    engine::{Effects, Engine, EngineError},
    events::{Event, Ruling},
    letter, renew,
    replay::{catch_up, from_the_beginning},
    state::State,
};
use crate::{
    dice::Master,
    game::{GameFiles, Problem},
    ids::SeatId,
    mail::{
        Limits,
        maildir::{Entry, Maildir, MaildirError, Put},
    },
};

/// Why a campaign can't be made, opened or gone on with.
#[derive(Debug, Error)]
pub enum HostError {
    /// Journal, directory, settings.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// A mailbox.
    #[error(transparent)]
    Mailbox(#[from] MaildirError),
    /// The engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The pinned game can't be loaded.
    #[error("the game's files are not sound:\n{}", listed(.0))]
    Game(Vec<Problem>),
    /// The pinned files are not those that the journal names.
    #[error(
        "the pinned rules and data have the digest {found}, and the journal says {expected}; put the original files back"
    )]
    Rules {
        /// The journal's.
        expected: Digest,
        /// The files'.
        found: Digest,
    },
    /// The settings were changed after the campaign was made.
    #[error(
        "campaign.yaml says something else than the journal's first record; put the original file back"
    )]
    Settings,
    /// The master is lost, and so are the keys beside it.
    #[error(
        "{}: the campaign's secret is not there, and neither are the keys of used envelopes; restore the folder from a copy", .0.display()
    )]
    NoMaster(std::path::PathBuf),
    /// The master is lost, and the kept keys reach no further.
    #[error(
        "the campaign's secret is lost, and nobody can seal envelope {0} without it: put it back from the drawer, or go on with \
         a new one: `estafette umpire new-master DIR --why TEXT`"
    )]
    MasterLost(u32),
    /// The secret file is not what it should be.
    #[error("{path}: {problem}")]
    Master {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong, without the secret.
        problem: String,
    },
    /// Doing the work again gives something else than the journal says.
    #[error("record {n} of the journal: {what} is {found}, and the journal says {recorded}")]
    Differs {
        /// The record.
        n: u64,
        /// What differs.
        what: &'static str,
        /// What the work gives now.
        found: String,
        /// What the journal says.
        recorded: String,
    },
    /// A letter lies in an outbox under the name of another one.
    #[error(
        "the outbox of {to} has another letter with the Message-ID {message_id}: the journal is older than the outbox; \
         put the newest copy of the journal back"
    )]
    OtherLetter {
        /// Whose outbox.
        to: String,
        /// The name of both.
        message_id: String,
    },
    /// A bundle is no bundle, or would not be sound.
    #[error("{0}")]
    Bundle(String),
    /// The umpire names a mail that is not there.
    #[error(
        "there is no mail `{file}` in inbox/done; the letter that tells of a held mail names it"
    )]
    NotHeld {
        /// Its name.
        file: String,
    },
    /// The journal has no records.
    #[error("the journal is empty; the campaign was never made")]
    Empty,
}

fn listed(problems: &[Problem]) -> String {
    problems
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

impl HostError {
    /// Whether the machine failed and trying again later is right.
    #[must_use]
    pub fn is_environment(&self) -> bool {
        match self {
            Self::Campaign(error) => error.is_environment(),
            Self::Mailbox(_) => true,
            Self::Engine(error) => error.is_of_machine(),
            _ => false,
        }
    }
}

/// What a pass has done, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// One line for each thing that happened.
    pub lines: Vec<String>,
    /// How many letters were written.
    pub letters: usize,
}

/// A campaign, open for work.
pub struct Campaign {
    directory: Directory,
    engine: Engine,
    journal: Journal,
    state: State,
    snapshots: Snapshots,
    notices: Vec<String>,
    /// The envelope whose keys lie in the secret folder.
    pub(super) kept: Option<u32>,
    unsaved: Unsaved,
    lock: Option<Lock>,
}

/// How often the state is written down: a process that stays up need not do it with every input.
#[derive(Clone, Copy, Debug)]
struct Unsaved {
    inputs: u32,
    most: u32,
}

/// Changes whenever an older snapshot can't be used any more.
const SNAPSHOT_FORMAT: &str = concat!(env!("CARGO_PKG_VERSION"), "-public-waits");

/// The engine of a campaign directory, from its pinned files.
///
/// # Errors
/// If the files are not what they should be.
pub fn engine_of(directory: &Directory) -> Result<Engine, HostError> {
    let settings = Settings::read(&directory.settings())?;
    let secrets = renew::secrets_of(directory, settings.campaign.as_str())?;
    engine_with(directory, secrets)
}

/// The same with secrets that are known from elsewhere: the master of an ended campaign is published.
///
/// # Errors
/// As [`engine_of`].
pub fn engine_with(directory: &Directory, secrets: Secrets) -> Result<Engine, HostError> {
    let settings = Settings::read(&directory.settings())?;
    // Read with its sums each time: with a snapshot nothing else would notice that the rules were changed under a campaign.
    let files = GameFiles(Pinned::read(&directory.pinned())?.into_files());
    let compiled = Compiled::of_pinned(&files, &settings.game, &settings.options)?;
    Ok(Engine::with(&compiled, settings, secrets)?)
}

impl Campaign {
    /// Makes a campaign: its directory appears whole, with the opening letters in the outboxes, or not at all.
    ///
    /// # Errors
    /// If anything is there already, the files are not sound, or the disk refuses.
    pub fn create(
        target: &Path,
        settings: &Settings,
        game: &GameFiles,
        master: &Master,
        now: Timestamp,
    ) -> Result<Directory, HostError> {
        let pinned = Pinned::new(game.0.clone())?;
        let draft = Draft::begin(target, settings, &pinned, &master.to_hex())?;
        let directory = draft.directory();
        let engine = engine_of(directory)?;
        Maildir::at(directory.inbox()).create()?;
        let mut journal = Journal::create(&directory.journal())?;
        let created = engine.created(pinned.digest())?;
        let record = journal.append(now, Event::Created(Box::new(created)))?;
        let (state, effects) = engine.apply(None, &record)?;
        deliver(directory, &effects.letters)?;
        let done = engine.done(&state, &effects);
        journal.append(record.time, Event::Done(done))?;
        renew::keep(directory, &engine, &state)?;
        Snapshots::new(directory.snapshots(), SNAPSHOT_FORMAT).save(journal.position(), &state)?;
        drop(journal);
        Ok(draft.finish()?)
    }

    /// Opens a campaign for work; waits at most `patience` for another process that has it.
    ///
    /// # Errors
    /// If it is locked, damaged, or not what its journal says.
    pub fn open(root: &Path, patience: Duration) -> Result<Self, HostError> {
        let directory = Directory::open(root)?;
        let lock = directory.lock(patience)?;
        let snapshots = Snapshots::new(directory.snapshots(), SNAPSHOT_FORMAT);
        let (engine, known) = engine_and_snapshot(&directory, &snapshots)?;
        let kept = renew::kept(&directory.keys())?.filter(|kept| engine.is_keeping(kept));
        let kept = kept.map(|kept| kept.envelope);
        let (position, state) =
            known.map_or((Position::START, None), |(at, state)| (at, Some(state)));
        let (journal, contents) = Journal::open_after::<Event>(&directory.journal(), position)?;
        let torn = contents.torn.map(|torn| {
            format!("the last record of the journal was incomplete ({} bytes) and has been cut off; nobody had been told of it", torn.bytes)
        });
        let replayed = catch_up(&engine, &directory, state, &contents.records)?;
        let mut campaign = Self {
            directory,
            engine,
            journal,
            state: replayed.state,
            snapshots,
            notices: torn.into_iter().collect(),
            kept,
            unsaved: Unsaved { inputs: 0, most: 1 },
            lock: Some(lock),
        };
        match replayed.unfinished {
            Some(effects) => campaign.finish(&effects)?,
            // Somebody deleted the snapshots, or they belong to another version: the next opening is quick again.
            None if campaign.journal.position() != position => {
                campaign
                    .snapshots
                    .save(campaign.journal.position(), &campaign.state)?;
            }
            None => {}
        }
        Ok(campaign)
    }

    /// What opening it has brought to light, for the umpire.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its engine.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Its directory.
    #[must_use]
    pub fn directory(&self) -> &Directory {
        &self.directory
    }

    /// One pass: takes the mails that have come, and does what is due.
    ///
    /// # Errors
    /// If the disk refuses, or the engine can't go on. What is in the journal is not lost.
    pub fn pass(&mut self, now: Timestamp) -> Result<Pass, HostError> {
        let mut pass = Pass::default();
        let inbox = Maildir::at(self.directory.inbox());
        for (arrived, entry) in in_order_of_arrival(&inbox)? {
            let file = entry.key();
            if file == self.state.last_file {
                // It was taken, and the host was stopped before it could mark it.
                inbox.done(&entry)?;
                continue;
            }
            self.due(arrived.min(now), now, &mut pass)?;
            self.check_master()?;
            let Some(bytes) = inbox.read(&entry, Limits::default().bytes)? else {
                continue;
            };
            let event = self.engine.judge(&self.state, &file, &bytes);
            self.input(event, now, &mut pass)?;
            inbox.done(&entry)?;
        }
        self.due(now, now, &mut pass)?;
        // After the mails: one that came before the beacon's value must not find that the dice have fallen.
        self.beacon_folder(now, &mut pass)?;
        Ok(pass)
    }

    /// Does what was due when a mail `arrived`. The records have the time of now: a seal whose beacon's round lay in the
    /// past would let the umpire know the dice before the orders were bound.
    fn due(
        &mut self,
        arrived: Timestamp,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), HostError> {
        while self.engine.is_due(&self.state, arrived) {
            self.check_master()?;
            self.input(Event::Deadline, now, pass)?;
        }
        Ok(())
    }

    pub(super) fn input(
        &mut self,
        event: Event,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), HostError> {
        let line = said(&event);
        let record = self.journal.append(self.state.next_moment(now), event)?;
        let (state, effects) = self.engine.apply(Some(self.state.clone()), &record)?;
        self.state = state;
        pass.lines.push(line);
        pass.letters += effects.letters.len();
        self.finish(&effects)
    }

    /// Lets the umpire rule, after what has come and what is due.
    ///
    /// # Errors
    /// If it can't be ruled so now: nothing has changed then but by the mails that came before. Else as [`Campaign::pass`].
    pub fn rule(&mut self, ruling: Ruling, now: Timestamp) -> Result<Pass, HostError> {
        let mut pass = self.pass(now)?;
        if matches!(ruling, Ruling::Rollback { .. }) {
            self.state = from_the_beginning(&self.engine, &self.directory)?.state;
        }
        self.check_ruling(&ruling, now)?;
        self.input(Event::Umpire(ruling), now, &mut pass)?;
        Ok(pass)
    }

    pub(super) fn check_ruling(&self, ruling: &Ruling, now: Timestamp) -> Result<(), HostError> {
        let at = self.state.next_moment(now);
        let checked = self.engine.check_ruling(&self.state, ruling, at);
        Ok(checked.map_err(EngineError::from)?)
    }

    /// Without a master nobody gets a receipt for an envelope that can't be sealed.
    fn check_master(&self) -> Result<(), HostError> {
        if self.state.seals_next() && self.engine.needs_new_master(&self.state) {
            return Err(HostError::MasterLost(self.state.dice.envelope + 1));
        }
        Ok(())
    }

    fn finish(&mut self, effects: &Effects) -> Result<(), HostError> {
        self.keep_keys()?;
        deliver(&self.directory, &effects.letters)?;
        let done = self.engine.done(&self.state, effects);
        self.journal
            .append_soon(self.state.time, Event::Done(done))?;
        self.unsaved.inputs += 1;
        if self.unsaved.inputs >= self.unsaved.most {
            self.save()?;
        }
        Ok(())
    }

    /// Writes the state down only with every so many inputs, and when [`Campaign::save`] is called. What is not written
    /// down is worked off again from the journal at the next opening.
    pub fn save_every(&mut self, inputs: u32) {
        self.unsaved.most = inputs;
    }

    /// Writes the state down, so that the next opening is quick.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn save(&mut self) -> Result<(), HostError> {
        if self.unsaved.inputs > 0 {
            self.snapshots.save(self.journal.position(), &self.state)?;
            self.unsaved.inputs = 0;
        }
        Ok(())
    }

    /// Lets other processes have the campaign until [`Campaign::resume`]; nothing may be done with it before.
    pub fn rest(&mut self) {
        self.lock = None;
    }

    /// Takes the campaign again after a rest. `false` if another process has worked on it meanwhile: it must be opened anew.
    ///
    /// # Errors
    /// As [`Campaign::open`].
    pub fn resume(&mut self, patience: Duration) -> Result<bool, HostError> {
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

/// The mails of an inbox in the order in which they came; those of one moment by name.
fn in_order_of_arrival(inbox: &Maildir) -> Result<Vec<(Timestamp, Entry)>, HostError> {
    let mut entries = Vec::new();
    for entry in inbox.unprocessed()? {
        // One that has vanished since it was listed is somebody else's business.
        if let Some(arrived) = inbox.arrived(&entry)? {
            entries.push((arrived, entry));
        }
    }
    entries.sort_by_key(|(arrived, _)| *arrived);
    Ok(entries)
}

/// Puts letters into the outboxes. A letter that is there already is left as it is, and must have the same bytes: two
/// letters under one name would mean that a journal was put back to an earlier state after players had been told more.
pub(super) fn deliver(directory: &Directory, letters: &[Letter]) -> Result<(), HostError> {
    let drawn = letter::drawn(&letters.iter().collect::<Vec<_>>())?;
    for (letter, bytes) in letters.iter().zip(drawn) {
        let outbox = Maildir::at(directory.outbox(&letter.to));
        outbox.create()?;
        let put = if letter.aside {
            outbox.put_aside(&letter.message_id, &bytes)?
        } else {
            outbox.put(&letter.message_id, &bytes)?
        };
        if put == Put::AlreadyThere
            && let Some(there) = outbox.find(&letter.message_id)?
            && *there != *bytes
        {
            return Err(HostError::OtherLetter {
                to: letter.to.to_string(),
                message_id: letter.message_id.clone(),
            });
        }
    }
    Ok(())
}

/// An input in one line.
fn said(event: &Event) -> String {
    match event {
        Event::Created(_) => "created".to_owned(),
        Event::Mail(mail) => format!(
            "a mail of {}: {} lines taken",
            mail.seat,
            mail.words.lines().count()
        ),
        Event::Refused(refused) => {
            let of = refused
                .seat
                .as_ref()
                .map_or_else(String::new, |seat: &SeatId| format!(" that names {seat}"));
            format!(
                "a mail{of} was not taken: {}",
                refused.reason.key().replace('_', " ")
            )
        }
        Event::Bounced(bounced) => format!(
            "letter {} to {} came back: {}",
            bounced.number, bounced.to, bounced.status
        ),
        Event::Value(value) => {
            let source: String = value.value.split(' ').take(2).collect::<Vec<_>>().join(" ");
            format!("the dice have their value of {source}")
        }
        Event::Deadline => "a deadline has passed".to_owned(),
        Event::Umpire(Ruling::Silent { witness, .. }) => {
            format!("the witness {witness} counts as having refused")
        }
        Event::Umpire(Ruling::Hold { .. }) => "the campaign is held".to_owned(),
        Event::Umpire(Ruling::Resume { .. }) => "the campaign goes on".to_owned(),
        Event::Umpire(Ruling::Extend { until, .. }) => format!("the deadline is {until} now"),
        Event::Umpire(Ruling::Rule { .. }) => "the position was changed by hand".to_owned(),
        Event::Umpire(Ruling::Say { .. }) => "a letter of the umpire".to_owned(),
        Event::Umpire(Ruling::NewMaster { .. }) => "the dice have a new master".to_owned(),
        Event::Umpire(Ruling::Rollback { envelope, .. }) => {
            format!("the campaign went back to the orders for envelope {envelope}")
        }
        Event::Done(_) => "done".to_owned(),
    }
}

/// The engine, and the state of the newest snapshot, which another thread reads in the meantime.
fn engine_and_snapshot(
    directory: &Directory,
    snapshots: &Snapshots,
) -> Result<(Engine, Option<(Position, State)>), HostError> {
    thread::scope(|scope| {
        let known = scope.spawn(|| snapshots.newest(&directory.journal()));
        let engine = engine_of(directory);
        let known = known
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((engine?, known?))
    })
}

/// Looks at a campaign without taking it: engine and state, from the newest snapshot and what follows it.
///
/// # Errors
/// If it is damaged.
pub fn look(root: &Path) -> Result<(Directory, Engine, State), HostError> {
    let directory = Directory::open(root)?;
    let snapshots = Snapshots::new(directory.snapshots(), SNAPSHOT_FORMAT);
    let (engine, known) = engine_and_snapshot(&directory, &snapshots)?;
    let (position, state) = known.map_or((Position::START, None), |(at, state)| (at, Some(state)));
    let contents = super::journal::read::<Event>(&directory.journal(), position)?;
    let replayed = catch_up(&engine, &directory, state, &contents.records)?;
    Ok((directory, engine, replayed.state))
}
