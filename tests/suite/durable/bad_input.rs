//! Mails, files and disks that are not as they should be: a clear answer or silence, and nothing
//! else changes.
#![cfg(unix)]

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

use crate::support::{
    Letter, Test, change, copied_games, copied_rules, fed, is_replayed, mail_to, tree,
};
use estafette::campaign::model::state::State;
use serde_json::Value;

fn begin() -> Test {
    Test::campaign("castiglione").scenario("lonato").begin()
}

/// What a mail may not change: everything but the bookkeeping of mails.
fn essence(state: &State) -> impl PartialEq + std::fmt::Debug {
    let words: Vec<_> = state
        .seats
        .iter()
        .map(|(id, seat)| (id.clone(), seat.token, seat.words.clone(), seat.ready))
        .collect();
    (
        state.world.digest(),
        state.phase.clone(),
        state.decisions.clone(),
        state.waiting.clone(),
        state.dice.clone(),
        words,
    )
}

/// Lets a mail come. Gives what the journal says of it, and the letters that answer it.
#[track_caller]
fn refused(test: &mut Test, bytes: &[u8]) -> (Value, Vec<(&'static str, Letter)>) {
    let (state, records) = (test.state(), test.records("refused").len());
    let count = |test: &Test| ["french", "austrian", "umpire"].map(|to| test.letters(to).len());
    let before = count(test);
    test.raw(bytes).run();
    assert_eq!(
        essence(&test.state()),
        essence(&state),
        "something has changed"
    );
    let said = test.records("refused");
    assert_eq!(said.len(), records + 1, "the journal says what happened");
    let mut letters = Vec::new();
    for (to, known) in ["french", "austrian", "umpire"].into_iter().zip(before) {
        letters.extend(
            test.letters(to)
                .into_iter()
                .skip(known)
                .map(|letter| (to, letter)),
        );
    }
    (said.last().unwrap().clone(), letters)
}

/// A mail is refused for a reason and the French seat gets one answer, to its registered address.
#[track_caller]
fn answered(test: &mut Test, bytes: &[u8], reason: &str, words: &str) {
    let (record, letters) = refused(test, bytes);
    assert_eq!(record["reason"], reason);
    let [(to, letter)] = letters.as_slice() else {
        panic!("{} letters", letters.len())
    };
    assert_eq!((*to, letter.to.as_str()), ("french", "ada@example.org"));
    letter.contains(words);
    assert!(
        letter.header.contains("Auto-Submitted: auto-replied")
            || letter.header.contains("Auto-Submitted: auto-generated")
    );
}

/// A mail is refused for a reason and nobody is told.
#[track_caller]
fn silent(test: &mut Test, bytes: &[u8], reason: &str) {
    let (record, letters) = refused(test, bytes);
    assert_eq!(record["reason"], reason);
    assert!(letters.is_empty(), "{:?}", letters[0].1.text);
}

/// A French mail with another header or body than usual.
fn french(test: &Test, header: &str, body: &[u8]) -> Vec<u8> {
    let to = test.newest("french").reply_to;
    let mut bytes = format!("From: Ada <ada@example.org>\r\nTo: <{to}>\r\nMessage-ID: <odd@players.example>\r\n{header}\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

#[test]
fn mails_without_orders_are_answered() {
    let mut test = begin();
    let blank = french(&test, "", b"\r\n\r\n");
    answered(&mut test, &blank, "empty", "aucun mot de vous");
    let quoted = french(
        &test,
        "Subject: Re\r\n",
        b"> MOVE Ott: Salo\r\n> NOTHING\r\n",
    );
    answered(&mut test, &quoted, "empty", "aucun mot de vous");
}

#[test]
fn a_mail_that_is_too_large_is_answered() {
    let mut test = begin();
    let large = french(&test, "", &b"NOTHING and much more\r\n".repeat(60_000));
    assert!(large.len() > 1 << 20);
    answered(&mut test, &large, "too_large", "1 Mio");
}

#[test]
fn bytes_that_are_no_mail_are_passed_over() {
    let mut test = begin();
    let (record, letters) = refused(&mut test, b"");
    assert!(record["reason"] == "empty" && letters.is_empty());
    silent(&mut test, &[0xff; 300], "unreadable");
    silent(
        &mut test,
        b"From: Eve <eve@example.net>\r\nTo: <game@example.org>\r\n\r\nbuy now\r\n",
        "stranger",
    );
}

#[test]
fn a_program_gets_no_answer() {
    let mut test = begin();
    let absent = french(
        &test,
        "Auto-Submitted: auto-replied\r\nSubject: out of office\r\n",
        b"I am away.\r\n",
    );
    silent(&mut test, &absent, "automatic");
}

#[test]
fn tokens_are_demanded() {
    let mut test = begin();
    let wrong = mail_to(
        "french",
        "game+spring.french.aaaaaaaaaaaaaaaa@example.org",
        "NOTHING",
        1,
    );
    answered(
        &mut test,
        &wrong,
        "wrong_token",
        "adresse de réponse actuelle",
    );
    let none = mail_to("french", "game@example.org", "NOTHING", 2);
    answered(&mut test, &none, "no_token", "adresse de réponse actuelle");
    // Once a day is enough: anybody can write such mails.
    let again = mail_to(
        "french",
        "game+spring.french.bbbbbbbbbbbbbbbb@example.org",
        "NOTHING",
        5,
    );
    silent(&mut test, &again, "wrong_token");
    test.clock("2026-11-22T12:00:00Z");
    // Somebody else's address with the seat's name: the answer goes to the seat.
    let forged = mail_to(
        "Eve <eve@example.net>",
        "game+spring.french.aaaaaaaaaaaaaaaa@example.org",
        "NOTHING",
        3,
    );
    answered(
        &mut test,
        &forged,
        "wrong_token",
        "adresse de réponse actuelle",
    );
    // The other seat's token is none of one's own.
    test.clock("2026-11-23T12:00:00Z");
    let other = test
        .newest("austrian")
        .reply_to
        .replace("austrian", "french");
    answered(
        &mut test,
        &mail_to("french", &other, "NOTHING", 4),
        "wrong_token",
        "adresse de réponse actuelle",
    );
}

#[test]
fn a_stranger_can_make_neither_letters_nor_the_state_grow() {
    let mut test = begin();
    let size = |test: &Test| serde_json::to_string(&test.state()).unwrap().len();
    let to = "game+spring.french.aaaaaaaaaaaaaaaa@example.org";
    test.raw(&mail_to("Eve <eve@example.net>", to, "hello 0", 1))
        .run();
    let letters = test.letters("french").len();
    let flood = |test: &mut Test, numbers: std::ops::Range<u32>| {
        for number in numbers {
            let words = format!("hello {number}");
            test.raw(&mail_to("Eve <eve@example.net>", to, &words, number));
        }
        test.run()
    };
    flood(&mut test, 2..22);
    let (journal, before) = (test.journal(), size(&test));
    assert_eq!(
        test.records("refused").len(),
        21,
        "the one that was answered, and twenty that change nothing"
    );
    // What comes beyond that in the hour grows neither the state nor the journal, and lies where
    // the others lie.
    let said = flood(&mut test, 22..222);
    assert_eq!(test.letters("french").len(), letters);
    assert_eq!(size(&test), before);
    assert!(test.journal() == journal);
    assert!(said.len() == 200 && said[0].contains("not in the journal"));
    let done = fs::read_dir(test.root().join("inbox/done")).unwrap();
    assert_eq!(done.count(), 221);
    // Players are not touched by it: orders count, and a mail that is to be answered is answered.
    test.mail("french", "POURSUIVRE JAMAIS").run();
    test.newest("french").contains("POURSUIVRE JAMAIS");
    let letters = test.letters("austrian").len();
    let forged = "game+spring.austrian.aaaaaaaaaaaaaaaa@example.org";
    test.raw(&mail_to("Eve <eve@example.net>", forged, "hello", 300));
    test.run();
    assert_eq!(test.letters("austrian").len(), letters + 1);
    // Another hour, another twenty.
    test.clock("2026-11-21T13:30:00Z");
    let before = test.records("refused").len();
    flood(&mut test, 400..450);
    assert_eq!(test.records("refused").len(), before + 20);
    is_replayed(&test);
}

#[test]
fn copies_are_known_by_their_bytes_alone_and_by_their_id_alone() {
    // Without a Message-ID only the bytes tell.
    let mut test = begin();
    let to = test.newest("french").reply_to;
    let bare = String::from_utf8(mail_to("french", &to, "POURSUIVRE JAMAIS", 1)).unwrap();
    let bare = bare.replace("Message-ID: <1@players.example>\r\n", "");
    test.raw(bare.as_bytes()).run();
    assert_eq!(test.records("mail").len(), 1);
    silent(&mut test, bare.as_bytes(), "duplicate");
    // By another way come other bytes, with the same Message-ID and the same words.
    let mut test = begin();
    let to = test.newest("french").reply_to;
    let mail = mail_to("french", &to, "POURSUIVRE JAMAIS", 1);
    let other_way = |mail: &[u8]| [b"Received: from another way\r\n".as_slice(), mail].concat();
    test.raw(&mail).run();
    silent(&mut test, &other_way(&mail), "duplicate");
    // The same Message-ID with other words is another mail (programs that send again do that), and
    // so is another Message-ID with the same words.
    let other = mail_to("french", &to, "POURSUIVRE TOUJOURS", 1);
    test.raw(&other_way(&other)).run();
    assert_eq!(test.records("mail").len(), 2);
    test.newest("french").contains("POURSUIVRE TOUJOURS");
    test.raw(&mail_to("french", &to, "POURSUIVRE JAMAIS", 2))
        .run();
    assert_eq!(test.records("mail").len(), 3);
}

#[test]
fn an_old_token_and_a_second_copy_change_nothing() {
    let mut test = begin();
    let first = test.newest("french").reply_to;
    let mail = mail_to("french", &first, "RIEN", 1);
    test.raw(&mail).run();
    silent(&mut test, &mail, "duplicate");
    test.mail("austrian", "NOTHING").run();
    silent(&mut test, &mail, "duplicate");
    answered(
        &mut test,
        &mail_to("french", &first, "POURSUIVRE JAMAIS", 2),
        "old_token",
        "dépêche plus ancienne",
    );
}

#[test]
fn words_in_other_charsets_and_pages_are_read() {
    let mut test = begin();
    let latin = french(
        &test,
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n",
        b"RETRAITE APR\xc8S 1 TOUJOURS\r\n",
    );
    test.raw(&latin).run();
    test.newest("french").contains("RETRAITE APRÈS 1 TOUJOURS");
    let unknown = french(&test, "", b"POURSUIVRE JAMAIS\r\n\xff\xfe\x80\r\n");
    test.raw(&unknown).run();
    test.newest("french")
        .contains("POURSUIVRE JAMAIS")
        .contains("Cette ligne n'est pas un ordre et a été laissée de côté");
    let page = french(
        &test,
        "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n",
        b"<p>POURSUIVRE <b>TOUJOURS</b></p>",
    );
    test.raw(&page).run();
    test.newest("french").contains("POURSUIVRE TOUJOURS");
    assert_eq!(test.records("mail").len(), 3);
}

#[test]
fn a_finished_campaign_says_so() {
    let data = tempfile::tempdir().unwrap();
    fs::write(
        data.path().join("tables.yaml"),
        "game_length: {values: {turns: 6}}\n",
    )
    .unwrap();
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .data(data.path())
        .begin();
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    for _ in 0..2 {
        test.mail("french", "RIEN")
            .mail("austrian", "NOTHING")
            .run();
    }
    assert!(
        test.state().world.ended.is_some(),
        "{:?}",
        test.state().waiting
    );
    let late = mail_to("french", &test.newest("french").reply_to, "RIEN", 99);
    answered(&mut test, &late, "finished", "terminée");
}

// Files with errors

fn estafette(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_estafette"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), output.stderr.as_slice()].concat())
        .into_owned()
}

#[test]
fn wrong_files_are_refused_with_their_line() {
    let (games, rules) = (copied_games(), copied_rules());
    change(
        &games.path().join("castiglione/forces.yaml"),
        "name: Bonaparte, side: french",
        "name: Bonaparte, side: french, sidearm: sword",
    );
    change(
        &rules.path().join("castiglione/recovery.rhai"),
        "fn recovery() {",
        "fn recovery( {",
    );
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("campaign");
    let target = target.to_str().unwrap();
    let new = [
        "new",
        "castiglione",
        "--into",
        target,
        "--seat",
        "french=ada@example.org",
        "--seat",
        "austrian=bert@example.org",
    ];
    for (option, copy, file) in [
        ("--games", &games, "forces.yaml:"),
        ("--rules", &rules, "recovery.rhai:"),
    ] {
        let place = [option, copy.path().to_str().unwrap()];
        for command in [&["check", "castiglione"][..], &new[..]] {
            let output = estafette(&[command, &place].concat());
            let text = complaint(&output);
            let line = text
                .split(file)
                .nth(1)
                .and_then(|rest| rest.split(':').next())
                .and_then(|line| line.parse::<u32>().ok());
            assert_eq!(output.status.code(), Some(1), "{text}");
            assert!(
                line.is_some_and(|line| line > 1),
                "no line of {file} in: {text}"
            );
            assert!(!Path::new(target).exists());
        }
    }
}

#[test]
fn pinned_files_must_stay_as_they_were() {
    let test = begin().with_rules_as_files();
    let file = test.root().join("pinned/rules/castiglione/recovery.rhai");
    change(&file, "unit.hits -= 1", "unit.hits -= 2");
    let output = estafette(&["run", test.root().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", complaint(&output));
    assert!(
        complaint(&output).contains("recovery.rhai: was changed"),
        "{}",
        complaint(&output)
    );
}

// Disks

#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let begin = || {
        let plan = Test::campaign("castiglione").scenario("lonato");
        plan.with_pictures().begin()
    };
    let mut test = begin();
    test.mail("french", "RIEN").mail("austrian", "NOTHING");
    // The limit lets receipts through and stops the first dispatch with its picture, as a full disk
    // would.
    let root = test.root();
    let script = format!(
        "trap '' XFSZ; ulimit -f 200; exec \"$0\" run '{}' --now 2026-11-21T12:00:00Z",
        root.display()
    );
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_estafette")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", complaint(&output));
    for letter in test
        .letters("french")
        .iter()
        .chain(&test.letters("austrian"))
    {
        assert!(
            letter.html.is_none() || letter.bytes.ends_with(b"--\r\n"),
            "{} is cut off",
            letter.message_id
        );
    }
    // With room again it goes on as if nothing had been.
    test.run();
    let mut undisturbed = begin();
    undisturbed
        .mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    assert!(tree(&root) == tree(&undisturbed.root()));
}

#[test]
fn a_missing_directory_is_the_environments_fault() {
    let test = begin();
    let root = test.root();
    fs::write(root.join("inbox"), "no folder").unwrap();
    let output = estafette(&["run", root.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3), "{}", complaint(&output));
    assert!(
        complaint(&output).contains("inbox/new"),
        "{}",
        complaint(&output)
    );
    let nowhere = root.join("nowhere");
    assert_eq!(
        estafette(&["run", nowhere.to_str().unwrap()]).status.code(),
        Some(3)
    );
    assert_eq!(deliver(&nowhere, "").status.code(), Some(75));
}

#[test]
fn a_mail_that_cannot_be_kept_stays_with_its_sender() {
    let test = begin();
    let root = test.root();
    let output = deliver(&root, "trap '' XFSZ; ulimit -f 0;");
    assert_eq!(output.status.code(), Some(75), "{}", complaint(&output));
    assert_eq!(fs::read_dir(root.join("inbox/new")).unwrap().count(), 0);
    assert!(deliver(&root, "").status.success());
    assert_eq!(test.records("refused").len(), 1);
}

/// Hands over a stranger's mail through `deliver`, in a shell after these commands.
fn deliver(root: &Path, before: &str) -> Output {
    let script = format!(
        "{before} exec \"$0\" deliver '{}' --now 2026-11-21T13:00:00Z",
        root.display()
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_estafette")]);
    let mail = b"From: eve@example.net\r\nTo: game@example.org\r\n\r\nhello\r\n";
    fed(&mut command, mail)
}
