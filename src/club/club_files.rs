//! The club on the disk: its journal, the files of its members, its mailboxes.
//!
//! An event is in the journal before its letters are written, and closed by a `Done` afterwards; a
//! mail leaves the inbox last. A club that was killed in between writes the same letters once more,
//! under the same names. A new version of a member's file is on the disk before the event that
//! names it, and the old one goes after that.

use std::{collections::BTreeSet, path::Path, time::Duration};

use jiff::Timestamp;

use super::{
    apply::{CampaignNews, CampaignPlan, ClubPlans, apply},
    attendance,
    begin::{self, BeginError, begin},
    catalogue::Catalogue,
    events::{ClubDone, ClubEvent, ClubLetterRecord, ClubRuling, PersonChange, PersonStep},
    judge::{JudgedMail, MailOrigin},
    observing,
    people::{People, Person, PersonVersion},
    post,
    reading::KnownClub,
    settings::{ClubKeys, ClubSettings},
    state::{AnswerKind, ClubReader, ClubState, MemberNumber, MemberStanding},
    table::{ClubTable, TableStanding},
};
use crate::{
    campaign::{
        durable::{CampaignError, from_club},
        model::{absence::ClubWord, version::Version},
    },
    dice::{DiceError, Master},
    digest::Digest,
    mail::{MailLimits, maildir::MaildirError},
    store::{Blob, Directory, DirectoryDraft, Journal, Lock, Position, Record, StoreError},
    yaml,
};

/// Why a club can't go on.
#[derive(Debug, thiserror::Error)]
pub enum ClubError {
    /// The disk, or a file on it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A mailbox.
    #[error(transparent)]
    Mailbox(#[from] MaildirError),
    /// The club's secret, or the system's randomness.
    #[error(transparent)]
    Secret(#[from] DiceError),
    /// The file of a member is not the one that the journal binds.
    #[error("{}: it is not what the journal says of {member}; put it back from a backup", path.display())]
    Person {
        /// The file.
        path: std::path::PathBuf,
        /// The member.
        member: MemberNumber,
    },
    /// Something that can't be done.
    #[error("{0}")]
    Refused(String),
}

impl ClubError {
    /// Returns true if the machine failed, not a file's content.
    #[must_use]
    pub fn is_environment(&self) -> bool {
        match self {
            Self::Store(error) => error.is_environment(),
            Self::Mailbox(_) => true,
            _ => false,
        }
    }
}

/// A summary of a pass, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClubPass {
    /// One line for each thing that happened.
    pub lines: Vec<String>,
    /// How many letters were written.
    pub letters: usize,
}

/// An open club.
#[derive(Debug)]
pub struct Club {
    pub(super) directory: Directory,
    pub(super) settings: ClubSettings,
    keys: ClubKeys,
    journal: Journal,
    pub(super) state: ClubState,
    pub(super) people: People,
    catalogue: Catalogue,
    _lock: Lock,
}

impl Club {
    /// Founds a club, whose folder must not exist yet.
    ///
    /// # Errors
    /// If the folder is taken, or the disk refuses.
    pub fn found(
        target: &Path,
        settings: &ClubSettings,
        master: &Master,
        now: Timestamp,
    ) -> Result<Directory, ClubError> {
        settings.check().map_err(ClubError::Refused)?;
        let draft = DirectoryDraft::begin_club(target, &settings.to_yaml()?, &master.to_hex())?;
        let mut journal = draft.directory().new_journal()?;
        let terms = settings.terms();
        journal.append(now, ClubEvent::Founded { terms })?;
        drop(journal);
        Ok(draft.finish()?)
    }

