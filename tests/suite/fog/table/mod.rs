//! The engine as a table to play at without a disk.
mod bots;
mod case;
mod clock;
mod leak;
mod replay;
mod secrets;
mod sent;
mod words;

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
    sync::Arc,
};

use estafette::{
    campaign::{
        self,
        durable::work::Effects,
        model::{
            compiled_game::Onlooker,
            context::Context,
            events::{Event, SeatMail},
            seats::{Seat, Seats},
            settings::Settings,
            state::{CurrentWait, State},
        },
        post::Letter,
    },
    dice::{CampaignName, Master},
    digest::Digest,
    game::{Game, Lang},
    ids::SeatId,
    rules::{Bots, Decisions, Start, Suspension},
    store::Record,
};
use jiff::{SignedDuration, Timestamp};

use crate::support::{Test, shipped_game};

pub use case::{Case, Tried, assert_quiet_turn_hides, change, is_asked};
pub use clock::{Answer, Coming, Course, and_now_and_then, mails_of};
pub use leak::{ARTEFACTS, Leak, Planted, rule};
pub use secrets::{
    AFRESH, ASKED, EVER, NOTHING, PRIVATE, SEEN, Secret, Trial, UNMET, UNMOVED, UNUSED, WISHES,
};
pub use sent::{Sent, assert_names, differences, letters_of, masked, sent, sent_by_a_leaking_host};
pub use words::{Random, standing_line};

/// What of a table is a game's own.
pub struct Own {
    /// The game's id.
    pub game: &'static str,
    /// Functions that propose lines for the order form.
    pub templates: &'static [&'static str],
    /// Orders that try to find something out.
    pub prying: fn(&Table, &State, &SeatId) -> Vec<String>,
    /// A line that nobody can understand.
    pub wrong: &'static str,
    /// A standing order that anybody may send at any time.
    pub standing: &'static str,
    /// Orders that somebody has sent and nobody else knows.
    pub unsent: &'static str,
}

/// The first game's.
pub const CASTIGLIONE: Own = Own {
    game: "castiglione",
    templates: &["template_move"],
    prying: Table::prying_words,
    wrong: "MOVE Nobody: Nowhere\n",
    standing: "PURSUE NEVER\n",
    unsent: "RETREAT NEVER\nMOVE ALL: Goito\n",
};

/// Players for all seats of a game.
pub fn seats_of(game: &Game) -> Seats {
    let seats = game.decl.seats.iter().map(|seat| Seat {
        id: seat.id.clone(),
        address: format!("{}@example.org", seat.id).parse().unwrap(),
        lang: Lang::En,
        name: String::new(),
        zone: None,
        screen: Default::default(),
    });
    Seats::new(seats.collect()).unwrap()
}

/// A campaign without a disk.
pub struct Table {
    pub context: Context,
    pub own: &'static Own,
    scenario: &'static str,
    battles: Rc<Battles>,
    bots: OnceCell<Bots>,
}

/// Options of a campaign by their names; `questions_per_turn` is one of them here.
pub type Options<'a> = &'a [(&'static str, &'static str)];

/// The states in which battles begin, as they are seen from aside.
#[derive(Default)]
struct Battles(RefCell<Vec<State>>);

impl Onlooker for Battles {
    fn phase_over(&self, _: &str, state: &State) {
        if state.phase.starts_with("battle.") {
            self.0.borrow_mut().push(state.clone());
        }
    }

    fn suspended(&self, _: &State, _: &Suspension) {}
}

/// A turn that was played.
#[derive(Default)]
pub struct Turn {
    pub name: String,
    pub seed: u64,
    /// The states in which orders were waited for; in the first nobody has moved yet.
    pub waits: Vec<State>,
    /// What was written there, in that order.
    pub words: Vec<(SeatId, String)>,
    /// How many letters had been written by then.
    pub letters_before: Vec<usize>,
    /// The states in which answers were waited for.
    pub questions: Vec<State>,
    /// The states in which battles began.
    pub battles: Vec<State>,
    /// All letters.
    pub letters: Vec<Letter>,
    /// The state after it.
    pub end: Option<State>,
}

impl Table {
    /// A campaign with options; without pictures, which are made from the map alone and take long.
    pub fn new(scenario: &'static str, options: Options<'_>) -> Self {
        Self::of(&CASTIGLIONE, scenario, options, |_| {}, |_| {})
    }

