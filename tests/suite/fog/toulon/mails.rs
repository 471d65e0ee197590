//! How many letters a turn costs: a receipt for each mail, and no more than two others to a seat,
//! however many play.

use estafette::campaign::model::recipient::Recipient;

use super::{played, seated};

#[test]
fn no_seat_gets_more_than_two_letters_beside_its_receipts() {
    for roster in ["2", "7"] {
        let table = seated(roster, |_| {}, |_| {});
        // The first turn has the set-up before it.
        let turns = played(&table, 3, 4).split_off(1);
        assert!(turns.len() > 2, "{}", turns.len());
        for turn in turns {
            for seat in table.seats() {
                let mails = turn.words.iter().filter(|(from, _)| *from == seat).count();
                let to = Recipient::Seat(seat.clone());
                let letters = turn.letters.iter().filter(|letter| letter.to == to);
                let letters = letters.count();
                assert!(letters > mails, "{}: {seat}: {letters}", turn.name);
                assert!(
                    letters <= mails + 2,
                    "{}: {seat}: {letters} for {mails} mails",
                    turn.name
                );
            }
        }
    }
}
