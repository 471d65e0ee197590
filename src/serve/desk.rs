//! The campaigns that one thread works on: kept open between mails, while other processes may take
//! them.

use std::{
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};

use super::Member;
use crate::{
    campaign::{
        self,
        durable::{Campaign, CampaignError},
        model::compiled_game::Shelf,
    },
    disk::FileMark,
    isolation::{self, PassReport, PassRequest, ProcessBounds},
    mail::transport::{Backoff, Stop},
    store::StoreError,
};

/// How long to wait for another process that has a campaign.
const PATIENCE: Duration = Duration::from_secs(2);
/// The state is saved after this many inputs, and whenever a campaign is looked at in full.
const SAVE_EVERY: u32 = 100;
/// How long to rest after a pass that found nothing to do.
const QUIET: SignedDuration = SignedDuration::from_secs(1);
/// How often an open campaign without news is looked at in full: for values of the beacon, and
/// mails that were left behind. One that waits for such a value is never taken for closed, and of
/// closed ones the mails that were left behind are seen.
const FULL_LOOK: SignedDuration = SignedDuration::from_secs(60);
/// How often a campaign is opened anew, and a closed one looked at: nothing else notices changes in
/// its files while the host is running.
const OPENED_ANEW: SignedDuration = SignedDuration::from_hours(1);

/// How many campaigns all desks together keep open: each takes some 250 KB.
pub(super) const MOST_OPEN: usize = 768;

/// A packed campaign that was unpacked stays so for as long after it was last used.
const IN_USE: SignedDuration = SignedDuration::from_hours(24);
/// How long to wait after a campaign could not be packed.
const PACK_AGAIN: SignedDuration = SignedDuration::from_hours(24);

/// Some campaigns of the host. It belongs to one thread, as open campaigns do.
pub struct Desk {
    shelf: Shelf,
    files: BTreeMap<usize, File>,
    /// The campaign looked at last.
    last: usize,
    /// How many have been looked at since the look began, or since one called.
    seen: usize,
    /// The bounds of a process with rules that do not ship.
    bounds: ProcessBounds,
    stop: Stop,
    /// After how long a rest campaigns are packed; none if they are not.
    pack_after: Option<SignedDuration>,
    /// How many campaigns stay open.
    most_open: usize,
    /// Since when files of rules that have been read are not read again.
    trusting_since: Option<Timestamp>,
}

/// What came of a look at some campaigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// This one may have something to do.
    Called(usize),
    /// None of those; the look goes on.
    Unfinished,
    /// None of all.
    Over,
}

/// A campaign on the desk.
struct File {
    member: Member,
    /// True if its rules do not ship: each pass is a process of its own.
    apart: bool,
    open: Option<Campaign>,
    opened: Option<Timestamp>,
    looked: Option<Timestamp>,
    /// When something was last done in it.
    used: Option<Timestamp>,
    /// When something is due by the clock, as it was when it was closed, or as the last process
    /// reported.
    due: Option<Timestamp>,
    /// The mark of the journal with which it was closed, if it needs no look before somebody works
    /// on it.
    closed_with: Option<FileMark>,
    /// Why it is stopped, as the last pass found it.
    stopped: Option<String>,
    trouble: Backoff,
    not_before: Option<Timestamp>,
    /// Set if the last pass found nothing to do: until this moment only a ring starts another pass.
    quiet_until: Option<Timestamp>,
    /// Since when it rests, as the last pass found it.
    rests_since: Option<Timestamp>,
    /// No attempt to pack it is made before.
    pack_not_before: Option<Timestamp>,
}

/// The reason why a campaign had no pass.
struct Trouble {
    said: String,
    /// True if it may pass by itself; otherwise the umpire has been told.
    passes: bool,
}

impl From<CampaignError> for Trouble {
    fn from(error: CampaignError) -> Self {
        Self {
            said: error.to_string(),
            passes: error.is_environment(),
        }
    }
}

impl Desk {
    /// The desk with these bounds for the processes of campaigns whose rules do not ship; the
    /// processes end when the sign to stop is given.
    #[must_use]
    pub fn isolating(self, bounds: ProcessBounds, stop: Stop) -> Self {
        Self {
            bounds,
            stop,
            ..self
        }
    }

