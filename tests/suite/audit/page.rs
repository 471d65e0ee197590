//! The page `docs/verify.html` in a real browser: it must come to the same verdicts as the program,
//! which it does not share a line with. Without a browser these tests say so and check nothing, or
//! fail where the test script could have installed one.

use crate::support::Test;
use crate::support::browser::{Case, Shown, browser, dom, encoded, evaluated, page, shown};
use crate::support::forger::other_die;
use estafette::dice::{
    Bundle, hash, verify,
    verify::{Check, Finding, Verdict},
};
use serde_json::{Value, json};

const VECTORS: &str = include_str!("../../data/dice-vectors.json");
fn vectors() -> Value {
    serde_json::from_str(VECTORS).unwrap()
}

/// A text of a campaign's bundle in the vectors.
fn of_bundle(campaign: usize, what: &str) -> String {
    vectors()["campaigns"][campaign]["bundle"][what]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn mails_in_the_address_of_the_page_are_judged() {
    let Some(browser) = browser() else { return };
    let register = of_bundle(0, "register");
    let roll = "roll 2 open t1/combat/B7#3 2d6 = 4 6";
    for (text, verdict) in [
        (of_bundle(1, "register"), "fits"),
        (register.clone(), "incomplete"),
        (register.replace(roll, &other_die(roll)), "wrong"),
        ("Good morning".to_owned(), "incomplete"),
    ] {
        let address = format!("file://{}#text={}", page().display(), encoded(&text));
        let dom = dom(browser, &address);
        assert!(
            dom.contains(&format!("data-verdict=\"{verdict}\"")),
            "{verdict}: {dom}"
        );
        assert_eq!(dom.contains("<tr class=\"wrong\">"), verdict == "wrong");
    }
}

#[test]
fn the_page_calculates_as_the_vectors_say() {
    let Some(browser) = browser() else { return };
    let vectors = vectors();
    let uniform = vectors["uniform"].as_array().unwrap();
    let found = evaluated(
        browser,
        &format!(
            "{}.map(v => uniform(v.words.values(), v.n))",
            vectors["uniform"]
        ),
    );
    let right: Vec<&Value> = uniform.iter().map(|vector| &vector["result"]).collect();
    assert_eq!(found, json!(right));

    let campaigns = vectors["campaigns"].as_array().unwrap();
    let rolls: Vec<&Value> = campaigns
        .iter()
        .flat_map(|campaign| campaign["rolls"].as_array().unwrap())
        .collect();
    assert!(rolls.len() > 50);
    let found = evaluated(
        browser,
        &format!(
            "{}.map(v => thrown(v.roll_key, v.line.split(' ')[4]).join(' '))",
            json!(rolls)
        ),
    );
    let right: Vec<&str> = rolls
        .iter()
        .map(|roll| roll["line"].as_str().unwrap().split(" = ").nth(1).unwrap())
        .collect();
    assert_eq!(found, json!(right));

    let canonical = vectors["canonical_orders"].as_array().unwrap();
    let found = evaluated(
        browser,
        &format!("{}.map(v => H(v.canonical))", vectors["canonical_orders"]),
    );
    let right: Vec<&Value> = canonical.iter().map(|vector| &vector["sha256"]).collect();
    assert_eq!(found, json!(right));
}

/// A text of the vectors with changes, its heads mended.
fn forged(campaign: usize, changes: &[(&str, &str)]) -> String {
    let mut text = of_bundle(campaign, "register");
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let name = vectors()["campaigns"][campaign]["campaign"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut texts = [text];
    crate::support::forger::mend(&mut texts, &name);
    let [text] = texts;
    text
}

#[test]
fn tampered_registers_are_found_by_page_and_program_alike() {
    let Some(browser) = browser() else { return };
    let register = of_bundle(0, "register");
    let entry = |n: usize| {
        crate::support::forger::entry(std::slice::from_ref(&register), "lodz-1914", n).unwrap()
            + "\n"
    };
    let b7 = "roll 2 open t1/combat/B7#3 2d6 = 4 6";
    let seals = [
        "8ef687287bc8d3b92d2e683829b04a02f9187c8fda04a0ee731eafbda05c558b",
        "4334c7b306593a9f6ae24a086e23d6975a11805ad5652e678c561c18d78eb054",
    ];
    let zeros = "0".repeat(64);
    let other = hash("other").to_string();
    // What is changed, the text, and the kind of the page's first finding; none if nothing is to be
    // found.
    let cases: Vec<(&str, String, Option<&str>)> = vec![
        ("nothing, BEACON", register.clone(), None),
        ("nothing, MAIL", of_bundle(1, "register"), None),
        ("nothing, WITNESS", of_bundle(2, "register"), None),
        ("a die", register.replace(b7, &other_die(b7)), Some("head")),
        (
            "a die, mended",
            forged(0, &[(b7, &other_die(b7))]),
            Some("roll"),
        ),
        (
            "a die of an envelope held back",
            forged(1, &[("D4#2 2d6 = 4 6", "D4#2 2d6 = 4 5")]),
            Some("roll"),
        ),
        (
            "a label",
            forged(0, &[("B7#1 2d6", "B8#1 2d6")]),
            Some("repeat"),
        ),
        (
            "a lone label",
            forged(0, &[("t1/deck#1", "t1/dock#1")]),
            Some("roll"),
        ),
        (
            "a number twice",
            forged(0, &[("B7#3 2d6 = 4 6", "B7#2 2d6 = 5 6")]),
            Some("repeat"),
        ),
        (
            "a roll dropped",
            forged(0, &[(&format!("{b7}\n"), "")]),
            Some("repeat"),
        ),
        (
            "a roll added",
            forged(
                0,
                &[(b7, &format!("roll 2 open t1/luck#1 4d6 = 6 6 6 6\n{b7}"))],
            ),
            Some("roll"),
        ),
        (
            "a roll of another envelope",
            forged(0, &[(b7, &b7.replace("roll 2", "roll 3"))]),
            Some("dice"),
        ),
        (
            "a head",
            register.replace("e248e295", "e248e296"),
            Some("head"),
        ),
        (
            "a link",
            forged(0, &[(&format!("prev {zeros}"), &format!("prev {other}"))]),
            Some("prev"),
        ),
        (
            "seals exchanged, MAIL",
            forged(1, &[("orders axis b48ba7cb", "orders axis b48ba7cc")]),
            Some("roll"),
        ),
        (
            "a round",
            forged(0, &[("round 123", "round 124")]),
            Some("round"),
        ),
        (
            "a round in the dice entry",
            forged(0, &[("drand 123 ", "drand 124 ")]),
            Some("round"),
        ),
        (
            "the key of quicknet",
            forged(0, &[("drandkey 83cf", "drandkey 83ce")]),
            Some("open"),
        ),
        (
            "a beacon's value",
            forged(0, &[("drand 1000 b446", "drand 1000 b447")]),
            Some("roll"),
        ),
        (
            "an open key",
            forged(0, &[("key open b0a26d94", "key open b0a26d95")]),
            Some("key"),
        ),
        (
            "an anchor",
            forged(0, &[("anchor open f8ee7a62", "anchor open f8ee7a63")]),
            Some("master"),
        ),
        (
            "a master",
            forged(0, &[("master 82aa10dd", "master 82aa10de")]),
            Some("master"),
        ),
        (
            "a token",
            forged(
                2,
                &[("witness secretary ce6b2897", "witness secretary ce6b2898")],
            ),
            Some("token"),
        ),
        ("a missing entry", register.replace(&entry(3), ""), None),
        ("no opening", register.replace(&entry(1), ""), None),
        (
            "two entries with one number",
            format!("{register}{}", forged(0, &[(b7, &other_die(b7))])),
            Some("fork"),
        ),
        (
            "an envelope never rolled",
            register.replace(&entry(7), ""),
            None,
        ),
        (
            "a die, and a missing entry",
            forged(0, &[(b7, &other_die(b7))]).replace(&entry(7), ""),
            Some("roll"),
        ),
        (
            "a seal after the end",
            format!(
                "{register}{}",
                entry(6).replace("lodz-1914 6 seal", "lodz-1914 9 seal")
            ),
            Some("end"),
        ),
        (
            "an envelope left out",
            forged(0, &[("envelope 2\nsealed", "envelope 9\nsealed")]),
            Some("seal"),
        ),
        (
            "no opening, MAIL",
            of_bundle(1, "register").replacen("sd1 club-07 1 open", "club-07 1 open", 1),
            None,
        ),
        (
            "dice of a type that nobody knows, MAIL",
            forged(1, &[("club-07 5 dice", "club-07 5 dices")]),
            Some("type"),
        ),
        (
            "openings without a note between",
            openings(&of_bundle(1, "register"), 2000),
            Some("open"),
        ),
        (
            "a seal before the moment of the round before",
            forged(
                0,
                &[("sealed 2023-08-23T15:29:23Z", "sealed 2023-08-23T15:15:32Z")],
            ),
            Some("round"),
        ),
        (
            "no dice yet, MAIL",
            of_bundle(1, "register")
                .split("sd1 club-07 3 ")
                .next()
                .unwrap()
                .to_owned(),
            None,
        ),
        (
            "a line that does not belong",
            register.replace("round 1000", "round 1000\nround 1001"),
            Some("form"),
        ),
    ];
    assert!(seals.iter().all(|seal| register.contains(seal)));
    let page_cases: Vec<Case> = cases
        .iter()
        .map(|(name, text, _)| Case::pasted(name, text))
        .collect();
    for ((name, text, expected), shown) in cases.iter().zip(shown(browser, &page_cases)) {
        let campaign = text.split(' ').nth(1).unwrap().parse().unwrap();
        let mut bundle = Bundle::of_register(campaign, text.clone());
        bundle.partial = true;
        let program = verify(&bundle);
        // The page leaves the beacon's signatures to its reader.
        let of_beacon = |finding: &Finding| finding.what == Check::Signature;
        let verdict = match program.verdict() {
            Verdict::Wrong if program.findings.iter().all(of_beacon) => Verdict::Incomplete,
            Verdict::Fits if text.contains("source drand") => Verdict::Incomplete,
            verdict => verdict,
        };
        assert_eq!(
            shown.verdict,
            verdict.to_string(),
            "{name}: {shown:?} {program:#?}"
        );
        assert_eq!(
            shown
                .checks
                .first()
                .map(String::as_str)
                .map(|first| kind(expected, &shown, first)),
            *expected,
            "{name}: {shown:?}"
        );
        let unknown = name.starts_with("no opening") || name.starts_with("no dice yet");
        assert!(
            expected.is_some() || (shown.rolls > 0) != unknown,
            "{name}: {shown:?}"
        );
        let gap = *name == "a missing entry" || name.starts_with("no opening");
        assert!(!gap || shown.unproven.contains("ask another player"));
    }
}

/// A register whose opening comes again and again.
fn openings(register: &str, times: usize) -> String {
    let [first] = [register.to_owned()]
        .map(|text| crate::support::forger::entry(&[text], "club-07", 1).unwrap());
    let mut text = format!("{first}\n");
    let (mut prev, zeros) = (first.rsplit_once(' ').unwrap().1.to_owned(), "0".repeat(64));
    let (above, _) = first.rsplit_once("head ").unwrap();
    for n in 2..=times {
        let above = above.replacen("club-07 1 ", &format!("club-07 {n} "), 1);
        let above = above.replacen(&zeros, &prev, 1);
        prev = hash(&above).to_string();
        text.push_str(&format!("{above}head {prev}\n"));
    }
    text
}

/// The expected kind if it is among the findings, else the first.
fn kind<'a>(expected: &Option<&'a str>, shown: &'a Shown, first: &'a str) -> &'a str {
    expected
        .filter(|expected| shown.checks.iter().any(|check| check == expected))
        .unwrap_or(first)
}

