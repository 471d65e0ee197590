//! A battle of brigades: plans, hidden units, reaction fire and half-turn reports tell a seat
//! nothing that it can't know, with fog and without it.

mod planted;
mod secrets;

use estafette::{
    campaign::{
        model::state::{CurrentWait, State},
        post::Letter,
    },
    game::{Game, Space},
    ids::{PieceId, SeatId},
    world::Piece,
};

use super::{
    seeds,
    table::{
        Case, Leak, Options, Own, Secret, Table, Trial, Tried, Turn, assert_quiet_turn_hides,
        differences, letters_of, sent, silent_witness,
    },
};

static RISORGIMENTO: Own = Own {
    game: "risorgimento",
    templates: &[],
    prying,
    wrong: "MOVE Nobody TO Nowhere\n",
    standing: "TRY ALL ALWAYS\n",
    unsent: "TRY ALL ALWAYS\nNOTHING\n",
};

const FOG: Options<'_> = &[("fog", "on"), ("blown_bridges", "on")];
const CLEAR: Options<'_> = &[];

/// Returns true if a piece is an enemy of a seat; a seat plays the side of its name.
fn is_enemy(piece: &Piece, reader: &SeatId) -> bool {
    piece.side.as_str() != reader.as_str()
}

/// Hexes where the enemy stood at the beginning: which they are is no secret.
fn their_hexes(table: &Table, reader: &SeatId) -> Vec<String> {
    let (game, settings) = (table.context.game(), table.context.settings());
    let scenario = &game.scenarios[&settings.scenario];
    let hexes = scenario.positions.iter().filter(|(hex, pieces)| {
        let is_theirs = |piece: &PieceId| {
            let mut forces = game.forces.pieces.iter();
            let piece = forces.find(|known| known.id == *piece);
            piece.is_some_and(|piece| piece.side.as_str() != reader.as_str())
        };
        game.map.space(hex).is_some() && pieces.iter().any(is_theirs)
    });
    hexes.take(8).map(|(hex, _)| hex.to_string()).collect()
}

/// Orders that name what the enemy has, and hexes where he may stand.
fn prying(table: &Table, state: &State, reader: &SeatId) -> Vec<String> {
    let map = &table.context.game().map;
    let pieces: Vec<&Piece> = state.world.pieces.values().map(AsRef::as_ref).collect();
    let is_on_map = |piece: &&&Piece| piece.at.as_ref().is_some_and(|at| map.space(at).is_some());
    let mut own = pieces.iter().filter(|piece| !is_enemy(piece, reader));
    let Some(own) =
        own.find(|piece| is_on_map(piece) && piece.get("cohesion").as_int().unwrap_or(0) > 0)
    else {
        return Vec::new();
    };
    let corps = own
        .get("corps")
        .as_text()
        .unwrap_or_default()
        .to_uppercase();
    let theirs = pieces.iter().filter(|piece| is_enemy(piece, reader));
    let hexes = their_hexes(table, reader);
    let name = &own.name;
    let lines = |form: &dyn Fn(&str) -> String| -> String {
        let lines = hexes.iter().map(|hex| form(hex));
        format!("ACTIVATE {corps}\n{}END\n", lines.collect::<String>())
    };
    let named = theirs.take(8);
    let named = named.map(|piece| format!("MOVE {} TO {}\n", piece.name, hexes[0]));
    vec![
        lines(&|hex| format!("MOVE {name} TO {hex}\n")),
        lines(&|hex| format!("ATTACK {hex} WITH {name}\n")),
        lines(&|hex| format!("IF ENEMY IN {hex}: SHOOT {name} AT {hex}\n")),
        named.collect(),
    ]
}

/// A campaign in which words change no dice.
fn table(scenario: &'static str, options: Options<'_>, adapt: fn(&mut Game)) -> Table {
    Table::of(&RISORGIMENTO, scenario, options, silent_witness, adapt)
}

