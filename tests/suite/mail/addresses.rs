//! A seat's letters go elsewhere: by an exchange that the new address confirms, or because the
//! umpire says so.

use std::{fs, path::Path};

use crate::support::{
    Letter, Plan, Test, decides, is_refused, is_sound, mail_to, pass, status, umpire,
};
use estafette::{
    audit::{Verdict, bundle},
    campaign::model::state::CurrentWait,
    serve::{MailRoute, Roster},
};

const OLD: &str = "Ada <ada@example.org>";
const NEW: &str = "Ada <ada@example.net>";
const EVE: &str = "Eve <eve@example.com>";

/// Pictures take most of an audit's time, and have nothing to do with addresses.
fn plan() -> Plan {
    Test::campaign("castiglione").scenario("lonato")
}

fn begin() -> Test {
    plan().begin()
}

/// The last letter of the French series to this address; none if there is none.
fn last_to(test: &Test, address: &str) -> Option<Letter> {
    let mut letters = test.letters("french").into_iter();
    letters.rfind(|letter| letter.to == address)
}

fn count_to(test: &Test, address: &str) -> usize {
    let letters = test.letters("french");
    letters.iter().filter(|letter| letter.to == address).count()
}

/// The code in a letter: the only word of sixteen letters that stands in a line of its own.
fn code(letter: &Letter) -> String {
    let mut lines = letter.text.lines().map(str::trim);
    let found = lines.find(|line| line.len() == 16 && !line.contains(' '));
    found.expect("a code").to_owned()
}

/// A mail from an address to an address.
fn send(test: &mut Test, from: &str, to: &str, words: &str) {
    let number = u32::try_from(test.journal().len()).unwrap();
    let bytes = mail_to(from, to, words, number);
    test.raw(&bytes).run();
}

fn asked(address: &str) -> Test {
    let mut test = begin();
    let to = test.newest("french").reply_to;
    send(&mut test, OLD, &to, &format!("ADRESSE {address}"));
    test
}

/// The new address answers with what stands in its letter.
fn confirm(test: &mut Test, from: &str) {
    let letter = last_to(test, "ada@example.net").unwrap();
    send(
        test,
        from,
        &letter.reply_to,
        &format!("ADRESSE {}", code(&letter)),
    );
}

fn last_reason(test: &Test) -> String {
    let refused = test.records("refused").pop().unwrap();
    refused["reason"].as_str().unwrap().to_owned()
}

#[test]
fn the_new_address_gets_a_code_and_the_old_one_word_of_it() {
    let mut test = asked("ada@example.net");
    let old = test.newest("french");
    assert_eq!(old.to, "ada@example.org");
    old.contains("ada@example.net").contains("28 novembre");
    let before = test.dispatch("french");
    let new = last_to(&test, "ada@example.net").unwrap();
    let code = code(&new);
    assert!(!old.text.contains(&code), "only the new address has it");
    // A stranger learns nothing: no orders' token, no thread, nothing that tells of other letters.
    assert!(!String::from_utf8_lossy(&new.bytes).contains(before.token()));
    assert!(new.header.contains("Auto-Submitted: auto-generated"));
    assert!(new.header.contains("X-Auto-Response-Suppress"));
    assert!(!new.header.contains("References") && !new.header.contains("In-Reply-To"));
    assert!(old.header.contains("Auto-Submitted: auto-replied"));
    new.contains("ADRESSE")
        .lacks("Bonaparte")
        .lacks("ada@example");
    let (json, text) = status(&test);
    let seats = json["seats"].as_array().unwrap();
    assert!(
        seats
            .iter()
            .any(|seat| seat["asks_for"] == "ada@example.net")
    );
    assert!(text.contains("asks for ada@example.net, which has not confirmed it"));
    // Nothing has changed yet: orders come from and receipts go to the old one.
    test.mail_at("french", &before.reply_to, "POURSUIVRE JAMAIS")
        .run();
    assert_eq!(test.newest("french").to, "ada@example.org");
    test.newest("french").contains("POURSUIVRE JAMAIS");
    is_sound(&test);
}

