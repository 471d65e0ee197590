//! Orders that a seat can't give: for nations that it does not play, for points that it does not
//! have, loans to nobody, control characters. Its receipt says so; what else it wrote counts; and
//! nobody else's letters differ by it.

use estafette::{
    campaign::{model::state::State, post::Letter},
    ids::SeatId,
};

use super::{COALITION, ROSTERS, played, sides, table};
use crate::fog::table::{Leak, Table, differences, letters_of};

/// A line that counts, whatever else stands in the mail.
const GOOD: &str = "SUPPLY NO\n";

/// Lines that a seat can't write, and what its receipt shows of each.
fn bad_lines(table: &Table, state: &State, writer: &SeatId) -> Vec<(String, &'static str)> {
    let own = sides(table, writer);
    let is_allied = |side: &str| COALITION.contains(&side);
    let own_party = own.iter().any(|side| is_allied(side));
    let unit = |is_wanted: &dyn Fn(&str) -> bool| {
        let mut pieces = state.world.pieces.values();
        let found = pieces.find(|piece| {
            let at = piece.at.as_ref();
            let space = at.and_then(|at| table.context.game().map.space(at));
            space.is_some() && is_wanted(&piece.side)
        });
        found.map(|piece| piece.id.to_string())
    };
    let own_unit = unit(&|side| own.contains(side)).unwrap();
    let enemy = unit(&|side| is_allied(side) != own_party).unwrap();
    let ally = unit(&|side| is_allied(side) == own_party && !own.contains(side));
    let foreign = if own_party { "WEST" } else { "ENGLISH" };
    let mut lines = vec![
        (format!("MOVE {enemy} TO Toulon"), "MOVE"),
        ("MOVE Nobody TO Toulon".to_owned(), "Nobody"),
        (format!("LEND {own_unit} TO NOBODY"), "NOBODY"),
        (format!("LEND 3 {foreign} TO {foreign}"), foreign),
        (format!("LEND {own_unit} TO {foreign}"), foreign),
        ("MOVE \u{1b}[2J\u{202e}Ott TO Toulon\u{7}".to_owned(), "[2J"),
    ];
    if let Some(ally) = ally {
        lines.push((format!("MOVE {ally} TO Toulon"), "MOVE"));
    }
    lines
}

/// Plays on from a wait: the writer's two mails, then nobody else wants anything. The state at the
/// end of the turn, the letters that went out with the first mail, and those after.
fn played_on(
    table: &Table,
    state: &State,
    writer: &SeatId,
    mails: [&str; 2],
) -> (State, Vec<Letter>, Vec<Letter>) {
    let [(state, at_once), (next, then)] = {
        let first = table.apply(state.clone(), table.mail(state, writer, mails[0]));
        let event = table.mail(&first.0, writer, mails[1]);
        let second = table.apply(first.0.clone(), event);
        [first, second].map(|(state, effects)| (state, effects.mailing.letters))
    };
    assert!(state != next, "the second mail counts");
    let mut pass = |_: &State, _: &SeatId| "NOTHING\n".to_owned();
    let turn = table.play_turn(next, &mut pass);
    let letters = then.into_iter().chain(turn.letters).collect();
    (turn.end.unwrap(), at_once, letters)
}

#[test]
fn what_a_seat_may_not_order_is_said_to_it_and_to_nobody_else() {
    let mut tried = 0;
    for roster in ROSTERS {
        let table = table(roster, |_| {});
        for turn in played(&table, 1, 3).split_off(1) {
            let (state, writer) = (&turn.waits[0], &turn.words[0].0);
            let others = table.others(writer);
            // A mail with a wrong line is no end of the wait: a second one sets it right.
            let wrong = format!("{GOOD}HOW DO YOU DO\n");
            let (fair, _, told) = played_on(&table, state, writer, [&wrong, GOOD]);
            for (bad, shown) in bad_lines(&table, state, writer) {
                let words = format!("{GOOD}{bad}\n");
                let (end, at_once, letters) = played_on(&table, state, writer, [&words, GOOD]);
                let to =
                    |all: &[Letter], seat: &SeatId| letters_of("the letter", all, seat, Leak::NONE);
                let mut texts = to(&at_once, writer).into_iter();
                let receipt = texts.find(|(part, _)| part.ends_with("text"));
                let (_, receipt) = receipt.unwrap();
                assert!(receipt.contains(shown), "{bad:?}: {receipt}");
                assert!(receipt.contains("SUPPLY NO"), "{bad:?}: {receipt}");
                let obeyed = |letter: char| letter != '\n' && estafette::visible::is_unseen(letter);
                let plain = receipt.replace('\r', "");
                let unseen = plain.chars().find(|letter| obeyed(*letter));
                let unseen = unseen.filter(|letter| *letter != '\u{a0}');
                assert_eq!(unseen, None, "{bad:?}: {receipt:?}");
                for reader in &others {
                    assert!(to(&at_once, reader).is_empty(), "{bad:?}: {reader}");
                    let found = differences(&to(&told, reader), &to(&letters, reader));
                    assert!(
                        found.is_empty(),
                        "{bad:?}, to {reader}: {}",
                        found.join("\n")
                    );
                }
                assert_eq!(end.world, fair.world, "{bad:?}: nothing is lost");
                tried += 1;
            }
        }
    }
    assert!(tried > 60, "{tried}");
}
