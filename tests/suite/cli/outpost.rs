//! The game of the planted mistakes, copied into a folder where a test can spoil it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use estafette::game::{Disk, Files};

use crate::support::program::{Ran, estafette};

/// A place in the function of its march.
pub const IN_MARCH: &str = "        let wet = if";

const CASE: &str = r#"case: A column goes to the stream
rules: [1.a]
game: outpost
scenario: raid
given: {turn: 1, phase: march.red}
orders: {red: "MARCH Column TO 0201"}
expect: {pieces: {Column: {at: "0201"}}, next: march.blue}
"#;

/// The game of the planted mistakes, in a folder of its own, with lines added to its script.
pub struct Outpost {
    root: tempfile::TempDir,
}

impl Outpost {
    /// Writes it, each line before the first occurrence of its place.
    pub fn with(lines: &[(&str, &str)]) -> Self {
        let planted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/planted");
        let game = Disk::default()
            .games(&planted.join("games"))
            .rules(&planted.join("rules"));
        let root = tempfile::tempdir().unwrap();
        for part in ["games/outpost", "rules/outpost"] {
            for path in game.list(part).unwrap() {
                let copy = root.path().join(&path);
                fs::create_dir_all(copy.parent().unwrap()).unwrap();
                fs::write(copy, game.read(&path).unwrap()).unwrap();
            }
        }
        let outpost = Self { root };
        fs::write(outpost.path("march.yaml"), CASE).unwrap();
        let script = outpost.path("rules/outpost/outpost.rhai");
        let mut text = fs::read_to_string(&script).unwrap();
        for (place, line) in lines {
            assert!(text.contains(place), "{place}");
            text = text.replacen(place, &format!("{line}\n{place}"), 1);
        }
        fs::write(script, text).unwrap();
        outpost
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        let (games, rules) = (self.path("games"), self.path("rules"));
        let places = [
            "--games",
            games.to_str().unwrap(),
            "--rules",
            rules.to_str().unwrap(),
        ];
        estafette(&[args, &places].concat(), b"")
    }

    pub fn case(&self, more: &[&str]) -> Ran {
        let case = self.path("march.yaml");
        self.run(&[&["case", case.to_str().unwrap()], more].concat())
    }

    /// The number of the first line of the script with these words.
    pub fn line(&self, words: &str) -> usize {
        let text = fs::read_to_string(self.path("rules/outpost/outpost.rhai")).unwrap();
        text.lines().position(|line| line.contains(words)).unwrap() + 1
    }
}
