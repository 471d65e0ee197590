//! What spies find (N.5): whatever their die is and whatever stands where they go, only the seat
//! that sends them learns of it, and of a double agent only the seat that decides for the enemy;
//! neither in that turn nor in the next.

use estafette::{
    campaign::{model::state::State, post::Letter},
    game::Game,
    ids::{PieceId, SeatId},
    world::Piece,
};

use super::{
    COALITION, ROSTERS,
    orders::{seat_of, with_lines},
    played, sides, table,
};
use crate::fog::table::{Leak, Table, Tried, Turn, differences, letters_of, rule};

/// Who sends a spy.
struct Spying {
    what: &'static str,
    /// The sides that decide for the party that spies, and for the other one.
    deciders: [&'static str; 2],
    /// The side to which the spy is lent.
    lent: Option<&'static str>,
}

const SPYING: &[Spying] = &[
    Spying {
        what: "a spy of the Allies",
        deciders: ["english", "west"],
        lent: None,
    },
    Spying {
        what: "a spy of the Republic",
        deciders: ["west", "english"],
        lent: None,
    },
    Spying {
        what: "a spy that the English have lent",
        deciders: ["english", "west"],
        lent: Some("spanish"),
    },
    Spying {
        what: "a spy that West has lent",
        deciders: ["west", "english"],
        lent: Some("east"),
    },
];

/// The die that finds a double agent.
const BETRAYED: u8 = 1;
/// A die that finds nothing, for either party.
const NOTHING: u8 = 2;
/// The die that finds most.
const MOST: u8 = 6;

/// Leaks of what is found.
const LEAKS: &[(&str, &str)] = &[
    ("tell(seat, key,", "tell(\"all\", key,"),
    (
        "spot(seat, found, \"whole\");",
        "for other in seats() { spot(other, found, \"whole\"); }",
    ),
];

/// The campaign of a table, in which the die of a spy is known; the enemy's finds nothing.
fn spied(honest: &Table, spying: &Spying, die: u8, leak: Option<(&str, &str)>) -> Table {
    let party = if COALITION.contains(&spying.deciders[0]) {
        "coalition"
    } else {
        "republic"
    };
    let roster = honest.context.settings().seating.roster.as_deref();
    table(roster.unwrap(), |game: &mut Game| {
        let thrown = format!("if party == \"{party}\" {{ {die} }} else {{ {NOTHING} }}");
        let known = format!("let known = {thrown}; let die = known + 0 * shut(");
        rule(game, "espionage", "let die = shut(", &known);
        if let Some((from, to)) = leak {
            rule(game, "espionage", from, to);
        }
    })
}

fn is_allied(piece: &Piece) -> bool {
    COALITION.contains(&piece.side.as_str())
}

/// Units of the party that is spied on, in areas where nobody of the other one is; those areas have
/// three units or fewer in all.
fn targets(table: &Table, state: &State, spying: &Spying) -> Vec<PieceId> {
    let game = table.context.game();
    let enemies_allied = COALITION.contains(&spying.deciders[1]);
    let on_map = || {
        let pieces = state.world.pieces.values().map(AsRef::as_ref);
        pieces.filter(|piece: &&Piece| {
            let at = piece.at.as_ref().and_then(|at| game.map.space(at));
            at.is_some_and(|space| ["plain", "hill", "mountain"].contains(&space.terrain.as_str()))
        })
    };
    let is_alone = |piece: &Piece| {
        !on_map().any(|other| other.at == piece.at && is_allied(other) != enemies_allied)
    };
    let units = on_map().filter(|piece| {
        game.decl.kinds[&piece.kind].unit && is_allied(piece) == enemies_allied && is_alone(piece)
    });
    units.map(|piece| piece.id.clone()).collect()
}

/// The areas of units, at most three of them.
fn areas(state: &State, units: &[PieceId]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for unit in units {
        let area = state.world.piece(unit).and_then(|unit| unit.at.clone());
        let area = area.map(|area| area.to_string()).unwrap_or_default();
        if !found.contains(&area) && found.len() < 3 {
            found.push(area);
        }
    }
    found
}

/// The seat that sends the spy, and the lines that seats add to their orders for it; none if it
/// can't be sent with this roster.
fn lines(table: &Table, spying: &Spying, areas: &[String]) -> Option<Vec<(SeatId, String)>> {
    let decider = seat_of(table, spying.deciders[0]);
    let line = format!("SPY {}", areas.join(", "));
    let Some(side) = spying.lent else {
        return Some(vec![(decider, line)]);
    };
    let borrower = seat_of(table, side);
    (borrower != decider).then(|| {
        let lent = format!("LEND SPY TO {}", side.to_uppercase());
        vec![(borrower, line), (decider, lent)]
    })
}

/// The letters of a turn with a spy in it, and of one after it in which nobody wants anything.
fn letters(table: &Table, turn: &Turn, lines: &[(SeatId, String)]) -> Vec<Letter> {
    let spied = with_lines(table, turn, lines);
    let after = table.pass_a_turn(&spied.end.unwrap());
    spied.letters.into_iter().chain(after).collect()
}

fn changed(before: &[Letter], after: &[Letter], reader: &SeatId) -> Vec<String> {
    let of = |all: &[Letter]| letters_of("the letter", all, reader, Leak::NONE);
    let found = differences(&of(before), &of(after)).into_iter();
    found.map(|found| format!("to {reader}: {found}")).collect()
}

/// What the die of a spy changes in letters to those who may not know of it; `None` if this spy
/// can't be sent here. Fails if those who may know are told nothing.
fn told_of_dice(
    honest: &Table,
    turn: &Turn,
    spying: &Spying,
    leak: Option<(&str, &str)>,
) -> Option<Vec<String>> {
    let throw = |die: u8, lines: &[(SeatId, String)]| {
        let table = spied(honest, spying, die, leak);
        letters(&table, turn, lines)
    };
    let areas = areas(&turn.waits[0], &targets(honest, &turn.waits[0], spying));
    if areas.is_empty() {
        return None;
    }
    let lines = lines(honest, spying, &areas)?;
    let sender = &lines[0].0;
    let enemy = seat_of(honest, spying.deciders[1]);
    let [betrayed, few, most] = [BETRAYED, NOTHING, MOST].map(|die| throw(die, &lines));
    let what = spying.what;
    assert!(
        !changed(&few, &most, sender).is_empty(),
        "{what}: who sends it hears nothing of it"
    );
    assert!(
        !changed(&few, &betrayed, &enemy).is_empty(),
        "{what}: the enemy hears nothing of a double agent"
    );
    let mut found = Vec::new();
    for reader in honest.seats() {
        if reader != *sender {
            found.extend(changed(&few, &most, &reader));
        }
        // Who sends a spy can't tell a double agent from one who has found nothing (K.l).
        if reader != enemy {
            found.extend(changed(&few, &betrayed, &reader));
        }
    }
    Some(found)
}

/// A turn in which spies go and Toulon is open to the Republic.
fn turn(table: &Table) -> Turn {
    played(table, 1, 3).pop().unwrap()
}

/// What changes in others' letters with a secret of a spy; none where it can't be tried.
type SecretOfSpy = fn(&Table, &Turn, &Spying) -> Option<Vec<String>>;

/// Demands that a secret of each spy changes nothing, with each roster; it can be tried so often.
#[track_caller]
fn assert_told_to_nobody(told: SecretOfSpy, least: usize) {
    let mut tried = Tried::default();
    for roster in ROSTERS {
        let table = table(roster, |_| {});
        let turn = turn(&table);
        for spying in SPYING {
            let Some(found) = told(&table, &turn, spying) else {
                continue;
            };
            let (what, turn) = (spying.what, &turn.name);
            assert!(found.is_empty(), "{what}, {turn}:\n{}", found.join("\n"));
            tried.count(vec![what]);
        }
    }
    for spying in SPYING {
        let times = tried.0.get(spying.what);
        assert!(times >= Some(&least), "{}: {:?}", spying.what, tried.0);
    }
}

#[test]
fn the_die_of_a_spy_changes_no_letter_of_others() {
    assert_told_to_nobody(
        |table, turn, spying| told_of_dice(table, turn, spying, None),
        3,
    );
}

/// What stands where a spy goes, as far as a reader can't see it: an infantry unit has another loss
/// for good.
fn with_losses(table: &Table, state: &State, units: &[PieceId], reader: &SeatId) -> Option<State> {
    let own = sides(table, reader);
    let view = table.look(state).seen_by(table.context.game(), reader);
    let mut state = state.clone();
    let mut changed = false;
    for id in units {
        let unit = state.world.piece_mut(id).unwrap();
        let count = |name: &str| unit.get(name).as_int().unwrap_or(0);
        let left = count("pf") - count("perm") - count("temp");
        let is_whole = view
            .piece(id)
            .is_some_and(|known| known.attributes.get("perm").is_some());
        let is_lent = unit.get("lent").as_text().is_some_and(|to| !to.is_empty());
        if is_whole || is_lent || own.contains(unit.side.as_str()) || left < 4 {
            continue;
        }
        let lost = count("perm") + 1;
        unit.attributes.insert("perm".into(), lost.into());
        changed = true;
    }
    changed.then_some(state)
}

/// What the losses of units change in the letters to those who can't see them, though a spy does.
fn told_of_losses(
    honest: &Table,
    turn: &Turn,
    spying: &Spying,
    leak: Option<(&str, &str)>,
) -> Option<Vec<String>> {
    let table = spied(honest, spying, MOST, leak);
    let state = &turn.waits[0];
    let units = targets(honest, state, spying);
    let areas = areas(state, &units);
    let in_areas = |id: &&PieceId| {
        let at = state.world.piece(id).and_then(|unit| unit.at.clone());
        at.is_some_and(|at| areas.contains(&at.to_string()))
    };
    let units: Vec<PieceId> = units.iter().filter(in_areas).cloned().collect();
    if areas.is_empty() {
        return None;
    }
    let lines = lines(honest, spying, &areas)?;
    let quiet = |state: &State| {
        let mut words = |state: &State, seat: &SeatId| {
            let phases = estafette::campaign::moment(&table.context, state, seat).phases;
            let is_turn = phases.iter().any(|phase| phase.starts_with("orders"));
            let line = lines.iter().find(|(writer, _)| writer == seat);
            let line = line.filter(|_| is_turn).map(|(_, line)| line.clone());
            line.unwrap_or_else(|| "NOTHING".to_owned()) + "\n"
        };
        let spied = table.play_turn(state.clone(), &mut words);
        let after = table.pass_a_turn(&spied.end.unwrap());
        spied.letters.into_iter().chain(after).collect::<Vec<_>>()
    };
    let before = quiet(state);
    let mut found = None;
    for reader in honest.seats() {
        if reader == lines[0].0 {
            continue;
        }
        let Some(state) = with_losses(honest, state, &units, &reader) else {
            continue;
        };
        let after = quiet(&state);
        assert!(
            !changed(&before, &after, &lines[0].0).is_empty(),
            "{}: who sends it does not see the losses",
            spying.what
        );
        let told = changed(&before, &after, &reader);
        found.get_or_insert_with(Vec::new).extend(told);
    }
    found
}

#[test]
fn what_a_spy_sees_changes_no_letter_of_others() {
    assert_told_to_nobody(
        |table, turn, spying| told_of_losses(table, turn, spying, None),
        2,
    );
}

#[test]
fn finds_that_are_told_to_others_are_found() {
    let honest = table("7", |_| {});
    let turn = turn(&honest);
    for spying in SPYING {
        for leak in LEAKS {
            let found = told_of_dice(&honest, &turn, spying, Some(*leak)).unwrap();
            assert!(!found.is_empty(), "not found: {}, {leak:?}", spying.what);
        }
        // What is told are names; losses are seen.
        let found = told_of_losses(&honest, &turn, spying, Some(LEAKS[1])).unwrap();
        assert!(!found.is_empty(), "not found: {}, losses", spying.what);
    }
}
