//! The audit of one player's mails alone: the letters as they were sent fit, and each way of
//! changing them is found and named. A forger who knows the protocol mends the heads and feet as
//! well.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Output},
    sync::LazyLock,
};

use super::{attack_castiglione, lonato};
use crate::support::forger::{Texts, letter_of, mail_of, other_die};
use crate::support::{ATTACK, Test, asked, set_up_with};
use estafette::{
    audit::{
        Verdict,
        mails::{MOST_REPORTS, MailsReport, Mismatch, mails},
    },
    campaign::model::state::CurrentWait,
    dice::{Receipt, ReceiptKind, hash},
};

/// A campaign that was played to its end, the master published.
static PLAYED: LazyLock<Test> = LazyLock::new(|| {
    let mut test = lonato();
    test.mail("austrian", "MOVE Davidovich: Nowhere\nPURSUE NEVER")
        .run();
    test.mail("austrian", "RETREAT NEVER\nPURSUE NEVER").run();
    test.play_out(attack_castiglione)
});

/// All letters to a seat.
fn texts_of(seat: &str) -> Texts {
    Texts(PLAYED.letters(seat).iter().map(mail_of).collect())
}

/// Their texts alone, as they would be pasted.
fn pasted(seat: &str) -> Vec<String> {
    let letters = PLAYED.letters(seat);
    letters.into_iter().map(|letter| letter.text).collect()
}

/// As they were while the campaign went on: without the letter that publishes the master.
fn running(seat: &str) -> Texts {
    let mut texts = texts_of(seat);
    texts.0.pop().unwrap();
    texts
}

/// What the audit finds in changed letters.
trait Audited {
    fn wrong(&self) -> Vec<Mismatch>;
    fn finds(&self, check: &str, others: &[&str]) -> Mismatch;
}

impl Audited for Texts {
    #[track_caller]
    fn wrong(&self) -> Vec<Mismatch> {
        wrong(self.folder().path())
    }

    /// The one finding of this kind; there must be one, and no findings of other kinds than these.
    #[track_caller]
    fn finds(&self, check: &str, others: &[&str]) -> Mismatch {
        let wrong = self.wrong();
        let kinds: BTreeSet<&str> = wrong.iter().map(|wrong| wrong.check.as_str()).collect();
        let expected: BTreeSet<&str> = others.iter().copied().chain([check]).collect();
        assert_eq!(kinds, expected, "{wrong:#?}");
        wrong
            .into_iter()
            .find(|wrong| wrong.check == check)
            .unwrap()
    }
}

#[track_caller]
fn wrong(path: &Path) -> Vec<Mismatch> {
    let found = mails(path).unwrap();
    assert_eq!(found.campaigns.len(), 1);
    found.campaigns[0].wrong.clone()
}

fn audit(path: &Path, json: bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.arg("audit").arg(path);
    if json {
        command.arg("--json");
    }
    command.output().unwrap()
}

fn outbox(seat: &str) -> std::path::PathBuf {
    PLAYED.root().join("outbox").join(seat)
}

#[test]
fn the_letters_of_a_seat_fit() {
    for seat in ["french", "austrian"] {
        let found = mails(&outbox(seat)).unwrap();
        assert_eq!(found.verdict(), Verdict::Fits, "{found:#?}");
        let report = &found.campaigns[0];
        let says = |words: &str| report.checked.iter().any(|line| line.contains(words));
        for words in [
            "anchors come from",
            "rolls derived again",
            "seals hold the orders",
        ] {
            assert!(says(words), "{words} is not in {:#?}", report.checked);
        }
        assert!(report.statistics.iter().any(|count| count.what == "d6"));
    }
}

/// Whoever saves a page keeps the register with it: `/` in a label is `/`.
#[test]
fn entries_stand_in_a_page_byte_for_byte_as_in_the_text() {
    let mut entries = 0;
    for letter in PLAYED.letters("austrian") {
        let Some(page) = &letter.html else { continue };
        for (name, bytes) in &letter.attached {
            if name.ends_with(".txt") {
                let entry = std::str::from_utf8(bytes).unwrap().replace("\r\n", "\n");
                assert!(letter.text.contains(&entry));
                assert!(
                    page.replace("\r\n", "\n").contains(&entry),
                    "{entry}\n{page}"
                );
                entries += usize::from(entry.contains("bind dispatch/"));
            }
        }
    }
    assert!(entries > 3);
}

#[test]
fn a_maildir_an_mbox_and_pasted_text_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mbox = folder.path().join("kept");
    let mails_of = PLAYED.letters("austrian");
    let kept: String = mails_of
        .iter()
        .map(|letter| format!("From host\n{}\n", String::from_utf8_lossy(&letter.bytes)))
        .collect();
    fs::write(&mbox, kept).unwrap();
    let pasted = folder.path().join("pasted.txt");
    let quoted: String = self::pasted("austrian")
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| format!("> {line}\n"))
        .collect();
    fs::write(&pasted, format!("Bert wrote:\n{quoted}")).unwrap();
    let rolls = |path: &Path, verdict: Verdict| {
        let found = mails(path).unwrap();
        assert_eq!(found.verdict(), verdict, "{found:#?}");
        let checked = &found.campaigns[0].checked;
        checked
            .iter()
            .find(|line| line.starts_with("roll:"))
            .unwrap()
            .clone()
    };
    let kept = rolls(&outbox("austrian"), Verdict::Fits);
    assert_eq!(kept, rolls(&mbox, Verdict::Fits));
    // Nobody can say what stood in a dispatch that was passed on.
    assert_eq!(kept, rolls(&pasted, Verdict::Incomplete));
}

