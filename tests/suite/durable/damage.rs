//! A failing disk, or somebody, changes a byte in a campaign's files. The next opening finds it,
//! nothing is built on it, the umpire is told once, and what is put back goes on as if nothing had
//! been.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Duration,
};

use estafette::{
    campaign::durable::{self, Campaign},
    mail::maildir::Maildir,
    serve::{Desk, Member},
    store::{Directory, PinnedFiles},
};
use jiff::{SignedDuration, Timestamp};

use crate::support::{
    Letter, Test, change, fed, is_sound, mail_to,
    mailserver::{host::Host, until},
    tree,
};

/// A campaign in its second turn, of which the journal's end alone stands behind the last snapshot.
fn played() -> Test {
    let plan = Test::campaign("castiglione").scenario("lonato");
    let mut test = plan.begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    test.clock("2026-11-21T14:00:00Z");
    test.mail("french", "POURSUIVRE JAMAIS").run();
    test
}

/// One pass as cron starts it.
fn run(test: &Test) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.arg("run").arg(test.root());
    let output = command.args(["--now", &test.now().to_string()]).output();
    output.unwrap()
}

fn said(output: &Output) -> String {
    let all = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8(all).unwrap()
}

/// What `estafette status` prints, and how it ends.
fn status(test: &Test, more: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    let output = command.arg("status").arg(test.root()).args(more).output();
    let output = output.unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    (printed, output.status.code())
}

fn flip(path: &Path, place: usize, bit: u32) {
    let mut bytes = fs::read(path).unwrap();
    bytes[place] ^= 1 << bit;
    fs::write(path, bytes).unwrap();
}

fn journal(test: &Test) -> PathBuf {
    test.root().join("journal.jsonl")
}

/// The letters to the umpire that say that the campaign can't be opened.
fn alarms(test: &Test) -> Vec<Letter> {
    let letters = test.letters("umpire").into_iter();
    let told = |letter: &Letter| letter.subject.contains("can't be opened");
    letters.filter(told).collect()
}

/// Neither a pass nor a look believes what is there, and both leave it as it is.
#[track_caller]
fn is_found(test: &Test, what: &str) {
    let before = tree(&test.root());
    for error in [
        Campaign::open(&test.root(), Duration::ZERO).err(),
        durable::look(&test.root()).err(),
    ] {
        let error = error.unwrap_or_else(|| panic!("nobody notices it: {what}"));
        assert!(!error.is_environment(), "{what}: {error}");
    }
    assert!(
        tree(&test.root()) == before,
        "{what}: something was written"
    );
}

#[test]
fn a_flipped_bit_anywhere_in_the_journal_is_found() {
    let test = played();
    let whole = test.journal();
    let mut place = 3;
    let mut bit = 0;
    while place < whole.len() {
        flip(&journal(&test), place, bit % 8);
        is_found(&test, &format!("byte {place} of {}", whole.len()));
        fs::write(journal(&test), &whole).unwrap();
        (place, bit) = (place + whole.len() / 17, bit + 1);
    }
    test.open();
}

#[test]
fn changed_rules_are_found_though_their_list_agrees() {
    let test = played().with_rules_as_files();
    let root = test.root().join("pinned");
    let mut files = PinnedFiles::read(&root).unwrap().into_files();
    let (path, script) = files
        .iter_mut()
        .find(|(path, _)| path.ends_with(".rhai"))
        .unwrap();
    script.extend_from_slice(b"\n// changed\n");
    fs::write(root.join(path), &*script).unwrap();
    is_found(&test, "one file");
    let sums = PinnedFiles::new(files).unwrap().sums();
    fs::write(root.join("SHA256SUMS"), sums).unwrap();
    is_found(&test, "a file and the list of sums");
    let output = run(&test);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("put the original files back"));
}

