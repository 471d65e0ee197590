//! The journal under cuts, flips and forgeries.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic

use std::fs;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::digest::Digest;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Event {
    Began { seats: Vec<String> },
    Mail { seat: String, text: String },
    Passed,
}

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(1_795_000_000 + second).unwrap()
}

fn events() -> Vec<Event> {
    vec![
        Event::Began {
            seats: vec!["red".into(), "blue".into()],
        },
        Event::Mail {
            seat: "red".into(),
            text: "MOVE Ada: Löbau\n\"head\":\"\r\n".into(),
        },
        Event::Passed,
    ]
}

/// A folder with a journal of these events, and the journal's path and bytes.
fn journal(events: &[Event]) -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::create(&path).unwrap();
    for (second, event) in events.iter().enumerate() {
        journal.append(time(second as i64), event).unwrap();
    }
    let bytes = fs::read(&path).unwrap();
    (folder, path, bytes)
}

fn fault(path: &Path) -> (u64, JournalFault) {
    match Journal::open::<Event>(path) {
        Err(StoreError::Journal { line, fault, .. }) => (line, fault),
        other => panic!("expected a fault, got {other:?}"),
    }
}

fn read_events(contents: &JournalContents<Event>) -> Vec<Event> {
    contents
        .records
        .iter()
        .map(|record| record.event.clone())
        .collect()
}

#[test]
fn what_is_written_is_read() {
    let (_folder, path, _) = journal(&events());
    let (mut journal, contents) = Journal::open::<Event>(&path).unwrap();
    assert_eq!(read_events(&contents), events());
    assert_eq!(contents.torn, None);
    assert_eq!(contents.records[2].time, time(2));
    let fourth = journal
        .append("2026-11-21T20:00:00.75Z".parse().unwrap(), Event::Passed)
        .unwrap();
    assert_eq!(fourth.time.to_string(), "2026-11-21T20:00:00Z");
    assert_eq!((fourth.n, fourth.prev), (4, contents.records[2].head));
    assert_eq!(
        read::<Event>(&path, Position::START).unwrap().records[3],
        fourth
    );
}

/// The bytes of a line are fixed: a journal must be readable, and its heads the same, in every
/// later version.
#[test]
fn the_line_is_exact() {
    let (_folder, _, bytes) = journal(&[Event::Mail {
        seat: "red".into(),
        text: "a\nb".into(),
    }]);
    let body = format!(
        r#"{{"n":1,"prev":"{}","time":"2026-11-18T11:06:40Z","kind":"mail","seat":"red","text":"a\nb""#,
        "0".repeat(64)
    );
    let head = Digest::of(body.as_bytes());
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        format!("{body},\"head\":\"{head}\"}}\n")
    );
}

#[test]
fn a_cut_at_every_byte_leaves_a_prefix_that_goes_on() {
    let (_folder, path, whole) = journal(&events());
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let complete = whole[..length]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let kept = whole[..length]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |last| last + 1);

        let looked = read::<Event>(&path, Position::START).unwrap();
        assert_eq!(
            fs::read(&path).unwrap().len(),
            length,
            "looking changes nothing"
        );

        let (mut journal, contents) = Journal::open::<Event>(&path).unwrap();
        assert_eq!(contents.torn, looked.torn);
        assert_eq!(
            contents.torn.map_or(0, |torn| torn.bytes),
            (length - kept) as u64
        );
        assert_eq!(read_events(&contents), events()[..complete]);
        assert_eq!(fs::read(&path).unwrap(), whole[..kept]);

        journal.append(time(9), Event::Passed).unwrap();
        let again = read::<Event>(&path, Position::START).unwrap();
        assert_eq!(again.torn, None);
        assert_eq!(again.records.len(), complete + 1);
    }
}

