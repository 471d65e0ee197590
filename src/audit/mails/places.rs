//! The places of findings: the mails that contain their lines.

use std::collections::HashMap;

use super::MailsReport;
use crate::mail::ArchivedMail;

/// The most mails that a finding names: one line may be in all of them.
const MOST_MAILS: usize = 4;
/// The most words by which a line is looked up; a longer place is a whole line.
const MOST_WORDS: usize = 12;

/// Finds the mails of all findings that don't name theirs: those with a line that begins as the
/// finding's place does, or an entry with this first line. All mails are read once, whatever number
/// of findings there is.
pub(super) fn find(reports: &mut [MailsReport], mails: &[ArchivedMail]) {
    let mut wanted: HashMap<String, Vec<&mut Vec<String>>> = HashMap::new();
    for wrong in reports.iter_mut().flat_map(|report| &mut report.wrong) {
        if wrong.mails.is_empty() {
            let place = wrong.place.split(", ").next().unwrap_or_default();
            let found = wanted.entry(place.to_owned()).or_default();
            found.push(&mut wrong.mails);
        }
    }
    if wanted.is_empty() {
        return;
    }
    for mail in mails {
        let texts = std::iter::once(&mail.text).chain(&mail.attached);
        for line in texts.flat_map(|text| text.lines()) {
            for start in starts(line.trim_start_matches(['>', ' '])) {
                for found in wanted.get_mut(start).into_iter().flatten() {
                    if found.len() < MOST_MAILS && found.last() != Some(&mail.name) {
                        found.push(mail.name.clone());
                    }
                }
            }
        }
    }
}

/// The line, and its beginnings at a space.
fn starts(line: &str) -> impl Iterator<Item = &str> {
    let spaces = line.match_indices(' ').take(MOST_WORDS);
    let beginnings = spaces.filter_map(|(space, _)| line.get(..space));
    beginnings.chain([line])
}
