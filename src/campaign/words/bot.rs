//! The words that a seat's bot writes at a given moment.

use jiff::Timestamp;

use super::moment::{Moment, moment};
use crate::{
    campaign::model::{
        absence::AbsenceAct,
        context::Context,
        player_address::BotName,
        players,
        state::{CurrentWait, State},
    },
    ids::SeatId,
    orders,
    rules::{BotRequest, Bots, Decisions, Luck, Question, RuleError, Start},
};

/// The most mails that a bot writes under one token before it gives up: more would not help.
pub const MOST_MAILS: u32 = 3;

/// A bot whose seat is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitedBot {
    /// The seat.
    pub seat: SeatId,
    /// The bot.
    pub bot: BotName,
    /// The number of the seat's token.
    pub token: u64,
    /// The number of mails that it has written under that token.
    pub written: u32,
}

impl AwaitedBot {
    /// The bot's source of chance. Nobody can predict it without the campaign's secret, and it has
    /// nothing to do with the dice.
    #[must_use]
    pub fn luck(&self, context: &Context) -> Luck {
        let Self {
            seat,
            token,
            written,
            ..
        } = self;
        let label = format!("bot|{seat}|{token}|{written}");
        Luck::of(&context.eras.letters.message.mac(&label).to_string())
    }
}

/// The first awaited seat that is played by a bot with something left to say, because it is the
/// bot's or because its player is away at this moment and has said so.
#[must_use]
pub fn awaited_bot(context: &Context, state: &State, now: Timestamp) -> Option<AwaitedBot> {
    let mut players = players::players(context, state);
    let stand_in = |seat: &SeatId| {
        let entry = state.seats.get(seat)?;
        match &entry.attendance.away(now.max(state.time))?.acts {
            AbsenceAct::Bot(bot) => Some(bot),
            _ => None,
        }
    };
    // Bots that stand in must not play a campaign to its end among themselves.
    let somebody_plays = players::players(context, state)
        .any(|player| player.address.bot().is_none() && stand_in(&player.id).is_none());
    players.find_map(|player| {
        let entry = state.seats.get(&player.id)?;
        let stand_in = stand_in(&player.id).filter(|_| somebody_plays);
        let bot = player.address.bot().or(stand_in)?;
        let awaited = AwaitedBot {
            seat: player.id.clone(),
            bot: bot.clone(),
            token: entry.token,
            written: entry.bot_mails(),
        };
        (awaited.written < MOST_MAILS && is_waited_for(state, &player.id)).then_some(awaited)
    })
}

/// Returns true if orders or answers of this seat are missing.
#[must_use]
pub fn is_waited_for(state: &State, seat: &SeatId) -> bool {
    if state.on_hold {
        return false;
    }
    match &state.waiting {
        CurrentWait::Orders { seats, .. } => {
            let ready = state.seats.get(seat).is_some_and(|entry| entry.ready);
            seats.contains(seat) && !ready
        }
        CurrentWait::Answers {
            questions, answers, ..
        } => (questions.iter().zip(answers))
            .any(|(asked, answer)| asked.seat == *seat && answer.is_none()),
        _ => false,
    }
}

/// The questions that wait for a seat's answer, as its letter has them.
#[must_use]
pub fn questions_of(state: &State, seat: &SeatId) -> Vec<Question> {
    match &state.waiting {
        CurrentWait::Answers { questions, .. } => {
            let own = questions.iter().filter(|asked| asked.seat == *seat);
            own.cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// The mails that a bot writes for a seat, each a list of lines as a player would write them; none
/// if it has nothing to say. The bot knows what the seat's letters say: the seat's view, its
/// questions, its own standing orders. `written` counts its mails since the newest of those
/// letters.
///
/// # Errors
/// If the script fails.
pub fn bot_mails(
    context: &Context,
    state: &State,
    (bots, bot): (&Bots, &str),
    seat: &SeatId,
    written: u32,
    luck: &mut Luck,
) -> Result<Vec<Vec<String>>, RuleError> {
    let moment = moment(context, state, seat);
    let asked = BotRequest {
        phase: moment.phases.first().cloned(),
        questions: questions_of(state, seat),
        written,
    };
    let mut decisions = Decisions::default();
    if let Some(standing) = state.decisions.standing.get(seat) {
        // Its dispatches list them.
        decisions.standing.insert(seat.clone(), standing.clone());
    }
    let start = Start {
        phase: asked.phase.as_deref().unwrap_or_default(),
        world: &moment.view,
        options: &context.settings.options,
        decisions: &decisions,
    };
    let mails = bots.write(bot, seat, &start, &asked, luck)?;
    Ok(printed(context, &moment, &mails))
}

/// The lines as orders of the seat's language.
fn printed(context: &Context, moment: &Moment, mails: &[Vec<String>]) -> Vec<Vec<String>> {
    let vocabulary = moment.vocabulary(context);
    let printed = |lines: &Vec<String>| {
        let printed = orders::template(context.grammar(), vocabulary, lines, moment.lang);
        let bare = printed
            .iter()
            .map(|line| line.strip_prefix("# ").unwrap_or(line));
        bare.map(str::to_owned).collect()
    };
    mails.iter().map(printed).collect()
}
