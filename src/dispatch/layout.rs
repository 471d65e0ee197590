//! Plain text that is easy to read: lines wrapped by words, tables in columns.

use unicode_width::UnicodeWidthStr;

/// Columns of a mail's text, RFC 5322 section 2.1.1 with room for quoting.
pub const COLUMNS: usize = 72;

/// Wraps a text by words. The first line begins with `first`, the others with `rest`. A word longer
/// than a line stays whole, so that names and addresses can be copied. No line begins with a sign
/// that stands alone between spaces, like `;` and `:` in French.
#[must_use]
pub fn wrap(text: &str, first: &str, rest: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut filled = line.width();
    let mut empty = true;
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let sign = words.peek().filter(|next| is_sign(next));
        let width = word.width();
        let together = width + sign.map_or(0, |sign| 1 + sign.width());
        if !empty && !is_sign(word) && filled + 1 + together > COLUMNS {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
            filled = line.width();
            empty = true;
        }
        if !empty {
            line.push(' ');
            filled += 1;
        }
        line.push_str(word);
        filled += width;
        empty = false;
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Returns true if a word is a sign that stays with the word before it.
fn is_sign(word: &str) -> bool {
    matches!(word, ";" | ":" | "!" | "?" | "»")
}

/// Wraps the long lines of a text, keeps short ones and their indents, and merges empty lines.
/// Quoted words and lines after `#` stay whole: readers copy them, and the rest of a wrapped
/// comment would be no comment. An indented quotation goes on behind its stroke: sent back, no line
/// of it counts as an order or an answer.
#[must_use]
pub fn reflow(text: &str) -> String {
    let mut out = String::new();
    let mut gap = true;
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() {
            if !gap {
                out.push('\n');
            }
            gap = true;
            continue;
        }
        gap = false;
        let copied = line.starts_with("| ") || line.trim_start().starts_with("# ");
        if line.width() <= COLUMNS || copied {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let words = line.trim_start();
        let indent = &line[..line.len() - words.len()];
        let hang = if words.starts_with("- ") {
            "  "
        } else if words.starts_with("| ") {
            "| "
        } else {
            ""
        };
        for line in wrap(line, indent, &format!("{indent}{hang}")) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    format!("{}\n", out.trim_end())
}

/// A text padded with spaces to a width, left or right.
#[must_use]
pub fn pad(text: &str, width: usize, right: bool) -> String {
    let fill = " ".repeat(width.saturating_sub(text.width()));
    if right {
        format!("{fill}{text}")
    } else {
        format!("{text}{fill}")
    }
}

/// A text cut to a width, with a full stop if something was cut off.
#[must_use]
pub fn clip(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if cut.width() + 1 >= width {
            break;
        }
        cut.push(letter);
    }
    format!("{}.", cut.trim_end())
}

/// The widest of some texts.
pub fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts
        .into_iter()
        .map(UnicodeWidthStr::width)
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_words_and_indents() {
        let text = "word ".repeat(30);
        let lines = wrap(&text, "- ", "  ");
        assert!(lines.iter().all(|line| line.width() <= COLUMNS));
        assert!(lines[0].starts_with("- word"));
        assert!(lines[1].starts_with("  word"));
        assert_eq!(lines.join(" ").matches("word").count(), 30);
    }

    #[test]
    fn no_break_spaces_hold() {
        let text = format!("{} a\u{a0}!", "x".repeat(69));
        assert_eq!(wrap(&text, "", "").len(), 2);
    }

    #[test]
    fn no_line_begins_with_a_lone_sign() {
        let text = format!("{} au dé ; deux pertes", "x".repeat(65));
        assert_eq!(wrap(&text, "", "")[1], "dé ; deux pertes");
    }

    #[test]
    fn wide_letters_count_twice() {
        assert_eq!(pad("漢", 4, false), "漢  ");
        assert_eq!(clip("Northumberland", 6), "North.");
    }

    #[test]
    fn reflow_closes_gaps_and_keeps_quotes() {
        let quoted = format!("| {}", "y ".repeat(60).trim_end());
        let text = format!("a\n\n\n\nb\n{quoted}\n");
        assert_eq!(reflow(&text), format!("a\n\nb\n{quoted}\n"));
        let example = format!("  # MOVE {}", "x ".repeat(60).trim_end());
        assert_eq!(reflow(&example), format!("{example}\n"));
    }

    #[test]
    fn an_indented_quotation_goes_on_behind_its_stroke() {
        let words = "ATTACK 5133 WITH Gr 1, Gr 3, ST, Dr 2, Uhl 1, Art R foot, Art R H";
        assert_eq!(
            reflow(&format!("    | {words} 1 ODDS 1:2\n")),
            format!("    | {words}\n    | 1 ODDS 1:2\n")
        );
    }
}
