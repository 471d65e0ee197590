//! A campaign that is played without thinking: every unit moves in every turn.

pub mod planned;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use estafette::{
    campaign::{
        self,
        durable::{self, Campaign},
        model::{
            clock::{Deadlines, Schedule},
            context::Context,
            seats::{Seat, Seats},
            settings::{DiceSource, Settings},
            state::{CurrentWait, State},
        },
    },
    dice::Master,
    game::{EmbeddedFiles, GameFiles, Lang},
    ids::SeatId,
    mail::{Mailbox, maildir::Maildir},
};
use jiff::{SignedDuration, Timestamp};

pub const SEATS: [&str; 2] = ["french", "austrian"];

fn start() -> Timestamp {
    "2026-11-21T08:00:00Z".parse().unwrap()
}

/// The settings of a campaign of two seats that waits until all orders are in.
pub fn settings(campaign: &str, scenario: &str, created: Timestamp) -> Settings {
    let seat = |id: &str| Seat {
        id: id.into(),
        address: format!("{id}@example.org").parse().unwrap(),
        lang: Lang::En,
        name: String::new(),
        zone: None,
        screen: Default::default(),
    };
    Settings {
        campaign: campaign.parse().unwrap(),
        title: String::new(),
        game: "castiglione".into(),
        scenario: scenario.into(),
        options: std::collections::BTreeMap::new(),
        seats: Seats::new(SEATS.map(seat).into()).unwrap(),
        seating: Default::default(),
        umpire: None,
        umpires: Vec::new(),
        mailbox: Mailbox {
            local: "game".into(),
            domain: "example.org".into(),
            delimiter: '+',
        },
        schedule: Schedule::new(
            "UTC".parse().unwrap(),
            Deadlines::WhenAllIn { most_hours: None },
            0,
        )
        .unwrap(),
        dice: vec![DiceSource::Orders],
        questions_per_turn: 1,
        pictures: true,
        trust: Default::default(),
        unreachable: Default::default(),
        dispatches: Default::default(),
        press: Default::default(),
        absence: Default::default(),
        observers: Default::default(),
        club: None,
        seed: None,
        created,
    }
}

/// A campaign directory that has been played to a turn; with more turns than there are, to its end,
/// the master published.
pub fn played(turns: i64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("campaign");
    let settings = settings("bench", "campaign", start());
    let files = GameFiles::gather(&EmbeddedFiles, &settings.game).unwrap();
    let master = Master::simulated("bench", &"bench".parse().unwrap());
    Campaign::create(&root, &settings, &files, &master, start()).unwrap();
    let mut now = start();
    loop {
        now = now.checked_add(SignedDuration::from_mins(10)).unwrap();
        let (_, context, state) = durable::look(&root).unwrap();
        match &state.waiting {
            CurrentWait::Orders { .. }
                if state.world.turn() > turns && state.phase.starts_with("movement") =>
            {
                break;
            }
            CurrentWait::Orders { seats, .. } => {
                for (number, seat) in seats.iter().enumerate() {
                    let text = orders(&context, &state, seat);
                    let id = format!("{now}-{number}");
                    post(&root, &context, &state, seat, &text, &id);
                }
            }
            CurrentWait::Disclosure { at } => now = *at,
            _ => break,
        }
        Campaign::open(&root, Duration::ZERO)
            .unwrap()
            .pass(now)
            .unwrap();
    }
    (folder, root)
}

/// An order for each unit on the map: to the next area of its neighbours, one after the other as
/// the turns go on.
pub fn orders(context: &Context, state: &State, seat: &SeatId) -> String {
    let game = context.game();
    let turn = usize::try_from(state.world.turn()).unwrap();
    if state.phase == "setup" {
        // The French alone forage. Standing orders say nothing of what the phase asks for.
        let forage = if seat.as_str() == SEATS[0] {
            "FORAGE ALL\n"
        } else {
            ""
        };
        return format!("{forage}LOSSES SPREAD\nRETREAT AFTER 1 IF OUTNUMBERED\nNOTHING\n");
    }
    let mut text = String::new();
    for (index, piece) in state.world.pieces.values().enumerate() {
        let Some(number) = piece.at.as_deref().and_then(|at| game.map.number(at)) else {
            continue;
        };
        if piece.side.as_str() != seat.as_str() || piece.kind == "garrison" {
            continue;
        }
        let near = game.map.neighbours(number);
        let to = game
            .map
            .space_at(near[(index + turn) % near.len()])
            .unwrap();
        text.push_str(&format!("MOVE {}: {}\n", piece.name, to.name));
    }
    if text.is_empty() {
        "NOTHING".into()
    } else {
        text
    }
}

/// A mail as a player's program writes it.
pub fn letter(context: &Context, state: &State, seat: &SeatId, text: &str, id: &str) -> Vec<u8> {
    let to = campaign::reply_address(context, state, seat);
    format!(
        "From: {seat}@example.org\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <{id}@example.org>\r\nDate: Sat, 21 Nov 2026 09:00:00 +0000\r\n\
         MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}"
    )
    .into_bytes()
}

fn post(root: &Path, context: &Context, state: &State, seat: &SeatId, text: &str, id: &str) {
    let bytes = letter(context, state, seat, text, &id.replace(':', "-"));
    Maildir::on_demand(root.join("inbox"))
        .put(&id.replace(':', "-"), &bytes)
        .unwrap();
}
