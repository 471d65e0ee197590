//! Orders that only their writer and those whom they concern may know of: councils, spies, votes
//! and loans. Nobody else's letters change by them, and they would if the rules told too much.

use std::collections::BTreeSet;

use estafette::{
    campaign::{self, model::state::State, post::Letter},
    game::Game,
    ids::SeatId,
};

use super::{
    super::table::{Leak, Table, Tried, Turn, differences, letters_of, rule},
    ROSTERS, played, sides, table,
};

/// Two ways to write one order.
struct Pair {
    what: &'static str,
    /// The side for which it is written.
    writer: &'static str,
    /// The order in the one turn and in the other; `UNIT` is one that stays where it is.
    orders: [&'static str; 2],
    /// Sides whose seats may learn of it, besides the writer's.
    told: &'static [&'static str],
    /// The rules changed so that everybody learns of it.
    plant: fn(&mut Game),
}

const ALLIES: &[&str] = &[
    "english",
    "spanish",
    "neapolitan",
    "sardinian",
    "toulonnais",
];

const PAIRS: &[Pair] = &[
    Pair {
        what: "a council in secret",
        writer: "spanish",
        orders: ["", "COUNCIL SECRET The walls of Malbousquet are thin"],
        told: ALLIES,
        plant: |game| rule(game, "council", "if is_open && !is_private {", "if true {"),
    },
    Pair {
        what: "what a council says",
        writer: "english",
        orders: [
            "COUNCIL SECRET Hold the heights",
            "COUNCIL SECRET Burn the ships",
        ],
        told: ALLIES,
        plant: |game| rule(game, "council", "if is_open && !is_private {", "if true {"),
    },
    Pair {
        what: "where the spy of the Allies goes",
        writer: "english",
        orders: ["SPY La Seyne", "SPY La Valette"],
        told: &["west"],
        plant: spies_are_seen,
    },
    Pair {
        what: "where the spy of the Republic goes",
        writer: "west",
        orders: ["SPY Malbousquet", "SPY La Malgue"],
        told: &["english"],
        plant: spies_are_seen,
    },
    Pair {
        what: "a vote",
        writer: "spanish",
        orders: ["VOTE RADE HOLD", "VOTE RADE LEAVE"],
        told: &["english"],
        plant: |game| {
            rule(
                game,
                "orders",
                r#"tell(decider, "advice_rade""#,
                r#"tell("all", "advice_rade""#,
            )
        },
    },
    Pair {
        what: "what is delayed, and the points that it brings",
        writer: "spanish",
        orders: ["", "NEXT DELAY ALL"],
        told: ALLIES,
        plant: |game| {
            rule(
                game,
                "reinforcements",
                r#"    "initiative""#,
                r#"    show_points(); "initiative""#,
            )
        },
    },
    Pair {
        what: "a unit that is lent",
        writer: "spanish",
        orders: ["", "LEND UNIT TO NEAPOLITAN"],
        told: &["neapolitan"],
        plant: |game| {
            rule(
                game,
                "orders",
                r#"tell(seat_of(loan.to), "lent""#,
                r#"tell("all", "lent""#,
            )
        },
    },
    Pair {
        what: "a point that is lent and comes back",
        writer: "english",
        orders: ["", "LEND 1 ENGLISH TO SPANISH"],
        told: &["spanish"],
        plant: |game| {
            rule(
                game,
                "orders",
                "    if sum == 0 {",
                r#"    tell("all", "penalty", #{party: party_of(order.of), die: sum}); if sum == 0 {"#,
            )
        },
    },
];

fn spies_are_seen(game: &mut Game) {
    let seen = r#"tell("all", "inspected", #{at: space(areas[0]), pieces: []}); let die = shut("#;
    rule(game, "espionage", "let die = shut(", seen);
}

/// The seat that plays a side.
pub(super) fn seat_of(table: &Table, side: &str) -> SeatId {
    let mut seats = table.seats().into_iter();
    seats
        .find(|seat| sides(table, seat).contains(side))
        .unwrap()
}

/// The turn with a line more in the orders of some seats.
pub(super) fn with_lines(table: &Table, turn: &Turn, lines: &[(SeatId, String)]) -> Turn {
    let mut said = turn.words.iter();
    let mut words = |state: &State, seat: &SeatId| {
        let (expected, words) = said.next().unwrap();
        assert_eq!(expected, seat, "the turn takes another course");
        let phases = campaign::moment(&table.context, state, seat).phases;
        let line = lines.iter().find(|(writer, _)| writer == seat);
        match line {
            Some((_, line)) if phases.iter().any(|phase| phase.starts_with("orders")) => {
                format!("{line}\n\n{words}")
            }
            _ => words.clone(),
        }
    };
    table.play_turn(turn.waits[0].clone(), &mut words)
}

