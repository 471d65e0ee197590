//! What the club around the campaigns and one of them tell each other, without either opening the
//! other: the club puts its words into a folder of the campaign, which takes them in as it does
//! mails; the campaign lists the seats that look for a player in a file.

use jiff::Timestamp;

use super::{Campaign, CampaignError, Pass};
use crate::{
    campaign::{
        model::{
            absence::{ClubNotice, ClubWord},
            events::Event,
        },
        turn::absence,
    },
    ids::SeatId,
    store::{Blob, Directory, StoreError},
};

/// The largest word of a club, in bytes.
const LARGEST_WORD: usize = 16 << 10;

/// Puts a word of the club into a campaign's folder under a name of the club's; once more changes
/// nothing.
///
/// # Errors
/// The environment.
pub fn tell(directory: &Directory, name: &str, word: &ClubWord) -> Result<(), CampaignError> {
    let text = serde_json::to_string(word).map_err(|error| StoreError::Unwritable {
        what: "word of the club",
        problem: error.to_string(),
    })?;
    let words = directory.club_words();
    words.create()?;
    words.put(name, text.as_bytes())?;
    Ok(())
}

/// The seats of a campaign that look for another player, as its last pass has left them.
///
/// # Errors
/// The environment.
pub fn offered(directory: &Directory) -> Result<Vec<SeatId>, StoreError> {
    let text = directory.fetch(Blob::Offers)?.unwrap_or_default();
    Ok(text.lines().map(SeatId::from).collect())
}

impl Campaign {
    /// Takes in what the club has told since.
    pub(crate) fn hear_the_club(
        &mut self,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), CampaignError> {
        let words = self.directory().club_words();
        if !words.has_new() {
            return Ok(());
        }
        for entry in words.unprocessed()? {
            let file = entry.key();
            let known = self.state().taken.contains(&absence::mark(&file));
            let bytes = words.read(&entry, LARGEST_WORD)?.unwrap_or_default();
            let word = serde_json::from_slice::<ClubWord>(&bytes);
            match word {
                Ok(word) if !known => {
                    let notice = ClubNotice { word, file };
                    self.input(Event::Club(Box::new(notice)), now, pass)?;
                }
                Ok(_) => {}
                Err(error) => pass
                    .lines
                    .push(format!("{file} from the club is no word of it: {error}")),
            }
            words.done(&entry)?;
        }
        Ok(())
    }

    /// Writes down which seats look for another player, if that has changed and a club wants to
    /// know.
    pub(crate) fn keep_offers(&self) -> Result<(), CampaignError> {
        if self.context().settings.club.is_none() {
            return Ok(());
        }
        let seats = absence::offered(self.context(), self.state());
        let text: String = seats.iter().map(|seat| format!("{seat}\n")).collect();
        let directory = self.directory();
        let before = directory.fetch(Blob::Offers)?;
        if before.unwrap_or_default() != text {
            directory.keep(Blob::Offers, &text)?;
        }
        Ok(())
    }
}