#[test]
fn blocks_that_never_came_to_the_disk_are_cut_off_too() {
    let (_folder, path, whole) = journal(&events()[..2]);
    let zeros = [&whole[..], &[0; 300]].concat();
    fs::write(&path, zeros).unwrap();
    let (_, contents) = Journal::open::<Event>(&path).unwrap();
    assert_eq!(contents.torn, Some(TornNotice { bytes: 300, n: 3 }));
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn a_last_line_that_is_no_record_is_never_cut_off() {
    let (_folder, path, whole) = journal(&events()[..2]);
    let noted = [&whole[..], b"a note by hand"].concat();
    fs::write(&path, &noted).unwrap();
    assert_eq!(fault(&path), (3, JournalFault::NoHead));
    assert_eq!(fs::read(&path).unwrap(), noted);
}

#[test]
fn every_flipped_bit_is_found_and_the_file_left_alone() {
    let (_folder, path, _) = journal(&events());
    let (mut journal, _) = Journal::open::<Event>(&path).unwrap();
    let before = journal.position();
    journal.append(time(3), Event::Passed).unwrap();
    let whole = fs::read(&path).unwrap();
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << bit;
            fs::write(&path, &bytes).unwrap();
            let (line, _) = fault(&path);
            let changed = 1 + whole[..place].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(line as usize, changed, "byte {place}, bit {bit}");
            // From a snapshot's position on, too, wherever the bit stands.
            for known in [before, journal.position()] {
                let opened = Journal::open_after::<Event>(&path, known);
                let wrong = matches!(opened, Err(StoreError::Journal { .. }));
                assert!(wrong, "byte {place}, bit {bit}, from record {}", known.n);
            }
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }
}

#[test]
fn faults_name_the_line_and_both_values() {
    let (_folder, path, whole) = journal(&events());
    let text = String::from_utf8(whole).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let heads: Vec<Digest> = lines
        .iter()
        .map(|line| split_stamp(line.as_bytes()).unwrap().1)
        .collect();

    fs::write(&path, format!("{}\n{}\n", lines[0], lines[2])).unwrap();
    assert_eq!(
        fault(&path),
        (
            2,
            JournalFault::Number {
                found: 3,
                expected: 2
            }
        )
    );

    // A record written anew, with a true head of its own, breaks the chain at the next line.
    let (_, forged) = stamp(&Position::START, time(0), Event::Passed).unwrap();
    let (forged_line, _) = stamp(&Position::START, time(0), Event::Passed).unwrap();
    fs::write(&path, format!("{forged_line}{}\n", lines[1])).unwrap();
    assert_eq!(
        fault(&path),
        (
            2,
            JournalFault::Prev {
                found: heads[0],
                expected: forged.head
            }
        )
    );

    let changed = lines[1].replace("Ada", "Bob");
    fs::write(&path, format!("{}\n{changed}\n", lines[0])).unwrap();
    let (line, fault) = fault(&path);
    assert!(
        matches!(fault, JournalFault::Head { found, computed } if found == heads[1] && computed != found)
    );
    let shown = Journal::open::<Event>(&path).unwrap_err();
    assert!(
        shown.to_string().contains("line 2") && shown.to_string().contains(&heads[1].to_string()),
        "{shown}"
    );
    assert!(line == 2 && !shown.is_environment());
}

#[test]
fn unknown_kinds_and_fields_are_refused() {
    let (_folder, path, _) = journal(&[]);
    for event in [
        r#"{"kind":"unheard_of"}"#,
        r#"{"kind":"mail","seat":"red","text":"","more":1}"#,
    ] {
        let event: serde_json::Value = serde_json::from_str(event).unwrap();
        let (line, _) = stamp(&Position::START, time(0), event).unwrap();
        fs::write(&path, line).unwrap();
        assert!(matches!(fault(&path), (1, JournalFault::Content(_))));
    }
}

#[test]
fn events_that_would_not_come_back_are_not_written() {
    let (_folder, path, _) = journal(&[]);
    let (mut journal, _) = Journal::open::<Event>(&path).unwrap();
    for event in [
        r#"{"text":"no kind"}"#,
        r#"{"kind":"x","head":"mine"}"#,
        r#"{"kind":"x","n":1}"#,
        "[]",
        "1",
    ] {
        let event: serde_json::Value = serde_json::from_str(event).unwrap();
        assert!(matches!(
            journal.append(time(0), event),
            Err(StoreError::Unwritable { .. })
        ));
    }
    assert_eq!(fs::read(&path).unwrap(), b"");
}

