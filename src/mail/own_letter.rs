//! Recognising the host's own letters where a mail program has removed their `> `.
//!
//! Every letter begins with the line [`LETTER_HEAD`] and ends with the foot `register <number>
//! <digest>`. Whatever is between the two in a mail was written by the host, so a player who sends
//! a dispatch back gives no orders with it. As a second guard, no line of a letter is an order by
//! itself: anything that looks like one stands behind `#` or `|`.

use std::ops::Range;

/// The first line of every letter, in its text and in its page.
pub const LETTER_HEAD: &str =
    "== estafette ===========================================================";

/// Hexadecimal digits of the register's head in the foot.
const DIGEST: usize = 64;

/// The lines of a letter of ours that begins at `at`; none if none does. Without a foot before the
/// next letter's head, it takes all that is left.
pub(super) fn letter(folded: &[String], at: usize) -> Option<Range<usize>> {
    if !is_head(folded.get(at)?) {
        return None;
    }
    let end = (at + 1..folded.len()).find_map(|index| foot(folded, index));
    Some(at..end.unwrap_or(folded.len()))
}

/// Returns true for a head, even if it was broken in two, lost some of its dashes, or has bold
/// stars around it.
pub(super) fn is_head(line: &str) -> bool {
    let line = line.trim_matches(['*', ' ']);
    line.strip_prefix("==")
        .map(|rest| rest.trim_start_matches(['=', ' ']))
        .and_then(|rest| rest.strip_prefix("estafette"))
        .is_some_and(|rest| rest.trim_matches(['=', ' ']).is_empty())
}

/// The line after a foot that begins at `at`, in one line or broken before the digest.
fn foot(folded: &[String], at: usize) -> Option<usize> {
    let mut words = folded.get(at)?.trim_matches(['*', ' ']).split(' ');
    let (register, number) = (words.next()?, words.next()?);
    if register != "register" || number.parse::<u32>().is_err() {
        return None;
    }
    match (words.next(), words.next()) {
        (Some(digest), None) if is_digest(digest) => Some(at + 1),
        (None, _) if is_digest(folded.get(at + 1)?.trim_matches(['*', ' '])) => Some(at + 2),
        _ => None,
    }
}

fn is_digest(word: &str) -> bool {
    word.len() == DIGEST && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns true for a line that only our receipts print: the words as they were read (`| MOVE
/// Ada`), or with the line's number (`3 | MOVE Ada`). Some mail programs mark quotations with the
/// same stroke.
pub(super) fn is_printed(line: &str) -> bool {
    line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ')
        .starts_with('|')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_letter_reaches_from_its_head_to_its_foot() {
        let digest = "ab".repeat(32);
        for foot in [
            format!("register 3 {digest}"),
            format!("register 3\n{digest}"),
        ] {
            let text = lines(&format!("hold\n{LETTER_HEAD}\nmove ada\n{foot}\nrest"));
            assert_eq!(letter(&text, 1), Some(1..text.len() - 1), "{foot}");
            assert_eq!(letter(&text, 2), None);
        }
        let open = lines(&format!("{LETTER_HEAD}\nmove ada\nregister 3 of us"));
        assert_eq!(letter(&open, 0), Some(0..3));
    }

    #[test]
    fn a_broken_or_shortened_head_is_known() {
        for head in ["== estafette", "== estafette ====", "*== estafette ==*"] {
            assert!(is_head(head), "{head}");
        }
        for words in ["estafette", "== estafette is late ==", "== move ==", "===="] {
            assert!(!is_head(words), "{words}");
        }
    }

    #[test]
    fn lines_of_receipts_are_known_alone() {
        assert!(is_printed("| move ada") && is_printed("3 | move ada") && is_printed(" 12 | x"));
        assert!(!is_printed("1: north | south") && !is_printed("move ada | bert"));
    }
}
