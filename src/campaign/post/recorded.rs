//! Writing where another version of the program wrote the letters: their words are taken from the
//! record by their digests, and everything that does not depend on words is made again. So whoever
//! has the journal can check what binds what, whichever version wrote the letters.

use std::{collections::VecDeque, sync::Arc};

use super::{
    content::DueReceipt,
    desk::{Mailing, WritingDesk},
    envelope::Dispatches,
    step::Step,
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
    let desk = WritingDesk {
        context,
        step,
        register,
        pictures,
        mailing,
    };
    let mut recorded = RecordDesk {
        desk,
        mails: done.mails.iter(),
        entries: &done.entries,
    };
    for plan in plans {
        match plan {
            Plan::Entry(entry) => recorded.desk.entry(entry)?,
            Plan::Letter(letter) => {
                let bound = recorded.list(letter)?;
                recorded.issue(letter, bound)?;
            }
            Plan::Circular(circular) => recorded.circular(circular)?,
        }
    }
    Ok(recorded.desk.mailing)
}

/// A writing desk with the record at hand.
struct RecordDesk<'a> {
    desk: WritingDesk<'a>,
    /// The letters that no plan has asked for yet.
    mails: std::slice::Iter<'a, LetterRecord>,
    entries: &'a [Arc<Entry>],
}

impl RecordDesk<'_> {
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
        self.desk.mailing.mails.push(mail.clone());
        if let (Some(seat), Some(bound)) = (letter.seat(), mail.bound) {
            let message_id = mail.message_id.clone();
            self.desk.register.list(seat, message_id, bound);
        }
        Ok(mail.bound)
    }

    fn issue(&mut self, letter: &LetterPlan, bound: Option<dice::Digest>) -> Result<(), WorkError> {
        if let Some(due) = DueReceipt::with(letter) {
            self.desk.issue(&due, bound)?;
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
            self.desk.close_envelope(dice, &dispatches)?;
        }
        for note in &circular.notes {
            self.desk.enter(EntryBody::Note(note.clone()))?;
        }
        self.desk.register.go_out();
        let mut letters = letters.iter().zip(bound);
        letters.try_for_each(|(letter, bound)| self.issue(letter, bound))
    }

    /// What the dice entry binds that is on record in the place of the next entry.
    fn binds(&self) -> Result<Vec<(BoundText, dice::Digest)>, WorkError> {
        let made = self.desk.mailing.entries.len();
        let entry = self.entries.get(made).ok_or(WorkError::OtherEntries)?;
        match &entry.body {
            EntryBody::Dice(dice) => Ok(dice.binds.clone()),
            _ => Err(WorkError::OtherEntries),
        }
    }
}
