//! Who sent a mail: what a campaign may ask for, mails that are held, and headers that lie.
#![cfg(unix)]

use std::{
    fs,
    process::Command,
    time::{Duration, SystemTime},
};

use crate::support::mailserver::host::Host;
use crate::support::{Test, mail_to, status};
use estafette::{
    audit::{self, Verdict},
    campaign::{
        self,
        model::events::{Event, Reason},
    },
};

const VERIFIED: &str = "{least: verified, results_of: mx.example.net}";
const ADDRESS: &str = "{least: token_and_address}";

fn asking(trust: &'static str) -> Test {
    Test::campaign("castiglione")
        .scenario("lonato")
        .trust(trust)
        .begin()
}

/// The exit code of `umpire release` for a mail.
fn release(test: &Test, mail: &str) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.args(["umpire", "release"]).arg(test.root());
    command.args(["--mail", mail, "--now", &test.now().to_string()]);
    command.output().unwrap().status.code()
}

/// Orders of the French with the seat's token, with these fields above all others.
fn orders(test: &Test, above: &str, from: &str, number: u32) -> Vec<u8> {
    let to = test.newest("french").reply_to;
    let mail = mail_to(from, &to, "POURSUIVRE JAMAIS", number);
    [above.as_bytes(), &mail].concat()
}

const OWN: &str = "Ada <ada@example.org>";
const OTHER: &str = "Ada <ada@example.com>";
const GOOD: &str = "Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\r\n";
const FORGED: &str = "Authentication-Results: mx.evil.example; dmarc=fail\r\n\
    Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\r\n";

#[test]
fn a_campaign_takes_what_is_trusted_enough_and_holds_the_rest() {
    for (asked, above, from, taken) in [
        ("{least: token}", "", OTHER, true),
        (ADDRESS, "", OTHER, false),
        (ADDRESS, GOOD, OTHER, false),
        (ADDRESS, "", OWN, true),
        (ADDRESS, "", "\"Eve\" <ADA@Example.ORG>", true),
        (VERIFIED, "", OWN, false),
        (VERIFIED, FORGED, OWN, false),
        (VERIFIED, GOOD, OTHER, false),
        (VERIFIED, GOOD, OWN, true),
    ] {
        let mut test = asking(asked);
        let mail = orders(&test, above, from, 1);
        test.raw(&mail).run();
        let case = format!("{asked} {above} {from}");
        assert_eq!(test.records("mail").len(), usize::from(taken), "{case}");
        let held = test.records("refused");
        assert_eq!(held.len(), usize::from(!taken), "{case}");
        assert!(
            held.iter().all(|refused| refused["reason"] == "held"),
            "{case}"
        );
    }
}

#[test]
fn a_held_mail_counts_when_it_is_released() {
    let mut test = asking(ADDRESS);
    let mail = orders(&test, "", OTHER, 1);
    test.raw(&mail).run();
    assert_eq!(test.state().seats["french"].words, "");
    let notice = test.newest("umpire");
    notice
        .contains("the seat french")
        .contains("Trust: token, from ada@example.com")
        .contains("Asked for: token_and_address")
        .contains("000001.test");
    let told = test.newest("french");
    told.contains("entre les mains de l'arbitre");
    assert_eq!(told.to, "ada@example.org");

    // The seat is told once a day; the umpire of each.
    let again = orders(&test, "", OTHER, 2);
    test.raw(&again).run();
    assert_eq!(test.newest("french").message_id, told.message_id);
    assert_eq!(test.letters("umpire").len(), 2);

    for wrong in ["nothing", "../../journal.jsonl", ""] {
        assert_eq!(release(&test, wrong), Some(1), "{wrong}");
    }
    let files = |test: &Test| -> Vec<String> {
        let held = status(test).0["held"].as_array().unwrap().clone();
        let file = |held: &serde_json::Value| held["file"].as_str().unwrap().to_owned();
        held.iter().map(file).collect()
    };
    assert_eq!(files(&test), ["000001.test", "000002.test"]);
    let line = "held for french (token, from ada@example.com): `estafette umpire release DIR --mail 000001.test`";
    assert!(status(&test).1.contains(line));
    assert_eq!(release(&test, "000001.test"), Some(0));
    assert_eq!(test.state().seats["french"].words, "POURSUIVRE JAMAIS\n");
    test.newest("french").contains("POURSUIVRE JAMAIS");
    assert_eq!(files(&test), ["000002.test"]);
    let report = audit::campaign(&test.root()).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
}

