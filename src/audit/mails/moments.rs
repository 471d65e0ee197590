//! When letters were sent and came, against the moments of the beacon's rounds (dice.md, section
//! 5).

use std::collections::BTreeMap;

use super::{campaign::Audit, evidence::Moments};
use crate::dice::{Beacon, Entry, EntryBody, Source, Time, verify::Check};

impl Audit<'_> {
    /// The host's letters against the rounds that the seals name.
    pub(super) fn moments(&mut self) {
        let evidence = self.evidence;
        let mut entries: Vec<&Entry> = self.entries().collect();
        entries.sort_by_key(|entry| entry.n);
        let mut beacon: Option<&Beacon> = None;
        let mut rounds: BTreeMap<u32, Time> = BTreeMap::new();
        for entry in entries {
            let moments = evidence.moments.get(&entry.n).copied().unwrap_or_default();
            match &entry.body {
                EntryBody::Open(opening) => beacon = opening.sources.iter().find_map(beacon_of),
                EntryBody::Seal(seal) => {
                    if let Some((beacon, round)) = beacon.zip(seal.round) {
                        let moment = beacon.time_of(round);
                        rounds.insert(seal.envelope, moment);
                        self.seal_came(seal.envelope, moments, moment);
                    }
                }
                EntryBody::Dice(dice) => {
                    if let Some(moment) = rounds.get(&dice.envelope) {
                        self.dice_were_sent(entry, moments, *moment);
                    }
                }
                EntryBody::Note(_) | EntryBody::End(_) => {}
            }
        }
    }

    /// Notes when a seal reached its reader. After the round's moment it proves nothing to this
    /// reader, because its sender may have known the dice.
    fn seal_came(&mut self, envelope: u32, moments: Moments, moment: Time) {
        let why = match moments.came {
            Some(came) if came < moment => return,
            Some(came) => format!(
                "it came at {came}, and its round's moment was {moment}: it proves nothing to its reader; another \
                 player's copy may"
            ),
            None => format!(
                "no `Received` line says when it came; it must be before its round's moment, {moment}"
            ),
        };
        self.report
            .unproven
            .push(format!("seal of envelope {envelope}: {why}"));
    }

    /// Notes when dice were sent. Nobody has the value of a round before its moment. The host's own
    /// time convicts it; a reader's server may have a slow clock.
    fn dice_were_sent(&mut self, entry: &Entry, moments: Moments, moment: Time) {
        let heading = entry.heading();
        if let Some(sent) = moments.sent.filter(|sent| *sent < moment) {
            let expected = format!("a letter from {moment} on, the moment of its round");
            let found = format!("one of {sent}");
            self.wrong(Check::Round, heading, expected, found, Vec::new());
        } else if let Some(came) = moments.came.filter(|came| *came < moment) {
            self.report.unproven.push(format!(
                "`{heading}` came at {came}, and the moment of its round is {moment}: one of the clocks is wrong"
            ));
        }
    }
}

fn beacon_of(source: &Source) -> Option<&Beacon> {
    match source {
        Source::Drand(beacon) => Some(beacon),
        _ => None,
    }
}
