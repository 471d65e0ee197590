//! The bundle of an ended campaign fits, and each way of changing it is found and named, also by an
//! umpire who holds all secrets and mends every head, digest and code.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use super::{attack_castiglione, lonato};
use crate::support::forger::{self, mend, other_die};
use crate::support::{NAME, Test};
use estafette::{
    audit::{Verdict, bundle, mails::mails},
    campaign::Version,
    dice::{BoundText, CampaignName, Chains, Master, hash},
    ids::SeatId,
};
use serde_json::Value;
use tempfile::TempDir;

/// A campaign that is played to its end by its deadlines; the French fight if `fights`.
fn played(fights: bool) -> Test {
    let mut test = lonato();
    test.mail("austrian", "RETREAT NEVER\nPURSUE NEVER").run();
    test.play_out(|test| {
        if fights {
            attack_castiglione(test);
        }
    })
}

static PLAYED: LazyLock<(Test, TempDir)> = LazyLock::new(|| {
    let test = played(true);
    let out = tempfile::tempdir().unwrap();
    assert!(bundle::write(&test.root(), out.path()).unwrap().complete);
    (test, out)
});

/// A copy of the bundle, to be changed.
struct Forged(TempDir);

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn chains() -> Chains {
    let name: CampaignName = NAME.parse().unwrap();
    let seats: Vec<SeatId> = vec!["french".into(), "austrian".into()];
    Chains::new(
        name.clone(),
        Master::simulated("test", &name),
        1000,
        &seats,
        &[],
    )
    .unwrap()
}

const REGISTER: &str = "dice/register.txt";
const LEDGER: &str = "dice/ledger.txt";
const RECEIPTS: &str = "dice/receipts.txt";

impl Forged {
    /// All of it.
    fn whole() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(PLAYED.1.path(), folder.path());
        Self(folder)
    }

    /// Its dice alone: quick to check, as nothing is played again.
    fn dice() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&PLAYED.1.path().join("dice"), &folder.path().join("dice"));
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(self, name: &str, text: &str) -> Self {
        fs::write(self.path(name), text).unwrap();
        self
    }

    /// Replaces a text in a file wherever it stands; it must stand there.
    #[track_caller]
    fn change(self, name: &str, from: &str, to: &str) -> Self {
        let text = self.text(name);
        assert!(text.contains(from), "`{from}` is not in {name}");
        self.write(name, &text.replace(from, to))
    }

    /// The first line of a file that has all these words.
    #[track_caller]
    fn line(&self, name: &str, words: &[&str]) -> String {
        let text = self.text(name);
        let line = text
            .lines()
            .find(|line| words.iter().all(|word| line.contains(word)));
        line.unwrap_or_else(|| panic!("no line with {words:?}"))
            .to_owned()
    }

    /// Gives all entries of the register heads that fit.
    fn mended(self) -> Self {
        let mut texts = [self.text(REGISTER)];
        mend(&mut texts, NAME);
        self.write(REGISTER, &texts[0])
    }

    /// Changes the journal's records, and gives all of them heads that fit.
    fn journal(self, change: impl FnOnce(&mut Vec<Value>)) -> Self {
        crate::support::forger::journal(&self.path("journal.jsonl"), change);
        self
    }

    fn wrong(&self) -> Vec<String> {
        bundle::audit(self.0.path(), &mut |_, _| {}).unwrap().wrong
    }

    /// The first thing that is wrong has all these words.
    #[track_caller]
    fn finds(self, words: &[&str]) {
        let wrong = self.wrong();
        let first = wrong.first().expect("something is wrong");
        assert!(
            words.iter().all(|word| first.contains(word)),
            "{words:?}: {wrong:#?}"
        );
    }
}

/// The first record of a kind.
fn record<'r>(records: &'r mut [Value], kind: &str) -> &'r mut Value {
    records
        .iter_mut()
        .find(|record| record["kind"] == kind)
        .unwrap()
}

