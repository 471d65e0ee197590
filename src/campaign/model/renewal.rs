//! Whether a campaign needs a new master, and how its eras open and end.

use crate::{
    campaign::model::{context::Context, state::State, work_error::WorkError},
    dice::{Chains, Lane, Opening},
    ids::SeatId,
};

/// Returns true if a new master is ready that the register does not know yet, or if the next
/// envelope can't be sealed for lack of one.
#[must_use]
pub fn needs_new_master(context: &Context, state: &State) -> bool {
    let next = state.dice.envelope + 1;
    let without =
        context.eras.master.is_none() && context.chains(next).key(&Lane::shut(), next).is_err();
    context.eras.lost() != state.lost || without
}

/// The last envelope of each past era, and of the present one.
#[must_use]
pub fn last_of_eras(context: &Context, state: &State) -> Vec<u32> {
    let ended = (0..state.lost).filter_map(|era| context.eras.last_of(era));
    let mut last: Vec<u32> = ended.collect();
    last.push(state.dice.envelope);
    last.retain(|envelope| *envelope > 0);
    last.dedup();
    last
}

/// The opening of an era, counted from 0.
pub(crate) fn opening(context: &Context, state: &State, era: usize) -> Result<Opening, WorkError> {
    let seats: Vec<SeatId> = context.settings.seats.ids().cloned().collect();
    let anchors = context.eras.get(era).map(|chains| chains.anchors(&seats));
    Ok(Opening {
        rules: state.rules,
        form: state.form,
        seats,
        chain: Chains::DEFAULT_LENGTH,
        anchors: anchors.transpose()?.unwrap_or_default(),
        sources: context.sources.clone(),
    })
}
