//! What the club around the campaigns and one of them tell each other, without either opening the
//! other: the club puts its words into a folder of the campaign, which takes them in as it does
//! mails; the campaign keeps files for the club, and marks that they have changed.

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
    store::{Blob, ClubMarks, Directory, StoreError},
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
    words.put(name, text.as_bytes())?;
    Ok(())
}

/// What a campaign marks when it changes: the club looks at a campaign for it.
const MARKED: [Blob; 2] = [Blob::Offers, Blob::Result];

/// The mark of a file that says this.
fn mark_of(blob: Blob, text: Option<&str>) -> Digest {
    Digest::of(format!("{blob:?}\n{}", text.unwrap_or_default()).as_bytes())
}

/// A file that a campaign keeps for the club, and its mark.
///
/// # Errors
/// The environment.
pub(super) fn kept(
    directory: &Directory,
    blob: Blob,
) -> Result<(Option<String>, Digest), StoreError> {
    let text = directory.fetch(blob)?;
    let mark = mark_of(blob, text.as_deref());
    Ok((text, mark))
}

/// The seats of a campaign that look for another player, as its last pass has left them, and the
/// mark of what it says.
///
/// # Errors
/// The environment.
pub fn offered(directory: &Directory) -> Result<(Vec<SeatId>, Digest), StoreError> {
    let (text, mark) = kept(directory, Blob::Offers)?;
    let seats = text.iter().flat_map(|text| text.lines());
    Ok((seats.map(SeatId::from).collect(), mark))
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

    /// Writes down which seats look for another player.
    pub(crate) fn keep_offers(&self) -> Result<(), CampaignError> {
        let seats = absence::offered(self.context(), self.state());
        let text: String = seats.iter().map(|seat| format!("{seat}\n")).collect();
        self.keep_for_club(Blob::Offers, (!text.is_empty()).then_some(text))
    }

    /// Keeps a file for the club around the campaign, if it says something else; none if there is
    /// nothing to say. One that can't be read is written anew.
    pub(super) fn keep_for_club(
        &self,
        blob: Blob,
        text: Option<String>,
    ) -> Result<(), CampaignError> {
        let directory = self.directory();
        let before = directory.fetch(blob).ok();
        if before.as_ref() == Some(&text) {
            return Ok(());
        }
        // The mark comes first: after a kill this is done once more, since the file is the old one.
        let marks = ClubMarks::beside(directory.root()).filter(|_| MARKED.contains(&blob));
        if let Some((marks, name)) = &marks {
            marks.put(name, mark_of(blob, text.as_deref()))?;
        }
        match text {
            Some(text) => directory.keep(blob, &text)?,
            None => {
                directory.remove(blob)?;
            }
        }
        if let Some(((marks, name), before)) = marks.zip(before) {
            marks.remove(&name, mark_of(blob, before.as_deref()))?;
        }
        Ok(())
    }
}