    /// The desk, which packs ended campaigns after so many days of rest; none if it never does.
    #[must_use]
    pub fn packing(self, after_days: Option<u16>) -> Self {
        let days = |days: u16| SignedDuration::from_hours(24 * i64::from(days));
        Self {
            pack_after: after_days.map(days),
            ..self
        }
    }

    /// The desk, which keeps no more campaigns open than this: those in which something was done
    /// last.
    #[must_use]
    pub fn keeping_open(self, most_open: usize) -> Self {
        Self { most_open, ..self }
    }

    /// Puts campaigns on the desk, with their places in the roster.
    #[must_use]
    pub fn new(members: impl IntoIterator<Item = (usize, Member)>) -> Self {
        let file = |member: Member| File {
            apart: isolation::is_needed(member.directory.root()),
            member,
            open: None,
            opened: None,
            looked: None,
            used: None,
            due: None,
            closed_with: None,
            stopped: None,
            trouble: Backoff::default(),
            not_before: None,
            quiet_until: None,
            rests_since: None,
            pack_not_before: None,
        };
        Self {
            shelf: Shelf::default(),
            last: 0,
            seen: 0,
            bounds: ProcessBounds::default(),
            stop: Stop::new(),
            pack_after: None,
            most_open: MOST_OPEN,
            trusting_since: None,
            files: members
                .into_iter()
                .map(|(place, member)| (place, file(member)))
                .collect(),
        }
    }

    /// Looks at the next campaigns, at most so many, each in its turn, until one may have something
    /// to do: a mail has come, a deadline has passed, or nobody has looked for a while.
    pub fn look(&mut self, now: Timestamp, most: usize) -> Look {
        for _ in 0..most {
            let later = self.files.range(self.last.saturating_add(1)..).next();
            let next = later.or_else(|| self.files.iter().next());
            let Some((place, file)) = next.filter(|_| self.seen < self.files.len()) else {
                self.seen = 0;
                return Look::Over;
            };
            self.last = *place;
            if file.is_called(now) {
                self.seen = 0;
                return Look::Called(self.last);
            }
            self.seen += 1;
        }
        Look::Unfinished
    }

    /// Returns true if a campaign may have something to do.
    pub fn is_called(&self, place: usize, now: Timestamp) -> bool {
        self.files
            .get(&place)
            .is_some_and(|file| file.is_called(now))
    }

    /// Works on a campaign. Its trouble is logged and harms no other. Returns true if letters may
    /// have been written: the umpire is told of trouble that does not pass by itself.
    pub fn work(&mut self, place: usize, now: Timestamp) -> bool {
        let is_fresh = |since: Timestamp| now.duration_since(since) < OPENED_ANEW;
        if !self.trusting_since.is_some_and(is_fresh) {
            self.shelf.forget_files();
            self.trusting_since = Some(now);
        }
        let Some(file) = self.files.get_mut(&place) else {
            return false;
        };
        if file.not_before.is_some_and(|until| now < until) {
            return false;
        }
        let worked = panic::catch_unwind(AssertUnwindSafe(|| -> Result<bool, Trouble> {
            let wrote = if file.apart {
                file.pass_apart(now, &self.bounds, &self.stop)
            } else {
                file.pass(now, &mut self.shelf).map_err(Trouble::from)
            }?;
            if let Some(rest) = self.pack_after.filter(|rest| file.rests(*rest, now)) {
                file.pack(rest, now);
            }
            Ok(wrote)
        }));
        let trouble = match worked {
            Ok(Ok(wrote)) => {
                (file.trouble, file.not_before) = (Backoff::default(), None);
                self.close_others(now);
                return wrote;
            }
            Ok(Err(trouble)) => trouble,
            Err(_) => Trouble {
                said: "the program has an error, told above; what is in the journal is safe"
                    .to_owned(),
                passes: true,
            },
        };
        // The campaign in memory may be half-changed; the journal is not.
        (file.open, file.closed_with) = (None, None);
        let wait = file.trouble.failed();
        file.not_before = now
            .checked_add(SignedDuration::try_from(wait).unwrap_or_default())
            .ok();
        tracing::error!(
            campaign = file.member.name(),
            seconds = wait.as_secs(),
            "{}",
            trouble.said
        );
        !trouble.passes
    }

