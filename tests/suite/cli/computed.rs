//! A name that a script makes up while it runs can't be proved by `check`: cases and simulations
//! find it, no campaign is the first.

use std::{fs, path::Path};

use estafette::game::{Disk, Files};

use crate::support::program::estafette;

const BOT: &str = r#"fn walker(seat, asked) {
    if asked.phase == "march" && seat == "red" { [["MARCH Column TO 0201"]] } else { [] }
}
"#;

const CASE: &str = r#"case: A column goes to the stream
rules: [1.a]
game: outpost
scenario: raid
given: {turn: 1, phase: march.red}
orders: {red: "MARCH Column TO 0201"}
expect: {pieces: {Column: {at: "0201"}}, next: march.blue}
"#;

/// What is planted: a side, a group of standing orders and a level of victory that there are not,
/// put together at run time.
const MADE_UP: [(&str, &str); 3] = [
    (
        r#"units("rdex".sub_string(0, 3));"#,
        "there is no side `rde`",
    ),
    (
        r#"told_group("red", "alarms".sub_string(0, 4));"#,
        "there is no group of standing orders `alar`",
    ),
    (
        r#"victory("red", "takenly".sub_string(0, 4));"#,
        "there is no text for the level of victory `take`",
    ),
];

#[test]
fn what_is_made_up_is_checked_when_it_runs() {
    let planted = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/planted");
    let game = Disk::default()
        .games(&planted.join("games"))
        .rules(&planted.join("rules"));
    for (line, message) in MADE_UP {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for part in ["games/outpost", "rules/outpost"] {
            for path in game.list(part).unwrap() {
                let copy = root.join(&path);
                fs::create_dir_all(copy.parent().unwrap()).unwrap();
                fs::write(copy, game.read(&path).unwrap()).unwrap();
            }
        }
        let bots = root.join("rules/outpost/bots");
        fs::create_dir(&bots).unwrap();
        fs::write(bots.join("walker.rhai"), BOT).unwrap();
        let case = root.join("march.yaml");
        fs::write(&case, CASE).unwrap();
        let (games, rules) = (root.join("games"), root.join("rules"));
        let places = [
            "--games",
            games.to_str().unwrap(),
            "--rules",
            rules.to_str().unwrap(),
        ];
        let run = |args: &[&str]| estafette(&[args, &places].concat(), b"");
        let case = ["case", case.to_str().unwrap()];
        let sound = run(&case);
        assert_eq!(sound.code, 0, "{} {}", sound.out, sound.err);

        let script = root.join("rules/outpost/outpost.rhai");
        let text = fs::read_to_string(&script).unwrap();
        let place = "        let wet = if";
        assert_eq!(text.matches(place).count(), 1);
        fs::write(
            &script,
            text.replace(place, &format!("        {line}\n{place}")),
        )
        .unwrap();
        let checked = run(&["check", "outpost"]);
        assert_eq!(checked.code, 0, "{line}: {}", checked.out);
        for args in [&case[..], &["simulate", "outpost", "--campaigns", "1"]] {
            let ran = run(args);
            assert_eq!(ran.code, 1, "{line}: {args:?}: {}", ran.out);
            assert!(
                ran.out.contains("outpost.rhai:37:9") && ran.out.contains(message),
                "{line}: {args:?}: {}",
                ran.out
            );
        }
    }
}
