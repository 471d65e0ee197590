//! Figures of the mail host: a mail from the Maildir to a written receipt, many queued mails for
//! many campaigns, a turn among junk, reading generated mails, and a host of 2,000 campaigns.
//! `cargo bench --bench mail`, or `cargo bench --bench mail -- latency queue junk read scale`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a benchmark may panic, and measures the clock's time"
)]

#[allow(dead_code, reason = "the other benchmark uses the rest")]
mod play;
mod scale;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use estafette::{
    campaign::{durable::Campaign, model::settings::Settings},
    dice::Master,
    game::{EmbeddedFiles, GameFiles},
    mail::{MailLimits, maildir::Maildir, read, transport::Stop},
    serve::{self, HostClock, HostConfig},
};
use jiff::Timestamp;
use mail_parser::MessageParser;
use play::SEATS;

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    println!(
        "figures of {} cores; files in {}",
        thread::available_parallelism().unwrap(),
        std::env::temp_dir().display()
    );
    if is_wanted("latency") {
        latency();
    }
    if is_wanted("queue") {
        queue();
    }
    if is_wanted("junk") {
        junk();
    }
    if is_wanted("read") {
        reading();
    }
    if is_wanted("scale") {
        scale::scale();
    }
}

fn settings(name: &str) -> Settings {
    Settings {
        questions_per_turn: 0,
        pictures: false,
        ..play::settings(name, "lonato", Timestamp::now())
    }
}

/// A host with some campaigns, a Maildir to it, and no way out: letters stay in the outboxes.
struct Bench {
    folder: tempfile::TempDir,
    campaigns: Vec<PathBuf>,
    serving: Option<(Stop, thread::JoinHandle<()>)>,
    number: u32,
}

impl Bench {
    fn new(count: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = GameFiles::gather(&EmbeddedFiles, "castiglione").unwrap();
        Maildir::at(folder.path().join("in")).create().unwrap();
        fs::create_dir(folder.path().join("campaigns")).unwrap();
        let make = |number: usize| {
            let root = folder.path().join(format!("campaigns/c{number:03}"));
            let settings = settings(&format!("c{number:03}"));
            Campaign::create(
                &root,
                &settings,
                &files,
                &Master::from_hex(&"07".repeat(32)).unwrap(),
                Timestamp::now(),
            )
            .unwrap();
            root
        };
        let campaigns = (0..count).map(make).collect();
        Self {
            folder,
            campaigns,
            serving: None,
            number: 0,
        }
    }

    fn serve(&mut self) {
        let text = "mailbox: game@example.org\nstate: state\ncampaigns: ['campaigns/*']\nin: [{maildir: {path: in}}]\n";
        let config = HostConfig::parse(text, self.folder.path()).unwrap();
        let (stop, clock): (Stop, HostClock) = (Stop::new(), Arc::new(Timestamp::now));
        let sign = stop.clone();
        let thread = thread::spawn(move || serve::serve(&config, &[], &clock, &sign).unwrap());
        self.serving = Some((stop, thread));
    }

    fn stop(&mut self) {
        let (stop, thread) = self.serving.take().unwrap();
        stop.stop();
        thread.join().unwrap();
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        Maildir::at(self.folder.path().join("in"))
            .put(key, bytes)
            .unwrap();
    }

    /// A mail of ten lines from a seat, in answer to its opening letter.
    fn mail(&mut self, campaign: usize, seat: &str, words: &str) -> Vec<u8> {
        self.number += 1;
        let to = reply_address(&self.campaigns[campaign].join("outbox").join(seat));
        let more = "# a line that explains what I want\r\n".repeat(9);
        format!(
            "From: <{seat}@example.org>\r\nTo: <{to}>\r\nSubject: Re: orders\r\nMessage-ID: <{}@players.example>\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{words}\r\n{more}",
            self.number
        )
        .into_bytes()
    }

    /// How many letters a seat has.
    fn letters(&self, campaign: usize, seat: &str) -> usize {
        let folder = self.campaigns[campaign]
            .join("outbox")
            .join(seat)
            .join("new");
        fs::read_dir(folder).unwrap().count()
    }

    fn records(&self) -> usize {
        let journal = |root: &PathBuf| fs::read_to_string(root.join("journal.jsonl")).unwrap();
        let of = |text: String| {
            text.lines()
                .filter(|line| line.contains("\"kind\":\"mail\""))
                .count()
        };
        self.campaigns.iter().map(|root| of(journal(root))).sum()
    }
}