/// Real letters, as mail programs save them: with other line ends, and by one that breaks lines
/// after 78 letters, as old relays do. Quoted-printable leaves it nothing to break.
#[test]
fn letters_survive_programs_that_break_lines() {
    let broken = |bytes: &[u8]| -> Vec<u8> {
        let text = std::str::from_utf8(bytes).unwrap();
        let (header, body) = text.split_once("\r\n\r\n").unwrap();
        let lines = body.split("\r\n").flat_map(|line| match line.len() {
            0 => vec![""],
            _ => (line.as_bytes().chunks(78))
                .map(|part| std::str::from_utf8(part).unwrap())
                .collect(),
        });
        let lines: Vec<&str> = lines.collect();
        format!("{header}\n\n{}", lines.join("\n")).into_bytes()
    };
    let (as_sent, as_broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut longest = 0;
    for (number, letter) in PLAYED.letters("austrian").iter().enumerate() {
        let name = format!("{number:02}.eml");
        let lines = letter.text.lines().filter(|line| line.contains("anchor "));
        longest = lines.map(str::len).fold(longest, usize::max);
        fs::write(as_sent.path().join(&name), &letter.bytes).unwrap();
        fs::write(as_broken.path().join(&name), broken(&letter.bytes)).unwrap();
    }
    assert!(longest > 78, "{longest}");
    let (sent, broken) = (
        mails(as_sent.path()).unwrap(),
        mails(as_broken.path()).unwrap(),
    );
    let same = mails(&outbox("austrian")).unwrap();
    for found in [sent, broken] {
        assert_eq!(found.verdict(), Verdict::Fits, "{found:#?}");
        assert_eq!(found.campaigns[0].checked, same.campaigns[0].checked);
    }
}

#[test]
fn the_exit_code_is_the_verdict() {
    let sound = audit(&outbox("austrian"), false);
    let text = String::from_utf8(sound.stdout).unwrap();
    assert_eq!(sound.status.code(), Some(0), "{text}");
    assert!(
        text.contains("dice     d6") && text.contains("left out"),
        "{text}"
    );
    let summary = text.lines().last().unwrap();
    assert!(
        summary.starts_with("spring: everything fits; ") && summary.contains("rolls derived again"),
        "{summary}"
    );
    let texts = texts_of("austrian");
    let roll = texts.line(&["roll 1 open", "austrian#1"]);
    let folder = texts.change(&roll, &other_die(&roll)).mended().folder();
    let failed = audit(folder.path(), true);
    assert_eq!(failed.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!(json["campaigns"][0]["wrong"][0]["check"], "roll");
    assert_eq!(json["campaigns"][0]["verdict"], "wrong");
    let mut texts = running("austrian");
    texts.0.remove(0);
    let incomplete = audit(texts.folder().path(), true);
    assert_eq!(incomplete.status.code(), Some(4));
    let json: serde_json::Value = serde_json::from_slice(&incomplete.stdout).unwrap();
    assert_eq!(json["verdict"], "incomplete");
    let summary = json["campaigns"][0]["summary"].as_str().unwrap();
    assert!(
        summary.contains("is missing; ask another player"),
        "{summary}"
    );
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(audit(empty.path(), false).status.code(), Some(4));
    assert_eq!(
        audit(&empty.path().join("none"), false).status.code(),
        Some(3)
    );
}

#[test]
fn broken_quotations_are_harmless() {
    let texts = pasted("austrian");
    let folder = texts_of("austrian").folder();
    let quoted = |width: usize| -> String {
        let newest = texts[texts.len() - 2].lines();
        newest
            .flat_map(|line| {
                let letters: Vec<char> = line.chars().collect();
                letters
                    .chunks(width)
                    .map(|part| format!("> {}\n", part.iter().collect::<String>()))
                    .collect::<Vec<_>>()
            })
            .collect()
    };
    for width in [60, 1000] {
        let reply = format!(
            "From: bert@example.org\n\nPURSUE NEVER\n\nThe host wrote:\n{}",
            quoted(width)
        );
        fs::write(folder.path().join(format!("reply-{width}.eml")), reply).unwrap();
    }
    assert_eq!(wrong(folder.path()), []);
}

#[test]
fn a_changed_die_is_found_with_both_values() {
    let texts = running("austrian");
    let roll = texts.line(&["roll 1 open", "austrian#1"]);
    let forged = texts.change(&roll, &other_die(&roll));
    assert_eq!(
        forged.finds("entry head", &["roll"]).place,
        "sd1 spring 3 dice"
    );
    let found = forged.mended().finds("roll", &[]);
    assert_eq!(found.expected, roll.rsplit_once(' ').unwrap().1);
    assert_eq!(found.found, other_die(&roll).rsplit_once(' ').unwrap().1);
    assert!(
        roll.starts_with(&found.place) && !found.mails.is_empty(),
        "{found}"
    );
}

#[test]
fn a_changed_die_of_the_own_lane_is_found() {
    let texts = running("austrian");
    let roll = texts.line(&["roll ", " austrian t", "recovery"]);
    texts.change(&roll, &other_die(&roll)).finds("roll", &[]);
}

#[test]
fn a_changed_label_is_found() {
    let texts = running("austrian");
    let roll = texts.line(&["roll ", " open ", "combat"]);
    let other = roll.replace("combat", "kombat");
    // One die in six is right by chance: this one is not.
    let changed = texts.change(&roll, &other).mended();
    changed.finds("roll", &["repeat number"]);
}

#[test]
fn a_repeated_number_and_a_dropped_roll_are_found() {
    let texts = running("austrian");
    let second = texts.line(&["roll ", " open ", "#2 "]);
    let first = second.replace("#2 ", "#1 ");
    let first = texts.line(&[first.split_once(" = ").unwrap().0]);
    let again = texts.clone().change(&second, &first).mended();
    let found = again.finds("repeat number", &[]);
    assert_eq!((found.expected.as_str(), found.found.as_str()), ("2", "1"));
    let dropped = texts.change(&format!("{first}\n"), "").mended();
    let found = dropped.finds("repeat number", &[]);
    assert_eq!((found.expected.as_str(), found.found.as_str()), ("1", "2"));
}

#[test]
fn an_added_roll_is_found() {
    let texts = running("austrian");
    let roll = texts.line(&["roll 1 open", "austrian#1"]);
    for die in 1..=6 {
        let added = format!("{roll}\nroll 1 open t6/luck#1 10d6 = {die} 1 1 1 1 1 1 1 1 1");
        texts
            .clone()
            .change(&roll, &added)
            .mended()
            .finds("roll", &[]);
    }
}

#[test]
fn a_swapped_seal_is_found() {
    let texts = running("austrian");
    let of = |seat: &str| {
        texts.line(&[&format!("orders {seat} ")])[..]
            .rsplit_once(' ')
            .unwrap()
            .1
            .to_owned()
    };
    let (french, austrian) = (of("french"), of("austrian"));
    let swapped = texts
        .clone()
        .change(&french, "(swapped)")
        .change(&austrian, &french)
        .change("(swapped)", &austrian);
    let found = swapped.mended().finds("digest", &["roll"]);
    assert_eq!(
        (found.place.as_str(), found.expected.as_str()),
        ("envelope 1, orders/austrian", austrian.as_str())
    );
}

#[test]
fn a_changed_head_and_a_changed_foot_are_found() {
    let texts = running("austrian");
    let head = texts
        .entry(3)
        .unwrap()
        .rsplit_once("head ")
        .unwrap()
        .1
        .to_owned();
    let other = hash("other").to_string();
    let found = texts
        .clone()
        .change(&format!("\nhead {head}"), &format!("\nhead {other}"));
    found.finds("entry head", &["entry chain"]);
    let foot = texts.clone().change(
        &format!("register 3 {head}"),
        &format!("register 3 {other}"),
    );
    let found = foot.finds("entry head", &[]);
    assert_eq!(
        (found.place.as_str(), found.expected, found.found),
        ("the foot `register 3 ...`", head, other)
    );
}

#[test]
fn altered_orders_are_found() {
    let texts = texts_of("austrian");
    let receipt = texts.line(&["receipt 1 austrian 2"]);
    let altered = texts.change("| RETREAT NEVER", "| RETREAT ALWAYS");
    altered.finds("receipt", &["letter"]);
    // With digests that fit: the dispatch lists another letter, the seal has other orders, and
    // after the end the code is wrong.
    let digest = receipt.split(' ').nth(5).unwrap();
    let forged = altered.change(digest, &hash("RETREAT ALWAYS\nPURSUE NEVER\n").to_string());
    forged
        .with_receipts_mended()
        .finds("digest", &["letter", "receipt"]);
}

#[test]
fn a_changed_dispatch_is_found() {
    for texts in [running("austrian"), texts_of("austrian")] {
        let found = texts.change("Initiative Phase", "Initiativ Phase").wrong();
        let is_digest = |wrong: &&Mismatch| {
            wrong.check == "digest" && wrong.place.ends_with("dispatch/austrian")
        };
        let digests = found.iter().filter(is_digest).count();
        let letters = found.iter().filter(|wrong| wrong.check == "letter").count();
        assert_eq!(found.len(), digests + letters, "{found:#?}");
        assert!(digests > 0 && letters == digests, "{found:#?}");
    }
}

/// Replaces a text in the HTML parts alone.
fn change_pages(texts: &Texts, from: &str, to: &str) -> Texts {
    let changed = texts.0.iter().map(|mail| {
        let Some((above, page)) = mail.split_once("\nContent-Type: text/html") else {
            return mail.clone();
        };
        let (page, below) = page.split_once("--body--").unwrap();
        let page = page.replace(from, to);
        format!("{above}\nContent-Type: text/html{page}--body--{below}")
    });
    let changed = Texts(changed.collect());
    assert_ne!(changed.0, texts.0, "{from}");
    changed
}

/// A name in the HTML part, a figure in its tables, an entry in it, a point of the picture: most
/// people read these.
#[test]
fn a_changed_page_and_a_changed_picture_are_found() {
    for texts in [running("austrian"), texts_of("austrian")] {
        for (from, to) in [
            ("Davidovich", "Davidowich"),
            ("</body>", "<p>Reinforcements are on their way.</p></body>"),
        ] {
            // A receipt's code binds the letter in which it stands too.
            let wrong = change_pages(&texts, from, to).wrong().into_iter();
            let (letters, others): (Vec<_>, Vec<_>) =
                wrong.partition(|wrong| wrong.check == "letter");
            assert!(
                others.iter().all(|wrong| wrong.check == "receipt"),
                "{others:#?}"
            );
            let first = letters.first().unwrap();
            assert!(first.found.contains("the HTML part"), "{first}");
            assert!(first.mails.len() == 1 && first.place.starts_with("letter spring.austrian."));
        }
        let roll = texts.line(&["roll 1 open", "austrian#1"]);
        let other = change_pages(&texts, &roll, &other_die(&roll));
        let found = other.finds("letter", &[]);
        assert_eq!(found.found, "another");
        let picture = texts.line(&["iVBORw0KGgo"]);
        let (start, end) = picture.split_at(picture.len() - 200);
        let other = format!(
            "{start}{}",
            end.replacen(&end[..1], if &end[..1] == "A" { "B" } else { "A" }, 1)
        );
        texts.change(&picture, &other).finds("letter", &[]);
    }
}

#[test]
fn every_field_that_people_read_is_bound() {
    let texts = running("austrian");
    for field in ["From", "To", "Reply-To", "Subject", "Date", "Message-ID"] {
        let line = texts.line(&[&format!("{field}: ")]);
        let other = match field {
            "Subject" => line.replace("[spring]", "[winter]"),
            "Date" => line.replace("2026", "2027"),
            _ => line.replace("example.org", "example.net"),
        };
        let found = texts.clone().change(&line, &other).wrong();
        let letters = found.iter().filter(|wrong| wrong.check == "letter").count();
        assert!(letters > 0, "{field}: {found:#?}");
        assert!(
            found
                .iter()
                .all(|wrong| wrong.check == "letter" || wrong.check == "receipt"),
            "{field}: {found:#?}"
        );
    }
    // What mail servers and mail programs add or do is no difference.
    let line = texts.line(&["Subject: [spring] "]);
    let folded = line.replacen(' ', "\n  ", 2);
    let added = "X-Spam-Score: 1\nList-Id: <club.example.org>\nX-Estafette: spring";
    let texts = texts
        .change(&line, &folded)
        .change("X-Estafette: spring", added);
    assert_eq!(
        texts
            .change(
                "Content-Type: text/plain; charset=utf-8",
                "Content-Type: text/plain; charset=\"UTF-8\"; format=fixed"
            )
            .wrong(),
        []
    );
}

/// What a receipt says was understood is the umpire's word: the next dispatch binds it, and after
/// the end its code.
#[test]
fn a_changed_line_that_was_understood_is_found() {
    let (from, to) = ("  1 | RETREAT NEVER", "  1 | RETREAT ALWAYS");
    let running = running("austrian").change(from, to);
    running.finds("receipt", &["letter"]);
    let mended = running.with_receipts_mended();
    let found = mended.finds("letter", &[]);
    assert!(
        found.place.starts_with("letter spring.austrian."),
        "{found}"
    );
    // When the master is out, the code tells it alone: no dispatch is needed.
    let ended = texts_of("austrian").change(from, to).with_receipts_mended();
    let found = ended.finds("receipt", &["letter"]);
    assert!(found.place.starts_with("receipt 1 austrian 2"), "{found}");
}

/// A battle in which the Austrians were asked in quiet whether they retreat, and the dispatch after
/// it.
static ASKED: LazyLock<Test> = LazyLock::new(|| {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin();
    set_up_with(&mut test, "ASK RETREAT\nPURSUE NEVER");
    test.mail("french", ATTACK).run();
    assert_eq!(asked(&test.state()), Some(false));
    for hour in 15..24 {
        test.clock(&format!("2026-11-21T{hour}:30:00Z"));
        let words = match test.state().waiting {
            CurrentWait::Answers { .. } => "1: FIGHT",
            _ => return test,
        };
        test.mail("austrian", words).run();
    }
    panic!("the battle does not end");
});

/// A question mail shows the asked what he has; the next dispatch binds it.
#[test]
fn a_changed_question_is_found() {
    let texts = Texts(ASKED.letters("austrian").iter().map(mail_of).collect());
    assert_eq!(texts.wrong(), []);
    let is_question = |mail: &&String| mail.contains("Do you fight on or retreat?");
    let question = texts.0.iter().find(is_question).unwrap().clone();
    let table = question
        .lines()
        .skip_while(|line| !line.starts_with("-- Your forces"));
    let line = table
        .filter(|line| !line.starts_with("--"))
        .find(|line| line.bytes().any(|byte| byte.is_ascii_digit()))
        .unwrap();
    let other: String = line
        .chars()
        .map(|letter| match letter {
            '0'..='8' => char::from(letter as u8 + 1),
            other => other,
        })
        .collect();
    let changed = |from: &str, to: &str| {
        let replaced = |mail: &String| match *mail == question {
            true => mail.replace(from, to),
            false => mail.clone(),
        };
        Texts(texts.0.iter().map(replaced).collect())
    };
    let found = changed(line, &other).finds("letter", &[]);
    assert!(
        found.place.starts_with("letter spring.austrian."),
        "{found}"
    );
    changed("Do you fight on or retreat?", "Do you fight on?").finds("letter", &[]);
    // A letter that was never sent, under the number of one that was.
    let mut fields = question.lines();
    let id = fields
        .find(|line| line.starts_with("Message-ID: "))
        .unwrap();
    let mut more = texts.clone();
    more.0.push(question.replace(id, &id.replace('@', "x@")));
    let found = more.finds("letter", &[]);
    assert!(found.found.contains("one that it does not"), "{found}");
    // One that was lost convicts nobody, and is missed by its name.
    let mut fewer = texts.clone();
    fewer.0.retain(|mail| *mail != question);
    let name = id.trim_start_matches("Message-ID: <").trim_end_matches('>');
    let report = not_wrong(fewer.folder().path());
    assert_eq!(report.verdict(), Verdict::Incomplete);
    has(&report.unproven, &["not among these mails", name]);
}

/// The receipts of answers are none of orders, whatever their times.
#[test]
fn answers_have_receipts_of_their_own() {
    let texts = Texts(ASKED.letters("austrian").iter().map(mail_of).collect());
    let answer = texts.line(&["answer 2 austrian 1 "]);
    assert!(
        !texts
            .0
            .iter()
            .any(|mail| mail.contains("receipt 2 austrian"))
    );
    let receipts: Vec<Receipt> = (texts.0.iter())
        .flat_map(|mail| mail.lines())
        .filter_map(|line| line.parse().ok())
        .collect();
    assert!(
        receipts
            .iter()
            .any(|receipt| receipt.number.kind == ReceiptKind::Answer)
    );
    // Called a receipt of orders, it is none that the dispatch binds.
    let forged = texts.change(&answer, &answer.replacen("answer", "receipt", 1));
    forged.finds("receipt", &["letter"]);
    forged.with_receipts_mended().finds("letter", &[]);
}

/// A list that names other letters, or a dispatch that lists none.
#[test]
fn a_changed_list_is_found() {
    let texts = running("austrian");
    let line = texts.line(&["letter spring.austrian.2."]);
    let digest = line.rsplit_once(' ').unwrap().1;
    let other = texts.clone().change(digest, &hash("other").to_string());
    other.finds("digest", &["letter"]);
    texts
        .change(&format!("{line}\n"), "")
        .finds("digest", &["letter"]);
}

/// What is attached is bound under its name, whatever its words look like: only an entry in the
/// file that is named for it has no line, and counts as an entry.
#[test]
fn attached_files_are_bound_whatever_they_say() {
    let texts = running("austrian");
    let file = "Content-Disposition: attachment; filename=\"register-spring-3.txt\"";
    let attach = |kind: &str, name: &str, words: &str| {
        let part = format!(
            "--forged\nContent-Type: {kind}; charset=utf-8\nContent-Disposition: attachment; filename=\"{name}\"\n\
             Content-Transfer-Encoding: 8bit\n\n{words}\n"
        );
        let mut texts = texts.clone();
        let mail = texts.0.iter_mut().find(|mail| mail.contains(file)).unwrap();
        *mail = mail.replacen("--forged--", &format!("{part}--forged--"), 1);
        texts
    };
    let entry = texts.entry(3).unwrap();
    let foot = texts.line(&["register 3 "]);
    let private = "sd1-private spring austrian 1\nAttack at once!\nend-private";
    for (kind, name, words) in [
        ("text/plain", "orders.txt", private),
        ("text/html", "orders.html", private),
        ("text/plain", "register-spring-3.txt", private),
        ("text/plain", "orders.txt", foot.as_str()),
        ("text/plain", "attack-at-once.txt", entry.as_str()),
        ("text/html", "register-spring-3.txt", entry.as_str()),
        ("text/plain", "register-spring-4.txt", entry.as_str()),
        ("text/plain", "nothing.txt", ""),
    ] {
        let found = attach(kind, name, words).wrong();
        let letters = found.iter().filter(|wrong| wrong.check == "letter").count();
        assert_eq!((letters, found.len()), (1, 1), "{kind} {name}: {found:#?}");
    }
    // A second copy of the very entry is one; another entry in its place is found as one.
    assert_eq!(
        attach("text/plain", "register-spring-3.txt", &entry).wrong(),
        []
    );
    let roll = texts.line(&["roll 1 open", "austrian#1"]);
    let other = entry.replace(&roll, &other_die(&roll));
    assert!(
        !attach("text/plain", "register-spring-3.txt", &other)
            .wrong()
            .is_empty()
    );
    let name = file.replace("-3.txt", "-03.txt");
    texts.change(file, &name).finds("letter", &[]);
}

/// What one program shows and another does not: such a letter can be read in two ways, and is not
/// the one that was sent.
#[test]
fn letters_that_can_be_read_in_two_ways_are_found() {
    let texts = running("austrian");
    let at = texts.0.iter().position(|mail| mail.contains("src=\"cid:"));
    let at = at.unwrap();
    let evil = "Content-Type: text/html; charset=utf-8\n\n<p>The enemy is at Brescia.</p>\n";
    let ours = "Content-Type: multipart/mixed; boundary=forged";
    let page = "Content-Type: text/html; charset=utf-8";
    let picture = "Content-Type: image/png";
    for (from, to) in [
        // A part of the outer multipart before the inner one ends.
        ("--body--", format!("--forged\n{evil}--body--")),
        // Two boundaries, with other parts between the other one.
        (
            ours,
            format!("Content-Type: multipart/mixed; boundary=other\n{ours}"),
        ),
        (
            "--forged\n",
            format!("--other\n{evil}--other--\n--forged\n"),
        ),
        (ours, format!("Content-Type: text/html\n{ours}")),
        (page, format!("Content-Type: text/plain\n{page}")),
        (page, format!("{page}\nContent-Transfer-Encoding: base64")),
        (ours, ours.replace("mixed", "digest")),
        (ours, format!("{ours}\nContent-Transfer-Encoding: base64")),
        ("--forged--", format!("--forged--\n--forged\n{evil}")),
        ("--forged\n", format!("--forgedly\n{evil}--forged\n")),
        ("Content-ID: <map", "Content-ID: <no".to_owned()),
        (picture, format!("Content-ID: <no>\n{picture}")),
    ] {
        let mut changed = texts.clone();
        changed.0[at] = changed.0[at].replacen(from, &to, 1);
        assert_ne!(changed.0, texts.0, "{from}");
        // Parts that stand before the first boundary are shown by nobody, unless it is another's.
        if from == "--forged\n" && to.starts_with("--other") {
            let two = format!("{ours}\nContent-Type: multipart/mixed; boundary=other");
            changed.0[at] = changed.0[at].replacen(ours, &two, 1);
        }
        let found = changed.wrong();
        assert!(
            !found.is_empty() && found.iter().all(|wrong| wrong.check == "letter"),
            "{to}: {found:#?}"
        );
    }
}

/// Who exchanges two pictures has changed none of them.
#[test]
fn exchanged_pictures_are_found() {
    let with = |ids: [&str; 2], page: &str| {
        let parts =
            ids.map(|id| format!("--a\nContent-Type: image/png\nContent-ID: <{id}>\n\n{id}\n"));
        let mail = format!(
            "From: a@example.org\nContent-Type: multipart/mixed; boundary=a\n\n{}--a--\n",
            parts.concat()
        );
        let contents = estafette::mail::contents(mail.as_bytes()).unwrap();
        contents.is_plain && contents.shows_pictures_in_order(page)
    };
    let page = "<img src=\"cid:north\"><img src=\"cid:south\"><img src=\"cid:north\">";
    assert!(with(["north", "south"], page));
    assert!(!with(["south", "north"], page));
    assert!(!with(["other", "south"], page));
    assert!(!with(["north", "north"], page));
    assert!(!with(["north", "south"], "<img src=\"cid:elsewhere\">"));
    assert!(with(["north", "south"], "nothing is shown"));
}

/// Letters before the newest hundred are bound by one digest for all of them: with every one at
/// hand they are compared, and one that is missing is missed.
#[test]
fn letters_bound_together_are_compared_together() {
    let test = super::talkative();
    let texts = Texts(test.letters("austrian").iter().map(mail_of).collect());
    let list = texts.line(&["letters 2"]);
    assert!(list.split(' ').count() == 3, "{list}");
    let right = not_wrong(texts.folder().path());
    assert!(
        !right
            .unproven
            .iter()
            .any(|line| line.contains("one digest")),
        "{right:#?}"
    );

    let mut changed = texts.clone();
    changed.0[4] = changed.0[4].replacen("Subject: [spring]", "Subject: [winter]", 1);
    let found = changed.wrong();
    assert!(
        found
            .iter()
            .any(|wrong| wrong.check == "letter" && wrong.place.starts_with("letters 1 to ")),
        "{found:#?}"
    );

    let mut fewer = texts.clone();
    fewer.0.remove(4);
    has(
        &not_wrong(fewer.folder().path()).unproven,
        &["by one digest: 1 of them"],
    );
}

/// Registers of the first form bind nothing but the text of dispatches: they fit as ever, and the
/// audit says what it can't know.
#[test]
fn a_register_of_the_first_form_says_what_it_does_not_bind() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../data/dice-vectors.json")).unwrap();
    let register = vectors["campaigns"][0]["bundle"]["register"]
        .as_str()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("0.eml"),
        letter_of("lodz-1914", register),
    )
    .unwrap();
    let report = not_wrong(folder.path());
    has(&report.unchecked, &["HTML parts", "first form"]);
}

