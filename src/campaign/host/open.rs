//! Opening a campaign: its engine from the pinned files, its state from the newest snapshot and what follows it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    thread,
    time::Duration,
};

use super::{Campaign, HostError, SNAPSHOT_FORMAT, Unsaved, delivery::deliver, pass::Untold};
use crate::{
    campaign::{
        Digest, Directory, Engine, Journal, Pinned, Position, Record, Secrets, Settings, Shelf,
        Snapshots, State, beside,
        events::Event,
        journal, renew,
        replay::{Replayed, catch_up},
    },
    game::GameFiles,
    mail::{
        Limits,
        maildir::{Entry, Maildir, MaildirError},
    },
};

/// The engine of a campaign directory, from its pinned files.
///
/// # Errors
/// If the files are not what they should be.
pub fn engine_of(directory: &Directory) -> Result<Engine, HostError> {
    engine_from(directory, &mut Shelf::default())
}

fn engine_from(directory: &Directory, shelf: &mut Shelf) -> Result<Engine, HostError> {
    let settings = Settings::read(&directory.settings())?;
    let secrets = renew::secrets_of(directory, settings.campaign.as_str())?;
    engine_of_settings(directory, settings, secrets, shelf)
}

/// The same with secrets that are known from elsewhere: the master of an ended campaign is published.
///
/// # Errors
/// As [`engine_of`].
pub fn engine_with(directory: &Directory, secrets: Secrets) -> Result<Engine, HostError> {
    let settings = Settings::read(&directory.settings())?;
    engine_of_settings(directory, settings, secrets, &mut Shelf::default())
}

fn engine_of_settings(
    directory: &Directory,
    settings: Settings,
    secrets: Secrets,
    shelf: &mut Shelf,
) -> Result<Engine, HostError> {
    // Read with its sums each time: with a snapshot nothing else would notice that the rules were changed under a campaign.
    let pinned = Pinned::read(&directory.pinned())?;
    let digest = pinned.digest();
    let files = GameFiles(pinned.into_files());
    let compiled = shelf.compiled(digest, &files, &settings.game, &settings.options)?;
    Ok(Engine::with(&compiled, settings, secrets)?)
}

impl Campaign {
    /// Opens a campaign for work; waits at most `patience` for another process that has it.
    ///
    /// # Errors
    /// If it is locked, damaged, or not what its journal says.
    pub fn open(root: &Path, patience: Duration) -> Result<Self, HostError> {
        Self::open_from(root, patience, &mut Shelf::default())
    }

    /// The same for one of several campaigns that this thread has open: those of one game share what is compiled of it.
    ///
    /// # Errors
    /// As [`Campaign::open`].
    pub fn open_from(
        root: &Path,
        patience: Duration,
        shelf: &mut Shelf,
    ) -> Result<Self, HostError> {
        let directory = Directory::open(root)?;
        let lock = directory.lock(patience)?;
        let snapshots = Snapshots::new(directory.snapshots(), SNAPSHOT_FORMAT);
        let (mut engine, known) = engine_and_snapshot(&directory, &snapshots, shelf)?;
        engine.results_of = beside::results_of(&directory)?;
        let kept = renew::kept(&directory.keys())?.filter(|kept| engine.is_keeping(kept));
        let kept = kept.map(|kept| kept.envelope);
        let (position, state) =
            known.map_or((Position::START, None), |(at, state)| (at, Some(state)));
        let (journal, contents) = Journal::open_after::<Event>(&directory.journal(), position)?;
        let torn = contents.torn.map(|torn| {
            format!("the last record of the journal was incomplete ({} bytes) and has been cut off; nobody had been told of it", torn.bytes)
        });
        let left = Left::of(&directory, &contents.records)?;
        let replayed = catch_up(&engine, &directory, state, &contents.records, &left.names())?;
        let mut campaign = Self {
            directory,
            engine,
            journal,
            state: replayed.state.clone(),
            snapshots,
            notices: torn.into_iter().collect(),
            kept,
            unsaved: Unsaved { inputs: 0, most: 1 },
            untold: Untold::default(),
            lock: Some(lock),
        };
        campaign.go_on(replayed, &left, position)?;
        Ok(campaign)
    }

    /// Brings to its end what the last process may not have: letters that were not told, the last input, mails in the inbox.
    fn go_on(&mut self, replayed: Replayed, left: &Left, known: Position) -> Result<(), HostError> {
        let Replayed {
            mut letters,
            unfinished,
            ..
        } = replayed;
        let done = unfinished.map(|effects| {
            let done = self.engine.done(&self.state, &effects);
            letters.extend(effects.letters);
            done
        });
        if done.is_some() || !letters.is_empty() {
            self.journal.sync()?;
            self.keep_keys()?;
            deliver(&self.directory, &letters)?;
        }
        if let Some(done) = done {
            self.close(done)?;
        }
        left.clear_away(&Maildir::at(self.directory.inbox()))?;
        self.keep_addresses()?;
        // Somebody deleted the snapshots, or they belong to another version: the next opening is quick again.
        if self.journal.position() != known {
            self.unsaved.inputs += 1;
            self.save()?;
        }
        Ok(())
    }
}

/// Mails that lie in the inbox though the journal has them: the host was stopped before it had told what they came to.
struct Left(BTreeMap<String, (Entry, String)>);

impl Left {
    fn of(directory: &Directory, records: &[Record<Event>]) -> Result<Self, HostError> {
        let entries = match Maildir::at(directory.inbox()).unprocessed() {
            Err(MaildirError::Missing { .. }) => Vec::new(),
            entries => entries?,
        };
        let taken: BTreeMap<&str, &str> = records
            .iter()
            .filter_map(|record| record.event.mail())
            .collect();
        let left = entries.into_iter().filter_map(|entry| {
            let file = entry.key();
            let digest = (*taken.get(file.as_str())?).to_owned();
            Some((file, (entry, digest)))
        });
        Ok(Self(left.collect()))
    }

    fn names(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// Moves them out of the inbox. Another mail under an old name stays.
    fn clear_away(&self, inbox: &Maildir) -> Result<(), HostError> {
        let mut same = Vec::new();
        for (entry, digest) in self.0.values() {
            let bytes = inbox.read(entry, Limits::default().bytes)?;
            if bytes.is_some_and(|bytes| Digest::of(&bytes).to_string() == *digest) {
                same.push(entry.clone());
            }
        }
        Ok(inbox.all_done(&same)?)
    }
}

/// The engine, and the state of the newest snapshot, which another thread reads in the meantime.
fn engine_and_snapshot(
    directory: &Directory,
    snapshots: &Snapshots,
    shelf: &mut Shelf,
) -> Result<(Engine, Option<(Position, State)>), HostError> {
    thread::scope(|scope| {
        let known = scope.spawn(|| snapshots.newest(&directory.journal()));
        let engine = engine_from(directory, shelf);
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
    let (engine, known) = engine_and_snapshot(&directory, &snapshots, &mut Shelf::default())?;
    let (position, state) = known.map_or((Position::START, None), |(at, state)| (at, Some(state)));
    let contents = journal::read::<Event>(&directory.journal(), position)?;
    let replayed = catch_up(
        &engine,
        &directory,
        state,
        &contents.records,
        &BTreeSet::new(),
    )?;
    Ok((directory, engine, replayed.state))
}