    /// Opens a club for this process, and finishes what a killed one has left.
    ///
    /// # Errors
    /// If another process has it, a file was changed, or the disk refuses.
    pub fn open(root: &Path, patience: Duration) -> Result<Self, ClubError> {
        let directory = Directory::open_club(root)?;
        let lock = directory.lock(patience)?;
        directory.sweep();
        let settings = ClubSettings::of(&directory)?;
        let secret = directory.fetch(Blob::Master)?.unwrap_or_default();
        let keys = ClubKeys::of(&Master::from_hex(secret.trim())?, &settings.club);
        let (journal, contents) = directory.open_journal::<ClubEvent>(Position::START)?;
        if let Some(ClubEvent::Founded { terms }) = contents.records.first().map(|it| &it.event) {
            let checked = terms.check(&settings);
            checked.map_err(|problem| StoreError::Settings {
                path: directory.place(Blob::Club),
                problem,
            })?;
        }
        let mut club = Self {
            people: People::default(),
            state: ClubState::default(),
            catalogue: Catalogue::default(),
            directory,
            settings,
            keys,
            journal,
            _lock: lock,
        };
        club.replay(&contents.records)?;
        Ok(club)
    }

    /// What its journal leads to.
    #[must_use]
    pub fn state(&self) -> &ClubState {
        &self.state
    }

    /// Who its members are.
    #[must_use]
    pub fn people(&self) -> &People {
        &self.people
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &ClubSettings {
        &self.settings
    }

    fn known(&self) -> KnownClub<'_> {
        KnownClub {
            settings: &self.settings,
            keys: &self.keys,
            state: &self.state,
            people: &self.people,
        }
    }

    fn replay(&mut self, records: &[Record<ClubEvent>]) -> Result<(), ClubError> {
        let mut open: Option<(&Record<ClubEvent>, ClubPlans)> = None;
        for record in records {
            let is_input = !matches!(record.event, ClubEvent::Done(_) | ClubEvent::Founded { .. });
            let state = std::mem::take(&mut self.state);
            let (state, plans) = apply(&self.settings, &self.keys, state, record);
            self.state = state;
            open = is_input.then_some((record, plans));
        }
        let leaver = open.as_ref().and_then(|(record, _)| record.event.leaver());
        self.read_people(leaver)?;
        let known: BTreeSet<&str> = records
            .iter()
            .filter_map(|record| record.event.file())
            .collect();
        let inbox = self.directory.inbox();
        let mut left = Vec::new();
        for entry in inbox.unprocessed()? {
            if known.contains(entry.key().as_str()) {
                left.push(entry);
            }
        }
        if let Some((record, plans)) = open {
            let own = left
                .iter()
                .find(|entry| Some(entry.key().as_str()) == record.event.file());
            let bytes = own.map(|entry| inbox.read(entry, MailLimits::default().bytes));
            let bytes = bytes.transpose()?.flatten();
            let origin = bytes.and_then(|bytes| MailOrigin::of(&bytes));
            self.tell(record, &plans, origin.as_ref())?;
        }
        inbox.all_done(&left)?;
        // Only the mail of the last input can have been left behind.
        let mut events = records.iter().rev().map(|record| &record.event);
        if let Some(last) = events.find(|event| !matches!(event, ClubEvent::Done(_)))
            && last.drops_mail()
            && let Some(file) = last.file()
        {
            inbox.forget(&[file.to_owned()])?;
        }
        self.forget_those_who_left()
    }

    /// Reads the files of all members. Of one who leaves with the last event, which has not been
    /// told, it is read if it is still there. A file that no record names is removed.
    fn read_people(&mut self, leaver: Option<MemberNumber>) -> Result<(), ClubError> {
        let kept = self.state.members.iter();
        let kept: Vec<(MemberNumber, PersonVersion)> = kept
            .filter_map(|(member, entry)| Some((*member, entry.person?)))
            .collect();
        for (member, version) in kept {
            let blob = Blob::Person {
                member: member.0,
                version: version.version,
            };
            let path = self.directory.place(blob);
            let text = self.directory.fetch(blob)?;
            let text = text.filter(|text| Digest::of(text.as_bytes()) == version.digest);
            let person = text.and_then(|text| yaml::from_str::<Person>(&text).ok());
            let person = person.ok_or(ClubError::Person { path, member })?;
            self.people.0.insert(member, person);
            self.remove_versions(member, version.version)?;
        }
        for blob in self.directory.persons()? {
            let Blob::Person { member, .. } = blob else {
                continue;
            };
            let member = MemberNumber(member);
            let Some(entry) = self.state.members.get(&member) else {
                self.directory.remove(blob)?;
                continue;
            };
            if entry.standing == MemberStanding::Left && leaver == Some(member) {
                let text = self.directory.fetch(blob)?.unwrap_or_default();
                self.people
                    .0
                    .extend(yaml::from_str(&text).ok().map(|it| (member, it)));
            }
        }
        Ok(())
    }

