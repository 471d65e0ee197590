//! Members who look on: what they are told, and when, and that it is never more than the table
//! says.

use std::{collections::BTreeMap, fs};

use estafette::{
    campaign::durable,
    club::TakeoverRule,
    mail::{Parts, parts},
};

use super::house_of_club::ClubHouse;
use crate::support::{Test, program::estafette};

const ADA: &str = "Ada <ada@example.net>";
const BERT: &str = "Bert <bert@example.net>";
const CAROL: &str = "Carol <carol@example.net>";

fn playing(words: &str) -> ClubHouse {
    let mut house = ClubHouse::with(|settings| settings.takeover = TakeoverRule::Anybody);
    house.join_club(ADA).join_club(BERT).join_club(CAROL);
    let table = format!("NEW TABLE castiglione SCENARIO lonato {words}\nJOIN 1 AS french");
    let told = house.answer(ADA, &table);
    assert!(!said(&told).contains("can't be read"), "{told:?}");
    house
}

/// The words of the last of some letters, on one line.
fn said(letters: &[(String, Parts)]) -> String {
    let words = letters.last().unwrap().1.text.split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

fn turn(house: &ClubHouse) -> i64 {
    durable::look(&house.campaign(1)).unwrap().2.world.turn()
}

/// Lets deadlines pass until so many turns have.
fn play(house: &mut ClubHouse, turns: i64) {
    let until = turn(house) + turns;
    for _ in 0..60 {
        if turn(house) >= until {
            return;
        }
        house.wait(80);
        house.pass_campaign(1);
    }
    panic!("turn {until} does not come");
}

/// What Carol has been told by looking on.
fn seen(house: &ClubHouse) -> Vec<Parts> {
    let letters = house.letters().into_iter();
    let own = letters.filter(|(to, it)| {
        let is_one = it.subject.contains("Looking on at tuesday-1");
        assert!(!is_one || to.contains("carol@"), "to {to}");
        is_one
    });
    own.map(|(_, letter)| letter).collect()
}

#[test]
fn who_looks_on_is_told_what_a_seat_saw_a_turn_later() {
    let mut house = playing("OBSERVERS french 1");
    let told = said(&house.answer(CAROL, "TABLES"));
    assert!(told.contains("what french sees, a turn later"), "{told}");
    let told = said(&house.write(CAROL, "OBSERVE 1"));
    assert!(told.contains("anybody could have written"), "{told}");
    let told = said(&house.answer(CAROL, "OBSERVE tuesday-1"));
    assert!(told.contains("You look on at table 1"), "{told}");
    house.answer(BERT, "JOIN 1");
    let told = said(&house.answer(BERT, "OBSERVE 1"));
    assert!(told.contains("you play at table 1"), "{told}");
    // Players are told.
    for seat in ["french", "austrian"] {
        let opening = fs::read_dir(house.campaign(1).join("outbox").join(seat).join("new"));
        let letters = opening
            .unwrap()
            .map(|it| fs::read(it.unwrap().path()).unwrap());
        let is_told = |bytes: Vec<u8>| {
            let words = parts(&bytes).unwrap().text;
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            words.contains("may be watched by people who do not play")
        };
        assert!(letters.into_iter().any(is_told), "{seat}");
    }
    house.wait(1).pass_campaign(1);
    assert!(seen(&house).is_empty(), "the turn is not over");
    play(&mut house, 1);
    let letters = seen(&house);
    assert!(!letters.is_empty());
    for letter in &letters {
        let text = letter.text.split_whitespace();
        let text = text.collect::<Vec<_>>().join(" ");
        assert!(
            text.contains("what french has seen, a turn later"),
            "{text}"
        );
        assert!(
            !text.contains("game+tuesday-1"),
            "no address for orders: {text}"
        );
        assert!(!text.contains("ada@example.net"), "{text}");
    }
    // He who has been told that plays there no more.
    house.answer(BERT, "OBSERVE 1 OFF");
    let letters = house.answer(CAROL, "TAKE OVER 1 AS austrian");
    let told = said(&letters);
    assert!(
        told.contains("have looked on") || told.contains("does not look for a player"),
        "{told}"
    );
    let before = seen(&house).len();
    let told = said(&house.answer(CAROL, "OBSERVER 1 NON"));
    assert!(told.contains("no longer"), "{told}");
    play(&mut house, 1);
    assert_eq!(seen(&house).len(), before);
    // Whoever comes late reads the newest sheet.
    house.answer(CAROL, "OBSERVE 1");
    house.open().pass(house.now).unwrap();
    assert_eq!(seen(&house).len(), before + 1);
}

#[test]
fn who_comes_late_reads_what_the_others_have_read_last() {
    let mut house = playing("OBSERVERS public");
    house.answer(BERT, "JOIN 1");
    house.answer(CAROL, "OBSERVE 1");
    play(&mut house, 1);
    let told = |house: &ClubHouse, who: &str| -> Vec<String> {
        let letters = house.letters().into_iter();
        let his = letters.filter(|(to, letter)| {
            to.contains(who) && letter.subject.contains("Looking on at tuesday-1")
        });
        his.map(|(_, letter)| letter.text).collect()
    };
    assert!(!told(&house, "carol@").is_empty());
    let dora = "Dora <dora@example.net>";
    house.join_club(dora);
    house.answer(dora, "OBSERVE 1");
    house.answer(dora, "OBSERVE 1");
    assert_eq!(told(&house, "dora@").len(), 1);
    let again = "OBSERVE 1 OFF\nOBSERVE 1\n".repeat(4);
    house.answer(dora, &again);
    assert_eq!(told(&house, "dora@").len(), 2, "once in a mail");
}

#[test]
fn a_watched_seat_is_no_seat_for_who_has_watched() {
    let mut house = playing("OBSERVERS french 1");
    house.answer(CAROL, "OBSERVE 1");
    house.answer(BERT, "JOIN 1");
    // Nobody has sent anything: after three deadlines the seats look for players.
    play(&mut house, 3);
    let offered = house.open().state().tables[&1].offered().count();
    assert!(offered > 0);
    let told = said(&house.answer(CAROL, "TAKE OVER 1 AS austrian"));
    assert!(
        told.contains("you have looked on at that campaign"),
        "{told}"
    );
}

#[test]
fn a_campaign_is_watched_only_as_its_table_says() {
    let mut house = playing("");
    house.answer(BERT, "JOIN 1");
    let told = said(&house.answer(CAROL, "OBSERVE 1"));
    assert!(told.contains("nobody looks on at table 1"), "{told}");
    play(&mut house, 1);
    assert!(!house.campaign(1).join("observed").exists());
    assert!(seen(&house).is_empty());
    for (words, wrong) in [
        ("OBSERVE 7", "no such table"),
        ("OBSERVE friday-1", "can't be read"),
        ("OBSERVE 1 OFF", "You do not look on"),
    ] {
        let told = said(&house.answer(CAROL, words));
        assert!(told.contains(wrong), "{words}: {told}");
    }
    for words in ["OBSERVERS prussian 1", "OBSERVERS french 0", "OBSERVERS"] {
        let table = format!("NEW TABLE castiglione SCENARIO lonato {words}");
        let told = said(&house.answer(CAROL, &table));
        assert!(
            told.contains("There are: french, austrian") || told.contains("can't be read"),
            "{words}: {told}"
        );
    }
    let root = house.root().display().to_string();
    let ran = estafette(&["club", "observe", &root, "1", "m3"], b"");
    assert_eq!(ran.code, 1, "{ran:?}");
    // A stranger is told nothing of it.
    let told = house.write("X <x@example.net>", "OBSERVE 1");
    assert!(
        told.iter().all(|(_, it)| !it.text.contains("table 1")),
        "{told:?}"
    );
}

#[test]
fn all_is_shown_after_the_end_and_nothing_before() {
    let mut house = playing("OBSERVERS ENDED");
    house.answer(BERT, "JOIN 1");
    let root_of_club = house.root().display().to_string();
    let now = house.now.to_string();
    let observe = ["club", "observe", &root_of_club, "1", "m3", "--now", &now];
    assert_eq!(estafette(&observe, b"").code, 0);
    play(&mut house, 1);
    assert!(seen(&house).is_empty());
    house.orders(1, "austrian", "CONCEDE");
    let letters = seen(&house);
    let [letter] = letters.as_slice() else {
        panic!("{letters:?}");
    };
    let words = letter.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("after its end"), "{letter:?}");
    house.open().pass(house.now).unwrap();
    assert_eq!(seen(&house).len(), 1, "once");
}

