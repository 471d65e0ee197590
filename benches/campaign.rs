//! Figures of a whole campaign: a mail in to a receipt out, a turn, a replay, and whether a late
//! turn costs more than an early one. `cargo bench --bench campaign`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "a benchmark may panic"
)]

#[allow(dead_code, reason = "other benchmarks use the rest")]
mod play;

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
};

use divan::{Bencher, counter::ItemsCount};
use estafette::{
    audit::Verdict,
    campaign::{
        self, durable,
        model::{
            context::Context,
            events::Event,
            state::{CurrentWait, State},
        },
    },
    store::{Position, Record, read_journal},
};
use play::{
    letter, orders,
    planned::{AREAS, HEXES, Planned},
    played,
};

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

static EARLY: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| played(0));
static LATE: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| played(8));

fn receipt(bencher: Bencher<'_, '_>, root: &Path) {
    static MAILS: AtomicU64 = AtomicU64::new(0);
    let (_, context, state) = durable::look(root).unwrap();
    let CurrentWait::Orders { seats, .. } = &state.waiting else {
        panic!("nobody is waited for")
    };
    // A wrong line keeps the wait open, so that the next mail is like this one.
    let text = format!(
        "{}MOVE Nobody: Nowhere\n",
        orders(&context, &state, &seats[0])
    );
    bencher
        .with_inputs(|| {
            let id = format!("mail-{}", MAILS.fetch_add(1, Ordering::Relaxed));
            letter(&context, &state, &seats[0], &text, &id)
        })
        .bench_local_values(|bytes| {
            let mut child = Command::new(env!("CARGO_BIN_EXE_estafette"))
                .args(["deliver".as_ref(), root.as_os_str()])
                .args(["--now", "2026-12-24T20:00:00Z"])
                .stdin(Stdio::piped())
                .spawn()
                .unwrap();
            child.stdin.take().unwrap().write_all(&bytes).unwrap();
            assert!(child.wait().unwrap().success());
        });
}

/// One process, its start included: an order mail of some 25 lines in, the receipt in the outbox.
#[divan::bench]
fn mail_to_receipt_in_turn_1(bencher: Bencher<'_, '_>) {
    receipt(bencher, &EARLY.1);
}

/// The same in turn 9.
#[divan::bench]
fn mail_to_receipt_in_turn_9(bencher: Bencher<'_, '_>) {
    receipt(bencher, &LATE.1);
}

/// The records of one turn, from the first player's orders to the next turn's wait, with the state
/// before them.
fn turn(root: &Path, wanted: i64) -> (Context, State, Vec<Record<Event>>) {
    let (_, context, _) = durable::look(root).unwrap();
    let records = read_journal::<Event>(&root.join("journal.jsonl"), Position::START)
        .unwrap()
        .records;
    let mut state: Option<State> = None;
    for (index, record) in records.iter().enumerate() {
        let Some(Record {
            event: Event::Done(done),
            ..
        }) = records.get(index + 1)
        else {
            continue;
        };
        if state.as_ref().is_some_and(|state| {
            state.world.turn() == wanted && state.phase.starts_with("movement")
        }) {
            return (
                context,
                state.unwrap(),
                records[index..].iter().take(4).cloned().collect(),
            );
        }
        state = Some(campaign::recall(&context, state, record, done).unwrap());
    }
    panic!("turn {wanted} was not reached");
}

/// The state after these records, each with its `Done`.
fn recalled(context: &Context, state: Option<State>, records: &[Record<Event>]) -> Option<State> {
    let pairs = records.chunks(2);
    pairs.fold(state, |state, pair| match pair {
        [
            record,
            Record {
                event: Event::Done(done),
                ..
            },
        ] => Some(campaign::recall(context, state, record, done).unwrap()),
        _ => state,
    })
}

/// A whole turn from orders in hand: both movements, all combats, recovery, supply, command,
/// initiative.
#[divan::bench(args = [1, 8])]
fn turn_resolved(bencher: Bencher<'_, '_>, wanted: i64) {
    let (context, state, records) = turn(&LATE.1, wanted);
    bencher
        .with_inputs(|| state.clone())
        .bench_local_values(|state| recalled(&context, Some(state), &records));
}

/// A turn of the game of hexes from orders in hand: the mail that completes the plans is judged,
/// all phases run, the letters of the next turn are written, their pictures of the map not drawn.
/// Budget: 150 ms.
#[divan::bench(args = [1, 6])]
fn turn_of_hexes(bencher: Bencher<'_, '_>, turn: i64) {
    plans_resolved(bencher, &play::planned::planned(&HEXES, turn));
}

/// A turn of seven seats on a map of areas, from orders in hand, in the same way. Budget: 60 ms.
#[divan::bench(args = [6, 10])]
fn turn_of_seven_seats(bencher: Bencher<'_, '_>, turn: i64) {
    plans_resolved(bencher, &play::planned::planned(&AREAS, turn));
}

fn plans_resolved(bencher: Bencher<'_, '_>, planned: &Planned) {
    let context = &planned.context;
    bencher
        .with_inputs(|| planned.state.clone())
        .bench_local_values(|state| {
            let (mail, done) = (&planned.mail, &planned.done);
            campaign::redo(context, Some(state), mail, done).unwrap()
        });
}

/// A campaign of eight turns from its journal alone.
#[divan::bench]
fn replay(bencher: Bencher<'_, '_>) {
    let root = &LATE.1;
    let records = read_journal::<Event>(&root.join("journal.jsonl"), Position::START)
        .unwrap()
        .records;
    let orders: usize = records
        .iter()
        .map(|record| match &record.event {
            Event::Mail(mail) => mail.words.lines().count(),
            _ => 0,
        })
        .sum();
    let (_, context, _) = durable::look(root).unwrap();
    bencher
        .counter(ItemsCount::new(orders))
        .bench_local(|| recalled(&context, None, &records));
}

/// The audit of the same: everything done again, letters and pictures too.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn audit_of_eight_turns() -> bool {
    estafette::audit::campaign(&LATE.1).unwrap().verdict() == Verdict::Fits
}
