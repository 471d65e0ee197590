//! The campaigns that one thread works on: kept open between mails, for anybody else to take in the meantime.

use std::{
    collections::BTreeMap,
    fs,
    panic::{self, AssertUnwindSafe},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};

use super::Member;
use crate::{
    campaign::{Campaign, HostError, Shelf, Waiting},
    mail::transport::Backoff,
};

/// How long to wait for another process that has a campaign.
const PATIENCE: Duration = Duration::from_secs(2);
/// The state is written down after so many inputs, and when a campaign is looked at in full.
const SAVE_EVERY: u32 = 100;
/// After a pass that found nothing to do.
const QUIET: SignedDuration = SignedDuration::from_secs(1);
/// A campaign without news is looked at in full this often: for values of the beacon, and mails that were left behind.
const FULL_LOOK: SignedDuration = SignedDuration::from_secs(60);
/// A campaign is opened anew this often: nothing else finds what somebody has changed in its files under a host that is up.
const OPENED_ANEW: SignedDuration = SignedDuration::from_hours(1);

/// Some campaigns of the host. It belongs to one thread, as open campaigns do.
#[derive(Default)]
pub struct Desk {
    shelf: Shelf,
    files: BTreeMap<usize, File>,
    last: usize,
}

/// A campaign on the desk.
struct File {
    member: Member,
    open: Option<Campaign>,
    opened: Option<Timestamp>,
    looked: Option<Timestamp>,
    trouble: Backoff,
    not_before: Option<Timestamp>,
    /// The last pass found nothing to do: without a ring there is no other for a moment, whatever seems to call.
    quiet_until: Option<Timestamp>,
}

impl Desk {
    /// Puts campaigns on the desk, with their places in the roll.
    #[must_use]
    pub fn new(members: impl IntoIterator<Item = (usize, Member)>) -> Self {
        let file = |member| File {
            member,
            open: None,
            opened: None,
            looked: None,
            trouble: Backoff::default(),
            not_before: None,
            quiet_until: None,
        };
        Self {
            shelf: Shelf::default(),
            last: 0,
            files: members
                .into_iter()
                .map(|(place, member)| (place, file(member)))
                .collect(),
        }
    }

    /// A campaign where something may be to be done: a mail has come, a deadline has passed, or nobody has looked for a while.
    /// Each comes in its turn.
    pub fn called(&mut self, now: Timestamp) -> Option<usize> {
        let calls = |(place, file): (&usize, &File)| file.is_called(now).then_some(*place);
        let later = self
            .files
            .range(self.last.saturating_add(1)..)
            .find_map(calls);
        let found = later.or_else(|| self.files.range(..=self.last).find_map(calls))?;
        self.last = found;
        Some(found)
    }

    /// Works on a campaign. Its trouble is logged and harms no other. Says whether letters may have been written: what does not
    /// pass by itself is told to the umpire.
    pub fn work(&mut self, place: usize, now: Timestamp) -> bool {
        let Some(file) = self.files.get_mut(&place) else {
            return false;
        };
        if file.not_before.is_some_and(|until| now < until) {
            return false;
        }
        let worked = panic::catch_unwind(AssertUnwindSafe(|| file.pass(now, &mut self.shelf)));
        let (problem, passes) = match worked {
            Ok(Ok(wrote)) => {
                (file.trouble, file.not_before) = (Backoff::default(), None);
                return wrote;
            }
            Ok(Err(error)) => (error.to_string(), error.is_environment()),
            Err(_) => {
                let said = "the program has an error, told above; what is in the journal is safe";
                (said.to_owned(), true)
            }
        };
        // What is in memory may be half done; the journal is not.
        file.open = None;
        let wait = file.trouble.failed();
        file.not_before = now
            .checked_add(SignedDuration::try_from(wait).unwrap_or_default())
            .ok();
        tracing::error!(
            campaign = file.member.name(),
            seconds = wait.as_secs(),
            "{problem}"
        );
        !passes
    }

    /// Writes down where all campaigns stand, so that the next start is quick.
    pub fn close(&mut self) {
        for file in self.files.values_mut() {
            let Some(mut campaign) = file.open.take() else {
                continue;
            };
            match campaign.resume(PATIENCE) {
                Ok(true) => campaign.save(),
                Ok(false) => {}
                Err(error) => tracing::warn!(campaign = file.member.name(), "{error}"),
            }
            file.warn(&mut campaign);
        }
    }
}

impl File {
    fn is_called(&self, now: Timestamp) -> bool {
        let pauses = [self.not_before, self.quiet_until];
        if pauses.into_iter().flatten().any(|until| now < until) {
            return false;
        }
        let due = self
            .open
            .as_ref()
            .is_some_and(|campaign| campaign.engine().is_due(campaign.state(), now));
        self.is_unseen(now) || due || self.has_mail()
    }

    /// Whether nobody has looked at it for a while.
    fn is_unseen(&self, now: Timestamp) -> bool {
        self.looked
            .is_none_or(|at| now.duration_since(at) >= FULL_LOOK)
    }

    fn has_mail(&self) -> bool {
        let new = self.member.directory.inbox().join("new");
        let is_mail = |entry: &fs::DirEntry| {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            !is_folder && !entry.file_name().as_encoded_bytes().starts_with(b".")
        };
        fs::read_dir(new)
            .is_ok_and(|entries| entries.filter_map(Result::ok).any(|entry| is_mail(&entry)))
    }

    fn pass(&mut self, now: Timestamp, shelf: &mut Shelf) -> Result<bool, HostError> {
        let mut campaign = self.opened(now, shelf)?;
        let pass = campaign.pass(now)?;
        if self.is_unseen(now) {
            // Not at the first look, when all campaigns come one after the other.
            if self.looked.is_some() {
                campaign.save();
            }
            self.looked = Some(now);
        }
        let name = self.member.name();
        for line in &pass.lines {
            tracing::info!(campaign = name, "{line}");
        }
        if let (Waiting::Repair { error, .. }, false) =
            (&campaign.state().waiting, pass.lines.is_empty())
        {
            tracing::error!(
                campaign = name,
                "stopped by an error in the rules or data: {error}"
            );
        }
        let quiet = pass.lines.is_empty().then(|| now.checked_add(QUIET).ok());
        self.quiet_until = quiet.flatten();
        self.warn(&mut campaign);
        campaign.rest();
        self.open = Some(campaign);
        Ok(pass.letters > 0)
    }

    /// The campaign, taken for this process: as it was left, or opened anew if somebody else has worked on it.
    fn opened(&mut self, now: Timestamp, shelf: &mut Shelf) -> Result<Campaign, HostError> {
        let is_fresh = |at: Timestamp| now.duration_since(at) < OPENED_ANEW;
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

    /// Tells what has come to light to whoever reads the log.
    fn warn(&self, campaign: &mut Campaign) {
        for notice in campaign.take_notices() {
            tracing::warn!(campaign = self.member.name(), "{notice}");
        }
    }
}
