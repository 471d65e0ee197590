//! YAML that anybody may have written: the reader takes a time that grows with the square of the brackets that stand inside one
//! another, so a text with thousands of them is refused before it is read.

use serde::de::{DeserializeOwned, Error};

/// Most brackets that may be open at once. The reader gives up far below that, after it has looked at all of them.
const MOST_OPEN: usize = 1_000;

/// Why a text is not read at all.
pub const TOO_DEEP: &str = "more lists and maps stand inside one another than any file needs";

/// Reads one document.
///
/// # Errors
/// If it is not what it should be.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, serde_yaml::Error> {
    if is_too_deep(text) {
        return Err(serde_yaml::Error::custom(TOO_DEEP));
    }
    serde_yaml::from_str(text)
}

/// Whether a text has more open brackets at some place than may be. Those in quotations and comments count too: a text that
/// has a thousand of them in a row is none that anybody wrote for a reader.
pub fn is_too_deep(text: &str) -> bool {
    let mut open = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > MOST_OPEN
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use serde_yaml::Value;

    use super::*;

    #[test]
    fn brackets_without_end_are_not_read() {
        for deep in ["[".repeat(1 << 20), "{a: ".repeat(1 << 20)] {
            let error = from_str::<Value>(&deep).unwrap_err();
            assert_eq!(error.to_string(), TOO_DEEP);
        }
    }

    #[test]
    fn many_brackets_beside_each_other_are_no_trouble() {
        let list: Vec<Vec<u8>> = from_str(&format!("[{}]", "[1], ".repeat(5_000))).unwrap();
        assert_eq!(list.len(), 5_000);
    }
}