#[test]
fn the_wrong_die_is_shown_in_red_with_both_values() {
    let Some(browser) = browser() else { return };
    let roll = "roll 2 open t1/combat/B7#3 2d6 = 4 6";
    let text = forged(0, &[(roll, &other_die(roll))]);
    let shown = shown(browser, &[Case::pasted("die", &text)]);
    let row = "2opent1/combat/B7#32d64 14 6WRONG";
    assert_eq!(shown[0].rows, [row]);
    // As the browser draws it: the row on red paper, the word in red; those that are right in
    // neither.
    let colours = evaluated(
        browser,
        &format!(
            r#"(() => {{
                show(checkAll([{{ name: "die", source: {} }}]));
                const row = document.querySelector("tr.wrong"), other = row.nextElementSibling || row.previousElementSibling;
                const of = (found, what) => getComputedStyle(found)[what].match(/[0-9.]+/g).slice(0, 3).map(Number);
                return [of(row, "backgroundColor"), of(row.lastElementChild.querySelector(".wrong") || row.lastElementChild, "color"),
                    of(other.lastElementChild, "color")];
            }})()"#,
            json!(text)
        ),
    );
    let red = |colour: &Value| {
        let part = |n: usize| colour[n].as_f64().unwrap();
        part(0) > part(1) + 15.0 && part(0) > part(2) + 15.0
    };
    assert!(red(&colours[0]) && red(&colours[1]), "{colours}");
    assert!(!red(&colours[2]), "{colours}");
}

