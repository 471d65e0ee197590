//! Opens a campaign: its context from the pinned files, its state from the newest snapshot and the
//! records after it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    thread,
    time::Duration,
};

use jiff::Timestamp;

use super::{
    Campaign, CampaignError, SnapshotCounter, delivery::stage, pass::Backlog, snapshot_format,
};
use crate::{
    campaign::{
        durable::{
            alarm, host_files, renew,
            replay::{ReplayResult, catch_up, check_origin},
            staged_letters::{StagedLetters, first_untold},
            work,
        },
        model::{
            compiled_game::Shelf, context::Context, events::Event, secrets::Secrets,
            settings::Settings, state::State, work_error::WorkError,
        },
    },
    digest::Digest,
    game::GameFiles,
    mail::{
        MailLimits,
        maildir::{Maildir, MaildirEntry},
    },
    store::{Blob, Directory, Position, Record, Snapshots, StoreError},
};

/// The context of a campaign directory, from its pinned files. The caller must check that they are
/// the ones that the journal names.
///
/// # Errors
/// If the files are damaged or not sound.
pub fn context_of(directory: &Directory) -> Result<Context, CampaignError> {
    let settings = Settings::of(directory)?;
    let secrets = renew::secrets_of(directory, settings.campaign.as_str())?;
    context_with_settings(directory, settings, secrets)
}

/// Like `context_of`, with secrets from elsewhere: the master of an ended campaign is published.
///
/// # Errors
/// As [`context_of`].
pub fn context_with(directory: &Directory, secrets: Secrets) -> Result<Context, CampaignError> {
    let settings = Settings::of(directory)?;
    context_with_settings(directory, settings, secrets)
}

pub(super) fn context_with_settings(
    directory: &Directory,
    settings: Settings,
    secrets: Secrets,
) -> Result<Context, CampaignError> {
    let pinned = directory.pinned()?;
    let digest = pinned.digest();
    let files = || Ok::<_, CampaignError>(GameFiles(pinned.into_files()));
    let compiled = Shelf::default().compiled(digest, files, &settings)?;
    Ok(Context::with(&compiled, settings, secrets)?)
}

/// The context of a campaign whose settings and pinned files match its journal's first record. With
/// a snapshot, nothing else would notice a change in them, so they are read and compared each time:
/// files of rules whenever they are others than those that have been read.
fn sound_context(directory: &Directory, shelf: &mut Shelf) -> Result<Context, CampaignError> {
    let settings = Settings::of(directory)?;
    let mark = directory.pinned_mark();
    let known = mark.as_ref().and_then(|mark| shelf.digest_of(mark));
    let (digest, mut read) = match known {
        Some(digest) => (digest, None),
        None => {
            let pinned = directory.pinned()?;
            (pinned.digest(), Some(pinned))
        }
    };
    let first = directory
        .first_record::<Event>()?
        .ok_or(CampaignError::Empty)?;
    let Event::Created(created) = first.event else {
        return Err(WorkError::Order {
            n: first.n,
            why: "a journal begins with `created`",
        }
        .into());
    };
    check_origin(&settings, digest, &created)?;
    if let Some(mark) = mark {
        shelf.has_read(mark, digest);
    }
    let secrets = renew::secrets_of(directory, settings.campaign.as_str())?;
    let files = || {
        let pinned = read.take().map_or_else(|| directory.pinned(), Ok)?;
        check_origin(&settings, pinned.digest(), &created)?;
        Ok::<_, CampaignError>(GameFiles(pinned.into_files()))
    };
    let compiled = shelf.compiled(digest, files, &settings)?;
    Ok(Context::with(&compiled, settings, secrets)?)
}

impl Campaign {
    /// Opens a campaign for work; waits up to `patience` for another process to let it go.
    ///
    /// # Errors
    /// If it is locked, damaged, or not what its journal says.
    pub fn open(root: &Path, patience: Duration) -> Result<Self, CampaignError> {
        Self::open_from(root, patience, &mut Shelf::default())
    }

    /// Like `open`, for a host that nobody watches: if something keeps the campaign from being
    /// opened and won't pass by itself, one letter tells the umpire.
    ///
    /// # Errors
    /// As [`Campaign::open`].
    pub fn open_or_tell(
        root: &Path,
        patience: Duration,
        shelf: &mut Shelf,
        now: Timestamp,
    ) -> Result<Self, CampaignError> {
        let opened = Self::open_from(root, patience, shelf);
        if let Err(error) = &opened
            && !error.is_environment()
        {
            // The error itself matters more than a failed alarm, which the next attempt raises.
            let _ = alarm::raise(root, error, now);
        }
        opened
    }

