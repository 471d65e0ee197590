//! Letters while dice wait: orders are closed, a witness is asked, a value was taken.

use jiff::tz::TimeZone;
use minijinja::context;

use super::content::{LetterContent, in_words};
use crate::{
    campaign::{
        model::{
            context::Context,
            missing_values::{self, MissingValues},
            players,
            state::State,
            work_error::WorkError,
        },
        turn::plan::Cover,
    },
    dice::{BoundText, PrivateBlock, Source},
    dispatch,
    game::Lang,
    ids::SeatId,
};

/// Tells a seat that orders are closed. The seal goes out with the letter, and so does the blind
/// with which the seat checks that its own orders were sealed.
pub(super) fn to_seat(
    context: &Context,
    state: &State,
    seat: &SeatId,
    cover: &Cover,
) -> Result<LetterContent, WorkError> {
    Ok(LetterContent {
        private: sealed_orders(context, state, seat)?.to_string(),
        ..seal_content(context, state, cover, (Some(seat), None))
    })
}

/// Asks a witness for the token.
pub(super) fn to_witness(
    context: &Context,
    state: &State,
    name: &SeatId,
    cover: &Cover,
) -> LetterContent {
    seal_content(context, state, cover, (None, Some(name)))
}

fn seal_content(
    context: &Context,
    state: &State,
    cover: &Cover,
    (seat, witness): (Option<&SeatId>, Option<&SeatId>),
) -> LetterContent {
    let zone = zone_of(context, state, seat);
    let wanted = missing_values::wanted(context, state);
    let witnesses = wanted.as_ref().map(|wanted| names_of(&wanted.witnesses));
    let round = wanted.and_then(|wanted| wanted.round);
    let chain = context.sources.iter().find_map(|source| match source {
        Source::Drand(beacon) => Some(beacon.chain.to_string()),
        _ => None,
    });
    let letter = dispatch::letter(
        cover.lang,
        "seal",
        context! {
            campaign => context.settings.campaign.as_str(),
            envelope => state.dice.envelope,
            round => round.map(|(round, _)| round),
            at => round.map(|(_, at)| in_words(context, cover.lang, zone, at)),
            exactly => round.map(|(_, at)| at.to_string()),
            chain => chain.unwrap_or_default(),
            witnesses => witnesses.unwrap_or_default(),
            witness => witness.map(SeatId::as_str),
            address => cover.reply_to.as_deref().unwrap_or_default(),
            answers => seals_answers(state),
        },
    );
    LetterContent::plain(letter, None)
}

/// The blind with which a seat checks that its own orders were sealed.
fn sealed_orders(
    context: &Context,
    state: &State,
    seat: &SeatId,
) -> Result<PrivateBlock, WorkError> {
    let what = BoundText::Orders(seat.clone());
    let blind = context
        .chains(state.dice.envelope)
        .blind(state.dice.envelope, &what)?;
    Ok(PrivateBlock {
        blinds: vec![(what, blind)],
        ..PrivateBlock::new(context.name.clone(), seat.clone(), state.dice.envelope)
    })
}

/// Tells a seat or a witness that the value was taken, and what the dice still wait for.
pub(super) fn value_taken(
    context: &Context,
    state: &State,
    (seat, lang): (Option<&SeatId>, Lang),
    wanted: &MissingValues,
) -> LetterContent {
    let zone = zone_of(context, state, seat);
    let letter = dispatch::letter(
        lang,
        "value",
        context! {
            campaign => context.settings.campaign.as_str(),
            envelope => state.dice.envelope,
            round => wanted.round.map(|(round, _)| round),
            at => wanted.round.map(|(_, at)| in_words(context, lang, zone, at)),
            witnesses => names_of(&wanted.witnesses),
        },
    );
    LetterContent::plain(letter, None)
}

fn names_of(witnesses: &[SeatId]) -> Vec<String> {
    witnesses.iter().map(ToString::to_string).collect()
}

/// Returns true if the last seal was that of a public wait.
fn seals_answers(state: &State) -> bool {
    let shown = state.shown.as_ref();
    shown.is_some_and(|shown| !shown.questions.is_empty())
}

/// The time zone for a seat's letters, or the campaign's for a reader without a seat.
fn zone_of<'a>(context: &'a Context, state: &'a State, seat: Option<&SeatId>) -> &'a TimeZone {
    seat.map_or(context.settings.schedule.zone(), |seat| {
        players::zone(context, state, seat)
    })
}