#[test]
fn the_bundle_of_an_ended_campaign_fits() {
    let folder = tempfile::tempdir().unwrap();
    let tar = folder.path().join("spring.tar");
    let estafette = |args: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        command.args(args).output().unwrap()
    };
    let root = PLAYED.0.root();
    let bundle: [&OsStr; 4] = [
        "bundle".as_ref(),
        root.as_ref(),
        "--out".as_ref(),
        tar.as_ref(),
    ];
    let made = estafette(&bundle);
    let error = String::from_utf8_lossy(&made.stderr);
    assert_eq!(made.status.code(), Some(0), "{error}");
    let again = estafette(&bundle);
    assert_eq!(again.status.code(), Some(2), "nothing is written over");
    let audited = estafette(&["audit".as_ref(), tar.as_ref()]);
    let text = String::from_utf8(audited.stdout).unwrap();
    assert_eq!(audited.status.code(), Some(0), "{text}");
    for words in [
        "checked  journal:",
        "checked  replay:",
        "checked  dice:",
        "byte for byte, what the replay gives",
        "dice     d6",
        "everything fits",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let journal = Forged::whole().text("journal.jsonl");
    let forged = Forged::whole().journal(|_| {});
    assert_eq!(
        forged.text("journal.jsonl"),
        journal,
        "the forger writes as the host does"
    );
}

/// What a player has kept against the letters that the replay writes: each changed copy is named
/// with the first thing in which it is not as it was sent.
#[test]
fn kept_letters_are_compared_with_the_bundle() {
    let estafette = |mails: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        let output = command
            .arg("audit")
            .arg(PLAYED.1.path())
            .arg(mails)
            .output();
        let output = output.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text)
    };
    let letters = PLAYED.0.letters("austrian");
    let (code, text) = estafette(&PLAYED.0.root().join("outbox/austrian"));
    assert_eq!(code, Some(0), "{text}");
    let count = format!("letters that were kept: {}, compared", letters.len());
    assert!(text.contains(&count), "{text}");

    let folder = tempfile::tempdir().unwrap();
    let newest = letters.iter().rev().find(|letter| letter.html.is_some());
    let mail = forger::mail_of(newest.unwrap());
    let picture = mail
        .lines()
        .find(|line| line.starts_with("iVBORw0KGgo"))
        .unwrap();
    let other = format!("{}AAAA", &picture[..picture.len() - 4]);
    let mut mails = letters.iter().map(forger::mail_of);
    let receipt = mails.rfind(|mail| mail.contains("\nreceipt 1 ")).unwrap();
    let page = |from: &str, to: &str| {
        let (above, page) = mail.split_once("text/html").unwrap();
        format!("{above}text/html{}", page.replacen(from, to, 1))
    };
    let cases = [
        ("as-sent", mail.clone(), ""),
        ("receipt-as-sent", receipt.clone(), ""),
        (
            "subject",
            mail.replacen("Subject: [spring]", "Subject: [winter]", 1),
            ", Subject: expected `[spring] ",
        ),
        (
            "date",
            mail.replacen(
                "Date: ",
                "Date: Mon, 23 Nov 2026 10:00:00 +0000\nX-Date: ",
                1,
            ),
            ", Date: expected `2026-",
        ),
        (
            "from",
            mail.replacen("game@example.org", "game@example.net", 1),
            ", From: expected `",
        ),
        (
            "text",
            mail.replacen("Davidovich", "Davidowich", 1),
            ", the text: expected `",
        ),
        (
            "page",
            page("Davidovich", "Davidowich"),
            ", the HTML part: expected `",
        ),
        (
            "entry",
            page("bind journal ", "bind journal 0"),
            ", the HTML part: expected `bind journal ",
        ),
        (
            "picture",
            mail.replacen(picture, &other, 1),
            ", the file spring-turn-",
        ),
        (
            "more",
            mail.replacen(
                "--forged--",
                "--forged\nContent-Type: text/plain\n\nPS: attack!\n--forged--",
                1,
            ),
            ", the files: expected no more, found -",
        ),
        (
            "understood",
            receipt.replacen("  1 | RETREAT NEVER", "  1 | RETREAT ALWAYS", 1),
            ", the text: expected `  1 | RETREAT NEVER`, found `  1 | RETREAT ALWAYS`",
        ),
        (
            "known-by-its-name",
            mail.replacen("X-Estafette: spring\n", "", 1)
                .replacen("Davidovich", "Davidowich", 1),
            ", the text: expected `",
        ),
        (
            "never",
            mail.replacen(
                "Message-ID: <spring.austrian.",
                "Message-ID: <spring.austrian.9",
                1,
            ),
            "found one that it has not",
        ),
    ];
    for (name, mail, _) in &cases {
        fs::write(folder.path().join(format!("{name}.eml")), mail).unwrap();
    }
    let (code, text) = estafette(folder.path());
    assert_eq!(code, Some(1), "{text}");
    let wrong: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("WRONG"))
        .collect();
    for (name, _, difference) in &cases {
        let named = format!("(in {name}.eml)");
        let lines: Vec<&&str> = wrong.iter().filter(|line| line.contains(&named)).collect();
        match (difference.is_empty(), lines.as_slice()) {
            (true, []) => {}
            (false, [line]) => assert!(line.contains(difference), "{name}: {line}"),
            _ => panic!("{name}: {wrong:#?}"),
        }
    }
    assert_eq!(wrong.len(), cases.len() - 2, "{wrong:#?}");
    // A letter that does not say whose it is proves nothing, and is not passed over either.
    let folder = tempfile::tempdir().unwrap();
    let mut nameless = mail.replacen("X-Estafette: spring\n", "", 1);
    nameless = nameless.replacen("Message-ID: <spring.", "Message-ID: <", 1);
    fs::write(folder.path().join("nameless.eml"), nameless).unwrap();
    let (code, text) = estafette(folder.path());
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("not compared: 1;"), "{text}");
    // Letters alone are no bundle.
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    let output = command
        .arg("audit")
        .arg(folder.path())
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_bundle_of_a_running_campaign_is_its_register_alone() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    let out = tempfile::tempdir().unwrap();
    let written = bundle::write(&test.root(), out.path()).unwrap();
    assert_eq!((written.complete, written.files), (false, 1));
    let report = bundle::audit(out.path(), &mut |_, _| {}).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    assert!(
        report
            .unchecked
            .iter()
            .any(|line| line.contains("not in this bundle"))
    );
}

