//! Spellings of an errand's words: without accents, in any case, with one slip of the pen.

use crate::orders;

/// The shortest word that may be misspelt.
const LEAST_FORGIVEN: usize = 5;

/// The words of a line, folded: letters, digits, and the points of a range.
#[must_use]
pub fn words_of(line: &str) -> Vec<String> {
    let spaced = line.replace("..", " - ").replace('\u{2026}', " - ");
    let words = spaced.split(|c: char| !(c.is_alphanumeric() || c == '-' || is_mark(c)));
    let folded = words.map(orders::fold).filter(|word| !word.is_empty());
    folded.collect()
}

/// Returns true for accents that follow their letter.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Returns true if words are this spelling, or a slip of the pen away from it.
#[must_use]
pub fn is_spelt(written: &str, spelling: &str) -> bool {
    written == spelling
        || spelling.len() >= LEAST_FORGIVEN
            && written.len() >= LEAST_FORGIVEN
            && strsim::damerau_levenshtein(written, spelling) == 1
}