#[test]
fn replaced_keys_and_masters_are_found() {
    let texts = running("austrian");
    let key = texts.line(&["key open "]);
    let found = texts
        .clone()
        .change(&key, &format!("key open {}", hash("no key")))
        .mended();
    assert_eq!(found.finds("key", &[]).place, "key open of envelope 1");
    let own = texts.line(&["key austrian "]);
    texts
        .change(&own, &format!("key austrian {}", hash("no key")))
        .finds("key", &[]);
    let texts = texts_of("austrian");
    let mut lines = texts.0.iter().flat_map(|text| text.lines());
    let master = lines
        .find(|line| line.starts_with("master "))
        .unwrap()
        .to_owned();
    let forged = texts.change(&master, &format!("master {}", hash("no master")));
    assert_eq!(forged.mended().wrong()[0].check, "anchor");
}

/// What the audit of the one campaign says; nothing may be wrong.
#[track_caller]
fn not_wrong(path: &Path) -> MailsReport {
    let found = mails(path).unwrap();
    assert_ne!(found.verdict(), Verdict::Wrong, "{found:#?}");
    found.campaigns[0].clone()
}

#[track_caller]
fn has(lines: &[String], words: &[&str]) {
    let all = |line: &String| words.iter().all(|word| line.contains(word));
    assert!(
        lines.iter().any(all),
        "{words:?} is in no line of {lines:#?}"
    );
}

