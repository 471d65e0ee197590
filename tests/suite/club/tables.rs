//! Tables: from the founding to the first dispatch of a campaign.
#![cfg(unix)]

use std::fs;

use super::house_of_club::{ClubHouse, mail, settings};
use crate::support::{mailserver::host::Host, program::estafette};
use estafette::{
    campaign::model::settings::Settings,
    club::{Club, FounderRule, TableStanding},
    dice::Master,
    mail::{maildir::Maildir, parts},
    serve::{
        ClubPlace, MailRoute, Roster,
        known::{KnownNames, sort_again},
    },
    store::Directory,
};

const ADA: &str = "Ada <ada@example.net>";
const BERT: &str = "Bert <bert@example.net>";
const CAROL: &str = "Carol <carol@example.net>";

fn three() -> ClubHouse {
    let mut house = ClubHouse::new();
    house.join_club(ADA).join_club(BERT).join_club(CAROL);
    house
}

#[test]
fn a_full_table_begins_its_campaign_by_itself() {
    let mut house = three();
    let letters = house.answer(
        ADA,
        "NEW TABLE castiglione SCENARIO lonato EVERY 2 DAYS PRESS GREY",
    );
    let text = &letters[0].1.text;
    assert!(
        text.contains("table 1:") && text.contains("at the latest after 48 hours"),
        "{text}"
    );
    let anchor = text
        .lines()
        .map(str::trim)
        .find(|line| line.len() == 64)
        .unwrap()
        .to_owned();
    house.answer(ADA, "JOIN 1 AS austrian");
    let text = house.answer(CAROL, "TABLES")[0].1.text.clone();
    assert!(
        text.contains("joined: Ada (m1)") && text.contains("missing: 1"),
        "{text}"
    );
    assert!(!text.contains("example.net"), "no address is told: {text}");
    let letters = house.answer(BERT, "JOIN T1 AS french, austrian");
    let begun: Vec<_> = letters
        .iter()
        .filter(|(_, it)| it.subject.contains("begins"))
        .collect();
    assert_eq!(begun.len(), 3, "two players and the umpire: {letters:?}");

    let root = house.folder.path().join("campaigns/tuesday-1");
    let campaign = Settings::of(&Directory::open(&root).unwrap()).unwrap();
    let seats: Vec<_> = campaign
        .seats
        .iter()
        .map(|seat| (seat.id.as_str(), seat.address.to_string()))
        .collect();
    assert_eq!(
        seats,
        [
            ("french", "bert@example.net".to_owned()),
            ("austrian", "ada@example.net".into())
        ]
    );
    assert!(campaign.press.grey && campaign.scenario == "lonato");
    assert!(campaign.umpire.unwrap().is("umpire@example.org"));
    assert!(root.join("outbox/french/new").read_dir().unwrap().count() >= 1);

    // Anybody can make the draw again from the letter, with the anchor told before.
    let letter = &begun[0].1.text;
    let ran = estafette(&["club", "draw", "--anchor", &anchor], letter.as_bytes());
    assert_eq!((ran.code, ran.out.lines().count()), (0, 2), "{ran:?}");
    let other = anchor.replace(
        &anchor[..1],
        if anchor.starts_with('0') { "1" } else { "0" },
    );
    assert_eq!(
        estafette(&["club", "draw", "--anchor", &other], letter.as_bytes()).code,
        1
    );
    let forged = letter.replace("seated m1 austrian", "seated m1 french");
    assert_eq!(
        estafette(&["club", "draw", "--anchor", &anchor], forged.as_bytes()).code,
        1
    );

    // Who comes too late is told so, once, and nothing begins twice.
    let late = house.answer(CAROL, "JOIN 1");
    assert!(
        late.len() == 1 && late[0].1.text.contains("Table 1 is full"),
        "{late:?}"
    );
    assert!(
        house.answer(ADA, "LEAVE 1")[0]
            .1
            .text
            .contains("looks for players no longer")
    );
    let names = root.parent().unwrap().read_dir().unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name != ".changed").count(), 1);
}

