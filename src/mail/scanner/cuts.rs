//! Where a copied mail without quotation marks begins: titles, blocks of header lines, the footers
//! of lists and firms.

use super::{Scanner, is_quoted, is_ruler};
use crate::mail::{
    mail_words::Fate,
    phrases::{FROM_KEYS, OTHER_KEYS, SEPARATORS, any},
};

/// Lines of a header block that are looked at.
const MOST_HEADER_LINES: usize = 12;

impl Scanner<'_> {
    /// The line after a block of at least three header lines, the sender's among them; two are
    /// enough below a ruler or a title.
    pub(super) fn header_block(&self, at: usize) -> Option<usize> {
        let mut keys = 0;
        let mut sender = false;
        let mut end = at;
        let mut broken = false;
        for index in at..at + MOST_HEADER_LINES {
            let line = self.line(index);
            if let Some(key) = header_key(line) {
                keys += 1;
                sender |= key == CutKey::From;
                (end, broken) = (index + 1, false);
            } else if keys > 0 && !broken && is_continued(line) {
                broken = true;
            } else {
                break;
            }
        }
        let above = at.checked_sub(1).map_or("", |above| self.line(above));
        let least = match is_ruler(above) || is_separator(above) || is_dated_title(above) {
            true => 2,
            false => 3,
        };
        let known = (sender && keys >= least).then_some(end);
        known.or_else(|| self.shaped_header(at))
    }

    /// The line after header lines that alone have marks of quotation, while the mail that they
    /// belong to has none: "> Od: Ada" with its subject and its date, the copy below them. Who
    /// answers below a quotation has no words above it.
    pub(super) fn quoted_headers(&self, at: usize) -> Option<usize> {
        let above = at.checked_sub(1).map_or("", |above| self.line(above));
        if !self.line(at).starts_with('>') || above.starts_with('>') {
            return None;
        }
        let lines = (at..self.folded.len()).map(|index| self.line(index));
        let quoted = lines.take_while(|line| line.starts_with('>'));
        let inner: Vec<&str> = quoted
            .map(|line| line.trim_start_matches(['>', ' ']))
            .collect();
        let with_text = || inner.iter().filter(|line| !line.is_empty());
        let keys: Option<Vec<CutKey>> = with_text().map(|line| header_key(line)).collect();
        let least = if is_ruler(above) { 2 } else { 3 };
        keys.filter(|keys| keys.len() >= least && keys.contains(&CutKey::From))?;
        let after = at + inner.len();
        let own_above = self.has_own_above(at);
        let below = self.line(self.next_with_text(after));
        (own_above && !below.is_empty() && !is_quoted(below)).then_some(after)
    }

    /// Returns true if anything that the player wrote stands above a line.
    pub(super) fn has_own_above(&self, at: usize) -> bool {
        (0..at).any(|index| {
            !self.line(index).is_empty() && self.fates.get(index) == Some(&Fate::Taken)
        })
    }

    /// A ruler with the words of a mailing list's footer in the three lines below.
    pub(super) fn starts_list_footer(&self, at: usize) -> bool {
        is_ruler(self.line(at))
            && (at + 1..at + 4).any(|index| {
                any(
                    |language| language.lists,
                    |phrase| self.line(index).contains(phrase),
                )
            })
    }

    /// The line behind the heading of a copied mail that starts at `at`: its title, its header
    /// lines, an attribution.
    pub(super) fn heading(&self, at: usize) -> Option<usize> {
        let mut index = at;
        let mut end = None;
        while index < self.folded.len() && index < at + 2 * MOST_HEADER_LINES {
            let line = self.line(index);
            if let Some(after) = self.header_block(index).or_else(|| self.attribution(index)) {
                index = after;
            } else if is_separator(line) {
                index += 1;
            } else if end.is_some() && (line.is_empty() || is_ruler(line)) {
                index += 1;
                continue;
            } else {
                break;
            }
            end = Some(index);
        }
        end
    }
}

/// "-----Original Message-----" and "Begin forwarded message:".
pub(super) fn is_separator(line: &str) -> bool {
    let core = line.trim_matches(['-', '_', '*', '=', ' ']);
    let title = core.trim_end_matches([':', ' ']);
    let framed = line.starts_with("--") || line.starts_with("__") || core.ends_with(':');
    framed && SEPARATORS.contains(title)
}

/// "Message du 03/03/25 09:58", which stands above two header lines.
pub(super) fn is_dated_title(line: &str) -> bool {
    line.trim_start_matches(['-', ' ', '*'])
        .strip_prefix("message du")
        .map(|rest| rest.trim_start_matches([' ', ':']))
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CutKey {
    From,
    Other,
}

/// The kind of a copied header line: "From: Ada", "*Envoyé :* lundi".
fn header_key(line: &str) -> Option<CutKey> {
    let (key, _) = line.trim_start_matches('*').split_once(':')?;
    let key = key.trim_end_matches([' ', '*']);
    if FROM_KEYS.contains(key) {
        Some(CutKey::From)
    } else {
        OTHER_KEYS.contains(key).then_some(CutKey::Other)
    }
}

/// The rest of a list of recipients that was broken.
fn is_continued(line: &str) -> bool {
    !is_quoted(line) && (line.starts_with(['<', ';']) || line.contains('@'))
}