fn reply_address(outbox: &Path) -> String {
    let file = fs::read_dir(outbox.join("new"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let bytes = fs::read(file.path()).unwrap();
    let mail = MessageParser::default().parse(&bytes).unwrap();
    let to = mail
        .reply_to()
        .and_then(|list| list.first())
        .and_then(|address| address.address());
    to.unwrap().to_owned()
}

fn wait(is_so: impl Fn() -> bool, pause: Duration) {
    while !is_so() {
        thread::sleep(pause);
    }
}

/// A mail put into the Maildir of a host that is up, to the receipt in the outbox.
fn latency() {
    // A seat may send thirty mails an hour.
    let mut bench = Bench::new(8);
    bench.serve();
    let mut times = Vec::new();
    for number in 0..208 {
        let campaign = number % 8;
        let mail = bench.mail(campaign, "french", "NOTHING");
        let before = bench.letters(campaign, "french");
        bench.put(&format!("{number:06}"), &mail);
        let start = Instant::now();
        wait(
            || bench.letters(campaign, "french") > before,
            Duration::from_micros(100),
        );
        times.push(start.elapsed());
        thread::sleep(Duration::from_millis(5));
    }
    bench.stop();
    // The first ones open the campaigns.
    let mut times = times.split_off(8);
    times.sort();
    let at = |percent: usize| times[times.len() * percent / 100];
    println!(
        "latency: Maildir to receipt, median {:?}, 90 of 100 under {:?}, slowest {:?}",
        at(50),
        at(90),
        times[times.len() - 1]
    );
}

/// 10,000 mails that lie there when the host starts.
fn queue() {
    let (campaigns, each) = (200, 50);
    let start = Instant::now();
    let mut bench = Bench::new(campaigns);
    println!("queue: {campaigns} campaigns made in {:?}", start.elapsed());
    for number in 0..each {
        for campaign in 0..campaigns {
            // With a line that is not understood no turn ends.
            let mail = bench.mail(campaign, SEATS[number % 2], "HURRY");
            bench.put(&format!("{:06}", number * campaigns + campaign), &mail);
        }
    }
    let (count, start) = (campaigns * each, Instant::now());
    bench.serve();
    wait(|| bench.records() >= count, Duration::from_millis(500));
    let time = start.elapsed();
    let memory = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem >> 20);
    bench.stop();
    println!(
        "queue: {count} mails for {campaigns} campaigns in {time:?}, opening them included: {:.0} mails a second; {memory} MiB",
        count as f64 / time.as_secs_f64()
    );
}

/// A turn whose last order comes behind a thousand junk mails.
fn junk() {
    for junk in [0, 1000] {
        let mut bench = Bench::new(1);
        for number in 0..junk {
            let text = format!(
                "From: x{number}@example.net\r\nTo: game@example.org\r\nSubject: win {number}\r\n\r\nmoney\r\n"
            );
            bench.put(&format!("{number:06}"), text.as_bytes());
        }
        for (number, seat) in SEATS.iter().enumerate() {
            let mail = bench.mail(0, seat, "NOTHING");
            bench.put(&format!("9{number}"), &mail);
        }
        let start = Instant::now();
        bench.serve();
        wait(
            || bench.letters(0, "austrian") > 2,
            Duration::from_millis(1),
        );
        println!(
            "junk: a turn behind {junk} junk mails in {:?}, the start included",
            start.elapsed()
        );
        bench.stop();
    }
}

/// 20,000 mails made of the samples of the tests, damaged in a way that can be repeated.
fn reading() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mail");
    let mut samples: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    samples.retain(|path| path.extension().is_some_and(|end| end == "eml"));
    samples.sort();
    let samples: Vec<Vec<u8>> = samples.iter().map(|path| fs::read(path).unwrap()).collect();
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % below.max(1)
    };
    let (start, mut good, mut slowest) = (Instant::now(), 0, Duration::ZERO);
    for number in 0..20_000 {
        let mut bytes = samples[number % samples.len()].clone();
        for _ in 0..next(20) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] = u8::try_from(next(256)).unwrap(),
                1 => drop(bytes.drain(at..(at + next(40)).min(bytes.len()))),
                2 => bytes.insert(at, b'\n'),
                _ => bytes.truncate(at.max(200).min(bytes.len())),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let before = Instant::now();
        good += usize::from(read(&bytes, &MailLimits::default()).is_ok());
        slowest = slowest.max(before.elapsed());
    }
    println!(
        "read: 20000 damaged mails in {:?}, {good} could be read, the slowest took {slowest:?}",
        start.elapsed()
    );
}
