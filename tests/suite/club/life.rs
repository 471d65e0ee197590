//! The whole life of a club of six, by a host that stays up and real mail servers: everybody writes
//! with a mail program and reads what lies in the own mailbox, and nothing else.
#![cfg(unix)]

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU32, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use estafette::{
    audit::{self, Verdict},
    campaign::durable,
    club::{Club, TakeoverRule, examine},
    dice::Master,
    mail::transport::Stop,
    serve::{HostClock, HostConfig, ServeError, serve},
};
use jiff::{SignedDuration, Timestamp};

use super::house_of_club::settings;
use crate::support::{
    Letter,
    mailserver::{Servers, until},
};

const MEMBERS: [&str; 6] = ["ada", "bert", "carol", "dora", "emil", "finn"];
const CLUB: &str = "game+tuesday@example.org";

/// The club on its servers. The host runs in this process, by a clock that the test sets forward.
struct Town {
    servers: Servers,
    folder: tempfile::TempDir,
    /// Seconds by which the host's clock is ahead.
    ahead: Arc<AtomicI64>,
    mails: AtomicU32,
    stop: Stop,
    host: Option<JoinHandle<Result<(), ServeError>>>,
}

/// What the clock of the mail servers says.
#[allow(
    clippy::disallowed_methods,
    reason = "mail servers have the machine's own time"
)]
fn real_time() -> Timestamp {
    Timestamp::now()
}

