//! The demo runs in a fresh directory, ends with a passed audit, and is the same every time.
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
};

fn demo(out: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_estafette"))
        .arg("demo")
        .arg("--out")
        .arg(out)
        .output()
        .unwrap()
}

/// All files below a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn two_turns_by_mail_with_a_passed_audit() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let output = demo(&first);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for words in [
        "Did you mean: La Corona",
        "FOURRAGER TOUS",
        "08:25  no mail has come since: orders close",
        "1. La Corona, après le round 1",
        "Turn 2 begins.",
        "Turn 3 begins.",
        "The audit is passed.",
    ] {
        assert!(said.contains(words), "`{words}` is missing in:\n{said}");
    }
    assert_eq!(
        said.matches("Did you mean: La Corona").count(),
        1,
        "a line that was mended is not complained of again"
    );
    // The lock names the process that had it last.
    let files = |folder: &Path| {
        let mut found = files(folder);
        found.remove("campaign/lock");
        found
    };
    let left = files(&first);
    for name in [
        "letters/french/01.eml",
        "letters/austrian/02.html",
        "letters/austrian/02.png",
        "campaign/journal.jsonl",
    ] {
        assert!(left.contains_key(name), "{name} is missing");
    }
    let opening = String::from_utf8_lossy(&left["letters/french/01.eml"]).replace("=\r\n", "");
    assert!(opening.contains("these dice are not secret"), "{opening}");
    for (letter, words) in [
        (
            "austrian/04.txt",
            "# MOVE Quasdanovich, Ott, Ocskay, Klenau: Vestone\n# MOVE Uhlans: Montebello\n",
        ),
        (
            "austrian/05.txt",
            "Until then your orders are still awaited.",
        ),
        (
            "austrian/03.txt",
            "You may correct these orders until Saturday 21 November 2026, 08:15",
        ),
        (
            "austrian/06.txt",
            "Left out of what you had sent before, as you were told then:",
        ),
        ("french/14.txt", ": Castel d'Ario - Mantoue."),
        (
            "french/04.txt",
            "* Sérurier             rang 2 VS 1 RC 2 VT 1   Mantoue",
        ),
        ("french/07.txt", "# DÉPLACER Joubert, Rampon: Rivoli\n"),
        (
            "french/12.txt",
            "  - Cavalerie de Pittoni subit 1 perte, 1 en tout.",
        ),
    ] {
        let text = String::from_utf8_lossy(&left[&format!("letters/{letter}")]);
        assert!(
            text.contains(words),
            "{letter}: `{words}` is missing in:\n{text}"
        );
    }
    assert!(demo(&second).status.success());
    let again = files(&second);
    let differing: Vec<_> = left
        .iter()
        .filter(|(name, bytes)| again.get(*name) != Some(*bytes))
        .map(|(name, _)| name)
        .collect();
    assert!(
        differing.is_empty() && left.len() == again.len(),
        "not the same in two runs: {differing:?}"
    );
    let refused = demo(&first);
    assert_eq!(
        refused.status.code(),
        Some(2),
        "an existing folder is not overwritten"
    );
}
