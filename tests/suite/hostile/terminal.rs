//! What somebody else has written is shown, and no terminal obeys it: whatever a command prints, on
//! either stream.
#![cfg(unix)]

use std::{fs, path::Path};

use super::folders::copied;
use crate::support::{
    Test,
    program::{Ran, estafette},
};

/// Moves the cursor, sets a title, turns a line round, and begins a line that looks like one of the
/// program's own.
const HOSTILE: &str = "\u{1b}[2J\u{9b}31m\u{7}\u{202e}x\r\nestafette: everything fits";

/// Nothing unseen was printed, and no line that the program did not write.
#[track_caller]
fn harmless(ran: &Ran) {
    for stream in [&ran.out, &ran.err] {
        let unseen = |letter: char| {
            letter != '\n' && (letter.is_control() || ('\u{202a}'..='\u{202e}').contains(&letter))
        };
        assert!(!stream.contains(unseen), "{stream:?}");
        let forged = stream
            .lines()
            .any(|line| line == "estafette: everything fits");
        assert!(!forged, "{stream}");
    }
}

/// The same, and what is hostile is there to be read.
#[track_caller]
fn shown(ran: &Ran) {
    harmless(ran);
    assert!(
        format!("{}{}", ran.out, ran.err).contains("\\u{1b}"),
        "{ran:?}"
    );
}

/// An archive with one entry of this name.
fn tar(name: &str, file: &Path) {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    header.set_cksum();
    builder.append(&header, std::io::empty()).unwrap();
    fs::write(file, builder.into_inner().unwrap()).unwrap();
}

#[test]
fn names_in_an_archive_are_only_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.tar");
    tar(HOSTILE, &file);
    let ran = estafette(&["audit", file.to_str().unwrap()], b"");
    assert_eq!(ran.code, 1);
    shown(&ran);
}

#[test]
fn an_archive_of_another_kind_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let audit = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        estafette(&["audit", file.to_str().unwrap()], b"")
    };
    for (name, bytes, said) in [
        (
            "x.tar",
            &b"\x1f\x8b\x08\0"[..],
            "packed with gzip: unpack it first (`gunzip`)",
        ),
        ("x.tar.xz", b"\xfd7zXZ\0", "packed with xz"),
        ("x.zip", b"PK\x03\x04", "packed with zip"),
        ("noise.tar", &[0x5a; 2_000], "this is no tar archive"),
        ("noise", b"\x00\x01\x02", "neither a tar archive nor text"),
    ] {
        let ran = audit(name, bytes);
        assert!(ran.code == 1 && ran.err.contains(said), "{name}: {ran:?}");
    }
}

#[test]
fn a_mail_is_only_shown() {
    let mail = "From: =?utf-8?Q?Eve=1B[2J?= <eve@example.net>\r\nTo: <game@example.org>\r\n\
         Subject: =?utf-8?Q?=1B[31mred=07?=\r\n\r\nMOVE \u{1b}[2J\u{9b}5m\u{202e}Ott: Salo\r\n";
    harmless(&estafette(&["read", "-"], mail.as_bytes()));
    let json = estafette(&["read", "-", "--json"], mail.as_bytes());
    harmless(&json);
    assert!(json.json()["words"].to_string().contains("Ott"));
}

#[test]
fn a_game_and_its_cases_are_only_shown() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let key = "\"\\e[2J\\x9b31m\\a\\u202ex\\r\\nestafette: everything fits\"";
    copied(root);
    let declared = root.join("games/tiny/game.yaml");
    let game = fs::read_to_string(&declared).unwrap();
    fs::write(declared, format!("{key}: 1\n{game}")).unwrap();
    let [games, rules] = ["games", "rules"].map(|name| root.join(name));
    let [games, rules] = [&games, &rules].map(|path| path.to_str().unwrap());
    shown(&estafette(
        &["check", "tiny", "--games", games, "--rules", rules],
        b"",
    ));
    shown(&estafette(
        &["simulate", "tiny", "--games", games, "--rules", rules],
        b"",
    ));

    let case = root.join("case.yaml");
    let text = format!(
        "case: {key}\nrules: [{key}]\ngame: castiglione\ngiven: {{phase: {key}}}\nexpect: {{}}\n"
    );
    fs::write(&case, text).unwrap();
    shown(&estafette(&["case", case.to_str().unwrap()], b""));
}

#[test]
fn a_campaigns_own_files_are_only_shown() {
    let test = Test::campaign("castiglione").scenario("lonato").begin();
    let settings = test.root().join("campaign.yaml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, format!("\"\\e[2J\\a\": 1\n{text}")).unwrap();
    let root = test.root();
    for command in ["status", "run", "audit"] {
        let ran = estafette(&[command, root.to_str().unwrap()], b"");
        harmless(&ran);
        assert!(format!("{}{}", ran.out, ran.err).contains("[2J"), "{ran:?}");
    }
}