/// Plays turns with bots that close and fire.
fn played(table: &Table, seed: u64, turns: usize) -> Vec<Turn> {
    let mut state = table.begin();
    let mut all: Vec<Turn> = Vec::new();
    while all.len() < turns && matches!(state.waiting, CurrentWait::Orders { .. }) {
        let mut number = 0;
        let mut words = |state: &State, seat: &SeatId| {
            number += 1;
            let luck = format!("{seed} {} {number}", state.world.turn());
            let lines = table.bot_words("sensible", state, seat, &luck);
            let lines = lines.into_iter().map(|line| format!("{line}\n"));
            lines.collect()
        };
        let mut turn = table.play_turn(state, &mut words);
        turn.name = format!("{}, turn {}", table.label(), all.len() + 1);
        turn.seed = seed;
        state = turn.end.clone().unwrap();
        all.push(turn);
    }
    all
}

/// What is compared of a turn: its first wait, and the one after the half-turn report.
fn moments(turn: &Turn) -> impl Iterator<Item = &State> {
    turn.waits.iter().take(1).chain(turn.waits.last())
}

fn assert_nothing_told(games: &[(&'static str, Options<'_>, usize)], secrets: &[&Secret]) {
    let mut tried = Tried::default();
    for (scenario, options, turns) in games {
        let table = table(scenario, options, |_| {});
        for turn in (1..=seeds(1)).flat_map(|seed| played(&table, seed, *turns)) {
            for reader in table.seats() {
                for state in moments(&turn) {
                    let case = Case::new(&table, &turn, state, &reader);
                    let told = |state: &State| sent(&table, state, &reader, Leak::NONE);
                    tried.count(case.assert_hidden(secrets, told));
                }
            }
        }
    }
    tried.assert_all(secrets);
}

#[test]
fn what_a_seat_cannot_know_changes_no_letter_in_fog() {
    let games = [("canal_bridge", FOG, 2), ("solferino", FOG, 1)];
    assert_nothing_told(&games, &secrets::in_fog());
}

#[test]
fn plans_and_what_only_owners_know_change_no_letter_without_fog() {
    let games = [("canal_bridge", CLEAR, 2), ("solferino", CLEAR, 1)];
    assert_nothing_told(&games, &secrets::without_fog());
}

/// Half-turn report, recovery and the next turn's letter, when nobody wants anything.
#[test]
fn a_quiet_turn_tells_no_secret() {
    let lasting = |all: Vec<&'static Secret>| {
        let lasts = |secret: &&Secret| secret.outlasts.contains(&Trial::QuietTurn);
        all.into_iter().filter(lasts).collect::<Vec<_>>()
    };
    for (options, all) in [(FOG, secrets::in_fog()), (CLEAR, secrets::without_fog())] {
        let secrets = lasting(all);
        let mut tried = Tried::default();
        for (scenario, turns) in [("canal_bridge", 3), ("solferino", 1)] {
            let table = table(scenario, options, |_| {});
            for turn in played(&table, 2, turns) {
                assert_quiet_turn_hides(&table, &turn, &secrets, &mut tried);
            }
        }
        tried.assert_all(&secrets);
    }
}

/// A unit of the enemy that the reader does not see, as far in his rear as there is one.
fn far<'s>(table: &Table, start: &'s State, reader: &SeatId) -> Option<&'s Piece> {
    let hidden = secrets::unseen(table, start, reader);
    let mut rear = hidden.into_iter().rev();
    rear.find(|piece| {
        let corps = piece.get("corps").as_text().unwrap_or_default();
        piece.get("cohesion").as_int().unwrap_or(0) > 0 && !corps.is_empty()
    })
}

/// The letters of a turn in which the reader plans this, and one enemy whom he does not see gets a
/// line of orders in the first half, and a standing order.
fn letters_of_a_turn(
    table: &Table,
    start: &State,
    (reader, plan): (&SeatId, &str),
    (far, [line, standing]): (&Piece, [String; 2]),
) -> Vec<Letter> {
    let corps = far.get("corps");
    let corps = corps.as_text().unwrap_or_default();
    // Guns before whom somebody comes fire.
    let theirs = format!("REACT A5/B1 ENTRY\n{standing}\nACTIVATE {corps}\n{line}\nEND\n");
    let mut words = |state: &State, seat: &SeatId| {
        let words = match (state.phase == start.phase, seat == reader) {
            (true, true) => plan,
            (true, false) => theirs.as_str(),
            (false, _) => "NOTHING\n",
        };
        words.to_owned()
    };
    table.play_turn(start.clone(), &mut words).letters
}

