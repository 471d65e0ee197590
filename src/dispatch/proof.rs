//! The proof below a letter's words: private blocks, entries of the register, the foot.

/// The lines by which a letter proves itself. Most depend on digests of the words above them, so
/// they come last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Private blocks and receipts, exactly as they go out; empty if none.
    pub private: String,
    /// Entries of the register, exactly as they go out; empty if none.
    pub entries: String,
    /// The foot: the newest entry that players have.
    pub foot: String,
}

impl Proof {
    /// Returns true if there is more than the foot.
    #[must_use]
    pub fn has_blocks(&self) -> bool {
        self.blocks().next().is_some()
    }

    fn blocks(&self) -> impl Iterator<Item = &str> {
        parts([&self.private, &self.entries])
    }

    /// A text with the proof below it, with an empty line between the parts; empty parts are left
    /// out.
    #[must_use]
    pub fn below(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for part in self.blocks().chain(parts([&self.foot])) {
            text.push('\n');
            text.push_str(part);
            text.push('\n');
        }
        text
    }

    /// The blocks as a page has them, between their first and last line.
    pub(super) fn blocks_in_page(&self) -> String {
        escaped(&self.blocks().collect::<Vec<_>>().join("\n\n"))
    }

    /// The foot as a page has it.
    pub(super) fn foot_in_page(&self) -> String {
        escaped(self.foot.trim_end())
    }
}

fn parts<const N: usize>(parts: [&String; N]) -> impl Iterator<Item = &str> {
    let trimmed = parts.into_iter().map(|part| part.trim_end());
    trimmed.filter(|part| !part.is_empty())
}

/// A text inside an element. Entries have none of these three characters, except perhaps in the
/// umpire's notes. Everything else is left alone, so that an entry appears byte for byte.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_empty_is_left_out() {
        let mut proof = Proof {
            foot: "register 1 00".to_owned(),
            ..Proof::default()
        };
        assert_eq!(proof.below("Hello\n"), "Hello\n\nregister 1 00\n");
        assert!(!proof.has_blocks());
        proof.entries = "sd1 x 1 note\ntext A & B\n".to_owned();
        assert_eq!(
            proof.below("Hello\n"),
            "Hello\n\nsd1 x 1 note\ntext A & B\n\nregister 1 00\n"
        );
        assert_eq!(proof.blocks_in_page(), "sd1 x 1 note\ntext A &amp; B");
        assert_eq!(Proof::default().below("Hello\n"), "Hello\n");
    }
}
