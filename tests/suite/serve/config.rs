//! `estafette.yaml`, which campaign a mail is for, and the queue of letters.

use std::{collections::BTreeMap, fs, path::Path, sync::LazyLock, time::Duration};

use crate::support::{NAME, Test};
use estafette::{
    mail::{
        maildir::Maildir,
        transport::{
            LetterHead, MailEnvelope, MaildirAccount, MaildirSource, Observation, SendError, Sink,
            Stop,
        },
    },
    serve::{Collector, HostConfig, MailRoute, Queue, Roster},
    store::Directory,
};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

fn config(text: &str) -> Result<HostConfig, String> {
    HostConfig::parse(text, Path::new("/srv"))
}

const LEAST: &str = "mailbox: game@example.org\nstate: state\n";

#[test]
fn a_whole_configuration_is_read_and_its_paths_are_whole() {
    let config = config(
        "mailbox: game@example.org
delimiter: '-'
state: state
campaigns: [campaigns/*, /srv/one]
in:
- imap: {name: club, host: imap.example.org, user: game, password: {file: imap.secret}, processed: Done, idle: false, poll_seconds: 60, ca: ca.pem}
- imap: {name: other, host: localhost, port: 143, tls: starttls, user: game, password: {env: OTHER}}
- maildir: {path: Maildir}
- folder: {path: drop}
out:
  smtp: {host: smtp.example.org, port: 465, tls: implicit, user: game, password: {env: SMTP}}
log: {format: json, level: debug}
",
    )
    .unwrap();
    let imap = config.sources[0].imap.as_ref().unwrap();
    assert_eq!(imap.ca.as_deref(), Some(Path::new("/srv/ca.pem")));
    assert!(imap.password.place().contains("/srv/imap.secret"));
    assert_eq!((imap.port, config.mailbox.local.as_str()), (993, "game"));
    assert_eq!(
        config.sources[3].folder.as_ref().unwrap().done.as_deref(),
        Some(Path::new("/srv/drop/done"))
    );
    assert_eq!(config.open_sources(&Stop::new()).len(), 4);
    assert!(config.open_sink().is_some());
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (lines, words) in [
        ("in:\n- imap: {hots: a}\n", &["hots", "line 4"][..]),
        (
            "out: {smtp: {host: a, user: b, password: canary}}\n",
            &["env", "line 3"],
        ),
        (
            "out: {smtp: {host: a, user: b, password: {text: canary}}}\n",
            &["text", "line 3"],
        ),
        ("in: [{}]\n", &["`in`, entry 1", "exactly one"]),
        (
            "in: [{maildir: {path: a}, folder: {path: b}}]\n",
            &["entry 1", "exactly one"],
        ),
        ("out: {}\n", &["`out`", "exactly one"]),
        (
            "in: [{imap: {host: a.example, tls: none, user: b, password: {env: C}}}]\n",
            &["entry 1", "`tls: none`"],
        ),
        (
            "in: [{imap: {host: a, tls: ssl, user: b, password: {env: C}}}]\n",
            &["ssl", "starttls"],
        ),
        (
            "in: [{imap: {host: a, user: b, password: {env: C}, processed: INBOX}}]\n",
            &["`processed`"],
        ),
        (
            "in: [{imap: {host: a, user: b, password: {env: C}}}, {imap: {host: b, user: b, password: {env: C}}}]\n",
            &["entry 2", "`name`"],
        ),
        ("log: {level: loud}\n", &["loud", "line 3"]),
        ("mailboxes: x\n", &["mailboxes"]),
        (
            "out: {smtp: {host: a, port: 99999}}\n",
            &["99999", "line 3"],
        ),
    ] {
        let error = config(&format!("{LEAST}{lines}")).unwrap_err();
        for word in words {
            assert!(error.contains(word), "`{word}` for {lines}: {error}");
        }
    }
    assert!(
        config("mailbox: game\nstate: s\n")
            .unwrap_err()
            .contains("game@example.org")
    );
    assert!(config(LEAST).is_ok());
}

#[test]
fn campaigns_of_a_folder_are_found() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b", "a", "no-campaign"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    for name in ["a", "b"] {
        fs::write(folder.path().join(name).join("campaign.yaml"), "").unwrap();
    }
    let config =
        HostConfig::parse(&format!("{LEAST}campaigns: ['*', a]\n"), folder.path()).unwrap();
    let found = config.directories(&[folder.path().join("c")]).unwrap();
    let names: Vec<_> = found
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
}

/// Two campaigns, `spring` and `autumn`, with the same players.
fn two() -> (Test, Test, Roster) {
    let tests = [(); 2].map(|()| Test::campaign("castiglione").scenario("lonato").begin());
    let [spring, autumn] = tests;
    crate::support::change(
        &autumn.root().join("campaign.yaml"),
        "campaign: spring",
        "campaign: autumn",
    );
    let (roll, wrong) = Roster::read(&[spring.root(), autumn.root()]);
    assert_eq!(wrong, []);
    (spring, autumn, roll)
}

#[test]
fn mails_find_their_campaign() {
    let (spring, _autumn, roll) = two();
    let route = |fields: &str| {
        roll.router()
            .route(format!("From: ada@example.org\r\n{fields}\r\n\r\nHOLD\r\n").as_bytes())
    };
    let to = |places: &[usize]| MailRoute::To(places.to_vec());
    assert_eq!(route("To: game+spring.red.abc@example.org"), to(&[0]));
    assert_eq!(
        route("To: game+autumn.red.abc@example.org, game+spring.red.x@example.org"),
        to(&[0, 1])
    );
    assert_eq!(
        route("Delivered-To: game+autumn.red.abc@inner.example.org\r\nTo: game@example.org"),
        to(&[1])
    );
    // An address says more than a thread, and a thread more than a subject.
    assert_eq!(
        route(
            "To: game+autumn.red.abc@example.org\r\nIn-Reply-To: <spring.red.3.abcd@example.org>"
        ),
        to(&[1])
    );
    assert_eq!(
        route("In-Reply-To: <autumn.red.3.abcd@example.org>\r\nSubject: [spring/red]"),
        to(&[1])
    );
    assert_eq!(
        route("References: <spring.red.1.abcd@example.org> <autumn.red.3.abcd@example.org>"),
        to(&[1]),
        "the newest of the thread"
    );
    assert_eq!(route("Subject: Re: [spring/red/token]"), to(&[0]));
    // Not what it says, and who sent it in two campaigns.
    assert!(matches!(route("Subject: hello"), MailRoute::Aside(why) if why.contains("several")));
    assert!(matches!(
        route("To: game+winter.red.abc@example.org"),
        MailRoute::Aside(_)
    ));
    let (one, _) = Roster::read(&[spring.root()]);
    assert_eq!(
        one.router()
            .route(b"From: ada@example.org\r\nSubject: hello\r\n\r\nHOLD"),
        to(&[0])
    );
    assert!(matches!(
        one.router()
            .route(b"From: x@example.org\r\nSubject: hello\r\n\r\nHOLD"),
        MailRoute::Aside(_)
    ));
    assert!(matches!(roll.router().route(b""), MailRoute::Aside(_)));
    // Our own letters coming back are nobody's; reports on them find their campaign.
    assert!(
        matches!(roll.router().route(&spring.newest("french").bytes), MailRoute::Aside(why) if why.contains("our own"))
    );
    let report = "From: <MAILER-DAEMON@example.net>\r\nTo: game@example.org\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nlost\r\n--b\r\n\
        Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; a@b\r\n\
        Action: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n\
        Message-ID: <autumn.red.3.abcd@example.org>\r\n\r\n--b--\r\n";
    assert_eq!(roll.router().route(report.as_bytes()), to(&[1]));
    // Too large for anybody, but its campaign will say so.
    let mut large =
        b"From: ada@example.org\r\nTo: game+spring.red.abc@example.org\r\n\r\n".to_vec();
    large.resize(3 << 20, b'x');
    assert_eq!(roll.router().route(&large), to(&[0]));
}

#[test]
fn two_campaigns_of_one_name_are_told() {
    let tests = [(); 2].map(|()| Test::campaign("castiglione").scenario("lonato").begin());
    let (roll, wrong) = Roster::read(&[tests[0].root(), tests[1].root(), "/no/such".into()]);
    assert_eq!((roll.members.len(), wrong.len()), (1, 2));
    assert!(
        wrong[0].1.contains(NAME) && wrong[1].1.contains("/no/such"),
        "{wrong:?}"
    );
}

#[test]
fn players_mails_come_before_those_of_strangers() {
    let test = Test::campaign("castiglione").scenario("lonato").begin();
    let (roll, _) = Roster::read(&[test.root()]);
    let folder = tempfile::tempdir().unwrap();
    let [source, state] = ["in", "state"].map(|name| folder.path().join(name));
    let collector = Collector::new(roll, &state).unwrap();
    let maildir = Maildir::at(&source);
    maildir.create().unwrap();
    let strange = b"From: x@example.net\r\nTo: game@example.org\r\nSubject: win\r\n\r\nmoney\r\n";
    for number in 0..150 {
        maildir.put(&format!("{number:03}"), strange).unwrap();
    }
    let to = test.newest("french").reply_to;
    let mail = crate::support::mail_to("french", &to, "NOTHING", 1);
    maildir.put("050-orders", &mail).unwrap();
    let mut account = MaildirSource::new(MaildirAccount {
        path: source.clone(),
    });
    let count = |folder: &Path| fs::read_dir(folder.join("new")).unwrap().count();
    let (inbox, aside) = (test.root().join("inbox"), state.join("aside"));
    let mut news = Vec::new();
    let mut hear = |place| {
        news.push((place, count(&inbox), count(&aside)));
    };
    // Of the first hundred, one is a player's.
    while collector.collect(&mut account, &mut hear).unwrap() > 0 {}
    assert_eq!(news, [(0, 1, 0)]);
    assert_eq!((count(&aside), count(&source)), (150, 0));
    // Whoever was killed before the source knew it takes all again, and nothing is there twice.
    for file in fs::read_dir(source.join("done")).unwrap() {
        let file = file.unwrap();
        fs::rename(file.path(), source.join("new").join(file.file_name())).unwrap();
    }
    while collector.collect(&mut account, &mut |_| {}).unwrap() > 0 {}
    assert_eq!((count(&inbox), count(&aside)), (1, 150));
}

/// What a server does with the next letter.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Takes,
    TakesAndWeAreKilled,
    Later,
    Down,
    Refuses,
}

/// A server that does as it is told, and keeps all that it took.
struct Script {
    fates: Vec<Fate>,
    took: Vec<(MailEnvelope, Vec<u8>)>,
    killed: bool,
    refused: BTreeMap<String, usize>,
}

impl Sink for Script {
    fn send(&mut self, envelope: &MailEnvelope, bytes: &[u8]) -> Result<String, SendError> {
        let said = "said".to_owned();
        match self.fates.pop().unwrap_or(Fate::Takes) {
            Fate::Takes => self.took.push((envelope.clone(), bytes.to_vec())),
            Fate::TakesAndWeAreKilled => {
                // It has the letter, and we never hear of it: for the files the same as a kill
                // before the mark.
                self.took.push((envelope.clone(), bytes.to_vec()));
                self.killed = true;
                return Err(SendError::Down { said });
            }
            Fate::Later => return Err(SendError::Later { said }),
            Fate::Down => return Err(SendError::Down { said }),
            Fate::Refuses => {
                let id = LetterHead::read(bytes).message_id.unwrap();
                *self.refused.entry(id).or_insert(0) += 1;
                return Err(SendError::Refused {
                    status: "5.1.1".into(),
                    said,
                });
            }
        }
        Ok(said)
    }

    fn probe(&mut self) -> Vec<Observation> {
        Vec::new()
    }
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        3 => Just(Fate::Takes),
        2 => Just(Fate::TakesAndWeAreKilled),
        2 => Just(Fate::Later),
        1 => Just(Fate::Down),
        1 => Just(Fate::Refuses),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_a_server_does_each_letter_is_sent_or_told(fates in prop::collection::vec(fate(), 0..12)) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("campaign");
        copy(&OPENED.root(), &root);
        let before = mails_of(&root);
        let (roll, _) = Roster::read(std::slice::from_ref(&root));
        let mut sink = Script { fates, took: Vec::new(), killed: false, refused: BTreeMap::new() };
        let mut now: Timestamp = crate::support::BEGINNING.parse().unwrap();
        let mut queue = Queue::default();
        for _ in 0..40 {
            queue.round(&roll, [0], &mut sink, now, &Stop::new()).unwrap();
            if std::mem::take(&mut sink.killed) {
                queue = Queue::default();
            }
            now = now.checked_add(SignedDuration::from_hours(5)).unwrap();
        }
        prop_assert_eq!(mails_of(&root).len(), 0, "nothing waits");
        for (id, bytes) in &before {
            let copies = sink.took.iter().filter(|(_, took)| took == bytes).count();
            let told = sink.refused.get(id).copied().unwrap_or(0);
            prop_assert!(copies > 0 || told == 1, "{} is sent or told", id);
            let seat = id.split('.').nth(1).unwrap();
            let kept = Directory::at(&root).outbox(seat).find(id).unwrap();
            prop_assert_eq!(kept.as_ref(), Some(bytes), "it is kept as it was sent");
            prop_assert_eq!(root.join(format!("inbox/new/bounce-{id}")).exists(), told == 1);
        }
        for (envelope, bytes) in &sink.took {
            let head = LetterHead::read(bytes);
            prop_assert!(before.contains_key(&head.message_id.unwrap()), "nothing else is sent");
            prop_assert_eq!(head.to.as_ref(), Some(&envelope.to));
            prop_assert_eq!(envelope.from.is_none(), head.answers_by_itself);
        }
    }
}

/// A campaign with its opening letters; making one takes a while.
static OPENED: LazyLock<Test> =
    LazyLock::new(|| Test::campaign("castiglione").scenario("lonato").begin());

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

/// The letters that wait in a campaign's outboxes, by Message-ID.
fn mails_of(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let outboxes = fs::read_dir(root.join("outbox"))
        .unwrap()
        .map(Result::unwrap);
    outboxes
        .flat_map(|outbox| {
            fs::read_dir(outbox.path().join("new"))
                .into_iter()
                .flatten()
        })
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .map(|bytes| (LetterHead::read(&bytes).message_id.unwrap(), bytes))
        .collect()
}

#[test]
fn what_was_sent_is_compressed_while_nobody_works() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("campaign");
    copy(&OPENED.root(), &root);
    let (roll, _) = Roster::read(std::slice::from_ref(&root));
    let mut sink = Script {
        fates: Vec::new(),
        took: Vec::new(),
        killed: false,
        refused: BTreeMap::new(),
    };
    let now: Timestamp = crate::support::BEGINNING.parse().unwrap();
    let (mut queue, stop) = (Queue::default(), Stop::new());
    let kept = || -> Vec<bool> {
        let files = fs::read_dir(root.join("outbox/french/done")).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.map(|name| name.ends_with(".gz")).collect()
    };
    let directory = Directory::at(&root);
    let lock = directory.lock(Duration::ZERO).unwrap();
    queue.round(&roll, [0], &mut sink, now, &stop).unwrap();
    assert_eq!(kept(), [false, false], "somebody works on it");
    drop(lock);
    queue.round(&roll, [0], &mut sink, now, &stop).unwrap();
    assert_eq!(kept(), [true, true]);
    assert!(!root.join("outbox/french/new").exists());
    for (_, bytes) in &sink.took {
        let id = LetterHead::read(bytes).message_id.unwrap();
        let outbox = directory.outbox(id.split('.').nth(1).unwrap());
        assert_eq!(outbox.find(&id).unwrap().as_ref(), Some(bytes));
    }
}

#[test]
fn a_letter_that_nobody_takes_for_three_days_is_told() {
    let test = Test::campaign("castiglione").scenario("lonato").begin();
    let (roll, _) = Roster::read(&[test.root()]);
    let letters = mails_of(&test.root()).len();
    let fates = vec![Fate::Later; 200];
    let mut sink = Script {
        fates,
        took: Vec::new(),
        killed: false,
        refused: BTreeMap::new(),
    };
    let (mut queue, stop) = (Queue::default(), Stop::new());
    let path = fs::read_dir(test.root().join("outbox/french/new"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let mut now: Timestamp =
        Timestamp::try_from(fs::metadata(path).unwrap().modified().unwrap()).unwrap();
    let mut refused = 0;
    let mut rounds = 0;
    while refused < letters {
        now = now.checked_add(SignedDuration::from_hours(6)).unwrap();
        refused += queue
            .round(&roll, [0], &mut sink, now, &stop)
            .unwrap()
            .refused
            .len();
        rounds += 1;
        assert!(rounds < 20);
    }
    assert!(rounds >= 12, "only after three days: {rounds}");
}