/// A lost mail is no fraud: what is missing is named, and what is there is checked.
#[test]
fn missing_entries_are_named_and_convict_nobody() {
    let mut texts = running("austrian");
    texts.0.retain(|text| !text.contains("sd1 spring 4 seal"));
    let missing = "entries 4 to 5 are missing; ask another player";
    has(&not_wrong(texts.folder().path()).unproven, &[missing]);
    let roll = texts.line(&["roll 1 open", "austrian#1"]);
    let forged = texts.change(&roll, &other_die(&roll)).mended();
    assert_eq!(forged.wrong()[0].check, "roll");

    let mut texts = running("austrian");
    let last = texts.0.pop().unwrap();
    let foot = last
        .lines()
        .rev()
        .find(|line| line.starts_with("register "))
        .unwrap();
    texts.0.push(format!("Receipt\n\n{foot}\n"));
    let n = foot.split(' ').nth(1).unwrap();
    let left = not_wrong(texts.folder().path()).unproven;
    has(&left, &[&format!("up to {n},"), "ask another player"]);
    // Two feet that name different heads for it are a proof all the same.
    let other = format!("register {n} {}", hash("other"));
    texts.0.push(format!("Receipt\n\n{other}\n"));
    let found = texts.finds("entry head", &[]);
    assert!(found.place.starts_with("the foot `register"), "{found}");
}

