//! The letters that a player has kept against those that the replay of the campaign writes.

use std::{collections::BTreeMap, path::Path};

use super::AuditReport;
use crate::{
    campaign::{
        durable::CampaignError,
        model::events::LetterRecord,
        post::{Letter, on_record},
    },
    dice::CampaignName,
    mail::{self, Archive, ArchiveError, FileContent, MailContents},
};

/// Letters that were kept.
#[derive(Debug, Default)]
pub struct KeptLetters {
    /// The letters not yet compared, by Message-ID. One letter may have been kept more than once.
    letters: BTreeMap<String, Vec<Copy>>,
    /// Mails that begin like letters and name no campaign.
    nameless: Vec<String>,
    compared: usize,
    /// Letters of other versions that no register binds.
    unbound: usize,
    wrong: Vec<String>,
}

/// A letter as a player kept it.
#[derive(Debug)]
struct Copy {
    /// The name of the mail with the copy.
    mail: String,
    /// The campaign that its header names.
    campaign: String,
    contents: MailContents,
}

impl KeptLetters {
    /// Reads the letters in a file or below a folder. Other mails are passed over, but those that
    /// begin like letters are reported.
    ///
    /// # Errors
    /// If the file or folder can't be read.
    pub fn read(path: &Path) -> Result<Self, ArchiveError> {
        let mut kept = Self::default();
        for mail in Archive::read(path)?.mails {
            if mail.campaign.is_none() && begins_like_a_letter(&mail.text) {
                kept.nameless.push(mail.name);
            } else if let (Some(campaign), Some(contents)) = (mail.campaign, mail.contents) {
                let id = contents.message_id.join(" ");
                let mail = mail.name;
                kept.letters.entry(id).or_default().push(Copy {
                    mail,
                    campaign,
                    contents,
                });
            }
        }
        Ok(kept)
    }

    /// Compares the copies of a letter with it.
    pub(super) fn compare(&mut self, letter: &Letter) -> Result<(), CampaignError> {
        let Some(copies) = self.letters.remove(&letter.message_id) else {
            return Ok(());
        };
        let sent = letter.sent()?;
        let id = &letter.message_id;
        if !sent.as_recorded {
            self.wrong.push(format!(
                "letter {id}: expected the picture that the replay draws, found the digest of another in the journal and the register"
            ));
        }
        let written = mail::contents(&sent.bytes).unwrap_or_default();
        for copy in copies {
            self.compared += 1;
            if let Some(difference) = first_difference(&written, &copy.contents) {
                let mail = copy.mail;
                self.wrong
                    .push(format!("letter {id}, {difference} (in {mail})"));
            }
        }
        Ok(())
    }

    /// Compares the copies of a letter from another version with the parts of it that the register
    /// binds.
    pub(super) fn compare_recorded(&mut self, campaign: &CampaignName, written: &LetterRecord) {
        let Some(copies) = self.letters.remove(&written.message_id) else {
            return;
        };
        let id = &written.message_id;
        for Copy { mail, contents, .. } in copies {
            match written.bound {
                Some(bound) if on_record::is_bound(campaign, &contents, bound) => {
                    self.compared += 1
                }
                Some(_) => {
                    self.compared += 1;
                    self.wrong.push(format!(
                        "letter {id}: expected the one that the register binds, found another (in {mail})"
                    ));
                }
                None => self.unbound += 1,
            }
        }
    }

    /// Reports what was found. `whole`: all letters of the campaign have been written again.
    pub(super) fn say(self, whole: bool, report: &mut AuditReport) {
        report.checked.push(format!(
            "letters that were kept: {}, compared with those that the replay writes: header, text, HTML part, pictures and files",
            self.compared
        ));
        report.wrong.extend(self.wrong);
        if self.unbound > 0 {
            report.unchecked.push(format!(
                "{} letters that were kept: another version has written them, and the register does not bind them",
                self.unbound
            ));
        }
        if let [first, ..] = self.nameless.as_slice() {
            report.unproven.push(format!(
                "mails that begin like letters and were not compared: {}; neither `X-Estafette` nor their Message-ID names a campaign (the first is {first})",
                self.nameless.len()
            ));
        }
        let campaign = report.campaign.as_str();
        let left = self.letters.iter().flat_map(|(id, copies)| {
            let own = copies.iter().filter(|copy| copy.campaign == campaign);
            own.map(move |copy| (id, &copy.mail))
        });
        let left: Vec<String> = left
            .map(|(id, mail)| {
                format!(
                    "letter {id}: expected a letter that this campaign has written, found one that it has not (in {mail})"
                )
            })
            .collect();
        if whole {
            report.wrong.extend(left);
        } else if !left.is_empty() {
            report.unproven.push(format!(
                "{} letters that were kept: the replay did not come to them",
                left.len()
            ));
        }
    }
}

