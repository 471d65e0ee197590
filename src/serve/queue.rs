//! Letters from the outboxes to the world.
//!
//! The queue is the outboxes themselves: a letter in `new` or `cur` must be sent; one in `done` was
//! taken by a server or refused for good. A letter is moved there after the server has taken it, so
//! a host that is killed in between sends it again, with the same bytes and Message-ID. The times
//! of the next tries are not kept on the disk: after a start all letters are tried at once, and a
//! letter has waited for as long as its file is old.
//!
//! What was sent is kept compressed. That is done while nobody works on the campaign.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};

use super::{LetterBox, Roster, report::report};
use crate::{
    mail::{
        MessageName,
        maildir::{Maildir, MaildirEntry, MaildirError},
        transport::{Backoff, LetterHead, MailEnvelope, SendError, Sink, Stop},
    },
    store::StoreError,
};

/// Minutes until the next try of a letter that was not taken; the last one repeats.
const WAITS: [i64; 5] = [1, 5, 15, 60, 240];
/// How long until a letter that is not taken is given up.
const LONGEST: SignedDuration = SignedDuration::from_hours(72);
/// How long after the others a letter is tried that lost the connection.
const AFTER_THE_OTHERS: Duration = Duration::from_secs(5);
/// No letter is larger.
const LARGEST: usize = 64 << 20;

/// Letters to send, and when to retry them.
#[derive(Debug, Default)]
pub struct Queue {
    later: BTreeMap<String, Try>,
    /// Campaigns and recipients with letters that have gone and are not yet compressed.
    gone: BTreeSet<(usize, String)>,
    rest: Option<Timestamp>,
    backoff: Backoff,
}

#[derive(Clone, Copy, Debug)]
struct Try {
    tries: usize,
    at: Timestamp,
}

/// The result of a round of sending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueRound {
    /// Letters that a server took.
    pub sent: usize,
    /// Letters that wait for another try.
    pub waiting: usize,
    /// Letters that were given up and reported to their campaign, by its place in the roster.
    pub refused: Vec<usize>,
    /// Why nothing more could be sent, if sending stopped.
    pub down: Option<String>,
}

/// A letter in an outbox.
struct QueuedLetter {
    /// The name of its outbox.
    to: String,
    maildir: Maildir,
    entry: MaildirEntry,
    /// Campaign, outbox and key.
    id: String,
}

