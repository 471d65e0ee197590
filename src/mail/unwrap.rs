//! Rejoining lines that a mail program broke for good, with the help of the HTML part.
//!
//! Some programs (Gmail's web page, for one) break the plain text at about 75 columns without
//! saying so, and an order would end in mid-sentence. The HTML part of the same mail still has the
//! whole lines.

use super::mail_words::MailWords;

/// The shortest line that a program breaks, in characters: programs break lines between 65 and 78
/// columns.
const SHORTEST_BREAK: usize = 60;

/// The plain text's words, or the HTML's if these are the same words with fewer line breaks, and
/// every missing break is where a line had become too long.
pub(super) fn better_broken(text: MailWords, html: MailWords) -> MailWords {
    if html.problem.is_none() && is_only_wrapped(&text.text, &html.text) {
        html
    } else {
        text
    }
}

/// Returns true if `narrow` is `wide` with long lines broken, and differs from it.
fn is_only_wrapped(narrow: &str, wide: &str) -> bool {
    let mut rest = narrow
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let mut joined_any = false;
    for line in wide.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let whole: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = rest.next() else {
            return false;
        };
        let mut words: Vec<&str> = first.split_whitespace().collect();
        let mut length = first.chars().count();
        while words.len() < whole.len() {
            let Some(next) = rest.next() else {
                return false;
            };
            let first_word = next.split_whitespace().next().unwrap_or_default();
            if length + 1 + first_word.chars().count() < SHORTEST_BREAK {
                return false;
            }
            words.extend(next.split_whitespace());
            length = next.chars().count();
            joined_any = true;
        }
        if words != whole {
            return false;
        }
    }
    joined_any && rest.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::is_only_wrapped;

    const WIDE: &str = "MOVE Alpha by Lonato and Castelnuovo and Rivoltella to Salo with all guns, then REST\nHOLD Beta";

    #[test]
    fn a_break_of_a_long_line_is_undone() {
        let narrow = "MOVE Alpha by Lonato and Castelnuovo and Rivoltella to Salo with all\nguns, then REST\n\nHOLD Beta";
        assert!(is_only_wrapped(narrow, WIDE));
    }

    #[test]
    fn a_break_that_the_player_made_stays() {
        assert!(!is_only_wrapped(
            "MOVE Alpha to Salo\nHOLD Beta",
            "MOVE Alpha to Salo HOLD Beta"
        ));
    }

    #[test]
    fn other_words_and_equal_lines_change_nothing() {
        assert!(!is_only_wrapped(WIDE, WIDE));
        assert!(!is_only_wrapped("MOVE Alpha", "MOVE Beta"));
        assert!(!is_only_wrapped(WIDE, "MOVE Alpha"));
    }
}