#[test]
fn the_code_from_the_new_address_moves_everything_there() {
    let mut test = asked("ada@example.net");
    let old_dispatch = test.dispatch("french");
    test.mail_at("french", &old_dispatch.reply_to, "POURSUIVRE JAMAIS")
        .run();
    confirm(&mut test, NEW);

    let farewell = last_to(&test, "ada@example.org").unwrap();
    farewell.contains("une autre adresse").lacks("example.net");
    assert_eq!(farewell.reply_to, "", "nothing is to be answered there");
    let dispatch = test.dispatch("french");
    assert_eq!(dispatch.to, "ada@example.net");
    assert_ne!(dispatch.token(), old_dispatch.token());
    dispatch.contains("désormais à cette adresse");
    assert_eq!(test.state().seats["french"].words, "POURSUIVRE JAMAIS\n");

    // Orders with the new token count; receipts and dispatches go to the new address.
    test.mail_at(NEW, &dispatch.reply_to, "POURSUIVRE TOUJOURS")
        .run();
    assert_eq!(test.newest("french").to, "ada@example.net");
    pass(&mut test, "2026-11-21T14:00:00Z");
    assert_eq!(test.dispatch("french").to, "ada@example.net");
    is_sound(&test);
}

#[test]
fn the_old_address_gets_nothing_more_however_it_asks() {
    let mut test = asked("ada@example.net");
    let old = test.dispatch("french");
    let notice = test.newest("french");
    confirm(&mut test, NEW);
    let before = count_to(&test, "ada@example.org");
    let words = test.state().seats["french"].words.clone();
    for (to, said) in [
        (old.reply_to.as_str(), "POURSUIVRE JAMAIS"),
        (notice.reply_to.as_str(), "POURSUIVRE JAMAIS"),
        (old.reply_to.as_str(), "ADRESSE ada@example.org"),
        ("game@example.org", "POURSUIVRE JAMAIS"),
        ("game@example.org", "ADRESSE ada@example.org"),
    ] {
        for _ in 0..2 {
            send(&mut test, OLD, to, said);
        }
        assert_ne!(last_reason(&test), "old_token", "{to} {said}");
    }
    assert_eq!(count_to(&test, "ada@example.org"), before);
    assert_eq!(test.state().seats["french"].words, words);
    // The seat's own address is told of a wrong token once a day; nothing else came of ten mails.
    assert_eq!(
        last_to(&test, "ada@example.net").unwrap().number(),
        test.newest("french").number()
    );
    is_sound(&test);
}

#[test]
fn nothing_but_the_code_from_the_new_address_makes_the_change() {
    let mut test = asked("ada@example.net");
    let letter = last_to(&test, "ada@example.net").unwrap();
    let (to, code) = (letter.reply_to.clone(), code(&letter));
    let own = test.dispatch("french").reply_to;
    let orders = test.dispatch("french").token().to_owned();
    for (from, to, words) in [
        // From elsewhere, be it the seat's own address.
        (EVE, &to, format!("ADDRESS {code}")),
        (OLD, &own, format!("ADDRESS {code}")),
        // Without the code in words of its own: a vacation program, a stranger who asks.
        (NEW, &to, "Who are you?".to_owned()),
        (NEW, &to, format!("Thanks!\n\n> ADDRESS {code}")),
        (NEW, &to, letter.text.clone()),
        // Another code: the token of the orders, the code with a letter changed.
        (NEW, &to, format!("ADDRESS {orders}")),
        (
            NEW,
            &to,
            format!(
                "ADDRESS {}",
                code.replace(|c| c == code.chars().next().unwrap(), "x")
            ),
        ),
    ] {
        send(&mut test, from, to, &words);
        assert_eq!(test.records("address").len(), 1, "{from} {words}");
    }
    assert_eq!(
        count_to(&test, "ada@example.net"),
        1,
        "a stranger is not answered"
    );
    assert_eq!(count_to(&test, "eve@example.com"), 0);
    // The other seat's reply address is none for this code.
    let austrian = test.newest("austrian").reply_to;
    send(&mut test, NEW, &austrian, &format!("ADDRESS {code}"));
    assert_eq!(last_reason(&test), "address_code");
    confirm(&mut test, NEW);
    assert_eq!(test.dispatch("french").to, "ada@example.net");
    // The same mail, and the same code in another.
    let letters = test.letters("french").len();
    confirm_again(&mut test, &to, &code);
    assert!(test.letters("french").len() <= letters + 1);
    assert_eq!(test.records("address").len(), 2);
    is_sound(&test);
}