    /// Like [`Campaign::open`], for one of several campaigns on this thread: those of one game
    /// share its compiled form.
    ///
    /// # Errors
    /// As [`Campaign::open`].
    pub fn open_from(
        root: &Path,
        patience: Duration,
        shelf: &mut Shelf,
    ) -> Result<Self, CampaignError> {
        Self::open_with(root, patience, shelf, None)
    }

    /// Opens a campaign whose rules killed a process over its last input, or never finished it. An
    /// unfinished input is laid aside because of this error; the state says whether it was.
    ///
    /// # Errors
    /// As [`Campaign::open`].
    pub fn open_laying_aside(
        root: &Path,
        patience: Duration,
        error: &str,
    ) -> Result<Self, CampaignError> {
        Self::open_with(root, patience, &mut Shelf::default(), Some(error))
    }

    fn open_with(
        root: &Path,
        patience: Duration,
        shelf: &mut Shelf,
        error: Option<&str>,
    ) -> Result<Self, CampaignError> {
        let directory = Directory::find(root)?;
        let lock = directory.lock(patience)?;
        directory.unpack()?;
        directory.sweep();
        let snapshots = directory.snapshots(&snapshot_format());
        let (mut context, (position, state, (journal, contents))) =
            context_and(&directory, shelf, || {
                stood(&snapshots, |from| directory.open_journal::<Event>(from))
            })?;
        context.results_of = host_files::results_of(&directory)?;
        let kept = renew::kept(&directory, Blob::Keys)?.filter(|kept| context.is_keeping(kept));
        let kept = kept.map(|kept| kept.envelope);
        let torn = contents.torn.map(|torn| {
            format!("the last record of the journal was incomplete ({} bytes) and has been cut off; nobody had been told of it", torn.bytes)
        });
        let mut notices: Vec<String> = torn.into_iter().collect();
        let left = LeftoverMails::of(&directory, &contents.records)?;
        let staged = StagedLetters::of(&directory, context.name(), &contents.records)?;
        let (mut journal, mut contents) = (journal, contents);
        let untold = first_untold(&directory, &contents.records, &left.names(), &staged)?;
        if let Some(n) = untold {
            staged.discard()?;
            journal.take_back(n)?;
            contents.records.retain(|record| record.n < n);
            notices.push(format!(
                "another version was stopped before it had told anybody of the records from {n} on; their mails lie in the inbox \
                 and are taken once more"
            ));
        } else {
            staged.show()?;
        }
        let left = left.of_records(&contents.records);
        let replayed = catch_up(
            &context,
            &directory,
            state,
            &contents.records,
            &left.names(),
            error,
        )?;
        let mut campaign = Self {
            directory,
            context,
            journal,
            state: replayed.state.clone(),
            snapshots,
            notices,
            noticed: BTreeSet::new(),
            kept,
            unsaved: SnapshotCounter::default(),
            untold: Backlog::default(),
            bots: None,
            lock: Some(lock),
        };
        campaign.go_on(replayed, &left, position)?;
        if alarm::end(&campaign.directory)? {
            let notice = "it can be opened again; what has come in the meantime is read now";
            campaign.notices.push(notice.to_owned());
        }
        Ok(campaign)
    }

    /// Finishes what the last process may have left undone: untold letters, the last input, mails
    /// in the inbox.
    fn go_on(
        &mut self,
        replayed: ReplayResult,
        left: &LeftoverMails,
        known: Position,
    ) -> Result<(), CampaignError> {
        let ReplayResult {
            mut letters,
            mut copies,
            unfinished,
            ..
        } = replayed;
        let done = unfinished.map(|effects| {
            let done = work::done(&self.state, &effects);
            letters.extend(effects.mailing.letters);
            copies.extend(effects.copies);
            done
        });
        if done.is_some() || !letters.is_empty() || !copies.is_empty() {
            self.keep_keys()?;
            let copies = self.ready_copies(&letters, &copies)?;
            let staged = stage(&self.directory, &letters, &copies)?;
            if let Some(done) = done {
                self.record(done)?;
            }
            self.journal.sync()?;
            staged.show()?;
        }
        left.clear_away(&self.directory.inbox())?;
        self.keep_addresses()?;
        // Somebody deleted the snapshots, or they belong to another version: make the next opening
        // quick again.
        if self.journal.position() != known {
            self.unsaved.inputs += 1;
            self.save();
        }
        Ok(())
    }
}