    /// The same with pictures.
    pub fn with_pictures(scenario: &'static str, options: Options<'_>) -> Self {
        let pictures = |settings: &mut Settings| settings.pictures = true;
        Self::of(&CASTIGLIONE, scenario, options, pictures, |_| {})
    }

    /// The same with dice that no words change: they are mixed with what a witness says, who is
    /// silent.
    pub fn with_a_silent_witness(scenario: &'static str, options: Options<'_>) -> Self {
        Self::of(&CASTIGLIONE, scenario, options, silent_witness, |_| {})
    }

    /// A campaign of any game; settings and game may be changed before it begins.
    pub fn of(
        own: &'static Own,
        scenario: &'static str,
        options: Options<'_>,
        adapt: impl FnOnce(&mut Settings),
        change: impl FnOnce(&mut Game),
    ) -> Self {
        let mut plan = Test::campaign(own.game)
            .with_pictures()
            .scenario(scenario)
            .deadlines("{zone: UTC, most_hours: 48}");
        for (name, value) in options {
            plan = match *name {
                "questions_per_turn" => plan.questions(value.parse().unwrap()),
                name => plan.option(name, value),
            };
        }
        let mut settings = plan.settings();
        settings.pictures = false;
        adapt(&mut settings);
        let mut game = shipped_game(own.game);
        change(Arc::make_mut(&mut game));
        let battles = Rc::new(Battles::default());
        Self {
            context: context(game, settings, &battles),
            own,
            scenario,
            battles,
            bots: OnceCell::new(),
        }
    }

    /// Changes its settings.
    pub fn adapt(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.context.settings().clone();
        change(&mut settings);
        self.set(settings);
    }

    /// Gives it other settings.
    fn set(&mut self, settings: Settings) {
        let game = Arc::clone(self.context.game());
        self.context = context(game, settings, &self.battles);
    }

    pub fn seats(&self) -> Vec<SeatId> {
        self.context.settings().seats.ids().cloned().collect()
    }

    pub fn other(&self, seat: &SeatId) -> SeatId {
        self.seats()
            .into_iter()
            .find(|other| other != seat)
            .unwrap()
    }

    /// All seats but one.
    pub fn others(&self, seat: &SeatId) -> Vec<SeatId> {
        let mut seats = self.seats();
        seats.retain(|other| other != seat);
        seats
    }

    pub fn is_foggy(&self) -> bool {
        self.context.settings().options.contains_key("fog")
    }

    /// The state after an event, a minute later. The journal's head counts as fixed: it is a digest
    /// of hidden things.
    pub fn apply(&self, state: State, event: Event) -> (State, Effects) {
        let time = later(&state, SignedDuration::from_mins(1));
        self.apply_at(Some(state), time, event)
    }

    /// The same at a given time. A deadline is due whenever a test lets it pass: what a wait takes
    /// is no secret.
    fn apply_at(
        &self,
        mut state: Option<State>,
        time: Timestamp,
        event: Event,
    ) -> (State, Effects) {
        if let (Event::Deadline, Some(state)) = (&event, &mut state) {
            state.sealed_now = false;
            if let CurrentWait::Orders { deadline, .. }
            | CurrentWait::Answers { deadline, .. }
            | CurrentWait::Dice { deadline, .. } = &mut state.waiting
            {
                *deadline = Some(time);
            }
        }
        let record = Record {
            n: 1,
            prev: Digest::ZERO,
            time,
            event,
            head: Digest::ZERO,
        };
        let (state, effects) = campaign::work_off(&self.context, state, &record).unwrap();
        if !matches!(state.waiting, CurrentWait::Dice { .. }) {
            return (state, effects);
        }
        let (state, mut rolled) = self.apply_at(Some(state), time, Event::Deadline);
        rolled.mailing.letters.splice(..0, effects.mailing.letters);
        (state, rolled)
    }

    pub fn begin(&self) -> State {
        self.begin_with_letters().0
    }

    /// The same with the first letters.
    pub fn begin_with_letters(&self) -> (State, Vec<Letter>) {
        let created = self.context.created(Digest::ZERO).unwrap();
        let event = Event::Created(Box::new(created));
        let (state, effects) = self.apply_at(None, Timestamp::UNIX_EPOCH, event);
        (state, effects.mailing.letters)
    }

