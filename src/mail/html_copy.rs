//! A copied mail that only the HTML part of a mail marks as one.
//!
//! Some programs write the plain text without a mark where the answered mail begins, or with a line
//! that nobody knows for one, while the HTML part of the same mail says so.

use std::collections::HashSet;

use super::mail_words::{Fate, MailWords};

/// The plain text's words, or the HTML's if the plain text has these and below them, without any
/// mark, what the HTML marks as a copy.
pub(super) fn without_copy(text: MailWords, html: MailWords) -> (MailWords, Option<MailWords>) {
    let copies = |words: &MailWords| {
        let fates = [
            Fate::Quoted,
            Fate::Attribution,
            Fate::ForwardedOrHeaderBlock,
        ];
        fates.iter().map(|fate| words.count(*fate)).sum::<usize>()
    };
    let one_sided = html.problem.is_none() && copies(&html) > 0 && copies(&text) == 0;
    let is_copy = one_sided && is_copy_below(&text.text, &html);
    if is_copy {
        (html, None)
    } else {
        (text, Some(html))
    }
}

/// Returns true if a plain text has the HTML's words, and below them what the HTML leaves out.
fn is_copy_below(text: &str, html: &MailWords) -> bool {
    let own: Vec<&str> = html.text.split_whitespace().collect();
    let mut lines = text.lines();
    let mut seen = Vec::new();
    while seen.len() < own.len() {
        let Some(line) = lines.next() else {
            return false;
        };
        seen.extend(line.split_whitespace());
    }
    let rest: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    if own.is_empty() || seen != own || rest.is_empty() {
        return false;
    }
    let left_out = html.lines.iter().filter(|line| line.fate != Fate::Taken);
    let left_out: HashSet<&str> = left_out
        .flat_map(|line| line.text.split_whitespace())
        .collect();
    let known = rest.iter().filter(|word| left_out.contains(*word)).count();
    2 * known >= rest.len()
}

#[cfg(test)]
mod tests {
    use super::without_copy;
    use crate::mail::{MailLimits, words_of};

    const COPY: &str = "\n\nIn a tongue that nobody knows, Ada:\nMOVE old to Salo\nREST all";
    const MARKED: &str = "\n\nIn a tongue that nobody knows, Ada:\n> MOVE old to Salo\n> REST all";

    fn taken(text: &str, html: &str) -> String {
        let limits = MailLimits::default();
        // The line over the copy is of no known kind in the HTML either.
        let html = html.replace("In a tongue", "> In a tongue");
        let (words, _) = without_copy(words_of(text, &limits), words_of(&html, &limits));
        words.text
    }

    #[test]
    fn what_the_html_marks_is_no_order() {
        let own = "MOVE Alpha to Lonato\nHOLD Beta";
        let text = format!("{own}{COPY}");
        assert_eq!(taken(&text, &format!("{own}{MARKED}")), own);
    }

    #[test]
    fn what_the_html_does_not_have_stays() {
        let own = "MOVE Alpha to Lonato";
        let text = format!("{own}\nHOLD Beta\nREST Gamma");
        assert_eq!(taken(&text, &format!("{own}{MARKED}")), text);
    }

    #[test]
    fn answers_below_a_copy_stay() {
        let text = format!("HOLD Beta{COPY}\nREST Gamma");
        let html = format!("HOLD Beta{MARKED}\n\nREST Gamma");
        assert_eq!(taken(&text, &html), text);
    }
}
