//! The transports against real servers, and against servers that misbehave.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use crate::support::mailserver::{Cut, Proxy, Servers, until};
use estafette::mail::transport::{
    ImapAccount, ImapSource, MailEnvelope, MailSource, RawMail, SendError, Sink, SmtpAccount,
    SmtpSink, Stop, TransportError,
};

const LIMIT: usize = 100_000;
/// Longer than anything here takes on the slowest machine.
const A_LONG_TIME: Duration = Duration::from_secs(600);

fn secret() -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "secret\n").unwrap();
    file
}

fn imap(text: &str, password: &Path) -> ImapSource {
    imap_stopped_by(text, password, &Stop::new())
}

fn imap_stopped_by(text: &str, password: &Path, stop: &Stop) -> ImapSource {
    let text = format!(
        "{{host: localhost, password: {{file: {}}}, {text}}}",
        password.display()
    );
    let account: ImapAccount = serde_yaml::from_str(&text).unwrap();
    account.check().unwrap();
    ImapSource::new(account, stop)
}

fn smtp(text: &str, password: Option<&Path>) -> SmtpSink {
    let login = password.map_or_else(String::new, |path| {
        format!(", user: pbem, password: {{file: {}}}", path.display())
    });
    let account: SmtpAccount =
        serde_yaml::from_str(&format!("{{host: localhost, {text}{login}}}")).unwrap();
    account.check().unwrap();
    SmtpSink::new(account)
}

fn envelope(to: &str) -> MailEnvelope {
    MailEnvelope {
        from: Some("game@example.org".into()),
        to: to.into(),
    }
}

fn mail(id: &str, words: &str) -> Vec<u8> {
    format!("From: ada@example.org\r\nTo: game@example.org\r\nMessage-ID: <{id}@x>\r\nSubject: a\r\n\r\n{words}\r\n").into_bytes()
}

#[test]
fn letters_come_out_of_a_real_server_as_they_went_in() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let (password, ca) = (secret(), servers.ca());
    let ca = ca.display();
    // A line of one dot, a line without an end, umlauts in base64 stay what they are.
    let bytes = mail("exact", "one\r\n.\r\n..two\r\n\r\n\r\nlast");
    let ways = [
        (format!("port: {}, tls: none", servers.smtp), None),
        (
            format!("port: {}, tls: starttls, ca: {ca}", servers.submission),
            Some(password.path()),
        ),
        (
            format!("port: {}, tls: implicit, ca: {ca}", servers.smtps),
            Some(password.path()),
        ),
    ];
    for (way, password) in &ways {
        let mut sink = smtp(way, *password);
        assert!(
            sink.probe().iter().all(|finding| finding.ok),
            "{:?}",
            sink.probe()
        );
        for _ in 0..2 {
            sink.send(&envelope("bert@example.org"), &bytes).unwrap();
        }
    }
    until("six mails", || servers.mails("bert", "").len() == 6);
    for got in servers.mails("bert", "") {
        let expected = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        let text = String::from_utf8_lossy(&got).replace("\r\n", "\n");
        let (expected_body, body) = (
            expected.split_once("\n\n").unwrap().1,
            text.split_once("\n\n").unwrap().1,
        );
        assert_eq!(body, expected_body, "not a line more or less");
        assert!(text.contains("Message-ID: <exact@x>"));
    }
    // Refused for good, and refused because of ourselves.
    let mut sink = smtp(&ways[0].0, None);
    let refused = sink
        .send(&envelope("nobody-at-all@example.org"), &bytes)
        .unwrap_err();
    assert!(
        matches!(&refused, SendError::Refused { status, .. } if status == "5.1.1"),
        "{refused:?}"
    );
    assert!(matches!(
        sink.send(&envelope("ada@elsewhere.example"), &bytes),
        Err(SendError::Refused { .. })
    ));
    sink.send(&envelope("bert@example.org"), &bytes).unwrap();
    let wrong = tempfile::NamedTempFile::new().unwrap();
    fs::write(wrong.path(), "canary").unwrap();
    let refused = smtp(&ways[1].0, Some(wrong.path()))
        .send(&envelope("bert@example.org"), &bytes)
        .unwrap_err();
    assert!(matches!(refused, SendError::Down { .. }), "{refused}");
    assert!(
        refused.to_string().contains("pbem") && !refused.to_string().contains("canary"),
        "{refused}"
    );
    // An unknown authority, and a server that speaks no TLS there.
    let mut sink = smtp(&format!("port: {}, tls: implicit", servers.smtps), None);
    assert!(sink.probe()[0].what.contains("`ca`"), "{:?}", sink.probe());
    let mut sink = smtp(&format!("port: {}, tls: implicit", servers.smtp), None);
    assert!(
        !sink.probe()[0].ok && sink.probe()[0].what.contains("`tls`"),
        "{:?}",
        sink.probe()
    );
}