fn confirm_again(test: &mut Test, to: &str, code: &str) {
    for _ in 0..3 {
        send(test, NEW, to, &format!("ADDRESS {code}"));
    }
}

#[test]
fn a_code_expires_and_the_present_address_calls_a_change_off() {
    let mut test = asked("ada@example.net");
    test.clock("2026-11-28T12:00:01Z");
    confirm(&mut test, NEW);
    assert_eq!(test.dispatch("french").to, "ada@example.org");
    test.newest("french").contains("n'est plus valable");

    let mut test = asked("ada@example.net");
    let own = test.dispatch("french").reply_to;
    send(&mut test, OLD, &own, "ADRESSE ada@example.org");
    test.newest("french").contains("est annulé");
    confirm(&mut test, NEW);
    assert_eq!(last_reason(&test), "address_code");
    assert_eq!(test.dispatch("french").to, "ada@example.org");
    is_sound(&test);
}

#[test]
fn strangers_get_few_letters() {
    let mut test = begin();
    let own = test.dispatch("french").reply_to;
    let austrian = test.dispatch("austrian").reply_to;
    for (minute, number) in [1, 1, 2, 1, 3, 4, 5].into_iter().enumerate() {
        test.clock(&format!("2026-11-21T12:{minute:02}:00Z"));
        send(
            &mut test,
            OLD,
            &own,
            &format!("ADRESSE p{number}@example.net"),
        );
    }
    let count = |test: &Test, seat: &str, number: u32| {
        let to = format!("p{number}@example.net");
        let letters = test.letters(seat);
        letters.iter().filter(|letter| letter.to == to).count()
    };
    assert_eq!(
        [1, 2, 3, 4, 5].map(|n| count(&test, "french", n)),
        [1, 1, 1, 0, 0]
    );
    test.newest("french")
        .contains("personne n'en reçoit un second");
    // Not by way of another seat, and not on another day.
    send(&mut test, "austrian", &austrian, "ADDRESS p1@example.net");
    assert_eq!(count(&test, "austrian", 1), 0);
    test.clock("2026-11-23T12:00:00Z");
    send(&mut test, OLD, &own, "ADRESSE p1@example.net");
    send(&mut test, OLD, &own, "ADRESSE p4@example.net");
    assert_eq!([1, 4].map(|n| count(&test, "french", n)), [1, 1]);
    is_sound(&test);
}

#[test]
fn what_is_no_address_for_letters_is_refused() {
    let mut test = begin();
    let own = test.dispatch("french").reply_to;
    for text in [
        "game@example.org",
        own.as_str(),
        "ada@example.org",
        "a@b@c",
        "@example.net",
        "ada@",
        "a,b@example.net",
    ] {
        let before = test.letters("french").len();
        send(&mut test, OLD, &own, &format!("ADRESSE {text}"));
        assert_eq!(last_reason(&test), "address_unfit", "{text}");
        assert_eq!(test.letters("french").len(), before + 1, "{text}");
        assert_eq!(test.newest("french").to, "ada@example.org");
    }
    // Without the token nobody asks for anything.
    send(
        &mut test,
        OLD,
        "game@example.org",
        "ADRESSE ada@example.net",
    );
    assert_eq!(last_reason(&test), "no_token");
    assert!(test.records("address").is_empty());
}

#[test]
fn orders_beside_the_line_count_and_html_does_not_matter() {
    let mut test = begin();
    let to = test.newest("french").reply_to;
    let html = format!(
        "From: {NEW}\r\nTo: <{to}>\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
         <div>Adresse : <a href=\"mailto:ada@example.net\">ada@example.net</a></div><div>POURSUIVRE JAMAIS</div>\r\n"
    );
    test.raw(html.as_bytes()).run();
    assert_eq!(test.state().seats["french"].words, "POURSUIVRE JAMAIS\n");
    assert_eq!(count_to(&test, "ada@example.net"), 1);
    confirm(&mut test, NEW);
    assert_eq!(test.dispatch("french").to, "ada@example.net");
    is_sound(&test);
}

