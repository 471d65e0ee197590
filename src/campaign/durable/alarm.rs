//! The alarm of a campaign that can't be opened, because its directory no longer holds what the
//! host put there.
//!
//! Nothing may be written into a journal that can't be trusted, so no journal records the letter
//! that tells the umpire. The file `alarm` beside it says what is wrong, since when, and whether
//! the umpire knows: each fault is reported once, however often the host looks. The next successful
//! opening removes the file.

use std::{path::Path, time::Duration};

use jiff::Timestamp;
use minijinja::context;

use crate::{
    campaign::{
        durable::{CampaignError, deliver},
        model::{events::Event, settings::Settings, umpires::Umpire},
        post::Letter,
    },
    digest::Digest,
    dispatch,
    game::Lang,
    mail::{AutoSubmitted, NamedAddress, Outgoing, clean_line},
    store::{Blob, Directory, StoreError},
};

/// At most this many lines of a problem are reported; the first ones say enough.
const MOST_LINES: usize = 20;
/// A word in the file's first line: the umpire has been told.
const TOLD: &str = "told";
/// Another: nobody opens the campaign until the umpire says so.
const ALONE: &str = "alone";

/// The reason why a campaign has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// When it was found.
    pub since: Timestamp,
    /// The fault, in lines that can be shown.
    pub problem: String,
    /// True if the campaign stays closed until the umpire acts, because its rules killed the
    /// processes that opened it.
    pub alone: bool,
    told: bool,
}

impl Alarm {
    /// The alarm of a campaign, or none if it opened the last time.
    ///
    /// # Errors
    /// The environment.
    pub fn of(directory: &Directory) -> Result<Option<Self>, StoreError> {
        match directory.fetch(Blob::Alarm) {
            Err(error) if error.is_environment() => Err(error),
            text => Ok(text.ok().flatten().and_then(|text| Self::parse(&text))),
        }
    }

    /// An error's message, in lines that are safe to show.
    #[must_use]
    pub fn problem_of(error: &CampaignError) -> String {
        let said = error.to_string();
        let lines: Vec<String> = said.lines().take(MOST_LINES).map(clean_line).collect();
        lines.join("\n")
    }

    /// None if the text can't be read: it was changed by hand, and the alarm is raised anew.
    fn parse(text: &str) -> Option<Self> {
        let (head, problem) = text.split_once('\n')?;
        let mut words = head.split(' ');
        let since = words.next()?.parse().ok()?;
        let words: Vec<&str> = words.collect();
        Some(Self {
            since,
            problem: problem.trim_end().to_owned(),
            alone: words.contains(&ALONE),
            told: words.contains(&TOLD),
        })
    }

    fn keep(&self, directory: &Directory) -> Result<(), StoreError> {
        let told = if self.told { TOLD } else { "untold" };
        let alone = if self.alone { ALONE } else { "" };
        let head = format!("{} {told} {alone}", self.since);
        let text = format!("{}\n{}\n", head.trim_end(), self.problem);
        directory.keep(Blob::Alarm, &text)
    }

    /// Puts the letter into the outboxes of the umpires who read letters.
    fn tell(&self, directory: &Directory, settings: &Settings) -> Result<(), CampaignError> {
        let mut told = settings.all_umpires().filter(|umpire| !umpire.silent);
        told.try_for_each(|umpire| self.tell_one(directory, settings, &umpire))
    }

    /// Puts the letter into an umpire's outbox. Its name is always the same, and never that of a
    /// letter in the journal.
    fn tell_one(
        &self,
        directory: &Directory,
        settings: &Settings,
        umpire: &Umpire,
    ) -> Result<(), CampaignError> {
        let campaign = settings.campaign.as_str();
        let mark = Digest::of(format!("{} {}", self.since, self.problem).as_bytes()).to_string();
        // It needs nothing of the game, which may be the very fault.
        let at = self.since.to_zoned(settings.schedule.zone().clone());
        // Copied whole, with its paths and digests.
        let problem: Vec<String> = (self.problem.lines())
            .map(|line| format!("| {line}"))
            .collect();
        let args = context! {
            campaign,
            problem => problem.join("\n"),
            at => at.strftime("%Y-%m-%d %H:%M %Z").to_string(),
        };
        let words = if self.alone {
            dispatch::letter(Lang::En, "left_alone", args)
        } else {
            dispatch::letter(Lang::En, "alarm", args)
        };
        let mail = Outgoing {
            campaign: campaign.to_owned(),
            from: NamedAddress {
                name: Some(campaign.to_owned()),
                email: settings.mailbox.to_string(),
            },
            to: NamedAddress {
                name: None,
                email: umpire.address.to_string(),
            },
            reply_to: None,
            subject: words.subject,
            message_id: format!(
                "{campaign}.{}.0.alarm.{}@{}",
                umpire.recipient().address_name(),
                mark.get(..16).unwrap_or_default(),
                settings.mailbox.domain
            ),
            date: self.since,
            in_reply_to: None,
            references: Vec::new(),
            auto_submitted: AutoSubmitted::Generated,
            text: words.text,
            html: None,
            images: Vec::new(),
            attachments: Vec::new(),
        };
        let letter = Letter::new(umpire.recipient(), mail, Vec::new())?;
        deliver(directory, &[letter])
    }
}

/// Raises the alarm for this error, and tells the umpire, unless that has been done.
///
/// # Errors
/// If the disk refuses; the next attempt makes up for it.
pub(crate) fn raise(
    root: &Path,
    error: &CampaignError,
    now: Timestamp,
) -> Result<(), CampaignError> {
    raised(root, Alarm::problem_of(error), false, now)
}

/// Leaves a campaign alone until the umpire says otherwise, because its rules killed the processes
/// that opened it; tells the umpire.
///
/// # Errors
/// If the disk refuses.
pub fn leave_alone(root: &Path, why: &str, now: Timestamp) -> Result<(), CampaignError> {
    raised(root, clean_line(why), true, now)
}

fn raised(root: &Path, problem: String, alone: bool, now: Timestamp) -> Result<(), CampaignError> {
    // What is wrong may be its packed file, or that it has no journal.
    let directory = Directory::at(root);
    // No letters go out from a directory without outboxes: an unpacked bundle, say.
    if !directory.has_outboxes() || !directory.has_settings() {
        return Ok(());
    }
    // A process that holds the campaign now finds out for itself.
    let Ok(_lock) = directory.lock(Duration::ZERO) else {
        return Ok(());
    };
    let known = Alarm::of(&directory)?;
    let known = known.filter(|alarm| alarm.problem == problem && alarm.alone == alone);
    let mut alarm = known.unwrap_or(Alarm {
        since: Timestamp::from_second(now.as_second()).unwrap_or(now),
        problem,
        alone,
        told: false,
    });
    if alarm.told {
        return Ok(());
    }
    // Before the letter: after a kill the same letter is written again.
    alarm.keep(&directory)?;
    if let Some(settings) = settings(&directory) {
        alarm.tell(&directory, &settings)?;
        alarm.told = true;
        alarm.keep(&directory)?;
    }
    Ok(())
}

/// Ends the alarm. Returns true if there was one.
pub fn end(directory: &Directory) -> Result<bool, StoreError> {
    directory.remove(Blob::Alarm)
}

/// The settings, for the umpire's address. They are those of the journal's first record if that is
/// sound, because `campaign.yaml` may be the fault.
fn settings(directory: &Directory) -> Option<Settings> {
    let first = directory.first_record::<Event>().ok().flatten();
    match first.map(|record| record.event) {
        Some(Event::Created(created)) => Some(created.settings),
        _ => Settings::of(directory).ok(),
    }
}
