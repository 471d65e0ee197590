//! Leaks in the rules and the data of the game, to show that they are found.

use estafette::{
    campaign::model::state::State,
    game::{Audience, FactAudience, Game},
    ids::SeatId,
};

use super::{NOVARA, follows::what_follows, random_turn, secrets, table, with_guns_in_range};
use crate::fog::table::{Leak, Sent, Table, Trial, Turn, differences, letters_of, rule, sent};

/// A leak in the rules or the data of the game.
pub struct Planted {
    /// What leaks.
    pub what: &'static str,
    /// How.
    pub plant: fn(&mut Game),
    /// The secret that shows.
    pub secret: &'static str,
    /// Where: in what could be sent, or in the letters of what follows.
    pub shows: &'static [&'static str],
    pub follows: Option<Trial>,
}

/// Masks are seen wherever they are.
fn masks_from_afar(game: &mut Game) {
    rule(
        game,
        "visibility",
        r#"spot(seat, lacking(far, "built", "")"#,
        r#"spot(seat, lacking(far, "built", "") + having(far, "kind", "mask")"#,
    )
}

/// What could be sent of a position in words, and that with the map.
const IN_WORDS: &[&str] = &[
    "the view after a fresh look",
    "the document",
    "the text",
    "the page",
];
pub const EVERYWHERE: &[&str] = &[
    "the view after a fresh look",
    "the document",
    "the text",
    "the page",
    "the map",
];

pub const PLANTED: &[Planted] = &[
    Planted {
        what: "dummies are not counted",
        plant: |game| {
            rule(
                game,
                "visibility",
                "stack.len()",
                r#"stack.filter(|one| one.kind != "dummy").len()"#,
            )
        },
        secret: "a dummy for a hidden unit",
        shows: IN_WORDS,
        follows: None,
    },
    Planted {
        what: "masks are seen from afar",
        plant: masks_from_afar,
        secret: "a mask for a hidden unit alone",
        shows: EVERYWHERE,
        follows: None,
    },
    Planted {
        what: "the letters of masks are seen",
        plant: masks_from_afar,
        secret: "the letter of a mask",
        shows: EVERYWHERE,
        follows: None,
    },
    Planted {
        what: "whom nobody sees is seen whole",
        plant: |game| {
            rule(
                game,
                "visibility",
                r#""built", ""), "printed""#,
                r#""captor", "nobody"), "whole""#,
            )
        },
        secret: "levels lost of units not seen",
        shows: EVERYWHERE,
        follows: None,
    },
    Planted {
        what: "a mask is no enemy to a receipt",
        plant: |game| {
            rule(
                game,
                "visibility",
                "places(hidden)",
                r#"places(lacking(hidden, "kind", "mask"))"#,
            )
        },
        secret: "a mask for a hidden unit alone",
        shows: &["what is said to"],
        follows: None,
    },
    Planted {
        what: "the order form names whom nobody sees",
        plant: |game| {
            rule(
                game,
                "visibility",
                r#""built", ""), "printed""#,
                r#""captor", "nobody"), "printed""#,
            );
            rule(
                game,
                "activation",
                "    [line]
",
                "    [line] + pieces(enemy_of(side)).map(|one| `# ${one.id} at ${one.at}`)
",
            );
        },
        secret: "hidden units exchanged",
        shows: &["the template"],
        follows: None,
    },
    Planted {
        what: "the box of masked units is open",
        plant: |game| game.decl.boxes["masked"].shown = Audience::Public,
        secret: "a hidden unit for a mask",
        shows: IN_WORDS,
        follows: None,
    },
    Planted {
        what: "the cup is open",
        plant: |game| game.decl.facts["cup"].shown = FactAudience::Public,
        secret: "plans, pauses, the cup and its order",
        shows: &["the view after a fresh look"],
        follows: None,
    },
    Planted {
        what: "all hear who is out of supply",
        plant: |game| {
            rule(
                game,
                "supply",
                r#"tell(seat_of(side), "supply"#,
                r#"tell("all", "supply"#,
            )
        },
        secret: "units not seen that are out of supply",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::Supply),
    },
    Planted {
        what: "all hear who rallies",
        plant: |game| {
            rule(
                game,
                "supply",
                r#"tell(seat_of(side), "unit.rallied""#,
                r#"tell("all", "unit.rallied""#,
            )
        },
        secret: "shaken units not seen",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::Supply),
    },
    Planted {
        what: "all hear who recovers",
        plant: |game| {
            rule(
                game,
                "recovery",
                r#"tell(seat_of(owner_of(unit)), "#,
                r#"tell("all", "#,
            )
        },
        secret: "levels lost of units not seen",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::Supply),
    },
    Planted {
        what: "standing orders of the other side are told",
        plant: |game| {
            let tells = r#"for seat in seats() { if !told(seat, "retreat").is_empty() && told(seat, "retreat")[0].policy == "max" { announce_turn(); } }"#;
            rule(
                game,
                "sequence",
                "if turn() >= last_turn()",
                &format!("{tells} if turn() >= last_turn()"),
            );
        },
        secret: "standing orders for what does not happen",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::QuietTurn),
    },
    Planted {
        what: "guns hear how strong those are whom they fire at",
        plant: |game| {
            rule(
                game,
                "bombardment",
                "total: die + sum_of(reasons)",
                "total: sum_points(troops_at(hex, enemy))",
            )
        },
        secret: "printed values of units not seen",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::Battle),
    },
];