#[test]
fn programs_and_lists_change_nothing() {
    let mut test = begin();
    let to = test.newest("french").reply_to;
    for field in [
        "Auto-Submitted: auto-replied",
        "List-Id: <club.example.org>",
        "Precedence: bulk",
    ] {
        let mail = mail_to(OLD, &to, "ADRESSE ada@example.net", 7);
        test.raw(&[field.as_bytes(), b"\r\n", &mail].concat()).run();
    }
    assert_eq!(count_to(&test, "ada@example.net"), 0);
    // A program at the new address that sends the code back does not make the change either.
    let mut test = asked("ada@example.net");
    let letter = last_to(&test, "ada@example.net").unwrap();
    let answer = mail_to(
        NEW,
        &letter.reply_to,
        &format!("ADRESSE {}", code(&letter)),
        8,
    );
    test.raw(&[b"Auto-Submitted: auto-replied\r\n", &answer[..]].concat())
        .run();
    assert_eq!(test.records("address").len(), 1);
    assert_eq!(count_to(&test, "ada@example.net"), 1);
}

#[test]
fn less_trust_than_asked_for_holds_the_request() {
    let mut test = plan().trust("{least: token_and_address}").begin();
    let to = test.newest("french").reply_to;
    send(&mut test, NEW, &to, "ADRESSE ada@example.net");
    assert_eq!(last_reason(&test), "held");
    assert_eq!(count_to(&test, "ada@example.net"), 0);
    decides(&test, &["release", "--mail", "000001.test"]);
    confirm(&mut test, NEW);
    let dispatch = test.dispatch("french");
    assert_eq!(dispatch.to, "ada@example.net");
    // From now on the new address is the one that counts.
    test.mail_at(NEW, &dispatch.reply_to, "POURSUIVRE JAMAIS")
        .run();
    assert_eq!(test.state().seats["french"].words, "POURSUIVRE JAMAIS\n");
    test.mail_at(OLD, &dispatch.reply_to, "POURSUIVRE TOUJOURS")
        .run();
    assert_eq!(last_reason(&test), "held");
    is_sound(&test);
}

const REPLACE: [&str; 4] = [
    "replace",
    "french=carol@example.net,lang=en,name=Carol",
    "--why",
    "Ada has no time",
];

#[test]
fn the_umpire_puts_somebody_else_into_a_seat() {
    let mut test = begin();
    pass(&mut test, "2026-11-21T13:00:00Z");
    pass(&mut test, "2026-11-21T14:00:00Z");
    let old = test.dispatch("french");
    let orders = "POURSUIVRE JAMAIS";
    test.mail_at("french", &old.reply_to, orders).run();
    let before = test.letters("french").len();
    decides(&test, &REPLACE);

    let letters = test.letters("french").split_off(before);
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(
        to,
        ["ada@example.org", "carol@example.net", "carol@example.net"]
    );
    letters[0]
        .contains("joueur : Ada has no time")
        .lacks("carol")
        .lacks("Carol");
    assert_eq!(letters[0].reply_to, "");
    letters[1]
        .contains("sd1 spring 1 open")
        .contains(&letters[2].reply_to);
    let dispatch = &letters[2];
    dispatch
        .contains("You play this seat from now on")
        .contains("Movement")
        .lacks("sd1-private")
        .lacks("Vous");
    assert!(dispatch.html.is_some() && dispatch.header.contains("Carol"));
    // What the seat was told is told again, in her language.
    let heard = test.state().seats["french"].told.clone();
    assert!(!heard.is_empty());
    // What Ada had sent counts until Carol sends something.
    assert_eq!(test.state().seats["french"].words, format!("{orders}\n"));
    // Ada's mails are nobody's now.
    test.mail_at("french", &old.reply_to, "RIEN").run();
    assert_eq!(last_reason(&test), "wrong_token");
    send(&mut test, OLD, "game@example.org", "RIEN");
    assert_eq!(last_reason(&test), "stranger");
    assert_eq!(count_to(&test, "ada@example.org"), before + 1);

    let carol = "Carol <carol@example.net>";
    test.mail_at(carol, &dispatch.reply_to, "PURSUE ALWAYS")
        .run();
    test.newest("french").contains("PURSUE ALWAYS");
    // Everybody reads of it, and of no address.
    pass(&mut test, "2026-11-21T15:00:00Z");
    for seat in ["french", "austrian"] {
        test.dispatch(seat)
            .contains("\ntext the player of french is replaced: Ada has no time\n")
            .lacks("example.net");
    }
    is_sound(&test);
}

