//! Ended campaigns at rest: one file each, still audited, and letters are had again.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use estafette::{
    campaign::Campaign,
    mail::maildir::Maildir,
    serve::{Desk, Look, Member},
    store::Directory,
};
use jiff::{SignedDuration, Timestamp};

use crate::support::{Test, is_sound, mail_to, program::estafette};

/// A campaign that is over, with all its dice disclosed and its letters sent.
fn ended() -> Test {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    test.mail("austrian", "CONCEDE").run();
    let test = test.play_out(|_| ());
    for seat in ["french", "austrian"] {
        let outbox = Directory::at(&test.root()).outbox(seat);
        let waiting = outbox.unprocessed().unwrap();
        outbox.all_done(&waiting).unwrap();
    }
    test
}

/// All files below a folder but the lock, by their paths from there.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path != root.join("lock") {
                let below = path.strip_prefix(root).unwrap().to_owned();
                found.insert(below, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn names(root: &Path) -> Vec<PathBuf> {
    files(root).into_keys().collect()
}

fn packed() -> Vec<PathBuf> {
    vec!["packed.tar.gz".into()]
}

fn pack(root: &Path) {
    let directory = Directory::find(root).unwrap();
    directory.pack().unwrap();
    assert_eq!(names(root), packed());
}

fn desk(test: &Test) -> Desk {
    Desk::new([(0, Member::read(&test.root()).unwrap())]).packing(Some(30))
}

/// So many days after the end.
fn later(end: Timestamp, days: i64) -> Timestamp {
    end.checked_add(SignedDuration::from_hours(24 * days))
        .unwrap()
}

/// The keys of the mails that nobody has worked off.
fn waiting(maildir: &Maildir) -> Vec<String> {
    let entries = maildir.unprocessed().unwrap().into_iter();
    entries.map(|entry| entry.key()).collect()
}

/// A player asks for a letter that he has lost.
fn asks_again(root: &Path) {
    let mail = mail_to("austrian", "game+spring@example.org", "RESEND OPENING", 90);
    Directory::at(root).inbox().put("000090", &mail).unwrap();
}

/// How many letters have gone out to him once more.
fn sent_again(root: &Path) -> usize {
    let keys = waiting(&Directory::at(root).outbox("austrian")).into_iter();
    keys.filter(|key| key.starts_with("again-")).count()
}

/// The disk's clock goes on as the test's does.
fn last_used(root: &Path, at: Timestamp) {
    let journal = fs::File::options()
        .append(true)
        .open(root.join("journal.jsonl"));
    journal.unwrap().set_modified(SystemTime::from(at)).unwrap();
}

#[test]
fn a_campaign_comes_back_byte_for_byte() {
    let test = ended();
    let before = files(&test.root());
    pack(&test.root());
    let member = Member::read(&test.root()).unwrap();
    assert_eq!(member.name(), test.context().0.name().as_str());
    // A look at its directory unpacks it.
    Directory::open(&test.root()).unwrap();
    assert_eq!(files(&test.root()), before);
    is_sound(&test);
}

/// One that was packed has its rules from the campaigns beside it again.
#[cfg(unix)]
#[test]
fn rules_are_shared_again() {
    let test = ended();
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| {
        let root = folder.path().join(name);
        for (path, bytes) in files(&test.root()) {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, bytes).unwrap();
        }
        root
    });
    let mark = |root: &Path| Directory::at(root).pinned_mark().unwrap();
    assert_ne!(mark(&one), mark(&other));
    pack(&one);
    Directory::open(&one).unwrap();
    assert_eq!(mark(&one), mark(&other));
}

#[cfg(unix)]
#[test]
fn secrets_stay_the_owners() {
    use std::os::unix::fs::PermissionsExt;
    let test = ended();
    let mode = |file: &str| {
        let found = fs::metadata(test.root().join(file)).unwrap();
        found.permissions().mode() & 0o777
    };
    pack(&test.root());
    assert_eq!(mode("packed.tar.gz"), 0o600);
    Directory::open(&test.root()).unwrap();
    assert_eq!(mode("secret/master"), 0o600);
}

/// A host that is killed on the way in or out leaves all in one of the two forms, or in both.
#[test]
fn a_kill_on_the_way_loses_nothing() {
    let test = ended();
    let root = test.root();
    let whole = files(&root);
    pack(&root);
    let archive = fs::read(root.join("packed.tar.gz")).unwrap();
    for kept in [0, 1, whole.len() / 2, whole.len() - 1] {
        fs::write(root.join("packed.tar.gz"), &archive).unwrap();
        for (number, (name, bytes)) in whole.iter().enumerate() {
            let path = root.join(name);
            let _ = fs::remove_file(&path);
            if number < kept {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, bytes).unwrap();
            }
        }
        let half = root.join(".unfinished-unpacked/pinned");
        fs::create_dir_all(&half).unwrap();
        fs::write(half.join("half"), "a ha").unwrap();
        Directory::open(&root).unwrap();
        assert_eq!(files(&root), whole, "{kept}");
    }
}