    /// Removes the versions of a member's file before and after this one.
    fn remove_versions(&self, member: MemberNumber, version: u32) -> Result<(), ClubError> {
        for other in [version.saturating_sub(1), version + 1] {
            self.directory.remove(Blob::Person {
                member: member.0,
                version: other,
            })?;
        }
        Ok(())
    }

    /// Removes the files, letters and mails of those who have left, once nothing waits for them.
    fn forget_those_who_left(&mut self) -> Result<(), ClubError> {
        let kept = self.directory.persons()?;
        let outboxes = self.directory.outboxes()?;
        // Letters to strangers have their addresses, and those to the umpire applicants'.
        for reader in [ClubReader::Stranger, ClubReader::Umpire] {
            let outbox = reader.to_string();
            if outboxes.contains(&outbox)
                && self.directory.outbox(&outbox).unprocessed()?.is_empty()
            {
                self.directory.remove_outbox(&outbox)?;
            }
        }
        let left = self.state.members.iter();
        let left = left.filter(|(_, member)| member.standing == MemberStanding::Left);
        for (member, entry) in left {
            self.people.0.remove(member);
            let outbox = member.to_string();
            if outboxes.contains(&outbox)
                && self.directory.outbox(&outbox).unprocessed()?.is_empty()
            {
                self.directory.inbox().forget(&entry.files)?;
                self.directory.remove_outbox(&outbox)?;
            }
            let is_own =
                |blob: &&Blob| matches!(blob, Blob::Person { member: of, .. } if *of == member.0);
            for blob in kept.iter().filter(is_own) {
                self.directory.inbox().forget(&entry.files)?;
                self.directory.remove(*blob)?;
            }
        }
        Ok(())
    }

    /// One pass: takes the mails that have come, and begins the campaigns of full tables.
    ///
    /// # Errors
    /// If the disk refuses. Nothing in the journal is lost.
    pub fn pass(&mut self, now: Timestamp) -> Result<ClubPass, ClubError> {
        let mut pass = ClubPass::default();
        let inbox = self.directory.inbox();
        for entry in inbox.unprocessed()? {
            let Some(bytes) = inbox.read(&entry, MailLimits::default().bytes)? else {
                continue;
            };
            let now = now.max(self.state.time);
            let JudgedMail {
                event,
                person,
                origin,
            } = (self.known().judge(&entry.key(), &bytes, now)).map_err(ClubError::Refused)?;
            let idle = matches!(event, ClubEvent::Passed { .. });
            let drops_mail = event.drops_mail();
            if !idle || self.state.may_answer(AnswerKind::Silent, now) {
                let line = said(&event);
                self.work(event, person, origin.as_ref(), now, &mut pass)?;
                pass.lines.push(line);
            }
            inbox.done(&entry)?;
            if drops_mail {
                inbox.forget(&[entry.key()])?;
            }
        }
        while let Some(member) = self.state.lapsed(now) {
            self.work(ClubEvent::Lapsed { member }, None, None, now, &mut pass)?;
        }
        self.begin_full(now, &mut pass)?;
        self.note_changes(now, &mut pass)?;
        self.hand_out_sheets(now, &mut pass)?;
        self.forget_those_who_left()?;
        Ok(pass)
    }

    /// Begins the campaigns of full tables.
    fn begin_full(&mut self, now: Timestamp, pass: &mut ClubPass) -> Result<(), ClubError> {
        let full = self
            .state
            .tables
            .iter()
            .filter_map(|(number, table)| match &table.standing {
                TableStanding::Full(drawn) => Some((*number, table.plan.clone(), drawn.clone())),
                _ => None,
            });
        let full: Vec<_> = full.collect();
        let folder = self.settings.campaigns_of(self.directory.root());
        for (table, plan, drawn) in full {
            let begun = begin(&self.settings, &self.people, (&plan, &drawn), &folder, now);
            let event = match begun {
                Ok(campaign) => {
                    pass.lines.push(format!("table {table}: {campaign} begins"));
                    ClubEvent::Begun { table, campaign }
                }
                Err(BeginError::Never(problem)) => {
                    pass.lines
                        .push(format!("table {table} can't begin: {problem}"));
                    ClubEvent::Failed { table, problem }
                }
                Err(BeginError::Environment(problem)) => {
                    pass.lines.push(format!("table {table} waits: {problem}"));
                    continue;
                }
            };
            self.work(event, None, None, now, pass)?;
        }
        Ok(())
    }

