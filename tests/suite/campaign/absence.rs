//! Players who are away, and seats whose players have gone.

use std::fs;

use estafette::{
    campaign::{
        durable::from_club,
        model::{
            absence::{Absence, AbsenceAct, ClubWord},
            seats::Seat,
        },
    },
    game::{EmbeddedFiles, Lang},
    store::Directory,
};

use jiff::SignedDuration;

use crate::support::{Test, is_sound};

/// Orders close after two days at the latest: the first on 23 November, 12:00.
fn begin(more: &'static str) -> Test {
    Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, most_hours: 48, missed: standing orders}")
        .settings_line(more)
        .begin()
}

fn deadline(test: &Test) -> String {
    test.state().deadline().unwrap().to_string()
}

fn envelope(test: &Test) -> u32 {
    test.state().dice.envelope
}

#[test]
fn an_absence_moves_the_deadline_and_tells_others_a_time() {
    let mut test = begin("absence: {days: 10}\n");
    let theirs = test.letters("french").len();
    test.mail(
        "austrian",
        "ABSENT until 28 Nov my aunt in Rome\nPURSUE NEVER",
    )
    .run();
    // Until the end of that day, and a day for his orders.
    assert_eq!(deadline(&test), "2026-11-30T00:00:00Z");
    let letters = test.letters("french");
    assert_eq!(letters.len(), theirs + 1);
    let told = &letters[theirs];
    told.contains("pas attendus avant")
        .contains("30 novembre 2026");
    assert!(told.subject.contains("Pas avant"), "{}", told.subject);
    for secret in ["austrian", "Autrich", "Bert", "Rome", "absen", "aunt"] {
        assert!(!told.text.contains(secret), "{secret}: {}", told.text);
        assert!(!told.header.contains(secret), "{secret}: {}", told.header);
    }
    let letters = test.letters("austrian");
    let answer = letters
        .iter()
        .rev()
        .find(|it| it.one_line().contains("You are away"));
    answer
        .unwrap()
        .contains("until Sunday 29 November 2026, 00:00")
        .contains("by 3 more days at most");
    test.newest("umpire").contains("| my aunt in Rome");
    // What stood beside it counts, and nothing happens before the new deadline.
    assert!(
        test.state().seats["austrian"]
            .words
            .contains("PURSUE NEVER")
    );
    test.clock("2026-11-28T12:00:00Z").run();
    assert_eq!(envelope(&test), 0);
    // Back: the deadline stays where the others were told it is.
    test.mail("austrian", "BACK").run();
    test.newest("austrian").contains("You are expected again");
    assert_eq!(deadline(&test), "2026-11-30T00:00:00Z");
    test.mail("austrian", "RETOUR").run();
    test.newest("austrian").contains("You have not left");
    test.clock("2026-11-30T00:00:00Z").run();
    assert_eq!(envelope(&test), 1);
    is_sound(&test);
}

#[test]
fn a_later_wait_has_a_deadline_for_who_will_be_away() {
    let mut test = begin("absence: {days: 10}\n");
    let theirs = test.letters("french").len();
    test.mail("austrian", "ABSENT 24 Nov to 27 Nov").run();
    assert_eq!(
        deadline(&test),
        "2026-11-23T12:00:00Z",
        "he is there at the first"
    );
    assert_eq!(test.letters("french").len(), theirs);
    test.clock("2026-11-23T12:00:00Z").run();
    assert_eq!(
        (envelope(&test), deadline(&test).as_str()),
        (1, "2026-11-29T00:00:00Z")
    );
    test.dispatch("french").contains("29 novembre 2026");
    // Whoever has sent his orders is not waited for.
    test.clock("2026-11-29T00:00:00Z").run();
    assert_eq!(deadline(&test), "2026-12-01T00:00:00Z");
    is_sound(&test);
}

