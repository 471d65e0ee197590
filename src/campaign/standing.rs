//! How a seat's standing orders stand: its lines in force, and what happens where it has none.

use serde::Serialize;

use super::{engine::Engine, state::State, taking::is_open, understand::group_of};
use crate::{
    game::Lang,
    ids::SeatId,
    orders::{self, Order, Vocabulary},
    rules::{Decisions, RuleError},
};

/// All decisions that a seat can take in advance, in its language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// One entry for each verb of standing orders, in the order of the declaration.
    pub orders: Vec<StandingOrder>,
    /// The topics that are asked by mail, by the words that follow ASK.
    pub asks: Vec<String>,
}

/// One kind of standing orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StandingOrder {
    /// The verb.
    pub verb: String,
    /// The word by which CANCEL names it.
    pub keyword: String,
    /// The seat's lines, printed, in the order written.
    pub lines: Vec<String>,
    /// What happens as long as there is no line.
    pub default: String,
}

impl Engine {
    /// How the standing orders of a seat stand at this moment.
    #[must_use]
    pub fn standing(&self, state: &State, seat: &SeatId) -> Standing {
        self.standing_of(state, seat, &state.decisions)
    }

    /// How they will stand once the words that have come from the seat are sealed; none if those change nothing.
    ///
    /// # Errors
    /// If a check function of the rules fails.
    pub fn standing_to_come(
        &self,
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
        let mut decisions = state.decisions.clone();
        self.understand(&self.moment(state, seat), seat, words)?
            .decide(&self.game, seat, &mut decisions);
        let to_come = self.standing_of(state, seat, &decisions);
        Ok((to_come != self.standing(state, seat)).then_some(to_come))
    }

    /// The lines of a seat's standing orders as a dispatch lists them: kind by kind, each in the order written.
    pub(super) fn standing_lines(
        &self,
        decisions: &Decisions,
        seat: &SeatId,
        lang: Lang,
        vocabulary: &Vocabulary,
    ) -> Vec<String> {
        let mut given: Vec<&Order> = decisions.standing.get(seat).into_iter().flatten().collect();
        given.sort_by_key(|order| self.game.decl.orders.verbs.get_index_of(&order.verb));
        given
            .into_iter()
            .map(|order| orders::print(&self.grammar, vocabulary, order, lang))
            .collect()
    }

    /// The topics on ASK in the seat's language.
    pub(super) fn asked_topics(
        &self,
        decisions: &Decisions,
        seat: &SeatId,
        lang: Lang,
    ) -> Vec<String> {
        let on = decisions.asks.get(seat).into_iter().flatten();
        on.map(|topic| self.grammar.topic_word(topic, lang).to_owned())
            .collect()
    }

    fn standing_of(&self, state: &State, seat: &SeatId, decisions: &Decisions) -> Standing {
        let lang = self.lang(state, seat);
        let view = state.world.seen_by(&self.game, seat);
        let vocabulary = self.vocabulary(&view, lang);
        let given = decisions.standing.get(seat).into_iter().flatten();
        let given: Vec<&Order> = given.collect();
        let lines_of = |verb: &str| {
            let lines = given.iter().filter(|order| order.verb == verb);
            lines
                .map(|order| orders::print(&self.grammar, &vocabulary, order, lang))
                .collect()
        };
        let scenario = &self.settings.scenario;
        let verbs = orders::help_of_side(&self.grammar, &self.game, scenario, &vocabulary, lang);
        let entries = verbs
            .into_iter()
            .filter(|help| help.standing)
            .map(|help| StandingOrder {
                lines: lines_of(&help.id),
                keyword: help
                    .keyword
                    .unwrap_or_else(|| group_of(&self.game, &help.id).to_owned()),
                default: help.default.unwrap_or_default(),
                verb: help.id,
            });
        Standing {
            orders: entries.collect(),
            asks: self.asked_topics(decisions, seat, lang),
        }
    }
}