/// The letters of two ways in which a turn goes for an enemy out of sight: he turns about or
/// marches to the next hex, and has other standing orders.
fn letters_of_two_ways(
    table: &Table,
    start: &State,
    (reader, plan): (&SeatId, &str),
) -> [Vec<Letter>; 2] {
    let far = far(table, start, reader).expect("somebody is out of sight");
    let map = &table.context.game().map;
    let here = map.number(far.at.as_ref().unwrap()).unwrap();
    let mut near = map
        .neighbours(here)
        .iter()
        .filter_map(|near| map.space_at(*near));
    let is_free = |space: &&Space| !start.world.pieces.values().any(|it| it.is_at(&space.id));
    let next = near.find(is_free).expect("there is room beside him");
    let ways = [
        [
            format!("FACE {} TO 1", far.id),
            format!("REACT {} NEVER", far.id),
        ],
        [
            format!("MOVE {} TO {}", far.id, next.id),
            format!("REACT {} ENTRY", far.id),
        ],
    ];
    ways.map(|way| letters_of_a_turn(table, start, (reader, plan), (far, way)))
}

/// What a seat is told differently of two turns.
fn told_apart(letters: &[Vec<Letter>; 2], seat: &SeatId) -> Vec<String> {
    let [one, other] =
        [0, 1].map(|way: usize| letters_of("the letter", &letters[way], seat, Leak::NONE));
    differences(&one, &other)
}

/// A plan is carried out in the middle of the other's: where it differs out of sight, nothing that
/// is told of either half of the turn does.
#[test]
fn what_a_plan_does_out_of_sight_is_told_in_no_report() {
    let table = table("solferino", FOG, |_| {});
    let (start, reader) = (table.begin(), SeatId::from("allied"));
    let plan = table
        .bot_words("sensible", &start, &reader, "turning")
        .join("\n");
    let letters = letters_of_two_ways(&table, &start, (&reader, &plan));
    let found = told_apart(&letters, &reader);
    assert!(found.is_empty(), "{reader}: {}", found.join("\n"));
    assert_heard_by_the_other(&table, &letters, &reader);
}

/// Who marches hears of it.
fn assert_heard_by_the_other(table: &Table, letters: &[Vec<Letter>; 2], reader: &SeatId) {
    let told = told_apart(letters, &table.other(reader)).join("\n");
    assert!(told.contains(" goes from "), "nobody has marched: {told}");
}

/// An attack with guns and from a hex before guns of the enemy, while he has others out of sight.
fn before_an_attack(table: &Table) -> (State, String) {
    let mut start = table.begin();
    let stands: [(&str, &str, i64); 5] = [
        ("f1_co", "S2326", 0),
        ("f1_dieu_ld", "S2326", 0),
        ("f1_l74_1", "S2326", 0),
        ("f1_l74_2", "S2326", 1),
        ("f1_b1", "S2327", 0),
    ];
    for (id, at, rank) in stands {
        let piece = start.world.piece_mut(id).unwrap();
        piece.at = Some(at.into());
        piece.attributes.insert("facing".into(), 1.into());
        piece.attributes.insert("rank".into(), rank.into());
    }
    start.world = table.look(&start);
    let plan =
        "ACTIVATE F1\nMOVE L74/1 TO S2325\nFIRE F1/B1 AT ANY\nATTACK S2324 WITH L74/1\nEND\n";
    (start, plan.to_owned())
}

/// The same in a fight, with reaction fire in its middle.
#[test]
fn nor_is_it_in_the_report_of_a_fight() {
    let table = table("solferino", FOG, |_| {});
    let (start, plan) = before_an_attack(&table);
    let reader = SeatId::from("allied");
    let letters = letters_of_two_ways(&table, &start, (&reader, &plan));
    let found = told_apart(&letters, &reader);
    assert!(found.is_empty(), "{reader}: {}", found.join("\n"));
    assert_heard_by_the_other(&table, &letters, &reader);
    let told = letters_of("the letter", &letters[0], &reader, Leak::NONE);
    let answered = told.iter().any(|(_, text)| text.contains(" riposte sur "));
    assert!(answered, "nobody has fired in reaction");
}