/// Rules that say something else, with sums that agree, are another file than the campaign began
/// with.
#[test]
fn a_damaged_or_changed_file_of_rules_is_found() {
    let test = played();
    let archive = test.root().join("pinned.tar.gz");
    let whole = fs::read(&archive).unwrap();
    for place in (40..whole.len()).step_by(whole.len() / 11) {
        flip(&archive, place, u32::try_from(place % 8).unwrap());
        is_found(&test, &format!("byte {place} of {}", whole.len()));
        fs::write(&archive, &whole[..place]).unwrap();
        is_found(&test, &format!("cut at {place} of {}", whole.len()));
        fs::write(&archive, &whole).unwrap();
    }
    let mut files = PinnedFiles::read(&archive).unwrap().into_files();
    let script = files.get_mut("rules/castiglione/combat.rhai").unwrap();
    script.extend_from_slice(b"\n// changed\n");
    let changed = PinnedFiles::new(files).unwrap().archive().unwrap();
    fs::write(&archive, changed).unwrap();
    is_found(&test, "rules with their own sums");
    fs::write(&archive, &whole).unwrap();
    test.open();
}

#[test]
fn changed_settings_are_told_to_the_first_umpire() {
    let test = played();
    let file = test.root().join("campaign.yaml");
    let whole = fs::read(&file).unwrap();
    for (from, to) in [
        ("umpire@example.org", "intruder@example.org"),
        ("questions_per_turn: 1", "questions_per_turn: 2"),
    ] {
        change(&file, from, to);
        is_found(&test, to);
        assert_eq!(run(&test).status.code(), Some(1));
        fs::write(&file, &whole).unwrap();
    }
    let told = alarms(&test);
    assert!(
        told.len() == 1 && told[0].to == "umpire@example.org",
        "{told:?}"
    );
}

#[test]
fn a_damaged_snapshot_is_passed_over_and_made_again() {
    let mut test = played();
    test.clock("2026-11-21T15:00:00Z")
        .mail("austrian", "NOTHING")
        .run();
    let (right, folder) = (test.state(), test.root().join("snapshots"));
    let whole: BTreeMap<PathBuf, Vec<u8>> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    assert!(whole.len() > 1);
    for part in 0..10 {
        for (path, bytes) in &whole {
            flip(path, bytes.len() * part / 10, 3);
        }
        assert_eq!(test.state(), right, "part {part}");
        let journal = test.journal();
        assert_eq!(*test.open().state(), right);
        assert_eq!(test.journal(), journal);
        let newest = whole.keys().next_back().unwrap();
        assert_eq!(
            fs::read(newest).unwrap(),
            whole[newest],
            "it is whole again"
        );
    }
    let build = Directory::at(&test.root()).snapshots("another build");
    assert!(build.newest::<String>().unwrap().is_none());
}

