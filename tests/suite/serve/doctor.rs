//! `estafette doctor`: what is wrong is said in plain words.
#![cfg(unix)]

use std::fs;

use crate::support::Test;
use crate::support::mailserver::{Proxy, Servers, host::Host};
use estafette::store::{Blob, Directory};

fn campaign() -> Test {
    Test::campaign("castiglione").scenario("lonato").begin()
}

/// Exit code and what was said.
fn doctor(host: &Host, more: &[&str]) -> (i32, String) {
    let output = host.command("doctor").args(more).output().unwrap();
    let said =
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), said)
}

#[test]
fn without_servers_it_looks_at_files_and_campaigns() {
    let test = campaign();
    let host = Host::new(&[&test.root()], "");
    let (code, said) = doctor(&host, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("spring: opens") && said.contains("no `out`"),
        "{said}"
    );
    let (code, said) = doctor(&host, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert!(
        code == 0 && json["ok"] == true && json["findings"].as_array().unwrap().len() >= 3,
        "{said}"
    );
    // Another mailbox than the campaign's, a folder that is not there, a campaign that does not
    // open.
    let yaml = host.path("estafette.yaml");
    crate::support::change(&yaml, "game@", "games@");
    fs::write(
        &yaml,
        fs::read_to_string(&yaml).unwrap() + "in: [{maildir: {path: nowhere}}]\n",
    )
    .unwrap();
    let secret = Directory::open(&test.root()).unwrap().place(Blob::Master);
    fs::write(secret, "no secret").unwrap();
    let (code, said) = doctor(&host, &[]);
    assert_eq!(code, 1, "{said}");
    for words in [
        "WRONG  spring: its mails come from game@example.org",
        "nowhere",
        "restore it from the copy",
    ] {
        assert!(said.contains(words), "`{words}`: {said}");
    }
    fs::write(&yaml, "mailbox: x\n").unwrap();
    assert_eq!(doctor(&host, &[]).0, 2);
    fs::remove_file(&yaml).unwrap();
    assert_eq!(doctor(&host, &[]).0, 3);
}

#[test]
fn with_servers_it_sends_itself_a_mail() {
    let Some(servers) = Servers::start() else {
        return;
    };
    let test = campaign();
    let ca = servers.ca();
    let lines = |user: &str, password: &str, submission: u16| {
        format!(
            "in: [{{imap: {{host: localhost, port: {}, user: {user}, password: {{file: {password}}}, ca: {ca}}}}}]\n\
             out: {{smtp: {{host: localhost, port: {submission}, user: pbem, password: {{file: {password}}}, ca: {ca}}}}}",
            servers.imaps,
            ca = ca.display(),
        )
    };
    let host = Host::new(
        &[&test.root()],
        &lines("game", "secret", servers.submission),
    );
    write_secret(&host, "secret", "secret", 0o600);
    write_secret(&host, "wrong", "canary", 0o600);
    let (code, said) = doctor(&host, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("came back")
            && said.contains("logged in as game")
            && said.contains("logged in as pbem"),
        "{said}"
    );
    let check = |lines: &str, words: &[&str]| {
        let host = Host::new(&[&test.root()], lines);
        write_secret(&host, "secret", "secret", 0o600);
        write_secret(&host, "open", "secret", 0o644);
        write_secret(&host, "wrong", "canary", 0o600);
        let (code, said) = doctor(&host, &["--wait", "2"]);
        assert_eq!(code, 1, "{said}");
        assert!(!said.contains("canary"), "{said}");
        for word in words {
            assert!(said.contains(word), "`{word}`: {said}");
        }
    };
    check(
        &lines("game", "wrong", servers.submission),
        &[
            "WRONG  smtp",
            "login of `pbem` was refused",
            "WRONG  imap",
            "login of `game` was refused",
            "look at `user` and `password`",
        ],
    );
    let good = lines("game", "secret", servers.submission);
    let port = |port: u16| format!("port: {port},");
    // Nobody listens there once the listener is gone.
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .unwrap()
        .port();
    for open in [servers.imaps, servers.submission] {
        check(
            &good.replace(&port(open), &port(closed)),
            &[&format!("port {closed}"), "whether the server runs"],
        );
    }
    check(
        &good.replace("user: game,", "user: game, folder: Nowhere,"),
        &["WRONG  imap", "`Nowhere`", "look at `folder`"],
    );
    check(
        &good.replace("user: game,", "user: game, processed: a//b,"),
        &["WRONG  imap", "`a//b`", "look at `processed`"],
    );
    check(
        &good.replacen("host: localhost", "host: no-such-host.invalid", 1),
        &["no-such-host.invalid: no such host", "look at `host`"],
    );
    // The certificate is for localhost and 127.0.0.1.
    let elsewhere = Proxy::at("127.0.0.2", servers.imaps);
    check(
        &good
            .replacen("host: localhost", "host: 127.0.0.2", 1)
            .replace(&port(servers.imaps), &port(elsewhere.port)),
        &["WRONG  imap", "is for another name", "as `host`"],
    );
    check(&lines("game", "open", servers.submission), &["chmod 600"]);
    check(
        &lines("game", "missing", servers.submission),
        &["missing", "the secret"],
    );
    check(
        &lines("somebody", "secret", servers.submission),
        &["did not come to `in`"],
    );
    check(&lines("game", "secret", servers.imap), &["WRONG  smtp"]);
    check(
        &lines("game", "secret", servers.submission).replace("ca.pem", "cert.pem"),
        &["certificate"],
    );
    // While a host is up it takes the mail, and the doctor finds it where that puts it.
    let mut host = Host::new(
        &[&test.root()],
        &lines("game", "secret", servers.submission),
    );
    write_secret(&host, "secret", "secret", 0o600);
    host.serve();
    crate::support::mailserver::until("it is up", || host.log().contains("serving"));
    let (code, said) = doctor(&host, &[]);
    assert!(
        code == 0 && said.contains("a host is up") && said.contains("came back"),
        "{said}"
    );
}

fn write_secret(host: &Host, name: &str, secret: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(host.path(name), secret).unwrap();
    fs::set_permissions(host.path(name), fs::Permissions::from_mode(mode)).unwrap();
}
