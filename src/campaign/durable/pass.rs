//! Work on a campaign that is open: mails, deadlines, rulings.
//!
//! The mails of an inbox are worked off in batches. Their records are synced together, then all
//! their letters go out, and only then do the mails leave the inbox. If a mail in the journal is
//! still in the inbox when the campaign is opened, perhaps nobody was told of it; opening makes up
//! for that ([`super::open`]).

use std::mem;

use jiff::Timestamp;

use super::{
    Campaign, CampaignError, copies,
    delivery::{TOGETHER, stage},
};
use crate::{
    campaign::{
        durable::{replay::from_the_beginning, work},
        intake::judge,
        model::{
            absence::ClubWord,
            errands::LetterCopy,
            events::{AddressStep, Done, Event, Ruling},
            renewal,
            work_error::WorkError,
        },
        post::Letter,
        turn::{deadlines, errands, planning, rulings},
    },
    ids::SeatId,
    mail::{
        MailLimits, ReadyMail,
        maildir::{Maildir, MaildirEntry},
    },
};

/// A summary of a pass, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// One line for each thing that happened.
    pub lines: Vec<String>,
    /// The number of letters written.
    pub letters: usize,
    /// The number of times that bots have written.
    pub(crate) bots: usize,
}

/// Work whose records may not be on the disk yet; nobody has been told of it.
#[derive(Default)]
pub(crate) struct Backlog {
    letters: Vec<Letter>,
    copies: Vec<LetterCopy>,
    mails: Vec<MaildirEntry>,
}

impl Campaign {
    /// Makes one pass: takes the mails that have come, and does what is due.
    ///
    /// # Errors
    /// If the disk refuses, or the work can't be done. Open the campaign anew then; nothing in the
    /// journal is lost.
    pub fn pass(&mut self, now: Timestamp) -> Result<Pass, CampaignError> {
        let mut pass = Pass::default();
        self.hear_the_club(now, &mut pass)?;
        self.let_bots_write(now, &mut pass)?;
        let taken = self.take_mails(now, &mut pass);
        // Work done before an error is still told.
        let told = self.tell(None);
        taken.and(told)?;
        self.due(now, now, &mut pass)?;
        // A seat that has sent something meanwhile needs no reminder.
        while let Some(event) = deadlines::due_event(&self.context, &self.state, now) {
            self.check_master()?;
            self.input(event, now, &mut pass)?;
        }
        // After the mails: a mail that came before the beacon's value must not find the dice
        // already thrown.
        self.beacon_folder(now, &mut pass)?;
        if self.context.settings.club.is_some() {
            self.keep_offers()?;
            self.keep_result()?;
            self.keep_needs()?;
            self.keep_observed()?;
        }
        Ok(pass)
    }

    fn take_mails(&mut self, now: Timestamp, pass: &mut Pass) -> Result<(), CampaignError> {
        let inbox = self.directory.inbox();
        for (arrived, entry) in in_order_of_arrival(&inbox)? {
            let Some(bytes) = inbox.read(&entry, MailLimits::default().bytes)? else {
                continue;
            };
            self.due(arrived.min(now), now, pass)?;
            self.check_master()?;
            let moment = self.state.next_moment(now);
            let event = judge::judge(&self.context, &self.state, &entry.key(), &bytes, moment);
            let event = self.without_lost_letters(event)?;
            let event = self.with_released_mails(event, moment)?;
            if judge::passes_over(&self.state, &event, moment) {
                pass.lines.push(format!(
                    "{}; one of too many in this hour, and not in the journal",
                    said(&event)
                ));
                self.untold.mails.push(entry);
                continue;
            }
            let (done, letters) = self.work_off(event, now, pass)?;
            self.record(done)?;
            self.untold.letters.extend(letters);
            self.untold.mails.push(entry);
            self.let_bots_write(now, pass)?;
            if self.untold.mails.len() >= TOGETHER {
                self.tell(None)?;
            }
        }
        Ok(())
    }

