//! A seat's standing orders: its lines in force, and what happens where it has none.

use serde::Serialize;

use super::moment::is_open;
use crate::{
    campaign::{
        model::{context::Context, players, state::State, understanding::group_of},
        words::moment,
    },
    game::Lang,
    ids::SeatId,
    orders::{self, Order, Vocabulary},
    rules::{Decisions, RuleError},
};

/// All decisions that a seat can make in advance, in its language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// One entry for each verb of standing orders, in the order of the declaration.
    pub orders: Vec<StandingOrder>,
    /// The topics that are asked by mail, by the words that follow ASK.
    pub asks: Vec<String>,
}

/// A kind of standing order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StandingOrder {
    /// The verb.
    pub verb: String,
    /// The word that names it after CANCEL.
    pub keyword: String,
    /// The seat's lines, printed, in the order written.
    pub lines: Vec<String>,
    /// What happens while no line is in force.
    pub default: String,
}

/// A seat's standing orders at this moment.
#[must_use]
pub fn standing(context: &Context, state: &State, seat: &SeatId) -> Standing {
    standing_of(context, state, seat, &state.decisions)
}

/// A seat's standing orders once the words that have come from it are sealed; none if those change
/// nothing.
///
/// # Errors
/// If a check function of the rules fails.
pub fn standing_to_come(
    context: &Context,
    state: &State,
    seat: &SeatId,
) -> Result<Option<Standing>, RuleError> {
    let sealed = !is_open(state);
    let words = state.seats.get(seat).map(|seat| {
        if sealed {
            seat.late.as_str()
        } else {
            seat.counting()
        }
    });
    let Some(words) = words.filter(|words| !words.is_empty()) else {
        return Ok(None);
    };
    let mut decisions = Decisions::clone(&state.decisions);
    moment::understand(context, &moment::moment(context, state, seat), seat, words)?.decide(
        &context.game,
        seat,
        &mut decisions,
    );
    let to_come = standing_of(context, state, seat, &decisions);
    Ok((to_come != standing(context, state, seat)).then_some(to_come))
}

/// The lines of a seat's standing orders as a dispatch lists them: kind by kind, each in the order
/// written.
pub(crate) fn standing_lines(
    context: &Context,
    decisions: &Decisions,
    seat: &SeatId,
    lang: Lang,
    vocabulary: &Vocabulary,
) -> Vec<String> {
    let mut given: Vec<&Order> = decisions.standing.get(seat).into_iter().flatten().collect();
    given.sort_by_key(|order| context.game.decl.orders.verbs.get_index_of(&order.verb));
    given
        .into_iter()
        .map(|order| orders::print(&context.grammar, vocabulary, order, lang))
        .collect()
}

/// The topics on ASK in the seat's language.
pub(crate) fn asked_topics(
    context: &Context,
    decisions: &Decisions,
    seat: &SeatId,
    lang: Lang,
) -> Vec<String> {
    let topics = &context.game.decl.orders.topics;
    let is_asked = |topic: &str| topics.get(topic).is_some_and(|topic| topic.asked);
    let own = decisions.asks.get(seat).into_iter().flatten();
    let own = own.map(String::as_str).filter(|topic| !is_asked(topic));
    let asked = context.grammar.topics();
    let asked = asked.filter(|topic| is_asked(topic) && decisions.wants(seat, topic, true));
    own.chain(asked)
        .map(|topic| context.grammar.topic_word(topic, lang).to_owned())
        .collect()
}

fn standing_of(context: &Context, state: &State, seat: &SeatId, decisions: &Decisions) -> Standing {
    let lang = players::lang(context, state, seat);
    let view = state.world.seen_by(&context.game, seat);
    let vocabulary = context.vocabulary(&view, lang);
    let given = decisions.standing.get(seat).into_iter().flatten();
    let given: Vec<&Order> = given.collect();
    let lines_of = |verb: &str| {
        let lines = given.iter().filter(|order| order.verb == verb);
        lines
            .map(|order| orders::print(&context.grammar, &vocabulary, order, lang))
            .collect()
    };
    let scenario = &context.settings.scenario;
    let verbs = orders::help_of_side(&context.grammar, &context.game, scenario, &vocabulary, lang);
    let entries = verbs
        .into_iter()
        .filter(|help| help.standing)
        .map(|help| StandingOrder {
            lines: lines_of(&help.id),
            keyword: help
                .keyword
                .unwrap_or_else(|| group_of(&context.game, &help.id).to_owned()),
            default: help.default.unwrap_or_default(),
            verb: help.id,
        });
    Standing {
        orders: entries.collect(),
        asks: asked_topics(context, decisions, seat, lang),
    }
}