/// The sheets of a campaign with hidden counters, by their names: before and after both sides have
/// set up with these words. Nothing is thrown for until then.
fn sheets(rule: &'static str, french: &str, austrian: &str) -> BTreeMap<String, Vec<u8>> {
    let mut test = Test::campaign("castiglione")
        .option("fog", "on")
        .settings_line(rule)
        .begin();
    test.run();
    test.mail("austrian", austrian).mail("french", french).run();
    let folder = test.root().join("observed/new");
    let files = fs::read_dir(folder).into_iter().flatten();
    let read = |file: fs::DirEntry| {
        let name = file.file_name().into_string().unwrap();
        let bytes = fs::read(file.path()).unwrap();
        (name, bytes)
    };
    files.map(|file| read(file.unwrap())).collect()
}

/// By the public rule nobody can tell secret orders apart; by a seat's sight nobody can tell what
/// its enemy keeps from it.
#[test]
fn sheets_tell_no_more_than_the_rule() {
    let club = "club: game+tuesday@example.org\n";
    let public = "club: game+tuesday@example.org\nobservers: public\n";
    let one = sheets(public, "RIEN", "DUMMY 1 AT Vicenza");
    assert_eq!(one.len(), 2, "{:?}", one.keys());
    for (french, austrian) in [
        ("RIEN", "DUMMY 1 AT Trento"),
        ("RIEN", "NOTHING\nPURSUE NEVER"),
        ("LEURRE 2 \u{c0} V\u{e9}rone", "DUMMY 1 AT Vicenza"),
    ] {
        assert_eq!(
            sheets(public, french, austrian),
            one,
            "{french}, {austrian}"
        );
    }
    let delayed =
        "club: game+tuesday@example.org\nobservers: {delayed: {seat: french, turns: 1}}\n";
    let one = sheets(delayed, "RIEN", "DUMMY 1 AT Vicenza");
    let secret = sheets(delayed, "RIEN", "DUMMY 1 AT Vicenza\nPURSUE NEVER");
    assert_eq!(one.len(), 2, "{:?}", one.keys());
    assert_eq!(one, secret, "standing orders of the enemy");
    let own = sheets(delayed, "LEURRE 2 \u{c0} V\u{e9}rone", "DUMMY 1 AT Vicenza");
    assert_ne!(one, own, "the seat knows its own");
    for sheet in one.values() {
        let text = String::from_utf8_lossy(sheet);
        assert!(!text.contains("game+") && !text.contains("ada@"), "{text}");
    }
    let ended = "club: game+tuesday@example.org\nobservers: ended\n";
    for rule in [ended, club, "observers: public\n"] {
        let none = sheets(rule, "RIEN", "NOTHING");
        assert!(none.is_empty(), "{rule}");
    }
}
