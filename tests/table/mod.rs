//! The engine as a table to play at without a disk: random play, and everything that a seat could be sent.

use std::sync::Arc;

use estafette::{
    campaign::{
        Digest, Effects, Engine, Letter, Moment, Recipient, Record, State, Waiting,
        events::{Event, MailIn, Reason, Refused},
    },
    dice::{CampaignName, Master},
    dispatch::{self, Document},
    game::{Embedded, Game},
    ids::SeatId,
    rules::Start,
};
use jiff::Timestamp;

use crate::support::{Letter as Read, Test};

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

/// Something that a seat is sent: what it is, and its bytes as text without the digests that may differ.
pub type Sent = (String, String);

/// What document and order checks are made from: the seat's view, unless a leak is planted.
pub type Sight = dyn Fn(&Engine, &State, &SeatId) -> (Document, Moment);

/// What the program does: everything comes from the seat's view.
pub fn honest(engine: &Engine, state: &State, seat: &SeatId) -> (Document, Moment) {
    (
        engine.map_document(state, Some(seat)).unwrap(),
        engine.moment(state, seat),
    )
}

/// A planted leak: everything comes from the true world.
pub fn leaking(engine: &Engine, state: &State, seat: &SeatId) -> (Document, Moment) {
    let moment = Moment {
        view: state.world.clone(),
        ..engine.moment(state, seat)
    };
    (engine.map_document(state, None).unwrap(), moment)
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
        let plan = Test::campaign("castiglione")
            .scenario(scenario)
            .deadlines("{zone: UTC, most_hours: 48}");
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
        let time = time
            .checked_add(jiff::SignedDuration::from_secs(60))
            .unwrap();
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

/// A standing order, or a wish to be asked.
pub fn standing_line(random: &mut Random) -> &'static str {
    random.pick(STANDING).unwrap()
}

/// Everything that a seat could be sent in this state, and its view after a fresh look at the true world.
pub fn sent(table: &Table, state: &State, reader: &SeatId, sight: &Sight) -> Vec<Sent> {
    let engine = &table.engine;
    let mut sent = Vec::new();
    let start = Start {
        phase: &state.phase,
        world: &state.world,
        options: &engine.settings().options,
        decisions: &state.decisions,
    };
    let looked = engine.program().look(&start).unwrap();
    let view = looked.seen_by(engine.game(), reader);
    sent.push((
        "the view after a fresh look".to_owned(),
        serde_json::to_string_pretty(&view).unwrap(),
    ));
    let (document, moment) = sight(engine, state, reader);
    sent.push((
        "the document".to_owned(),
        serde_json::to_string_pretty(&document).unwrap(),
    ));
    sent.push(("the text".to_owned(), dispatch::body(&document)));
    sent.push(("the page".to_owned(), dispatch::html(&document)));
    sent.push(("the map".to_owned(), dispatch::map_svg(&document)));
    for words in table.prying_words(reader) {
        let understood = engine.understand(&moment, reader, &words).unwrap();
        let receipt = engine.receipt_text(state, reader, &moment, &understood, &words, &[], "");
        sent.push((format!("what is said to `{words}`"), receipt));
    }
    sent.extend(letters_of(&table.answers_to(state, reader), reader));
    sent
}

impl Table {
    /// Orders that try to find something out: enemy pieces by name, areas, moves into every enemy stack.
    fn prying_words(&self, reader: &SeatId) -> Vec<String> {
        let game = self.engine.game();
        let own = if reader.as_str() == "french" {
            ["Serurier", "Guillaume"]
        } else {
            ["Minkwitz", "Davidovich"]
        };
        let mut words = Vec::new();
        let enemies = game
            .forces
            .pieces
            .iter()
            .filter(|piece| piece.side.as_str() != reader.as_str());
        words.push(
            enemies
                .map(|piece| format!("BOMBARD {}\nMOVE {}: Goito\n", piece.name, piece.name))
                .collect(),
        );
        let near = [
            "Goito",
            "Guidizzolo",
            "Castiglione",
            "Lonato",
            "Salo",
            "Peschiera",
            "Volta",
            "Mantua",
            "Verona",
            "Rivoli",
        ];
        words.push(
            near.iter()
                .map(|space| format!("MOVE {}: {space}\n", own[0]))
                .collect(),
        );
        words.push(format!(
            "IF ENEMY AT Lonato: MOVE {}: Asola\nELSE: MOVE {}: Volta\n",
            own[1], own[1]
        ));
        words
    }

    /// The letters that answer a seat's mails: a wrong one that keeps the wait open, one with an old token, a standing order.
    pub fn answers_to(&self, state: &State, seat: &SeatId) -> Vec<Letter> {
        let refused = Refused {
            reason: Reason::OldToken,
            seat: Some(seat.clone()),
            message_id: None,
            digest: String::new(),
            file: "file".to_owned(),
            detail: String::new(),
        };
        let mut events = vec![
            Event::Refused(refused),
            self.mail(state, seat, "MOVE Nobody: Nowhere\n"),
        ];
        if !matches!(&state.waiting, Waiting::Orders { seats, .. } if seats.contains(seat)) {
            events.push(self.mail(state, seat, "PURSUE NEVER\n"));
        }
        let (mut state, mut letters) = (state.clone(), Vec::new());
        for event in events {
            let (next, effects) = self.apply(Some(state), event);
            letters.extend(effects.letters);
            state = next;
        }
        letters
    }
}

/// The letters to a seat, part by part, without the digests that may differ. Their number and order count.
pub fn letters_of(letters: &[Letter], seat: &SeatId) -> Vec<Sent> {
    let own = letters
        .iter()
        .filter(|letter| letter.to == Recipient::Seat(seat.clone()));
    let mut sent = Vec::new();
    for (number, letter) in own.enumerate() {
        let read = Read::read(&letter.bytes);
        let mut part =
            |what: &str, text: &str| sent.push((format!("letter {number}: {what}"), masked(text)));
        part("id", &letter.message_id);
        part("header", &read.header);
        part("text", &read.text);
        part("page", read.html.as_deref().unwrap_or("none"));
        for (name, bytes) in &read.attached {
            let shown =
                String::from_utf8(bytes.clone()).unwrap_or_else(|_| Digest::of(bytes).to_string());
            part(name, &shown);
        }
    }
    sent
}

/// A text without the values of those lines of the dice protocol that are keyed digests of hidden things.
pub fn masked(text: &str) -> String {
    let is_digest =
        |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let line = |line: &str| {
        let keyed = ["orders ", "bind ", "prev ", "head ", "register "]
            .iter()
            .any(|word| line.starts_with(word));
        let words = line
            .split(' ')
            .map(|word| if keyed && is_digest(word) { "#" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What differs between two lists, with the first line that does.
pub fn differences(before: &[Sent], after: &[Sent]) -> Vec<String> {
    let names = |sent: &[Sent]| {
        sent.iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    if names(before) != names(after) {
        return vec![format!(
            "other things are sent: {:?} and {:?}",
            names(before),
            names(after)
        )];
    }
    let pairs = before
        .iter()
        .zip(after)
        .filter(|(before, after)| before != after);
    pairs
        .map(|((name, before), (_, after))| {
            let line = before
                .lines()
                .zip(after.lines())
                .find(|(before, after)| before != after);
            let (before, after) = line.unwrap_or(("(one is longer)", ""));
            format!("{name}:\n  - {before}\n  + {after}")
        })
        .collect()
}
