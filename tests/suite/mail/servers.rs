//! Campaigns entirely over real servers with real mail programs: nothing lost, nothing twice,
//! nothing altered.
#![cfg(unix)]

use std::{collections::BTreeMap, fs, path::Path, process::Command, thread, time::Duration};

use crate::support::mailserver::{
    Cut, Proxy, Servers,
    host::{Host, journal, letters},
    until,
};
use crate::support::{Letter, Test};
use estafette::mail::MessageName;

fn campaign() -> Test {
    Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin()
}

/// Mail servers, and a campaign; none if the servers are missing.
fn prepared() -> Option<(Servers, Test)> {
    Some((Servers::start()?, campaign()))
}

/// Mail servers, a campaign, and a host that serves it through them.
fn serving() -> Option<(Servers, Test, Host)> {
    let (servers, test) = prepared()?;
    let mut host = host(&servers, &test.root(), servers.imap, servers.submission);
    host.serve();
    Some((servers, test, host))
}

/// A host whose connections are plain, so that a connection can be cut at a certain word.
fn open_host(campaign: &Path, imap: u16, smtp: u16) -> Host {
    let host = Host::new(
        &[campaign],
        &format!(
            "in: [{{imap: {{host: localhost, port: {imap}, tls: none, user: game, password: {{file: imap.secret}}, poll_seconds: 2}}}}]\n\
             out: {{smtp: {{host: localhost, port: {smtp}, tls: none}}}}"
        ),
    );
    fs::write(host.path("imap.secret"), "secret\n").unwrap();
    host
}

/// A host whose mails come from the user `game` by these ports, with IDLE.
pub fn host(servers: &Servers, campaign: &Path, imap: u16, smtp: u16) -> Host {
    let ca = servers.ca();
    let host = Host::new(
        &[campaign],
        &format!(
            "in: [{{imap: {{host: localhost, port: {imap}, tls: starttls, user: game, password: {{file: imap.secret}}, poll_seconds: 2, ca: {ca}}}}}]\n\
             out: {{smtp: {{host: localhost, port: {smtp}, tls: starttls, user: pbem, password: {{file: smtp.secret}}, ca: {ca}}}}}\n\
             log: {{level: trace}}",
            ca = ca.display()
        ),
    );
    for name in ["imap.secret", "smtp.secret"] {
        fs::write(host.path(name), "secret\n").unwrap();
    }
    host
}

/// The letters that have arrived at a user, read as a mail program reads them.
pub fn arrived(servers: &Servers, user: &str) -> Vec<Letter> {
    servers
        .mails(user, "")
        .iter()
        .map(|bytes| Letter::read(bytes))
        .collect()
}

pub fn reply_to(servers: &Servers, user: &str) -> String {
    until(
        &format!("a letter to {user} that asks for an answer"),
        || {
            arrived(servers, user)
                .iter()
                .any(|letter| !letter.reply_to.is_empty())
        },
    );
    let letters = arrived(servers, user);
    let asks = letters.iter().filter(|letter| !letter.reply_to.is_empty());
    asks.max_by_key(|letter| letter.number())
        .unwrap()
        .reply_to
        .clone()
}

/// Each letter of the outboxes lies at its recipient with the same header and body, apart from what
/// servers put before it.
#[track_caller]
fn assert_all_arrived(servers: &Servers, campaign: &Path) {
    until("all letters", || missing(servers, campaign).is_empty());
}

/// The letters that have not arrived, and those that have arrived and lie in no outbox.
#[track_caller]
fn missing(servers: &Servers, campaign: &Path) -> Vec<String> {
    let got: Vec<(String, Vec<u8>)> = ["ada", "bert", "umpire"]
        .iter()
        .flat_map(|user| servers.mails(user, ""))
        .map(|bytes| (Letter::read(&bytes).message_id, plain(&bytes)))
        .collect();
    // Looked at afterwards: what has arrived is among them, unless it was being moved at this
    // moment.
    let sent: BTreeMap<String, Vec<u8>> = letters(campaign)
        .into_iter()
        .map(|(id, bytes)| (id, plain(&bytes)))
        .collect();
    for (id, bytes) in &got {
        let original = sent.get(id);
        assert!(
            original.is_none_or(|original| bytes.ends_with(original)),
            "{id} was altered on its way"
        );
    }
    let unknown = got.iter().map(|(id, _)| id);
    let unknown = unknown.filter(|id| !sent.contains_key(*id));
    let lost = sent
        .keys()
        .filter(|id| !got.iter().any(|(got, _)| got == *id));
    unknown.chain(lost).cloned().collect()
}