impl Town {
    /// Founds the club, and starts its host; none if the servers are missing.
    fn found() -> Option<Self> {
        let servers = Servers::start()?;
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path(), "tuesday");
        (settings.takeover, settings.created) = (TakeoverRule::Anybody, real_time());
        let master = Master::simulated("a club", &settings.club.as_str().parse().unwrap());
        let (root, now) = (folder.path().join("club"), settings.created);
        Club::found(&root, &settings, &master, now).unwrap();
        fs::create_dir(folder.path().join("campaigns")).unwrap();
        for name in ["imap.secret", "smtp.secret"] {
            fs::write(folder.path().join(name), "secret\n").unwrap();
        }
        let mut town = Self {
            servers,
            folder,
            ahead: Arc::default(),
            mails: AtomicU32::new(0),
            stop: Stop::new(),
            host: None,
        };
        town.open();
        Some(town)
    }

    fn open(&mut self) {
        let text = format!(
            "mailbox: game@example.org\nstate: state\ncampaigns: ['campaigns/*']\nclub: club\n\
             in: [{{imap: {{host: localhost, port: {imap}, tls: starttls, user: game, password: {{file: imap.secret}}, poll_seconds: 1, ca: {ca}}}}}]\n\
             out: {{smtp: {{host: localhost, port: {smtp}, tls: starttls, user: pbem, password: {{file: smtp.secret}}, ca: {ca}}}}}\n",
            imap = self.servers.imap,
            smtp = self.servers.submission,
            ca = self.servers.ca().display()
        );
        let config = HostConfig::parse(&text, self.folder.path()).unwrap();
        let ahead = Arc::clone(&self.ahead);
        let clock: HostClock = Arc::new(move || {
            let ahead = SignedDuration::from_secs(ahead.load(Ordering::SeqCst));
            real_time().checked_add(ahead).unwrap()
        });
        let stop = self.stop.clone();
        self.host = Some(thread::spawn(move || serve(&config, &[], &clock, &stop)));
    }

    /// Sets the host's clock forward.
    fn hours(&self, hours: i64) {
        self.ahead.fetch_add(hours * 3_600, Ordering::SeqCst);
    }

    fn campaign(&self) -> PathBuf {
        self.folder.path().join("campaigns/tuesday-1")
    }

    fn letters(&self, user: &str) -> Vec<Letter> {
        let mails = self.servers.mails(user, "");
        mails.iter().map(|bytes| Letter::read(bytes)).collect()
    }

    /// The letter to somebody that says this, in its subject or text, once it has arrived.
    #[track_caller]
    fn told(&self, user: &str, words: &str) -> Letter {
        let found = || {
            let mut letters = self.letters(user).into_iter().rev();
            letters.find(|it| it.subject.contains(words) || it.one_line().contains(words))
        };
        let begun = Instant::now();
        loop {
            if let Some(letter) = found() {
                return letter;
            }
            let letters = self.letters(user);
            let last = letters.last().map(|it| (&it.subject, &it.text));
            let waits = begun.elapsed() < Duration::from_secs(120);
            assert!(
                waits,
                "{user} is not told: {words}; the last letter is {last:#?}"
            );
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Somebody writes to an address.
    fn write(&self, user: &str, to: &str, words: &str) {
        let number = self.mails.fetch_add(1, Ordering::SeqCst);
        assert!(self.servers.swaks(&[
            "--from",
            &format!("{user}@example.org"),
            "--to",
            to,
            "--add-header",
            &format!("Message-ID: <{number}@players.example>"),
            "--header",
            "Subject: hello",
            "--body",
            words,
        ]));
    }

    /// Somebody answers a letter.
    fn answer(&self, user: &str, letter: &Letter, words: &str) {
        self.write(user, &letter.reply_to, words);
    }

    /// The newest letter to somebody that can be answered, from the club or from the campaign.
    fn newest(&self, user: &str, of: &str) -> Letter {
        let mut letters = self.letters(user).into_iter().rev();
        let found = letters.find(|it| it.reply_to.starts_with(of));
        found.unwrap_or_else(|| panic!("{user} has no letter of {of}"))
    }

    /// Somebody answers the newest letter of the club, and is told this.
    #[track_caller]
    fn asks(&self, user: &str, words: &str, told: &str) -> Letter {
        self.answer(user, &self.newest(user, "game+tuesday."), words);
        self.told(user, told)
    }

    /// Somebody writes to the campaign.
    fn orders(&self, user: &str, words: &str) {
        self.answer(user, &self.newest(user, "game+tuesday-1."), words);
    }

    /// The number of the campaign's present envelope.
    fn envelope(&self) -> u32 {
        durable::look(&self.campaign()).unwrap().2.dice.envelope
    }

    /// Letters that have not been sent.
    fn unsent(&self) -> usize {
        let outboxes =
            [self.campaign(), self.folder.path().join("club")].map(|it| it.join("outbox"));
        let boxes = outboxes
            .iter()
            .flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
        let letters = boxes.flat_map(|it| {
            fs::read_dir(it.unwrap().path().join("new"))
                .into_iter()
                .flatten()
        });
        letters.count()
    }

    /// Ends the host, which must have had no trouble.
    fn close(&mut self) {
        self.stop.stop();
        self.host.take().unwrap().join().unwrap().unwrap();
    }
}

impl Drop for Town {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(host) = self.host.take() {
            let _ = host.join();
        }
    }
}