#[test]
fn changed_dice_are_found() {
    let forged = Forged::dice();
    let open = forged.line(LEDGER, &["roll ", " open "]);
    let other = other_die(&open);
    let rolled = open.rsplit_once(' ').unwrap().1.to_owned();
    // In the ledger alone, in both with the heads mended, a secret one.
    Forged::dice()
        .change(LEDGER, &open, &other)
        .finds(&["roll", &rolled]);
    forged
        .change(LEDGER, &open, &other)
        .change(REGISTER, &open, &other)
        .mended()
        .finds(&["roll", "expected", &rolled]);
    let forged = Forged::dice();
    let own = forged.line(LEDGER, &["roll ", " austrian "]);
    forged
        .change(LEDGER, &own, &other_die(&own))
        .finds(&["roll", "austrian"]);
}

#[test]
fn changed_dropped_and_added_rolls_are_found() {
    let forged = Forged::dice();
    let open = forged.line(LEDGER, &["roll ", " open ", "combat"]);
    let label = open.replace("combat", "kombat");
    forged
        .change(LEDGER, &open, &label)
        .finds(&["repeat number"]);

    let forged = Forged::dice();
    let second = forged.line(LEDGER, &[" open ", "#2 "]);
    forged
        .change(LEDGER, &second, &second.replace("#2 ", "#1 "))
        .finds(&["repeat number"]);

    let forged = Forged::dice();
    let first = forged.line(LEDGER, &[" open ", "#1 "]);
    forged
        .change(LEDGER, &format!("{first}\n"), "")
        .finds(&["open rolls"]);

    let forged = Forged::dice();
    let added = format!("{first}\nroll 1 open t6/luck#1 10d6 = 1 1 1 1 1 1 1 1 1 1");
    forged
        .change(LEDGER, &first, &added)
        .finds(&["roll", "luck"]);
}

