//! `estafette new-game`: what it makes is sound at once, in all its variants, and nothing is
//! written over.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::program::{Ran, estafette};

/// The program with the game `ridge` of a folder.
struct Made {
    folder: tempfile::TempDir,
}

impl Made {
    fn with(variant: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ran = made("ridge", folder.path(), variant);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a command says, which must succeed; `cases` stands for the folder of the cases.
    fn says(&self, command: &str) -> String {
        let [games, rules, cases] = ["games", "rules", "cases"].map(|it| self.path(it));
        let mut words: Vec<&str> = command.split(' ').collect();
        for word in &mut words {
            if *word == "cases" {
                *word = cases.to_str().unwrap();
            }
        }
        words.extend(["--games", games.to_str().unwrap()]);
        words.extend(["--rules", rules.to_str().unwrap()]);
        let ran = estafette(&words, b"");
        assert_eq!(ran.code, 0, "{command}: {ran:?}");
        ran.out
    }
}

fn made(name: &str, into: &Path, variant: &[&str]) -> Ran {
    let words = ["new-game", name, "--into", into.to_str().unwrap()];
    estafette(&[&words[..], variant].concat(), b"")
}

/// Checks, cases, coverage, simulations and the map of a variant.
fn is_sound(variant: &[&str]) {
    let made = Made::with(variant);
    assert_eq!(made.says("check ridge"), "ridge: sound\n");
    let cases = made.says("case cases --quiet");
    assert!(cases.ends_with(" passed, 0 failed\n"), "{cases}");
    let coverage = made.says("coverage ridge --cases cases");
    assert!(
        coverage.contains("10 with cases, 0 with nothing to test, 0 missing"),
        "{coverage}"
    );
    let mutants = made.says("coverage ridge --cases cases --mutants 1000");
    assert!(mutants.contains(" noticed, 0 not\n"), "{mutants}");
    let bots = made.says("simulate ridge --campaigns 4");
    assert!(bots.contains(" 0 refused, 0 wrong lines"), "{bots}");
    let campaign = made.path("campaign");
    let into = campaign.to_str().unwrap();
    made.says(&format!(
        "new ridge --into {into} --seat red=ada@example.org --seat blue=bert@example.org"
    ));
    let picture = made.path("map.png");
    let ran = estafette(
        &[
            "map",
            into,
            "--seat",
            "red",
            "--out",
            picture.to_str().unwrap(),
        ],
        b"",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(fs::read(picture).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_game_of_places_and_roads_is_sound() {
    is_sound(&[]);
}

#[test]
fn a_game_of_places_and_roads_in_fog_is_sound() {
    is_sound(&["--fog"]);
}

#[test]
fn a_game_of_hexes_is_sound() {
    is_sound(&["--hexes"]);
}

#[test]
fn a_game_of_hexes_in_fog_is_sound() {
    is_sound(&["--hexes", "--fog"]);
}

/// What an editor reads is what `check` writes, and the commands of the page are there.
#[test]
fn what_lies_beside_it_is_up_to_date() {
    let made = Made::with(&[]);
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for name in ["host.d.rhai", "schema/game.schema.json"] {
        assert_eq!(read(made.path(name)), read(docs.join(name)), "{name}");
    }
    let page = read(made.path("games/ridge/README.md"));
    assert!(page.starts_with("# Ridge\n"));
    for line in page.lines().filter(|line| line.starts_with("estafette ")) {
        let command = line.strip_prefix("estafette ").unwrap();
        let command = command.replace(" --games games --rules rules", "");
        made.says(&command);
    }
}

#[test]
fn nothing_is_written_over() {
    let made_first = Made::with(&[]);
    let script = made_first.path("rules/ridge/march.rhai");
    fs::write(&script, "// Mine.\n").unwrap();
    let again = made("ridge", made_first.folder.path(), &["--fog"]);
    assert_eq!(again.code, 1);
    assert!(again.err.contains("is there already"), "{}", again.err);
    assert_eq!(fs::read_to_string(&script).unwrap(), "// Mine.\n");

    // Another game goes beside it; a page that somebody has changed stays.
    assert_eq!(made("valley", made_first.folder.path(), &[]).code, 0);
    fs::write(made_first.path("host.d.rhai"), "// Mine.\n").unwrap();
    let third = made("moor", made_first.folder.path(), &[]);
    assert_eq!(third.code, 1);
    assert!(third.err.contains("host.d.rhai"), "{}", third.err);
    assert!(!made_first.path("games/moor").exists());
}

#[test]
fn a_name_is_one() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["", "Ridge", "7years", "a/b", "..", "lib", "long-ridge"] {
        let ran = made(name, folder.path(), &[]);
        assert_eq!(ran.code, 2, "{name}: {ran:?}");
    }
    let shipped = estafette(&["games"], b"").out;
    let first = shipped.split_whitespace().next().unwrap();
    assert_eq!(made(first, folder.path(), &[]).code, 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Any word is a seed; if not told how many, each pairing of bots plays as often as the others, and
/// only what was played is printed.
#[test]
fn simulations_play_all_pairings_evenly() {
    let made = Made::with(&[]);
    let bots = made.path("rules/ridge/bots");
    let eager = fs::read_to_string(bots.join("eager.rhai")).unwrap();
    fs::write(bots.join("keen.rhai"), eager.replace("eager", "keen")).unwrap();
    let pairings = |command: &str| -> Vec<String> {
        let said = made.says(command);
        let counts = said.lines().filter_map(|line| {
            let (_, count) = line.split_once(": ")?;
            ["campaign", "campaigns"]
                .iter()
                .any(|word| count.contains(&format!(" {word}, ended ")))
                .then(|| count.to_owned())
        });
        let counts = counts.filter_map(|count| count.split_once(' ').map(|(n, _)| n.to_owned()));
        counts.collect()
    };
    assert_eq!(pairings("simulate ridge --seed rain"), ["3"; 4]);
    assert_eq!(pairings("simulate ridge --campaigns 1"), ["1"]);
}

#[test]
fn a_folder_of_cases_goes_on_after_a_file_that_cant_be_read() {
    let made = Made::with(&[]);
    let whole = made.says("case cases --quiet");
    fs::write(made.path("cases/0-broken.yaml"), "case: [\n").unwrap();
    let [games, rules, cases] = ["games", "rules", "cases"].map(|it| made.path(it));
    let ran = estafette(
        &[
            "case",
            cases.to_str().unwrap(),
            "--quiet",
            "--games",
            games.to_str().unwrap(),
            "--rules",
            rules.to_str().unwrap(),
        ],
        b"",
    );
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.out, whole, "all others are run");
    assert!(ran.err.contains("0-broken.yaml"), "{}", ran.err);
}

/// A game's name may have what an address may not: a campaign whose name is made up opens all the
/// same.
#[test]
fn a_campaign_of_a_game_of_two_words_opens() {
    let folder = tempfile::tempdir().unwrap();
    let ran = made("long_ridge", folder.path(), &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, rules, into) = (path("games"), path("rules"), path("camp"));
    let words = "new long_ridge --settle 0 --seat red=ada@example.org --seat blue=bert@example.org";
    let mut words: Vec<&str> = words.split(' ').collect();
    words.extend(["--games", &games, "--rules", &rules, "--into", &into]);
    let ran = estafette(&words, b"");
    assert_eq!(ran.code, 0, "{ran:?}");
}

/// A file of bots without a function of its own name has no bot: `check` says so, and a simulation
/// asks for one.
#[test]
fn a_misspelt_bot_is_told_of() {
    let made = Made::with(&["--hexes"]);
    let file = made.path("rules/ridge/bots/eager.rhai");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("fn eager("), "{text}");
    fs::write(&file, text.replacen("fn eager(", "fn eagre(", 1)).unwrap();
    let [games, rules] = ["games", "rules"].map(|it| made.path(it));
    let places = [
        "--games",
        games.to_str().unwrap(),
        "--rules",
        rules.to_str().unwrap(),
    ];
    let checked = estafette(&[&["check", "ridge"][..], &places].concat(), b"");
    assert!(
        checked.out.contains("nothing calls the function `eagre`")
            && checked
                .out
                .contains("the bot of this file is the function `eager`"),
        "{checked:?}"
    );
    let played = estafette(&[&["simulate", "ridge"][..], &places].concat(), b"");
    assert_eq!(played.code, 2, "{played:?}");
    assert!(played.err.contains("ridge brings no bots"), "{played:?}");
}

/// What lies on hexsides is called as the game calls it.
#[test]
fn sources_speak_the_words_of_the_game() {
    let made = Made::with(&["--hexes"]);
    let said = made.says("games ridge --sources");
    for words in ["stream", "bridge", "ford"] {
        assert!(said.contains(&format!("\n{words}: ")), "{words}: {said}");
    }
    assert!(!said.contains("crest") && !said.contains(" or "), "{said}");
}
