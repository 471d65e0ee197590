//! Mails as real programs write them, and as attackers do.
//!
//! `tests/data/mail/NAME.eml` is read, and its words must be those of `NAME.words`. Mails without a
//! `.words` file are the hostile and odd ones, each with a test of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use crate::support::cost::cost;
use estafette::mail::{
    Archive, AutoReason, Fate, Incoming, MailLimits, Mailbox, ReadError, SeatClue, WordsProblem,
    WordsSource, claims, read,
};
use proptest::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mail")
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.eml"))).unwrap()
}

fn mail(name: &str) -> Incoming {
    read(&bytes(name), &MailLimits::default()).unwrap()
}

fn error(name: &str) -> ReadError {
    read(&bytes(name), &MailLimits::default()).unwrap_err()
}

/// All sample mails, by name.
fn samples() -> Vec<String> {
    let files = fs::read_dir(folder())
        .unwrap()
        .map(|file| file.unwrap().path());
    let mails = files.filter(|path| path.extension().is_some_and(|end| end == "eml"));
    let mut names: Vec<String> = mails
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn every_program_s_mail_gives_the_player_s_own_words() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for name in samples() {
        let Ok(expected) = fs::read_to_string(folder().join(format!("{name}.words"))) else {
            continue;
        };
        let words = mail(&name).words;
        checked += 1;
        if words.text != expected.trim_end_matches('\n') {
            wrong.push(format!(
                "{name}: expected\n{expected}---\nread\n{}\n---\n{:#?}",
                words.text, words.lines
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked >= 130, "only {checked} samples found");
}

#[test]
fn lines_are_counted_by_fate() {
    let words = mail("gmail_en_top").words;
    assert_eq!(words.count(Fate::Taken), 3);
    assert_eq!(words.count(Fate::Attribution), 2);
    assert_eq!(words.count(Fate::Quoted), 8);
    assert_eq!(words.source, WordsSource::Text);
    let words = mail("markers_en").words;
    assert_eq!(
        (words.count(Fate::Taken), words.count(Fate::OutsideMarkers)),
        (2, 5)
    );
    let words = mail("forwarded_gmail").words;
    assert_eq!((words.count(Fate::Taken), words.problem), (0, None));
    assert!(words.count(Fate::ForwardedOrHeaderBlock) >= 8);
}

#[test]
fn the_source_of_the_words_is_told() {
    assert_eq!(mail("outlook_fr_html").words.source, WordsSource::Html);
    assert_eq!(
        mail("attachment_only").words.source,
        WordsSource::Attachment("orders.txt".into())
    );
    assert_eq!(mail("attachment_only").words.file(), Some("orders.txt"));
    // The HTML part has the whole line that the plain text broke in two.
    assert_eq!(mail("gmail_en_long_line").words.source, WordsSource::Html);
}

#[test]
fn attached_texts_are_kept_beside_the_words() {
    let words = mail("attached_beside").words;
    assert_eq!(words.source, WordsSource::Text);
    let [file] = words.attached.as_slice() else {
        panic!("{:?}", words.attached)
    };
    assert_eq!(
        (file.name.as_str(), file.text.lines().count()),
        ("orders.txt", 4)
    );
    // By the end of its name alone, in the letters of Windows.
    assert_eq!(mail("attached_octets").words.file(), Some("ordres.TXT"));
    // What programs attach is no text of the player, and what lies in a forwarded mail neither.
    assert_eq!(mail("attached_junk").words.attached, []);
    assert_eq!(mail("forwarded_rfc822").words.attached, []);
}

#[test]
fn no_more_files_are_read_than_the_limits_allow() {
    let part = |number: usize, text: &str| {
        format!(
            "--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename={number}.txt\r\n\r\n{text}\r\n"
        )
    };
    let with = |parts: String| {
        let head = "From: ada@example.net\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
        let body = "--b\r\nContent-Type: text/plain\r\n\r\nHOLD\r\n";
        read(
            format!("{head}{body}{parts}--b--\r\n").as_bytes(),
            &MailLimits::default(),
        )
        .unwrap()
        .words
    };
    let many = with((0..50).map(|number| part(number, "REST")).collect());
    assert_eq!(many.attached.len(), MailLimits::default().files);
    let long = with(part(1, &"REST\r\n".repeat(20_000)));
    assert_eq!((long.text.as_str(), long.attached.len()), ("HOLD", 0));
}

#[test]
fn what_is_encrypted_is_said_to_be() {
    for name in ["encrypted_pgp", "encrypted_smime"] {
        let words = mail(name).words;
        assert_eq!(
            (words.text.as_str(), words.problem),
            ("", Some(WordsProblem::Encrypted)),
            "{name}"
        );
    }
}

/// What grows with the square of a text takes minutes; a slow machine needs some seconds.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn long_texts_and_lines_are_read_in_little_time() {
    let time = |body: String| {
        let mail = format!("From: ada@example.net\r\nContent-Type: text/plain\r\n\r\n{body}");
        cost(|| read(mail.as_bytes(), &MailLimits::default()).unwrap().words)
    };
    // What makes each rule look furthest: openings without an end, signatures, header lines,
    // initials, letters of ours.
    for line in [
        "On Monday -",
        "--\r\nOn x:",
        "From: a",
        "From: a\r\n\r\n\r\n",
        "an> x\r\n\r\n",
        "== estafette",
        "== estafette\r\nregister 1",
        "thanks\r\n\r\n",
        "Ada:\r\n\r\n\r\n",
        "> x",
        "2020/01/01 <a@b>",
        "BEGIN ORDERS",
        "-----BEGIN PGP SIGNED MESSAGE-----",
    ] {
        let count = 900_000 / (line.len() + 2);
        let (short, _) = time(format!("{line}\r\n").repeat(count.min(20_000)));
        assert!(short < LONG, "{line:?}: {short:?}");
        let (refused, words) = time(format!("{line}\r\n").repeat(count));
        assert!(refused < LONG, "{line:?}: {refused:?}");
        assert!(words.lines.len() <= MailLimits::default().text_lines);
    }
    let (one, words) = time("x".repeat(1_000_000));
    assert!(one < LONG, "{one:?}");
    assert!(matches!(words.problem, Some(WordsProblem::TooLong { .. })));
    assert_eq!(time("\r\n".repeat(60_000)).1.lines, []);
}

#[test]
fn the_header_is_read() {
    let mail = mail("gmail_en_top");
    assert_eq!(mail.from.email, "ada@example.net");
    assert_eq!(mail.from.name.as_deref(), Some("Ada North"));
    assert_eq!(
        mail.message_id.as_deref(),
        Some("CAF=abc123_XYZ@mail.example.net")
    );
    assert_eq!(mail.in_reply_to, ["north.red.12.9f2c@example.org"]);
    assert_eq!(
        mail.references,
        [
            "north.red.11.aa01@example.org",
            "north.red.12.9f2c@example.org"
        ]
    );
    assert_eq!(mail.date.unwrap().to_string(), "2025-03-03T09:12:00Z");
    assert_eq!(
        mail.recipients,
        ["war+north.red.k3p7q2m5x4a6b7c2@example.org"]
    );
    assert_eq!(mail.automatic, None);
    assert_ne!(mail.digest, estafette::digest::Digest::ZERO);
    let host = Mailbox {
        local: "war".into(),
        domain: "example.org".into(),
        delimiter: '+',
    };
    let by: Vec<SeatClue> = claims(&mail, &host).iter().map(|claim| claim.by).collect();
    assert_eq!(by, [SeatClue::Address, SeatClue::Thread]);
}

#[test]
fn json_has_the_words_as_text() {
    let json = serde_json::to_value(mail("gmail_en_top")).unwrap();
    assert_eq!(
        json["words"],
        "MOVE Alpha to Lonato\nATTACK 0413 with Beta and Gamma\n\nHOLD Delta"
    );
    assert_eq!(json["lines"][0]["fate"], "taken");
    assert_eq!(json["from"]["email"], "ada@example.net");
    assert!(json["automatic"].is_null());
}

#[test]
fn exactly_one_sender_is_wanted() {
    let both = [
        "ada@example.net".to_owned(),
        "umpire@example.org".to_owned(),
    ];
    assert_eq!(
        error("hostile_two_from"),
        ReadError::SeveralSenders {
            emails: both.into()
        }
    );
    assert!(matches!(
        error("hostile_two_addresses"),
        ReadError::SeveralSenders { .. }
    ));
    assert_eq!(error("hostile_no_sender"), ReadError::NoSender);
}

#[test]
fn what_is_no_mail_is_refused() {
    assert_eq!(error("hostile_headerless"), ReadError::NotAMail);
    assert_eq!(error("hostile_blank"), ReadError::Empty);
    assert_eq!(read(b"", &MailLimits::default()), Err(ReadError::Empty));
    let limits = MailLimits {
        bytes: 100,
        ..MailLimits::default()
    };
    assert!(matches!(
        read(&bytes("gmail_en_top"), &limits),
        Err(ReadError::TooLarge { limit: 100, .. })
    ));
}

#[test]
fn decoded_fields_are_one_clean_line() {
    let mail = mail("hostile_subject_crlf");
    assert_eq!(mail.subject, "hi Bcc: all@example.net body");
    assert_eq!(mail.from.name.as_deref(), Some("Ada Bcc: all@example.net"));
    let mail = self::mail("hostile_nul");
    assert_eq!(mail.subject, "a b");
    assert_eq!(mail.words.text, "MOVE Alpha [31mred\nHOLD Beta");
}

#[test]
fn a_broken_mail_is_repaired_or_named() {
    let words = mail("hostile_missing_closing_boundary").words;
    assert_eq!(
        (words.text.as_str(), words.problem),
        ("MOVE Alpha à Lonato\nHOLD Beta", None)
    );
    assert_eq!(
        mail("hostile_wrong_boundary").words.problem,
        Some(WordsProblem::BrokenParts)
    );
    let words = mail("hostile_bad_base64").words;
    assert_eq!(
        (words.text.as_str(), words.problem),
        ("", Some(WordsProblem::Undecodable))
    );
}

#[test]
fn automatic_mails_are_known() {
    assert!(matches!(
        mail("vacation").automatic,
        Some(AutoReason::AutoReply(_))
    ));
    let list = mail("list_member").automatic.unwrap();
    assert_eq!(list, AutoReason::MailingList);
    assert!(list.may_carry_orders());
    let Some(AutoReason::DeliveryReport(report)) = mail("bounce").automatic else {
        panic!("no report")
    };
    assert_eq!(
        report.about.as_deref(),
        Some("north.red.12.9f2c@example.org")
    );
    assert_eq!(report.recipients[0].recipient, "ada@example.net");
    assert!(report.recipients[0].is_permanent());
}

#[test]
fn nesting_and_numbers_are_bounded() {
    let limits = MailLimits::default();
    let header = "From: ada@example.net\r\nMIME-Version: 1.0\r\n";
    let nested = header.to_owned() + &"Content-Type: message/rfc822\r\n\r\n".repeat(30_000);
    assert!(matches!(
        read(nested.as_bytes(), &limits),
        Err(ReadError::TooManyParts { .. })
    ));
    let mut multiparts = header.to_owned();
    for level in 0..15_000 {
        multiparts +=
            &format!("Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n");
    }
    assert!(matches!(
        read(multiparts.as_bytes(), &limits),
        Err(ReadError::TooManyParts { .. })
    ));
    let parts = format!(
        "{header}Content-Type: multipart/mixed; boundary=b\r\n\r\n{}",
        "--b\r\n\r\nx\r\n".repeat(50_000)
    );
    assert!(matches!(
        read(parts.as_bytes(), &limits),
        Err(ReadError::TooManyParts { .. })
    ));
    let html = format!(
        "{header}Content-Type: text/html\r\n\r\n{}",
        "<div><b>".repeat(2_000)
    );
    assert_eq!(
        read(html.as_bytes(), &limits).unwrap().words.problem,
        Some(WordsProblem::HtmlTooComplex)
    );
    let fields = "X-Y: z\r\n".repeat(100_000) + "From: ada@example.net\r\n\r\nHOLD";
    assert_eq!(read(fields.as_bytes(), &limits).unwrap().words.text, "HOLD");
}

/// A thread of a host has two megabytes.
#[test]
fn mails_in_mails_overflow_no_stack() {
    let nested = "From: ada@example.net\r\nMIME-Version: 1.0\r\n".to_owned()
        + &"Content-Type: message/rfc822\r\n\r\n".repeat(30_000);
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("nested.eml");
    fs::write(&kept, &nested).unwrap();
    let small = thread::Builder::new().stack_size(1 << 20);
    let read = small.spawn(move || {
        let refused = read(nested.as_bytes(), &MailLimits::default());
        assert!(matches!(refused, Err(ReadError::TooManyParts { .. })));
        Archive::read(&kept).unwrap();
    });
    read.unwrap().join().unwrap();
}

#[test]
fn a_mail_in_a_mail_in_a_mail_is_read_or_refused() {
    // The parser has a debug assertion here that does not hold; without it, the mail is read well.
    match read(&bytes("hostile_mail_in_mail"), &MailLimits::default()) {
        Ok(mail) => assert_eq!(mail.words.text, "HOLD Beta"),
        Err(error) => assert_eq!(error, ReadError::Damaged),
    }
}

#[test]
fn too_many_words_are_refused_and_counted() {
    let mail = |body: String| {
        read(
            format!("From: ada@example.net\r\n\r\n{body}").as_bytes(),
            &MailLimits::default(),
        )
        .unwrap()
        .words
    };
    let words = mail("HOLD\r\n".repeat(2001));
    assert_eq!(
        words.problem,
        Some(WordsProblem::TooLong {
            lines: 2001,
            bytes: 2001 * 5 - 1
        })
    );
    assert_eq!(words.text, "");
    assert_eq!(mail("HOLD\r\n".repeat(2000)).problem, None);
    assert!(matches!(
        mail("x".repeat(70_000)).problem,
        Some(WordsProblem::TooLong { .. })
    ));
    // Quoted lines do not count: a whole dispatch may be quoted.
    assert_eq!(mail("> HOLD\r\n".repeat(9000) + "HOLD").problem, None);
}

/// A small generator of repeatable numbers, for damage.
struct Damage(u64);

impl Damage {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }

    /// Changes, doubles, swaps or cuts a few pieces of a mail.
    fn apply(&mut self, mail: &[u8]) -> Vec<u8> {
        let mut mail = mail.to_vec();
        for _ in 0..=self.below(6) {
            let (start, length) = (self.below(mail.len()), self.below(60));
            let end = (start + length).min(mail.len());
            match self.below(5) {
                0 => mail.truncate(start),
                1 => drop(mail.drain(start..end)),
                2 => {
                    let piece = mail[start..end].to_vec();
                    let at = self.below(mail.len());
                    mail.splice(at..at, piece);
                }
                3 => mail[start..end]
                    .iter_mut()
                    .for_each(|byte| *byte = byte.wrapping_add(128)),
                _ => {
                    let lure: &[&[u8]] = &[
                        b"\r\n\r\n",
                        b"\0",
                        b">",
                        b"--b",
                        b"=?utf-8?Q?=0D=0A?=",
                        b"<blockquote>",
                        b"\xff",
                        b":",
                    ];
                    let piece = lure[self.below(lure.len())].to_vec();
                    mail.splice(start..start, piece);
                }
            }
        }
        mail
    }
}

#[test]
fn damaged_mails_never_panic_and_give_clean_words() {
    let mut damage = Damage(42);
    for name in samples() {
        let whole = bytes(&name);
        for _ in 0..60 {
            let Ok(mail) = read(&damage.apply(&whole), &MailLimits::default()) else {
                continue;
            };
            let clean = |text: &str| {
                !text
                    .chars()
                    .any(|c| c.is_control() && c != '\n' && c != '\t')
            };
            assert!(
                clean(&mail.words.text) && clean(&mail.subject) && !mail.subject.contains('\n')
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = read(&bytes, &MailLimits::default());
        let _ = read(&[b"From: a@example.org\r\nContent-Type: text/html\r\n\r\n", &bytes[..]].concat(), &MailLimits::default());
    }

    #[test]
    fn any_text_below_a_header_keeps_its_line_count(text in "(\\PC|\n){0,300}") {
        let raw = format!("From: a@example.org\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}");
        let words = read(raw.as_bytes(), &MailLimits::default()).unwrap().words;
        prop_assert!(words.text.lines().count() <= words.lines.len());
        prop_assert!(words.lines.iter().enumerate().all(|(index, line)| line.number == index + 1));
    }
}
