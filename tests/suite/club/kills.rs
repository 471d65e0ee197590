//! A club that is killed at any moment keeps what it has acknowledged, and answers each mail once.
#![cfg(unix)]

use std::{
    collections::BTreeSet,
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;

use super::house_of_club::{ClubHouse, mail};
use estafette::{club::MemberNumber, digest::Digest, mail::maildir::Maildir};

const ADA: &str = "Ada <ada@example.net>";
const MAILS: u32 = 40;

#[test]
fn kills_at_any_moment_lose_nothing_and_repeat_nothing() {
    let mut house = ClubHouse::new();
    house.join_club(ADA).join_club("Bert <bert@example.net>");
    let to = house.newest("ada@").reply_to.unwrap();
    let bert = house.newest("bert@").reply_to.unwrap();
    let inbox = Maildir::on_demand(house.root().join("inbox"));
    for n in 0..MAILS {
        let words = match n {
            5 => "NEW TABLE castiglione SCENARIO lonato\nJOIN 1".to_owned(),
            9 => "ABSENT until 20 Dec".to_owned(),
            12 => "BACK".to_owned(),
            15 => "ABSENT until 28 Nov".to_owned(),
            _ => format!("NAME Ada {n}\nMY DATA"),
        };
        inbox
            .put(&format!("1{n:05}"), &mail(ADA, &to, &words, 100 + n))
            .unwrap();
    }
    inbox
        .put(
            "200000",
            &mail("Bert <bert@example.net>", &bert, "JOIN 1", 200),
        )
        .unwrap();
    let root = house.root().display().to_string();
    let run = || {
        Command::new(env!("CARGO_BIN_EXE_estafette"))
            .args(["club", "run", &root, "--now", "2026-11-21T13:00:00Z"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut kills = 0;
    for round in 0..120_u64 {
        let mut process = run();
        thread::sleep(Duration::from_millis(10 + round * 37 % 110));
        if process.try_wait().unwrap().is_none() {
            process.kill().unwrap();
            kills += 1;
        }
        process.wait().unwrap();
        if inbox.unprocessed().unwrap().is_empty() {
            break;
        }
    }
    assert!(run().wait().unwrap().success());
    assert!(
        kills > 0 && inbox.unprocessed().unwrap().is_empty(),
        "{kills} kills"
    );

    let journal = house.journal();
    let records: Vec<Value> = journal
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut files = BTreeSet::new();
    for pair in records[1..].windows(2) {
        let kinds = [&pair[0]["kind"], &pair[1]["kind"]];
        assert_ne!(
            kinds[0] == "done",
            kinds[1] == "done",
            "each input is closed: {kinds:?}"
        );
    }
    for record in &records {
        if let Some(file) = record["file"].as_str() {
            assert!(files.insert(file.to_owned()), "{file} was taken twice");
        }
        for letter in record["letters"].as_array().into_iter().flatten() {
            let text = |field: &str| letter[field].as_str().unwrap();
            let path = house
                .root()
                .join("outbox")
                .join(text("to"))
                .join("new")
                .join(text("id"));
            let bytes =
                fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(
                Digest::of(&bytes).to_string(),
                text("digest"),
                "{}",
                path.display()
            );
        }
    }
    assert_eq!(
        files.len(),
        MAILS as usize + 1 + 4,
        "every mail is in the journal"
    );
    let club = house.open();
    let name = &club.people().get(MemberNumber(1)).unwrap().name;
    assert_eq!(*name, format!("Ada {}", MAILS - 1));
    drop(club);
    assert!(
        house
            .folder
            .path()
            .join("campaigns/tuesday-1/journal.jsonl")
            .exists()
    );
    assert_eq!(
        fs::read_dir(house.root().join("members")).unwrap().count(),
        2
    );
    // The absence that lasts is told to the campaign, and told once.
    let words = house
        .folder
        .path()
        .join("campaigns/tuesday-1/from-club/new");
    assert_eq!(fs::read_dir(words).unwrap().count(), 1);
}
