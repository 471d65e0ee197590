//! Campaigns in memory, played by bots that know what they want.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use estafette::{
    campaign::{
        self,
        durable::memory::MemoryCampaign,
        model::{
            compiled_game::CompiledGame,
            context::Context,
            events::{Done, Event},
            seats::{Seat, Seats},
            settings::Settings,
            state::{CurrentWait, State},
        },
    },
    dice::Master,
    digest::Digest,
    game::{EmbeddedFiles, Game, Seating, bot_scripts},
    ids::SeatId,
    orders,
    rules::{BotRequest, Bots, Decisions, Luck, Start},
    store::Record,
};
use jiff::{SignedDuration, Timestamp};

use super::{letter, settings, start};

/// What is played.
pub struct Table {
    pub game: &'static str,
    pub scenario: &'static str,
    /// Of a game that has rosters.
    pub roster: Option<&'static str>,
}

/// The game of hexes.
pub const HEXES: Table = Table {
    game: "novara",
    scenario: "campaign",
    roster: None,
};

/// The game of areas, with as many seats as it has.
pub const AREAS: Table = Table {
    game: "toulon",
    scenario: "many",
    roster: Some("7"),
};

/// A campaign that waits for its last plan of a turn. It was played without pictures, which take
/// longer than all the rest; the work of the last mail has them.
pub struct Planned {
    pub context: Rc<Context>,
    /// The state when the last mail comes.
    pub state: State,
    /// The mail.
    pub mail: Record<Event>,
    /// What the engine noted when it had done the work of it.
    pub done: Done,
}

/// A campaign that has not begun, and the bots that play it.
pub struct TableSetup {
    compiled: CompiledGame,
    settings: Settings,
    pub bots: Bots,
}

impl TableSetup {
    pub fn new(table: &Table, options: &[(&str, &str)]) -> Self {
        let mut game = Game::load(&EmbeddedFiles, table.game).unwrap();
        let seating = Seating {
            roster: table.roster.map(str::to_owned),
            ..Seating::default()
        };
        game.decl.take_seats(&seating).unwrap();
        let game = Arc::new(game);
        let scripts = bot_scripts(&EmbeddedFiles, table.game).unwrap();
        let bots = Bots::compile(Arc::clone(&game), &scripts).unwrap();
        let options = options
            .iter()
            .map(|(id, value)| ((*id).into(), (*value).into()));
        let options: BTreeMap<String, String> = options.collect();
        let compiled = CompiledGame::new(Arc::clone(&game), &options).unwrap();
        let plain = settings("planned", table.scenario, start());
        let like = plain.seats.iter().next().unwrap();
        let seats = game.decl.seats.iter().map(|seat| Seat {
            id: seat.id.clone(),
            address: format!("{}@example.org", seat.id).parse().unwrap(),
            ..like.clone()
        });
        let settings = Settings {
            game: table.game.into(),
            seating,
            options,
            questions_per_turn: 0,
            seats: Seats::new(seats.collect()).unwrap(),
            ..plain
        };
        Self {
            compiled,
            settings,
            bots,
        }
    }

    pub fn without_pictures(mut self) -> Self {
        self.settings.pictures = false;
        self
    }

    /// The campaign as it begins, always the same.
    pub fn begin(&self) -> MemoryCampaign {
        MemoryCampaign::create(self.context(), Digest::ZERO, start()).unwrap()
    }

    fn context(&self) -> Context {
        let master = Master::simulated("bench", &"planned".parse().unwrap());
        Context::with(&self.compiled, self.settings.clone(), master).unwrap()
    }
}

/// Plays a campaign until all plans of a turn are in, and the turn is over.
pub fn planned(table: &Table, turn: i64) -> Planned {
    waits(table, turn).pop().unwrap()
}

