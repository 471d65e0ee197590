//! A campaign that never touches a disk, for simulations: the same work and the same records.

use std::path::Path;

use jiff::Timestamp;

use crate::{
    campaign::{
        durable::{
            CampaignError, deliver,
            work::{self, Effects},
        },
        intake::judge,
        model::{
            context::Context,
            events::{Creation, Event},
            settings::Settings,
            state::State,
        },
        post::Letter,
        turn::deadlines,
    },
    dice::Master,
    digest::Digest,
    ids::SeatId,
    store::{
        Directory, DirectoryDraft, JournalFault, PinnedFiles, Position, Record, StoreError,
        read_stamped, stamp,
    },
};

/// A campaign in memory.
pub struct MemoryCampaign {
    context: Context,
    /// The digest of the rules and data that a directory of it would pin.
    rules: Digest,
    /// The text of its journal.
    journal: String,
    position: Position,
    state: State,
    /// All letters that went out, in order.
    letters: Vec<Letter>,
    /// Errors of the rules' template functions, with the seats whose letters they were for.
    unproposed: Vec<(SeatId, String)>,
}

impl MemoryCampaign {
    /// Makes a campaign, and sends its opening letters and first dispatches.
    ///
    /// # Errors
    /// If it can't begin.
    pub fn create(context: Context, rules: Digest, now: Timestamp) -> Result<Self, CampaignError> {
        let created = Event::Created(Box::new(context.created(rules)?));
        let (line, record) = stamp(&Position::START, now, created)?;
        let (state, effects) = work::work_off(&context, None, &record)?;
        let mut campaign = Self {
            context,
            rules,
            position: Position::START.behind(record.n, record.head, line.len()),
            journal: line,
            state,
            letters: Vec::new(),
            unproposed: Vec::new(),
        };
        campaign.finish(&effects)?;
        Ok(campaign)
    }

    /// The context, which never changes.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The state after the last record.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The text of its journal.
    #[must_use]
    pub fn journal(&self) -> &str {
        &self.journal
    }

    /// The digest of its rules and data.
    #[must_use]
    pub fn rules(&self) -> Digest {
        self.rules
    }

    /// The letters that have gone out.
    #[must_use]
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Errors of the rules' template functions so far, with the seats whose letters lack the
    /// proposals.
    #[must_use]
    pub fn unproposed(&self) -> &[(SeatId, String)] {
        &self.unproposed
    }

    /// Takes a mail as the host takes a file from its inbox: judges it, records it, works it off
    /// and records the outcome.
    ///
    /// # Errors
    /// If the work can't be done.
    pub fn post(
        &mut self,
        file: &str,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<Effects, CampaignError> {
        let moment = self.state.next_moment(now);
        let event = judge::judge(&self.context, &self.state, file, bytes, moment);
        self.input(event, now)
    }

    /// Runs one thing that is due now; none if nothing is.
    ///
    /// # Errors
    /// If the work can't be done.
    pub fn due(&mut self, now: Timestamp) -> Result<Option<Effects>, CampaignError> {
        match deadlines::due_event(&self.context, &self.state, now) {
            Some(event) => self.input(event, now).map(Some),
            None => Ok(None),
        }
    }

    fn input(&mut self, event: Event, now: Timestamp) -> Result<Effects, CampaignError> {
        let record = self.append(self.state.next_moment(now), event)?;
        let (state, effects) = work::work_off(&self.context, Some(self.state.clone()), &record)?;
        self.state = state;
        self.finish(&effects)?;
        Ok(effects)
    }

    fn finish(&mut self, effects: &Effects) -> Result<(), CampaignError> {
        self.letters.extend(effects.mailing.letters.iter().cloned());
        let unproposed = effects.mailing.unproposed.iter().cloned();
        self.unproposed.extend(unproposed);
        let done = work::done(&self.state, effects);
        self.append(self.state.time, Event::Done(Box::new(done)))?;
        Ok(())
    }

    fn append(&mut self, now: Timestamp, event: Event) -> Result<Record<Event>, StoreError> {
        let (line, record) = stamp(&self.position, now, event)?;
        self.position = self.position.behind(record.n, record.head, line.len());
        self.journal.push_str(&line);
        Ok(record)
    }

    /// The journal's records, read from its text and verified.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn records(&self) -> Result<Vec<Record<Event>>, JournalFault> {
        let mut position = Position::START;
        let mut records = Vec::new();
        for line in self.journal.split_inclusive('\n') {
            let record: Record<Event> =
                read_stamped(line.trim_end_matches('\n').as_bytes(), &position)?;
            position = position.behind(record.n, record.head, line.len());
            records.push(record);
        }
        Ok(records)
    }

    /// Checks that the campaign began with this record.
    ///
    /// # Errors
    /// The difference.
    pub fn check_origin(&self, created: &Creation) -> Result<(), CampaignError> {
        if created.rules != self.rules {
            return Err(CampaignError::Rules {
                expected: created.rules,
                found: self.rules,
            });
        }
        if created.settings != *self.context.settings() {
            return Err(CampaignError::Settings);
        }
        Ok(())
    }

    /// Puts the campaign on the disk as a directory like any other.
    ///
    /// # Errors
    /// If something is there already, or the disk refuses.
    pub fn keep(
        &self,
        target: &Path,
        pinned: &PinnedFiles,
        master: &Master,
    ) -> Result<Directory, CampaignError> {
        let settings: &Settings = self.context.settings();
        let draft = DirectoryDraft::begin(target, &settings.to_yaml()?, pinned, &master.to_hex())?;
        let directory = draft.directory();
        directory.keep_journal(&self.journal)?;
        deliver(directory, &self.letters)?;
        Ok(draft.finish()?)
    }
}