/// An entry that was lost comes from another player, if a letter names its head.
#[test]
fn another_player_fills_a_gap() {
    let mut texts = running("austrian");
    let lost = [4, 5].map(|n| texts.entry(n).unwrap());
    texts.0.retain(|text| !text.contains("sd1 spring 4 seal"));
    let folder = texts.folder();
    let reply = format!("From: ada@example.org\n\n{}\n{}", lost[0], lost[1]);
    fs::write(folder.path().join("ada.eml"), reply).unwrap();
    let found = not_wrong(folder.path());
    has(
        &found.unproven,
        &["envelope 2, orders/austrian", "its blind is not known"],
    );
    let left = [found.unproven, found.unchecked].concat();
    assert!(
        !left.iter().any(|line| line.contains("missing")),
        "{left:#?}"
    );
    assert!(
        !left.iter().any(|line| line.contains("ada.eml")),
        "{left:#?}"
    );
}

#[test]
fn mails_of_others_convict_nobody() {
    let texts = running("austrian");
    let folder = texts.folder();
    let key = hash("no key");
    let receipt = texts.line(&["receipt 1 austrian 2"]);
    let forged_receipt = receipt.replace("receipt 1 austrian 2", "receipt 1 austrian 3");
    let head = hash("head");
    let roll = texts.line(&["roll 1 open", "austrian#1"]);
    let copy = texts.entry(3).unwrap().replace(&roll, &other_die(&roll));
    let text = format!(
        "| RETREAT ALWAYS\n\n{forged_receipt}\n\nsd1-private spring austrian 1\nkey austrian {key}\n\
         blind orders/austrian {key}\nend-private\n\n{copy}\n\nsd1 spring 99 note\nprev {head}\ntext Cheat!\n\
         head {head}\nregister 3 {head}\n"
    );
    let note = texts.entry(2).unwrap().replace("spring 2", "spring 98");
    let note = format!("{note}\n{text}");
    let eve = format!("From: eve@example.org\n\nThis is what I got.\n\n{note}");
    fs::write(folder.path().join("eve.eml"), eve).unwrap();
    let found = not_wrong(folder.path());
    assert_eq!(
        found.verdict(),
        Verdict::Fits,
        "nor does it take anything away"
    );
    let left = found.unchecked;
    for what in [
        "receipt 1 austrian 3",
        "sd1-private spring austrian 1",
        "sd1 spring 3 dice",
        "sd1 spring 98 seal",
        "sd1 spring 99 note",
        "register 3 ",
    ] {
        has(&left, &[what, "eve.eml, which is no letter of the host"]);
    }
    // In a letter of the host the same text is wrong.
    let folder = running("austrian").folder();
    fs::write(folder.path().join("9999.eml"), letter_of("spring", &text)).unwrap();
    assert!(wrong(folder.path()).len() > 3);
}