/// The same of each wait of a turn, in their order.
pub fn waits(table: &Table, turn: i64) -> Vec<Planned> {
    let pictured = Rc::new(TableSetup::new(table, &[]).context());
    let opening = TableSetup::new(table, &[]).without_pictures();
    let bots = &opening.bots;
    let mut now = start();
    let mut campaign = opening.begin();
    let mut luck = Luck::of("bench");
    let mut waits = Vec::new();
    while campaign.state().world.turn() <= turn {
        let CurrentWait::Orders { seats, .. } = &campaign.state().waiting else {
            panic!("nobody is waited for")
        };
        let ready = |seat: &SeatId| campaign.state().seats[seat].ready;
        let seat = seats.iter().find(|seat| !ready(seat)).unwrap().clone();
        let bytes = mail(&campaign, bots, (&seat, "plan"), &mut luck);
        let before = campaign.state().clone();
        now = now.checked_add(SignedDuration::from_mins(10)).unwrap();
        campaign.post(&now.to_string(), &bytes, now).unwrap();
        if before.world.turn() == turn && campaign.state().dice.envelope > before.dice.envelope {
            let mut records = campaign.records().unwrap();
            let mail = records.pop().and_then(|_| records.pop()).unwrap();
            let worked = campaign::work_off(&pictured, Some(before.clone()), &mail);
            let (after, effects) = worked.unwrap();
            waits.push(Planned {
                context: Rc::clone(&pictured),
                state: before,
                mail,
                done: campaign::done(&after, &effects),
            });
        }
    }
    waits
}

/// The mails by which bots play so many waits for orders, in which nothing else is asked, each with
/// the moment at which it comes.
pub fn mails(opening: &TableSetup, waits: usize) -> Vec<(Timestamp, Vec<u8>)> {
    let (mut campaign, mut luck) = (opening.begin(), Luck::of("bench"));
    let (mut now, mut mails) = (start(), Vec::new());
    for _ in 0..waits {
        let CurrentWait::Orders { seats, .. } = campaign.state().waiting.clone() else {
            panic!("nobody is waited for")
        };
        for seat in seats {
            // Nobody's mails have one Message-ID.
            let id = format!("plan-{}", mails.len());
            let bytes = mail(&campaign, &opening.bots, (&seat, &id), &mut luck);
            now = now.checked_add(SignedDuration::from_mins(10)).unwrap();
            campaign.post(&now.to_string(), &bytes, now).unwrap();
            mails.push((now, bytes));
        }
    }
    mails
}

/// What a bot writes now.
fn mail(
    campaign: &MemoryCampaign,
    bots: &Bots,
    (seat, id): (&SeatId, &str),
    luck: &mut Luck,
) -> Vec<u8> {
    let (context, state) = (campaign.context(), campaign.state());
    let moment = campaign::moment(context, state, seat);
    let asked = BotRequest {
        phase: moment.phases.first().cloned(),
        ..BotRequest::default()
    };
    let start = Start {
        phase: asked.phase.as_deref().unwrap(),
        world: &moment.view,
        options: &BTreeMap::new(),
        decisions: &Decisions::default(),
    };
    let mails = bots.write("sensible", seat, &start, &asked, luck).unwrap();
    let vocabulary = context.vocabulary(&moment.view, moment.lang);
    let lines = orders::template(context.grammar(), &vocabulary, &mails[0], moment.lang);
    let lines = lines.iter().map(|line| line.trim_start_matches("# "));
    let mut lines: Vec<&str> = lines.collect();
    // Only a mail of which nothing is refused closes the wait, and an empty one says nothing at all.
    loop {
        let text = if lines.is_empty() {
            "NOTHING".to_owned()
        } else {
            lines.join("\n")
        };
        let understood = campaign::understand(context, &moment, seat, &text).unwrap();
        if understood.is_clean() {
            return letter(context, state, seat, &text, id);
        }
        for number in understood.faulty_lines().into_iter().rev() {
            lines.remove(number - 1);
        }
    }
}
