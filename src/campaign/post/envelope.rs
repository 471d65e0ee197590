//! The dice entry of an envelope that is over, and what each seat is shown of it.

use std::collections::BTreeMap;

use super::{draft::LetterDraft, writer::LetterWriter};
use crate::{
    campaign::{
        model::{
            context::Context,
            missing_values,
            register::{RegisterEnd, SeatEnvelope},
            work_error::WorkError,
        },
        turn::plan::DicePlan,
    },
    dice::{
        BoundText, DiceEntry, Digest, EntryBody, Form, Lane, Ledger, LedgerLine, LetterList,
        PrivateBlock,
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
    /// The rolls that may be shown now; none while the key is kept back.
    lines: Vec<LedgerLine>,
    envelope: u32,
    kept_back: bool,
    /// The letters of each seat that the entry binds.
    lists: BTreeMap<SeatId, LetterList>,
    /// Envelopes with rolls that are shown now and whose keys no later key yields: the last one of
    /// each era whose master was lost while its rolls were kept back.
    lost: Vec<u32>,
}

impl LetterWriter<'_> {
    /// Closes the envelope in use with its register entry, which has the digests of everything that
    /// goes out. Its rolls are shown, after any that had been kept back, or are kept back
    /// themselves.
    pub(super) fn spend_envelope(
        &mut self,
        plan: &DicePlan,
        dispatches: &Dispatches<'_>,
        passed_over: &[SeatId],
    ) -> Result<SpentEnvelope, WorkError> {
        let (context, state, keep_back) = (self.context, &plan.state, plan.keep_back);
        let envelope = state.dice.envelope;
        let spent = SpentEnvelope::of(context, plan, self.register, passed_over)?;
        let binds = self.binds(plan, dispatches, &spent.lists)?;
        let key = context.chains(envelope).key(&Lane::open(), envelope)?;
        let open = spent.lines.iter().filter(|line| line.lane.is_open());
        self.enter(EntryBody::Dice(DiceEntry {
            envelope,
            values: missing_values::values_in_order(context, state),
            open_key: (!keep_back).then(|| key.clone()),
            binds,
            rolls: open.cloned().collect(),
        }))?;
        Ok(spent)
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
    /// The envelope that this plan closes. Takes the letters that its entry binds, but for those of
    /// seats that are passed over, and owes these their part.
    pub(super) fn of(
        context: &Context,
        plan: &DicePlan,
        register: &mut RegisterEnd,
        passed_over: &[SeatId],
    ) -> Result<Self, WorkError> {
        let envelope = plan.state.dice.envelope;
        let lines = match plan.keep_back {
            true => Vec::new(),
            false => plan.state.dice.unshown(),
        };
        let spent = Self {
            lost: last_of_lost_eras(context, &lines, envelope),
            lists: register.take_letters(passed_over),
            kept_back: plan.keep_back,
            envelope,
            lines,
        };
        for seat in passed_over {
            register.owe(seat, spent.of_seat(seat)?);
        }
        Ok(spent)
    }

    /// As much of it as this seat is shown.
    pub(super) fn of_seat(&self, seat: &SeatId) -> Result<SeatEnvelope, WorkError> {
        let lane = Lane::seat(seat)?;
        let own = self.lines.iter().filter(|line| line.lane == lane);
        Ok(SeatEnvelope {
            envelope: self.envelope,
            kept_back: self.kept_back,
            rolls: own.cloned().collect(),
            letters: self.lists.get(seat).cloned().unwrap_or_default(),
            lost: self.lost.clone(),
        })
    }
}

/// The private blocks of a seat: that of the envelope, and the keys of lost eras.
pub(super) fn private_blocks(
    context: &Context,
    form: Form,
    seat: &SeatId,
    spent: &SeatEnvelope,
) -> Result<String, WorkError> {
    let mut blocks = private_block(context, form, seat, spent)?.to_string();
    for envelope in &spent.lost {
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

/// The part of the dice that a seat alone may know. A blind of letters without letters says that
/// none were bound, nor a dispatch: the seat was passed over.
fn private_block(
    context: &Context,
    form: Form,
    seat: &SeatId,
    spent: &SeatEnvelope,
) -> Result<PrivateBlock, WorkError> {
    let (lane, envelope) = (Lane::seat(seat)?, spent.envelope);
    let blinds = [
        BoundText::Orders(seat.clone()),
        BoundText::Dispatch(seat.clone()),
    ];
    let list = (form == Form::Letters).then(|| BoundText::Letters(seat.clone()));
    let blinds = blinds.into_iter().chain(list).map(|what| {
        let blind = context.chains(envelope).blind(envelope, &what)?;
        Ok((what, blind))
    });
    let blinds = blinds.collect::<Result<_, WorkError>>()?;
    let key = context.chains(envelope).key(&lane, envelope)?;
    let keys = (!spent.kept_back).then(|| (lane.clone(), key.clone()));
    Ok(PrivateBlock {
        campaign: context.name.clone(),
        seat: seat.clone(),
        envelope,
        keys: keys.into_iter().collect(),
        blinds,
        letters: spent.letters.clone(),
        rolls: spent.rolls.clone(),
    })
}
