//! 2,000 campaigns and a club of 3,000 members on one host, the program as it is: what it keeps on
//! the disk and in memory, how soon it answers, and how long a receipt takes while 2,000 deadlines
//! fall in an hour.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use estafette::{
    campaign::{
        durable::Campaign,
        model::{
            clock::{Deadlines, Schedule},
            settings::Settings,
        },
    },
    club::{Club, ClubSettings, EntryRule, FounderRule, Person, TakeoverRule},
    dice::Master,
    game::{EmbeddedFiles, GameFiles, Lang},
    mail::maildir::Maildir,
};
use jiff::{SignedDuration, Timestamp};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use super::{play, reply_address};

const CAMPAIGNS: usize = 2000;
const MEMBERS: usize = 3000;
/// As many are sent their letters, for the size on the disk.
const SENT: usize = 50;
/// How long mails come in while deadlines fall.
const WATCHED: Duration = Duration::from_secs(90);
/// Mails come as often as this, each to a random campaign.
const BETWEEN: Duration = Duration::from_millis(40);
/// Deadlines begin to fall this long after the first campaign was made.
const FIRST_DEADLINE: SignedDuration = SignedDuration::from_mins(5);

fn settings(name: &str, created: Timestamp) -> Settings {
    let deadlines = Deadlines::WhenAllIn {
        most_hours: Some(24),
    };
    Settings {
        pictures: false,
        schedule: Schedule::new("UTC".parse().unwrap(), deadlines, 0).unwrap(),
        ..play::settings(name, "lonato", created)
    }
}

/// Makes campaigns, with deadlines that fall one after the other within an hour.
fn make(folder: &Path, many: usize) -> Vec<PathBuf> {
    let files = GameFiles::gather(&EmbeddedFiles, "castiglione").unwrap();
    let first = Timestamp::now()
        .checked_add(FIRST_DEADLINE)
        .and_then(|at| at.checked_sub(SignedDuration::from_hours(24)))
        .unwrap();
    let make = |number: usize| {
        let apart = SignedDuration::from_secs(3600) * i32::try_from(number).unwrap();
        let created = first
            .checked_add(apart / i32::try_from(CAMPAIGNS).unwrap())
            .unwrap();
        let root = folder.join(format!("campaigns/c{number:04}"));
        let master = Master::from_hex(&"07".repeat(32)).unwrap();
        let settings = settings(&format!("c{number:04}"), created);
        Campaign::create(&root, &settings, &files, &master, created).unwrap();
        root
    };
    fs::create_dir(folder.join("campaigns")).unwrap();
    (0..many).map(make).collect()
}

/// Founds a club, and enters its members.
fn found(folder: &Path) {
    let now = Timestamp::now();
    let settings = ClubSettings {
        club: "tuesday".parse().unwrap(),
        title: String::new(),
        mailbox: "game@example.org".parse().unwrap(),
        umpire: None,
        zone: "UTC".parse().unwrap(),
        lang: Lang::En,
        entry: EntryRule::Anybody,
        founders: FounderRule::Members,
        absence_days: 42,
        takeover: TakeoverRule::Umpire,
        letters_at: 7,
        monthly: false,
        campaigns: folder.join("campaigns"),
        created: now,
    };
    let master = Master::from_hex(&"07".repeat(32)).unwrap();
    let root = folder.join("club");
    Club::found(&root, &settings, &master, now).unwrap();
    let mut club = Club::open(&root, Duration::ZERO).unwrap();
    for number in 0..MEMBERS {
        let address = format!("member{number}@example.org").parse().unwrap();
        let person = Person::new(address, Lang::En).unwrap();
        club.enter(person, false, now).unwrap();
    }
}

/// How many KiB a campaign takes on the disk.
fn size(folder: &Path, many: usize) -> usize {
    let size = Command::new("du")
        .arg("-sk")
        .arg(folder.join("campaigns"))
        .output()
        .unwrap();
    let size = String::from_utf8_lossy(&size.stdout).into_owned();
    let kilobytes: usize = size.split('\t').next().unwrap().parse().unwrap();
    kilobytes / many
}

/// Prints what a fresh campaign takes on the disk, before and after its first letters have gone.
fn disk() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), SENT);
    let made = size(folder.path(), SENT);
    let config = folder.path().join("estafette.yaml");
    let text = "mailbox: game@example.org\nstate: state\ncampaigns: ['campaigns/*']\nout: {maildir: {path: out}}\n";
    fs::write(&config, text).unwrap();
    Maildir::at(folder.path().join("out")).create().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_estafette"))
        .args(["run", "--config"])
        .arg(&config)
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let sent = size(folder.path(), SENT);
    println!(
        "scale: a fresh campaign takes {made} KiB, {sent} KiB once its first letters have gone"
    );
}

