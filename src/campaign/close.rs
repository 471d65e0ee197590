//! An envelope that is over: its entry in the register, what each seat is shown of it, and the notes that go with it.

use std::collections::BTreeMap;

use super::{
    drafts::{Content, draw},
    engine::{Effects, Engine, EngineError},
    state::{State, Waiting},
};
use crate::{
    dice::{
        Body, DiceEntry, Form, Lane, Ledger, LedgerLine, LetterList, Note, PrivateBlock,
        ReceiptNumber, What,
    },
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
    pub receipts: BTreeMap<SeatId, ReceiptNumber>,
}

/// The dice of an envelope that is over.
pub(super) struct Rolled {
    /// Its entry in the register.
    pub entry: String,
    /// The rolls that may be shown now; none while the key is held back.
    lines: Vec<LedgerLine>,
    envelope: u32,
    held: bool,
    /// The letters of each seat that the entry binds.
    lists: BTreeMap<SeatId, LetterList>,
    /// Envelopes with rolls that are shown now, and whose keys no later one brings back: the last of each era whose master
    /// was lost while they were held back.
    lost: Vec<u32>,
}

/// How an envelope is closed with letters to all seats.
pub(super) struct Closing<'a> {
    /// The journal's head.
    pub head: &'a str,
    /// Its key and rolls are held back.
    pub hold: bool,
    /// Notes that go out behind the dice.
    pub notes: Vec<Note>,
}

impl Engine {
    /// Sends a letter to every seat, with the dice entry of the envelope in use if there is one: it binds these letters and
    /// all before them.
    pub(super) fn send_with_dice(
        &self,
        state: &mut State,
        mut contents: Vec<(SeatId, Content)>,
        closing: Closing<'_>,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if state.form == Form::Letters {
            let pictures = contents
                .iter_mut()
                .flat_map(|(_, content)| &mut content.pictures);
            draw(pictures.collect(), effects)?;
        }
        let mut drafts = Vec::new();
        for (seat, content) in contents {
            let draft = self.draft(state, &seat, content, effects)?;
            drafts.extend(draft.map(|draft| (seat, draft)));
        }
        let bodies = drafts.iter();
        let bodies = bodies.map(|(seat, draft)| (seat.clone(), draft.words.clone()));
        let bodies = bodies.collect();
        // What has not gone out yet was entered before the dice.
        let mut entries = std::mem::take(&mut state.dice.unsent);
        let rolled = self.close_envelope(state, &bodies, closing.head, closing.hold, effects)?;
        entries.extend(rolled.iter().map(|rolled| rolled.entry.clone()));
        for note in closing.notes {
            entries.push(self.enter(state, Body::Note(note), effects)?);
        }
        self.show_register(state);
        for (seat, mut draft) in drafts {
            if let Some(rolled) = &rolled {
                draft.private = self.private_blocks(&seat, rolled)?;
            }
            draft.entries.clone_from(&entries);
            self.send(state, draft, effects)?;
        }
        Ok(())
    }

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
    fn close_envelope(
        &self,
        state: &mut State,
        bodies: &BTreeMap<SeatId, String>,
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
        let lists = state.take_lists();
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        let text_of = |what: &What| match what {
            What::Ledger => ledger.clone(),
            What::Journal => format!("{head}\n"),
            What::Dispatch(seat) => bodies.get(seat).cloned().unwrap_or_default(),
            What::Letters(seat) => lists.get(seat).map(ToString::to_string).unwrap_or_default(),
            What::Orders(seat) => state.dice.orders.get(seat).cloned().unwrap_or_default(),
        };
        let mut binds = Vec::new();
        for what in state.form.bound(&seats) {
            let text = text_of(&what);
            let digest = self.chains(envelope).digest(envelope, &what, &text)?;
            if let Some(path) = what.item(envelope) {
                effects.items.push((path, text));
            }
            binds.push((what, digest));
        }
        let key = self.chains(envelope).key(&Lane::open(), envelope)?;
        let entry = DiceEntry {
            envelope,
            values: self.values_in_order(state),
            open_key: (!hold).then(|| key.clone()),
            binds,
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
            lists,
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
    fn private_blocks(&self, seat: &SeatId, rolled: &Rolled) -> Result<String, EngineError> {
        let mut blocks = self.private(seat, rolled)?.to_string();
        for envelope in &rolled.lost {
            let lanes = [Lane::open(), Lane::seat(seat)?];
            let keys = lanes.into_iter().map(|lane| {
                let key = self.chains(*envelope).key(&lane, *envelope)?.clone();
                Ok((lane, key))
            });
            let block = PrivateBlock {
                keys: keys.collect::<Result<_, EngineError>>()?,
                ..PrivateBlock::new(self.name.clone(), seat.clone(), *envelope)
            };
            blocks.push('\n');
            blocks.push_str(&block.to_string());
        }
        Ok(blocks)
    }

    /// What one seat may know of the dice and nobody else.
    fn private(&self, seat: &SeatId, rolled: &Rolled) -> Result<PrivateBlock, EngineError> {
        let lane = Lane::seat(seat)?;
        let letters = rolled.lists.get(seat).cloned().unwrap_or_default();
        let blinds = [What::Orders(seat.clone()), What::Dispatch(seat.clone())];
        let list = (!letters.is_empty()).then(|| What::Letters(seat.clone()));
        let blinds = blinds
            .into_iter()
            .chain(list)
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
            letters,
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
