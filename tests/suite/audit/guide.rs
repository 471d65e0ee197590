//! The commands of `docs/verify.md` print what the page says they print, and the program in
//! `docs/dice.md` finds what it says.
use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::support::forger::{entry, mend, other_die};

const GUIDE: &str = include_str!("../../../docs/verify.md");
const SPECIFICATION: &str = include_str!("../../../docs/dice.md");

fn said(words: &str) {
    std::io::stderr().write_all(words.as_bytes()).unwrap();
}

#[test]
fn the_commands_print_what_the_guide_says() {
    let blocks = GUIDE.split("```sh\n").skip(1);
    let script: String = blocks
        .map(|block| block.split("```").next().unwrap())
        .collect();
    let expected: Vec<&str> = script
        .lines()
        .filter_map(|line| line.strip_prefix("# => "))
        .collect();
    assert!(expected.len() >= 9);
    let tools = Command::new("bash")
        .args([
            "-c",
            "openssl version && sha256sum --version && od --version && date --version",
        ])
        .output();
    if !tools.is_ok_and(|output| output.status.success()) {
        let words = "\nSKIPPED: docs/verify.md is not tested, as bash, openssl or the GNU tools are not installed\n\n";
        return said(words);
    }
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected, "{error}");
}

/// What the program in the specification prints of a register.
fn checked(register: &str) -> String {
    let (_, program) = SPECIFICATION.split_once("```python\n").unwrap();
    let (program, _) = program.split_once("```").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [check, text] = ["check.py", "register.txt"].map(|name| folder.path().join(name));
    fs::write(&check, program).unwrap();
    fs::write(&text, register).unwrap();
    let output = Command::new("python3")
        .arg(check)
        .arg(text)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_program_in_the_specification_finds_what_is_wrong() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        let words =
            "\nSKIPPED: the program in docs/dice.md is not tested, as python3 is not installed\n\n";
        return said(words);
    }
    let vectors = |text: &str| -> Vec<Value> {
        let vectors: Value = serde_json::from_str(text).unwrap();
        vectors["campaigns"].as_array().unwrap().clone()
    };
    let mut campaigns = vectors(include_str!("../../data/dice-vectors.json"));
    campaigns.extend(vectors(include_str!("../../data/letter-vectors.json")));
    let of = |at: usize| {
        let register = &campaigns[at]["bundle"]["register"];
        register.as_str().unwrap().to_owned()
    };
    for (at, rolls) in [40, 3, 3, 1].into_iter().enumerate() {
        let printed = checked(&of(at));
        let sound = format!("{rolls} open rolls re-derived, 0 wrong; head ");
        assert!(printed.starts_with(&sound), "{printed}");
    }

    let forged = |at: usize, from: &str, to: &str| {
        let register = of(at);
        assert!(register.contains(from), "{from}");
        let mut texts = [register.replacen(from, to, 1)];
        mend(&mut texts, campaigns[at]["campaign"].as_str().unwrap());
        let [text] = texts;
        text
    };
    let die = "roll 2 open t1/combat/B7#3 2d6 = 4 6";
    let opening = entry(&[of(1)], "club-07", 1).unwrap();
    let second = opening.replacen("club-07 1 open", "club-07 2 open", 1);
    for (text, finding) in [
        (
            of(0).replace(die, &other_die(die)),
            "WRONG chain at: sd1 lodz-1914 5 dice",
        ),
        (
            forged(0, die, &other_die(die)),
            "WRONG dice: roll 2 open t1/combat/B7#3",
        ),
        (
            forged(1, "club-07 5 dice", "club-07 5 dices"),
            "WRONG type: sd1 club-07 5 dices",
        ),
        (
            format!("{opening}\n{second}\n"),
            "WRONG, no note before: sd1 club-07 2 open",
        ),
    ] {
        let printed = checked(&text);
        assert!(printed.contains(finding), "{finding}: {printed}");
    }
}
