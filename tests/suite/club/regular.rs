//! What a club writes by itself: a letter a day to its umpire if something needs him, one a month
//! to its members; and its status in one screen.

use std::{fs, time::Duration};

use estafette::{campaign::durable::Campaign, club::EntryRule, mail::Parts};
use jiff::Timestamp;

use super::house_of_club::ClubHouse;
use crate::support::program::estafette;

const ADA: &str = "Ada <ada@example.net>";
const BERT: &str = "Bert <bert@example.net>";
const CAROL: &str = "Carol <carol@example.net>";

/// The words of a letter, on one line.
fn said(letter: &Parts) -> String {
    let words = letter.text.split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

/// The clock strikes. Returns the letters that it brings.
fn strikes(house: &mut ClubHouse, now: &str, troubles: &[&str]) -> Vec<(String, Parts)> {
    house.now = now.parse::<Timestamp>().unwrap();
    let before = house.letters();
    let troubles = troubles.iter().map(|it| (*it).to_owned());
    let troubles: Vec<String> = troubles.collect();
    house.open().write_regularly(house.now, &troubles).unwrap();
    let mut letters = house.letters();
    letters.retain(|letter| !before.contains(letter));
    letters
}

fn begun() -> ClubHouse {
    let mut house = ClubHouse::new();
    house.join_club(ADA).join_club(BERT).join_club(CAROL);
    house.answer(
        ADA,
        "NEW TABLE castiglione SCENARIO lonato\nJOIN 1 AS french",
    );
    house.answer(BERT, "JOIN 1");
    house
}

/// The campaign has its pass.
fn pass(house: &ClubHouse) {
    let root = house.folder.path().join("campaigns/tuesday-1");
    let mut campaign = Campaign::open(&root, Duration::from_secs(10)).unwrap();
    campaign.pass(house.now).unwrap();
}

#[test]
fn the_umpire_is_written_to_once_a_day_if_something_needs_him() {
    let mut house = ClubHouse::with(|settings| settings.entry = EntryRule::Umpire);
    house.join_club(ADA);
    // Founded at noon: the hour of that day has passed.
    assert!(strikes(&mut house, "2026-11-21T20:00:00Z", &[]).is_empty());
    assert!(strikes(&mut house, "2026-11-22T05:59:00Z", &[]).is_empty());
    let told = strikes(&mut house, "2026-11-22T06:00:00Z", &[]);
    let [(to, letter)] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(to.contains("umpire@example.org"), "{to}");
    assert!(letter.subject.contains("One thing needs you"), "{letter:?}");
    assert!(said(letter).contains("Ada (m1) waits for your word"));
    assert!(said(letter).contains("estafette club accept DIR m1"));
    // The club was opened anew each time: its journal knows.
    assert!(strikes(&mut house, "2026-11-22T06:01:00Z", &[]).is_empty());
    assert!(strikes(&mut house, "2026-11-23T05:00:00Z", &[]).is_empty());
    assert_eq!(strikes(&mut house, "2026-11-23T09:00:00Z", &[]).len(), 1);
    // Nothing needs him: no letter, whatever comes later that day.
    let ruling = estafette::club::ClubRuling::Accept {
        member: "m1".parse().unwrap(),
    };
    house.open().rule(ruling, house.now).unwrap();
    assert!(strikes(&mut house, "2026-11-24T06:00:00Z", &[]).is_empty());
    let wrong = ["imap.example.org: the certificate has expired"];
    assert!(strikes(&mut house, "2026-11-24T07:00:00Z", &wrong).is_empty());
    let told = strikes(&mut house, "2026-11-25T06:00:00Z", &wrong);
    assert!(said(&told[0].1).contains(wrong[0]), "{told:?}");
    assert!(!house.journal().contains("ada@"));
}

#[test]
fn what_of_campaigns_needs_the_umpire_is_told_and_goes() {
    let mut house = begun();
    let root = house.folder.path().join("campaigns/tuesday-1");
    let at = root.display().to_string();
    let hold = |what: &str, now: &str| {
        let ran = estafette(
            &["umpire", what, &at, "--why", "a feast", "--now", now],
            b"",
        );
        assert_eq!(ran.code, 0, "{ran:?}");
    };
    hold("hold", "2026-11-21T13:00:00Z");
    house.now = "2026-11-21T14:00:00Z".parse().unwrap();
    pass(&house);
    let told = strikes(&mut house, "2026-11-22T06:00:00Z", &[]);
    assert!(
        said(&told[0].1).contains("tuesday-1: held by you"),
        "{told:?}"
    );
    hold("resume", "2026-11-22T07:00:00Z");
    house.now = "2026-11-22T08:00:00Z".parse().unwrap();
    pass(&house);
    assert!(strikes(&mut house, "2026-11-23T06:00:00Z", &[]).is_empty());
    // A deadline passes without a word.
    house.now = "2026-12-10T12:00:00Z".parse().unwrap();
    pass(&house);
    let told = strikes(&mut house, "2026-12-11T06:00:00Z", &[]);
    let umpire = told.iter().find(|(to, _)| to.contains("umpire@"));
    let text = said(&umpire.unwrap().1);
    assert!(text.contains("has sent nothing and missed"), "{text}");
    assert!(!text.contains("example.net"), "{text}");
}

#[test]
fn members_are_told_once_a_month_what_is_new() {
    let mut house = begun();
    house.answer(ADA, "NEW TABLE castiglione SCENARIO lonato");
    house.answer(BERT, "LANGUAGE FRENCH");
    let told = house.answer(CAROL, "LETTER OFF");
    assert!(said(&told[0].1).contains("No letter comes"), "{told:?}");
    let monthly = |told: Vec<(String, Parts)>| {
        let is_news = |(_, it): &(String, Parts)| {
            it.subject.contains("News of the club") || it.subject.contains("Nouvelles du club")
        };
        told.into_iter().filter(is_news).collect::<Vec<_>>()
    };
    assert!(monthly(strikes(&mut house, "2026-11-30T12:00:00Z", &[])).is_empty());
    let told = monthly(strikes(&mut house, "2026-12-01T06:00:00Z", &[]));
    let [(ada, english), (bert, french)] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(ada.contains("ada@") && bert.contains("bert@"));
    for told in [
        "These look for players",
        "table 2:",
        "tuesday-1: ",
        "Ada (m1), Bert (m2)",
        "LETTER OFF",
    ] {
        assert!(said(english).contains(told), "{told}: {}", english.text);
    }
    assert!(said(french).contains("Cherchent des joueurs"), "{french:?}");
    assert!(!english.text.contains("example.net"), "{english:?}");
    // Not again in that month; and not to somebody who is away.
    assert!(monthly(strikes(&mut house, "2026-12-02T06:00:00Z", &[])).is_empty());
    house.now = "2026-12-20T12:00:00Z".parse().unwrap();
    house.answer(ADA, "ABSENT until 5 Jan STANDING ORDERS");
    house.answer(CAROL, "Lettre oui");
    let told = monthly(strikes(&mut house, "2027-01-01T06:00:00Z", &[]));
    let to: Vec<bool> = told.iter().map(|(to, _)| to.contains("ada@")).collect();
    assert_eq!(to, [false, false], "{told:?}");
    // A mail that only names her address changes nothing.
    let told = house.write(CAROL, "LETTER OFF");
    assert!(said(&told[0].1).contains("anybody could have written"));
}

#[test]
fn a_club_without_news_writes_none() {
    let mut house = ClubHouse::new();
    house.join_club(ADA);
    assert!(strikes(&mut house, "2026-12-01T06:00:00Z", &[]).is_empty());
    house.answer(ADA, "NEW TABLE castiglione SCENARIO lonato");
    assert!(strikes(&mut house, "2026-12-01T07:00:00Z", &[]).is_empty());
    assert_eq!(strikes(&mut house, "2027-01-01T07:00:00Z", &[]).len(), 1);
}

#[test]
fn a_whole_club_stands_on_one_screen() {
    let house = begun();
    let root = house.root().display().to_string();
    let ran = estafette(&["status", &root], b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    for told in [
        "tuesday (The Tuesday Club): 3 members, 0 open tables, 1 running, 0 ended",
        "tuesday-1  turn",
    ] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    // Those with problems stand first.
    let campaigns = house.folder.path().join("campaigns");
    fs::create_dir(campaigns.join("broken")).unwrap();
    for file in ["campaign.yaml", "journal.jsonl"] {
        let from = campaigns.join("tuesday-1").join(file);
        fs::copy(from, campaigns.join("broken").join(file)).unwrap();
    }
    fs::write(campaigns.join("broken/journal.jsonl"), "{}\n").unwrap();
    let ran = estafette(&["status", &root, "--json"], b"");
    assert_eq!(ran.code, 1, "{ran:?}");
    let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(value["members"], 3);
    let first = value["campaigns"][0]["wrong"].to_string();
    assert!(first.contains("STOPPED"), "{value}");
    assert_eq!(value["campaigns"][1]["wrong"], serde_json::json!([]));
    assert!(!ran.out.contains("example.net"), "{}", ran.out);
}