/// The program, serving.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Program {
    /// Starts it, and returns once it says that it serves.
    fn serve(folder: &Path) -> Self {
        let config = folder.join("estafette.yaml");
        let text = "mailbox: game@example.org\nstate: state\ncampaigns: ['campaigns/*']\nclub: club\nin: [{maildir: {path: in}}]\n";
        fs::write(&config, text).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_estafette"))
            .arg("serve")
            .arg("--config")
            .arg(&config)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let said = lines
            .by_ref()
            .find(|line| line.as_ref().unwrap().contains("serving"));
        assert!(said.is_some(), "it did not start");
        thread::spawn(move || lines.for_each(drop));
        Self(child)
    }

    /// Its memory in MiB.
    fn memory(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/statm", self.0.id())).unwrap();
        let pages: u64 = text.split(' ').nth(1).unwrap().parse().unwrap();
        (pages * 4096) >> 20
    }

    /// The processor time that it has used.
    fn used(&self) -> Duration {
        let text = fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        let fields: Vec<&str> = text
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        let ticks: u64 = [11, 12]
            .map(|at: usize| fields[at].parse::<u64>().unwrap())
            .iter()
            .sum();
        Duration::from_millis(ticks * 10)
    }
}

pub fn scale() {
    disk();
    let folder = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let campaigns = make(folder.path(), CAMPAIGNS);
    println!(
        "scale: {CAMPAIGNS} campaigns made in {:.0?}",
        start.elapsed()
    );
    Maildir::at(folder.path().join("in")).create().unwrap();
    let start = Instant::now();
    found(folder.path());
    println!(
        "scale: {MEMBERS} members entered in {:.0?}",
        start.elapsed()
    );

    let start = Instant::now();
    let program = Program::serve(folder.path());
    println!("scale: serves after {:.1?}", start.elapsed());
    let mut before = program.used();
    loop {
        thread::sleep(Duration::from_secs(3));
        let used = program.used();
        if used - before < Duration::from_millis(600) {
            break;
        }
        before = used;
    }
    println!(
        "scale: all looked at after {:.0?}, {:.1?} of processor time, {} MiB",
        start.elapsed(),
        program.used(),
        program.memory()
    );
    let before = program.used();
    thread::sleep(Duration::from_secs(60));
    println!(
        "scale: a minute without mail takes {:.1?} of processor time; {} MiB",
        program.used() - before,
        program.memory()
    );
    let start = Instant::now();
    write_to_all(folder.path(), &campaigns);
    println!(
        "scale: {CAMPAIGNS} mails at once, the first to each campaign, answered in {:.1?}; {} MiB",
        start.elapsed(),
        program.memory()
    );
    let times = watch(folder.path(), &campaigns);
    let at = |percent: usize| times[times.len() * percent / 100];
    println!(
        "scale: {} mails in {WATCHED:?} while deadlines fall: to the receipt, median {:.1?}, 90 of 100 under {:.1?}, slowest {:.1?}; {} MiB",
        times.len(),
        at(50),
        at(90),
        times[times.len() - 1],
        program.memory()
    );
}

/// The letters in an outbox.
fn letters(outbox: &Path) -> usize {
    fs::read_dir(outbox.join("new")).unwrap().count()
}

/// A mail of orders to the campaign of this outbox.
fn mail_to(outbox: &Path, name: &str) -> String {
    let to = reply_address(outbox);
    format!(
        "From: <french@example.org>\r\nTo: <{to}>\r\nSubject: Re: orders\r\nMessage-ID: <{name}@players.example>\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\nHURRY\r\n{}",
        "# a line that explains what I want\r\n".repeat(9)
    )
}

/// Sends a mail to each campaign, and returns once all are answered: from then on all are under way.
fn write_to_all(folder: &Path, campaigns: &[PathBuf]) {
    let inbox = Maildir::at(folder.join("in"));
    let outboxes = campaigns.iter().map(|root| root.join("outbox/french"));
    let outboxes: Vec<(PathBuf, usize)> = outboxes.map(|it| (it.clone(), letters(&it))).collect();
    for (number, (outbox, _)) in outboxes.iter().enumerate() {
        let name = format!("first{number:06}");
        inbox
            .put_copy(&name, mail_to(outbox, &name).as_bytes())
            .unwrap();
    }
    for (outbox, before) in outboxes {
        while letters(&outbox) == before {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Sends mails to random campaigns, and returns how long after a mail was written into the mailbox
/// its receipt was there, the quickest first. That the disk has the mail is its sender's to wait
/// for.
fn watch(folder: &Path, campaigns: &[PathBuf]) -> Vec<Duration> {
    let (start, mut times) = (Instant::now(), Vec::new());
    let mut dice = ChaCha8Rng::seed_from_u64(1859);
    for number in 0.. {
        if start.elapsed() > WATCHED {
            break;
        }
        let drawn = usize::try_from(dice.next_u32()).unwrap() % campaigns.len();
        let outbox = campaigns[drawn].join("outbox/french");
        let before = letters(&outbox);
        let name = format!("{number:06}");
        let mail = mail_to(&outbox, &name);
        let sent = Instant::now();
        Maildir::at(folder.join("in"))
            .put_copy(&name, mail.as_bytes())
            .unwrap();
        while letters(&outbox) == before {
            thread::sleep(Duration::from_micros(100));
        }
        times.push(sent.elapsed());
        thread::sleep(BETWEEN);
    }
    times.sort();
    times
}
