//! A battle of 516 counters on 2,784 hexes: what a turn costs, a receipt, the whole map as a
//! picture, lines of sight. `cargo bench --bench battle`. Budgets in release: 1.5 s for both halves
//! of a turn, 50 ms an activation, 1 s for a receipt of 300 lines, 250 ms for the overview, well
//! under a second for 65,000 lines of sight.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "a benchmark may panic"
)]

#[allow(dead_code, reason = "other benchmarks use the rest")]
mod play;

use divan::{Bencher, black_box, counter::ItemsCount};
use estafette::{
    campaign,
    dispatch::{self, map_png},
    game::{
        Area, EmbeddedFiles, Game,
        hex::{Sight, TerrainCover},
    },
    orders,
};
use play::planned::{Planned, Table, waits};

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A battle of brigades: 516 counters.
const BATTLE: Table = Table {
    game: "risorgimento",
    scenario: "solferino",
    roster: None,
};

fn main() {
    divan::main();
}

/// Both halves of a turn, one after the other, from plans in hand to the letters, whose pictures
/// are not drawn.
#[divan::bench(args = [1, 4], sample_count = 10, sample_size = 1)]
fn turn_of_a_battle(bencher: Bencher<'_, '_>, turn: i64) {
    let halves = waits(&BATTLE, turn);
    assert_eq!(halves.len(), 2);
    bencher.bench_local(|| {
        for half in &halves {
            black_box(resolved(half));
        }
    });
}

/// The same, counted in activations.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn activation(bencher: Bencher<'_, '_>) {
    let halves = waits(&BATTLE, 4);
    let activations: usize = halves.iter().map(activations).sum();
    assert!(activations > 8, "{activations}");
    bencher
        .counter(ItemsCount::new(activations))
        .bench_local(|| {
            for half in &halves {
                black_box(resolved(half));
            }
        });
}

fn resolved(half: &Planned) -> campaign::model::state::State {
    let context = &half.context;
    let state = Some(half.state.clone());
    campaign::redo(context, state, &half.mail, &half.done)
        .unwrap()
        .0
}

/// How many activations a half of a turn has: everybody hears of each.
fn activations(half: &Planned) -> usize {
    let after = resolved(half);
    let heard = after.seats.values().next().unwrap().told.iter();
    heard.filter(|news| news.key == "hand.active").count()
}

/// A plan of 300 lines: read, judged line by line, answered.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn receipt_of_300_lines(bencher: Bencher<'_, '_>) {
    let half = waits(&BATTLE, 1).remove(0);
    let (context, state) = (&half.context, &half.state);
    let seat = context.settings().seats.ids().next().unwrap();
    let moment = campaign::moment(context, state, seat);
    let vocabulary = context.vocabulary(&moment.view, moment.lang);
    let mut lines = vec!["ACTIVATE F4".to_owned()];
    let own = state.world.pieces.values().filter(|piece| {
        let corps = piece.get("corps");
        corps.as_text() == Some("f4") && piece.at.as_deref().is_some_and(|at| at.starts_with('S'))
    });
    let own: Vec<_> = own.collect();
    // Each unit a way of its own, to and fro.
    for number in 0..298 {
        let piece = own[number % own.len()];
        let to = ["S3438", "S3640", "S3841", "S3345", "S3544"][number % 5];
        lines.push(format!("MOVE {} TO {to}", piece.name));
    }
    lines.push("END".to_owned());
    let printed = orders::template(context.grammar(), &vocabulary, &lines, moment.lang);
    let words: Vec<_> = printed
        .iter()
        .map(|line| line.trim_start_matches("# "))
        .collect();
    assert_eq!(words.len(), 300);
    let words = words.join("\n");
    bencher.bench_local(|| {
        let understood = campaign::understand(context, &moment, seat, &words).unwrap();
        assert!(understood.is_clean(), "the plan has mistakes");
        let from = dispatch::WordsOrigin::default();
        campaign::receipt(context, state, seat, &moment, &understood, &words, &from)
    });
}

/// The whole map of a letter, as it is attached.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn png_of_the_overview(bencher: Bencher<'_, '_>) {
    let half = waits(&BATTLE, 2).remove(1);
    let (context, state) = (&half.context, &half.state);
    let seat = context.settings().seats.ids().next();
    let document = campaign::map_document(context, state, seat).unwrap();
    bencher.bench_local(|| {
        let (_, overview) = dispatch::map_pictures(&document).pop().unwrap();
        map_png(&overview).unwrap()
    });
}

/// Lines of sight between hexes at most eight apart, as fog asks for them: 65,000 at least.
#[divan::bench]
fn lines_of_sight(bencher: Bencher<'_, '_>) {
    let game = Game::load(&EmbeddedFiles, BATTLE.game).unwrap();
    let scenario = &game.scenarios[BATTLE.scenario];
    let map = &game.theatres[scenario.theatre.as_deref().unwrap()].map;
    let covers = map.map().terrains.iter().map(|terrain| TerrainCover {
        raised: i64::from(terrain == "woods"),
        screens: terrain == "woods" || terrain == "heavy",
    });
    let sight = Sight::new(map, covers.collect(), Area::default()).unwrap();
    let grid = map.hexes().unwrap().grid();
    let starts = (0..grid.len()).step_by(6);
    let pairs: Vec<(usize, usize)> = starts
        .flat_map(|from| grid.within(from, 8).into_iter().map(move |to| (from, to)))
        .collect();
    assert!(pairs.len() >= 65_000, "{}", pairs.len());
    bencher
        .counter(ItemsCount::new(pairs.len()))
        .bench_local(|| pairs.iter().filter(|(a, b)| sight.is_clear(*a, *b)).count());
}
