//! Letters between seats, by real mails: to whom they go, whom they leave as they were, and how
//! many there may be.

use std::collections::BTreeMap;

use jiff::SignedDuration;

use crate::{
    fog::table::masked,
    support::{Test, is_sound, pass},
};

/// Two parties of two.
const SEATS: [&str; 4] = ["english", "spanish", "west", "east"];

fn begin(more: &'static str) -> Test {
    Test::campaign("toulon")
        .scenario("siege")
        .seats(&SEATS)
        .deadlines("{zone: UTC, most_hours: 48}")
        .settings_line(more)
        .begin()
}

const AT_ONCE: &str = "seating: {roster: '4'}\npress: {goes: at_once, grey: true}\n";
const DELAYED: &str = "seating: {roster: '4'}\npress: {goes: with_dispatches}\n";

fn counts(test: &Test) -> BTreeMap<&'static str, usize> {
    SEATS.map(|seat| (seat, test.letters(seat).len())).into()
}

#[test]
fn press_goes_to_several_to_a_party_to_all_and_to_no_other() {
    let mut test = begin(AT_ONCE);
    for (n, (line, readers)) in [
        ("PRESS TO spanish, west", &["spanish", "west"][..]),
        ("PRESS TO PARTY", &["spanish"]),
        ("PRESS TO spanish and west wing", &["spanish", "west"]),
        ("PRESS TO all", &["spanish", "west", "east"]),
        ("PRESSE \u{c0} tous", &["spanish", "west", "east"]),
        ("GREY PRESS TO my party, east", &["spanish", "east"]),
        // Named twice, it is had once.
        ("PRESS TO PARTY, spanish, ALL", &["spanish", "west", "east"]),
    ]
    .into_iter()
    .enumerate()
    {
        let before = counts(&test);
        let end = if line.starts_with("PRESSE") {
            "FIN"
        } else {
            "END"
        };
        test.mail("english", &format!("{line}\nWords {n}.\n{end}"))
            .run();
        test.newest("english").contains("Your letter has gone out");
        let after = counts(&test);
        for seat in SEATS {
            let reads = readers.contains(&seat) || seat == "english";
            assert_eq!(
                after[seat],
                before[seat] + usize::from(reads),
                "{line}: {seat}"
            );
        }
        for seat in readers {
            let letter = test.newest(seat);
            letter.contains(&format!("| Words {n}."));
            let others: Vec<_> = readers.iter().filter(|other| *other != seat).collect();
            for other in &others {
                letter.contains(&format!("({other})"));
            }
            assert_eq!(
                letter.text.contains("also to"),
                !others.is_empty(),
                "{line}"
            );
            let is_grey = line.starts_with("GREY");
            assert_eq!(letter.text.contains("english"), !is_grey, "{line}");
            assert_eq!(letter.subject.contains("English"), !is_grey, "{line}");
            assert!(!is_grey || !letter.header.to_lowercase().contains("english"));
        }
    }
    is_sound(&test);
}

