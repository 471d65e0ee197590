//! Figures of a whole campaign: a mail in to a receipt out, a turn, a replay, and whether a late turn costs more than an early
//! one. `cargo bench --bench campaign`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "a benchmark may panic"
)]

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use divan::{Bencher, counter::ItemsCount};
use estafette::{
    campaign::{
        Campaign, Deadlines, DiceSource, Engine, Host, Record, Schedule, Seat, Seats, Settings,
        State, Waiting, events::Event, host, journal,
    },
    dice::Master,
    game::{Embedded, GameFiles, Lang},
    ids::SeatId,
    mail::maildir::Maildir,
};
use jiff::{SignedDuration, Timestamp};

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

fn start() -> Timestamp {
    "2026-11-21T08:00:00Z".parse().unwrap()
}

fn settings() -> Settings {
    let seat = |id: &str| Seat {
        id: id.into(),
        address: format!("{id}@example.org").parse().unwrap(),
        lang: Lang::En,
        name: String::new(),
    };
    Settings {
        campaign: "bench".parse().unwrap(),
        title: String::new(),
        game: "castiglione".into(),
        scenario: "campaign".into(),
        options: std::collections::BTreeMap::new(),
        seats: Seats::new(vec![seat("french"), seat("austrian")]).unwrap(),
        umpire: None,
        host: Host {
            local: "games".into(),
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
        created: start(),
    }
}

/// A campaign directory that has been played to a turn, every unit moving in every turn.
fn played(turns: i64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("campaign");
    let settings = settings();
    let files = GameFiles::gather(&Embedded, &settings.game).unwrap();
    let master = Master::simulated("bench", &"bench".parse().unwrap());
    Campaign::create(&root, &settings, &files, &master, start()).unwrap();
    let mut now = start();
    loop {
        now = now.checked_add(SignedDuration::from_mins(10)).unwrap();
        let (_, engine, state) = host::look(&root).unwrap();
        let Waiting::Orders { seats, .. } = &state.waiting else {
            break;
        };
        if state.world.turn() > turns && state.phase.starts_with("movement") {
            break;
        }
        for (number, seat) in seats.clone().iter().enumerate() {
            let text = orders(&engine, &state, seat);
            post(
                &root,
                &engine,
                &state,
                seat,
                &text,
                &format!("{now}-{number}"),
            );
        }
        Campaign::open(&root, Duration::ZERO)
            .unwrap()
            .pass(now)
            .unwrap();
    }
    (folder, root)
}

/// An order for each unit on the map: to the next area of its neighbours, one after the other as the turns go on.
fn orders(engine: &Engine, state: &State, seat: &SeatId) -> String {
    let game = engine.game();
    let turn = usize::try_from(state.world.turn()).unwrap();
    if state.phase == "setup" {
        return "FORAGE ALL\nLOSSES SPREAD\nRETREAT AFTER 1 IF OUTNUMBERED\n".into();
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
fn letter(engine: &Engine, state: &State, seat: &SeatId, text: &str, id: &str) -> Vec<u8> {
    let to = engine.reply_address(state, seat);
    format!(
        "From: {seat}@example.org\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <{id}@example.org>\r\nDate: Sat, 21 Nov 2026 09:00:00 +0000\r\n\
         MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}"
    )
    .into_bytes()
}

fn post(root: &Path, engine: &Engine, state: &State, seat: &SeatId, text: &str, id: &str) {
    let bytes = letter(engine, state, seat, text, &id.replace(':', "-"));
    Maildir::at(root.join("inbox"))
        .put(&id.replace(':', "-"), &bytes)
        .unwrap();
}

static EARLY: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| played(0));
static LATE: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| played(8));

fn receipt(bencher: Bencher<'_, '_>, root: &Path) {
    static MAILS: AtomicU64 = AtomicU64::new(0);
    let (_, engine, state) = host::look(root).unwrap();
    let Waiting::Orders { seats, .. } = &state.waiting else {
        panic!("nobody is waited for")
    };
    // A wrong line keeps the wait open, so that the next mail is like this one.
    let text = format!(
        "{}MOVE Nobody: Nowhere\n",
        orders(&engine, &state, &seats[0])
    );
    bencher
        .with_inputs(|| {
            let id = format!("mail-{}", MAILS.fetch_add(1, Ordering::Relaxed));
            letter(&engine, &state, &seats[0], &text, &id)
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

/// The records of one turn, from the first player's orders to the next turn's wait, with the state before them.
fn turn(root: &Path, wanted: i64) -> (Engine, State, Vec<Record<Event>>) {
    let (_, engine, _) = host::look(root).unwrap();
    let records = journal::read::<Event>(&root.join("journal.jsonl"), journal::Position::START)
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
                engine,
                state.unwrap(),
                records[index..].iter().take(4).cloned().collect(),
            );
        }
        state = Some(engine.recall(state, record, done).unwrap());
    }
    panic!("turn {wanted} was not reached");
}

/// A whole turn from orders in hand: both movements, all combats, recovery, supply, command, initiative.
#[divan::bench(args = [1, 8])]
fn turn_resolved(bencher: Bencher<'_, '_>, wanted: i64) {
    let (engine, state, records) = turn(&LATE.1, wanted);
    bencher
        .with_inputs(|| state.clone())
        .bench_local_values(|mut state| {
            for pair in records.chunks(2) {
                if let [
                    record,
                    Record {
                        event: Event::Done(done),
                        ..
                    },
                ] = pair
                {
                    state = engine.recall(Some(state), record, done).unwrap();
                }
            }
            state
        });
}

/// A campaign of eight turns from its journal alone.
#[divan::bench]
fn replay(bencher: Bencher<'_, '_>) {
    let root = &LATE.1;
    let records = journal::read::<Event>(&root.join("journal.jsonl"), journal::Position::START)
        .unwrap()
        .records;
    let orders: usize = records
        .iter()
        .map(|record| match &record.event {
            Event::Mail(mail) => mail.words.lines().count(),
            _ => 0,
        })
        .sum();
    let (_, engine, _) = host::look(root).unwrap();
    bencher.counter(ItemsCount::new(orders)).bench_local(|| {
        let mut state: Option<State> = None;
        for pair in records.chunks(2) {
            if let [
                record,
                Record {
                    event: Event::Done(done),
                    ..
                },
            ] = pair
            {
                state = Some(engine.recall(state.take(), record, done).unwrap());
            }
        }
        state
    });
}

/// The audit of the same: everything done again, letters and pictures too.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn audit_of_eight_turns() -> bool {
    estafette::audit::campaign(&LATE.1).unwrap().is_sound()
}
