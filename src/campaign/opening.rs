//! The letters that open a campaign: the seat, the orders that there are, the dice, the first entry of the register.

use super::{
    drafts::Content,
    engine::{Effects, Engine, EngineError},
    state::State,
};
use crate::{
    dice::Source,
    dispatch::{self, Opening, OpeningOrder, OpeningSeat},
    game::Lang,
    ids::SeatId,
    orders::{self, Vocabulary},
};

impl Engine {
    /// The letters that open a campaign, before the first dispatches.
    pub(super) fn opening_letters(
        &self,
        state: &mut State,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        for seat in self.settings.seats.ids() {
            if let Some(entry) = state.seats.get_mut(seat) {
                entry.token += 1;
            }
            if effects.recalled {
                self.count_letter(state, seat, false, effects);
                continue;
            }
            let content = self.opening_content(state, seat);
            self.send_to_seat(state, seat, content, effects)?;
        }
        Ok(())
    }

    /// The letter that opens the campaign for a seat, as it would be written now: with every opening of the register.
    pub(super) fn opening_content(&self, state: &State, seat: &SeatId) -> Content {
        let lang = self.lang(state, seat);
        let text = self.opening_text(state, seat, lang);
        let subject = format!("[{}] {}", self.settings.campaign, self.title(lang));
        Content::plain(subject, text, None).with_entries(&state.openings)
    }

    fn opening_text(&self, state: &State, seat: &SeatId, lang: Lang) -> String {
        let view = state.world.seen_by(&self.game, seat);
        let names = self.vocabulary(&view, lang);
        let topics = orders::topics_of_seat(&self.grammar, &self.game, &names, lang);
        let text = self.game.text.get(&lang);
        let scenario_about = text.and_then(|text| text.scenarios.get(&self.settings.scenario));
        let scenario = self.game.scenarios.get(&self.settings.scenario);
        dispatch::opening(&Opening {
            lang,
            game: &self.game,
            campaign: self.settings.campaign.as_str(),
            title: &self.title(lang),
            scenario: scenario
                .and_then(|found| found.title.get(&lang))
                .map_or("", String::as_str),
            scenario_about: scenario_about.map_or("", String::as_str),
            seat,
            seats: &self.opening_seats(state, lang),
            address: &self.reply_address(state, seat),
            umpire: self.umpire(),
            questions_per_turn: self.settings.questions_per_turn,
            dispatch_after: self.settings.schedule.dispatch_after(),
            options: &self.opening_options(lang),
            dice_mode: self.dice_mode(),
            orders: &self.opening_orders(&names, lang),
            topics: &topics,
            conditions: &self.opening_conditions(&names, lang),
        })
    }

    /// Where dice come from, as the opening letter tells it.
    fn dice_mode(&self) -> &'static str {
        let has = |wanted: fn(&Source) -> bool| self.sources.iter().any(wanted);
        if has(|source| matches!(source, Source::Drand(_))) {
            "beacon"
        } else if has(|source| matches!(source, Source::Witness { .. })) {
            "witness"
        } else {
            "mail"
        }
    }

    pub(super) fn opening_seats(&self, state: &State, lang: Lang) -> Vec<OpeningSeat> {
        let decl = &self.game.decl;
        let seats = self.players(state).map(|player| {
            let seat = decl.seats.iter().find(|known| known.id == player.id);
            let side = seat.and_then(|seat| decl.sides.iter().find(|side| side.id == seat.side));
            OpeningSeat {
                seat: player.id.to_string(),
                side: side
                    .and_then(|side| side.name.get(&lang))
                    .cloned()
                    .unwrap_or_default(),
                player: player.name.clone(),
            }
        });
        seats.collect()
    }

    /// The options that the campaign sets, in words.
    fn opening_options(&self, lang: Lang) -> Vec<String> {
        let text = self.game.text.get(&lang);
        let options = self.settings.options.iter().map(|(name, value)| {
            let words = text.and_then(|text| text.options.get(name));
            format!("{name} = {value}: {}", words.map_or("", String::as_str))
        });
        options.collect()
    }

    /// The orders that there are, with examples that this seat could write.
    fn opening_orders(&self, names: &Vocabulary, lang: Lang) -> Vec<OpeningOrder> {
        let scenario = &self.settings.scenario;
        let orders = orders::help_of_seat(&self.grammar, &self.game, scenario, names, lang);
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

    fn opening_conditions(&self, names: &Vocabulary, lang: Lang) -> Vec<String> {
        let conditions = orders::condition_help(&self.grammar, &self.game, lang).into_iter();
        conditions
            .flat_map(|help| help.examples)
            .filter(|line| orders::is_order(&self.grammar, names, line, lang))
            .collect()
    }
}
