//! Compares kept letters with their digests in the journal: only the version that wrote a letter
//! can write it again.

use super::sheet;
use crate::{
    campaign::model::events::LetterRecord,
    dice::{self, CampaignName},
    digest::Digest,
    mail::{self, FileContent, MailContents},
};

/// The result of comparing a letter with its digest on record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnRecord {
    /// The digests agree.
    Same,
    /// The letter has a picture and the register does not bind it: nothing on record describes it.
    Unbound,
    /// The digests differ.
    Another,
}

/// Compares a letter with the one on record. The journal's digest has the source of each picture in
/// the picture's place, so a letter with pictures is recognised by its sheet, which the register
/// binds.
#[must_use]
pub fn compare(campaign: &CampaignName, written: &LetterRecord, sent: &[u8]) -> OnRecord {
    if Digest::of(sent) == written.digest {
        return OnRecord::Same;
    }
    let Some(contents) = mail::contents(sent) else {
        return OnRecord::Another;
    };
    let is_picture =
        |(_, content): &(String, FileContent)| matches!(content, FileContent::Bytes(_));
    match (contents.files.iter().any(is_picture), written.bound) {
        (true, Some(bound)) if is_bound(campaign, &contents, bound) => OnRecord::Same,
        (true, None) => OnRecord::Unbound,
        _ => OnRecord::Another,
    }
}

/// Returns true if a letter has the sheet with this digest.
#[must_use]
pub fn is_bound(campaign: &CampaignName, letter: &MailContents, bound: dice::Digest) -> bool {
    sheet::of_contents(campaign, letter).digest() == bound
}
