//! A host is stopped in the middle of a pass, and a newer version goes on: nothing is lost, nothing
//! is said twice, and what another version has written is not written in other words.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use estafette::{
    audit::{self, Verdict},
    campaign::post::sheet,
    digest::Digest,
    mail::{self, maildir::file_name},
};
use serde_json::Value;

use crate::support::{NAME, Test, deposit, forger, mail_to, tree};

/// The mails of one pass.
const WORDS: [(&str, &str); 3] = [
    ("french", "POURSUIVRE JAMAIS"),
    ("austrian", "ASK RETREAT\nPURSUE NEVER"),
    ("austrian", "MOVE Nobody: Nowhere"),
];
const NOW: &str = "2026-11-21T13:00:00Z";

/// A campaign whose pass another version was stopped in, and what it had written.
struct Stopped {
    test: Test,
    /// The letters of the pass by outbox and Message-ID, as the other version had written them.
    letters: BTreeMap<(String, String), Vec<u8>>,
    /// The journal with its records.
    journal: Vec<u8>,
    /// What the pass comes to undisturbed, in the words of this version.
    undisturbed: BTreeMap<String, Vec<u8>>,
}

fn begin() -> Test {
    let plan = Test::campaign("castiglione").scenario("lonato");
    let mut test = plan.begin();
    test.clock(NOW);
    test
}

fn send(test: &Test) {
    for (number, (seat, words)) in (1..).zip(WORDS) {
        let to = test.letters(seat).remove(0).reply_to;
        let bytes = mail_to(seat, &to, words, number);
        deposit(&test.root(), number, NOW.parse().unwrap(), &bytes);
    }
}

fn file(test: &Test, to: &str, folder: &str) -> PathBuf {
    test.root().join("outbox").join(to).join(folder)
}

impl Stopped {
    /// Stopped when the records were in the journal and no letter had been staged.
    fn new() -> Self {
        let mut played = begin();
        send(&played);
        played.run();
        let undisturbed = tree(&played.root());
        let before = begin();
        let known = tree(&before.root());
        let mut letters = BTreeMap::new();
        forger::journal(&played.root().join("journal.jsonl"), |records| {
            // The records of the opening are those of this version.
            for done in records.iter_mut().skip(2) {
                reword(&played.root(), done, &mut letters);
            }
        });
        assert!(letters.len() > 2);
        assert!(
            letters
                .keys()
                .all(|(to, id)| !known.contains_key(&format!("{to}/{id}")))
        );
        let journal = played.journal();
        send(&before);
        fs::write(before.root().join("journal.jsonl"), &journal).unwrap();
        Self {
            test: before,
            letters,
            journal,
            undisturbed,
        }
    }

    /// These letters lie in a folder of their outboxes.
    fn lying(&self, folder: &str, name: impl Fn(&str) -> String, wanted: impl Fn(usize) -> bool) {
        for (number, ((to, id), bytes)) in self.letters.iter().enumerate() {
            if wanted(number) {
                fs::write(
                    file(&self.test, to, folder).join(name(&file_name(id))),
                    bytes,
                )
                .unwrap();
            }
        }
    }

    fn staged(&self, wanted: impl Fn(usize) -> bool) {
        self.lying("tmp", |name| format!("staged-new-{name}"), wanted);
    }

    /// All letters of the other version have gone out once, and its records stand.
    #[track_caller]
    fn went_out(&mut self) {
        self.test.run();
        assert_eq!(self.test.journal(), self.journal);
        let now = tree(&self.test.root());
        for ((to, id), bytes) in &self.letters {
            assert_eq!(
                now.get(&format!("{to}/{}", file_name(id))),
                Some(bytes),
                "{id} to {to}"
            );
        }
        assert_eq!(now.len(), self.undisturbed.len());
        self.nothing_is_left();
    }