    /// Notes which letters an errand asks for once more that somebody took from the outboxes: what
    /// lies on the disk is no part of the state, so it comes in with the event.
    fn without_lost_letters(&mut self, event: Event) -> Result<Event, CampaignError> {
        let Event::Errands(mut mail) = event else {
            return Ok(event);
        };
        let lines = mail.errands.iter();
        let wanted: Vec<_> = lines
            .flat_map(|line| errands::wanted_letters(&self.state, &mail.seat, &line.errand))
            .collect();
        let outbox = self.directory.outbox(&mail.seat);
        for letter in wanted {
            let id = planning::message_id_of(&self.context, &mail.seat, letter.number);
            let is_fresh = |fresh: &Letter| fresh.message_id == id;
            let is_kept = self.untold.letters.iter().any(is_fresh) || outbox.has(&id)?;
            if !is_kept && !mail.gone.contains(&letter.number) {
                self.notice_once(format!(
                    "the letter {id} can't go out once more: it is no longer in its outbox"
                ));
                mail.gone.push(letter.number);
            }
        }
        Ok(Event::Errands(mail))
    }

    /// Runs what was due when a mail `arrived`. The records carry the present time: if the beacon's
    /// round of a seal lay in the past, the umpire would know the dice before the orders were
    /// bound.
    fn due(
        &mut self,
        arrived: Timestamp,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), CampaignError> {
        while deadlines::is_due(&self.context, &self.state, arrived) {
            self.check_master()?;
            self.input(Event::Deadline, now, pass)?;
        }
        Ok(())
    }

    /// Takes an input from outside the inbox, then lets the awaited bots write.
    pub(crate) fn input(
        &mut self,
        event: Event,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), CampaignError> {
        self.take_in(event, now, pass)?;
        self.let_bots_write(now, pass)
    }

    /// Takes an input from outside the inbox. Its letters are on the disk before the input is
    /// closed: after a crash nothing else would show that nobody has been told.
    pub(super) fn take_in(
        &mut self,
        event: Event,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), CampaignError> {
        let (done, letters) = self.work_off(event, now, pass)?;
        self.untold.letters.extend(letters);
        self.tell(Some(done))
    }