/// Where a leak shows in none of several positions: what is changed may lie where no map and no
/// order reaches.
pub fn silent_places(planted: &Planted) -> impl Iterator<Item = &'static str> {
    let options = &[("dummies", "on"), ("masks", "on")];
    let secrets = secrets();
    let secret = secrets.iter().find(|secret| secret.name == planted.secret);
    let mut silent = planted.shows.to_vec();
    // What a seat can't know is what it could not without the leak.
    let tables = ["mortara", "la_sforzesca"].map(|scenario| {
        let leaking = Table::of(&NOVARA, scenario, options, |_| {}, planted.plant);
        (table(scenario, options), leaking)
    });
    // A lone mask is near a sheet of the map in few positions; the overview draws it like a unit.
    let seeds = (1..=6).chain([22]);
    let tries = seeds.flat_map(|seed| tables.iter().map(move |tables| (seed, tables)));
    for (seed, (honest, leaking)) in tries {
        if silent.is_empty() {
            break;
        }
        let turn = random_turn(leaking, seed, 1);
        for reader in leaking.seats() {
            let told = |state: &State| told_with(leaking, &turn, state, planted.follows, &reader);
            for start in starts(honest, &turn, planted.follows, &reader) {
                let mut state = start.clone();
                if (secret.unwrap().change)(honest, &mut state, &reader, seed) {
                    let found = differences(&told(&start), &told(&state));
                    silent.retain(|place| !found.iter().any(|found| found.starts_with(place)));
                }
            }
        }
    }
    silent.into_iter()
}

/// The positions of a turn in which a leak could show.
fn starts(table: &Table, turn: &Turn, follows: Option<Trial>, reader: &SeatId) -> Vec<State> {
    let start = &turn.waits[0];
    match follows {
        Some(Trial::Battle) => with_guns_in_range(table, start, reader).take(3).collect(),
        _ => vec![start.clone()],
    }
}

/// What a seat is sent of a position that it has just looked at, or of what follows it.
fn told_with(
    table: &Table,
    turn: &Turn,
    state: &State,
    follows: Option<Trial>,
    reader: &SeatId,
) -> Vec<Sent> {
    if let Some(trial) = follows {
        let letters = what_follows(table, turn, state, trial);
        return letters_of("the dispatch", &letters, reader, Leak::NONE);
    }
    let looked = State {
        world: table.look(state),
        ..state.clone()
    };
    sent(table, &looked, reader, Leak::NONE)
}