    #[track_caller]
    fn nothing_is_left(&self) {
        let count = |path: PathBuf| fs::read_dir(path).unwrap().count();
        assert_eq!(count(self.test.root().join("inbox/new")), 0);
        for to in ["french", "austrian"] {
            assert_eq!(count(file(&self.test, to, "tmp")), 0, "{to}");
        }
    }

    /// The mails have been taken once more, by this version.
    #[track_caller]
    fn was_taken_again(&mut self) {
        self.test.run();
        assert!(tree(&self.test.root()) == self.undisturbed);
        self.nothing_is_left();
        let report = audit::campaign(&self.test.root()).unwrap();
        assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    }
}

/// A record as another version makes it, which has other words for "line".
fn reword(root: &Path, done: &mut Value, letters: &mut BTreeMap<(String, String), Vec<u8>>) {
    if done["kind"] != "done" {
        return;
    }
    done["version"] = "0.0.9+letters.7".into();
    let mails = done.get_mut("mails").and_then(Value::as_array_mut);
    for mail in mails.into_iter().flatten() {
        let (to, id) = (
            mail["to"].as_str().unwrap(),
            mail["message_id"].as_str().unwrap(),
        );
        let (to, id) = (to.to_owned(), id.to_owned());
        let path = root
            .join("outbox")
            .join(&to)
            .join("new")
            .join(file_name(&id));
        let text = fs::read_to_string(path).unwrap();
        let other = text.replacen("Subject: [", "Subject: (", 1);
        assert_ne!(text, other);
        let contents = mail::contents(other.as_bytes()).unwrap();
        let sheet = sheet::of_contents(&NAME.parse().unwrap(), &contents);
        mail["digest"] = Digest::of(other.as_bytes()).to_string().into();
        mail["bound"] = sheet.digest().to_string().into();
        letters.insert((to, id), other.into_bytes());
    }
}

#[test]
fn what_nobody_was_told_is_taken_again() {
    Stopped::new().was_taken_again();
}

#[test]
fn what_was_staged_in_part_is_taken_again() {
    let mut stopped = Stopped::new();
    stopped.staged(|number| number == 0);
    stopped.was_taken_again();
}

/// A power cut may leave a name without its bytes.
#[test]
fn what_was_staged_without_all_its_bytes_is_taken_again() {
    let mut stopped = Stopped::new();
    stopped.staged(|_| true);
    let tmp = fs::read_dir(file(&stopped.test, "austrian", "tmp")).unwrap();
    let letter = tmp.map(|entry| entry.unwrap().path()).next().unwrap();
    let bytes = fs::read(&letter).unwrap();
    fs::write(&letter, &bytes[..bytes.len() / 2]).unwrap();
    stopped.was_taken_again();
}

#[test]
fn what_was_staged_goes_out_in_the_words_of_who_wrote_it() {
    let mut stopped = Stopped::new();
    stopped.staged(|_| true);
    stopped.went_out();
}

#[test]
fn what_had_gone_out_in_part_goes_out_whole_and_once() {
    let mut stopped = Stopped::new();
    stopped.lying("new", str::to_owned, |number| number == 1);
    stopped.staged(|number| number != 1);
    stopped.went_out();
}

#[test]
fn what_was_sent_away_is_not_sent_again() {
    let mut stopped = Stopped::new();
    stopped.lying("new", str::to_owned, |number| number != 1);
    stopped.test.run();
    assert_eq!(stopped.test.journal(), stopped.journal);
    assert_eq!(
        tree(&stopped.test.root()).len(),
        stopped.undisturbed.len() - 1
    );
    stopped.nothing_is_left();
}

/// An input that was not closed is worked off by whoever opens the campaign, in his words.
#[test]
fn what_was_not_closed_is_worked_off_by_the_newer_version() {
    let mut stopped = Stopped::new();
    let text = String::from_utf8(stopped.journal.clone()).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(
        stopped.test.root().join("journal.jsonl"),
        lines[..3].concat(),
    )
    .unwrap();
    stopped.staged(|_| true);
    stopped.was_taken_again();
}
