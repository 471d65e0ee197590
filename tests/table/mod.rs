//! The engine as a table to play at without a disk.

mod sent;

use std::sync::Arc;

use estafette::{
    campaign::{
        Digest, Effects, Engine, Letter, Record, State, Waiting,
        events::{Event, MailIn},
    },
    dice::{CampaignName, Master},
    game::{Embedded, Game},
    ids::SeatId,
};
use jiff::Timestamp;

use crate::support::Test;

pub use sent::{Sent, differences, honest, leaking, letters_of, sent};

/// A campaign without a disk.
pub struct Table {
    pub engine: Engine,
    scenario: &'static str,
}

/// A state that play has reached.
pub struct Position {
    pub name: String,
    pub seed: u64,
    pub state: State,
}

/// Numbers that look random and are the same in every run (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % most.max(1)
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

impl Table {
    pub fn new(scenario: &'static str) -> Self {
        Self::with_options(scenario, &[])
    }

    /// The same with hidden counters, reconnaissance and dummies.
    pub fn in_fog(scenario: &'static str) -> Self {
        Self::with_options(scenario, &[("fog", "on")])
    }

    fn with_options(scenario: &'static str, options: &[(&'static str, &'static str)]) -> Self {
        let plan = Test::campaign("castiglione")
            .scenario(scenario)
            .deadlines("{zone: UTC, most_hours: 48}");
        let plan = options
            .iter()
            .fold(plan, |plan, (name, value)| plan.option(name, value));
        let settings = plan.settings();
        let game = Game::load(&Embedded, "castiglione").unwrap();
        let name: CampaignName = settings.campaign.as_str().parse().unwrap();
        let engine =
            Engine::new(Arc::new(game), settings, Master::simulated("fog", &name)).unwrap();
        Self { engine, scenario }
    }

    pub fn seats(&self) -> Vec<SeatId> {
        self.engine.settings().seats.ids().cloned().collect()
    }

    pub fn other(&self, seat: &SeatId) -> SeatId {
        self.seats()
            .into_iter()
            .find(|other| other != seat)
            .unwrap()
    }

    /// The state after an event. The journal's head counts as fixed: it is a digest of hidden things.
    pub fn apply(&self, state: Option<State>, event: Event) -> (State, Effects) {
        let time = state
            .as_ref()
            .map_or(Timestamp::UNIX_EPOCH, |state| state.time);
        // A deadline is due when it has come.
        let deadline = match (&event, state.as_ref().map(|state| &state.waiting)) {
            (
                Event::Deadline,
                Some(Waiting::Orders { deadline, .. } | Waiting::Answers { deadline, .. }),
            ) => *deadline,
            _ => None,
        };
        let minute = jiff::SignedDuration::from_secs(60);
        let soon = time.checked_add(minute).unwrap();
        let time = deadline.map_or(soon, |deadline| deadline.max(soon));
        let record = Record {
            n: 1,
            prev: Digest::ZERO,
            time,
            event,
            head: Digest::ZERO,
        };
        self.engine.apply(state, &record).unwrap()
    }

    fn begin(&self) -> State {
        let created = self.engine.created(Digest::ZERO).unwrap();
        self.apply(None, Event::Created(Box::new(created))).0
    }

    /// A mail of a seat.
    pub fn mail(&self, state: &State, seat: &SeatId, words: &str) -> Event {
        let digest = Digest::of(format!("{}{seat}{words}", state.time).as_bytes()).to_string();
        Event::Mail(Box::new(MailIn {
            seat: seat.clone(),
            message_id: Some("1@players.example".to_owned()),
            digest,
            file: "file".to_owned(),
            from: "player@example.org".to_owned(),
            words: words.to_owned(),
            ignored: Default::default(),
            attached: false,
        }))
    }

    pub fn is_foggy(&self) -> bool {
        self.engine.settings().options.contains_key("fog")
    }

    /// Plays with random orders and random standing orders; gives the position at each wait for orders of a movement.
    pub fn random_play(&self, seed: u64, most: usize) -> Vec<Position> {
        let mut random = Random(seed);
        let mut state = self.begin();
        let mut positions = Vec::new();
        while positions.len() < most {
            state = match state.waiting.clone() {
                Waiting::Orders { seats, phase, .. } => {
                    if phase == "movement" {
                        let name = format!(
                            "{} {seed}, turn {}, {}",
                            self.scenario,
                            state.world.turn(),
                            state.phase
                        );
                        positions.push(Position {
                            name,
                            seed: seed + positions.len() as u64,
                            state: state.clone(),
                        });
                    }
                    seats.iter().fold(state, |state, seat| {
                        let words = self.random_words(&state, seat, &mut random);
                        let mail = self.mail(&state, seat, &words);
                        self.apply(Some(state), mail).0
                    })
                }
                Waiting::Answers { .. } => self.apply(Some(state), Event::Deadline).0,
                _ => return positions,
            };
        }
        positions
    }

