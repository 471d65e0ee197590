//! `estafette serve` and `run --config` as processes, with Maildirs in place of servers.
#![cfg(unix)]

use std::{fs, path::Path, time::Duration};

use crate::support::mailserver::{
    host::{Host, journal, letters},
    until,
};
use crate::support::{Letter, Test, fed, mail_to};
use estafette::mail::maildir::Maildir;

const MAILDIRS: &str = "in: [{maildir: {path: in}}]\nout: {maildir: {path: out}}";

fn campaign() -> Test {
    Test::campaign("castiglione").scenario("lonato").begin()
}

fn host(campaigns: &[&Path]) -> Host {
    let host = Host::new(campaigns, MAILDIRS);
    Maildir::at(host.path("in")).create().unwrap();
    host
}

fn put(host: &Host, number: u32, bytes: &[u8]) {
    Maildir::at(host.path("in"))
        .put(&format!("{number:06}"), bytes)
        .unwrap();
}

/// The letters that have arrived at an address.
fn arrived(host: &Host, address: &str) -> Vec<Letter> {
    let new = host.path("out").join(address).join("new");
    let files = fs::read_dir(new)
        .into_iter()
        .flatten()
        .map(|file| fs::read(file.unwrap().path()).unwrap());
    files.map(|bytes| Letter::read(&bytes)).collect()
}

fn answered(host: &Host, address: &str, number: u32) -> bool {
    let id = format!("In-Reply-To: <{number}@players.example>");
    arrived(host, address)
        .iter()
        .any(|letter| letter.header.contains(&id))
}

#[test]
fn a_turn_from_maildir_to_maildir() {
    let test = campaign();
    let mut host = host(&[&test.root()]);
    host.serve();
    until("opening letters", || {
        !arrived(&host, "ada@example.org").is_empty()
            && !arrived(&host, "bert@example.org").is_empty()
    });
    let reply = |address: &str| {
        arrived(&host, address)
            .iter()
            .find(|letter| !letter.reply_to.is_empty())
            .unwrap()
            .reply_to
            .clone()
    };
    put(
        &host,
        1,
        &mail_to("french", &reply("ada@example.org"), "NOTHING", 1),
    );
    until("a receipt", || answered(&host, "ada@example.org", 1));
    let before = arrived(&host, "bert@example.org").len();
    put(
        &host,
        2,
        &mail_to("austrian", &reply("bert@example.org"), "NOTHING", 2),
    );
    until("the next dispatch", || {
        arrived(&host, "bert@example.org").len() > before + 1
    });
    // Strangers' mails are put aside, and nobody answers them.
    put(
        &host,
        3,
        b"From: x@example.net\r\nTo: game@example.org\r\nSubject: win\r\n\r\nmoney\r\n",
    );
    let aside = host.path("state/aside/new");
    until("a mail put aside", || {
        fs::read_dir(&aside).unwrap().count() == 1
    });
    // What somebody else brings is seen, too.
    let mut deliver = std::process::Command::new(env!("CARGO_BIN_EXE_estafette"));
    let bytes = mail_to("austrian", "game@example.org", "NOTHING", 4);
    let delivered = fed(deliver.arg("deliver").arg(test.root()), &bytes);
    assert!(delivered.status.success(), "{delivered:?}");
    until("an answer to what was delivered", || {
        answered(&host, "bert@example.org", 4)
    });
    let token = reply("ada@example.org");
    // A host whose threads do not end when they are told to says so itself, and fails.
    let (status, _) = host.end("TERM");
    assert!(status.success(), "{status}: {}", host.log());
    assert_eq!(
        journal(&test.root()),
        ["1@players.example", "2@players.example"]
    );
    // Each letter has arrived with the bytes that it has in the outbox.
    let all: Vec<Letter> = ["ada", "bert", "umpire"]
        .iter()
        .flat_map(|name| arrived(&host, &format!("{name}@example.org")))
        .collect();
    for (id, bytes) in letters(&test.root()) {
        assert!(
            all.iter()
                .any(|letter| letter.message_id == id && letter.bytes == bytes),
            "{id}"
        );
    }
    assert!(
        !host.log().contains(token.split('@').next().unwrap()),
        "no tokens in the log"
    );
}

#[test]
fn one_host_at_a_time_and_a_clean_end_by_either_signal() {
    let test = campaign();
    let mut host = host(&[&test.root()]);
    host.serve();
    until("it is up", || host.log().contains("serving"));
    let second = host.command("serve").output().unwrap();
    assert_eq!(second.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&second.stderr).contains("in use by another process"));
    assert!(host.end("INT").0.success());
    assert!(host.command("run").output().unwrap().status.success());
}