#[test]
fn a_club_that_was_killed_begins_a_campaign_once() {
    let mut house = three();
    house.answer(ADA, "NEW TABLE castiglione\nJOIN 1");
    house.answer(BERT, "JOIN 1");
    let root = house.folder.path().join("campaigns/tuesday-1");
    let master = fs::read(root.join("secret/master")).unwrap();
    let journal = house.journal();
    let lines: Vec<&str> = journal.lines().collect();
    let begun = lines
        .iter()
        .position(|line| line.contains("\"kind\":\"begun\""))
        .unwrap();
    let cut: String = lines[..begun]
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(house.root().join("journal.jsonl"), cut).unwrap();
    house.open().pass(house.now).unwrap();
    let club = house.open();
    assert!(matches!(
        club.state().tables[&1].standing,
        TableStanding::Begun(..)
    ));
    assert_eq!(
        fs::read(root.join("secret/master")).unwrap(),
        master,
        "it was not made anew"
    );
}

#[test]
fn players_come_and_go_while_a_table_is_open() {
    let mut house = three();
    house.answer(ADA, "NEW TABLE castiglione");
    assert!(
        house.answer(BERT, "JOIN 1 AS prussian")[0]
            .1
            .text
            .contains("french, austrian")
    );
    house.answer(BERT, "JOIN 1");
    // Once more changes wishes alone: one member is one player.
    assert!(
        house.answer(BERT, "JOIN 1 AS french")[0]
            .1
            .text
            .contains("wish for french")
    );
    assert_eq!(house.open().state().tables[&1].players.len(), 1);
    assert!(
        house.answer(CAROL, "LEAVE 1")[0]
            .1
            .text
            .contains("You have not joined")
    );
    house.answer(BERT, "LEAVE 1");
    assert!(house.open().state().tables[&1].players.is_empty());
    house.answer(BERT, "JOIN 1");
    assert!(
        house.answer(BERT, "CLOSE 1")[0]
            .1
            .text
            .contains("another member has founded")
    );
    let letters = house.answer(ADA, "CLOSE 1");
    assert!(
        letters
            .iter()
            .any(|(to, it)| to.contains("bert@") && it.subject.contains("given up"))
    );
    assert!(
        house.answer(CAROL, "JOIN 1")[0]
            .1
            .text
            .contains("was given up")
    );
    assert!(
        house.answer(CAROL, "JOIN 7")[0]
            .1
            .text
            .contains("no such table")
    );
    for _ in 0..3 {
        house.answer(ADA, "NEW TABLE castiglione");
    }
    assert!(
        house.answer(ADA, "NEW TABLE castiglione")[0]
            .1
            .text
            .contains("three tables")
    );
}

#[test]
fn a_bot_takes_a_seat_and_only_named_members_found_tables() {
    let mut house = ClubHouse::with(|settings| settings.founders = FounderRule::Named);
    house.join_club(ADA);
    let words = "NEW TABLE castiglione SCENARIO lonato BOT austrian\nJOIN 1";
    assert!(
        house.answer(ADA, words)[0]
            .1
            .text
            .contains("the umpire says who may found")
    );
    let ruling = estafette::club::ClubRuling::Founder {
        member: "m1".parse().unwrap(),
        may: true,
    };
    house.open().rule(ruling, house.now).unwrap();
    house.answer(ADA, words);
    let root = house.folder.path().join("campaigns/tuesday-1");
    let campaign = Settings::of(&Directory::open(&root).unwrap()).unwrap();
    assert!(
        campaign
            .seats
            .get("austrian")
            .unwrap()
            .address
            .bot()
            .is_some()
    );
    assert!(
        campaign
            .seats
            .get("french")
            .unwrap()
            .address
            .is("ada@example.net")
    );
}

