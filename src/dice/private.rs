//! The private block of a mail: what one seat may know of the dice, and nobody else (dice.md,
//! section 10).

use std::fmt;

use super::{
    error::DiceError,
    hash::Key,
    keys::BoundText,
    ledger::LedgerLine,
    letters::LetterList,
    lines::{blocks, fields},
    names::{CampaignName, Lane, checked_seat, ordinal},
};
use crate::ids::SeatId;

/// The last line of a block.
pub(super) const LAST_LINE: &str = "end-private";

/// Keys, blinds and rolls for one seat and envelope. It never stands inside a register entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateBlock {
    /// The campaign.
    pub campaign: CampaignName,
    /// Whom it is for.
    pub seat: SeatId,
    /// The envelope that it is about.
    pub envelope: u32,
    /// The chain keys of the lanes that this seat shares.
    pub keys: Vec<(Lane, Key)>,
    /// The blinds of texts that this seat has: its orders, its dispatch.
    pub blinds: Vec<(BoundText, Key)>,
    /// The letters sent to the seat since the previous block, this one last.
    pub letters: LetterList,
    /// The rolls of its lanes, and what it is told of other rolls.
    pub rolls: Vec<LedgerLine>,
}

impl PrivateBlock {
    /// An empty block.
    #[must_use]
    pub fn new(campaign: CampaignName, seat: SeatId, envelope: u32) -> Self {
        Self {
            campaign,
            seat,
            envelope,
            keys: Vec::new(),
            blinds: Vec::new(),
            letters: LetterList::default(),
            rolls: Vec::new(),
        }
    }

    /// Returns true if its seat got no letters that the entry of the envelope could bind, and no
    /// dispatch: it was passed over, and both texts are empty.
    #[must_use]
    pub fn is_of_nothing(&self) -> bool {
        let mut blinds = self.blinds.iter();
        let binds_list = blinds.any(|(what, _)| matches!(what, BoundText::Letters(_)));
        binds_list && self.letters.is_empty()
    }

    /// Returns true if it comes with a dispatch, or says that there was none.
    #[must_use]
    pub fn is_of_dispatch(&self) -> bool {
        let mut blinds = self.blinds.iter();
        blinds.any(|(what, _)| matches!(what, BoundText::Dispatch(_)))
    }

    /// All private blocks in a text (a mail, perhaps quoted), well formed or not.
    #[must_use]
    pub fn find(text: &str) -> Vec<Result<Self, DiceError>> {
        blocks(
            text,
            |line| line.starts_with("sd1-private "),
            |line| line == LAST_LINE,
        )
        .into_iter()
        .map(|block| block.and_then(|lines| Self::read(&lines)))
        .collect()
    }

    fn read(lines: &[&str]) -> Result<Self, DiceError> {
        let heading = lines.first().copied().unwrap_or_default();
        Self::read_lines(lines).map_err(|error| DiceError::Entry {
            heading: heading.to_owned(),
            problem: error.to_string(),
        })
    }

    fn read_lines(lines: &[&str]) -> Result<Self, DiceError> {
        let [heading, body @ .., LAST_LINE] = lines else {
            return Err(strange(lines.first().unwrap_or(&"")));
        };
        let ["sd1-private", campaign, seat, envelope] = fields(heading)[..] else {
            return Err(strange(heading));
        };
        let mut block = Self::new(campaign.parse()?, checked_seat(seat)?, ordinal(envelope)?);
        for line in body {
            let fields = fields(line);
            match fields[..] {
                ["key", lane, key] => block.keys.push((lane.parse()?, Key::from_hex(key)?)),
                ["blind", what, key] => block.blinds.push((what.parse()?, Key::from_hex(key)?)),
                ["letters" | "letter", ..] => block.letters.read_line(&fields)?,
                ["roll", ..] => block.rolls.push(line.parse()?),
                _ => return Err(strange(line)),
            }
        }
        Ok(block)
    }
}

fn strange(line: &str) -> DiceError {
    DiceError::malformed(
        "a line of a private block",
        line,
        "`sd1-private`, `key`, `blind`, `letter`, `roll` or `end-private`",
    )
}

impl fmt::Display for PrivateBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "sd1-private {} {} {}",
            self.campaign, self.seat, self.envelope
        )?;
        self.keys
            .iter()
            .try_for_each(|(lane, key)| writeln!(f, "key {lane} {}", key.to_hex()))?;
        self.blinds
            .iter()
            .try_for_each(|(what, key)| writeln!(f, "blind {what} {}", key.to_hex()))?;
        write!(f, "{}", self.letters)?;
        self.rolls
            .iter()
            .try_for_each(|line| writeln!(f, "{line}"))?;
        writeln!(f, "{LAST_LINE}")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dice::hash::hash;

    #[test]
    fn blocks_are_read_as_written_and_found_in_quotes() {
        let mut letters = LetterList::default();
        letters.push("club-07.red.1.a@example.org".to_owned(), hash("letter"));
        let block = PrivateBlock {
            campaign: "club-07".parse().unwrap(),
            seat: "red".into(),
            envelope: 3,
            keys: vec![("red".parse().unwrap(), Key::new([1; 32]))],
            blinds: vec![(BoundText::Orders("red".into()), Key::new([2; 32]))],
            letters,
            rolls: vec!["roll 3 red t1/recon#1 1d6 = 4".parse().unwrap()],
        };
        let quoted: String = block
            .to_string()
            .lines()
            .map(|line| format!("> > {line}  \r\n"))
            .collect();
        let found = PrivateBlock::find(&format!("Ada wrote:\n{quoted}\nbye\n"));
        assert_eq!(found, [Ok(block)]);
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "(sd1-private c red 1\n)?(key |blind |roll |[a-z0-9/ -]{0,20}\n){0,5}(end-private\n)?") {
            let _ = PrivateBlock::find(&text);
        }
    }
}