#[test]
fn a_released_mail_still_needs_its_token() {
    let mut test = asking(ADDRESS);
    let mail = orders(&test, "", OTHER, 1);
    test.raw(&mail).run();
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    assert_eq!(
        status(&test).0["held"],
        serde_json::json!([]),
        "it can't count any more"
    );
    let words = test.state().seats["french"].words.clone();
    assert_eq!(release(&test, "000001.test"), Some(0));
    assert_eq!(test.state().seats["french"].words, words);
    assert_eq!(
        test.records("refused").last().unwrap()["reason"],
        "old_token"
    );
}

/// Bytes come as a mail. Gives the words that count for the French then, and how many letters went
/// out to anybody.
fn after(test: &mut Test, bytes: &[u8]) -> (String, usize) {
    let count = |test: &Test| -> usize {
        ["french", "austrian", "umpire"]
            .map(|to| test.letters(to).len())
            .iter()
            .sum()
    };
    let before = count(test);
    test.raw(bytes).run();
    (
        test.state().seats["french"].words.clone(),
        count(test) - before,
    )
}

#[test]
fn headers_that_lie_do_no_harm() {
    let mut test = asking(ADDRESS);
    let to = test.newest("french").reply_to;
    let token = test.newest("french").token().to_owned();
    let text =
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPOURSUIVRE JAMAIS\r\n";
    // Who sent it can't be told: nobody is answered, nothing counts.
    for header in [
        format!("From: {OWN}\r\nFrom: Eve <eve@example.net>\r\nTo: <{to}>\r\n"),
        format!("From: Eve <eve@example.net>\r\nFrom: {OWN}\r\nTo: <{to}>\r\n"),
        format!("From: {OWN}, Eve <eve@example.net>\r\nTo: <{to}>\r\n"),
        format!("From: \r\nTo: <{to}>\r\n"),
    ] {
        let got = after(&mut test, format!("{header}{text}").as_bytes());
        assert_eq!(got, (String::new(), 0), "{header}");
    }
    // An address that only looks like the seat's is another one.
    for from in [
        "=?utf-8?Q?ada=40example.org?= <eve@example.net>",
        "\"ada@example.org\" <eve@example.net>",
        "ada@example.org <eve@example.net>",
        "=?utf-8?Q?Ada=0D=0AFrom:_ada=40example.org?= <eve@example.net>",
        "\u{202e}gro.elpmaxe@ada <eve@example.net>",
        "Ada <ada@ex\u{430}mple.org>",
        "Ada <ada@example.org.evil.example>",
        "<ada@example.org@evil.example>",
    ] {
        let mail = format!("From: {from}\r\nTo: <{to}>\r\n{text}");
        let (words, _) = after(&mut test, mail.as_bytes());
        assert_eq!(words, "", "{from}");
    }
    // What stands below the first Received was written by the sender; the token alone decides in
    // any case.
    let forged = format!(
        "Received: from x by y; Sat, 21 Nov 2026 12:00:00 +0000\r\n\
         Delivered-To: game+spring.austrian.{token}@example.org\r\nFrom: {OWN}\r\nTo: <game@example.org>\r\n{text}"
    );
    let (words, _) = after(&mut test, forged.as_bytes());
    assert_eq!(words, "");
    assert!(test.state().seats["austrian"].words.is_empty());
}

#[test]
fn nothing_of_a_mail_gets_into_the_header_of_an_answer() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    let to = test.newest("french").reply_to;
    let mail = format!(
        "From: =?utf-8?Q?Eve=0D=0ABcc:_eve=40example.net?= <ada@example.org>\r\nTo: <{to}>\r\n\
         Subject: =?utf-8?Q?x=0D=0ABcc:_eve=40example.net?=\r\n\
         Message-ID: <a\r\n Bcc: eve@example.net>\r\n\
         References: <x@y>\x00\x0bBcc: eve@example.net\r\n\r\nPOURSUIVRE JAMAIS\r\n"
    );
    test.raw(mail.as_bytes()).run();
    let receipt = test.newest("french");
    receipt.contains("POURSUIVRE JAMAIS");
    assert!(
        !receipt.header.to_ascii_lowercase().contains("bcc"),
        "{}",
        receipt.header
    );
    assert!(!receipt.header.contains("eve"), "{}", receipt.header);
    assert_eq!(receipt.to, "ada@example.org");
}