#[test]
fn changed_orders_seals_and_receipts_are_found() {
    let orders = "dice/items/1/orders-austrian.txt";
    Forged::dice()
        .change(orders, "RETREAT NEVER", "RETREAT ALWAYS")
        .finds(&["digest", "orders/austrian"]);

    let forged = Forged::dice();
    let of = |seat: &str| forged.line(REGISTER, &[&format!("orders {seat} ")])[..].to_owned();
    let digest = |line: String| line.rsplit_once(' ').unwrap().1.to_owned();
    let (french, austrian) = (digest(of("french")), digest(of("austrian")));
    Forged::dice()
        .change(REGISTER, &french, "?")
        .change(REGISTER, &austrian, &french)
        .change(REGISTER, "?", &austrian)
        .mended()
        .finds(&["roll"]);

    let receipt = forged.line(RECEIPTS, &["receipt 1 austrian 1"]);
    let code = receipt.rsplit_once(' ').unwrap().1.to_owned();
    Forged::dice()
        .change(RECEIPTS, &code, &"0".repeat(32))
        .finds(&["receipt", &code]);
    let gap = receipt.replace("austrian 1 ", "austrian 2 ");
    Forged::dice()
        .change(RECEIPTS, &receipt, &gap)
        .finds(&["receipt", "expected 1"]);
    let other = receipt.replace("receipt 1 austrian", "receipt 1 french");
    Forged::dice()
        .change(RECEIPTS, &receipt, &other)
        .finds(&["receipt"]);
}

#[test]
fn changed_keys_texts_and_entries_are_found() {
    let forged = Forged::dice();
    let key = forged.line(REGISTER, &["key open "]);
    let false_key = format!("key open {}", hash("no key"));
    Forged::dice()
        .change(REGISTER, &key, &false_key)
        .mended()
        .finds(&["key open of envelope 1"]);
    let register = forged.text(REGISTER);
    let mut lines = register.lines();
    let master = lines.find(|line| line.starts_with("master ")).unwrap();
    let false_master = format!("master {}", hash("no master"));
    Forged::dice()
        .change(REGISTER, master, &false_master)
        .mended()
        .finds(&["anchor"]);

    for (item, what) in [
        ("dispatch-french", "dispatch/french"),
        ("journal", "journal"),
    ] {
        let forged = Forged::dice();
        let path = format!("dice/items/2/{item}.txt");
        let text = forged.text(&path);
        forged
            .write(&path, &format!("{text}\n"))
            .finds(&["digest", "envelope 2", what]);
    }

    let entry =
        |n: usize| crate::support::forger::entry(&[forged.text(REGISTER)], NAME, n).unwrap();
    Forged::dice()
        .change(REGISTER, &format!("{}\n", entry(4)), "")
        .finds(&["entry number", "entry 4 is missing"]);
    let twice = format!(
        "{}\n{}",
        entry(3),
        entry(3).replace("key open", "key  open")
    );
    Forged::dice()
        .change(REGISTER, &entry(3), &twice)
        .finds(&["entry form"]);
    let skipped = entry(4).replace("\nenvelope 2\n", "\nenvelope 3\n");
    Forged::dice()
        .change(REGISTER, &entry(4), &skipped)
        .mended()
        .finds(&["envelope", "expected envelope 2"]);
    let head = entry(3).rsplit_once("head ").unwrap().1.to_owned();
    Forged::dice()
        .change(
            REGISTER,
            &format!("head {head}"),
            &format!("head {}", hash("other")),
        )
        .finds(&["entry head"]);
}