#[test]
fn quotations_and_soft_breaks_do_no_harm() {
    let Some(browser) = browser() else { return };
    let register = of_bundle(0, "register");
    let quoted: String = register
        .lines()
        .map(|line| format!("> > {line}  \r\n"))
        .collect();
    let soft: String = register
        .lines()
        .map(|line| {
            let line = line.replace('=', "=3D");
            if line.len() > 76 {
                format!("{}=\n{}\n", &line[..70], &line[70..])
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    let between = register.replace(
        "sd1 ",
        "\n-- \nBest wishes, Ada\n\nOn Monday the host wrote:\nsd1 ",
    );
    let twice = format!("{register}\n{quoted}");
    let cases = [&quoted, &soft, &between, &twice].map(|text| Case::pasted("text", text));
    for shown in shown(browser, &cases) {
        assert_eq!(
            (shown.verdict.as_str(), shown.rolls),
            ("incomplete", 40),
            "{shown:?}"
        );
        assert!(shown.unproven.contains("compare them by hand"), "{shown:?}");
    }
}

#[test]
fn the_page_reads_letters_as_they_were_sent() {
    let Some(browser) = browser() else { return };
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin();
    test.clock("2026-11-21T13:00:00Z")
        .mail("french", "RIEN")
        .run();
    test.mail("austrian", "RETREAT NEVER\nPURSUE NEVER").run();
    let letters: Vec<(String, Vec<u8>)> = test
        .letters("austrian")
        .into_iter()
        .map(|letter| (letter.message_id, letter.bytes))
        .collect();
    let changed = |from: &str, to: &str| -> Vec<(String, Vec<u8>)> {
        let replaced = |bytes: &Vec<u8>| {
            String::from_utf8(bytes.clone())
                .unwrap()
                .replace(from, to)
                .into_bytes()
        };
        let changed: Vec<_> = letters
            .iter()
            .map(|(name, bytes)| (name.clone(), replaced(bytes)))
            .collect();
        assert_ne!(changed, letters, "{from}");
        changed
    };
    let mut without = letters.clone();
    without.retain(|(_, bytes)| !String::from_utf8_lossy(bytes).contains("sd1 spring 1 open"));
    // Its entries come in another letter.
    let mut without_dispatch = letters.clone();
    let dispatched = |bytes: &[u8]| {
        crate::support::Letter::read(bytes)
            .text
            .contains("blind dispatch/")
    };
    let lost = without_dispatch
        .iter()
        .position(|(_, bytes)| dispatched(bytes));
    let (_, lost) = without_dispatch.remove(lost.unwrap());
    let lost = [crate::support::Letter::read(&lost).text];
    let [seal, entry] = [2, 3].map(|n| crate::support::forger::entry(&lost, "spring", n).unwrap());
    let after = "X-Estafette: spring\nMessage-ID: <9@example.org>\nContent-Type: text/plain";
    let letter = format!("{after}\n\n{seal}\n{entry}\n");
    without_dispatch.push(("entry.eml".to_owned(), letter.into_bytes()));
    let cases = [
        Case {
            name: "as sent",
            sources: letters.clone(),
        },
        Case {
            name: "orders in a receipt",
            sources: changed("| RETREAT NEVER", "| RETREAT ALWAYS"),
        },
        Case {
            name: "the dispatch",
            sources: changed("Initiative Phase", "Initiativ Phase"),
        },
        Case {
            name: "the opening is missing",
            sources: without,
        },
        Case {
            name: "the dispatch is missing",
            sources: without_dispatch,
        },
        Case {
            name: "no dice yet",
            sources: letters[..1].to_vec(),
        },
        Case {
            name: "a type that nobody knows",
            sources: changed("spring 3 dice", "spring 3 dices"),
        },
    ];
    let shown = shown(browser, &cases);
    assert_eq!(
        (cases[0].name, shown[0].verdict.as_str()),
        ("as sent", "fits"),
        "{shown:#?}"
    );
    assert!(
        shown[0].summary.starts_with("Everything fits: "),
        "{shown:#?}"
    );
    assert!(shown[0].rolls >= 2, "{shown:#?}");
    let found = |at: usize| checks(&shown[at]);
    assert_eq!(
        found(1),
        ["receipt", "receipt", "letter"],
        "{}",
        cases[1].name
    );
    assert_eq!(found(2), ["dispatch", "letter"], "{}", cases[2].name);
    for (at, words) in [
        (3, "Entries are missing: 1."),
        (4, "the dispatch to austrian is missing"),
        (5, "No roll is shown"),
    ] {
        let (name, shown) = (cases[at].name, &shown[at]);
        assert_eq!(shown.verdict, "incomplete", "{name}: {shown:#?}");
        assert!(shown.unproven.contains(words), "{name}: {shown:#?}");
        assert!(
            shown.summary.starts_with("Incomplete: "),
            "{name}: {shown:#?}"
        );
    }
    assert_eq!(shown[6].checks, ["type"], "{}", cases[6].name);
}

/// The letters of a campaign to one seat, as files.
fn letters() -> Vec<(String, Vec<u8>)> {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin();
    test.clock("2026-11-21T13:00:00Z")
        .mail("french", "RIEN")
        .run();
    test.mail("austrian", "RETREAT NEVER\nPURSUE NEVER").run();
    let letters = test.letters("austrian").into_iter();
    letters
        .map(|letter| (letter.message_id, letter.bytes))
        .collect()
}

/// The kinds of findings.
fn checks(shown: &Shown) -> Vec<&str> {
    shown.checks.iter().map(String::as_str).collect()
}

/// Whatever people read of a letter is bound: header, HTML part, picture, what a receipt has
/// understood.
#[test]
fn letters_are_bound_whole_and_lost_ones_are_missed() {
    let Some(browser) = browser() else { return };
    let letters = letters();
    let changed = |name: &'static str, from: &str, to: &str| -> Case {
        let sources: Vec<(String, Vec<u8>)> = letters
            .iter()
            .map(|(name, bytes)| {
                let text = String::from_utf8(bytes.clone()).unwrap();
                (name.clone(), text.replace(from, to).into_bytes())
            })
            .collect();
        assert_ne!(sources, letters, "{from}");
        Case { name, sources }
    };
    let mut fewer = letters.clone();
    let (lost, _) = fewer.remove(2);
    let cases = [
        changed(
            "what was understood",
            "  1 | RETREAT NEVER",
            "  1 | RETREAT ALWAYS",
        ),
        changed(
            "a word in the HTML part",
            "<title>[spring]",
            "<title>[winter]",
        ),
        changed("a subject", "Subject: [spring]", "Subject: [winter]"),
        changed("a date", "Date: Sat, 21 Nov", "Date: Sun, 22 Nov"),
        changed(
            "a picture",
            "iVBORw0KGgoAAAANSUhEUgAA",
            "iVBORw0KGgoAAAANSUhEUgAC",
        ),
        Case {
            name: "a mail less",
            sources: fewer,
        },
    ];
    let shown = shown(browser, &cases);
    assert_eq!(
        checks(&shown[0]),
        ["receipt", "letter"],
        "{}",
        cases[0].name
    );
    for (case, shown) in cases[1..5].iter().zip(&shown[1..5]) {
        let found = checks(shown);
        assert!(found.contains(&"letter"), "{}: {found:?}", case.name);
        let only = |check: &&str| ["letter", "receipt"].contains(check);
        assert!(found.iter().all(only), "{}: {found:?}", case.name);
    }
    let missed = format!("not here as saved mails: {lost}");
    assert!(shown[5].unproven.contains(&missed), "{:#?}", shown[5]);
    assert_eq!(checks(&shown[5]), [] as [&str; 0], "{:#?}", shown[5]);
}

/// What is attached is bound under its name, and only an entry in its own file has no line;
/// pictures that are exchanged; letters that are bound together; a letter known by its Message-ID.
#[test]
fn files_pictures_and_older_letters_are_bound_on_the_page_too() {
    let Some(browser) = browser() else { return };
    let letters = letters();
    let dispatch = letters.last().unwrap();
    let mail = String::from_utf8(dispatch.1.clone()).unwrap();
    let boundary = mail.split("boundary=\"").nth(1).unwrap();
    let close = format!("--{}--", boundary.split('"').next().unwrap());
    assert!(mail.contains(&close), "{mail}");
    let with = |name: &'static str, mail: String| {
        let mut sources = letters.clone();
        sources.last_mut().unwrap().1 = mail.into_bytes();
        Case { name, sources }
    };
    let attached = |name: &'static str, kind: &str, file: &str, words: &str| {
        let part = format!(
            "{}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Disposition: attachment; filename=\"{file}\"\r\n\r\n{words}\r\n{close}",
            close.trim_end_matches("--").to_owned()
        );
        with(name, mail.replacen(&close, &part, 1))
    };
    let private = "sd1-private spring austrian 1\r\nAttack!\r\nend-private";
    let many = super::talkative().letters("austrian");
    let many: Vec<(String, Vec<u8>)> = (many.into_iter())
        .map(|letter| (letter.message_id, letter.bytes))
        .collect();
    let (mut changed, mut fewer) = (many.clone(), many.clone());
    let text = String::from_utf8(changed[4].1.clone()).unwrap();
    changed[4].1 = text
        .replacen("Subject: [spring]", "Subject: [winter]", 1)
        .into_bytes();
    fewer.remove(4);
    let nameless = |(name, bytes): &(String, Vec<u8>)| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        (
            name.clone(),
            text.replace("X-Estafette: spring\r\n", "").into_bytes(),
        )
    };
    let cases = [
        attached("a fence", "text/plain", "orders.txt", private),
        attached("a page", "text/html", "orders.html", private),
        attached("a foot", "text/plain", "orders.txt", "register 1 00"),
        with("a part of the outer multipart in the inner one", {
            let inner = mail.split("boundary=\"").nth(2).unwrap();
            let inner = inner.split('"').next().unwrap();
            let outer = close.trim_end_matches("--");
            let part =
                format!("{outer}\r\nContent-Type: text/html\r\n\r\n<p>Attack!</p>\r\n--{inner}--");
            mail.replacen(&format!("--{inner}--"), &part, 1)
        }),
        with("two types", {
            let (above, below) = mail.split_once("Content-Type: multipart/").unwrap();
            format!("{above}Content-Type: text/plain\r\nContent-Type: multipart/{below}")
        }),
        with(
            "another name",
            mail.replace("register-spring-3.txt", "attack.txt"),
        ),
        Case {
            name: "an older letter",
            sources: changed,
        },
        Case {
            name: "an older letter less",
            sources: fewer,
        },
        Case {
            name: "as sent",
            sources: many,
        },
        Case {
            name: "by their names",
            sources: letters.iter().map(nameless).collect(),
        },
    ];
    let shown = shown(browser, &cases);
    for (case, shown) in cases[..7].iter().zip(&shown) {
        let found = checks(shown);
        assert!(found.contains(&"letter"), "{}: {shown:#?}", case.name);
    }
    let one = |shown: &Shown| shown.unproven.contains("by one digest");
    assert!(
        one(&shown[7]) && checks(&shown[7]).is_empty(),
        "{:#?}",
        shown[7]
    );
    assert!(
        !one(&shown[8]) && shown[8].verdict == "fits",
        "{:#?}",
        shown[8]
    );
    assert_eq!(shown[9].verdict, "fits", "{:#?}", shown[9]);
    let orders = |ids: [&str; 2]| {
        let page = "<img src=\\\"cid:north\\\"><img src=\\\"cid:south\\\">";
        evaluated(browser, &format!("showsInOrder(\"{page}\", {ids:?})"))
    };
    assert_eq!(orders(["north", "south"]), json!(true));
    assert_eq!(orders(["south", "north"]), json!(false));
    assert_eq!(orders(["north", "north"]), json!(false));
}

