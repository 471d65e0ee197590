//! Dispatches: what happened, the questions, and the dice of the past envelope.

use super::{
    content::LetterContent,
    documents::{SeatDocument, asked, document, letter},
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

/// The content of a seat's dispatch. `brings_entries`: entries of the register go out with it.
pub(super) fn content(
    context: &Context,
    state: &State,
    seat: &SeatId,
    (ruled, receipt): (Option<&RulingNotice>, Option<&ReceiptNumber>),
    brings_entries: bool,
) -> Result<LetterContent, WorkError> {
    let lines = if state.dice.spent {
        Vec::new()
    } else {
        state.dice.unshown()
    };
    let view = state.world.seen_by(&context.game, seat);
    let heard = state.seats.get(seat).map(|seat| seat.heard.clone());
    let dice = DiceText {
        open: rolls(&lines, &Lane::open()),
        own: rolls(&lines, &Lane::seat(seat)?),
    };
    let asked = asked(context, state, seat);
    let heard = heard.unwrap_or_default();
    let made = document(context, state, seat, &view, &heard, asked, dice)?;
    let SeatDocument {
        mut document,
        unproposed,
    } = made;
    if let Some(ruled) = ruled {
        let words = context.words(players::lang(context, state, seat));
        let notice = words.ruled(ruled.notice, &ruled.why);
        document.notices.push(notice);
    }
    if state.seats.get(seat).is_some_and(|seat| seat.missed) {
        let words = context.words(players::lang(context, state, seat));
        document
            .notices
            .push(words.say("orders_missed", minijinja::context! {}));
    }
    let proven = brings_entries || receipt.is_some();
    Ok(LetterContent {
        unproposed,
        ..letter(&document, proven)
    })
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