#[test]
fn wrong_rounds_signatures_and_tokens_are_found() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../data/dice-vectors.json")).unwrap();
    let register = |number: usize| {
        let text = &vectors["campaigns"][number]["bundle"]["register"];
        text.as_str().unwrap().to_owned()
    };
    let (beacon, witness) = (register(0), register(2));
    let forged = |register: &str, name: &str, from: &str, to: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("dice")).unwrap();
        assert!(register.contains(from), "{from}");
        let mut texts = [register.replacen(from, to, 1)];
        mend(&mut texts, name);
        Forged(folder).write(REGISTER, &texts[0])
    };
    let of_beacon = |from: &str, to: &str| forged(&beacon, "lodz-1914", from, to);
    let value = beacon
        .lines()
        .find(|line| line.starts_with("drand "))
        .unwrap();
    let round = value.split(' ').nth(1).unwrap();
    of_beacon(&format!("\nround {round}\n"), "\nround 5\n").finds(&["beacon round"]);
    of_beacon(&format!("drand {round} "), "drand 5 ").finds(&["beacon round"]);
    // Sealed before the moment of the round that envelope 1 was rolled with.
    let early = of_beacon("sealed 2023-08-23T15:29:23Z", "sealed 2023-08-23T15:15:32Z").wrong();
    let soon = |line: &String| line.contains("expected a time from 2023-08-23T15:15:33Z on");
    assert!(early.iter().any(soon), "{early:#?}");
    // A type that nobody knows.
    of_beacon("lodz-1914 3 dice", "lodz-1914 3 dices").finds(&["entry form", "3 dices"]);
    // Another chain is no fraud, but nothing of it can be vouched for.
    let unknown = of_beacon("source drand 52db9ba7", "source drand 52db9ba8");
    let unknown = bundle::audit(unknown.0.path(), &mut |_, _| {}).unwrap();
    let names = |line: &String| line.contains("opening") && line.contains("unknown beacon");
    assert!(unknown.unproven.iter().any(names), "{unknown:#?}");
    of_beacon("1692803367 3", "1692803367 30").finds(&["opening", "built-in values"]);
    if cfg!(feature = "drand") {
        let (start, end) = value.split_at(value.len() - 2);
        let other = if end == "00" { "01" } else { "00" };
        of_beacon(value, &format!("{start}{other}")).finds(&["beacon signature"]);
    }
    let name = witness.split(' ').nth(1).unwrap().to_owned();
    let token = witness
        .lines()
        .find(|line| line.starts_with("witness ") && !line.ends_with('-'))
        .unwrap();
    let (start, _) = token.rsplit_once(' ').unwrap();
    forged(
        &witness,
        &name,
        token,
        &format!("{start} {}", hash("no token")),
    )
    .finds(&["witness token"]);
}

/// The place of the first record of a kind.
fn place(records: &[Value], kind: &str) -> usize {
    let found = records.iter().position(|record| record["kind"] == kind);
    found.unwrap()
}

#[test]
fn records_in_another_order_are_found() {
    let order = |change: fn(&mut Vec<Value>), words: &str| {
        Forged::whole().journal(change).finds(&["record", words]);
    };
    // An input without its outcome would be overwritten by the next; an outcome too many was never
    // compared.
    order(
        |records| drop(records.remove(place(records, "mail") + 1)),
        "the input before it has no `done`",
    );
    order(
        |records| records.insert(2, records[1].clone()),
        "there is no input before this `done`",
    );
    order(
        |records| records.extend_from_within(..2),
        "a campaign is made once",
    );
    order(|records| drop(records.drain(..2)), "a journal begins with");
}

#[test]
fn records_at_another_time_are_found() {
    let time = |records: &mut Vec<Value>, kind: &str, time: &str| {
        let at = place(records, kind);
        for record in &mut records[at..at + 2] {
            record["time"] = time.into();
        }
    };
    Forged::whole()
        .journal(|records| {
            let at = place(records, "deadline");
            let mut early = records[at..at + 2].to_vec();
            for record in &mut early {
                record["time"] = records[1]["time"].clone();
            }
            records.splice(2..2, early);
        })
        .finds(&["no deadline had passed at its time"]);
    Forged::whole()
        .journal(|records| time(records, "mail", "2026-11-20T13:00:00Z"))
        .finds(&["it is older than the record before it"]);
    Forged::whole()
        .journal(|records| {
            let at = place(records, "mail") + 1;
            records[at]["time"] = "2026-11-23T13:00:00Z".into();
        })
        .finds(&["a `done` has the time of its input"]);
}