#[test]
fn a_damaged_file_is_told_and_kept() {
    let test = ended();
    let root = test.root();
    pack(&root);
    let packed = root.join("packed.tar.gz");
    let whole = fs::read(&packed).unwrap();
    for damaged in [&whole[..whole.len() / 2], &[], &whole[1..]] {
        fs::write(&packed, damaged).unwrap();
        let error = Directory::open(&root).unwrap_err().to_string();
        assert!(error.contains("put it back from a backup"), "{error}");
        assert_eq!(fs::read(&packed).unwrap(), damaged);
        assert!(!root.join("journal.jsonl").exists());
    }
}

/// Neither a mail that nobody has read nor a letter that has not been sent is packed, and more may
/// come.
#[test]
fn what_is_on_its_way_stays_beside_it() {
    let test = ended();
    let directory = Directory::at(&test.root());
    let (inbox, outbox) = (directory.inbox(), directory.outbox("austrian"));
    inbox
        .put("early", b"From: a@example.org\n\nhello\n")
        .unwrap();
    outbox
        .put("unsent", b"To: b@example.org\n\nhello\n")
        .unwrap();
    directory.pack().unwrap();
    inbox
        .put("late", b"From: a@example.org\n\nhello\n")
        .unwrap();
    assert!(directory.is_packed() && !directory.is_shipped());
    assert_eq!(waiting(&inbox), ["early", "late"]);
    assert_eq!(waiting(&outbox), ["unsent"]);
    let (copy, _folder) = directory.to_read().unwrap();
    assert_eq!(waiting(&copy.outbox("austrian")), ["unsent"]);
    Directory::open(&test.root()).unwrap();
    assert_eq!(waiting(&inbox), ["early", "late"]);
    assert_eq!(waiting(&outbox), ["unsent"]);
}

#[test]
fn a_host_packs_what_has_long_ended_and_unpacks_it_for_a_mail() {
    let mut test = ended();
    let (root, end) = (test.root(), test.now());
    let mut desk = desk(&test);
    let after = |days: i64| later(end, days);
    last_used(&root, after(0));
    for day in [1, 29] {
        desk.work(0, after(day));
        assert!(root.join("journal.jsonl").exists(), "day {day}");
    }
    desk.work(0, after(31));
    assert_eq!(names(&root), packed());
    assert_eq!(desk.look(after(32), 9), Look::Over, "it is left at rest");

    // The host begins anew, and a player has lost a letter.
    let mut desk = self::desk(&test);
    assert_eq!(desk.look(after(40), 9), Look::Over);
    asks_again(&root);
    assert_eq!(desk.look(after(40), 9), Look::Called(0));
    assert!(desk.work(0, after(40)), "there are letters");
    assert!(!Directory::at(&root).is_packed());
    assert_eq!(sent_again(&root), 1);
    test.clock(&after(40).to_string());
    is_sound(&test);

    // Whoever works with it has a day; then it rests again for a month.
    let outbox = Directory::at(&root).outbox("austrian");
    outbox.all_done(&outbox.unprocessed().unwrap()).unwrap();
    last_used(&root, after(40));
    desk.work(0, after(69));
    assert!(!Directory::at(&root).is_packed());
    last_used(&root, after(71));
    desk.work(0, after(71));
    assert!(
        !Directory::at(&root).is_packed(),
        "somebody has just looked at it"
    );
    desk.work(0, after(73));
    assert_eq!(names(&root), packed());
}

/// Nobody works on it, and only the clock has it looked at.
#[test]
fn a_campaign_that_was_closed_is_packed_and_answers_a_mail() {
    let test = ended();
    let (root, end) = (test.root(), test.now());
    let mut desk = desk(&test).keeping_open(0);
    last_used(&root, end);
    for day in [1, 29] {
        assert_eq!(desk.look(later(end, day), 9), Look::Called(0), "day {day}");
        desk.work(0, later(end, day));
        assert_eq!(desk.open_count(), 0);
        assert!(root.join("journal.jsonl").exists(), "day {day}");
    }
    assert_eq!(desk.look(later(end, 31), 9), Look::Called(0));
    desk.work(0, later(end, 31));
    assert_eq!(names(&root), packed());
    assert_eq!(
        desk.look(later(end, 32), 9),
        Look::Over,
        "it is left at rest"
    );

    asks_again(&root);
    assert_eq!(desk.look(later(end, 40), 9), Look::Called(0));
    assert!(desk.work(0, later(end, 40)), "there are letters");
    assert!(!Directory::at(&root).is_packed());
    assert_eq!((sent_again(&root), desk.open_count()), (1, 0));
    assert_eq!(desk.look(later(end, 40), 9), Look::Over, "all is done");
}

