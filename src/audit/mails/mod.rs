//! The audit of one player's mails: a folder of mails and nothing else (dice.md, section 10).
//!
//! Only letters of the host as they were sent count. Other mails, such as quotations and what other
//! players passed on, count as pasted text where there are no letters at all; beside letters they
//! are hearsay (the module of that name). The work grows with the length of the mails, not with the
//! number of campaigns that they name.

mod bundle;
mod campaign;
mod evidence;
mod feet;
mod heads;
mod hearsay;
mod letters;
mod moments;
mod places;
mod texts;

use std::{cmp::Reverse, path::Path};

use serde::{Serialize, Serializer};

use self::{campaign::Audit, evidence::Evidence};
use super::Progress;
use crate::{
    dice::{
        CampaignName,
        verify::{Effort, Verdict},
    },
    mail::{Archive, ArchiveError, ArchivedMail},
};

/// The report on one campaign, from mails alone.
pub type MailsReport = super::AuditReport<Mismatch>;

/// Reports of more campaigns than this are counted but not kept: nobody plays that many, and
/// anybody can write a register that names thousands.
pub const MOST_REPORTS: usize = 100;

/// The findings in a folder of mails.
#[derive(Clone, Debug, Default)]
pub struct Mails {
    /// The number of mails.
    pub mails: usize,
    /// Files that are no mails.
    pub passed_over: Vec<String>,
    /// A report for each campaign with register entries, up to [`MOST_REPORTS`]: those with letters
    /// of the host and those with the worst verdicts come first.
    pub campaigns: Vec<MailsReport>,
    /// Campaigns that were audited like the others, and whose reports are not kept.
    pub further: OtherCampaigns,
}

/// The verdicts on campaigns whose reports are not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OtherCampaigns {
    /// Campaigns in which everything fits.
    pub fits: usize,
    /// Campaigns in which something is unproven.
    pub incomplete: usize,
    /// Something does not fit.
    pub wrong: usize,
}

/// A difference between the content of mails and what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The kind of check.
    pub check: String,
    /// The line, entry or text.
    pub place: String,
    /// The text that should be there.
    pub expected: String,
    /// The text that is there.
    pub found: String,
    /// The mails in which the place is found, as far as that is known.
    pub mails: Vec<String>,
}

impl std::fmt::Display for Mismatch {
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

impl OtherCampaigns {
    /// The number of campaigns.
    #[must_use]
    pub fn all(&self) -> usize {
        self.fits + self.incomplete + self.wrong
    }

    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Fits => self.fits += 1,
            Verdict::Incomplete => self.incomplete += 1,
            Verdict::Wrong => self.wrong += 1,
        }
    }

    /// The worst verdict among the findings, if there are any.
    fn worst(&self) -> Option<Verdict> {
        let there = [
            (self.wrong, Verdict::Wrong),
            (self.incomplete, Verdict::Incomplete),
            (self.fits, Verdict::Fits),
        ];
        let mut there = there.into_iter().filter(|(count, _)| *count > 0);
        there.next().map(|(_, verdict)| verdict)
    }
}

impl std::fmt::Display for OtherCampaigns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            fits,
            incomplete,
            wrong,
        } = self;
        let more = self.all();
        write!(
            f,
            "these mails name {more} campaigns more than are shown, and nobody plays so many: {wrong} wrong, {incomplete} \
             incomplete, {fits} that fit"
        )
    }
}

impl Mails {
    /// The worst verdict of all campaigns. Without any campaign, nothing was checked.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.campaigns.iter().map(MailsReport::verdict);
        let worst = verdicts.chain(self.further.worst()).max();
        worst.unwrap_or(Verdict::Incomplete)
    }
}

impl Serialize for Mails {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct MailsDocument<'a> {
            verdict: Verdict,
            mails: usize,
            passed_over: &'a [String],
            campaigns: &'a [MailsReport],
            further: OtherCampaigns,
        }
        MailsDocument {
            verdict: self.verdict(),
            mails: self.mails,
            passed_over: &self.passed_over,
            campaigns: &self.campaigns,
            further: self.further,
        }
        .serialize(serializer)
    }
}

/// Audits all mails in a file or below a folder.
///
/// # Errors
/// If the file or folder can't be read. Differences are no errors, but part of the reports.
pub fn mails(path: &Path) -> Result<Mails, ArchiveError> {
    mails_watched(path, &mut |_, _| {})
}

/// Audits mails like `mails`, with an onlooker who watches the reading.
///
/// # Errors
/// As [`mails`].
pub fn mails_watched(path: &Path, progress: Progress<'_>) -> Result<Mails, ArchiveError> {
    let archive = Archive::read_watched(path, progress)?;
    let (campaigns, further) = reports(&archive.mails);
    Ok(Mails {
        mails: archive.mails.len(),
        passed_over: archive.passed_over,
        campaigns,
        further,
    })
}

/// The reports of all campaigns in the order of their names, and the verdicts of those that are not
/// kept. The effort of hashing is shared: whose letters are among the mails comes first.
fn reports(mails: &[ArchivedMail]) -> (Vec<MailsReport>, OtherCampaigns) {
    let mut campaigns: Vec<(CampaignName, Evidence)> =
        evidence::gather(mails).into_iter().collect();
    campaigns.sort_by_key(|(_, evidence)| Reverse(evidence.has_letters()));
    let mut effort = Effort::whole();
    let mut kept: Vec<(bool, MailsReport)> = Vec::new();
    let mut further = OtherCampaigns::default();
    for (campaign, evidence) in campaigns {
        let report = Audit::new(&campaign, &evidence).run(&mut effort);
        kept.push((evidence.has_letters(), report));
        if kept.len() >= 2 * MOST_REPORTS {
            drop_least(&mut kept, &mut further);
        }
    }
    drop_least(&mut kept, &mut further);
    let mut reports: Vec<MailsReport> = kept.into_iter().map(|(_, report)| report).collect();
    reports.sort_by(|a, b| a.campaign.cmp(&b.campaign));
    places::find(&mut reports, mails);
    (reports, further)
}

/// Keeps the reports of campaigns with letters, and the worst of others.
fn drop_least(kept: &mut Vec<(bool, MailsReport)>, further: &mut OtherCampaigns) {
    kept.sort_by_key(|(has_letters, report)| Reverse((*has_letters, report.verdict())));
    for (_, report) in kept.drain(MOST_REPORTS.min(kept.len())..) {
        further.add(report.verdict());
    }
}
