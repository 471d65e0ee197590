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
    digest::Digest,
    ids::SeatId,
    store::{Blob, Directory, OfferMarks, StoreError},
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

/// The seats of a campaign that look for another player, as its last pass has left them, and the
/// digest of what it says.
///
/// # Errors
/// The environment.
pub fn offered(directory: &Directory) -> Result<(Vec<SeatId>, Digest), StoreError> {
    let text = directory.fetch(Blob::Offers)?.unwrap_or_default();
    let seats = text.lines().map(SeatId::from).collect();
    Ok((seats, Digest::of(text.as_bytes())))
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
        let before = directory.fetch(Blob::Offers)?.unwrap_or_default();
        if before == text {
            return Ok(());
        }
        // The mark comes first: after a kill this is done once more, since the file is the old one.
        let marks = OfferMarks::beside(directory.root());
        if let Some((marks, name)) = &marks {
            marks.put(name, Digest::of(text.as_bytes()))?;
        }
        directory.keep(Blob::Offers, &text)?;
        if let Some((marks, name)) = &marks {
            marks.remove(name, Digest::of(before.as_bytes()))?;
        }
        Ok(())
    }
}