#[test]
fn mails_are_fetched_and_moved_over_each_kind_of_connection() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let (password, ca) = (secret(), servers.ca());
    let ca = ca.display();
    let ways = [
        format!("user: ada, port: {}, tls: none", servers.imap),
        format!(
            "user: bert, port: {}, tls: starttls, ca: {ca}",
            servers.imap
        ),
        format!(
            "user: cleo, port: {}, tls: implicit, ca: {ca}, processed: Old, idle: false, poll_seconds: 1",
            servers.imaps
        ),
    ];
    for (way, user) in ways.iter().zip(["ada", "bert", "cleo"]) {
        let mut source = imap(way, password.path());
        let to = format!("{user}@example.org");
        for words in ["first", "second"] {
            assert!(servers.swaks(&["--from", "x@example.org", "--to", &to, "--body", words]));
        }
        let large = "many words\r\n".repeat(LIMIT / 5);
        smtp(&format!("port: {}, tls: none", servers.smtp), None)
            .send(&envelope(&to), &mail("large", &large))
            .unwrap();
        until("three mails", || servers.mails(user, "").len() == 3);
        let mails = source.fetch(LIMIT, 10).unwrap();
        assert_eq!(mails.len(), 3);
        assert!(
            mails.iter().any(|mail| mail.bytes.len() == LIMIT + 1),
            "of a large mail no more than needed"
        );
        assert_eq!(
            source.fetch(LIMIT, 10).unwrap(),
            mails,
            "nothing was changed"
        );
        assert_eq!(
            source.fetch(LIMIT, 1).unwrap(),
            mails[..1],
            "the oldest first"
        );
        let taken: Vec<&RawMail> = mails.iter().collect();
        source.done(&taken).unwrap();
        source.done(&taken).unwrap();
        assert_eq!(source.fetch(LIMIT, 10).unwrap(), []);
        let processed = if user == "cleo" { "Old" } else { "Processed" };
        assert_eq!(
            (
                servers.mails(user, "").len(),
                servers.mails(user, processed).len()
            ),
            (0, 3)
        );
        let findings = source.probe();
        assert!(
            findings
                .iter()
                .any(|finding| finding.ok && finding.what.contains("moves mails")),
            "{findings:?}"
        );
    }
}

#[test]
fn a_new_mail_wakes_the_sleeper_and_so_does_the_wish_to_stop() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let password = secret();
    let stop = Stop::new();
    let mut source = imap_stopped_by(
        &format!(
            "user: ada, port: {}, tls: starttls, ca: {}, poll_seconds: 36000",
            servers.imap,
            servers.ca().display()
        ),
        password.path(),
        &stop,
    );
    assert_eq!(source.fetch(LIMIT, 10).unwrap(), []);
    // Nobody asks the server for hours: what ends the wait before its time is the server's own
    // word.
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            servers.swaks(&[
                "--from",
                "x@example.org",
                "--to",
                "ada@example.org",
                "--body",
                "wake up",
            ])
        });
        source.wait(A_LONG_TIME, &stop).unwrap();
    });
    assert!(start.elapsed() < A_LONG_TIME, "nothing woke the sleeper");
    let mails = source.fetch(LIMIT, 10).unwrap();
    assert_eq!(mails.len(), 1);
    source.done(&[&mails[0]]).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            stop.stop();
        });
        // Whoever does not see the wish waits to the end, and finds that nothing is new.
        assert!(matches!(
            source.wait(A_LONG_TIME, &stop),
            Err(TransportError::Stopped)
        ));
    });
}

