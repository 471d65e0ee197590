//! The beacon's value from a relay: what is asked and when, what is taken, what goes wrong, and
//! once over real TLS.
#![cfg(feature = "drand")]

use std::{
    cell::RefCell,
    io::{Read, Write},
    net::TcpListener,
    sync::Arc,
    thread,
    time::Duration,
};

use crate::support::{ROUND_42, ROUND_1000, Test, is_rolled, sealed_with};
use estafette::{
    audit::{self, Verdict},
    campaign::durable::{
        Campaign, Pass,
        relay::{Fetch, Https},
    },
};
use rustls::{
    ServerConfig, ServerConnection, Stream,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

const CHAIN: &str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
/// The moment of round 42.
const MOMENT: &str = "2023-08-23T15:11:30Z";

fn answer(signature: &str) -> String {
    format!("{{\"round\":42,\"randomness\":\"00\",\"signature\":\"{signature}\"}}")
}

/// A campaign whose orders were sealed a minute before the moment of round 42.
fn sealed(relay: &str) -> Test {
    sealed_with(&format!("[{{source: drand, margin_seconds: 60{relay}}}]"))
}

/// A relay that says what it is told to, and notes what it is asked.
struct Fake {
    says: Result<String, String>,
    asked: RefCell<Vec<String>>,
}

impl Fake {
    fn new(says: Result<String, &str>) -> Self {
        Self {
            says: says.map_err(str::to_owned),
            asked: RefCell::default(),
        }
    }
}

impl Fetch for Fake {
    fn text(&self, address: &str) -> Result<String, String> {
        self.asked.borrow_mut().push(address.to_owned());
        self.says.clone()
    }
}

fn ask(test: &Test, relay: &dyn Fetch, now: &str) -> Pass {
    let mut campaign = Campaign::open(&test.root(), Duration::ZERO).unwrap();
    campaign.ask_relay(relay, now.parse().unwrap()).unwrap()
}

#[test]
fn a_relay_is_asked_for_the_round_when_its_moment_has_come() {
    let test = sealed(", relay: 'https://relay.example.org/'");
    let relay = Fake::new(Ok(answer(ROUND_42)));
    assert_eq!(ask(&test, &relay, "2023-08-23T15:11:29Z"), Pass::default());
    assert!(relay.asked.borrow().is_empty());
    let pass = ask(&test, &relay, MOMENT);
    assert!(is_rolled(&test) && pass.letters >= 2, "{pass:?}");
    let address = format!("https://relay.example.org/{CHAIN}/public/42");
    assert_eq!(*relay.asked.borrow(), [address]);
    // It came by no mail, and stands in the journal as any value.
    let value = test.records("value").pop().unwrap();
    assert_eq!(value["value"], format!("drand 42 {ROUND_42}"));
    let report = audit::campaign(&test.root()).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    assert_eq!(ask(&test, &relay, MOMENT), Pass::default());
    assert_eq!(relay.asked.borrow().len(), 1, "nothing is waited for");
}

#[test]
fn nobody_is_asked_where_no_relay_is_named() {
    let test = sealed("");
    let relay = Fake::new(Ok(answer(ROUND_42)));
    assert_eq!(ask(&test, &relay, MOMENT), Pass::default());
    assert!(relay.asked.borrow().is_empty());
}

#[test]
fn what_a_relay_says_wrongly_is_a_line_of_the_pass() {
    let test = sealed(", relay: 'https://relay.example.org'");
    for (says, line) in [
        (Ok(answer(ROUND_1000)), "its signature is not genuine"),
        (
            Ok("<html>Sorry</html>".to_owned()),
            "has no value of round 42",
        ),
        (
            Ok(answer(ROUND_42).replace(":42", ":41")),
            "has no value of round 42",
        ),
        (
            Err("no route to host"),
            "no route to host; a mail or a file may bring it",
        ),
    ] {
        let pass = ask(&test, &Fake::new(says), MOMENT);
        assert!(
            pass.lines.len() == 1 && pass.lines[0].contains(line),
            "{pass:?}"
        );
        assert!(!is_rolled(&test));
    }
}

/// The first of all things that a pass does about it: nobody listens at this address, and the pass
/// goes on.
#[test]
fn a_pass_asks_the_relay_and_goes_on_without_it() {
    let mut test = sealed(", relay: 'https://localhost:1'");
    let mut campaign = Campaign::open(&test.root(), Duration::ZERO).unwrap();
    let pass = campaign.pass(MOMENT.parse().unwrap()).unwrap();
    drop(campaign);
    let says =
        |line: &String| line.contains(&format!("from https://localhost:1/{CHAIN}/public/42"));
    assert!(pass.lines.iter().any(says), "{pass:?}");
    test.clock("2023-08-23T15:12:00Z");
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    assert!(is_rolled(&test));
}

/// A server with a certificate of the test's own authority. It gives one answer, and then the
/// request that it got.
fn server(answer: String) -> (u16, thread::JoinHandle<String>) {
    let pem = |name: &str| {
        let path = format!("{}/tests/data/relay/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(path).unwrap()
    };
    let chain = vec![CertificateDer::from_pem_slice(&pem("server.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(&pem("server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let listener = TcpListener::bind("localhost:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut connection = ServerConnection::new(Arc::new(config)).unwrap();
        let mut stream = Stream::new(&mut connection, &mut socket);
        let mut request = Vec::new();
        let mut byte = [0];
        while !request.ends_with(b"\r\n\r\n") {
            // One who does not trust the certificate hangs up here.
            match stream.read(&mut byte) {
                Ok(1) => request.push(byte[0]),
                _ => break,
            }
        }
        let _ = stream.write_all(answer.as_bytes());
        let _ = stream.flush();
        String::from_utf8(request).unwrap()
    };
    (port, thread::spawn(serve))
}

fn http(status: &str, head: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{head}Connection: close\r\n\r\n{body}"
    )
}

#[test]
fn a_relay_is_read_over_tls_and_nothing_else() {
    let authority = include_str!("../../data/relay/ca.pem");
    let https = Https::trusting(authority).unwrap();

    let (port, served) = server(http("200 OK", "", &answer(ROUND_42)));
    let test = sealed(&format!(", relay: 'https://localhost:{port}'"));
    let pass = ask(&test, &https, MOMENT);
    assert!(is_rolled(&test), "{pass:?}");
    let request = served.join().unwrap();
    let first = format!("GET /{CHAIN}/public/42 HTTP/1.1\r\n");
    assert!(request.starts_with(&first), "{request}");

    let large = "x".repeat(70_000);
    let cases = [
        (http("404 Not Found", "", "none"), "404"),
        (
            http("302 Found", "Location: https://localhost:1/\r\n", ""),
            "",
        ),
        (http("204 No Content", "", ""), "204"),
        (http("200 OK", "", &large), "limit"),
    ];
    for (says, why) in cases {
        let (port, served) = server(says);
        let error = https
            .text(&format!("https://localhost:{port}/"))
            .unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
        served.join().unwrap();
    }
    assert!(https.text("http://localhost:1/").is_err());
    // The authorities that browsers trust do not know this one.
    let (port, served) = server(http("200 OK", "", &answer(ROUND_42)));
    let error = Https::new()
        .text(&format!("https://localhost:{port}/"))
        .unwrap_err();
    assert!(error.contains("certificate"), "{error}");
    assert_eq!(served.join().unwrap(), "");
    assert!(Https::trusting("no certificate").is_err());
}
