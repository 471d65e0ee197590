//! Members who are away, and seats that look for another player: what the club tells campaigns, and
//! what they tell the club.

use std::{fs, path::PathBuf, time::Duration};

use estafette::{
    campaign::durable::{self, Campaign},
    club::TakeoverRule,
    mail::{maildir::Maildir, parts},
};
use jiff::Timestamp;

use super::house_of_club::{ClubHouse, mail};
use crate::support::program::estafette;

const ADA: &str = "Ada <ada@example.net>";
const BERT: &str = "Bert <bert@example.net>";
const CAROL: &str = "Carol <carol@example.net>";
const DORA: &str = "Dora <dora@example.net>";

/// The words of the first letter, on one line.
fn said(letters: &[(String, estafette::mail::Parts)]) -> String {
    let words = letters[0].1.text.split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

/// A club with three members, two of whom play.
fn playing(takeover: TakeoverRule) -> ClubHouse {
    let mut house = ClubHouse::with(|settings| settings.takeover = takeover);
    house.join_club(ADA).join_club(BERT).join_club(CAROL);
    house.answer(
        ADA,
        "NEW TABLE castiglione SCENARIO lonato\nJOIN 1 AS french",
    );
    house.answer(BERT, "JOIN 1 AS austrian");
    house
}

fn campaign(house: &ClubHouse) -> PathBuf {
    house.folder.path().join("campaigns/tuesday-1")
}

fn pass(house: &ClubHouse) {
    let mut campaign = Campaign::open(&campaign(house), Duration::from_secs(10)).unwrap();
    campaign.pass(house.now).unwrap();
}

fn deadline(house: &ClubHouse) -> Timestamp {
    durable::look(&campaign(house))
        .unwrap()
        .2
        .deadline()
        .unwrap()
}

/// The letters of a campaign to a seat, the newest last.
fn letters(house: &ClubHouse, seat: &str) -> Vec<(String, estafette::mail::Parts)> {
    let folder = campaign(house).join("outbox").join(seat).join("new");
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| fs::read(file.unwrap().path()).unwrap())
        .map(|bytes| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let to = text.lines().find_map(|line| line.strip_prefix("To: "));
            (to.unwrap().trim().to_owned(), parts(&bytes).unwrap())
        })
        .collect();
    all.sort_by_key(|(_, letter)| {
        let id = letter.message_id.clone().unwrap();
        id.split('.').nth(2).unwrap().parse::<u64>().unwrap()
    });
    all
}

/// A seat writes to its campaign.
fn orders(house: &ClubHouse, seat: &str, words: &str) {
    let all = letters(house, seat);
    let (to, letter) = all.last().unwrap();
    let number = 700 + u32::try_from(words.len()).unwrap();
    let bytes = mail(to, letter.reply_to.as_ref().unwrap(), words, number);
    let inbox = Maildir::on_demand(campaign(house).join("inbox"));
    inbox.put(&format!("{number:06}"), &bytes).unwrap();
    pass(house);
}

#[test]
fn an_absence_is_told_to_all_campaigns_of_a_member() {
    let mut house = playing(TakeoverRule::Umpire);
    let first = deadline(&house);
    // Nobody else can say it for her.
    let told = said(&house.write(ADA, "ABSENT until 28 Nov"));
    assert!(told.contains("anybody could have written"), "{told}");
    let told = said(&house.answer(ADA, "ABSENT until 28 Nov a secret operation"));
    assert!(told.contains("until 2026-11-29 00:00"), "{told}");
    assert!(
        told.contains("of the 42 days in a year 34 are left"),
        "{told}"
    );
    assert!(!house.journal().contains("secret") && !house.journal().contains("ada@"));
    pass(&house);
    assert_eq!(deadline(&house).to_string(), "2026-11-29T23:00:00Z");
    let told = letters(&house, "austrian").pop().unwrap().1;
    assert!(
        told.subject.contains("Not before") && !told.text.contains("Ada"),
        "{told:?}"
    );
    let data = said(&house.answer(ADA, "MY DATA"));
    assert!(data.contains("You are away from 2026-11-21"), "{data}");
    // Back: the days that have not passed are hers again.
    house.wait(24);
    let told = said(&house.answer(ADA, "BACK"));
    assert!(told.contains("You are expected again"), "{told}");
    let told = said(&house.answer(ADA, "RETOUR"));
    assert!(
        told.contains("vous n'\u{ea}tes pas absent") || told.contains("You are not away"),
        "{told}"
    );
    pass(&house);
    assert!(deadline(&house) > first);
    let state = durable::look(&campaign(&house)).unwrap().2;
    assert!(state.seats["french"].attendance.absence.is_none());
    // A quota for the year, for deadlines that move.
    let told = said(&house.answer(ADA, "ABSENT until 20 Jan"));
    assert!(
        told.contains("more than 42 days of a year; 40 are left"),
        "{told}"
    );
    let told = said(&house.answer(ADA, "ABSENT until 20 Jan STANDING ORDERS"));
    assert!(told.contains("Nobody waits for you meanwhile"), "{told}");
    for (words, wrong) in [
        ("ABSENT 31 Nov to 1 Dec", "There is no such day"),
        (
            "ABSENT 3 Dec to 2 Dec 2026",
            "The last day lies before the first",
        ),
        ("ABSENT 12", "Write it as ABSENT 1 Dec to 10 Dec"),
    ] {
        let told = said(&house.answer(ADA, words));
        assert!(told.contains(wrong), "{words}: {told}");
    }
    let french = said(&house.answer(ADA, "LANGUAGE FRENCH\nABSENT DU 1er AU 3 D\u{c9}C"));
    assert!(french.contains("Vous \u{ea}tes absent"), "{french}");
}

