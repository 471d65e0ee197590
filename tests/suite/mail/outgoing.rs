//! What a host says to servers and to its log: envelope senders, and lines without secrets.
#![cfg(unix)]

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt};

use crate::support::Test;
use crate::support::mailserver::host::Host;

/// A program in place of `sendmail`: it notes its arguments and keeps the letter.
const PROGRAM: &str = "#!/bin/sh\nfolder=$(dirname \"$0\")/sent\nmkdir -p \"$folder\"\n\
    name=$(mktemp \"$folder/XXXXXX\")\nprintf '%s\\n' \"$@\" > \"$name.args\"\ncat > \"$name\"\n";

#[test]
fn answers_have_no_sender_and_the_log_no_secrets() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    test.mail("french", "POURSUIVRE JAMAIS").run();
    let token = test.newest("french").token().to_owned();
    let more = "out: {sendmail: {command: ./sendmail}}\nlog: {format: json, level: trace}";
    let host = Host::new(&[&test.root()], more);
    let program = host.path("sendmail");
    fs::write(&program, PROGRAM).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let output = host
        .command("run")
        .args(["--now", &test.now().to_string()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");

    let mut senders: BTreeMap<bool, Vec<String>> = BTreeMap::new();
    for file in fs::read_dir(host.path("sent")).unwrap() {
        let path = file.unwrap().path();
        let Some(letter) = path.to_str().unwrap().strip_suffix(".args") else {
            continue;
        };
        let letter = fs::read_to_string(letter).unwrap();
        let arguments = fs::read_to_string(&path).unwrap();
        let mut arguments = arguments.lines().skip_while(|word| *word != "-f").skip(1);
        let answers = letter.contains("Auto-Submitted: auto-replied");
        senders
            .entry(answers)
            .or_default()
            .push(arguments.next().unwrap().to_owned());
    }
    assert_eq!(senders[&true], ["<>"], "the receipt (RFC 3834, 3.3)");
    let others = &senders[&false];
    assert!(others.len() >= 4 && others.iter().all(|sender| sender == "game@example.org"));

    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.lines().count() >= 1);
    for line in log.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect(line);
        assert!(line["level"].is_string() && line["timestamp"].is_string());
    }
    assert!(
        !log.contains(&token) && !log.contains("POURSUIVRE"),
        "{log}"
    );
}