#[test]
fn an_umpire_who_plays_does_not_get_everything() {
    let mut house = ClubHouse::new();
    house.join_club(ADA).join_club(BERT);
    let to = house.writes_from_too(ADA, "umpire@example.org");
    assert!(
        to.contains("umpire@example.org") && !to.contains("Ada"),
        "{to}"
    );
    house.answer(ADA, "NEW TABLE castiglione\nJOIN 1");
    house.answer(BERT, "JOIN 1");
    let root = house.folder.path().join("campaigns/tuesday-1");
    let campaign = Settings::of(&Directory::open(&root).unwrap()).unwrap();
    assert_eq!(campaign.umpire, None);
}

#[test]
fn a_line_has_a_bounded_number_of_words() {
    let mut house = three();
    house.answer(ADA, "NEW TABLE castiglione");
    let before = house.journal().len();
    let words: String = (0..8000).map(|n| format!(" x{n}")).collect();
    let text = house.answer(ADA, &format!("JOIN 9 AS{words}"))[0]
        .1
        .text
        .clone();
    assert!(text.contains("no such table"), "{text}");
    let text = house.answer(ADA, &format!("JOIN 1 AS{words}"))[0]
        .1
        .text
        .clone();
    assert!(text.contains("french, austrian"), "{text}");
    let bots = " BOT french".repeat(4000);
    let text = house.answer(ADA, &format!("NEW TABLE castiglione{bots}"))[0]
        .1
        .text
        .clone();
    assert!(text.contains("This can't be read"), "{text}");
    house.write(ADA, &format!("JOIN 9 AS{words}"));
    let grown = house.journal().len() - before;
    assert!(grown < 8000, "{grown} bytes in the journal");
}

#[test]
fn the_tables_of_a_founder_who_leaves_are_given_up() {
    let mut house = three();
    house.answer(ADA, "NEW TABLE castiglione");
    house.answer(BERT, "JOIN 1");
    let letters = house.answer(ADA, "LEAVE CLUB");
    let mut told = letters
        .iter()
        .filter(|(_, it)| it.subject.contains("given up"));
    assert!(told.next().unwrap().0.contains("bert@") && told.next().is_none());
    assert_eq!(
        house.open().state().tables[&1].standing,
        TableStanding::Closed
    );
}

#[test]
fn a_campaign_of_others_is_not_taken_for_the_tables() {
    let mut one = three();
    one.answer(ADA, "NEW TABLE castiglione SCENARIO lonato\nJOIN 1");
    one.answer(BERT, "JOIN 1");
    let campaigns = one.folder.path().join("campaigns");
    let mut two = ClubHouse::with(|settings| settings.campaigns = campaigns);
    two.join_club(CAROL).join_club(BERT);
    two.answer(CAROL, "NEW TABLE castiglione SCENARIO campaign\nJOIN 1");
    two.answer(BERT, "JOIN 1");
    assert_eq!(
        two.open().state().tables[&1].standing,
        TableStanding::Failed
    );
    let told = two.newest("umpire@").text;
    assert!(told.contains("`tuesday-1` is taken"), "{told}");
}

#[test]
fn a_mail_to_a_campaign_and_the_club_reaches_both() {
    let mut house = three();
    house.answer(ADA, "NEW TABLE castiglione\nJOIN 1");
    house.answer(BERT, "JOIN 1");
    let root = house.folder.path().join("campaigns/tuesday-1");
    let outbox = Maildir::on_demand(root.join("outbox/french"));
    let entry = outbox.unprocessed().unwrap().remove(0);
    let letter = outbox.read(&entry, 1 << 24).unwrap().unwrap();
    let id = parts(&letter).unwrap().message_id.unwrap();
    let club = ClubPlace::read(&house.root()).unwrap();
    let roll = Roster::read(&[root]).0.with_club(Some(club));
    let route = |to: &str, id: &str| {
        let bytes = String::from_utf8(mail(ADA, to, "HELP", 1)).unwrap();
        let bytes = bytes.replacen("Subject:", &format!("In-Reply-To: <{id}>\r\nSubject:"), 1);
        roll.router().route(bytes.as_bytes())
    };
    let own = "game+tuesday@example.org";
    assert_eq!(route(own, &id), MailRoute::To(vec![0, 1]));
    assert_eq!(route(own, "x@y"), MailRoute::To(vec![1]));
    assert_eq!(route("other@example.org", &id), MailRoute::To(vec![0]));
    // The same name at another domain is somebody else.
    let other = route("game+tuesday@example.com", "x@y");
    assert_ne!(other, MailRoute::To(vec![1]), "{other:?}");
    assert!(KnownNames::of(&roll).has("tuesday"));
    // What came for the club before the host knew it is taken from where it was put aside.
    let before =
        KnownNames::of(&Roster::read(&[house.folder.path().join("campaigns/tuesday-1")]).0);
    let aside = Maildir::at(house.folder.path().join("aside"));
    aside.create().unwrap();
    aside.put("000900", &mail(ADA, own, "TABLES", 900)).unwrap();
    assert_eq!(sort_again(&roll, &before, &aside).unwrap(), 1);
    let inbox = Maildir::on_demand(house.root().join("inbox"));
    assert_eq!(inbox.unprocessed().unwrap()[0].key(), "000900");
}