#[test]
fn a_campaign_that_begins_is_told_who_is_away() {
    let mut house = ClubHouse::new();
    house.join_club(ADA).join_club(BERT);
    house.answer(BERT, "ABSENT until 28 Nov");
    house.answer(ADA, "NEW TABLE castiglione SCENARIO lonato\nJOIN 1");
    house.answer(BERT, "JOIN 1");
    let first = deadline(&house);
    pass(&house);
    assert!(deadline(&house) > first);
    assert_eq!(deadline(&house).to_string(), "2026-11-29T23:00:00Z");
    // A campaign that was taken away stops nothing.
    fs::rename(campaign(&house), house.folder.path().join("elsewhere")).unwrap();
    assert_eq!(house.answer(BERT, "BACK").len(), 1);
    assert_eq!(house.answer(ADA, "TABLES").len(), 1);
}

#[test]
fn a_seat_is_taken_over_by_nod_of_the_umpire() {
    let mut house = playing(TakeoverRule::Umpire);
    let told = said(&house.answer(CAROL, "TAKE OVER 1"));
    assert!(
        told.contains("no seat of table 1 looks for a player"),
        "{told}"
    );
    assert!(!said(&house.answer(CAROL, "TABLES")).contains("TAKE OVER"));
    orders(&house, "austrian", "RESIGN");
    house.open().pass(house.now).unwrap();
    let told = said(&house.answer(CAROL, "TABLES"));
    assert!(
        told.contains("looks for somebody to play austrian: TAKE OVER 1"),
        "{told}"
    );
    // Who knows the other side does not; nor who is no member.
    let told = said(&house.answer(ADA, "TAKE OVER 1 AS austrian"));
    assert!(
        told.contains("you know that campaign from another seat"),
        "{told}"
    );
    let told = said(&house.answer(CAROL, "TAKE OVER 1 AS prussian"));
    assert!(told.contains("There are: french, austrian"), "{told}");
    let asked = house.answer(CAROL, "TAKE OVER 1");
    assert!(
        asked
            .iter()
            .any(|(_, it)| it.text.contains("The umpire is asked"))
    );
    let command = "estafette club takeover DIR 1 austrian m3";
    assert!(house.newest("umpire@").text.contains(command));
    let root = house.root().display().to_string();
    let now = house.now.to_string();
    let run = |member: &str| {
        estafette(
            &[
                "club", "takeover", &root, "1", "austrian", member, "--now", &now,
            ],
            b"",
        )
    };
    assert_eq!(run("m1").code, 1, "he plays there");
    let ran = run("m3");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(house.newest("carol@").text.contains("you take over"));
    assert_eq!(run("m3").code, 1, "once");
    pass(&house);
    let (to, opening) = letters(&house, "austrian").pop().unwrap();
    assert!(to.contains("carol@example.net"), "{to}");
    assert!(opening.reply_to.is_some());
    house.open().pass(house.now).unwrap();
    assert!(!said(&house.answer(BERT, "TABLES")).contains("TAKE OVER"));
    // Her absences are told to it from now on.
    house.answer(CAROL, "ABSENT until 28 Nov");
    pass(&house);
    assert_eq!(deadline(&house).to_string(), "2026-11-29T23:00:00Z");
}

#[test]
fn a_seat_goes_to_the_first_who_asks_where_it_may() {
    let mut house = playing(TakeoverRule::Anybody);
    orders(&house, "austrian", "RESIGN");
    house.open().pass(house.now).unwrap();
    // Who reads all letters of a campaign plays no seat of it, neither by mail nor by command.
    house.join_club(DORA);
    house.writes_from_too(DORA, "umpire@example.org");
    let told = said(&house.answer(DORA, "TAKE OVER 1"));
    assert!(told.contains("You are the umpire"), "{told}");
    let (root, now) = (house.root().display().to_string(), house.now.to_string());
    let by_command = [
        "club", "takeover", &root, "1", "austrian", "m4", "--now", &now,
    ];
    assert_eq!(estafette(&by_command, b"").code, 1);
    let letters_to = house.answer(CAROL, "Reprendre 1 comme austrian");
    let is_told = |(_, it): &(String, estafette::mail::Parts)| it.text.contains("you take over");
    assert!(letters_to.iter().any(is_told));
    // What the club has told comes before a mail of who has left.
    orders(&house, "austrian", "BACK");
    let state = durable::look(&campaign(&house)).unwrap().2;
    assert!(
        state
            .contacts
            .get("austrian")
            .is_some_and(|it| it.player.is_some())
    );
    assert_eq!(house.answer(CAROL, "TAKE OVER 1").len(), 1);
}
