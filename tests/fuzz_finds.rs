//! What must hold for whatever a stranger sends, tried on the sample mails, on damaged ones, and on what fuzzing found.
//!
//! `fuzz/finds/<target>/` keeps every input that ever broke something.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may panic"
)]

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::{fs, panic, path::Path, sync::Mutex};

/// Where the program's own code has panicked. Reading a mail survives a panic, so that it would not be seen otherwise.
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

#[test]
fn twenty_thousand_generated_mails_are_read() {
    let mut random = 7_u64;
    let mut below = |most: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % most.max(1)
    };
    let samples = files("tests/data/mail");
    let samples: Vec<_> = samples
        .iter()
        .filter(|(name, _)| name.ends_with(".eml"))
        .collect();
    watch_for_panics();
    for _ in 0..20_000 {
        // The head of one mail on the body of another, a piece of a third in it, some bytes changed.
        let pick = |at: usize| samples[at % samples.len()].1.as_slice();
        let (first, second, third) = (pick(below(1000)), pick(below(1000)), pick(below(1000)));
        let mut mail = first[..below(first.len())].to_vec();
        let (from, to) = (below(third.len()), below(third.len()));
        mail.extend_from_slice(&third[from.min(to)..from.max(to)]);
        mail.extend_from_slice(&second[below(second.len())..]);
        for _ in 0..below(8) {
            let at = below(mail.len());
            if let Some(byte) = mail.get_mut(at) {
                *byte = u8::try_from(below(256)).unwrap();
            }
        }
        let _ = estafette::mail::read(&mail, &estafette::mail::Limits::default());
    }
    assert_eq!(*PANICS.lock().unwrap(), [""; 0]);
}
