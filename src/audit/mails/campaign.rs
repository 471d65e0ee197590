//! The audit of one campaign as its mails show it.

use std::collections::{HashMap, HashSet};

use super::{
    MailsReport, Mismatch, bundle,
    evidence::{DamagedBlock, Evidence, Testimony},
    texts::QuotedReceipt,
};
use crate::{
    audit::statistics,
    dice::{
        self, CampaignName, Entry, EntryBody, hash,
        verify::{Check, Effort, VerifyReport as Verified},
    },
};

/// The audit of one campaign.
pub(super) struct Audit<'a> {
    campaign: &'a CampaignName,
    pub(super) evidence: &'a Evidence,
    pub(super) report: MailsReport,
}

impl<'a> Audit<'a> {
    pub(super) fn new(campaign: &'a CampaignName, evidence: &'a Evidence) -> Self {
        let report = MailsReport::of(campaign.to_string());
        Self {
            campaign,
            evidence,
            report,
        }
    }

    /// All checks, within an effort that all campaigns share.
    pub(super) fn run(mut self, effort: &mut Effort) -> MailsReport {
        let (mails, letters) = self.evidence.mails;
        self.report.checked.push(format!("mails: {mails} of this campaign, {letters} of them letters of the host as they were sent"));
        self.damaged();
        let bundle = bundle::of(self.campaign, self.evidence);
        let found = dice::verify::within(&bundle, effort);
        self.register(&found);
        self.contradictions();
        self.feet();
        self.receipts();
        self.bodies(&bundle);
        self.verified(&found);
        self.moments();
        self.letters();
        self.report
            .unchecked
            .extend(self.evidence.hearsay.0.iter().cloned());
        self.hidden();
        self.report.statistics = statistics::count(self.lines());
        self.report
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &'a Entry> {
        self.evidence.entries.iter().map(|said| &said.what)
    }

    /// The rolls that are known: the open ones, and those of private blocks.
    fn lines(&self) -> impl Iterator<Item = &'a dice::LedgerLine> {
        let open = self.entries().filter_map(|entry| match &entry.body {
            EntryBody::Dice(dice) => Some(&dice.rolls),
            _ => None,
        });
        let own = self.evidence.private.iter().map(|said| &said.what.rolls);
        open.chain(own).flatten()
    }

    pub(super) fn wrong(
        &mut self,
        check: Check,
        place: impl ToString,
        expected: impl ToString,
        found: impl ToString,
        mails: Vec<String>,
    ) {
        self.report.wrong.push(Mismatch {
            check: check.to_string(),
            place: place.to_string(),
            expected: expected.to_string(),
            found: found.to_string(),
            mails,
        });
    }

    /// Notes an entry that can't be read or is of an unknown type. It is wrong in a letter of the
    /// host, and an unknown type is wrong wherever it counts. Elsewhere it is a damaged copy, which
    /// does no harm if another copy can be read.
    fn damaged(&mut self) {
        let evidence = self.evidence;
        let (_, letters) = evidence.mails;
        let whole: HashSet<String> = self.entries().map(Entry::heading).collect();
        for Testimony { what, mail, letter } in &evidence.damaged {
            let DamagedBlock {
                heading,
                problem,
                unknown_type,
            } = what;
            let line = format!("`{heading}` in {mail}: a damaged copy, {problem}");
            if *letter || (*unknown_type && letters == 0) {
                let expected = "a well-formed block";
                self.wrong(Check::Entry, heading, expected, problem, vec![mail.clone()]);
            } else if letters > 0 || whole.contains(heading) {
                self.report.unchecked.push(line);
            } else {
                self.report.unproven.push(line);
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

    /// Entries of other mails beside a letter's entry of the same number. Who wrote them is for
    /// people to find out.
    fn contradictions(&mut self) {
        let mut contradicting: Vec<&Testimony<Entry>> =
            self.evidence.contradicting.iter().collect();
        contradicting.sort_by_key(|said| said.what.n);
        let mut own: HashMap<u32, &Testimony<Entry>> = HashMap::new();
        for said in &self.evidence.entries {
            own.entry(said.what.n).or_insert(said);
        }
        for Testimony { what, mail, .. } in contradicting {
            let Some(own) = own.get(&what.n) else {
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
        for Testimony {
            what:
                QuotedReceipt {
                    receipt,
                    texts,
                    letter: whole,
                },
            mail,
            letter,
        } in &self.evidence.receipts
        {
            let is_empty = texts.is_empty() && receipt.is_for("");
            if let (Some(named), Some(whole)) = (receipt.letter, whole)
                && named != *whole
            {
                self.wrong(
                    Check::Receipt,
                    receipt,
                    format!("the digest of the letter in which it stands, {whole}"),
                    named,
                    vec![mail.clone()],
                );
            } else if is_empty || texts.iter().any(|text| receipt.is_for(text)) {
                right += 1;
            } else if let (true, Some(text)) = (*letter, texts.first()) {
                let place = receipt.to_string();
                self.wrong(
                    Check::Receipt,
                    place,
                    format!("the digest of the words in it, {}", hash(text)),
                    receipt.words,
                    vec![mail.clone()],
                );
            } else {
                self.report.unproven.push(format!(
                    "`{receipt}` in {mail}: its words are not there as they were sent"
                ));
            }
        }
        if !self.evidence.receipts.is_empty() {
            self.report.checked.push(format!(
                "receipts: {right} have the digests of the words that they quote and of the letters in which they stand"
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

    /// Reports in its own words what the verification of the dice found.
    fn verified(&mut self, found: &Verified) {
        let has_rounds = self
            .entries()
            .any(|entry| matches!(&entry.body, EntryBody::Seal(seal) if seal.round.is_some()));
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
            self.wrong(
                finding.what,
                &finding.place,
                &finding.expected,
                &finding.found,
                Vec::new(),
            );
        }
        self.report.take(found);
    }

    /// Lists what mails alone can never show.
    fn hidden(&mut self) {
        let ended = self
            .entries()
            .any(|entry| matches!(entry.body, EntryBody::End(_)));
        self.report.unchecked.push(if ended {
            "hidden rolls, the journal, and whether these labels were the right ones to roll: audit the bundle of the campaign's end".to_owned()
        } else {
            "hidden rolls and the codes of receipts: their keys are published at the end".to_owned()
        });
    }
}

/// The meaning of a number of passed checks, for the kinds that a reader wants to know of.
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
        Check::Letter => "letters are those that a dispatch binds",
        Check::Receipt => "forms, numbers and codes of receipts are right",
        Check::LastReceipt => "seals hold the orders of the last receipt",
        Check::Entry
        | Check::Head
        | Check::Opening
        | Check::Source
        | Check::Ledger
        | Check::OpenRolls => return None,
    })
}
