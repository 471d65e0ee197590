//! The dice entry of an envelope that is over, and what each seat is shown of it.

use std::collections::BTreeMap;

use super::{draft::LetterDraft, writer::LetterWriter};
use crate::{
    campaign::{
        model::{context::Context, missing_values, work_error::WorkError},
        turn::plan::DicePlan,
    },
    dice::{
        BoundText, DiceEntry, Digest, EntryBody, Lane, Ledger, LedgerLine, LetterList, PrivateBlock,
    },
    ids::SeatId,
};

/// The part of the dispatches that the dice entry binds.
pub(super) enum Dispatches<'a> {
    /// The words of those that are being written.
    Written(&'a [LetterDraft]),
    /// The digests that the entry on record has of them.
    OnRecord(&'a [(BoundText, Digest)]),
}

/// The dice of an envelope that is over.
pub(super) struct SpentEnvelope {
    /// The rolls that may be shown now; none while the key is held back.
    lines: Vec<LedgerLine>,
    envelope: u32,
    held: bool,
    /// The letters of each seat that the entry binds.
    lists: BTreeMap<SeatId, LetterList>,
    /// Envelopes with rolls that are shown now and whose keys no later key yields: the last one of
    /// each era whose master was lost while its rolls were held back.
    lost: Vec<u32>,
}

impl LetterWriter<'_> {
    /// Closes the envelope in use with its register entry, which has the digests of everything that
    /// goes out. Its rolls are shown, after any that had been held back, or are held back
    /// themselves.
    pub(super) fn close_envelope(
        &mut self,
        plan: &DicePlan,
        dispatches: &Dispatches<'_>,
    ) -> Result<SpentEnvelope, WorkError> {
        let (context, state, hold) = (self.context, &plan.state, plan.hold);
        let envelope = state.dice.envelope;
        let lines = match hold {
            true => Vec::new(),
            false => state.dice.unshown(),
        };
        let lost = last_of_lost_eras(context, &lines, envelope);
        let lists = self.register.take_letters();
        let binds = self.binds(plan, dispatches, &lists)?;
        let key = context.chains(envelope).key(&Lane::open(), envelope)?;
        let open = lines.iter().filter(|line| line.lane.is_open());
        self.enter(EntryBody::Dice(DiceEntry {
            envelope,
            values: missing_values::values_in_order(context, state),
            open_key: (!hold).then(|| key.clone()),
            binds,
            rolls: open.cloned().collect(),
        }))?;
        Ok(SpentEnvelope {
            lines,
            envelope,
            held: hold,
            lists,
            lost,
        })
    }

    /// The digests of everything that goes out. Keeps what they bind, for an audit.
    fn binds(
        &mut self,
        plan: &DicePlan,
        dispatches: &Dispatches<'_>,
        lists: &BTreeMap<SeatId, LetterList>,
    ) -> Result<Vec<(BoundText, Digest)>, WorkError> {
        let (context, state) = (self.context, &plan.state);
        let envelope = state.dice.envelope;
        let words_to = |seat: &SeatId| match dispatches {
            Dispatches::Written(drafts) => {
                let draft = drafts.iter().find(|draft| draft.to.seat() == Some(seat));
                draft.map(|draft| draft.words.clone())
            }
            Dispatches::OnRecord(_) => None,
        };
        let on_record = |what: &BoundText| match (dispatches, what) {
            (Dispatches::OnRecord(binds), BoundText::Dispatch(_)) => {
                let bind = binds.iter().find(|(bound, _)| bound == what);
                bind.map(|(_, digest)| *digest)
            }
            _ => None,
        };
        let text_of = |what: &BoundText| match what {
            BoundText::Ledger => Some(Ledger(state.dice.rolled.clone()).text_of(envelope)),
            BoundText::Journal => Some(format!("{}\n", self.step.head)),
            BoundText::Dispatch(seat) => words_to(seat),
            BoundText::Letters(seat) => {
                let list = lists.get(seat).cloned().unwrap_or_default();
                Some(list.to_string())
            }
            BoundText::Orders(seat) => state.dice.orders.get(seat).cloned(),
        };
        let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
        let (mut binds, mut items) = (Vec::new(), Vec::new());
        for what in state.form.bound(&seats) {
            if let Some(digest) = on_record(&what) {
                binds.push((what, digest));
                continue;
            }
            let text = text_of(&what).unwrap_or_default();
            let digest = context.chains(envelope).digest(envelope, &what, &text)?;
            items.extend(what.item(envelope).map(|path| (path, text)));
            binds.push((what, digest));
        }
        self.mailing.items.extend(items);
        Ok(binds)
    }
}

/// The last envelope of each era before that of `newest` that has one of these rolls, in order.
fn last_of_lost_eras(context: &Context, lines: &[LedgerLine], newest: u32) -> Vec<u32> {
    let mut last = BTreeMap::new();
    for line in lines {
        last.insert(context.eras.number_of(line.envelope), line.envelope);
    }
    last.remove(&context.eras.number_of(newest));
    last.into_values().collect()
}

impl SpentEnvelope {
    /// The private blocks of a seat: that of the envelope, and the keys of lost eras.
    pub(super) fn private_blocks(
        &self,
        context: &Context,
        seat: &SeatId,
    ) -> Result<String, WorkError> {
        let mut blocks = self.private(context, seat)?.to_string();
        for envelope in &self.lost {
            let lanes = [Lane::open(), Lane::seat(seat)?];
            let keys = lanes.into_iter().map(|lane| {
                let key = context.chains(*envelope).key(&lane, *envelope)?.clone();
                Ok((lane, key))
            });
            let block = PrivateBlock {
                keys: keys.collect::<Result<_, WorkError>>()?,
                ..PrivateBlock::new(context.name.clone(), seat.clone(), *envelope)
            };
            blocks.push('\n');
            blocks.push_str(&block.to_string());
        }
        Ok(blocks)
    }

    /// What this seat alone may know of the dice.
    fn private(&self, context: &Context, seat: &SeatId) -> Result<PrivateBlock, WorkError> {
        let lane = Lane::seat(seat)?;
        let letters = self.lists.get(seat).cloned().unwrap_or_default();
        let blinds = [
            BoundText::Orders(seat.clone()),
            BoundText::Dispatch(seat.clone()),
        ];
        let list = (!letters.is_empty()).then(|| BoundText::Letters(seat.clone()));
        let blinds = blinds
            .into_iter()
            .chain(list)
            .map(|what| {
                Ok((
                    what.clone(),
                    context.chains(self.envelope).blind(self.envelope, &what)?,
                ))
            })
            .collect::<Result<_, WorkError>>()?;
        let key = context.chains(self.envelope).key(&lane, self.envelope)?;
        let keys = (!self.held).then(|| (lane.clone(), key.clone()));
        Ok(PrivateBlock {
            campaign: context.name.clone(),
            seat: seat.clone(),
            envelope: self.envelope,
            keys: keys.into_iter().collect(),
            blinds,
            letters,
            rolls: self
                .lines
                .iter()
                .filter(|line| line.lane == lane)
                .cloned()
                .collect(),
        })
    }
}