#[test]
fn the_host_may_name_the_server_whose_word_counts() {
    for (line, taken) in [
        ("", false),
        ("trust: {authentication_results: mx.example.net}", true),
        ("trust: {authentication_results: mx.other.example}", false),
    ] {
        let test = asking("{least: verified}");
        let host = Host::new(
            &[&test.root()],
            &format!("in: [{{folder: {{path: drop}}}}]\n{line}"),
        );
        fs::create_dir_all(host.path("drop")).unwrap();
        let mail = orders(&test, GOOD, OWN, 1);
        let path = host.path("drop").join("1.eml");
        fs::write(&path, &mail).unwrap();
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(60))
            .unwrap();
        let output = host
            .command("run")
            .args(["--now", &test.now().to_string()])
            .output();
        let output = output.unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(test.records("mail").len(), usize::from(taken), "{line}");
        // What is not taken is held, and doctor says so beforehand.
        assert_eq!(test.records("refused").len(), usize::from(!taken), "{line}");
        let output = host.command("doctor").output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let words = if line.is_empty() {
            "no server is named"
        } else {
            "in the topmost Authentication-Results field"
        };
        assert!(said.contains(words), "{said}");
        assert_eq!(output.status.success(), !line.is_empty(), "{said}");
        // `run DIR` and `umpire` keep to what the host has said, and to its last word.
        let mut test = test;
        test.raw(&orders(&test, GOOD, OWN, 2)).run();
        assert_eq!(test.records("mail").len(), 2 * usize::from(taken), "{line}");
        let yaml = host.path("estafette.yaml");
        let text = fs::read_to_string(&yaml).unwrap();
        fs::write(&yaml, text.replace(line, "")).unwrap();
        assert!(host.command("run").status().unwrap().success());
        test.raw(&orders(&test, GOOD, OWN, 3)).run();
        assert_eq!(test.records("mail").len(), 2 * usize::from(taken), "{line}");
    }
    // The campaign's own word goes before the host's.
    let test = asking(VERIFIED);
    let mut campaign = test.open();
    campaign.trust_results_of(Some("mx.evil.example")).unwrap();
    let forged = FORGED.replace(
        "mx.evil.example; dmarc=fail",
        "mx.evil.example; dmarc=pass header.from=example.org",
    );
    let event = campaign::judge(
        campaign.context(),
        campaign.state(),
        "x",
        &orders(&test, &forged, OWN, 1),
        test.now(),
    );
    assert!(matches!(event, Event::Refused(refused) if refused.reason == Reason::Held));
}

#[test]
fn the_token_in_the_subject_is_as_good_as_in_the_address() {
    let mut test = asking("{least: token}");
    let token = test.newest("french").token().to_owned();
    let subject = |tag: &str| {
        format!(
            "From: {OTHER}\r\nTo: game@example.org\r\nSubject: Re: [club] {tag} orders\r\n\
             Content-Type: text/plain\r\n\r\nPOURSUIVRE JAMAIS\r\n"
        )
    };
    for (tag, reason) in [
        ("[spring/austrian/TOKEN]", "wrong_token"),
        ("[spring/french]", "no_token"),
        ("[autumn/french/TOKEN]", "stranger"),
    ] {
        let mail = subject(&tag.replace("TOKEN", &token));
        test.raw(mail.as_bytes()).run();
        let refused = test.records("refused").pop().unwrap();
        assert_eq!(refused["reason"], reason, "{tag}");
    }
    let mail = subject(&format!("[spring/French/{}]", token.to_uppercase()));
    test.raw(mail.as_bytes()).run();
    assert_eq!(test.state().seats["french"].words, "POURSUIVRE JAMAIS\n");
}