#[test]
fn a_broken_campaign_harms_no_other() {
    let (sound, broken) = (campaign(), campaign());
    let settings = broken.root().join("campaign.yaml");
    crate::support::change(&settings, "campaign: spring", "campaign: broken");
    let (broken_root, sound_root) = (broken.root(), sound.root());
    let mut host = host(&[&broken_root, Path::new("/no/such/campaign"), &sound_root]);
    host.serve();
    until("letters of the sound one", || {
        !arrived(&host, "ada@example.org").is_empty()
    });
    until("the errors are told", || {
        let log = host.log();
        log.contains("campaign=\"broken\"") && log.contains("left out")
    });
    let to = arrived(&host, "ada@example.org")
        .into_iter()
        .find(|letter| letter.reply_to.contains("spring"))
        .unwrap()
        .reply_to;
    put(&host, 1, &mail_to("french", &to, "NOTHING", 1));
    until("a receipt", || answered(&host, "ada@example.org", 1));
    assert!(host.end("TERM").0.success());
}

#[test]
fn once_does_a_whole_round() {
    let test = campaign();
    let host = host(&[&test.root()]);
    let run = || {
        let output = host.command("run").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = run();
    assert!(
        said.starts_with("0 mails taken, ") && said.contains("0 wait"),
        "{said}"
    );
    let to = arrived(&host, "ada@example.org")[0].reply_to.clone();
    put(&host, 1, &mail_to("french", &to, "NOTHING", 1));
    assert!(run().starts_with("1 mail taken, 1 letter sent"));
    assert!(answered(&host, "ada@example.org", 1));
    assert!(run().starts_with("0 mails taken, 0 letters sent"));
}

#[test]
fn a_refused_letter_becomes_a_report() {
    let test = campaign();
    let script = "out: {sendmail: {command: ./refuse}}\nin: [{maildir: {path: in}}]";
    let host = Host::new(&[&test.root()], script);
    Maildir::at(host.path("in")).create().unwrap();
    let program = host.path("refuse");
    let write = |text: &str| {
        use std::os::unix::fs::PermissionsExt;
        fs::write(&program, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    };
    write("case \"$5\" in ada*) echo 'no such mailbox' >&2; exit 67;; *) exec cat >> mails;; esac");
    let run = |limit: &str| {
        let command = host.command("run");
        let mut shell = std::process::Command::new("bash");
        shell
            .args(["-c", &format!("{limit} exec \"$0\" \"$@\"")])
            .arg(command.get_program())
            .args(command.get_args());
        shell.current_dir(host.path(".")).output().unwrap()
    };
    // No file may be longer than nothing: nothing can be written.
    let letter = Maildir::at(host.path("in"));
    let to = crate::support::Test::newest(&test, "austrian").reply_to;
    letter
        .put("000001", &mail_to("austrian", &to, "NOTHING", 1))
        .unwrap();
    let full = run("ulimit -f 0; trap '' XFSZ;");
    assert!(!full.status.success(), "{full:?}");
    assert_eq!(journal(&test.root()), Vec::<String>::new());
    assert_eq!(
        letter.unprocessed().unwrap().len(),
        1,
        "the mail stays where it was"
    );
    let good = run("");
    assert!(good.status.success(), "{good:?}");
    assert_eq!(journal(&test.root()), ["1@players.example"]);
    // The refused letter of the other player is marked and told to the campaign by a mail.
    let inbox = test.root().join("inbox");
    let names: Vec<String> = ["new", "cur", "done"]
        .iter()
        .filter_map(|part| fs::read_dir(inbox.join(part)).ok())
        .flatten()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        names
            .iter()
            .any(|name| name.starts_with("bounce-spring.french.1.")),
        "{names:?}"
    );
    let waiting = fs::read_dir(test.root().join("outbox/french/new")).unwrap();
    assert_eq!(waiting.count(), 0);
    assert!(
        fs::read_to_string(host.path("mails"))
            .unwrap()
            .contains("Message-ID: <spring.austrian.1.")
    );
}

#[test]
fn killed_at_random_and_started_again() {
    let test = campaign();
    let mut host = host(&[&test.root()]);
    let to = test.newest("french").reply_to;
    for kill in 0..20_u32 {
        put(&host, kill, &mail_to("french", &to, "NOTHING", kill));
        host.serve();
        std::thread::sleep(Duration::from_millis(u64::from(kill * 397 % 900)));
        host.end("KILL");
    }
    host.serve();
    until("all receipts", || {
        (0..20).all(|number| answered(&host, "ada@example.org", number))
    });
    assert!(host.end("TERM").0.success());
    let mut taken = journal(&test.root());
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), 20);
    assert_eq!(journal(&test.root()).len(), 20, "none twice");
    let got = arrived(&host, "ada@example.org");
    for (id, bytes) in letters(&test.root())
        .iter()
        .filter(|(id, _)| id.contains(".french."))
    {
        assert!(
            got.iter()
                .any(|letter| letter.message_id == *id && letter.bytes == *bytes),
            "{id}"
        );
    }
}
