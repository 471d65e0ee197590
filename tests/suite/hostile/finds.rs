//! What must hold for whatever a stranger sends, tried on the sample mails, on damaged ones, and on
//! what fuzzing found.
//!
//! `fuzz/finds/<target>/` keeps every input that ever broke something.
#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use std::{
    fs, panic,
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};

/// Where the program's own code has panicked. Reading a mail survives a panic, so that it would not
/// be seen otherwise.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn watch_for_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // Places in other crates are told by whole paths.
        if let Some(place) = info.location()
            && place.file().starts_with("src/")
        {
            PANICS.lock().unwrap().push(place.to_string());
        }
        before(info);
    }));
}

type Target = (&'static str, fn(&[u8]));

const TARGETS: &[Target] = &[
    ("mail_read", targets::mail_read),
    ("own_words", targets::own_words),
    ("orders", targets::orders),
    ("place_orders", targets::place_orders),
    ("errands", targets::errands),
    ("bounce", targets::bounce),
    ("register_entry", targets::register_entry),
];

/// The files below a folder, by name.
fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .map(|file| file.unwrap().path())
        .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn what_fuzzing_found_stays_mended() {
    for (name, target) in TARGETS {
        for (file, bytes) in files(&format!("fuzz/finds/{name}")) {
            eprintln!("{file}");
            target(&bytes);
        }
    }
}

#[test]
fn what_must_hold_holds_for_the_samples() {
    let samples = files("tests/data/mail");
    assert!(samples.len() > 200);
    for (file, bytes) in &samples {
        for (name, target) in TARGETS {
            eprintln!("{name}: {file}");
            target(bytes);
        }
    }
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }

    fn piece<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (from, to) = (self.below(bytes.len() + 1), self.below(bytes.len() + 1));
        &bytes[from.min(to)..from.max(to)]
    }

    /// A new input out of old ones: pieces of several, whole lines moved, bytes changed.
    fn mixed(&mut self, seeds: &[(String, Vec<u8>)]) -> Vec<u8> {
        let mut mixed = seeds[self.below(seeds.len())].1.clone();
        for _ in 0..=self.below(8) {
            let at = self.below(mixed.len() + 1);
            let other = &seeds[self.below(seeds.len())].1;
            match self.below(6) {
                0 => mixed.truncate(at),
                1 => {
                    let piece = self.piece(other).to_vec();
                    mixed.splice(at..at, piece);
                }
                2 => {
                    let lines: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
                    let line = lines
                        .get(self.below(lines.len()))
                        .copied()
                        .unwrap_or_default();
                    let start = mixed[..at].iter().rposition(|byte| *byte == b'\n');
                    let start = start.map_or(0, |start| start + 1);
                    mixed.splice(start..start, line.iter().copied());
                }
                3 => {
                    let end = (at + self.below(40)).min(mixed.len());
                    mixed.drain(at..end);
                }
                4 => mixed.insert(at, u8::try_from(self.below(256)).unwrap()),
                _ => {
                    if let Some(byte) = mixed.get_mut(at) {
                        *byte = byte.wrapping_add(1 << self.below(8));
                    }
                }
            }
        }
        mixed.truncate(200_000);
        mixed
    }
}

/// Without the fuzzer's eyes for untried branches, but with any toolchain: every target (or
/// `FUZZ_TARGET`) for `FUZZ_SECONDS`, on mixtures of the samples and of the files in the folder
/// `FUZZ_SEEDS`. An input that breaks something is written to `fuzz/artifacts`.
#[test]
#[ignore = "runs for minutes: FUZZ_SECONDS=300 cargo test hostile::finds -- --ignored"]
fn mixtures_break_nothing() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seconds: u64 = number("FUZZ_SECONDS").unwrap_or(60);
    let mut seeds = files("tests/data/mail");
    if let Ok(folder) = std::env::var("FUZZ_SEEDS") {
        seeds.extend(files(&folder));
    }
    let mut random = Random(number("FUZZ_BEGIN").unwrap_or(1));
    watch_for_panics();
    let only = std::env::var("FUZZ_TARGET").ok();
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    for (name, target) in TARGETS.iter().filter(|(name, _)| wanted(name)) {
        let end = Instant::now() + Duration::from_secs(seconds);
        let mut tried = 0;
        while Instant::now() < end {
            let input = random.mixed(&seeds);
            let begun = Instant::now();
            let broken = panic::catch_unwind(|| target(&input)).is_err()
                || !PANICS.lock().unwrap().is_empty()
                || begun.elapsed() > Duration::from_secs(30);
            if broken {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/artifacts");
                fs::create_dir_all(&folder).unwrap();
                let file = folder.join(format!("{name}-{tried}"));
                fs::write(&file, &input).unwrap();
                panic!("{} breaks {name}", file.display());
            }
            tried += 1;
        }
        eprintln!("{name}: {tried} inputs");
    }
}

#[test]
fn twenty_thousand_generated_mails_are_read() {
    let mut random = Random(7);
    let samples = files("tests/data/mail");
    let samples: Vec<_> = samples
        .iter()
        .filter(|(name, _)| name.ends_with(".eml"))
        .collect();
    watch_for_panics();
    for _ in 0..20_000 {
        // The head of one mail on the body of another, a piece of a third in it, some bytes
        // changed.
        let mut pick = || samples[random.below(samples.len())].1.as_slice();
        let (first, second, third) = (pick(), pick(), pick());
        let mut mail = first[..random.below(first.len())].to_vec();
        let (from, to) = (random.below(third.len()), random.below(third.len()));
        mail.extend_from_slice(&third[from.min(to)..from.max(to)]);
        mail.extend_from_slice(&second[random.below(second.len())..]);
        for _ in 0..random.below(8) {
            let at = random.below(mail.len());
            if let Some(byte) = mail.get_mut(at) {
                *byte = u8::try_from(random.below(256)).unwrap();
            }
        }
        let _ = estafette::mail::read(&mail, &estafette::mail::MailLimits::default());
    }
    assert_eq!(*PANICS.lock().unwrap(), [""; 0]);
}
