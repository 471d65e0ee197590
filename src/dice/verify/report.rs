//! The report of an audit.

use std::{collections::BTreeMap, fmt};

use super::verdict::{SkipReason, Verdict};
use crate::dice::ledger::LedgerLine;

/// The kinds of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// A register entry is well formed.
    Entry,
    /// Entries are numbered 1, 2, 3 ...
    Number,
    /// `prev` is the head of the entry before.
    Prev,
    /// `head` is the hash of the lines above.
    Head,
    /// An opening has all anchors and a true source.
    Opening,
    /// Envelopes are sealed 1, 2, 3 ... and each is rolled once, with all its lines.
    Envelope,
    /// The beacon's round is the one that the seal fixes.
    Round,
    /// Every source of the opening has spoken.
    Source,
    /// The beacon's signature is genuine.
    Signature,
    /// A witness's token hashes down to the anchor.
    Token,
    /// The published master gives the anchors of the opening.
    Anchor,
    /// A revealed key hashes down to the anchor.
    Key,
    /// A line of the ledger is well formed.
    Ledger,
    /// A roll comes from its key.
    Roll,
    /// The repeats `#k` of a label have no gap.
    Repeat,
    /// Register and ledger have the same open rolls.
    OpenRolls,
    /// A blinded digest belongs to its text.
    Digest,
    /// A letter is the one that a list binds.
    Letter,
    /// A receipt is well formed, numbered without gaps, and its code is the umpire's.
    Receipt,
    /// The last receipt of a seat is for the orders that were sealed.
    LastReceipt,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entry => "entry form",
            Self::Number => "entry number",
            Self::Prev => "entry chain",
            Self::Head => "entry head",
            Self::Opening => "opening",
            Self::Envelope => "envelope",
            Self::Round => "beacon round",
            Self::Source => "source",
            Self::Signature => "beacon signature",
            Self::Token => "witness token",
            Self::Anchor => "anchor",
            Self::Key => "key",
            Self::Ledger => "ledger form",
            Self::Roll => "roll",
            Self::Repeat => "repeat number",
            Self::OpenRolls => "open rolls",
            Self::Digest => "digest",
            Self::Letter => "letter",
            Self::Receipt => "receipt",
            Self::LastReceipt => "last receipt",
        })
    }
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check that failed.
    pub what: Check,
    /// Where: an entry, a line, an envelope.
    pub place: String,
    /// The text that should be there.
    pub expected: String,
    /// The text that is there.
    pub found: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            place,
            expected,
            found,
        } = self;
        write!(f, "{what}, {place}: expected {expected}, found {found}")
    }
}

/// A check that could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedCheck {
    /// The check that was skipped.
    pub what: Check,
    /// The place concerned.
    pub place: String,
    /// The reason, in words.
    pub reason: String,
    /// Why, for the verdict.
    pub why: SkipReason,
}

impl fmt::Display for SkippedCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {}: not checked, as {}",
            self.what, self.place, self.reason
        )
    }
}

/// The results of an audit: faults, skipped checks, passed checks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Faults. Empty for a sound campaign.
    pub findings: Vec<Finding>,
    /// Checks that could not be made.
    pub unchecked: Vec<SkippedCheck>,
    /// How many checks of each kind passed.
    pub passed: BTreeMap<Check, u64>,
    /// The rolls that were looked at: those of the ledger, or else those that the register shows.
    pub rolls: Vec<LedgerLine>,
}

impl VerifyReport {
    /// How many checks passed.
    #[must_use]
    pub fn passes(&self) -> u64 {
        self.passed.values().sum()
    }

    /// The verdict that follows.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let unproven = |left: &&SkippedCheck| left.why == SkipReason::Unproven;
        let unproven = self.unchecked.iter().filter(unproven).count();
        Verdict::of(self.findings.len(), unproven, self.passes())
    }

    pub(super) fn pass(&mut self, what: Check) {
        *self.passed.entry(what).or_default() += 1;
    }

    pub(super) fn finding(
        &mut self,
        what: Check,
        place: impl fmt::Display,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) {
        let (place, expected, found) = (place.to_string(), expected.to_string(), found.to_string());
        self.findings.push(Finding {
            what,
            place,
            expected,
            found,
        });
    }

    /// Notes a check that nobody with such texts could make.
    pub(super) fn hidden(
        &mut self,
        what: Check,
        place: impl fmt::Display,
        reason: impl fmt::Display,
    ) {
        self.skip(SkipReason::Hidden, what, place, reason);
    }

    /// Notes a check that these texts should have allowed.
    pub(super) fn unproven(
        &mut self,
        what: Check,
        place: impl fmt::Display,
        reason: impl fmt::Display,
    ) {
        self.skip(SkipReason::Unproven, what, place, reason);
    }

    pub(super) fn skip(
        &mut self,
        why: SkipReason,
        what: Check,
        place: impl fmt::Display,
        reason: impl fmt::Display,
    ) {
        self.unchecked.push(SkippedCheck {
            what,
            place: place.to_string(),
            reason: reason.to_string(),
            why,
        });
    }

    /// Passes if the two are equal, and returns true; otherwise makes a finding.
    pub(super) fn compare<T: PartialEq + fmt::Display + ?Sized>(
        &mut self,
        what: Check,
        place: impl fmt::Display,
        expected: &T,
        found: &T,
    ) -> bool {
        let equal = expected == found;
        if equal {
            self.pass(what)
        } else {
            self.finding(what, place, expected, found)
        }
        equal
    }

    /// Passes if the condition holds, and returns true; otherwise makes a finding.
    pub(super) fn require(
        &mut self,
        what: Check,
        holds: bool,
        place: impl fmt::Display,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> bool {
        if holds {
            self.pass(what)
        } else {
            self.finding(what, place, expected, found)
        }
        holds
    }
}