    /// How many campaigns are open.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.files
            .values()
            .filter(|file| file.open.is_some())
            .count()
    }

    /// Closes the campaigns in which nothing has been done for longest, if too many are open.
    fn close_others(&mut self, now: Timestamp) {
        let open = self.files.values_mut().filter(|file| file.open.is_some());
        let mut open: Vec<&mut File> = open.collect();
        if open.len() > self.most_open {
            open.sort_by_key(|file| file.used);
            let many = open.len() - self.most_open;
            for file in open.into_iter().take(many) {
                let closed = panic::catch_unwind(AssertUnwindSafe(|| {
                    file.close(now, Duration::ZERO);
                }));
                if closed.is_err() {
                    (file.open, file.closed_with) = (None, None);
                }
            }
        }
    }

    /// Saves the state of all campaigns, so that the next start is quick.
    pub fn close(&mut self, now: Timestamp) {
        let files = self.files.values_mut();
        files.for_each(|file| file.close(now, PATIENCE));
    }
}

impl File {
    fn is_called(&self, now: Timestamp) -> bool {
        let pauses = [self.not_before, self.quiet_until];
        if pauses.into_iter().flatten().any(|until| now < until) {
            return false;
        }
        let due = match &self.open {
            Some(campaign) => {
                let (context, state) = (campaign.context(), campaign.state());
                campaign::due_event(context, state, now).is_some()
                    || campaign::awaited_bot(context, state, now).is_some()
            }
            None => self.due.is_some_and(|at| at <= now) || self.is_changed(),
        };
        self.is_unseen(now) || due || self.has_mail()
    }

    /// Returns true if nobody has looked at it for a while.
    fn is_unseen(&self, now: Timestamp) -> bool {
        let often = match self.closed_with {
            Some(_) => OPENED_ANEW,
            None => FULL_LOOK,
        };
        let is_old = |at: Timestamp| now.duration_since(at) >= often;
        // Only a mail has a packed one looked at.
        self.looked.is_none_or(is_old) && !self.member.directory.is_packed()
    }

    /// Returns true if somebody has worked on it since it was closed.
    fn is_changed(&self) -> bool {
        let directory = &self.member.directory;
        self.closed_with.is_some()
            && directory.journal_mark() != self.closed_with
            && !directory.is_packed()
    }

    /// Closes it: its state is saved, and what is due remembered. If somebody else has it, or has
    /// worked on it, it is looked at soon.
    fn close(&mut self, now: Timestamp, patience: Duration) {
        let Some(mut campaign) = self.open.take() else {
            return;
        };
        self.due = None;
        if let Ok(true) = campaign.resume(patience) {
            campaign.save();
            self.due = campaign.next_due(now);
            let mark = self.member.directory.journal_mark();
            self.closed_with = mark.filter(|_| !campaign.awaits_beacon());
        }
        self.warn(&mut campaign);
    }

    /// Returns true if it has ended, rests for so long, and nobody works on its files.
    fn rests(&self, rest: SignedDuration, now: Timestamp) -> bool {
        let is_past = |at: Timestamp, by: SignedDuration| now.duration_since(at) >= by;
        let in_use = || {
            let mark = self.member.directory.journal_mark();
            let touched = mark.and_then(|mark| Timestamp::try_from(mark.written()).ok());
            touched.is_none_or(|at| !is_past(at, IN_USE))
        };
        self.rests_since.is_some_and(|since| is_past(since, rest))
            && self.pack_not_before.is_none_or(|at| now >= at)
            && !in_use()
            && !self.has_mail()
    }

    /// Packs it, unless somebody has gone on with it by now. If it can't be packed that is told,
    /// and tried again after a day.
    fn pack(&mut self, rest: SignedDuration, now: Timestamp) {
        (self.open, self.closed_with, self.due) = (None, None, None);
        let directory = &self.member.directory;
        let packed = directory.lock(Duration::ZERO).and_then(|_lock| {
            if self.rests(rest, now) {
                directory.pack()?;
            }
            Ok(directory.is_packed())
        });
        let name = self.member.name();
        match packed {
            Ok(false) => {}
            Ok(true) => tracing::info!(campaign = name, "packed: it has ended, and rests"),
            // Its letters are just being sent, say.
            Err(StoreError::Locked { .. }) => {}
            Err(error) => {
                tracing::warn!(campaign = name, "not packed: {error}");
                self.pack_not_before = now.checked_add(PACK_AGAIN).ok();
            }
        }
    }

