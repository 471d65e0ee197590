//! The letters of dice that wait: orders are closed, a witness is asked, a value was taken.

use jiff::tz::TimeZone;

use super::content::LetterContent;
use crate::{
    campaign::{
        model::{
            context::Context,
            players,
            sources::{self, MissingValues},
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

/// Tells a seat that orders are closed. The seal goes out with it, and the blind with which the
/// seat checks that its own orders were sealed.
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

/// Asks a witness for his token.
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
    reader: (Option<&SeatId>, Option<&SeatId>),
) -> LetterContent {
    let address = cover.reply_to.as_deref().unwrap_or_default();
    let text = seal_text(context, state, cover.lang, reader, address);
    let phrase = match (cover.lang, seals_answers(state)) {
        (Lang::En, false) => "Orders are closed",
        (Lang::Fr, false) => "Les ordres sont clos",
        (Lang::En, true) => "The answers are sealed",
        (Lang::Fr, true) => "Les réponses sont scellées",
    };
    let subject = format!("[{}] {phrase}", context.settings.campaign);
    LetterContent::plain(subject, text, None)
}

fn seal_text(
    context: &Context,
    state: &State,
    lang: Lang,
    (seat, witness): (Option<&SeatId>, Option<&SeatId>),
    address: &str,
) -> String {
    let wanted = sources::wanted(context, state);
    let names: Vec<String> = wanted
        .iter()
        .flat_map(|wanted| wanted.witnesses.iter().map(ToString::to_string))
        .collect();
    let chain = context.sources.iter().find_map(|source| match source {
        Source::Drand(beacon) => Some(beacon.chain.to_string()),
        _ => None,
    });
    dispatch::sealed(&dispatch::SealLetter {
        lang,
        game: &context.game,
        campaign: context.settings.campaign.as_str(),
        envelope: state.dice.envelope,
        zone: zone_of(context, state, seat),
        round: wanted.and_then(|wanted| wanted.round),
        chain: chain.as_deref().unwrap_or_default(),
        witnesses: &names,
        witness: witness.map(SeatId::as_str),
        address,
        answers: seals_answers(state),
    })
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
    let names: Vec<String> = wanted.witnesses.iter().map(ToString::to_string).collect();
    let text = dispatch::value_taken(&dispatch::ValueNotice {
        lang,
        game: &context.game,
        envelope: state.dice.envelope,
        zone: zone_of(context, state, seat),
        round: wanted.round,
        witnesses: &names,
    });
    let phrase = match lang {
        Lang::En => "A value for the dice",
        Lang::Fr => "Une valeur pour les dés",
    };
    let subject = format!("[{}] {phrase}", context.settings.campaign);
    LetterContent::plain(subject, text, None)
}

/// Returns true if the last seal was that of a public wait.
fn seals_answers(state: &State) -> bool {
    let shown = state.shown.as_ref();
    shown.is_some_and(|shown| !shown.questions.is_empty())
}

/// The zone in which a seat is told times; the campaign's for whoever has none.
fn zone_of<'a>(context: &'a Context, state: &'a State, seat: Option<&SeatId>) -> &'a TimeZone {
    seat.map_or(context.settings.schedule.zone(), |seat| {
        players::zone(context, state, seat)
    })
}
