//! Passes over a disk that fails when records are to be flushed.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    time::Duration,
};

use jiff::SignedDuration;

use super::*;
use crate::{
    campaign::model::settings::Settings,
    dice::Master,
    game::{Disk, GameFiles},
    mail::transport::LetterHead,
};

const BEGINNING: &str = "2026-11-21T12:00:00Z";

const SETTINGS: &str = "\
campaign: spring
game: tiny
scenario: start
seats:
- {id: ada, address: ada@example.org, lang: en}
- {id: bert, address: bert@example.org, lang: en}
umpire: umpire@example.org
mailbox: {local: game, domain: example.org}
schedule: {zone: UTC, most_hours: 24}
dice: [{source: orders}]
questions_per_turn: 1
created: 2026-11-21T12:00:00Z
";

/// Both seats move by turns.
const RULES: &str = r#"
fn supply() { "move.red" }
fn move(side) {
    for order in orders(seat_of(side), "move") { move_to(piece(order.who), order.path[0]); }
    if side == "red" { "move.blue" } else { "supply" }
}
fn battle(space) { "supply" }
fn look(seat) { }
fn invariants() { [] }
"#;

fn after(hours: i64) -> Timestamp {
    let beginning: Timestamp = BEGINNING.parse().unwrap();
    beginning + SignedDuration::from_hours(hours)
}

/// A campaign of the tiny game.
fn campaign(folder: &Path) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/game");
    let disk = Disk::default()
        .games(&data.join("games"))
        .rules(&data.join("rules"));
    let mut files = GameFiles::gather(&disk, "tiny").unwrap();
    files
        .0
        .insert("rules/tiny/sequence.rhai".into(), RULES.into());
    // The loader's tests do not compile the form.
    let declared = files.0.get_mut("games/tiny/game.yaml").unwrap();
    let text = String::from_utf8(declared.clone()).unwrap();
    let form = "'MOVE <who:piece> \":\" <path:path>'";
    *declared = text
        .replace("\"MOVE <who:piece> : <path:path>\"", form)
        .into_bytes();
    let root = folder.join("campaign");
    let settings = Settings::parse(SETTINGS, Path::new("campaign.yaml")).unwrap();
    let master = Master::simulated("test", &"spring".parse().unwrap());
    Campaign::create(&root, &settings, &files, &master, after(0)).unwrap();
    let waiting = open(&root).state().waiting.clone();
    assert!(
        matches!(waiting, crate::campaign::CurrentWait::Orders { .. }),
        "{waiting:?}"
    );
    root
}

fn open(root: &Path) -> Campaign {
    Campaign::open(root, Duration::ZERO).unwrap()
}

/// All letters of the outboxes, by path.
fn letters(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let boxes = fs::read_dir(root.join("outbox")).unwrap();
    boxes
        .flat_map(|outbox| fs::read_dir(outbox.unwrap().path().join("new")).unwrap())
        .map(|file| file.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

/// A mail of the first seat with the token of its newest letter comes at this time.
fn mail(root: &Path, number: u32, words: &str, at: Timestamp) {
    let letters = letters(root);
    let mut replies = letters
        .iter()
        .filter(|(path, _)| path.components().any(|part| part.as_os_str() == "ada"))
        .filter_map(|(_, bytes)| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            text.lines()
                .find_map(|line| line.strip_prefix("Reply-To: ").map(str::to_owned))
        });
    let to = replies.next().unwrap();
    let bytes = format!(
        "From: ada@example.org\r\nTo: {to}\r\nMessage-ID: <{number}@players.example>\r\nSubject: orders\r\n\r\n{words}\r\n"
    );
    let inbox = root.join("inbox/new");
    fs::create_dir_all(&inbox).unwrap();
    let path = inbox.join(format!("{number:06}.test"));
    fs::write(&path, bytes).unwrap();
    let file = File::options().append(true).open(&path).unwrap();
    file.set_modified(at.into()).unwrap();
}

fn in_inbox(root: &Path) -> usize {
    fs::read_dir(root.join("inbox/new")).unwrap().count()
}

/// Message-IDs that the letters answer.
fn answered(root: &Path) -> Vec<String> {
    let heads = letters(root);
    let mut ids: Vec<String> = heads
        .values()
        .filter_map(|bytes| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            text.lines()
                .find_map(|line| line.strip_prefix("In-Reply-To: ").map(str::to_owned))
        })
        .collect();
    assert!(
        heads
            .values()
            .all(|bytes| LetterHead::read(bytes).message_id.is_some())
    );
    ids.sort();
    ids
}

fn refuses(_: &File) -> io::Result<()> {
    Err(io::Error::other("the disk is broken"))
}

#[test]
fn nobody_is_told_of_records_that_are_not_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let root = campaign(folder.path());
    let (journal, before) = (
        fs::read(root.join("journal.jsonl")).unwrap(),
        letters(&root),
    );
    let mut campaign = open(&root);
    mail(&root, 1, "hello", after(1));
    campaign.journal.flush_by(refuses);
    let error = campaign.pass(after(2)).unwrap_err();
    assert!(error.to_string().contains("the disk is broken"), "{error}");
    // The next flush reports success, as a real disk does, although the earlier write is lost.
    campaign.journal.flush_by(File::sync_data);
    assert!(campaign.pass(after(2)).is_err());
    campaign.rest();
    assert!(
        !campaign.resume(Duration::ZERO).unwrap(),
        "it must be opened anew"
    );
    drop(campaign);
    assert!(letters(&root) == before, "nothing was told");
    assert!(fs::read(root.join("journal.jsonl")).unwrap() == journal);
    assert_eq!(in_inbox(&root), 1);
    open(&root).pass(after(2)).unwrap();
    assert_eq!(answered(&root), ["<1@players.example>"]);
    assert_eq!(in_inbox(&root), 0);
}

/// The disk fails once, when a deadline between two mails is recorded. The first mail's record is
/// taken out again with it, so its receipt must not go out.
#[test]
fn what_was_taken_out_with_a_failed_record_is_not_told_either() {
    static FAILED: AtomicBool = AtomicBool::new(false);
    fn fails_once(file: &File) -> io::Result<()> {
        if FAILED.swap(true, SeqCst) {
            return file.sync_data();
        }
        refuses(file)
    }
    let folder = tempfile::tempdir().unwrap();
    let root = campaign(folder.path());
    let before = letters(&root);
    let mut campaign = open(&root);
    mail(&root, 1, "hello", after(1));
    mail(&root, 2, "hello again", after(30));
    campaign.journal.flush_by(fails_once);
    assert!(campaign.pass(after(31)).is_err());
    assert!(FAILED.load(SeqCst));
    drop(campaign);
    assert!(letters(&root) == before, "nothing was told");
    assert_eq!(in_inbox(&root), 2, "both mails are still to be taken");
    let pass = open(&root).pass(after(31)).unwrap();
    assert!(
        pass.lines
            .iter()
            .position(|line| line.contains("time of a wait is over"))
            == Some(1),
        "it passes between the mails: {:?}",
        pass.lines
    );
    assert!(answered(&root).contains(&"<1@players.example>".to_owned()));
    assert_eq!(in_inbox(&root), 0);
}
