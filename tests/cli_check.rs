//! `estafette check` on the games that are shipped, and the definitions that it writes for script editors.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]

mod cli;

use std::fs;

use cli::estafette;

#[test]
fn every_game_that_is_shipped_is_sound() {
    let ran = estafette(&["check"], b"");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(
        ran.out.lines().all(|line| line.ends_with(": sound")),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("castiglione: sound"));
}

#[test]
fn a_mistake_is_found_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("castiglione");
    fs::create_dir(&games).unwrap();
    let data = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/games/castiglione/map.yaml"
    ))
    .unwrap();
    let broken = data.replacen("terrain: ", "terain: ", 1);
    let line = 1 + data[..data.find("terrain: ").unwrap()]
        .matches('\n')
        .count();
    fs::write(games.join("map.yaml"), broken).unwrap();
    let ran = estafette(
        &[
            "check",
            "castiglione",
            "--games",
            folder.path().to_str().unwrap(),
        ],
        b"",
    );
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains(&format!("map.yaml:{line}:")) && ran.out.contains("terain"),
        "{}",
        ran.out
    );
}

#[test]
fn the_definitions_for_editors_are_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host.d.rhai");
    let ran = estafette(
        &[
            "check",
            "castiglione",
            "--definitions",
            file.to_str().unwrap(),
        ],
        b"",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    let kept =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/host.d.rhai")).unwrap();
    assert!(
        fs::read_to_string(file).unwrap() == kept,
        "docs/host.d.rhai is not what the host offers now; write it anew:\n\
         cargo run -- check castiglione --definitions docs/host.d.rhai"
    );
}
