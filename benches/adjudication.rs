//! Orders of many units that hang on each other, from orders in hand to events and position, through the
//! path of a phase in a campaign. `cargo bench --bench adjudication`. Budget: 1,500 phases a second.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "a benchmark may panic"
)]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/suite/games/diplomacy_lines.rs"]
mod diplomacy_lines;

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
