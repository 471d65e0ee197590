//! Writes what is planned, in the order of the plans.

use std::{collections::VecDeque, sync::Arc};

use super::{
    cores::on_all_cores,
    draft::LetterDraft,
    envelope::{Dispatches, SpentEnvelope, private_blocks},
    step::Step,
    writer::{LetterWriter, Mailing, texts_of},
};
use crate::{
    campaign::{
        model::{context::Context, register::RegisterEnd, work_error::WorkError},
        turn::plan::{Circular, EntryPlan, LetterPlan, Plan, SealPlan},
    },
    dice::{self, BoundText, Entry, EntryBody, Form, Seal},
};

/// Writes the plans in their order. `pictures` are the digests of pictures on record, in their
/// order.
///
/// # Errors
/// The first letter or entry that can't be written.
pub fn write(
    context: &Context,
    step: Step,
    register: &mut RegisterEnd,
    plans: &[Plan],
    pictures: VecDeque<dice::Digest>,
) -> Result<Mailing, WorkError> {
    let mut writer = LetterWriter {
        context,
        step,
        register,
        pictures,
        mailing: Mailing::default(),
    };
    for plan in plans {
        match plan {
            Plan::Entry(entry) => writer.entry(entry)?,
            Plan::Letter(letter) => writer.letter(letter)?,
            Plan::Circular(circular) => writer.circular(circular)?,
        }
    }
    Ok(writer.mailing)
}

impl LetterWriter<'_> {
    pub(super) fn entry(&mut self, entry: &EntryPlan) -> Result<(), WorkError> {
        let body = match entry {
            EntryPlan::Opening(opening) => EntryBody::Open(opening.clone()),
            EntryPlan::Seed(note) | EntryPlan::Note(note) => EntryBody::Note(note.clone()),
            EntryPlan::Seal(seal) => self.seal(seal)?,
            EntryPlan::End(end) => EntryBody::End(end.clone()),
        };
        self.enter(body)?;
        if entry.opens() {
            self.register.open_with_last();
        }
        Ok(())
    }

    /// The seal of an envelope. Keeps what it binds, for an audit.
    fn seal(&mut self, seal: &SealPlan) -> Result<EntryBody, WorkError> {
        let envelope = seal.envelope;
        let mut orders = Vec::new();
        for (seat, words) in &seal.orders {
            let what = BoundText::Orders(seat.clone());
            let digest = self
                .context
                .chains(envelope)
                .digest(envelope, &what, words)?;
            orders.push((seat.clone(), digest));
            let path = format!("{envelope}/orders-{seat}.txt");
            self.mailing.items.push((path, words.clone()));
        }
        Ok(EntryBody::Seal(Seal {
            envelope,
            sealed: self.step.time.into(),
            round: seal.round,
            orders,
        }))
    }

    fn letter(&mut self, letter: &LetterPlan) -> Result<(), WorkError> {
        let draft = self.draft(letter, false)?;
        self.send(vec![draft])
    }

    /// Writes letters that go out together. The entry that closes an envelope binds them all, so
    /// they are drafted before it and get their proofs after it.
    fn circular(&mut self, circular: &Circular) -> Result<(), WorkError> {
        let brings_entries = !self.register.unsent.is_empty()
            || circular.dice.is_some()
            || !circular.notes.is_empty();
        let mut drafts = self.drafts(&circular.letters, brings_entries)?;
        let dice = circular.dice.as_ref();
        let passed_over = &circular.passed_over;
        let spent = dice.map(|dice| {
            let dispatches = Dispatches::Written(&drafts);
            self.spend_envelope(dice, &dispatches, passed_over)
        });
        let spent = spent.transpose()?;
        for note in &circular.notes {
            self.enter(EntryBody::Note(note.clone()))?;
        }
        let entries = self.register.go_out(passed_over);
        for (draft, letter) in drafts.iter_mut().zip(&circular.letters) {
            self.prove(draft, letter, spent.as_ref(), &entries)?;
        }
        self.send(drafts)
    }

    /// Gives a letter of a circular its entries and private blocks, with those that the seat is
    /// owed since it was passed over.
    fn prove(
        &mut self,
        draft: &mut LetterDraft,
        letter: &LetterPlan,
        spent: Option<&SpentEnvelope>,
        entries: &[Arc<Entry>],
    ) -> Result<(), WorkError> {
        let Some(seat) = letter.seat() else {
            draft.entries = texts_of(entries);
            return Ok(());
        };
        let owed = self.register.settle(seat);
        let spent = spent.map(|spent| spent.of_seat(seat)).transpose()?;
        for envelope in spent.iter().chain(&owed.envelopes) {
            if !draft.private.is_empty() {
                draft.private.push('\n');
            }
            let blocks = private_blocks(self.context, letter.state.form, seat, envelope)?;
            draft.private.push_str(&blocks);
        }
        draft.entries = texts_of(&[&owed.entries, entries].concat());
        Ok(())
    }

    /// Drafts several letters, drawing their pictures together.
    fn drafts(
        &mut self,
        letters: &[LetterPlan],
        brings_entries: bool,
    ) -> Result<Vec<LetterDraft>, WorkError> {
        let mut briefings = Vec::new();
        for letter in letters {
            let is_owed = |seat| self.register.debts.contains_key(seat);
            let brings = brings_entries || letter.seat().is_some_and(is_owed);
            briefings.push(self.briefing(letter, brings)?);
        }
        let mut contents = on_all_cores(briefings, |briefing| Ok(briefing.content()))?;
        for (letter, content) in letters.iter().zip(&mut contents) {
            self.note_unproposed(letter, content);
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
