//! Writes letters that another version of the program wrote before: their words are taken from the
//! record by their digests, and everything that does not depend on words is made again. So the
//! journal shows what binds what, whichever version wrote the letters.

use std::{collections::VecDeque, sync::Arc};

use super::{
    content::DueReceipt,
    envelope::Dispatches,
    step::Step,
    writer::{LetterWriter, Mailing},
};
use crate::{
    campaign::{
        model::{
            context::Context,
            events::{Done, LetterRecord},
            register::RegisterEnd,
            work_error::WorkError,
        },
        turn::plan::{Circular, LetterPlan, Plan},
    },
    dice::{self, BoundText, Entry, EntryBody, Form},
};

/// Makes again what an input has planned, as [`super::write()`] does, except for the letters, which
/// come from the record.
///
/// # Errors
/// If the record does not have the planned letters, or an entry can't be made.
pub fn write_recorded(
    context: &Context,
    step: Step,
    register: &mut RegisterEnd,
    plans: &[Plan],
    done: &Done,
) -> Result<Mailing, WorkError> {
    let pictures = VecDeque::new();
    let mailing = Mailing {
        pictures: done.pictures.clone(),
        ..Mailing::default()
    };
    let writer = LetterWriter {
        context,
        step,
        register,
        pictures,
        mailing,
    };
    let mut recorded = RecordWriter {
        writer,
        mails: done.mails.iter(),
        entries: &done.entries,
    };
    for plan in plans {
        match plan {
            Plan::Entry(entry) => recorded.writer.entry(entry)?,
            Plan::Letter(letter) => {
                let bound = recorded.list(letter)?;
                recorded.issue(letter, bound)?;
            }
            Plan::Circular(circular) => recorded.circular(circular)?,
        }
    }
    Ok(recorded.writer.mailing)
}

/// The writer, with the record at hand.
struct RecordWriter<'a> {
    writer: LetterWriter<'a>,
    /// The letters that no plan has asked for yet.
    mails: std::slice::Iter<'a, LetterRecord>,
    entries: &'a [Arc<Entry>],
}

impl RecordWriter<'_> {
    /// Takes a letter from the record, and lists it if the register binds it. Returns the digest of
    /// its sheet.
    fn list(&mut self, letter: &LetterPlan) -> Result<Option<dice::Digest>, WorkError> {
        let is_bound = letter.seat().is_some() && letter.state.form == Form::Letters;
        let is_planned = |mail: &&LetterRecord| {
            let cover = &letter.cover;
            mail.to == letter.recipient()
                && mail.message_id == cover.message_id
                && mail.bound.is_some() == is_bound
        };
        let mail = self.mails.next().filter(is_planned);
        let mail = mail.ok_or_else(|| WorkError::OtherLetters {
            to: letter.recipient().to_string(),
            message_id: letter.cover.message_id.clone(),
        })?;
        self.writer.mailing.mails.push(mail.clone());
        if let (Some(seat), Some(bound)) = (letter.seat(), mail.bound) {
            let message_id = mail.message_id.clone();
            self.writer.register.list(seat, message_id, bound);
        }
        Ok(mail.bound)
    }

    fn issue(&mut self, letter: &LetterPlan, bound: Option<dice::Digest>) -> Result<(), WorkError> {
        if let Some(due) = DueReceipt::with(letter) {
            self.writer.issue(&due, bound)?;
        }
        Ok(())
    }

    fn circular(&mut self, circular: &Circular) -> Result<(), WorkError> {
        let letters = &circular.letters;
        let bound = letters.iter().map(|letter| self.list(letter));
        let bound: Vec<Option<dice::Digest>> = bound.collect::<Result<_, _>>()?;
        if let Some(dice) = &circular.dice {
            let binds = self.binds()?;
            let dispatches = Dispatches::OnRecord(&binds);
            let passed_over = &circular.passed_over;
            self.writer.spend_envelope(dice, &dispatches, passed_over)?;
        }
        for note in &circular.notes {
            self.writer.enter(EntryBody::Note(note.clone()))?;
        }
        for seat in circular.letters.iter().filter_map(LetterPlan::seat) {
            self.writer.register.settle(seat);
        }
        self.writer.register.go_out(&circular.passed_over);
        let mut letters = letters.iter().zip(bound);
        letters.try_for_each(|(letter, bound)| self.issue(letter, bound))
    }

    /// The texts that the recorded dice entry binds in the place of the next entry.
    fn binds(&self) -> Result<Vec<(BoundText, dice::Digest)>, WorkError> {
        let made = self.writer.mailing.entries.len();
        let entry = self.entries.get(made).ok_or(WorkError::OtherEntries)?;
        match &entry.body {
            EntryBody::Dice(dice) => Ok(dice.binds.clone()),
            _ => Err(WorkError::OtherEntries),
        }
    }
}
