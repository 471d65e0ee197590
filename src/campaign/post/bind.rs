//! The only way in which a recorded outcome comes back into the register: the input's plans are not
//! written again; the record says what came of them.

use std::{collections::BTreeMap, sync::Arc};

use super::envelope::SpentEnvelope;
use crate::{
    campaign::{
        model::{context::Context, events::Done, register::RegisterEnd, work_error::WorkError},
        turn::plan::{Circular, LetterPlan, Plan},
    },
    dice::{Digest, Entry},
};

/// Takes an input's entries and letters from the record instead of writing them again.
///
/// # Errors
/// If the record does not have the planned entries.
pub fn bind(
    context: &Context,
    register: &mut RegisterEnd,
    plans: &[Plan],
    done: &Done,
) -> Result<(), WorkError> {
    let sheets = done.mails.iter();
    let mut record = RecordedPost {
        entries: done.entries.iter(),
        sheets: sheets
            .filter_map(|mail| Some((mail.message_id.as_str(), mail.bound?)))
            .collect(),
    };
    for plan in plans {
        match plan {
            Plan::Entry(entry) => {
                register.add(record.entry()?);
                if entry.opens() {
                    register.open_with_last();
                }
            }
            Plan::Letter(letter) => list_recorded(register, letter, &record),
            Plan::Circular(circular) => bind_circular(context, register, circular, &mut record)?,
        }
    }
    if record.entries.next().is_some() {
        return Err(WorkError::OtherEntries);
    }
    Ok(())
}

fn bind_circular(
    context: &Context,
    register: &mut RegisterEnd,
    circular: &Circular,
    record: &mut RecordedPost<'_>,
) -> Result<(), WorkError> {
    for letter in &circular.letters {
        list_recorded(register, letter, record);
        letter.seat().map(|seat| register.settle(seat));
    }
    if let Some(dice) = &circular.dice {
        SpentEnvelope::of(context, dice, register, &circular.passed_over)?;
        register.add(record.entry()?);
    }
    for _ in &circular.notes {
        register.add(record.entry()?);
    }
    register.go_out(&circular.passed_over);
    Ok(())
}

fn list_recorded(register: &mut RegisterEnd, letter: &LetterPlan, record: &RecordedPost<'_>) {
    let sheet = record.sheets.get(letter.cover.message_id.as_str());
    if let (Some(seat), Some(sheet)) = (letter.seat(), sheet) {
        register.list(seat, letter.cover.message_id.clone(), *sheet);
    }
}

/// The entries and letters on record.
struct RecordedPost<'r> {
    entries: std::slice::Iter<'r, Arc<Entry>>,
    /// The digests of sheets by Message-ID.
    sheets: BTreeMap<&'r str, Digest>,
}

impl<'r> RecordedPost<'r> {
    fn entry(&mut self) -> Result<&'r Arc<Entry>, WorkError> {
        self.entries.next().ok_or(WorkError::OtherEntries)
    }
}
