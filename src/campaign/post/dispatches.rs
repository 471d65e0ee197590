//! Dispatches: what happened, the questions, and the dice of the past envelope.

use super::{
    content::LetterContent,
    documents::{SeatBriefing, asked, briefing, letter},
};
use crate::{
    campaign::{
        model::{context::Context, players, state::State, work_error::WorkError},
        turn::plan::RulingNotice,
    },
    dice::{Lane, LedgerLine, ReceiptNumber},
    dispatch::{DiceText, OpenRoll},
    ids::SeatId,
};

/// What a dispatch is made from; it can be made on any core.
pub(super) struct DispatchBriefing<'a> {
    document: SeatBriefing<'a>,
    proven: bool,
}

impl DispatchBriefing<'_> {
    /// The content of the dispatch.
    pub(super) fn content(self) -> LetterContent {
        letter(self.document, self.proven)
    }
}

/// What a seat's dispatch is made from. `brings_entries`: entries of the register go out with it.
pub(super) fn briefing_of_dispatch<'a>(
    context: &'a Context,
    state: &'a State,
    seat: &'a SeatId,
    (ruled, receipt): (Option<&RulingNotice>, Option<&ReceiptNumber>),
    brings_entries: bool,
) -> Result<DispatchBriefing<'a>, WorkError> {
    let lines = if state.dice.spent {
        Vec::new()
    } else {
        state.dice.unshown()
    };
    let view = state.world.seen_by(&context.game, seat);
    let entry = state.seats.get(seat);
    let heard = entry.map(|entry| entry.heard.clone()).unwrap_or_default();
    let dice = DiceText {
        open: rolls(&lines, &Lane::open()),
        own: rolls(&lines, &Lane::seat(seat)?),
    };
    let asked = asked(context, state, seat);
    let mut document = briefing(context, state, seat, view, heard, asked, dice)?;
    let words = context.words(players::lang(context, state, seat));
    let ruled = ruled.map(|ruled| words.ruled(ruled.notice, &ruled.why));
    document.notices.extend(ruled);
    if entry.is_some_and(|entry| entry.missed) {
        let missed = words.say("orders_missed", minijinja::context! {});
        document.notices.push(missed);
    }
    let proven = brings_entries || receipt.is_some();
    Ok(DispatchBriefing { document, proven })
}

fn rolls(lines: &[LedgerLine], lane: &Lane) -> Vec<OpenRoll> {
    let of_lane = lines.iter().filter(|line| line.lane == *lane);
    of_lane
        .map(|line| OpenRoll {
            label: format!("{}#{}", line.label, line.k),
            spec: line.spec.to_string(),
            results: line.result.iter().map(|die| i64::from(*die)).collect(),
        })
        .collect()
}