#[test]
fn the_umpire_is_told_once_of_damage() {
    let mut test = played();
    let (whole, sound) = (test.journal(), tree(&test.root()));
    flip(&journal(&test), whole.len() / 3, 4);
    let damaged = test.journal();
    test.mail("austrian", "NOTHING");

    let first = run(&test);
    assert_eq!(first.status.code(), Some(1), "{first:?}");
    assert!(said(&first).contains("journal.jsonl, line "), "{first:?}");
    let told = alarms(&test);
    assert_eq!(told.len(), 1);
    let line = said(&first)
        .split("journal.jsonl, ")
        .nth(1)
        .unwrap()
        .to_owned();
    told[0].contains("The campaign spring can't be opened");
    told[0].contains(line.trim_end());
    told[0].contains("Found 2026-11-21 14:00 UTC");
    let words: Vec<&str> = told[0].text.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains("under \"When files are damaged\".")
    );
    assert_eq!(told[0].to, "umpire@example.org");

    // Not with every pass, nor when a letter was sent and taken away, nor when a mail comes.
    for _ in 0..2 {
        assert_eq!(run(&test).status.code(), Some(1));
    }
    assert_eq!(alarms(&test), told);
    let new = test.root().join("outbox/umpire/new");
    let letter = new.join(&told[0].message_id);
    fs::remove_file(&letter).unwrap();
    test.clock("2026-11-21T15:00:00Z");
    let mut deliver = Command::new(env!("CARGO_BIN_EXE_estafette"));
    deliver
        .arg("deliver")
        .arg(test.root())
        .args(["--now", "2026-11-21T15:00:00Z"]);
    let mail = mail_to("french", &test.newest("french").reply_to, "RIEN", 77);
    let delivered = fed(&mut deliver, &mail);
    assert!(delivered.status.success(), "{delivered:?}");
    assert!(run(&test).status.code() == Some(1) && alarms(&test).is_empty());

    // Nothing was written but the mails, which are kept.
    assert!(test.journal() == damaged);
    let inbox = Maildir::on_demand(test.root().join("inbox"));
    assert_eq!(inbox.unprocessed().unwrap().len(), 2);
    let (printed, code) = status(&test, &[]);
    assert!(
        printed.starts_with("spring: STOPPED, it can't be opened: "),
        "{printed}"
    );
    assert!(
        printed.contains("line ") && printed.contains("2026-11-21T14:00:00Z"),
        "{printed}"
    );
    assert_eq!(code, Some(1));
    let (printed, code) = status(&test, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(json["since"], "2026-11-21T14:00:00Z");
    assert!(json["stopped"].as_str().unwrap().contains("line ") && code == Some(1));

    // What is put back goes on, with the mails that have come; all fits.
    fs::write(journal(&test), &whole).unwrap();
    assert!(tree(&test.root()) == sound);
    let again = run(&test);
    assert!(again.status.success(), "{again:?}");
    assert!(said(&again).contains("it can be opened again"), "{again:?}");
    assert!(inbox.unprocessed().unwrap().is_empty());
    assert!(!said(&run(&test)).contains("again"));
    assert_eq!(status(&test, &[]).1, Some(0));

    // The same once more is another fault, and told anew.
    let whole = test.journal();
    flip(&journal(&test), whole.len() / 3, 4);
    run(&test);
    assert_eq!(alarms(&test).len(), 1);
    assert_ne!(alarms(&test)[0].message_id, told[0].message_id);
    fs::write(journal(&test), &whole).unwrap();
    assert!(run(&test).status.success());
    is_sound(&test);
}

/// As the umpire's guide has it: a journal only grows, so a backup has the damaged line and the
/// journal all the others.
#[test]
fn a_backup_of_the_journal_mends_it_without_a_loss() {
    let mut test = played();
    let backup = test.journal();
    test.clock("2026-11-21T15:00:00Z")
        .mail("austrian", "NOTHING")
        .run();
    let whole = test.journal();
    flip(&journal(&test), backup.len() / 2, 0);
    assert!(!run(&test).status.success());
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("journal.jsonl");
    fs::write(&saved, &backup).unwrap();
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/umpire.md");
    let guide = fs::read_to_string(guide).unwrap();
    let mends = guide.lines().find(|line| line.contains("tail -c +"));
    let script = mends
        .unwrap()
        .trim()
        .replace("backup/journal.jsonl", saved.to_str().unwrap());
    let status = Command::new("bash")
        .args(["-c", &script.replace("autumn/", "campaign/")])
        .current_dir(test.root().parent().unwrap())
        .status();
    assert!(status.unwrap().success());
    assert!(test.journal() == whole);
    assert!(run(&test).status.success());
    is_sound(&test);
}

/// What could not be told before a kill is told by the next pass, under the same name.
#[test]
fn an_alarm_that_was_not_told_is_told() {
    let test = played();
    flip(&journal(&test), 100, 1);
    run(&test);
    let (alarm, told) = (test.root().join("alarm"), alarms(&test));
    for gone in [true, false] {
        change(&alarm, "Z told\n", "Z untold\n");
        if gone {
            fs::remove_file(
                test.root()
                    .join("outbox/umpire/new")
                    .join(&told[0].message_id),
            )
            .unwrap();
        }
        run(&test);
        assert_eq!(alarms(&test), told);
    }
    // One that was made unreadable is raised anew.
    fs::write(&alarm, "\u{1b}[2J").unwrap();
    run(&test);
    assert!(fs::read_to_string(&alarm).unwrap().contains("Z told\n"));
}