/// One campaign twice, byte for byte the same, but in one of them two seats write to each other.
#[test]
fn press_changes_no_letter_and_no_envelope_of_a_third_seat() {
    let play = |words: [&str; 3]| {
        let mut test = begin(AT_ONCE);
        for words in words {
            test.mail("english", words).run();
        }
        for seat in SEATS {
            test.mail(seat, "NOTHING").run();
        }
        pass(&mut test, "2026-11-23T12:00:00Z");
        pass(&mut test, "2026-11-25T12:00:00Z");
        test
    };
    let silent = play(["STATUS", "WHO", "HISTORY"]);
    let wrote = play([
        "PRESS TO spanish, west\nYield.\nEND",
        "PRESS TO PARTY\nThey won't.\nEND",
        "GREY PRESS TO west\nThey will.\nEND",
    ]);
    let read = |test: &Test, seat: &str| -> Vec<String> {
        let letters = test.letters(seat).into_iter();
        let all = letters.map(|letter| {
            let attached: Vec<String> = (letter.attached.iter())
                .map(|(name, bytes)| format!("{name}\n{}", String::from_utf8_lossy(bytes)))
                .collect();
            let page = letter.html.unwrap_or_default();
            let parts = [letter.header, letter.text, page, attached.join("\n")];
            parts.map(|part| masked(&part)).join("\n")
        });
        all.collect()
    };
    assert!(read(&silent, "east").len() > 3);
    assert_eq!(read(&silent, "east"), read(&wrote, "east"));
    assert_ne!(read(&silent, "west"), read(&wrote, "west"));
    let (one, other) = (silent.state(), wrote.state());
    assert!(one.dice.envelope > 0);
    assert_eq!(one.dice.envelope, other.dice.envelope);
    assert_eq!(one.dice.orders, other.dice.orders);
    assert_eq!(one.world, other.world);
    for seat in ["spanish", "west", "east"] {
        let entry = |state: &estafette::campaign::model::state::State| {
            let entry = &state.seats[seat];
            (entry.token, entry.receipts, entry.words.clone())
        };
        assert_eq!(entry(&one), entry(&other), "{seat}");
    }
    is_sound(&wrote);
}

/// Twelve letters in a mail, as many as it may ask for.
fn twelve(to: &str) -> String {
    format!("PRESS TO {to}\nA word.\nEND\n").repeat(12)
}

#[test]
fn words_to_the_umpire_are_bounded_for_each_seat_alone() {
    let mut test = begin(AT_ONCE);
    let before = test.letters("umpire").len();
    for _ in 0..5 {
        test.mail("english", &twelve("umpire")).run();
        test.newest("english").lacks("too often");
    }
    assert_eq!(test.letters("umpire").len(), before + 60);
    for words in [
        "PRESS TO umpire\nOnce more.\nEND",
        "UMPIRE\nOnce more.",
        "RESIGN",
    ] {
        test.mail("english", words).run();
        test.newest("english").contains("asked for too often");
    }
    assert_eq!(test.letters("umpire").len(), before + 60);
    assert!(test.state().seats["english"].resigned.is_none());
    // What others write is counted for them, and tells nobody how much that is.
    test.mail("west", "UMPIRE\nMay I?").run();
    test.newest("west").contains("have gone to the umpire");
    assert_eq!(test.letters("umpire").len(), before + 61);
    // Within the next hour there is room again.
    let later = test.now() + SignedDuration::from_mins(61);
    test.clock(&later.to_string());
    test.mail("english", "UMPIRE\nOnce more.").run();
    test.newest("english").contains("have gone to the umpire");
    is_sound(&test);
}

#[test]
fn letters_that_wait_for_the_dispatches_are_bounded() {
    let mut test = begin(DELAYED);
    for _ in 0..5 {
        test.mail("english", &twelve("west")).run();
        test.newest("english").lacks("too often");
    }
    assert_eq!(test.state().press.len(), 60);
    // The hour is over, but they wait still.
    let later = test.now() + SignedDuration::from_hours(2);
    test.clock(&later.to_string());
    test.mail("english", "PRESS TO east\nOne more.\nEND").run();
    test.newest("english").contains("asked for too often");
    test.mail("spanish", "PRESS TO west\nMine.\nEND").run();
    test.newest("spanish").contains("goes out with the next");
    assert_eq!(test.state().press.len(), 61);
    let before = test.letters("west").len();
    for seat in SEATS {
        test.mail(seat, "NOTHING").run();
    }
    assert!(test.state().press.is_empty());
    let letters = test.letters("west").split_off(before);
    let of = |words: &str| letters.iter().filter(|it| it.text.contains(words)).count();
    assert_eq!((of("| A word."), of("| Mine.")), (60, 1));
    test.mail("english", "PRESS TO east\nOne more.\nEND").run();
    test.newest("english").contains("goes out with the next");
    is_sound(&test);
}