#[test]
fn a_club_of_six_lives_from_its_founding_to_its_results() {
    let Some(mut town) = Town::found() else {
        return;
    };
    // They join, each by answering the letter to the own address.
    for member in MEMBERS {
        town.write(member, CLUB, "JOIN CLUB");
        let code = town.told(member, "Is this your address?");
        town.answer(member, &code, "YES");
        town.told(member, "Welcome to The Tuesday Club");
    }
    for member in MEMBERS {
        town.asks(
            member,
            &format!("NAME {member}"),
            &format!("know you as {member}"),
        );
    }
    // A table is founded and joined; who comes too late is told.
    let table =
        "NEW TABLE castiglione SCENARIO lonato EVERY 48 hours PRESS OBSERVERS public\nJOIN 1";
    town.asks("ada", table, "Missing: 1.");
    town.asks("bert", "TABLES", "founded by ada (m1); missing: 1");
    town.asks("bert", "JOIN 1", "and the campaign begins");
    for member in ["ada", "bert"] {
        town.told(member, "So that nobody need believe the draw");
        town.told(member, "You play:");
    }
    town.asks(
        "finn",
        "JOIN 1",
        "is full: its campaign has begun without you",
    );
    // Seats are drawn: who is who stands in the openings.
    let plays_french = town
        .told("ada", "You play:")
        .one_line()
        .contains("(seat french)");
    let [french, austrian] = if plays_french {
        ["ada", "bert"]
    } else {
        ["bert", "ada"]
    };

    // Press, somebody who looks on, an absence that nobody waits for, and its end.
    town.orders(french, "PRESS TO austrian\nA fine morning for a walk.\nEND");
    town.told(austrian, "A fine morning for a walk.");
    town.asks("dora", "OBSERVE 1", "You look on at table 1");
    let month = real_time()
        .checked_add(SignedDuration::from_hours(24 * 30))
        .unwrap();
    town.asks(
        austrian,
        &format!(
            "ABSENT until {} STANDING ORDERS",
            month.strftime("%Y-%m-%d")
        ),
        "Nobody waits for you meanwhile",
    );
    town.asks(austrian, "BACK", "You are expected again");

    // One writes; the other is reminded, and misses deadlines until his seat looks for a player.
    let offers = town.campaign().join("offers");
    let is_offered = || fs::read_to_string(&offers).is_ok_and(|seats| seats.contains("austrian"));
    let mut waits = 0;
    while !is_offered() {
        assert!(waits < 10, "the seat is not offered");
        let envelope = town.envelope();
        town.orders(french, "RIEN");
        if waits == 0 {
            until("the orders are in", || {
                durable::look(&town.campaign()).unwrap().2.seats["french"].ready
            });
            town.hours(46);
            town.told(austrian, "Your orders are awaited");
        }
        town.hours(50);
        until("the deadline has passed", || {
            is_offered() || town.envelope() > envelope
        });
        waits += 1;
    }
    assert!(waits >= 2, "{waits}");
    town.asks(
        "carol",
        "TABLES",
        "looks for somebody to play austrian: TAKE OVER 1",
    );
    town.asks("carol", "TAKE OVER 1", "you take over austrian");
    town.told("carol", "(seat austrian)");
    let told = town.asks(austrian, "TAKE OVER 1", "no seat of table 1");
    assert!(!told.text.contains("carol"));

    // The end, and what stays of it.
    town.orders("carol", "CONCEDE");
    for member in [french, "carol"] {
        town.told(member, "The campaign is over");
    }
    town.told("dora", "Looking on at tuesday-1");
    // The club notes it with its next look at the campaigns.
    let won = format!("french, {french} (m");
    let is_told = || {
        town.letters("emil")
            .iter()
            .any(|it| it.one_line().contains(&won))
    };
    for _ in 0..60 {
        if is_told() {
            break;
        }
        town.answer("emil", &town.newest("emil", "game+tuesday."), "RESULTS");
        thread::sleep(Duration::from_secs(2));
    }
    let results = town.told("emil", &won);
    let said = results.one_line();
    let lost = format!("austrian, {austrian} (m");
    assert!(
        said.contains(&lost) && said.contains("then carol (m"),
        "{said}"
    );
    until("all letters are sent", || town.unsent() == 0);
    town.close();

    let campaign = audit::campaign(&town.campaign()).unwrap();
    assert_eq!(campaign.verdict(), Verdict::Fits, "{campaign:#?}");
    let club = examine(&town.folder.path().join("club")).unwrap();
    assert_eq!((club.members, &club.wrong[..]), (6, &[][..]));
    // What nobody should read: an address in a letter to another member.
    for member in MEMBERS {
        for letter in town.letters(member) {
            for other in MEMBERS.iter().filter(|other| **other != member) {
                letter.lacks(&format!("{other}@example.org"));
            }
        }
    }
}
