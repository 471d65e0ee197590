//! Foreign text on its way to a terminal: names from an archive, words of a mail, messages of a
//! server or a script.
//!
//! A terminal obeys some characters instead of showing them: they move its cursor, change its
//! title, turn the direction of a line, or draw nothing at all. Everything that the program prints
//! goes through here, and such characters are printed as they are written in source code: `\u{1b}`.

use std::{borrow::Cow, fmt::Write};

/// The text on one line, with every character written out that would not show as itself, line
/// breaks included.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    written(text, |letter, out| match letter {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        _ => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(letter));
        }
    })
}

/// Like `visible`, for JSON, whose own line breaks stay: such a character can only stand in a text,
/// and means the same there when it is written out.
#[must_use]
pub fn visible_json(json: &str) -> Cow<'_, str> {
    written(json, |letter, out| match letter {
        '\n' => out.push(letter),
        _ => {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    })
}

fn written(text: &str, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let Some(first) = text.find(is_unseen) else {
        return Cow::Borrowed(text);
    };
    let (seen, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(seen);
    for letter in rest.chars() {
        if is_unseen(letter) {
            write(letter, &mut out);
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// Returns true if a terminal would obey a character, or show nothing for it.
pub fn is_unseen(letter: char) -> bool {
    match letter {
        '\t' | ' '..='~' => false,
        _ => {
            letter.is_control()
                || matches!(letter,
                    '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                    | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        for (text, shown) in [
            (
                "\u{1b}[2J\u{1b}]0;title\u{7}",
                r"\u{1b}[2J\u{1b}]0;title\u{7}",
            ),
            ("all fits\r\nWRONG", r"all fits\r\nWRONG"),
            ("\u{9b}31m\u{7f}\0", r"\u{9b}31m\u{7f}\u{0}"),
            ("abc\u{202e}cba", r"abc\u{202e}cba"),
            ("in\u{200b}visible\u{e0041}", r"in\u{200b}visible\u{e0041}"),
        ] {
            assert_eq!(visible(text), shown);
        }
        for plain in ["Vérone : 2\u{202f}PM", "a\tb", "日本", "\\u{1b}", ""] {
            assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
        }
    }

    #[test]
    fn json_says_the_same_when_it_is_visible() {
        let value =
            serde_json::json!({"name": "\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{e0041}\n", "list": [1, 2]});
        let text = serde_json::to_string_pretty(&value).unwrap();
        let shown = visible_json(&text);
        assert!(!shown.contains(|letter| letter != '\n' && is_unseen(letter)));
        assert_eq!(shown.lines().count(), text.lines().count());
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).unwrap(),
            value
        );
    }

    proptest! {
        #[test]
        fn nothing_unseen_is_left(text in "\\PC*|(?s).*") {
            let shown = visible(&text).into_owned();
            prop_assert!(!shown.contains(is_unseen));
            prop_assert_eq!(visible(&shown), shown.as_str());
        }
    }
}