impl Queue {
    /// Sends the letters that are due in the outboxes of these campaigns, by their places in the
    /// roster.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn round(
        &mut self,
        roster: &Roster,
        places: impl IntoIterator<Item = usize>,
        sink: &mut dyn Sink,
        now: Timestamp,
        stop: &Stop,
    ) -> Result<QueueRound, MaildirError> {
        let mut round = QueueRound::default();
        if self.rest.is_some_and(|until| now < until) {
            return Ok(round);
        }
        for place in places {
            let Some(member) = roster.letter_box(place) else {
                continue;
            };
            for letter in waiting(&member)? {
                if stop.is_set() {
                    return Ok(round);
                }
                if self.later.get(&letter.id).is_some_and(|next| now < next.at) {
                    round.waiting += 1;
                    continue;
                }
                self.send(&member, place, &letter, sink, now, &mut round)?;
                if round.down.is_some() {
                    return Ok(round);
                }
            }
        }
        self.put_away(roster);
        Ok(round)
    }

    /// Compresses letters that have gone. Where somebody works on the campaign, and where there are
    /// many, that goes on after the next round.
    fn put_away(&mut self, roster: &Roster) {
        self.gone.retain(|(place, to)| {
            let Some(member) = roster.letter_box(*place) else {
                return false;
            };
            let told = |error: &dyn std::error::Error| {
                tracing::warn!(campaign = %member.name, "letters are not compressed: {error}");
                false
            };
            match member.directory.lock(Duration::ZERO) {
                Err(StoreError::Locked { .. }) => true,
                Err(error) => told(&error),
                Ok(_lock) => match member.directory.outbox(to).put_away() {
                    Ok(is_all) => !is_all,
                    Err(error) => told(&error),
                },
            }
        });
    }

    fn send(
        &mut self,
        member: &LetterBox<'_>,
        place: usize,
        letter: &QueuedLetter,
        sink: &mut dyn Sink,
        now: Timestamp,
        round: &mut QueueRound,
    ) -> Result<(), MaildirError> {
        let Some(bytes) = letter.maildir.read(&letter.entry, LARGEST)? else {
            return Ok(());
        };
        let head = LetterHead::read(&bytes);
        let name = letter.entry.key();
        let mailbox = member.mailbox.to_string();
        let tried = match &head.to {
            Some(to) => sink.send(&envelope(&mailbox, &head, to), &bytes),
            None => Err(SendError::Refused {
                status: "5.1.3".to_owned(),
                said: "it has no recipient, or several".to_owned(),
            }),
        };
        let given_up = |status: String, said: String| -> Result<(), MaildirError> {
            tracing::warn!(letter = name, campaign = member.name, "given up: {said}");
            // The report first: after a kill it is written again under the same name, and the
            // letter is still here.
            let inbox = member.directory.inbox();
            inbox.put(
                &format!("bounce-{name}"),
                &report(&mailbox, &head, &status, &said),
            )?;
            letter.maildir.done(&letter.entry)
        };
        match tried {
            Ok(_) => {
                letter.maildir.done(&letter.entry)?;
                tracing::info!(letter = name, campaign = member.name, "sent");
                self.gone.insert((place, letter.to.clone()));
                self.later.remove(&letter.id);
                self.backoff.worked();
                round.sent += 1;
            }
            Err(SendError::Refused { status, said }) => {
                given_up(status, said)?;
                self.later.remove(&letter.id);
                round.refused.push(place);
            }
            Err(SendError::Later { said }) if self.is_too_old(letter, now)? => {
                given_up(
                    "4.4.7".to_owned(),
                    format!("not taken for three days: {said}"),
                )?;
                self.later.remove(&letter.id);
                round.refused.push(place);
            }
            Err(SendError::Later { said }) => {
                let tries = self.later.get(&letter.id).map_or(0, |next| next.tries);
                let minutes = WAITS.get(tries).or(WAITS.last()).copied().unwrap_or(1);
                tracing::warn!(
                    letter = name,
                    campaign = member.name,
                    minutes,
                    "not taken now: {said}"
                );
                let at = now
                    .checked_add(SignedDuration::from_mins(minutes))
                    .unwrap_or(now);
                self.later.insert(
                    letter.id.clone(),
                    Try {
                        tries: tries + 1,
                        at,
                    },
                );
                round.waiting += 1;
            }
            Err(SendError::Down { said }) => {
                let wait = self.backoff.failed();
                let until = |more| {
                    let wait = SignedDuration::try_from(wait + more).unwrap_or_default();
                    now.checked_add(wait).unwrap_or(now)
                };
                // If it was this letter that made the server hang up, the others come first next
                // time.
                let tries = self.later.get(&letter.id).map_or(0, |next| next.tries);
                let at = until(AFTER_THE_OTHERS);
                self.later.insert(letter.id.clone(), Try { tries, at });
                self.rest = Some(until(Duration::ZERO));
                tracing::warn!(seconds = wait.as_secs(), "nothing can be sent: {said}");
                round.down = Some(said);
            }
        }
        Ok(())
    }

    /// Returns true if a letter was tried before and has waited too long. One from before this host
    /// started is tried first.
    fn is_too_old(&self, letter: &QueuedLetter, now: Timestamp) -> Result<bool, MaildirError> {
        let written = letter.maildir.arrived(&letter.entry)?;
        Ok(self.later.contains_key(&letter.id)
            && written.is_some_and(|at| now.duration_since(at) > LONGEST))
    }

    /// How long to wait for the next round if nothing new comes.
    #[must_use]
    pub fn pause(&self, now: Timestamp, most: Duration) -> Duration {
        let next = self
            .later
            .values()
            .map(|next| next.at)
            .chain(self.rest)
            .filter(|at| *at > now)
            .min();
        let until = next.and_then(|at| Duration::try_from(at.duration_since(now)).ok());
        until.map_or(most, |until| until.min(most))
    }
}

/// Reports of failure come to the mailbox, and find their campaign by the Message-ID that they
/// name.
fn envelope(mailbox: &str, head: &LetterHead, to: &str) -> MailEnvelope {
    MailEnvelope {
        from: (!head.answers_by_itself).then(|| mailbox.to_owned()),
        to: to.to_owned(),
    }
}

/// The letters of a campaign that are to be sent, each recipient's in their order.
fn waiting(member: &LetterBox<'_>) -> Result<Vec<QueuedLetter>, MaildirError> {
    let mut letters = Vec::new();
    let outboxes = member.directory.outboxes().unwrap_or_else(|error| {
        // They are looked at again in the next round.
        tracing::warn!(campaign = %member.name, "its letters can't be found: {error}");
        Vec::new()
    });
    for name in outboxes {
        let maildir = member.directory.outbox(&name);
        let mut entries = match maildir.unprocessed() {
            // What is no Maildir keeps no other letters from being sent.
            Err(MaildirError::Missing { .. }) => continue,
            entries => entries?,
        };
        let number =
            |entry: &MaildirEntry| MessageName::parse(&entry.key()).map(|name| name.number);
        entries.sort_by_cached_key(|entry| (number(entry), entry.key()));
        letters.extend(entries.into_iter().map(|entry| QueuedLetter {
            id: format!("{}/{name}/{}", member.name, entry.key()),
            to: name.clone(),
            maildir: maildir.clone(),
            entry,
        }));
    }
    Ok(letters)
}

/// How many letters of a campaign wait, and since when the oldest has waited.
pub(super) fn oldest(member: &LetterBox<'_>) -> Result<(usize, Option<Timestamp>), MaildirError> {
    let letters = waiting(member)?;
    let mut first: Option<Timestamp> = None;
    for letter in &letters {
        let at = letter.maildir.arrived(&letter.entry)?;
        first = first.into_iter().chain(at).min();
    }
    Ok((letters.len(), first))
}
