//! What a seat asks of the host, and what it writes to others, changes no byte of what third seats
//! are sent.

use estafette::{
    campaign::model::{
        errands::{Errand, ErrandLine, LetterChoice, PressRules, PressTime},
        events::{ErrandMail, Event},
        recipient::Recipient,
        settings::Settings,
        state::{CurrentWait, State},
    },
    digest::Digest,
    game::Lang,
    ids::SeatId,
};

use jiff::SignedDuration;

use super::{Leak, Table, seated, silent_witness};
use crate::fog::table::{Sent, differences, letters_of};

fn asks(seat: &SeatId, errand: Errand) -> Event {
    let line = "a line".to_owned();
    Event::Errands(Box::new(ErrandMail {
        seat: seat.clone(),
        errands: vec![ErrandLine { line, errand }],
        proven: true,
        message_id: None,
        digest: Digest::of(b"a mail"),
        copy: None,
        file: "a file".to_owned(),
        gone: Vec::new(),
        beside: None,
    }))
}

fn press(to: &[&SeatId], grey: bool, words: &str) -> Errand {
    Errand::Press {
        to: to
            .iter()
            .map(|seat| Recipient::Seat((*seat).clone()))
            .collect(),
        grey,
        words: words.to_owned(),
    }
}

/// What a reader is sent after a seat has asked for something and then everybody passes: receipts,
/// dispatches, whatever comes.
fn sent_after(table: &Table, state: &State, event: Event, reader: &SeatId) -> Vec<Sent> {
    sent_by(table, state, event, reader, |_| ())
}

/// The same by a host that does one thing more once the seat has asked.
fn sent_by(
    table: &Table,
    state: &State,
    event: Event,
    reader: &SeatId,
    plant: fn(&mut State),
) -> Vec<Sent> {
    let (mut state, effects) = table.apply(state.clone(), event);
    plant(&mut state);
    let mut letters = effects.mailing.letters;
    for seat in table.seats() {
        let mail = table.mail(&state, &seat, "NOTHING\n");
        let (next, effects) = table.apply(state, mail);
        state = next;
        letters.extend(effects.mailing.letters);
    }
    letters_of("after", &letters, reader, Leak::NONE)
}

#[test]
fn third_seats_are_told_nothing_of_press() {
    for goes in [PressTime::AtOnce, PressTime::WithDispatches] {
        let mut table = seated("4", silent_witness, |_| {});
        let open = |settings: &mut Settings| settings.press = PressRules { goes, grey: true };
        table.adapt(open);
        let state = table.begin();
        let seats = table.seats();
        let [author, reader, third, fourth] = seats.as_slice() else {
            panic!("{seats:?}");
        };
        let nothing = sent_after(&table, &state, asks(author, Errand::Status), third);
        assert!(!nothing.is_empty());
        let short = || press(&[reader], false, "Yield.");
        for errand in [
            short(),
            press(&[reader], true, &"Many words. ".repeat(300)),
            press(&[reader, fourth], false, "Yield, both."),
            press(&[fourth, reader], true, "Yield, both."),
            Errand::Resend {
                letters: LetterChoice::Newest,
            },
            Errand::Language { lang: Lang::Fr },
            Errand::Resign,
            Errand::Umpire {
                words: "A word.".into(),
            },
        ] {
            let told = sent_after(&table, &state, asks(author, errand.clone()), third);
            assert_eq!(
                differences(&nothing, &told),
                <[String; 0]>::default(),
                "{errand:?}"
            );
        }
        // Its reader is told, and from grey press not by whom, whoever he is.
        let told = sent_after(&table, &state, asks(author, short()), reader);
        assert!(told.iter().any(|(_, text)| text.contains("| Yield.")));
        let grey = |from: &SeatId| {
            let event = asks(from, press(&[reader], true, "Yield."));
            let (_, effects) = table.apply(state.clone(), event);
            letters_of("press", &effects.mailing.letters, reader, Leak::NONE)
        };
        assert_eq!(
            differences(&grey(author), &grey(third)),
            <[String; 0]>::default()
        );
    }
}

/// What a planted leak changes.
type Plant = fn(&mut State);

/// The test above sees a host that counts press where it must not.
#[test]
fn a_host_that_counts_press_for_third_seats_is_seen() {
    let mut table = seated("4", silent_witness, |_| {});
    let open = |settings: &mut Settings| {
        settings.press = PressRules {
            goes: PressTime::AtOnce,
            grey: true,
        };
    };
    table.adapt(open);
    let state = table.begin();
    let seats = table.seats();
    let [author, reader, third, fourth] = seats.as_slice() else {
        panic!("{seats:?}");
    };
    let asked = || asks(author, press(&[reader, fourth], false, "Yield."));
    let told = sent_after(&table, &state, asked(), third);
    // Whatever all seats but the author have in the state changes by what is sent to some.
    let plants: [(&str, Plant); 4] = [
        ("letters are counted for all", |state| {
            state.mails.values_mut().for_each(|count| *count += 1);
        }),
        ("tokens move on with press", |state| {
            state.seats.values_mut().for_each(|seat| seat.token += 1);
        }),
        ("receipts are counted for all", |state| {
            state.seats.values_mut().for_each(|seat| seat.receipts += 1);
        }),
        ("press moves the deadline", |state| {
            if let CurrentWait::Orders {
                deadline: Some(deadline),
                ..
            } = &mut state.waiting
            {
                *deadline += SignedDuration::from_hours(1);
            }
        }),
    ];
    for (what, plant) in plants {
        let leaked = sent_by(&table, &state, asked(), third, plant);
        assert!(!differences(&told, &leaked).is_empty(), "{what}");
    }
}