#[test]
fn a_change_clears_what_came_back_from_the_old_address() {
    let mut test = begin();
    let ids: Vec<String> = (test.letters("french").iter())
        .map(|letter| letter.message_id.clone())
        .collect();
    let report = |id: &str| {
        format!(
            "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.net\r\nAuto-Submitted: auto-replied\r\nTo: game@example.org\r\n\
             MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
             --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\n\
             Final-Recipient: rfc822; ada@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n\
             --b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{id}>\r\n\r\n--b--\r\n"
        )
    };
    test.mail("french", "POURSUIVRE JAMAIS").run();
    let third = test.newest("french").message_id;
    for id in ids.iter().chain([&third]) {
        test.raw(report(id).as_bytes()).run();
    }
    assert!(test.state().seats["french"].is_unreachable());
    decides(&test, &REPLACE);
    assert!(!test.state().seats["french"].is_unreachable());
    assert_eq!(
        last_to(&test, "carol@example.net").unwrap().subject,
        test.dispatch("french").subject
    );
    // Late reports on letters to the old address say nothing about the new one.
    for id in ids.iter().chain([&third]) {
        test.raw(format!("X-Copy: 2\r\n{}", report(id)).as_bytes())
            .run();
    }
    assert!(test.state().seats["french"].failed.is_empty());

    // A code that comes back is no good, and does not count against the seat's address.
    let mut test = asked("ada@example.net");
    let letter = last_to(&test, "ada@example.net").unwrap();
    test.raw(report(&letter.message_id).as_bytes()).run();
    assert!(test.state().seats["french"].failed.is_empty());
    test.newest("french").contains("est annulé");
    confirm(&mut test, NEW);
    assert_eq!(last_reason(&test), "address_code");
    is_sound(&test);
}

#[test]
fn replacements_that_make_no_sense_are_refused() {
    let test = begin();
    for (player, code, why) in [
        ("french=game@example.org", 1, "own mailbox"),
        ("french=game+x@example.org", 1, "own mailbox"),
        ("dutch=carol@example.net", 2, "there is no seat `dutch`"),
        ("french", 2, "must be SEAT=ADDRESS"),
        ("french=carol", 2, "is no mail address"),
        ("french=carol@example.net,lang=xx", 2, "no language `xx`"),
    ] {
        let action = ["replace", player, "--why", "x"];
        if code == 1 {
            is_refused(&test, &action, why);
            continue;
        }
        let output = umpire(&test, &action);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(error.contains(why), "{why}: {error}");
    }
}

/// The Austrians are asked something that the French must not know of.
fn quiet() -> Test {
    let mut test = begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT\nPURSUE NEVER")
        .run();
    test.clock("2026-11-21T15:00:00Z");
    test
}

#[test]
fn a_new_player_learns_what_the_seat_knows() {
    let attack = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";
    // Whoever is asked gets the question anew, with an address that is good.
    let mut test = quiet();
    test.mail("french", attack).run();
    assert!(matches!(test.state().waiting, CurrentWait::Answers { .. }));
    let question = test.newest("austrian");
    let replace = [
        "replace",
        "austrian=dora@example.net,name=Dora",
        "--why",
        "Bert is ill",
    ];
    decides(&test, &replace);
    let again = test.newest("austrian");
    assert_eq!(again.to, "dora@example.net");
    assert_ne!(again.token(), question.token());
    let asked = |letter: &Letter| {
        let lines: Vec<String> = letter.text.lines().map(str::to_owned).collect();
        lines
    };
    let (before, now) = (asked(&question), asked(&again));
    assert_eq!(before, now, "the same questions, the same sights");
    assert_eq!(test.state().register.foot.n, 3, "the seal stays secret");
    is_sound(&test);
    while matches!(test.state().waiting, CurrentWait::Answers { .. }) {
        let to = test.newest("austrian").reply_to;
        send(&mut test, "Dora <dora@example.net>", &to, "1: FIGHT");
    }
    test.dispatch("austrian")
        .contains("the player of austrian is replaced: Bert is ill");
    is_sound(&test);
}