    fn has_mail(&self) -> bool {
        let directory = &self.member.directory;
        let inbox = directory.inbox();
        let is_left_behind = || self.closed_with.is_some() && inbox.has_seen();
        inbox.has_new() || directory.club_words().has_new() || is_left_behind()
    }

    fn pass(&mut self, now: Timestamp, shelf: &mut Shelf) -> Result<bool, CampaignError> {
        let mut campaign = self.opened(now, shelf)?;
        self.closed_with = None;
        let pass = campaign.pass(now)?;
        if self.is_unseen(now) {
            // Not at the first look, when all campaigns are opened one after the other.
            if self.looked.is_some() {
                campaign.save();
            }
            self.looked = Some(now);
        }
        if self.used.is_none() || !pass.lines.is_empty() {
            self.used = Some(now);
        }
        self.rests_since = campaign.state().rests_since();
        self.tell(&pass.lines, campaign.state().stopped().cloned());
        self.rest(now, pass.lines.is_empty());
        self.warn(&mut campaign);
        campaign.rest();
        self.open = Some(campaign);
        Ok(pass.letters > 0)
    }

    /// Makes a pass in a process of its own. Returns true if letters may have been written.
    fn pass_apart(
        &mut self,
        now: Timestamp,
        bounds: &ProcessBounds,
        stop: &Stop,
    ) -> Result<bool, Trouble> {
        let request = PassRequest {
            root: self.member.directory.root().to_owned(),
            now,
            patience: PATIENCE,
            results_of: Some(self.member.results_of.clone()),
            beacon: None,
            though_alone: false,
        };
        let PassReport {
            notices,
            lines,
            letters,
            stopped,
            due,
            rests_since,
            fault,
            ..
        } = request.run(bounds, stop);
        (self.looked, self.due, self.rests_since) = (Some(now), due, rests_since);
        for notice in notices {
            tracing::warn!(campaign = self.member.name(), "{notice}");
        }
        let newly = stopped.is_some() && stopped != self.stopped;
        self.tell(&lines, stopped);
        self.rest(now, lines.is_empty());
        match fault {
            None => Ok(letters > 0 || newly),
            Some(fault) => Err(Trouble {
                said: fault.said,
                passes: fault.environment,
            }),
        }
    }

    /// Logs what has happened, and why the campaign is stopped if it is.
    fn tell(&mut self, lines: &[String], stopped: Option<String>) {
        let name = self.member.name();
        for line in lines {
            tracing::info!(campaign = name, "{line}");
        }
        if let Some(error) = &stopped
            && (!lines.is_empty() || stopped != self.stopped)
        {
            tracing::error!(
                campaign = name,
                "stopped by an error in the rules or data: {error}"
            );
        }
        self.stopped = stopped;
    }

    /// Delays the next pass for a moment if the last one found nothing to do.
    fn rest(&mut self, now: Timestamp, quiet: bool) {
        let until = quiet.then(|| now.checked_add(QUIET).ok());
        self.quiet_until = until.flatten();
    }

    /// Takes the campaign for this process: as it was left, or opened anew if another process has
    /// worked on it.
    fn opened(&mut self, now: Timestamp, shelf: &mut Shelf) -> Result<Campaign, CampaignError> {
        let is_fresh = |at: Timestamp| now.duration_since(at) < OPENED_ANEW;
        if self.member.directory.is_packed() {
            self.open = None;
        }
        if let Some(mut campaign) = self.open.take()
            && self.opened.is_some_and(is_fresh)
            && campaign.resume(PATIENCE)?
        {
            return Ok(campaign);
        }
        let root = self.member.directory.root();
        let mut campaign = Campaign::open_or_tell(root, PATIENCE, shelf, now)?;
        self.opened = Some(now);
        campaign.save_every(SAVE_EVERY);
        campaign.trust_results_of(self.member.results_of.as_deref())?;
        self.warn(&mut campaign);
        Ok(campaign)
    }

    /// Logs the campaign's notices.
    fn warn(&self, campaign: &mut Campaign) {
        for notice in campaign.take_notices() {
            tracing::warn!(campaign = self.member.name(), "{notice}");
        }
    }
}