    /// The lines that a template function of the rules proposes to a seat.
    pub fn proposed(&self, state: &State, seat: &SeatId, function: &str) -> Vec<String> {
        if !self.own.templates.contains(&function) {
            return Vec::new();
        }
        let moment = campaign::moment(&self.context, state, seat);
        let start = Start {
            phase: moment
                .phases
                .first()
                .map(String::as_str)
                .unwrap_or_default(),
            world: &moment.view,
            options: &self.context.settings().options,
            decisions: &Decisions::default(),
        };
        self.context
            .program()
            .template(seat, &start, function)
            .unwrap()
    }

    /// A mail of a seat.
    pub fn mail(&self, state: &State, seat: &SeatId, words: &str) -> Event {
        let digest = Digest::of(format!("{}{seat}{words}", state.time).as_bytes());
        Event::Mail(Box::new(SeatMail {
            seat: seat.clone(),
            message_id: Some("1@players.example".to_owned()),
            digest,
            file: "file".to_owned(),
            from: "player@example.org".to_owned(),
            words: words.to_owned(),
            ignored: Default::default(),
            files: Vec::new(),
            unread: Vec::new(),
        }))
    }

    /// Plays turns with random orders and random standing orders.
    pub fn random_turns(&self, seed: u64, turns: usize) -> Vec<Turn> {
        let mut random = Random(seed);
        let mut state = self.begin();
        // Set-up, until orders for the first movement are waited for.
        while let CurrentWait::Orders { seats, phase, .. } = state.waiting.clone()
            && phase == "setup"
        {
            for seat in seats {
                let words = self.random_words(&state, &seat, &mut random);
                state = self
                    .apply(state.clone(), self.mail(&state, &seat, &words))
                    .0;
            }
        }
        let mut played = Vec::new();
        while played.len() < turns && matches!(state.waiting, CurrentWait::Orders { .. }) {
            self.battles.0.take();
            let mut words =
                |state: &State, seat: &SeatId| self.random_words(state, seat, &mut random);
            let mut turn = self.play_turn(state, &mut words);
            turn.name = format!("{}, seed {seed}, turn {}", self.label(), played.len() + 1);
            turn.seed = seed + played.len() as u64;
            turn.battles = self.battles.0.take();
            state = turn.end.clone().unwrap();
            played.push(turn);
        }
        played
    }

    /// What it is: scenario and options.
    pub fn label(&self) -> String {
        format!("{} {:?}", self.scenario, self.context.settings().options)
    }

    /// Two states at the same time: the second seat's orders are waited for; they have come, and it
    /// is asked a question in the battle that they began.
    pub fn before_and_during_a_question(&self) -> (State, State) {
        let seats = self.seats();
        let mut state = self.begin();
        for (seat, words) in [(&seats[0], "NOTHING\n"), (&seats[1], "ASK RETREAT\n")] {
            state = self.apply(state.clone(), self.mail(&state, seat, words)).0;
        }
        let attack = "MOVE Wurmser, Melas, Gummer, Bajalich, Nicoletti: La Corona\n";
        let asking = self
            .apply(state.clone(), self.mail(&state, &seats[1], attack))
            .0;
        assert!(
            matches!(asking.waiting, CurrentWait::Answers { .. }),
            "{:?}",
            asking.waiting
        );
        state.time = asking.time;
        (state, asking)
    }
}

fn context(game: Arc<Game>, settings: Settings, battles: &Rc<Battles>) -> Context {
    let name: CampaignName = settings.campaign.as_str().parse().unwrap();
    let context = Context::new(game, settings, Master::simulated("fog", &name)).unwrap();
    context.watched(Rc::clone(battles) as Rc<dyn Onlooker>)
}

/// Has dice mixed with what a witness says, who is silent.
pub fn silent_witness(settings: &mut Settings) {
    let anchor = "5ec4e7".repeat(11)[..64].to_owned();
    let dice = format!(
        "[{{source: witness, name: cleo, address: cleo@example.org, anchor: {anchor}, hours: 1}}]"
    );
    let campaign = Test::campaign(CASTIGLIONE.game).with_pictures();
    settings.dice = campaign.dice(&dice).settings().dice;
}

/// A time after that of a state.
fn later(state: &State, by: SignedDuration) -> Timestamp {
    state.time.checked_add(by).unwrap()
}