#[test]
fn what_is_wrong_is_said_in_plain_words() {
    let password = secret();
    // A port that no program is given by chance.
    let nobody = 1;
    let said = |text: &str| {
        imap(text, password.path())
            .fetch(LIMIT, 1)
            .unwrap_err()
            .to_string()
    };
    let refused = said(&format!("user: ada, port: {nobody}, tls: none"));
    assert!(refused.contains("whether the server runs"), "{refused}");
    let Some(servers) = Servers::start() else {
        return;
    };
    let unknown = said(&format!("user: ada, port: {}", servers.imaps));
    assert!(unknown.contains("`ca`"), "{unknown}");
    let no_tls = said(&format!("user: ada, port: {}", servers.imap));
    assert!(no_tls.contains("`port` and `tls`"), "{no_tls}");
    let folder = said(&format!(
        "user: ada, port: {}, tls: none, folder: Nowhere",
        servers.imap
    ));
    assert!(folder.contains("`Nowhere`"), "{folder}");
    let ca = servers.ca();
    let wrong = tempfile::NamedTempFile::new().unwrap();
    fs::write(wrong.path(), "canary").unwrap();
    let login = imap(
        &format!("user: ada, port: {}, ca: {}", servers.imaps, ca.display()),
        wrong.path(),
    )
    .fetch(LIMIT, 1)
    .unwrap_err()
    .to_string();
    assert!(
        login.contains("`ada`") && !login.contains("canary"),
        "{login}"
    );
}

#[test]
fn a_connection_cut_while_fetching_loses_nothing() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let password = secret();
    let proxy = Proxy::to(servers.imap);
    let mut source = imap(
        &format!("user: ada, port: {}, tls: none", proxy.port),
        password.path(),
    );
    for words in ["first", "second", "third"] {
        assert!(servers.swaks(&[
            "--from",
            "x@example.org",
            "--to",
            "ada@example.org",
            "--body",
            words
        ]));
    }
    until("three mails", || servers.mails("ada", "").len() == 3);
    let whole = source.fetch(LIMIT, 10).unwrap();
    for more in [0, 1, 40, 700, 900, 1700] {
        proxy.cut(Cut::FromServer(b"BODY[]", more));
        let cut = source.fetch(LIMIT, 10);
        assert!(
            cut.is_err()
                || cut
                    .as_ref()
                    .is_ok_and(|mails| mails.iter().all(|mail| whole.contains(mail))),
            "{more}: {cut:?}"
        );
        proxy.cut(Cut::Never);
        assert_eq!(source.fetch(LIMIT, 10).unwrap(), whole, "{more}");
    }
    proxy.cut(Cut::FromClient(b"MOVE", 0));
    let taken: Vec<&RawMail> = whole.iter().collect();
    assert!(source.done(&taken).is_err());
    proxy.cut(Cut::Never);
    source.done(&taken).unwrap();
    assert_eq!(
        (
            servers.mails("ada", "").len(),
            servers.mails("ada", "Processed").len()
        ),
        (0, 3)
    );
    assert!(proxy.cuts() >= 6);
    // The server goes and comes back.
    servers.control("stop-imap");
    let mut other = imap(
        &format!("user: ada, port: {}, tls: none", servers.imap),
        password.path(),
    );
    assert!(other.fetch(LIMIT, 10).is_err());
    servers.control("start-imap");
    assert_eq!(other.fetch(LIMIT, 10).unwrap(), []);
}

#[test]
fn a_connection_cut_while_sending_is_no_success() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let proxy = Proxy::to(servers.smtp);
    let mut sink = smtp(&format!("port: {}, tls: none", proxy.port), None);
    let bytes = mail("cut", &"many words\r\n".repeat(1000));
    let to = envelope("ada@example.org");
    for cut in [
        Cut::FromClient(b"DATA\r\n", 0),
        Cut::FromClient(b"DATA\r\n", 500),
        Cut::FromClient(b"many words\r\n", 5000),
        Cut::FromServer(b"354", 0),
        Cut::AtOnce,
    ] {
        if cut == Cut::AtOnce {
            sink = smtp(&format!("port: {}, tls: none", proxy.port), None);
        }
        proxy.cut(cut.clone());
        let error = sink.send(&to, &bytes).unwrap_err();
        assert!(
            matches!(error, SendError::Down { .. }),
            "{cut:?}: {error:?}"
        );
        proxy.cut(Cut::Never);
        sink.send(&to, &bytes).unwrap();
    }
    until("five mails", || servers.mails("ada", "").len() == 5);
    thread::sleep(Duration::from_millis(300));
    assert_eq!(
        servers.mails("ada", "").len(),
        5,
        "half a letter is no letter"
    );
}

