//! Finding blocks of lines in mails, where they may be quoted and surrounded by other text.

use super::error::DiceError;

/// A line without leading `> ` quotes and trailing spaces. A single space after `|` belongs to a
/// quoted text and goes too: an empty line of orders is `|`.
pub(crate) fn unquoted(line: &str) -> &str {
    let mut rest = line;
    while let Some(quoted) = rest.strip_prefix('>') {
        rest = quoted.strip_prefix(' ').unwrap_or(quoted);
    }
    rest.trim_end_matches([' ', '\t', '\r'])
}

/// All blocks from a first line to a last line, each as its cleaned, non-empty lines. In place of a
/// block without a last line there is an error; text between blocks is skipped.
pub(super) fn blocks(
    text: &str,
    is_first: impl Fn(&str) -> bool,
    is_last: impl Fn(&str) -> bool,
) -> Vec<Result<Vec<&str>, DiceError>> {
    let mut found = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    for line in text.lines().map(unquoted).filter(|line| !line.is_empty()) {
        if is_first(line) {
            found.extend(unfinished(&block));
            block = vec![line];
        } else if !block.is_empty() {
            block.push(line);
            if is_last(line) {
                found.push(Ok(std::mem::take(&mut block)));
            }
        }
    }
    found.extend(unfinished(&block));
    found
}

fn unfinished<'a>(block: &[&str]) -> Option<Result<Vec<&'a str>, DiceError>> {
    let heading = block.first()?;
    Some(Err(DiceError::Entry {
        heading: (*heading).to_owned(),
        problem: "its last line is missing".to_owned(),
    }))
}

/// The lines of a text without trailing spaces and empty lines, which mail programs add and remove.
pub(super) fn bare_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.trim_end_matches([' ', '\t', '\r']))
        .filter(|line| !line.is_empty())
}

/// The words of a line, between single spaces.
pub(super) fn fields(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}