#[test]
fn another_verdict_on_orders_is_found() {
    Forged::whole()
        .journal(|records| {
            let at = place(records, "mail") + 1;
            records[at]["verdicts"] = serde_json::json!([{"refused": [0]}]);
        })
        .finds(&["what the checks decided of orders"]);
}

/// Letters are written by the program, so what differs may be nobody's doing; it is wrong all the
/// same.
#[test]
fn a_difference_may_come_from_another_version() {
    let blamed = |version: Option<&str>| {
        let forged = Forged::whole().journal(|records| {
            for done in records.iter_mut().filter(|record| record["kind"] == "done") {
                match version {
                    Some(version) => done["version"] = version.into(),
                    None => drop(done.as_object_mut().unwrap().shift_remove("version")),
                }
            }
            let at = place(records, "mail") + 1;
            records[at]["world"] = "0".repeat(64).into();
        });
        let report = bundle::audit(forged.0.path(), &mut |_, _| {}).unwrap();
        assert_eq!(report.verdict(), Verdict::Wrong);
        let mut unchecked = report.unchecked.into_iter();
        unchecked.find(|line| line.contains("version"))
    };
    let other = blamed(Some("0.0.9")).unwrap();
    assert!(other.contains("made by version 0.0.9, and"), "{other}");
    assert!(blamed(None).unwrap().contains("an unknown version"));
    assert_eq!(blamed(Some(&Version::running().to_string())), None);
}

#[test]
fn parts_that_were_taken_out_of_a_bundle_are_missed() {
    for part in ["campaign.yaml", "journal.jsonl", "pinned"] {
        let forged = Forged::whole();
        let path = forged.path(part);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
        forged.finds(&["bundle", part, "the register has its end"]);
    }
    let forged = Forged::dice();
    for part in [LEDGER, RECEIPTS] {
        fs::remove_file(forged.path(part)).unwrap();
    }
    fs::remove_dir_all(forged.path("dice/items")).unwrap();
    assert_eq!(forged.wrong().len(), 6, "the register alone is no bundle");
}

#[test]
fn changed_rules_are_found_whatever_is_mended() {
    let script = "pinned/rules/castiglione/combat.rhai";
    let touched = || {
        let forged = Forged::whole();
        let text = forged.text(script);
        forged.write(script, &format!("{text}\n// softer dice\n"))
    };
    touched().finds(&["combat.rhai", "was changed"]);
    // The umpire mends the sums as well, then the opening.
    let mend_sums = |forged: Forged| {
        let old = hash(&PLAYED_SCRIPT).to_string();
        let new = hash(&forged.text(script)).to_string();
        forged.change("pinned/SHA256SUMS", &old, &new)
    };
    mend_sums(touched()).finds(&["rules, the opening"]);
    let forged = mend_sums(touched());
    let sums = hash(&forged.text("pinned/SHA256SUMS")).to_string();
    let rules = forged.line(REGISTER, &["rules "]);
    let forged = forged
        .change(REGISTER, &rules, &format!("rules {sums}"))
        .mended();
    forged.finds(&[
        "the pinned rules and data have the digest",
        "the journal says",
    ]);
    // A number of the game, and a file that goes missing.
    let forged = Forged::whole();
    let tables = forged.text("pinned/games/castiglione/tables.yaml");
    forged
        .write(
            "pinned/games/castiglione/tables.yaml",
            &format!("{tables}\n"),
        )
        .finds(&["tables.yaml", "was changed"]);
    let forged = Forged::whole();
    fs::remove_file(forged.path(script)).unwrap();
    assert!(!forged.wrong().is_empty());
}

static PLAYED_SCRIPT: LazyLock<String> =
    LazyLock::new(|| Forged::whole().text("pinned/rules/castiglione/combat.rhai"));