    /// Makes somebody a member, without a confirmation. Returns his number.
    ///
    /// # Errors
    /// If the address is somebody's already; if the disk refuses.
    pub fn enter(
        &mut self,
        person: Person,
        may_found: bool,
        now: Timestamp,
    ) -> Result<(MemberNumber, ClubPass), ClubError> {
        let mut pass = self.pass(now)?;
        let member = self.state.next_member();
        if self.people.is_taken(&person.address, member) {
            let address = &person.address;
            return Err(ClubError::Refused(format!(
                "{address} is a member's already"
            )));
        }
        let digest = Digest::of(person.to_yaml()?.as_bytes());
        let change = PersonChange {
            member,
            version: PersonVersion { version: 1, digest },
            step: PersonStep::Changed,
        };
        let ruling = ClubRuling::Enter { person: change };
        self.work(ClubEvent::Ruled(ruling), Some(person), None, now, &mut pass)?;
        if may_found {
            let ruling = ClubRuling::Founder { member, may: true };
            self.work(ClubEvent::Ruled(ruling), None, None, now, &mut pass)?;
        }
        Ok((member, pass))
    }

    /// Applies a decision of the umpire, after the mails that have come.
    ///
    /// # Errors
    /// If it can't be made now; if the disk refuses.
    pub fn rule(&mut self, ruling: ClubRuling, now: Timestamp) -> Result<ClubPass, ClubError> {
        let mut pass = self.pass(now)?;
        self.check(&ruling).map_err(ClubError::Refused)?;
        self.work(ClubEvent::Ruled(ruling), None, None, now, &mut pass)?;
        self.forget_those_who_left()?;
        Ok(pass)
    }

    fn check(&self, ruling: &ClubRuling) -> Result<(), String> {
        let standing = |member: &MemberNumber| {
            let entry = self.state.members.get(member);
            entry.map(|entry| entry.standing)
        };
        let fits = match ruling {
            ClubRuling::Enter { .. } => true,
            ClubRuling::Accept { member } => standing(member) == Some(MemberStanding::Waiting),
            ClubRuling::Remove { member } => {
                standing(member).is_some_and(|standing| standing != MemberStanding::Left)
            }
            ClubRuling::Founder { member, .. } => standing(member) == Some(MemberStanding::Member),
            ClubRuling::TakeOver {
                table,
                seat,
                member,
            } => {
                let may = |table| attendance::may_take_over(table, *member, seat).is_ok();
                standing(member) == Some(MemberStanding::Member)
                    && !self.known().umpires(*member)
                    && self.state.tables.get(table).is_some_and(may)
            }
            ClubRuling::Observe { table, member, on } => {
                let may = |table: &ClubTable| match on {
                    true => observing::may_observe(table, *member).is_ok(),
                    false => table.observers.contains(member),
                };
                standing(member) == Some(MemberStanding::Member)
                    && self.state.tables.get(table).is_some_and(may)
            }
            ClubRuling::Close { table } => {
                self.state.tables.get(table).is_some_and(ClubTable::is_open)
            }
        };
        fits.then_some(()).ok_or_else(|| match ruling {
            ClubRuling::Accept { member } => format!("{member} does not wait for your word"),
            ClubRuling::Close { table } => format!("there is no open table {table}"),
            ClubRuling::TakeOver {
                table,
                seat,
                member,
            } => format!("{seat} of table {table} is not {member}'s to take over"),
            ClubRuling::Observe { table, member, .. } => {
                format!("{member} can't look on at table {table}, or does not")
            }
            ClubRuling::Remove { member } | ClubRuling::Founder { member, .. } => {
                format!("there is no member {member}")
            }
            ClubRuling::Enter { .. } => String::new(),
        })
    }