#[test]
fn two_entries_with_one_number_are_found() {
    let texts = running("austrian");
    let folder = texts.folder();
    let roll = texts.line(&["roll 1 open", "austrian#1"]);
    let other = texts.change(&roll, &other_die(&roll)).mended();
    let french = format!(
        "From: ada@example.org\n\nThis is what I got:\n\n{}",
        other.entry(3).unwrap()
    );
    fs::write(folder.path().join("ada.eml"), french).unwrap();
    let found = wrong(folder.path());
    assert!(
        found[0].found.starts_with("another one with it"),
        "{found:#?}"
    );
    assert!(found[0].mails.contains(&"ada.eml".to_owned()), "{found:#?}");
    // Two letters of the host: one of them was never sent, or two games are played.
    let letter = crate::support::forger::letter_of("spring", &other.entry(3).unwrap());
    fs::write(folder.path().join("ada.eml"), letter).unwrap();
    let found = wrong(folder.path());
    let number = found.iter().find(|wrong| wrong.check == "entry number");
    let number = number.unwrap_or_else(|| panic!("{found:#?}"));
    assert!(
        number
            .expected
            .starts_with("one entry with this number, head ")
    );
    assert!(number.found.starts_with("another one with it, head "));
}

/// When the letters of a campaign with the beacon should come: each entry with its letter. Envelope
/// 1 is sealed at 14:45:33, and the moment of its round is half an hour later.
const IN_TIME: [&str; 8] = [
    "Wed, 23 Aug 2023 14:00:00 +0000",
    "Wed, 23 Aug 2023 14:46:00 +0000",
    "Wed, 23 Aug 2023 15:15:40 +0000",
    "Wed, 23 Aug 2023 15:30:00 +0000",
    "Wed, 23 Aug 2023 16:00:00 +0000",
    "Fri, 15 Sep 2023 10:31:00 +0000",
    "Fri, 15 Sep 2023 11:01:00 +0000",
    "Fri, 15 Sep 2023 12:00:00 +0000",
];