#[test]
fn a_journal_that_was_written_by_hand_is_found() {
    let forged = Forged::whole();
    let text = forged.text("journal.jsonl");
    forged
        .write(
            "journal.jsonl",
            &text.replacen("RETREAT NEVER", "RETREAT ALWAYS", 1),
        )
        .finds(&["journal.jsonl, line", "the record was changed"]);

    let forged = Forged::whole();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.remove(3);
    forged
        .write("journal.jsonl", &(lines.join("\n") + "\n"))
        .finds(&["this is record 5"]);

    // With heads that fit: an order altered, dropped, added, given to another seat.
    let of = |change: fn(&mut Vec<Value>)| Forged::whole().journal(change);
    of(|records| record(records, "mail")["words"] = "RETREAT ALWAYS\n".into())
        .finds(&["record ", "of the journal"]);
    of(|records| {
        let at = records
            .iter()
            .position(|record| record["kind"] == "mail")
            .unwrap();
        records.drain(at..at + 2);
    })
    .finds(&["of the journal"]);
    of(|records| {
        let mut mail = record(records, "mail").clone();
        mail["seat"] = "french".into();
        mail["digest"] = hash("another mail").to_string().into();
        let at = records
            .iter()
            .position(|record| record["kind"] == "deadline")
            .unwrap();
        records.insert(at, mail);
    })
    .finds(&["the journal's record", "the input before it has no `done`"]);
    of(|records| record(records, "mail")["seat"] = "french".into()).finds(&["of the journal"]);
    // Truncated at the end: then the register knows more than the journal leads to.
    of(|records| records.truncate(records.len() - 4))
        .finds(&["replay, dice/ledger.txt", "expected the end"]);
}

#[test]
fn an_umpire_who_mends_everything_is_caught_by_the_replay() {
    let chains = chains();
    // The last roll dropped from ledger, register and journal, its digest made anew.
    let forged = Forged::whole();
    let ledger = forged.text(LEDGER);
    let last = ledger.lines().last().unwrap().to_owned();
    let envelope: u32 = last.split(' ').nth(1).unwrap().parse().unwrap();
    let of_envelope = |text: &str| -> String {
        let lines = text
            .lines()
            .filter(|line| line.starts_with(&format!("roll {envelope} ")));
        lines.map(|line| format!("{line}\n")).collect()
    };
    let shorter = ledger.replace(&format!("{last}\n"), "");
    let digest = |text: &str| {
        chains
            .digest(envelope, &BoundText::Ledger, &of_envelope(text))
            .unwrap()
    };
    let register = forged.text(REGISTER);
    let register = register
        .replace(&digest(&ledger).to_string(), &digest(&shorter).to_string())
        .replace(&format!("{last}\n"), "");
    let forged = forged
        .write(LEDGER, &shorter)
        .write(REGISTER, &register)
        .mended();
    let dice = Forged::dice();
    let alone = dice
        .write(LEDGER, &shorter)
        .write(REGISTER, &forged.text(REGISTER));
    let mut wrong = alone.wrong();
    wrong.retain(|wrong| !wrong.starts_with("bundle, "));
    assert_eq!(wrong, [] as [String; 0], "the dice alone fit");
    let forged = forged.journal(|records| {
        for record in records {
            if let Some(lines) = record.get_mut("ledger").and_then(Value::as_array_mut) {
                lines.retain(|line| *line != last.as_str());
            }
        }
    });
    forged.finds(&["a line of the ledger", &last]);

    // A dispatch rewritten, with its digest; a text that is missing, and one too many.
    let forged = Forged::whole();
    let path = "dice/items/1/dispatch-french.txt";
    let (text, what) = (forged.text(path), BoundText::Dispatch("french".into()));
    let other = format!("{text}All is well.\n");
    let digest = |text: &str| chains.digest(1, &what, text).unwrap().to_string();
    let forged = forged
        .change(REGISTER, &digest(&text), &digest(&other))
        .write(path, &other)
        .write("dice/items/1/orders-green.txt", "NOTHING\n")
        .mended();
    fs::remove_file(forged.path(RECEIPTS)).unwrap();
    let wrong = forged.wrong();
    for words in [
        "replay, dice/items/1/dispatch-french.txt, line",
        "replay, dice/register.txt, line",
        "dice/receipts.txt: expected this text, found none",
        "orders-green.txt: expected no such text, found one",
    ] {
        assert!(
            wrong.iter().any(|wrong| wrong.contains(words)),
            "{words}: {wrong:#?}"
        );
    }
}

