//! An audit's report: what was checked, what stays unproven, what nobody could check, what is
//! wrong. Verdict and summary come from these alone.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt::Display,
};

use serde::{Serialize, Serializer};

use super::statistics::Count;
use crate::dice::verify::{Check, SkipReason, Verdict, VerifyReport as Verified};

/// The findings of an audit of one campaign. `W` is how it names a difference.
#[derive(Clone, Debug)]
pub struct AuditReport<W = String> {
    /// The campaign.
    pub campaign: String,
    /// The amount that was checked.
    pub tally: AuditTally,
    /// Checks made, one line each.
    pub checked: Vec<String>,
    /// Claims that should have been proven by what was read, but were not; one line each.
    pub unproven: Vec<String>,
    /// Claims that can't be checked from it, and why.
    pub unchecked: Vec<String>,
    /// Differences, in order; empty if all is well.
    pub wrong: Vec<W>,
    /// Faces and sums of the dice that are known.
    pub statistics: Vec<Count>,
}

/// The amount that was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AuditTally {
    /// Inputs of the journal that were worked off again, to the same end.
    pub inputs: u64,
    /// Entries of the register with a right head.
    pub entries: u64,
    /// Rolls that were derived again.
    pub rolls: u64,
    /// Texts that have the digest in the register.
    pub texts: u64,
}

impl AuditTally {
    fn all(self) -> u64 {
        let Self {
            inputs,
            entries,
            rolls,
            texts,
        } = self;
        inputs + entries + rolls + texts
    }
}

impl Display for AuditTally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kinds = [
            (
                self.inputs,
                "input worked off again",
                "inputs worked off again",
            ),
            (self.entries, "register entry", "register entries"),
            (self.rolls, "roll derived again", "rolls derived again"),
            (self.texts, "bound text", "bound texts"),
        ];
        let there = kinds.into_iter().filter(|(count, ..)| *count > 0);
        let words: Vec<String> = there
            .map(|(count, one, more)| format!("{count} {}", if count == 1 { one } else { more }))
            .collect();
        match words.split_last() {
            None => f.write_str("nothing was checked"),
            Some((last, [])) => write!(f, "{last} checked"),
            Some((last, before)) => write!(f, "{} and {last} checked", before.join(", ")),
        }
    }
}

impl<W> AuditReport<W> {
    /// A report that says nothing yet.
    pub(super) fn of(campaign: String) -> Self {
        Self {
            campaign,
            tally: AuditTally::default(),
            checked: Vec::new(),
            unproven: Vec::new(),
            unchecked: Vec::new(),
            wrong: Vec::new(),
            statistics: Vec::new(),
        }
    }

    /// The verdict that follows from the findings.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.wrong.len(), self.unproven.len(), self.tally.all())
    }

    /// Adds what the verification of the dice checked, and what it left out.
    pub(super) fn take(&mut self, found: &Verified) {
        let passed = |check: Check| found.passed.get(&check).copied().unwrap_or(0);
        self.tally.entries += passed(Check::Head);
        self.tally.rolls += passed(Check::Roll);
        self.tally.texts += passed(Check::Digest);
        self.unproven.extend(left_out(found, SkipReason::Unproven));
        self.unchecked.extend(left_out(found, SkipReason::Hidden));
    }
}

impl<W: Display> AuditReport<W> {
    /// A sentence on what was checked, and what was not.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self {
            campaign, tally, ..
        } = self;
        let found = match self.verdict() {
            Verdict::Fits => "everything fits".to_owned(),
            Verdict::Incomplete => match self.unproven.first() {
                Some(first) => format!(
                    "incomplete: {}, the first: {first}",
                    counted(
                        self.unproven.len(),
                        "thing is unproven",
                        "things are unproven"
                    )
                ),
                None => "incomplete".to_owned(),
            },
            Verdict::Wrong => format!(
                "something does not fit: {}{}",
                counted(self.wrong.len(), "thing is wrong", "things are wrong"),
                self.wrong
                    .first()
                    .map_or_else(String::new, |first| format!(", the first: {first}"))
            ),
        };
        let left = match self.unchecked.len() {
            0 => "nothing left out".to_owned(),
            left => format!("{left} left out, as nobody can check them from this"),
        };
        format!("{campaign}: {found}; {tally}, {left}")
    }
}

fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

impl<W: Display + Serialize> Serialize for AuditReport<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct ReportDocument<'a, W> {
            campaign: &'a str,
            verdict: Verdict,
            summary: String,
            tally: AuditTally,
            checked: &'a [String],
            unproven: &'a [String],
            unchecked: &'a [String],
            wrong: &'a [W],
            statistics: &'a [Count],
        }
        ReportDocument {
            campaign: &self.campaign,
            verdict: self.verdict(),
            summary: self.summary(),
            tally: self.tally,
            checked: &self.checked,
            unproven: &self.unproven,
            unchecked: &self.unchecked,
            wrong: &self.wrong,
            statistics: &self.statistics,
        }
        .serialize(serializer)
    }
}

/// Lines for what a verification left out for this cause. Many envelopes share a reason, so there
/// is one line for all whose reasons differ in numbers alone.
fn left_out(found: &Verified, why: SkipReason) -> Vec<String> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    let mut places: HashMap<(Check, String), usize> = HashMap::new();
    for left in found.unchecked.iter().filter(|left| left.why == why) {
        let kind = left
            .reason
            .replace(|letter: char| letter.is_ascii_digit(), "");
        match places.entry((left.what, kind)) {
            Entry::Occupied(place) => lines[*place.get()].1 += 1,
            Entry::Vacant(place) => {
                place.insert(lines.len());
                lines.push((left.to_string(), 0));
            }
        }
    }
    let line = |(line, more): (String, usize)| match more {
        0 => line,
        more => format!("{line} (and {more} more like it)"),
    };
    lines.into_iter().map(line).collect()
}