    /// Records an input and works it off, without telling anybody.
    fn work_off(
        &mut self,
        event: Event,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(Done, Vec<Letter>), CampaignError> {
        let line = said(&event);
        let record = self
            .journal
            .append_soon(self.state.next_moment(now), event)?;
        let (state, effects) = work::work_off(&self.context, Some(self.state.clone()), &record)?;
        self.state = state;
        pass.lines.push(line);
        pass.letters += effects.mailing.letters.len();
        self.untold.copies.extend(effects.copies.iter().cloned());
        self.keep_keys()?;
        let done = work::done(&self.state, &effects);
        Ok((done, effects.mailing.letters))
    }

    /// Records that an input is done.
    pub(crate) fn record(&mut self, done: Done) -> Result<(), CampaignError> {
        self.journal
            .append_soon(self.state.time, Event::Done(Box::new(done)))?;
        self.unsaved.inputs += 1;
        Ok(())
    }

    /// Tells everybody of all that has been worked off, once its records are on the disk. `done` is
    /// recorded for the last input if that is still open. All letters are on the disk before that,
    /// and before the first one appears: after a crash, any version finds them as they were
    /// written.
    fn tell(&mut self, done: Option<Done>) -> Result<(), CampaignError> {
        let Backlog {
            letters,
            copies,
            mails,
        } = mem::take(&mut self.untold);
        if letters.is_empty() && mails.is_empty() && done.is_none() {
            return Ok(());
        }
        let copies = self.ready_copies(&letters, &copies)?;
        let staged = stage(&self.directory, &letters, &copies)?;
        if let Some(done) = done {
            self.record(done)?;
        }
        self.journal.sync()?;
        self.keep_addresses()?;
        staged.show()?;
        self.directory.inbox().all_done(&mails)?;
        self.save_if_due();
        Ok(())
    }

    /// The copies of letters that go out once more. The operator of the host hears of those whose
    /// originals somebody took from the outboxes.
    pub(super) fn ready_copies(
        &mut self,
        fresh: &[Letter],
        wanted: &[LetterCopy],
    ) -> Result<Vec<ReadyMail>, CampaignError> {
        let (context, state) = (&self.context, &self.state);
        let (found, missing) = copies::ready(&self.directory, (context, state), fresh, wanted)?;
        let notices = missing.into_iter().map(|id| {
            format!("the letter {id} can't go out once more: it is no longer in its outbox")
        });
        self.notices.extend(notices);
        Ok(found)
    }

    /// Applies a ruling by the umpire, after the mails that have come and what is due.
    ///
    /// # Errors
    /// If the ruling can't be made now: then only the mails that came before it have changed
    /// anything. Otherwise as [`Campaign::pass`].
    pub fn rule(&mut self, ruling: Ruling, now: Timestamp) -> Result<Pass, CampaignError> {
        let mut pass = self.pass(now)?;
        if matches!(ruling, Ruling::Rollback { .. }) {
            self.state = from_the_beginning(&self.context, &self.directory)?.state;
        }
        self.check_ruling(&ruling, now)?;
        self.input(Event::Umpire(ruling), now, &mut pass)?;
        Ok(pass)
    }

    pub(crate) fn check_ruling(
        &self,
        ruling: &Ruling,
        now: Timestamp,
    ) -> Result<(), CampaignError> {
        let at = self.state.next_moment(now);
        let checked = rulings::check_ruling(&self.context, &self.state, ruling, at);
        Ok(checked.map_err(WorkError::from)?)
    }

    /// Refuses to go on without a master, so that nobody gets a receipt for an envelope that can't
    /// be sealed.
    pub(super) fn check_master(&self) -> Result<(), CampaignError> {
        if self.state.seals_next() && renewal::needs_new_master(&self.context, &self.state) {
            return Err(CampaignError::MasterLost(self.state.dice.envelope + 1));
        }
        Ok(())
    }
}

/// The mails of an inbox in order of arrival, then by name.
fn in_order_of_arrival(inbox: &Maildir) -> Result<Vec<(Timestamp, MaildirEntry)>, CampaignError> {
    let mut entries = Vec::new();
    for entry in inbox.unprocessed()? {
        // If a mail has vanished since it was listed, somebody else took it.
        if let Some(arrived) = inbox.arrived(&entry)? {
            entries.push((arrived, entry));
        }
    }
    entries.sort_by_key(|(arrived, _)| *arrived);
    Ok(entries)
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
        Event::Bot(written) => match &written.failed {
            Some(_) => format!("the bot of {} could not write", written.seat),
            None if written.mails.len() == 1 => {
                format!("the bot of {} has written a mail", written.seat)
            }
            None => format!(
                "the bot of {} has written {} mails",
                written.seat,
                written.mails.len()
            ),
        },
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
            let value = value.value.to_string();
            let source: String = value.split(' ').take(2).collect::<Vec<_>>().join(" ");
            format!("the dice have their value of {source}")
        }
        Event::Deadline => "the time of a wait is over".to_owned(),
        Event::Reminder => "a deadline is near: who has sent nothing is reminded".to_owned(),
        Event::Club(notice) => match &notice.word {
            ClubWord::Absent { .. } => "the club tells of an absence".to_owned(),
            ClubWord::Back { .. } => "the club tells that somebody is back".to_owned(),
            ClubWord::TakeOver { player } => {
                format!("the club has found a player for {}", player.id)
            }
        },
        Event::UmpireActs(acts) => match acts.acts.len() {
            1 => format!("the umpire {} has decided or asked something", acts.by),
            count => format!("the umpire {} has decided or asked {count} things", acts.by),
        },
        Event::Umpire(Ruling::Silent { witness, .. }) => {
            format!("the witness {witness} counts as having refused")
        }
        Event::Screen(given) => format!(
            "{} has maps for a {} screen",
            given.seat,
            given.screen.name()
        ),
        Event::Errands(given) => {
            let count = given.errands.len();
            let beside = given.beside.as_deref().map(said);
            let beside = beside.map_or_else(String::new, |beside| format!("; beside it {beside}"));
            format!(
                "a mail of {} asks {count} things of the host{beside}",
                given.seat
            )
        }
        Event::Zone(given) => format!("{} is told times in {}", given.seat, given.zone),
        Event::Address(given) => {
            let seat = &given.seat;
            match given.step {
                AddressStep::Asked => {
                    format!("{seat} asks for another address; a code has been sent there")
                }
                AddressStep::Confirmed => format!("letters to {seat} go to another address now"),
                AddressStep::Kept => format!("{seat} keeps its address"),
            }
        }
        Event::Umpire(Ruling::Replace { player, .. }) => {
            format!("the seat {} has been handed over", player.id)
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

#[cfg(test)]
mod tests;
