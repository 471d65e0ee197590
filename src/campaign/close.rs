//! An envelope that is over: its entry in the register, what each seat is shown of it, and the notes that go with it.

use std::collections::BTreeMap;

use super::{
    engine::{Effects, Engine, EngineError},
    state::{State, Waiting},
};
use crate::{
    dice::{Body, DiceEntry, Lane, Ledger, LedgerLine, Note, PrivateBlock, What},
    ids::SeatId,
    mail::TextAttachment,
};

/// What the umpire has ruled, where the dispatches tell it.
pub(super) struct Word {
    /// The note in the register.
    pub note: Note,
    /// The key of the words that stand at the head of the dispatches.
    pub notice: &'static str,
    /// The reason, for the dispatch.
    pub why: String,
    /// Receipts of an empty text, for the seats whose orders were laid aside.
    pub receipts: BTreeMap<SeatId, String>,
}

/// The dice of an envelope that is over.
pub(super) struct Rolled {
    /// Its entry in the register.
    pub entry: String,
    /// The rolls that may be shown now; none while the key is held back.
    lines: Vec<LedgerLine>,
    envelope: u32,
    held: bool,
    /// Envelopes with rolls that are shown now, and whose keys no later one brings back: the last of each era whose master
    /// was lost while they were held back.
    lost: Vec<u32>,
}

impl Engine {
    /// The notes that go out behind the dice.
    pub(super) fn notes(
        &self,
        state: &State,
        word: Option<&Word>,
    ) -> Result<Vec<Note>, EngineError> {
        let mut notes: Vec<Note> = word.iter().map(|word| word.note.clone()).collect();
        if let Waiting::Disclosure { at } = &state.waiting {
            // Receipts must be on the table before the master is published (dice.md, section 8).
            let day = at.to_zoned(self.settings.schedule.zone().clone()).date();
            let text = format!(
                "the campaign has ended; the master is published on {day}, keep all receipts"
            );
            notes.push(Note::new(&text)?);
        }
        Ok(notes)
    }

    /// Closes the envelope in use: its register entry, with the digests of everything that goes out. Nothing to close
    /// before the first seal, and nothing twice. Its rolls are shown after those that had been held back, or are held back
    /// themselves.
    pub(super) fn close_envelope(
        &self,
        state: &mut State,
        bodies: &[(&SeatId, &str)],
        head: &str,
        hold: bool,
        effects: &mut Effects,
    ) -> Result<Option<Rolled>, EngineError> {
        let envelope = state.dice.envelope;
        if envelope == 0 || state.dice.closed {
            return Ok(None);
        }
        let ledger = Ledger(state.dice.lines()).text_of(envelope);
        let lines = match hold {
            true => Vec::new(),
            false => state.dice.unshown(),
        };
        let lost = self.last_of_lost_eras(&lines, envelope);
        state.dice.close(hold);
        let mut binds = vec![(What::Ledger, ledger), (What::Journal, format!("{head}\n"))];
        for (seat, body) in bodies {
            binds.push((What::Dispatch((*seat).clone()), (*body).to_owned()));
            let path = format!("{envelope}/dispatch-{seat}.txt");
            effects.items.push((path, (*body).to_owned()));
        }
        effects
            .items
            .push((format!("{envelope}/journal.txt"), format!("{head}\n")));
        let digests = binds
            .into_iter()
            .map(|(what, text)| {
                Ok((
                    what.clone(),
                    self.chains(envelope).digest(envelope, &what, &text)?,
                ))
            })
            .collect::<Result<_, EngineError>>()?;
        let key = self.chains(envelope).key(&Lane::open(), envelope)?;
        let entry = DiceEntry {
            envelope,
            values: self.values_in_order(state),
            open_key: (!hold).then(|| key.clone()),
            binds: digests,
            rolls: lines
                .iter()
                .filter(|line| line.lane.is_open())
                .cloned()
                .collect(),
        };
        let entry = self.enter(state, Body::Dice(entry), effects)?;
        Ok(Some(Rolled {
            entry,
            lines,
            envelope,
            held: hold,
            lost,
        }))
    }

    /// The last envelope of each era before that of `newest` that has one of these rolls, in order.
    fn last_of_lost_eras(&self, lines: &[LedgerLine], newest: u32) -> Vec<u32> {
        let mut last = BTreeMap::new();
        for line in lines {
            last.insert(self.eras.number_of(line.envelope), line.envelope);
        }
        last.remove(&self.eras.number_of(newest));
        last.into_values().collect()
    }

    /// The blocks of a seat: that of the envelope, and the keys of lost eras.
    pub(super) fn private_blocks(
        &self,
        seat: &SeatId,
        rolled: &Rolled,
    ) -> Result<String, EngineError> {
        let mut blocks = self.private(seat, rolled)?.to_string();
        for envelope in &rolled.lost {
            let lanes = [Lane::open(), Lane::seat(seat)?];
            let keys = lanes.into_iter().map(|lane| {
                let key = self.chains(*envelope).key(&lane, *envelope)?.clone();
                Ok((lane, key))
            });
            let block = PrivateBlock {
                campaign: self.name.clone(),
                seat: seat.clone(),
                envelope: *envelope,
                keys: keys.collect::<Result<_, EngineError>>()?,
                blinds: Vec::new(),
                rolls: Vec::new(),
            };
            blocks.push('\n');
            blocks.push_str(&block.to_string());
        }
        Ok(blocks)
    }

    /// What one seat may know of the dice and nobody else.
    fn private(&self, seat: &SeatId, rolled: &Rolled) -> Result<PrivateBlock, EngineError> {
        let lane = Lane::seat(seat)?;
        let blinds = [What::Orders(seat.clone()), What::Dispatch(seat.clone())];
        let blinds = blinds
            .into_iter()
            .map(|what| {
                Ok((
                    what.clone(),
                    self.chains(rolled.envelope).blind(rolled.envelope, &what)?,
                ))
            })
            .collect::<Result<_, EngineError>>()?;
        let key = self.chains(rolled.envelope).key(&lane, rolled.envelope)?;
        let keys = (!rolled.held).then(|| (lane.clone(), key.clone()));
        Ok(PrivateBlock {
            campaign: self.name.clone(),
            seat: seat.clone(),
            envelope: rolled.envelope,
            keys: keys.into_iter().collect(),
            blinds,
            rolls: rolled
                .lines
                .iter()
                .filter(|line| line.lane == lane)
                .cloned()
                .collect(),
        })
    }
}

/// `register-<campaign>-<n>.txt` (dice.md, section 4).
pub(super) fn register_file(entry: &str) -> String {
    let mut words = entry.split_ascii_whitespace().skip(1);
    let (campaign, n) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    format!("register-{campaign}-{n}.txt")
}

/// Entries as attachments, for those whose mail program breaks lines.
pub(super) fn attachments(entries: &[String]) -> Vec<TextAttachment> {
    let attachment = |entry: &String| TextAttachment {
        name: register_file(entry),
        text: entry.clone(),
    };
    entries.iter().map(attachment).collect()
}