#[test]
fn an_umpire_who_changes_orders_or_settings_is_caught() {
    // The text of an order, its digest in the seal: in this mode the dice hang on the orders.
    let forged = Forged::dice();
    let path = "dice/items/1/orders-austrian.txt";
    let (text, other) = (forged.text(path), "RETREAT ALWAYS\n");
    let what = BoundText::Orders("austrian".into());
    let digest = |text: &str| chains().digest(1, &what, text).unwrap().to_string();
    let forged = forged
        .change(REGISTER, &digest(&text), &digest(other))
        .write(path, other)
        .mended();
    let wrong = forged.wrong();
    let finds = |words: &str| wrong.iter().any(|wrong| wrong.starts_with(words));
    assert!(finds("roll") && finds("last receipt"), "{wrong:#?}");
    Forged::whole()
        .change(
            "campaign.yaml",
            "questions_per_turn: 1",
            "questions_per_turn: 2",
        )
        .finds(&["campaign.yaml says something else"]);
}

#[test]
fn an_umpire_who_plays_a_turn_again_has_two_registers() {
    let again = played(false);
    let out = tempfile::tempdir().unwrap();
    bundle::write(&again.root(), out.path()).unwrap();
    // Taken alone the second story is a campaign like others. But one player has kept the mails of
    // the first.
    let folder = tempfile::tempdir().unwrap();
    for (number, letter) in PLAYED.0.letters("austrian").iter().enumerate() {
        fs::write(
            folder.path().join(format!("{number:02}.eml")),
            &letter.bytes,
        )
        .unwrap();
    }
    let register = fs::read_to_string(out.path().join(REGISTER)).unwrap();
    fs::write(folder.path().join("register.txt"), &register).unwrap();
    let found = mails(folder.path()).unwrap();
    let wrong = &found.campaigns[0].wrong;
    assert!(
        wrong
            .iter()
            .any(|wrong| wrong.found.starts_with("another one with it")),
        "{wrong:#?}"
    );
}

/// A bundle is a folder from somebody else: what a link in it leads to is his guess of what lies on
/// this machine.
#[cfg(unix)]
#[test]
fn links_in_a_bundle_are_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "a private line\n").unwrap();
    for (name, target) in [
        (REGISTER, secret.as_path()),
        ("dice/items/secret.txt", secret.as_path()),
        ("dice/ledger.txt", Path::new("/dev/zero")),
        ("dice/items", outside.path()),
        ("dice", outside.path()),
        ("campaign.yaml", secret.as_path()),
        ("journal.jsonl", Path::new("/dev/zero")),
        ("pinned/SHA256SUMS", secret.as_path()),
        ("pinned", outside.path()),
        ("secret/keys", secret.as_path()),
    ] {
        let bundle = Forged::whole();
        let path = bundle.path(name);
        if path.is_dir() {
            fs::rename(&path, outside.path().join(name.replace('/', "."))).unwrap();
        } else {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let _ = fs::remove_file(&path);
        }
        let linked = if path.ends_with("dice") {
            outside.path().join("dice")
        } else {
            target.to_owned()
        };
        std::os::unix::fs::symlink(linked, &path).unwrap();
        let said = match bundle::audit(bundle.0.path(), &mut |_, _| {}) {
            Ok(report) => report.wrong.join("\n"),
            Err(error) => error.to_string(),
        };
        assert!(said.contains("symbolic link"), "{name}: {said}");
        assert!(!said.contains("a private line"), "{name}: {said}");
    }
}
