//! Letters with questions, and letters that tell of questions to others.

use std::sync::Arc;

use minijinja::context;

use super::{
    content::{LetterContent, in_words},
    documents::{attached, briefing},
    openings::seats_of_campaign,
};
use crate::{
    campaign::model::{
        context::Context,
        news::news_item,
        players,
        state::{CurrentWait, State},
        work_error::WorkError,
    },
    dispatch::{self, DiceText, Document, OpenQuestion, PublicQuestion, Request},
    game::Lang,
    ids::SeatId,
    orders::{self, Vocabulary},
    rules::{Question, Suspension},
    value::Value,
    world::World,
};

/// The letter with a seat's questions. `brings_entries`: entries of the register go out with it.
pub(super) fn content(
    context: &Context,
    state: &State,
    seat: &SeatId,
    suspended: &Suspension,
    brings_entries: bool,
) -> Result<LetterContent, WorkError> {
    let document = question_document(context, state, seat, suspended)?;
    let public = PublicQuestion::of(&context.game, state.asked_in_public().is_some());
    let drawn = dispatch::map_pictures(&document);
    Ok(LetterContent {
        page: Some(dispatch::question_page(
            &document,
            &drawn,
            brings_entries,
            public,
        )),
        pictures: attached(&document, drawn),
        ..LetterContent::plain(dispatch::question(&document, public), None)
    })
}

/// The questions to a seat, with its view so far.
fn question_document(
    context: &Context,
    state: &State,
    seat: &SeatId,
    suspended: &Suspension,
) -> Result<Document, WorkError> {
    let CurrentWait::Answers {
        questions,
        deadline,
        ..
    } = &state.waiting
    else {
        // Nobody is asked: nothing is shown either.
        let view = state.world.seen_by(&context.game, seat);
        let asked = Request::Waiting { deadline: None };
        let (heard, dice) = (Arc::default(), DiceText::default());
        let briefing = briefing(context, state, seat, view, heard, asked, dice)?;
        return Ok(briefing.document());
    };
    let lang = players::lang(context, state, seat);
    let nothing = World::default();
    let view = suspended.views.get(seat).unwrap_or(&nothing);
    let vocabulary = context.vocabulary(view, lang);
    let own = questions.iter().filter(|asked| asked.seat == *seat);
    let list = own
        .enumerate()
        .map(|(index, question)| put(context, index + 1, question, &vocabulary, lang))
        .collect();
    let heard = state.seats.get(seat).map(|seat| seat.heard.clone());
    let mut heard = heard.unwrap_or_default();
    let news = suspended.events.iter();
    Arc::make_mut(&mut heard).extend(news.filter_map(|event| news_item(event, seat)));
    let asked = Request::Questions {
        list,
        deadline: *deadline,
    };
    let (view, dice) = (view.clone(), DiceText::default());
    let briefing = briefing(context, state, seat, view, heard, asked, dice)?;
    Ok(briefing.document())
}

/// Says which seats are asked, and until when, for the others; but not the full name of the phase,
/// which may name a place that the reader knows nothing of.
pub(super) fn to_others(
    context: &Context,
    state: &State,
    seat: &SeatId,
    asked: &[SeatId],
) -> LetterContent {
    let lang = players::lang(context, state, seat);
    let deadline = match &state.waiting {
        CurrentWait::Answers { deadline, .. } => *deadline,
        _ => None,
    };
    let seats = seats_of_campaign(context, state, lang).into_iter();
    let seats = seats.filter(|one| asked.iter().any(|seat| **seat == *one.seat));
    let asked: Vec<String> = seats
        .map(|one| format!("{} ({})", one.side, one.seat))
        .collect();
    let zone = players::zone(context, state, seat);
    let letter = dispatch::letter(
        lang,
        "awaited",
        context! {
            campaign => context.settings.campaign.as_str(),
            title => context.title(lang),
            turn => state.world.turn(),
            dice => context.game.decl.dice,
            seats => asked,
            deadline => deadline.map(|at| in_words(context, lang, zone, at)),
        },
    );
    LetterContent::plain(letter, None)
}

/// A question as its reader sees it. Its default is put as the answer that would do the same.
fn put(
    context: &Context,
    number: usize,
    question: &Question,
    vocabulary: &Vocabulary,
    lang: Lang,
) -> OpenQuestion {
    let words = context.words(lang);
    let printed = |value: &Value| printed(context, words, value);
    let answer = match &question.otherwise {
        Value::Map(args) => {
            orders::print_answer(&context.grammar, vocabulary, &question.topic, args, lang)
        }
        _ => None,
    };
    OpenQuestion {
        number,
        topic: question.topic.clone(),
        about: question.about.clone(),
        options: question.options.iter().map(printed).collect(),
        otherwise: answer.unwrap_or_else(|| printed(&question.otherwise)),
    }
}

/// A value of a question as a player reads it: keywords of the order language in the reader's
/// spelling.
fn printed(context: &Context, words: &dispatch::Words, value: &Value) -> String {
    match value {
        Value::Text(text) => {
            let keyword = context
                .game
                .decl
                .orders
                .keywords
                .get(text.to_uppercase().as_str());
            let spelling = keyword.and_then(|keyword| keyword.get(&words.lang())?.first());
            spelling.cloned().unwrap_or_else(|| words.value(value))
        }
        Value::List(list) => list
            .iter()
            .map(|item| printed(context, words, item))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Map(fields) if !fields.contains_key("name") => {
            let parts = fields.values().map(|item| printed(context, words, item));
            parts
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        }
        _ => words.value(value),
    }
}
