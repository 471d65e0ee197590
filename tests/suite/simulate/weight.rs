//! Whole campaigns of the sensible bots, and what their letters weigh with their maps: a telephone
//! gets them too.

use std::{collections::BTreeMap, fs, path::Path};

use crate::support::shipped_with_bots;
use estafette::simulate::{self, SimulationPlan, SimulationReport};

/// Bytes of a mail, pictures included, at most: 250 KiB.
const MOST: usize = 250 * 1024;

/// A letter with pictures: its bytes, and how many of them it has.
struct Weight {
    bytes: usize,
    pictures: usize,
}

/// Plays a campaign of the sensible bots; gives its report and the letters with maps.
fn letters_with_maps(game: &str) -> (SimulationReport, Vec<Weight>) {
    let loaded = shipped_with_bots(game);
    let seats = loaded.game.decl.seats.iter();
    let pairing = seats.map(|seat| (seat.id.clone(), "sensible".to_owned()));
    let out = tempfile::tempdir().unwrap();
    let plan = SimulationPlan {
        roster: None,
        game: game.into(),
        scenario: "campaign".into(),
        options: BTreeMap::new(),
        questions_per_turn: loaded.game.decl.questions_per_turn,
        pairings: vec![pairing.collect()],
        campaigns: 1,
        seed: 5,
        threads: 1,
        trace: false,
        out: Some(out.path().to_owned()),
        keep_all: true,
        recheck: false,
        pictures: true,
    };
    let report = simulate::run(&plan, &loaded, &mut |_| ()).unwrap();
    assert_eq!(report.faults, BTreeMap::new());
    assert!(!report.results[0].endings.contains_key("broken off"));
    let outbox = out.path().join("simulated-1/campaign/outbox");
    let letters = loaded.game.decl.seats.iter();
    let letters = letters.flat_map(|seat| mails(&outbox.join(seat.id.as_str()).join("new")));
    let weighed = letters.map(|mail| Weight {
        bytes: mail.len(),
        pictures: mail.matches("Content-Type: image/png").count(),
    });
    let with_maps = weighed.filter(|letter| letter.pictures > 0).collect();
    (report, with_maps)
}

fn mails(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    let mails = files.map(|file| fs::read(file.unwrap().path()).unwrap());
    mails
        .map(|mail| String::from_utf8_lossy(&mail).into_owned())
        .collect()
}

#[track_caller]
fn assert_light(letters: &[Weight]) {
    assert!(letters.len() > 10, "{} letters", letters.len());
    let most = letters.iter().map(|letter| letter.bytes).max();
    assert!(most < Some(MOST), "{most:?} bytes");
}

/// The Austrians storm, act by surprise and have Pavia to guard; still neither bot orders what a
/// receipt refuses.
#[test]
fn on_hexes_nothing_is_refused_and_letters_are_light() {
    let (report, letters) = letters_with_maps("novara");
    let sensible = &report.bots["sensible"];
    assert_eq!((sensible.refused, sensible.wrong), (0, 0));
    assert!(sensible.orders > 200, "{sensible:?}");
    assert_light(&letters);
    assert!(letters.iter().all(|letter| letter.pictures > 1));
    // Since numbers of hexes are as large as they are read, two sheets fill a letter.
    assert!(letters.iter().any(|letter| letter.pictures > 2));
}

#[test]
fn letters_of_points_are_light() {
    let (_, letters) = letters_with_maps("castiglione");
    assert_light(&letters);
    // The whole from afar, and the parts in which somebody stands.
    assert!(letters.iter().any(|letter| letter.pictures > 1));
}