/// The page comes to the sheets of the vectors, from the parts and from the mail as it is sent, and
/// finds the campaign sound.
#[test]
fn the_page_binds_letters_as_the_vectors_say() {
    let Some(browser) = browser() else { return };
    let vectors: Value =
        serde_json::from_str(include_str!("../../data/letter-vectors.json")).unwrap();
    let sheets = vectors["sheets"].as_array().unwrap();
    let found = evaluated(
        browser,
        &format!(
            "{}.map(v => sheetOf(v.campaign, textsOf(Array.from(utf8(v.mail), byte => String.fromCharCode(byte)).join(''))[0].letter))",
            vectors["sheets"]
        ),
    );
    let right: Vec<&Value> = sheets.iter().map(|vector| &vector["sheet"]).collect();
    assert_eq!(found, json!(right));
    let mails_of = |seat: &str| -> Vec<(String, Vec<u8>)> {
        let mails = vectors["campaigns"][0]["mails"][seat]
            .as_array()
            .unwrap()
            .iter();
        mails
            .enumerate()
            .map(|(number, mail)| {
                let bytes = mail.as_str().unwrap().as_bytes().to_vec();
                (format!("{seat}-{number}.eml"), bytes)
            })
            .collect()
    };
    let receipt = |mails: Vec<(String, Vec<u8>)>, word: &str| -> Vec<(String, Vec<u8>)> {
        let changed = mails.into_iter().map(|(name, bytes)| {
            let text = String::from_utf8(bytes).unwrap();
            (name, text.replace("answer 1 red 1", word).into_bytes())
        });
        changed.collect()
    };
    let cases = [
        Case {
            name: "red",
            sources: mails_of("red"),
        },
        Case {
            name: "blue",
            sources: mails_of("blue"),
        },
        Case {
            name: "an answer called a receipt",
            sources: receipt(mails_of("red"), "receipt 1 red 3"),
        },
    ];
    let shown = shown(browser, &cases);
    for shown in &shown[..2] {
        assert_eq!(shown.verdict, "fits", "{shown:#?}");
    }
    assert_eq!(shown[2].checks, ["receipt", "letter"], "{:#?}", shown[2]);
}