/// What is in the file has no other copy: all stays as it is, and the umpire is told once.
#[test]
fn a_mail_waits_until_a_damaged_file_is_put_back() {
    let test = ended();
    let (root, end) = (test.root(), test.now());
    pack(&root);
    let mut desk = desk(&test);
    let packed = root.join("packed.tar.gz");
    let whole = fs::read(&packed).unwrap();
    let damaged = &whole[..whole.len() / 2];
    fs::write(&packed, damaged).unwrap();
    assert_eq!(desk.look(later(end, 40), 9), Look::Over, "nobody needs it");

    asks_again(&root);
    let inbox = Directory::at(&root).inbox();
    for day in [40, 41] {
        assert_eq!(desk.look(later(end, day), 9), Look::Called(0), "day {day}");
        let tried = desk.work(0, later(end, day));
        assert!(tried, "day {day}: there may be a letter to be sent");
        assert_eq!(waiting(&inbox), ["000090"], "day {day}");
        assert!(fs::read(&packed).unwrap() == damaged, "day {day}");
        assert!(!root.join("journal.jsonl").exists(), "day {day}");
    }
    let told = test.letters("umpire");
    assert_eq!(told.len(), 1);
    told[0].contains("The campaign spring can't be opened");
    told[0].contains("packed.tar.gz");
    told[0].contains("put it back from a backup");
    let opened = Campaign::open(&root, Duration::from_secs(10));
    let error = opened.err().unwrap();
    assert!(!error.is_environment(), "{error}");
    let error = error.to_string();
    assert!(error.contains(packed.to_str().unwrap()), "{error}");

    fs::write(&packed, &whole).unwrap();
    assert_eq!(desk.look(later(end, 42), 9), Look::Called(0));
    assert!(desk.work(0, later(end, 42)), "there are letters");
    assert!(!Directory::at(&root).is_packed());
    assert_eq!(sent_again(&root), 1);
    assert_eq!(waiting(&inbox), <[String; 0]>::default());
    assert_eq!(test.letters("umpire"), told);
    assert!(!root.join("alarm").exists());
    is_sound(&test);
}

#[test]
fn nothing_is_packed_that_goes_on_or_is_to_stay() {
    let going = Test::campaign("castiglione").scenario("lonato").begin();
    last_used(&going.root(), going.now());
    let later = going
        .now()
        .checked_add(SignedDuration::from_hours(24 * 900))
        .unwrap();
    let mut desk = desk(&going);
    desk.work(0, later);
    assert!(!Directory::at(&going.root()).is_packed());

    let ended = ended();
    last_used(&ended.root(), ended.now());
    let later = ended
        .now()
        .checked_add(SignedDuration::from_hours(24 * 900))
        .unwrap();
    let mut desk = Desk::new([(0, Member::read(&ended.root()).unwrap())]).packing(None);
    desk.work(0, later);
    assert!(!Directory::at(&ended.root()).is_packed());
}

#[test]
fn it_is_packed_audited_and_listed_by_command() {
    let (test, going) = (
        ended(),
        Test::campaign("castiglione").scenario("lonato").begin(),
    );
    let root = test.root();
    let shown = root.to_str().unwrap();
    let going = going.root();
    let refused = estafette(&["pack", going.to_str().unwrap()], b"");
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.err.contains("it is not over"), "{refused:?}");
    let said = estafette(&["pack", shown], b"");
    assert_eq!((said.code, names(&root)), (0, packed()), "{said:?}");
    let audited = estafette(&["audit", shown], b"");
    assert_eq!(audited.code, 0, "{audited:?}");
    let listed = estafette(&["status", shown, going.to_str().unwrap()], b"");
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(listed.out.contains("over, packed"), "{listed:?}");
    let again = estafette(&["pack", shown], b"");
    assert!(again.out.contains("packed already"), "{again:?}");
    assert_eq!(names(&root), packed(), "none of these has unpacked it");
    let status = estafette(&["status", shown], b"");
    assert_eq!(status.code, 0, "{status:?}");
    assert!(root.join("journal.jsonl").exists(), "and this one has");
}