/// Without carriage returns and blank lines at the end: Maildirs keep lines in their own way.
fn plain(bytes: &[u8]) -> Vec<u8> {
    let mut bytes: Vec<u8> = bytes
        .iter()
        .copied()
        .filter(|byte| *byte != b'\r')
        .collect();
    while bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    bytes
}

#[track_caller]
fn ran(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

pub fn swaks(servers: &Servers, from: &str, to: &str, words: &str, id: &str) {
    let from = format!("{from}@example.org");
    let id = format!("Message-ID: <{id}>");
    assert!(servers.swaks(&[
        "--from",
        &from,
        "--to",
        to,
        "--add-header",
        &id,
        "--header",
        "Subject: Re: orders",
        "--body",
        words
    ]));
}

fn s_nail(servers: &Servers, from: &str, to: &str, words: &str) {
    ran(Command::new("bash")
        .args(["-c", "printf '%s\\n' \"$0\" | s-nail \"$@\"", words])
        .args([
            "-:/",
            "-S",
            "v15-compat",
            "-S",
            &format!("mta=smtp://127.0.0.1:{}", servers.smtp),
            "-S",
            "smtp-config=-all",
            "-S",
            "smtp-auth=none",
            "-S",
            &format!("from={from}@example.org"),
            "-s",
            "Re: orders",
            to,
        ]));
}

fn mutt(servers: &Servers, from: &str, to: &str, words: &str) {
    let folder = tempfile::tempdir().unwrap();
    let rc = folder.path().join("rc");
    fs::write(
        &rc,
        format!(
            "set smtp_url=\"smtp://localhost:{}/\"\nset certificate_file=\"{}\"\nset ssl_verify_host=no\nset from=\"{from}@example.org\"\n\
             set use_from=yes\nset folder=\"{folder}\"\nset record=\"\"\nset ssl_starttls=no\nset ssl_force_tls=no\n",
            servers.smtp,
            servers.ca().display(),
            folder = folder.path().display()
        ),
    )
    .unwrap();
    ran(Command::new("bash")
        .args([
            "-c",
            "printf '%s\\n' \"$0\" | mutt -F \"$1\" -s 'Re: orders' -- \"$2\"",
            words,
        ])
        .arg(&rc)
        .arg(to)
        .env("HOME", folder.path()));
}

#[test]
fn a_turn_by_real_mail_programs() {
    let Some((servers, test, mut host)) = serving() else {
        return;
    };
    let root = test.root();
    let (ada, bert) = (reply_to(&servers, "ada"), reply_to(&servers, "bert"));
    swaks(&servers, "ada", &ada, "NOTHING", "1@players.example");
    until("the first order", || journal(&root).len() == 1);
    // Both servers go; what is to be said waits on both sides.
    servers.control("stop-imap");
    s_nail(&servers, "ada", &ada, "NOTHING");
    servers.control("stop-smtp");
    thread::sleep(Duration::from_millis(500));
    servers.control("start-smtp");
    servers.control("start-imap");
    until("the second order", || journal(&root).len() == 2);
    mutt(&servers, "bert", &bert, "NOTHING");
    until("the third order", || journal(&root).len() == 3);
    // The turn is over: new dispatches ask for other orders.
    until("another dispatch", || {
        reply_to(&servers, "ada") != ada && reply_to(&servers, "bert") != bert
    });
    assert_all_arrived(&servers, &root);
    let (status, _) = host.end("TERM");
    assert!(status.success(), "{}", host.log());
    assert_eq!(
        servers.mails("game", "").len(),
        0,
        "all mails are processed"
    );
    assert_eq!(servers.mails("game", "Processed").len(), 3);
    let log = host.log();
    for secret in ["secret", ada.as_str(), bert.as_str(), "c2VjcmV0"] {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(secret)).collect();
        assert_eq!(
            lines, [""; 0],
            "no secrets and tokens in the log, even of level trace"
        );
    }
}

