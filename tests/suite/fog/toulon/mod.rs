//! Nations in two parties: what enemies, allies and the wings of one army keep from each other
//! changes no byte of what a seat is sent, with each roster.

mod mails;
mod orders;
mod planted;
mod press;
mod secrets;
mod spies;

use std::collections::BTreeSet;

use estafette::{
    campaign::model::{
        settings::Settings,
        state::{CurrentWait, State},
    },
    game::{Game, Seating},
    ids::SeatId,
};

use super::{
    seeds,
    table::{
        Case, Leak, Own, Secret, Table, Trial, Tried, Turn, assert_quiet_turn_hides, seats_of,
        sent, silent_witness,
    },
};
use crate::support::shipped_game;
use secrets::secrets;

static TOULON: Own = Own {
    game: "toulon",
    templates: &[],
    prying,
    wrong: "MOVE Nobody TO Nowhere\n",
    standing: "STANDING\nPURSUE NO\n",
    unsent: "SUPPLY YES\nSTANDING\nBREAKOFF LOSING\n",
};

const ROSTERS: [&str; 6] = ["2", "3", "4", "5", "6", "7"];

/// The nations of the Coalition; the others are the Republic's.
const COALITION: [&str; 6] = [
    "english",
    "spanish",
    "neapolitan",
    "sardinian",
    "toulonnais",
    "austrian",
];

/// Orders that name what others have, and areas where they may stand.
fn prying(table: &Table, _: &State, reader: &SeatId) -> Vec<String> {
    let game = table.context.game();
    let own = sides(table, reader);
    let others = game.forces.pieces.iter();
    let others = others.filter(|piece| !own.contains(piece.side.as_str()));
    let moves = others.map(|piece| format!("MOVE {} TO Malbousquet\n", piece.name));
    let moves: String = moves.take(60).collect();
    let spaces = game.map.map().spaces.iter();
    let spied = spaces.map(|space| format!("SPY {}\n", space.name));
    let nations = COALITION.iter().take(5);
    let lent = nations.map(|nation| format!("LEND 40 {nation} TO WEST\n"));
    vec![moves, spied.collect(), lent.collect()]
}

/// A campaign in which words change no dice.
fn table(roster: &str, adapt: impl Fn(&mut Game)) -> Table {
    seated(roster, silent_witness, adapt)
}

fn seated(roster: &str, dice: fn(&mut Settings), adapt: impl Fn(&mut Game)) -> Table {
    let seating = Seating {
        roster: Some(roster.to_owned()),
        ..Seating::default()
    };
    let game = Game::clone(&shipped_game(TOULON.game));
    let game = game.seated(&seating).unwrap();
    let seats = seats_of(&game);
    Table::of(
        &TOULON,
        "siege",
        &[],
        |settings| {
            dice(settings);
            settings.seats = seats;
            settings.seating = seating;
        },
        |loaded| {
            *loaded = game;
            adapt(loaded);
        },
    )
}

/// The nations that a seat plays.
fn sides(table: &Table, seat: &SeatId) -> BTreeSet<String> {
    let mut seats = table.context.game().decl.seats.iter();
    let found = seats.find(|one| one.id == *seat).unwrap();
    found.sides.iter().map(ToString::to_string).collect()
}

/// Plays turns with bots of both kinds.
fn played(table: &Table, seed: u64, turns: usize) -> Vec<Turn> {
    let mut state = table.begin();
    let mut all: Vec<Turn> = Vec::new();
    while all.len() < turns && matches!(state.waiting, CurrentWait::Orders { .. }) {
        let mut number = 0;
        let mut words = |state: &State, seat: &SeatId| {
            number += 1;
            let bot = if number % 2 == 0 {
                "random"
            } else {
                "sensible"
            };
            let luck = format!("{seed} {} {number}", state.world.turn());
            let lines = table.bot_words(bot, state, seat, &luck);
            let lines = lines.into_iter().map(|line| format!("{line}\n"));
            let text: String = lines.collect();
            if text.is_empty() {
                "PASS\n".to_owned()
            } else {
                text
            }
        };
        let mut turn = table.play_turn(state, &mut words);
        turn.name = format!("{} seats, turn {}", table.seats().len(), all.len() + 1);
        turn.seed = seed;
        state = turn.end.clone().unwrap();
        all.push(turn);
    }
    all
}

#[test]
fn what_a_seat_cannot_know_changes_no_letter_with_any_roster() {
    let mut tried = Tried::default();
    for roster in ROSTERS {
        let table = table(roster, |_| {});
        let turns = (1..=seeds(1)).flat_map(|seed| played(&table, seed, 2));
        for turn in turns {
            for reader in table.seats() {
                // The first wait of the turn, and its last, when the orders of others are in.
                let waits = turn.waits.iter().take(1).chain(turn.waits.last());
                for state in waits {
                    let case = Case::new(&table, &turn, state, &reader);
                    let told = |state: &State| sent(&table, state, &reader, Leak::NONE);
                    tried.count(case.assert_hidden(&secrets(), told));
                }
            }
        }
    }
    tried.assert_all(&secrets());
}

/// What others have in their purses, have seen and have been sent stays with them through a turn in
/// which nobody wants anything.
#[test]
fn a_quiet_turn_tells_no_secret_with_any_roster() {
    let lasting = |all: Vec<&'static Secret>| {
        let lasts = |secret: &&Secret| secret.outlasts.contains(&Trial::QuietTurn);
        all.into_iter().filter(lasts).collect::<Vec<_>>()
    };
    let secrets = lasting(secrets());
    let mut tried = Tried::default();
    for roster in ROSTERS {
        let table = table(roster, |_| {});
        let turn = played(&table, 2, 3).pop().unwrap();
        assert_quiet_turn_hides(&table, &turn, &secrets, &mut tried);
    }
    tried.assert_all(&secrets);
}