/// A server of one conversation after another: for each line of the client the answers of the
/// script, `TAG` replaced.
fn fake(script: impl Fn(usize, &str) -> String + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().map_while(Result::ok).enumerate() {
            let _ = talk(stream, &|line| script(number, line));
        }
    });
    port
}

fn talk(mut stream: TcpStream, script: &dyn Fn(&str) -> String) -> std::io::Result<()> {
    stream.write_all(script("").as_bytes())?;
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    while let Some(line) = lines.next().transpose()? {
        let tag = line.split(' ').next().unwrap_or_default();
        let answer = script(&line);
        if answer == "CLOSE" {
            return stream.shutdown(std::net::Shutdown::Both);
        }
        stream.write_all(answer.replace("TAG", tag).as_bytes())?;
    }
    Ok(())
}

#[test]
fn bytes_put_behind_the_consent_to_tls_are_noticed() {
    let port = fake(|_, line| match line {
        "" => "* OK hello\r\n".into(),
        line if line.contains("STARTTLS") => "TAG OK go on\r\n* CAPABILITY IMAP4rev1\r\n".into(),
        _ => String::new(),
    });
    let password = secret();
    let error = imap(
        &format!("user: ada, port: {port}, tls: starttls"),
        password.path(),
    )
    .fetch(LIMIT, 1)
    .unwrap_err();
    assert!(error.to_string().contains("attack"), "{error}");
    let port = fake(|_, line| match line {
        "" => "* OK hello\r\n".into(),
        _ => "TAG NO not here\r\n".into(),
    });
    let error = imap(
        &format!("user: ada, port: {port}, tls: starttls"),
        password.path(),
    )
    .fetch(LIMIT, 1)
    .unwrap_err();
    assert!(error.to_string().contains("refuses"), "{error}");
}

/// A mailbox with one mail, on a server that knows none of the newer commands and is a new one with
/// each connection.
fn poor_server(connection: usize, line: &str) -> String {
    let command = line.split_once(' ').map_or("", |(_, rest)| rest);
    let validity = 7 + connection / 2;
    match command {
        "" => "* OK hello\r\n".into(),
        "CAPABILITY" => "* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n".into(),
        text if text.starts_with("CREATE") => "TAG NO it is there\r\n".into(),
        text if text.starts_with("SELECT") => {
            format!("* 1 EXISTS\r\n* OK [UIDVALIDITY {validity}] valid\r\nTAG OK [READ-WRITE] done\r\n")
        }
        text if text.starts_with("UID SEARCH") => "* SEARCH 5\r\nTAG OK done\r\n".into(),
        text if text.contains("RFC822.SIZE") => "* 1 FETCH (UID 5 RFC822.SIZE 12)\r\nTAG OK done\r\n".into(),
        // What was not asked for comes along, as servers may do.
        text if text.contains("BODY.PEEK") => {
            "* 9 FETCH (UID 9 FLAGS ())\r\n* 1 FETCH (UID 5 BODY[]<0> {12}\r\nA: b\r\n\r\nword)\r\nTAG OK done\r\n".into()
        }
        text if text.starts_with("UID MOVE") || text.starts_with("UID EXPUNGE") => "TAG BAD what is that\r\n".into(),
        text if text.starts_with("UID COPY 5 ") || text.starts_with("UID STORE 5 +FLAGS.SILENT") => "TAG OK done\r\n".into(),
        "IDLE" => "TAG BAD what is that\r\n".into(),
        _ => "TAG OK done\r\n".into(),
    }
}