/// A player has lost a letter and has it again, asks where the game stands, and writes to the
/// other.
#[test]
fn letters_again_and_press_by_real_servers() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let test = Test::campaign("castiglione")
        .scenario("lonato")
        .settings_line("press: {goes: at_once}\n")
        .begin();
    let root = test.root();
    let mut host = host(&servers, &root, servers.imap, servers.submission);
    host.serve();
    let ada = reply_to(&servers, "ada");
    // What is sent again is the last letter, and the first may come after it.
    let is_last = |id: &str| id.contains(".french.2.");
    let last = || {
        let letters = arrived(&servers, "ada").into_iter();
        letters.map(|it| it.message_id).find(|id| is_last(id))
    };
    until("the dispatch", || last().is_some());
    let lost = last().unwrap();
    let words = "RENVOYER\n\u{c9}TAT\nPRESSE \u{c0} austrian\nRendez-vous.\nFIN";
    swaks(&servers, "ada", &ada, words, "1@players.example");
    until("the press", || {
        let letters = arrived(&servers, "bert");
        letters
            .iter()
            .any(|letter| letter.text.contains("| Rendez-vous."))
    });
    until("the letter again, and the answer", || {
        let letters = arrived(&servers, "ada");
        let same = letters.iter().filter(|it| it.message_id == lost);
        let same: Vec<_> = same.collect();
        same.len() == 2
            && same[0].text == same[1].text
            && letters
                .iter()
                .any(|it| it.text.contains("On attend vos ordres"))
    });
    let (status, _) = host.end("TERM");
    assert!(status.success(), "{}", host.log());
    crate::support::is_sound(&test);
}

#[test]
fn connections_cut_in_the_middle_lose_nothing() {
    let Some((servers, test)) = prepared() else {
        return;
    };
    let root = test.root();
    let (imap, smtp) = (Proxy::to(servers.imap), Proxy::to(servers.submission));
    // In the open up to STARTTLS, after that by the number of bytes.
    let mut host = host(&servers, &root, imap.port, smtp.port);
    for round in 0..6_usize {
        imap.cut(Cut::FromServer(b"OK", 2500 + 700 * round));
        smtp.cut(Cut::FromClient(b"STARTTLS\r\n", 900 + 4000 * round));
        if round == 0 {
            host.serve();
        }
        thread::sleep(Duration::from_millis(1500));
        imap.cut(Cut::Never);
        smtp.cut(Cut::Never);
        let ada = reply_to(&servers, "ada");
        swaks(
            &servers,
            "ada",
            &ada,
            "NOTHING",
            &format!("{round}@players.example"),
        );
    }
    until("all orders", || journal(&root).len() == 6);
    // However few bytes went through so far: the next connection is cut at its first word.
    imap.cut(Cut::FromServer(b"OK", 0));
    until("a cut", || imap.cuts() + smtp.cuts() > 0);
    imap.cut(Cut::Never);
    assert_all_arrived(&servers, &root);
    assert!(host.end("TERM").0.success());
}

#[test]
fn cut_within_a_fetch_and_within_a_letter_nothing_is_lost() {
    let Some((servers, test)) = prepared() else {
        return;
    };
    let root = test.root();
    let (imap, smtp) = (Proxy::to(servers.imap), Proxy::to(servers.smtp));
    let mut host = open_host(&root, imap.port, smtp.port);
    host.serve();
    let ada = reply_to(&servers, "ada");
    let word = |text: String| -> &'static [u8] { text.into_bytes().leak() };
    for round in 0..6_usize {
        let id = format!("{round}@players.example");
        // Within the header of the fetched mail, and within that of its receipt, which stands
        // behind DATA.
        imap.cut(Cut::FromServer(word(format!("<{id}>")), 8 * round));
        smtp.cut(Cut::FromClient(
            word(format!("In-Reply-To: <{id}>")),
            100 * round,
        ));
        swaks(&servers, "ada", &ada, "NOTHING", &id);
        until("the fetch is cut", || imap.cuts() > round);
        assert_eq!(journal(&root).len(), round, "half a mail is no mail");
        imap.cut(Cut::Never);
        until("the receipt is cut", || smtp.cuts() > round);
        assert_eq!(journal(&root).len(), round + 1);
        assert!(!is_answered(&servers, &id), "half a letter is no letter");
        smtp.cut(Cut::Never);
        until("the receipt", || is_answered(&servers, &id));
    }
    assert_all_arrived(&servers, &root);
    let expected: Vec<String> = (0..6)
        .map(|round| format!("{round}@players.example"))
        .collect();
    assert_eq!(journal(&root), expected, "each order once");
    assert!(host.end("TERM").0.success());
}

