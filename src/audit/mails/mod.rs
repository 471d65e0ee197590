//! The audit of what one player has: a folder of mails and nothing else (dice.md, section 10).
//!
//! What counts stands in letters of the host as they were sent. Other mails, quotations and what other players passed on,
//! count only where there are no letters at all, as pasted text; beside letters they are hearsay (the module of that name).

mod bundle;
mod evidence;
mod feet;
mod hearsay;

use std::path::Path;

use serde::Serialize;

use self::evidence::{Evidence, Said, Shown};
use super::{
    Progress,
    statistics::{self, Count},
};
use crate::{
    dice::{
        self, Body, CampaignName, Entry, Source, hash,
        verify::{Check, Report as Verified, Unchecked},
    },
    mail::{Archive, ArchiveError},
};

/// What was found in a folder of mails.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Mails {
    /// How many mails there are.
    pub mails: usize,
    /// Files that are no mails.
    pub passed_over: Vec<String>,
    /// One report for each campaign of which there are register entries.
    pub campaigns: Vec<Report>,
}

/// What the mails say of one campaign.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The campaign.
    pub campaign: String,
    /// What was checked, one line each.
    pub checked: Vec<String>,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
    /// What is wrong, the first thing first; empty if all is well.
    pub wrong: Vec<Wrong>,
    /// Faces and sums of the dice that are known.
    pub statistics: Vec<Count>,
}

/// Something that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrong {
    /// The kind of check.
    pub check: String,
    /// The line, entry or text.
    pub place: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// The mails in which the place is found, as far as it can be told.
    pub mails: Vec<String>,
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            check,
            place,
            expected,
            found,
            mails,
        } = self;
        write!(f, "{check}, {place}: expected {expected}, found {found}")?;
        if mails.is_empty() {
            Ok(())
        } else {
            write!(f, " (in {})", mails.join(", "))
        }
    }
}

impl Mails {
    /// Whether nothing is wrong in any campaign.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.campaigns.iter().all(|report| report.wrong.is_empty())
    }
}

/// Audits all mails in a file or below a folder.
///
/// # Errors
/// When the file or folder can't be read. What does not fit is no error but stands in the reports.
pub fn mails(path: &Path) -> Result<Mails, ArchiveError> {
    mails_watched(path, &mut |_, _| {})
}

/// The same, with somebody who watches the reading.
///
/// # Errors
/// As [`mails`].
pub fn mails_watched(path: &Path, progress: Progress<'_>) -> Result<Mails, ArchiveError> {
    let archive = Archive::read_watched(path, progress)?;
    let campaigns = evidence::campaigns(&archive.mails);
    let is_only = campaigns.len() == 1;
    let reports = campaigns.iter().map(|campaign| {
        let evidence = Evidence::gather(campaign, is_only, &archive.mails);
        Audit::new(campaign, &evidence, &archive).run()
    });
    Ok(Mails {
        mails: archive.mails.len(),
        campaigns: reports.collect(),
        passed_over: archive.passed_over,
    })
}

struct Audit<'a> {
    campaign: &'a CampaignName,
    evidence: &'a Evidence,
    archive: &'a Archive,
    report: Report,
}

impl<'a> Audit<'a> {
    fn new(campaign: &'a CampaignName, evidence: &'a Evidence, archive: &'a Archive) -> Self {
        let report = Report {
            campaign: campaign.to_string(),
            ..Report::default()
        };
        Self {
            campaign,
            evidence,
            archive,
            report,
        }
    }

    fn run(mut self) -> Report {
        let (mails, letters) = self.evidence.mails;
        self.report.checked.push(format!("mails: {mails} of this campaign, {letters} of them letters of the host as they were sent"));
        self.damaged();
        let bundle = bundle::of(self.campaign, self.evidence);
        let found = dice::verify(&bundle);
        self.register(&found);
        self.contradictions();
        self.feet();
        self.receipts();
        self.bodies(&bundle);
        self.verified(&found);
        self.arrivals();
        self.report
            .unchecked
            .extend(self.evidence.hearsay.0.iter().cloned());
        self.hidden();
        self.report.statistics = statistics::count(self.lines());
        self.report
    }