/// What the audit says of letters that were sent at some times and came at others.
fn at_times(sent: &[&str; 8], came: &[&str; 8]) -> MailsReport {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../data/dice-vectors.json")).unwrap();
    let register = vectors["campaigns"][0]["bundle"]["register"].as_str();
    let register = [register.unwrap().to_owned()];
    let folder = tempfile::tempdir().unwrap();
    for (n, (sent, came)) in (1..).zip(sent.iter().zip(came)) {
        let entry = crate::support::forger::entry(&register, "lodz-1914", n).unwrap();
        let letter = letter_of("lodz-1914", &format!("{entry}\n"));
        // What the sender wrote below the line of the reader's own server counts for nothing.
        let forged = "Received: from b by a; Wed, 23 Aug 2023 14:00:00 +0000";
        let received = format!("Received: from a by mx.example.net; {came}\n{forged}");
        let mail = format!("{received}\nDate: {sent}\n{letter}");
        fs::write(folder.path().join(format!("{n}.eml")), mail).unwrap();
    }
    mails(folder.path()).unwrap().campaigns[0].clone()
}

#[test]
fn a_seal_after_its_round_proves_nothing() {
    let found = at_times(&IN_TIME, &IN_TIME);
    assert_eq!(found.verdict(), Verdict::Fits, "{found:#?}");
    for (time, why) in [
        (
            "Wed, 23 Aug 2023 15:15:33 +0000",
            "it proves nothing to its reader",
        ),
        ("yesterday", "no `Received` line says when it came"),
    ] {
        let mut came = IN_TIME;
        came[1] = time;
        let found = at_times(&IN_TIME, &came);
        assert_eq!(found.verdict(), Verdict::Incomplete, "{found:#?}");
        has(&found.unproven, &["seal of envelope 1", why]);
    }
}

#[test]
fn dice_sent_before_their_round_are_wrong() {
    let mut early = IN_TIME;
    early[2] = "Wed, 23 Aug 2023 15:15:32 +0000";
    let found = at_times(&early, &IN_TIME);
    assert_eq!(found.wrong.len(), 1, "{found:#?}");
    let wrong = &found.wrong[0];
    assert_eq!(
        (wrong.check.as_str(), wrong.place.as_str()),
        ("beacon round", "sd1 lodz-1914 3 dice")
    );
    assert!(wrong.found.contains("2023-08-23T15:15:32Z"), "{wrong}");
    assert_eq!(wrong.mails, ["3.eml"]);
    // The clock of the reader's own server may be slow: that convicts nobody, and proves nothing.
    let found = at_times(&IN_TIME, &early);
    assert_eq!(found.verdict(), Verdict::Incomplete, "{found:#?}");
    has(
        &found.unproven,
        &["sd1 lodz-1914 3 dice", "one of the clocks is wrong"],
    );
}

/// Who hides an entry behind a type that nobody knows has changed what stands there.
#[test]
fn an_entry_of_a_type_that_nobody_knows_is_wrong() {
    let texts = running("austrian");
    let roll = texts.line(&["roll 1 open", "austrian#1"]);
    let hidden = texts.change(&roll, &other_die(&roll));
    let hidden = hidden.change(" dice\nprev ", " dices\nprev ").mended();
    let wrong = hidden.wrong();
    assert!(
        wrong.iter().all(|wrong| wrong.check == "entry form"),
        "{wrong:#?}"
    );
    assert_eq!(wrong[0].place, "sd1 spring 3 dices");
    assert_eq!(audit(hidden.folder().path(), false).status.code(), Some(1));
    // In pasted text as well; in a mail of somebody else beside letters it says nothing about
    // anybody.
    let pasted = tempfile::NamedTempFile::new().unwrap();
    fs::write(pasted.path(), hidden.bare().join("\n\n")).unwrap();
    let found = mails(pasted.path()).unwrap();
    assert_eq!(found.verdict(), Verdict::Wrong, "{found:#?}");
    let folder = running("austrian").folder();
    let eve = format!("From: eve@example.org\n\n{}", hidden.entry(3).unwrap());
    fs::write(folder.path().join("eve.eml"), eve).unwrap();
    let found = not_wrong(folder.path());
    assert_eq!(found.verdict(), Verdict::Fits, "{found:#?}");
    has(&found.unchecked, &["sd1 spring 3 dices", "eve.eml"]);
}