#[test]
fn the_bundle_of_a_campaign_whose_players_changed_fits() {
    let plan = plan().questions(0);
    let mut test = plan
        .deadlines("{zone: UTC, at: [Mon 20:00, Wed 20:00, Fri 20:00]}")
        .begin();
    let mut now = test.now();
    let (mut moved, mut replaced, mut last) = (false, false, false);
    for _ in 0..200 {
        match test.state().waiting {
            CurrentWait::Nothing => break,
            CurrentWait::Orders { .. } if !moved => {
                let own = test.newest("french").reply_to;
                send(&mut test, OLD, &own, "ADRESSE ada@example.net");
                confirm(&mut test, NEW);
                moved = true;
            }
            CurrentWait::Orders { .. } if !replaced && test.state().dice.envelope == 2 => {
                decides(&test, &REPLACE);
                replaced = true;
            }
            CurrentWait::Disclosure { .. } if !last => {
                decides(
                    &test,
                    &["replace", "austrian=dora@example.net", "--why", "moved"],
                );
                last = true;
            }
            _ => {
                now += jiff::SignedDuration::from_hours(48);
                test.clock(&now.to_string()).run();
            }
        }
    }
    assert!(moved && replaced && last && test.state().waiting == CurrentWait::Nothing);
    let end = test.newest("austrian");
    assert_eq!(end.to, "dora@example.net");
    end.contains("the player of austrian is replaced: moved")
        .contains("\nmaster ");
    is_refused(&test, &REPLACE, "its secrets are published");
    is_sound(&test);
    let out = tempfile::tempdir().unwrap();
    assert!(bundle::write(&test.root(), out.path()).unwrap().complete);
    let report = bundle::audit(out.path(), &mut |_, _| {}).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    // Who was put into a seat is bound by the note and by the letters: another reason, or another
    // address, is found.
    for (key, other) in [("why", "no reason"), ("address", "eve@example.net")] {
        let copy = tempfile::tempdir().unwrap();
        copy_tree(out.path(), copy.path());
        crate::support::forger::journal(&copy.path().join("journal.jsonl"), |records| {
            let ruling = records
                .iter_mut()
                .find(|record| record["kind"] == "umpire")
                .unwrap();
            match key {
                "why" => ruling["why"] = other.into(),
                _ => ruling["player"]["address"] = other.into(),
            }
        });
        let report = bundle::audit(copy.path(), &mut |_, _| {}).unwrap();
        assert_eq!(report.verdict(), Verdict::Wrong, "{key}");
    }
}

fn copy_tree(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_host_finds_a_seat_by_its_present_address() {
    let mut test = asked("ada@example.net");
    let route = |test: &Test, from: &str| {
        let (roll, wrong) = Roster::read(&[test.root()]);
        assert!(wrong.is_empty(), "{wrong:?}");
        roll.router()
            .route(&mail_to(from, "game@example.org", "hello", 1))
    };
    let unknown = |route: MailRoute| matches!(route, MailRoute::Aside(_));
    assert_eq!(route(&test, OLD), MailRoute::To(vec![0]));
    assert!(unknown(route(&test, NEW)), "not before it is confirmed");
    confirm(&mut test, NEW);
    assert_eq!(route(&test, NEW), MailRoute::To(vec![0]));
    assert!(unknown(route(&test, OLD)), "nobody plays from there");
    assert_eq!(route(&test, "bert@example.org"), MailRoute::To(vec![0]));
    // What the host reads is made again when it is lost.
    fs::remove_file(test.root().join("addresses")).unwrap();
    test.run();
    assert_eq!(route(&test, NEW), MailRoute::To(vec![0]));
    decides(
        &test,
        &["replace", "french=carol@example.org", "--why", "Ada is ill"],
    );
    assert_eq!(route(&test, "carol@example.org"), MailRoute::To(vec![0]));
    assert!(unknown(route(&test, NEW)));
    assert_eq!(route(&test, "umpire@example.org"), MailRoute::To(vec![0]));
}