    /// Words that all are understood: moves to near areas towards the enemy or away, and standing orders.
    fn random_words(&self, state: &State, seat: &SeatId, random: &mut Random) -> String {
        let moment = self.engine.moment(state, seat);
        let mut words = vec![standing_line(random).to_owned()];
        if self.is_foggy() {
            words.extend(self.fog_words(state, seat, random));
        }
        let roads = &self.engine.game().map.map().roads;
        let own: Vec<_> = state
            .world
            .pieces
            .values()
            .filter(|piece| piece.side.as_str() == seat.as_str())
            .collect();
        for _ in 0..6 {
            let Some(leader) = random.pick(&own) else {
                break;
            };
            let Some(here) = leader.at.as_ref() else {
                continue;
            };
            let roads = roads
                .iter()
                .filter(|road| road.a == *here || road.b == *here);
            let near: Vec<_> = roads
                .map(|road| if road.a == *here { &road.b } else { &road.a })
                .collect();
            let stack: Vec<_> = own
                .iter()
                .filter(|piece| piece.at.as_ref() == Some(here))
                .map(|piece| piece.id.as_str())
                .collect();
            if let Some(to) = random.pick(&near) {
                words.push(format!("MOVE {}: {to}", stack.join(", ")));
            }
        }
        // Only what is understood and possible closes the wait.
        let fits = |words: &str| {
            self.engine
                .understand(&moment, seat, words)
                .unwrap()
                .is_clean()
        };
        let mut accepted = String::new();
        for line in words {
            let more = format!("{accepted}{line}\n");
            if fits(&more) {
                accepted = more;
            }
        }
        if accepted.is_empty() {
            "NOTHING\n".to_owned()
        } else {
            accepted
        }
    }

    /// Dummies, reconnaissances and what is shown to them: where the phase does not take a line, it is left out.
    fn fog_words(&self, state: &State, seat: &SeatId, random: &mut Random) -> Vec<String> {
        let spaces = &self.engine.game().map.map().spaces;
        let (own, others): (Vec<_>, Vec<_>) = state
            .world
            .pieces
            .values()
            .filter(|piece| {
                let at = piece.at.as_ref();
                at.is_some_and(|at| spaces.iter().any(|space| space.id == *at))
            })
            .partition(|piece| piece.side.as_str() == seat.as_str());
        let mut words = vec![random.pick(STANDING_IN_FOG).unwrap().to_string()];
        for _ in 0..4 {
            if let Some(at) = random.pick(&own).and_then(|piece| piece.at.as_ref()) {
                words.push(format!("DUMMY {} AT {at}", 1 + random.below(2)));
            }
        }
        for _ in 0..30 {
            let from = random.pick(&own).and_then(|piece| piece.at.as_ref());
            let target = random.pick(&others).and_then(|piece| piece.at.as_ref());
            if let Some((from, target)) = from.zip(target) {
                words.push(format!("RECON {from} -> {target}"));
            }
        }
        words
    }

    /// Two states at the same time: the second seat's orders are waited for; they have come, and it is asked a question in
    /// the battle that they began.
    pub fn before_and_during_a_question(&self) -> (State, State) {
        let seats = self.seats();
        let mut state = self.begin();
        for (seat, words) in [(&seats[0], "NOTHING\n"), (&seats[1], "ASK RETREAT\n")] {
            state = self
                .apply(Some(state.clone()), self.mail(&state, seat, words))
                .0;
        }
        let attack = "MOVE Wurmser, Melas, Gummer, Bajalich, Nicoletti: La Corona\n";
        let asking = self
            .apply(Some(state.clone()), self.mail(&state, &seats[1], attack))
            .0;
        assert!(
            matches!(asking.waiting, Waiting::Answers { .. }),
            "{:?}",
            asking.waiting
        );
        state.time = asking.time;
        (state, asking)
    }

    /// Both seats want nothing until the next turn has begun. All letters.
    pub fn pass_a_turn(&self, mut state: State) -> Vec<Letter> {
        let turn = state.world.turn();
        let mut letters = Vec::new();
        while state.world.turn() == turn {
            let event = match &state.waiting {
                Waiting::Orders { seats, .. } => self.mail(&state, &seats[0], "NOTHING\n"),
                Waiting::Answers { .. } => Event::Deadline,
                other => panic!("the campaign has come to an end: {other:?}"),
            };
            let (next, effects) = self.apply(Some(state), event);
            letters.extend(effects.letters);
            state = next;
        }
        letters
    }
}

const STANDING: &[&str] = &[
    "RETREAT AFTER 1 IF OUTNUMBERED",
    "RETREAT NEVER",
    "PURSUE NEVER",
    "PURSUE ALWAYS",
    "EVADE NO",
    "EVADE YES",
    "LOSSES CONCENTRATE",
    "BOMBARD STRONGEST",
    "FORAGE NONE",
    "INITIATIVE SECOND",
    "ASK MARCH",
    "ASK RETREAT",
    "MARCH ALL TO ANY",
];

const STANDING_IN_FOG: &[&str] = &[
    "SCREEN YES",
    "SCREEN NO",
    "SHOW LEADERS",
    "SHOW DUMMIES, LEADERS",
    "ASK RECON",
];

/// A standing order, or a wish to be asked.
pub fn standing_line(random: &mut Random) -> &'static str {
    random.pick(STANDING).unwrap()
}