/// The whole way through the host: mails in, letters out, a campaign that is served.
#[test]
fn the_host_carries_the_mails_of_the_club() {
    let host = Host::new(
        &[std::path::Path::new("campaigns/*")],
        "club: club\nin: [{maildir: {path: in}}]\nout: {maildir: {path: out}}",
    );
    fs::create_dir(host.path("campaigns")).unwrap();
    let settings = settings(&host.path("."), "tuesday");
    let settings = estafette::club::ClubSettings {
        campaigns: "../campaigns".into(),
        ..settings
    };
    let master = Master::simulated("a club", &"tuesday".parse().unwrap());
    Club::found(&host.path("club"), &settings, &master, settings.created).unwrap();
    let source = Maildir::at(host.path("in"));
    source.create().unwrap();
    let mut number = 0;
    let mut send = |from: &str, to: &str, text: &str| {
        number += 1;
        source
            .put(&format!("{number:06}"), &mail(from, to, text, number))
            .unwrap();
        let ran = host.command("run").output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    };
    let newest = |address: &str| {
        let folder = host.path("out").join(address).join("new");
        let files =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut letters: Vec<_> = files
            .map(|file| parts(&fs::read(file.unwrap().path()).unwrap()).unwrap())
            .collect();
        let number = |it: &estafette::mail::Parts| {
            let id = it.message_id.clone().unwrap_or_default();
            let ours = it.subject.contains("tuesday]");
            (
                ours,
                id.split('.').nth(2).and_then(|n| n.parse::<u64>().ok()),
            )
        };
        letters.sort_by_key(number);
        letters.pop().unwrap()
    };
    for from in [ADA, BERT] {
        let address = from.split(['<', '>']).nth(1).unwrap();
        send(from, "game+tuesday@example.org", "JOIN CLUB");
        send(from, &newest(address).reply_to.unwrap(), "YES");
    }
    send(
        ADA,
        &newest("ada@example.net").reply_to.unwrap(),
        "NEW TABLE castiglione SCENARIO lonato\nJOIN 1",
    );
    send(
        BERT,
        &newest("bert@example.net").reply_to.unwrap(),
        "JOIN 1",
    );
    assert!(host.path("campaigns/tuesday-1/journal.jsonl").exists());
    // The next round serves the new campaign: its first letters go out.
    send(BERT, "game+tuesday@example.org", "TABLES");
    let out = host.path("out/ada@example.net/new");
    let subjects: Vec<String> = fs::read_dir(out)
        .unwrap()
        .map(|file| {
            parts(&fs::read(file.unwrap().path()).unwrap())
                .unwrap()
                .subject
        })
        .collect();
    assert!(
        subjects.iter().any(|subject| subject.contains("tuesday-1")),
        "{subjects:?}"
    );
    assert!(
        host.path("state/aside/new")
            .read_dir()
            .unwrap()
            .next()
            .is_none()
    );
}