#[test]
fn a_server_without_move_and_idle_is_good_enough() {
    let port = fake(poor_server);
    let password = secret();
    let mut source = imap(
        &format!("user: ada, port: {port}, tls: none, poll_seconds: 1"),
        password.path(),
    );
    let mails = source.fetch(LIMIT, 10).unwrap();
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].bytes, b"A: b\r\n\r\nword");
    assert_eq!(mails[0].key, "imap-imap-7-5");
    source.done(&[&mails[0]]).unwrap();
    let start = Instant::now();
    source.wait(A_LONG_TIME, &Stop::new()).unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));
    let findings = source.probe();
    assert!(
        findings[0].ok && findings[0].what.contains("neither MOVE"),
        "{findings:?}"
    );
}

#[test]
fn a_changed_uidvalidity_moves_nothing_by_old_numbers() {
    let [moved, closing] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    let (seen, close) = (Arc::clone(&moved), Arc::clone(&closing));
    let port = fake(move |connection, line| {
        if connection == 0 && close.load(SeqCst) {
            return "CLOSE".into();
        }
        if line.contains("UID COPY") {
            seen.store(true, SeqCst);
        }
        poor_server(2 * connection, line)
    });
    let password = secret();
    let mut source = imap(
        &format!("user: ada, port: {port}, tls: none"),
        password.path(),
    );
    let old = source.fetch(LIMIT, 10).unwrap();
    closing.store(true, SeqCst);
    assert!(source.done(&[&old[0]]).is_err());
    source.done(&[&old[0]]).unwrap();
    assert!(!moved.load(SeqCst), "another mailbox under the same name");
    let new = source.fetch(LIMIT, 10).unwrap();
    assert_ne!(new[0].key, old[0].key);
    source.done(&[&new[0]]).unwrap();
    assert!(moved.load(SeqCst));
}

#[test]
fn a_server_that_sends_without_end_is_left() {
    let port = fake(|connection, line| {
        if line.contains("BODY.PEEK") {
            return format!(
                "* 1 FETCH (UID 5 BODY[] {{90000000}}\r\n{}",
                "x".repeat(5_000_000)
            );
        }
        poor_server(connection, line)
    });
    let password = secret();
    let error = imap(
        &format!("user: ada, port: {port}, tls: none"),
        password.path(),
    )
    .fetch(LIMIT, 1)
    .unwrap_err();
    assert!(
        error.to_string().contains("more than was asked for"),
        "{error}"
    );
}

#[test]
fn a_refused_idle_is_an_error_and_no_panic() {
    let port = fake(
        |connection, line| match line.split_once(' ').map_or("", |(_, rest)| rest) {
            "CAPABILITY" => "* CAPABILITY IMAP4rev1 IDLE\r\nTAG OK done\r\n".into(),
            "IDLE" => "TAG OK done without asking\r\n".into(),
            "" if line == "DONE" => "CLOSE".into(),
            text if text.starts_with("UID SEARCH") => "* SEARCH\r\nTAG OK done\r\n".into(),
            _ => poor_server(connection, line),
        },
    );
    let password = secret();
    let mut source = imap(
        &format!("user: ada, port: {port}, tls: none"),
        password.path(),
    );
    assert_eq!(source.fetch(LIMIT, 1).unwrap(), []);
    assert!(source.wait(A_LONG_TIME, &Stop::new()).is_err());
    assert_eq!(
        source.fetch(LIMIT, 1).unwrap(),
        [],
        "a new connection works"
    );
}

#[test]
fn answers_that_are_one_behind_are_no_success() {
    // Somebody has put an answer in between: everything is one behind, and the letter's is only "go
    // on".
    let port = fake(|_, line| match line {
        "" => "220 hello\r\n250 injected\r\n".into(),
        line if line.starts_with("EHLO") => "250 hello\r\n".into(),
        "DATA" => "354 go on\r\n".into(),
        "." => "554 no\r\n".into(),
        line if line.starts_with("MAIL") || line.starts_with("RCPT") => "250 ok\r\n".into(),
        _ => String::new(),
    });
    let mut sink = smtp(&format!("port: {port}, tls: none"), None);
    let error = sink
        .send(&envelope("ada@example.org"), b"A: b\r\n\r\nx\r\n")
        .unwrap_err();
    assert!(matches!(error, SendError::Down { .. }), "{error:?}");
}
