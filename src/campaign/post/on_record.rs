//! Comparing kept letters with what the journal says of them: only the version that wrote a letter
//! can write it again.

use super::sheet;
use crate::{
    campaign::model::events::LetterRecord,
    dice::{self, CampaignName},
    digest::Digest,
    mail::{self, FileContent, MailContents},
};

/// What a digest on record says of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnRecord {
    /// It is the one that was written.
    Same,
    /// It has a picture, and the register does not bind it: nothing on record says what it is.
    Unbound,
    /// It is another.
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
