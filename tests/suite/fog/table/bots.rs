//! A game's own bots as the players.

use estafette::{
    campaign::{self, model::state::State},
    game::{EmbeddedFiles, bot_scripts},
    ids::SeatId,
    orders,
    rules::{BotRequest, Bots, Decisions, Luck, Start},
};

use super::Table;

impl Table {
    /// What a bot writes for a seat that is waited for, in English.
    pub fn bot_words(&self, bot: &str, state: &State, seat: &SeatId, luck: &str) -> Vec<String> {
        let context = &self.context;
        let bots = self.bots.get_or_init(|| {
            let scripts = bot_scripts(&EmbeddedFiles, self.own.game).unwrap();
            Bots::compile(context.game().clone(), &scripts).unwrap()
        });
        let moment = campaign::moment(context, state, seat);
        let asked = BotRequest {
            phase: moment.phases.first().cloned(),
            ..BotRequest::default()
        };
        let start = Start {
            phase: asked.phase.as_deref().unwrap_or_default(),
            world: &moment.view,
            options: &context.settings().options,
            decisions: &Decisions::default(),
        };
        let mails = bots.write(bot, seat, &start, &asked, &mut Luck::of(luck));
        mails.unwrap().into_iter().next().unwrap_or_default()
    }

    /// Lines of orders in the language of a seat.
    pub fn in_language(&self, state: &State, seat: &SeatId, lines: &[String]) -> Vec<String> {
        let context = &self.context;
        let moment = campaign::moment(context, state, seat);
        let vocabulary = context.vocabulary(&moment.view, moment.lang);
        let printed = orders::template(context.grammar(), &vocabulary, lines, moment.lang);
        let bare = printed.iter().map(|line| line.trim_start_matches("# "));
        bare.map(str::to_owned).collect()
    }
}