/// Nothing is wrong with what is there: all the same nobody may read that all fits.
#[test]
fn what_is_missing_makes_the_verdict_incomplete() {
    let incomplete = |texts: &Texts, also: &str, words: &[&str]| {
        let folder = texts.folder();
        if !also.is_empty() {
            let ada = format!("From: ada@example.org\n\n{also}");
            fs::write(folder.path().join("ada.eml"), ada).unwrap();
        }
        let found = not_wrong(folder.path());
        assert_eq!(found.verdict(), Verdict::Incomplete, "{found:#?}");
        has(&found.unproven, words);
        found
    };
    let all = running("austrian");
    // Before the first dice there is nothing that could be derived again.
    let dice = (all.0.iter()).position(|text| text.contains("sd1 spring 3 dice"));
    let begun = Texts(all.0[..dice.unwrap()].to_vec());
    incomplete(&begun, "", &["no roll is shown"]);

    let mut without = all.clone();
    without.0.remove(0);
    incomplete(&without, "", &["entry 1 is missing"]);

    // All dispatches but the last; then with all entries, which another player has.
    let (mut last, mut register) = (all.clone(), String::new());
    let entries = (1..).map_while(|n| all.entry(n));
    entries.for_each(|entry| register.push_str(&format!("{entry}\n")));
    let is_dispatch = |text: &&String| text.contains("blind dispatch/austrian");
    let kept = all.0.iter().rfind(is_dispatch).unwrap();
    last.0.retain(|text| text == kept || !is_dispatch(&text));
    incomplete(&last, "", &["are missing; ask another player"]);
    let found = incomplete(&last, &register, &["envelope 1,", "its blind is not known"]);
    assert!(found.tally.rolls > 0, "{found:#?}");

    // A dispatch without the entry of its dice, and without that the seal comes last.
    let parts = all.0[dice.unwrap()].split("--forged\n");
    let parts: Vec<&str> = parts
        .filter(|part| !part.contains("\"register-spring-3.txt\""))
        .collect();
    let cut = format!("{}--forged--\n", parts.join("--forged\n"));
    let cut = cut.replace(&all.entry(3).unwrap(), "");
    let mut cut = Texts([&all.0[..dice.unwrap()], &[cut]].concat());
    cut.0.last_mut().unwrap().push('\n');
    incomplete(
        &cut,
        "",
        &["its dispatch is there, and no dice entry for it"],
    );
}

/// Anybody can write a register that names thousands of campaigns. All are checked, and not all are
/// told of.
#[test]
fn a_register_of_thousands_of_campaigns_is_called_so() {
    let folder = running("austrian").folder();
    let entry = all_of_the_club(3000);
    fs::write(
        folder.path().join("eve.eml"),
        format!("From: eve@example.org\n\n{entry}"),
    )
    .unwrap();
    let found = mails(folder.path()).unwrap();
    assert_eq!(found.campaigns.len(), MOST_REPORTS);
    assert_eq!(found.further.all(), 3001 - MOST_REPORTS);
    let own = found
        .campaigns
        .iter()
        .find(|report| report.campaign == "spring");
    assert_eq!(own.unwrap().verdict(), Verdict::Fits);
    let output = audit(folder.path(), false);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() < 20 * MOST_REPORTS, "{text}");
    let last = text.lines().last().unwrap();
    assert!(
        last.contains("name 2901 campaigns more than are shown"),
        "{last}"
    );
}

/// Openings of so many campaigns.
fn all_of_the_club(campaigns: usize) -> String {
    let opening = running("austrian").entry(1).unwrap();
    let (above, _) = opening.rsplit_once("head ").unwrap();
    (0..campaigns)
        .map(|number| {
            let above = above.replace("sd1 spring ", &format!("sd1 club-{number} "));
            format!("{above}head {}\n", hash(&above))
        })
        .collect()
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn no_text_breaks_the_audit(lines in proptest::collection::vec(
        "(> )?(sd1 c [0-9]{1,2} (open|seal|dice|note|end)|prev [0-9a-f]{64}|head [0-9a-f]{64}|text [a-z]{1,3}|register [0-9]{1,3} [0-9a-f]{64}|\\|( [a-z]{0,3})?|\
         receipt [0-9] red [0-9] 2026-11-21T20:00:00Z [0-9a-f]{64} [0-9a-f]{32}|sd1-private c red [0-9]|blind orders/red [0-9a-f]{64}|end-private|\\PC{0,9})", 0..25
    )) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = format!("sd1 c 1 note\nprev {0}\ntext a\nhead {0}\n{1}", "0".repeat(64), lines.join("\n"));
        fs::write(file.path(), letter_of("c", &text)).unwrap();
        proptest::prop_assert_eq!(mails(file.path()).unwrap().verdict(), Verdict::Wrong);
    }
}

#[test]
fn mails_of_two_campaigns_are_told_apart() {
    let folder = texts_of("austrian").folder();
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../data/dice-vectors.json")).unwrap();
    let register = vectors["campaigns"][1]["bundle"]["register"]
        .as_str()
        .unwrap();
    fs::write(
        folder.path().join("other.eml"),
        letter_of("club-07", register),
    )
    .unwrap();
    let found = mails(folder.path()).unwrap();
    assert_eq!(found.verdict(), Verdict::Fits, "{found:#?}");
    let names: Vec<&str> = found
        .campaigns
        .iter()
        .map(|report| report.campaign.as_str())
        .collect();
    assert_eq!(names, ["club-07", "spring"]);
}