    /// Records an event, works it off, and tells everybody.
    pub(super) fn work(
        &mut self,
        event: ClubEvent,
        person: Option<Person>,
        origin: Option<&MailOrigin>,
        now: Timestamp,
        pass: &mut ClubPass,
    ) -> Result<(), ClubError> {
        let change = match &event {
            ClubEvent::Asked(mail) => mail.person,
            ClubEvent::Ruled(ClubRuling::Enter { person }) => Some(*person),
            _ => None,
        };
        let change = change.zip(person);
        if let Some((change, person)) = &change {
            let blob = Blob::Person {
                member: change.member.0,
                version: change.version.version,
            };
            self.directory.keep(blob, &person.to_yaml()?)?;
        }
        let record = self.journal.append(now.max(self.state.time), event)?;
        if let Some((change, person)) = change {
            self.people.0.insert(change.member, person);
            self.remove_versions(change.member, change.version.version)?;
        }
        let state = std::mem::take(&mut self.state);
        let (state, plans) = apply(&self.settings, &self.keys, state, &record);
        self.state = state;
        pass.letters += self.tell(&record, &plans, origin)?;
        Ok(())
    }

    /// Writes the letters of an event into the outboxes, and closes it.
    fn tell(
        &mut self,
        record: &Record<ClubEvent>,
        plans: &ClubPlans,
        origin: Option<&MailOrigin>,
    ) -> Result<usize, ClubError> {
        let folder = self.settings.campaigns_of(self.directory.root());
        let sheets = observing::told(&self.state, &folder, &plans.letters);
        let letters = post::write(
            self.known(),
            &self.catalogue,
            record,
            &plans.letters,
            (origin, &sheets),
        );
        let mut done = ClubDone {
            letters: Vec::new(),
            version: Version::running(),
        };
        for letter in &letters {
            let outbox = self.directory.outbox(&letter.to);
            outbox.put(&letter.key, &letter.bytes)?;
            done.letters.push(ClubLetterRecord {
                to: letter.to.clone(),
                id: letter.key.clone(),
                digest: Digest::of(&letter.bytes),
            });
        }
        for (number, plan) in plans.words.iter().enumerate() {
            let name = format!("{}-{}-{number}", self.settings.club, record.n);
            if let Err(error) = self.tell_campaign(&name, plan) {
                // A campaign that was moved away must not stop the club.
                tracing::error!(campaign = %plan.campaign, "it can't be told: {error}");
            }
        }
        self.journal.append(record.time, ClubEvent::Done(done))?;
        Ok(letters.len())
    }

    /// Puts a word into a campaign's folder, under the same name each time.
    fn tell_campaign(&self, name: &str, plan: &CampaignPlan) -> Result<(), CampaignError> {
        let Some(person) = self.people.get(plan.member) else {
            return Ok(());
        };
        let folder = self.settings.campaigns_of(self.directory.root());
        let directory = Directory::open(&folder.join(plan.campaign.as_str()))?;
        let addresses = || [std::slice::from_ref(&person.address), &person.further].concat();
        let word = match &plan.news {
            CampaignNews::Absent(absence) => ClubWord::Absent {
                addresses: addresses(),
                absence: absence.clone(),
            },
            CampaignNews::Back => ClubWord::Back {
                addresses: addresses(),
            },
            CampaignNews::TakesOver(seat) => ClubWord::TakeOver {
                player: begin::in_seat(person, seat),
            },
        };
        from_club::tell(&directory, name, &word)
    }
}

/// An event in a line, without anybody's name.
fn said(event: &ClubEvent) -> String {
    match event {
        ClubEvent::Asked(mail) => {
            let of = match mail.sender {
                super::events::ClubSender::Member { member, .. } => member.to_string(),
                super::events::ClubSender::Stranger { .. } => "a stranger".to_owned(),
            };
            format!("a mail of {of}: {} requests", mail.requests.len())
        }
        ClubEvent::Passed { file, why, .. } => format!("{file}: no answer ({why:?})"),
        ClubEvent::Returned { member, .. } => format!("a letter to {member} came back"),
        other => format!("{other:?}"),
    }
}