/// Returns true if a text has a letter's first line.
fn begins_like_a_letter(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| line.trim() == mail::LETTER_HEAD)
}

/// The first way in which a copy differs from the letter, for people to read.
fn first_difference(written: &MailContents, copy: &MailContents) -> Option<String> {
    let fields = [
        ("From", &written.from, &copy.from),
        ("To", &written.to, &copy.to),
        ("Reply-To", &written.reply_to, &copy.reply_to),
        ("Subject", &written.subject, &copy.subject),
        ("Date", &written.date, &copy.date),
        ("Message-ID", &written.message_id, &copy.message_id),
    ];
    let field = fields.into_iter().find_map(|(name, written, copy)| {
        let one = |values: &Vec<String>| {
            let words = values
                .iter()
                .flat_map(|value| value.split_ascii_whitespace());
            words.collect::<Vec<_>>().join(" ")
        };
        let (expected, found) = (one(written), one(copy));
        (expected != found).then(|| format!("{name}: expected `{expected}`, found `{found}`"))
    });
    field
        .or_else(|| line(&written.text, &copy.text).map(|line| format!("the text: {line}")))
        .or_else(|| match (&written.page, &copy.page) {
            (Some(written), Some(copy)) => {
                line(written, copy).map(|line| format!("the HTML part: {line}"))
            }
            (None, None) => None,
            (Some(_), None) => Some("the HTML part: expected one, found none".to_owned()),
            (None, Some(_)) => Some("the HTML part: expected none, found one".to_owned()),
        })
        .or_else(|| file(&written.files, &copy.files))
        .or_else(|| {
            let differs = written.content_ids != copy.content_ids;
            differs.then(|| "the pictures: other Content-IDs".to_owned())
        })
        .or_else(|| {
            let twofold = "the parts: a header or a boundary that can be read in two ways";
            (!copy.is_plain).then(|| twofold.to_owned())
        })
}

/// The first line that differs. Blanks at the ends of lines and empty lines are the mail programs'
/// own.
fn line(written: &str, copy: &str) -> Option<String> {
    fn lines(text: &str) -> impl Iterator<Item = Option<&str>> {
        let lines = text.lines().map(str::trim_ascii_end);
        let full = lines.filter(|line| !line.is_empty()).map(Some);
        full.chain([None])
    }
    let said = |line: Option<&str>| line.map_or("its end".to_owned(), |line| format!("`{line}`"));
    lines(written)
        .zip(lines(copy))
        .find(|(expected, found)| expected != found)
        .map(|(expected, found)| format!("expected {}, found {}", said(expected), said(found)))
}

fn file(written: &[(String, FileContent)], copy: &[(String, FileContent)]) -> Option<String> {
    for index in 0..written.len().max(copy.len()) {
        match (written.get(index), copy.get(index)) {
            (Some((name, expected)), Some((other, found))) if name == other => {
                let difference = match (expected, found) {
                    (FileContent::Text(expected), FileContent::Text(found))
                    | (FileContent::Page(expected), FileContent::Page(found)) => {
                        line(expected, found)
                    }
                    _ if expected == found => None,
                    _ => Some("expected the one that was sent, found another".to_owned()),
                };
                if let Some(difference) = difference {
                    return Some(format!("the file {name}: {difference}"));
                }
            }
            (Some((name, _)), other) => {
                let found = other.map_or("none", |(name, _)| name.as_str());
                return Some(format!("the files: expected {name}, found {found}"));
            }
            (None, Some((name, _))) => {
                return Some(format!("the files: expected no more, found {name}"));
            }
            (None, None) => {}
        }
    }
    None
}