/// Mails that are still in the inbox though the journal has them: the host was stopped before it
/// had told anybody of their outcome.
struct LeftoverMails(BTreeMap<String, MaildirEntry>);

impl LeftoverMails {
    /// A different mail under an old name is not known.
    fn of(directory: &Directory, records: &[Record<Event>]) -> Result<Self, CampaignError> {
        let inbox = directory.inbox();
        let entries = inbox.unprocessed()?;
        let taken: BTreeMap<&str, Digest> = records
            .iter()
            .filter_map(|record| record.event.mail())
            .collect();
        let mut left = BTreeMap::new();
        for entry in entries {
            let file = entry.key();
            let Some(digest) = taken.get(file.as_str()) else {
                continue;
            };
            let bytes = inbox.read(&entry, MailLimits::default().bytes)?;
            if bytes.is_some_and(|bytes| Digest::of(&bytes) == *digest) {
                left.insert(file, entry);
            }
        }
        Ok(Self(left))
    }

    /// Adds the mails in these records.
    fn of_records(mut self, records: &[Record<Event>]) -> Self {
        let mails = records.iter().filter_map(|record| record.event.mail());
        let taken: BTreeSet<&str> = mails.map(|(file, _)| file).collect();
        self.0.retain(|file, _| taken.contains(file.as_str()));
        self
    }

    fn names(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// Moves them out of the inbox.
    fn clear_away(&self, inbox: &Maildir) -> Result<(), CampaignError> {
        let entries: Vec<MaildirEntry> = self.0.values().cloned().collect();
        Ok(inbox.all_done(&entries)?)
    }
}

/// The sound context, and whatever else is read. Another thread reads it in the meantime, unless
/// the campaign's rules were read before: then the context takes less time than starting a thread,
/// whose memory would be new to it.
fn context_and<T: Send>(
    directory: &Directory,
    shelf: &mut Shelf,
    read: impl FnOnce() -> Result<T, StoreError> + Send,
) -> Result<(Context, T), CampaignError> {
    let mark = directory.pinned_mark();
    if mark.is_some_and(|mark| shelf.digest_of(&mark).is_some()) {
        return Ok((sound_context(directory, shelf)?, read()?));
    }
    thread::scope(|scope| {
        let read = scope.spawn(read);
        let context = sound_context(directory, shelf);
        let read = read
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((context?, read?))
    })
}

/// The newest snapshot's position and state, and what the journal has from there on.
fn stood<T>(
    snapshots: &Snapshots,
    read: impl FnOnce(Position) -> Result<T, StoreError>,
) -> Result<(Position, Option<State>, T), StoreError> {
    let known = snapshots.newest()?;
    let (position, state) = known.map_or((Position::START, None), |(at, state)| (at, Some(state)));
    Ok((position, state, read(position)?))
}

/// Looks at a campaign without locking it: its context, and its state from the newest snapshot and
/// the records after it.
///
/// # Errors
/// If it is damaged.
pub fn look(root: &Path) -> Result<(Directory, Context, State), CampaignError> {
    match look_at(Directory::open(root)?) {
        // Somebody has packed it at this moment.
        Err(_) if Directory::at(root).is_packed() => look_at(Directory::open(root)?),
        looked => looked,
    }
}

fn look_at(directory: Directory) -> Result<(Directory, Context, State), CampaignError> {
    let snapshots = directory.snapshots(&snapshot_format());
    let (context, (_, state, contents)) = context_and(&directory, &mut Shelf::default(), || {
        stood(&snapshots, |from| directory.records::<Event>(from))
    })?;
    let replayed = catch_up(
        &context,
        &directory,
        state,
        &contents.records,
        &BTreeSet::new(),
        None,
    )?;
    Ok((directory, context, replayed.state))
}

/// Looks at a campaign as it was once this record of its journal was worked off, or as it is now if
/// the journal is shorter.
///
/// # Errors
/// As [`look`].
pub fn look_after(root: &Path, record: u64) -> Result<(Directory, Context, State), CampaignError> {
    let directory = Directory::open(root)?;
    let (context, contents) = context_and(&directory, &mut Shelf::default(), || {
        directory.records::<Event>(Position::START)
    })?;
    let records = contents.records;
    let ends = |known: &Record<Event>| known.n >= record && matches!(known.event, Event::Done(_));
    let end = records.iter().position(ends);
    let known = records
        .get(..=end.unwrap_or(records.len()))
        .unwrap_or(&records);
    let replayed = catch_up(&context, &directory, None, known, &BTreeSet::new(), None)?;
    Ok((directory, context, replayed.state))
}