#[test]
fn opening_after_a_position_gives_only_what_follows() {
    let (_folder, path, _) = journal(&events()[..2]);
    let (mut journal, first) = Journal::open::<Event>(&path).unwrap();
    let position = journal.position();
    assert!(holds(&path, position).unwrap() && holds(&path, Position::START).unwrap());
    let third = journal.append(time(2), Event::Passed).unwrap();
    drop(journal);

    let (_, rest) = Journal::open_after::<Event>(&path, position).unwrap();
    assert_eq!(rest.records, [third]);
    assert_eq!(
        super::first::<Event>(&path).unwrap().as_ref(),
        first.records.first()
    );
    let length = fs::metadata(&path).unwrap().len();

    for other in [
        Position {
            offset: position.offset - 1,
            ..position
        },
        Position {
            offset: 10,
            ..position
        },
        Position {
            offset: length + 1,
            ..position
        },
        Position {
            head: first.records[0].head,
            ..position
        },
        Position {
            n: 1,
            ..Position::START
        },
    ] {
        assert!(!holds(&path, other).unwrap());
        let refused = Journal::open_after::<Event>(&path, other).unwrap_err();
        assert!(matches!(
            refused,
            StoreError::Journal {
                fault: JournalFault::OtherJournal { .. },
                ..
            }
        ));
    }
    let misnumbered = Position { n: 1, ..position };
    assert!(Journal::open_after::<Event>(&path, misnumbered).is_err());
}

#[test]
fn a_second_writer_is_noticed() {
    let (_folder, path, _) = journal(&events());
    let (mut one, _) = Journal::open::<Event>(&path).unwrap();
    let (mut other, _) = Journal::open::<Event>(&path).unwrap();
    other.append(time(3), Event::Passed).unwrap();
    let refused = one.append(time(3), Event::Passed).unwrap_err();
    assert!(matches!(
        refused,
        StoreError::Journal {
            fault: JournalFault::Length { .. },
            ..
        }
    ));
    assert_eq!(
        read::<Event>(&path, Position::START).unwrap().records.len(),
        4
    );
}

fn refuses(_: &File) -> io::Result<()> {
    Err(io::Error::other("the disk is broken"))
}

#[test]
fn a_record_that_can_not_be_flushed_is_taken_out_again() {
    let (_folder, path, bytes) = journal(&events());
    let (mut journal, _) = Journal::open::<Event>(&path).unwrap();
    journal.flush_by(refuses);
    let error = journal.append(time(3), Event::Passed).unwrap_err();
    assert!(error.is_environment(), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
    // Nothing is lost that anybody was told of, so it goes on when the disk does.
    journal.flush_by(File::sync_data);
    assert_eq!(journal.append(time(3), Event::Passed).unwrap().n, 4);
}

#[test]
fn a_journal_whose_flush_has_failed_takes_no_part_any_more() {
    let (_folder, path, bytes) = journal(&events());
    let (mut journal, _) = Journal::open::<Event>(&path).unwrap();
    journal.append_soon(time(3), Event::Passed).unwrap();
    journal.append_soon(time(4), Event::Passed).unwrap();
    journal.flush_by(refuses);
    assert!(journal.sync().unwrap_err().is_environment());
    assert_eq!(
        fs::read(&path).unwrap(),
        bytes,
        "all since the last success is taken out"
    );
    // A second flush of the same file says that all is well, and is not believed.
    journal.flush_by(File::sync_data);
    assert!(matches!(
        journal.sync(),
        Err(StoreError::JournalBroken { .. })
    ));
    assert!(matches!(
        journal.append(time(5), Event::Passed),
        Err(StoreError::JournalBroken { .. })
    ));
    assert!(!journal.is_as_left().unwrap());
    let (mut anew, _) = Journal::open::<Event>(&path).unwrap();
    assert_eq!(anew.append(time(5), Event::Passed).unwrap().n, 4);
}

#[test]
fn missing_and_existing_files_are_the_environment() {
    let (folder, path, _) = journal(&[]);
    assert!(
        Journal::open::<Event>(&folder.path().join("none"))
            .unwrap_err()
            .is_environment()
    );
    assert!(Journal::create(&path).unwrap_err().is_environment());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_text_comes_back(texts in prop::collection::vec("(?s).{0,60}", 0..6)) {
        let events: Vec<Event> =
            texts.into_iter().map(|text| Event::Mail { seat: "red".into(), text }).collect();
        let (_folder, path, bytes) = journal(&events);
        let contents = read::<Event>(&path, Position::START).unwrap();
        prop_assert_eq!(read_events(&contents), events);
        prop_assert_eq!(contents.position.offset, bytes.len() as u64);
    }

    #[test]
    fn any_bytes_are_refused_or_torn(bytes in prop::collection::vec(any::<u8>(), 1..300)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        fs::write(&path, &bytes).unwrap();
        match read::<Event>(&path, Position::START) {
            Ok(contents) => prop_assert!(contents.records.is_empty() && contents.torn.is_some()),
            Err(error) => prop_assert!(!error.is_environment()),
        }
    }
}
