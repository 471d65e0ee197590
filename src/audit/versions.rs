//! The share that other versions of the program have in a campaign. Worlds, phases, dice and
//! bindings are the campaign's, and are checked whichever version did the work; the words and
//! layout of letters are the program's. So letters of another version are not written again, but
//! compared with their digests on record.

use std::collections::BTreeMap;

use super::AuditReport;
use crate::{
    campaign::{
        durable::CampaignError,
        model::{
            context::Context,
            events::{Done, Event, LetterRecord},
            recipient::Recipient,
            version::Version,
        },
        post::on_record::{self, OnRecord},
    },
    dice::{BoundText, CampaignName, Digest as Bound, EntryBody},
    ids::SeatId,
    mail,
    store::Record,
};

/// The work of other versions, by version; none for records that name none.
#[derive(Debug, Default)]
pub(super) struct Others(BTreeMap<Option<Version>, Share>);

/// One version's share of the work.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    inputs: usize,
    /// The first record that it closed, and the last one.
    records: (u64, u64),
    /// Letters in the outboxes that match their record.
    same: usize,
    /// Letters that lie there and have no digest on record that says all of them.
    unbound: usize,
    /// Letters that were taken away.
    gone: usize,
}

impl Others {
    /// Notes that the record `n` is the work of another version.
    pub(super) fn did(&mut self, n: u64, done: &Done) {
        let share = self.share(done);
        share.inputs += 1;
        let (first, last) = &mut share.records;
        (*first, *last) = (if *first == 0 { n } else { *first }, n);
    }

    /// Compares one of its letters with the one in the outbox; none if that was taken away.
    ///
    /// # Errors
    /// If the letters differ.
    pub(super) fn letter(
        &mut self,
        campaign: &CampaignName,
        (n, done): (u64, &Done),
        written: &LetterRecord,
        sent: Option<&[u8]>,
    ) -> Result<(), CampaignError> {
        let share = self.share(done);
        match sent.map(|sent| on_record::compare(campaign, written, sent)) {
            None => share.gone += 1,
            Some(OnRecord::Same) => share.same += 1,
            Some(OnRecord::Unbound) => share.unbound += 1,
            Some(OnRecord::Another) => {
                return Err(CampaignError::Differs {
                    n,
                    what: "a letter in an outbox",
                    found: format!(
                        "{} to {} with the digest on record",
                        written.message_id, written.to
                    ),
                    recorded: "one with another digest".to_owned(),
                });
            }
        }
        Ok(())
    }

    fn share(&mut self, done: &Done) -> &mut Share {
        self.0.entry(done.version.clone()).or_default()
    }

    /// Reports which records are theirs, and what was checked of them.
    pub(super) fn say(&self, running: &Version, report: &mut AuditReport) {
        for (version, share) in &self.0 {
            let Share {
                inputs,
                records: (first, last),
                same,
                unbound,
                gone,
            } = share;
            let version = named(version.as_ref());
            report.checked.push(format!(
                "letters of {version}: {same} lie in the outboxes with the digests that are on record"
            ));
            let letters = same + unbound + gone;
            let mut line = format!(
                "whether the {letters} letters of {inputs} inputs (records {first} to {last}) say what {version} makes of the \
                 campaign: this is {running}, which may write letters differently, so they were compared with their digests \
                 alone; worlds, phases, dice and bindings were checked as those of all records"
            );
            for (count, why) in [
                (gone, "are no longer in the outboxes"),
                (unbound, "have a picture and are not bound by the register"),
            ] {
                if *count > 0 {
                    line.push_str(&format!("; {count} {why} and could not be compared"));
                }
            }
            report.unchecked.push(line);
        }
    }
}

/// A version for people.
fn named(version: Option<&Version>) -> String {
    version.map_or_else(
        || "an unknown version".to_owned(),
        |version| format!("version {version}"),
    )
}

/// A dispatch of another version, whose words a dice entry binds.
pub(super) struct BoundWords {
    seat: SeatId,
    envelope: u32,
    digest: Bound,
    /// The path of its item.
    pub path: String,
}

impl BoundWords {
    /// The dispatches that the dice entry of a record binds.
    pub(super) fn of(name: &CampaignName, done: &Done) -> Vec<Self> {
        let mut dispatches = Vec::new();
        for entry in done.entries.iter().filter(|entry| entry.campaign == *name) {
            let EntryBody::Dice(dice) = &entry.body else {
                continue;
            };
            let bound = dice.binds.iter().filter_map(|(what, digest)| match what {
                BoundText::Dispatch(seat) => Some(Self {
                    seat: seat.clone(),
                    envelope: dice.envelope,
                    digest: *digest,
                    path: what.item(dice.envelope)?,
                }),
                _ => None,
            });
            dispatches.extend(bound);
        }
        dispatches
    }

    /// The words to say so, for findings in this letter.
    pub(super) fn in_letter(
        &self,
        context: &Context,
        to: &Recipient,
        sent: &[u8],
    ) -> Option<String> {
        if to.seat() != Some(&self.seat) {
            return None;
        }
        let text = mail::contents(sent)?.text;
        // An empty line stands between the words and what proves them, and in the words, too.
        let mut ends = text.match_indices("\n\n").map(|(at, _)| at + 1);
        let is_bound = |words| self.binds(context, words);
        let end = ends.find(|end| text.get(..*end).is_some_and(is_bound))?;
        text.get(..end).map(str::to_owned)
    }

    /// Returns true if these are the words: none at all if the seat was passed over.
    pub(super) fn binds(&self, context: &Context, words: &str) -> bool {
        let what = BoundText::Dispatch(self.seat.clone());
        let found = (context.chains(self.envelope)).digest(self.envelope, &what, words);
        found.is_ok_and(|found| found == self.digest)
    }
}

/// Names the other versions that worked off some of these records, which may explain a difference.
pub(super) fn to_blame(records: &[Record<Event>], running: &Version) -> Option<String> {
    let versions = records.iter().filter_map(|record| match &record.event {
        Event::Done(done) if !done.is_by(running) => Some(done.version.as_ref()),
        _ => None,
    });
    let mut others: Vec<String> = Vec::new();
    for version in versions.map(named) {
        if !others.contains(&version) {
            others.push(version);
        }
    }
    if others.is_empty() {
        return None;
    }
    Some(format!(
        "whether the version is to blame: records were made by {}, and this is version {}; audit with the version that made \
         them before you blame anybody",
        others.join(", "),
        running
    ))
}
