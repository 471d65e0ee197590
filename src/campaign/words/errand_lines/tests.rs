use proptest::prelude::*;

use super::*;
use crate::game::Lang;

fn read(text: &str) -> ErrandReading {
    let resolve = |name: &str| match name {
        "red" => Some(vec![]),
        "blue" => Some(vec![Recipient::Seat("blue".into())]),
        "the black army" => Some(vec![Recipient::Seat("black".into())]),
        "umpire" => Some(vec![Recipient::Umpire]),
        _ => None,
    };
    read_errands(text, resolve, |line| line.starts_with("MAP OUT"))
}

fn only(text: &str) -> Errand {
    let mut read = read(text);
    assert_eq!((read.errands.len(), read.rest.as_str()), (1, ""), "{text}");
    read.errands.remove(0).errand
}

#[test]
fn errands_are_read_in_both_languages_and_forgiven_slips() {
    let turn = |turn| Errand::Resend {
        letters: LetterChoice::Turn(turn),
    };
    for (line, errand) in [
        ("STATUS", Errand::Status),
        ("  status. ", Errand::Status),
        ("- Etat", Errand::Status),
        ("État", Errand::Status),
        ("STATSU", Errand::Status),
        ("Deadline?", Errand::Deadline),
        ("\u{c9}CH\u{c9}ANCE", Errand::Deadline),
        ("WHO", Errand::Who),
        ("Resend 3", turn(3)),
        ("RESNED turn 3", turn(3)),
        ("Renvoyer tour 12", turn(12)),
        (
            "HELP resend",
            Errand::Help {
                topic: Some("resend".into()),
            },
        ),
        (
            "HELP press",
            Errand::Help {
                topic: Some("press".into()),
            },
        ),
        (
            "history 2..4",
            Errand::History {
                from: Some(2),
                to: Some(4),
            },
        ),
        (
            "History 2-4",
            Errand::History {
                from: Some(2),
                to: Some(4),
            },
        ),
        (
            "MAP 3929-4636",
            Errand::Map {
                turn: None,
                part: Some(["3929".to_owned(), "4636".to_owned()]),
            },
        ),
        ("READY", Errand::Ready { on: true }),
        ("Ready!", Errand::Ready { on: true }),
        ("Prête.", Errand::Ready { on: true }),
        ("not ready", Errand::Ready { on: false }),
        ("- PAS PRÊT", Errand::Ready { on: false }),
        (
            "HELP not ready",
            Errand::Help {
                topic: Some("not_ready".into()),
            },
        ),
        ("langue anglais", Errand::Language { lang: Lang::En }),
        ("TABLES", Errand::Club),
        ("Jeux", Errand::Club),
        ("JOIN 3", Errand::Club),
        ("Join table t3 as blue, black", Errand::Club),
        ("NEW TABLE some-game PRESS", Errand::Club),
        ("Quitter le club", Errand::Club),
        (
            "RESEND LETTER 7",
            Errand::Resend {
                letters: LetterChoice::Number(7),
            },
        ),
        ("RESEND yesterday", fault("resend", ErrandFault::Form)),
        ("LANGUAGE Latin", fault("language", ErrandFault::Form)),
    ] {
        assert_eq!(only(line), errand, "{line}");
    }
}

#[test]
fn prose_headings_and_orders_are_no_errands() {
    for line in [
        "Who is playing tonight?",
        "Help me please, I am lost",
        "Map: see below",
        "Status: all well",
        "MAP OUT",
        "Rules are rules",
        "Umpires",
        "Back to business",
        "Ready?",
        "Ready when you are",
        "Ready: see below",
        "I am not ready yet",
        "MOVE Massena: Verona",
        "hello",
    ] {
        assert_eq!(read(line).errands, [], "{line}");
        assert_eq!(read(line).rest.trim_end(), line);
    }
    // Above orders it is their heading.
    let found = read("Orders\nMOVE Massena: Verona\nSTATUS");
    assert_eq!(found.errands.len(), 1);
    assert_eq!(found.rest, "Orders\nMOVE Massena: Verona\n");
    assert_eq!(only("Orders"), Errand::Orders);
}

#[test]
fn letters_to_others_end_with_a_line() {
    let found =
        read("PRESS TO blue, the Black army and blue\nAttack at dawn.\n\nSTATUS\nEND\nNOTHING");
    assert_eq!(found.rest, "NOTHING\n");
    let to = ["blue", "black"]
        .map(|seat| Recipient::Seat(seat.into()))
        .to_vec();
    let words = "Attack at dawn.\n\nSTATUS".to_owned();
    let errand = Errand::Press {
        to,
        grey: false,
        words,
    };
    assert_eq!(found.errands[0].errand, errand);
    assert!(matches!(
        only("Grey press to blue\nwho?\nend press"),
        Errand::Press { grey: true, .. }
    ));
    let fault_of = |text: &str| match only(text) {
        Errand::Faulty { fault, .. } => fault,
        other => panic!("{text}: {other:?}"),
    };
    let long = format!("PRESS TO blue\n{}\nEND", "x".repeat(LONGEST_WORDS + 1));
    for (text, why) in [
        (
            "PRESS TO blue\nnever ended\nMOVE Massena: Verona",
            ErrandFault::NoEnd,
        ),
        ("PRESS TO blue\n\nEND", ErrandFault::NoWords),
        ("PRESS TO red\nme\nEND", ErrandFault::Oneself),
        ("PRESS TO\nme\nEND", ErrandFault::Nobody),
        ("PRESS TO blue and green\nme\nEND", ErrandFault::Nobody),
        ("UMPIRE", ErrandFault::NoWords),
        (&long, ErrandFault::TooLong),
    ] {
        assert_eq!(fault_of(text), why, "{text}");
    }
    let errand = Errand::Umpire {
        words: "The map is wrong.\nSTATUS".into(),
    };
    assert_eq!(only("UMPIRE:\nThe map is wrong.\nSTATUS"), errand);
}

#[test]
fn a_mail_has_a_bounded_number_of_errands() {
    let found = read(&"STATUS\n".repeat(MOST + 5));
    assert_eq!(found.errands.len(), MOST);
    let last = &found.errands[MOST - 1].errand;
    assert_eq!(*last, fault("errands", ErrandFault::TooMany));
}

proptest! {
    /// Whatever comes: nothing panics, no line gets lost, and no order becomes an errand.
    #[test]
    fn every_line_is_an_errand_or_stays(text in "([A-Za-z\u{e9}0-9 .:,-]{0,20}\n|STATUS\n|PRESS TO blue\n|END\n|RESEND 3\n|MAP OUT\n|UMPIRE\n){0,20}") {
        let found = read(&text);
        for line in found.rest.lines() {
            prop_assert!(text.lines().any(|known| known == line));
        }
        let opens = found.errands.iter().any(|it| {
            matches!(it.errand, Errand::Press { .. } | Errand::Umpire { .. } | Errand::Faulty { .. })
        });
        if !opens {
            let lines = found.rest.lines().count() + found.errands.len();
            prop_assert_eq!(lines, text.lines().count());
            let count = |text: &str| text.lines().filter(|line| *line == "MAP OUT").count();
            prop_assert_eq!(count(&text), count(&found.rest));
        }
        // The rest is read to the same result.
        if !found.rest.is_empty() && !opens {
            prop_assert_eq!(read(&found.rest).errands, vec![]);
        }
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,400}") {
        read(&text);
    }
}
