//! What scripts print for their authors: `case`, `check`, `orders` and `simulate` show it when they
//! are asked to, with script and line; what plays a campaign neither shows nor keeps it.

use std::{fs, path::Path};

use super::outpost::{IN_MARCH, Outpost};
use crate::support::program::estafette;

const IN_CHECK: &str = "    if unit.tired { return [#{level";

#[test]
fn a_case_shows_every_kind_of_value_with_its_line() {
    let shown = [
        ("print(unit);", "column"),
        (r#"print("a \"text\"");"#, r#"a "text""#),
        (r#"debug("a text");"#, r#""a text""#),
        ("print(12);", "12"),
        ("print(true);", "true"),
        ("print('c');", "c"),
        ("print(());", "()"),
        (r#"print([1, "b", unit]);"#, r#"[1, "b", column]"#),
        (r#"debug(#{at: unit.at});"#, r#"#{"at": "0101"}"#),
        ("print(0..3);", "0..3"),
        ("print(area_of(unit));", "0101"),
        (r#"print("\u001b[2J\nnext");"#, r"\u{1b}[2J\nnext"),
    ];
    let lines: Vec<(&str, &str)> = shown.iter().map(|(line, _)| (IN_MARCH, *line)).collect();
    let outpost = Outpost::with(&lines);
    let ran = outpost.case(&["--trace"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let mut expected = "trace of A column goes to the stream:\n".to_owned();
    let first = outpost.line(shown[0].0);
    for (number, (_, value)) in shown.iter().enumerate() {
        expected += &format!("  rules/outpost/outpost.rhai:{}: {value}\n", first + number);
    }
    assert_eq!(ran.err, expected);
    let silent = outpost.case(&[]);
    assert_eq!((silent.code, silent.err.as_str()), (0, ""), "{silent:?}");
    assert_eq!(silent.out, ran.out);
}

#[test]
fn what_is_shown_is_bounded() {
    let outpost = Outpost::with(&[(IN_MARCH, "for number in 0..5000 { print(number); }")]);
    let ran = outpost.case(&["--trace"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines.len(), 1002);
    assert!(lines[1000].ends_with(": 999"), "{}", lines[1000]);
    assert_eq!(lines[1001], "  no more than 1000 lines are shown");

    let outpost = Outpost::with(&[
        (
            IN_MARCH,
            r#"let long = "x"; long.pad(3000, 'x'); print(long);"#,
        ),
        (
            IN_MARCH,
            r#"let longer = []; longer.pad(15000, "0123"); debug(longer);"#,
        ),
    ]);
    let ran = outpost.case(&["--trace"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!(
        lines[1].ends_with(&format!(": {}…", "x".repeat(1000))),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].ends_with(": (too long to be shown)"),
        "{}",
        lines[2]
    );
}

/// Blue is asked in the battle, so that its script runs twice.
#[test]
fn what_a_phase_showed_before_it_waited_is_shown_once() {
    let outpost = Outpost::with(&[
        ("            let answer = ask(", r#"print("before");"#),
        (
            r#"            if answer.choice == "leave""#,
            r#"print("after");"#,
        ),
    ]);
    fs::write(
        outpost.path("march.yaml"),
        r#"case: The guards leave
rules: [2.a]
game: outpost
scenario: raid
given: {turn: 1, phase: battle, pieces: {Column: {at: "0202"}, Guards: {at: "0302"}}}
standing: {blue: "ASK STAND"}
answers: [{seat: blue, topic: stand, answer: LEAVE}]
expect: {pieces: {Guards: {at: lost}}}
"#,
    )
    .unwrap();
    let ran = outpost.case(&["--trace"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for word in ["before", "after"] {
        assert_eq!(ran.err.matches(word).count(), 1, "{}", ran.err);
    }
}

#[test]
fn check_and_simulate_show_it_too() {
    let outpost = Outpost::with(&[
        (IN_MARCH, "print(unit.at);"),
        (IN_CHECK, "debug(order.to);"),
    ]);
    let marched = format!(
        "  rules/outpost/outpost.rhai:{}: ",
        outpost.line("print(unit.at)")
    );
    let judged = format!(
        "  rules/outpost/outpost.rhai:{}: ",
        outpost.line("debug(order.to)")
    );

    let checked = outpost.run(&["check", "outpost", "--trace"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert!(
        checked.err.starts_with("trace of outpost:\n"),
        "{}",
        checked.err
    );
    assert!(checked.err.contains(&judged), "{}", checked.err);
    assert_eq!(outpost.run(&["check", "outpost"]).err, "");

    let simulate = ["simulate", "outpost", "--campaigns", "2"];
    let played = outpost.run(&[&simulate[..], &["--trace", "--json"]].concat());
    assert_eq!(played.code, 0, "{played:?}");
    played.json();
    let bot = "  rules/outpost/bots/walker.rhai:2: bot red\n";
    for number in [1, 2] {
        assert!(
            played
                .err
                .contains(&format!("trace of campaign {number}:\n")),
            "{}",
            played.err
        );
    }
    for line in [&*marched, &judged, bot] {
        assert!(played.err.contains(line), "{line}: {}", played.err);
    }
    let silent = outpost.run(&simulate);
    assert_eq!((silent.code, silent.err.as_str()), (0, ""), "{silent:?}");
}

/// The word that the scripts print is put together when they run, so that it stands in no script.
const WORD: &str = "seenbynobody";

#[test]
fn what_plays_shows_nothing_and_keeps_nothing() {
    let made = r#"let seen = "seenby"; seen += "nobody";"#;
    let spoken = format!("{made} print(seen); debug(seen);");
    let outpost = Outpost::with(&[
        (IN_MARCH, &spoken),
        (IN_CHECK, &spoken),
        ("    let before = fact(\"weather\");", &spoken),
    ]);
    let campaign = outpost.path("campaign");
    let campaign = campaign.to_str().unwrap();
    let made = outpost.run(&[
        "new",
        "outpost",
        "--into",
        campaign,
        "--seat",
        "red=ada@example.org",
        "--seat",
        "blue=bert@example.org",
        "--settle",
        "0",
    ]);
    assert_eq!(made.code, 0, "{made:?}");
    let mut ran = vec![made];

    let text = b"MARCH Column TO 0201\n";
    let orders = ["orders", campaign, "--seat", "red"];
    let aloud = estafette(&[&orders[..], &["--trace"]].concat(), text);
    let line = outpost.line(IN_CHECK) - 1;
    let expected = format!("  rules/outpost/outpost.rhai:{line}: {WORD}\n");
    assert!(aloud.err.contains(&expected), "{aloud:?}");
    ran.push(estafette(&orders, text));

    let mut tokens = Vec::new();
    for number in 0..4 {
        ran.push(estafette(&["run", campaign], b""));
        let Some((to, token)) = newest_letter(Path::new(campaign), &tokens) else {
            continue;
        };
        let mail = format!(
            "From: ada@example.org\r\nTo: {to}\r\nMessage-ID: <{number}@example.org>\r\nSubject: orders\r\n\r\n\
             MARCH Column TO 0201\r\n"
        );
        tokens.push(token);
        ran.push(estafette(&["deliver", campaign], mail.as_bytes()));
    }
    ran.push(estafette(&["audit", campaign], b""));
    let status = estafette(&["status", campaign], b"");
    assert!(status.out.contains("march.blue"), "{status:?}");
    for ran in &ran {
        assert!(
            !ran.out.contains(WORD) && !ran.err.contains(WORD),
            "{ran:?}"
        );
    }
    let mut files = 0;
    look_through(Path::new(campaign), &mut files);
    assert!(files > 5, "{files} files");
    for command in ["run", "serve", "deliver", "audit"] {
        let refused = estafette(&[command, "--trace", campaign], b"");
        assert_eq!(refused.code, 2, "{command}: {refused:?}");
    }
}

/// The address that red's newest letter asks for orders at, unless it has been answered.
fn newest_letter(campaign: &Path, answered: &[String]) -> Option<(String, String)> {
    let letters = fs::read_dir(campaign.join("outbox/red/new")).ok()?;
    let mut letters: Vec<_> = letters.map(|entry| entry.unwrap().path()).collect();
    letters.sort();
    let text = fs::read_to_string(letters.last()?).unwrap();
    let line = text.lines().find(|line| line.starts_with("Reply-To:"))?;
    let (_, address) = line.split_once('<')?;
    let address = address.trim_end_matches('>').to_owned();
    (!answered.contains(&address)).then(|| (address.clone(), address))
}

fn look_through(folder: &Path, files: &mut usize) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            look_through(&path, files);
        } else {
            let bytes = fs::read(&path).unwrap();
            let found = bytes
                .windows(WORD.len())
                .any(|bytes| bytes == WORD.as_bytes());
            assert!(!found, "{}", path.display());
            *files += 1;
        }
    }
}
