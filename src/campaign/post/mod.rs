//! What is planned is written: letters, entries of the register, and what the dice protocol keeps of them.
//!
//! The only room that makes documents, and the only one that moves the register on. It gives the same bytes whenever it is
//! given the same: no clock is read here, and no disk.

mod again;
mod bind;
mod content;
mod dispatches;
mod documents;
mod draft;
mod envelope;
mod explained;
pub mod letter;
mod notices;
mod openings;
mod questions;
mod receipts;
mod seals;
pub mod sheet;
mod step;

use std::collections::VecDeque;

use self::draft::Draft;
pub use self::{
    bind::bind, documents::map_document, explained::explained, letter::Letter,
    receipts::receipt_text, step::Step,
};
use crate::{
    campaign::{
        model::{context::Context, register::Register, work_error::WorkError},
        turn::plan::{Circular, EntryPlan, LetterPlan, Plan, SealPlan},
    },
    dice::{self, Body, Form, Seal, What},
};

/// What has been written.
#[derive(Clone, Debug, Default)]
pub struct Mailing {
    /// The letters, in their order.
    pub letters: Vec<Letter>,
    /// The entries of the register, in their order.
    pub entries: Vec<String>,
    /// Orders that a seal bound, dispatches and the journal's head: the items of the dice protocol, by file name.
    pub items: Vec<(String, String)>,
    /// Receipts that were issued.
    pub receipts: Vec<String>,
    /// The digests of the pictures, in their order.
    pub pictures: Vec<dice::Digest>,
}

/// Writes what is planned, in that order. The digests of pictures that are on record are taken from there in their order.
///
/// # Errors
/// The first letter or entry that can't be written.
pub fn write(
    context: &Context,
    step: Step,
    register: &mut Register,
    plans: &[Plan],
    pictures: VecDeque<dice::Digest>,
) -> Result<Mailing, WorkError> {
    let mut desk = Desk {
        context,
        step,
        register,
        pictures,
        mailing: Mailing::default(),
    };
    for plan in plans {
        match plan {
            Plan::Entry(entry) => desk.entry(entry)?,
            Plan::Letter(letter) => desk.letter(letter)?,
            Plan::Circular(circular) => desk.circular(circular)?,
        }
    }
    Ok(desk.mailing)
}

/// Where letters are written.
struct Desk<'a> {
    context: &'a Context,
    step: Step,
    register: &'a mut Register,
    /// The digests of pictures that are on record.
    pictures: VecDeque<dice::Digest>,
    mailing: Mailing,
}

impl Desk<'_> {
    fn entry(&mut self, entry: &EntryPlan) -> Result<(), WorkError> {
        let body = match entry {
            EntryPlan::Opening(opening) => Body::Open(opening.clone()),
            EntryPlan::Seed(note) | EntryPlan::Note(note) => Body::Note(note.clone()),
            EntryPlan::Seal(seal) => self.seal(seal)?,
            EntryPlan::End(end) => Body::End(end.clone()),
        };
        self.enter(body)?;
        if entry.opens() {
            self.register.open_with_last();
        }
        Ok(())
    }

    fn enter(&mut self, body: Body) -> Result<String, WorkError> {
        let text = self.register.enter(self.context.name(), body)?;
        self.mailing.entries.push(text.clone());
        Ok(text)
    }

    /// The seal of an envelope. What it binds is kept for an audit.
    fn seal(&mut self, seal: &SealPlan) -> Result<Body, WorkError> {
        let envelope = seal.envelope;
        let mut orders = Vec::new();
        for (seat, words) in &seal.orders {
            let what = What::Orders(seat.clone());
            let digest = self
                .context
                .chains(envelope)
                .digest(envelope, &what, words)?;
            orders.push((seat.clone(), digest));
            let path = format!("{envelope}/orders-{seat}.txt");
            self.mailing.items.push((path, words.clone()));
        }
        Ok(Body::Seal(Seal {
            envelope,
            sealed: self.step.time.into(),
            round: seal.round,
            orders,
        }))
    }

    fn letter(&mut self, letter: &LetterPlan) -> Result<(), WorkError> {
        let draft = self.draft(letter, false)?;
        self.send(draft)
    }

    /// Letters that go out together: the entry that closes an envelope binds them all, so they are drafted before it and get
    /// their proofs after it.
    fn circular(&mut self, circular: &Circular) -> Result<(), WorkError> {
        let brings_entries = !self.register.unsent.is_empty()
            || circular.dice.is_some()
            || !circular.notes.is_empty();
        let mut drafts = self.drafts(&circular.letters, brings_entries)?;
        let dice = circular.dice.as_ref();
        let rolled = dice.map(|dice| self.close_envelope(dice, &drafts));
        let rolled = rolled.transpose()?;
        for note in &circular.notes {
            self.enter(Body::Note(note.clone()))?;
        }
        let entries = self.register.go_out(self.context.name())?;
        for draft in &mut drafts {
            if let (Some(rolled), Some(seat)) = (&rolled, draft.to.seat()) {
                draft.private = rolled.private_blocks(self.context, seat)?;
            }
            draft.entries.clone_from(&entries);
        }
        drafts.into_iter().try_for_each(|draft| self.send(draft))
    }

    /// Drafts of several letters. Their pictures are drawn together.
    fn drafts(
        &mut self,
        letters: &[LetterPlan],
        brings_entries: bool,
    ) -> Result<Vec<Draft>, WorkError> {
        let mut contents = Vec::new();
        for letter in letters {
            contents.push(self.content(letter, brings_entries)?);
        }
        let bound = letters.iter().zip(&mut contents);
        let bound = bound.filter(|(letter, _)| letter.state.form == Form::Letters);
        let pictures = bound.flat_map(|(_, content)| &mut content.pictures);
        self.draw(pictures.collect())?;
        let contents = letters.iter().zip(contents);
        Ok(contents
            .map(|(letter, content)| self.drafted(letter, content))
            .collect())
    }
}
