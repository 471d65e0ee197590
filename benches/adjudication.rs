//! Orders of many units that hang on each other, from orders in hand to events and position, through
//! the path of a phase in a campaign; and the same by mail, from seven mails to seven receipts and
//! seven letters, without pictures. `cargo bench --bench adjudication`. Budgets: 1,500 phases a
//! second, and 100 by mail.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "a benchmark may panic"
)]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/suite/games/diplomacy_lines.rs"]
mod diplomacy_lines;

#[allow(dead_code, reason = "other benchmarks use the rest")]
mod play;

use std::collections::BTreeMap;

use diplomacy_lines::{case, data, game, phases};
use divan::{Bencher, counter::ItemsCount};
use estafette::{
    cases,
    dice::ScriptedDice,
    orders::Grammar,
    rules::{Decisions, Outcome, Program, Start},
    world::World,
};
use play::planned::{Table, TableSetup, mails};

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// A position, and all orders given in it.
struct InHand {
    phase: String,
    world: World,
    decisions: Decisions,
}

fn options() -> BTreeMap<String, String> {
    BTreeMap::new()
}

/// Phases of moves with so many units at least.
fn in_hand(program: &Program, least: usize) -> Vec<InHand> {
    let game = program.game();
    let grammar = Grammar::new(&game.decl, &options()).unwrap();
    let mut found = Vec::new();
    for line in phases(&data()) {
        let mut case = case(&line, &[]);
        case.until = None;
        let units = line["before"]["units"].as_object().unwrap().values();
        let units: usize = units.map(|units| units.as_array().unwrap().len()).sum();
        if units < least || !case.given.phase.ends_with("_moves") {
            continue;
        }
        let played = cases::play(program, &grammar, &case).unwrap();
        let mut decisions = Decisions::default();
        for (seat, understood, _) in &played.read {
            understood.decide(game, seat, &mut decisions);
            let given = decisions.latest.get(seat).cloned().unwrap_or_default();
            decisions.orders.insert(seat.clone(), given);
        }
        let world = cases::set_up(game, &case).unwrap();
        let start = Start {
            phase: &case.given.phase,
            world: &world,
            options: &options(),
            decisions: &decisions,
        };
        let world = program.look(&start).unwrap();
        found.push(InHand {
            phase: case.given.phase,
            world,
            decisions,
        });
    }
    found
}

#[divan::bench(args = [22, 30], sample_count = 20, sample_size = 1)]
fn moves(bencher: Bencher<'_, '_>, least: usize) {
    let program = Program::compile(game()).unwrap();
    // Cases make rules strict, which a campaign's are not.
    let all = in_hand(&Program::compile(game()).unwrap(), least);
    let options = options();
    bencher.counter(ItemsCount::new(all.len())).bench_local(|| {
        for one in &all {
            let start = Start {
                phase: &one.phase,
                world: &one.world,
                options: &options,
                decisions: &one.decisions,
            };
            let (outcome, _) = program.run(&start, Box::new(ScriptedDice::new(Vec::new())));
            assert!(matches!(outcome.unwrap(), Outcome::Done(_)));
        }
    });
}

/// Seven powers, whose units do without a question what their lines or the rules say.
const POWERS: Table = Table {
    game: "diplomacy",
    scenario: "classic",
    roster: None,
};

/// How many waits for orders of seven seats are played by mail.
const WAITS: usize = 10;

#[divan::bench(sample_count = 10, sample_size = 1)]
fn by_mail(bencher: Bencher<'_, '_>) {
    let conditional = [("retreats", "conditional"), ("winter", "conditional")];
    let opening = TableSetup::new(&POWERS, &conditional).without_pictures();
    let mails = mails(&opening, WAITS);
    assert_eq!(mails.len(), 7 * WAITS, "all powers are there to the end");
    bencher
        .counter(ItemsCount::new(WAITS))
        .with_inputs(|| opening.begin())
        .bench_local_values(|mut campaign| {
            for (now, bytes) in &mails {
                campaign.post(&now.to_string(), bytes, *now).unwrap();
            }
            assert_eq!(campaign.state().dice.envelope as usize, WAITS);
            campaign
        });
}