/// A mail that is no letter of the host.
fn foreign(text: &str) -> (String, Vec<u8>) {
    let mail = format!(
        "From: Eve <eve@example.org>\nMessage-ID: <1@example.org>\nContent-Type: text/plain; charset=utf-8\n\n{text}"
    );
    ("eve.eml".to_owned(), mail.into_bytes())
}

/// What somebody may have put into a mail of his own, and what the page says: the kinds of its
/// findings, and a sentence.
#[test]
fn mails_of_others_convict_nobody_in_silence() {
    let Some(browser) = browser() else { return };
    let letters = letters();
    let texts: Vec<String> = letters
        .iter()
        .map(|(_, bytes)| crate::support::Letter::read(bytes).text)
        .collect();
    let entry = |n: usize| crate::support::forger::entry(&texts, "spring", n).unwrap();
    let line = |start: &str| {
        let mut lines = texts.iter().flat_map(|text| text.lines());
        lines
            .find(|line| line.starts_with(start))
            .unwrap()
            .to_owned()
    };
    let dice = entry(3);
    let roll = line("roll 1 open ");
    let other_dice = {
        let changed = dice.replace(&roll, &other_die(&roll));
        let (above, head) = changed.rsplit_once("head ").unwrap();
        let right = hash(above).to_string();
        assert_ne!(head, right);
        format!("{above}head {right}")
    };
    let receipt = line("receipt 1 austrian");
    let another = receipt.replacen("austrian 1 ", "austrian 7 ", 1);
    let private = format!(
        "sd1-private spring austrian 1\nkey austrian {}\nend-private",
        "ab".repeat(32)
    );
    let foot = format!("register 3 {}", "cd".repeat(32));
    let cases: Vec<(&'static str, String, &[&str], &str)> = vec![
        ("a true copy", dice.clone(), &[], ""),
        (
            "a quoted copy",
            dice.lines().map(|line| format!("> {line}\n")).collect(),
            &[],
            "",
        ),
        ("another entry 3", other_dice.clone(), &["fork"], ""),
        (
            "an entry that nobody knows",
            other_dice.replace("spring 3 dice", "spring 9 dice"),
            &[],
            "a damaged copy",
        ),
        (
            "a die in a copy",
            dice.replace(&roll, &other_die(&roll)),
            &[],
            "a damaged copy",
        ),
        (
            "a block without its form",
            dice.replace("bind ledger", "bond ledger"),
            &[],
            "can't be read",
        ),
        (
            "another receipt",
            another.clone(),
            &[],
            "it counts in the host's letters",
        ),
        ("a key", private, &[], "it counts in the host's letters"),
        ("a foot", foot, &[], "no letter has this head"),
        (
            "a roll",
            "roll 1 open t1/luck#1 2d6 = 6 6".to_owned(),
            &[],
            "not the ledger that the register binds",
        ),
    ];
    let mut saved = Vec::new();
    let mut pasted = Vec::new();
    for (name, text, ..) in &cases {
        let mut sources = letters.clone();
        sources.push(foreign(text));
        saved.push(Case { name, sources });
        let all = format!("{}\nEve wrote:\n{text}\nRegards\n", texts.join("\n\n"));
        pasted.push(Case::pasted(name, &all));
    }
    let by_file = shown(browser, &saved);
    let by_paste = shown(browser, &pasted);
    for ((name, _, checks, said), shown) in cases
        .iter()
        .zip(&by_file)
        .chain(cases.iter().zip(&by_paste))
    {
        assert_eq!(shown.checks, *checks, "{name}: {shown:?}");
        assert!(shown.unchecked.contains(said), "{name}: {shown:?}");
        assert!(shown.rolls > 0, "{name}: {shown:?}");
    }
    for shown in [&by_file[2], &by_paste[2]] {
        assert!(
            shown.wrong.contains("anybody may have written it"),
            "{shown:?}"
        );
    }
    assert!(
        by_file[6].mails.contains("eve.emlno letter of the host11"),
        "{:?}",
        by_file[6]
    );
    assert!(
        by_file[0].mails.contains("eve.emlno letter of the host10"),
        "{:?}",
        by_file[0]
    );
    assert!(
        by_paste[6]
            .mails
            .contains("pasted text, between the letters"),
        "{:?}",
        by_paste[6]
    );
}

#[test]
fn a_lost_entry_is_taken_from_another_mail() {
    let Some(browser) = browser() else { return };
    let mut letters = letters();
    let texts: Vec<String> = letters
        .iter()
        .map(|(_, bytes)| crate::support::Letter::read(bytes).text)
        .collect();
    let opening = crate::support::forger::entry(&texts, "spring", 1).unwrap();
    letters.retain(|(_, bytes)| !String::from_utf8_lossy(bytes).contains("sd1 spring 1 open"));
    letters.push(foreign(&opening));
    let name = "the opening from a friend";
    let shown = shown(
        browser,
        &[Case {
            name,
            sources: letters,
        }],
    );
    // What the letter said beside its entry, nobody can tell.
    assert_eq!(shown[0].verdict, "incomplete", "{shown:?}");
    let only = "Letters that a dispatch lists are not here as saved mails: spring.austrian.1.";
    let id = shown[0].unproven.strip_prefix(only);
    assert!(id.is_some_and(|id| !id.contains("spring")), "{shown:?}");
    assert!(shown[0].rolls > 0, "{shown:?}");
}
