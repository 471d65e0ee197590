//! The letters that open a campaign: the seat, the available orders, the dice, the first entry of
//! the register.

use super::{content::LetterContent, documents::map_document, letter::Picture};
use crate::{
    campaign::{
        model::{
            context::Context, observers::ObserverRule, players, replies::reply_address,
            state::State, work_error::WorkError,
        },
        words::knowledge::as_shown,
    },
    dice::Source,
    dispatch::{self, LetterText, OpeningLetter, OpeningOrder, OpeningSeat, Paper},
    game::{self, Lang},
    ids::SeatId,
    orders::{self, Vocabulary},
};

/// The letter that opens the campaign for a seat, as it would be written now: with every opening of
/// the register.
///
/// # Errors
/// If a template function of the rules fails.
pub(super) fn content(
    context: &Context,
    state: &State,
    seat: &SeatId,
) -> Result<LetterContent, WorkError> {
    let lang = players::lang(context, state, seat);
    let pages = context
        .settings
        .pictures
        .then(|| page(context, state, seat));
    let letter = opening(context, &as_shown(state), seat, lang);
    let page = dispatch::LetterPage {
        lang,
        game: &context.game,
        seat,
        explains: true,
        proven: true,
    };
    Ok(LetterContent {
        page: Some(page.of(&letter)),
        pictures: pages.transpose()?.into_iter().collect(),
        ..LetterContent::plain(letter, None)
    })
}

/// The whole map on a page to print and to plan on, without pieces: before the first phase a view
/// still has those of the other side, where the scenario puts them.
fn page(context: &Context, state: &State, seat: &SeatId) -> Result<Picture, WorkError> {
    let mut document = map_document(context, state, Some(seat))?;
    dispatch::show_ground(&mut document, &context.game);
    let svg = dispatch::map_page(&document, Paper::A3);
    let file_name = format!("{}-a3.pdf", context.settings.campaign.as_str());
    Ok(Picture::page(file_name, svg))
}

fn opening(context: &Context, state: &State, seat: &SeatId, lang: Lang) -> LetterText {
    let view = state.world.seen_by(&context.game, seat);
    let names = context.vocabulary(&view, lang);
    let topics =
        |asked: bool| orders::topics_of_seat(&context.grammar, &context.game, &names, lang, asked);
    let text = context.game.words(lang);
    let scenario_about = text.and_then(|text| text.scenarios.get(&context.settings.scenario));
    let scenario = context.game.scenarios.get(&context.settings.scenario);
    dispatch::opening(&OpeningLetter {
        lang,
        game: &context.game,
        campaign: context.settings.campaign.as_str(),
        title: &context.title(lang),
        scenario: scenario.map_or("", |found| game::said(&found.title, lang)),
        scenario_about: scenario_about.map_or("", String::as_str),
        seat,
        seats: &seats_of_campaign(context, state, lang),
        address: &reply_address(context, state, seat),
        umpire: context.umpire(),
        questions_per_turn: context.settings.questions_per_turn,
        dispatch_after: context.settings.schedule.dispatch_after(),
        options: &opening_options(context, lang),
        primers: &opening_primers(context, lang),
        dice_mode: dice_mode(context),
        orders: &opening_orders(context, &names, lang),
        topics: &topics(false),
        asked_topics: &topics(true),
        has_page: context.settings.pictures,
        observers: observers(context),
        conditions: &opening_conditions(context, &names, lang),
    })
}

/// Who may look on: the kind of the rule, its seat, and its turns.
fn observers(context: &Context) -> Option<(&str, &str, u32)> {
    match &context.settings.observers {
        ObserverRule::None => None,
        ObserverRule::Public => Some(("public", "", 0)),
        ObserverRule::Delayed { seat, turns } => Some(("delayed", seat.as_str(), *turns)),
        ObserverRule::Ended => Some(("ended", "", 0)),
    }
}

/// The source of the dice, as the opening letter tells it.
fn dice_mode(context: &Context) -> &'static str {
    let has = |wanted: fn(&Source) -> bool| context.sources.iter().any(wanted);
    if has(|source| matches!(source, Source::Drand(_))) {
        "beacon"
    } else if has(|source| matches!(source, Source::Witness { .. })) {
        "witness"
    } else {
        "mail"
    }
}

pub(super) fn seats_of_campaign(context: &Context, state: &State, lang: Lang) -> Vec<OpeningSeat> {
    let decl = &context.game.decl;
    let seats = players::players(context, state).map(|player| {
        let seat = decl.seat(&player.id);
        OpeningSeat {
            seat: player.id.to_string(),
            side: seat.map_or_else(String::new, |seat| decl.seat_name(seat, lang)),
            player: player.name.clone(),
        }
    });
    seats.collect()
}

/// The options that the campaign sets, in words.
fn opening_options(context: &Context, lang: Lang) -> Vec<String> {
    let text = context.game.words(lang);
    let options = context.settings.options.iter().map(|(name, value)| {
        let words = text.and_then(|text| text.options.get(name));
        format!("{name} = {value}: {}", words.map_or("", String::as_str))
    });
    options.collect()
}

/// Paragraphs on how the campaign's options change its play.
fn opening_primers(context: &Context, lang: Lang) -> Vec<String> {
    let primers = context.game.words(lang).map(|text| &text.primers);
    let set = primers.into_iter().flatten().filter_map(|(name, values)| {
        let value = context.settings.options.get(name)?;
        values.get(value).cloned()
    });
    set.collect()
}

/// The available orders, with examples that this seat could write.
fn opening_orders(context: &Context, names: &Vocabulary, lang: Lang) -> Vec<OpeningOrder> {
    let scenario = &context.settings.scenario;
    let orders = orders::help_of_seat(&context.grammar, &context.game, scenario, names, lang);
    orders
        .into_iter()
        .map(|help| OpeningOrder {
            about: help.about,
            examples: help.examples,
            default: help.default,
            standing: help.standing,
        })
        .collect()
}

fn opening_conditions(context: &Context, names: &Vocabulary, lang: Lang) -> Vec<String> {
    let conditions = orders::condition_help(&context.grammar, &context.game, lang).into_iter();
    conditions
        .flat_map(|help| help.examples)
        .filter(|line| {
            let (game, scenario) = (&context.game, &context.settings.scenario);
            orders::is_example(&context.grammar, game, scenario, names, line, lang)
        })
        .collect()
}
