//! What the letters of whole campaigns weigh, with their maps: a telephone gets them too.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use estafette::{
    game::{self, EmbeddedFiles, Game, GameFiles},
    simulate::{self, BotGame, SimulationPlan},
};

/// Bytes of a mail, pictures included, at most: 250 KiB.
const MOST: usize = 250 * 1024;

/// A letter with pictures: its bytes, and how many of them it has.
struct Weight {
    bytes: usize,
    pictures: usize,
}

/// Plays a campaign of the sensible bots; gives the letters that have a map.
fn letters_with_maps(game: &str) -> Vec<Weight> {
    let files = GameFiles::gather(&EmbeddedFiles, game).unwrap();
    let loaded = BotGame {
        game: Arc::new(Game::load(&files, game).unwrap()),
        bots: game::bot_scripts(&EmbeddedFiles, game).unwrap(),
        files,
    };
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
    let outbox = out.path().join("simulated-1/campaign/outbox");
    let letters = loaded.game.decl.seats.iter();
    let letters = letters.flat_map(|seat| mails(&outbox.join(seat.id.as_str()).join("new")));
    let weighed = letters.map(|mail| Weight {
        bytes: mail.len(),
        pictures: mail.matches("Content-Type: image/png").count(),
    });
    weighed.filter(|letter| letter.pictures > 0).collect()
}

fn mails(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    let mails = files.map(|file| fs::read(file.unwrap().path()).unwrap());
    mails
        .map(|mail| String::from_utf8_lossy(&mail).into_owned())
        .collect()
}

fn are_light(game: &str) -> Vec<Weight> {
    let letters = letters_with_maps(game);
    assert!(letters.len() > 10, "{} letters", letters.len());
    let most = letters.iter().map(|letter| letter.bytes).max();
    assert!(most < Some(MOST), "{game}: {most:?} bytes");
    letters
}

#[test]
fn letters_of_hexes_are_light_and_have_their_sheets() {
    let letters = are_light("novara");
    assert!(letters.iter().all(|letter| letter.pictures > 1));
    // Since numbers of hexes are as large as they are read, two sheets fill a letter.
    assert!(letters.iter().any(|letter| letter.pictures > 2));
}

#[test]
fn letters_of_points_are_light() {
    let letters = are_light("castiglione");
    // The whole from afar, and the parts in which somebody stands.
    assert!(letters.iter().any(|letter| letter.pictures > 1));
}