/// A unit of a side that its orders do not name and that the look shows whole to nobody else.
fn unit_at_rest(table: &Table, turn: &Turn, side: &str) -> Option<String> {
    let game = table.context.game();
    let state = &turn.waits[0];
    let pieces = state.world.pieces.values();
    let mut units = pieces.filter(|piece| {
        let is_on_map = piece
            .at
            .as_ref()
            .is_some_and(|at| game.map.space(at).is_some());
        let is_named = turn
            .words
            .iter()
            .any(|(_, words)| words.contains(piece.id.as_str()));
        game.decl.kinds[&piece.kind].unit && piece.side == side && is_on_map && !is_named
    });
    units.next().map(|piece| piece.id.to_string())
}

/// What a pair changes in the letters of a turn: for the writer, and for those who may know nothing
/// of it; none if it can't be written here.
fn told(table: &Table, turn: &Turn, pair: &Pair) -> Option<(Vec<String>, Vec<String>)> {
    let writer = seat_of(table, pair.writer);
    let knowing: BTreeSet<SeatId> = pair.told.iter().map(|side| seat_of(table, side)).collect();
    let unit = match pair.orders[1].contains("UNIT") {
        true => unit_at_rest(table, turn, pair.writer)?,
        false => String::new(),
    };
    let [before, after] = pair
        .orders
        .map(|line| (writer.clone(), line.replace("UNIT", &unit)))
        .map(|line| with_lines(table, turn, &[line]).letters);
    let compare = |reader: &SeatId| {
        let letters = |all: &[Letter]| letters_of("the letter", all, reader, Leak::NONE);
        let found = differences(&letters(&before), &letters(&after)).into_iter();
        found
            .map(|found| format!("{}, to {reader}: {found}", pair.what))
            .collect::<Vec<_>>()
    };
    let others = table.seats().into_iter();
    let others = others.filter(|seat| *seat != writer && !knowing.contains(seat));
    Some((
        compare(&writer),
        others.flat_map(|reader| compare(&reader)).collect(),
    ))
}

/// Turns in which a council may be overheard, for each roster.
fn turns(table: &Table) -> Vec<Turn> {
    played(table, 1, 4).split_off(2)
}

#[test]
fn secret_orders_are_told_to_nobody_else() {
    let mut tried = Tried::default();
    for roster in ROSTERS {
        let table = table(roster, |_| {});
        for turn in turns(&table) {
            for pair in PAIRS {
                let Some((to_writer, to_others)) = told(&table, &turn, pair) else {
                    continue;
                };
                let what = pair.what;
                assert!(
                    !to_writer.is_empty(),
                    "{what}: its writer hears nothing of it"
                );
                assert!(to_others.is_empty(), "{}", to_others.join("\n"));
                tried.count(vec![what]);
            }
        }
    }
    for pair in PAIRS {
        assert!(
            tried.0.get(pair.what) >= Some(&4),
            "{}: {:?}",
            pair.what,
            tried.0
        );
    }
}

#[test]
fn orders_that_are_told_to_everybody_are_found() {
    let honest = table("7", |_| {});
    let turns = turns(&honest);
    for pair in PAIRS {
        let leaking = table("7", pair.plant);
        let mut told = turns.iter().filter_map(|turn| told(&leaking, turn, pair));
        assert!(
            told.any(|(_, to_others)| !to_others.is_empty()),
            "not found: {}",
            pair.what
        );
    }
}

/// A seat that is invited and not waited for: nobody else's letters show what its mail says, or
/// that it has no order in it at all (R45, W.2).
#[test]
fn what_an_invited_seat_writes_is_told_to_nobody_else() {
    let mut tried = 0;
    for roster in ["5", "6", "7"] {
        let table = table(roster, |_| {});
        for turn in played(&table, 1, 3).split_off(1) {
            let writer = seat_of(&table, "neapolitan");
            let state = turn.waits[0].clone();
            let is_invited = !campaign::moment(&table.context, &state, &writer)
                .phases
                .is_empty();
            if !is_invited || turn.words.iter().any(|(seat, _)| *seat == writer) {
                continue;
            }
            // Each mail takes its time, so both turns have one.
            let [silent, written] =
                ["HOW DO YOU DO\n", "SUPPLY NO\n\nSTANDING\nPURSUE NO\n"].map(|words| {
                    let event = table.mail(&state, &writer, words);
                    let (next, effects) = table.apply(state.clone(), event);
                    for reader in table.others(&writer) {
                        let sent = &effects.mailing.letters;
                        let at_once = letters_of("at once", sent, &reader, Leak::NONE);
                        assert!(at_once.is_empty(), "{reader}: {at_once:?}");
                    }
                    next
                });
            let rest = |state: State| {
                let mut said = turn.words.iter();
                let mut words = |_: &State, seat: &SeatId| {
                    let (expected, words) = said.next().unwrap();
                    assert_eq!(expected, seat, "the turn takes another course");
                    words.clone()
                };
                table.play_turn(state, &mut words).letters
            };
            let (before, after) = (rest(silent), rest(written));
            for reader in table.others(&writer) {
                let of = |all: &[Letter]| letters_of("the letter", all, &reader, Leak::NONE);
                let found = differences(&of(&before), &of(&after));
                assert!(found.is_empty(), "{}, to {reader}: {found:#?}", turn.name);
            }
            tried += 1;
        }
    }
    assert!(tried > 0, "no seat was invited");
}