#[test]
fn absences_move_deadlines_within_the_campaigns_limit() {
    let mut test = begin("absence: {days: 2}\n");
    test.mail("austrian", "ABSENT until 10 Dec").run();
    assert_eq!(deadline(&test), "2026-11-25T12:00:00Z", "two days");
    test.mail("austrian", "ABSENT until 12 Dec").run();
    test.newest("austrian")
        .contains("all of the 2 days that this campaign allows");
    // The opponent is not kept waiting any longer.
    test.clock("2026-11-25T12:00:00Z").run();
    assert_eq!(envelope(&test), 1);
    assert_eq!(deadline(&test), "2026-11-27T12:00:00Z");
    // Each seat has a limit of its own.
    let mut both = begin("absence: {days: 2}\n");
    both.mail("austrian", "ABSENT until 10 Dec").run();
    both.mail("french", "ABSENT JUSQU'AU 24 NOV").run();
    assert_eq!(deadline(&both), "2026-11-26T00:00:00Z");
    let mut fixed = begin("");
    fixed.mail("austrian", "ABSENT until 10 Dec").run();
    fixed
        .newest("austrian")
        .contains("deadlines do not move for absences");
    assert_eq!(deadline(&fixed), "2026-11-23T12:00:00Z");
    for (words, told) in [
        ("ABSENT 31 Nov to 10 Dec", "there is no such day"),
        ("ABSENT 3 Dec to 2 Dec 2026", "the last day lies before"),
        ("ABSENT 2026-01-01..2026-01-08", "these days have passed"),
        ("ABSENT until 20 May", "three months at most"),
        ("ABSENT 12", "Write it as ABSENT 1 Dec"),
    ] {
        fixed.mail("austrian", words).run();
        fixed.newest("austrian").contains(told);
    }
    let before = fixed.letters("austrian").len();
    fixed
        .mail("austrian", "Absent friends are the best.\nPURSUE NEVER")
        .run();
    assert_eq!(
        fixed.letters("austrian").len(),
        before + 1,
        "the receipt alone"
    );
    is_sound(&test);
    is_sound(&fixed);
}

#[test]
fn nobody_waits_for_somebody_whose_standing_orders_act() {
    let mut test = begin("");
    test.mail(
        "austrian",
        "PURSUE NEVER\nABSENT until 28 Nov STANDING ORDERS hiking",
    )
    .run();
    test.newest("umpire").contains("| hiking").lacks("STANDING");
    assert_eq!(deadline(&test), "2026-11-23T12:00:00Z");
    test.mail("french", "RIEN").run();
    assert_eq!(envelope(&test), 1, "orders close with those of the other");
    // From the moment on from which he is away, by the clock alone.
    let mut later = begin("");
    later
        .mail("austrian", "ABSENT 22 Nov to 28 Nov STANDING ORDERS")
        .run();
    later.mail("french", "RIEN").run();
    assert_eq!(envelope(&later), 0);
    let due = {
        let (context, state) = later.context();
        estafette::campaign::due_at(&context, &state)
    };
    assert_eq!(due.unwrap().to_string(), "2026-11-22T00:00:00Z");
    later.clock("2026-11-22T00:00:00Z").run();
    assert_eq!(envelope(&later), 1);
    is_sound(&test);
    is_sound(&later);
}

#[test]
fn a_bot_writes_for_somebody_who_is_away() {
    let mut test = begin("");
    let bots = test.open().known_bots(&EmbeddedFiles).unwrap();
    assert!(bots.contains(&"sensible".to_owned()), "{bots:?}");
    let written = |test: &Test| {
        let records = test.records("bot").into_iter();
        records.filter(|it| it["seat"] == "french").count()
    };
    test.mail("french", "ABSENT 22 NOV AU 23 NOV AUTOMATE")
        .run();
    assert_eq!((written(&test), envelope(&test)), (0, 0));
    let theirs = test.letters("french").len();
    test.clock("2026-11-22T08:00:00Z").run();
    assert!(written(&test) > 0 && envelope(&test) == 0);
    // He gets its receipts, and the other one is waited for as ever.
    assert!(test.letters("french").len() > theirs);
    test.mail("austrian", "NOTHING").run();
    assert!(envelope(&test) > 0);
    // Two bots that stand in do not play on among themselves.
    test.mail("austrian", "ABSENT until 23 Nov BOT").run();
    let (before, envelopes) = (written(&test), envelope(&test));
    test.clock("2026-11-22T08:30:00Z").run();
    assert_eq!((written(&test), envelope(&test)), (before, envelopes));
    test.mail("austrian", "BACK").run();
    // Back, he plays himself.
    let before = written(&test);
    test.mail("french", "RETOUR").run();
    let envelopes = envelope(&test);
    test.clock("2026-11-22T09:00:00Z").run();
    assert_eq!((written(&test), envelope(&test)), (before, envelopes));
    is_sound(&test);
}

fn taker(seat: &str) -> ClubWord {
    ClubWord::TakeOver {
        player: Seat {
            id: seat.into(),
            address: "carol@example.net".parse().unwrap(),
            lang: Lang::En,
            name: "Carol".to_owned(),
            zone: None,
            screen: Default::default(),
        },
    }
}

fn hears(test: &mut Test, name: &str, word: &ClubWord) {
    from_club::tell(&Directory::open(&test.root()).unwrap(), name, word).unwrap();
    test.run();
}

const OF_CLUB: &str = "absence: {days: 5, offered_after: 2}\nclub: game+tuesday@example.org\n";

