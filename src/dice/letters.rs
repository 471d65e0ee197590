//! The list of a seat's letters that a dice entry binds (docs/dice.md, section 8).

use std::{collections::VecDeque, fmt};

use serde::{Deserialize, Serialize};

use super::{
    error::DiceError,
    hash::{Digest, hash},
    names::number,
};

/// How many letters are listed one by one; older ones are folded into one digest.
const MOST: usize = 100;
/// The longest Message-ID.
const LONGEST_ID: usize = 200;

/// The letters sent to a seat since the previous list, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterList {
    /// The letters before the newest ones, as a bundle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folded: Option<LetterBundle>,
    letters: VecDeque<ListedLetter>,
}

/// A letter in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedLetter {
    /// Its Message-ID, without angle brackets.
    pub id: String,
    /// The digest of its sheet.
    pub digest: Digest,
}

/// Letters that are not listed one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterBundle {
    /// How many there are.
    pub count: u64,
    /// The digest that binds them.
    pub digest: Digest,
}

impl LetterBundle {
    /// The bundle with one letter more.
    #[must_use]
    pub fn with(before: Option<Self>, id: &str, digest: Digest) -> Self {
        let (count, hex) = before.map_or((0, "-".to_owned()), |before| {
            (before.count, before.digest.to_string())
        });
        Self {
            count: count.saturating_add(1),
            digest: hash(&format!("sd1|letters|{hex}|{id}|{digest}")),
        }
    }
}

impl LetterList {
    /// Returns true if it lists no letter.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// The letters that are listed one by one.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &ListedLetter> + ExactSizeIterator {
        self.letters.iter()
    }

    /// The bundle of earlier letters.
    #[must_use]
    pub fn folded(&self) -> Option<LetterBundle> {
        self.folded
    }

    /// Adds a letter to the newest ones.
    pub fn push(&mut self, id: String, digest: Digest) {
        self.letters.push_back(ListedLetter { id, digest });
        if self.letters.len() > MOST
            && let Some(oldest) = self.letters.pop_front()
        {
            self.folded = Some(LetterBundle::with(self.folded, &oldest.id, oldest.digest));
        }
    }

    /// Reads a line of the list: `letters <count> <hex>` at its beginning, or
    /// `letter <Message-ID> <hex>`.
    pub(super) fn read_line(&mut self, fields: &[&str]) -> Result<(), DiceError> {
        match fields {
            ["letters", count, hex] if self.letters.is_empty() && self.folded.is_none() => {
                self.folded = Some(LetterBundle {
                    count: number(count)?,
                    digest: hex.parse()?,
                });
                Ok(())
            }
            ["letter", id, hex] if is_id(id) => {
                self.letters.push_back(ListedLetter {
                    id: (*id).to_owned(),
                    digest: hex.parse()?,
                });
                Ok(())
            }
            _ => Err(DiceError::malformed(
                "a line of a list of letters",
                &fields.join(" "),
                "`letter <Message-ID> <hex>`, at the beginning perhaps `letters <count> <hex>`",
            )),
        }
    }
}

fn is_id(text: &str) -> bool {
    (1..=LONGEST_ID).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

impl fmt::Display for LetterList {
    /// The text that a dice entry binds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(LetterBundle { count, digest }) = self.folded {
            writeln!(f, "letters {count} {digest}")?;
        }
        self.letters
            .iter()
            .try_for_each(|ListedLetter { id, digest }| writeln!(f, "letter {id} {digest}"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    fn read(text: &str) -> Result<LetterList, DiceError> {
        let mut list = LetterList::default();
        for line in text.lines() {
            list.read_line(&line.split(' ').collect::<Vec<_>>())?;
        }
        Ok(list)
    }

    #[test]
    fn lists_are_read_as_written_and_stay_short() {
        let mut list = LetterList::default();
        for number in 1..=103 {
            assert_eq!(read(&list.to_string()).unwrap(), list);
            list.push(format!("spring.red.{number}.a@example.org"), hash("letter"));
        }
        assert_eq!(read(&list.to_string()).unwrap(), list);
        assert_eq!(list.iter().len(), 100);
        let folded = list.folded().unwrap();
        assert_eq!(folded.count, 3);
        let fold = |before: &str, number: u32| {
            let letter = hash("letter");
            hash(&format!(
                "sd1|letters|{before}|spring.red.{number}.a@example.org|{letter}"
            ))
            .to_string()
        };
        assert_eq!(folded.digest.to_string(), fold(&fold(&fold("-", 1), 2), 3));
        assert!(list.iter().next().unwrap().id.starts_with("spring.red.4."));
    }

    #[test]
    fn other_lines_are_refused() {
        let hex = hash("x");
        for wrong in [
            format!("letter a@b {hex} c"),
            format!("letter  {hex}"),
            format!("letters -1 {hex}"),
            format!("letter a@b {hex}\nletters 1 {hex}"),
            format!("letters 1 {hex}\nletters 1 {hex}"),
            "letter a@b 00".to_owned(),
        ] {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
    }
}
