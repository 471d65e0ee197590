//! Splitting a line into words and signs, each with its place in the line.

use unicode_normalization::char::is_combining_mark;

use super::fold::{fold, is_invisible};

/// A punctuation mark that means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `;`, between orders of one line.
    Semicolon,
    /// `->`
    Arrow,
    /// `<`
    Less,
    /// `>`
    More,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `=`
    Equal,
    /// `-` and all longer dashes.
    Dash,
    /// `+`
    Plus,
    /// `&`
    Ampersand,
    /// `/`
    Slash,
}

impl Sign {
    /// As it is written in patterns and printed orders.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Sign::Comma => ",",
            Sign::Colon => ":",
            Sign::Semicolon => ";",
            Sign::Arrow => "->",
            Sign::Less => "<",
            Sign::More => ">",
            Sign::AtMost => "<=",
            Sign::AtLeast => ">=",
            Sign::Equal => "=",
            Sign::Dash => "-",
            Sign::Plus => "+",
            Sign::Ampersand => "&",
            Sign::Slash => "/",
        }
    }
}

/// A word (folded) or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineTokenKind {
    /// Letters and digits, folded. A number may hold a decimal point.
    Word(String),
    /// A mark.
    Sign(Sign),
}

/// A word or sign and where it stands, in characters of the line; `end` is exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineToken {
    /// What it is.
    pub kind: LineTokenKind,
    /// Its first character.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
}

impl LineToken {
    /// The folded word, if it is one.
    #[must_use]
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            LineTokenKind::Word(word) => Some(word),
            LineTokenKind::Sign(_) => None,
        }
    }

    /// Returns true if it is this sign.
    #[must_use]
    pub fn is(&self, sign: Sign) -> bool {
        self.kind == LineTokenKind::Sign(sign)
    }
}

/// The words and signs of a line up to its comment. Marks without a meaning (quotes, brackets, full
/// stops, apostrophes) count as blanks.
#[must_use]
pub fn tokens(line: &str) -> Vec<LineToken> {
    let chars: Vec<char> = line.chars().take_while(|c| *c != '#').collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = chars.get(at..).filter(|rest| !rest.is_empty()) {
        let (kind, length) = if let Some(length) = word_length(rest) {
            let word = fold(&rest.iter().take(length).collect::<String>());
            (
                (!word.is_empty()).then_some(LineTokenKind::Word(word)),
                length,
            )
        } else if let Some((sign, length)) = sign(rest) {
            (Some(LineTokenKind::Sign(sign)), length)
        } else {
            (None, 1)
        };
        if let Some(kind) = kind {
            found.push(LineToken {
                kind,
                start: at,
                end: at + length,
            });
        }
        at += length;
    }
    found
}

/// How many characters of a word the text begins with. A point between digits belongs to the
/// number.
fn word_length(text: &[char]) -> Option<usize> {
    let letter = |c: char| c.is_alphanumeric() || is_combining_mark(c) || is_invisible(c);
    let digit = |at: usize| text.get(at).is_some_and(char::is_ascii_digit);
    let mut length = 0;
    while text.get(length).is_some_and(|c| letter(*c))
        || (length > 0 && text.get(length) == Some(&'.') && digit(length - 1) && digit(length + 1))
    {
        length += 1;
    }
    (length > 0).then_some(length)
}

/// The sign that the text begins with, and its length.
fn sign(text: &[char]) -> Option<(Sign, usize)> {
    let is_dash = |c: &char| {
        matches!(
            c,
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}'
        )
    };
    let dashes = text.iter().take_while(|c| is_dash(c)).count();
    if dashes > 0 {
        return Some(match text.get(dashes) {
            Some('>') => (Sign::Arrow, dashes + 1),
            _ => (Sign::Dash, dashes),
        });
    }
    let pair = (text.first()?, text.get(1));
    Some(match pair {
        ('=', Some('>')) => (Sign::Arrow, 2),
        ('<', Some('=')) | ('=', Some('<')) => (Sign::AtMost, 2),
        ('>', Some('=')) => (Sign::AtLeast, 2),
        ('→' | '⇒' | '➔', _) => (Sign::Arrow, 1),
        ('≤', _) => (Sign::AtMost, 1),
        ('≥', _) => (Sign::AtLeast, 1),
        ('<', _) => (Sign::Less, 1),
        ('>', _) => (Sign::More, 1),
        ('=', _) => (Sign::Equal, 1),
        (',' | '，', _) => (Sign::Comma, 1),
        (':' | '：', _) => (Sign::Colon, 1),
        (';' | '；', _) => (Sign::Semicolon, 1),
        ('+', _) => (Sign::Plus, 1),
        ('&', _) => (Sign::Ampersand, 1),
        ('/', _) => (Sign::Slash, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(line: &str) -> Vec<String> {
        tokens(line)
            .iter()
            .map(|token| match &token.kind {
                LineTokenKind::Word(word) => word.clone(),
                LineTokenKind::Sign(sign) => sign.text().to_owned(),
            })
            .collect()
    }

    #[test]
    fn typographic_marks_are_read_as_the_plain_ones() {
        assert_eq!(
            shape("«\u{a0}MOVE\u{202f}» Castel d’Ario – “Ala” — Ron\u{2011}co → X."),
            [
                "move", "castel", "d", "ario", "-", "ala", "-", "ron", "-", "co", "->", "x"
            ]
        );
    }

    #[test]
    fn numbers_keep_their_point_and_sentences_lose_theirs() {
        assert_eq!(shape("ratio<0.7."), ["ratio", "<", "0.7"]);
        assert_eq!(shape("hits >= 4 ≥ 5"), ["hits", ">=", "4", ">=", "5"]);
    }

    #[test]
    fn places_count_characters_and_comments_are_cut() {
        let found = tokens("é ab # c");
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].start, found[1].end), (2, 4));
    }
}