#[test]
fn missed_deadlines_count_and_a_seat_is_taken_over() {
    let mut test = begin(OF_CLUB);
    let offers = |test: &Test| {
        let directory = Directory::open(&test.root()).unwrap();
        let seats = from_club::offered(&directory).unwrap().0.into_iter();
        seats.map(|seat| seat.to_string()).collect::<Vec<_>>()
    };
    let missed = |test: &Test, seat: &str| test.state().seats[seat].attendance.missed;
    // Nobody takes over a seat that has a player.
    hears(&mut test, "1", &taker("austrian"));
    assert!(
        test.letters("austrian")
            .iter()
            .all(|it| !it.to.contains("carol"))
    );
    test.mail("french", "RIEN").run();
    test.clock("2026-11-23T12:00:00Z").run();
    assert_eq!((missed(&test, "austrian"), missed(&test, "french")), (1, 0));
    // Whoever writes anything is there.
    test.mail("austrian", "STATUS").run();
    assert_eq!(missed(&test, "austrian"), 0);
    // The French write whenever they are asked; the others never do.
    for _ in 0..12 {
        if missed(&test, "austrian") == 2 {
            break;
        }
        assert_eq!(offers(&test), [""; 0]);
        test.mail("french", "RIEN").run();
        let later = test.now() + SignedDuration::from_hours(48);
        test.clock(&later.to_string()).run();
    }
    assert_eq!(missed(&test, "austrian"), 2);
    let told = |test: &Test| {
        let letters = test.letters("umpire").into_iter();
        letters
            .filter(|it| it.one_line().contains("has missed so many deadlines"))
            .count()
    };
    assert_eq!(
        (offers(&test), told(&test)),
        (vec!["austrian".to_owned()], 1)
    );
    let before = test.letters("austrian").len();
    hears(&mut test, "2", &taker("austrian"));
    let letters = test.letters("austrian").split_off(before);
    let hers: Vec<_> = letters
        .iter()
        .filter(|it| it.to.contains("carol"))
        .collect();
    assert!(
        hers.len() > 1,
        "the opening and what the seat knows: {}",
        hers.len()
    );
    assert!(
        letters
            .iter()
            .any(|it| it.to.contains("bert") && it.one_line().contains("takes over"))
    );
    assert_eq!((offers(&test), missed(&test, "austrian")), (vec![], 0));
    // The same word once more, and another one, do nothing any more.
    hears(&mut test, "2", &taker("austrian"));
    hears(&mut test, "3", &taker("austrian"));
    assert_eq!(test.letters("austrian").len(), before + letters.len());
    test.mail("austrian", "RESIGN").run();
    assert_eq!(offers(&test), ["austrian"]);
    test.mail("austrian", "BACK").run();
    assert_eq!(offers(&test), [""; 0]);
    is_sound(&test);
}

#[test]
fn the_club_tells_of_absences_and_its_word_is_taken_once() {
    let mut test = begin(OF_CLUB);
    test.mail("austrian", "ABSENT until 25 Nov").run();
    test.newest("austrian")
        .contains("tell the club")
        .contains("game+tuesday@example.org");
    assert_eq!(deadline(&test), "2026-11-23T12:00:00Z");
    let absence = |until: &str| ClubWord::Absent {
        addresses: vec![
            "other@example.org".parse().unwrap(),
            "BERT@example.org".parse().unwrap(),
        ],
        absence: Absence {
            from: test.now(),
            until: until.parse().unwrap(),
            acts: AbsenceAct::Waits,
        },
    };
    let word = absence("2026-11-25T23:00:00Z");
    let stranger = ClubWord::Absent {
        addresses: vec!["eve@example.org".parse().unwrap()],
        absence: match &word {
            ClubWord::Absent { absence, .. } => absence.clone(),
            _ => unreachable!(),
        },
    };
    hears(&mut test, "0", &stranger);
    assert_eq!(
        deadline(&test),
        "2026-11-23T12:00:00Z",
        "nobody here has that address"
    );
    hears(&mut test, "1", &word);
    assert_eq!(deadline(&test), "2026-11-26T23:00:00Z");
    // As after a kill before the word was laid aside.
    let (done, new) = (
        test.root().join("from-club/done/1"),
        test.root().join("from-club/new/1"),
    );
    fs::rename(done, &new).unwrap();
    let records = test.records("club").len();
    test.run();
    assert_eq!(test.records("club").len(), records);
    assert!(!new.exists());
    // What is no word does no harm.
    fs::write(test.root().join("from-club/new/2"), b"{\"word\":\"dance\"}").unwrap();
    let lines = test.run();
    assert!(
        lines.iter().any(|line| line.contains("no word of it")),
        "{lines:?}"
    );
    let back = ClubWord::Back {
        addresses: vec!["bert@example.org".parse().unwrap()],
    };
    hears(&mut test, "3", &back);
    assert!(test.state().seats["austrian"].attendance.absence.is_none());
    is_sound(&test);
}
