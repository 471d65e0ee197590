//! The canonical text of orders: what receipts quote, seals bind and audits start from (dice.md,
//! section 8).

/// The canonical form of a player's words as the host read them from a mail: charset decoded,
/// quoted replies removed. Either empty, or lines that each end with LF, without a signature,
/// quotes, or empty lines at either end.
#[must_use]
pub fn canonical_orders(words: &str) -> String {
    let text = words
        .replace('\u{FEFF}', "")
        .replace('\u{A0}', " ")
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let lines: Vec<&str> = text
        .split('\n')
        .map(|line| line.trim_end_matches([' ', '\t']))
        .take_while(|line| *line != "--")
        .filter(|line| !line.starts_with('>'))
        .collect();
    let is_full = |line: &&str| !line.is_empty();
    let (Some(first), Some(last)) = (
        lines.iter().position(is_full),
        lines.iter().rposition(is_full),
    ) else {
        return String::new();
    };
    lines
        .iter()
        .take(last + 1)
        .skip(first)
        .map(|line| format!("{line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn signature_quotes_and_edges_go() {
        let words =
            "\u{FEFF}\r\n> old\r\n  move A1\u{A0}B2 \t\r\n\r\nhold C3\r\n > kept\r\n\r\n-- \r\nAda";
        assert_eq!(
            canonical_orders(words),
            "  move A1 B2\n\nhold C3\n > kept\n"
        );
        assert_eq!(canonical_orders("--\nnothing"), "");
        assert_eq!(canonical_orders("a\rb\r"), "a\nb\n");
        assert_eq!(canonical_orders("---\n"), "---\n");
    }

    proptest! {
        #[test]
        fn twice_is_once(words in "[ab>\\- \t\r\n\u{A0}\u{FEFF}]{0,40}|\\PC{0,40}") {
            let once = canonical_orders(&words);
            prop_assert_eq!(canonical_orders(&once), once);
        }
    }
}
