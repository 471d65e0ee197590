//! The journal and the lock among real processes: a full disk, a kill in the middle of writing, a
//! dead holder of the lock.
//!
//! Each test starts this test program again, as the process that comes to grief: it runs one of the
//! tests named `process_...`, which do nothing unless they are told where.
#![cfg(unix)]
use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use estafette::store::{Journal, JournalContents, Lock, Position, StoreError, read_journal};
use jiff::Timestamp;
use serde_json::{Value, json};

const FOLDER: &str = "ESTAFETTE_TEST_FOLDER";

fn folder_of_process() -> Option<PathBuf> {
    env::var_os(FOLDER).map(PathBuf::from)
}

/// Starts this program again with one test, in a shell after these commands.
fn start(before: &str, test: &str, folder: &Path) -> Child {
    Command::new("sh")
        .args([
            "-c",
            &format!("{before} exec \"$0\" --exact durable::processes::{test} --nocapture"),
        ])
        .arg(env::current_exe().unwrap())
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn event(number: usize) -> Value {
    json!({"kind": "mail", "number": number, "text": "x".repeat(40 + number % 50)})
}

fn append(journal: &mut Journal, number: usize) -> Result<u64, StoreError> {
    journal
        .append(Timestamp::UNIX_EPOCH, event(number))
        .map(|record| record.n)
}

fn read(path: &Path) -> JournalContents<Value> {
    read_journal(path, Position::START).unwrap()
}

#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    // Writing beyond the limit gives a short write and then an error, as a full disk does, once the
    // signal is ignored.
    let mut child = start(
        "trap '' XFSZ; ulimit -f 4;",
        "process_that_fills_the_disk",
        folder.path(),
    );
    assert!(
        child.wait().unwrap().success(),
        "the process found something wrong; see above"
    );

    let path = folder.path().join("journal.jsonl");
    let (mut journal, contents) = Journal::open::<Value>(&path).unwrap();
    assert!(contents.torn.is_none() && contents.records.len() > 3);
    append(&mut journal, 0).unwrap();
}

#[test]
fn process_that_fills_the_disk() {
    let Some(folder) = folder_of_process() else {
        return;
    };
    let path = folder.join("journal.jsonl");
    let mut journal = Journal::create(&path).unwrap();
    let full = (0..1000)
        .find_map(|number| append(&mut journal, number).err())
        .expect("the disk never was full");
    assert!(
        full.is_environment() && full.to_string().contains("journal.jsonl"),
        "{full}"
    );
    let position = journal.position();
    assert_eq!(fs::metadata(&path).unwrap().len(), position.offset);
    assert!(read(&path).torn.is_none());

    // It can go on, as soon as there is room: here for one more small record, not for a large one.
    let large = json!({"kind": "mail", "text": "x".repeat(5000)});
    assert!(
        journal
            .append(Timestamp::UNIX_EPOCH, large)
            .unwrap_err()
            .is_environment()
    );
    assert_eq!(
        (journal.position(), fs::metadata(&path).unwrap().len()),
        (position, position.offset)
    );
}

#[test]
fn what_was_acknowledged_survives_every_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    Journal::create(&path).unwrap();
    for round in 1..=6 {
        let mut child = start("", "process_that_writes_until_it_is_killed", folder.path());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged = numbers(&mut lines)
            .nth(round * 3)
            .expect("the process ended");
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged = numbers(&mut lines).last().unwrap_or(acknowledged);
        let (_, contents) = Journal::open::<Value>(&path).unwrap();
        assert!(
            contents.position.n >= acknowledged,
            "{} of {acknowledged}",
            contents.position.n
        );
    }
}

/// The numbers that the other process prints, each on a line of its own among what the test program
/// says.
fn numbers(lines: &mut impl Iterator<Item = std::io::Result<String>>) -> impl Iterator<Item = u64> {
    lines
        .map_while(Result::ok)
        .filter_map(|line| line.strip_prefix("written ")?.parse().ok())
}

#[test]
fn process_that_writes_until_it_is_killed() {
    let Some(folder) = folder_of_process() else {
        return;
    };
    let (mut journal, _) = Journal::open::<Value>(&folder.join("journal.jsonl")).unwrap();
    for number in 0.. {
        println!("written {}", append(&mut journal, number).unwrap());
    }
}

#[test]
fn a_lock_dies_with_its_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let mut child = start("", "process_that_holds_the_lock", folder.path());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    numbers(&mut lines)
        .next()
        .expect("the process did not take the lock");
    let refused = Lock::take(&path, Duration::ZERO).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains(&format!("(process {})", child.id())),
        "{refused}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    Lock::take(&path, Duration::from_secs(600)).unwrap();
}

#[test]
fn process_that_holds_the_lock() {
    let Some(folder) = folder_of_process() else {
        return;
    };
    let _lock = Lock::take(&folder.join("lock"), Duration::ZERO).unwrap();
    println!("\nwritten 1");
    thread::sleep(Duration::from_secs(600));
}
