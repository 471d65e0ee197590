//! Letters that compare equal: case, accents, ligatures and invisible characters make no
//! difference.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The form in which words are compared: compatibility decomposition, no accents, lower case.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd() {
        match c {
            'œ' | 'Œ' => folded.push_str("oe"),
            'æ' | 'Æ' => folded.push_str("ae"),
            'ß' | 'ẞ' => folded.push_str("ss"),
            'ø' | 'Ø' => folded.push('o'),
            'ł' | 'Ł' => folded.push('l'),
            'đ' | 'Đ' => folded.push('d'),
            c if is_combining_mark(c) || is_invisible(c) => {}
            c => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

/// Characters that mail programs put into words and nobody sees: soft hyphen, zero-width marks,
/// byte order mark.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_ligatures_do_not_matter() {
        for (written, folded) in [
            ("Salò", "salo"),
            ("SALO\u{300}", "salo"),
            ("Masséna", "massena"),
            ("Cœur", "coeur"),
            ("Straße", "strasse"),
            ("ﬁn", "fin"),
            ("Vi\u{ad}cenza", "vicenza"),
            ("Łódź", "lodz"),
        ] {
            assert_eq!(fold(written), folded);
        }
    }
}
