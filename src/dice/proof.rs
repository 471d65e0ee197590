//! The lines of a letter that prove themselves, apart from its words (docs/dice.md, section 8):
//! entries of the register, private blocks, receipts, the foot.

use std::borrow::Cow;

use super::{lines::bare_lines, names::CampaignName, private, receipt::Receipt, register};

/// A text of a letter, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofParts<'t> {
    /// Its words: non-empty lines without trailing spaces, each with its LF. They include a
    /// receipt, except for the digest of the letter and the code.
    pub words: String,
    /// The lines that prove themselves, in the same form.
    pub proof: Vec<&'t str>,
}

/// Takes apart a text of a campaign's letter, plain or the source of a page. A block without its
/// last line does not count as one.
#[must_use]
pub fn parted<'t>(campaign: &CampaignName, text: &'t str) -> ProofParts<'t> {
    let mut parted = ProofParts {
        words: String::with_capacity(text.len()),
        proof: Vec::new(),
    };
    let lines: Vec<&str> = bare_lines(text).collect();
    let mut rest = lines.as_slice();
    while let [line, below @ ..] = rest {
        let block = ProofBlock::begun_by(line, campaign);
        let length = block.map_or(0, |block| block.length(below, campaign));
        let (proof, behind) = rest.split_at(length.max(1));
        let word = match receipt(line) {
            _ if length > 0 || register::foot(line).is_some() => None,
            Some(receipt) => Some(
                receipt
                    .number
                    .beginning(receipt.time, &receipt.words)
                    .into(),
            ),
            None => Some(Cow::Borrowed(*line)),
        };
        if word.as_deref() != Some(*line) {
            parted.proof.extend(proof);
        }
        if let Some(word) = word {
            parted.words.push_str(&word);
            parted.words.push('\n');
        }
        rest = behind;
    }
    parted
}

/// A kind of block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProofBlock {
    Entry,
    Private,
}

impl ProofBlock {
    fn begun_by(line: &str, campaign: &CampaignName) -> Option<Self> {
        let (word, rest) = line.split_once(' ')?;
        let (name, _) = rest.split_once(' ')?;
        match word {
            _ if name != campaign.as_str() => None,
            "sd1" if register::is_heading(line) => Some(Self::Entry),
            "sd1-private" => Some(Self::Private),
            _ => None,
        }
    }

    fn is_ended_by(self, line: &str) -> bool {
        match self {
            Self::Entry => register::is_head(line),
            Self::Private => line == private::LAST_LINE,
        }
    }

    /// How many lines it has from first to last; 0 if another block begins, or the text ends,
    /// before its last line.
    fn length(self, below: &[&str], campaign: &CampaignName) -> usize {
        let last = below
            .iter()
            .position(|line| self.is_ended_by(line) || Self::begun_by(line, campaign).is_some());
        let ended = last.filter(|last| below.get(*last).is_some_and(|line| self.is_ended_by(line)));
        ended.map_or(0, |last| last + 2)
    }
}

/// A receipt that names its own letter.
fn receipt(line: &str) -> Option<Receipt> {
    let is_receipt = line.starts_with("receipt ") || line.starts_with("answer ");
    let receipt: Option<Receipt> = is_receipt.then(|| line.parse().ok()).flatten();
    receipt.filter(|receipt| receipt.letter.is_some())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dice::hash::hash;

    fn campaign() -> CampaignName {
        "spring".parse().unwrap()
    }

    #[test]
    fn blocks_feet_and_receipts_are_proof_and_the_rest_is_words() {
        let (campaign, head) = (campaign(), hash("x"));
        let beginning = format!("receipt 1 red 1 2026-11-21T20:00:00Z {head}");
        let receipt = format!("{beginning} {head} {}", "ab".repeat(16));
        let text = format!(
            "Hello  \n\nsd1 spring 3 note\nprev {head}\ntext a\nhead {head}\nbetween\r\nsd1-private spring red 1\nend-private\n\
             {receipt}\nregister 3 {head}\nregister of ships\nreceipt of arms\nsd1 autumn 3 note\nprev {head}\nhead {head}\n"
        );
        let parted = parted(&campaign, &text);
        assert_eq!(
            parted.words,
            format!(
                "Hello\nbetween\n{beginning}\nregister of ships\nreceipt of arms\nsd1 autumn 3 note\nprev {head}\nhead {head}\n"
            )
        );
        assert_eq!(parted.proof.len(), 4 + 2 + 1 + 1);
    }

    /// The words can't take anything away from the proof below them: the host binds the words
    /// before the proof exists.
    #[test]
    fn words_that_look_like_a_block_stay_words() {
        let (campaign, head) = (campaign(), hash("x"));
        for words in [
            "sd1 spring 3 dice\nattack!\n",
            "sd1-private spring red 1\nattack!\n",
        ] {
            for proof in [
                format!("register 3 {head}\n"),
                format!(
                    "sd1-private spring red 1\nend-private\nsd1 spring 4 dice\nhead {head}\nregister 3 {head}\n"
                ),
                format!("sd1 spring 4 dice\nhead {head}\nregister 3 {head}\n"),
            ] {
                let whole = format!("{words}\n{proof}");
                assert_eq!(parted(&campaign, &whole).words, words, "{proof}");
                assert_eq!(parted(&campaign, words).words, words);
            }
        }
    }

    proptest! {
        #[test]
        fn no_line_is_lost(text in "(sd1 spring 1 note\n|head x\n|sd1-private spring red 1\n|end-private\n|[a-z ]{0,9}\n){0,12}") {
            let parted = parted(&campaign(), &text);
            let lines = text.lines().filter(|line| !line.trim_end_matches(' ').is_empty()).count();
            prop_assert_eq!(parted.words.lines().count() + parted.proof.len(), lines);
        }
    }
}