/// Returns true if a letter that answers this mail has arrived.
fn is_answered(servers: &Servers, id: &str) -> bool {
    let line = format!("In-Reply-To: <{id}>");
    arrived(servers, "ada")
        .iter()
        .any(|letter| letter.header.contains(&line))
}

#[test]
fn a_disk_that_is_full_at_any_moment_loses_nothing() {
    let Some((servers, test)) = prepared() else {
        return;
    };
    let root = test.root();
    let host = open_host(&root, servers.imap, servers.smtp);
    let run = |limit: &str| {
        let command = host.command("run");
        let mut shell = Command::new("bash");
        shell
            .args(["-c", &format!("{limit} exec \"$0\" \"$@\"")])
            .arg(command.get_program())
            .args(command.get_args());
        shell.output().unwrap()
    };
    assert!(run("").status.success());
    let ada = reply_to(&servers, "ada");
    let mut failed = 0;
    // No file may become longer than this, in KiB: inbox, journal, letters, snapshots fail one
    // after the other.
    for (number, kib) in [0, 1, 2, 8, 12, 16, 24, 32, 48, 64, 96, 128]
        .iter()
        .enumerate()
    {
        let id = format!("{number}@players.example");
        swaks(&servers, "ada", &ada, "NOTHING", &id);
        until("the mail is there", || {
            !servers.mails("game", "").is_empty()
        });
        let full = run(&format!("trap '' XFSZ; ulimit -f {kib};"));
        failed += usize::from(!full.status.success());
        let (taken, known) = (journal(&root), |id: &String| is_answered(&servers, id));
        assert!(
            (0..=number)
                .map(|number| format!("{number}@players.example"))
                .all(|id| taken.contains(&id) || !known(&id)),
            "a receipt of what is not in the journal"
        );
        assert!(run("").status.success());
        assert_eq!(journal(&root).len(), number + 1, "{full:?}");
        until("the receipt", || is_answered(&servers, &id));
    }
    assert!(failed > 0, "the disk was never full");
    assert_all_arrived(&servers, &root);
}

#[test]
fn killed_a_hundred_times_between_real_servers() {
    let Some((servers, test, mut host)) = serving() else {
        return;
    };
    let root = test.root();
    let ada = reply_to(&servers, "ada");
    host.end("KILL");
    let mut sent = 0_u32;
    for kill in 0..100_u64 {
        // A seat may send thirty mails an hour.
        if kill % 4 == 0 {
            match sent % 3 {
                0 => {
                    let id = format!("{sent}@players.example");
                    swaks(&servers, "ada", &ada, "NOTHING", &id);
                }
                1 => s_nail(&servers, "ada", &ada, "NOTHING"),
                _ => mutt(&servers, "ada", &ada, "NOTHING"),
            }
            sent += 1;
        }
        host.serve();
        // A spread of moments from the first breath to the end of all work.
        thread::sleep(Duration::from_millis(kill * 7919 % 800));
        host.end("KILL");
    }
    host.serve();
    let count = usize::try_from(sent).unwrap();
    until("all orders", || journal(&root).len() >= count);
    let mut taken = journal(&root);
    assert_eq!(taken.len(), count, "each order once");
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), count, "no order twice");
    assert_all_arrived(&servers, &root);
    // Each receipt that arrived is of an order that is in the journal, and each order has one.
    let answered: Vec<String> = arrived(&servers, "ada")
        .iter()
        .filter_map(|letter| {
            letter
                .header
                .lines()
                .find_map(|line| line.strip_prefix("In-Reply-To: <"))
        })
        .map(|id| id.trim_end().trim_end_matches('>').to_owned())
        .collect();
    assert!(
        answered
            .iter()
            .filter(|id| MessageName::parse(id).is_none())
            .all(|id| taken.contains(id))
    );
    assert!(
        taken.iter().all(|id| answered.contains(id)),
        "each order has its receipt"
    );
    assert!(host.end("TERM").0.success());
    let audit = Command::new(env!("CARGO_BIN_EXE_estafette"))
        .arg("audit")
        .arg(&root)
        .output()
        .unwrap();
    assert!(audit.status.success(), "{audit:?}");
}