    fn entries(&self) -> impl Iterator<Item = &'a Entry> {
        self.evidence.entries.iter().map(|said| &said.what)
    }

    /// The rolls that are known: the open ones, and those of private blocks.
    fn lines(&self) -> impl Iterator<Item = &'a dice::LedgerLine> {
        let open = self.entries().filter_map(|entry| match &entry.body {
            Body::Dice(dice) => Some(&dice.rolls),
            _ => None,
        });
        let own = self.evidence.private.iter().map(|said| &said.what.rolls);
        open.chain(own).flatten()
    }

    fn wrong(
        &mut self,
        check: Check,
        place: impl ToString,
        expected: impl ToString,
        found: impl ToString,
        mails: Vec<String>,
    ) {
        self.report.wrong.push(Wrong {
            check: check.to_string(),
            place: place.to_string(),
            expected: expected.to_string(),
            found: found.to_string(),
            mails,
        });
    }

    /// What can't be read is wrong in a letter of the host; in a quotation it is a damaged copy.
    fn damaged(&mut self) {
        for Said {
            what: (heading, problem),
            mail,
            letter,
        } in &self.evidence.damaged
        {
            if *letter {
                self.wrong(
                    Check::Entry,
                    heading,
                    "a well-formed block",
                    problem,
                    vec![mail.clone()],
                );
            } else {
                self.report
                    .unchecked
                    .push(format!("`{heading}` in {mail}: a damaged copy, {problem}"));
            }
        }
    }

    fn register(&mut self, found: &Verified) {
        let entries = found.passed.get(&Check::Head).copied().unwrap_or(0);
        let last = self.entries().map(|entry| entry.n).max().unwrap_or(0);
        self.report.checked.push(format!(
            "register: {entries} entries up to number {last}, each with a right head"
        ));
    }

    /// Entries of other mails beside a letter's entry of the same number. Who wrote them is for people to find out.
    fn contradictions(&mut self) {
        let mut contradicting: Vec<&Said<Entry>> = self.evidence.contradicting.iter().collect();
        contradicting.sort_by_key(|said| said.what.n);
        for Said { what, mail, .. } in contradicting {
            let own = self
                .evidence
                .entries
                .iter()
                .find(|own| own.what.n == what.n);
            let Some(own) = own else {
                continue;
            };
            self.wrong(
                Check::Number,
                what.heading(),
                format_args!("one entry with this number, head {}", own.what.head),
                format_args!(
                    "another one with it, head {}, in a mail that is no letter of the host: anybody may have written it",
                    what.head
                ),
                vec![own.mail.clone(), mail.clone()],
            );
        }
    }

    /// Each receipt's digest against the words that it quotes.
    fn receipts(&mut self) {
        let mut right = 0;
        for Said {
            what: Shown { receipt, texts },
            mail,
            letter,
        } in &self.evidence.receipts
        {
            if texts.iter().any(|text| receipt.is_for(text)) {
                right += 1;
            } else if let (true, Some(text)) = (*letter, texts.first()) {
                let place = receipt.to_string();
                self.wrong(
                    Check::Receipt,
                    place,
                    format!("the digest of the words in it, {}", hash(text)),
                    receipt.orders,
                    vec![mail.clone()],
                );
            } else {
                self.report.unchecked.push(format!(
                    "`{receipt}` in {mail}: its words are not there as they were sent"
                ));
            }
        }
        if !self.evidence.receipts.is_empty() {
            self.report.checked.push(format!(
                "receipts: {right} have the digest of the words that they quote"
            ));
        }
    }

    /// Copies of one dispatch must be alike: only the first is compared with its digest.
    fn bodies(&mut self, bundle: &dice::Bundle) {
        for ((envelope, seat), bodies) in &self.evidence.bodies {
            let path = format!("{envelope}/dispatch-{seat}.txt");
            let bound = bundle.items.get(&path);
            for other in bodies.iter().filter(|body| Some(&body.what) != bound) {
                let first: Vec<String> = bodies
                    .iter()
                    .take(1)
                    .map(|body| body.mail.clone())
                    .collect();
                let place = format!("envelope {envelope}, dispatch/{seat}");
                self.wrong(
                    Check::Digest,
                    place,
                    format!("the text that stands in {}", first.join("")),
                    "another text",
                    vec![other.mail.clone()],
                );
            }
        }
    }

    /// What the verification of the dice found, in the words of this report.
    fn verified(&mut self, found: &Verified) {
        let has_rounds = self
            .entries()
            .any(|entry| matches!(&entry.body, Body::Seal(seal) if seal.round.is_some()));
        for (check, passed) in &found.passed {
            if *check == Check::Round && !has_rounds {
                continue;
            }
            if let Some(what) = what_passed(*check) {
                self.report
                    .checked
                    .push(format!("{check}: {passed} {what}"));
            }
        }
        for finding in &found.findings {
            let mails = self.mails_with(&finding.place);
            self.wrong(
                finding.what,
                &finding.place,
                &finding.expected,
                &finding.found,
                mails,
            );
        }
        // Many envelopes have the same reason: one line for all whose reasons differ in numbers alone.
        let mut alike: Vec<(Check, String, &Unchecked, usize)> = Vec::new();
        for left in &found.unchecked {
            let kind = left
                .reason
                .replace(|letter: char| letter.is_ascii_digit(), "");
            match alike
                .iter_mut()
                .find(|(check, known, ..)| *check == left.what && *known == kind)
            {
                Some((.., more)) => *more += 1,
                None => alike.push((left.what, kind, left, 0)),
            }
        }
        for (.., left, more) in alike {
            let more = if more > 0 {
                format!(" (and {more} more like it)")
            } else {
                String::new()
            };
            self.report.unchecked.push(format!("{left}{more}"));
        }
    }

    /// The mails in which a finding's place stands: a line that begins with it, or an entry with this first line.
    fn mails_with(&self, place: &str) -> Vec<String> {
        let entry = place.split(", ").next().unwrap_or(place);
        let begins = |line: &str| {
            let rest = line.trim_start_matches(['>', ' ']).strip_prefix(entry);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let has = |text: &String| text.lines().any(begins);
        let mails = self
            .archive
            .mails
            .iter()
            .filter(|mail| has(&mail.text) || mail.attached.iter().any(has));
        mails.map(|mail| mail.name.clone()).take(4).collect()
    }

    /// A seal that reached its reader after the round's moment proves nothing to this reader.
    fn arrivals(&mut self) {
        let mut beacon = None;
        let mut late = Vec::new();
        for entry in self.entries() {
            match &entry.body {
                Body::Open(opening) => {
                    beacon = opening.sources.iter().find_map(|source| match source {
                        Source::Drand(beacon) => Some(beacon),
                        _ => None,
                    })
                }
                Body::Seal(seal) => {
                    let moment = beacon
                        .zip(seal.round)
                        .map(|(beacon, round)| beacon.moment_of(round));
                    let Some(moment) = moment.and_then(|moment| i64::try_from(moment).ok()) else {
                        continue;
                    };
                    match self.evidence.arrived.get(&entry.n) {
                        Some(at) if at.unix() < moment => {}
                        Some(at) => late.push(format!("seal of envelope {}: it came at {at}, after its round's moment, and proves nothing to its reader; another player's copy may", seal.envelope)),
                        None => late.push(format!("seal of envelope {}: no `Received` line says when it came; it must be before its round's moment", seal.envelope)),
                    }
                }
                _ => {}
            }
        }
        self.report.unchecked.extend(late);
    }

    /// What mails alone never show.
    fn hidden(&mut self) {
        let ended = self
            .entries()
            .any(|entry| matches!(entry.body, Body::End(_)));
        self.report.unchecked.push(if ended {
            "hidden rolls, the journal, and whether these labels were the right ones to roll: audit the bundle of the campaign's end".to_owned()
        } else {
            "hidden rolls and the codes of receipts: their keys are published at the end".to_owned()
        });
    }
}

/// What the number of passed checks means, for the kinds that a reader wants to know of.
fn what_passed(check: Check) -> Option<&'static str> {
    Some(match check {
        Check::Number => "entries with the number after the one before",
        Check::Prev => "entries bound to the one before",
        Check::Envelope => "rules of sealing and rolling kept",
        Check::Round => "rounds are those that the seals fix",
        Check::Signature => "signatures of the beacon are genuine",
        Check::Token => "tokens reach the witness's anchor",
        Check::Anchor => "anchors come from the published master",
        Check::Key => "revealed keys reach their anchors",
        Check::Roll => "rolls derived again",
        Check::Repeat => "rolls numbered without a gap",
        Check::Digest => "digests belong to their texts",
        Check::Receipt => "numbers and codes of receipts are right",
        Check::LastReceipt => "seals hold the orders of the last receipt",
        Check::Entry
        | Check::Head
        | Check::Opening
        | Check::Source
        | Check::Ledger
        | Check::OpenRolls => return None,
    })
}