#[test]
fn what_is_no_running_campaign_gets_no_letter() {
    let test = played();
    let folder = tempfile::tempdir().unwrap();
    for part in ["campaign.yaml", "journal.jsonl", "pinned.tar.gz"] {
        let mut copy = Command::new("cp");
        copy.arg("-r")
            .arg(test.root().join(part))
            .arg(folder.path());
        assert!(copy.status().unwrap().success());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    let output = command.arg("run").arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("secret"), "{output:?}");
    let names = ["alarm", "outbox"].map(|name| folder.path().join(name).exists());
    assert_eq!(names, [false; 2]);
}

/// A campaign with a name of its own beside `spring`.
fn other(folder: &Path) -> PathBuf {
    let root = folder.join("autumn");
    let seats = "--seat french=ada@example.org --seat austrian=bert@example.org";
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.args([
        "new",
        "castiglione",
        "--scenario",
        "lonato",
        "--name",
        "autumn",
    ]);
    command.arg("--into").arg(&root).args(seats.split(' '));
    let made = command
        .args(["--mailbox", "game@example.org", "--settle", "0"])
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    root
}

#[test]
fn a_host_goes_on_with_the_others_and_sends_the_letter_once() {
    let (test, folder) = (played(), tempfile::tempdir().unwrap());
    let sound = other(folder.path());
    flip(&journal(&test), test.journal().len() / 2, 2);
    let damaged = test.journal();
    let maildirs = "in: [{maildir: {path: in}}]\nout: {maildir: {path: out}}";
    let mut host = Host::new(&[&test.root(), &sound], maildirs);
    Maildir::at(host.path("in")).create().unwrap();
    let arrived = |host: &Host, address: &str, subject: &str| {
        let files = fs::read_dir(host.path("out").join(address).join("new"));
        let files = files.into_iter().flatten().map(|file| file.unwrap().path());
        let letters = files.map(|path| Letter::read(&fs::read(path).unwrap()));
        let found: Vec<Letter> = letters.filter(|it| it.subject.contains(subject)).collect();
        found
    };
    host.serve();
    until("the letter to the umpire", || {
        arrived(&host, "umpire@example.org", "can't be opened").len() == 1
    });
    until("letters of the sound one", || {
        !arrived(&host, "ada@example.org", "autumn").is_empty()
    });
    let to = arrived(&host, "ada@example.org", "autumn")
        .into_iter()
        .find(|letter| !letter.reply_to.is_empty())
        .unwrap()
        .reply_to;
    let answers = |host: &Host| {
        let letters = arrived(host, "ada@example.org", "").into_iter();
        letters
            .filter(|letter| letter.header.contains("In-Reply-To: <9"))
            .count()
    };
    let tried = |host: &Host| host.log().matches("campaign=\"spring\"").count();
    for number in 1..=2 {
        let mail = mail_to("french", &to, "FAUTE", 90 + number);
        let source = Maildir::at(host.path("in"));
        source.put(&number.to_string(), &mail).unwrap();
        until("a receipt of the sound one", || {
            answers(&host) == number as usize
        });
        // It looks again with each start.
        assert!(host.end("TERM").0.success());
        let before = tried(&host);
        host.serve();
        until("the damaged one was tried again", || tried(&host) > before);
    }
    assert_eq!(
        arrived(&host, "umpire@example.org", "can't be opened").len(),
        1
    );
    assert!(host.end("TERM").0.success());
    assert!(test.journal() == damaged);
}

#[test]
fn a_host_that_stays_up_finds_it_within_the_hour() {
    let test = played();
    let mut desk = Desk::new([(0, Member::read(&test.root()).unwrap())]);
    let at = |minutes: i64| -> Timestamp {
        test.now()
            .checked_add(SignedDuration::from_mins(minutes))
            .unwrap()
    };
    desk.work(0, at(0));
    flip(&journal(&test), 200, 5);
    let damaged = test.journal();
    // It is open, and nobody has looked.
    desk.work(0, at(1));
    assert!(alarms(&test).is_empty());
    assert!(desk.work(0, at(60)), "there is a letter to be sent");
    assert_eq!(alarms(&test).len(), 1);
    assert!(test.journal() == damaged);
}
